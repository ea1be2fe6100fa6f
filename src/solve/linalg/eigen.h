/* SPDX-License-Identifier: Apache-2.0 */
/* Leading eigenvectors of a symmetric matrix (LAPACK). */
#ifndef TAC_EIGEN_H
#define TAC_EIGEN_H

#include "core/core.h"

/* matrix: d x d, symmetric, read from its upper triangle (row-major), overwritten. The p
   algebraically largest eigenvalues, largest first, and vectors: d x p row-major, orthonormal
   columns, each column's entry of largest magnitude positive. The same bits for any number of
   threads. Entries must be finite. */
tacit_status tac_top_eigen(tacit_ctx *ctx, double *matrix, int32_t d, int32_t p, double *values,
                           double *vectors);

#endif
