/* SPDX-License-Identifier: Apache-2.0 */
/* The centers when they are found: how much their rows differ, and their order. */
#include "cluster/kmeans/auto/auto_kmeans.h"

tacit_status tac_found_ask_variances(tac_walk *a, const double *radius, double beyond, tac_found *c)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)c->k * (size_t)c->columns;

    if (a->for_variances == 0) return TACIT_OK;
    TAC_TRY(tac_new(a->ctx, numbers, sizeof(double), &c->variance));
    TAC_TRY(tac_new(a->ctx, numbers, sizeof(double), &c->variance_sd));
    TAC_TRY(tac_ask_variances(a->ctx, a->door, tac_door_left(a->door),
                              &(tac_variances){.k = c->k,
                                               .columns = c->columns,
                                               .center = c->at,
                                               .center_sd = c->sd,
                                               .count = c->count,
                                               .count_sd = c->count_sd,
                                               .radius = radius,
                                               .beyond = beyond,
                                               .variance = c->variance,
                                               .variance_sd = c->variance_sd}));
done:
    return status;
}

tacit_status tac_found_sort(tacit_ctx *ctx, tac_found *c)
{
    tacit_status status = TACIT_OK;
    int32_t *order = NULL;

    TAC_TRY(tac_order_by_size(ctx, c->count, c->k, &order));
    TAC_TRY(tac_put_in_order(ctx, order, c->k, c->columns, c->at));
    TAC_TRY(tac_put_in_order(ctx, order, c->k, c->columns, c->sd));
    TAC_TRY(tac_put_in_order(ctx, order, c->k, c->columns, c->variance));
    TAC_TRY(tac_put_in_order(ctx, order, c->k, c->columns, c->variance_sd));
    TAC_TRY(tac_put_in_order(ctx, order, c->k, 1, c->scale));
    TAC_TRY(tac_put_in_order(ctx, order, c->k, 1, c->count));
done:
    tac_free(order);
    return status;
}
