/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest centre with AVX2: two registers hold 16 centres' scores of one row, vpmaddwd + vpaddd add a pair of
   coordinates to all of them. */
#include "data/nearest_inside.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET __attribute__((always_inline)) static inline
#define LOAD(at) _mm256_loadu_si256((const __m256i *)(const void *)(at))
#define STORE(at, value) _mm256_storeu_si256((__m256i *)(void *)(at), value)

/* The pair (x_2j, x_2j+1) in all lanes. Rows need no more than 2-byte alignment. */
INLINE __m256i spread(const char *at)
{
    int32_t pair;
    memcpy(&pair, at, sizeof pair);
    return _mm256_set1_epi32(pair);
}

/* A tile of R rows x one group in registers: acc[r] += x_r,pair * c_pair for every pair. 4 rows use 8
   accumulators, 2 centres, 1 row and 1 product of the 16 registers. */
INLINE void lane_tile(const int R, const tac_score_job *job, int first, int group)
{
    const ptrdiff_t step = job->stride * (ptrdiff_t)sizeof(int16_t);
    const char *row = (const char *)(job->rows + first * job->stride);
    const int16_t *centers = job->centers + (size_t)group * job->step;
    int32_t *score = job->score + (first * job->many + group) * TAC_LANES;
    const int next = job->many * TAC_LANES;
    __m256i acc[4][2];

#pragma GCC unroll 4
    for (int r = 0; r < R; r++)
#pragma GCC unroll 2
        for (int h = 0; h < 2; h++)
            acc[r][h] = LOAD((job->start != NULL ? job->start + group * TAC_LANES : score + r * next) + 8 * h);
    for (int32_t j = 0; j < job->pairs; j++) {
        const __m256i c[2] = {LOAD(centers), LOAD(centers + 16)};
#pragma GCC unroll 4
        for (int r = 0; r < R; r++) {
            const __m256i x = spread(row + r * step);
#pragma GCC unroll 2
            for (int h = 0; h < 2; h++) acc[r][h] = _mm256_add_epi32(acc[r][h], _mm256_madd_epi16(c[h], x));
        }
        centers += 2 * TAC_LANES;
        row += 4;
    }
#pragma GCC unroll 4
    for (int r = 0; r < R; r++)
#pragma GCC unroll 2
        for (int h = 0; h < 2; h++) STORE(score + r * next + 8 * h, acc[r][h]);
}

TARGET static void lanes(const tac_score_job *job)
{
    int i = 0;

    for (; i <= job->count - 4; i += 4)
        for (int g = 0; g < job->many; g++) lane_tile(4, job, i, g);
    for (; i < job->count; i++)
        for (int g = 0; g < job->many; g++) lane_tile(1, job, i, g);
}

TARGET static void keep(const int32_t *score, int count, int groups, int32_t first, int32_t *best, int32_t *where)
{
    for (int i = 0; i < count; i++)
        for (int h = 0; h < TAC_LANES; h += 8) {
            __m256i top = LOAD(best + i * TAC_LANES + h), at = LOAD(where + i * TAC_LANES + h);
            for (int g = 0; g < groups; g++) {
                const __m256i now = LOAD(score + (i * groups + g) * TAC_LANES + h);
                at = _mm256_blendv_epi8(at, _mm256_set1_epi32(first + g), _mm256_cmpgt_epi32(now, top));
                top = _mm256_max_epi32(top, now);
            }
            STORE(best + i * TAC_LANES + h, top);
            STORE(where + i * TAC_LANES + h, at);
        }
}

/* Lane i of the result is the extreme over all lanes of v[i]: a tree that halves the registers at every step and
   keeps the rows in order. */
#define FOLD(name, extreme)                                                                                    \
    INLINE __m256i name(__m256i v[8])                                                                          \
    {                                                                                                          \
        _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++)                                                    \
            v[i] = extreme(_mm256_unpacklo_epi32(v[2 * i], v[2 * i + 1]),                                      \
                           _mm256_unpackhi_epi32(v[2 * i], v[2 * i + 1]));                                     \
        _Pragma("GCC unroll 2") for (int i = 0; i < 2; i++)                                                    \
            v[i] = extreme(_mm256_unpacklo_epi64(v[2 * i], v[2 * i + 1]),                                      \
                           _mm256_unpackhi_epi64(v[2 * i], v[2 * i + 1]));                                     \
        return extreme(_mm256_permute2x128_si256(v[0], v[1], 0x20), _mm256_permute2x128_si256(v[0], v[1], 0x31)); \
    }
FOLD(fold_max, _mm256_max_epi32)
FOLD(fold_min, _mm256_min_epi32)

TARGET static void pick(const int32_t *best, const int32_t *where, int count, int32_t *label)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i never = _mm256_set1_epi32(INT32_MAX);

    for (int i = 0; i < count; i += 8) {
        _Alignas(32) int32_t top[8], winner[8];
        __m256i v[8];
#pragma GCC unroll 8
        for (int r = 0; r < 8; r++)
            v[r] = _mm256_max_epi32(LOAD(best + (i + r) * TAC_LANES), LOAD(best + (i + r) * TAC_LANES + 8));
        STORE(top, fold_max(v));
#pragma GCC unroll 8
        for (int r = 0; r < 8; r++) {
            const __m256i extreme = _mm256_set1_epi32(top[r]);
            __m256i found[2];
#pragma GCC unroll 2
            for (int h = 0; h < 2; h++) {
                __m256i c = _mm256_add_epi32(lane, _mm256_set1_epi32(8 * h));
                if (where != NULL)
                    c = _mm256_add_epi32(_mm256_slli_epi32(LOAD(where + (i + r) * TAC_LANES + 8 * h), 4), c);
                const __m256i is = _mm256_cmpeq_epi32(LOAD(best + (i + r) * TAC_LANES + 8 * h), extreme);
                found[h] = _mm256_blendv_epi8(never, c, is);
            }
            v[r] = _mm256_min_epi32(found[0], found[1]);
        }
        STORE(winner, fold_min(v));
        memcpy(label + i, winner, (size_t)(count - i < 8 ? count - i : 8) * sizeof *label);
    }
}

/* Lane r of the result is the sum over all lanes of v[r]. */
INLINE __m128i fold_sum(const __m256i v[4])
{
    const __m256i a = _mm256_add_epi32(_mm256_unpacklo_epi32(v[0], v[1]), _mm256_unpackhi_epi32(v[0], v[1]));
    const __m256i b = _mm256_add_epi32(_mm256_unpacklo_epi32(v[2], v[3]), _mm256_unpackhi_epi32(v[2], v[3]));
    const __m256i c = _mm256_add_epi32(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    return _mm_add_epi32(_mm256_castsi256_si128(c), _mm256_extracti128_si256(c, 1));
}

/* acc[k][r] += <row r, centre k> over 8 pairs, lane by lane. */
INLINE void dot_step(const int C, __m256i acc[2][4], const __m256i row[4], const int16_t *c, ptrdiff_t next)
{
#pragma GCC unroll 2
    for (int k = 0; k < C; k++) {
        const __m256i point = LOAD(c + k * next);
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) acc[k][r] = _mm256_add_epi32(acc[k][r], _mm256_madd_epi16(point, row[r]));
    }
}

/* A tile of 4 rows x C centres in registers: 8 pairs of coordinates at a time. Rows past the last repeat it. */
INLINE void dot_tile(const int C, const tac_score_job *job, int first, int center)
{
    const int last = job->count - 1;
    const ptrdiff_t next = (ptrdiff_t)job->step;
    const int16_t *x[4], *c = job->centers + center * next;
    __m256i acc[2][4], row[4];
    int32_t left = job->pairs;

#pragma GCC unroll 4
    for (int r = 0; r < 4; r++) x[r] = job->rows + (first + r < last ? first + r : last) * job->stride;
#pragma GCC unroll 2
    for (int k = 0; k < C; k++)
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) acc[k][r] = _mm256_setzero_si256();
    for (; left >= 8; left -= 8, c += 16) {
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) {
            row[r] = LOAD(x[r]);
            /* The next tile's rows, too many streams for the hardware to guess. Never faults. */
            if (center == 0) _mm_prefetch((const char *)(x[r] + 4 * job->stride), _MM_HINT_T0);
            x[r] += 16;
        }
        dot_step(C, acc, row, c, next);
    }
    if (left > 0) { /* masked: the rows may end where the memory does */
        const __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        const __m256i rest = _mm256_cmpgt_epi32(_mm256_set1_epi32(left), number);
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) row[r] = _mm256_maskload_epi32((const int *)(const void *)x[r], rest);
        dot_step(C, acc, row, c, next);
    }
#pragma GCC unroll 2
    for (int k = 0; k < C; k++) {
        __m128i *score = (__m128i *)(void *)(job->score + (center + k) * TAC_ROWS + first);
        const __m128i start = job->start != NULL ? _mm_set1_epi32(job->start[center + k]) : _mm_load_si128(score);
        _mm_store_si128(score, _mm_add_epi32(start, fold_sum(acc[k])));
    }
}

TARGET static void dots(const tac_score_job *job)
{
    for (int i = 0; i < job->count; i += 4) {
        int c = 0;
        for (; c <= job->many - 2; c += 2) dot_tile(2, job, i, c);
        if (c < job->many) dot_tile(1, job, i, c);
    }
}

TARGET static void choose(const int32_t *score, int many, int32_t first, int32_t *best, int32_t *label)
{
    tac_choose(score, many, first, best, label);
}

const tac_nearest_kernels tac_nearest_avx2 = {
    .name = "avx2", .dots = dots, .choose = choose, .lanes = lanes, .keep = keep, .pick = pick,
    .lane_cost = {73, 73, 73},
};

#else
typedef int tac_nearest_avx2_not_here; /* ISO C wants a declaration in every file */
#endif
