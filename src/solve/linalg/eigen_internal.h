/* SPDX-License-Identifier: Apache-2.0 */
/* The two steps to eigenvectors: A = Q T Q^T with T tridiagonal, T = G D G^T with D diagonal. Q and
   G are kept as what they are made of, and meet only the vectors that are wanted. */
#ifndef TAC_EIGEN_INTERNAL_H
#define TAC_EIGEN_INTERNAL_H

#include "core/core.h"

enum { TAC_EIGEN_LANES = 8 }; /* vectors in a panel; numbers that are added up side by side */

/* Q = H_0 H_1 ..., H_k = I - u_k u_k^T. */
typedef struct tac_tridiagonal {
    size_t d, size;            /* size: d, up to full lanes */
    double *a;                 /* size x size; then row k holds u_k, which begins at k + 1 */
    double *diagonal, *beside; /* size; beside[i] stands between i and i + 1 */
    double *u, *w, *x, *y;     /* size */
} tac_tridiagonal;

/* Opens with zeros; the caller fills the upper triangle, row-major with `size` numbers a row and
   magnitudes of at most 1, then reduces. */
tacit_status tac_tridiagonal_open(tacit_ctx *ctx, int32_t d, tac_tridiagonal *t);
tacit_status tac_tridiagonal_reduce(tacit_ctx *ctx, tac_tridiagonal *t);
void tac_tridiagonal_close(tac_tridiagonal *t);

/* panel (d x TAC_EIGEN_LANES, aligned) = Q panel. */
void tac_tridiagonal_back(const tac_tridiagonal *t, double *panel);

typedef struct tac_rotation {
    double c, s;
} tac_rotation;

/* Rotations of rows i and i + 1 for i = high - 1 down to low, one after the other. */
typedef struct tac_sweep {
    size_t low, high, first; /* first: where its rotations begin */
} tac_sweep;

typedef struct tac_sweeps {
    tac_rotation *rotation;
    tac_sweep *sweep;
    size_t rotations, sweeps, rotation_room, sweep_room;
} tac_sweeps;

/* diagonal (d): the eigenvalues, in no order; beside (d) is used up. The caller closes *out. */
tacit_status tac_diagonalise(tacit_ctx *ctx, size_t d, double *diagonal, double *beside,
                             tac_sweeps *out);
void tac_sweeps_close(tac_sweeps *s);

/* panel (d x TAC_EIGEN_LANES, aligned) = G panel. */
void tac_sweeps_back(const tac_sweeps *s, double *panel);

#endif
