/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_subspace_plain: a plain solver on the rows, exact, NOT private; the release says so. The
   rival that private releases are compared with. */
#include "cluster/subspace/subspace_run.h"
#include "owner/subspace_rows.h"
#include "solve/subspace/plain_kplane.h"
#include "solve/subspace/solvers.h"
#include "solve/subspace/subspaces.h"

#include <math.h>
#include <string.h>

enum { RESTARTS = 20 };

/* The best affine subspace of each cluster: its mean and principal directions about it, as vectors
   of dims = columns + 1. The solver only chose the clusters: its own subspaces measure distances
   that the constant coordinate has bent. */
static tacit_status about_means(tacit_ctx *ctx, const tac_subspace_rows *r, const int32_t *label,
                                tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)r->dims, q = (size_t)r->q;
    double *mean = NULL, *moved = NULL, *directions = NULL;

    TAC_TRY(tac_new(ctx, (size_t)r->opts.k * d, sizeof *mean, &mean));
    TAC_TRY(tac_new(ctx, (size_t)r->n * d, sizeof *moved, &moved));
    TAC_TRY(tac_new(ctx, (size_t)r->opts.k * q * d, sizeof *directions, &directions));
    for (int64_t i = 0; i < r->n; i++)
        for (size_t j = 0; j < d; j++)
            mean[(size_t)label[i] * d + j] += r->values[(size_t)i * d + j] / out->sizes[label[i]];
    for (int64_t i = 0; i < r->n; i++) /* the last coordinate, M / sqrt 2 for all, becomes 0 */
        for (size_t j = 0; j + 1 < d; j++)
            moved[(size_t)i * d + j] =
                r->values[(size_t)i * d + j] - mean[(size_t)label[i] * d + j];
    TAC_TRY(tac_planes_of_labels(ctx, moved, r->n, r->dims, label, r->opts.k, r->q, directions));
    for (size_t c = 0; c < (size_t)r->opts.k; c++) {
        double *own = out->bases + c * q * d;
        if (!(out->sizes[c] > 0)) continue;
        memcpy(own, mean + c * d, d * sizeof *own);
        own[d - 1] = TAC_M * M_SQRT1_2;
        for (size_t v = 1; v < q; v++) {
            memcpy(own + v * d, directions + (c * q + v - 1) * d, d * sizeof *own);
            own[v * d + d - 1] = 0;
        }
        tac_orthonormalise(own, r->q, r->dims);
    }
done:
    tac_free(mean);
    tac_free(moved);
    tac_free(directions);
    return status;
}

/* Subspaces and mean squares along their vectors, which are principal. */
static tacit_status about_zero(tacit_ctx *ctx, const tac_subspace_rows *r, const int32_t *label,
                               tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)r->dims, q = (size_t)r->q;

    TAC_TRY(
        tac_planes_of_labels(ctx, r->values, r->n, r->dims, label, r->opts.k, r->q, out->bases));
    TAC_TRY(tac_new(ctx, (size_t)r->opts.k * q, sizeof *out->profile, &out->profile));
    for (int64_t i = 0; i < r->n; i++)
        for (size_t v = 0; v < q; v++) {
            const double *x = r->values + (size_t)i * d,
                         *u = out->bases + ((size_t)label[i] * q + v) * d;
            double along = 0;
            for (size_t j = 0; j < d; j++) along += x[j] * u[j];
            out->profile[(size_t)label[i] * q + v] += along * along / out->sizes[label[i]];
        }
done:
    return status;
}

/* The solver chooses the clusters; the subspaces are then fitted to them anew. Refuses data without
   rows. */
tacit_status tacit_subspace_plain(tacit_ctx *ctx, tacit_data *data, const tacit_subspace_opts *opts,
                                  tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tac_subspace_rows r = {0};
    tac_subspace_result result = {0};
    int32_t *label = NULL;
    double cost;

    *out = NULL;
    TAC_TRY(tac_subspace_rows_open(ctx, data, opts, &r));
    if (r.n == 0)
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                         "%s: there is no row to cluster; take a file with rows",
                         tac_data_name(data)));
    const tac_plain_subspaces plain = {.solver = r.opts.solver,
                                       .k = r.opts.k,
                                       .q = r.q,
                                       .seed = r.opts.seed,
                                       .restarts =
                                           r.opts.restarts > 0 ? r.opts.restarts : RESTARTS};
    TAC_TRY(tac_new(ctx, (size_t)r.n, sizeof *label, &label));
    TAC_TRY(tac_subspace_result_new(ctx, r.opts.k, r.q, r.dims, &result));
    TAC_TRY(tac_solve_subspaces(ctx, r.values, r.n, r.dims, &plain, result.bases, &cost, label));
    for (int32_t c = 0; c < r.opts.k; c++) result.sizes[c] = 0;
    for (int64_t i = 0; i < r.n; i++) result.sizes[label[i]]++;
    result.sizes_sd = 0;
    TAC_TRY((r.opts.affine ? about_means : about_zero)(ctx, &r, label, &result));
    TAC_TRY(tac_subspace_release_plain(ctx, data, &r.opts, &result, out));
done:
    tac_subspace_result_clear(&result);
    tac_subspace_rows_close(&r);
    tac_free(label);
    return status;
}
