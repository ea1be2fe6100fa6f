/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest public center and sums by cell, in integers. Labels and sums are pure functions of
   (row, public centers): the same bits from every code path (portable, AVX2, AVX-512), block
   size and position. */
#ifndef TAC_NEAREST_H
#define TAC_NEAREST_H

#include "core/core.h"

/* Public centers laid out for the kernels. */
typedef struct tac_centers tac_centers;

/* centers: k x dims lattice points (row-major, no padding), each |c|_2 <= TAC_M (the caller has
   clipped them). */
tacit_status tac_centers_new(tacit_ctx *ctx, const int16_t *centers, int32_t k, int32_t dims,
                             tac_centers **out);
void tac_centers_free(tac_centers *centers);

/* label[i] = argmax_c ( <x_i, c> - floor(|c|^2 / 2) ), ties to the lowest c: the nearest center,
   up to rounding of |c|^2 / 2. Everything fits int32 because |x|, |c| <= TAC_M (Cauchy-Schwarz,
   also for partial sums). rows: n x stride int16, stride even, padding zero, 2-byte aligned is
   enough. */
void tac_nearest(const tac_centers *centers, const int16_t *rows, int64_t n, int32_t stride,
                 int32_t *label);

/* sums[c * dims + j] += sum of x_ij over rows with label c; counts[c] += their number (NULL: not
   wanted). Modulo 2^64. */
void tac_cell_sums(const int16_t *rows, int64_t n, int32_t stride, int32_t dims,
                   const int32_t *label, int32_t k, uint64_t *sums, uint64_t *counts);

/* The same for sparse points: entries of point i are start[i] .. start[i+1]-1. */
void tac_cell_sums_sparse(const int64_t *start, const int32_t *column, const int16_t *value,
                          int64_t n, int32_t dims, const int32_t *label, int32_t k, uint64_t *sums,
                          uint64_t *counts);

/* Rows to hand to tac_nearest and then to tac_cell_sums at a time, so that the second finds them in
   a core's L2 cache: about 256 KiB of them. Results do not depend on it. */
static inline int64_t tac_nearest_tile(int32_t stride)
{
    const int64_t rows = 131072 / (stride < 1 ? 1 : stride) / 64 * 64;
    return rows < 64 ? 64 : rows;
}

#endif
