/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of complete_rows.c, for core/each_path.h. The work does not depend on the values. */

/* keep[i] = no value of row i is NaN. */
TARGET static void PATH(complete)(const double *rows, int64_t n, int32_t dims, uint8_t *keep)
{
    for (int64_t i = 0; i < n; i++, rows += dims) {
        int64_t lacking = 0;
        for (int32_t j = 0; j < dims; j++) lacking |= rows[j] != rows[j] ? 1 : 0;
        keep[i] = lacking == 0;
    }
}

#if LEVEL > 0

/* Bit l: value l of eight is NaN; beyond `many` values: 0. */
TARGET INLINE uint8_t PATH(missing)(const double *x, int64_t many)
{
#if LEVEL == 1
    if (many < 8) {
        unsigned bits = 0;
        for (int l = 0; l < many; l++) bits |= (unsigned)(x[l] != x[l]) << l;
        return (uint8_t)bits;
    }
    const __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4);
    return (uint8_t)(_mm256_movemask_pd(_mm256_cmp_pd(a, a, _CMP_UNORD_Q)) |
                     _mm256_movemask_pd(_mm256_cmp_pd(b, b, _CMP_UNORD_Q)) << 4);
#else
    const __m512d a = _mm512_maskz_loadu_pd((__mmask8)(many < 8 ? (1u << many) - 1 : 0xff), x);
    return _mm512_cmp_pd_mask(a, a, _CMP_UNORD_Q);
#endif
}

/* The same for rows of at most BITS values: first a bit for each value, then a look at the bits of
   each row. */
TARGET static void PATH(complete_narrow)(const double *rows, int64_t n, int32_t dims, uint8_t *keep)
{
    const uint64_t row = (UINT64_C(1) << dims) - 1;

    for (int64_t first = 0; first < n; first += CHUNK) {
        const int64_t many = n - first < CHUNK ? n - first : CHUNK, values = many * dims;
        uint8_t bits[CHUNK * BITS / 8 + 8] = {0};
        for (int64_t v = 0; v < values; v += 8)
            bits[v / 8] = PATH(missing)(rows + first * dims + v, values - v);
        for (int64_t i = 0; i < many; i++) {
            uint64_t some;
            memcpy(&some, bits + i * dims / 8, sizeof some);
            keep[first + i] = (some >> i * dims % 8 & row) == 0;
        }
    }
}

#else

static void PATH(complete_narrow)(const double *rows, int64_t n, int32_t dims, uint8_t *keep)
{
    PATH(complete)(rows, n, dims, keep);
}

#endif
