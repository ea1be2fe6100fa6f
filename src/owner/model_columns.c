/* SPDX-License-Identifier: Apache-2.0 */
/* The model's columns among those of the data. */
#include "owner/model_columns.h"

#include <stdlib.h>
#include <string.h>

typedef struct named {
    const char *name;
    int32_t column;
} named;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

/* Coordinates by their features, which the data has by now (tac_data_adopt_features). */
static tacit_status match_features(const tacit_model *model, const tacit_data *data, int32_t *from)
{
    const tac_features *of = &model->geometry.features;

    for (int32_t i = 0; i < of->count; i++) {
        const int32_t j = tac_data_find_used(data, of->feature[i].name);
        for (int32_t w = 0; w < of->feature[i].width; w++)
            from[of->feature[i].first + w] = data->features.feature[j].first + w;
    }
    return TACIT_OK;
}

/* The contract stands in model_columns.h. Names are sorted first: there may be a million. A release
   of another format, or of tacit before 0.3, may call a numbered column by the other numbering. */
tacit_status tac_match_columns(tacit_ctx *ctx, const tacit_model *model, const tacit_data *data,
                               bool may_lack, int32_t *from)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)tacit_data_column_count(data);
    const tac_schema *schema = &data->reader->schema;
    named *names = NULL;

    if (model->geometry.features.count > 0) return match_features(model, data, from);
    TAC_TRY(tac_new(ctx, columns, sizeof *names, &names));
    for (size_t i = 0; i < columns; i++)
        names[i] = (named){tacit_data_column_get(data, (int32_t)i), (int32_t)i};
    qsort(names, columns, sizeof *names, by_name);
    for (int32_t j = 0; j < model->dims; j++) {
        named wanted = {.name = model->column[j]};
        const named *found = bsearch(&wanted, names, columns, sizeof *names, by_name);
        const int32_t place = found == NULL && tac_data_numbered(data)
                                  ? tac_number_place(wanted.name, schema->columns)
                                  : -1;
        if (place >= 0) {
            wanted.name = schema->names[place];
            found = bsearch(&wanted, names, columns, sizeof *names, by_name);
        }
        if (found == NULL && !may_lack) {
            status = tac_fail(ctx, TACIT_E_ARGUMENT,
                              "%s: the model was made with a column '%s' that the data does not "
                              "have; use the file the model was made from, or one with the same "
                              "columns",
                              data->path, model->column[j]);
            goto done;
        }
        from[j] = found == NULL ? -1 : found->column;
    }
done:
    tac_free(names);
    return status;
}
