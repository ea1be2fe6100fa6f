/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of local.c, for core/each_path.h. The vector paths take 16 coordinates at a time and
   may read as many past the end of a row. Each number is made by the same operations on every path,
   none of them fused: integers, one float32 product, one rounding to the nearest whole number. So
   the bits are the same. */

#if LEVEL == 0

/* <x, y>, exact: every partial sum is within 2^30 if |x|_2, |y|_2 <= M (Cauchy-Schwarz). */
static int32_t PATH(dot)(const int16_t *restrict x, const int16_t *restrict y, int32_t dims)
{
    int32_t sum = 0;
    for (int32_t j = 0; j < dims; j++) sum += x[j] * y[j];
    return sum;
}

/* |x - c|^2 = |x|^2 + |c|^2 - 2 <x, c>, exact modulo 2^32; it is at most 4 M^2 < 2^32. */
INLINE uint32_t PATH(gap)(const int16_t *x, const int16_t *c, int32_t dims, uint32_t norm)
{
    return (uint32_t)PATH(dot)(x, x, dims) + norm - 2 * (uint32_t)PATH(dot)(x, c, dims);
}

/* out = round((x - c) scale): adding 1.5 2^23 rounds to a whole number and leaves it in the last
   bits. True: |out|^2 > M^2. */
INLINE bool PATH(place_row)(const int16_t *restrict x, const int16_t *restrict c, float scale,
                            int32_t dims, int16_t *restrict out)
{
    uint64_t squares = 0;

    for (int32_t j = 0; j < dims; j++) {
        const float shifted = (float)(x[j] - c[j]) * scale + 0x1.8p23F;
        int32_t bits;
        memcpy(&bits, &shifted, sizeof bits);
        out[j] = (int16_t)bits; /* |number| <= M: its last 16 bits are all of it */
    }
    for (int32_t j = 0; j < dims; j++) squares += (uint64_t)(out[j] * out[j]);
    return squares > (uint64_t)TAC_M * TAC_M;
}

#else

#undef FULL
#undef ROW
#undef LAST
#undef ADD_PRODUCTS
#define FULL(at) _mm256_loadu_si256((const __m256i *)(const void *)(at))
/* Coordinates j .. j + 15 of a row; those past the last are made 0. */
#define ROW(x, j, dims) (dims - j >= 16 ? FULL(x + j) : LAST(x + j, dims - j))
#if LEVEL == 1
#define LAST(x, left) _mm256_and_si256(FULL(x), FULL(ones_then_zeros + 16 - (left)))
#define ADD_PRODUCTS(acc, a, b) _mm256_add_epi32(acc, _mm256_madd_epi16(a, b))
#else
#undef MASK
#define MASK(left) ((__mmask16)((left) >= 16 ? 0xffffu : (1u << (left)) - 1))
#define LAST(x, left) _mm256_maskz_loadu_epi16(MASK(left), x)
#define ADD_PRODUCTS(acc, a, b) _mm256_dpwssd_epi32(acc, a, b)
#endif

/* The sum of the eight numbers of v. */
TARGET INLINE int32_t PATH(total)(__m256i v)
{
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1)));
}

/* <x, c> and below |x - c|^2: the exact integers of the portable path, in another order of
   additions. */
TARGET INLINE int32_t PATH(dot)(const int16_t *x, const int16_t *c, int32_t dims)
{
    __m256i dot = _mm256_setzero_si256();
    int32_t j = 0;

    for (; j <= dims - 16; j += 16) dot = ADD_PRODUCTS(dot, FULL(x + j), FULL(c + j));
    if (j < dims) dot = ADD_PRODUCTS(dot, LAST(x + j, dims - j), FULL(c + j));
    return PATH(total)(dot);
}

TARGET INLINE uint32_t PATH(gap)(const int16_t *x, const int16_t *c, int32_t dims, uint32_t norm)
{
    __m256i own = _mm256_setzero_si256(), dot = own;

    for (int32_t j = 0; j < dims; j += 16) {
        const __m256i v = ROW(x, j, dims);
        own = ADD_PRODUCTS(own, v, v);
        dot = ADD_PRODUCTS(dot, v, FULL(c + j));
    }
    return (uint32_t)PATH(total)(_mm256_sub_epi32(own, _mm256_add_epi32(dot, dot))) + norm;
}

#if LEVEL == 1

/* round((x - c) scale) of eight coordinates, ties to even as in the portable path. */
INLINE TARGET __m256i PATH(placed)(__m128i x, __m128i c, __m256 scale)
{
    const __m256i apart = _mm256_sub_epi32(_mm256_cvtepi16_epi32(x), _mm256_cvtepi16_epi32(c));
    return _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(apart), scale));
}

/* The portable place_row, 16 coordinates at a time. Writes a whole vector at the end of a row;
   the next row overwrites it. */
TARGET INLINE bool PATH(place_row)(const int16_t *x, const int16_t *c, float factor, int32_t dims,
                                   int16_t *out)
{
    const __m256 scale = _mm256_set1_ps(factor);
    const __m256i zero = _mm256_setzero_si256();
    __m256i squares = zero;

    for (int32_t j = 0; j < dims; j += 16) {
        const __m256i v = ROW(x, j, dims), w = FULL(c + j);
        const __m256i low =
            PATH(placed)(_mm256_castsi256_si128(v), _mm256_castsi256_si128(w), scale);
        const __m256i high =
            PATH(placed)(_mm256_extracti128_si256(v, 1), _mm256_extracti128_si256(w, 1), scale);
        const __m256i u = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xd8);
        const __m256i pairs = _mm256_madd_epi16(u, u); /* at most 2^31: unsigned */
        squares = _mm256_add_epi64(squares, _mm256_add_epi64(_mm256_unpacklo_epi32(pairs, zero),
                                                             _mm256_unpackhi_epi32(pairs, zero)));
        _mm256_storeu_si256((__m256i *)(void *)(out + j), u);
    }
    const __m128i half =
        _mm_add_epi64(_mm256_castsi256_si128(squares), _mm256_extracti128_si256(squares, 1));
    return (uint64_t)(_mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1)) >
           (uint64_t)TAC_M * TAC_M;
}

#else

TARGET INLINE bool PATH(place_row)(const int16_t *x, const int16_t *c, float factor, int32_t dims,
                                   int16_t *out)
{
    const __m512 scale = _mm512_set1_ps(factor);
    __m512i squares = _mm512_setzero_si512();

    for (int32_t j = 0; j < dims; j += 16) {
        const __m512i apart = _mm512_sub_epi32(_mm512_cvtepi16_epi32(ROW(x, j, dims)),
                                               _mm512_cvtepi16_epi32(FULL(c + j)));
        const __m512i whole = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(apart), scale));
        /* at most 2^31: unsigned */
        const __m256i u = _mm512_cvtsepi32_epi16(whole), pairs = _mm256_madd_epi16(u, u);
        squares = _mm512_add_epi64(squares, _mm512_cvtepu32_epi64(pairs));
        _mm256_mask_storeu_epi16(out + j, MASK(dims - j), u);
    }
    return (uint64_t)_mm512_reduce_add_epi64(squares) > (uint64_t)TAC_M * TAC_M;
}

#endif
#endif

/* out[i] = |x_i - c|^2 for the row's own center c. */
TARGET static void PATH(squared)(const tac_local_map *map, const int16_t *rows, int64_t n,
                                 int32_t stride, const int32_t *cell, uint32_t *out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = PATH(gap)(rows + i * stride, map->centers + (ptrdiff_t)cell[i] * map->width,
                           map->dims, map->norm[cell[i]]);
}

TARGET static void PATH(along)(const tac_local_map *map, const int16_t *rows, int64_t n,
                               int32_t stride, const int32_t *cell, int32_t *out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] =
            PATH(dot)(rows + i * stride, map->centers + (ptrdiff_t)cell[i] * map->width, map->dims);
}

/* u = the rows of a chunk, placed: distances first, then scales, then coordinates. Rows that
   need the clip are listed and clipped afterwards: a branch for each row would be mispredicted
   half of the time. */
TARGET static void PATH(place)(const tac_local_map *map, const int16_t *rows, int64_t n,
                               int32_t stride, const int32_t *cell, uint32_t most, int16_t *u,
                               uint32_t *weight)
{
    for (int64_t from = 0; from < n; from += CHUNK) {
        const int32_t many = n - from < CHUNK ? (int32_t)(n - from) : CHUNK;
        const int16_t *x = rows + from * stride;
        int16_t *out = u + from * stride;
        double radius[CHUNK];
        uint32_t squares[CHUNK];
        float scale[CHUNK];
        int32_t beyond[CHUNK], clips = 0;
        for (int32_t i = 0; i < many; i++) {
            const int32_t c = cell[from + i];
            radius[i] = map->radius[c];
            squares[i] =
                PATH(gap)(x + (ptrdiff_t)i * stride, map->centers + (ptrdiff_t)c * map->width,
                          map->dims, map->norm[c]);
        }
        scales(radius, squares, many, most, scale, most > 0 ? weight + from : NULL);
        for (int32_t i = 0; i < many; i++) {
            const int16_t *center = map->centers + (ptrdiff_t)cell[from + i] * map->width;
            beyond[clips] = i;
            clips += PATH(place_row)(x + (ptrdiff_t)i * stride, center, scale[i], map->dims,
                                     out + (ptrdiff_t)i * stride);
            if (stride > map->dims) out[(ptrdiff_t)i * stride + map->dims] = 0;
        }
        for (int32_t i = 0; i < clips; i++)
            tac_clip(out + (ptrdiff_t)beyond[i] * stride, map->dims);
    }
}
