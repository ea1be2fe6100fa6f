/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of cell_squares.c, for core/each_path.h. Plain C adds in doubles, which hold sums of
   fewer than 2^21 products exactly. Vector paths add in 32-bit integers, two rows at a time, modulo
   2^32. That is exact where the sum over the panel fits:
     whole   |sum of x_a x_b| <= sqrt(D_a D_b) < 2^31, D_a = sum of x_a^2 (Cauchy-Schwarz). Rows of
             the lattice have sum of D_a <= rows M^2 over all columns, so few columns are too long.
     apart   x = 256 h + l with 0 <= l < 256: sums of h y and of l y over 256 rows are at most
             256 2^7 2^15 = 2^30 and 256 255 2^15 < 2^31.
   Any 16-bit numbers, -2^15 too. */

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
#undef HIGH_APART
#undef WIDE
#undef WIDE_APART
/* columns and registers of columns of a block, whole and taken apart: what registers can hold. HIGH
   divides LANES */
#define HIGH (4 * LEVEL)
#define HIGH_APART 4
#define WIDE 2
#define WIDE_APART LEVEL

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

/* reach[group] >= D_a / 256 for each of its columns a, D_a = sum of x_a^2 over the panel: a pair of
   squares is at most 2^31 (unsigned) and gives up less than 256, so reach is at most 2^31 + 2^8. */
TARGET static void PATH(measure)(const job *a, int32_t pairs)
{
    const int32_t *columns = a->pack;
    _Alignas(64) uint32_t sum[LANES];

    for (int32_t from = 0; from < a->dims; from += LANES, columns += a->panel / 2 * LANES) {
        uint32_t *reach = a->reach + from / LANES;
        INTS sums = OP(set1_epi32)(0);
        for (int32_t p = 0; p < pairs; p++) {
            const INTS x = LOAD(columns + p * LANES);
            sums = OP(add_epi32)(sums, OP(srli_epi32)(OP(madd_epi16)(x, x), 8));
        }
        STORE(sum, sums);
        *reach = 0;
        for (int l = 0; l < LANES; l++) *reach = sum[l] > *reach ? sum[l] : *reach;
        *reach += (uint32_t)pairs;
    }
}

/* Do sums of products of two groups' columns fit 32 bits whole? D_a D_b <= 2^16 reach reach' <
   2^62. */
INLINE bool PATH(fits)(const job *a, int32_t from, int32_t wide)
{
    return (uint64_t)a->reach[from / LANES] * a->reach[wide / LANES] < UINT64_C(1) << 46;
}

/* How many groups from column `wide` on, at most `most`, are all as `fit` says; 0: the first is
   not. */
INLINE int PATH(alike)(const job *a, bool fit, int most, int32_t from, int32_t wide)
{
    int groups = 0;
    while (groups < most && wide < a->dims && PATH(fits)(a, from, wide) == fit)
        groups++, wide += LANES;
    return groups;
}

/* Where the triangle's entries of a row stand, so that column b is to[b]. */
INLINE uint64_t *PATH(entries_of)(const job *a, int32_t row)
{
    return a->entry + (ptrdiff_t)row * a->dims - (ptrdiff_t)row * (row - 1) / 2 - row;
}

/* A block of the product matrix: sums over the pairs of rows of x_(high + i) x_(wide + j), i <
   HIGH, j < vectors LANES. They fit. Entries below the diagonal are computed and dropped. */
TARGET INLINE void PATH(block)(const int vectors, const job *a, int32_t pairs, int32_t high,
                               int32_t wide)
{
    const ptrdiff_t group = (ptrdiff_t)a->panel / 2 * LANES;
    const int32_t *left = (const int32_t *)a->pack + high / LANES * group + high % LANES;
    const int32_t *right = (const int32_t *)a->pack + wide / LANES * group;
    const int32_t end = wide + vectors * LANES < a->dims ? wide + vectors * LANES : a->dims;
    _Alignas(64) int32_t flat[HIGH][WIDE * LANES];
    INTS sum[HIGH][WIDE];

#pragma GCC unroll 8
    for (int i = 0; i < HIGH; i++)
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) sum[i][v] = OP(set1_epi32)(0);
    for (int32_t p = 0; p < pairs; p++, left += LANES, right += LANES) {
        INTS y[WIDE];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) y[v] = LOAD(right + v * group);
#pragma GCC unroll 8
        for (int i = 0; i < HIGH; i++) {
            const INTS x = OP(set1_epi32)(left[i]);
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++) sum[i][v] = ADD_PAIRS(sum[i][v], x, y[v]);
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < HIGH; i++)
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) STORE(flat[i] + v * LANES, sum[i][v]);
    for (int32_t i = 0; i < HIGH && high + i < a->dims; i++) {
        uint64_t *restrict to = PATH(entries_of)(a, high + i);
        for (int32_t b = high + i > wide ? high + i : wide; b < end; b++)
            to[b] += (uint64_t)(int64_t)flat[i][b - wide];
    }
}

/* The same for sums that do not fit, over at most APART_MOST rows. right: the columns from `wide`
   on; split: h and l of the columns that `high` lies among. */
TARGET INLINE void PATH(block_apart)(const int vectors, const job *a, const int32_t *split,
                                     const int32_t *right, int32_t pairs, int32_t high,
                                     int32_t wide)
{
    const ptrdiff_t group = (ptrdiff_t)a->panel / 2 * LANES;
    const int32_t end = wide + vectors * LANES < a->dims ? wide + vectors * LANES : a->dims;
    _Alignas(64) int32_t h[WIDE_APART * LANES], l[WIDE_APART * LANES];
    INTS hs[HIGH_APART][WIDE_APART], ls[HIGH_APART][WIDE_APART];

    split += high % LANES;
#pragma GCC unroll 4
    for (int i = 0; i < HIGH_APART; i++)
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) hs[i][v] = ls[i][v] = OP(set1_epi32)(0);
    for (int32_t p = 0; p < pairs; p++, split += 2 * LANES, right += LANES) {
        INTS y[WIDE_APART];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) y[v] = LOAD(right + v * group);
#pragma GCC unroll 4
        for (int i = 0; i < HIGH_APART; i++) {
            const INTS xh = OP(set1_epi32)(split[i]), xl = OP(set1_epi32)(split[LANES + i]);
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++) {
                hs[i][v] = ADD_PAIRS(hs[i][v], xh, y[v]);
                ls[i][v] = ADD_PAIRS(ls[i][v], xl, y[v]);
            }
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < HIGH_APART; i++) {
        if (high + i >= a->dims) break;
        uint64_t *restrict to = PATH(entries_of)(a, high + i);
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            STORE(h + v * LANES, hs[i][v]);
            STORE(l + v * LANES, ls[i][v]);
        }
        for (int32_t b = high + i > wide ? high + i : wide; b < end; b++)
            to[b] += (uint64_t)((int64_t)h[b - wide] * 256 + l[b - wide]);
    }
}

/* The blocks of a group's columns that do not fit, in parts of the panel: its columns are taken
   apart once for all of them. */
TARGET static void PATH(add_apart)(const job *a, int32_t pairs, int32_t from)
{
    const ptrdiff_t group = (ptrdiff_t)a->panel / 2 * LANES;
    _Alignas(64) int32_t split[APART_MOST / 2 * 2 * LANES];

    for (int32_t first = 0; first < pairs; first += APART_MOST / 2) {
        const int32_t many = pairs - first < APART_MOST / 2 ? pairs - first : APART_MOST / 2;
        const int32_t *part = (const int32_t *)a->pack + (ptrdiff_t)first * LANES;
        for (int32_t p = 0; p < many; p++) {
            const INTS x = LOAD(part + from / LANES * group + p * LANES);
            STORE(split + 2 * p * LANES, OP(srai_epi16)(x, 8));
            STORE(split + (2 * p + 1) * LANES, OP(srli_epi16)(OP(slli_epi16)(x, 8), 8));
        }
        for (int32_t wide = from, groups; wide < a->dims; wide += (groups + !groups) * LANES) {
            const int32_t *right = part + wide / LANES * group;
            groups = PATH(alike)(a, false, WIDE_APART, from, wide);
            for (int32_t high = from; groups > 0 && high < from + LANES && high < a->dims;
                 high += HIGH_APART)
                if (groups == WIDE_APART)
                    PATH(block_apart)(WIDE_APART, a, split, right, many, high, wide);
                else
                    PATH(block_apart)(1, a, split, right, many, high, wide);
        }
    }
}

/* entry += upper triangle of the sum of x x^T over the `count` packed rows, LANES columns at a
   time. */
TARGET static void PATH(add_panel)(const job *a, int32_t count)
{
    const int32_t pairs = (count + 1) / 2;

    PATH(measure)(a, pairs);
    for (int32_t from = 0; from < a->dims; from += LANES) {
        bool all_fit = true;
        for (int32_t wide = from, groups; wide < a->dims; wide += (groups + !groups) * LANES) {
            groups = PATH(alike)(a, true, WIDE, from, wide);
            all_fit &= groups > 0;
            for (int32_t high = from; groups > 0 && high < from + LANES && high < a->dims;
                 high += HIGH)
                if (groups == WIDE)
                    PATH(block)(WIDE, a, pairs, high, wide);
                else
                    PATH(block)(1, a, pairs, high, wide);
        }
        if (!all_fit) PATH(add_apart)(a, pairs, from);
    }
}

#endif
