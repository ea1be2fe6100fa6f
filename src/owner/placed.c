/* SPDX-License-Identifier: Apache-2.0 */
/* Rows in a model's geometry, for the owner's eyes. */
#include "owner/placed.h"

#include <math.h>
#include <string.h>

static tacit_status match_columns(tacit_ctx *ctx, const tacit_model *model, const tacit_data *data, int32_t *from)
{
    for (int32_t j = 0; j < model->dims; j++) {
        from[j] = -1;
        for (int32_t i = 0; i < tacit_data_columns(data) && from[j] < 0; i++)
            if (strcmp(tacit_data_column(data, i), model->column[j]) == 0) from[j] = i;
        if (from[j] < 0)
            return tac_fail(ctx, TACIT_E_ARGUMENT, "%s: the model was made with a column '%s' that the data does not have; "
                            "use the file the model was made from, or one with the same columns", data->path,
                            model->column[j]);
    }
    return TACIT_OK;
}

static tacit_status frame_of_model(tacit_ctx *ctx, const tacit_model *model, tac_frame *out)
{
    const tac_geometry *g = &model->geometry;
    const tac_domain domain = {.kind = g->ball ? TAC_DOMAIN_BALL : TAC_DOMAIN_BOX,
                               .lower = g->lower,
                               .upper = g->upper,
                               .center = g->center,
                               .radius = g->radius};
    return tac_frame_from_domain(ctx, &domain, model->dims, g->scale, out);
}

/* Placed length of the geometry's natural unit: a declared range where columns were scaled by it, else one unit. */
static double natural_unit(const tacit_model *model, const tac_frame *frame)
{
    if (!model->geometry.ball && model->geometry.scale == TACIT_SCALE_RANGE) return 2 * TAC_M / sqrt(model->dims);
    return frame->scale[0];
}

tacit_status tac_placed_open(tacit_ctx *ctx, const tacit_model *model, tacit_data *data, tac_placed *out)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)model->dims;
    tac_placed p = {.ctx = ctx, .data = data, .k = model->k, .dims = model->dims};

    tac_engine_threads(ctx, &p.engine);
    TAC_TRY(tac_new(ctx, dims, sizeof *p.from, &p.from));
    TAC_TRY(match_columns(ctx, model, data, p.from));
    TAC_TRY(frame_of_model(ctx, model, &p.frame));
    p.unit = natural_unit(model, &p.frame);
    TAC_TRY(tac_new(ctx, (size_t)model->k * dims, sizeof *p.centers, &p.centers));
    for (size_t c = 0; c < (size_t)model->k; c++)
        tac_frame_to_lattice(&p.frame, model->centers + c * dims, p.centers + c * dims);
    TAC_TRY(tac_data_load(ctx, data));
    p.rows = data->reader->rows;
    const int64_t wide = data->selection.dims + 2 * (int64_t)model->dims;
    p.rows_per_block = 1 + ctx->block_bytes / ((int64_t)sizeof(double) * wide);
    p.blocks = (p.rows + p.rows_per_block - 1) / p.rows_per_block;
    TAC_TRY(tac_new(ctx, (size_t)p.engine.lanes, sizeof *p.scratch, &p.scratch));
    for (int i = 0; i < p.engine.lanes; i++)
        TAC_TRY(tac_new(ctx, (size_t)(p.rows_per_block * wide), sizeof(double), &p.scratch[i]));
    *out = p;
    return TACIT_OK;
done:
    tac_placed_close(&p);
    return status;
}

void tac_placed_close(tac_placed *p)
{
    if (p->scratch != NULL)
        for (int i = 0; i < p->engine.lanes; i++) tac_free(p->scratch[i]);
    tac_free(p->scratch);
    tac_free(p->from);
    tac_free(p->centers);
    tac_frame_clear(&p->frame);
    memset(p, 0, sizeof *p);
}

tacit_status tac_placed_block(const tac_placed *p, int64_t block, int lane, const double **rows, int64_t *first,
                              int64_t *count, int64_t *inside)
{
    const int64_t dims = p->dims, width = p->data->selection.dims;
    double *placed = p->scratch[lane], *row = placed + p->rows_per_block * dims, *raw = row + p->rows_per_block * dims;

    *first = block * p->rows_per_block;
    *count = *first + p->rows_per_block < p->rows ? p->rows_per_block : p->rows - *first;
    *rows = placed;
    const tacit_status status = p->data->reader->read(p->data->reader, *first, *count, raw);
    if (status != TACIT_OK) return status;
    if (inside != NULL) *inside = 0;
    for (int64_t i = 0; i < *count; i++) {
        for (int64_t j = 0; j < dims; j++) row[j] = raw[i * width + p->from[j]];
        tac_frame_to_lattice(&p->frame, row, placed + i * dims);
        if (inside != NULL) *inside += tac_frame_inside(&p->frame, row);
    }
    return TACIT_OK;
}

int32_t tac_placed_nearest(const tac_placed *p, const double *row, double *squared)
{
    int32_t best = 0;
    double least = INFINITY;

    for (int32_t c = 0; c < p->k; c++) {
        const double *center = p->centers + (size_t)c * (size_t)p->dims;
        double far = 0;
        for (int32_t j = 0; j < p->dims; j++) far += (row[j] - center[j]) * (row[j] - center[j]);
        if (far < least) {
            least = far;
            best = c;
        }
    }
    *squared = least;
    return best;
}
