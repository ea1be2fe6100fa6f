/* SPDX-License-Identifier: Apache-2.0 */
/* What the clusters are like, to the release file and back: spread, overall, distinct. */
#include "release/model_internal.h"
#include "release/read_shape.h"

#include <stdio.h>
#include <string.h>

const char *const tac_direction_words[2] = {"above", "below"};

/* An empty list where nothing is known. */
static void put_spread(tac_json *json, const tacit_model *model, const char *key,
                       const double *value)
{
    tac_put_table(json, key, value, value == NULL ? 0 : model->k, model->dims, tac_json_maybes);
}

static void put_overall(tac_json *json, const tacit_model *model)
{
    const tac_overall *o = model->overall;
    const size_t count = o == NULL ? 0 : (size_t)model->dims;

    tac_json_object(json, "overall", TAC_JSON_LINES);
    tac_json_numbers(json, "mean", o == NULL ? NULL : o->mean, count);
    tac_json_maybes(json, "mean_noise_sd", o == NULL ? NULL : o->mean_sd, count);
    tac_json_maybes(json, "sd", o == NULL ? NULL : o->sd, count);
    tac_json_maybes(json, "sd_noise_sd", o == NULL ? NULL : o->sd_sd, count);
    tac_json_end(json);
}

/* A line for each cluster, an entry for each column. */
static void put_distinct(tac_json *json, const tacit_model *model)
{
    tac_json_array(json, "distinct", TAC_JSON_LINES);
    for (int32_t c = 0; model->distinct_start != NULL && c < model->k; c++) {
        tac_json_array(json, NULL, TAC_JSON_ROW);
        for (int32_t i = model->distinct_start[c]; i < model->distinct_start[c + 1]; i++) {
            const tac_distinct *one = &model->distinct[i];
            tac_json_object(json, NULL, TAC_JSON_ROW);
            tac_json_text(json, "column", model->column[one->column]);
            tac_json_text(json, "direction", tac_direction_words[one->direction < 0]);
            tac_json_number(json, "strength", one->strength);
            tac_json_end(json);
        }
        tac_json_end(json);
    }
    tac_json_end(json);
}

void tac_put_explanation(tac_json *json, const tacit_model *model)
{
    put_spread(json, model, "spread", model->spread);
    put_spread(json, model, "spread_noise_sd", model->spread_sd);
    put_overall(json, model);
    put_distinct(json, model);
}

/* A table of all clusters, or an empty list; *numbers becomes the model's. */
static tacit_status read_spread(const tac_section *top, const char *name, tacit_model *model,
                                double **numbers)
{
    tacit_status status;
    const tac_node *table = NULL;

    TAC_TRY(tac_field_list(top, name, -1, &table));
    if (tac_node_count(table) == 0) return TACIT_OK;
    TAC_TRY(tac_check_table(top, name, model->k, model->dims, "one per column", &table));
    TAC_TRY(tac_new(top->ctx, (size_t)model->k * (size_t)model->dims, sizeof **numbers, numbers));
    TAC_TRY(tac_read_table(top, name, table, model->dims, tac_list_maybes, *numbers));
done:
    return status;
}

/* Four lists with a number for each column, or four empty ones. */
static tacit_status read_overall(const tac_section *top, tacit_model *model)
{
    static const char *const names[] = {"mean", "mean_noise_sd", "sd", "sd_noise_sd"};
    tacit_status status;
    tac_section section;
    const tac_node *list[4] = {NULL};

    TAC_TRY(tac_section_inside(top, "overall", &section));
    TAC_TRY(tac_section_only(&section, names, 4));
    TAC_TRY(tac_field_list(&section, names[0], -1, &list[0]));
    const int64_t wide = tac_node_count(list[0]) == 0 ? 0 : model->dims;
    for (int i = 0; i < 4; i++) TAC_TRY(tac_field_list(&section, names[i], wide, &list[i]));
    if (wide == 0) return TACIT_OK;
    TAC_TRY(tac_model_new_overall(top->ctx, model));
    tac_overall *o = model->overall;
    TAC_TRY(tac_list_numbers(&section, names[0], list[0], o->mean));
    TAC_TRY(tac_list_maybes(&section, names[1], list[1], o->mean_sd));
    TAC_TRY(tac_list_maybes(&section, names[2], list[2], o->sd));
    TAC_TRY(tac_list_maybes(&section, names[3], list[3], o->sd_sd));
done:
    return status;
}

static tacit_status read_one(const tac_section *top, const char *field, const tac_node *list,
                             size_t index, const tacit_model *model, tac_distinct *out)
{
    static const char *const names[] = {"column", "direction", "strength"};
    tacit_status status;
    tac_section section;
    char *column = NULL;
    int word = 0;

    TAC_TRY(tac_section_item(top, field, list, index, &section));
    TAC_TRY(tac_section_only(&section, names, 3));
    TAC_TRY(tac_field_text(&section, "column", &column));
    while (out->column < model->dims && strcmp(model->column[out->column], column) != 0)
        out->column++;
    if (out->column == model->dims) {
        status = tac_field_refuse(&section, "column", "must be one of columns");
        goto done;
    }
    TAC_TRY(tac_field_word(&section, "direction", tac_direction_words, 2, &word));
    out->direction = word == 0 ? 1 : -1;
    TAC_TRY(tac_field_number(&section, "strength", &out->strength));
done:
    tac_free(column);
    return status;
}

/* How many entries every cluster has; room is taken for those that are there. */
static tacit_status count_distinct(const tac_section *top, const tac_node *clusters,
                                   tacit_model *model)
{
    char field[64];

    for (int32_t c = 0; c < model->k; c++) {
        const tac_node *list = tac_node_at(clusters, (size_t)c);
        snprintf(field, sizeof field, "distinct[%d]", c);
        if (!tac_node_is(list, TAC_NODE_LIST))
            return tac_field_refuse(top, field, "must be a list [...]");
        if (tac_node_count(list) > TAC_DISTINCT_MOST)
            return tac_field_refuse(top, field, "must have at most 10 entries");
        model->distinct_start[c + 1] = model->distinct_start[c] + (int32_t)tac_node_count(list);
    }
    return tac_new(top->ctx, (size_t)model->distinct_start[model->k], sizeof *model->distinct,
                   &model->distinct);
}

static tacit_status read_distinct(const tac_section *top, tacit_model *model)
{
    tacit_status status;
    const tac_node *clusters = NULL;
    char field[64];

    TAC_TRY(tac_field_list(top, "distinct", model->overall == NULL ? 0 : model->k, &clusters));
    if (model->overall == NULL) return TACIT_OK;
    TAC_TRY(count_distinct(top, clusters, model));
    for (int32_t c = 0; c < model->k; c++) {
        const tac_node *list = tac_node_at(clusters, (size_t)c);
        snprintf(field, sizeof field, "distinct[%d]", c);
        for (size_t i = 0; i < tac_node_count(list); i++)
            TAC_TRY(read_one(top, field, list, i, model,
                             &model->distinct[model->distinct_start[c] + (int32_t)i]));
    }
done:
    return status;
}

tacit_status tac_read_explanation(const tac_section *top, tacit_model *model)
{
    tacit_status status;

    TAC_TRY(read_spread(top, "spread", model, &model->spread));
    TAC_TRY(read_spread(top, "spread_noise_sd", model, &model->spread_sd));
    if ((model->spread == NULL) != (model->spread_sd == NULL))
        return tac_field_refuse(top, "spread_noise_sd",
                                "must be empty if spread is, and only then");
    TAC_TRY(read_overall(top, model));
    TAC_TRY(read_distinct(top, model));
done:
    return status;
}
