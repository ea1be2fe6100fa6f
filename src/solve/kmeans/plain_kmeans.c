/* SPDX-License-Identifier: Apache-2.0 */
/* Plain k-means: the best of several greedy k-means++ starts, each with its Lloyd steps, then
   swaps. */
#include "solve/kmeans/kmeans_internal.h"

#include <math.h>
#include <string.h>

enum { BLOCKS = 64, BLOCK_ROWS = 512 }; /* at most this many blocks, at least this many rows each */

/* 64 MiB of partial sums, all blocks together, at most */
#define PARTIAL_DOUBLES (INT64_C(1) << 23)

/* Refuses sizes, options and numbers that the search is not made for; points are checked once,
   here. */
static tacit_status check(tacit_ctx *ctx, const double *points, const double *weight, int64_t n,
                          int32_t d, const tac_plain_kmeans *opts)
{
    if (n < 1 || d < 1)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "k-means needs at least one point and one column");
    if (opts->k < 1 || opts->restarts < 1 || opts->iterations < 0 || opts->swaps < 0 ||
        !(opts->tolerance >= 0))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "k-means needs k and restarts of at least 1 and no negative limits");
    for (int64_t i = 0; weight != NULL && i < n; i++)
        if (!(weight[i] >= 0) || isinf(weight[i]))
            return tac_fail(ctx, TACIT_E_ARGUMENT, "k-means needs finite weights of at least 0");
    for (int64_t i = 0; i < n * d; i++)
        if (!isfinite(points[i]))
            return tac_fail(ctx, TACIT_E_ARGUMENT, "k-means needs finite points");
    return TACIT_OK;
}

/* The best of the starts, then the swaps: centers, s->label and cost belong together. */
static tacit_status search(const tac_steps *s, const tac_plain_kmeans *opts, double *trial,
                           double *centers, double *cost)
{
    tacit_status status = TACIT_OK;
    const size_t size = (size_t)s->k * (size_t)s->set->d * sizeof *centers;
    uint64_t seeds = opts->seed;
    int32_t best = 0;

    for (int32_t r = 0; r < opts->restarts; r++) {
        uint64_t state = tac_plain_random(&seeds);
        double now = 0;
        tac_show_progress(s->set->ctx, s->set->median ? "plain k-median" : "plain k-means",
                          (double)r / opts->restarts);
        TAC_TRY(tac_kmeans_start(s->set, s->k, &state, trial));
        TAC_TRY(tac_kmeans_descend(s, opts->iterations, opts->tolerance, trial, &now));
        if (r > 0 && !(now < *cost)) continue;
        *cost = now;
        best = r;
        memcpy(centers, trial, size);
    }
    /* labels of the best */
    if (best != opts->restarts - 1) TAC_TRY(tac_kmeans_descend(s, 0, 0, centers, cost));
    if (opts->swaps > 0 && s->k > 1) TAC_TRY(tac_kmeans_swap(s, opts, &seeds, centers, cost));
done:
    return status;
}

/* Blocks by n, d and k alone, then the search, or a descent from `start`. *cost: the weighted
   mean. */
tacit_status tac_solve_plain(tacit_ctx *ctx, bool median, const double *points,
                             const double *weight, int64_t n, int32_t d,
                             const tac_plain_kmeans *opts, const double *start, double *centers,
                             double *cost, int32_t *label)
{
    tacit_status status = TACIT_OK;
    const int32_t k = opts->k;
    double *ones = NULL, *trial = NULL, total = 0, sum = 0;
    tac_points set = {.ctx = ctx, .points = points, .n = n, .d = d, .median = median};
    tac_steps s = {.set = &set, .k = k};

    TAC_TRY(check(ctx, points, weight, n, d, opts));
    for (int64_t i = 0; weight != NULL && i < n; i++) total += weight[i];
    if (!(total > 0)) { /* no weights, or none that says anything: all points count alike */
        TAC_TRY(tac_new(ctx, (size_t)n, sizeof *ones, &ones));
        for (int64_t i = 0; i < n; i++) ones[i] = 1;
        total = (double)n;
        weight = ones;
    }
    set.weight = weight;
    s.part_size = (size_t)k * (size_t)d + (median ? 2 : 1) * (size_t)k + 1;
    const int64_t affordable = PARTIAL_DOUBLES / (int64_t)s.part_size;
    const int64_t blocks = affordable < 1 ? 1 : affordable < BLOCKS ? affordable : BLOCKS;
    set.block_rows =
        (n + blocks - 1) / blocks < BLOCK_ROWS ? BLOCK_ROWS : (n + blocks - 1) / blocks;
    set.blocks = (n + set.block_rows - 1) / set.block_rows;
    tac_engine_threads(ctx, &set.engine);

    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *set.near, &set.near));
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *s.label, &s.label));
    TAC_TRY(tac_new(ctx, (size_t)set.blocks, s.part_size * sizeof *s.part, &s.part));
    TAC_TRY(tac_new(ctx, tac_lanes_size(k, d), sizeof *s.lanes, &s.lanes));
    if (median) TAC_TRY(tac_new(ctx, (size_t)k * (size_t)d, sizeof *s.from, &s.from));
    if (start == NULL) {
        TAC_TRY(tac_new(ctx, (size_t)k * (size_t)d, sizeof *trial, &trial));
        TAC_TRY(search(&s, opts, trial, centers, &sum));
    } else {
        if (centers != start) memcpy(centers, start, (size_t)k * (size_t)d * sizeof *centers);
        TAC_TRY(tac_kmeans_descend(&s, opts->iterations, opts->tolerance, centers, &sum));
    }
    if (label != NULL) memcpy(label, s.label, (size_t)n * sizeof *label);
    *cost = sum / total;
done:
    tac_free(ones);
    tac_free(set.near);
    tac_free(s.label);
    tac_free(s.part);
    tac_free(s.lanes);
    tac_free(s.from);
    tac_free(trial);
    return status;
}

tacit_status tac_solve_kmeans(tacit_ctx *ctx, const double *points, const double *weight, int64_t n,
                              int32_t d, const tac_plain_kmeans *opts, double *centers,
                              double *cost, int32_t *label)
{
    return tac_solve_plain(ctx, false, points, weight, n, d, opts, NULL, centers, cost, label);
}
