/* SPDX-License-Identifier: Apache-2.0 */
/* Second moments by cell, exact: what moments, local moments and the Bingham and Gibbs draws add
   up.

   Products of 16-bit numbers are integers of at most 2^30. The sums of a panel of rows are formed
   where they are exact and fast, and then added to 64-bit integers: on vector paths in 32 bits,
   where they do not fit with each number taken apart into its high and its low byte; in plain C in
   doubles, which hold sums of fewer than 2^21 such products, integers below 2^51, exactly. */
#include "data/kernels/cell_squares.h"

#include <string.h>

#include "core/cpu.h"
#include "data/kernels/whole_doubles.h"

enum {
    APART_MOST = 256,        /* rows whose sums fit 32 bits once taken apart, see the paths */
    PANEL_BYTES = 832 << 10, /* bytes of a panel, about: it stays in L2 */
    ORDERED = 1024,          /* rows are sorted by cell for at most so many cells */
    CHUNK = 16384,           /* rows sorted together, at most */
    AHEAD = 4,               /* rows prefetched ahead of their use */
    SHORT = 3,               /* so few rows of one cell are not worth a panel */
    LANES_MOST = 16,         /* columns in a register, on any path; a multiple of TAC_GROUP */
    LANES_LEAST = 8,         /* ... on a vector path */
    ALIGNED = 64
};

/* The panel at work. pack is the worker's scratch; entry is the current cell's. */
typedef struct job {
    const int16_t *rows;
    int32_t stride, dims;
    int32_t panel;   /* rows it has room for */
    void *pack;      /* plain C: groups x panel x TAC_GROUP doubles; vectors: pairs of rows */
    uint32_t *reach; /* vectors: how long the columns of each group are, in the panel */
    uint64_t *entry; /* the triangle of one cell */
} job;

#define KERNEL "data/kernels/cell_squares_path.h"
#include "core/each_path.h"

static void (*const convert[])(const job *a, const uint16_t *list, int32_t count,
                               void *pack) = {PATHS(convert)};
static void (*const add_panel[])(const job *a, int32_t count) = {PATHS(add_panel)};

/* Bytes of a row in a panel: doubles in plain C, 16-bit numbers otherwise, in whole registers. */
static size_t row_bytes(int32_t dims, int level)
{
    const size_t numbers = ((size_t)dims + LANES_MOST - 1) / LANES_MOST * LANES_MOST;
    return numbers * (level == 0 ? sizeof(double) : sizeof(int16_t));
}

/* Rows of a panel: as many as PANEL_BYTES hold, a multiple of 8, within 16 .. TAC_SQUARES_PANEL. */
static int32_t panel_rows(int32_t dims, int level)
{
    const size_t fitting = PANEL_BYTES / row_bytes(dims, level) / 8 * 8;
    return fitting > TAC_SQUARES_PANEL ? TAC_SQUARES_PANEL : fitting < 16 ? 16 : (int32_t)fitting;
}

static size_t panel_bytes(int32_t dims, int level)
{
    return row_bytes(dims, level) * (size_t)panel_rows(dims, level);
}

/* Scratch: a list of rows in order of their cell, then the panel of any path, behind one of vectors
   how long its columns are. */
size_t tac_cell_squares_scratch(int64_t rows, int32_t dims)
{
    const size_t list = (size_t)(rows < CHUNK ? rows : CHUNK) * sizeof(uint16_t);
    const size_t groups = ((size_t)dims + LANES_LEAST - 1) / LANES_LEAST;
    const size_t doubles = panel_bytes(dims, 0),
                 pairs = panel_bytes(dims, 1) + groups * sizeof(uint32_t);
    return (list + ALIGNED - 1) / ALIGNED * ALIGNED + (doubles > pairs ? doubles : pairs);
}

/* entry += upper triangle of x x^T, row by row, for one row. |x_a x_b| <= 2^30 fits int32. */
static void add_row(const int16_t *x, int32_t dims, uint64_t *entry)
{
    for (int32_t a = 0; a < dims; a++) {
        const int32_t xa = x[a];
        for (int32_t b = a; b < dims; b++) entry[b - a] += (uint64_t)(int64_t)(xa * x[b]);
        entry += dims - a;
    }
}

/* entry += sum of x x^T over the rows of one cell: those in the list, or (NULL) the first count.
   a->rows moves along and is put back. */
static void add_run(job *a, const uint16_t *list, int32_t count, int level)
{
    const int16_t *rows = a->rows;

    if (count <= SHORT)
        for (int32_t i = 0; i < count; i++)
            add_row(rows + (list == NULL ? i : list[i]) * (ptrdiff_t)a->stride, a->dims, a->entry);
    else
        for (int32_t first = 0, parts = (count + a->panel - 1) / a->panel, part; first < count;
             first += part, parts--) {
            /* even parts: adding up a panel costs the same however few rows it has */
            part = (count - first + parts - 1) / parts;
            if (list == NULL) a->rows = rows + (ptrdiff_t)first * a->stride;
            convert[level](a, list == NULL ? NULL : list + first, part, a->pack);
            add_panel[level](a, part);
        }
    a->rows = rows;
}

/* Three ways: one cell needs no order; many cells have a row or two each and go row by row;
   otherwise a chunk of rows is sorted by cell, and the rows of a cell share panels. */
void tac_cell_squares(const int16_t *rows, int64_t n, int32_t stride, int32_t dims,
                      const int32_t *label, int32_t k, void *scratch, uint64_t *entry)
{
    const int level = tac_cpu();
    const size_t triangle = (size_t)dims * ((size_t)dims + 1) / 2;
    const size_t list_bytes = (size_t)(n < CHUNK ? n : CHUNK) * sizeof(uint16_t);
    job a = {.stride = stride,
             .dims = dims,
             .panel = panel_rows(dims, level),
             .pack = (char *)scratch + (list_bytes + ALIGNED - 1) / ALIGNED * ALIGNED};
    uint16_t *list = scratch, end[ORDERED + 1];

    a.reach = (uint32_t *)(void *)((char *)a.pack + panel_bytes(dims, level));
    for (int64_t from = 0; from < n; from += CHUNK) {
        const int32_t count = n - from < CHUNK ? (int32_t)(n - from) : CHUNK;
        const int32_t *cell = label + from;
        a.rows = rows + from * stride;
        if (k == 1) {
            a.entry = entry;
            add_run(&a, NULL, count, level);
        } else if (k > ORDERED) { /* most cells have a row or two */
            for (int32_t i = 0; i < count; i++)
                add_row(a.rows + (ptrdiff_t)i * stride, dims, entry + (size_t)cell[i] * triangle);
        } else {
            /* Counting sort: end[c] is where cell c starts; once its rows are listed, where it
               ends. */
            memset(end, 0, ((size_t)k + 1) * sizeof *end);
            for (int32_t i = 0; i < count; i++) end[cell[i] + 1]++;
            for (int32_t c = 0; c < k; c++) end[c + 1] = (uint16_t)(end[c + 1] + end[c]);
            for (int32_t i = 0; i < count; i++) list[end[cell[i]]++] = (uint16_t)i;
            for (int32_t c = 0, first = 0; c < k; first = end[c], c++) {
                a.entry = entry + (size_t)c * triangle;
                if (end[c] > first) add_run(&a, list + first, end[c] - first, level);
            }
        }
    }
}
