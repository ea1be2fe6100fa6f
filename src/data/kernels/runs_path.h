/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of runs.c, for core/each_path.h. A register holds the 16 coordinates of one row
   (AVX2) or of two (AVX-512), and a group is eight registers of rows: TOGETHER rows. Each number is
   made by the operations of local_path.h. */

#if LEVEL > 0

#include "data/kernels/int_vectors_path.h"

#undef FLOATS
#undef TOGETHER
#undef ROW
#undef EIGHT
#undef LARGER
#define TOGETHER (8 * LEVEL)
#if LEVEL == 1
#define FLOATS __m256
#define ROW(at) _mm256_maskload_epi32((const int *)(const void *)(at), used)
#define EIGHT(v, i) v
/* bit r: number r of a is larger */
#define LARGER(a, b) (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(a, b)))
#else
#define FLOATS __m512
#define ROW(at) _mm256_maskz_loadu_epi32(used, at)
#define EIGHT(v, i) (i == 0 ? _mm512_castsi512_si256(v) : _mm512_extracti64x4_epi64(v, 1))
#define LARGER(a, b) (unsigned)_mm512_cmpgt_epi32_mask(a, b)
#endif

/* What the rows of a run share. */
typedef struct PATH(seen) {
    INTS center;      /* 16 numbers, for AVX-512 twice */
    FLOATS low, high; /* the same as unpacklo_epi16 and unpackhi_epi16 leave them */
    FLOATS same;      /* M / radius */
    INTS norm, inside;
    double radius;
} PATH(seen);

/* Lane r: the sum of the eight numbers of row r. v[p]: a register of rows. No number grows beyond
   `cap` before the last addition. */
TARGET INLINE INTS PATH(fold)(INTS v[8], INTS cap)
{
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        v[i] = OP(min_epu32)(cap, OP(add_epi32)(OP(unpacklo_epi32)(v[2 * i], v[2 * i + 1]),
                                                OP(unpackhi_epi32)(v[2 * i], v[2 * i + 1])));
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++)
        v[i] = OP(min_epu32)(cap, OP(add_epi32)(OP(unpacklo_epi64)(v[2 * i], v[2 * i + 1]),
                                                OP(unpackhi_epi64)(v[2 * i], v[2 * i + 1])));
#if LEVEL == 1
    return _mm256_add_epi32(_mm256_permute2x128_si256(v[0], v[1], 0x20),
                            _mm256_permute2x128_si256(v[0], v[1], 0x31));
#else
    /* 128 bits each: even rows 0 .. 6, odd rows 1 .. 7, even rows 8 .. 14, odd rows 9 .. 15 */
    const __m512i sum = _mm512_add_epi32(_mm512_shuffle_i32x4(v[0], v[1], 0x88),
                                         _mm512_shuffle_i32x4(v[0], v[1], 0xdd));
    return _mm512_permutexvar_epi32(
        _mm512_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15), sum);
#endif
}

/* int16 to float32, of the numbers that unpacklo_epi16 (high: unpackhi_epi16) takes. */
TARGET INLINE FLOATS PATH(as_floats)(const bool high, INTS v)
{
    const INTS twice = high ? OP(unpackhi_epi16)(v, v) : OP(unpacklo_epi16)(v, v);
    return OP(cvtepi32_ps)(OP(srai_epi32)(twice, 16));
}

/* The rows of a group, a register each or two in one; what is behind the last coordinate is 0. */
TARGET INLINE void PATH(load_group)(const job *a, const uint16_t *list, INTS x[8])
{
    const int32_t pairs = (a->map->dims + 1) / 2;
#if LEVEL == 1
    const __m256i used = FIRST(pairs);
#else
    const __mmask8 used = (__mmask8)((1u << pairs) - 1);
#endif

#pragma GCC unroll 8
    for (int p = 0; p < 8; p++) {
#if LEVEL == 1
        x[p] = ROW(a->rows + list[p] * a->stride);
#else
        x[p] = _mm512_inserti64x4(_mm512_castsi256_si512(ROW(a->rows + list[2 * p] * a->stride)),
                                  ROW(a->rows + list[2 * p + 1] * a->stride), 1);
#endif
    }
}

/* |x - c|^2 = |x|^2 - 2 <x, c> + |c|^2 of a group, exact modulo 2^32, below 2^32. */
TARGET INLINE INTS PATH(gaps)(const INTS x[8], INTS center, INTS norm)
{
    INTS sum[8];

#pragma GCC unroll 8
    for (int p = 0; p < 8; p++) {
        const INTS dot = OP(madd_epi16)(x[p], center);
        sum[p] = OP(sub_epi32)(OP(madd_epi16)(x[p], x[p]), OP(add_epi32)(dot, dot));
    }
    return OP(add_epi32)(PATH(fold)(sum, OP(set1_epi32)(-1)), norm);
}

TARGET INLINE INTS PATH(center_of)(const tac_local_map *map, int32_t c)
{
    const __m256i center =
        _mm256_loadu_si256((const __m256i *)(const void *)(map->centers + (ptrdiff_t)c * MOST));
#if LEVEL == 1
    return center;
#else
    return _mm512_broadcast_i64x4(center);
#endif
}

TARGET INLINE PATH(seen) PATH(see)(const tac_local_map *map, int32_t c)
{
    const INTS center = PATH(center_of)(map, c);
    return (PATH(seen)){.center = center,
                        .low = PATH(as_floats)(false, center),
                        .high = PATH(as_floats)(true, center),
                        .same = OP(set1_ps)((float)(TAC_M / map->radius[c])),
                        .norm = OP(set1_epi32)((int32_t)map->norm[c]),
                        .inside = OP(set1_epi32)((int32_t)map->inside[c]),
                        .radius = map->radius[c]};
}

/* M / max(|x - c|, radius) of eight rows, by the operations of scales in local.c. */
TARGET INLINE __m256 PATH(scales_of)(__m256i squares, double radius)
{
#if LEVEL == 1
    __m128 half[2];
    const __m256i shifted = _mm256_xor_si256(squares, _mm256_set1_epi32(INT32_MIN));
#pragma GCC unroll 2
    for (int h = 0; h < 2; h++) {
        const __m128i s =
            h ? _mm256_extracti128_si256(shifted, 1) : _mm256_castsi256_si128(shifted);
        const __m256d far =
            _mm256_sqrt_pd(_mm256_add_pd(_mm256_cvtepi32_pd(s), _mm256_set1_pd(0x1p31)));
        half[h] = _mm256_cvtpd_ps(
            _mm256_div_pd(_mm256_set1_pd(TAC_M), _mm256_max_pd(far, _mm256_set1_pd(radius))));
    }
    return _mm256_set_m128(half[1], half[0]);
#else
    const __m512d far = _mm512_sqrt_pd(_mm512_cvtepu32_pd(squares));
    return _mm512_cvtpd_ps(
        _mm512_div_pd(_mm512_set1_pd(TAC_M), _mm512_max_pd(far, _mm512_set1_pd(radius))));
#endif
}

/* The scales of a group: M / radius, but for rows beyond the radius. Which those are, integers
   decide; M / max(|x - c|, radius) is the same for the others. */
TARGET INLINE void PATH(group_scales)(const PATH(seen) * s, INTS squares, float *scale)
{
#if LEVEL == 1
    const __m256i inside = _mm256_cmpeq_epi32(_mm256_max_epu32(squares, s->inside), s->inside);
    const unsigned beyond = ~(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(inside)) & 0xff;
#else
    const unsigned beyond = _mm512_cmpgt_epu32_mask(squares, s->inside);
#endif

    OP(store_ps)(scale, s->same);
#pragma GCC unroll 2
    for (int h = 0; h < LEVEL; h++) /* roots take longer than all the rest */
        if ((beyond >> 8 * h & 0xff) != 0)
            _mm256_store_ps(scale + 8 * h, PATH(scales_of)(EIGHT(squares, h), s->radius));
}

/* tac_clip of MOST numbers, the same integers: the root is corrected, so its rounding cannot
   show. */
TARGET static void PATH(clip_row)(int16_t *point)
{
    uint64_t total = 0;

    for (int j = 0; j < MOST; j++) total += (uint32_t)(point[j] * point[j]);
    if (total <= (uint64_t)TAC_M * TAC_M) return;
    const uint64_t whole = (uint64_t)TAC_M << 32;
    uint32_t f = (uint32_t)(whole / (TAC_M + 1)); /* of rows that rounding took out of the ball */
    if (total >= (uint64_t)(TAC_M + 1) * (TAC_M + 1)) {
        uint64_t root = (uint64_t)sqrt((double)total);
        while (root * root > total) root--;
        while ((root + 1) * (root + 1) <= total) root++;
        f = (uint32_t)(whole / (root + 1));
    }
    for (int j = 0; j < MOST; j++) {
        const int32_t x = point[j], sign = x >> 31;
        const int32_t size = (int32_t)(((uint64_t)(uint32_t)((x ^ sign) - sign) * f) >> 32);
        point[j] = (int16_t)((size ^ sign) - sign);
    }
}

/* u = count <= RUN rows of a run as their cell sees them, MOST numbers each, whole groups. */
TARGET INLINE void PATH(place_run)(const job *a, const PATH(seen) * s, const uint16_t *list,
                                   int32_t count, int16_t *u)
{
    const INTS cap = OP(set1_epi32)((1 << 30) - 1);

    for (int32_t i = 0; i < count; i += TOGETHER, u += TOGETHER * MOST) {
        _Alignas(64) float scale[TOGETHER];
        INTS x[8], sum[8];
        PATH(load_group)(a, list + i, x);
        PATH(group_scales)(s, PATH(gaps)(x, s->center, s->norm), scale);
#pragma GCC unroll 8
        for (int p = 0; p < 8; p++) {
#if LEVEL == 1
            const __m256 by = _mm256_broadcast_ss(scale + p);
#else
            const __m512 by =
                _mm512_mask_broadcastss_ps(_mm512_broadcastss_ps(_mm_load_ss(scale + 2 * p)),
                                           0xff00, _mm_load_ss(scale + 2 * p + 1));
#endif
            /* differences below 2^17: exact in float32, as in integers */
            const FLOATS low = OP(sub_ps)(PATH(as_floats)(false, x[p]), s->low);
            const FLOATS high = OP(sub_ps)(PATH(as_floats)(true, x[p]), s->high);
            const INTS v = OP(packs_epi32)(OP(cvtps_epi32)(OP(mul_ps)(low, by)),
                                           OP(cvtps_epi32)(OP(mul_ps)(high, by)));
            sum[p] = OP(min_epu32)(cap, OP(madd_epi16)(v, v)); /* at most 2^31: unsigned */
            STORE(u + p * LEVEL * MOST, v);
        }
        /* Capped at 2^30 - 1 > M^2: what is beyond M^2 stays so, and no sum passes 2^31 - 2. */
        unsigned clips = LARGER(PATH(fold)(sum, cap), OP(set1_epi32)(TAC_M * TAC_M));
        for (; clips != 0; clips &= clips - 1) PATH(clip_row)(u + __builtin_ctz(clips) * MOST);
    }
}

#include "data/kernels/runs_squares_path.h"

/* sums += u_j, *square += |u|^2 over `count` rows, at most RUN: |sum| <= 256 2^15 = 2^23. */
TARGET INLINE void PATH(add_rows)(const int16_t *u, int32_t count, int32_t dims, uint64_t *sums,
                                  uint64_t *square)
{
    INTS even = OP(set1_epi32)(0), odd = even, length = even;
    _Alignas(64) int32_t e[LANES], o[LANES];
    _Alignas(64) uint64_t parts[LANES / 2];

    for (int32_t i = 0; sums != NULL && i < count; i += LEVEL) {
        const INTS v = LOAD(u + i * MOST);
        even = OP(add_epi32)(even, OP(srai_epi32)(OP(slli_epi32)(v, 16), 16));
        odd = OP(add_epi32)(odd, OP(srai_epi32)(v, 16));
    }
    for (int32_t i = 0; square != NULL && i < count; i += LEVEL) {
        const INTS v = LOAD(u + i * MOST), pairs = OP(madd_epi16)(v, v); /* 2^31: unsigned */
        length =
            OP(add_epi64)(length, OP(add_epi64)(OP(srli_epi64)(pairs, 32),
                                                OP(srli_epi64)(OP(slli_epi64)(pairs, 32), 32)));
    }
    STORE(e, even);
    STORE(o, odd);
    STORE(parts, length);
    for (int32_t j = 0; sums != NULL && j < dims; j++)
        for (int32_t at = j / 2; at < LANES; at += 8)
            sums[j] += (uint64_t)(int64_t)(j % 2 == 0 ? e[at] : o[at]);
    for (int p = 0; square != NULL && p < LANES / 2; p++) *square += parts[p];
}

/* The parts of a local query that are wanted, of one run. */
TARGET static void PATH(add_run)(job *a, const run *r)
{
    const int32_t dims = a->map->dims;
    const PATH(seen) s = PATH(see)(a->map, r->c);
    const size_t c = (size_t)r->c, width = (size_t)dims;
    _Alignas(64) int16_t u[RUN * MOST];

    if (a->out.counts != NULL) a->out.counts[c] += (uint64_t)r->count;
    if (a->out.sums == NULL && a->out.square == NULL && a->out.moments == NULL) return;
    for (int32_t first = 0; first < r->count; first += RUN) {
        const int32_t part = r->count - first < RUN ? r->count - first : RUN;
        PATH(place_run)(a, &s, r->list + first, part, u);
        if (part % 2 != 0) memset(u + part * MOST, 0, MOST * sizeof *u); /* rows go in pairs */
        PATH(add_rows)
        (u, part, dims, a->out.sums == NULL ? NULL : a->out.sums + c * width,
         a->out.square == NULL ? NULL : a->out.square + c);
        if (a->out.moments != NULL)
            PATH(add_squares)(u, part, dims, a->out.moments + c * (width * (width + 1) / 2));
    }
}

/* bin = floor((t + M^2) bins / (2 M^2 + 1)), t = <u, direction>, |t| <= M^2. */
TARGET static void PATH(project_run)(job *a, const run *r)
{
    const int64_t m2 = (int64_t)TAC_M * TAC_M;
    uint64_t *words = a->words + (size_t)r->c * (size_t)a->bins;
    _Alignas(64) int16_t u[RUN * MOST];

    if (a->direction->norm[r->c] == 0) { /* <u, 0> = 0 whatever u is */
        words[m2 * a->bins / (2 * m2 + 1)] += a->one * (uint64_t)r->count;
        return;
    }
    const PATH(seen) s = PATH(see)(a->map, r->c);
    const INTS along = PATH(center_of)(a->direction, r->c);
    for (int32_t first = 0; first < r->count; first += RUN) {
        const int32_t part = r->count - first < RUN ? r->count - first : RUN;
        PATH(place_run)(a, &s, r->list + first, part, u);
        for (int32_t i = 0; i < part; i += TOGETHER) {
            _Alignas(64) int32_t t[TOGETHER];
            INTS sum[8];
#pragma GCC unroll 8
            for (int p = 0; p < 8; p++)
                sum[p] = OP(madd_epi16)(LOAD(u + (i + p * LEVEL) * MOST), along);
            STORE(t, PATH(fold)(sum, OP(set1_epi32)(-1)));
            for (int32_t l = 0; l < TOGETHER && i + l < part; l++)
                words[(t[l] + m2) * a->bins / (2 * m2 + 1)] += a->one;
        }
    }
}

/* bin = the number of the run's 2^bits - 1 edges below |x - c|^2, by halves: as many steps for
   every row. */
TARGET static void PATH(distance_run)(job *a, const run *r)
{
    const uint32_t *edge = a->edge + ((size_t)r->c << a->bits);
    const INTS center = PATH(center_of)(a->map, r->c);
    const INTS norm = OP(set1_epi32)((int32_t)a->map->norm[r->c]);
#if LEVEL == 2
    uint32_t padded[BINS];
    __m512i table[4];
    for (int b = 0; b < BINS; b++) padded[b] = b < 1 << a->bits ? edge[b] : UINT32_MAX;
    for (int t = 0; t < 4; t++) table[t] = LOAD(padded + 16 * t);
#endif

    for (int32_t i = 0; i < r->count; i += TOGETHER) {
        _Alignas(64) uint32_t bin[TOGETHER];
        INTS x[8];
        PATH(load_group)(a, r->list + i, x);
        const INTS far = PATH(gaps)(x, center, norm);
#if LEVEL == 2
        __m512i at = _mm512_setzero_si512();
        for (int32_t half = 1 << a->bits >> 1; half > 0; half >>= 1) {
            const __m512i probe = _mm512_add_epi32(at, _mm512_set1_epi32(half - 1));
            const __m512i e =
                _mm512_mask_mov_epi32(_mm512_permutex2var_epi32(table[0], probe, table[1]),
                                      _mm512_test_epi32_mask(probe, _mm512_set1_epi32(32)),
                                      _mm512_permutex2var_epi32(table[2], probe, table[3]));
            at = _mm512_mask_add_epi32(at, _mm512_cmpgt_epu32_mask(far, e), at,
                                       _mm512_set1_epi32(half));
        }
        _mm512_store_si512(bin, at);
#else
        uint32_t d[TOGETHER];
        STORE(d, far);
        for (int l = 0; l < TOGETHER; l++) bin[l] = 0;
        for (uint32_t half = 1u << a->bits >> 1; half > 0; half >>= 1)
            for (int l = 0; l < TOGETHER; l++)
                bin[l] += (uint32_t)(d[l] > edge[bin[l] + half - 1]) * half;
#endif
        for (int32_t l = 0; l < TOGETHER && i + l < r->count; l++) a->part[l % PARTS][bin[l]]++;
    }
}

#else

/* Plain C has the other way alone: nobody asks further (tac_runs_fit). */
static void PATH(add_run)(job *a, const run *r)
{
    (void)a, (void)r;
}

static void PATH(project_run)(job *a, const run *r)
{
    (void)a, (void)r;
}

static void PATH(distance_run)(job *a, const run *r)
{
    (void)a, (void)r;
}

#endif
