/* SPDX-License-Identifier: Apache-2.0 */
/* What auto would ask, and whether a budget can pay for every question it may ask. */
#include "cluster/kmeans/auto/auto.h"

#include <math.h>
#include <stdio.h>

static bool pure(const tac_kmeans_terms *t)
{
    return t->terms.notion == TAC_PURE;
}

static int32_t k_of(const tac_kmeans_terms *t)
{
    return t->opts->k == TACIT_K_AUTO ? t->opts->k_max : t->opts->k;
}

static int32_t tree_dims(const tac_kmeans_terms *t)
{
    return t->columns < TAC_AUTO_DIMS ? t->columns : TAC_AUTO_DIMS;
}

static bool sketches(const tac_kmeans_terms *t)
{
    return tac_auto_sketches(t->columns) && (t->sparse || !pure(t));
}

/* The least that each kind of question gets in any walk: the longest zoom, the most levels, the most rounds. */
tacit_status tac_auto_check(const tac_kmeans_terms *t)
{
    if (sketches(t)) return tac_auto_sketch_check(t);
    if (pure(t)) return tac_auto_pure_check(t);
    const tac_local_parts tree = tac_auto_tree_parts(), round = tac_auto_round_parts(true, false);
    const int32_t rounds = t->opts->rounds > 6 ? t->opts->rounds : 6;
    const double level = 0.25 * tac_auto_tree_shares.levels * tac_auto_first_level(TAC_TREE_LEVELS_MOST);
    const double one_round = TAC_AUTO_ROUNDS_LEAST / rounds;

    if (tac_quote_count(&t->terms, tac_share(t->budget, TAC_AUTO_COUNT)) != 0 &&
        tac_quote_sums(&t->terms, t->columns, 1, tac_share(t->budget, 0.01)) != 0 &&
        tac_quote_moments(&t->terms, t->columns, tac_share(t->budget, 0.08)) != 0 &&
        tac_quote_local(&t->terms, tree_dims(t), &tree,
                        tac_share(t->budget, level * (1 - tac_auto_tree_shares.cuts))) != 0 &&
        tac_quote_histogram(&t->terms, tac_share(t->budget, level * tac_auto_tree_shares.cuts)) != 0 &&
        tac_quote_local(&t->terms, t->columns, &round, tac_share(t->budget, one_round * 0.9)) != 0 &&
        tac_quote_histogram(&t->terms, tac_share(t->budget, one_round * 0.05)) != 0)
        return TACIT_OK;
    return tac_fail(t->ctx, TACIT_E_ARGUMENT, "epsilon is too small for so many rounds, columns or rows per person: the "
                    "noise would not fit 64-bit numbers; raise epsilon or ask for fewer rounds");
}

void tac_auto_advise(int32_t resolved, int32_t k, double error, int32_t columns, tacit_plan *plan)
{
    const double moved = error * sqrt(columns); /* all coordinates together */

    if (resolved < k && resolved == 1)
        tac_plan_advise(plan, "With so few rows this budget can only tell the mean of all rows; ask for fewer centres, use "
                        "fewer columns or a larger epsilon.");
    else if (resolved < k)
        tac_plan_advise(plan, "With so few rows this budget tells only about %d of %d centres apart; the others would "
                        "repeat them. Ask for fewer centres, use fewer columns or a larger epsilon.", resolved, k);
    else if (moved > 0.5)
        tac_plan_advise(plan, "Expect rough centres: noise moves each by %.0f %% of its cluster's own radius. Fewer centres "
                        "or columns or a larger epsilon help; tighter bounds do not matter much.", 100 * moved);
    else
        tac_plan_advise(plan, "This should be usable: noise moves a centre by about %.2g %% of its cluster's own radius, "
                        "more where a cluster is smaller than rows / k.", 100 * moved);
}

tacit_status tac_auto_plan(const tac_kmeans_terms *t, double rows, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    const int32_t k = k_of(t);
    const char *noise = "discrete Gaussian", *own = "of a cluster's own radius, each coordinate of a centre";
    char what[96], error_of[96];

    if (sketches(t)) return tac_auto_sketch_plan(t, rows, plan);
    if (pure(t)) return tac_auto_pure_plan(t, rows, plan);
    const tac_auto_rules r = tac_auto_rules_for(&t->terms, t->budget, k, t->columns, rows, t->opts->rounds);
    const double unit = tac_plan_unit(t, error_of, sizeof error_of), n = fmax(rows, 1);
    double spent = TAC_AUTO_COUNT + r.mean + r.radius;

    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "number of rows", .noise = noise, .times = 1,
                                                          .share = TAC_AUTO_COUNT,
                .error = ldexp((double)tac_quote_count(&t->terms, tac_share(t->budget, TAC_AUTO_COUNT)), -TAC_COUNT_GRID),
                .error_of = "rows"}));
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "mean of all rows (again if the bounds are loose)",
                                                          .noise = noise,
                .times = 1, .share = r.mean,
                .error = (double)tac_quote_sums(&t->terms, t->columns, 1, tac_share(t->budget, r.mean)) / n / unit,
                .error_of = error_of}));
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "distances from the mean", .noise = noise, .times = 1,
                .share = r.radius,
                .error = ldexp((double)tac_quote_histogram(&t->terms, tac_share(t->budget, r.radius)), -TAC_COUNT_GRID),
                .error_of = "rows per bin"}));
    if (r.k > 1 && r.subspace > 0) {
        spent += r.subspace;
        TAC_TRY(tac_plan_add(t->ctx, plan,
                             &(tacit_plan_step){.what = "second moments, for the subspace", .noise = noise, .times = 1,
                    .share = r.subspace,
                    .error = (double)tac_quote_moments(&t->terms, t->columns, tac_share(t->budget, r.subspace)) /
                             n / TAC_M / TAC_M / TAC_MOMENT_SAME,
                    .error_of = "of the squared radius of the rows, each moment"}));
    }
    if (r.k > 1) {
        const int32_t levels = tac_auto_levels(r.k, 1);
        const tac_local_parts parts = tac_auto_tree_parts();
        const double share = fmin(r.tree, 1 - spent - TAC_AUTO_ROUNDS_LEAST);
        const double last = share * tac_auto_tree_shares.levels * tac_auto_first_level(levels) *
                            pow(tac_auto_tree_shares.growth, levels - 1) * (1 - tac_auto_tree_shares.cuts);
        spent += share;
        snprintf(what, sizeof what, "%d levels of a tree of up to %d cells", levels, r.most_cells);
        TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = what, .noise = noise, .times = levels, .share = share,
                    .error = (double)tac_quote_local(&t->terms, tree_dims(t), &parts, tac_share(t->budget, last)) /
                             parts.count,
                    .error_of = "rows per cell, last level"}));
    }
    const tac_local_parts parts = tac_auto_round_parts(false, t->median);
    const uint64_t units = tac_share(t->budget, (1 - spent) / r.rounds * (1 - TAC_AUTO_DISTANCES));
    const double error = (double)tac_quote_local(&t->terms, t->columns, &parts, units) / parts.sum / TAC_M / (n / r.k);
    snprintf(what, sizeof what, "%d round%s of refinement of %d centre%s", r.rounds, r.rounds == 1 ? "" : "s", r.k,
             r.k == 1 ? "" : "s");
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = what, .noise = noise, .times = r.rounds,
                                                          .share = 1 - spent, .error = error, .error_of = own}));
    tac_auto_advise(r.k, k, error, t->columns, plan);
done:
    return status;
}
