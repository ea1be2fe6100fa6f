/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of frame_rows.c, for core/each_path.h. A number is made by the operations of
   tac_frame_apply in their order, on every path: nothing is fused, sums over columns are chains in
   the order of the columns, and vectors and rows only run side by side. */
#undef HEIGHT
#define HEIGHT (2 << LEVEL) /* rows that are turned together */

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

/* out = basis^T z for `rows` rows, eight coordinates of the result at a time. */
TARGET INLINE void PATH(turn)(const int rows, const tac_frame *f, const double *z, double *out)
{
    const int32_t first = tac_frame_first(f), dims = f->dims;
    const double *end = f->basis + (size_t)first * (size_t)dims;

    for (int32_t i = 0; i < dims; i += LANES) {
        const int32_t many = dims - i < LANES ? dims - i : LANES;
        double_x8 sum[HEIGHT];
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++) sum[r] = (double_x8){0};
        for (int32_t j = 0; j < first; j++) {
            const double *from = f->basis + (size_t)j * (size_t)dims + i;
            double_x8 b = {0};
            /* Lanes past the last coordinate may hold the next column's: never used. At the end
               there is none. */
            if (end - from >= LANES)
                memcpy(&b, from, sizeof b);
            else
                for (int32_t l = 0; l < many; l++) b[l] = from[l];
#pragma GCC unroll 8
            for (int r = 0; r < rows; r++) sum[r] += b * z[(ptrdiff_t)r * first + j];
        }
        for (int r = 0; r < rows; r++)
            for (int32_t l = 0; l < many; l++) out[(ptrdiff_t)r * dims + i + l] = sum[r][l];
    }
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
