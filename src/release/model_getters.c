/* SPDX-License-Identifier: Apache-2.0 */
/* A release as its readers see it. */
#include "release/model_internal.h"
#include "release/note_words.h"

#include <math.h>
#include <string.h>

/* noise of such a part of a range may put a coordinate on its bound, whatever the rows say ... */
#define THROWN 0.125
/* ... and of such a part of the radius, over all columns, a center on the sphere */
#define THROWN_FAR 0.25

/* What a model holds as it is; without a model `none`. */
#define GET(type, name, field, none)                                                               \
    type tacit_model_##name(const tacit_model *model)                                              \
    {                                                                                              \
        return model == NULL ? (none) : model->field;                                              \
    }
GET(int32_t, k, k, 0)
GET(int32_t, column_count, dims, 0)
GET(const char *, family, family, NULL)
GET(const char *, method, method, NULL)
GET(const double *, centers, centers, NULL)
GET(const double *, centers_sd, centers_sd, NULL)
GET(const double *, sizes, sizes, NULL)
GET(double, sizes_sd, sizes_sd, 0)
GET(int32_t, rounds, rounds, 0)
GET(int32_t, note_count, notes, 0)
GET(int32_t, q, q, 0)
GET(const double *, subspaces, subspaces, NULL)
GET(const double *, offsets, offsets, NULL)
GET(const double *, profile, profile, NULL)
GET(int32_t, query_count, card.queries, 0)
GET(const char *, guarantee, card.guarantee, NULL)
GET(int32_t, cut_from, cut_from.k, 0)

/* The same of a co-clustering. */
#define GET_BLOCKS(type, name, field, none)                                                        \
    type tacit_model_##name(const tacit_model *model)                                              \
    {                                                                                              \
        return model == NULL || model->blocks == NULL ? (none) : model->blocks->field;             \
    }
GET_BLOCKS(int32_t, l, l, 0)
GET_BLOCKS(const int32_t *, column_clusters, column_cluster, NULL)
GET_BLOCKS(const double *, column_z, column_z, NULL)
GET_BLOCKS(double, table_sd, table_sd, NAN)
GET_BLOCKS(const char *, table_unit, unit, NULL)

int32_t tacit_model_cells(const tacit_model *model)
{
    return model == NULL || model->synopsis == NULL ? 0 : model->synopsis->cells;
}

const char *tacit_model_column_get(const tacit_model *model, int32_t index)
{
    return model == NULL || index < 0 || index >= model->dims ? NULL : model->column[index];
}

int32_t tacit_model_feature_count(const tacit_model *model)
{
    if (model == NULL) return 0;
    return model->geometry.features.count > 0 ? model->geometry.features.count : model->dims;
}

tacit_status tacit_model_feature_get(const tacit_model *model, int32_t index, tacit_feature *out)
{
    tacit_feature known = TACIT_FEATURE_INIT;

    if (index < 0 || index >= tacit_model_feature_count(model)) return TACIT_E_ARGUMENT;
    const bool plain = model->geometry.features.count == 0;
    const tac_feature *f = plain ? NULL : &model->geometry.features.feature[index];
    known.name = plain ? model->column[index] : f->name;
    known.kind = tac_kind_words[plain ? TAC_VALUE_NUMBER : f->value.kind];
    known.transform = tac_transform_words[plain ? TAC_AS_IS : f->transform];
    known.centers_are = !plain && f->value.kind == TAC_VALUE_CATEGORY
                            ? "shares"
                            : tac_mean_words[plain ? TAC_AS_IS : f->transform];
    known.weight = plain ? 1 : f->weight;
    known.missing = plain ? model->geometry.missing : f->missing;
    known.first = plain ? index : f->first;
    known.width = plain ? 1 : f->width;
    return tac_give_struct(NULL, "tacit_feature", &known, sizeof known, out);
}

/* Rows beyond the sphere were pulled onto it; a mean of such rows lies a little inside. */
static double share_at_sphere(const tacit_model *model)
{
    int32_t at = 0;

    for (int32_t i = 0; i < model->k; i++) {
        double squared = 0, noise = 0;
        for (int32_t j = 0; j < model->dims; j++) {
            const double far = (model->centers[(size_t)i * (size_t)model->dims + (size_t)j] -
                                model->geometry.center[j]) /
                               model->geometry.radius;
            const double sd = model->centers_sd[(size_t)i * (size_t)model->dims + (size_t)j] /
                              model->geometry.radius;
            squared += far * far;
            noise += sd > 0 ? sd * sd : 0; /* NaN: not known */
        }
        at += squared >= 0.99 * 0.99 && noise < THROWN_FAR * THROWN_FAR;
    }
    return (double)at / model->k;
}

/* Where no noise is reported at all, it may have thrown any center anywhere. */
static bool knows_noise(const tacit_model *model)
{
    for (int64_t i = 0; i < (int64_t)model->k * model->dims; i++)
        if (!isnan(model->centers_sd[i])) return true;
    return false;
}

bool tac_model_is_share(const tacit_model *model, int32_t j)
{
    const tac_features *f = &model->geometry.features;

    return f->count > 0 && tac_feature_at(f, j)->value.kind == TAC_VALUE_CATEGORY;
}

double tacit_model_share_at_bounds(const tacit_model *model)
{
    /* a subspace leaves every domain */
    if (model == NULL || model->centers == NULL || !knows_noise(model)) return 0;
    if (model->geometry.ball) return share_at_sphere(model);
    const int64_t all = (int64_t)model->k * model->dims;
    int64_t at = 0;

    for (int64_t i = 0; i < all; i++) {
        const double low = model->geometry.lower[i % model->dims],
                     high = model->geometry.upper[i % model->dims];
        /* a mean of moved values need not lie exactly there */
        const double near = 1e-3 * (high - low);
        if (tac_model_is_share(model, (int32_t)(i % model->dims))) continue;
        if (model->centers_sd[i] >= THROWN * (high - low)) continue;
        /* A lower bound of 0 does not count: sparse rows are full of it. */
        at += (low != 0 && model->centers[i] <= low + near) || model->centers[i] >= high - near;
    }
    return (double)at / (double)all;
}

const double *tacit_model_curve(const tacit_model *model, int32_t *count)
{
    if (count != NULL) *count = model == NULL ? 0 : model->curve_count;
    return model == NULL ? NULL : model->curve;
}

const char *tacit_model_note_get(const tacit_model *model, int32_t index)
{
    return model == NULL || index < 0 || index >= model->notes ? NULL : model->note[index];
}

tacit_note_kind tacit_model_note_kind(const tacit_model *model, int32_t index)
{
    const char *note = tacit_model_note_get(model, index);

    if (note == NULL) return TACIT_NOTE_OTHER;
    if (strstr(note, TAC_SAYS_NO_GROUPS) != NULL || strstr(note, TAC_SAYS_ONE_WOULD_DO) != NULL)
        return TACIT_NOTE_NO_GROUPS;
    return strstr(note, TAC_SAYS_BOUNDS) != NULL ? TACIT_NOTE_BOUNDS : TACIT_NOTE_OTHER;
}

const int32_t *tacit_model_labels(const tacit_model *model, int64_t *rows)
{
    if (rows != NULL) *rows = model == NULL || model->labels == NULL ? 0 : model->rows;
    return model == NULL ? NULL : model->labels;
}

tacit_status tacit_model_domain(const tacit_model *model, tacit_domain *out)
{
    if (model == NULL || tac_model_is_blocks(model)) return TACIT_E_ARGUMENT;
    const tac_geometry *g = &model->geometry;
    const tacit_domain known = {.lower = g->lower,
                                .upper = g->upper,
                                .center = g->center,
                                .radius = g->radius,
                                .scale = g->scale,
                                .missing = g->missing};
    return tac_give_struct(NULL, "tacit_domain", &known, sizeof known, out);
}

tacit_status tacit_model_card(const tacit_model *model, tacit_card *out)
{
    tacit_card known = TACIT_CARD_INIT;

    if (model == NULL) return TACIT_E_ARGUMENT;
    const tac_card *c = &model->card;
    known.randomness = tac_randomness_words[c->plain ? 2 : c->insecure_seed];
    known.paper = c->paper;
    known.version = c->version;
    if (!c->plain) {
        known.epsilon = c->epsilon;
        known.delta = c->delta;
        known.neighbors = c->neighbors;
        known.unit = c->unit;
        known.max_rows_per_unit = c->rows_per_unit;
        known.definition = c->accountant;
        known.parameter = tac_native_word(c->accountant);
        known.budget = c->native_budget;
        known.spent = c->native_spent;
        known.in_ledger = c->in_ledger;
        known.ledger_run = c->ledger_run;
    }
    return tac_give_struct(NULL, "tacit_card", &known, sizeof known, out);
}

tacit_status tacit_model_query_get(const tacit_model *model, int32_t index, tacit_query_info *out)
{
    if (index < 0 || index >= tacit_model_query_count(model)) return TACIT_E_ARGUMENT;
    const tac_card_query *q = &model->card.query[index];
    const tacit_query_info known = {.kind = q->kind,
                                    .what = q->what,
                                    .distribution = q->noise,
                                    .scale = q->scale,
                                    .sensitivity = q->sensitivity,
                                    .share = q->cost / model->card.native_budget,
                                    .answers = q->answers,
                                    .batch = q->batch};
    return tac_give_struct(NULL, "tacit_query_info", &known, sizeof known, out);
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

void tacit_model_requested(const tacit_model *model, int32_t *rows, int32_t *columns)
{
    const tac_blocks_released *b = model == NULL ? NULL : model->blocks;

    *rows = b == NULL ? 0 : b->asked_k;
    *columns = b == NULL ? 0 : b->asked_l;
}

const double *tacit_model_table(const tacit_model *model, int32_t *width)
{
    const bool none = model == NULL || model->blocks == NULL;
    if (width != NULL) *width = none ? 0 : tac_blocks_width(model->blocks);
    return none ? NULL : model->blocks->table;
}

void tacit_model_tau(const tacit_model *model, double *rows, double *columns)
{
    double of_rows = NAN, of_columns = NAN;

    if (model != NULL && model->blocks != NULL &&
        tac_blocks_tau(NULL, model, &of_rows, &of_columns) != TACIT_OK)
        of_rows = of_columns = NAN; /* not even room for a few numbers */
    if (rows != NULL) *rows = of_rows;
    if (columns != NULL) *columns = of_columns;
}
