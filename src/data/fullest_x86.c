/* SPDX-License-Identifier: Apache-2.0 */
/* The fullest subspace with AVX2 and with AVX-512: rows turned into lanes, and sums of squares of dot products. Lanes of
   even and of odd number are kept apart, because a product of 32-bit numbers takes 64: of the 16 rows of a group first the
   even, then the odd. */
#include "data/fullest_inside.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define TARGET256 __attribute__((target("avx2")))

/* A square of 16 x 16 pairs, turned: in registers of 4 x 4 first, then those among each other. */
TARGET512 static void turn_512(const int16_t *rows, ptrdiff_t stride, int count, int32_t pairs, int16_t *packed)
{
    for (int32_t j = 0; j < pairs; j += 16, packed += 16 * TAC_LANES * 2) {
        const int many = pairs - j < 16 ? (int)(pairs - j) : 16;
        const __mmask16 there = (__mmask16)((1u << many) - 1); /* the rows may end where the memory does */
        __m512i r[16], a[16], turned[16];
        for (int i = 0; i < 16; i++)
            r[i] = i < count ? _mm512_maskz_loadu_epi32(there, rows + i * stride + 2 * j) : _mm512_setzero_si512();
#pragma GCC unroll 8
        for (int i = 0; i < 16; i += 2) {
            a[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
            a[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
        }
#pragma GCC unroll 4
        for (int i = 0; i < 16; i += 4) {
            r[i] = _mm512_unpacklo_epi64(a[i], a[i + 2]);
            r[i + 1] = _mm512_unpackhi_epi64(a[i], a[i + 2]);
            r[i + 2] = _mm512_unpacklo_epi64(a[i + 1], a[i + 3]);
            r[i + 3] = _mm512_unpackhi_epi64(a[i + 1], a[i + 3]);
        }
#pragma GCC unroll 4
        for (int c = 0; c < 4; c++) {
            const __m512i even_low = _mm512_shuffle_i32x4(r[c], r[4 + c], 0x88);
            const __m512i even_high = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0x88);
            const __m512i odd_low = _mm512_shuffle_i32x4(r[c], r[4 + c], 0xdd);
            const __m512i odd_high = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0xdd);
            turned[c] = _mm512_shuffle_i32x4(even_low, even_high, 0x88);
            turned[4 + c] = _mm512_shuffle_i32x4(odd_low, odd_high, 0x88);
            turned[8 + c] = _mm512_shuffle_i32x4(even_low, even_high, 0xdd);
            turned[12 + c] = _mm512_shuffle_i32x4(odd_low, odd_high, 0xdd);
        }
        for (int i = 0; i < many; i++) _mm512_store_si512(packed + i * TAC_LANES * 2, turned[i]);
    }
}

TARGET512 static void fill_512(const int32_t *score, int vectors, int groups, int32_t first, int32_t rank, tac_fill *fill)
{
    for (int g = 0; g < groups; g++) {
        int64_t *at_held = fill->held + g * TAC_LANES, *at_most = fill->most + g * TAC_LANES;
        int64_t *at_which = fill->which + g * TAC_LANES;
        __m512i held[2], most[2], which[2];
        int32_t left = rank - first % rank, number = first / rank;
#pragma GCC unroll 2
        for (int p = 0; p < 2; p++) {
            held[p] = _mm512_load_si512(at_held + 8 * p);
            most[p] = _mm512_load_si512(at_most + 8 * p);
            which[p] = _mm512_load_si512(at_which + 8 * p);
        }
        for (int v = 0; v < vectors; v++) {
            const __m512i dot = _mm512_srai_epi32(_mm512_load_si512(score + (v * groups + g) * TAC_LANES), 8);
            const __m512i half[2] = {dot, _mm512_srli_epi64(dot, 32)};
#pragma GCC unroll 2
            for (int p = 0; p < 2; p++) held[p] = _mm512_add_epi64(held[p], _mm512_mul_epi32(half[p], half[p]));
            if (--left > 0) continue;
#pragma GCC unroll 2
            for (int p = 0; p < 2; p++) {
                const __mmask8 more = _mm512_cmpgt_epi64_mask(held[p], most[p]);
                which[p] = _mm512_mask_mov_epi64(which[p], more, _mm512_set1_epi64(number));
                most[p] = _mm512_max_epi64(most[p], held[p]);
                held[p] = _mm512_setzero_si512();
            }
            left = rank;
            number++;
        }
#pragma GCC unroll 2
        for (int p = 0; p < 2; p++) {
            _mm512_store_si512(at_held + 8 * p, held[p]);
            _mm512_store_si512(at_most + 8 * p, most[p]);
            _mm512_store_si512(at_which + 8 * p, which[p]);
        }
    }
}

static void tell_512(const tac_fill *fill, int group, int count, int32_t *which, int64_t *most)
{
    for (int i = 0; i < count; i++) {
        const int at = group * TAC_LANES + 8 * (i % 2) + i / 2;
        which[i] = (int32_t)fill->which[at];
        if (most != NULL) most[i] = fill->most[at];
    }
}

const tac_fullest_kernels tac_fullest_avx512 = {.turn = turn_512, .fill = fill_512, .tell = tell_512};

/* Squares of 8 x 8 pairs, turned: in registers of 4 x 4 first, then those. */
TARGET256 static void turn_256(const int16_t *rows, ptrdiff_t stride, int count, int32_t pairs, int16_t *packed)
{
    const __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);

    for (int half = 0; half < TAC_LANES; half += 8)
        for (int32_t j = 0; j < pairs; j += 8) {
            const int many = pairs - j < 8 ? (int)(pairs - j) : 8;
            const __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32(many), number); /* as above */
            __m256i r[8], a[8], turned[8];
            for (int i = 0; i < 8; i++) {
                const int *at = (const int *)(const void *)(rows + (half + i) * stride + 2 * j);
                r[i] = half + i < count ? _mm256_maskload_epi32(at, there) : _mm256_setzero_si256();
            }
#pragma GCC unroll 4
            for (int i = 0; i < 8; i += 2) {
                a[i] = _mm256_unpacklo_epi32(r[i], r[i + 1]);
                a[i + 1] = _mm256_unpackhi_epi32(r[i], r[i + 1]);
            }
#pragma GCC unroll 2
            for (int i = 0; i < 8; i += 4) {
                r[i] = _mm256_unpacklo_epi64(a[i], a[i + 2]);
                r[i + 1] = _mm256_unpackhi_epi64(a[i], a[i + 2]);
                r[i + 2] = _mm256_unpacklo_epi64(a[i + 1], a[i + 3]);
                r[i + 3] = _mm256_unpackhi_epi64(a[i + 1], a[i + 3]);
            }
#pragma GCC unroll 4
            for (int c = 0; c < 4; c++) {
                turned[c] = _mm256_permute2x128_si256(r[c], r[4 + c], 0x20);
                turned[4 + c] = _mm256_permute2x128_si256(r[c], r[4 + c], 0x31);
            }
            for (int i = 0; i < many; i++)
                _mm256_store_si256((__m256i *)(void *)(packed + ((j + i) * TAC_LANES + half) * 2), turned[i]);
        }
}

TARGET256 static void fill_256(const int32_t *score, int vectors, int groups, int32_t first, int32_t rank, tac_fill *fill)
{
    for (int h = 0; h < 2 * groups; h++) { /* half a group: its four even rows, then its four odd */
        __m256i *at_held = (__m256i *)(void *)(fill->held + 8 * h), *at_most = (__m256i *)(void *)(fill->most + 8 * h);
        __m256i *at_which = (__m256i *)(void *)(fill->which + 8 * h), held[2], most[2], which[2];
        int32_t left = rank - first % rank, number = first / rank;
#pragma GCC unroll 2
        for (int p = 0; p < 2; p++) held[p] = at_held[p], most[p] = at_most[p], which[p] = at_which[p];
        for (int v = 0; v < vectors; v++) {
            const __m256i *at = (const __m256i *)(const void *)(score + v * groups * TAC_LANES + 8 * h);
            const __m256i dot = _mm256_srai_epi32(_mm256_load_si256(at), 8), part[2] = {dot, _mm256_srli_epi64(dot, 32)};
#pragma GCC unroll 2
            for (int p = 0; p < 2; p++) held[p] = _mm256_add_epi64(held[p], _mm256_mul_epi32(part[p], part[p]));
            if (--left > 0) continue;
#pragma GCC unroll 2
            for (int p = 0; p < 2; p++) {
                const __m256i more = _mm256_cmpgt_epi64(held[p], most[p]);
                which[p] = _mm256_blendv_epi8(which[p], _mm256_set1_epi64x(number), more);
                most[p] = _mm256_blendv_epi8(most[p], held[p], more);
                held[p] = _mm256_setzero_si256();
            }
            left = rank;
            number++;
        }
#pragma GCC unroll 2
        for (int p = 0; p < 2; p++) at_held[p] = held[p], at_most[p] = most[p], at_which[p] = which[p];
    }
}

static void tell_256(const tac_fill *fill, int group, int count, int32_t *which, int64_t *most)
{
    for (int i = 0; i < count; i++) {
        const int at = group * TAC_LANES + i / 8 * 8 + 4 * (i % 2) + i % 8 / 2;
        which[i] = (int32_t)fill->which[at];
        if (most != NULL) most[i] = fill->most[at];
    }
}

const tac_fullest_kernels tac_fullest_avx2 = {.turn = turn_256, .fill = fill_256, .tell = tell_256};

#else
typedef int tac_fullest_x86_not_here; /* ISO C wants a declaration in every file */
#endif
