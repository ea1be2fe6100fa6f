/* SPDX-License-Identifier: Apache-2.0 */
/* What auto would ask with delta = 0, and whether a budget can pay for every question it may ask. */
#include "cluster/kmeans/pure/pure.h"

#include <math.h>
#include <stdio.h>

#define ZOOM_LEAVES 0.6 /* of the budget, at least */

static double rows_sd(const tac_kmeans_terms *t, double share)
{
    const uint64_t scale = tac_quote_histogram(&t->terms, tac_share(t->budget, share));
    return ldexp(tac_noise_sd(TAC_LAPLACE, scale), -TAC_COUNT_GRID);
}

/* Noise of each coordinate of a centre that serves so many rows, in root mean square radii. */
static double center_sd(const tac_kmeans_terms *t, double share, double rows)
{
    const tac_local_parts sum = {.sum = 1};
    const int32_t dims = t->median ? t->columns : 1;
    const double reach = t->median ? 1 : sqrt(t->columns);

    const uint64_t scale = tac_quote_local(&t->terms, dims, &sum, tac_share(t->budget, share));
    return tac_noise_sd(TAC_LAPLACE, scale) / TAC_M * reach / fmax(rows, 1);
}

/* The least that each kind of question gets in any walk: the longest zoom, the most rounds. */
tacit_status tac_auto_pure_check(const tac_kmeans_terms *t)
{
    const tac_local_parts square = {.square = true}, sums = {.count = UINT32_C(1) << 31, .sum = 128};
    const double last = ZOOM_LEAVES * 0.2 / (t->opts->rounds > 2 ? t->opts->rounds : 2);

    if (tac_quote_count(&t->terms, tac_share(t->budget, TAC_PURE_COUNT)) != 0 &&
        tac_quote_sums(&t->terms, t->columns, 1, tac_share(t->budget, 0.01)) != 0 &&
        tac_quote_local(&t->terms, 1, &square, tac_share(t->budget, ZOOM_LEAVES * 0.015)) != 0 &&
        tac_quote_local(&t->terms, 1, &square, tac_share(t->budget, last * TAC_PURE_SPREADS)) != 0 &&
        tac_quote_histogram(&t->terms, tac_share(t->budget, last * TAC_PURE_SIZES)) != 0 &&
        tac_quote_local(&t->terms, t->columns, &sums, tac_share(t->budget, last * 0.7)) != 0)
        return TACIT_OK;
    return tac_fail(t->ctx, TACIT_E_ARGUMENT, "epsilon is too small for so many rounds, columns or rows per person: the "
                    "noise would not fit 64-bit numbers; raise epsilon or ask for fewer rounds");
}

static tacit_status add(const tac_kmeans_terms *t, tacit_plan *plan, const char *what, int32_t times, double share,
                        double error, const char *error_of)
{
    return tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = what, .noise = "discrete Laplace", .times = times,
                                                         .share = share, .error = error, .error_of = error_of});
}

tacit_status tac_auto_pure_plan(const tac_kmeans_terms *t, double rows, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    const int32_t k = t->opts->k == TACIT_K_AUTO ? t->opts->k_max : t->opts->k;
    const tac_pure_rules r = tac_pure_rules_for(&t->terms, t->budget, k, t->columns, rows, t->opts->rounds);
    const double left = 1 - TAC_PURE_COUNT - r.mean - r.radius, n = fmax(rows, 1);
    const char *own = "of a cluster's own radius, each coordinate of a centre";
    char what[96], error_of[96];
    const double unit = tac_plan_unit(t, error_of, sizeof error_of);
    double spent = 0; /* of what is left */

    TAC_TRY(add(t, plan, "number of rows", 1, TAC_PURE_COUNT, rows_sd(t, TAC_PURE_COUNT), "rows"));
    TAC_TRY(add(t, plan, "mean of all rows (again if the bounds are loose)", 1, r.mean,
                tac_noise_sd(TAC_LAPLACE, tac_quote_sums(&t->terms, t->columns, 1, tac_share(t->budget, r.mean))) / n /
                    unit, error_of));
    TAC_TRY(add(t, plan, "distances from the mean", 1, r.radius, rows_sd(t, r.radius), "rows per bin"));
    if (r.k > 1) {
        spent = r.axes + r.grid;
        snprintf(what, sizeof what, "rows in about %.0f boxes of a grid in %d dimensions, and its sides", r.boxes,
                 r.dims);
        TAC_TRY(add(t, plan, what, 2, left * spent, rows_sd(t, left * r.grid), "rows per box"));
    }
    if (r.k > 1 && r.split > 0) {
        spent += r.first + r.split;
        snprintf(what, sizeof what, "two rounds about %d seeds, which are split", r.seeds);
        TAC_TRY(add(t, plan, what, 2, left * (r.first + r.split), center_sd(t, left * r.first * 0.7, n / r.seeds),
                    own));
    }
    const double error = center_sd(t, left * (1 - spent) / r.rounds * 0.8, n / r.k);
    snprintf(what, sizeof what, "%d round%s of refinement of %d centre%s", r.rounds, r.rounds == 1 ? "" : "s", r.k,
             r.k == 1 ? "" : "s");
    TAC_TRY(add(t, plan, what, r.rounds, left * (1 - spent), error, own));
    tac_auto_advise(r.k, k, error, t->columns, plan);
done:
    return status;
}
