/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of fourths.c, for core/each_path.h. */
#undef HIGH
#undef WIDE
#define HIGH (LEVEL == 2 ? 8 : 4)   /* a block is up to HIGH pairs by */
#define WIDE (LEVEL == 2 ? 24 : 12) /* as many vectors of pairs as make at most WIDE sums */
#include "data/kernels/products_path.h"

/* The pairs y_ij of every row, in both orders; the last group of `right` is filled up with
   zeros. As y_ij = y_ji, row j of the square of all pairs starts with what `left` wants, (0, j)
   .. (j, j), and ends with what `right` wants, (j, j) .. (j, d). */
TARGET static void PATH(pack)(const int16_t *rows, int32_t stride, const job *a)
{
    const int32_t dims = a->dims, wide = (dims + TAC_GROUP - 1) / TAC_GROUP;

    for (int32_t r = 0; r < a->count; r++, rows += stride) {
        _Alignas(64) double flat[PAIRS + TAC_FOURTHS_DIMS],
            line[TAC_FOURTHS_DIMS + TAC_GROUP] = {0};
        _Alignas(64) int32_t x[TAC_FOURTHS_DIMS] = {0};
        double *to = flat, *left = a->left + (ptrdiff_t)r * TAC_GROUP;
        for (int32_t j = 0; j < dims; j++) x[j] = rows[j];
        for (int32_t j = 0; j < dims; j++) {
            for (int32_t g = 0; g < wide; g++)
                for (int l = 0; l < TAC_GROUP; l++)
                    line[g * TAC_GROUP + l] = (double)(x[j] * x[g * TAC_GROUP + l] / 32768);
            for (int32_t g = 0; g * TAC_GROUP <= j; g++, left += (ptrdiff_t)a->panel * TAC_GROUP)
                memcpy(left, line + g * TAC_GROUP, TAC_GROUP * sizeof(double));
            /* the last group copies too much; the next row of pairs overwrites it */
            for (int32_t k = j; k < dims; k += TAC_GROUP)
                memcpy(to + k - j, line + k, TAC_GROUP * sizeof(double));
            to += dims - j;
        }
        memset(to, 0, TAC_GROUP * sizeof(double));
        for (int32_t g = 0; g * TAC_GROUP < a->pairs; g++)
            memcpy(a->right + ((ptrdiff_t)g * a->panel + r) * TAC_GROUP, flat + g * TAC_GROUP,
                   TAC_GROUP * sizeof(double));
    }
}

/* Sums over rows of y_(i + h, j) times the pairs wide .. of `right`, added to their entries. The
   pairs (i, j) .. (i + high - 1, j) lie in one group. */
TARGET INLINE void PATH(block)(const int high, const int vectors, const job *a, int32_t i,
                               int32_t j, int32_t wide)
{
    const ptrdiff_t group = (ptrdiff_t)a->panel * TAC_GROUP;
    _Alignas(64) double flat[HIGH][WIDE * LANES];

    PATH(products)
    (high, vectors, a->count, group,
     a->left + (left_group(j) + i / TAC_GROUP) * group + i % TAC_GROUP, a->right, wide, flat);
    const int32_t start = end_of(a, j),
                  end = wide + vectors * LANES < a->pairs ? wide + vectors * LANES : a->pairs;
    for (int32_t h = 0; h < high; h++) {
        uint64_t *restrict to = a->entry + entries_of(a->dims, i + h, j);
        for (int32_t c = wide > start ? wide : start; c < end; c++)
            to[c - start] += tac_whole(flat[h][c - wide]);
    }
}

/* All pairs (k, l) with k >= j for the pairs (i, j) .. (i + high - 1, j). */
TARGET INLINE void PATH(strip)(const int high, const job *a, int32_t i, int32_t j)
{
    const int most = WIDE / high > 8 ? 8 : WIDE / high, half = most / 2 > 1 ? most / 2 : 1;
    int32_t wide = end_of(a, j) / LANES * LANES;

    for (; wide + (most - 1) * LANES < a->pairs; wide += most * LANES)
        PATH(block)(high, most, a, i, j, wide);
    for (; wide + (half - 1) * LANES < a->pairs; wide += half * LANES)
        PATH(block)(high, half, a, i, j, wide);
    for (; wide < a->pairs; wide += LANES) PATH(block)(high, 1, a, i, j, wide);
}

/* All entries of a panel: for every j, its pairs (i, j) in strips of at most HIGH that lie in
   one group. The height is a constant in each case, so that every strip keeps its sums in
   registers. */
TARGET static void PATH(add_panel)(const job *a)
{
    for (int32_t j = 0; j < a->dims; j++)
        for (int32_t i = 0; i <= j;) {
            const int32_t left = j + 1 - i, room = HIGH - i % HIGH,
                          high = left < room ? left : room;
            switch (high) {
            case 1: PATH(strip)(1, a, i, j); break;
            case 2: PATH(strip)(2, a, i, j); break;
            case 3: PATH(strip)(3, a, i, j); break;
#if LEVEL == 2
            case 4: PATH(strip)(4, a, i, j); break;
            case 5: PATH(strip)(5, a, i, j); break;
            case 6: PATH(strip)(6, a, i, j); break;
            case 7: PATH(strip)(7, a, i, j); break;
#endif
            default: PATH(strip)(HIGH, a, i, j); break;
            }
            i += high;
        }
}
