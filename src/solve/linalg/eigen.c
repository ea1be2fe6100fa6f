/* SPDX-License-Identifier: Apache-2.0 */
/* Leading eigenvectors of a symmetric matrix: reflections to a tridiagonal one, the QL algorithm,
   and both backwards on the unit vectors of the leading values. Plain loops and no LAPACK, whose
   last bits are those of the BLAS kernels that it finds for the processor: a tree that splits on
   them grows another way on another machine. */
#include "solve/linalg/eigen.h"

#include "solve/linalg/eigen_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ranked {
    double value;
    size_t place;
} ranked;

/* Largest first; of equals the first. */
static int by_value(const void *a, const void *b)
{
    const ranked *p = a, *q = b;

    if (p->value != q->value) return p->value > q->value ? -1 : 1;
    return (p->place > q->place) - (p->place < q->place);
}

/* Column c of vectors (d x p row-major) = the given column of the panel, with its entry of largest
   magnitude positive (the first of equals): an eigenvector has no sign of its own. */
static void put_vector(const double *panel, size_t lane, size_t d, size_t p, size_t c,
                       double *vectors)
{
    size_t top = 0;

    for (size_t j = 1; j < d; j++)
        if (fabs(panel[j * TAC_EIGEN_LANES + lane]) > fabs(panel[top * TAC_EIGEN_LANES + lane]))
            top = j;
    const double sign = panel[top * TAC_EIGEN_LANES + lane] < 0 ? -1 : 1;
    for (size_t j = 0; j < d; j++) vectors[j * p + c] = sign * panel[j * TAC_EIGEN_LANES + lane];
}

/* Column c of vectors = Q G e_place, for c < p and a panel of them at a time. */
static tacit_status find_vectors(tacit_ctx *ctx, const tac_tridiagonal *t, const tac_sweeps *s,
                                 const ranked *rank, size_t p, double *vectors)
{
    tacit_status status = TACIT_OK;
    double *panel = NULL;

    TAC_TRY(tac_new(ctx, t->d * TAC_EIGEN_LANES, sizeof *panel, &panel));
    for (size_t c = 0; c < p; c += TAC_EIGEN_LANES) {
        const size_t many = p - c < TAC_EIGEN_LANES ? p - c : TAC_EIGEN_LANES;
        TAC_TRY(tac_check_cancel(ctx));
        memset(panel, 0, t->d * TAC_EIGEN_LANES * sizeof *panel);
        for (size_t lane = 0; lane < many; lane++)
            panel[rank[c + lane].place * TAC_EIGEN_LANES + lane] = 1;
        tac_sweeps_back(s, panel);
        tac_tridiagonal_back(t, panel);
        for (size_t lane = 0; lane < many; lane++)
            put_vector(panel, lane, t->d, p, c + lane, vectors);
    }
done:
    tac_free(panel);
    return status;
}

/* The upper triangle divided by 2^*exponent, which is exact and makes it at most 1. False: an entry
   is not finite. */
static bool fill(const double *matrix, tac_tridiagonal *t, int *exponent)
{
    double largest = 0;

    for (size_t i = 0; i < t->d; i++)
        for (size_t j = i; j < t->d; j++) {
            if (!isfinite(matrix[i * t->d + j])) return false;
            largest = fmax(largest, fabs(matrix[i * t->d + j]));
        }
    (void)frexp(largest, exponent);
    if (*exponent < -1000) *exponent = -1000; /* 2^-*exponent must be finite */
    const double scale = ldexp(1, -*exponent);
    for (size_t i = 0; i < t->d; i++)
        for (size_t j = i; j < t->d; j++) t->a[i * t->size + j] = scale * matrix[i * t->d + j];
    return true;
}

tacit_status tac_top_eigen(tacit_ctx *ctx, const double *matrix, int32_t d, int32_t p,
                           double *values, double *vectors)
{
    tacit_status status = TACIT_OK;
    tac_tridiagonal t = {0};
    tac_sweeps s = {0};
    ranked *rank = NULL;
    int exponent = 0;

    if (d < 1 || p < 1 || p > d)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "eigenvectors: the matrix needs a row, and 1 to as many vectors as rows");
    TAC_TRY(tac_tridiagonal_open(ctx, d, &t));
    TAC_TRY(tac_new(ctx, t.d, sizeof *rank, &rank));
    if (!fill(matrix, &t, &exponent)) {
        status = tac_fail(ctx, TACIT_E_ARGUMENT, "eigenvectors: the matrix must be finite");
        goto done;
    }
    TAC_TRY(tac_tridiagonal_reduce(ctx, &t));
    TAC_TRY(tac_diagonalise(ctx, t.d, t.diagonal, t.beside, &s));
    for (size_t i = 0; i < t.d; i++) rank[i] = (ranked){t.diagonal[i], i};
    qsort(rank, t.d, sizeof *rank, by_value);
    for (int32_t c = 0; c < p; c++) values[c] = ldexp(rank[c].value, exponent);
    TAC_TRY(find_vectors(ctx, &t, &s, rank, (size_t)p, vectors));
done:
    tac_tridiagonal_close(&t);
    tac_sweeps_close(&s);
    tac_free(rank);
    return status;
}
