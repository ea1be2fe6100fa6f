/* SPDX-License-Identifier: Apache-2.0 */
/* Plain k-means on a weighted point set: k-means++ and Lloyd. No privacy, no I/O: runs on synopses
   and, for evaluation only, on rows. */
#ifndef TAC_PLAIN_KMEANS_H
#define TAC_PLAIN_KMEANS_H

#include "core/core.h"

typedef struct tac_plain_kmeans {
    int32_t k;
    int32_t restarts;   /* best of this many k-means++ starts */
    int32_t iterations; /* at most this many Lloyd steps each */
    double tolerance;   /* stop when the cost falls by less than this share */
    /* then this many tries to move a center to one of 8 drawn points (LS++), kept if better */
    int32_t swaps;
    uint64_t seed;
} tac_plain_kmeans;

/* points: n x d row-major; weight: n or NULL (all 1), >= 0. centers: k x d out; cost: weighted mean
   squared distance; label: n or NULL. Empty clusters are refilled with the farthest point. k > n
   repeats points. Weights that are all 0 count as all 1. The result depends on the seed, never on
   the number of threads. Points and weights must be finite. Time of one Lloyd step ~ n d k; of one
   start ~ n d k * (2 + log k) / 2. */
tacit_status tac_solve_kmeans(tacit_ctx *ctx, const double *points, const double *weight, int64_t n,
                              int32_t d, const tac_plain_kmeans *opts, double *centers,
                              double *cost, int32_t *label);

#endif
