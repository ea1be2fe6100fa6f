/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_model_predict: the nearest released center, subspace or row cluster of every row.
   tacit_model_distances: how far each row is from all of them. NOT private: a label reveals
   something about its row. */
#include "owner/owner_counts.h"
#include "owner/owner_rows.h"

#include <math.h>

typedef struct labelling {
    const tac_owner_rows *placed;
    int32_t *label;
    double *distance; /* rows x k */
} labelling;

static tacit_status label_block(void *state, int64_t block, int worker)
{
    const labelling *l = state;
    tac_owner_rows_count rows;
    double squared;
    const tacit_status status = tac_owner_rows_block(l->placed, block, worker, &rows);

    if (status != TACIT_OK) return status;
    for (int64_t i = 0; i < rows.count; i++)
        l->label[rows.first + i] = tac_owner_rows_nearest(l->placed, &rows, i, worker, &squared);
    return TACIT_OK;
}

/* The row cluster of every row of counts. */
static tacit_status predict_blocks(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                                   int32_t **labels, int64_t *rows)
{
    tac_owner_counts counted;
    const tacit_status status = tac_owner_counts_open(ctx, model, data, &counted);

    if (status != TACIT_OK) return status;
    *labels = counted.label;
    *rows = counted.counts.rows;
    counted.label = NULL;
    tac_owner_counts_close(&counted);
    return TACIT_OK;
}

/* *labels is the caller's to free with tacit_free. The labels do not depend on the number of
   threads. */
tacit_status tacit_model_predict(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                                 int32_t **labels, int64_t *rows)
{
    tacit_status status = TACIT_OK;
    tac_owner_rows placed = {0};
    labelling l = {.placed = &placed};

    *labels = NULL;
    *rows = 0;
    if (tac_model_is_blocks(model)) return predict_blocks(ctx, model, data, labels, rows);
    TAC_TRY(tac_owner_rows_open(ctx, model, data, &placed));
    TAC_TRY(tac_new(ctx, (size_t)placed.rows, sizeof *l.label, &l.label));
    TAC_TRY(tac_data_explain(
        ctx, data, placed.engine.map(&placed.engine, ctx, placed.blocks, label_block, &l)));
    *labels = l.label;
    *rows = placed.rows;
    l.label = NULL;
done:
    tac_free(l.label);
    tac_owner_rows_close(&placed);
    return status;
}

static tacit_status measure_block(void *state, int64_t block, int worker)
{
    const labelling *l = state;
    const int32_t k = l->placed->k;
    tac_owner_rows_count rows;
    const tacit_status status = tac_owner_rows_block(l->placed, block, worker, &rows);

    if (status != TACIT_OK) return status;
    for (int64_t i = 0; i < rows.count; i++) {
        double *far = l->distance + (rows.first + i) * k;
        tac_owner_rows_distances(l->placed, &rows, i, worker, far);
        for (int32_t c = 0; c < k; c++) far[c] = sqrt(far[c]) / l->placed->unit;
    }
    return TACIT_OK;
}

/* *distances is the caller's to free with tacit_free. */
tacit_status tacit_model_distances(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                                   double **distances, int64_t *rows)
{
    tacit_status status = TACIT_OK;
    tac_owner_rows placed = {0};
    labelling l = {.placed = &placed};

    *distances = NULL;
    *rows = 0;
    if (tac_model_is_blocks(model))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "a co-clustering has no centers that rows are near to; use "
                        "tacit_model_predict");
    TAC_TRY(tac_owner_rows_open(ctx, model, data, &placed));
    TAC_TRY(tac_new(ctx, (size_t)placed.rows * (size_t)placed.k, sizeof *l.distance, &l.distance));
    TAC_TRY(tac_data_explain(
        ctx, data, placed.engine.map(&placed.engine, ctx, placed.blocks, measure_block, &l)));
    *distances = l.distance;
    *rows = placed.rows;
    l.distance = NULL;
done:
    tac_free(l.distance);
    tac_owner_rows_close(&placed);
    return status;
}
