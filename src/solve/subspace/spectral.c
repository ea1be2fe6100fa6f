/* SPDX-License-Identifier: Apache-2.0 */
/* Normalized spectral clustering: leading eigenvectors, rows of length 1, plain k-means on them. */
#include "solve/subspace/spectral.h"

#include "solve/kmeans/plain_kmeans.h"

#include <math.h>

enum { STARTS = 20, STEPS = 100 };

tacit_status tac_spectral(tacit_ctx *ctx, const tac_operator *a, int32_t k, uint64_t seed,
                          int32_t *label)
{
    tacit_status status = TACIT_OK;
    const tac_plain_kmeans opts = {
        .k = k, .restarts = STARTS, .iterations = STEPS, .tolerance = 1e-6, .seed = seed};
    double *values = NULL, *vectors = NULL, *centers = NULL, cost;

    for (int64_t i = 0; i < a->n; i++) label[i] = (int32_t)(i % k);
    if (k == 1 || a->n <= k) return TACIT_OK;
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof *values, &values));
    TAC_TRY(tac_new(ctx, (size_t)a->n * (size_t)k, sizeof *vectors, &vectors));
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)k, sizeof *centers, &centers));
    TAC_TRY(tac_leading(ctx, a, k, seed, values, vectors));
    for (int64_t i = 0; i < a->n; i++) {
        double *row = vectors + i * k, square = 0;
        for (int32_t c = 0; c < k; c++) square += row[c] * row[c];
        for (int32_t c = 0; c < k && square > 0; c++) row[c] /= sqrt(square);
    }
    TAC_TRY(tac_solve_kmeans(ctx, vectors, NULL, a->n, k, &opts, centers, &cost, label));
done:
    tac_free(values);
    tac_free(vectors);
    tac_free(centers);
    return status;
}
