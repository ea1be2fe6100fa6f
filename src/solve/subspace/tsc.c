/* SPDX-License-Identifier: Apache-2.0 */
/* Thresholding-based subspace clustering: with spectral clustering (Heckel & Boelcskei), and as the
   components of the graph (Wang, Wang & Singh 2015, Alg. 2). */
#include "solve/subspace/solvers_internal.h"

#include <math.h>

/* The graph of the s nearest. weighted: exp(-2 arccos |<x, y>|), otherwise 1. Rows at right angles
   are no neighbors. */
static tacit_status connect(tacit_ctx *ctx, const tac_unit_rows *rows, int32_t s, bool weighted,
                            tac_graph *out)
{
    tacit_status status = TACIT_OK;
    int64_t *first = NULL;
    int32_t *to = NULL;
    double *weight = NULL;

    TAC_TRY(tac_new(ctx, (size_t)rows->n + 1, sizeof *first, &first));
    TAC_TRY(tac_new(ctx, (size_t)rows->n * (size_t)s, sizeof *to, &to));
    TAC_TRY(tac_new(ctx, (size_t)rows->n * (size_t)s, sizeof *weight, &weight));
    TAC_TRY(tac_neighbors(ctx, rows, s, to, weight));
    int64_t kept = 0;
    for (int64_t i = 0; i < rows->n; i++) {
        first[i] = kept;
        for (int64_t e = i * s; e < (i + 1) * s; e++) {
            if (!(weight[e] > 1e-7)) continue; /* what single precision may have made of 0 */
            to[kept] = to[e];
            weight[kept++] = weighted ? exp(-2 * acos(weight[e])) : 1;
        }
    }
    first[rows->n] = kept;
    TAC_TRY(tac_graph_new(ctx, rows->n, first, to, weight, out));
done:
    tac_free(first);
    tac_free(to);
    tac_free(weight);
    return status;
}

/* Neighbors of each row, as asked for or by the rule of tac_plain_subspaces. */
static int32_t how_many(const tac_unit_rows *rows, const tac_plain_subspaces *opts)
{
    const int64_t share = 12;
    int64_t s =
        opts->neighbors > 0 ? opts->neighbors : (rows->n + share * opts->k - 1) / (share * opts->k);
    if (opts->neighbors == 0 && s > TAC_TSC_MOST) s = TAC_TSC_MOST;
    /* they should span more than a subspace */
    if (opts->neighbors == 0 && s < opts->q + 2) s = opts->q + 2;
    return (int32_t)(s < rows->n ? s : rows->n - 1);
}

tacit_status tac_solve_tsc(tacit_ctx *ctx, const tac_unit_rows *rows,
                           const tac_plain_subspaces *opts, int32_t *label)
{
    tacit_status status = TACIT_OK;
    const int32_t s = how_many(rows, opts);
    tac_graph graph = {0};

    for (int64_t i = 0; i < rows->n; i++) label[i] = (int32_t)(i % opts->k);
    if (s < 1) return TACIT_OK;
    TAC_TRY(connect(ctx, rows, s, true, &graph));
    TAC_TRY(tac_graph_cluster(ctx, &graph, opts->k, opts->seed, label));
done:
    tac_graph_clear(&graph);
    return status;
}

/* The k largest parts are 0 .. k - 1, the larger first, of equals that with the lowest row; rows of
   others are -1. */
static tacit_status largest(tacit_ctx *ctx, int64_t n, int32_t parts, int32_t k, int32_t *label)
{
    tacit_status status = TACIT_OK;
    int64_t *size = NULL;
    int32_t *name = NULL;

    TAC_TRY(tac_new(ctx, (size_t)parts, sizeof *size, &size));
    TAC_TRY(tac_new(ctx, (size_t)parts, sizeof *name, &name));
    for (int64_t i = 0; i < n; i++) size[label[i]]++;
    for (int32_t p = 0; p < parts; p++) name[p] = -1;
    for (int32_t c = 0; c < k; c++) {
        int32_t most = -1;
        for (int32_t p = 0; p < parts; p++)
            if (name[p] < 0 && (most < 0 || size[p] > size[most])) most = p;
        if (most >= 0) name[most] = c;
    }
    for (int64_t i = 0; i < n; i++) label[i] = name[label[i]];
done:
    tac_free(size);
    tac_free(name);
    return status;
}

/* As published but for two things: a component is spanned by its principal components, not by q of
   its points, which noise would tilt; and where there are fewer components than subspaces, the
   graph is cut by spectral clustering. */
tacit_status tac_solve_tsc_simple(tacit_ctx *ctx, const tac_unit_rows *rows,
                                  const tac_plain_subspaces *opts, int32_t *label)
{
    tacit_status status = TACIT_OK;
    const int32_t s = how_many(rows, opts);
    tac_graph graph = {0};
    int32_t *room = NULL;

    for (int64_t i = 0; i < rows->n; i++) label[i] = (int32_t)(i % opts->k);
    if (s < 1) return TACIT_OK;
    TAC_TRY(connect(ctx, rows, s, false, &graph));
    TAC_TRY(tac_new(ctx, (size_t)rows->n, sizeof *room, &room));
    const int32_t parts = tac_graph_parts(&graph, room, label);
    if (parts >= opts->k)
        TAC_TRY(largest(ctx, rows->n, parts, opts->k, label));
    else
        TAC_TRY(tac_graph_cluster(ctx, &graph, opts->k, opts->seed, label));
done:
    tac_graph_clear(&graph);
    tac_free(room);
    return status;
}
