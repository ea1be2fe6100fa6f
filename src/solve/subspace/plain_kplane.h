/* SPDX-License-Identifier: Apache-2.0 */
/* Plain k-plane: every row to the subspace nearest to it, every subspace to the leading principal
   components of its rows (about the origin), in turn, from many starts. No privacy, no I/O. */
#ifndef TAC_PLAIN_KPLANE_H
#define TAC_PLAIN_KPLANE_H

#include "core/core.h"

typedef struct tac_kplane {
    int32_t k, q;
    /* k: dimension of each subspace, 0 .. q; NULL: all q. Of fewer than q the rest of the vectors
       are 0 */
    const int32_t *rank;
    /* starts: odd ones from directions drawn uniformly at random, even ones from rows and what
       is near them */
    int32_t restarts;
    int32_t iterations; /* at most this many turns each */
    double tolerance;   /* stop when the cost falls by less than this share */
    uint64_t seed;
} tac_kplane;

/* points: n x d, finite; q <= d. bases: k x q x d out; cost: mean squared distance to the nearest
   subspace; label: n or NULL. Ties go to the lowest subspace; one that loses all its rows starts
   again from rows far from all. With many rows the starts compete on TAC_KPLANE_SAMPLE of them,
   drawn by the seed, and the best goes on with all: time of a turn ~ n d (k q + d), and few turns
   see all rows. The result depends on the seed, never on the number of threads. n = 0: subspaces of
   axes. */
#define TAC_KPLANE_SAMPLE 20000
tacit_status tac_solve_kplane(tacit_ctx *ctx, const double *points, int64_t n, int32_t d,
                              const tac_kplane *opts, double *bases, double *cost, int32_t *label);

/* One assignment: label (or NULL) and mean cost of given subspaces, k x q x d. rank as above. */
tacit_status tac_assign_planes(tacit_ctx *ctx, const double *points, int64_t n, int32_t d,
                               const double *bases, int32_t k, int32_t q, const int32_t *rank,
                               double *cost, int32_t *label);

/* Leading q principal directions, about the origin, of the rows with each label; labels without
   rows get axes. Rows of other labels than 0 .. k - 1 are left out. */
tacit_status tac_planes_of_labels(tacit_ctx *ctx, const double *points, int64_t n, int32_t d,
                                  const int32_t *label, int32_t k, int32_t q, double *bases);

#endif
