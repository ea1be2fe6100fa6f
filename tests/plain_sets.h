/* SPDX-License-Identifier: Apache-2.0 */
/* Point sets for tests of the plain solvers: a seeded stream, Gaussians, and cells as a synopsis
   has them. */
#ifndef TAC_PLAIN_SETS_H
#define TAC_PLAIN_SETS_H

#include "core/core.h"
#include "tap.h"

#include <math.h>

static tacit_ctx *ctx;
static uint64_t state = 1;

/* In (0, 1). */
__attribute__((unused)) static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(state >> 11) + 0.5) * 0x1p-53;
}

__attribute__((unused)) static double normal(void)
{
    const double radius = sqrt(-2 * log(uniform()));
    return radius * cos(6.283185307179586 * uniform());
}

__attribute__((unused)) static void *need(int64_t count, size_t size)
{
    void *memory = NULL;
    MUST(tac_new(ctx, (size_t)count, size, &memory) == TACIT_OK);
    return memory;
}

/* k blobs with centers uniform in [-1, 1]^d, `each` weighted points in each; point i belongs to
   blob i % k. */
__attribute__((unused)) static void blobs(int32_t k, int32_t d, int64_t each, double sd,
                                          double *points, double *weight)
{
    double *middle = need((int64_t)k * d, sizeof *middle);
    for (int32_t i = 0; i < k * d; i++) middle[i] = 2 * uniform() - 1;
    for (int64_t i = 0; i < k * each; i++) {
        weight[i] = 100 * exp(0.5 * normal());
        for (int32_t j = 0; j < d; j++) points[i * d + j] = middle[i % k * d + j] + sd * normal();
    }
    tac_free(middle);
}

#endif
