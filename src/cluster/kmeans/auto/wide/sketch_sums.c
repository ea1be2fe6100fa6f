/* SPDX-License-Identifier: Apache-2.0 */
/* From cells of the projection to centers in all columns: one query for noisy sums of the rows
   of every cell, denoised together (post-processing). */
#include "cluster/kmeans/auto/wide/auto_sketch.h"
#include "solve/linalg/denoise.h"

#include <math.h>

#define CLEAR_ROWS 2.0 /* means are divided by at least so many standard deviations of a count */

static tac_bell bell_of(const tac_door *door)
{
    return tac_door_distribution(door) == TAC_LAPLACE ? TAC_BELL_LAPLACE : TAC_BELL_GAUSSIAN;
}

/* The mean of a column over the cells where it does not stand out: their pooled sum, denoised
   over columns. It has sqrt(k) times less noise than one cell and finds, for example, words that
   all topics use. mean, error: columns, per row. */
static tacit_status pool(tacit_ctx *ctx, const tac_found *f, const double *rows, double sd,
                         double clear, double *mean, double *error)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)f->columns;
    double *scale = NULL;

    TAC_TRY(tac_new(ctx, columns, sizeof *scale, &scale));
    for (size_t j = 0; j < columns; j++) {
        double sum = 0, weight = 0;
        int32_t cells = 0;
        for (int32_t c = 0; c < f->k; c++) {
            if (fabs(f->at[(size_t)c * columns + j]) > clear) continue;
            sum += f->at[(size_t)c * columns + j];
            weight += rows[c];
            cells++;
        }
        mean[j] = cells > 0 ? sum / sqrt(cells) : 0; /* noise sd, as any one sum's */
        scale[j] = cells > 0 ? sqrt(cells) / weight : 0;
    }
    /* sums of several: a bell */
    TAC_TRY(tac_solve_denoise(ctx, mean, columns, sd, TAC_BELL_GAUSSIAN, error));
    for (size_t j = 0; j < columns; j++) {
        mean[j] *= scale[j];
        error[j] *= scale[j];
    }
done:
    tac_free(scale);
    return status;
}

/* Sums in f->at become means: centre_cj = pooled_j + denoised(S_cj - N_c pooled_j) / N_c. f->sd:
   the noise that is left. */
static tacit_status denoise(const tac_wide *w, tac_found *f, const double *rows, double sd)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)f->columns;
    const tac_bell distribution = bell_of(w->a.door);
    /* The largest of so many draws of noise is about this. */
    const double log_d = log((double)columns);
    const double clear =
        distribution == TAC_BELL_LAPLACE ? sd * M_SQRT1_2 * log_d : sd * sqrt(2 * log_d);
    double *pooled = NULL, *error = NULL;

    TAC_TRY(tac_new(w->a.ctx, columns, sizeof *pooled, &pooled));
    TAC_TRY(tac_new(w->a.ctx, columns, sizeof *error, &error));
    if (f->k > 1) TAC_TRY(pool(w->a.ctx, f, rows, sd, clear, pooled, error));
    for (int32_t c = 0; c < f->k; c++)
        for (size_t j = 0; j < columns; j++) f->at[(size_t)c * columns + j] -= rows[c] * pooled[j];
    TAC_TRY(tac_solve_denoise(w->a.ctx, f->at, (size_t)f->k * columns, sd, distribution, f->sd));
    for (int32_t c = 0; c < f->k; c++) {
        /* Bars of a cell whose rows do not stand out: up to all that a place among rows in the ball
           can be wrong. */
        const double clear_rows = tac_auto_clear_rows(f->count[c], f->count_sd),
                     most = TAC_M / sqrt((double)columns);
        for (size_t j = 0; j < columns; j++) {
            double *at = &f->at[(size_t)c * columns + j], *left = &f->sd[(size_t)c * columns + j];
            *at = pooled[j] + *at / rows[c];
            const double noise = hypot(*left, *at * f->count_sd);
            *left = fmax(hypot(noise / rows[c], error[j]),
                         fmin(most, hypot(noise / clear_rows, error[j])));
        }
    }
done:
    tac_free(pooled);
    tac_free(error);
    return status;
}

/* One query for sums in all columns and counts, by cells of the projection. */
tacit_status tac_wide_sums(tac_wide *w, const int16_t *points, uint64_t quanta, tac_found *found)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)found->k, columns = (size_t)w->a.columns;
    const tac_cells cells = {.kind = points == NULL ? TAC_ONE_CELL : TAC_NEAREST,
                             .view = points == NULL ? TAC_ROWS : TAC_PROJECTED,
                             .count = found->k,
                             .centers = points};
    int64_t *sums = NULL, *counts = NULL;
    double *rows = NULL;

    TAC_TRY(tac_new(w->a.ctx, k * columns, sizeof *sums, &sums));
    TAC_TRY(tac_new(w->a.ctx, k, sizeof *counts, &counts));
    TAC_TRY(tac_new(w->a.ctx, k, sizeof *rows, &rows));
    TAC_TRY(tac_door_sums(w->a.door, "rows by cells of the sketch", quanta, &cells, TAC_ROWS,
                          TAC_WIDE_COUNTS, sums, counts));
    const double sd = tac_last_sd(w->a.door);
    found->count_sd = sd / TAC_WIDE_COUNTS;
    for (size_t c = 0; c < k; c++) {
        found->count[c] = (double)counts[c] / TAC_WIDE_COUNTS;
        rows[c] = fmax(found->count[c], fmax(1, CLEAR_ROWS * found->count_sd));
    }
    for (size_t i = 0; i < k * columns; i++) found->at[i] = (double)sums[i];
    tac_free(sums); /* k x columns numbers are many: no more copies than needed */
    sums = NULL;
    TAC_TRY(denoise(w, found, rows, sd));
done:
    tac_free(sums);
    tac_free(counts);
    tac_free(rows);
    return status;
}

tacit_status tac_auto_clean(const tac_walk *a, tac_i128 *sums, size_t count, double sd)
{
    tacit_status status = TACIT_OK;
    double *x = NULL;

    TAC_TRY(tac_new(a->ctx, count, sizeof *x, &x));
    for (size_t i = 0; i < count; i++) x[i] = (double)sums[i];
    TAC_TRY(tac_solve_denoise(a->ctx, x, count, sd, bell_of(a->door), NULL));
    for (size_t i = 0; i < count; i++) sums[i] = (tac_i128)rint(x[i]);
done:
    tac_free(x);
    return status;
}
