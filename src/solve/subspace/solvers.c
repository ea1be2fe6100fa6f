/* SPDX-License-Identifier: Apache-2.0 */
/* Every plain solver: rows of length 1, a graph, clusters, principal components. */
#include "solve/subspace/solvers_internal.h"

#include "solve/linalg/blas.h"
#include "solve/subspace/plain_kplane.h"
#include "solve/subspace/subspaces.h"

#include <math.h>

int64_t tac_solver_rows(tacit_subspace_solver solver)
{
    if (solver == TACIT_SOLVER_KPLANE) return INT64_MAX;
    return solver == TACIT_SOLVER_TSC || solver == TACIT_SOLVER_TSC_SIMPLE ? TAC_TSC_ROWS
                                                                           : TAC_SSC_ROWS;
}

/* A row is divided by its largest entry first: squares of very long or short rows would leave the
   range of doubles. */
static void unit_rows(const double *points, int64_t n, int32_t d, double *unit)
{
    for (int64_t i = 0; i < n; i++) {
        double most = 0, square = 0;
        for (int32_t j = 0; j < d; j++) most = fmax(most, fabs(points[i * d + j]));
        for (int32_t j = 0; j < d && most > 0; j++)
            square += points[i * d + j] / most * (points[i * d + j] / most);
        for (int32_t j = 0; j < d; j++)
            unit[i * d + j] = most > 0 ? points[i * d + j] / most / sqrt(square) : 0;
    }
}

/* Spectral clusters of the normalized graph; vertices without edges have no say and get -1. */
tacit_status tac_graph_cluster(tacit_ctx *ctx, tac_graph *graph, int32_t k, uint64_t seed,
                               int32_t *label)
{
    tacit_status status = TACIT_OK;
    double *room = NULL;

    TAC_TRY(tac_new(ctx, (size_t)graph->n, sizeof *room, &room));
    tac_graph_normalise(graph, room);
    const tac_operator a = tac_graph_operator(graph);
    TAC_TRY(tac_spectral(ctx, &a, k, seed, label));
    for (int64_t i = 0; i < graph->n; i++)
        if (graph->start[i] == graph->start[i + 1]) label[i] = -1;
done:
    tac_free(room);
    return status;
}

static tacit_status cluster(tacit_ctx *ctx, const tac_unit_rows *rows,
                            const tac_plain_subspaces *opts, int32_t *label)
{
    switch (opts->solver) {
    case TACIT_SOLVER_TSC: return tac_solve_tsc(ctx, rows, opts, label);
    case TACIT_SOLVER_TSC_SIMPLE: return tac_solve_tsc_simple(ctx, rows, opts, label);
    case TACIT_SOLVER_SSC: return tac_solve_ssc(ctx, rows, opts, label);
    case TACIT_SOLVER_LRR: return tac_solve_lrr(ctx, rows, opts, label);
    case TACIT_SOLVER_KPLANE: break;
    }
    return tac_fail(ctx, TACIT_E_ARGUMENT, "the subspace solver is not one of those in the header");
}

/* Clusters, their principal components, and then a place for rows that stood alone: the nearest
   subspace. */
static tacit_status by_graph(tacit_ctx *ctx, const double *points, int64_t n, int32_t d,
                             const tac_plain_subspaces *opts, double *bases, double *cost,
                             int32_t *label)
{
    tacit_status status = TACIT_OK;
    double *unit = NULL;
    int32_t *near = NULL;

    TAC_TRY(tac_new(ctx, (size_t)n * (size_t)d, sizeof *unit, &unit));
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *near, &near));
    unit_rows(points, n, d, unit);
    const tac_unit_rows rows = {.unit = unit, .n = n, .d = d};
    TAC_TRY(cluster(ctx, &rows, opts, label));
    TAC_TRY(tac_planes_of_labels(ctx, points, n, d, label, opts->k, opts->q, bases));
    TAC_TRY(tac_assign_planes(ctx, points, n, d, bases, opts->k, opts->q, NULL, cost, near));
    for (int64_t i = 0; i < n; i++) label[i] = label[i] < 0 ? near[i] : label[i];
done:
    tac_free(unit);
    tac_free(near);
    return status;
}

tacit_status tac_solve_subspaces(tacit_ctx *ctx, const double *points, int64_t n, int32_t d,
                                 const tac_plain_subspaces *opts, double *bases, double *cost,
                                 int32_t *label)
{
    const tac_kplane planes = {.k = opts->k,
                               .q = opts->q,
                               .restarts = opts->restarts,
                               .iterations = 100,
                               .tolerance = 1e-7,
                               .seed = opts->seed};
    tacit_status status = TACIT_OK;

    if (n > tac_solver_rows(opts->solver))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "this subspace solver takes at most %lld rows; take solver kplane, or "
                        "fewer rows",
                        (long long)tac_solver_rows(opts->solver));
    *cost = 0;
    if (n == 0) {
        tac_axes_bases(opts->k, opts->q, d, bases);
        return TACIT_OK;
    }
    const int before = tac_blas_one_thread();
    status = opts->solver == TACIT_SOLVER_KPLANE
                 ? tac_solve_kplane(ctx, points, n, d, &planes, bases, cost, label)
                 : by_graph(ctx, points, n, d, opts, bases, cost, label);
    tac_blas_restore(before);
    return status;
}
