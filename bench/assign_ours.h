/* SPDX-License-Identifier: Apache-2.0 */
/* Assignment and per-cell sums over several threads, as the benchmarks time it. */
#ifndef TAC_BENCH_ASSIGN_OURS_H
#define TAC_BENCH_ASSIGN_OURS_H

#include <stdint.h>

/* One pass, centers laid out and threads started inside; seconds taken, or a negative number on
   failure. path as for tac_cpu_use. Lattice rows are n x stride, stride even. */
double bench_assign_ours(const int16_t *rows, int64_t n, int32_t stride, int32_t dims,
                         const int16_t *centers, int32_t k, int threads, const char *path,
                         int32_t *label, uint64_t *sums, uint64_t *counts);

#endif
