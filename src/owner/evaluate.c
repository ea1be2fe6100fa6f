/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_model_evaluate: how good is a release, measured on the rows? Exact, so NOT private: for the
   data owner alone. Costs are in the geometry that was clustered; co-clusterings are measured in
   evaluate_blocks.c. */
#include "owner/evaluate.h"

#include "owner/owner_counts.h"
#include "owner/owner_rows.h"
#include "owner/plain_subspaces.h"
#include "solve/kmeans/plain_kmeans.h"
#include "solve/kmeans/kmedian.h"
#include "solve/cocluster/scores.h"

#include <math.h>
#include <string.h>

/* What the worker threads fill: a block's rows go to places of their own, so none waits for
   another. */
typedef struct gathering {
    const tac_owner_rows *placed;
    bool median;        /* distances count, not their squares */
    bool affine;        /* subspaces that need not pass through the origin */
    double *values;     /* rows x dims, placed; NULL: sparse */
    tac_nonzeros *part; /* per block: sparse rows, placed */
    int64_t *start;     /* then all of them together */
    int32_t *column;
    double *value;
    int32_t *label;
    /* per block, added in order afterwards: the same sum for any number of threads */
    double *cost;
    int64_t *inside; /* per block */
} gathering;

/* Rows that lack a value took no part in the run, and are not measured either. */
static bool lacks(const double *row, int64_t dims)
{
    for (int64_t j = 0; j < dims; j++)
        if (isnan(row[j])) return true;
    return false;
}

/* Moves the rows that are measured together, with their labels and classes; returns their number.
   classes: room for as many as there are rows, or NULL. */
static int64_t move_together(gathering *g, const int64_t *known, int64_t *classes)
{
    const int64_t dims = g->placed->dims;
    int64_t kept = 0;

    for (int64_t i = 0; i < g->placed->rows; i++) {
        if (g->label[i] < 0) continue;
        g->label[kept] = g->label[i];
        if (classes != NULL) classes[kept] = known[i];
        if (g->values != NULL && kept < i)
            memcpy(g->values + kept * dims, g->values + i * dims, (size_t)dims * sizeof(double));
        kept++;
    }
    return kept;
}

/* One block of rows: place them, label them, add up their cost, keep them for the plain solver. */
static tacit_status gather_block(void *state, int64_t block, int worker)
{
    const gathering *g = state;
    const int64_t dims = g->placed->dims;
    tac_owner_rows_count rows;
    double squared;
    const tacit_status status = tac_owner_rows_block(g->placed, block, worker, &rows);

    if (status != TACIT_OK) return status;
    g->inside[block] = rows.inside;
    for (int64_t i = 0; i < rows.count; i++) {
        if (rows.values != NULL && lacks(rows.values + i * dims, dims)) {
            g->label[rows.first + i] = -1;
            continue;
        }
        g->label[rows.first + i] = tac_owner_rows_nearest(g->placed, &rows, i, worker, &squared);
        g->cost[block] += g->median ? sqrt(squared) : squared;
    }
    if (rows.sparse == NULL) {
        memcpy(g->values + rows.first * dims, rows.values,
               sizeof(double) * (size_t)(rows.count * dims));
    } else { /* the block keeps the worker's memory; the worker gets new for its next block */
        g->part[block] = *rows.sparse;
        memset(rows.sparse, 0, sizeof *rows.sparse);
    }
    return TACIT_OK;
}

/* The blocks' sparse rows as one CSR matrix. Each block is freed once it is copied. */
static tacit_status join_parts(tacit_ctx *ctx, gathering *g)
{
    tacit_status status = TACIT_OK;
    const tac_owner_rows *p = g->placed;
    int64_t entries = 0, row = 0;

    for (int64_t b = 0; b < p->blocks; b++)
        entries +=
            g->part[b]
                .start[b == p->blocks - 1 ? p->rows - b * p->rows_per_block : p->rows_per_block];
    TAC_TRY(tac_new(ctx, (size_t)p->rows + 1, sizeof *g->start, &g->start));
    TAC_TRY(tac_new(ctx, (size_t)entries, sizeof *g->column, &g->column));
    TAC_TRY(tac_new(ctx, (size_t)entries, sizeof *g->value, &g->value));
    for (int64_t b = 0; b < p->blocks; b++) {
        tac_nonzeros *part = &g->part[b];
        const int64_t before = g->start[row],
                      end = row + p->rows_per_block < p->rows ? row + p->rows_per_block : p->rows;
        for (int64_t i = 0; row < end; i++, row++) g->start[row + 1] = before + part->start[i + 1];
        const size_t count = (size_t)(g->start[row] - before);
        memcpy(g->column + before, part->feature, count * sizeof *g->column);
        memcpy(g->value + before, part->value, count * sizeof *g->value);
        tac_nonzeros_clear(part);
    }
done:
    return status;
}

/* Mean squared distance of plain k-means, or mean distance of plain k-median, placed. */
static tacit_status plain_centers(tacit_ctx *ctx, const gathering *g, int32_t k, int32_t restarts,
                                  double *cost)
{
    const tac_owner_rows *p = g->placed;
    tacit_status status = TACIT_OK;
    const tac_plain_kmeans opts = {
        .k = k, .restarts = restarts, .iterations = 100, .tolerance = 1e-5, .seed = 1};
    double *centers = NULL;

    if (p->sparse) {
        const tac_csr rows = {
            .n = p->rows, .d = p->dims, .start = g->start, .column = g->column, .value = g->value};
        return tac_solve_sparse(ctx, &rows, g->median, &opts, cost);
    }
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)p->dims, sizeof *centers, &centers));
    if (g->median)
        TAC_TRY(
            tac_solve_kmedian(ctx, g->values, NULL, p->rows, p->dims, &opts, centers, cost, NULL));
    else
        TAC_TRY(
            tac_solve_kmeans(ctx, g->values, NULL, p->rows, p->dims, &opts, centers, cost, NULL));
done:
    tac_free(centers);
    return status;
}

/* The cost of the plain solver of the model's family, in placed units. k = 1: the one center or
   subspace that is best for all rows. */
static tacit_status plain_cost(tacit_ctx *ctx, const gathering *g, int32_t k, int32_t restarts,
                               double *cost)
{
    if (g->placed->bases == NULL) return plain_centers(ctx, g, k, restarts, cost);
    return tac_plain_subspace_cost(ctx, g->values, g->placed->rows, g->placed->dims, k,
                                   g->placed->q, g->affine, restarts, cost);
}

/* The contract stands in evaluate.h. restarts 0: no plain solver is run, and plain_cost stays NaN.
   The plain solver has a fixed seed, so that a second call gives the same figures. */
tacit_status tac_model_measure(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                               int32_t k, int32_t restarts, tacit_evaluation *out)
{
    tacit_status status = TACIT_OK;
    tacit_evaluation e = {.size = sizeof e,
                          .plain_cost = NAN,
                          .nmi = NAN,
                          .ari = NAN,
                          .tau_rows = NAN,
                          .tau_columns = NAN,
                          .raw_tau_rows = NAN,
                          .raw_tau_columns = NAN,
                          .labels_nmi = NAN,
                          .labels_ari = NAN};
    int64_t *classes = NULL;
    tac_owner_rows p = {0};
    gathering g = {.placed = &p,
                   .median = strcmp(model->family, "kmedian") == 0,
                   .affine = model->offsets != NULL};

    TAC_TRY(tac_check_size(ctx, "tacit_evaluation", out, sizeof e));
    if (restarts < 0 || restarts > 10000)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "restarts must be between 0 and 10000");
    if (tac_model_is_blocks(model)) {
        TAC_TRY(tac_evaluate_blocks(ctx, model, data, restarts, &e));
        return tac_give_struct(ctx, "tacit_evaluation", &e, sizeof e, out);
    }
    TAC_TRY(tac_owner_rows_open(ctx, model, data, &p));
    if (p.rows == 0)
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                         "%s: there is no row to measure the model on; take a file with rows",
                         tac_data_name(data)));
    if (p.sparse)
        TAC_TRY(tac_new(ctx, (size_t)p.blocks, sizeof *g.part, &g.part));
    else
        TAC_TRY(tac_new(ctx, (size_t)p.rows * (size_t)p.dims, sizeof *g.values, &g.values));
    TAC_TRY(tac_new(ctx, (size_t)p.rows, sizeof *g.label, &g.label));
    TAC_TRY(tac_new(ctx, (size_t)p.blocks, sizeof *g.cost, &g.cost));
    TAC_TRY(tac_new(ctx, (size_t)p.blocks, sizeof *g.inside, &g.inside));
    TAC_TRY(tac_data_explain(ctx, data, p.engine.map(&p.engine, ctx, p.blocks, gather_block, &g)));
    if (p.sparse) TAC_TRY(join_parts(ctx, &g));

    const double unit = g.median ? p.unit : p.unit * p.unit; /* of the cost */
    const int64_t *known = data->reader->label;
    int64_t inside = 0, all = p.rows;
    if (known != NULL) TAC_TRY(tac_new(ctx, (size_t)p.rows, sizeof *classes, &classes));
    p.rows = move_together(&g, known, classes);
    if (p.rows == 0)
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                         "%s: every row lacks a value, so that none took part; there is nothing to "
                         "measure the model on",
                         tac_data_name(data)));
    for (int64_t b = 0; b < p.blocks; b++) {
        e.cost += g.cost[b] / ((double)p.rows * unit);
        inside += g.inside[b];
    }
    e.rows = p.rows;
    e.clipped = 1 - (double)inside / (double)all;
    TAC_TRY(plain_cost(ctx, &g, 1, 1, &e.one_mean_cost));
    e.one_mean_cost /= unit;
    if (restarts > 0) {
        TAC_TRY(plain_cost(ctx, &g, k, restarts, &e.plain_cost));
        e.plain_cost /= unit;
    }
    if (known != NULL) TAC_TRY(tac_score_labels(ctx, g.label, classes, p.rows, &e.nmi, &e.ari));
    status = tac_give_struct(ctx, "tacit_evaluation", &e, sizeof e, out);
done:
    tac_free(classes);
    tac_free(g.values);
    for (int64_t b = 0; b < p.blocks && g.part != NULL; b++) tac_nonzeros_clear(&g.part[b]);
    tac_free(g.part);
    tac_free(g.start);
    tac_free(g.column);
    tac_free(g.value);
    tac_free(g.label);
    tac_free(g.cost);
    tac_free(g.inside);
    tac_owner_rows_close(&p);
    return status;
}

tacit_status tacit_model_evaluate(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                                  int32_t restarts, tacit_evaluation *out)
{
    return tac_model_measure(ctx, model, data, model->k, restarts, out);
}
