/* SPDX-License-Identifier: Apache-2.0 */
/* Second moments of sparse points, exact modulo 2^64. */
#include "data/kernels/sparse_squares.h"

/* Row a of the triangle starts at a (2 dims - a + 1) / 2, and its first number is that of column
   a. */
void tac_sparse_squares(const int64_t *start, const int32_t *column, const int16_t *value,
                        int64_t n, int32_t dims, const int32_t *label, uint64_t *entry)
{
    const size_t wide = (size_t)dims, triangle = wide * (wide + 1) / 2;

    for (int64_t i = 0; i < n; i++) {
        uint64_t *own = entry + (size_t)label[i] * triangle;
        const int32_t *restrict at = column + start[i];
        const int16_t *restrict x = value + start[i];
        const int64_t count = start[i + 1] - start[i];
        for (int64_t e = 0; e < count; e++) {
            const size_t a = (size_t)at[e];
            uint64_t *line = own + a * (2 * wide - a + 1) / 2;
            const int32_t xa = x[e];
            for (int64_t f = e; f < count; f++)
                line[(size_t)at[f] - a] += (uint64_t)(int64_t)(xa * x[f]);
        }
    }
}
