/* SPDX-License-Identifier: Apache-2.0 */
/* From cells of the shadow to centres in all columns: noisy sums of the rows of every cell, denoised together. */
#include "cluster/kmeans/auto_sketch.h"
#include "solve/denoise.h"

#include <math.h>

#define COUNT_WEIGHT (TAC_M / 3) /* a tenth of the joint question's budget is for counts */
#define CLEAR_ROWS 2.0           /* means are divided by at least so many standard deviations of a count */

/* What a column has in the cells where it does not stand out by itself: their pooled sum, denoised over columns. Words that
   all topics use are found here, with sqrt(k) times less noise than in any one cell. mean: columns. */
static tacit_status pool(tacit_ctx *ctx, const double *sums, const double *rows, int32_t k, size_t columns, double sd,
                         double clear, double *mean)
{
    tacit_status status = TACIT_OK;
    double *scale = NULL;

    TAC_TRY(tac_new(ctx, columns, sizeof *scale, &scale));
    for (size_t j = 0; j < columns; j++) {
        double sum = 0, weight = 0;
        int32_t cells = 0;
        for (int32_t c = 0; c < k; c++) {
            if (fabs(sums[(size_t)c * columns + j]) > clear) continue;
            sum += sums[(size_t)c * columns + j];
            weight += rows[c];
            cells++;
        }
        mean[j] = cells > 0 ? sum / sqrt(cells) : 0; /* noise sd, as any one sum's */
        scale[j] = cells > 0 ? sqrt(cells) / weight : 0;
    }
    TAC_TRY(tac_solve_denoise(ctx, mean, columns, sd, TAC_BELL_GAUSSIAN, -INFINITY)); /* sums of several: a bell */
    for (size_t j = 0; j < columns; j++) mean[j] *= scale[j];
done:
    tac_free(scale);
    return status;
}

/* centre_cj = pooled_j + denoised(S_cj - N_c pooled_j) / N_c */
static tacit_status denoise(const tac_wide *w, double *sums, const double *rows, int32_t k, double sd)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)w->a.columns;
    const tac_bell law = tac_door_law(w->a.door) == TAC_LAPLACE ? TAC_BELL_LAPLACE : TAC_BELL_GAUSSIAN;
    /* The largest of so many draws of noise is about this. */
    const double clear = law == TAC_BELL_LAPLACE ? sd * M_SQRT1_2 * log((double)columns) : sd * sqrt(2 * log((double)columns));
    double *pooled = NULL;

    TAC_TRY(tac_new(w->a.ctx, columns, sizeof *pooled, &pooled));
    if (k > 1) TAC_TRY(pool(w->a.ctx, sums, rows, k, columns, sd, clear, pooled));
    for (int32_t c = 0; c < k; c++)
        for (size_t j = 0; j < columns; j++) sums[(size_t)c * columns + j] -= rows[c] * pooled[j];
    TAC_TRY(tac_solve_denoise(w->a.ctx, sums, (size_t)k * columns, sd, law, -INFINITY));
    for (int32_t c = 0; c < k; c++)
        for (size_t j = 0; j < columns; j++) {
            double *at = &sums[(size_t)c * columns + j];
            *at = pooled[j] + *at / rows[c];
        }
done:
    tac_free(pooled);
    return status;
}

tacit_status tac_wide_sums(tac_wide *w, const int16_t *points, uint64_t units, tac_found *found)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)found->k, columns = (size_t)w->a.columns;
    const tac_cells cells = {.kind = points == NULL ? TAC_ONE_CELL : TAC_NEAREST, .view = points == NULL ? TAC_ROWS : TAC_SHADOW,
                             .count = found->k, .centers = points};
    int64_t *sums = NULL, *counts = NULL;
    double *rows = NULL;

    TAC_TRY(tac_new(w->a.ctx, k * columns, sizeof *sums, &sums));
    TAC_TRY(tac_new(w->a.ctx, k, sizeof *counts, &counts));
    TAC_TRY(tac_new(w->a.ctx, k, sizeof *rows, &rows));
    TAC_TRY(tac_door_sums(w->a.door, "rows by cells of the sketch", units, &cells, TAC_ROWS, COUNT_WEIGHT, sums, counts));
    const double sd = tac_last_sd(w->a.door);
    found->count_sd = sd / COUNT_WEIGHT;
    for (size_t c = 0; c < k; c++) {
        found->count[c] = (double)counts[c] / COUNT_WEIGHT;
        rows[c] = fmax(found->count[c], fmax(1, CLEAR_ROWS * found->count_sd));
    }
    for (size_t i = 0; i < k * columns; i++) found->at[i] = (double)sums[i];
    tac_free(sums);
    sums = NULL;
    TAC_TRY(denoise(w, found->at, rows, found->k, sd));
    for (size_t i = 0; i < k * columns; i++)
        found->sd[i] = sqrt(sd * sd + found->at[i] * found->at[i] * found->count_sd * found->count_sd) / rows[i / columns];
done:
    tac_free(sums);
    tac_free(counts);
    tac_free(rows);
    return status;
}

tacit_status tac_auto_clean(const tac_walk *a, int64_t *sums, size_t count, double sd)
{
    tacit_status status = TACIT_OK;
    const tac_bell law = tac_door_law(a->door) == TAC_LAPLACE ? TAC_BELL_LAPLACE : TAC_BELL_GAUSSIAN;
    double *x = NULL;

    TAC_TRY(tac_new(a->ctx, count, sizeof *x, &x));
    for (size_t i = 0; i < count; i++) x[i] = (double)sums[i];
    TAC_TRY(tac_solve_denoise(a->ctx, x, count, sd, law, -INFINITY));
    for (size_t i = 0; i < count; i++) sums[i] = llrint(x[i]);
done:
    tac_free(x);
    return status;
}
