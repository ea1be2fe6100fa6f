/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and counts of sparse rows by cell: integers modulo 2^64, so the order of rows cannot
   show. */
#include "data/kernels/nearest.h"

/* sums[label_i, column_e] += value_e over the entries e of every point i; counts[label_i]++.
   Modulo 2^64. An entry costs one addition in memory that is rarely in a cache: k x dims words
   are megabytes. Sorting first would not make them fewer. */
void tac_cell_sums_sparse(const int64_t *start, const int32_t *column, const int16_t *value,
                          int64_t n, int32_t dims, const int32_t *label, int32_t k, uint64_t *sums,
                          uint64_t *counts)
{
    (void)k;
    for (int64_t i = 0; i < n; i++) {
        uint64_t *sum = sums + (size_t)label[i] * (size_t)dims;
        for (int64_t e = start[i]; e < start[i + 1]; e++)
            sum[column[e]] += (uint64_t)(int64_t)value[e];
        counts[label[i]]++;
    }
}
