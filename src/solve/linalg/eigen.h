/* SPDX-License-Identifier: Apache-2.0 */
/* Leading eigenvectors of a symmetric matrix. */
#ifndef TAC_EIGEN_H
#define TAC_EIGEN_H

#include "core/core.h"

/* matrix: d x d, symmetric, read from its upper triangle (row-major). The p algebraically largest
   eigenvalues, largest first, and vectors: d x p row-major, orthonormal columns, each column's
   entry of largest magnitude positive. Entries must be finite. The same bits on every processor:
   a release follows from what has left the door, wherever it is computed. Time ~ d^3 + d^2 p,
   memory ~ 3 d^2 numbers. */
tacit_status tac_top_eigen(tacit_ctx *ctx, const double *matrix, int32_t d, int32_t p,
                           double *values, double *vectors);

#endif
