/* SPDX-License-Identifier: Apache-2.0 */
/* Hierarchical alternating least squares for the factors, and the directions of their codes. */
#include "cluster/cocluster/literature/nmf_solve.h"

#include "solve/linalg/eigen.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 10 };
/* of the largest eigenvalue: nearly equal factors are not separated by force */
#define RIDGE 1e-3
#define BELIEVED 3.0 /* standard deviations of noise that the square of a code must pass */

void tac_nmf_unit(double *factor, int32_t k, int32_t m)
{
    const size_t n = (size_t)m;

    for (size_t a = 0; a < (size_t)k; a++) {
        double squares = 0;
        for (size_t j = 0; j < n; j++) squares += factor[a * n + j] * factor[a * n + j];
        for (size_t j = 0; j < n && squares > 0; j++) factor[a * n + j] /= sqrt(squares);
    }
}

bool tac_nmf_empty(const double *row, int32_t m)
{
    for (int32_t j = 0; j < m; j++)
        if (row[j] > 0) return false;
    return true;
}

/* By the eigenvectors of W W^T, values below the ridge raised to it. */
tacit_status tac_nmf_inverse(tacit_ctx *ctx, const double *factor, int32_t k, int32_t m,
                             double *direction)
{
    tacit_status status = TACIT_OK;
    const size_t n = (size_t)m, p = (size_t)k;
    double *gram = NULL, *vector = NULL, *value = NULL, *turned = NULL;

    TAC_TRY(tac_new(ctx, p * p, sizeof *gram, &gram));
    TAC_TRY(tac_new(ctx, p * p, sizeof *vector, &vector));
    TAC_TRY(tac_new(ctx, p, sizeof *value, &value));
    TAC_TRY(tac_new(ctx, n, sizeof *turned, &turned));
    for (size_t a = 0; a < p; a++)
        for (size_t b = a; b < p; b++)
            for (size_t j = 0; j < n; j++) gram[a * p + b] += factor[a * n + j] * factor[b * n + j];
    TAC_TRY(tac_top_eigen(ctx, gram, k, k, value, vector));
    memset(direction, 0, p * n * sizeof *direction);
    for (size_t e = 0; e < p; e++) {
        const double inverse = 1 / fmax(value[e], fmax(RIDGE * value[0], 1e-12));
        memset(turned, 0, n * sizeof *turned);
        for (size_t b = 0; b < p; b++)
            for (size_t j = 0; j < n; j++) turned[j] += vector[b * p + e] * factor[b * n + j];
        for (size_t a = 0; a < p; a++)
            for (size_t j = 0; j < n; j++)
                direction[a * n + j] += vector[a * p + e] * inverse * turned[j];
    }
done:
    tac_free(gram);
    tac_free(vector);
    tac_free(value);
    tac_free(turned);
    return status;
}

void tac_nmf_improve(const double *square, const double *product, int32_t k, int32_t m, double sd,
                     double *factor)
{
    const size_t n = (size_t)m, p = (size_t)k;

    for (int s = 0; s < SWEEPS; s++)
        for (size_t a = 0; a < p; a++) {
            const double own = fmax(square[a * p + a], BELIEVED * sd);
            for (size_t j = 0; j < n; j++) {
                double sum = product[a * n + j];
                for (size_t b = 0; b < p; b++)
                    sum -= (b == a ? own : fmax(square[a * p + b], 0)) * factor[b * n + j];
                factor[a * n + j] = fmax(0, factor[a * n + j] + (sum - sd) / own);
            }
        }
}
