/* SPDX-License-Identifier: Apache-2.0 */
/* Lloyd steps: every point to its nearest center, every center to the middle of its points. */
#include "solve/kmeans/kmeans_internal.h"

#include <math.h>
#include <string.h>

/* A thread costs some 20 microseconds to start: below this many multiplications in all it does not
   pay. */
#define SMALL_WORK (INT64_C(1) << 18)

tacit_status tac_points_map(const tac_points *set, int32_t work, tac_block_fn body, void *state)
{
    tac_engine engine = set->engine;
    if (set->n * set->d < SMALL_WORK / work) engine.workers = 1;
    return engine.map(&engine, set->ctx, set->blocks, body, state);
}

/* label_i = argmin_c |x_i - c|, near_i = the cost there; sums, weights and cost of the block. */
static tacit_status assign_block(void *state, int64_t block, int worker)
{
    const tac_steps *s = state;
    const tac_points *set = s->set;
    const int64_t from = block * set->block_rows, end = from + set->block_rows,
                  to = end < set->n ? end : set->n;
    const size_t d = (size_t)set->d;
    double *sums = s->part + (size_t)block * s->part_size;
    double *weights = sums + (size_t)s->k * d, *cost = sums + s->part_size - 1;
    double out[TAC_POINTS * TAC_NEAR];

    (void)worker;
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
            const double w = set->weight[i + p], near = set->median ? sqrt(best[p]) : best[p];
            double *sum = sums + (size_t)winner[p] * d;
            for (size_t j = 0; j < d && !set->median; j++) sum[j] += w * point[p][j];
            weights[winner[p]] += w;
            *cost += w * near;
            set->near[i + p] = near;
            s->label[i + p] = winner[p];
        }
    }
    return TACIT_OK;
}

void tac_steps_add_up(const tac_steps *s)
{
    for (int64_t b = 1; b < s->set->blocks; b++)
        for (size_t j = 0; j < s->part_size; j++)
            s->part[j] += s->part[(size_t)b * s->part_size + j];
}

/* The point farthest from its center, or -1 if none with a weight is off its center. */
static int64_t farthest(const tac_points *set)
{
    int64_t found = -1;
    for (int64_t i = 0; i < set->n; i++)
        if (set->weight[i] > 0 && set->near[i] > (found < 0 ? 0 : set->near[found])) found = i;
    return found;
}

/* centers become the means of part[0] (k-median moves its own); a cell without weight takes the
   farthest point, each a different one, or stays where it is when there is none. Returns whether
   one did. */
static bool move_centers(const tac_steps *s, double *centers)
{
    const size_t d = (size_t)s->set->d;
    const double *sums = s->part, *weights = sums + (size_t)s->k * d;
    bool refilled = false;

    for (int32_t c = 0; c < s->k; c++) {
        double *center = centers + (size_t)c * d;
        if (weights[c] > 0) {
            for (size_t j = 0; j < d && !s->set->median; j++)
                center[j] = sums[(size_t)c * d + j] / weights[c];
            continue;
        }
        const int64_t far = farthest(s->set);
        if (far < 0) continue;
        memcpy(center, s->set->points + (size_t)far * d, d * sizeof *center);
        s->set->near[far] = 0;
        refilled = true;
    }
    return refilled;
}

/* Assign, add up, stop or move. Ends with an assignment, so labels match the centers. */
tacit_status tac_kmeans_descend(const tac_steps *s, int32_t iterations, double tolerance,
                                double *centers, double *cost)
{
    tacit_status status = TACIT_OK;
    const tac_points *set = s->set;
    double before = INFINITY;

    for (int32_t step = 0;; step++) {
        tac_lay_lanes(centers, s->k, set->d, s->lanes);
        TAC_TRY(tac_points_map(set, s->k, assign_block, (void *)s));
        tac_steps_add_up(s);
        *cost = s->part[s->part_size - 1];
        if (step >= iterations || !(before - *cost > tolerance * *cost)) break;
        before = *cost;
        /* A refilled center already lies on its point; the medians can wait for the next step's
           labels. */
        if (!move_centers(s, centers) && set->median) TAC_TRY(tac_kmedian_move(s, centers));
    }
done:
    return status;
}
