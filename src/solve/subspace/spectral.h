/* SPDX-License-Identifier: Apache-2.0 */
/* Normalized spectral clustering of a graph that is given as a matrix to multiply with. No privacy,
   no I/O. */
#ifndef TAC_SPECTRAL_H
#define TAC_SPECTRAL_H

#include "engine/engine.h"

/* A symmetric n x n matrix with eigenvalues in [-1, 1]: y = A x for x, y of n x b numbers, row by
   row. */
typedef struct tac_operator {
    int64_t n;
    tacit_status (*times)(const void *state, const double *x, int32_t b, double *y);
    const void *state;
} tac_operator;

/* The p algebraically largest eigenvalues, largest first, and vectors, n x p row by row. Few rows:
   tac_top_eigen. Many: a block of p and some more vectors, filtered by Chebyshev polynomials that
   stay small on what is not wanted, until residuals are below 1e-5 or it does not get better.
   Multiple eigenvalues are no trouble: a graph of k parts has k times 1. */
tacit_status tac_leading(tacit_ctx *ctx, const tac_operator *a, int32_t p, uint64_t seed,
                         double *values, double *vectors);

/* Labels 0 .. k - 1: k-means (20 starts) on the rows of the leading k vectors, each row of length
   1. */
tacit_status tac_spectral(tacit_ctx *ctx, const tac_operator *a, int32_t k, uint64_t seed,
                          int32_t *label);

/* A symmetric graph: the neighbors of i are to[start[i]] .. to[start[i + 1] - 1], ascending, each
   once. */
typedef struct tac_graph {
    tacit_ctx *ctx;
    int64_t n;
    int64_t *start; /* n + 1 */
    int32_t *to;
    double *weight; /* > 0 */
    tac_engine engine;
} tac_graph;

/* Z + Z' of arrows: those of i go to to[first[i]] .. to[first[i + 1] - 1], with weights > 0. */
tacit_status tac_graph_new(tacit_ctx *ctx, int64_t n, const int64_t *first, const int32_t *to,
                           const double *weight, tac_graph *out);
void tac_graph_clear(tac_graph *graph);
/* part[i]: number of the connected part of i, by its first member; returns how many there are.
   room: n. */
int32_t tac_graph_parts(const tac_graph *graph, int32_t *room, int32_t *part);
/* Weights become those of D^-1/2 W D^-1/2, and the graph a matrix to multiply with. */
void tac_graph_normalise(tac_graph *graph, double *room /* n */);
tac_operator tac_graph_operator(const tac_graph *graph);

#endif
