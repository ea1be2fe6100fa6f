/* SPDX-License-Identifier: Apache-2.0 */
/* Plain subspace solvers for bench/ssc_numpy.py to call: each on one thread. */
#include "solve/linalg/blas.h"
#include "solve/subspace/plain_kplane.h"
#include "solve/subspace/solvers_internal.h"

#define SHOWN __attribute__((visibility("default")))

SHOWN int ours_ssc(const double *unit, int64_t n, int32_t d, double *dense);
SHOWN int ours_neighbors(const double *unit, int64_t n, int32_t d, int32_t s, int32_t *to,
                         double *product);
SHOWN int ours_tsc(const double *points, int64_t n, int32_t d, int32_t k, int32_t q,
                   int32_t *label);
SHOWN int ours_kplane(const double *points, int64_t n, int32_t d, int32_t k, int32_t q,
                      double *cost);

static tacit_ctx *one(void)
{
    tacit_ctx *ctx = NULL;
    if (tacit_ctx_new(&ctx) == TACIT_OK) ctx->threads = 1;
    return ctx;
}

/* dense: n x n coefficients, zeroed by the caller, to compare; NULL: none. */
int ours_ssc(const double *unit, int64_t n, int32_t d, double *dense)
{
    tacit_ctx *ctx = one();
    const tac_unit_rows rows = {.unit = unit, .n = n, .d = d};
    int64_t *first = NULL;
    int32_t *to = NULL;
    double *value = NULL;
    const int before = tac_blas_one_thread();
    const tacit_status status = tac_ssc_coefficients(ctx, &rows, &first, &to, &value);

    tac_blas_restore(before);
    for (int64_t j = 0; j < n && dense != NULL && status == TACIT_OK; j++)
        for (int64_t e = first[j]; e < first[j + 1]; e++) dense[to[e] * n + j] = value[e];
    tac_free(first);
    tac_free(to);
    tac_free(value);
    tacit_ctx_free(ctx);
    return (int)status;
}

int ours_neighbors(const double *unit, int64_t n, int32_t d, int32_t s, int32_t *to,
                   double *product)
{
    tacit_ctx *ctx = one();
    const tac_unit_rows rows = {.unit = unit, .n = n, .d = d};
    const int before = tac_blas_one_thread();
    const tacit_status status = tac_neighbors(ctx, &rows, s, to, product);

    tac_blas_restore(before);
    tacit_ctx_free(ctx);
    return (int)status;
}

int ours_tsc(const double *points, int64_t n, int32_t d, int32_t k, int32_t q, int32_t *label)
{
    tacit_ctx *ctx = one();
    const tac_plain_subspaces opts = {
        .solver = TACIT_SOLVER_TSC, .k = k, .q = q, .restarts = 20, .seed = 1};
    double *bases = NULL, cost;
    tacit_status status = tac_new(ctx, (size_t)k * (size_t)q * (size_t)d, sizeof *bases, &bases);

    if (status == TACIT_OK)
        status = tac_solve_subspaces(ctx, points, n, d, &opts, bases, &cost, label);
    tac_free(bases);
    tacit_ctx_free(ctx);
    return (int)status;
}

/* One start, 10 turns over all rows at most. */
int ours_kplane(const double *points, int64_t n, int32_t d, int32_t k, int32_t q, double *cost)
{
    tacit_ctx *ctx = one();
    const tac_kplane opts = {
        .k = k, .q = q, .restarts = 20, .iterations = 10, .tolerance = 0, .seed = 1};
    double *bases = NULL;
    tacit_status status = tac_new(ctx, (size_t)k * (size_t)q * (size_t)d, sizeof *bases, &bases);

    if (status == TACIT_OK) status = tac_solve_kplane(ctx, points, n, d, &opts, bases, cost, NULL);
    tac_free(bases);
    tacit_ctx_free(ctx);
    return (int)status;
}
