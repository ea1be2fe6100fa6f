/* SPDX-License-Identifier: Apache-2.0 */
/* Second moments of sparse points: a point costs the number of pairs of its entries. */
#ifndef TAC_SPARSE_SQUARES_H
#define TAC_SPARSE_SQUARES_H

#include "core/core.h"

/* entry[label_i][triangle(a, b)] += x_ia x_ib over the pairs a <= b of entries of every point i,
   where triangle(a, b) counts the upper triangle row by row. Modulo 2^64; entry is added to.
   Entries of point i are start[i] .. start[i+1]-1, columns ascending. */
void tac_sparse_squares(const int64_t *start, const int32_t *column, const int16_t *value,
                        int64_t n, int32_t dims, const int32_t *label, uint64_t *entry);

#endif
