/* SPDX-License-Identifier: Apache-2.0 */
/* What every method needs around its result. */
#include "cluster/kmeans/kmeans.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

tacit_status tac_kmeans_result_new(tacit_ctx *ctx, int32_t k, int32_t columns, tac_kmeans_result *out)
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

void tac_kmeans_result_clear(tac_kmeans_result *r)
{
    tac_free(r->centers);
    tac_free(r->centers_sd);
    tac_free(r->sizes);
    tac_free(r->curve);
    for (int32_t i = 0; i < r->notes; i++) tac_free(r->note[i]);
    *r = (tac_kmeans_result){0};
}

tacit_status tac_kmeans_note(tacit_ctx *ctx, tac_kmeans_result *result, const char *format, ...)
{
    tacit_status status = TACIT_OK;
    char text[512];
    va_list args;

    if (result->notes == TAC_NOTES_MOST) return TACIT_OK;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    TAC_TRY(tac_model_set_text(ctx, &result->note[result->notes], text));
    result->notes++;
done:
    return status;
}

void tac_round_points(const double *points, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count; i++) out[i] = (int16_t)lrint(fmin(TAC_M, fmax(-TAC_M, points[i])));
}
