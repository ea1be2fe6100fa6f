/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller says about rows in memory that a file would say itself: names, whose rows they are,
   known classes. */
#include "data/dataset/dataset.h"
#include "data/readers/reader_internal.h"

#include <stdlib.h>
#include <string.h>

static tacit_status check_in_memory(tacit_ctx *ctx, const tacit_data *data, const char *what)
{
    if (data->path[0] == '\0') return TACIT_OK;
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "%s: %s can be set for rows in memory only; name a column of the file in "
                    "tacit_data_opts",
                    data->path, what);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static tacit_status check_names(tacit_ctx *ctx, const char *const *names, int32_t count)
{
    tacit_status status = TACIT_OK;
    const char **sorted = NULL;

    for (int32_t j = 0; j < count; j++) {
        if (names[j] == NULL || names[j][0] == '\0')
            return tac_fail(ctx, TACIT_E_ARGUMENT,
                            "the name of column %d is empty; give every column a name", j + 1);
        if (!tac_is_utf8(names[j], strlen(names[j])))
            return tac_fail(ctx, TACIT_E_ARGUMENT,
                            "the name of column %d is not UTF-8; give it another", j + 1);
    }
    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *sorted, &sorted));
    memcpy(sorted, names, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_names);
    for (int32_t j = 1; j < count && status == TACIT_OK; j++)
        if (strcmp(sorted[j - 1], sorted[j]) == 0)
            status = tac_fail(ctx, TACIT_E_ARGUMENT,
                              TAC_COLUMN " is there twice; names must differ", sorted[j]);
done:
    tac_free(sorted);
    return status;
}

tacit_status tacit_data_set_columns(tacit_ctx *ctx, tacit_data *data, const char *const *names)
{
    tacit_status status = TACIT_OK;
    tac_schema *schema = &data->reader->schema;
    size_t bytes = 0;
    char **copies = NULL, *text = NULL;

    TAC_TRY(check_in_memory(ctx, data, "names of columns"));
    if (names == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "names of columns are missing; give one for each column");
    TAC_TRY(check_names(ctx, names, schema->columns));
    for (int32_t j = 0; j < schema->columns; j++) bytes += strlen(names[j]) + 1;
    TAC_TRY(tac_new(ctx, (size_t)schema->columns, sizeof *copies, &copies));
    TAC_TRY(tac_new(ctx, bytes, 1, &text));
    /* one block, owned by the first: as tac_schema_clear expects */
    for (int32_t j = 0; j < schema->columns; j++) {
        copies[j] = j == 0 ? text : copies[j - 1] + strlen(copies[j - 1]) + 1;
        strcpy(copies[j], names[j]);
    }
    tac_free(schema->names[0]);
    tac_free(schema->names);
    schema->names = copies;
    data->named = true;
    return TACIT_OK;
done:
    tac_free(copies);
    tac_free(text);
    return status;
}

tacit_status tacit_data_set_units(tacit_ctx *ctx, tacit_data *data, const int64_t *units,
                                  const char *name)
{
    tacit_status status = TACIT_OK;
    char *copy = NULL;

    TAC_TRY(check_in_memory(ctx, data, "whose rows they are"));
    if (units != NULL) {
        copy = tac_strdup(ctx, name == NULL || *name == '\0' ? "person" : name);
        if (copy == NULL) return TACIT_E_MEMORY;
    }
    tac_free(data->unit_name);
    data->unit_name = copy;
    data->told_unit = units;
    data->has_units = units != NULL;
done:
    return status;
}

tacit_status tac_data_units(const tacit_data *data, int64_t first, int64_t count, tac_person *out)
{
    if (data->told_unit == NULL) return data->reader->read_units(data->reader, first, count, out);
    for (int64_t i = 0; i < count; i++) {
        const int64_t unit = data->told_unit[first + i];
        out[i] = unit < 0 ? (tac_person){0, 0} : tac_person_of_signed(&data->person_key, unit);
    }
    return TACIT_OK;
}

tacit_status tacit_data_set_features(tacit_ctx *ctx, tacit_data *data, const tacit_data_opts *opts)
{
    tacit_status status = TACIT_OK;
    tacit_data_opts o;

    tacit_data_opts_init(&o, sizeof o);
    TAC_TRY(check_in_memory(ctx, data, "what columns are"));
    TAC_TRY(tac_read_opts(ctx, "tacit_data_opts", opts, &o, sizeof o));
    if (data->loaded || data->domain.kind != TAC_DOMAIN_NONE)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "what columns are is said before their bounds and before rows are read");
    tac_features_clear(&data->features);
    TAC_TRY(tac_data_say_features(ctx, data, &o));
done:
    return status;
}

tacit_status tacit_data_set_labels(tacit_ctx *ctx, tacit_data *data, const int64_t *labels)
{
    tacit_status status = TACIT_OK;

    /* A file must be read first: only then can the caller know how many classes there have to
       be. */
    if (data->selection.label >= 0 || !data->loaded)
        TAC_TRY(check_in_memory(ctx, data, "known classes"));
    data->told_label = labels;
    if (data->loaded) data->reader->label = labels;
done:
    return status;
}

const char *tac_data_unit_name(const tacit_data *data)
{
    if (!data->has_units) return NULL;
    const tac_schema *schema = &data->reader->schema;
    const int32_t unit = data->selection.unit;
    return data->unit_name != NULL  ? data->unit_name
           : unit < schema->columns ? schema->names[unit]
                                    : schema->side[unit - schema->columns];
}
