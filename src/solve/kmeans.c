/* SPDX-License-Identifier: Apache-2.0 */
/* Plain k-means: Lloyd steps from several greedy k-means++ starts. */
#include "solve/kmeans_inside.h"

#include <math.h>
#include <string.h>

enum { BLOCKS = 64, BLOCK_ROWS = 512 }; /* at most this many blocks, at least this many rows each */

#define PARTIAL_DOUBLES (INT64_C(1) << 23) /* 64 MiB of partial sums, all blocks together, at most */

/* One assignment of all points, and what the next centres need. */
typedef struct lloyd {
    const tac_points *set;
    int32_t k;
    const double *lanes;  /* centres, for tac_squared */
    int32_t *label;       /* n */
    double *part;         /* blocks x (k * d sums, k weights, 1 cost) */
    size_t part_size;
} lloyd;

static tacit_status assign_block(void *state, int64_t block, int lane)
{
    const lloyd *s = state;
    const tac_points *set = s->set;
    const int64_t from = block * set->block_rows, end = from + set->block_rows, to = end < set->n ? end : set->n;
    const size_t d = (size_t)set->d;
    double *sums = s->part + (size_t)block * s->part_size;
    double *weights = sums + (size_t)s->k * d, *cost = weights + s->k;
    double out[TAC_POINTS * TAC_NEAR];

    (void)lane;
    memset(sums, 0, s->part_size * sizeof *sums);
    for (int64_t i = from; i < to; i += TAC_POINTS) {
        const int many = to - i < TAC_POINTS ? (int)(to - i) : TAC_POINTS;
        const double *point[TAC_POINTS];
        double best[TAC_POINTS];
        int32_t winner[TAC_POINTS] = {0};

        for (int p = 0; p < TAC_POINTS; p++) {
            point[p] = set->points + (i + (p < many ? p : many - 1)) * set->d;
            best[p] = INFINITY;
        }
        for (int32_t first = 0; first < s->k; first += TAC_NEAR) {
            const int32_t near = s->k - first < TAC_NEAR ? s->k - first : TAC_NEAR;
            tac_squared(point, s->lanes, s->k, set->d, first, out);
            for (int p = 0; p < TAC_POINTS; p++)
                for (int32_t c = 0; c < near; c++)
                    if (out[p * TAC_NEAR + c] < best[p]) { /* ties go to the lowest */
                        best[p] = out[p * TAC_NEAR + c];
                        winner[p] = first + c;
                    }
        }
        for (int p = 0; p < many; p++) {
            const double w = set->weight[i + p];
            double *sum = sums + (size_t)winner[p] * d;
            for (size_t j = 0; j < d; j++) sum[j] += w * point[p][j];
            weights[winner[p]] += w;
            *cost += w * best[p];
            set->squared[i + p] = best[p];
            s->label[i + p] = winner[p];
        }
    }
    return TACIT_OK;
}

/* The point farthest from its centre, or -1 if none with a weight is off its centre. */
static int64_t farthest(const tac_points *set)
{
    int64_t found = -1;
    for (int64_t i = 0; i < set->n; i++)
        if (set->weight[i] > 0 && set->squared[i] > (found < 0 ? 0 : set->squared[found])) found = i;
    return found;
}

/* centers become the means of part[0]; a cell without weight takes the farthest point, each a different one, or
   stays where it is when there is none. */
static void move_centers(const lloyd *s, double *centers)
{
    const size_t d = (size_t)s->set->d;
    const double *sums = s->part, *weights = sums + (size_t)s->k * d;

    for (int32_t c = 0; c < s->k; c++) {
        double *center = centers + (size_t)c * d;
        if (weights[c] > 0) {
            for (size_t j = 0; j < d; j++) center[j] = sums[(size_t)c * d + j] / weights[c];
            continue;
        }
        const int64_t far = farthest(s->set);
        if (far < 0) continue;
        memcpy(center, s->set->points + (size_t)far * d, d * sizeof *center);
        s->set->squared[far] = 0;
    }
}

/* One start and its Lloyd steps: on return centers, label and cost belong together. */
static tacit_status descend(lloyd *s, const tac_plain_kmeans *opts, uint64_t seed, double *lanes, double *centers,
                            double *cost)
{
    tacit_status status = TACIT_OK;
    const tac_points *set = s->set;
    double before = INFINITY;

    TAC_TRY(tac_kmeans_start(set, s->k, &seed, centers));
    for (int32_t step = 0;; step++) {
        tac_lay_lanes(centers, s->k, set->d, lanes);
        TAC_TRY(set->engine.map(&set->engine, set->ctx, set->blocks, assign_block, s));
        for (int64_t b = 1; b < set->blocks; b++)
            for (size_t j = 0; j < s->part_size; j++) s->part[j] += s->part[(size_t)b * s->part_size + j];
        *cost = s->part[s->part_size - 1];
        if (step >= opts->iterations || !(before - *cost > opts->tolerance * *cost)) break;
        before = *cost;
        move_centers(s, centers);
    }
done:
    return status;
}

static tacit_status check(tacit_ctx *ctx, const double *points, const double *weight, int64_t n, int32_t d,
                          const tac_plain_kmeans *opts)
{
    if (n < 1 || d < 1) return tac_fail(ctx, TACIT_E_ARGUMENT, "k-means needs at least one point and one column");
    if (opts->k < 1 || opts->restarts < 1 || opts->iterations < 0 || !(opts->tolerance >= 0))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "k-means needs k and restarts of at least 1 and no negative limits");
    for (int64_t i = 0; weight != NULL && i < n; i++)
        if (!(weight[i] >= 0) || isinf(weight[i]))
            return tac_fail(ctx, TACIT_E_ARGUMENT, "k-means needs finite weights of at least 0");
    for (int64_t i = 0; i < n * d; i++)
        if (!isfinite(points[i])) return tac_fail(ctx, TACIT_E_ARGUMENT, "k-means needs finite points");
    return TACIT_OK;
}

tacit_status tac_solve_kmeans(tacit_ctx *ctx, const double *points, const double *weight, int64_t n, int32_t d,
                              const tac_plain_kmeans *opts, double *centers, double *cost, int32_t *label)
{
    tacit_status status = TACIT_OK;
    const int32_t k = opts->k;
    double *ones = NULL, *lanes = NULL, *trial = NULL, total = 0, best = INFINITY;
    tac_points set = {.ctx = ctx, .points = points, .n = n, .d = d};
    lloyd s = {.set = &set, .k = k};

    TAC_TRY(check(ctx, points, weight, n, d, opts));
    for (int64_t i = 0; weight != NULL && i < n; i++) total += weight[i];
    if (!(total > 0)) { /* no weights, or none that says anything: all points count alike */
        TAC_TRY(tac_new(ctx, (size_t)n, sizeof *ones, &ones));
        for (int64_t i = 0; i < n; i++) ones[i] = 1;
        total = (double)n;
        weight = ones;
    }
    set.weight = weight;
    s.part_size = (size_t)k * (size_t)d + (size_t)k + 1;
    const int64_t affordable = PARTIAL_DOUBLES / (int64_t)s.part_size;
    const int64_t blocks = affordable < 1 ? 1 : affordable < BLOCKS ? affordable : BLOCKS;
    set.block_rows = (n + blocks - 1) / blocks < BLOCK_ROWS ? BLOCK_ROWS : (n + blocks - 1) / blocks;
    set.blocks = (n + set.block_rows - 1) / set.block_rows;
    tac_engine_threads(ctx, &set.engine);

    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *set.squared, &set.squared));
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *s.label, &s.label));
    TAC_TRY(tac_new(ctx, (size_t)set.blocks, s.part_size * sizeof *s.part, &s.part));
    TAC_TRY(tac_new(ctx, tac_lanes_size(k, d), sizeof *lanes, &lanes));
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)d, sizeof *trial, &trial));
    s.lanes = lanes;
    uint64_t seeds = opts->seed;
    for (int32_t r = 0; r < opts->restarts; r++) {
        double now = 0;
        tac_show_progress(ctx, "plain k-means", (double)r / opts->restarts);
        TAC_TRY(descend(&s, opts, tac_plain_random(&seeds), lanes, trial, &now));
        if (r > 0 && !(now < best)) continue;
        best = now;
        memcpy(centers, trial, (size_t)k * (size_t)d * sizeof *centers);
        if (label != NULL) memcpy(label, s.label, (size_t)n * sizeof *label);
    }
    *cost = best / total;
done:
    tac_free(ones);
    tac_free(set.squared);
    tac_free(s.label);
    tac_free(s.part);
    tac_free(lanes);
    tac_free(trial);
    return status;
}
