/* SPDX-License-Identifier: Apache-2.0 */
/* What method balcan would ask, and whether a budget can pay for it. */
#include "cluster/kmeans/balcan/balcan.h"
#include "cluster/kmeans/lloyd/lloyd.h"

#include <math.h>
#include <stdio.h>

#define ROWS_MOST 1e8 /* more do not fit the lattice of most machines */

/* Units of the smallest question about sums. */
static uint64_t least_round(const tac_kmeans_terms *t, const tac_balcan_plan *p)
{
    const uint64_t units = p->recover / (uint64_t)p->trials;
    const tac_lloyd_schedule s = {.rounds = p->rounds, .left = units};

    return t->median ? tac_share(units, 0.05 / p->rounds) : tac_lloyd_round_units(&s, 0);
}

/* Has every question of this plan a noise scale? */
static bool affordable(const tac_kmeans_terms *t, const tac_balcan_plan *p)
{
    const tac_terms *terms = &t->terms;
    uint64_t cost;

    if (tac_quote_count(terms, p->count) == 0 ||
        tac_quote_sums(terms, t->columns, p->count_weight, least_round(t, p)) == 0 ||
        tac_quote_histogram(terms, least_round(t, p)) == 0)
        return false;
    if (p->middle > 0 && tac_quote_sums(terms, p->p, 1, p->middle) == 0) return false;
    if (p->radius > 0 && tac_quote_histogram(terms, p->radius) == 0) return false;
    if (p->shifts > 0 && tac_quote_cubes(terms, tac_balcan_cube_units(p)) == 0) return false;
    if (p->swaps > 0 && tac_selection_epsilon(terms->notion, tac_balcan_swap_units(p), &cost) == 0) return false;
    if (p->last_swap > 0 && tac_selection_epsilon(terms->notion, p->last_swap / (uint64_t)p->trials, &cost) == 0)
        return false;
    return p->choose == 0 || tac_selection_epsilon(terms->notion, p->choose, &cost) > 0;
}

/* The fewest rows, up to ROWS_MOST and in steps of a quarter, with which a cluster of the mean size is split at all. */
static double rows_needed(const tac_kmeans_terms *t)
{
    double rows = 100;

    for (; rows <= ROWS_MOST; rows *= 1.25) {
        const tac_balcan_plan p = tac_balcan_plan_for(&t->terms, t->budget, t->opts, t->median, t->columns, rows);
        if (tac_balcan_rows_to_split(&t->terms, &p) <= rows / p.k) break;
    }
    return rows;
}

tacit_status tac_balcan_check(const tac_kmeans_terms *t)
{
    const bool theory = t->opts->constants == TACIT_CONSTANTS_THEORY;

    if (t->median && t->opts->sparsity > 0)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT, "method balcan finds sparse means, not sparse medians; leave sparsity "
                        "out, or take k-means (tacit kmeans)");
    if (theory && rows_needed(t) > ROWS_MOST)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT, "with the constants of the theorems this budget would not split a cube of "
                        "fewer than a hundred million rows, so nothing could be found; raise epsilon, ask for fewer "
                        "clusters or take --constants practical");
    /* The number of rows is not known here: every one must be payable. */
    for (double rows = 1; rows <= 1e12; rows *= 1000) {
        const tac_balcan_plan p = tac_balcan_plan_for(&t->terms, t->budget, t->opts, t->median, t->columns, rows);
        if (!affordable(t, &p))
            return tac_fail(t->ctx, TACIT_E_ARGUMENT, "epsilon is too small for so many %s, columns or rows per person: the "
                            "noise would not fit 64-bit numbers; raise epsilon or %s", theory ? "clusters" : "rounds",
                            theory ? "take --constants practical" : "ask for fewer rounds");
    }
    return TACIT_OK;
}

static void advise(const tac_kmeans_terms *t, const tac_balcan_plan *p, double rows, double error, tacit_plan *plan)
{
    if (p->theory && tac_balcan_rows_to_split(&t->terms, p) > rows / p->k)
        tac_plan_advise(plan, "The constants of the theorems are not for so few rows: with this budget they begin to say "
                        "something at about %.2g rows. Take --constants practical, or method auto.", rows_needed(t));
    else if (p->k < t->opts->k)
        tac_plan_advise(plan, "With so few rows this budget tells only about %d of %d centres apart; the others would "
                        "repeat them. Ask for fewer centres, use fewer columns or a larger epsilon.", p->k, t->opts->k);
    else if (error > 0.1)
        tac_plan_advise(plan, "Expect rough centres: the noise moves each coordinate by a tenth of its range or more. Fewer "
                        "centres or columns, tighter bounds or a larger epsilon help.");
    else
        tac_plan_advise(plan, "This should be usable if clusters hold more rows than a cube must to be split; method auto "
                        "usually finds more with the same budget.");
}

/* Excess cost of a choice among so many, as rows at the largest possible distance. */
static double selection_error(const tac_terms *t, uint64_t units, double choices)
{
    uint64_t cost;
    const double epsilon = ldexp((double)tac_selection_epsilon(t->notion, units, &cost), -TAC_SELECTION_BITS);
    return log(choices) / epsilon * t->rows_per_unit * (tac_replaces(t->neighbours) ? 2 : 1);
}

static tacit_status plan_search(const tac_kmeans_terms *t, const tac_balcan_plan *p, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    const char *draw = t->terms.notion == TAC_PURE ? "permute-and-flip" : "exponential mechanism";
    const double budget = (double)t->budget;
    char what[96];

    snprintf(what, sizeof what, "cubes with many rows, %d shift%s, %d levels", p->shifts * p->trials,
             p->shifts * p->trials == 1 ? "" : "s", p->levels);
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){
        .what = what, .noise = "discrete Laplace", .times = p->shifts * p->trials * p->levels,
        .share = (double)p->candidates / budget, .error = tac_balcan_rows_to_split(&t->terms, p),
        .error_of = "rows a cube must hold to be split"}));
    if (p->swaps > 0)
        TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){
            .what = "swaps of a centre for a candidate", .noise = draw, .times = p->swaps * p->trials,
            .share = (double)p->swap / budget,
            .error = selection_error(&t->terms, tac_balcan_swap_units(p), 100.0 * p->k * p->shifts),
            .error_of = "rows at the largest possible distance"}));
    if (p->last_swap > 0)
        TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){
            .what = "one of the swaps' results", .noise = draw, .times = p->trials, .share = (double)p->last_swap / budget,
            .error = selection_error(&t->terms, p->last_swap / (uint64_t)p->trials, p->swaps),
            .error_of = "rows at the largest possible distance"}));
done:
    return status;
}

tacit_status tac_balcan_plan_steps(const tac_kmeans_terms *t, double rows, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    const tac_balcan_plan p = tac_balcan_plan_for(&t->terms, t->budget, t->opts, t->median, t->columns, rows);
    const tac_law law = t->terms.notion == TAC_PURE ? TAC_LAPLACE : TAC_GAUSSIAN;
    const char *noise = law == TAC_LAPLACE ? "discrete Laplace" : "discrete Gaussian";
    const double budget = (double)t->budget;
    char error_of[96], what[96];
    const double unit = tac_plan_unit(t, error_of, sizeof error_of);

    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){
        .what = "number of rows", .noise = noise, .times = 1, .share = (double)p.count / budget,
        .error = ldexp(tac_noise_sd(law, tac_quote_count(&t->terms, p.count)), -TAC_COUNT_GRID), .error_of = "rows"}));
    if (p.middle > 0)
        TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){
            .what = "middle and reach of the projected rows", .noise = noise, .times = 2,
            .share = (double)(p.middle + p.radius) / budget,
            .error = tac_noise_sd(law, tac_quote_sums(&t->terms, p.p, 1, p.middle)) / rows / TAC_M,
            .error_of = "of the radius, each coordinate"}));
    if (p.shifts > 0) TAC_TRY(plan_search(t, &p, plan));
    const tac_lloyd_schedule s = {.rounds = p.rounds, .left = p.recover / (uint64_t)p.trials};
    const double error = tac_noise_sd(law, tac_quote_sums(&t->terms, t->columns, p.count_weight,
                                                          tac_lloyd_round_units(&s, p.rounds - 1))) /
                         (rows / p.k) / unit;
    snprintf(what, sizeof what, "%s of %d cells (error of the last)",
             t->median ? "means and Weiszfeld steps" : "sums and counts", p.k);
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = what, .noise = noise, .times = p.rounds * p.trials,
                         .share = (double)p.recover / budget, .error = error, .error_of = error_of}));
    if (p.choose > 0)
        TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){
            .what = "one of the trials", .times = 1,
            .noise = t->terms.notion == TAC_PURE ? "permute-and-flip" : "exponential mechanism",
            .share = (double)p.choose / budget, .error = selection_error(&t->terms, p.choose, p.trials),
            .error_of = "rows at the largest possible distance"}));
    advise(t, &p, rows, error, plan);
done:
    return status;
}
