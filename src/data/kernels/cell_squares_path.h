/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of cell_squares.c, for core/each_path.h. */
#undef HIGH
#undef WIDE
/* a block is HIGH columns by WIDE vectors of columns; HIGH divides TAC_GROUP */
#define HIGH (LEVEL == 2 ? 8 : 4)
#define WIDE (LEVEL == 2 ? 3 : 2)
#include "data/kernels/products_path.h"

/* TAC_GROUP numbers as doubles: without this the compiler takes many groups at a time, at half the
   speed. */
TARGET INLINE void PATH(widen)(const int16_t *from, double *to)
{
    typedef int16_t shorts __attribute__((vector_size(2 * LANES)));
    typedef int32_t ints __attribute__((vector_size(4 * LANES)));
    for (int l = 0; l < TAC_GROUP; l += LANES) {
        shorts x;
        memcpy(&x, from + l, sizeof x);
        /* in two steps: compilers split a direct int16-to-double conversion into single numbers */
        const ints whole_x = __builtin_convertvector(x, ints);
        const VECTOR y = __builtin_convertvector(whole_x, VECTOR);
        memcpy(to + l, &y, sizeof y);
    }
}

/* Rows `list` (NULL: the first count rows) as doubles: pack[group][row][TAC_GROUP], the last group
   filled up with zeros. */
TARGET static void PATH(convert)(const job *a, const uint16_t *list, int32_t count,
                                 double *restrict pack)
{
    for (int32_t i = 0; i < count; i++) {
        const int16_t *restrict row = a->rows + (list == NULL ? i : list[i]) * (ptrdiff_t)a->stride;
        double *to = pack + (ptrdiff_t)i * TAC_GROUP;
        int16_t last[TAC_GROUP] = {0};
        int32_t j = 0;
        /* rows of one cell are scattered, which no hardware prefetcher follows; a prefetch never
           faults */
        if (list != NULL && i + AHEAD < count) {
            const int16_t *soon = a->rows + list[i + AHEAD] * (ptrdiff_t)a->stride;
            for (int32_t at = 0; at < a->dims; at += 32) __builtin_prefetch(soon + at);
        }
        for (; j <= a->dims - TAC_GROUP; j += TAC_GROUP, to += (ptrdiff_t)a->panel * TAC_GROUP)
            PATH(widen)(row + j, to);
        if (j == a->dims) continue;
        for (int l = 0; l < a->dims - j; l++) last[l] = row[j + l];
        PATH(widen)(last, to);
    }
}

/* A block of the product matrix: sums over the packed rows of x_(high + i) x_(wide + j), i <
   HIGH, j < vectors LANES. Entries below the diagonal are computed and dropped. */
TARGET INLINE void PATH(block)(const int vectors, const job *a, int32_t count, int32_t high,
                               int32_t wide)
{
    const ptrdiff_t group = (ptrdiff_t)a->panel * TAC_GROUP;
    _Alignas(64) double flat[HIGH][WIDE * LANES];

    PATH(products)
    (HIGH, vectors, count, group, a->pack + high / TAC_GROUP * group + high % TAC_GROUP, a->pack,
     wide, flat);
    const int32_t end = wide + vectors * LANES < a->dims ? wide + vectors * LANES : a->dims;
    for (int32_t i = 0; i < HIGH && high + i < a->dims; i++) {
        const int32_t row = high + i, first = row > wide ? row : wide;
        uint64_t *restrict to =
            a->entry + (ptrdiff_t)row * a->dims - (ptrdiff_t)row * (row - 1) / 2 - row;
        for (int32_t b = first; b < end; b++) to[b] += tac_whole(flat[i][b - wide]);
    }
}

/* entry += upper triangle of the sum of x x^T over the `count` packed rows: blocks from the one
   that holds the diagonal on, the widest first, narrower ones at the edge. */
TARGET static void PATH(add_panel)(const job *a, int32_t count)
{
    for (int32_t high = 0; high < a->dims; high += HIGH) {
        int32_t wide = high / LANES * LANES;
        for (; wide + (WIDE - 1) * LANES < a->dims; wide += WIDE * LANES)
            PATH(block)(WIDE, a, count, high, wide);
        for (; wide + LANES < a->dims; wide += 2 * LANES)
            PATH(block)(WIDE < 2 ? WIDE : 2, a, count, high, wide);
        for (; wide < a->dims; wide += LANES) PATH(block)(1, a, count, high, wide);
    }
}
