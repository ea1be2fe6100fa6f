/* SPDX-License-Identifier: Apache-2.0 */
/* A model as text: docs/release-format.md, field by field, in its order. Equal models give equal
   bytes. */
#include "release/file.h"
#include "release/model_internal.h"

#include <stdio.h>
#include <string.h>

void tac_put_table(tac_json *json, const char *key, const double *value, int32_t k, int32_t wide,
                   void (*put)(tac_json *, const char *, const double *, size_t))
{
    tac_json_array(json, key, TAC_JSON_LINES);
    for (int32_t i = 0; i < k; i++) put(json, NULL, value + (size_t)i * (size_t)wide, (size_t)wide);
    tac_json_end(json);
}

void tac_put_labels(tac_json *json, const tacit_model *model)
{
    tac_json_array(json, "labels", TAC_JSON_ROW);
    for (int64_t r = 0; model->labels != NULL && r < model->rows; r++)
        tac_json_integer(json, NULL, model->labels[r]);
    tac_json_end(json);
}

void tac_put_columns(tac_json *json, const tacit_model *model)
{
    tac_json_array(json, "columns", TAC_JSON_ROW);
    for (int32_t j = 0; j < model->dims; j++) tac_json_text(json, NULL, model->column[j]);
    tac_json_end(json);
}

void tac_put_notes(tac_json *json, const tacit_model *model)
{
    tac_json_array(json, "notes", TAC_JSON_LINES);
    for (int32_t i = 0; i < model->notes; i++) tac_json_text(json, NULL, model->note[i]);
    tac_json_end(json);
}

/* One matrix after the other, one line for each column of the data. */
static void put_subspaces(tac_json *json, const tacit_model *model)
{
    const size_t q = (size_t)model->q;

    tac_json_array(json, "subspaces", TAC_JSON_LINES);
    for (size_t i = 0; i < (size_t)model->k; i++) {
        tac_json_array(json, NULL, TAC_JSON_LINES);
        for (size_t j = 0; j < (size_t)model->dims; j++)
            tac_json_numbers(json, NULL, model->subspaces + (i * (size_t)model->dims + j) * q, q);
        tac_json_end(json);
    }
    tac_json_end(json);
    tac_put_table(json, "offsets", model->offsets, model->offsets == NULL ? 0 : model->k,
                  model->dims, tac_json_numbers);
    tac_put_table(json, "profile", model->profile, model->profile == NULL ? 0 : model->k, model->q,
                  tac_json_numbers);
    tac_put_labels(json, model);
}

/* Which bounds a run has estimated, and what was declared; nothing if all are declared. */
static void put_estimated(tac_json *json, const tacit_model *model)
{
    const tac_geometry *geometry = &model->geometry;

    if (geometry->estimated == NULL) return;
    tac_json_array(json, "estimated", TAC_JSON_ROW);
    for (int32_t j = 0; j < model->dims; j++)
        if (geometry->estimated[j]) tac_json_text(json, NULL, model->column[j]);
    tac_json_end(json);
    tac_json_maybes(json, "declared_lower", geometry->declared_lower, (size_t)model->dims);
    tac_json_maybes(json, "declared_upper", geometry->declared_upper, (size_t)model->dims);
}

static void put_geometry(tac_json *json, const tacit_model *model)
{
    const tac_geometry *geometry = &model->geometry;
    const int32_t dims = model->dims;

    tac_json_object(json, "geometry", TAC_JSON_LINES);
    tac_json_text(json, "distance", "euclidean");
    tac_json_text(json, "scale", tac_scale_words[geometry->scale]);
    tac_json_text(json, "domain", geometry->ball ? "ball" : "box");
    if (geometry->ball) {
        tac_json_numbers(json, "center", geometry->center, (size_t)dims);
        tac_json_number(json, "radius", geometry->radius);
    } else {
        tac_json_numbers(json, "lower", geometry->lower, (size_t)dims);
        tac_json_numbers(json, "upper", geometry->upper, (size_t)dims);
    }
    tac_json_text(json, "bounds_origin", geometry->origin);
    put_estimated(json, model);
    tac_json_text(json, "missing", tac_missing_words[geometry->missing]);
    if (geometry->features.count > 0) tac_put_features(json, &geometry->features);
    tac_json_end(json);
}

/* One query per line. */
static void put_queries(tac_json *json, const tac_card *card, bool batches)
{
    tac_json_array(json, "queries", TAC_JSON_LINES);
    for (int32_t i = 0; i < card->queries; i++) {
        const tac_card_query *query = &card->query[i];
        tac_json_object(json, NULL, TAC_JSON_ROW);
        tac_json_text(json, "what", query->what);
        tac_json_text(json, "kind", query->kind);
        tac_json_text(json, "noise", query->noise);
        tac_json_number(json, "scale", query->scale);
        tac_json_number(json, "sensitivity", query->sensitivity);
        tac_json_number(json, "cost", query->cost);
        tac_json_integer(json, "answers", query->answers);
        if (batches && query->batch >= 0) tac_json_integer(json, "batch", query->batch);
        tac_json_end(json);
    }
    tac_json_end(json);
}

/* The seed first, then what else leaked. */
static void put_reason(tac_json *json, const tac_card *card)
{
    char text[1024];

    if (!card->insecure_seed && card->leak == NULL) return;
    snprintf(text, sizeof text, "%s%s%s", card->insecure_seed ? tac_seed_words : "",
             card->insecure_seed && card->leak != NULL ? "; " : "",
             card->leak == NULL ? "" : card->leak);
    tac_json_text(json, "why_not_private", text);
}

static void put_end(tac_json *json, const tac_card *card)
{
    tac_json_text(json, "randomness", tac_randomness_words[card->plain ? 2 : card->insecure_seed]);
    if (!card->plain) tac_json_bool(json, "ledger", card->in_ledger);
    if (!card->plain && card->ledger_run != NULL)
        tac_json_text(json, "ledger_run", card->ledger_run);
    tac_json_text(json, "paper", card->paper);
    tac_json_text(json, "version", card->version);
    tac_json_text(json, "promises",
                  "what is promised and what is not: docs/threat-model.md and docs/limits.md of "
                  "tacit");
    tac_json_end(json);
}

void tac_put_card(tac_json *json, const tacit_model *model)
{
    const tac_card *card = &model->card;

    tac_json_object(json, "privacy", TAC_JSON_LINES);
    tac_json_bool(json, "private", !card->insecure_seed && card->leak == NULL);
    put_reason(json, card);
    tac_json_text(json, "guarantee", card->guarantee);
    if (card->plain) { /* nothing was asked and nothing noised */
        put_end(json, card);
        return;
    }
    tac_json_text(json, "unit", card->unit);
    tac_json_integer(json, "rows_per_unit", card->rows_per_unit);
    tac_json_text(json, "neighbors", tac_neighbor_words[card->neighbors]);
    tac_json_number(json, "epsilon", card->epsilon);
    tac_json_number(json, "delta", card->delta);
    tac_json_text(json, "accountant", card->accountant);
    tac_json_object(json, "native", TAC_JSON_ROW);
    tac_json_text(json, "parameter", tac_native_word(card->accountant));
    tac_json_number(json, "budget", card->native_budget);
    tac_json_number(json, "spent", card->native_spent);
    tac_json_end(json);
    /* only co-clusterings ask parts of the rows */
    put_queries(json, card, tac_model_is_blocks(model));
    put_end(json, card);
}

/* Centers and subspaces, from after "method" to the end. */
static void put_points(tac_json *json, const tacit_model *model)
{
    tac_put_cut_from(json, &model->cut_from);
    tac_json_integer(json, "k", model->k);
    if (tac_model_is_subspace(model)) tac_json_integer(json, "q", model->q);
    tac_json_integer(json, "rounds", model->rounds);
    tac_put_columns(json, model);
    if (tac_model_is_subspace(model)) {
        put_subspaces(json, model);
    } else {
        tac_put_table(json, "centers", model->centers, model->k, model->dims, tac_json_numbers);
        tac_put_table(json, "centers_noise_sd", model->centers_sd, model->k, model->dims,
                      tac_json_maybes);
        tac_put_explanation(json, model);
    }
    tac_json_maybes(json, "sizes", model->sizes, (size_t)model->k);
    tac_json_maybe(json, "sizes_noise_sd", model->sizes_sd);
    tac_json_numbers(json, "k_curve", model->curve, (size_t)model->curve_count);
    tac_put_k_choice(json, model);
    tac_put_notes(json, model);
    put_geometry(json, model);
    tac_put_card(json, model);
    tac_put_synopsis(json, model); /* long lists come last */
}

tacit_status tacit_model_json(tacit_ctx *ctx, const tacit_model *model, char **out)
{
    tac_json json;
    tac_fault fault;

    if (ctx != NULL) ctx->message[0] = '\0';
    if (out == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "tacit_model_json needs a place for the text");
    *out = NULL;
    if (model == NULL) return tac_fail(ctx, TACIT_E_ARGUMENT, "tacit_model_json needs a model");
    if (tac_model_find_fault(model, &fault))
        return tac_fail(ctx, TACIT_E_INTERNAL,
                        "the release is not written: field %s %s; please report it", fault.field,
                        fault.cause);

    tac_json_start(&json, ctx);
    tac_json_object(&json, NULL, TAC_JSON_LINES);
    tac_json_text(&json, "tacit", "release");
    tac_json_integer(&json, "format", TAC_MODEL_FORMAT);
    tac_json_text(&json, "family", model->family);
    tac_json_text(&json, "method", model->method);
    if (tac_model_is_blocks(model))
        tac_put_blocks(ctx, &json, model);
    else
        put_points(&json, model);
    tac_json_end(&json);
    return tac_json_finish(&json, out);
}

tacit_status tacit_model_write(tacit_ctx *ctx, const tacit_model *model, const char *path)
{
    char *text = NULL;
    tacit_status status;

    if (model == NULL) return tac_fail(ctx, TACIT_E_ARGUMENT, "tacit_model_write needs a model");
    TAC_TRY(tacit_model_json(ctx, model, &text));
    TAC_TRY(tac_file_write(ctx, path, text, strlen(text)));
done:
    tacit_free(text);
    return status;
}
