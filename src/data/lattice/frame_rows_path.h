/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of frame_rows.c, for core/each_path.h. A number is made by the operations of
   tac_frame_apply in their order, on every path: nothing is fused, sums over columns are chains in
   the order of the columns, and vectors and rows only run side by side. */
#undef LANES
#undef HEIGHT
#undef ACROSS
#define LANES (BYTES / 8)   /* doubles of a register */
#define HEIGHT (2 << LEVEL) /* rows that are turned together */
#define ACROSS 2            /* registers of coordinates, at most */

/* z = the row in units of the first lattice. Comparisons as in tac_place_value, one after the
   other. */
TARGET static void PATH(place)(const tac_frame *f, const double *restrict row, double *restrict z)
{
    const double *restrict lower = f->lower, *restrict upper = f->upper,
                           *restrict center = f->center;
    const double *restrict scale = f->scale;

    for (int32_t j = 0; j < f->columns; j++) {
        const double above = row[j] < lower[j] ? lower[j] : row[j];
        const double inside = above > upper[j] ? upper[j] : above;
        const double y = (inside - center[j]) * scale[j], real = y != y ? 0.0 : y;
        const double low = real < -TAC_FAR ? -TAC_FAR : real;
        z[j] = low > TAC_FAR ? TAC_FAR : low;
    }
    if (f->constant > 0) z[f->columns] = f->constant;
}

/* z = (z factor - shift) zoom */
TARGET static void PATH(move)(const tac_frame *f, double factor, double *restrict z)
{
    const double *restrict shift = f->shift, zoom = f->zoom;
    for (int32_t j = 0; j < f->columns; j++) z[j] = (z[j] * factor - shift[j]) * zoom;
    if (f->constant > 0) z[f->columns] = (f->constant - shift[f->columns]) * zoom;
}

/* A register of doubles. */
typedef double PATH(reals) __attribute__((vector_size(BYTES)));

/* out = coordinates i .. i + vectors LANES - 1 of basis^T z, as far as there are, for `rows` rows:
   each sum is a chain over the columns in a lane of its own. */
TARGET INLINE void PATH(turn_some)(const int rows, const int vectors, const tac_frame *f,
                                   const double *z, int32_t i, double *out)
{
    const ptrdiff_t first = tac_frame_first(f), dims = f->dims, wide = vectors * LANES;
    const double *from = f->basis + i, *end = f->basis + first * dims;
    const size_t many = (size_t)(dims - i < wide ? dims - i : wide);
    double flat[ACROSS * LANES] = {0};
    PATH(reals) sum[HEIGHT][ACROSS];

#pragma GCC unroll 8
    for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; v++) sum[r][v] = (PATH(reals)){0};
    for (ptrdiff_t j = 0; j < first; j++, from += dims) {
        PATH(reals) b[ACROSS];
        const double *at = from;
        /* Lanes past the last coordinate may hold the next column's: never used. At the end there
           is none. */
        if (end - from < wide) at = memcpy(flat, from, many * sizeof *flat);
#pragma GCC unroll 4
        for (int v = 0; v < vectors; v++) memcpy(&b[v], at + v * LANES, sizeof b[v]);
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
            for (int v = 0; v < vectors; v++) sum[r][v] += b[v] * z[r * first + j];
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 4
        for (int v = 0; v < vectors; v++) memcpy(flat + v * LANES, &sum[r][v], sizeof sum[r][v]);
        memcpy(out + r * dims + i, flat, many * sizeof *flat);
    }
}

/* out = basis^T z for `rows` rows. */
TARGET INLINE void PATH(turn)(const int rows, const tac_frame *f, const double *z, double *out)
{
    int32_t i = 0;

    for (; i + (ACROSS - 1) * LANES < f->dims; i += ACROSS * LANES)
        PATH(turn_some)(rows, ACROSS, f, z, i, out);
    for (; i < f->dims; i += LANES) PATH(turn_some)(rows, 1, f, z, i, out);
}

/* point = round(z factor): adding 1.5 2^52 rounds to a whole number and leaves it in the last
   bits. */
TARGET static void PATH(grid)(const double *restrict z, double factor, int32_t count,
                              int16_t *restrict point)
{
    for (int32_t j = 0; j < count; j++) {
        const double y = z[j] * factor, real = y != y ? 0.0 : y; /* infinity * 0 */
        const double low = real < -TAC_M ? -TAC_M : real, bounded = low > TAC_M ? TAC_M : low;
        const double shifted = bounded + 0x1.8p52;
        int64_t bits;
        memcpy(&bits, &shifted, sizeof bits);
        point[j] = (int16_t)bits;
    }
}

/* At most HEIGHT rows. scratch: HEIGHT x (tac_frame_first + dims). */
TARGET INLINE void PATH(apply_some)(const int rows, const tac_frame *f, const double *row,
                                    double *scratch, int16_t *point, int32_t stride)
{
    const ptrdiff_t first = tac_frame_first(f);
    double factor[HEIGHT], *z = scratch;

#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) factor[r] = 1;
    for (int r = 0; r < rows; r++) PATH(place)(f, row + (ptrdiff_t)r * f->columns, z + r * first);
    if (f->ball) pull_rows(rows, z, f->columns, first, tac_frame_reach(f), factor);
    if (f->shift != NULL) {
        for (int r = 0; r < rows; r++) PATH(move)(f, factor[r], z + r * first);
        if (f->basis != NULL) {
            PATH(turn)(rows, f, z, scratch + HEIGHT * first);
            z = scratch + HEIGHT * first;
        }
        pull_rows(rows, z, f->dims, f->dims, TAC_M, factor);
    }
    for (int r = 0; r < rows; r++) {
        int16_t *to = point + (ptrdiff_t)r * stride;
        PATH(grid)(z + (ptrdiff_t)r * f->dims, factor[r], f->dims, to);
        if (f->shift == NULL && f->constant > 0) to[f->columns] = (int16_t)f->constant;
        if (stride > f->dims) to[f->dims] = 0;
        tac_clip(to, f->dims);
    }
}

#include "data/lattice/frame_flat_path.h"

/* HEIGHT rows at a time, the rest one by one: a row's point does not depend on its company. */
TARGET static void PATH(apply)(const tac_frame *f, const double *rows, int64_t n, double *scratch,
                               int16_t *points, int32_t stride)
{
    int64_t i = PATH(flat)(f, rows, n, scratch, points, stride);
    for (; i <= n - HEIGHT; i += HEIGHT)
        PATH(apply_some)(HEIGHT, f, rows + i * f->columns, scratch, points + i * stride, stride);
    for (; i < n; i++)
        PATH(apply_some)(1, f, rows + i * f->columns, scratch, points + i * stride, stride);
}
