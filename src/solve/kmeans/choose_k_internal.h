/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the choice of k share. */
#ifndef TAC_CHOOSE_K_INTERNAL_H
#define TAC_CHOOSE_K_INTERNAL_H

#include "solve/kmeans/choose_k.h"

/* Cells, and room to cluster them with up to k_most centers. */
typedef struct tac_k_cells {
    tacit_ctx *ctx;
    const double *points, *weight;
    /* n: mean squared distance of a cell's rows to its point, its noise included */
    const double *spread;
    int64_t n;
    int32_t d, restarts, k_most;
    double weight_sd, point_sd;
    uint64_t seed;
    double *centers; /* k_most x d */
    double *mass;    /* k_most */
    int32_t *label;
} tac_k_cells;

tacit_status tac_k_open(tac_k_cells *s);
void tac_k_close(tac_k_cells *s);

/* n cells that may be joined, each of `joined` original ones. */
typedef struct tac_k_clear {
    int64_t n;
    int32_t d;
    double *points, *weight, *spread, *joined;
} tac_k_clear;
/* Join cells until each weighs clearly more than its noise; s->n falls. */
void tac_k_merge(tac_k_clear *s, double weight_sd);

/* The silhouette of the best k centers, times the share of them that stand for more than a few
   outliers. */
tacit_status tac_k_score(tac_k_cells *s, int32_t k, double *value);

/* The best score of a uniform box that has the cells' variances along its axes, and their noise. A
   box splits better than any rounder set without clusters. own_spread: without the noise. */
tacit_status tac_k_box(const tac_k_cells *s, const double *own_spread, double *value);

#endif
