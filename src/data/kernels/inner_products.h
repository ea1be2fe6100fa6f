/* SPDX-License-Identifier: Apache-2.0 */
/* Inner products of rows, sparse or dense, with public vectors, and the largest of them. In
   integers: the same bits from every code path, block size and position. */
#ifndef TAC_INNER_PRODUCTS_H
#define TAC_INNER_PRODUCTS_H

#include "core/core.h"

/* vectors worked on together: their products stay in a core's first cache */
enum { TAC_PRODUCTS = 256 };

/* Public vectors laid out for sparse rows: for every coordinate, the numbers of all vectors side by
   side. */
typedef struct tac_vectors {
    int32_t count, dims;
    /* vectors of a block: count or TAC_PRODUCTS, rounded up to a whole register; the rest is
       zero */
    int32_t width;
    int32_t blocks;
    int16_t *number; /* blocks x dims x width */
    int64_t *offset; /* count */
} tac_vectors;

/* vectors: count x dims, each |.|_2 <= TAC_M (the caller has clipped them); offset: count numbers,
   NULL: 0. */
tacit_status tac_vectors_open(tacit_ctx *ctx, const int16_t *vectors, const int64_t *offset,
                              int32_t count, int32_t dims, tac_vectors *out);
void tac_vectors_close(tac_vectors *vectors);

/* product[v] = <x, vector_v> of block `block`, width numbers, 64-byte aligned: a sparse point, or
   (column NULL) a dense one. Fits int32 because |x|, |vector| <= TAC_M (Cauchy-Schwarz, also for
   partial sums). */
void tac_products(const tac_vectors *vectors, int32_t block, const int32_t *column,
                  const int16_t *value, int64_t entries, int32_t *product);

/* label[i] = argmax_c ( <x_i, c> + offset_c ), ties to the lowest c. Sparse points: entries of
   point i are start[i] .. start[i+1]-1. */
void tac_argmax_sparse(const tac_vectors *vectors, const int64_t *start, const int32_t *column,
                       const int16_t *value, int64_t n, int32_t *label);
void tac_argmax(const tac_vectors *vectors, const int16_t *rows, int64_t n, int32_t stride,
                int32_t *label);

#endif
