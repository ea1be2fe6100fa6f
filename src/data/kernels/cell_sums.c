/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and counts of rows by cell, exact modulo 2^64, by two code paths.

   Narrow rows are added to int32 partial sums that stay in L1, several copies in turn: a row need
   not wait for the store of the row before. Wide rows are first put in order of their cell, a chunk
   at a time, and a cell's sum then grows in registers. They are integers: both code paths give the
   same bits. */
#include "data/kernels/nearest_internal.h"

#include <string.h>

enum {
    NARROW = 32, /* coordinates of a narrow row, at most */
    CELLS = 256, /* partial sums are for no more cells than this: 256 x 32 x int32 are 32 KiB */
    SCRATCH = CELLS * NARROW,
    COPIES = 4,
    FLUSH = 32768, /* rows between two flushes: 32768 * 32768 < 2^31, so int32 never wraps */
    /* rows are put in order for no more cells than this; with more, most have a row or two */
    ORDERED = 1024,
    CHUNK = 4096,     /* rows put in order together, at most */
    VECTOR_MOST = 16, /* int32 in the longest vector of any path */
};

/* The arguments of tac_cell_sums, or a part of its rows. A whole vector may be read at the end
   of each of the n rows, so memory must go on behind the last. */
typedef struct job {
    const int16_t *rows;
    const int32_t *label;
    int64_t n;
    int32_t stride, dims, k;
    uint64_t *sums;
} job;

typedef int16_t int16_x4 __attribute__((vector_size(8)));
typedef int32_t int32_x4 __attribute__((vector_size(16)));

/* Four int16 as int32: the portable WIDEN. */
INLINE int32_x4 widen_4(const int16_t *from)
{
    int16_x4 narrow;
    memcpy(&narrow, from, sizeof narrow);
    return __builtin_convertvector(narrow, int32_x4);
}

#define KERNEL "data/kernels/cell_sums_path.h"
#include "core/each_path.h"

static void (*const add_narrow[])(const job *a) = {PATHS(add_narrow)};
static void (*const add_run[])(const job *a, const uint16_t *list,
                               int32_t count) = {PATHS(add_run)};

/* sums += rows, at most CHUNK of them, in order of their cell. Within a cell the order of rows
   stays; it would not show anyway. */
static void add_ordered(const job *a, int level)
{
    uint16_t list[CHUNK], end[ORDERED + 1] = {0};

    if (a->k > ORDERED) {
        for (int64_t i = 0; i < a->n; i++) {
            const uint16_t one = (uint16_t)i;
            add_run[level](a, &one, 1);
        }
        return;
    }
    /* Counting sort: end[c] is first where cell c starts, then, all its rows listed, where it
       ends. */
    for (int64_t i = 0; i < a->n; i++) end[a->label[i] + 1]++;
    for (int32_t c = 0; c < a->k; c++) end[c + 1] = (uint16_t)(end[c + 1] + end[c]);
    for (int64_t i = 0; i < a->n; i++) list[end[a->label[i]]++] = (uint16_t)i;
    for (int32_t c = 0, from = 0; c < a->k; from = end[c], c++)
        if (end[c] > from) add_run[level](a, list + from, end[c] - from);
}

/* counts[c] += rows with label c. COPIES counters in turn: consecutive rows are often in one
   cell, and an increment would wait for the one before. */
static void add_counts(const int32_t *label, int64_t n, int32_t k, uint64_t *counts)
{
    if (k <= CELLS && n >= k) {
        uint64_t part[COPIES][CELLS] = {{0}};
        int64_t i = 0;
        for (; i <= n - COPIES; i += COPIES)
            for (int c = 0; c < COPIES; c++) part[c][label[i + c]]++;
        for (; i < n; i++) part[0][label[i]]++;
        for (int32_t c = 0; c < k; c++)
            counts[c] += part[0][c] + part[1][c] + part[2][c] + part[3][c];
    } else {
        for (int64_t i = 0; i < n; i++) counts[label[i]]++;
    }
}

/* Narrow rows: FLUSH rows at a time into int32 partial sums. Others: about a cache of rows at a
   time, sorted by cell. The last rows one number at a time, because vectors read past the end of
   a row. */
void tac_cell_sums(const int16_t *rows, int64_t n, int32_t stride, int32_t dims,
                   const int32_t *label, int32_t k, uint64_t *sums, uint64_t *counts)
{
    const int level = tac_cpu();
    const bool narrow = dims <= NARROW && k <= CELLS && n >= k;
    /* Vectors reach past the end of a row into the rows after it; the last rows have none. */
    const int32_t reach = dims + VECTOR_MOST - 1;
    const int64_t last = n < reach / stride ? n : reach / stride;
    const int64_t fitting = tac_nearest_tile(stride), most = narrow            ? FLUSH
                                                             : fitting < CHUNK ? fitting
                                                                               : CHUNK;

    for (int64_t i = 0; i < n - last; i += most) {
        const job part = {.rows = rows + i * stride,
                          .label = label + i,
                          .n = n - last - i < most ? n - last - i : most,
                          .stride = stride,
                          .dims = dims,
                          .k = k,
                          .sums = sums};
        if (narrow)
            add_narrow[level](&part);
        else
            add_ordered(&part, level);
    }
    for (int64_t i = n - last; i < n; i++)
        for (int32_t j = 0; j < dims; j++)
            sums[(ptrdiff_t)label[i] * dims + j] += (uint64_t)(int64_t)rows[i * stride + j];
    if (counts != NULL) add_counts(label, n, k, counts);
}
