/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the choice of k share. */
#ifndef TAC_CHOOSE_K_INSIDE_H
#define TAC_CHOOSE_K_INSIDE_H

#include "solve/choose_k.h"

/* Cells, and room to cluster them with up to k_most centres. */
typedef struct tac_k_cells {
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
} tac_k_cells;

tacit_status tac_k_open(tac_k_cells *s);
void tac_k_close(tac_k_cells *s);

/* The silhouette of the best k centres, times the share of them that stand for more than noise or a few outliers. */
tacit_status tac_k_score(tac_k_cells *s, int32_t k, double *value);

/* The best score of a uniform box that has the cells' variances along its axes, and their noise. A box splits better
   than any rounder set without clusters. own_spread: without the noise. */
tacit_status tac_k_box(const tac_k_cells *s, const double *own_spread, double *value);

#endif
