/* SPDX-License-Identifier: Apache-2.0 */
/* What method balcan refuses. The constants of the theorems have limits that no run over made-up
   rows shows, and so many queries that whether a budget pays for them is computed, not tried. */
#include "cluster/kmeans/literature/balcan/balcan.h"
#include "cluster/kmeans/literature/lloyd/lloyd.h"

#include <math.h>
#include <stdio.h>

#define ROWS_MOST 1e8 /* more do not fit the lattice of most machines */

/* Quanta of the smallest query about sums. */
static uint64_t least_round(const tac_kmeans_params *t, const tac_balcan_plan *p)
{
    const uint64_t quanta = p->recover / (uint64_t)p->trials;
    const tac_lloyd_schedule s = {.rounds = p->rounds, .left = quanta};

    return t->median ? tac_share(quanta, 0.05 / p->rounds) : tac_lloyd_round_quanta(&s, 0);
}

/* Has every query of this plan a noise scale? */
static bool affordable(const tac_kmeans_params *t, const tac_balcan_plan *p)
{
    const tac_privacy_params *params = &t->params;
    uint64_t cost;

    if (tac_quote_count(params, p->count) == 0 ||
        tac_quote_sums(params, t->columns, p->count_weight, least_round(t, p)) == 0 ||
        tac_quote_histogram(params, least_round(t, p)) == 0)
        return false;
    if (p->middle > 0 && tac_quote_sums(params, p->p, 1, p->middle) == 0) return false;
    if (p->radius > 0 && tac_quote_histogram(params, p->radius) == 0) return false;
    if (p->shifts > 0 && tac_quote_cubes(params, tac_balcan_cube_quanta(p)) == 0) return false;
    if (p->swaps > 0 &&
        tac_selection_epsilon(params->definition, tac_balcan_swap_quanta(p), &cost) == 0)
        return false;
    if (p->last_swap > 0 &&
        tac_selection_epsilon(params->definition, p->last_swap / (uint64_t)p->trials, &cost) == 0)
        return false;
    return p->choose == 0 || tac_selection_epsilon(params->definition, p->choose, &cost) > 0;
}

/* The fewest rows, up to ROWS_MOST in steps of a quarter, at which a cluster of the mean size is
   split. */
static double rows_needed(const tac_kmeans_params *t)
{
    double rows = 100;

    for (; rows <= ROWS_MOST; rows *= 1.25) {
        const tac_balcan_plan p =
            tac_balcan_plan_for(&t->params, t->budget, t->opts, t->median, t->columns, rows);
        if (tac_balcan_rows_to_split(&t->params, &p) <= rows / p.k) break;
    }
    return rows;
}

tacit_status tac_balcan_check(const tac_kmeans_params *t)
{
    const bool theory = t->opts->constants == TACIT_CONSTANTS_THEORY;

    if (t->median && t->opts->sparsity > 0)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                        "method balcan finds sparse means, not sparse medians; leave sparsity out, "
                        "or take k-means (tacit kmeans)");
    /* Whether its cubes would fit depends on the rows. */
    if (theory && t->ctx->memory > 0 && t->columns > TAC_CUBES_LISTED)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                        "with the constants of the theorems and more than %d columns method balcan "
                        "may list as many cubes as there are rows, in memory; take --constants "
                        "practical or leave --memory out",
                        TAC_CUBES_LISTED);
    if (theory && rows_needed(t) > ROWS_MOST)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                        "with the constants of the theorems this budget would not split a cube of "
                        "fewer than a hundred million rows, so nothing could be found; raise "
                        "epsilon, ask for fewer clusters or take --constants practical");
    /* The number of rows is not known here: every one must be payable. */
    for (double rows = 1; theory && rows <= 1e12; rows *= 1000) {
        const tac_balcan_plan p =
            tac_balcan_plan_for(&t->params, t->budget, t->opts, t->median, t->columns, rows);
        if (!affordable(t, &p))
            return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                            "epsilon is too small for so many clusters, columns or rows per "
                            "person: the noise would not fit 64-bit numbers; raise epsilon or take "
                            "--constants practical");
    }
    return TACIT_OK;
}

#define QUERIES_MOST 5000

tacit_status tac_balcan_plan_check(const tac_kmeans_params *t, double rows)
{
    const tac_balcan_plan p =
        tac_balcan_plan_for(&t->params, t->budget, t->opts, t->median, t->columns, rows);

    if ((double)p.trials * ((double)p.shifts * p.levels + p.swaps) <= QUERIES_MOST) return TACIT_OK;
    return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                    "with the constants of the theorems a plan would take as long as the run "
                    "itself; they begin to say something at about %.2g rows; plan with --constants "
                    "practical",
                    rows_needed(t));
}
