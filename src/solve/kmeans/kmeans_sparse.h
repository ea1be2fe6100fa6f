/* SPDX-License-Identifier: Apache-2.0 */
/* Plain k-means and k-median of sparse points: a step costs what the entries cost. No privacy: for
   evaluation only. */
#ifndef TAC_KMEANS_SPARSE_H
#define TAC_KMEANS_SPARSE_H

#include "solve/kmeans/plain_kmeans.h"

typedef struct tac_csr {
    int64_t n;
    int32_t d;
    const int64_t *start;  /* n + 1: entries of point i are start[i] .. start[i+1]-1 */
    const int32_t *column; /* each at most once in a point */
    const double *value;   /* finite */
} tac_csr;

/* Centers laid out for sparse points: at[j * k + c] is coordinate j of center c. */
typedef struct tac_across {
    int32_t k;
    double *at;     /* d x k */
    double *square; /* k: |c|^2 */
} tac_across;
tacit_status tac_across_new(tacit_ctx *ctx, int32_t k, int32_t d, tac_across *out);
void tac_across_clear(tac_across *across);
/* The nearest center of one point, |x|^2 + |c|^2 - 2 <x, c>, ties to the lowest index. room: k
   doubles. */
int32_t tac_across_nearest(const tac_across *across, const int32_t *column, const double *value,
                           int64_t count, double *room, double *squared);

/* As tac_solve_kmeans or tac_solve_kmedian with weights of 1 and no swaps; cost only. Memory ~ 2 k
   d + n. */
tacit_status tac_solve_sparse(tacit_ctx *ctx, const tac_csr *points, bool median,
                              const tac_plain_kmeans *opts, double *cost);

#endif
