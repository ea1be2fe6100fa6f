/* SPDX-License-Identifier: Apache-2.0 */
/* Squared distances: one centre a lane. */
#include "solve/distances.h"

#include <string.h>

enum { LANES = 8 };

size_t tac_lanes_size(int32_t k, int32_t d)
{
    return ((size_t)k + LANES - 1) / LANES * LANES * (size_t)d;
}

void tac_lay_lanes(const double *centers, int32_t k, int32_t d, double *lanes)
{
    for (int32_t c = 0; c < k; c++)
        for (int32_t j = 0; j < d; j++)
            lanes[((ptrdiff_t)(c / LANES) * d + j) * LANES + c % LANES] = centers[(ptrdiff_t)c * d + j];
}

/* out[p, c] = sum_j (x_pj - c_j)^2 for one group of 8 centres. Not |x|^2 - 2<x, c> + |c|^2: that saves a third of
   the work and is wrong far from the origin. VECTOR is as long as the target's registers; none of the targets has
   fused multiply-add, so all round alike. */
#define SQUARED(name, target, vector, count)                                                                    \
    target static void name(const double *const point[TAC_POINTS], const double *group, int32_t d, double *out) \
    {                                                                                                           \
        for (int part = 0; part < LANES; part += count) {                                                       \
            vector sum[TAC_POINTS] = {{0}};                                                                     \
            for (int32_t j = 0; j < d; j++) {                                                                   \
                vector c;                                                                                       \
                memcpy(&c, group + (ptrdiff_t)j * LANES + part, sizeof c);                                      \
                _Pragma("GCC unroll 4") for (int p = 0; p < TAC_POINTS; p++)                                    \
                {                                                                                               \
                    const vector away = point[p][j] - c;                                                        \
                    sum[p] += away * away;                                                                      \
                }                                                                                               \
            }                                                                                                   \
            for (int p = 0; p < TAC_POINTS; p++) memcpy(out + p * TAC_NEAR + part, &sum[p], sizeof sum[p]);     \
        }                                                                                                       \
    }

typedef double double_x2 __attribute__((vector_size(16)));
SQUARED(squared_portable, , double_x2, 2)

#if defined(__x86_64__)
typedef double double_x4 __attribute__((vector_size(32)));
typedef double double_x8 __attribute__((vector_size(64)));
SQUARED(squared_avx2, __attribute__((target("avx2"))), double_x4, 4)
SQUARED(squared_avx512, __attribute__((target("avx512f"))), double_x8, 8)
#endif

void tac_squared(const double *const point[TAC_POINTS], const double *lanes, int32_t k, int32_t d, int32_t first,
                 double *out)
{
    void (*kernel)(const double *const point[TAC_POINTS], const double *group, int32_t d, double *out) =
        squared_portable;

#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) kernel = squared_avx512;
    else if (__builtin_cpu_supports("avx2")) kernel = squared_avx2;
#endif
    for (int32_t c = 0; c < TAC_NEAR && first + c < k; c += LANES)
        kernel(point, lanes + (ptrdiff_t)(first + c) * d, d, out + c);
}
