/* SPDX-License-Identifier: Apache-2.0 */
/* Squared distances, written plainly for the compiler to vectorise over the centres. */
#include "solve/distances.h"

static int32_t width_of(int32_t k, int32_t first)
{
    const int32_t left = k - first < TAC_NEAR ? k - first : TAC_NEAR;
    return (left + 7) / 8 * 8;
}

size_t tac_lanes_size(int32_t k, int32_t d)
{
    return ((size_t)k + 7) / 8 * 8 * (size_t)d;
}

void tac_lay_lanes(const double *centers, int32_t k, int32_t d, double *lanes)
{
    for (int32_t first = 0; first < k; first += TAC_NEAR) {
        const int32_t width = width_of(k, first);
        double *chunk = lanes + (ptrdiff_t)first * d;
        for (int32_t c = 0; c < width && first + c < k; c++)
            for (int32_t j = 0; j < d; j++) chunk[(ptrdiff_t)j * width + c] = centers[(ptrdiff_t)(first + c) * d + j];
    }
}

/* (x - c)^2 rather than |x|^2 - 2<x, c> + |c|^2: half as many operations again, but right far from the origin too.
   Four coordinates a pass, so that the sums are not loaded and stored for each; added in their order. */
__attribute__((always_inline)) static inline void squared(const double *const point[TAC_POINTS], const double *chunk,
                                                          int32_t width, int32_t d, double *out)
{
    int32_t j = 0;

    for (int p = 0; p < TAC_POINTS; p++)
        for (int32_t c = 0; c < width; c++) out[p * TAC_NEAR + c] = 0;
    for (; j <= d - 4; j += 4) {
        const double *restrict c0 = chunk + (ptrdiff_t)j * width, *restrict c1 = c0 + width, *restrict c2 = c1 + width,
                              *restrict c3 = c2 + width;
        for (int p = 0; p < TAC_POINTS; p++) {
            const double x0 = point[p][j], x1 = point[p][j + 1], x2 = point[p][j + 2], x3 = point[p][j + 3];
            double *restrict sum = out + p * TAC_NEAR;
            for (int32_t c = 0; c < (width & ~7); c++) {
                const double a0 = x0 - c0[c], a1 = x1 - c1[c], a2 = x2 - c2[c], a3 = x3 - c3[c];
                sum[c] = sum[c] + a0 * a0 + a1 * a1 + a2 * a2 + a3 * a3;
            }
        }
    }
    for (; j < d; j++) {
        const double *restrict c0 = chunk + (ptrdiff_t)j * width;
        for (int p = 0; p < TAC_POINTS; p++) {
            const double x0 = point[p][j];
            double *restrict sum = out + p * TAC_NEAR;
            for (int32_t c = 0; c < (width & ~7); c++) sum[c] += (x0 - c0[c]) * (x0 - c0[c]);
        }
    }
}

#if defined(__x86_64__)
/* No fused multiply-add among the targets: all three round alike. */
__attribute__((target("avx2"))) static void squared_avx2(const double *const point[TAC_POINTS], const double *chunk,
                                                         int32_t width, int32_t d, double *out)
{
    squared(point, chunk, width, d, out);
}

__attribute__((target("avx512f,prefer-vector-width=512"))) static void
squared_avx512(const double *const point[TAC_POINTS], const double *chunk, int32_t width, int32_t d, double *out)
{
    squared(point, chunk, width, d, out);
}
#endif

void tac_squared(const double *const point[TAC_POINTS], const double *lanes, int32_t k, int32_t d, int32_t first,
                 double *out)
{
    const double *chunk = lanes + (ptrdiff_t)first * d;
    const int32_t width = width_of(k, first);

#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        squared_avx512(point, chunk, width, d, out);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        squared_avx2(point, chunk, width, d, out);
        return;
    }
#endif
    squared(point, chunk, width, d, out);
}
