/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a release. What is read is written and read again: the same bytes. And it can be used on rows. */
#include "fuzz.h"

static tacit_model *read_model(tacit_ctx *ctx, const void *bytes, size_t count)
{
    char path[64];
    tacit_model *model = NULL;
    const int fd = memory_file(bytes, count, path);
    const tacit_status status = tacit_model_read(ctx, path, &model);

    close(fd);
    expect_sentence(ctx, status);
    MUST_BE((status == TACIT_OK) == (model != NULL));
    return model;
}

/* Two rows at the edges of what doubles hold. */
static void use(tacit_ctx *ctx, const tacit_model *model)
{
    const int32_t columns = tacit_model_columns(model);
    tacit_data *data = NULL;
    int32_t *labels = NULL;
    int64_t rows = 0;

    if (columns < 1 || columns > 100) return;
    double *value = calloc(2 * (size_t)columns, sizeof *value);
    const char **name = calloc((size_t)columns, sizeof *name);
    MUST_BE(value != NULL && name != NULL);
    for (int32_t j = 0; j < columns; j++) {
        value[columns + j] = j % 2 == 0 ? 1e308 : -1e308;
        name[j] = tacit_model_column(model, j);
    }
    if (tacit_data_from_memory(ctx, value, TACIT_F64, 2, columns, &data) == TACIT_OK &&
        tacit_data_set_columns(ctx, data, name) == TACIT_OK && tacit_predict(ctx, model, data, &labels, &rows) == TACIT_OK) {
        MUST_BE(rows == 2 && labels[0] >= 0 && labels[0] < tacit_model_k(model) && labels[1] >= 0 &&
                labels[1] < tacit_model_k(model));
    }
    tacit_labels_free(labels);
    tacit_data_free(data);
    free(name);
    free(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    tacit_ctx *ctx = NULL;
    char *text = NULL, *again = NULL;

    MUST_BE(tacit_ctx_new(&ctx) == TACIT_OK);
    tacit_model *model = read_model(ctx, bytes, count), *copy = NULL;
    if (model != NULL) {
        MUST_BE(tacit_model_json(ctx, model, &text) == TACIT_OK);
        copy = read_model(ctx, text, strlen(text));
        MUST_BE(copy != NULL && tacit_model_json(ctx, copy, &again) == TACIT_OK && strcmp(text, again) == 0);
        MUST_BE(tacit_model_is_private(copy) == tacit_model_is_private(model));
        use(ctx, model);
    }
    tacit_text_free(text);
    tacit_text_free(again);
    tacit_model_free(copy);
    tacit_model_free(model);
    tacit_ctx_free(ctx);
    return 0;
}
