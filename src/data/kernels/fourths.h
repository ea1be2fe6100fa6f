/* SPDX-License-Identifier: Apache-2.0 */
/* Fourth moments of rows: the same bits from every code path, block size and order of rows. */
#ifndef TAC_FOURTHS_H
#define TAC_FOURTHS_H

#include "core/core.h"

enum { TAC_FOURTHS_DIMS = 32 };

/* y_ij = x_i x_j / 2^15 rounded toward 0. entry[i <= j <= k <= l, in that order] += sum over
   rows of y_ij y_kl, modulo 2^64. rows: n x stride int16, none -2^15; dims at most
   TAC_FOURTHS_DIMS. scratch: tac_fourths_scratch bytes, 64-byte aligned, the worker's own.
   entry: tac_fourths_count(dims) words, added to. */
void tac_fourths(const int16_t *rows, int64_t n, int32_t stride, int32_t dims, void *scratch,
                 uint64_t *entry);
size_t tac_fourths_scratch(int32_t dims);
/* dims (dims + 1) (dims + 2) (dims + 3) / 24 */
size_t tac_fourths_count(int32_t dims);

#endif
