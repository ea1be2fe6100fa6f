/* SPDX-License-Identifier: Apache-2.0 */
/* Rows seen from their cell: AVX2, 16 coordinates at a time. */
#include "data/local_inside.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET __attribute__((always_inline)) static inline

/* Coordinates j .. j + 15 of a row; those past the last are made 0. */
INLINE __m256i row16(const int16_t *x, int32_t j, int32_t dims)
{
    static const int16_t keep[32] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    const __m256i all = _mm256_loadu_si256((const __m256i *)(const void *)(x + j));
    if (dims - j >= 16) return all;
    return _mm256_and_si256(all, _mm256_loadu_si256((const __m256i *)(const void *)(keep + 16 - (dims - j))));
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
        norm = _mm256_add_epi32(norm, _mm256_madd_epi16(v, v));
        dot = _mm256_add_epi32(dot, _mm256_madd_epi16(v, full16(c + j)));
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
        for (int32_t j = 0; j < map->dims; j += 16)
            dot = _mm256_add_epi32(dot, _mm256_madd_epi16(row16(x, j, map->dims), full16(c + j)));
        out[i] = total(dot);
    }
}

INLINE __m256i placed8(__m128i x, __m128i c, __m256 scale)
{
    const __m256i apart = _mm256_sub_epi32(_mm256_cvtepi16_epi32(x), _mm256_cvtepi16_epi32(c));
    return _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(apart), scale));
}

/* out = round((x - c) scale); a whole vector is written, the next row comes after. True: |out|^2 > M^2, exactly. */
INLINE bool place_row(const int16_t *x, const int16_t *c, float factor, int32_t dims, int16_t *out)
{
    const __m256 scale = _mm256_set1_ps(factor);
    const __m256i zero = _mm256_setzero_si256();
    __m256i squares = zero;

    for (int32_t j = 0; j < dims; j += 16) {
        const __m256i v = row16(x, j, dims), w = full16(c + j);
        const __m256i low = placed8(_mm256_castsi256_si128(v), _mm256_castsi256_si128(w), scale);
        const __m256i high = placed8(_mm256_extracti128_si256(v, 1), _mm256_extracti128_si256(w, 1), scale);
        const __m256i u = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xd8);
        const __m256i pairs = _mm256_madd_epi16(u, u); /* at most 2^31: unsigned */
        squares = _mm256_add_epi64(squares,
                                   _mm256_add_epi64(_mm256_unpacklo_epi32(pairs, zero), _mm256_unpackhi_epi32(pairs, zero)));
        _mm256_storeu_si256((__m256i *)(void *)(out + j), u);
    }
    const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(squares), _mm256_extracti128_si256(squares, 1));
    return (uint64_t)(_mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1)) > (uint64_t)TAC_M * TAC_M;
}

TARGET static void place(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell,
                         uint32_t most, int16_t *u, uint32_t *weight)
{
    TAC_LOCAL_PLACE(gap, place_row)
}

const tac_local_kernels tac_local_avx2 = {.squared = squared, .along = along, .place = place};

#endif
