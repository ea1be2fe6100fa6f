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

/* acc += c_even * x_even + c_odd * x_odd in every lane. In assembly because GCC 12, given the intrinsic, does not
   keep 20 accumulators each in its own register: it copies and spills them inside, at half the speed. */
INLINE __m512i add_pairs(__m512i acc, __m512i c, __m512i x)
{
    __asm__("vpdpwssd %2, %1, %0" : "+v"(acc) : "v"(c), "v"(x));
    return acc;
}

/* A tile of R rows x G groups in registers: acc[r][g] += x_r,pair * c_g,pair for every pair. Two sets of
   accumulators, for even and odd pairs, when R * G alone is too little work to hide vpdpwssd's latency. */
INLINE void lane_tile(const int R, const int G, const tac_score_job *job, int first)
{
    const int sets = R * G < 16 ? 2 : 1;
    const ptrdiff_t step = job->stride * (ptrdiff_t)sizeof(int16_t);
    const char *low = (const char *)(job->rows + first * job->stride), *high = R > 4 ? low + 4 * step : low;
    const int16_t *centers = job->centers;
    const ptrdiff_t next = (ptrdiff_t)job->step;
    int32_t *score = job->score + first * G * TAC_LANES;
    __m512i acc[2][8][4];
    int32_t j = 0;

#pragma GCC unroll 8
    for (int r = 0; r < R; r++)
#pragma GCC unroll 4
        for (int g = 0; g < G; g++) {
            const int32_t *from = job->start != NULL ? job->start : score + r * G * TAC_LANES;
            acc[0][r][g] = _mm512_load_si512(from + g * TAC_LANES);
            acc[1][r][g] = _mm512_setzero_si512();
        }
    for (; j <= job->pairs - sets; j += sets) {
#pragma GCC unroll 2
        for (int s = 0; s < sets; s++) {
            __m512i c[4];
#pragma GCC unroll 4
            for (int g = 0; g < G; g++) c[g] = _mm512_load_si512(centers + g * next + s * 2 * TAC_LANES);
#pragma GCC unroll 8
            for (int r = 0; r < R; r++) {
                const __m512i x = spread((r < 4 ? low : high) + (r % 4) * step + 4 * s);
#pragma GCC unroll 4
                for (int g = 0; g < G; g++) acc[s][r][g] = add_pairs(acc[s][r][g], c[g], x);
            }
        }
        centers += sets * 2 * TAC_LANES;
        low += 4 * sets;
        high += 4 * sets;
    }
    if (j < job->pairs) /* sets is 2 and the number of pairs odd */
#pragma GCC unroll 8
        for (int r = 0; r < R; r++) {
            const __m512i x = spread((r < 4 ? low : high) + (r % 4) * step);
#pragma GCC unroll 4
            for (int g = 0; g < G; g++)
                acc[0][r][g] = add_pairs(acc[0][r][g], _mm512_load_si512(centers + g * next), x);
        }
#pragma GCC unroll 8
    for (int r = 0; r < R; r++)
#pragma GCC unroll 4
        for (int g = 0; g < G; g++) {
            const __m512i sum = sets == 2 ? _mm512_add_epi32(acc[0][r][g], acc[1][r][g]) : acc[0][r][g];
            _mm512_store_si512(score + (r * G + g) * TAC_LANES, sum);
        }
}

/* R x G of at most 24 accumulators: with the centres and a row they fill the 32 registers. */
TARGET static void lanes(const tac_score_job *job)
{
    const int count = job->count;
    int i = 0;

    switch (job->many) {
    case 1:
        for (; i <= count - 8; i += 8) lane_tile(8, 1, job, i);
        for (; i < count; i++) lane_tile(1, 1, job, i);
        break;
    case 2:
        for (; i <= count - 8; i += 8) lane_tile(8, 2, job, i);
        for (; i < count; i++) lane_tile(1, 2, job, i);
        break;
    case 3:
        for (; i <= count - 8; i += 8) lane_tile(8, 3, job, i);
        for (; i < count; i++) lane_tile(1, 3, job, i);
        break;
    default:
        for (; i <= count - 6; i += 6) lane_tile(6, 4, job, i);
        for (; i < count; i++) lane_tile(1, 4, job, i);
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
            const __m512i row = _mm512_load_si512(best + (i + r) * TAC_LANES);
            __m512i c = lane;
            if (where != NULL)
                c = _mm512_add_epi32(_mm512_slli_epi32(_mm512_load_si512(where + (i + r) * TAC_LANES), 4), lane);
            v[r] = _mm512_mask_mov_epi32(never, _mm512_cmpeq_epi32_mask(row, _mm512_set1_epi32(top[r])), c);
        }
        const __mmask16 inside = (__mmask16)(count - i >= 16 ? 0xffff : (1 << (count - i)) - 1);
        _mm512_mask_storeu_epi32(label + i, inside, fold_min(v));
    }
}

/* Lane r of the result is the sum over all lanes of v[r]. */
INLINE __m128i fold_sum(const __m512i v[4])
{
    const __m512i a = _mm512_add_epi32(_mm512_unpacklo_epi32(v[0], v[1]), _mm512_unpackhi_epi32(v[0], v[1]));
    const __m512i b = _mm512_add_epi32(_mm512_unpacklo_epi32(v[2], v[3]), _mm512_unpackhi_epi32(v[2], v[3]));
    const __m512i c = _mm512_add_epi32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    const __m256i d = _mm256_add_epi32(_mm512_castsi512_si256(c), _mm512_extracti64x4_epi64(c, 1));
    return _mm_add_epi32(_mm256_castsi256_si128(d), _mm256_extracti128_si256(d, 1));
}

/* acc[k][r] += <row r, centre k> over 16 pairs, lane by lane. */
INLINE void dot_step(const int C, __m512i acc[5][4], const __m512i row[4], const int16_t *c, ptrdiff_t next)
{
#pragma GCC unroll 5
    for (int k = 0; k < C; k++) {
        const __m512i point = _mm512_load_si512(c + k * next);
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) acc[k][r] = add_pairs(acc[k][r], point, row[r]);
    }
}

/* A tile of 4 rows x C centres in registers: 16 pairs of coordinates at a time. Rows past the last repeat it. */
INLINE void dot_tile(const int C, const tac_score_job *job, int first, int center)
{
    const int last = job->count - 1;
    const ptrdiff_t next = (ptrdiff_t)job->step;
    const int16_t *x[4], *c = job->centers + center * next;
    __m512i acc[5][4], row[4];
    int32_t left = job->pairs;

#pragma GCC unroll 4
    for (int r = 0; r < 4; r++) x[r] = job->rows + (first + r < last ? first + r : last) * job->stride;
#pragma GCC unroll 5
    for (int k = 0; k < C; k++)
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) acc[k][r] = _mm512_setzero_si512();
    for (; left >= 16; left -= 16, c += 32) {
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) {
            row[r] = _mm512_loadu_si512(x[r]);
            /* The next tile's rows, too many streams for the hardware to guess. Never faults. */
            if (center == 0) _mm_prefetch((const char *)(x[r] + 4 * job->stride), _MM_HINT_T0);
            x[r] += 32;
        }
        dot_step(C, acc, row, c, next);
    }
    if (left > 0) { /* masked: the rows may end where the memory does */
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) row[r] = _mm512_maskz_loadu_epi32((__mmask16)((1 << left) - 1), x[r]);
        dot_step(C, acc, row, c, next);
    }
#pragma GCC unroll 5
    for (int k = 0; k < C; k++) {
        __m128i *score = (__m128i *)(void *)(job->score + (center + k) * TAC_ROWS + first);
        const __m128i start = job->start != NULL ? _mm_set1_epi32(job->start[center + k]) : _mm_load_si128(score);
        _mm_store_si128(score, _mm_add_epi32(start, fold_sum(acc[k])));
    }
}

TARGET static void dots(const tac_score_job *job)
{
    for (int i = 0; i < job->count; i += 4)
        for (int c = 0; c < job->many;) {
            /* Even shares: 6 centres are better cut 3 + 3 than 5 + 1. */
            const int tiles = (job->many - c + 4) / 5, share = (job->many - c + tiles - 1) / tiles;
            switch (share) {
            case 1: dot_tile(1, job, i, c); break;
            case 2: dot_tile(2, job, i, c); break;
            case 3: dot_tile(3, job, i, c); break;
            case 4: dot_tile(4, job, i, c); break;
            default: dot_tile(5, job, i, c);
            }
            c += share;
        }
}

TARGET static void choose(const int32_t *score, int many, int32_t first, int32_t *best, int32_t *label)
{
    tac_choose(score, many, first, best, label);
}

const tac_nearest_kernels tac_nearest_avx512 = {
    .name = "avx512vnni", .dots = dots, .choose = choose, .lanes = lanes, .keep = keep, .pick = pick,
    .lane_cost = {128, 90, 75},
};

#else
typedef int tac_nearest_avx512_not_here; /* ISO C wants a declaration in every file */
#endif
