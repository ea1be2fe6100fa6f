/* SPDX-License-Identifier: Apache-2.0 */
/* How far second moments under trace noise have moved: sizes of the eigenvalues of the change, all
   cells together. */
#ifndef TAC_TEST_TRACE_NORM_H
#define TAC_TEST_TRACE_NORM_H

#include "privacy/door_internal.h"
#include "solve/linalg/eigen.h"
#include "tap.h"

#include <math.h>

/* In grid units without weights; a change that is no multiple of its weight is none that rows can
   make: infinite. */
static double trace_moved(tacit_ctx *on, int32_t d, const uint64_t *answer, const uint64_t *was,
                          size_t count)
{
    const size_t n = (size_t)d * (size_t)d, triangle = (size_t)d * ((size_t)d + 1) / 2;
    double *a = malloc(n * sizeof *a), *vectors = malloc(n * sizeof *vectors),
           *values = malloc((size_t)d * sizeof *values);
    double moved = d > 0 && count % triangle == 0 ? 0 : INFINITY;

    MUST(a != NULL && vectors != NULL && values != NULL);
    for (size_t at = 0; isfinite(moved) && at < count;) {
        bool none = true;
        for (int32_t i = 0; i < d; i++)
            for (int32_t j = i; j < d; j++, at++) {
                const int64_t gap = (int64_t)(answer[at] - was[at]),
                              weight = i == j ? TAC_MOMENT_SAME : TAC_MOMENT_CROSS;
                if (gap % weight != 0) moved = INFINITY;
                none = none && gap == 0;
                a[i * d + j] = a[j * d + i] = (double)(gap / weight);
            }
        if (none) continue;
        MUST(tac_top_eigen(on, a, d, d, values, vectors) == TACIT_OK);
        for (int32_t i = 0; i < d; i++) moved += fabs(values[i]);
    }
    free(a), free(vectors), free(values);
    return moved;
}

__attribute__((unused)) static bool trace_within(tacit_ctx *on, const tac_receipt *r,
                                                 const uint64_t *answer, const uint64_t *was,
                                                 size_t count)
{
    return trace_moved(on, r->dims, answer, was, count) <= (double)r->sensitivity * (1 + 1e-9);
}

#endif
