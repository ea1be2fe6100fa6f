/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of products of whole numbers held in doubles, exact: in any order, fused or not
   (cell_squares.c, fourths.c). Included at the top of a kernel's NAME_path.h, which has set HIGH
   and WIDE: numbers and vectors of a block, at most. */
typedef double PATH(doubles) __attribute__((vector_size(BYTES)));
#undef VECTOR
#undef LANES
#undef MULADD
#define VECTOR PATH(doubles)
#define LANES (BYTES / 8)
#if LEVEL == 0
#define MULADD(a, b, c) ((a) * (b) + (c))
#elif LEVEL == 1
#define MULADD(a, b, c) ((VECTOR)_mm256_fmadd_pd((__m256d)(a), _mm256_set1_pd(b), (__m256d)(c)))
#else
#define MULADD(a, b, c) ((VECTOR)_mm512_fmadd_pd((__m512d)(a), _mm512_set1_pd(b), (__m512d)(c)))
#endif

/* flat[h, v LANES ..] = sum over `count` rows of left[row][h] times columns column + v LANES ..
   of `right`, for h < high and v < vectors. Both are [group][row][TAC_GROUP], `group` doubles
   from one group to the next; left points into row 0. The caller keeps `count` so small that
   every sum stays below 2^51. */
TARGET INLINE void PATH(products)(const int high, const int vectors, int32_t count, ptrdiff_t group,
                                  const double *left, const double *right, int32_t column,
                                  double flat[HIGH][WIDE * LANES])
{
    const double *at[WIDE];
    VECTOR sum[HIGH][WIDE];

#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++)
        at[v] = right + (column + v * LANES) / TAC_GROUP * group + (column + v * LANES) % TAC_GROUP;
#pragma GCC unroll 8
    for (int h = 0; h < high; h++)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; v++) sum[h][v] = (VECTOR){0};
    for (int32_t r = 0; r < count; r++) {
        VECTOR x[WIDE];
#pragma GCC unroll 8
        for (int v = 0; v < vectors; v++)
            memcpy(&x[v], at[v] + (ptrdiff_t)r * TAC_GROUP, sizeof x[v]);
#pragma GCC unroll 8
        for (int h = 0; h < high; h++) {
            const double y = left[(ptrdiff_t)r * TAC_GROUP + h];
#pragma GCC unroll 8
            for (int v = 0; v < vectors; v++) sum[h][v] = MULADD(x[v], y, sum[h][v]);
        }
    }
#pragma GCC unroll 8
    for (int h = 0; h < high; h++)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; v++) memcpy(&flat[h][v * LANES], &sum[h][v], sizeof sum[h][v]);
}
