/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of local search: 64 candidates against rows that share their nearest centre. |x - y|^2 = |x|^2 + |y|^2 - 2 <x,
   y> is below 2^32 because |x|, |y| <= M, so 32 bits hold it whatever the order of additions. */
#include "privacy/queries/literature/swap_scores.h"

#include "data/frame.h"
#include "data/nearest_inside.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { PANEL = TAC_SWAP_PANEL, SHIFT = 16 };

tacit_status tac_swap_points_open(tacit_ctx *ctx, const int16_t *points, int32_t m, int32_t dims, tac_swap_points *out)
{
    tacit_status status = TACIT_OK;

    *out = (tac_swap_points){.m = m, .panels = (m + PANEL - 1) / PANEL, .pairs = (dims + 1) / 2};
    const size_t room = (size_t)out->panels * PANEL;
    TAC_TRY(tac_new(ctx, room * (size_t)out->pairs * 2, sizeof *out->packed, &out->packed));
    TAC_TRY(tac_new(ctx, room, sizeof *out->norm2, &out->norm2));
    for (size_t y = 0; y < (size_t)m; y++) {
        const size_t panel = y / PANEL, lane = y % PANEL;
        for (size_t j = 0; j < (size_t)dims; j++) {
            const int16_t v = points[y * (size_t)dims + j];
            out->packed[((panel * (size_t)out->pairs + j / 2) * PANEL + lane) * 2 + j % 2] = v;
            out->norm2[y] += (uint32_t)((int32_t)v * v);
        }
    }
done:
    return status;
}

void tac_swap_points_close(tac_swap_points *points)
{
    tac_free(points->packed);
    tac_free(points->norm2);
    memset(points, 0, sizeof *points);
}

/* What every path works on: one panel. */
typedef struct work {
    const int16_t *packed;
    const uint32_t *norm2;
    int32_t pairs;
    const tac_swap_rows *rows;
    bool median;
} work;

static void panel_portable(const work *w, uint32_t *stay, uint32_t *leave)
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

#if defined(__x86_64__)

/* 2 s, the bits that v < 2^32 may be shifted up, in eight lanes; 64 for v = 0. Every nibble knows what it allows if it is
   the highest that is not zero, from a table, and the higher its byte the less: the least of the eight is right. */
__attribute__((target("avx2"), always_inline)) static inline __m256i headroom_avx2(__m256i v)
{
    const __m256i low = _mm256_broadcastsi128_si256(_mm_setr_epi8(64, 6, 6, 6, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4));
    const __m256i high = _mm256_broadcastsi128_si256(_mm_setr_epi8(64, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i nibble = _mm256_set1_epi8(15), above = _mm256_set1_epi32(0x00081018); /* bits above each byte */
    const __m256i lower = _mm256_shuffle_epi8(low, _mm256_and_si256(v, nibble));
    const __m256i upper = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi32(v, 4), nibble));
    __m256i least = _mm256_add_epi8(_mm256_min_epu8(lower, upper), above);

    least = _mm256_min_epu8(least, _mm256_srli_epi32(least, 16));
    least = _mm256_min_epu8(least, _mm256_srli_epi32(least, 8));
    return _mm256_and_si256(least, _mm256_set1_epi32(0xff));
}

/* tac_distance in eight lanes. */
__attribute__((target("avx2"), always_inline)) static inline __m256i distance_avx2(__m256i v)
{
    const __m256i *roots = (const __m256i *)(const void *)tac_roots;
    const __m256i s2 = headroom_avx2(v), w = _mm256_sllv_epi32(v, s2), at = _mm256_srli_epi32(w, 28);
    /* The upper half of the table where w's upper bit is set; the blend moves bits and knows nothing of floats. */
    const __m256i root = _mm256_castps_si256(_mm256_blendv_ps(
        _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(_mm256_loadu_si256(roots), at)),
        _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(_mm256_loadu_si256(roots + 1), at)), _mm256_castsi256_ps(w)));
    const __m256i rest = _mm256_and_si256(_mm256_srli_epi32(w, 12), _mm256_set1_epi32(0xffff));
    const __m256i distance = _mm256_add_epi32(_mm256_srli_epi32(root, 16), _mm256_mulhi_epu16(rest, root));
    return _mm256_srlv_epi32(distance, _mm256_srli_epi32(s2, 1));
}

/* 16 candidates in two registers. */
__attribute__((target("avx2"), always_inline)) static inline void lanes_avx2(const work *w, int first, const bool median,
                                                                              uint32_t *stay, uint32_t *leave)
{
    const __m256i *packed = (const __m256i *)(const void *)(w->packed + 2 * first);
    const __m256i *norm2 = (const __m256i *)(const void *)(w->norm2 + first);
    const __m256i n0 = _mm256_loadu_si256(norm2), n1 = _mm256_loadu_si256(norm2 + 1);
    __m256i sum[2][2] = {{_mm256_setzero_si256(), _mm256_setzero_si256()}, {_mm256_setzero_si256(), _mm256_setzero_si256()}};

    for (int64_t i = 0; i < w->rows->n; i++) {
        const int16_t *x = w->rows->minus + i * 2 * w->pairs;
        const __m256i near = _mm256_set1_epi32((int32_t)w->rows->near[i]);
        const __m256i next = _mm256_set1_epi32((int32_t)w->rows->next[i]);
        __m256i v[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
        for (int32_t j = 0; j < w->pairs; j++) {
            int32_t pair;
            memcpy(&pair, x + 2 * j, sizeof pair);
            const __m256i both = _mm256_set1_epi32(pair);
            v[0] = _mm256_add_epi32(v[0], _mm256_madd_epi16(both, _mm256_loadu_si256(packed + j * (PANEL / 8))));
            v[1] = _mm256_add_epi32(v[1], _mm256_madd_epi16(both, _mm256_loadu_si256(packed + j * (PANEL / 8) + 1)));
        }
        const __m256i own = _mm256_set1_epi32((int32_t)w->rows->norm2[i]);
        for (int h = 0; h < 2; h++) {
            __m256i c = _mm256_add_epi32(_mm256_add_epi32(v[h], v[h]), _mm256_add_epi32(own, h ? n1 : n0));
            if (median) {
                c = distance_avx2(c);
            } else {
                c = _mm256_srli_epi32(c, SHIFT);
            }
            sum[0][h] = _mm256_add_epi32(sum[0][h], _mm256_min_epu32(c, near));
            sum[1][h] = _mm256_add_epi32(sum[1][h], _mm256_min_epu32(c, next));
        }
    }
    for (int h = 0; h < 2; h++) {
        _mm256_storeu_si256((__m256i *)(void *)(stay + first + 8 * h), sum[0][h]);
        _mm256_storeu_si256((__m256i *)(void *)(leave + first + 8 * h), sum[1][h]);
    }
}

__attribute__((target("avx2"))) static void panel_avx2(const work *w, uint32_t *stay, uint32_t *leave)
{
    for (int first = 0; first < PANEL; first += 16) {
        if (w->median) lanes_avx2(w, first, true, stay, leave);
        else lanes_avx2(w, first, false, stay, leave);
    }
}

#define WIDE "avx512f,avx512bw,avx512vl,avx512vnni,avx512cd" /* cd: every machine with vnni has it; asked for all the same */

/* tac_distance in 16 lanes. */
__attribute__((target(WIDE), always_inline)) static inline __m512i distance_avx512(__m512i v, __m512i roots)
{
    const __m512i s = _mm512_srli_epi32(_mm512_lzcnt_epi32(v), 1); /* 16 for v = 0: the shift makes it 0 again */
    const __m512i w = _mm512_sllv_epi32(v, _mm512_add_epi32(s, s));
    const __m512i root = _mm512_permutexvar_epi32(_mm512_srli_epi32(w, 28), roots);
    const __m512i rest = _mm512_and_si512(_mm512_srli_epi32(w, 12), _mm512_set1_epi32(0xffff));
    return _mm512_srlv_epi32(_mm512_add_epi32(_mm512_srli_epi32(root, 16), _mm512_mulhi_epu16(rest, root)), s);
}

/* 64 candidates in four registers: a row's numbers are loaded once for all of them. */
__attribute__((target(WIDE), always_inline)) static inline void lanes_avx512(const work *w, const bool median,
                                                                             uint32_t *stay,
                                                                              uint32_t *leave)
{
    enum { G = PANEL / 16 };
    const __m512i roots = _mm512_loadu_si512(tac_roots);
    __m512i norm2[G], sum[2][G];

    for (int g = 0; g < G; g++) {
        norm2[g] = _mm512_loadu_si512(w->norm2 + 16 * g);
        sum[0][g] = sum[1][g] = _mm512_setzero_si512();
    }
    for (int64_t i = 0; i < w->rows->n; i++) {
        const int16_t *x = w->rows->minus + i * 2 * w->pairs;
        __m512i v[G] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
        for (int32_t j = 0; j < w->pairs; j++) {
            int32_t pair;
            memcpy(&pair, x + 2 * j, sizeof pair);
            const __m512i both = _mm512_set1_epi32(pair);
#pragma GCC unroll 4
            for (int g = 0; g < G; g++)
                v[g] = _mm512_dpwssd_epi32(v[g], both, _mm512_loadu_si512(w->packed + (j * PANEL + 16 * g) * 2));
        }
        const __m512i own = _mm512_set1_epi32((int32_t)w->rows->norm2[i]);
        const __m512i near = _mm512_set1_epi32((int32_t)w->rows->near[i]);
        const __m512i next = _mm512_set1_epi32((int32_t)w->rows->next[i]);
#pragma GCC unroll 4
        for (int g = 0; g < G; g++) {
            __m512i c = _mm512_add_epi32(_mm512_add_epi32(v[g], v[g]), _mm512_add_epi32(own, norm2[g]));
            if (median) {
                c = distance_avx512(c, roots);
            } else {
                c = _mm512_srli_epi32(c, SHIFT);
            }
            sum[0][g] = _mm512_add_epi32(sum[0][g], _mm512_min_epu32(c, near));
            sum[1][g] = _mm512_add_epi32(sum[1][g], _mm512_min_epu32(c, next));
        }
    }
    for (int g = 0; g < G; g++) {
        _mm512_storeu_si512(stay + 16 * g, sum[0][g]);
        _mm512_storeu_si512(leave + 16 * g, sum[1][g]);
    }
}

__attribute__((target(WIDE))) static void panel_avx512(const work *w, uint32_t *stay, uint32_t *leave)
{
    if (w->median) lanes_avx512(w, true, stay, leave);
    else lanes_avx512(w, false, stay, leave);
}

#endif

void tac_swap_panel(const tac_swap_points *points, int32_t panel, const tac_swap_rows *rows, bool median,
                    uint64_t *stay, uint64_t *leave)
{
    const size_t first = (size_t)panel * PANEL;
    const work w = {.packed = points->packed + first * (size_t)points->pairs * 2,
                    .norm2 = points->norm2 + first,
                    .pairs = points->pairs,
                    .rows = rows,
                    .median = median};
    uint32_t sum[2][PANEL] = {0}; /* 65536 rows of at most 65535 fit */

#if defined(__x86_64__)
    const int level = tac_nearest_level();
    if (level == 2 && __builtin_cpu_supports("avx512cd")) panel_avx512(&w, sum[0], sum[1]);
    else if (level >= 1) panel_avx2(&w, sum[0], sum[1]);
    else panel_portable(&w, sum[0], sum[1]);
#else
    panel_portable(&w, sum[0], sum[1]);
#endif
    for (int l = 0; l < PANEL; l++) {
        stay[l] += sum[0][l];
        leave[l] += sum[1][l];
    }
}
