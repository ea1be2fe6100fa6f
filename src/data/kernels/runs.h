/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of few coordinates as seen from their cell, taken in order of their cell: what is public
   about a cell stays in registers while its rows go by, and so do their sums. The same bits as
   tac_local_place or tac_local_squared followed by plain loops. Ranges: runs.proof.md */
#ifndef TAC_RUNS_H
#define TAC_RUNS_H

#include "data/kernels/local.h"

/* Does this map go this way on this machine? At most 16 coordinates and 1024 cells, no taxicab. */
bool tac_runs_fit(const tac_local_map *map);
/* Bytes of scratch that the functions below want, 64-byte aligned, the worker's own. */
size_t tac_runs_scratch(void);

/* Rows below: n x stride, |x|_2 <= M, an odd row padded with a zero; cell: the cell of each. */
typedef struct tac_runs_rows {
    const int16_t *rows;
    int64_t n;
    int32_t stride;
    const int32_t *cell;
} tac_runs_rows;

/* For u as tac_local_place has it: counts[c] += 1, sums[c, j] += u_j, square[c] += |u|^2,
   moments[c, triangle] += u u^T, modulo 2^64; each NULL if not wanted. */
typedef struct tac_runs_sums {
    uint64_t *counts, *sums, *square, *moments;
} tac_runs_sums;
void tac_runs_add(const tac_local_map *map, const tac_runs_rows *rows, void *scratch,
                  const tac_runs_sums *out);
/* words[c, floor((<u, direction_c> + M^2) bins / (2 M^2 + 1))] += one */
void tac_runs_project(const tac_local_map *map, const tac_local_map *direction,
                      const tac_runs_rows *rows, void *scratch, int32_t bins, uint64_t one,
                      uint64_t *words);
/* words[b] += one, b the number of edges of cell c below |x - c|^2; edge: k x 2^bits, ascending,
   TAC_RUNS_BITS bits at most; the last edge of a cell is 2^32 - 1. */
#define TAC_RUNS_BITS 6
void tac_runs_distances(const tac_local_map *map, const tac_runs_rows *rows, void *scratch,
                        const uint32_t *edge, int32_t bits, uint64_t one, uint64_t *words);

#endif
