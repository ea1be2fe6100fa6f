/* SPDX-License-Identifier: Apache-2.0 */
/* Rows placed in the geometry of a model, for the data owner: what predict and evaluate measure
   distances in. owner_rows_sparse.c has the parts for rows that stay sparse. */
#include "owner/owner_rows.h"

#include "cluster/geometry.h"
#include "owner/model_columns.h"

#include <math.h>
#include <string.h>

/* Can the rows stay sparse? Only if 0 lies in the domain and stays 0 when placed. */
static bool stays_sparse(const tacit_model *model, const tacit_data *data)
{
    const tac_geometry *g = &model->geometry;

    if (tac_model_is_subspace(model)) return false; /* few enough columns to be dense */
    for (int32_t j = 0; j < model->dims; j++)
        if (g->ball ? g->center[j] != 0 : g->lower[j] > 0 || g->upper[j] < 0) return false;
    return tac_data_sparse(data);
}

/* The centers as rows are placed; points of subspaces too, but not moved into the domain: they
   would leave their subspace. */
static tacit_status place_centers(tacit_ctx *ctx, const tacit_model *model, tac_owner_rows *p)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)model->dims;
    double *point = NULL;

    TAC_TRY(tac_new(ctx, dims, sizeof *point, &point));
    for (size_t c = 0; c < (size_t)model->k; c++) {
        if (model->centers != NULL) {
            memcpy(point, model->centers + c * dims, dims * sizeof *point);
            tac_features_transform_point(&model->geometry.features, point);
            tac_frame_to_lattice(&p->frame, point, p->centers + c * dims);
        }
        for (size_t j = 0; model->offsets != NULL && j < dims; j++)
            p->centers[c * dims + j] =
                (model->offsets[c * dims + j] - p->frame.center[j]) * p->frame.scale[j];
    }
done:
    tac_free(point);
    return status;
}

/* Matches columns, rebuilds the frame, loads the rows and gives every worker its scratch: raw rows,
   reordered rows, placed rows, and q numbers for subspaces. */
tacit_status tac_owner_rows_open(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                                 tac_owner_rows *out)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)model->dims;
    tac_owner_rows p = {.ctx = ctx,
                        .data = data,
                        .k = model->k,
                        .dims = model->dims,
                        .q = model->q,
                        .bases = model->subspaces};
    const bool linear = tac_model_is_subspace(model) && model->offsets == NULL;

    tac_engine_threads(ctx, &p.engine);
    TAC_TRY(tac_new(ctx, dims, sizeof *p.from, &p.from));
    TAC_TRY(tac_data_adopt_features(ctx, data, &model->geometry.features));
    TAC_TRY(tac_match_columns(ctx, model, data, false, p.from));
    p.sparse = stays_sparse(model, data);
    TAC_TRY(tac_frame_of_model(ctx, model, p.sparse || linear, &p.frame, &p.unit));
    TAC_TRY(tac_new(ctx, (size_t)model->k * dims, sizeof *p.centers, &p.centers));
    TAC_TRY(place_centers(ctx, model, &p));
    TAC_TRY(tac_new(ctx, dims, sizeof *p.drops, &p.drops));
    for (int32_t j = 0; j < model->dims; j++)
        p.drops[j] = (model->geometry.features.count > 0
                          ? tac_feature_at(&model->geometry.features, j)->missing
                          : model->geometry.missing) == TACIT_MISSING_DROP_ROW;
    TAC_TRY(tac_data_load(ctx, data, NULL));
    p.rows = data->reader->rows;
    if (p.sparse) {
        TAC_TRY(tac_owner_rows_open_sparse(&p));
        *out = p;
        return TACIT_OK;
    }
    const int64_t wide = tac_data_dims(data) + 2 * (int64_t)model->dims;
    p.rows_per_block = 1 + ctx->block_bytes / ((int64_t)sizeof(double) * wide);
    p.blocks = (p.rows + p.rows_per_block - 1) / p.rows_per_block;
    TAC_TRY(tac_new(ctx, (size_t)p.engine.workers, sizeof *p.scratch, &p.scratch));
    for (int i = 0; i < p.engine.workers; i++)
        TAC_TRY(
            tac_new(ctx, (size_t)(p.rows_per_block * wide + p.q), sizeof(double), &p.scratch[i]));
    *out = p;
    return TACIT_OK;
done:
    tac_owner_rows_close(&p);
    return status;
}

void tac_owner_rows_close(tac_owner_rows *p)
{
    for (int i = 0; i < p->engine.workers && p->scratch != NULL; i++) tac_free(p->scratch[i]);
    for (int i = 0; i < p->engine.workers && p->raw != NULL; i++) tac_nonzeros_clear(&p->raw[i]);
    tac_free(p->raw);
    tac_free(p->to);
    tac_across_clear(&p->across);
    tac_free(p->scratch);
    tac_free(p->from);
    tac_free(p->drops);
    tac_free(p->centers);
    tac_frame_clear(&p->frame);
    memset(p, 0, sizeof *p);
}

/* Reads, reorders and places one block into the worker's scratch, and counts the rows inside the
   domain. */
tacit_status tac_owner_rows_block(const tac_owner_rows *p, int64_t block, int worker,
                                  tac_owner_rows_count *out)
{
    const int64_t dims = p->dims, width = tac_data_dims(p->data);

    *out = (tac_owner_rows_count){.first = block * p->rows_per_block};
    out->count =
        out->first + p->rows_per_block < p->rows ? p->rows_per_block : p->rows - out->first;
    if (p->sparse) return tac_owner_rows_block_sparse(p, worker, out);
    double *placed = p->scratch[worker], *row = placed + p->rows_per_block * dims,
           *raw = row + p->rows_per_block * dims;
    const tacit_status status = tac_data_read(p->data, out->first, out->count, raw);
    if (status != TACIT_OK) return status;
    for (int64_t i = 0; i < out->count; i++) {
        for (int64_t j = 0; j < dims; j++) row[j] = raw[i * width + p->from[j]];
        tac_frame_to_lattice(&p->frame, row, placed + i * dims);
        out->inside += tac_frame_inside(&p->frame, row);
        /* what a row lacks is not made up for it */
        for (int64_t j = 0; j < dims; j++)
            if (p->drops[j] && isnan(row[j])) placed[i * dims + j] = NAN;
    }
    out->values = placed;
    return TACIT_OK;
}

/* |r - U U' r|^2, r = row - point, 0 where the row lacks a value; along: q numbers. Not |r|^2 - |U'
   r|^2, which would lose half of the digits. */
static double off_subspace(const double *row, const double *point, const double *basis,
                           int32_t dims, int32_t q, double *along)
{
    double far = 0;

    memset(along, 0, (size_t)q * sizeof *along);
    for (int32_t j = 0; j < dims; j++)
        for (int32_t i = 0; i < q; i++)
            if (!isnan(row[j]))
                along[i] += basis[(size_t)j * (size_t)q + (size_t)i] * (row[j] - point[j]);
    for (int32_t j = 0; j < dims; j++) {
        if (isnan(row[j])) continue;
        double rest = row[j] - point[j];
        for (int32_t i = 0; i < q; i++) rest -= basis[(size_t)j * (size_t)q + (size_t)i] * along[i];
        far += rest * rest;
    }
    return far;
}

/* The squared distance of a dense row to center or subspace c, by the columns that the row has. */
static double squared_to(const tac_owner_rows *p, const double *row, int32_t c, int worker)
{
    const size_t dims = (size_t)p->dims, at = (size_t)c * dims;
    const double *center = p->centers + at;
    double far = 0;

    if (p->bases != NULL) {
        double *along =
            p->scratch[worker] + p->rows_per_block * (2 * (int64_t)dims + tac_data_dims(p->data));
        return off_subspace(row, center, p->bases + at * (size_t)p->q, p->dims, p->q, along);
    }
    for (size_t j = 0; j < dims; j++)
        if (!isnan(row[j])) far += (row[j] - center[j]) * (row[j] - center[j]);
    return far;
}

/* Sparse rows: by the transposed centers, one step per entry and center. room: k doubles, which
   are then the squared distances but for |x|^2. */
static int32_t nearest_sparse(const tac_owner_rows *p, const tac_nonzeros *s, int64_t i,
                              double *room, double *squared)
{
    return tac_across_nearest(&p->across, s->feature + s->start[i], s->value + s->start[i],
                              s->start[i + 1] - s->start[i], room, squared);
}

int32_t tac_owner_rows_nearest(const tac_owner_rows *p, const tac_owner_rows_count *rows, int64_t i,
                               int worker, double *squared)
{
    int32_t best = 0, held = 0;

    if (p->sparse) return nearest_sparse(p, rows->sparse, i, p->scratch[worker], squared);
    const double *row = rows->values + i * p->dims;
    *squared = INFINITY;
    for (int32_t j = 0; j < p->dims; j++) held += !isnan(row[j]);
    if (held == 0) return -1;
    for (int32_t c = 0; c < p->k; c++) {
        const double far = squared_to(p, row, c, worker);
        if (far < *squared) {
            *squared = far;
            best = c;
        }
    }
    return best;
}

void tac_owner_rows_distances(const tac_owner_rows *p, const tac_owner_rows_count *rows, int64_t i,
                              int worker, double *squared)
{
    double least = 0;

    if (p->sparse) {
        const int32_t best = nearest_sparse(p, rows->sparse, i, squared, &least);
        const double length = least - squared[best];
        for (int32_t c = 0; c < p->k; c++) squared[c] = fmax(0, squared[c] + length);
        return;
    }
    for (int32_t c = 0; c < p->k; c++)
        squared[c] = squared_to(p, rows->values + i * p->dims, c, worker);
}
