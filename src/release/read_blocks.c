/* SPDX-License-Identifier: Apache-2.0 */
/* A co-clustering back from its file. Memory is taken only for numbers that are really there. */
#include "release/model_internal.h"
#include "release/read_shape.h"

#include <math.h>
#include <stdio.h>

#define COUNT(names) (sizeof(names) / sizeof((names)[0]))
#define SAME 1e-6 /* sums and tau agree with the table up to this */

static tacit_status read_shape(const tac_section *top, tacit_model *model)
{
    static const char *const names[] = {"rows", "columns", "origin"};
    tac_section section;
    tacit_status status;
    int word = 0;
    int64_t columns = 0;

    TAC_TRY(tac_section_inside(top, "shape", &section));
    TAC_TRY(tac_section_only(&section, names, COUNT(names)));
    if (!tac_node_is(tac_node_field(section.object, "rows"), TAC_NODE_NULL))
        TAC_TRY(tac_field_integer(&section, "rows", 1, INT64_MAX, &model->blocks->rows));
    TAC_TRY(tac_field_integer(&section, "columns", model->dims, model->dims, &columns));
    TAC_TRY(tac_field_word(&section, "origin", tac_shape_words, 2, &word));
    TAC_TRY(tac_field_text(&section, "origin", &model->blocks->shape));
done:
    return status;
}

/* What of a rule is in the file. columns: NULL for all. */
typedef struct rule_lists {
    const tac_node *columns, *weights, *groups, *scores, *offsets, *clusters;
    size_t looked;
    int32_t count, profiles;
} rule_lists;

static tacit_status find_rule(const tac_section *top, int32_t dims, tac_section *section,
                              rule_lists *lists)
{
    static const char *const names[] = {"value",  "unit_length", "columns", "weights",
                                        "groups", "scores",      "offsets", "clusters"};
    static const char *const all[] = {"all"};
    tacit_status status;

    TAC_TRY(tac_section_inside(top, "rule", section));
    TAC_TRY(tac_section_only(section, names, COUNT(names)));
    lists->columns = tac_node_field(section->object, "columns");
    if (!tac_node_is(lists->columns, TAC_NODE_LIST)) {
        TAC_TRY(tac_field_word(section, "columns", all, 1, &(int){0}));
        lists->columns = NULL;
    }
    lists->looked = lists->columns == NULL ? (size_t)dims : tac_node_count(lists->columns);
    if (lists->looked > (size_t)dims)
        return tac_field_refuse(section, "columns",
                                "must be \"all\", or name each column at most once");
    TAC_TRY(tac_field_list(section, "weights", (int64_t)lists->looked, &lists->weights));
    TAC_TRY(tac_field_list(section, "groups", (int64_t)lists->looked, &lists->groups));
    TAC_TRY(tac_field_list(section, "scores", -1, &lists->scores));
    const size_t profiles = tac_node_count(lists->scores),
                 count = tac_node_count(tac_node_at(lists->scores, 0));
    if (profiles < 1 || profiles > INT32_MAX)
        return tac_field_refuse(section, "scores", "must have a line or more");
    if (count > TAC_MODEL_DIMS_MAX)
        return tac_field_refuse(section, "scores[0]", "must have an entry for each group");
    lists->profiles = (int32_t)profiles;
    lists->count = (int32_t)count;
    TAC_TRY(tac_check_table(section, "scores", lists->profiles, lists->count, "one per group",
                            &lists->scores));
    TAC_TRY(tac_field_list(section, "offsets", lists->profiles, &lists->offsets));
    TAC_TRY(tac_field_list(section, "clusters", lists->profiles, &lists->clusters));
done:
    return status;
}

/* Weights and groups to the columns they are of. */
static tacit_status spread(const tac_section *section, const rule_lists *lists, int32_t dims,
                           tac_rule *rule)
{
    tacit_status status = TACIT_OK;
    const size_t looked = lists->looked;
    int32_t *column = NULL, *group = NULL;
    double *weight = NULL;
    char field[64];

    TAC_TRY(tac_new(section->ctx, looked, sizeof *column, &column));
    TAC_TRY(tac_new(section->ctx, looked, sizeof *group, &group));
    TAC_TRY(tac_new(section->ctx, looked, sizeof *weight, &weight));
    if (lists->columns != NULL)
        TAC_TRY(tac_list_integers(section, "columns", lists->columns, 0, dims - 1,
                                  "must be the number of a column, from 0", column));
    TAC_TRY(tac_list_numbers(section, "weights", lists->weights, weight));
    TAC_TRY(tac_list_integers(section, "groups", lists->groups, 0, lists->count - 1,
                              "must be below the number of groups", group));
    for (size_t i = 0; i < looked; i++) {
        const size_t at = lists->columns == NULL ? i : (size_t)column[i];
        const bool rising = lists->columns == NULL || i == 0 || column[i] > column[i - 1];
        if (!rising || weight[i] == 0) {
            snprintf(field, sizeof field, "%s[%zu]", rising ? "weights" : "columns", i);
            status = tac_field_refuse(section, field,
                                      rising ? "must not be 0" : "must be above the one before it");
            goto done;
        }
        rule->weight[at] = weight[i];
        rule->group[at] = group[i];
    }
done:
    tac_free(column);
    tac_free(group);
    tac_free(weight);
    return status;
}

static tacit_status read_rule(const tac_section *section, const rule_lists *lists,
                              tacit_model *model)
{
    tac_rule *rule = &model->blocks->rule;
    tacit_status status;
    int word = 0;

    TAC_TRY(tac_field_word(section, "value", tac_rule_value_words, 2, &word));
    rule->logarithm = word == 1;
    TAC_TRY(tac_field_bool(section, "unit_length", &rule->unit));
    TAC_TRY(spread(section, lists, model->dims, rule));
    TAC_TRY(tac_read_table(section, "scores", lists->scores, rule->groups, tac_list_numbers,
                           rule->score));
    TAC_TRY(tac_list_numbers(section, "offsets", lists->offsets, rule->offset));
    TAC_TRY(tac_list_integers(section, "clusters", lists->clusters, 0, model->k - 1,
                              "must be the number of a row cluster, from 0", rule->cluster));
done:
    return status;
}

/* What follows from the table must follow from it. */
static tacit_status check_sums(const tac_section *top, const char *name, const double *sum,
                               size_t count, double room)
{
    tacit_status status;
    const tac_node *list = NULL;
    double *told = NULL;
    char field[64];

    TAC_TRY(tac_field_list(top, name, (int64_t)count, &list));
    TAC_TRY(tac_new(top->ctx, count, sizeof *told, &told));
    TAC_TRY(tac_list_numbers(top, name, list, told));
    for (size_t i = 0; i < count; i++) {
        if (fabs(told[i] - sum[i]) <= room) continue;
        snprintf(field, sizeof field, "%s[%zu]", name, i);
        status = tac_field_refuse(top, field, "contradicts the table");
        goto done;
    }
done:
    tac_free(told);
    return status;
}

static tacit_status check_derived(const tac_section *top, const tacit_model *model)
{
    static const char *const names[] = {"rows", "columns"};
    const size_t k = (size_t)model->k, width = (size_t)tac_blocks_width(model->blocks);
    tac_section section;
    tacit_status status;
    double *mass = NULL, all = 1, told[2], tau[2];

    TAC_TRY(tac_new(top->ctx, k + width, sizeof *mass, &mass));
    for (size_t i = 0; i < k * width; i++) all += fabs(model->blocks->table[i]);
    tac_blocks_masses(model, mass, mass + k);
    TAC_TRY(check_sums(top, "row_masses", mass, k, SAME * all));
    TAC_TRY(check_sums(top, "column_masses", mass + k, width, SAME * all));
    TAC_TRY(tac_section_inside(top, "tau", &section));
    TAC_TRY(tac_section_only(&section, names, COUNT(names)));
    TAC_TRY(tac_blocks_tau(top->ctx, model, &tau[0], &tau[1]));
    for (size_t i = 0; i < 2; i++) {
        TAC_TRY(tac_field_number(&section, names[i], &told[i]));
        if (fabs(told[i] - tau[i]) <= SAME) continue;
        status = tac_field_refuse(&section, names[i], "contradicts the table");
        goto done;
    }
done:
    tac_free(mass);
    return status;
}

/* How many clusters were asked for; files that do not say it had all of them left, as far as
   anybody knows. */
static tacit_status read_asked(const tac_section *top, tac_blocks_released *b)
{
    static const char *const names[] = {"row_clusters", "column_clusters"};
    int64_t asked[2] = {0};
    tac_section section;
    tacit_status status;

    if (!tac_field_present(top, "asked")) return TACIT_OK;
    TAC_TRY(tac_section_inside(top, "asked", &section));
    TAC_TRY(tac_section_only(&section, names, COUNT(names)));
    for (size_t i = 0; i < 2; i++)
        TAC_TRY(tac_field_integer(&section, names[i], 1, TAC_MODEL_K_MAX, &asked[i]));
    b->asked_k = (int32_t)asked[0];
    b->asked_l = (int32_t)asked[1];
done:
    return status;
}

static tacit_status read_columns(const tac_section *top, const tac_node *columns,
                                 const tac_node *clusters, tacit_model *model)
{
    tac_blocks_released *b = model->blocks;
    tacit_status status;
    const tac_node *z = NULL;

    TAC_TRY(tac_read_columns(top, columns, model));
    TAC_TRY(tac_list_integers(top, "column_clusters", clusters, 0, tac_blocks_width(b) - 1,
                              "must be the number of a column of the table, from 0",
                              b->column_cluster));
    TAC_TRY(tac_field_list(top, "column_z", -1, &z));
    if (tac_node_count(z) > 0) {
        TAC_TRY(tac_field_list(top, "column_z", model->dims, &z));
        TAC_TRY(tac_new(top->ctx, (size_t)model->dims, sizeof *b->column_z, &b->column_z));
        TAC_TRY(tac_list_maybes(top, "column_z", z, b->column_z));
    }
done:
    return status;
}

tacit_status tac_read_blocks(const tac_section *top, tacit_model **out)
{
    tacit_status status;
    const tac_node *columns = NULL, *clusters = NULL, *table = NULL, *sizes = NULL;
    tac_section section;
    rule_lists lists = {0};
    tacit_model *model = NULL;
    int64_t k = 0;
    bool rest = false;
    int word = 0;

    TAC_TRY(tac_field_integer(top, "row_clusters", 1, TAC_MODEL_K_MAX, &k));
    TAC_TRY(tac_field_bool(top, "rest", &rest));
    TAC_TRY(tac_field_list(top, "columns", -1, &columns));
    const size_t dims = tac_node_count(columns);
    if (dims < 1 || dims > TAC_MODEL_DIMS_MAX)
        return tac_field_refuse(top, "columns", "must name 1 to 16777216 columns");
    TAC_TRY(tac_field_list(top, "column_clusters", (int64_t)dims, &clusters));
    TAC_TRY(tac_field_list(top, "table", k, &table));
    const size_t width = tac_node_count(tac_node_at(table, 0));
    if (width < (rest ? 2 : 1) || width > TAC_MODEL_K_MAX)
        return tac_field_refuse(top, "table[0]", "must have an entry for each column cluster");
    TAC_TRY(tac_check_table(top, "table", (int32_t)k, (int32_t)width, "one per column cluster",
                            &table));
    TAC_TRY(tac_field_list(top, "row_sizes", k, &sizes));
    TAC_TRY(find_rule(top, (int32_t)dims, &section, &lists));
    TAC_TRY(tac_model_new_blocks(top->ctx, (int32_t)k, (int32_t)width - rest, rest, (int32_t)dims,
                                 lists.count, lists.profiles, &model));
    TAC_TRY(read_asked(top, model->blocks));
    TAC_TRY(tac_read_table(top, "table", table, (int32_t)width, tac_list_numbers,
                           model->blocks->table));
    TAC_TRY(tac_field_maybe(top, "table_sd", &model->blocks->table_sd));
    TAC_TRY(tac_field_word(top, "table_unit", tac_table_words, 2, &word));
    TAC_TRY(tac_field_text(top, "table_unit", &model->blocks->unit));
    TAC_TRY(check_derived(top, model));
    TAC_TRY(tac_list_maybes(top, "row_sizes", sizes, model->sizes));
    TAC_TRY(tac_field_maybe(top, "row_sizes_sd", &model->sizes_sd));
    TAC_TRY(read_shape(top, model));
    TAC_TRY(read_columns(top, columns, clusters, model));
    TAC_TRY(read_rule(&section, &lists, model));
    TAC_TRY(tac_read_labels(top, "must be the number of a row cluster, from 0", model));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}
