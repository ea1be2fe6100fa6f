/* SPDX-License-Identifier: Apache-2.0 */
/* Fourth moments, exact, at the speed of floating point: for every j a product of the pairs (i, j),
   i <= j, with the pairs (k, l), j <= k <= l, so that no number is formed twice.

   A pair is an integer below 2^15 and a product of two below 2^30; sums of a panel of rows stay
   below 2^39, which doubles hold exactly: in any order, fused or not, every operation below is
   without rounding (as in cell_squares.c). */
#include "data/kernels/fourths.h"

#include <string.h>

#include "core/cpu.h"
#include "data/kernels/whole_doubles.h"

enum {
    /* rows in a panel, at most: far below 2^21 */
    PANEL_MOST = 256,
    /* bytes of a panel, about: it stays in L2 */
    PANEL_BYTES = 768 << 10,
    PAIRS = TAC_FOURTHS_DIMS * (TAC_FOURTHS_DIMS + 1) / 2
};

/* Pairs in two orders. `right`: (0,0) (0,1) .. (1,1) (1,2) .., so that those with j <= k are its
   end. `left`: those (i, j) of one j side by side, each j from a new group on. Both
   [group][row][TAC_GROUP]. */
typedef struct job {
    int32_t dims, pairs;
    int32_t panel, count; /* rows there is room for, rows there are */
    double *left, *right;
    uint64_t *entry;
} job;

/* Pairs i <= j of n numbers. */
INLINE int32_t triangle(int32_t n)
{
    return n * (n + 1) / 2;
}

/* Where the pairs (j, j), (j, j + 1) .. start in `right`. */
INLINE int32_t end_of(const job *a, int32_t j)
{
    return a->pairs - triangle(a->dims - j);
}

/* The group of `left` that starts with the pair (0, j): sum of ceil(t / TAC_GROUP) for t = 1 ..
   j. */
INLINE int32_t left_group(int32_t j)
{
    const int32_t whole = j / TAC_GROUP, rest = j % TAC_GROUP;
    return TAC_GROUP * triangle(whole) + rest * (whole + 1);
}

/* Triples i <= j <= k of n numbers. */
INLINE size_t tetrahedron(size_t n)
{
    return n * (n + 1) * (n + 2) / 6;
}

/* C(n + 3, 4): divided by 6 first, which is exact, so that nothing overflows. */
size_t tac_fourths_count(int32_t dims)
{
    const size_t n = (size_t)dims;
    return n * (n + 1) * (n + 2) / 6 * (n + 3) / 4;
}

/* Where the entries (i, j, j, j) .. (i, j, d, d) start. */
static size_t entries_of(int32_t dims, int32_t i, int32_t j)
{
    return tac_fourths_count(dims) - tac_fourths_count(dims - i) + tetrahedron((size_t)(dims - i)) -
           tetrahedron((size_t)(dims - j));
}

#define KERNEL "data/kernels/fourths_path.h"
#include "core/each_path.h"

static void (*const pack[])(const int16_t *rows, int32_t stride, const job *a) = {PATHS(pack)};
static void (*const add_panel[])(const job *a) = {PATHS(add_panel)};

static size_t groups_right(int32_t dims)
{
    return ((size_t)triangle(dims) + TAC_GROUP - 1) / TAC_GROUP;
}

/* Rows of a panel, a multiple of 8: both orders of all pairs within PANEL_BYTES. */
static int32_t panel_rows(int32_t dims)
{
    const size_t row = (groups_right(dims) + (size_t)left_group(dims)) * TAC_GROUP * sizeof(double);
    const size_t fitting = PANEL_BYTES / row / 8 * 8;
    return fitting > PANEL_MOST ? PANEL_MOST : (int32_t)fitting;
}

size_t tac_fourths_scratch(int32_t dims)
{
    return (groups_right(dims) + (size_t)left_group(dims)) * TAC_GROUP * sizeof(double) *
           (size_t)panel_rows(dims);
}

/* A panel of rows at a time: form their pairs in both orders, then multiply pairs with pairs. */
void tac_fourths(const int16_t *rows, int64_t n, int32_t stride, int32_t dims, void *scratch,
                 uint64_t *entry)
{
    const int level = tac_cpu();
    job a = {.dims = dims,
             .pairs = triangle(dims),
             .panel = panel_rows(dims),
             .right = scratch,
             .entry = entry};

    a.left = a.right + groups_right(dims) * TAC_GROUP * (size_t)a.panel;
    for (int64_t i = 0; i < n; i += a.panel) {
        a.count = n - i < a.panel ? (int32_t)(n - i) : a.panel;
        pack[level](rows + i * stride, stride, &a);
        add_panel[level](&a);
    }
}
