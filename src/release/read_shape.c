/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of a release back from its file. Memory is taken only for numbers that are really
   there. */
#include "release/read_shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every row of the table there and of the right length, before a byte is allocated for it. each:
   what an entry stands for. */
static tacit_status check_rows(const tac_section *top, const char *name, const tac_node *table,
                               int32_t rows, int32_t wide, const char *each)
{
    char field[96], cause[96];

    if (!tac_node_is(table, TAC_NODE_LIST))
        return tac_field_refuse(top, name, "must be a list [...]");
    if (tac_node_count(table) != (size_t)rows) {
        snprintf(cause, sizeof cause, "must have %d %s", rows, rows == 1 ? "entry" : "entries");
        return tac_field_refuse(top, name, cause);
    }
    for (size_t i = 0; i < (size_t)rows; i++) {
        const tac_node *row = tac_node_at(table, i);
        snprintf(field, sizeof field, "%s[%zu]", name, i);
        if (!tac_node_is(row, TAC_NODE_LIST))
            return tac_field_refuse(top, field, "must be a list [...]");
        if (tac_node_count(row) == (size_t)wide) continue;
        snprintf(cause, sizeof cause, "must have %d %s, %s", wide, wide == 1 ? "entry" : "entries",
                 each);
        return tac_field_refuse(top, field, cause);
    }
    return TACIT_OK;
}

tacit_status tac_check_table(const tac_section *top, const char *name, int32_t k, int32_t wide,
                             const char *each, const tac_node **out)
{
    tacit_status status;

    TAC_TRY(tac_field_list(top, name, k, out));
    TAC_TRY(check_rows(top, name, *out, k, wide, each));
done:
    return status;
}

tacit_status tac_read_table(const tac_section *top, const char *name, const tac_node *table,
                            int32_t dims, tac_list_reader *read, double *out)
{
    for (size_t i = 0; i < tac_node_count(table); i++) {
        char field[96];
        snprintf(field, sizeof field, "%s[%zu]", name, i);
        const tacit_status status = read(top, field, tac_node_at(table, i), out + i * (size_t)dims);
        if (status != TACIT_OK) return status;
    }
    return TACIT_OK;
}

static int by_name(const void *a, const void *b)
{
    const tac_node *const *x = a, *const *y = b;
    const int order = strcmp((*x)->text, (*y)->text);
    return order != 0 ? order : *x < *y ? -1 : *x > *y; /* of equal ones the later is the fault */
}

/* A column twice has no meaning: of a row's two coordinates one would be lost. */
static tacit_status check_apart(const tac_section *top, const tac_node *columns)
{
    tacit_status status;
    const size_t count = tac_node_count(columns);
    const tac_node **sorted = NULL;
    char field[64];

    TAC_TRY(tac_new(top->ctx, count, sizeof *sorted, &sorted));
    for (size_t j = 0; j < count; j++) sorted[j] = tac_node_at(columns, j);
    qsort(sorted, count, sizeof *sorted, by_name);
    for (size_t j = 1; j < count; j++) {
        if (strcmp(sorted[j]->text, sorted[j - 1]->text) != 0) continue;
        snprintf(field, sizeof field, "columns[%zu]", (size_t)(sorted[j] - columns->child));
        status = tac_field_refuse(top, field, "is there twice");
        break;
    }
done:
    tac_free(sorted);
    return status;
}

tacit_status tac_read_columns(const tac_section *top, const tac_node *columns, tacit_model *model)
{
    tacit_status status = TACIT_OK;
    char field[64];

    for (size_t j = 0; j < tac_node_count(columns); j++) {
        const tac_node *name = tac_node_at(columns, j);
        snprintf(field, sizeof field, "columns[%zu]", j);
        if (!tac_node_is(name, TAC_NODE_TEXT))
            return tac_field_refuse(top, field, "must be a text");
        TAC_TRY(tac_model_set_text(top->ctx, &model->column[j], tac_node_text(name)));
    }
    TAC_TRY(check_apart(top, columns));
done:
    return status;
}

/* The columns, the centers and their sizes; makes the model once its shape is known to be in the
   file. */
static tacit_status read_centers(const tac_section *top, int32_t k, int32_t dims, tacit_model **out)
{
    tacit_status status;
    const tac_node *centers = NULL, *sd = NULL;
    tacit_model *model = NULL;

    TAC_TRY(tac_check_table(top, "centers", k, dims, "one per column", &centers));
    TAC_TRY(tac_check_table(top, "centers_noise_sd", k, dims, "one per column", &sd));
    TAC_TRY(tac_model_new(top->ctx, k, dims, &model));
    TAC_TRY(tac_read_table(top, "centers", centers, dims, tac_list_numbers, model->centers));
    TAC_TRY(tac_read_table(top, "centers_noise_sd", sd, dims, tac_list_maybes, model->centers_sd));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}

/* A table that is empty where there is nothing to tell; *numbers becomes the model's. */
static tacit_status read_extra(const tac_section *top, const char *name, int32_t k, int32_t wide,
                               const char *each, double **numbers)
{
    tacit_status status;
    const tac_node *table = NULL;

    TAC_TRY(tac_field_list(top, name, -1, &table));
    if (tac_node_count(table) == 0) return TACIT_OK;
    TAC_TRY(tac_check_table(top, name, k, wide, each, &table));
    TAC_TRY(tac_new(top->ctx, (size_t)k * (size_t)wide, sizeof **numbers, numbers));
    TAC_TRY(tac_read_table(top, name, table, wide, tac_list_numbers, *numbers));
done:
    return status;
}

tacit_status tac_read_labels(const tac_section *top, const char *wrong, tacit_model *model)
{
    tacit_status status;
    const tac_node *list = NULL;

    TAC_TRY(tac_field_list(top, "labels", -1, &list));
    const size_t rows = tac_node_count(list);
    if (rows == 0) return TACIT_OK;
    TAC_TRY(tac_new(top->ctx, rows, sizeof *model->labels, &model->labels));
    model->rows = (int64_t)rows;
    TAC_TRY(tac_list_integers(top, "labels", list, 0, model->k - 1, wrong, model->labels));
done:
    return status;
}

/* The same for subspaces: k lists of dims lines of q numbers. */
static tacit_status read_subspaces(const tac_section *top, int32_t k, int32_t dims,
                                   tacit_model **out)
{
    tacit_status status;
    const tac_node *list = NULL;
    tacit_model *model = NULL;
    char field[64];
    int64_t q = 0;

    TAC_TRY(tac_field_integer(top, "q", 1, dims - 1, &q));
    TAC_TRY(tac_field_list(top, "subspaces", k, &list));
    for (int32_t i = 0; i < k; i++) { /* all there, before memory is taken */
        snprintf(field, sizeof field, "subspaces[%d]", i);
        TAC_TRY(check_rows(top, field, tac_node_at(list, (size_t)i), dims, (int32_t)q,
                           "one per dimension"));
    }
    TAC_TRY(tac_model_new_subspaces(top->ctx, k, (int32_t)q, dims, &model));
    for (int32_t i = 0; i < k; i++) {
        snprintf(field, sizeof field, "subspaces[%d]", i);
        TAC_TRY(tac_read_table(top, field, tac_node_at(list, (size_t)i), (int32_t)q,
                               tac_list_numbers,
                               model->subspaces + (size_t)i * (size_t)dims * (size_t)q));
    }
    TAC_TRY(read_extra(top, "offsets", k, dims, "one per column", &model->offsets));
    TAC_TRY(read_extra(top, "profile", k, (int32_t)q, "one per dimension", &model->profile));
    TAC_TRY(tac_read_labels(top, "must be the number of a subspace, from 0", model));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}

tacit_status tac_read_shape(const tac_section *top, bool subspace, tacit_model **out)
{
    tacit_status status;
    const tac_node *columns = NULL, *sizes = NULL;
    tacit_model *model = NULL;
    int64_t k = 0;

    TAC_TRY(tac_field_integer(top, "k", 1, TAC_MODEL_K_MAX, &k));
    TAC_TRY(tac_field_list(top, "columns", -1, &columns));
    const size_t dims = tac_node_count(columns);
    if (dims < (subspace ? 2 : 1) || dims > TAC_MODEL_DIMS_MAX)
        return tac_field_refuse(top, "columns",
                                subspace ? "must name 2 to 16777216 columns"
                                         : "must name 1 to 16777216 columns");
    TAC_TRY((subspace ? read_subspaces : read_centers)(top, (int32_t)k, (int32_t)dims, &model));
    TAC_TRY(tac_field_list(top, "sizes", k, &sizes));
    TAC_TRY(tac_read_columns(top, columns, model));
    TAC_TRY(tac_list_maybes(top, "sizes", sizes, model->sizes));
    TAC_TRY(tac_field_maybe(top, "sizes_noise_sd", &model->sizes_sd));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}
