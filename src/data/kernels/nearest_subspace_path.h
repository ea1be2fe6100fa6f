/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of nearest_subspace.c, for core/each_path.h: rows transposed into lanes, and sums
   of squares of dot products. Even and odd lanes are kept apart, because a square of 32 bits
   takes 64: of the rows of a register first the even ones, then the odd ones. */

#if LEVEL > 0

#include "data/kernels/int_vectors_path.h"

/* packed[pair][lane] = the pair of row `lane`, of count <= 16 rows; the other lanes are 0. A
   transpose of LANES x LANES pairs: within 4 x 4 blocks by unpacking, then of the blocks by
   shuffling. */
TARGET static void PATH(turn)(const int16_t *rows, ptrdiff_t stride, int count, int32_t pairs,
                              int16_t *packed)
{
    for (int part = 0; part < TAC_LANES; part += LANES)
        for (int32_t j = 0; j < pairs; j += LANES) {
            const int many = pairs - j < LANES ? (int)(pairs - j) : LANES;
            INTS r[LANES], a[LANES], turned[LANES];
            for (int i = 0; i < LANES; i++)
                r[i] = part + i < count ? LOAD_FIRST(many, rows + (part + i) * stride + 2 * j)
                                        : OP(set1_epi32)(0);
#pragma GCC unroll 8
            for (int i = 0; i < LANES; i += 2) {
                a[i] = OP(unpacklo_epi32)(r[i], r[i + 1]);
                a[i + 1] = OP(unpackhi_epi32)(r[i], r[i + 1]);
            }
#pragma GCC unroll 4
            for (int i = 0; i < LANES; i += 4) {
                r[i] = OP(unpacklo_epi64)(a[i], a[i + 2]);
                r[i + 1] = OP(unpackhi_epi64)(a[i], a[i + 2]);
                r[i + 2] = OP(unpacklo_epi64)(a[i + 1], a[i + 3]);
                r[i + 3] = OP(unpackhi_epi64)(a[i + 1], a[i + 3]);
            }
#pragma GCC unroll 4
            for (int c = 0; c < 4; c++) {
#if LEVEL == 1
                turned[c] = _mm256_permute2x128_si256(r[c], r[4 + c], 0x20);
                turned[4 + c] = _mm256_permute2x128_si256(r[c], r[4 + c], 0x31);
#else
                const __m512i even_low = _mm512_shuffle_i32x4(r[c], r[4 + c], 0x88);
                const __m512i even_high = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0x88);
                const __m512i odd_low = _mm512_shuffle_i32x4(r[c], r[4 + c], 0xdd);
                const __m512i odd_high = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0xdd);
                turned[c] = _mm512_shuffle_i32x4(even_low, even_high, 0x88);
                turned[4 + c] = _mm512_shuffle_i32x4(odd_low, odd_high, 0x88);
                turned[8 + c] = _mm512_shuffle_i32x4(even_low, even_high, 0xdd);
                turned[12 + c] = _mm512_shuffle_i32x4(odd_low, odd_high, 0xdd);
#endif
            }
            for (int i = 0; i < many; i++)
                STORE(packed + ((j + i) * TAC_LANES + part) * 2, turned[i]);
        }
}

/* held += (score[v, row] >> 8)^2 for vectors number first .. first + vectors - 1. After the last
   vector of a subspace: `which` becomes its number where it holds more than any before, and
   `held` starts again. score: vectors x groups x 16. */
TARGET static void PATH(fill)(const int32_t *score, int vectors, int groups, int32_t first,
                              int32_t rank, fill_state *fill)
{
    for (int at = 0; at < groups * TAC_LANES; at += LANES) {
        INTS held[2], most[2], which[2];
        int32_t left = rank - first % rank, number = first / rank;
#pragma GCC unroll 2
        for (int p = 0; p < 2; p++) {
            held[p] = LOAD(fill->held + at + p * LANES / 2);
            most[p] = LOAD(fill->most + at + p * LANES / 2);
            which[p] = LOAD(fill->which + at + p * LANES / 2);
        }
        for (int v = 0; v < vectors; v++) {
            const INTS dot = OP(srai_epi32)(LOAD(score + v * groups * TAC_LANES + at), 8);
            const INTS half[2] = {dot, OP(srli_epi64)(dot, 32)};
#pragma GCC unroll 2
            for (int p = 0; p < 2; p++)
                held[p] = OP(add_epi64)(held[p], OP(mul_epi32)(half[p], half[p]));
            if (--left > 0) continue;
#pragma GCC unroll 2
            for (int p = 0; p < 2; p++) {
                which[p] = MORE_64(held[p], most[p], ALL_64(number), which[p]);
                most[p] = MORE_64(held[p], most[p], held[p], most[p]);
                held[p] = OP(set1_epi32)(0);
            }
            left = rank;
            number++;
        }
#pragma GCC unroll 2
        for (int p = 0; p < 2; p++) {
            STORE(fill->held + at + p * LANES / 2, held[p]);
            STORE(fill->most + at + p * LANES / 2, most[p]);
            STORE(fill->which + at + p * LANES / 2, which[p]);
        }
    }
}

/* One batch: TAC_TILE vectors at a time, and of long ones PAIRS pairs at a time, the int32 scores
   carried on. */
static void PATH(fill_batch)(const tac_spans *s, const int16_t *rows, int count, int32_t stride,
                             fill_state *fill)
{
    static const _Alignas(64) int32_t zero[BATCH];
    _Alignas(64) int16_t packed[TOGETHER * PAIRS * TAC_LANES * 2];
    _Alignas(64) int32_t score[TAC_TILE * BATCH];
    const int groups = (count + TAC_LANES - 1) / TAC_LANES;
    const int32_t all = s->count * s->rank;

    for (int i = 0; i < BATCH; i++) {
        fill->held[i] = fill->which[i] = 0;
        fill->most[i] = -1;
    }
    for (int32_t first = 0; first < all; first += TAC_TILE) {
        const int vectors = all - first < TAC_TILE ? (int)(all - first) : TAC_TILE;
        for (int32_t pair = 0; pair < s->pairs; pair += PAIRS) {
            const int32_t pairs = s->pairs - pair < PAIRS ? s->pairs - pair : PAIRS;
            const size_t step = (size_t)pairs * TAC_LANES * 2;
            for (int g = 0; g < groups && (first == 0 || s->pairs > PAIRS); g++) PATH(turn)
            (rows + (ptrdiff_t)g * TAC_LANES * stride + 2 * pair, stride, in_group(count, g), pairs,
             packed + (size_t)g * step);
            const tac_score_job job = {
                .rows = s->vectors + ((size_t)first * (size_t)s->pairs + (size_t)pair) * 2,
                .stride = 2 * (ptrdiff_t)s->pairs,
                .count = vectors,
                .centers = packed,
                .step = step,
                .many = groups,
                .pairs = pairs,
                .start = pair == 0 ? zero : NULL,
                .score = score};
            tac_nearest_paths[LEVEL].lanes(&job);
        }
        PATH(fill)(score, vectors, groups, first, s->rank, fill);
    }
}

/* label and held of every row, a batch at a time. */
static void PATH(nearest_subspace)(const tac_spans *s, const int16_t *rows, int64_t n,
                                   int32_t stride, int32_t *label, int64_t *held)
{
    fill_state fill;

    for (int64_t from = 0; from < n; from += BATCH) {
        const int count = n - from < BATCH ? (int)(n - from) : BATCH;
        PATH(fill_batch)(s, rows + from * stride, count, stride, &fill);
        for (int i = 0; i < count; i++) { /* within a register the even rows come first */
            const int at = i / LANES * LANES + LANES / 2 * (i % 2) + i % LANES / 2;
            label[from + i] = (int32_t)fill.which[at];
            if (held != NULL) held[from + i] = fill.most[at];
        }
    }
}

#else

/* label and held of every row, number by number: what the other paths must equal. >> of a negative
   number rounds down, on every path. */
static void PATH(nearest_subspace)(const tac_spans *s, const int16_t *rows, int64_t n,
                                   int32_t stride, int32_t *label, int64_t *held)
{
    for (int64_t i = 0; i < n; i++) {
        const int16_t *x = rows + i * stride, *vector = s->vectors;
        int64_t most = -1;

        for (int32_t c = 0; c < s->count; c++) {
            int64_t sum = 0;
            for (int32_t r = 0; r < s->rank; r++, vector += 2 * s->pairs) {
                int32_t dot = 0;
                for (int32_t j = 0; j < s->dims; j++) dot += x[j] * vector[j];
                sum += (int64_t)(dot >> 8) * (dot >> 8);
            }
            if (sum > most) {
                most = sum;
                label[i] = c;
            }
        }
        if (held != NULL) held[i] = most;
    }
}

#endif
