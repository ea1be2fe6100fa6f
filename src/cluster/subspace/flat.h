/* SPDX-License-Identifier: Apache-2.0 */
/* One subspace of the lattice as it is released: a point, directions that depend on the subspace
   alone, mean squares along them. */
#ifndef TAC_FLAT_H
#define TAC_FLAT_H

#include "core/core.h"

typedef struct tac_flat {
    int32_t q, d;    /* as released: without the constant coordinate and its vector */
    double *vectors; /* q x d, orthonormal; the entry of largest magnitude of each is positive */
    double *point;   /* d: of the subspace, nearest to the middle; in the ball; 0: linear */
    /* q mean squares along the vectors, at least 0, largest first; meaningless if none were
       given */
    double *squares;
    double *room;
} tac_flat;

tacit_status tac_flat_new(tacit_ctx *ctx, int32_t q, int32_t d, tac_flat *out);
void tac_flat_clear(tac_flat *flat);

/* vectors: q x d. With squares (q; NULL: none) they stay as they are but for their order, largest
   first, and sign; without them they are turned into the subspace's canonical basis. */
tacit_status tac_flat_linear(tacit_ctx *ctx, const double *vectors, const double *squares,
                             tac_flat *flat);

/* vectors: (q + 1) x (d + 1), a linear subspace W of z = (y / sqrt 2, M / sqrt 2). With l the last
   coordinates of the vectors, W meets the plane of all z in the point y = M w / |l|, w the first d
   coordinates of W^T l / |l|, which is at right angles to the directions: those vectors of W whose
   last coordinate is 0. A point outside the ball is pulled onto it. If W hardly leaves the plane of
   last coordinate 0, there is no such point: it is the middle, and the directions are the first q
   vectors. squares (q + 1): along each vector, which must be principal: without cross moments. */
tacit_status tac_flat_affine(tacit_ctx *ctx, const double *vectors, const double *squares,
                             tac_flat *flat);

#endif
