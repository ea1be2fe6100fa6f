/* SPDX-License-Identifier: Apache-2.0 */
/* What the start and the steps of plain k-means share. */
#ifndef TAC_KMEANS_INSIDE_H
#define TAC_KMEANS_INSIDE_H

#include "engine/engine.h"
#include "solve/distances.h"
#include "solve/kmeans.h"

/* A weighted point set cut into blocks. The blocks depend on the shape of the problem alone, every block has its
   own place for what it adds up, and places are added in order: the number of threads cannot show in a result. */
typedef struct tac_points {
    tacit_ctx *ctx;
    tac_engine engine;
    const double *points; /* n x d */
    const double *weight; /* n */
    int64_t n, block_rows, blocks;
    int32_t d;
    double *squared;      /* n: distance to the nearest centre so far */
} tac_points;

/* Small and seeded (splitmix64): the same start every time. Fine for choosing starts; never for privacy noise. */
uint64_t tac_plain_random(uint64_t *state);

/* Greedy k-means++: each centre is the best of a few points drawn with probability ~ weight * distance^2.
   Uses set->squared. centers: k x d. */
tacit_status tac_kmeans_start(const tac_points *set, int32_t k, uint64_t *state, double *centers);

#endif
