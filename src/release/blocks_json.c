/* SPDX-License-Identifier: Apache-2.0 */
/* A co-clustering as text: what a person reads first, then the card, then the long lists with an
   entry for every column. */
#include "release/model_internal.h"

/* Sums of the table and its tau: they follow from it, and stand there for the reader. */
static void put_derived(tacit_ctx *ctx, tac_json *json, const tacit_model *model)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)model->k, width = (size_t)tac_blocks_width(model->blocks);
    double *mass = NULL, rows = 0, columns = 0;

    TAC_TRY(tac_new(ctx, k + width, sizeof *mass, &mass));
    TAC_TRY(tac_blocks_tau(ctx, model, &rows, &columns));
    tac_blocks_masses(model, mass, mass + k);
    tac_json_numbers(json, "row_masses", mass, k);
    tac_json_numbers(json, "column_masses", mass + k, width);
    tac_json_object(json, "tau", TAC_JSON_ROW);
    tac_json_number(json, "rows", rows);
    tac_json_number(json, "columns", columns);
    tac_json_end(json);
done:
    tac_free(mass);
    if (status != TACIT_OK && json->status == TACIT_OK) json->status = status;
}

static void put_shape(tac_json *json, const tacit_model *model)
{
    tac_json_object(json, "shape", TAC_JSON_ROW);
    if (model->blocks->rows > 0)
        tac_json_integer(json, "rows", model->blocks->rows);
    else
        tac_json_null(json, "rows");
    tac_json_integer(json, "columns", model->dims);
    tac_json_text(json, "origin", model->blocks->shape);
    tac_json_end(json);
}

/* Only the columns that the rule looks at: most of a wide table may not be among them. */
static void put_rule(tac_json *json, const tac_rule *rule, int32_t dims)
{
    int32_t looked = 0;

    for (int32_t j = 0; j < dims; j++) looked += rule->weight[j] != 0;
    tac_json_object(json, "rule", TAC_JSON_LINES);
    tac_json_text(json, "value", tac_rule_value_words[rule->logarithm]);
    tac_json_bool(json, "unit_length", rule->unit);
    if (looked == dims) {
        tac_json_text(json, "columns", "all");
    } else {
        tac_json_array(json, "columns", TAC_JSON_ROW);
        for (int32_t j = 0; j < dims; j++)
            if (rule->weight[j] != 0) tac_json_integer(json, NULL, j);
        tac_json_end(json);
    }
    tac_json_array(json, "weights", TAC_JSON_ROW);
    for (int32_t j = 0; j < dims; j++)
        if (rule->weight[j] != 0) tac_json_number(json, NULL, rule->weight[j]);
    tac_json_end(json);
    tac_json_array(json, "groups", TAC_JSON_ROW);
    for (int32_t j = 0; j < dims; j++)
        if (rule->weight[j] != 0) tac_json_integer(json, NULL, rule->group[j]);
    tac_json_end(json);
    tac_put_table(json, "scores", rule->score, rule->profiles, rule->groups, tac_json_numbers);
    tac_json_numbers(json, "offsets", rule->offset, (size_t)rule->profiles);
    tac_json_integers(json, "clusters", rule->cluster, (size_t)rule->profiles);
    tac_json_end(json);
}

void tac_put_blocks(tacit_ctx *ctx, tac_json *json, const tacit_model *model)
{
    const tac_blocks_released *b = model->blocks;

    tac_json_integer(json, "row_clusters", model->k);
    tac_json_object(json, "asked", TAC_JSON_ROW);
    tac_json_integer(json, "row_clusters", b->asked_k);
    tac_json_integer(json, "column_clusters", b->asked_l);
    tac_json_end(json);
    tac_json_integer(json, "rounds", model->rounds);
    put_shape(json, model);
    tac_json_text(json, "table_unit", b->unit);
    tac_json_bool(json, "rest", b->rest);
    tac_put_table(json, "table", b->table, model->k, tac_blocks_width(b), tac_json_numbers);
    tac_json_maybe(json, "table_sd", b->table_sd);
    put_derived(ctx, json, model);
    tac_json_maybes(json, "row_sizes", model->sizes, (size_t)model->k);
    tac_json_maybe(json, "row_sizes_sd", model->sizes_sd);
    tac_put_notes(json, model);
    tac_put_card(json, model);
    tac_put_columns(json, model);
    tac_json_integers(json, "column_clusters", b->column_cluster, (size_t)model->dims);
    tac_json_maybes(json, "column_z", b->column_z, b->column_z == NULL ? 0 : (size_t)model->dims);
    put_rule(json, &b->rule, model->dims);
    tac_put_labels(json, model);
}
