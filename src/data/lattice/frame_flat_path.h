/* SPDX-License-Identifier: Apache-2.0 */
/* Rows through a frame that does not turn them, for frame_rows_path.h: TALL rows together, N
   columns at a time, from values to points in registers. Each number is made by the operations of
   apply_some. Sums of squares are added in another order, and only to see that a row is so far
   inside the ball that it is neither pulled nor clipped; every other row goes the way of
   apply_some (frame.proof.md). */

#if LEVEL > 0

#undef REALS
#undef N
#undef TALL
#undef REAL
#undef FIRST_REALS
#undef FIRST_MASK
#undef MASK_TYPE
#if LEVEL == 1
#define REALS __m256d
#define REAL(name) _mm256_##name
#define MASK_TYPE __m256i
#define FIRST_MASK(many)                                                                           \
    _mm256_cmpgt_epi64(_mm256_set1_epi64x(many), _mm256_setr_epi64x(0, 1, 2, 3))
#define FIRST_REALS(at) _mm256_maskload_pd(at, used)
#else
#define REALS __m512d
#define REAL(name) _mm512_##name
#define MASK_TYPE __mmask8
#define FIRST_MASK(many) (__mmask8)((1u << (many)) - 1)
#define FIRST_REALS(at) _mm512_maskz_loadu_pd(used, at)
#endif
#define N (BYTES / 8)
#define TALL N

/* The numbers of a frame for N columns; 0 behind the last column. */
typedef struct PATH(columns) {
    REALS lower, upper, center, scale, shift, zoom;
} PATH(columns);

TARGET INLINE PATH(columns) PATH(columns_at)(const bool moved, const bool full, const tac_frame *f,
                                             int32_t j, MASK_TYPE used)
{
    PATH(columns) p = {.zoom = REAL(set1_pd)(f->zoom), .shift = REAL(setzero_pd)()};

    p.lower = full ? REAL(loadu_pd)(f->lower + j) : FIRST_REALS(f->lower + j);
    p.upper = full ? REAL(loadu_pd)(f->upper + j) : FIRST_REALS(f->upper + j);
    p.center = full ? REAL(loadu_pd)(f->center + j) : FIRST_REALS(f->center + j);
    p.scale = full ? REAL(loadu_pd)(f->scale + j) : FIRST_REALS(f->scale + j);
    if (moved) p.shift = full ? REAL(loadu_pd)(f->shift + j) : FIRST_REALS(f->shift + j);
    return p;
}

/* Lane r: the sum of v[r]. */
TARGET INLINE REALS PATH(fold_reals)(REALS v[TALL])
{
#if LEVEL == 1
    const __m256d a = _mm256_hadd_pd(v[0], v[1]), b = _mm256_hadd_pd(v[2], v[3]);
    return _mm256_add_pd(_mm256_permute2f128_pd(a, b, 0x20), _mm256_permute2f128_pd(a, b, 0x31));
#else
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        v[i] = _mm512_add_pd(_mm512_unpacklo_pd(v[2 * i], v[2 * i + 1]),
                             _mm512_unpackhi_pd(v[2 * i], v[2 * i + 1]));
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++)
        v[i] = _mm512_add_pd(_mm512_shuffle_f64x2(v[2 * i], v[2 * i + 1], 0x88),
                             _mm512_shuffle_f64x2(v[2 * i], v[2 * i + 1], 0xdd));
    return _mm512_add_pd(_mm512_shuffle_f64x2(v[0], v[1], 0x88),
                         _mm512_shuffle_f64x2(v[0], v[1], 0xdd));
#endif
}

/* The points of TALL rows in N columns; full: there are so many. Squares are added to `own`, before
   the frame moves, and to `squares`. */
TARGET INLINE void PATH(flat_columns)(const bool moved, const bool ball, const bool full,
                                      const tac_frame *f, const double *row, int32_t j,
                                      int16_t *point, int32_t stride, REALS *own, REALS *squares)
{
    const ptrdiff_t columns = f->columns; /* once: points might be the frame, to a compiler */
    const MASK_TYPE used = FIRST_MASK(columns - j < N ? (int)columns - j : N);
    const PATH(columns) p = PATH(columns_at)(moved, full, f, j, used);

#pragma GCC unroll 8
    for (int r = 0; r < TALL; r++) {
        const double *from = row + r * columns + j;
        int16_t *to = point + (ptrdiff_t)r * stride + j;
        const REALS x = full ? REAL(loadu_pd)(from) : FIRST_REALS(from);
        /* of two numbers, one of them NaN, both take the second */
        const REALS inside = REAL(min_pd)(p.upper, REAL(max_pd)(p.lower, x));
        const REALS y = REAL(mul_pd)(REAL(sub_pd)(inside, p.center), p.scale);
#if LEVEL == 1
        REALS z = _mm256_and_pd(y, _mm256_cmp_pd(y, y, _CMP_EQ_OQ)); /* NaN becomes 0 */
#else
        REALS z = _mm512_maskz_mov_pd(_mm512_cmp_pd_mask(y, y, _CMP_EQ_OQ), y);
#endif
        if (ball) own[r] = REAL(fmadd_pd)(z, z, own[r]);
        if (moved) z = REAL(mul_pd)(REAL(sub_pd)(z, p.shift), p.zoom);
        squares[r] = REAL(fmadd_pd)(z, z, squares[r]);
#if LEVEL == 1
        const __m128i whole = _mm256_cvtpd_epi32(z), short_ones = _mm_packs_epi32(whole, whole);
        if (full || columns - j > 2)
            _mm_storel_epi64((__m128i *)(void *)to, short_ones);
        else
            _mm_storeu_si32(to, short_ones);
#else
        const __m128i short_ones = _mm256_cvtsepi32_epi16(_mm512_cvtpd_epi32(z));
        if (full)
            _mm_storeu_si128((__m128i *)(void *)to, short_ones);
        else
            _mm_mask_storeu_epi32(to, (__mmask8)((1u << (stride - j) / 2) - 1), short_ones);
#endif
    }
}

/* bit r: row r lacks certainty: sum r is not below the limit (NaN is not). */
TARGET INLINE unsigned PATH(not_below)(REALS sum, double limit)
{
#if LEVEL == 1
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(sum, _mm256_set1_pd(limit), _CMP_NLT_UQ));
#else
    return _mm512_cmp_pd_mask(sum, _mm512_set1_pd(limit), _CMP_NLT_UQ);
#endif
}

TARGET INLINE void PATH(flat_rows)(const bool moved, const bool ball, const tac_frame *f,
                                   const double *row, double *scratch, int16_t *point,
                                   int32_t stride)
{
    REALS own[TALL], squares[TALL];
    int32_t j = 0;

#pragma GCC unroll 8
    for (int r = 0; r < TALL; r++) own[r] = squares[r] = REAL(setzero_pd)();
    for (; j <= f->columns - N; j += N)
        PATH(flat_columns)(moved, ball, true, f, row, j, point, stride, own, squares);
    if (j < f->columns)
        PATH(flat_columns)(moved, ball, false, f, row, j, point, stride, own, squares);
    unsigned rest = PATH(not_below)(PATH(fold_reals)(squares), well_inside(f->dims));
    if (ball) rest |= PATH(not_below)(PATH(fold_reals)(own), TAC_M * (double)TAC_M * (1 - 0x1p-20));
    for (; rest != 0; rest &= rest - 1) {
        const ptrdiff_t r = __builtin_ctz(rest);
        PATH(apply_some)(1, f, row + r * f->columns, scratch, point + r * stride, stride);
    }
}

/* Whole groups of rows; returns how many rows they are. */
TARGET static int64_t PATH(flat)(const tac_frame *f, const double *rows, int64_t n, double *scratch,
                                 int16_t *points, int32_t stride)
{
    const bool moved = f->shift != NULL;
    int64_t i = 0;

    if (f->basis != NULL || f->constant > 0 || f->dims != f->columns) return 0;
    for (; i <= n - TALL; i += TALL) {
        const double *row = rows + i * f->columns;
        int16_t *point = points + i * stride;
        if (moved && f->ball)
            PATH(flat_rows)(true, true, f, row, scratch, point, stride);
        else if (moved)
            PATH(flat_rows)(true, false, f, row, scratch, point, stride);
        else
            PATH(flat_rows)(false, false, f, row, scratch, point, stride);
    }
    return i;
}

#else

/* Plain C has apply_some alone. */
static int64_t PATH(flat)(const tac_frame *f, const double *rows, int64_t n, double *scratch,
                          int16_t *points, int32_t stride)
{
    (void)f, (void)rows, (void)n, (void)scratch, (void)points, (void)stride;
    return 0;
}

#endif
