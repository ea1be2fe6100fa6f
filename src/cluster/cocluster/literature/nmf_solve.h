/* SPDX-License-Identifier: Apache-2.0 */
/* Non-negative factors from noisy statistics of their codes: public numbers only. */
#ifndef TAC_NMF_SOLVE_H
#define TAC_NMF_SOLVE_H

#include "core/core.h"

/* Rows of factor (k x m) get length 1; a row of zeros stays one. */
void tac_nmf_unit(double *factor, int32_t k, int32_t m);
bool tac_nmf_empty(const double *row, int32_t m);
/* direction = (W W^T + small)^-1 W: <direction_a, x> is the least-squares weight of factor a in x.
   k x m each. */
tacit_status tac_nmf_inverse(tacit_ctx *ctx, const double *factor, int32_t k, int32_t m,
                             double *direction);
/* A few sweeps of W_a = max(0, W_a + (B_a - sum_b A_ab W_b - sd) / A_aa): a penalty of sd, that of
   the noise on B, on every number, or noise would fill W. square: A, k x k; product: B, k x m. */
void tac_nmf_improve(const double *square, const double *product, int32_t k, int32_t m, double sd,
                     double *factor);

#endif
