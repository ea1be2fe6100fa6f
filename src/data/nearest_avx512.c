/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest centre with AVX-512 VNNI: one register holds 16 centres' scores of one row, vpdpwssd adds a pair of
   coordinates to all of them. */
#include "data/nearest_inside.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#define INLINE TARGET __attribute__((always_inline)) static inline

/* The pair (x_2j, x_2j+1) in all lanes. Rows need no more than 2-byte alignment. */
INLINE __m512i spread(const char *at)
{
    int32_t pair;
    memcpy(&pair, at, sizeof pair);
    return _mm512_set1_epi32(pair);
}

/* A tile of R rows x G groups in registers: acc[r][g] += x_r,pair * c_g,pair for every pair. Two sets of
   accumulators, for even and odd pairs, when R * G alone is too little work to hide vpdpwssd's latency. */
INLINE void tile(const int R, const int G, const tac_score_job *job, int first)
{
    const int sets = R * G < 16 ? 2 : 1;
    const ptrdiff_t step = job->stride * (ptrdiff_t)sizeof(int16_t);
    const char *low = (const char *)(job->rows + first * job->stride), *high = R > 4 ? low + 4 * step : low;
    const int16_t *packed = job->packed;
    const ptrdiff_t next = (ptrdiff_t)job->group_step;
    __m512i acc[2][8][2];
    int32_t j = 0;

#pragma GCC unroll 8
    for (int r = 0; r < R; r++)
#pragma GCC unroll 2
        for (int g = 0; g < G; g++) {
            acc[0][r][g] = _mm512_loadu_si512(job->from + (first + r) * job->from_step + g * TAC_LANES);
            acc[1][r][g] = _mm512_setzero_si512();
        }
    for (; j <= job->pairs - sets; j += sets) {
#pragma GCC unroll 2
        for (int s = 0; s < sets; s++) {
            __m512i c[2];
#pragma GCC unroll 2
            for (int g = 0; g < G; g++) c[g] = _mm512_load_si512(packed + g * next + s * 2 * TAC_LANES);
#pragma GCC unroll 8
            for (int r = 0; r < R; r++) {
                const __m512i x = spread((r < 4 ? low : high) + (r % 4) * step + 4 * s);
#pragma GCC unroll 2
                for (int g = 0; g < G; g++) acc[s][r][g] = _mm512_dpwssd_epi32(acc[s][r][g], c[g], x);
            }
        }
        packed += sets * 2 * TAC_LANES;
        low += 4 * sets;
        high += 4 * sets;
    }
    if (j < job->pairs) /* sets is 2 and the number of pairs odd */
#pragma GCC unroll 8
        for (int r = 0; r < R; r++) {
            const __m512i x = spread((r < 4 ? low : high) + (r % 4) * step);
#pragma GCC unroll 2
            for (int g = 0; g < G; g++)
                acc[0][r][g] = _mm512_dpwssd_epi32(acc[0][r][g], _mm512_load_si512(packed + g * next), x);
        }
#pragma GCC unroll 8
    for (int r = 0; r < R; r++)
#pragma GCC unroll 2
        for (int g = 0; g < G; g++) {
            const __m512i sum = sets == 2 ? _mm512_add_epi32(acc[0][r][g], acc[1][r][g]) : acc[0][r][g];
            _mm512_store_si512(job->score + ((first + r) * G + g) * TAC_LANES, sum);
        }
}

TARGET static void scores(const tac_score_job *job)
{
    int i = 0;

    if (job->groups == 2) {
        for (; i <= job->count - 8; i += 8) tile(8, 2, job, i);
        for (; i < job->count; i++) tile(1, 2, job, i);
    } else {
        for (; i <= job->count - 8; i += 8) tile(8, 1, job, i);
        for (; i < job->count; i++) tile(1, 1, job, i);
    }
}

TARGET static void keep(const int32_t *score, int count, int groups, int32_t first, int32_t *best, int32_t *where)
{
    for (int i = 0; i < count; i++) {
        __m512i top = _mm512_load_si512(best + i * TAC_LANES), at = _mm512_load_si512(where + i * TAC_LANES);
        for (int g = 0; g < groups; g++) {
            const __m512i now = _mm512_load_si512(score + (i * groups + g) * TAC_LANES);
            at = _mm512_mask_mov_epi32(at, _mm512_cmpgt_epi32_mask(now, top), _mm512_set1_epi32(first + g));
            top = _mm512_max_epi32(top, now);
        }
        _mm512_store_si512(best + i * TAC_LANES, top);
        _mm512_store_si512(where + i * TAC_LANES, at);
    }
}

/* Lane i of the result is the extreme over all lanes of v[i]: a tree that halves the registers at every step and
   keeps the rows in order. */
#define FOLD(name, extreme)                                                                                    \
    INLINE __m512i name(__m512i v[16])                                                                         \
    {                                                                                                          \
        _Pragma("GCC unroll 8") for (int i = 0; i < 8; i++)                                                    \
            v[i] = extreme(_mm512_unpacklo_epi32(v[2 * i], v[2 * i + 1]),                                      \
                           _mm512_unpackhi_epi32(v[2 * i], v[2 * i + 1]));                                     \
        _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++)                                                    \
            v[i] = extreme(_mm512_unpacklo_epi64(v[2 * i], v[2 * i + 1]),                                      \
                           _mm512_unpackhi_epi64(v[2 * i], v[2 * i + 1]));                                     \
        _Pragma("GCC unroll 2") for (int i = 0; i < 2; i++)                                                    \
            v[i] = extreme(_mm512_shuffle_i32x4(v[2 * i], v[2 * i + 1], 0x88),                                 \
                           _mm512_shuffle_i32x4(v[2 * i], v[2 * i + 1], 0xdd));                                \
        return extreme(_mm512_shuffle_i32x4(v[0], v[1], 0x88), _mm512_shuffle_i32x4(v[0], v[1], 0xdd));        \
    }
FOLD(fold_max, _mm512_max_epi32)
FOLD(fold_min, _mm512_min_epi32)

TARGET static void pick(const int32_t *best, const int32_t *where, int count, int32_t *label)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i never = _mm512_set1_epi32(INT32_MAX);

    for (int i = 0; i < count; i += 16) {
        _Alignas(64) int32_t top[16];
        __m512i v[16];
#pragma GCC unroll 16
        for (int r = 0; r < 16; r++) v[r] = _mm512_load_si512(best + (i + r) * TAC_LANES);
        _mm512_store_si512(top, fold_max(v));
#pragma GCC unroll 16
        for (int r = 0; r < 16; r++) {
            const __m512i group = _mm512_load_si512(where + (i + r) * TAC_LANES);
            const __m512i c = _mm512_add_epi32(_mm512_slli_epi32(group, 4), lane);
            const __m512i row = _mm512_load_si512(best + (i + r) * TAC_LANES);
            v[r] = _mm512_mask_mov_epi32(never, _mm512_cmpeq_epi32_mask(row, _mm512_set1_epi32(top[r])), c);
        }
        const __mmask16 inside = (__mmask16)(count - i >= 16 ? 0xffff : (1 << (count - i)) - 1);
        _mm512_mask_storeu_epi32(label + i, inside, fold_min(v));
    }
}

const tac_nearest_kernels tac_nearest_avx512 = {"avx512vnni", scores, keep, pick};

#else
typedef int tac_nearest_avx512_not_here; /* ISO C wants a declaration in every file */
#endif
