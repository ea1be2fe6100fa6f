/* SPDX-License-Identifier: Apache-2.0 */
/* A model in memory: made, filled, looked at, freed. */
#include "release/model_internal.h"

#include <math.h>

#define THROWN 0.125    /* noise of such a part of a range may put a coordinate on its bound, whatever the rows say ... */
#define THROWN_FAR 0.25 /* ... and of such a part of the radius, over all columns, a centre on the sphere */

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

tacit_status tac_model_new_subspaces(tacit_ctx *ctx, int32_t k, int32_t q, int32_t dims, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_model *model = NULL;

    *out = NULL;
    if (q < 1 || q >= dims)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "subspaces in %d columns have 1 to %d dimensions", dims, dims - 1);
    TAC_TRY(tac_model_new_bare(ctx, k, dims, &model));
    model->q = q;
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)dims, (size_t)q * sizeof *model->subspaces, &model->subspaces));
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
    const tacit_status status = tac_new(ctx, (size_t)queries, sizeof *model->card.query, &model->card.query);
    if (status != TACIT_OK) return status;
    model->card.queries = queries;
    for (int32_t i = 0; i < queries; i++) model->card.query[i].batch = -1;
    return TACIT_OK;
}

tacit_status tac_model_new_notes(tacit_ctx *ctx, tacit_model *model, int32_t notes)
{
    if (notes < 0 || model->note != NULL) return tac_fail(ctx, TACIT_E_INTERNAL, "the notes of a release are made once");
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
    tac_free(model->subspaces);
    tac_free(model->offsets);
    tac_free(model->profile);
    tac_free(model->labels);
    tac_free(model->sizes);
    tac_free(model->curve);
    for (int32_t i = 0; i < model->notes; i++) tac_free(model->note[i]);
    tac_free(model->note);
    tac_blocks_free(model->blocks);
    tac_free(model->geometry.lower);
    tac_free(model->geometry.upper);
    tac_free(model->geometry.center);
    tac_free(model->geometry.origin);
    free_card(&model->card);
    tac_free(model);
}

void tacit_text_free(char *text)
{
    tac_free(text);
}

/* ---- looked at ---------------------------------------------------------------------------------------- */

int32_t tacit_model_k(const tacit_model *model)
{
    return model == NULL ? 0 : model->k;
}

int32_t tacit_model_columns(const tacit_model *model)
{
    return model == NULL ? 0 : model->dims;
}

const char *tacit_model_column(const tacit_model *model, int32_t index)
{
    return model == NULL || index < 0 || index >= model->dims ? NULL : model->column[index];
}

const char *tacit_model_family(const tacit_model *model)
{
    return model == NULL ? NULL : model->family;
}

const char *tacit_model_method(const tacit_model *model)
{
    return model == NULL ? NULL : model->method;
}

const double *tacit_model_centers(const tacit_model *model)
{
    return model == NULL ? NULL : model->centers;
}

const double *tacit_model_centers_sd(const tacit_model *model)
{
    return model == NULL ? NULL : model->centers_sd;
}

const double *tacit_model_sizes(const tacit_model *model)
{
    return model == NULL ? NULL : model->sizes;
}

double tacit_model_sizes_sd(const tacit_model *model)
{
    return model == NULL ? 0 : model->sizes_sd;
}

/* Rows beyond the sphere were pulled onto it; a mean of such rows lies a little inside. */
static double share_at_sphere(const tacit_model *model)
{
    int32_t at = 0;

    for (int32_t i = 0; i < model->k; i++) {
        double squared = 0, noise = 0;
        for (int32_t j = 0; j < model->dims; j++) {
            const double far = (model->centers[(size_t)i * (size_t)model->dims + (size_t)j] - model->geometry.center[j]) /
                               model->geometry.radius;
            const double sd = model->centers_sd[(size_t)i * (size_t)model->dims + (size_t)j] / model->geometry.radius;
            squared += far * far;
            noise += sd > 0 ? sd * sd : 0; /* NaN: not known */
        }
        at += squared >= 0.99 * 0.99 && noise < THROWN_FAR * THROWN_FAR;
    }
    return (double)at / model->k;
}

/* Where no noise is told at all, it may have thrown any centre anywhere. */
static bool knows_noise(const tacit_model *model)
{
    for (int64_t i = 0; i < (int64_t)model->k * model->dims; i++)
        if (!isnan(model->centers_sd[i])) return true;
    return false;
}

double tacit_model_share_at_bounds(const tacit_model *model)
{
    if (model == NULL || model->centers == NULL || !knows_noise(model)) return 0; /* a subspace leaves every domain */
    if (model->geometry.ball) return share_at_sphere(model);
    const int64_t all = (int64_t)model->k * model->dims;
    int64_t at = 0;

    for (int64_t i = 0; i < all; i++) {
        const double low = model->geometry.lower[i % model->dims], high = model->geometry.upper[i % model->dims];
        const double near = 1e-3 * (high - low); /* a mean of moved values need not lie exactly there */
        if (model->centers_sd[i] >= THROWN * (high - low)) continue;
        /* A lower bound of 0 does not count: sparse rows are full of it. */
        at += (low != 0 && model->centers[i] <= low + near) || model->centers[i] >= high - near;
    }
    return (double)at / (double)all;
}

int32_t tacit_model_curve(const tacit_model *model, const double **values)
{
    if (values != NULL) *values = model == NULL ? NULL : model->curve;
    return model == NULL ? 0 : model->curve_count;
}

const char *tacit_model_note(const tacit_model *model, int32_t index)
{
    return model == NULL || index < 0 || index >= model->notes ? NULL : model->note[index];
}

int32_t tacit_model_q(const tacit_model *model)
{
    return model == NULL ? 0 : model->q;
}

const double *tacit_model_subspaces(const tacit_model *model)
{
    return model == NULL ? NULL : model->subspaces;
}

const double *tacit_model_offsets(const tacit_model *model)
{
    return model == NULL ? NULL : model->offsets;
}

const double *tacit_model_profile(const tacit_model *model)
{
    return model == NULL ? NULL : model->profile;
}

const int32_t *tacit_model_labels(const tacit_model *model, int64_t *rows)
{
    if (rows != NULL) *rows = model == NULL || model->labels == NULL ? 0 : model->rows;
    return model == NULL ? NULL : model->labels;
}

const char *tacit_model_guarantee(const tacit_model *model)
{
    return model == NULL ? NULL : model->card.guarantee;
}

int tacit_model_is_private(const tacit_model *model)
{
    return model != NULL && !model->card.insecure_seed && model->card.leak == NULL;
}

const char *tacit_model_why_not_private(const tacit_model *model)
{
    if (tacit_model_is_private(model)) return NULL;
    if (model == NULL) return "there is no model";
    return model->card.leak != NULL ? model->card.leak : tac_seed_words;
}
