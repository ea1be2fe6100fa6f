/* SPDX-License-Identifier: Apache-2.0 */
/* Plain subspaces of the rows in hand. */
#include "owner/plain_subspaces.h"

#include "solve/eigen.h"

#include <math.h>

/* (trace - the q largest eigenvalues) / n of the second moments about 0 or, affine, about the mean. */
static tacit_status one_subspace(tacit_ctx *ctx, const double *values, int64_t n, int32_t d, int32_t q, bool affine, double *cost)
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
            for (size_t b = a; b < wide; b++) moment[a * wide + b] += (row[a] - mean[a]) * (row[b] - mean[b]) / (double)n;
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

tacit_status tac_plain_subspaces(tacit_ctx *ctx, const double *values, int64_t n, int32_t d, int32_t k, int32_t q, bool affine,
                                 int32_t restarts, double *cost)
{
    (void)restarts;
    if (k == 1) return one_subspace(ctx, values, n, d, q, affine, cost);
    *cost = NAN; /* there is no plain k-plane to compare with yet */
    return TACIT_OK;
}
