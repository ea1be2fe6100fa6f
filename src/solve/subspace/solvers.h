/* SPDX-License-Identifier: Apache-2.0 */
/* The plain solvers of subspace clustering behind one call. No privacy, no I/O: for the owner of
   the rows, and on parts of them. */
#ifndef TAC_SOLVERS_H
#define TAC_SOLVERS_H

#include "core/core.h"

typedef struct tac_plain_subspaces {
    tacit_subspace_solver solver;
    int32_t k, q;
    int32_t restarts; /* k-plane */
    /* TSC: of each row; 0: a twelfth of the rows that a cluster has on average, q + 2 at least,
       TAC_TSC_MOST at most */
    int32_t neighbors;
    uint64_t seed;
} tac_plain_subspaces;

#define TAC_TSC_MOST 64
#define TAC_TSC_ROWS 200000 /* the most rows of TSC: time ~ n^2 d at most */
#define TAC_SSC_ROWS 10000  /* of SSC and LRR: time ~ n^2 d, and LRR holds n^2 numbers */
/* The most rows that a solver takes; k-plane: INT64_MAX. */
int64_t tac_solver_rows(tacit_subspace_solver solver);

/* points: n x d, finite; 1 <= q <= d. bases: k x q x d out; cost: mean squared distance to the
   nearest; label: n out: the solver's own clusters (not always the nearest subspaces).
   Deterministic for a seed, whatever the threads. No rows, too few, all zero or in too few
   directions: some subspaces, without complaint. More than tac_solver_rows: refused. */
tacit_status tac_solve_subspaces(tacit_ctx *ctx, const double *points, int64_t n, int32_t d,
                                 const tac_plain_subspaces *opts, double *bases, double *cost,
                                 int32_t *label);

#endif
