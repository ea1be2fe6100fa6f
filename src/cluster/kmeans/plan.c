/* SPDX-License-Identifier: Apache-2.0 */
/* What a k-means run would ask, and how large its noise would be: no row and no ledger is touched. */
#include "cluster/kmeans/kmeans.h"

#include <math.h>
#include <stdio.h>

double tac_plan_unit(const tac_kmeans_terms *t, char *words, size_t room)
{
    if (t->domain->kind == TAC_DOMAIN_BALL) {
        snprintf(words, room, "of the radius, each coordinate of a centre");
        return TAC_M;
    }
    if (t->opts->scale == TACIT_SCALE_RANGE) {
        snprintf(words, room, "of a column's declared range, each coordinate of a centre");
        return 2 * TAC_M / sqrt(t->columns);
    }
    snprintf(words, room, "of the declared domain's half diagonal, each coordinate of a centre");
    return TAC_M;
}

static tacit_status plan_for(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget,
                             const tacit_kmeans_opts *opts, bool median, double rows_about, tacit_plan **out)
{
    tacit_status status = TACIT_OK;
    tacit_kmeans_opts o;
    tac_kmeans_terms t;
    tacit_plan *plan = NULL;

    *out = NULL;
    TAC_TRY(tac_plan_check(ctx, rows_about));
    TAC_TRY(tac_kmeans_read_opts(ctx, opts, median, &o));
    TAC_TRY(tac_kmeans_check(ctx, data, budget, &o, median, &t));
    TAC_TRY(tac_new(ctx, 1, sizeof *plan, &plan));
    const tac_kmeans_method *method = tac_kmeans_method_of(o.method);
    if (method->plan != NULL) TAC_TRY(method->plan(&t, rows_about, plan));
    *out = plan;
    plan = NULL;
done:
    tac_free(plan);
    return status;
}

tacit_status tacit_kmeans_plan(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget,
                               const tacit_kmeans_opts *opts, double rows_about, tacit_plan **out)
{
    return plan_for(ctx, data, budget, opts, false, rows_about, out);
}

tacit_status tacit_kmedian_plan(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget,
                                const tacit_kmeans_opts *opts, double rows_about, tacit_plan **out)
{
    return plan_for(ctx, data, budget, opts, true, rows_about, out);
}
