/* SPDX-License-Identifier: Apache-2.0 */
/* Subspaces of one dimension, each given by q orthonormal vectors of d numbers, one after the
   other: how far they are apart, which of one set stands for which of another, and a basis that
   depends on the subspace alone. No privacy, no I/O. */
#ifndef TAC_SUBSPACES_H
#define TAC_SUBSPACES_H

#include "core/core.h"

/* The two norms in use differ by a factor: |UU' - VV'|_F = sqrt 2 |sin Theta|_F, Theta the
   principal angles. The first is 0 .. sqrt(2 q). */
typedef enum tac_gap { TAC_GAP_PROJECTORS = 0, TAC_GAP_SINES = 1 } tac_gap;

/* The squared distance of two subspaces. Accurate for small angles. room: q doubles. */
double tac_subspace_gap(const double *a, const double *b, int32_t q, int32_t d, tac_gap norm,
                        double *room);

/* to[i] of row i, all different, with the least sum of cost[i * k + to[i]]; cost: k x k, finite.
   Time ~ k^3 (Hungarian method). */
tacit_status tac_match(tacit_ctx *ctx, const double *cost, int32_t k, int32_t *to, double *total);

/* d_W of Wang, Wang & Singh 2015, Eq. 2: root of the least sum of squared distances over all ways
   to pair k subspaces with k others. to: which of b stands for which of a; NULL: not wanted. */
tacit_status tac_subspaces_gap(tacit_ctx *ctx, const double *a, const double *b, int32_t k,
                               int32_t q, int32_t d, tac_gap norm, double *out, int32_t *to);

/* A basis of the same subspace that depends on the subspace alone: Gram-Schmidt on the columns P
   e_j of its projector, the longest rest first (of rests within a millionth of the longest, that of
   the lowest j). So entry j of the vector that j gave is positive, and 0 in all later vectors.
   room: 2 q d + q doubles. */
void tac_canonical_basis(double *basis, int32_t q, int32_t d, double *room);

/* count vectors become orthonormal, in their order; what depends on earlier ones is replaced by
   unit vectors of axes. count <= d. */
void tac_orthonormalise(double *vectors, int32_t count, int32_t d);

/* k subspaces that depend on nothing: number c is spanned by the axes c q, c q + 1, ..., counted
   around. For parts without rows. */
void tac_axes_bases(int32_t k, int32_t q, int32_t d, double *bases);

#endif
