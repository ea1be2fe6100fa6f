/* SPDX-License-Identifier: Apache-2.0 */
/* How many clusters: the simplified silhouette of weighted cells for every k, and for k = 1 the best that a box without
   any clusters would get. */
#include "solve/choose_k.h"

#include "solve/eigen.h"
#include "solve/kmeans_inside.h"

#include <math.h>
#include <string.h>

enum {
    EVERY = 64,      /* every k up to here, then steps of 1/16, halved around the best */
    BOX_CELLS = 512, /* at most this many cells of the box */
    BOX_ROWS = 16,   /* rows each, before they are made into cells */
    SWAPS = 16,
};

/* What a silhouette must beat: the box's, with what sets without clusters differ by among themselves. */
#define ABOVE_BOX(box) (1.05 * (box) + 0.02)
#define TINY 1e-3    /* clusters below this share of the weight are outliers, not clusters */
#define CLEAR 4.0    /* ... and so are those within this many sd of nothing */

/* Cells, and room to cluster them with up to k_most centres. */
typedef struct cells {
    tacit_ctx *ctx;
    const double *points, *weight;
    const double *spread; /* n: mean squared distance of a cell's rows to its point, its noise included */
    int64_t n;
    int32_t d, restarts, k_most;
    double weight_sd, point_sd;
    uint64_t seed;
    double *centers;      /* k_most x d */
    double *mass;         /* k_most */
    int32_t *label, *members;
} cells;

static tacit_status cells_open(cells *s)
{
    tacit_status status = TACIT_OK;
    TAC_TRY(tac_new(s->ctx, (size_t)s->k_most * (size_t)s->d, sizeof *s->centers, &s->centers));
    TAC_TRY(tac_new(s->ctx, (size_t)s->k_most, sizeof *s->mass, &s->mass));
    TAC_TRY(tac_new(s->ctx, (size_t)s->k_most, sizeof *s->members, &s->members));
    TAC_TRY(tac_new(s->ctx, (size_t)s->n, sizeof *s->label, &s->label));
done:
    return status;
}

static void cells_close(cells *s)
{
    tac_free(s->centers);
    tac_free(s->mass);
    tac_free(s->members);
    tac_free(s->label);
}

/* Keep the centres that more than noise or a few outliers stand behind. Returns how many. */
static int32_t keep_clear(cells *s, int32_t k)
{
    const size_t d = (size_t)s->d;
    double total = 0;
    int32_t kept = 0;

    memset(s->mass, 0, (size_t)k * sizeof *s->mass);
    memset(s->members, 0, (size_t)k * sizeof *s->members);
    for (int64_t i = 0; i < s->n; i++) {
        total += s->weight[i];
        s->mass[s->label[i]] += s->weight[i];
        s->members[s->label[i]]++;
    }
    for (int32_t c = 0; c < k; c++) {
        if (s->mass[c] < fmax(TINY * total, CLEAR * s->weight_sd * sqrt(s->members[c]))) continue;
        memmove(s->centers + (size_t)kept++ * d, s->centers + (size_t)c * d, d * sizeof *s->centers);
    }
    return kept;
}

/* sum W (1 - sqrt((V + d1^2) / (V + d2^2))) / sum W, d1 and d2 the distances of a cell to the two nearest centres: a row
   is nearer to its centre than to the next by about that factor. 0 when there is one centre. */
static double silhouette(const cells *s, int32_t k)
{
    double sum = 0, total = 0;

    for (int64_t i = 0; i < s->n && k > 1; i++) {
        const double *x = s->points + i * s->d;
        double first = INFINITY, second = INFINITY;
        for (int32_t c = 0; c < k; c++) {
            const double *center = s->centers + (ptrdiff_t)c * s->d;
            double far = 0;
            for (int32_t j = 0; j < s->d; j++) far += (x[j] - center[j]) * (x[j] - center[j]);
            if (far < first) second = first, first = far;
            else if (far < second) second = far;
        }
        total += s->weight[i];
        if (s->spread[i] + second > 0) sum += s->weight[i] * (1 - sqrt((s->spread[i] + first) / (s->spread[i] + second)));
    }
    return total > 0 ? sum / total : 0;
}

static tacit_status score(cells *s, int32_t k, double *value)
{
    tacit_status status = TACIT_OK;
    const tac_plain_kmeans opts = {.k = k, .restarts = s->restarts, .iterations = 30, .tolerance = 1e-5, .swaps = SWAPS,
                                   .seed = s->seed + (uint64_t)k};
    double cost;

    TAC_TRY(tac_solve_kmeans(s->ctx, s->points, s->weight, s->n, s->d, &opts, s->centers, &cost, s->label));
    const int32_t kept = keep_clear(s, k);
    *value = silhouette(s, kept) * kept / k; /* a centre that stands for nothing counts for nothing */
done:
    return status;
}

/* Variances of the rows along the principal axes: of the cells' points less what noise added, and a d-th of their
   spread on every axis. */
static tacit_status variances(const cells *s, const double *spread, double *out)
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
static tacit_status box_cells(const cells *s, const double *variance, int64_t n, double *points, double *weight, double *spread)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)s->d, many = (size_t)n * BOX_ROWS;
    const tac_plain_kmeans opts = {.k = (int32_t)n, .restarts = 1, .iterations = 3, .seed = s->seed};
    double *rows = NULL, *means = NULL, cost;
    int32_t *label = NULL;
    uint64_t state = s->seed;

    TAC_TRY(tac_new(s->ctx, many * d, sizeof *rows, &rows));
    TAC_TRY(tac_new(s->ctx, many, sizeof *label, &label));
    TAC_TRY(tac_new(s->ctx, (size_t)n * d, sizeof *means, &means));
    for (size_t i = 0; i < many; i++)
        for (size_t j = 0; j < d; j++) rows[i * d + j] = (unit(&state) - 0.5) * sqrt(12 * variance[j]);
    TAC_TRY(tac_solve_kmeans(s->ctx, rows, NULL, (int64_t)many, s->d, &opts, points, &cost, label));
    for (size_t i = 0; i < many; i++) {
        const size_t c = (size_t)label[i];
        weight[c] += 1;
        for (size_t j = 0; j < d; j++) means[c * d + j] += rows[i * d + j];
    }
    for (size_t c = 0; c < (size_t)n; c++)
        for (size_t j = 0; j < d && weight[c] > 0; j++) points[c * d + j] = means[c * d + j] / weight[c];
    for (size_t i = 0; i < many; i++) {
        const size_t c = (size_t)label[i];
        for (size_t j = 0; j < d; j++)
            spread[c] += (rows[i * d + j] - points[c * d + j]) * (rows[i * d + j] - points[c * d + j]) / weight[c];
    }
done:
    tac_free(rows);
    tac_free(label);
    tac_free(means);
    return status;
}

/* The box is seen as the cells are: on average as many rows a cell, with noise on weights and points. */
static void box_noise(const cells *s, int64_t n, double *points, double *weight, double *spread)
{
    double total = 0, least = INFINITY;
    uint64_t state = s->seed + 1;

    for (int64_t i = 0; i < s->n; i++) {
        total += s->weight[i];
        least = fmin(least, s->weight[i]);
    }
    for (int64_t c = 0; c < n; c++) {
        const double rows = weight[c] / BOX_ROWS * total / (double)s->n + s->weight_sd * bell(&state);
        weight[c] = fmax(rows, least);
        for (int32_t j = 0; j < s->d; j++) points[c * s->d + j] += s->point_sd / weight[c] * bell(&state);
        spread[c] += s->d * pow(s->point_sd / weight[c], 2);
    }
}

/* The best silhouette of a box that has the cells' variances along its axes. A box splits better than any rounder set
   without clusters. */
static tacit_status box_score(const cells *s, const double *own_spread, double *value)
{
    tacit_status status = TACIT_OK;
    const int64_t n = s->n < BOX_CELLS ? s->n : BOX_CELLS;
    cells box = *s;
    double *variance = NULL, *points = NULL, *weight = NULL, *spread = NULL, all = 0;

    box.centers = box.mass = NULL;
    box.label = box.members = NULL;
    box.n = n;
    box.k_most = (int32_t)fmax(2, fmin(s->k_most, (double)n * s->k_most / (double)s->n)); /* as many cells a centre */
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
    TAC_TRY(cells_open(&box));
    for (int32_t k = 2; k <= box.k_most; k += (k + 1) / 3) {
        double now;
        TAC_TRY(score(&box, k, &now));
        *value = fmax(*value, now);
    }
done:
    cells_close(&box);
    tac_free(variance);
    tac_free(points);
    tac_free(weight);
    tac_free(spread);
    return status;
}

/* curve[1 ..] on the grid, then finer around its best; entries between are drawn as straight lines. */
static tacit_status fill_curve(cells *s, double *curve)
{
    tacit_status status = TACIT_OK;
    const int32_t most = s->k_most;
    int32_t best = 2;

    for (int32_t k = 0; k < most; k++) curve[k] = NAN;
    for (int32_t k = 2, next; k <= most; k = next) {
        next = k < EVERY ? k + 1 : k + k / 16;
        if (k < most && next > most) next = most;
        tac_show_progress(s->ctx, "choosing k", (double)k * k / ((double)most * most));
        TAC_TRY(score(s, k, &curve[k - 1]));
        if (curve[k - 1] > curve[best - 1]) best = k;
    }
    for (int32_t step = most / 32; step >= 1; step /= 2)
        for (int side = -1; side <= 1; side += 2) {
            const int32_t k = best + side * step;
            if (k < 2 || k > most || !isnan(curve[k - 1])) continue;
            TAC_TRY(score(s, k, &curve[k - 1]));
            if (curve[k - 1] > curve[best - 1]) best = k;
        }
    for (int32_t from = 2, to; from < most; from = to) {
        for (to = from + 1; isnan(curve[to - 1]); to++) continue;
        for (int32_t k = from + 1; k < to; k++)
            curve[k - 1] = curve[from - 1] + (curve[to - 1] - curve[from - 1]) * (k - from) / (to - from);
    }
done:
    return status;
}

tacit_status tac_solve_choose_k(tacit_ctx *ctx, const double *points, const double *weight, const double *spread, int64_t n,
                                int32_t d, const tac_choose_k *opts, double *curve, int32_t *k)
{
    tacit_status status = TACIT_OK;
    double *blurred = NULL;
    cells s = {.ctx = ctx, .points = points, .weight = weight, .n = n, .d = d, 
               .weight_sd = opts->weight_sd, .point_sd = opts->point_sd,
               .restarts = opts->restarts > 0 ? opts->restarts : 2, .seed = opts->seed};

    if (n < 1 || d < 1 || opts->k_max < 1)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "choosing k needs at least one cell, one column and one centre");
    if (!(opts->weight_sd >= 0) || !(opts->point_sd >= 0))
        return tac_fail(ctx, TACIT_E_ARGUMENT, "choosing k needs noise of at least 0");
    for (int64_t i = 0; i < n; i++)
        if (!(weight[i] > 0) || !(spread[i] >= 0) || isinf(weight[i]) || isinf(spread[i]))
            return tac_fail(ctx, TACIT_E_ARGUMENT, "choosing k needs cells with a weight above 0 and a spread of at least 0");
    for (int64_t i = 0; i < n * d; i++)
        if (!isfinite(points[i])) return tac_fail(ctx, TACIT_E_ARGUMENT, "choosing k needs finite cells");
    s.k_most = (int32_t)fmin((double)n, opts->k_max);
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *blurred, &blurred));
    /* Where a cell's rows are is known up to its noise as well: cells that only noise moved apart do not count as apart. */
    for (int64_t i = 0; i < n; i++) blurred[i] = spread[i] + d * pow(opts->point_sd / weight[i], 2);
    s.spread = blurred;
    TAC_TRY(cells_open(&s));
    for (int32_t i = 0; i < opts->k_max; i++) curve[i] = 0;
    if (s.k_most > 1) TAC_TRY(fill_curve(&s, curve));
    TAC_TRY(box_score(&s, spread, &curve[0]));
    curve[0] = ABOVE_BOX(curve[0]);
    *k = 1;
    for (int32_t i = 1; i < s.k_most; i++)
        if (curve[i] > curve[*k - 1]) *k = i + 1;
done:
    cells_close(&s);
    tac_free(blurred);
    return status;
}
