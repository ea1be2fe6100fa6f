/* SPDX-License-Identifier: Apache-2.0 */
/* Squared distances: one center a lane. */
#include "solve/kmeans/distances.h"

#include <string.h>

#include "core/cpu.h"

enum { LANES = 8 };

size_t tac_lanes_size(int32_t k, int32_t d)
{
    return ((size_t)k + LANES - 1) / LANES * LANES * (size_t)d;
}

void tac_lay_lanes(const double *centers, int32_t k, int32_t d, double *lanes)
{
    for (int32_t c = 0; c < k; c++)
        for (int32_t j = 0; j < d; j++)
            lanes[((ptrdiff_t)(c / LANES) * d + j) * LANES + c % LANES] =
                centers[(ptrdiff_t)c * d + j];
}

#define KERNEL "solve/kmeans/distances_path.h"
#include "core/each_path.h"

static void (*const squared[])(const double *const point[TAC_POINTS], const double *group,
                               int32_t d, double *out) = {PATHS(squared)};

void tac_squared(const double *const point[TAC_POINTS], const double *lanes, int32_t k, int32_t d,
                 int32_t first, double *out)
{
    const int level = tac_cpu();

    for (int32_t c = 0; c < TAC_NEAR && first + c < k; c += LANES)
        squared[level](point, lanes + (ptrdiff_t)(first + c) * d, d, out + c);
}
