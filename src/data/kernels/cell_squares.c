/* SPDX-License-Identifier: Apache-2.0 */
/* Second moments by cell, exact, at the speed of floating point: what moments, local moments and
   the Bingham and Gibbs draws add up.

   Products of 16-bit numbers are integers of at most 2^30, and sums of fewer than 2^21 of them
   are integers below 2^51, which doubles hold exactly: in any order, fused or not, every
   operation below is without rounding. So the sums of a panel of rows are formed in doubles,
   where processors have their fastest multiply-and-add, and added to 64-bit integers. */
#include "data/kernels/cell_squares.h"

#include <string.h>

#include "core/cpu.h"
#include "data/kernels/whole_doubles.h"

enum {
    PANEL_MOST = 256,        /* rows in a panel, at most: far below 2^21 */
    PANEL_BYTES = 832 << 10, /* bytes of a panel, about: it stays in L2 */
    ORDERED = 1024,          /* rows are sorted by cell for at most so many cells */
    CHUNK = 16384,           /* rows sorted together, at most */
    AHEAD = 4,               /* rows prefetched ahead of their use */
    SHORT = 3                /* so few rows of one cell are not worth a panel */
};

/* The panel at work. pack is the worker's scratch; entry is the current cell's. */
typedef struct job {
    const int16_t *rows;
    int32_t stride, dims;
    int32_t panel;   /* rows it has room for */
    double *pack;    /* groups x panel x TAC_GROUP */
    uint64_t *entry; /* the triangle of one cell */
} job;

#define KERNEL "data/kernels/cell_squares_path.h"
#include "core/each_path.h"

static void (*const convert[])(const job *a, const uint16_t *list, int32_t count,
                               double *pack) = {PATHS(convert)};
static void (*const add_panel[])(const job *a, int32_t count) = {PATHS(add_panel)};

/* Groups of TAC_GROUP coordinates that hold dims of them. */
static size_t groups_of(int32_t dims)
{
    return ((size_t)dims + TAC_GROUP - 1) / TAC_GROUP;
}

/* Rows of a panel: as many as PANEL_BYTES hold, a multiple of 8, within 16 .. PANEL_MOST. */
static int32_t panel_rows(int32_t dims)
{
    const size_t fitting = PANEL_BYTES / (groups_of(dims) * TAC_GROUP * sizeof(double)) / 8 * 8;
    return fitting > PANEL_MOST ? PANEL_MOST : fitting < 16 ? 16 : (int32_t)fitting;
}

/* Scratch: the panel, then a list of rows in order of their cell. */
size_t tac_cell_squares_scratch(int64_t rows, int32_t dims)
{
    const size_t list = (size_t)(rows < CHUNK ? rows : CHUNK) * sizeof(uint16_t);
    return groups_of(dims) * TAC_GROUP * (size_t)panel_rows(dims) * sizeof(double) + list;
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
    job a = {.stride = stride, .dims = dims, .panel = panel_rows(dims), .pack = scratch};
    uint16_t *list = (uint16_t *)(void *)(a.pack + groups_of(dims) * TAC_GROUP * (size_t)a.panel),
             end[ORDERED + 1];

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
