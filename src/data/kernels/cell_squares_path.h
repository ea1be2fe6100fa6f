/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of cell_squares.c, for core/each_path.h. Plain C adds in doubles, which hold sums of
   fewer than 2^21 products exactly. Vector paths add in 32-bit integers, two rows at a time:
   x = 256 h + l with 0 <= l < 256, and sums of h y and of l y over 256 rows are at most
   256 2^7 2^15 = 2^30 and 256 255 2^15 < 2^31. Any 16-bit numbers, -2^15 too. */

#if LEVEL == 0

#undef HIGH
#undef WIDE
/* a block is HIGH columns by WIDE vectors of columns; HIGH divides TAC_GROUP */
#define HIGH 4
#define WIDE 2
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
TARGET static void PATH(convert)(const job *a, const uint16_t *list, int32_t count, void *room)
{
    double *restrict pack = room;

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
    const double *pack = a->pack;

    PATH(products)
    (HIGH, vectors, count, group, pack + high / TAC_GROUP * group + high % TAC_GROUP, pack, wide,
     flat);
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

#else

#include "data/kernels/int_vectors_path.h"

#undef HIGH
#undef WIDE
#define HIGH 4     /* columns of a block; divides LANES */
#define WIDE LEVEL /* registers of columns, at most */

/* LANES columns of two rows as pairs (x_j, y_j). */
TARGET INLINE INTS PATH(mixed)(const int16_t *x, const int16_t *y)
{
#if LEVEL == 1
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)x),
                  b = _mm_loadu_si128((const __m128i *)(const void *)y);
    return _mm256_set_m128i(_mm_unpackhi_epi16(a, b), _mm_unpacklo_epi16(a, b));
#else
    const __m512i a = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)x)),
                  b = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)y));
    return _mm512_or_si512(a, _mm512_slli_epi32(b, 16));
#endif
}

/* Rows `list` (NULL: the first count rows) in pairs: pack[group of LANES columns][pair of
   rows][column], filled up with zeros: columns of the last group, a row beside an odd last one. */
TARGET static void PATH(convert)(const job *a, const uint16_t *list, int32_t count, void *pack)
{
    const ptrdiff_t group = (ptrdiff_t)a->panel / 2 * 2 * LANES;
    static const int16_t zero[LANES];

    for (int32_t i = 0; i < count; i += 2) {
        const bool two = i + 1 < count;
        const int16_t *x = a->rows + (list == NULL ? i : list[i]) * (ptrdiff_t)a->stride;
        const int16_t *y =
            two ? a->rows + (list == NULL ? i + 1 : list[i + 1]) * (ptrdiff_t)a->stride : zero;
        int16_t *to = (int16_t *)pack + (ptrdiff_t)i * LANES, last[2][LANES] = {{0}};
        int32_t j = 0;
        /* rows of one cell are scattered, which no hardware prefetcher follows; a prefetch never
           faults */
        for (int32_t r = i + AHEAD; list != NULL && r < i + AHEAD + 2 && r < count; r++) {
            const int16_t *soon = a->rows + list[r] * (ptrdiff_t)a->stride;
            for (int32_t at = 0; at < a->dims; at += 32) __builtin_prefetch(soon + at);
        }
        for (; j <= a->dims - LANES; j += LANES, to += group)
            STORE(to, PATH(mixed)(x + j, two ? y + j : zero));
        if (j == a->dims) continue;
        for (int l = 0; l < a->dims - j; l++) {
            last[0][l] = x[j + l];
            last[1][l] = two ? y[j + l] : 0;
        }
        STORE(to, PATH(mixed)(last[0], last[1]));
    }
}

/* A block of the product matrix: sums over the pairs of rows of x_(high + i) x_(wide + j), i <
   HIGH, j < vectors LANES. split: h and l of the columns that `high` lies among. Entries below the
   diagonal are computed and dropped. */
TARGET INLINE void PATH(block)(const int vectors, const job *a, const int32_t *split, int32_t pairs,
                               int32_t high, int32_t wide)
{
    const ptrdiff_t group = (ptrdiff_t)a->panel / 2 * LANES;
    const int32_t *right = (const int32_t *)a->pack + wide / LANES * group;
    _Alignas(64) int32_t h[WIDE * LANES], l[WIDE * LANES];
    INTS hs[HIGH][WIDE], ls[HIGH][WIDE];

    split += high % LANES;
#pragma GCC unroll 4
    for (int i = 0; i < HIGH; i++)
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) hs[i][v] = ls[i][v] = OP(set1_epi32)(0);
    for (int32_t p = 0; p < pairs; p++, split += 2 * LANES, right += LANES) {
        INTS y[WIDE];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) y[v] = LOAD(right + v * group);
#pragma GCC unroll 4
        for (int i = 0; i < HIGH; i++) {
            const INTS xh = OP(set1_epi32)(split[i]), xl = OP(set1_epi32)(split[LANES + i]);
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++) {
                hs[i][v] = ADD_PAIRS(hs[i][v], xh, y[v]);
                ls[i][v] = ADD_PAIRS(ls[i][v], xl, y[v]);
            }
        }
    }
    const int32_t end = wide + vectors * LANES < a->dims ? wide + vectors * LANES : a->dims;
#pragma GCC unroll 4
    for (int i = 0; i < HIGH; i++) {
        const int32_t row = high + i, first = row > wide ? row : wide;
        if (row >= a->dims) break;
        uint64_t *restrict to =
            a->entry + (ptrdiff_t)row * a->dims - (ptrdiff_t)row * (row - 1) / 2 - row;
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            STORE(h + v * LANES, hs[i][v]);
            STORE(l + v * LANES, ls[i][v]);
        }
        for (int32_t b = first; b < end; b++)
            to[b] += (uint64_t)((int64_t)h[b - wide] * 256 + l[b - wide]);
    }
}

/* entry += upper triangle of the sum of x x^T over the `count` packed rows, LANES columns at a
   time taken apart into h and l. */
TARGET static void PATH(add_panel)(const job *a, int32_t count)
{
    const int32_t pairs = (count + 1) / 2;
    const ptrdiff_t group = (ptrdiff_t)a->panel / 2 * LANES;
    _Alignas(64) int32_t split[PANEL_MOST / 2 * 2 * LANES];

    for (int32_t from = 0; from < a->dims; from += LANES) {
        const int32_t *columns = (const int32_t *)a->pack + from / LANES * group;
        for (int32_t p = 0; p < pairs; p++) {
            const INTS x = LOAD(columns + p * LANES);
            STORE(split + 2 * p * LANES, OP(srai_epi16)(x, 8));
            STORE(split + (2 * p + 1) * LANES, OP(srli_epi16)(OP(slli_epi16)(x, 8), 8));
        }
        for (int32_t high = from; high < from + LANES && high < a->dims; high += HIGH) {
            int32_t wide = from;
            for (; wide + (WIDE - 1) * LANES < a->dims; wide += WIDE * LANES)
                PATH(block)(WIDE, a, split, pairs, high, wide);
            for (; wide < a->dims; wide += LANES) PATH(block)(1, a, split, pairs, high, wide);
        }
    }
}

#endif
