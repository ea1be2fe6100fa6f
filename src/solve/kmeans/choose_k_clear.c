/* SPDX-License-Identifier: Apache-2.0 */
/* Cells that are clear of their noise: those lost in it are dropped, weak ones join the neighbor
   that costs least. */
#include "solve/kmeans/choose_k_internal.h"
#include "solve/kmeans/ward.h"
#include "solve/linalg/eigen.h"

#include <math.h>
#include <string.h>

#define CLEAR 2.0 /* standard deviations of a weight */

/* a takes b in: rows, mean, mean square about the new mean; the last cell takes b's place. */
static void join_pair(tac_k_clear *s, int32_t a, int32_t b)
{
    const size_t d = (size_t)s->d;
    double *x = s->points + (size_t)a * d, *y = s->points + (size_t)b * d;
    const double w = s->weight[a], v = s->weight[b], all = w + v,
                 cost = tac_ward_price(x, y, w, v, s->d);
    const int32_t last = s->n - 1;

    for (size_t j = 0; j < d; j++) x[j] = (w * x[j] + v * y[j]) / all;
    s->spread[a] = (w * s->spread[a] + v * s->spread[b] + cost) / all;
    s->weight[a] = all;
    s->noise[a] += s->noise[b];
    memmove(y, s->points + (size_t)last * d, d * sizeof *y);
    s->weight[b] = s->weight[last];
    s->spread[b] = s->spread[last];
    s->noise[b] = s->noise[last];
    s->n = last;
}

/* The weakest cell joins its cheapest neighbor, until all are above CLEAR deviations. */
static void join_weak(tac_k_clear *s, double weight_sd)
{
    const size_t d = (size_t)s->d;

    while (s->n > 1) {
        int32_t weak = 0, partner = -1;
        double best = INFINITY;
        for (int32_t i = 1; i < s->n; i++)
            if (s->weight[i] < s->weight[weak]) weak = i;
        if (s->weight[weak] >= CLEAR * weight_sd) break;
        for (int32_t i = 0; i < s->n; i++) {
            const double price =
                tac_ward_price(s->points + (size_t)i * d, s->points + (size_t)weak * d,
                               s->weight[i], s->weight[weak], s->d);
            if (i != weak && price < best) best = price, partner = i;
        }
        if (partner < 0) break; /* distances that overflow */
        join_pair(s, partner, weak);
    }
}

/* Cells above one standard deviation; if they are fewer than two, the two heaviest. */
static double least_weight(const tac_k_cells *c)
{
    double first = -INFINITY, second = -INFINITY;
    int32_t clear = 0;

    for (int32_t i = 0; i < c->n; i++) {
        const double w = c->weight[i];
        clear += w > c->weight_sd;
        if (w > first)
            second = first, first = w;
        else if (w > second)
            second = w;
    }
    return clear < 2 ? fmin(first, second) : nextafter(c->weight_sd, INFINITY);
}

void tac_k_clear_free(tac_k_clear *s)
{
    tac_free(s->points);
    tac_free(s->weight);
    tac_free(s->spread);
    tac_free(s->noise);
    *s = (tac_k_clear){0};
}

tacit_status tac_k_clear_cells(tacit_ctx *ctx, const tac_k_cells *cells, bool join,
                               tac_k_clear *out)
{
    tacit_status status = TACIT_OK;
    const size_t n = (size_t)cells->n, d = (size_t)cells->d;
    const double least = least_weight(cells);

    *out = (tac_k_clear){.d = cells->d};
    TAC_TRY(tac_new(ctx, n * d, sizeof(double), &out->points));
    TAC_TRY(tac_new(ctx, n, sizeof(double), &out->weight));
    TAC_TRY(tac_new(ctx, n, sizeof(double), &out->spread));
    TAC_TRY(tac_new(ctx, n, sizeof(double), &out->noise));
    for (size_t i = 0; i < n; i++) {
        if (cells->weight[i] < least) continue;
        const size_t to = (size_t)out->n++;
        memcpy(out->points + to * d, cells->points + i * d, d * sizeof(double));
        out->weight[to] = fmax(cells->weight[i], fmax(cells->weight_sd, 1e-9));
        out->spread[to] = cells->spread[i];
        out->noise[to] = pow(cells->point_sd * cells->reach[i], 2);
    }
    if (join) join_weak(out, cells->weight_sd);
done:
    return status;
}

/* Eigenvalues of sum w (x - m)(x - m)' / W + (sum w v / (W d) - noise) I, at least 0, where noise
   is what it adds to a coordinate on average: sum noise / w / W. */
tacit_status tac_k_variances(tacit_ctx *ctx, const tac_k_cells *cells, double total, double *out)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)cells->d;
    double *matrix = NULL, *axes = NULL, *mean = NULL, rows = 0, each = 0, sum = 0;
    tac_k_clear s = {0};

    TAC_TRY(tac_k_clear_cells(ctx, cells, false, &s));
    TAC_TRY(tac_new(ctx, d * d, sizeof *matrix, &matrix));
    TAC_TRY(tac_new(ctx, d * d, sizeof *axes, &axes));
    TAC_TRY(tac_new(ctx, d, sizeof *mean, &mean));
    for (size_t i = 0; i < (size_t)s.n; i++) {
        rows += s.weight[i];
        each += s.weight[i] * s.spread[i] / cells->d - s.noise[i] / s.weight[i];
        for (size_t j = 0; j < d; j++) mean[j] += s.weight[i] * s.points[i * d + j];
    }
    for (size_t j = 0; j < d; j++) mean[j] /= rows;
    for (size_t i = 0; i < (size_t)s.n; i++) {
        const double *x = s.points + i * d;
        for (size_t j = 0; j < d; j++)
            for (size_t l = j; l < d; l++)
                matrix[j * d + l] += s.weight[i] / rows * (x[j] - mean[j]) * (x[l] - mean[l]);
    }
    TAC_TRY(tac_top_eigen(ctx, matrix, cells->d, cells->d, out, axes));
    for (size_t j = 0; j < d; j++) sum += out[j] = fmax(0, out[j] + each / rows);
    for (size_t j = 0; j < d && total > sum; j++) out[j] += (total - sum) / cells->d;
done:
    tac_k_clear_free(&s);
    tac_free(matrix);
    tac_free(axes);
    tac_free(mean);
    return status;
}
