/* SPDX-License-Identifier: Apache-2.0 */
/* Rows seen from their cell: AVX-512, 16 coordinates at a time, the last ones behind a mask. */
#include "data/local_inside.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))
#define INLINE TARGET __attribute__((always_inline)) static inline

INLINE __mmask16 mask_of(int32_t left)
{
    return (__mmask16)(left >= 16 ? 0xffffu : (1u << left) - 1);
}

INLINE __m256i row16(const int16_t *x, int32_t j, int32_t dims)
{
    return _mm256_maskz_loadu_epi16(mask_of(dims - j), x + j);
}

INLINE __m256i full16(const int16_t *c)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)c);
}

INLINE int32_t total(__m256i v)
{
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1)));
}

/* |x - c|^2 = |x|^2 + |c|^2 - 2 <x, c>; partial sums fit by Cauchy-Schwarz (local_portable.c). */
INLINE uint32_t gap(const tac_local_map *map, const int16_t *x, int32_t cell)
{
    const int16_t *c = map->centers + (ptrdiff_t)cell * map->width;
    __m256i norm = _mm256_setzero_si256(), dot = norm;

    for (int32_t j = 0; j < map->dims; j += 16) {
        const __m256i v = row16(x, j, map->dims);
        norm = _mm256_dpwssd_epi32(norm, v, v);
        dot = _mm256_dpwssd_epi32(dot, v, full16(c + j));
    }
    return (uint32_t)total(_mm256_sub_epi32(norm, _mm256_add_epi32(dot, dot))) + map->norm[cell];
}

TARGET static void squared(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell,
                           uint32_t *out)
{
    for (int64_t i = 0; i < n; i++) out[i] = gap(map, rows + i * stride, cell[i]);
}

TARGET static void along(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell,
                         int32_t *out)
{
    for (int64_t i = 0; i < n; i++) {
        const int16_t *x = rows + i * stride, *c = map->centers + (ptrdiff_t)cell[i] * map->width;
        __m256i dot = _mm256_setzero_si256();
        for (int32_t j = 0; j < map->dims; j += 16) dot = _mm256_dpwssd_epi32(dot, row16(x, j, map->dims), full16(c + j));
        out[i] = total(dot);
    }
}

/* out = round((x - c) scale). True: |out|^2 > M^2, exactly. */
INLINE bool place_row(const int16_t *x, const int16_t *c, float factor, int32_t dims, int16_t *out)
{
    const __m512 scale = _mm512_set1_ps(factor);
    __m512i squares = _mm512_setzero_si512();

    for (int32_t j = 0; j < dims; j += 16) {
        const __m512i apart = _mm512_sub_epi32(_mm512_cvtepi16_epi32(row16(x, j, dims)),
                                               _mm512_cvtepi16_epi32(full16(c + j)));
        const __m512i whole = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(apart), scale));
        const __m256i u = _mm512_cvtsepi32_epi16(whole), pairs = _mm256_madd_epi16(u, u); /* at most 2^31: unsigned */
        squares = _mm512_add_epi64(squares, _mm512_cvtepu32_epi64(pairs));
        _mm256_mask_storeu_epi16(out + j, mask_of(dims - j), u);
    }
    return (uint64_t)_mm512_reduce_add_epi64(squares) > (uint64_t)TAC_M * TAC_M;
}

TARGET static void place(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell,
                         uint32_t most, int16_t *u, uint32_t *weight)
{
    TAC_LOCAL_PLACE(gap, place_row)
}

const tac_local_kernels tac_local_avx512 = {.squared = squared, .along = along, .place = place};

#endif
