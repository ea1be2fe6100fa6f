/* SPDX-License-Identifier: Apache-2.0 */
/* u u^T summed over the rows of a run, for runs_path.h.

   A number of 32 bits holds the pair (u_j, u'_j) of two rows, and a register turned by o holds
   those of the coordinates j + o: one multiplication adds both rows' products u_j u_(j+o). Sums do
   not fit 32 bits, so u_j = 256 h + l with 0 <= l < 256, and the sums of h u_k and of l u_k are
   kept apart: over RUN = 256 rows at most 256 2^7 2^15 = 2^30 and 256 255 2^15 < 2^31. */

#if LEVEL == 2

/* One register for all 16 coordinates: turns 0 .. dims / 2 meet every pair of coordinates. */
TARGET INLINE void PATH(squares_of)(const int turns, const int16_t *u, int32_t count, int32_t dims,
                                    uint64_t *entry)
{
    const __m512i mix = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24,
                                         8, 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    __m512i turn[9], low[9], high[9];

#pragma GCC unroll 9
    for (int o = 0; o < turns; o++) {
        int32_t to[MOST];
        for (int j = 0; j < MOST; j++) to[j] = j >= dims ? j : j + o < dims ? j + o : j + o - dims;
        turn[o] = LOAD(to);
        low[o] = high[o] = _mm512_setzero_si512();
    }
    for (int32_t i = 0; i < count; i += 2, u += 2 * MOST) {
        const __m512i z = _mm512_permutexvar_epi16(mix, LOAD(u));
        const __m512i h = _mm512_srai_epi16(z, 8), l = _mm512_and_si512(z, _mm512_set1_epi16(255));
#pragma GCC unroll 9
        for (int o = 0; o < turns; o++) {
            const __m512i t = o == 0 ? z : _mm512_permutexvar_epi32(turn[o], z);
            low[o] = ADD_PAIRS(low[o], l, t);
            high[o] = ADD_PAIRS(high[o], h, t);
        }
    }
#pragma GCC unroll 9
    for (int o = 0; o < turns; o++) {
        _Alignas(64) int32_t l[MOST], h[MOST];
        STORE(l, low[o]);
        STORE(h, high[o]);
        /* the last turn of an even number of coordinates meets every pair twice */
        const int32_t many = 2 * o == dims ? o : dims;
        for (int32_t j = 0; j < many; j++) {
            const int32_t k = j + o < dims ? j + o : j + o - dims, a = j < k ? j : k,
                          b = j < k ? k : j;
            entry[a * dims - a * (a - 1) / 2 + b - a] += (uint64_t)((int64_t)h[j] * 256 + l[j]);
        }
    }
}

TARGET static void PATH(add_squares)(const int16_t *u, int32_t count, int32_t dims, uint64_t *entry)
{
    switch (dims / 2 + 1) {
    case 1: PATH(squares_of)(1, u, count, dims, entry); break;
    case 2: PATH(squares_of)(2, u, count, dims, entry); break;
    case 3: PATH(squares_of)(3, u, count, dims, entry); break;
    case 4: PATH(squares_of)(4, u, count, dims, entry); break;
    case 5: PATH(squares_of)(5, u, count, dims, entry); break;
    case 6: PATH(squares_of)(6, u, count, dims, entry); break;
    case 7: PATH(squares_of)(7, u, count, dims, entry); break;
    case 8: PATH(squares_of)(8, u, count, dims, entry); break;
    default: PATH(squares_of)(9, u, count, dims, entry); break;
    }
}

#else

/* Coordinate of lane l of register `part`, as unpacklo_epi16 and unpackhi_epi16 leave them. */
INLINE int32_t PATH(coordinate)(int part, int l)
{
    return l % 4 + 4 * part + 8 * (l / 4);
}

/* Two registers of 8 coordinates each: products of register `left` with register `right` turned by
   first .. first + turns - 1, added to the triangle. */
TARGET INLINE void PATH(squares_of)(const int left, const int right, const int first,
                                    const int turns, const int16_t *u, int32_t count, int32_t dims,
                                    uint64_t *entry)
{
    __m256i low[5], high[5], turn[5];

#pragma GCC unroll 5
    for (int o = 0; o < turns; o++) {
        turn[o] = _mm256_and_si256(_mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                                                    _mm256_set1_epi32(first + o)),
                                   _mm256_set1_epi32(7));
        low[o] = high[o] = _mm256_setzero_si256();
    }
    for (int32_t i = 0; i < count; i += 2, u += 2 * MOST) {
        const __m256i a = LOAD(u), b = LOAD(u + MOST);
        const __m256i z = left ? _mm256_unpackhi_epi16(a, b) : _mm256_unpacklo_epi16(a, b);
        const __m256i y = right ? _mm256_unpackhi_epi16(a, b) : _mm256_unpacklo_epi16(a, b);
        const __m256i h = _mm256_srai_epi16(z, 8), l = _mm256_and_si256(z, _mm256_set1_epi16(255));
#pragma GCC unroll 5
        for (int o = 0; o < turns; o++) {
            const __m256i t = _mm256_permutevar8x32_epi32(y, turn[o]);
            low[o] = ADD_PAIRS(low[o], l, t);
            high[o] = ADD_PAIRS(high[o], h, t);
        }
    }
#pragma GCC unroll 5
    for (int o = 0; o < turns; o++) {
        _Alignas(32) int32_t l[8], h[8];
        STORE(l, low[o]);
        STORE(h, high[o]);
        /* a register with itself turned by 4 meets every pair twice */
        for (int j = 0; j < (left == right && first + o == 4 ? 4 : 8); j++) {
            const int32_t x = PATH(coordinate)(left, j),
                          y = PATH(coordinate)(right, (j + first + o) % 8), a = x < y ? x : y,
                          b = x < y ? y : x;
            if (b < dims)
                entry[a * dims - a * (a - 1) / 2 + b - a] += (uint64_t)((int64_t)h[j] * 256 + l[j]);
        }
    }
}

TARGET static void PATH(add_squares)(const int16_t *u, int32_t count, int32_t dims, uint64_t *entry)
{
    PATH(squares_of)(0, 0, 0, 5, u, count, dims, entry);
    if (dims <= 4) return; /* register 1: coordinates 4 .. 7 and 12 .. 15 */
    PATH(squares_of)(1, 1, 0, 5, u, count, dims, entry);
    PATH(squares_of)(0, 1, 0, 4, u, count, dims, entry);
    PATH(squares_of)(0, 1, 4, 4, u, count, dims, entry);
}

#endif
