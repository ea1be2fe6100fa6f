/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of plain subspaces on the rows, for tacit_model_evaluate. */
#include "owner/plain_subspaces.h"

#include "solve/linalg/eigen.h"
#include "solve/subspace/solvers.h"

#include <math.h>
#include <string.h>

/* (trace - the q largest eigenvalues) / n of the second moments about 0 or, affine, about the
   mean. */
static tacit_status one_subspace(tacit_ctx *ctx, const double *values, int64_t n, int32_t d,
                                 int32_t q, bool affine, double *cost)
{
    tacit_status status = TACIT_OK;
    const size_t wide = (size_t)d;
    double *moment = NULL, *mean = NULL, *top = NULL, *vectors = NULL, total = 0;

    TAC_TRY(tac_new(ctx, wide * wide, sizeof *moment, &moment));
    TAC_TRY(tac_new(ctx, wide, sizeof *mean, &mean));
    TAC_TRY(tac_new(ctx, (size_t)q, sizeof *top, &top));
    TAC_TRY(tac_new(ctx, wide * (size_t)q, sizeof *vectors, &vectors));
    for (int64_t i = 0; affine && i < n; i++)
        for (int32_t j = 0; j < d; j++) mean[j] += values[i * d + j] / (double)n;
    for (int64_t i = 0; i < n; i++) {
        const double *row = values + i * d;
        if (i % 4096 == 0) TAC_TRY(tac_check_cancel(ctx));
        for (size_t a = 0; a < wide; a++)
            for (size_t b = a; b < wide; b++)
                moment[a * wide + b] += (row[a] - mean[a]) * (row[b] - mean[b]) / (double)n;
    }
    for (size_t j = 0; j < wide; j++) total += moment[j * wide + j];
    TAC_TRY(tac_top_eigen(ctx, moment, d, q, top, vectors));
    for (int32_t i = 0; i < q; i++) total -= top[i];
    *cost = fmax(0, total);
done:
    tac_free(moment);
    tac_free(mean);
    tac_free(top);
    tac_free(vectors);
    return status;
}

/* Linear subspaces of one dimension more, of rows with one constant coordinate more, are affine
   ones; their clusters are kept and each gets the affine subspace that is best for it. */
static tacit_status affine_cost(tacit_ctx *ctx, const double *values, int64_t n, int32_t d,
                                int32_t k, int32_t q, const tac_plain_subspaces *opts, double *cost)
{
    tacit_status status = TACIT_OK;
    const int32_t wide = d + 1;
    double *raised = NULL, *bases = NULL, *part = NULL, largest = 0, each = 0;
    int32_t *label = NULL;

    TAC_TRY(tac_new(ctx, (size_t)n * (size_t)wide, sizeof *raised, &raised));
    TAC_TRY(tac_new(ctx, (size_t)n * (size_t)d, sizeof *part, &part));
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *label, &label));
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)(q + 1), (size_t)wide * sizeof *bases, &bases));
    for (int64_t i = 0; i < n * d; i++) largest = fmax(largest, fabs(values[i]));
    for (int64_t i = 0; i < n; i++) {
        memcpy(raised + i * wide, values + i * d, (size_t)d * sizeof *raised);
        raised[i * wide + d] = largest;
    }
    TAC_TRY(tac_solve_subspaces(ctx, raised, n, wide, opts, bases, &each, label));
    *cost = 0;
    for (int32_t c = 0; c < k; c++) {
        int64_t count = 0;
        for (int64_t i = 0; i < n; i++)
            if (label[i] == c) memcpy(part + d * count++, values + i * d, (size_t)d * sizeof *part);
        if (count == 0) continue;
        TAC_TRY(one_subspace(ctx, part, count, d, q, true, &each));
        *cost += each * (double)count / (double)n;
    }
done:
    tac_free(raised);
    tac_free(bases);
    tac_free(part);
    tac_free(label);
    return status;
}

/* k = 1 needs no solver: the best subspace is spanned by principal components. */
tacit_status tac_plain_subspace_cost(tacit_ctx *ctx, const double *values, int64_t n, int32_t d,
                                     int32_t k, int32_t q, bool affine, int32_t restarts,
                                     double *cost)
{
    tacit_status status = TACIT_OK;
    const tac_plain_subspaces opts = {.solver = TACIT_SOLVER_KPLANE,
                                      .k = k,
                                      .q = affine ? q + 1 : q,
                                      .restarts = restarts,
                                      .seed = 1};
    double *bases = NULL;
    int32_t *label = NULL;

    if (k == 1) return one_subspace(ctx, values, n, d, q, affine, cost);
    if (affine) return affine_cost(ctx, values, n, d, k, q, &opts, cost);
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)q, (size_t)d * sizeof *bases, &bases));
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *label, &label));
    TAC_TRY(tac_solve_subspaces(ctx, values, n, d, &opts, bases, cost, label));
done:
    tac_free(bases);
    tac_free(label);
    return status;
}
