/* SPDX-License-Identifier: Apache-2.0 */
/* What the start, the steps and the swaps of plain k-means and k-median share. */
#ifndef TAC_KMEANS_INTERNAL_H
#define TAC_KMEANS_INTERNAL_H

#include "engine/engine.h"
#include "solve/kmeans/distances.h"
#include "solve/kmeans/plain_kmeans.h"

/* A weighted point set cut into blocks. The blocks depend on the shape of the problem alone, every
   block has its own place for what it adds up, and places are added in order: the number of threads
   cannot show in a result. */
typedef struct tac_points {
    tacit_ctx *ctx;
    tac_engine engine;
    const double *points; /* n x d */
    const double *weight; /* n */
    int64_t n, block_rows, blocks;
    int32_t d;
    bool median;  /* a point costs its distance, not the distance squared */
    double *near; /* n: the point's cost at the nearest center so far */
} tac_points;

/* Centers on their way down, and one assignment of all points to them. */
typedef struct tac_steps {
    tac_points *set;
    int32_t k;
    double *lanes;  /* centers, for tac_squared */
    double *from;   /* k x d: k-median's centers that the next are drawn from; NULL for k-means */
    int32_t *label; /* n */
    double *part;   /* blocks x (k * d sums, k weights, k resting weights or nothing, 1 cost) */
    size_t part_size;
} tac_steps;

/* Small and seeded (splitmix64): the same start every time. Fine for choosing starts; never for
   privacy noise. */
uint64_t tac_plain_random(uint64_t *state);

/* Index i with probability weight_i * near_i / total (weight_i / total when near is NULL). */
int64_t tac_points_draw(const tac_points *set, const double *near, double total, uint64_t *state);

/* body over all blocks. work: distances a point needs; little work stays on the caller's thread. */
tacit_status tac_points_map(const tac_points *set, int32_t work, tac_block_fn body, void *state);

/* Greedy k-means++: each center is the best of a few points drawn with probability ~ weight * cost.
   Uses set->near. centers: k x d. */
tacit_status tac_kmeans_start(const tac_points *set, int32_t k, uint64_t *state, double *centers);

/* Lloyd steps from the given centers: on return centers, s->label, set->near and cost (a weighted
   sum) belong together. The cost never rises. */
tacit_status tac_kmeans_descend(const tac_steps *s, int32_t iterations, double tolerance,
                                double *centers, double *cost);

/* k-median's step: each center moves towards the geometric median of its points (s->label). centers
   in and out. */
tacit_status tac_kmedian_move(const tac_steps *s, double *centers);
/* part[0] becomes the sum of all blocks' places. */
void tac_steps_add_up(const tac_steps *s);

/* opts->swaps tries to move one center to a drawn point, each kept if the cost falls, with Lloyd
   steps in between. centers and cost as tac_kmeans_descend leaves them, on entry and on return. */
tacit_status tac_kmeans_swap(const tac_steps *s, const tac_plain_kmeans *opts, uint64_t *state,
                             double *centers, double *cost);

/* The whole of both solvers. start: NULL, or k centers to descend from instead of searching for
   some. */
tacit_status tac_solve_plain(tacit_ctx *ctx, bool median, const double *points,
                             const double *weight, int64_t n, int32_t d,
                             const tac_plain_kmeans *opts, const double *start, double *centers,
                             double *cost, int32_t *label);

#endif
