/* SPDX-License-Identifier: Apache-2.0 */
/* One panel of candidates against the rows, for core/each_path.h. */

#if LEVEL == 0

/* stay and leave of 64 candidates, number by number: what the other paths must equal. */
static void PATH(panel_costs)(const work *w, uint32_t *stay, uint32_t *leave)
{
    for (int64_t i = 0; i < w->rows->n; i++) {
        const int16_t *x = w->rows->minus + i * 2 * w->pairs;
        const uint32_t near = w->rows->near[i], next = w->rows->next[i];
        uint32_t dot[PANEL] = {0};
        for (int32_t j = 0; j < w->pairs; j++)
            for (int l = 0; l < PANEL; l++)
                dot[l] += (uint32_t)((int32_t)x[2 * j] * w->packed[(j * PANEL + l) * 2] +
                                     (int32_t)x[2 * j + 1] * w->packed[(j * PANEL + l) * 2 + 1]);
        for (int l = 0; l < PANEL; l++) {
            const uint32_t squared = w->rows->norm2[i] + w->norm2[l] + 2 * dot[l];
            const uint32_t cost = w->median ? tac_distance(squared) : squared >> SHIFT;
            stay[l] += cost < near ? cost : near;
            leave[l] += cost < next ? cost : next;
        }
    }
}

#else

#include "data/kernels/int_vectors_path.h"
#undef TOGETHER
#define TOGETHER (LEVEL == 1 ? 2 : 4) /* registers of candidates */

#if LEVEL == 1

/* 2 s, the bits that v < 2^32 may be shifted up; 64 for v = 0. Every nibble knows what it allows if
   it is the highest that is not zero, from a table, and the higher its byte the less: the least of
   the eight is right. */
TARGET INLINE __m256i PATH(headroom)(__m256i v)
{
    const __m256i low =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(64, 6, 6, 6, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4));
    const __m256i high =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(64, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    /* bits above each byte */
    const __m256i nibble = _mm256_set1_epi8(15), above = _mm256_set1_epi32(0x00081018);
    const __m256i lower = _mm256_shuffle_epi8(low, _mm256_and_si256(v, nibble));
    const __m256i upper =
        _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi32(v, 4), nibble));
    __m256i least = _mm256_add_epi8(_mm256_min_epu8(lower, upper), above);

    least = _mm256_min_epu8(least, _mm256_srli_epi32(least, 16));
    least = _mm256_min_epu8(least, _mm256_srli_epi32(least, 8));
    return _mm256_and_si256(least, _mm256_set1_epi32(0xff));
}

/* tac_roots[w >> 28]: the upper half of the table where w's upper bit is set; the blend moves bits
   and knows nothing of floats. */
TARGET INLINE __m256i PATH(root_of)(__m256i w)
{
    const __m256i at = _mm256_srli_epi32(w, 28);
    return _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(_mm256_permutevar8x32_epi32(LOAD(tac_roots), at)),
                         _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(LOAD(tac_roots + 8), at)),
                         _mm256_castsi256_ps(w)));
}

#else

TARGET INLINE __m512i PATH(headroom)(__m512i v)
{
    return _mm512_andnot_si512(_mm512_set1_epi32(1), _mm512_lzcnt_epi32(v));
}

TARGET INLINE __m512i PATH(root_of)(__m512i w)
{
    return _mm512_permutexvar_epi32(_mm512_srli_epi32(w, 28), LOAD(tac_roots));
}

#endif

/* tac_distance in every lane. The headroom of 0 is too much to shift by, which makes it 0 again. */
TARGET INLINE INTS PATH(distance)(INTS v)
{
    const INTS s2 = PATH(headroom)(v), w = OP(sllv_epi32)(v, s2), root = PATH(root_of)(w);
    const INTS rest = OP(srli_epi32)(OP(slli_epi32)(w, 4), 16); /* bits 12 .. 27 */
    const INTS distance = OP(add_epi32)(OP(srli_epi32)(root, 16), OP(mulhi_epu16)(rest, root));
    return OP(srlv_epi32)(distance, OP(srli_epi32)(s2, 1));
}

/* TOGETHER registers of candidates: a row's numbers are loaded once for all of them. */
TARGET INLINE void PATH(lanes)(const work *w, int first, const bool median, uint32_t *stay,
                               uint32_t *leave)
{
    INTS norm2[TOGETHER], sum[2][TOGETHER];

#pragma GCC unroll 4
    for (int g = 0; g < TOGETHER; g++) {
        norm2[g] = LOAD(w->norm2 + first + g * LANES);
        sum[0][g] = sum[1][g] = OP(set1_epi32)(0);
    }
    for (int64_t i = 0; i < w->rows->n; i++) {
        const int16_t *x = w->rows->minus + i * 2 * w->pairs;
        INTS v[TOGETHER];
#pragma GCC unroll 4
        for (int g = 0; g < TOGETHER; g++) v[g] = OP(set1_epi32)(0);
        for (int32_t j = 0; j < w->pairs; j++) {
            int32_t pair;
            memcpy(&pair, x + 2 * j, sizeof pair);
            const INTS both = OP(set1_epi32)(pair);
#pragma GCC unroll 4
            for (int g = 0; g < TOGETHER; g++)
                v[g] = ADD_PAIRS(v[g], both, LOAD(w->packed + (j * PANEL + first + g * LANES) * 2));
        }
        const INTS own = OP(set1_epi32)((int32_t)w->rows->norm2[i]);
        const INTS near = OP(set1_epi32)((int32_t)w->rows->near[i]),
                   next = OP(set1_epi32)((int32_t)w->rows->next[i]);
#pragma GCC unroll 4
        for (int g = 0; g < TOGETHER; g++) {
            INTS c = OP(add_epi32)(OP(add_epi32)(v[g], v[g]), OP(add_epi32)(own, norm2[g]));
            c = median ? PATH(distance)(c) : OP(srli_epi32)(c, SHIFT);
            sum[0][g] = OP(add_epi32)(sum[0][g], OP(min_epu32)(c, near));
            sum[1][g] = OP(add_epi32)(sum[1][g], OP(min_epu32)(c, next));
        }
    }
#pragma GCC unroll 4
    for (int g = 0; g < TOGETHER; g++) {
        STORE(stay + first + g * LANES, sum[0][g]);
        STORE(leave + first + g * LANES, sum[1][g]);
    }
}

TARGET static void PATH(panel_costs)(const work *w, uint32_t *stay, uint32_t *leave)
{
    for (int first = 0; first < PANEL; first += TOGETHER * LANES) {
        if (w->median)
            PATH(lanes)(w, first, true, stay, leave);
        else
            PATH(lanes)(w, first, false, stay, leave);
    }
}

#endif
