/* SPDX-License-Identifier: Apache-2.0 */
/* How many clusters does a weighted synopsis have? Post-processing: works on released cells
   only. */
#ifndef TAC_CHOOSE_K_H
#define TAC_CHOOSE_K_H

#include "core/core.h"

/* cells: n points in d dimensions with weights > 0 and spread[i] = mean squared distance of the
   cell's rows to its point (>= 0). For k = 1 .. k_max: curve[k - 1] = how well k centers describe
   the cells, higher is better; 0 where there is nothing to say. *k = where it is highest. Cells
   within 5 sd of no rows at all are first joined to neighbors. For k >= 2 the simplified
   silhouette, sum W (1 - sqrt((V + d1^2) / (V + d2^2))) / sum W, times the share of the centers
   that more than a thousandth of the weight stands behind, less 0.02 log2(k / 2). For k = 1 a
   little more than the best silhouette of a uniform box with the cells' variances and noise:
   clusters must be clearer than cuts through one lump. Skewed sets may still be cut: an exponential
   or log-normal cloud gets 2 or more. */
typedef struct tac_choose_k {
    int32_t k_max;
    double weight_sd; /* noise of one cell's weight */
    double point_sd;  /* noise of one coordinate of a cell's point, times its weight */
    int32_t restarts; /* k-means starts for each k; 0: 2 */
    uint64_t seed;
} tac_choose_k;
tacit_status tac_solve_choose_k(tacit_ctx *ctx, const double *cells, const double *weight,
                                const double *spread, int64_t n, int32_t d,
                                const tac_choose_k *opts, double *curve, int32_t *k);

#endif
