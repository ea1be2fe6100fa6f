/* SPDX-License-Identifier: Apache-2.0 */
/* How many clusters: the simplified silhouette of weighted cells for every k, and for k = 1 the
   best that a box without any clusters would get. */
#include "solve/kmeans/choose_k_internal.h"
#include "solve/kmeans/plain_kmeans.h"

#include <math.h>
#include <string.h>

enum {
    EVERY = 64, /* every k up to here, then steps of 1/16, halved around the best */
    SWAPS = 16,
};

/* What a silhouette must beat: the box's, with what sets without clusters differ by among
   themselves. */
#define ABOVE_BOX(box) (1.05 * (box) + 0.02)
#define PRICE 0.02 /* of a center twice as many: noise makes many weak clusters rather than few */
#define TINY 1e-3  /* clusters below this share of the weight are outliers, not clusters */

tacit_status tac_k_open(tac_k_cells *s)
{
    tacit_status status = TACIT_OK;
    TAC_TRY(tac_new(s->ctx, (size_t)s->k_most * (size_t)s->d, sizeof *s->centers, &s->centers));
    TAC_TRY(tac_new(s->ctx, (size_t)s->k_most, sizeof *s->mass, &s->mass));
    TAC_TRY(tac_new(s->ctx, (size_t)s->n, sizeof *s->label, &s->label));
done:
    return status;
}

void tac_k_close(tac_k_cells *s)
{
    tac_free(s->centers);
    tac_free(s->mass);
    tac_free(s->label);
}

/* Keep the centers that more than a few outliers stand behind. Returns how many. */
static int32_t keep_clear(tac_k_cells *s, int32_t k)
{
    const size_t d = (size_t)s->d;
    double total = 0;
    int32_t kept = 0;

    memset(s->mass, 0, (size_t)k * sizeof *s->mass);
    for (int64_t i = 0; i < s->n; i++) {
        total += s->weight[i];
        s->mass[s->label[i]] += s->weight[i];
    }
    for (int32_t c = 0; c < k; c++) {
        if (s->mass[c] < TINY * total) continue;
        memmove(s->centers + (size_t)kept++ * d, s->centers + (size_t)c * d,
                d * sizeof *s->centers);
    }
    return kept;
}

/* sum W (1 - sqrt((V + d1^2) / (V + d2^2))) / sum W, d1 and d2 the distances of a cell to the two
   nearest centers: a row is nearer to its center than to the next by about that factor. 0 when
   there is one center. */
static double silhouette(const tac_k_cells *s, int32_t k)
{
    double sum = 0, total = 0;

    for (int64_t i = 0; i < s->n && k > 1; i++) {
        const double *x = s->points + i * s->d;
        double first = INFINITY, second = INFINITY;
        for (int32_t c = 0; c < k; c++) {
            const double *center = s->centers + (ptrdiff_t)c * s->d;
            double far = 0;
            for (int32_t j = 0; j < s->d; j++) far += (x[j] - center[j]) * (x[j] - center[j]);
            if (far < first)
                second = first, first = far;
            else if (far < second)
                second = far;
        }
        total += s->weight[i];
        if (s->spread[i] + second > 0)
            sum += s->weight[i] * (1 - sqrt((s->spread[i] + first) / (s->spread[i] + second)));
    }
    return total > 0 ? sum / total : 0;
}

/* k-means, then the silhouette of its clear centers times their share. */
tacit_status tac_k_score(tac_k_cells *s, int32_t k, double *value)
{
    tacit_status status = TACIT_OK;
    const tac_plain_kmeans opts = {.k = k,
                                   .restarts = s->restarts,
                                   .iterations = 30,
                                   .tolerance = 1e-5,
                                   .swaps = SWAPS,
                                   .seed = s->seed + (uint64_t)k};
    double cost;

    TAC_TRY(tac_solve_kmeans(s->ctx, s->points, s->weight, s->n, s->d, &opts, s->centers, &cost,
                             s->label));
    const int32_t kept = keep_clear(s, k);
    /* a center that stands for nothing counts for nothing */
    *value = silhouette(s, kept) * kept / k;
done:
    return status;
}

/* The score less PRICE for every doubling of k beyond 2, at least 0. */
static tacit_status priced(tac_k_cells *s, int32_t k, double *value)
{
    const tacit_status status = tac_k_score(s, k, value);
    *value = fmax(0, *value - PRICE * log2(k / 2.0));
    return status;
}

/* curve[1 ..] on the grid, then finer around its best; entries between are drawn as straight
   lines. */
static tacit_status fill_curve(tac_k_cells *s, double *curve)
{
    tacit_status status = TACIT_OK;
    const int32_t most = s->k_most;
    int32_t best = 2;

    for (int32_t k = 0; k < most; k++) curve[k] = NAN;
    for (int32_t k = 2, next; k <= most; k = next) {
        next = k < EVERY ? k + 1 : k + k / 16;
        if (k < most && next > most) next = most;
        tac_show_progress(s->ctx, "choosing k", (double)k * k / ((double)most * most));
        TAC_TRY(priced(s, k, &curve[k - 1]));
        if (curve[k - 1] > curve[best - 1]) best = k;
    }
    for (int32_t step = most / 32; step >= 1; step /= 2)
        for (int side = -1; side <= 1; side += 2) {
            const int32_t k = best + side * step;
            if (k < 2 || k > most || !isnan(curve[k - 1])) continue;
            TAC_TRY(priced(s, k, &curve[k - 1]));
            if (curve[k - 1] > curve[best - 1]) best = k;
        }
    for (int32_t from = 2, to; from < most; from = to) {
        for (to = from + 1; isnan(curve[to - 1]); to++) continue;
        for (int32_t k = from + 1; k < to; k++)
            curve[k - 1] =
                curve[from - 1] + (curve[to - 1] - curve[from - 1]) * (k - from) / (to - from);
    }
done:
    return status;
}

/* Merges cells that are not clear of their noise, adds noise to spreads, scores every k and the
   box for k = 1, and takes the best. Inputs are released numbers. */
tacit_status tac_solve_choose_k(tacit_ctx *ctx, const double *points, const double *weight,
                                const double *spread, int64_t n, int32_t d,
                                const tac_choose_k *opts, double *curve, int32_t *k)
{
    tacit_status status = TACIT_OK;
    double *room = NULL, *blurred = NULL;
    tac_k_clear clear = {.n = n, .d = d};
    tac_k_cells s = {.ctx = ctx,
                     .d = d,
                     .restarts = opts->restarts > 0 ? opts->restarts : 2,
                     .seed = opts->seed};

    if (n < 1 || d < 1 || opts->k_max < 1)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "choosing k needs at least one cell, one column and one center");
    if (!(opts->weight_sd >= 0) || !(opts->point_sd >= 0))
        return tac_fail(ctx, TACIT_E_ARGUMENT, "choosing k needs noise of at least 0");
    for (int64_t i = 0; i < n; i++)
        if (!(weight[i] > 0) || !(spread[i] >= 0) || isinf(weight[i]) || isinf(spread[i]))
            return tac_fail(ctx, TACIT_E_ARGUMENT,
                            "choosing k needs cells with a weight above 0 and a spread of at least "
                            "0");
    for (int64_t i = 0; i < n * d; i++)
        if (!isfinite(points[i]))
            return tac_fail(ctx, TACIT_E_ARGUMENT, "choosing k needs finite cells");
    TAC_TRY(tac_new(ctx, (size_t)n * ((size_t)d + 4), sizeof *room, &room));
    clear.points = room;
    clear.weight = clear.points + n * d;
    clear.spread = clear.weight + n;
    clear.joined = clear.spread + n;
    blurred = clear.joined + n;
    memcpy(clear.points, points, (size_t)(n * d) * sizeof *points);
    memcpy(clear.weight, weight, (size_t)n * sizeof *weight);
    memcpy(clear.spread, spread, (size_t)n * sizeof *spread);
    for (int64_t i = 0; i < n; i++) clear.joined[i] = 1;
    tac_k_merge(&clear, opts->weight_sd);
    /* Where a cell's rows are is known up to its noise: cells that only noise moved apart do not
       count as apart. */
    for (int64_t i = 0; i < clear.n; i++)
        blurred[i] =
            clear.spread[i] + d * clear.joined[i] * pow(opts->point_sd / clear.weight[i], 2);
    s.points = clear.points;
    s.weight = clear.weight;
    s.spread = blurred;
    s.n = clear.n;
    s.weight_sd = opts->weight_sd * sqrt((double)n / (double)clear.n);
    s.point_sd = opts->point_sd * sqrt((double)n / (double)clear.n);
    s.k_most = (int32_t)fmin((double)clear.n, opts->k_max);
    TAC_TRY(tac_k_open(&s));
    for (int32_t i = 0; i < opts->k_max; i++) curve[i] = 0;
    if (s.k_most > 1) TAC_TRY(fill_curve(&s, curve));
    TAC_TRY(tac_k_box(&s, clear.spread, &curve[0]));
    curve[0] = ABOVE_BOX(curve[0]);
    *k = 1;
    for (int32_t i = 1; i < s.k_most; i++)
        if (curve[i] > curve[*k - 1]) *k = i + 1;
done:
    tac_k_close(&s);
    tac_free(room);
    return status;
}
