/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of nearest_few.c, for core/each_path.h. The same integers as the other forms: scores
   within int32 (nearest.h), and a later center wins only if its score is larger. */

#if LEVEL > 0

#include "data/kernels/int_vectors_path.h"

#undef QUARTER
#undef BLOCKS
#define QUARTER(at) _mm_loadu_si128((const __m128i *)(const void *)(at))
#define BLOCKS 2 /* registers of rows worked on together: they share the spreading of a center */

/* Lane r of x[j]: pair j of row r, for four pairs: a transpose of 4 x 4 pairs in each 128 bits. */
TARGET INLINE void PATH(four_pairs)(const int16_t *rows, ptrdiff_t stride, INTS x[4])
{
    INTS q[4];

#pragma GCC unroll 4
    for (int r = 0; r < 4; r++) {
        const int16_t *from = rows + r * stride;
#if LEVEL == 1
        q[r] = _mm256_inserti128_si256(_mm256_castsi128_si256(QUARTER(from)),
                                       QUARTER(from + 4 * stride), 1);
#else
        q[r] = _mm512_castsi128_si512(QUARTER(from));
        q[r] = _mm512_inserti32x4(q[r], QUARTER(from + 4 * stride), 1);
        q[r] = _mm512_inserti32x4(q[r], QUARTER(from + 8 * stride), 2);
        q[r] = _mm512_inserti32x4(q[r], QUARTER(from + 12 * stride), 3);
#endif
    }
    const INTS a = OP(unpacklo_epi32)(q[0], q[1]), b = OP(unpackhi_epi32)(q[0], q[1]);
    const INTS c = OP(unpacklo_epi32)(q[2], q[3]), d = OP(unpackhi_epi32)(q[2], q[3]);
    x[0] = OP(unpacklo_epi64)(a, c);
    x[1] = OP(unpackhi_epi64)(a, c);
    x[2] = OP(unpacklo_epi64)(b, d);
    x[3] = OP(unpackhi_epi64)(b, d);
}

/* label of BLOCKS LANES rows against all centers. */
TARGET INLINE void PATH(few_pairs)(const int pairs, const tac_centers *centers, const int16_t *rows,
                                   ptrdiff_t stride, int32_t *label)
{
    INTS x[BLOCKS][TAC_FEW_PAIRS], best[BLOCKS], at[BLOCKS];

#pragma GCC unroll 2
    for (int b = 0; b < BLOCKS; b++) {
        best[b] = OP(set1_epi32)(INT32_MIN);
        at[b] = OP(set1_epi32)(0);
        PATH(four_pairs)(rows + LANES * b * stride, stride, x[b]);
        if (pairs > 4) PATH(four_pairs)(rows + LANES * b * stride + 8, stride, x[b] + 4);
    }
    for (int32_t c = 0; c < centers->k; c++) {
        const int32_t *pair =
            (const int32_t *)(const void *)(centers->plain + (ptrdiff_t)c * centers->width);
        const INTS here = OP(set1_epi32)(c);
        INTS score[BLOCKS];
#pragma GCC unroll 2
        for (int b = 0; b < BLOCKS; b++) score[b] = OP(set1_epi32)(centers->start[c]);
#pragma GCC unroll 8
        for (int j = 0; j < pairs; j++) {
            const INTS point = OP(set1_epi32)(pair[j]);
#pragma GCC unroll 2
            for (int b = 0; b < BLOCKS; b++) score[b] = ADD_PAIRS(score[b], x[b][j], point);
        }
#pragma GCC unroll 2
        for (int b = 0; b < BLOCKS; b++) {
            at[b] = MORE(score[b], best[b], here, at[b]);
            best[b] = OP(max_epi32)(score[b], best[b]);
        }
    }
#pragma GCC unroll 2
    for (int b = 0; b < BLOCKS; b++) STORE(label + LANES * b, at[b]);
}

/* As many rows as can be taken together; returns their number. Up to 16 numbers are read of every
   row, so the last rows, behind which there may be nothing, are left to others. */
TARGET INLINE int64_t PATH(few_rows)(const int pairs, const tac_centers *centers,
                                     const int16_t *rows, int64_t n, int32_t stride, int32_t *label)
{
    const int64_t last = n - BLOCKS * LANES - (2 * TAC_FEW_PAIRS + stride - 1) / stride;
    int64_t i = 0;

    for (; i <= last; i += BLOCKS * LANES)
        PATH(few_pairs)(pairs, centers, rows + i * stride, stride, label + i);
    return i;
}

TARGET static int64_t PATH(few)(const tac_centers *centers, const int16_t *rows, int64_t n,
                                int32_t stride, int32_t *label)
{
    switch (centers->pairs) {
    case 1: return PATH(few_rows)(1, centers, rows, n, stride, label);
    case 2: return PATH(few_rows)(2, centers, rows, n, stride, label);
    case 3: return PATH(few_rows)(3, centers, rows, n, stride, label);
    case 4: return PATH(few_rows)(4, centers, rows, n, stride, label);
    case 5: return PATH(few_rows)(5, centers, rows, n, stride, label);
    case 6: return PATH(few_rows)(6, centers, rows, n, stride, label);
    case 7: return PATH(few_rows)(7, centers, rows, n, stride, label);
    default: return PATH(few_rows)(8, centers, rows, n, stride, label);
    }
}

#else

/* Plain C has the other forms alone. */
static int64_t PATH(few)(const tac_centers *centers, const int16_t *rows, int64_t n, int32_t stride,
                         int32_t *label)
{
    (void)centers, (void)rows, (void)n, (void)stride, (void)label;
    return 0;
}

#endif
