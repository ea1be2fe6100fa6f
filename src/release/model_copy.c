/* SPDX-License-Identifier: Apache-2.0 */
/* A release that follows from another one: the same columns, the same geometry, the same card. */
#include "release/model_internal.h"

#include <string.h>

/* NULL stays NULL. */
static tacit_status copy(tacit_ctx *ctx, const void *from, size_t count, size_t size, void *to)
{
    void *const none = NULL;

    memcpy(to, &none, sizeof none);
    if (from == NULL) return TACIT_OK;
    const tacit_status status = tac_new(ctx, count, size, to);
    if (status != TACIT_OK) return status;
    void *room;
    memcpy(&room, to, sizeof room);
    memcpy(room, from, count * size);
    return TACIT_OK;
}

static tacit_status copy_text(tacit_ctx *ctx, const char *from, char **to)
{
    return from == NULL ? TACIT_OK : tac_model_set_text(ctx, to, from);
}

static tacit_status copy_geometry(tacit_ctx *ctx, const tac_geometry *from, size_t dims,
                                  tac_geometry *to)
{
    tacit_status status = TACIT_OK;

    to->ball = from->ball;
    to->radius = from->radius;
    to->scale = from->scale;
    to->missing = from->missing;
    TAC_TRY(copy(ctx, from->lower, dims, sizeof(double), &to->lower));
    TAC_TRY(copy(ctx, from->upper, dims, sizeof(double), &to->upper));
    TAC_TRY(copy(ctx, from->center, dims, sizeof(double), &to->center));
    TAC_TRY(copy(ctx, from->estimated, dims, sizeof(bool), &to->estimated));
    TAC_TRY(copy(ctx, from->declared_lower, dims, sizeof(double), &to->declared_lower));
    TAC_TRY(copy(ctx, from->declared_upper, dims, sizeof(double), &to->declared_upper));
    TAC_TRY(copy_text(ctx, from->origin, &to->origin));
    if (from->features.count > 0) TAC_TRY(tac_features_copy(ctx, &from->features, &to->features));
done:
    return status;
}

static tacit_status copy_query(tacit_ctx *ctx, const tac_card_query *from, tac_card_query *to)
{
    tacit_status status = TACIT_OK;

    *to = *from;
    to->kind = to->what = to->noise = NULL;
    TAC_TRY(copy_text(ctx, from->kind, &to->kind));
    TAC_TRY(copy_text(ctx, from->what, &to->what));
    TAC_TRY(copy_text(ctx, from->noise, &to->noise));
done:
    return status;
}

static tacit_status copy_card(tacit_ctx *ctx, const tac_card *from, tacit_model *model)
{
    tacit_status status = TACIT_OK;
    tac_card *to = &model->card;

    *to = *from;
    to->leak = to->unit = to->accountant = to->guarantee = to->paper = to->ledger_run =
        to->version = NULL;
    to->queries = 0;
    to->query = NULL;
    TAC_TRY(copy_text(ctx, from->leak, &to->leak));
    TAC_TRY(copy_text(ctx, from->unit, &to->unit));
    TAC_TRY(copy_text(ctx, from->accountant, &to->accountant));
    TAC_TRY(copy_text(ctx, from->guarantee, &to->guarantee));
    TAC_TRY(copy_text(ctx, from->paper, &to->paper));
    TAC_TRY(copy_text(ctx, from->ledger_run, &to->ledger_run));
    TAC_TRY(copy_text(ctx, from->version, &to->version));
    TAC_TRY(tac_model_new_queries(ctx, model, from->queries));
    for (int32_t i = 0; i < from->queries; i++)
        TAC_TRY(copy_query(ctx, &from->query[i], &to->query[i]));
done:
    return status;
}

tacit_status tac_model_copy_head(tacit_ctx *ctx, const tacit_model *from, tacit_model *to)
{
    tacit_status status = TACIT_OK;

    for (int32_t j = 0; j < from->dims; j++)
        TAC_TRY(tac_model_set_text(ctx, &to->column[j], from->column[j]));
    TAC_TRY(copy_geometry(ctx, &from->geometry, (size_t)from->dims, &to->geometry));
    TAC_TRY(copy_card(ctx, &from->card, to));
done:
    return status;
}
