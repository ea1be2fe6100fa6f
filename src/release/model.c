/* SPDX-License-Identifier: Apache-2.0 */
/* A model in memory: made, filled, freed. */
#include "release/model_internal.h"

#include <math.h>

/* What every family has. */
tacit_status tac_model_new_bare(tacit_ctx *ctx, int32_t k, int32_t dims, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_model *model = NULL;

    *out = NULL;
    if (k < 1 || k > TAC_MODEL_K_MAX || dims < 1 || dims > TAC_MODEL_DIMS_MAX)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "a release holds 1 to %d centres in 1 to %d columns",
                        TAC_MODEL_K_MAX, TAC_MODEL_DIMS_MAX);
    TAC_TRY(tac_new(ctx, 1, sizeof *model, &model));
    model->k = k;
    model->dims = dims;
    model->geometry.missing = TACIT_MISSING_DROP_ROW;
    TAC_TRY(tac_new(ctx, (size_t)dims, sizeof *model->column, &model->column));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof *model->sizes, &model->sizes));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}

tacit_status tac_model_new(tacit_ctx *ctx, int32_t k, int32_t dims, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_model *model = NULL;

    *out = NULL;
    TAC_TRY(tac_model_new_bare(ctx, k, dims, &model));
    const size_t numbers = (size_t)k * (size_t)dims; /* below 2^44 */
    TAC_TRY(tac_new(ctx, numbers, sizeof *model->centers, &model->centers));
    TAC_TRY(tac_new(ctx, numbers, sizeof *model->centers_sd, &model->centers_sd));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}

tacit_status tac_model_new_subspaces(tacit_ctx *ctx, int32_t k, int32_t q, int32_t dims,
                                     tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_model *model = NULL;

    *out = NULL;
    if (q < 1 || q >= dims)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "subspaces in %d columns have 1 to %d dimensions",
                        dims, dims - 1);
    TAC_TRY(tac_model_new_bare(ctx, k, dims, &model));
    model->q = q;
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)dims, (size_t)q * sizeof *model->subspaces,
                    &model->subspaces));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}

bool tac_model_is_subspace(const tacit_model *model)
{
    return model->subspaces != NULL;
}

bool tac_model_is_blocks(const tacit_model *model)
{
    return model->blocks != NULL;
}

tacit_status tac_model_set_text(tacit_ctx *ctx, char **field, const char *text)
{
    char *copy = tac_strdup(ctx, text);
    if (copy == NULL) return TACIT_E_MEMORY;
    tac_free(*field); /* after the copy: text may point into it */
    *field = copy;
    return TACIT_OK;
}

tacit_status tac_model_new_queries(tacit_ctx *ctx, tacit_model *model, int32_t queries)
{
    if (queries < 0 || model->card.query != NULL)
        return tac_fail(ctx, TACIT_E_INTERNAL, "the lines of a privacy card are made once");
    const tacit_status status =
        tac_new(ctx, (size_t)queries, sizeof *model->card.query, &model->card.query);
    if (status != TACIT_OK) return status;
    model->card.queries = queries;
    for (int32_t i = 0; i < queries; i++) model->card.query[i].batch = -1;
    return TACIT_OK;
}

tacit_status tac_model_new_notes(tacit_ctx *ctx, tacit_model *model, int32_t notes)
{
    if (notes < 0 || model->note != NULL)
        return tac_fail(ctx, TACIT_E_INTERNAL, "the notes of a release are made once");
    const tacit_status status = tac_new(ctx, (size_t)notes, sizeof *model->note, &model->note);
    if (status == TACIT_OK) model->notes = notes;
    return status;
}

static void free_card(tac_card *card)
{
    for (int32_t i = 0; i < card->queries; i++) {
        tac_free(card->query[i].kind);
        tac_free(card->query[i].what);
        tac_free(card->query[i].noise);
    }
    tac_free(card->query);
    tac_free(card->unit);
    tac_free(card->accountant);
    tac_free(card->guarantee);
    tac_free(card->paper);
    tac_free(card->version);
    tac_free(card->leak);
    tac_free(card->ledger_run);
}

void tacit_model_free(tacit_model *model)
{
    if (model == NULL) return;
    for (int32_t i = 0; model->column != NULL && i < model->dims; i++) tac_free(model->column[i]);
    tac_free(model->column);
    tac_free(model->family);
    tac_free(model->method);
    tac_free(model->centers);
    tac_free(model->centers_sd);
    tac_free(model->spread);
    tac_free(model->spread_sd);
    tac_overall_free(model->overall);
    tac_free(model->distinct);
    tac_free(model->distinct_start);
    tac_free(model->subspaces);
    tac_free(model->offsets);
    tac_free(model->profile);
    tac_free(model->labels);
    tac_free(model->sizes);
    tac_free(model->curve);
    for (int32_t i = 0; i < model->notes; i++) tac_free(model->note[i]);
    tac_free(model->note);
    tac_released_cells_free(model->synopsis);
    tac_free(model->cut_from.family);
    tac_free(model->cut_from.method);
    tac_blocks_free(model->blocks);
    tac_free(model->geometry.lower);
    tac_free(model->geometry.upper);
    tac_free(model->geometry.center);
    tac_free(model->geometry.origin);
    tac_features_clear(&model->geometry.features);
    tac_free(model->geometry.estimated);
    tac_free(model->geometry.declared_lower);
    tac_free(model->geometry.declared_upper);
    free_card(&model->card);
    tac_free(model);
}
