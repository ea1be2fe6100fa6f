/* SPDX-License-Identifier: Apache-2.0 */
/* The null model for k = 1: a uniform box seen through as many cells and the same noise.
   Whatever silhouette it reaches is no sign of clusters. */
#include "solve/kmeans/choose_k_internal.h"
#include "solve/linalg/eigen.h"
#include "solve/kmeans/kmeans_internal.h"

#include <math.h>

enum {
    BOX_CELLS = 512, /* at most this many cells of the box */
    BOX_ROWS = 16,   /* rows each, before they are made into cells */
};

/* Variances of the rows along the principal axes: of the cells' points less what noise added, and a
   d-th of their spread on every axis. */
static tacit_status variances(const tac_k_cells *s, const double *spread, double *out)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)s->d;
    double *matrix = NULL, *axes = NULL, *mean = NULL, total = 0, inside = 0, noise = 0;

    TAC_TRY(tac_new(s->ctx, d * d, sizeof *matrix, &matrix));
    TAC_TRY(tac_new(s->ctx, d * d, sizeof *axes, &axes));
    TAC_TRY(tac_new(s->ctx, d, sizeof *mean, &mean));
    for (int64_t i = 0; i < s->n; i++) {
        total += s->weight[i];
        inside += s->weight[i] * spread[i] / s->d;
        noise += s->weight[i] * pow(s->point_sd / s->weight[i], 2);
        for (size_t j = 0; j < d; j++) mean[j] += s->weight[i] * s->points[(size_t)i * d + j];
    }
    for (size_t j = 0; j < d; j++) mean[j] /= total;
    for (int64_t i = 0; i < s->n; i++) {
        const double *x = s->points + (size_t)i * d;
        for (size_t j = 0; j < d; j++)
            for (size_t l = j; l < d; l++)
                matrix[j * d + l] += s->weight[i] / total * (x[j] - mean[j]) * (x[l] - mean[l]);
    }
    TAC_TRY(tac_top_eigen(s->ctx, matrix, s->d, s->d, out, axes));
    for (size_t j = 0; j < d; j++) out[j] = fmax(out[j] - noise / total, 0) + inside / total;
done:
    tac_free(matrix);
    tac_free(axes);
    tac_free(mean);
    return status;
}

/* Uniform on (0, 1), and standard normal by Box-Muller: plain random numbers, no privacy noise. */
static double unit(uint64_t *state)
{
    return ((double)(tac_plain_random(state) >> 11) + 0.5) * 0x1p-53;
}

static double bell(uint64_t *state)
{
    const double radius = sqrt(-2 * log(unit(state)));
    return radius * cos(6.283185307179586 * unit(state));
}

/* Rows uniform in a box with these variances, made into n cells the plain way. */
static tacit_status box_cells(const tac_k_cells *s, const double *variance, int64_t n,
                              double *points, double *weight, double *spread)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)s->d, many = (size_t)n * BOX_ROWS;
    const tac_plain_kmeans opts = {
        .k = (int32_t)n, .restarts = 1, .iterations = 3, .seed = s->seed};
    double *rows = NULL, *means = NULL, cost;
    int32_t *label = NULL;
    uint64_t state = s->seed;

    TAC_TRY(tac_new(s->ctx, many * d, sizeof *rows, &rows));
    TAC_TRY(tac_new(s->ctx, many, sizeof *label, &label));
    TAC_TRY(tac_new(s->ctx, (size_t)n * d, sizeof *means, &means));
    for (size_t i = 0; i < many; i++)
        for (size_t j = 0; j < d; j++)
            rows[i * d + j] = (unit(&state) - 0.5) * sqrt(12 * variance[j]);
    TAC_TRY(tac_solve_kmeans(s->ctx, rows, NULL, (int64_t)many, s->d, &opts, points, &cost, label));
    for (size_t i = 0; i < many; i++) {
        const size_t c = (size_t)label[i];
        weight[c] += 1;
        for (size_t j = 0; j < d; j++) means[c * d + j] += rows[i * d + j];
    }
    for (size_t c = 0; c < (size_t)n; c++)
        for (size_t j = 0; j < d && weight[c] > 0; j++)
            points[c * d + j] = means[c * d + j] / weight[c];
    for (size_t i = 0; i < many; i++) {
        const size_t c = (size_t)label[i];
        for (size_t j = 0; j < d; j++)
            spread[c] += (rows[i * d + j] - points[c * d + j]) *
                         (rows[i * d + j] - points[c * d + j]) / weight[c];
    }
done:
    tac_free(rows);
    tac_free(label);
    tac_free(means);
    return status;
}

/* The box is seen as the cells are: on average as many rows a cell, with noise on weights and
   points. */
static void box_noise(const tac_k_cells *s, int64_t n, double *points, double *weight,
                      double *spread)
{
    double total = 0, least = INFINITY;
    uint64_t state = s->seed + 1;

    for (int64_t i = 0; i < s->n; i++) {
        total += s->weight[i];
        least = fmin(least, s->weight[i]);
    }
    for (int64_t c = 0; c < n; c++) {
        const double rows =
            weight[c] / BOX_ROWS * total / (double)s->n + s->weight_sd * bell(&state);
        weight[c] = fmax(rows, least);
        for (int32_t j = 0; j < s->d; j++)
            points[c * s->d + j] += s->point_sd / weight[c] * bell(&state);
        spread[c] += s->d * pow(s->point_sd / weight[c], 2);
    }
}

/* k in steps of about a third; *value = 0 if there is one cell or no variance beside noise. */
tacit_status tac_k_box(const tac_k_cells *s, const double *own_spread, double *value)
{
    tacit_status status = TACIT_OK;
    const int64_t n = s->n < BOX_CELLS ? s->n : BOX_CELLS;
    tac_k_cells box = *s;
    double *variance = NULL, *points = NULL, *weight = NULL, *spread = NULL, all = 0;

    box.centers = box.mass = NULL;
    box.label = NULL;
    box.n = n;
    /* As many cells a center. */
    box.k_most = (int32_t)fmax(2, fmin(s->k_most, (double)n * s->k_most / (double)s->n));
    *value = 0;
    if (n < 2) goto done;
    TAC_TRY(tac_new(s->ctx, (size_t)s->d, sizeof *variance, &variance));
    TAC_TRY(tac_new(s->ctx, (size_t)n * (size_t)s->d, sizeof *points, &points));
    TAC_TRY(tac_new(s->ctx, (size_t)n, sizeof *weight, &weight));
    TAC_TRY(tac_new(s->ctx, (size_t)n, sizeof *spread, &spread));
    TAC_TRY(variances(s, own_spread, variance));
    for (int32_t j = 0; j < s->d; j++) all += variance[j];
    if (!(all > 0)) goto done; /* one point, or noise alone */
    TAC_TRY(box_cells(s, variance, n, points, weight, spread));
    box_noise(s, n, points, weight, spread);
    box.points = points;
    box.weight = weight;
    box.spread = spread;
    TAC_TRY(tac_k_open(&box));
    for (int32_t k = 2; k <= box.k_most; k += (k + 1) / 3) {
        double now;
        TAC_TRY(tac_k_score(&box, k, &now));
        *value = fmax(*value, now);
    }
done:
    tac_k_close(&box);
    tac_free(variance);
    tac_free(points);
    tac_free(weight);
    tac_free(spread);
    return status;
}
