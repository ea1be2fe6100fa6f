/* SPDX-License-Identifier: Apache-2.0 */
/* What the Gram method for single entries would ask, and whether a budget can pay for it. */
#include "cluster/cocluster/gram/gram.h"

#include "cluster/cocluster/entry.h"

#include <math.h>

static uint64_t share_of(const tac_cocluster_terms *t, double share)
{
    return tac_share(t->budget, (1 - t->opts->labels_share) * share);
}

/* Quotes do not know the floor: they are for rows that one count may turn, the dearest case. */
tacit_status tac_cocluster_gram_check(const tac_cocluster_terms *t)
{
    if (t->delta == 0)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT, "the Gram matrix of single entries needs delta above 0, for example 1e-6");
    if (tac_quote_histogram(&t->terms, share_of(t, TAC_GRAM_LENGTHS)) != 0 &&
        tac_quote_sums(&t->terms, 1, 1, share_of(t, TAC_GRAM_MASS)) != 0 &&
        tac_quote_moments(&t->terms, TAC_GRAM_COLUMNS_MOST, share_of(t, 1 - TAC_GRAM_MASS - TAC_GRAM_LENGTHS)) != 0 &&
        tac_entry_labels_check(t))
        return TACIT_OK;
    return tac_fail(t->ctx, TACIT_E_ARGUMENT, "epsilon is too small: the noise would not fit 64-bit numbers; raise epsilon");
}

tacit_status tac_cocluster_gram_plan(const tac_cocluster_terms *t, double rows, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    const char *noise = "discrete Gaussian";
    const double kept = 1 - t->opts->labels_share;

    (void)rows;
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "lengths of the rows", .noise = noise, .times = 1,
                .share = TAC_GRAM_LENGTHS * kept,
                .error = ldexp((double)tac_quote_histogram(&t->terms, share_of(t, TAC_GRAM_LENGTHS)), -TAC_COUNT_GRID),
                .error_of = "rows per bin"}));
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "mass of the columns", .noise = noise, .times = 1,
                .share = TAC_GRAM_MASS * kept, .error = NAN, .error_of = "depends on the lengths of the rows"}));
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "Gram matrix of the heaviest columns",
                                                          .noise = noise, .times = 1,
                .share = (1 - TAC_GRAM_MASS - TAC_GRAM_LENGTHS) * kept, .error = NAN,
                .error_of = "depends on the lengths of the rows"}));
    TAC_TRY(tac_entry_labels_plan(t, plan));
    tac_plan_advise(plan, "At so small an epsilon expect rough clusters of rows, by the heaviest columns only; at "
                    "a larger epsilon single entries are clustered in batches of rows, which is better.");
done:
    return status;
}
