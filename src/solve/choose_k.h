/* SPDX-License-Identifier: Apache-2.0 */
/* How many clusters does a weighted synopsis have? Post-processing: works on released cells only. */
#ifndef TAC_SOLVE_CHOOSE_K_H
#define TAC_SOLVE_CHOOSE_K_H

#include "core/core.h"

/* cells: n points in d dimensions with weights > 0 and spread[i] = mean squared distance of the cell's rows to its point (>= 0).
   noise: what is known of the cells' errors, so that splitting noise is not taken for structure. For k = 1 .. k_max
   (at most n): curve[k - 1] = how well k centres describe the cells, higher is better, comparable over k, k = 1 included;
   *k = the best. Simplified silhouette for k >= 2, and a rule that can say 1. */
typedef struct tac_choose_k {
    int32_t k_max;
    double weight_sd;  /* noise of one cell's weight */
    double point_sd;   /* noise of one coordinate of a cell's point, times its weight */
    int32_t restarts;
    uint64_t seed;
} tac_choose_k;
tacit_status tac_solve_choose_k(tacit_ctx *ctx, const double *cells, const double *weight, const double *spread, int64_t n,
                                int32_t d, const tac_choose_k *opts, double *curve, int32_t *k);

#endif
