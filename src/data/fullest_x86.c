/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of squares of dot products and the greatest of them, with AVX2 and with AVX-512. Lanes of even and of odd number are
   kept apart, because a product of 32-bit numbers takes 64. */
#include "data/fullest_inside.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define TARGET256 __attribute__((target("avx2")))

TARGET512 static void square_512(const int32_t *score, int count, int groups, bool first, int64_t *held)
{
    for (int i = 0; i < count; i++, held += TAC_LANES) {
        __m512i even = first ? _mm512_setzero_si512() : _mm512_load_si512(held);
        __m512i odd = first ? _mm512_setzero_si512() : _mm512_load_si512(held + 8);
        for (int g = 0; g < groups; g++, score += TAC_LANES) {
            const __m512i dot = _mm512_srai_epi32(_mm512_load_si512(score), 8), high = _mm512_srli_epi64(dot, 32);
            even = _mm512_add_epi64(even, _mm512_mul_epi32(dot, dot));
            odd = _mm512_add_epi64(odd, _mm512_mul_epi32(high, high));
        }
        _mm512_store_si512(held, even);
        _mm512_store_si512(held + 8, odd);
    }
}

/* v + v turned by `lanes` of its 64-bit lanes. */
#define FOLD(v, lanes) _mm512_add_epi64(v, _mm512_alignr_epi64(v, v, lanes))

TARGET512 static void pick_512(const int64_t *held, int count, int32_t side, int32_t from, int64_t *best, int32_t *label)
{
    for (int i = 0; i < count; i++, held += TAC_LANES) {
        __m512i even = _mm512_load_si512(held), odd = _mm512_load_si512(held + 8);
        if (side <= 8) even = FOLD(even, 4), odd = FOLD(odd, 4);
        if (side <= 4) even = FOLD(even, 2), odd = FOLD(odd, 2);
        if (side <= 2) even = FOLD(even, 1), odd = FOLD(odd, 1);
        __m512i most = _mm512_max_epi64(even, odd);
        most = _mm512_max_epi64(most, _mm512_alignr_epi64(most, most, 4));
        most = _mm512_max_epi64(most, _mm512_alignr_epi64(most, most, 2));
        most = _mm512_max_epi64(most, _mm512_alignr_epi64(most, most, 1));
        const int is_even = 2 * __builtin_ctz(_mm512_cmpeq_epi64_mask(even, most) | 0x100u);
        const int is_odd = 2 * __builtin_ctz(_mm512_cmpeq_epi64_mask(odd, most) | 0x100u) + 1;
        const int64_t top = _mm_cvtsi128_si64(_mm512_castsi512_si128(most));
        label[i] = top > best[i] ? from + (is_even < is_odd ? is_even : is_odd) : label[i];
        best[i] = top > best[i] ? top : best[i];
    }
}

const tac_fullest_kernels tac_fullest_avx512 = {.square = square_512, .pick = pick_512};

TARGET256 static void square_256(const int32_t *score, int count, int groups, bool first, int64_t *held)
{
    for (int i = 0; i < count; i++, held += TAC_LANES)
        for (int h = 0; h < 2; h++) {
            __m256i *at_even = (__m256i *)(void *)(held + 4 * h), *at_odd = (__m256i *)(void *)(held + 8 + 4 * h);
            __m256i even = first ? _mm256_setzero_si256() : _mm256_load_si256(at_even);
            __m256i odd = first ? _mm256_setzero_si256() : _mm256_load_si256(at_odd);
            for (int g = 0; g < groups; g++) {
                const __m256i *at = (const __m256i *)(const void *)(score + (i * groups + g) * TAC_LANES + 8 * h);
                const __m256i dot = _mm256_srai_epi32(_mm256_load_si256(at), 8), high = _mm256_srli_epi64(dot, 32);
                even = _mm256_add_epi64(even, _mm256_mul_epi32(dot, dot));
                odd = _mm256_add_epi64(odd, _mm256_mul_epi32(high, high));
            }
            _mm256_store_si256(at_even, even);
            _mm256_store_si256(at_odd, odd);
        }
}

TARGET256 __attribute__((always_inline)) static inline __m256i larger(__m256i a, __m256i b)
{
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(b, a));
}

TARGET256 __attribute__((always_inline)) static inline unsigned equal(__m256i a, __m256i b)
{
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(a, b)));
}

TARGET256 static void pick_256(const int64_t *held, int count, int32_t side, int32_t from, int64_t *best, int32_t *label)
{
    for (int i = 0; i < count; i++, held += TAC_LANES) {
        const __m256i *at = (const __m256i *)(const void *)held;
        __m256i v[4]; /* even low, even high, odd low, odd high */
        for (int p = 0; p < 4; p++) v[p] = _mm256_load_si256(at + p);
        for (int p = 0; p < 4; p += 2) {
            if (side <= 8) v[p] = v[p + 1] = _mm256_add_epi64(v[p], v[p + 1]);
            if (side <= 4) v[p] = v[p + 1] = _mm256_add_epi64(v[p], _mm256_permute4x64_epi64(v[p], 0x4e));
            if (side <= 2) v[p] = v[p + 1] = _mm256_add_epi64(v[p], _mm256_permute4x64_epi64(v[p], 0xb1));
        }
        __m256i most = larger(larger(v[0], v[1]), larger(v[2], v[3]));
        most = larger(most, _mm256_permute4x64_epi64(most, 0x4e));
        most = larger(most, _mm256_permute4x64_epi64(most, 0xb1));
        const int is_even = 2 * __builtin_ctz(equal(v[0], most) | equal(v[1], most) << 4 | 0x100u);
        const int is_odd = 2 * __builtin_ctz(equal(v[2], most) | equal(v[3], most) << 4 | 0x100u) + 1;
        const int64_t top = _mm_cvtsi128_si64(_mm256_castsi256_si128(most));
        label[i] = top > best[i] ? from + (is_even < is_odd ? is_even : is_odd) : label[i];
        best[i] = top > best[i] ? top : best[i];
    }
}

const tac_fullest_kernels tac_fullest_avx2 = {.square = square_256, .pick = pick_256};

#else
typedef int tac_fullest_x86_not_here; /* ISO C wants a declaration in every file */
#endif
