/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_model_clipped: in which columns do rows lie outside the declared bounds? Exact, so NOT
   private: for the data owner alone. */
#include "data/dataset/dataset.h"
#include "owner/model_columns.h"

#include <math.h>

#define BLOCK 4096 /* rows read at once, at most */

/* count[j] += rows beyond the bounds of column j; missing values are nowhere. */
static void count_block(const tacit_model *model, const int32_t *from, const double *raw,
                        int64_t rows, int64_t width, double *count)
{
    const tac_geometry *g = &model->geometry;

    for (int32_t j = 0; j < model->dims; j++) {
        const tac_transform t =
            g->features.count > 0 ? tac_feature_at(&g->features, j)->transform : TAC_AS_IS;
        const double lower = tac_transformed(t, g->lower[j]),
                     upper = tac_transformed(t, g->upper[j]);
        for (int64_t i = 0; i < rows; i++) {
            const double x = raw[i * width + from[j]];
            count[j] += x < lower || x > upper;
        }
    }
}

tacit_status tacit_model_clipped(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                                 double *share)
{
    tacit_status status = TACIT_OK;
    const bool none = model == NULL || model->geometry.lower == NULL;
    int32_t *from = NULL;
    double *raw = NULL;

    if (none || data == NULL || share == NULL || tac_data_sparse(data))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "shares of clipped values need a release with bounds for each column, "
                        "dense "
                        "rows and a place for the shares");
    TAC_TRY(tac_data_adopt_features(ctx, data, &model->geometry.features));
    TAC_TRY(tac_new(ctx, (size_t)model->dims, sizeof *from, &from));
    TAC_TRY(tac_match_columns(ctx, model, data, false, from));
    TAC_TRY(tac_data_load(ctx, data, NULL));
    const int64_t rows = data->reader->rows, width = tac_data_dims(data);
    const int64_t block =
        BLOCK < 1 + ctx->block_bytes / (8 * width) ? BLOCK : 1 + ctx->block_bytes / (8 * width);
    TAC_TRY(tac_new(ctx, (size_t)(block * width), sizeof *raw, &raw));
    for (int32_t j = 0; j < model->dims; j++) share[j] = 0;
    for (int64_t first = 0; first < rows; first += block) {
        const int64_t count = rows - first < block ? rows - first : block;
        TAC_TRY(tac_data_explain(ctx, data, tac_data_read(data, first, count, raw)));
        count_block(model, from, raw, count, width, share);
    }
    for (int32_t j = 0; j < model->dims; j++) share[j] = rows > 0 ? share[j] / (double)rows : NAN;
done:
    tac_free(from);
    tac_free(raw);
    return status;
}
