/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of results, and centers as the door takes them. */
#include "cluster/kmeans/kmeans_run.h"

#include <math.h>

tacit_status tac_kmeans_result_new(tacit_ctx *ctx, int32_t k, int32_t columns,
                                   tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)k * (size_t)columns;

    out->k = k;
    TAC_TRY(tac_new(ctx, numbers, sizeof(double), &out->centers));
    TAC_TRY(tac_new(ctx, numbers, sizeof(double), &out->centers_sd));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof(double), &out->sizes));
done:
    return status;
}

tacit_status tac_kmeans_result_variances(tacit_ctx *ctx, int32_t columns, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)out->k * (size_t)columns;

    TAC_TRY(tac_new(ctx, numbers, sizeof(double), &out->variance));
    TAC_TRY(tac_new(ctx, numbers, sizeof(double), &out->variance_sd));
done:
    return status;
}

void tac_kmeans_result_clear(tac_kmeans_result *r)
{
    tac_free(r->centers);
    tac_free(r->centers_sd);
    tac_free(r->sizes);
    tac_free(r->variance);
    tac_free(r->variance_sd);
    tac_free(r->curve);
    tac_released_cells_free(r->synopsis);
    tac_notes_clear(&r->notes);
    *r = (tac_kmeans_result){0};
}

void tac_round_points(const double *points, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (int16_t)lrint(fmin(TAC_M, fmax(-TAC_M, points[i])));
}
