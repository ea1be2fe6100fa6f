/* SPDX-License-Identifier: Apache-2.0 */
/* A plain subspace solver on one part of the rows, behind the door. Floating point is fine here:
   the result may be any function of the part's rows and of public numbers; that it is orthonormal
   is checked at the end. Proof: parts.proof.md */
#include "privacy/queries/literature/parts.h"

#include "solve/linalg/blas.h"
#include "solve/subspace/solvers.h"
#include "solve/subspace/subspaces.h"

#include <math.h>

int tac_parts_begin(void)
{
    return tac_blas_one_thread();
}

void tac_parts_end(int before)
{
    tac_blas_restore(before);
}

/* |B B^T - I| < 1e-13 entry by entry: what the smooth bound allows for. */
static bool orthonormal(const double *basis, int32_t q, int32_t d)
{
    for (int32_t i = 0; i < q; i++)
        for (int32_t j = 0; j <= i; j++) {
            double dot = i == j ? -1 : 0;
            for (int32_t t = 0; t < d; t++)
                dot += basis[(size_t)i * (size_t)d + (size_t)t] *
                       basis[(size_t)j * (size_t)d + (size_t)t];
            if (!(fabs(dot) < 1e-13)) return false; /* or not finite */
        }
    return true;
}

/* A plain solver on at most as many rows as it can handle, in the order given. What is not
   orthonormal becomes axes. */
tacit_status tac_part_subspaces(tacit_ctx *quiet, const tac_lattice *rows, const int64_t *row,
                                int64_t n, const tac_parts *plan, double *result)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)rows->dims, each = (size_t)plan->q * d;
    const int64_t most = tac_solver_rows(plan->solver), used = n < most ? n : most;
    const tac_plain_subspaces opts = {.solver = plan->solver,
                                      .k = plan->k,
                                      .q = plan->q,
                                      .restarts = plan->restarts,
                                      .seed = plan->seed};
    double *points = NULL, cost;
    int32_t *label = NULL;

    tac_axes_bases(plan->k, plan->q, rows->dims, result);
    if (used < (int64_t)plan->k * plan->q) return TACIT_OK;
    TAC_TRY(tac_new(quiet, (size_t)used * d, sizeof *points, &points));
    TAC_TRY(tac_new(quiet, (size_t)used, sizeof *label, &label));
    for (int64_t i = 0; i < used; i++)
        for (size_t j = 0; j < d; j++)
            points[(size_t)i * d + j] =
                rows->points[row[i] * rows->stride + (int64_t)j] / (double)TAC_M;
    status = tac_solve_subspaces(quiet, points, used, rows->dims, &opts, result, &cost, label);
    if (status == TACIT_E_INTERNAL) { /* eigenvectors were given up: a result like any other */
        status = TACIT_OK;
        tac_axes_bases(plan->k, plan->q, rows->dims, result);
    }
    for (int32_t c = 0; c < plan->k && status == TACIT_OK; c++)
        if (!orthonormal(result + (size_t)c * each, plan->q, rows->dims))
            tac_axes_bases(1, plan->q, rows->dims, result + (size_t)c * each);
done:
    tac_free(points);
    tac_free(label);
    return status;
}
