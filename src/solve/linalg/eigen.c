/* SPDX-License-Identifier: Apache-2.0 */
/* Leading eigenvectors of a symmetric matrix: LAPACK's dsyevr, on one thread. */
#include "solve/linalg/eigen.h"

#include "solve/linalg/blas.h"

#include <lapacke.h>
#include <math.h>

/* vectors (d x p row-major) = the columns of z (d x p column-major) in reverse order, each with its
   entry of largest magnitude positive (the first of equals): an eigenvector has no sign of its
   own. */
static void put_vectors(const double *z, int32_t d, int32_t p, double *vectors)
{
    for (int32_t c = 0; c < p; c++) {
        const double *column = z + (size_t)(p - 1 - c) * (size_t)d;
        int32_t top = 0;
        for (int32_t j = 1; j < d; j++) top = fabs(column[j]) > fabs(column[top]) ? j : top;
        const double sign = column[top] < 0 ? -1 : 1;
        for (int32_t j = 0; j < d; j++)
            vectors[(size_t)j * (size_t)p + (size_t)c] = sign * column[j];
    }
}

/* A = Q diag(values) Q^T. dsyevr takes columns: the upper triangle by rows is the lower triangle by
   columns. */
tacit_status tac_top_eigen(tacit_ctx *ctx, double *matrix, int32_t d, int32_t p, double *values,
                           double *vectors)
{
    tacit_status status = TACIT_OK;
    double *ascending = NULL, *z = NULL, *work = NULL, query = 0;
    lapack_int *support = NULL, *iwork = NULL, iquery = 0, found = 0;

    if (d < 1 || p < 1 || p > d)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "eigenvectors: the matrix needs a row, and 1 to as many vectors as rows");
    for (size_t i = 0; i < (size_t)d; i++)
        for (size_t j = i; j < (size_t)d; j++)
            if (!isfinite(matrix[i * (size_t)d + j]))
                return tac_fail(ctx, TACIT_E_ARGUMENT, "eigenvectors: the matrix must be finite");
    const int before = tac_blas_one_thread();
    TAC_TRY(tac_check_cancel(ctx));
    TAC_TRY(tac_new(ctx, (size_t)d, sizeof *ascending, &ascending));
    TAC_TRY(tac_new(ctx, (size_t)d * (size_t)p, sizeof *z, &z));
    TAC_TRY(tac_new(ctx, 2 * (size_t)d, sizeof *support, &support));
    lapack_int info =
        LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', 'I', 'L', d, matrix, d, 0, 0, d - p + 1, d, 0,
                            &found, ascending, z, d, support, &query, -1, &iquery, -1);
    if (info == 0) {
        const lapack_int size = (lapack_int)query;
        TAC_TRY(tac_new(ctx, (size_t)size, sizeof *work, &work));
        TAC_TRY(tac_new(ctx, (size_t)iquery, sizeof *iwork, &iwork));
        info =
            LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', 'I', 'L', d, matrix, d, 0, 0, d - p + 1, d,
                                0, &found, ascending, z, d, support, work, size, iwork, iquery);
    }
    if (info != 0 || found != p) {
        status = tac_fail(ctx, TACIT_E_INTERNAL, "eigenvectors: LAPACK's dsyevr did not converge");
        goto done;
    }
    for (int32_t c = 0; c < p; c++) values[c] = ascending[p - 1 - c];
    put_vectors(z, d, p, vectors);
done:
    tac_blas_restore(before);
    tac_free(ascending);
    tac_free(z);
    tac_free(work);
    tac_free(support);
    tac_free(iwork);
    return status;
}
