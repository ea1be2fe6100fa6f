/* SPDX-License-Identifier: Apache-2.0 */
/* How good is a release, with the rows in hand? Exact, so not private. */
#include "owner/placed.h"

#include "solve/kmeans.h"
#include "solve/kmedian.h"
#include "solve/scores.h"

#include <math.h>
#include <string.h>

void tacit_evaluation_init(tacit_evaluation *evaluation, size_t size)
{
    memset(evaluation, 0, size);
    evaluation->size = size;
}

typedef struct gathering {
    const tac_placed *placed;
    bool median;      /* distances count, not their squares */
    double *values;   /* rows x dims, placed */
    int32_t *label;
    double *cost;     /* per block, added in order afterwards: the same sum for any number of threads */
    int64_t *inside;  /* per block */
} gathering;

static tacit_status gather_block(void *state, int64_t block, int lane)
{
    const gathering *g = state;
    const int64_t dims = g->placed->dims;
    const double *rows;
    int64_t first, count;
    double squared;
    const tacit_status status = tac_placed_block(g->placed, block, lane, &rows, &first, &count, &g->inside[block]);

    if (status != TACIT_OK) return status;
    memcpy(g->values + first * dims, rows, sizeof(double) * (size_t)(count * dims));
    for (int64_t i = 0; i < count; i++) {
        g->label[first + i] = tac_placed_nearest(g->placed, rows + i * dims, &squared);
        g->cost[block] += g->median ? sqrt(squared) : squared;
    }
    return TACIT_OK;
}

/* Mean squared distance of plain k-means, or mean distance of plain k-median, placed. */
static tacit_status plain_cost(tacit_ctx *ctx, const gathering *g, int32_t k, int32_t restarts, double *cost)
{
    const tac_placed *p = g->placed;
    tacit_status status = TACIT_OK;
    const tac_plain_kmeans opts = {.k = k, .restarts = restarts, .iterations = 100, .tolerance = 1e-5, .seed = 1};
    double *centers = NULL;

    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)p->dims, sizeof *centers, &centers));
    if (g->median) TAC_TRY(tac_solve_kmedian(ctx, g->values, NULL, p->rows, p->dims, &opts, centers, cost, NULL));
    else TAC_TRY(tac_solve_kmeans(ctx, g->values, NULL, p->rows, p->dims, &opts, centers, cost, NULL));
done:
    tac_free(centers);
    return status;
}

tacit_status tacit_evaluate(tacit_ctx *ctx, const tacit_model *model, tacit_data *data, int32_t restarts,
                            tacit_evaluation *out)
{
    tacit_status status = TACIT_OK;
    tacit_evaluation e = {.size = sizeof e, .plain_cost = NAN, .nmi = NAN, .ari = NAN};
    tac_placed p = {0};
    gathering g = {.placed = &p, .median = strcmp(model->family, "kmedian") == 0};

    const size_t size = out->size;

    if (size <= sizeof size || size > sizeof e)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "tacit_evaluation has an unknown size; call tacit_evaluation_init first");
    if (restarts < 0 || restarts > 10000)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "restarts must be between 0 and 10000");
    TAC_TRY(tac_placed_open(ctx, model, data, &p));
    TAC_TRY(tac_new(ctx, (size_t)p.rows * (size_t)p.dims, sizeof *g.values, &g.values));
    TAC_TRY(tac_new(ctx, (size_t)p.rows, sizeof *g.label, &g.label));
    TAC_TRY(tac_new(ctx, (size_t)p.blocks, sizeof *g.cost, &g.cost));
    TAC_TRY(tac_new(ctx, (size_t)p.blocks, sizeof *g.inside, &g.inside));
    TAC_TRY(tac_data_explain(ctx, data, p.engine.map(&p.engine, ctx, p.blocks, gather_block, &g)));

    const double unit = g.median ? p.unit : p.unit * p.unit; /* of the cost */
    int64_t inside = 0;
    for (int64_t b = 0; b < p.blocks; b++) {
        e.cost += g.cost[b] / ((double)p.rows * unit);
        inside += g.inside[b];
    }
    e.rows = p.rows;
    e.clipped = 1 - (double)inside / (double)p.rows;
    TAC_TRY(plain_cost(ctx, &g, 1, 1, &e.one_mean_cost));
    e.one_mean_cost /= unit;
    if (restarts > 0) {
        TAC_TRY(plain_cost(ctx, &g, model->k, restarts, &e.plain_cost));
        e.plain_cost /= unit;
    }
    if (data->reader->label != NULL)
        TAC_TRY(tac_score_labels(ctx, g.label, data->reader->label, p.rows, &e.nmi, &e.ari));
    memcpy(out, &e, size);
    out->size = size;
done:
    tac_free(g.values);
    tac_free(g.label);
    tac_free(g.cost);
    tac_free(g.inside);
    tac_placed_close(&p);
    return status;
}
