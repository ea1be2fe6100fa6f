/* SPDX-License-Identifier: Apache-2.0 */
/* A data set as options describe it. The first byte chooses the format; then come a line for the
   columns, one for the label column, one for the unit column, one with words of a vocabulary
   (separated by blanks; none: no vocabulary), and the file. */
#include "fuzz.h"
#include "data/dataset/dataset.h"

static const char *some(const char *text)
{
    return *text == '\0' ? NULL : text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    tacit_ctx *ctx = NULL;
    tacit_data *data = NULL;
    tacit_data_opts opts;
    char path[64], words_path[64];

    if (count < 1) return 0;
    MUST_BE(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    tacit_data_opts_init(&opts, sizeof opts);
    opts.format = (tacit_format)(bytes[0] % 7);
    opts.missing = bytes[0] & 64 ? TACIT_MISSING_REJECT_FILE : TACIT_MISSING_MIDPOINT;
    if (bytes[0] & 128) opts.shape_columns = 3;
    bytes++;
    count--;
    char *columns = take_line(&bytes, &count), *label = take_line(&bytes, &count),
         *unit = take_line(&bytes, &count), *words = take_line(&bytes, &count);
    opts.columns = some(columns);
    opts.label_column = some(label);
    opts.unit_column = some(unit);
    const size_t length = strlen(words);
    for (size_t i = 0; i < length; i++)
        if (words[i] == ' ') words[i] = '\n';
    const int dictionary = memory_file((const uint8_t *)words, length, words_path);
    if (length > 0) opts.vocabulary = words_path;
    const int fd = memory_file(bytes, count, path);

    tacit_status status = tacit_data_open(ctx, path, &opts, &data);
    expect_sentence(ctx, status);
    MUST_BE((status == TACIT_OK) == (data != NULL));
    if (status == TACIT_OK) {
        const int32_t dims = tacit_data_column_count(data);
        MUST_BE(dims > 0);
        for (int32_t j = 0; j < dims && j < 1000; j++)
            MUST_BE(tacit_data_column_get(data, j)[0] != '\0');
        status = tacit_data_declare_bounds(ctx, data, "0:1");
        expect_sentence(ctx, status);
        const tac_schema *schema = &data->reader->schema;
        /* A sparse file may declare a great many empty rows; owners for them would only use up
           memory. */
        if (status == TACIT_OK && schema != NULL && unit[0] == '\0' && label[0] == '\0') {
            status = tac_data_load(ctx, data, NULL);
            expect_sentence(ctx, status);
        }
    }
    tacit_data_free(data);
    close(fd);
    close(dictionary);
    free(columns);
    free(label);
    free(unit);
    free(words);
    tacit_ctx_free(ctx);
    return 0;
}
