/* SPDX-License-Identifier: Apache-2.0 */
/* Second moments of rows by cell: the same bits from every code path, block size and order of
   rows. */
#ifndef TAC_CELL_SQUARES_H
#define TAC_CELL_SQUARES_H

#include "core/core.h"

/* Rows of one cell that are added up together, at most: fewer at a time cost more. */
enum { TAC_SQUARES_PANEL = 512 };

/* entry[c * d (d + 1) / 2 + ...] += upper triangle of the sum of x x^T over the rows with label
   c, row by row, modulo 2^64. rows: n x stride int16, any values. label: n numbers, 0 .. k - 1.
   scratch: tac_cell_squares_scratch bytes, 64-byte aligned, the worker's own. entry is added to,
   never cleared: the caller zeroes it. */
void tac_cell_squares(const int16_t *rows, int64_t n, int32_t stride, int32_t dims,
                      const int32_t *label, int32_t k, void *scratch, uint64_t *entry);
/* Bytes of scratch for at most `rows` rows at a time. */
size_t tac_cell_squares_scratch(int64_t rows, int32_t dims);

#endif
