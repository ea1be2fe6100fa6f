/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of tac_nearest_kernels, for core/each_path.h. Plain C has dots alone. */

#if LEVEL == 0

/* score[c, i] = start_c + <x_i, c> over the block's coordinates, number by number: what every
   other path must equal. */
static void PATH(dots)(const tac_score_job *job)
{
    for (int i = 0; i < job->count; i++)
        for (int c = 0; c < job->many; c++) {
            const int16_t *row = job->rows + i * job->stride,
                          *center = job->centers + (size_t)c * job->step;
            int32_t sum = 0;

            for (int32_t j = 0; j < 2 * job->pairs; j++) sum += row[j] * center[j];
            job->score[c * TAC_TILE + i] =
                (job->start != NULL ? job->start[c] : job->score[c * TAC_TILE + i]) + sum;
        }
}

#else

#include "data/kernels/int_vectors_path.h"

/* Shapes of tiles, by the number of registers: 16 and 32. */
#undef TALL
#undef ACROSS
#undef CENTERS
#define TALL (LEVEL == 1 ? 4 : 8)    /* rows of a tile in the lanes form, at most */
#define ACROSS (LEVEL == 1 ? 2 : 4)  /* registers of centers */
#define CENTERS (LEVEL == 1 ? 2 : 5) /* of a tile of dots */

/* A tile of R rows x V registers of centers: acc[r][v] += x_r,pair * c_v,pair for every pair. Two
   sets of accumulators, for even and odd pairs, when R * V alone is too little work to hide
   vpdpwssd's latency. centers: the first register's, `next` from one to the next. score: of row
   `first`, `line` from one row to the next. */
TARGET INLINE void PATH(lane_tile)(const int R, const int V, const tac_score_job *job, int first,
                                   const int16_t *centers, ptrdiff_t next, const int32_t *start,
                                   int32_t *score, ptrdiff_t line)
{
    const int sets = LEVEL == 2 && R * V < 16 ? 2 : 1;
    const ptrdiff_t step = job->stride * (ptrdiff_t)sizeof(int16_t);
    const char *low = (const char *)(job->rows + first * job->stride),
               *high = R > 4 ? low + 4 * step : low;
    INTS acc[2][TALL][ACROSS];
    int32_t j = 0;

#pragma GCC unroll 8
    for (int r = 0; r < R; r++)
#pragma GCC unroll 4
        for (int v = 0; v < V; v++) {
            acc[0][r][v] = LOAD((start != NULL ? start : score + r * line) + v * LANES);
            acc[1][r][v] = OP(set1_epi32)(0);
        }
    for (; j <= job->pairs - sets; j += sets) {
#pragma GCC unroll 2
        for (int s = 0; s < sets; s++) {
            INTS c[ACROSS];
#pragma GCC unroll 4
            for (int v = 0; v < V; v++) c[v] = LOAD(centers + v * next + s * 2 * TAC_LANES);
#pragma GCC unroll 8
            for (int r = 0; r < R; r++) {
                const INTS x =
                    OP(set1_epi32)(pair_at((r < 4 ? low : high) + (r % 4) * step + 4 * s));
#pragma GCC unroll 4
                for (int v = 0; v < V; v++) acc[s][r][v] = ADD_PAIRS(acc[s][r][v], c[v], x);
            }
        }
        centers += sets * 2 * TAC_LANES;
        low += 4 * sets;
        high += 4 * sets;
    }
    if (j < job->pairs) /* sets is 2 and the number of pairs odd */
#pragma GCC unroll 8
        for (int r = 0; r < R; r++) {
            const INTS x = OP(set1_epi32)(pair_at((r < 4 ? low : high) + (r % 4) * step));
#pragma GCC unroll 4
            for (int v = 0; v < V; v++)
                acc[0][r][v] = ADD_PAIRS(acc[0][r][v], LOAD(centers + v * next), x);
        }
#pragma GCC unroll 8
    for (int r = 0; r < R; r++)
#pragma GCC unroll 4
        for (int v = 0; v < V; v++)
            STORE(score + r * line + v * LANES,
                  sets == 2 ? OP(add_epi32)(acc[0][r][v], acc[1][r][v]) : acc[0][r][v]);
}

#if LEVEL == 1

/* A group at a time, whose 16 centers are two registers. 4 rows use 8 accumulators, 2 centers, 1
   row and 1 product. */
TARGET static void PATH(lanes)(const tac_score_job *job)
{
    const ptrdiff_t line = (ptrdiff_t)job->many * TAC_LANES;

    for (int i = 0, rows; i < job->count; i += rows) {
        rows = i <= job->count - 4 ? 4 : 1;
        for (int g = 0; g < job->many; g++) {
            const int16_t *centers = job->centers + (size_t)g * job->step;
            const int32_t *start = job->start != NULL ? job->start + g * TAC_LANES : NULL;
            int32_t *score = job->score + i * line + g * TAC_LANES;
            if (rows == 4)
                PATH(lane_tile)(4, 2, job, i, centers, 2 * LANES, start, score, line);
            else
                PATH(lane_tile)(1, 2, job, i, centers, 2 * LANES, start, score, line);
        }
    }
}

#else

/* All G groups at a time, R rows. R x G of at most 24 accumulators: with the centers and a row they
   fill the 32 registers. */
TARGET INLINE void PATH(lane_tiles)(const int R, const int G, const tac_score_job *job)
{
    const ptrdiff_t next = (ptrdiff_t)job->step, line = G * TAC_LANES;
    int i = 0;

    for (; i <= job->count - R; i += R)
        PATH(lane_tile)(R, G, job, i, job->centers, next, job->start, job->score + i * line, line);
    for (; i < job->count; i++)
        PATH(lane_tile)(1, G, job, i, job->centers, next, job->start, job->score + i * line, line);
}

TARGET static void PATH(lanes)(const tac_score_job *job)
{
    switch (job->many) {
    case 1: PATH(lane_tiles)(8, 1, job); break;
    case 2: PATH(lane_tiles)(8, 2, job); break;
    case 3: PATH(lane_tiles)(8, 3, job); break;
    default: PATH(lane_tiles)(6, 4, job);
    }
}

#endif

/* Lane by lane, the best score so far and its group. A strict comparison: the first group that
   reaches a score keeps it. */
TARGET static void PATH(keep)(const int32_t *score, int count, int groups, int32_t first,
                              int32_t *best, int32_t *where)
{
    for (int i = 0; i < count; i++)
        for (int h = 0; h < TAC_LANES; h += LANES) {
            INTS top = LOAD(best + i * TAC_LANES + h), at = LOAD(where + i * TAC_LANES + h);
            for (int g = 0; g < groups; g++) {
                const INTS now = LOAD(score + (i * groups + g) * TAC_LANES + h);
                at = MORE(now, top, OP(set1_epi32)(first + g), at);
                top = OP(max_epi32)(top, now);
            }
            STORE(best + i * TAC_LANES + h, top);
            STORE(where + i * TAC_LANES + h, at);
        }
}

/* Lane i of the result is the extreme over all lanes of v[i]: a tree that halves the registers at
   every step and keeps the rows in order. */
#undef FOLD_LAST
#if LEVEL == 1
#define FOLD_LAST(extreme)                                                                         \
    return extreme(_mm256_permute2x128_si256(v[0], v[1], 0x20),                                    \
                   _mm256_permute2x128_si256(v[0], v[1], 0x31))
#else
#define FOLD_LAST(extreme)                                                                         \
    _Pragma("GCC unroll 2") for (int i = 0; i < 2; i++) v[i] =                                     \
        extreme(_mm512_shuffle_i32x4(v[2 * i], v[2 * i + 1], 0x88),                                \
                _mm512_shuffle_i32x4(v[2 * i], v[2 * i + 1], 0xdd));                               \
    return extreme(_mm512_shuffle_i32x4(v[0], v[1], 0x88), _mm512_shuffle_i32x4(v[0], v[1], 0xdd))
#endif
#undef FOLD
#define FOLD(name, extreme)                                                                        \
    TARGET INLINE INTS name(INTS v[LANES])                                                         \
    {                                                                                              \
        _Pragma("GCC unroll 8") for (int i = 0; i < LANES / 2; i++) v[i] =                         \
            extreme(OP(unpacklo_epi32)(v[2 * i], v[2 * i + 1]),                                    \
                    OP(unpackhi_epi32)(v[2 * i], v[2 * i + 1]));                                   \
        _Pragma("GCC unroll 4") for (int i = 0; i < LANES / 4; i++) v[i] =                         \
            extreme(OP(unpacklo_epi64)(v[2 * i], v[2 * i + 1]),                                    \
                    OP(unpackhi_epi64)(v[2 * i], v[2 * i + 1]));                                   \
        FOLD_LAST(extreme);                                                                        \
    }
FOLD(PATH(fold_max), OP(max_epi32))
FOLD(PATH(fold_min), OP(min_epi32))

/* label[i] = argmax over the lanes of a row, ties to the lowest center: the largest score of
   LANES rows at once, then the least center number among the lanes that reach it. */
TARGET static void PATH(pick)(const int32_t *best, const int32_t *where, int count, int32_t *label)
{
    static const int32_t lane[TAC_LANES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const INTS never = OP(set1_epi32)(INT32_MAX);

    for (int i = 0; i < count; i += LANES) {
        _Alignas(64) int32_t top[LANES];
        INTS v[LANES];
#pragma GCC unroll 16
        for (int r = 0; r < LANES; r++) {
            v[r] = LOAD(best + (i + r) * TAC_LANES);
            if (LANES < TAC_LANES)
                v[r] = OP(max_epi32)(v[r], LOAD(best + (i + r) * TAC_LANES + LANES));
        }
        STORE(top, PATH(fold_max)(v));
#pragma GCC unroll 16
        for (int r = 0; r < LANES; r++) {
            INTS first = never;
#pragma GCC unroll 2
            for (int h = 0; h < TAC_LANES; h += LANES) {
                const int at = (i + r) * TAC_LANES + h;
                INTS c = LOAD(lane + h);
                if (where != NULL) c = OP(add_epi32)(OP(slli_epi32)(LOAD(where + at), 4), c);
                c = SAME(LOAD(best + at), OP(set1_epi32)(top[r]), c, never);
                first = h == 0 ? c : OP(min_epi32)(first, c);
            }
            v[r] = first;
        }
        const int many = count - i < LANES ? count - i : LANES;
        if (many == LANES)
            STORE(label + i, PATH(fold_min)(v));
        else
            STORE_FIRST(many, label + i, PATH(fold_min)(v));
    }
}

/* Lane r of the result is the sum over all lanes of v[r]. */
TARGET INLINE __m128i PATH(fold_sum)(const INTS v[4])
{
    const INTS a = OP(add_epi32)(OP(unpacklo_epi32)(v[0], v[1]), OP(unpackhi_epi32)(v[0], v[1]));
    const INTS b = OP(add_epi32)(OP(unpacklo_epi32)(v[2], v[3]), OP(unpackhi_epi32)(v[2], v[3]));
    const INTS c = OP(add_epi32)(OP(unpacklo_epi64)(a, b), OP(unpackhi_epi64)(a, b));
#if LEVEL == 2
    const __m256i d = _mm256_add_epi32(_mm512_castsi512_si256(c), _mm512_extracti64x4_epi64(c, 1));
#else
    const __m256i d = c;
#endif
    return _mm_add_epi32(_mm256_castsi256_si128(d), _mm256_extracti128_si256(d, 1));
}

/* acc[k][r] += <row r, center k> over LANES pairs, lane by lane. */
TARGET INLINE void PATH(dot_step)(const int C, INTS acc[CENTERS][4], const INTS row[4],
                                  const int16_t *c, ptrdiff_t next)
{
#pragma GCC unroll 5
    for (int k = 0; k < C; k++) {
        const INTS point = LOAD(c + k * next);
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) acc[k][r] = ADD_PAIRS(acc[k][r], point, row[r]);
    }
}

/* A tile of 4 rows x C centers in registers: LANES pairs of coordinates at a time. Rows past the
   last repeat it. */
TARGET INLINE void PATH(dot_tile)(const int C, const tac_score_job *job, int first, int center)
{
    const int last = job->count - 1;
    const ptrdiff_t next = (ptrdiff_t)job->step;
    const int16_t *x[4], *c = job->centers + center * next;
    INTS acc[CENTERS][4], row[4];
    int32_t left = job->pairs;

#pragma GCC unroll 4
    for (int r = 0; r < 4; r++)
        x[r] = job->rows + (first + r < last ? first + r : last) * job->stride;
#pragma GCC unroll 5
    for (int k = 0; k < C; k++)
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) acc[k][r] = OP(set1_epi32)(0);
    for (; left >= LANES; left -= LANES, c += 2 * LANES) {
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) {
            row[r] = LOAD(x[r]);
            /* The next tile's rows, too many streams for the hardware to guess. Never faults. */
            if (center == 0) _mm_prefetch((const char *)(x[r] + 4 * job->stride), _MM_HINT_T0);
            x[r] += 2 * LANES;
        }
        PATH(dot_step)(C, acc, row, c, next);
    }
    if (left > 0) { /* the rows may end where the memory does */
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) row[r] = LOAD_FIRST(left, x[r]);
        PATH(dot_step)(C, acc, row, c, next);
    }
#pragma GCC unroll 5
    for (int k = 0; k < C; k++) {
        __m128i *score = (__m128i *)(void *)(job->score + (center + k) * TAC_TILE + first);
        const __m128i start =
            job->start != NULL ? _mm_set1_epi32(job->start[center + k]) : _mm_load_si128(score);
        _mm_store_si128(score, _mm_add_epi32(start, PATH(fold_sum)(acc[k])));
    }
}

/* The dots form: 4 rows by at most CENTERS centers at a time, the scores of the portable path. */
TARGET static void PATH(dots)(const tac_score_job *job)
{
    for (int i = 0; i < job->count; i += 4)
        for (int c = 0; c < job->many;) {
            /* Even shares: 6 centers are better cut 3 + 3 than 5 + 1. */
            const int tiles = (job->many - c + CENTERS - 1) / CENTERS,
                      share = (job->many - c + tiles - 1) / tiles;
            switch (share) {
            case 1: PATH(dot_tile)(1, job, i, c); break;
            case 2: PATH(dot_tile)(2, job, i, c); break;
#if LEVEL == 2
            case 3: PATH(dot_tile)(3, job, i, c); break;
            case 4: PATH(dot_tile)(4, job, i, c); break;
            case 5: PATH(dot_tile)(5, job, i, c); break;
#endif
            }
            c += share;
        }
}

#endif

/* The running argmax of the dots form: row by row the larger score and its center, ties to the
   lower. Plain C: compilers vectorize it. */
TARGET static void PATH(choose)(const int32_t *restrict score, int many, int32_t first,
                                int32_t *restrict best, int32_t *restrict label)
{
    for (int c = 0; c < many; c++, score += TAC_TILE)
        for (int i = 0; i < TAC_TILE; i++) {
            label[i] = score[i] > best[i] ? first + c : label[i];
            best[i] = score[i] > best[i] ? score[i] : best[i];
        }
}
