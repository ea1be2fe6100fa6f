/* SPDX-License-Identifier: Apache-2.0 */
/* The solvers that make a graph of the rows. unit: n x d, rows of length 1 or 0. Labels: 0 .. k -
   1, or -1 for rows that stand alone. */
#ifndef TAC_SOLVERS_INTERNAL_H
#define TAC_SOLVERS_INTERNAL_H

#include "solve/subspace/solvers.h"
#include "solve/subspace/spectral.h"

typedef struct tac_unit_rows {
    const double *unit;
    int64_t n;
    int32_t d;
} tac_unit_rows;

tacit_status tac_solve_tsc(tacit_ctx *ctx, const tac_unit_rows *rows,
                           const tac_plain_subspaces *opts, int32_t *label);
tacit_status tac_solve_tsc_simple(tacit_ctx *ctx, const tac_unit_rows *rows,
                                  const tac_plain_subspaces *opts, int32_t *label);
tacit_status tac_solve_ssc(tacit_ctx *ctx, const tac_unit_rows *rows,
                           const tac_plain_subspaces *opts, int32_t *label);
tacit_status tac_solve_lrr(tacit_ctx *ctx, const tac_unit_rows *rows,
                           const tac_plain_subspaces *opts, int32_t *label);

/* to: n x s: the rows with the s largest |<x_i, x_j>|, j != i, in no order, and those numbers; s <
   n. n^2 d multiplications at most, in tiles: of rows in groups of near directions far fewer;
   memory ~ n (s + d). Products are formed in single precision to choose, in double to report. */
tacit_status tac_neighbors(tacit_ctx *ctx, const tac_unit_rows *rows, int32_t s, int32_t *to,
                           double *product);

/* The coefficients of SSC: column j of the sparse n x n matrix C has rows to[first[j]] ..
   to[first[j + 1] - 1]. The caller frees all three. */
tacit_status tac_ssc_coefficients(tacit_ctx *ctx, const tac_unit_rows *rows, int64_t **first,
                                  int32_t **to, double **value);

/* A graph (used up) and its spectral clusters; a row without neighbors gets -1. */
tacit_status tac_graph_cluster(tacit_ctx *ctx, tac_graph *graph, int32_t k, uint64_t seed,
                               int32_t *label);

#endif
