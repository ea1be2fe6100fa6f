/* SPDX-License-Identifier: Apache-2.0 */
/* Rows near a union of subspaces, for tests: seeded, the truth known. */
#ifndef TAC_SUBSPACE_SETS_H
#define TAC_SUBSPACE_SETS_H

#include "tap.h"

#include "solve/kmeans/kmeans_internal.h"
#include "solve/subspace/kplane_internal.h"
#include "solve/subspace/subspaces.h"

#include <math.h>

typedef struct union_set {
    int64_t n;
    int32_t d, k, q;
    double *points, *bases; /* n x d, k x q x d */
    int32_t *label;
} union_set;

/* Row i belongs to subspace i mod k: a unit vector of it, plus noise of standard deviation sigma in
   every coordinate, cut to length 1. */
__attribute__((unused)) static union_set union_new(int64_t n, int32_t d, int32_t k, int32_t q,
                                                   double sigma, uint64_t seed)
{
    union_set s = {.n = n, .d = d, .k = k, .q = q};
    uint64_t state = seed * 7919 + 17;

    MUST(tac_new(NULL, (size_t)(n * d), sizeof(double), &s.points) == TACIT_OK);
    MUST(tac_new(NULL, (size_t)k * (size_t)q * (size_t)d, sizeof(double), &s.bases) == TACIT_OK);
    MUST(tac_new(NULL, (size_t)n, sizeof(int32_t), &s.label) == TACIT_OK);
    for (int32_t i = 0; i < k * q * d; i++) s.bases[i] = tac_plain_normal(&state);
    for (int32_t c = 0; c < k; c++) tac_orthonormalise(s.bases + c * q * d, q, d);
    for (int64_t i = 0; i < n; i++) {
        double *x = s.points + i * d, square = 0;
        const double *u = s.bases + (i % k) * q * d;
        s.label[i] = (int32_t)(i % k);
        for (int32_t v = 0; v < q; v++) {
            const double a = tac_plain_normal(&state);
            square += a * a;
            for (int32_t j = 0; j < d; j++) x[j] += a * u[v * d + j];
        }
        for (int32_t j = 0; j < d; j++)
            x[j] = x[j] / sqrt(square) + sigma * tac_plain_normal(&state);
        square = 0;
        for (int32_t j = 0; j < d; j++) square += x[j] * x[j];
        for (int32_t j = 0; j < d && square > 1; j++) x[j] /= sqrt(square);
    }
    return s;
}

__attribute__((unused)) static void union_clear(union_set *s)
{
    tac_free(s->points);
    tac_free(s->bases);
    tac_free(s->label);
}

/* The share of rows with the right label under the best renaming. */
__attribute__((unused)) static double share_right(const int32_t *label, const int32_t *truth,
                                                  int64_t n, int32_t k)
{
    double *cost = NULL, total;
    int32_t *to = NULL;

    MUST(tac_new(NULL, (size_t)(k * k), sizeof *cost, &cost) == TACIT_OK);
    MUST(tac_new(NULL, (size_t)k, sizeof *to, &to) == TACIT_OK);
    for (int64_t i = 0; i < n; i++) {
        MUST(label[i] >= 0 && label[i] < k);
        cost[label[i] * k + truth[i]] -= 1;
    }
    MUST(tac_match(NULL, cost, k, to, &total) == TACIT_OK);
    tac_free(cost);
    tac_free(to);
    return -total / (double)n;
}

#endif
