/* SPDX-License-Identifier: Apache-2.0 */
/* What co-clustering of whole rows would ask, and whether a budget can pay for it. */
#include "cluster/cocluster/rows/rows.h"

#include <math.h>
#include <stdio.h>

/* Noise of sums, relative to a row of length 1. Cut rows have a sum of 1: then a question costs what one column does. */
static double sums_sd(const tac_cocluster_terms *t, double share, double counted)
{
    const tac_law law = t->terms.notion == TAC_PURE ? TAC_LAPLACE : TAC_GAUSSIAN;
    const uint32_t weight = counted > 0 ? tac_rows_count_weight(t->terms.notion == TAC_PURE, counted) : 1;
    return tac_noise_sd(law, tac_quote_sums(&t->terms, 1, weight, tac_share(t->budget, share))) / TAC_M;
}

tacit_status tac_cocluster_rows_check(const tac_cocluster_terms *t)
{
    const tac_rows_rules r = tac_rows_rules_for(t->epsilon, t->delta);

    if (tac_quote_count(&t->terms, tac_share(t->budget, r.count)) != 0 && sums_sd(t, r.mass, 0) > 0 &&
        sums_sd(t, r.table[0], TAC_ROWS_COUNTED) > 0 && sums_sd(t, r.people, TAC_ROWS_COUNTED_PEOPLE) > 0 &&
        tac_quote_moments(&t->terms, tac_rows_gram_most(&r, t->opts->row_clusters), tac_share(t->budget, r.gram)) != 0)
        return TACIT_OK;
    return tac_fail(t->ctx, TACIT_E_ARGUMENT, "epsilon is too small for so many rows per person: the noise would "
                    "not fit 64-bit numbers; raise epsilon, or allow fewer rows per person");
}

static void advise(const tac_cocluster_terms *t, bool pure, double rows, tacit_plan *plan)
{
    const double noise = sums_sd(t, 1, 0) * (pure ? TAC_ROWS_HOPELESS_PURE : TAC_ROWS_HOPELESS);

    if (rows < noise)
        tac_plan_advise(plan, "With so few rows at this epsilon expect little more than noise; about %.0f rows would be "
                        "usable.%s", TAC_ROWS_USABLE * noise,
                        pure ? " A delta above 0, for example 1e-6, helps far more than rows." : "");
    else if (rows < TAC_ROWS_USABLE * noise)
        tac_plan_advise(plan, "Expect rough clusters of rows and few columns that can be placed; %.0f rows or a "
                        "larger epsilon help.%s",
                        TAC_ROWS_USABLE * noise, pure ? " So does a delta above 0, for example 1e-6." : "");
    else
        tac_plan_advise(plan, "This should be usable for clusters of rows; columns are placed if they are frequent.%s",
                        pure ? " A delta above 0, for example 1e-6, usually makes both far better." : "");
}

tacit_status tac_cocluster_rows_plan(const tac_cocluster_terms *t, double rows, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    const tac_rows_rules r = tac_rows_rules_for(t->epsilon, t->delta);
    const char *noise = r.pure ? "discrete Laplace" : "discrete Gaussian";
    const double last = r.table[r.tables - 1];
    const int32_t gram = tac_rows_gram_most(&r, t->opts->row_clusters);
    double tables = 0;
    char what[96];

    for (int32_t i = 0; i < r.tables; i++) tables += r.table[i];
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "number of rows", .noise = noise,
                                                          .times = 1, .share = r.count,
                .error = ldexp(tac_noise_sd(r.pure ? TAC_LAPLACE : TAC_GAUSSIAN,
                                            tac_quote_count(&t->terms, tac_share(t->budget, r.count))),
                               -TAC_COUNT_GRID), .error_of = "rows"}));
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "mass of the columns", .noise = noise,
                                                          .times = 1, .share = r.mass,
                .error = sums_sd(t, r.mass, 0), .error_of = "rows scaled to length 1, each column"}));
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "Gram matrix of the heaviest columns",
                                                          .noise = tac_law_name(tac_moments_law(&t->terms, gram)), .times = 1,
                .share = r.gram,
                .error = tac_moments_sd(&t->terms, gram, tac_share(t->budget, r.gram)) / ((double)TAC_M * TAC_M * TAC_MOMENT_CROSS),
                .error_of = "rows scaled to length 1, each pair of columns"}));
    snprintf(what, sizeof what, "%d tables of row clusters by columns", r.tables);
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = what, .noise = noise, .times = r.tables, .share = tables,
                .error = sums_sd(t, last, TAC_ROWS_COUNTED_LAST), .error_of = "rows scaled to length 1, "
                "each number of the last"}));
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "rows by both clusters", .noise = noise,
                                                          .times = 1, .share = r.people,
                .error = sums_sd(t, r.people, TAC_ROWS_COUNTED_PEOPLE), .error_of = "rows, each number of the table"}));
    advise(t, r.pure, rows, plan);
done:
    return status;
}
