/* SPDX-License-Identifier: Apache-2.0 */
/* What auto would ask about subspaces, and whether a budget can pay for every question it may ask. */
#include "cluster/subspace/auto/auto.h"

#include <math.h>
#include <stdio.h>

enum { ROUNDS_MOST = 8 };
#define REST_LEAST 0.1 /* of the budget is left for the rounds in every walk */

/* Is the walk that of sulq+? */
static bool too_many(const tac_subspace_terms *t)
{
    return t->k > 1 && t->q > 0 && !tac_fourth_suits(t->k, t->q, t->dims);
}

/* delta = 0: the walk is that of sulq+, which needs k and q. */
static tacit_status pure_check(const tac_subspace_terms *t)
{
    if (t->k < 1 || t->q < 1)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT, "k and q can be chosen with delta above 0 only, for example "
                        "1e-6; give both numbers");
    return tac_subspace_sulq_plus_check(t);
}

tacit_status tac_subspace_auto_check(const tac_subspace_terms *t)
{
    const int32_t rounds = t->opts->rounds > ROUNDS_MOST ? t->opts->rounds : ROUNDS_MOST;
    const int32_t p = t->dims < TAC_FOURTH_DIMS ? t->dims : TAC_FOURTH_DIMS;

    uint64_t cost;

    if (t->terms.notion == TAC_PURE) return pure_check(t);
    if ((t->k < 1 || t->q < 1) && t->opts->affine)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT, "k and q cannot be chosen for affine subspaces: the direction that "
                        "all of them share hides the rest; give both numbers, or leave affine out");
    if (too_many(t)) return tac_subspace_sulq_plus_check(t);
    if (tac_selection_epsilon(t->terms.notion, tac_share(t->budget, TAC_FOURTH_CHOICE), &cost) != 0 &&
        tac_quote_count(&t->terms, tac_share(t->budget, TAC_FOURTH_COUNT)) != 0 &&
        tac_quote_histogram(&t->terms, tac_share(t->budget, fmin(TAC_FOURTH_NORMS, TAC_FOURTH_SIZES))) != 0 &&
        tac_quote_fourth(&t->terms, p, tac_share(t->budget, 0.3)) != 0 &&
        tac_quote_moments(&t->terms, t->dims, tac_share(t->budget, fmin(0.06, REST_LEAST / (2 * rounds)))) != 0)
        return TACIT_OK;
    return tac_fail(t->ctx, TACIT_E_ARGUMENT, "epsilon is too small for so many rounds, columns or rows per "
                    "person: the noise would not fit 64-bit numbers; raise epsilon or ask for fewer rounds");
}

static void advise(const tac_fourth_rules *r, int32_t k, int32_t q, bool choose, tacit_plan *plan)
{
    if (choose)
        tac_plan_advise(plan, "k and q are chosen from the noisy fourth moments: right where subspaces stand clearly "
                        "out of noise, mostly too small where they do not.");
    else if (r->kappa > 1)
        tac_plan_advise(plan, "With so few rows noise hides %d subspaces of dimension %d; expect mostly random "
                        "directions. Fewer or smaller subspaces, fewer columns or a larger epsilon help.", k, q);
    else if (r->kappa > 0.3)
        tac_plan_advise(plan, "Expect rough subspaces: noise is about %.0f %% of what one of %d clusters shows along "
                        "its subspace. More rows, fewer columns or a larger epsilon help.", 100 * r->kappa, k);
    else
        tac_plan_advise(plan, "This should be usable: noise is about %.2g %% of what one of %d equal clusters "
                        "shows along its subspace.", 100 * r->kappa, k);
}

tacit_status tac_subspace_auto_plan(const tac_subspace_terms *t, double rows, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    const char *noise = "discrete Gaussian", *bins = "rows per bin", *moment = "of the rows' squared length, each moment";
    const bool choose = t->k < 1 || t->q < 1;
    int32_t k = t->k, q = t->q;
    char what[96];

    if (t->terms.notion == TAC_PURE || too_many(t)) return tac_subspace_sulq_plus_plan(t, rows, plan);
    tac_fourth_most(t->opts, t->dims, &k, &q);
    const tac_fourth_rules r = tac_fourth_rules_for(&t->terms, t->budget, k, q, t->dims, rows, choose, t->opts->rounds);
    const int32_t norms = r.shadow > 0 ? 2 : 1;
    const double rest = 1 - TAC_FOURTH_COUNT - norms * TAC_FOURTH_NORMS - r.shadow - r.tensor - TAC_FOURTH_SIZES;
    const double bin = ldexp((double)tac_quote_histogram(&t->terms, tac_share(t->budget, TAC_FOURTH_NORMS)),
                             -TAC_COUNT_GRID);

    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "number of rows", .noise = noise, .times = 1,
                                                          .share = TAC_FOURTH_COUNT,
                .error = ldexp((double)tac_quote_count(&t->terms, tac_share(t->budget, TAC_FOURTH_COUNT)), -TAC_COUNT_GRID),
                .error_of = "rows"}));
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "lengths of the rows (again if the domain is wide)",
                                                          .noise = noise,
                .times = norms, .share = norms * TAC_FOURTH_NORMS, .error = bin, .error_of = bins}));
    if (r.shadow > 0)
        TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "second moments of all rows, for the shadow",
                                                              .noise = noise,
                    .times = 1, .share = r.shadow,
                    .error = tac_kplane_noise(&t->terms, t->dims, tac_share(t->budget, r.shadow)) / r.rows,
                    .error_of = moment}));
    if (r.tensor > 0) {
        const double scale = (double)tac_quote_fourth(&t->terms, r.p, tac_share(t->budget, r.tensor));
        snprintf(what, sizeof what, "fourth moments in %d dimensions", r.p);
        TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = what, .noise = noise, .times = 1, .share = r.tensor,
                    .error = scale / tac_fourth_weight(0, 0, 0, 0) / ((double)TAC_M * TAC_M) / ((double)TAC_M * TAC_M) *
                             (1 << 30) / r.rows,
                    .error_of = "of the rows' fourth power, each moment"}));
    }
    snprintf(what, sizeof what, "%d round%s of second moments, in two halves", r.rounds, r.rounds == 1 ? "" : "s");
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = what, .noise = noise, .times = 2 * r.rounds, .share = rest,
                .error = tac_kplane_noise(&t->terms, t->dims, tac_share(t->budget, rest)) / (r.rows / k),
                .error_of = "of a cluster's squared length, each moment, all rounds together"}));
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "sizes of the clusters", .noise = noise, .times = 1,
                .share = TAC_FOURTH_SIZES,
                .error = ldexp((double)tac_quote_histogram(&t->terms, tac_share(t->budget, TAC_FOURTH_SIZES)),
                               -TAC_COUNT_GRID),
                .error_of = "rows"}));
    advise(&r, k, q, choose, plan);
done:
    return status;
}
