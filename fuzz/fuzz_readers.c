/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes to any reader: the first byte chooses the format, the second the threads and the size
   of pieces, and whether there is a dialect and columns have rules. Text is read a second time
   within a limit that holds no row of it: the same rows, a few at a time, or the same error. */
#include "fuzz.h"
#include "data/readers/reader.h"

/* held: the file in memory, loaded with `status`. A file that cannot be
   read again (packed, UTF-16) is refused as an argument. */
static void read_again(tacit_ctx *ctx, const char *path, tacit_format format,
                       const tac_shape *shape, const tac_selection *s, tac_reader *held,
                       tacit_status status)
{
    tac_reader *r = NULL;
    double one[1024], other[1024];

    if (tac_open_shaped(ctx, path, format, shape, &r) != TACIT_OK) abort();
    ctx->memory = 1;
    const tacit_status again = r->load(r, ctx, s);
    ctx->memory = 0;
    if (again != status && again != TACIT_E_ARGUMENT) abort();
    if (again == TACIT_OK) {
        if (r->rows != held->rows) abort();
        const int64_t rows = r->rows < 100 ? r->rows : 100, step = 1 + r->rows % 7;
        for (int64_t i = 0; i < rows && step * s->dims <= 1024; i += step) {
            const int64_t some = rows - i < step ? rows - i : step;
            if (held->read(held, i, some, one) != TACIT_OK ||
                r->read(r, i, some, other) != TACIT_OK ||
                memcmp(one, other, (size_t)(some * s->dims) * sizeof *one) != 0)
                abort();
        }
    }
    r->close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[64];
    tacit_ctx *ctx = NULL;
    tac_reader *r = NULL;

    if (count < 2 || tacit_ctx_new(&ctx) != TACIT_OK) return 0;
    ctx->threads = 1 + bytes[1] % 3;
    ctx->block_bytes = 1 + bytes[1];
    const int fd = memory_file(bytes + 2, count - 2, path);
    const tacit_format format = (tacit_format)(1 + bytes[0] % tacit_format_count());
    const bool text = format == TACIT_FORMAT_CSV || format == TACIT_FORMAT_TSV,
               europe = text && (bytes[1] & 64) != 0;
    const tac_shape shape = {.dialect = {.decimal = europe ? ',' : 0,
                                         .thousands = europe ? '.' : 0,
                                         .skip_lines = europe ? bytes[1] & 1 : 0}};
    if (tac_open_shaped(ctx, path, format, &shape, &r) == TACIT_OK) {
        const int32_t all = r->schema.columns;
        int32_t *column = malloc((size_t)all * sizeof *column);
        static char *words[] = {"north", "NA", "1.5"};
        tac_value_rule *rule = calloc((size_t)all, sizeof *rule);
        for (int32_t j = 0; rule != NULL && j < all; j++)
            rule[j] = (tac_value_rule){.kind = (tac_value_kind)(j % 3), .words = 3, .word = words};
        tac_selection s = {.column = column,
                           .label = bytes[0] & 64 ? all - 1 : -1,
                           .unit = bytes[0] & 128 ? 0 : -1,
                           .missing =
                               bytes[0] & 32 ? TACIT_MISSING_REJECT_FILE : TACIT_MISSING_MIDPOINT,
                           .counts = bytes[1] & 128};
        if (text && (bytes[1] & 32) != 0) s.rule = rule;
        if (s.unit == r->schema.label_only) s.unit = -1;
        /* A sparse file may declare a great many empty rows; codes for them would only use up
           memory. */
        if (tac_format_traits_of(format)->sparse && r->schema.label_only < 0) s.label = s.unit = -1;
        for (int32_t j = 0; j < all; j++)
            if (j != s.label && j != s.unit && j != r->schema.label_only) column[s.dims++] = j;
        const tacit_status loaded = s.dims > 0 ? r->load(r, ctx, &s) : TACIT_E_ARGUMENT;
        if (s.dims > 0 && text) read_again(ctx, path, format, &shape, &s, r, loaded);
        if (loaded == TACIT_OK && (int64_t)s.dims * 8 < 1 << 24) {
            const int64_t some = r->rows < 100 ? r->rows : 100;
            double *rows = malloc((size_t)some * (size_t)s.dims * sizeof *rows);
            if (rows == NULL || r->read(r, 0, some, rows) != TACIT_OK ||
                r->read(r, r->rows - some, some, rows) != TACIT_OK)
                abort();
            free(rows);
        } else if (s.dims > 0 && ctx->message[0] == '\0') {
            abort(); /* every refusal has a sentence */
        }
        r->close(r);
        free(column);
        free(rule);
    }
    close(fd);
    tacit_ctx_free(ctx);
    return 0;
}
