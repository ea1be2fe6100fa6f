/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters in the order of their noisy sizes: post-processing of released numbers. */
#include "cluster/kmeans/kmeans_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sized {
    double size;
    int32_t number;
} sized;

/* Equal sizes stay in their order. */
static int larger_first(const void *a, const void *b)
{
    const sized *x = a, *y = b;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

tacit_status tac_order_by_size(tacit_ctx *ctx, const double *sizes, int32_t k, int32_t **order)
{
    tacit_status status = TACIT_OK;
    sized *all = NULL;
    bool known = true;

    *order = NULL;
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof **order, order));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof *all, &all));
    for (int32_t i = 0; i < k; i++) {
        known = known && !isnan(sizes[i]);
        all[i] = (sized){sizes[i] == 0 ? -INFINITY : sizes[i], i};
    }
    if (known) qsort(all, (size_t)k, sizeof *all, larger_first);
    for (int32_t i = 0; i < k; i++) (*order)[i] = all[i].number;
done:
    tac_free(all);
    return status;
}

tacit_status tac_put_in_order(tacit_ctx *ctx, const int32_t *order, int32_t k, int32_t wide,
                              double *values)
{
    tacit_status status = TACIT_OK;
    const size_t bytes = (size_t)wide * sizeof *values;
    double *moved = NULL;

    if (values == NULL) return TACIT_OK;
    TAC_TRY(tac_new(ctx, (size_t)k, bytes, &moved));
    for (size_t i = 0; i < (size_t)k; i++)
        memcpy(moved + i * (size_t)wide, values + (size_t)order[i] * (size_t)wide, bytes);
    memcpy(values, moved, (size_t)k * bytes);
done:
    tac_free(moved);
    return status;
}

tacit_status tac_kmeans_result_sort(tacit_ctx *ctx, int32_t columns, tac_kmeans_result *r)
{
    tacit_status status = TACIT_OK;
    int32_t *order = NULL;

    TAC_TRY(tac_order_by_size(ctx, r->sizes, r->k, &order));
    TAC_TRY(tac_put_in_order(ctx, order, r->k, columns, r->centers));
    TAC_TRY(tac_put_in_order(ctx, order, r->k, columns, r->centers_sd));
    TAC_TRY(tac_put_in_order(ctx, order, r->k, columns, r->variance));
    TAC_TRY(tac_put_in_order(ctx, order, r->k, columns, r->variance_sd));
    TAC_TRY(tac_put_in_order(ctx, order, r->k, 1, r->sizes));
done:
    tac_free(order);
    return status;
}
