/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a release. What is read is written and read again: the same bytes. Then whatever the
   command does with a model: shown, drawn, measured and used on rows. What people see is plain
   text, whatever the file says. */
#include "fuzz.h"

#include "cli/cli.h"

#include <math.h>

#define MOST_COLUMNS 100
#define MOST_MEASURED 20 /* clusters and columns: plain solvers take time */

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

/* ---- used on rows ---- */

/* Two rows at the edges of what doubles hold or, for a table of counts, of small counts. */
static tacit_data *two_rows(tacit_ctx *ctx, const tacit_model *model, double *value,
                            const char **name)
{
    const int32_t columns = tacit_model_column_count(model);
    const bool counts = tacit_model_table(model, NULL) != NULL;
    tacit_data *data = NULL;

    for (int32_t j = 0; j < columns; j++) {
        value[j] = counts ? j % 3 : 0;
        value[columns + j] = counts ? 7 * (j % 2) : j % 2 == 0 ? 1e308 : -1e308;
        name[j] = tacit_model_column_get(model, j);
    }
    if (tacit_data_from_memory(ctx, value, TACIT_F64, 2, columns, &data) == TACIT_OK &&
        tacit_data_set_columns(ctx, data, name) == TACIT_OK)
        return data;
    tacit_data_free(data);
    return NULL;
}

/* Cut again and drawn from: refused with a sentence, or a release that can be written. */
static void derive(tacit_ctx *ctx, const tacit_model *model)
{
    tacit_model *other = NULL;
    double *rows = NULL;
    char *text = NULL;

    const int32_t cells = tacit_model_cells(model), k = tacit_model_k(model);
    if (cells > MOST_MEASURED * MOST_MEASURED || k > MOST_COLUMNS) return;
    const tacit_status status =
        tacit_model_recut(ctx, model, cells > 1 ? cells / 2 : 1, cells % 2, &other);
    expect_sentence(ctx, status);
    MUST_BE((status == TACIT_OK) == (other != NULL));
    if (other != NULL) {
        MUST_BE(tacit_model_json(ctx, other, &text) == TACIT_OK);
        tacit_model *again = read_model(ctx, text, strlen(text));
        MUST_BE(again != NULL && tacit_model_cut_from(again) == k);
        tacit_model_free(again);
    }
    const tacit_status drawn = tacit_model_synthesize(ctx, model, 3, 1, &rows);
    expect_sentence(ctx, drawn);
    for (int32_t j = 0; drawn == TACIT_OK && j < 3 * tacit_model_feature_count(model); j++)
        MUST_BE(isfinite(rows[j]));
    tacit_free(rows);
    tacit_free(text);
    tacit_model_free(other);
}

static void use(tacit_ctx *ctx, const tacit_model *model)
{
    const int32_t columns = tacit_model_column_count(model), k = tacit_model_k(model);
    int32_t *labels = NULL;
    int64_t rows = 0;

    if (columns > MOST_COLUMNS) return;
    double *value = calloc(2 * (size_t)columns, sizeof *value);
    const char **name = calloc((size_t)columns, sizeof *name);
    MUST_BE(value != NULL && name != NULL);
    tacit_data *data = two_rows(ctx, model, value, name);
    if (data != NULL) {
        const tacit_status status = tacit_model_predict(ctx, model, data, &labels, &rows);
        expect_sentence(ctx, status);
        MUST_BE(status != TACIT_OK ||
                (rows == 2 && labels[0] >= 0 && labels[0] < k && labels[1] >= 0 && labels[1] < k));
    }
    if (data != NULL && columns <= MOST_MEASURED && k <= MOST_MEASURED &&
        tacit_model_l(model) <= MOST_MEASURED) {
        tacit_evaluation e;
        tacit_evaluation_init(&e, sizeof e);
        const tacit_status status = tacit_model_evaluate(ctx, model, data, 1, &e);
        expect_sentence(ctx, status);
        MUST_BE(status != TACIT_OK || e.rows == 2);
    }
    tacit_free(labels);
    tacit_data_free(data);
    free(name);
    free(value);
}

/* ---- shown ---- */

typedef struct caught {
    char *text;
    size_t length;
    FILE *file, *kept;
} caught;

/* From now on *stream, stdout or stderr, is memory. */
static void begin(caught *c, FILE **stream)
{
    c->kept = *stream;
    c->file = open_memstream(&c->text, &c->length);
    MUST_BE(c->file != NULL);
    *stream = c->file;
}

static void end(caught *c, FILE **stream)
{
    *stream = c->kept;
    MUST_BE(fclose(c->file) == 0);
}

/* Lines of plain text: no terminal obeys them, none is turned around. */
static void check_plain(const caught *c)
{
    for (size_t at = 0, length; at < c->length; at += length) {
        uint32_t code = 0;
        length = tac_utf8(c->text + at, c->length - at, &code);
        MUST_BE(length > 0 && (code == '\n' || tac_is_plain(code)));
    }
}

/* Every bracket is one of our own tags'. */
static void check_tags(const caught *c)
{
    static const char *const tags[] = {"<svg ", "</svg>", "<rect ", "<text ", "</text>"};
    bool inside = false;

    for (const char *at = c->text; *at != '\0'; at++) {
        bool known = *at != '<';
        for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
            known = known || strncmp(at, tags[i], strlen(tags[i])) == 0;
        MUST_BE(known && (*at != '<' || !inside) && (*at != '>' || inside));
        inside = *at == '<' || (inside && *at != '>');
        if (*at == '&')
            MUST_BE(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 ||
                    strncmp(at, "&gt;", 4) == 0);
    }
    MUST_BE(!inside);
}

static void show(tacit_ctx *ctx, const tacit_model *model)
{
    cli c = {.ctx = ctx};
    caught out = {0}, said = {0}, drawn = {0};

    cli_values_init(&c);
    begin(&out, &stdout);
    begin(&said, &stderr);
    const int code = cli_show_model(&c, model);
    cli_warn_model(&c, model);
    end(&out, &stdout);
    end(&said, &stderr);
    MUST_BE(code == EXIT_OK);
    check_plain(&out);
    check_plain(&said);
    MUST_BE(tacit_model_is_private(model) == (strncmp(out.text, "NOT PRIVATE: ", 13) != 0));
    if (tacit_model_table(model, NULL) != NULL) {
        begin(&drawn, &stdout);
        const int picture = cli_write_picture(&c, model, NULL);
        end(&drawn, &stdout);
        MUST_BE(picture == EXIT_OK);
        check_plain(&drawn);
        check_tags(&drawn);
        MUST_BE(tacit_model_is_private(model) == (strstr(drawn.text, "fill=\"#b00\">NOT "
                                                                     "PRIVATE: ") == NULL));
    }
    free(out.text);
    free(said.text);
    free(drawn.text);
}

#ifdef WITH_LIBFUZZER
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t most, unsigned seed);

/* Where a number or a text begins at or after `at`; its end in *end. `count`: there is none. */
static size_t find_value(const uint8_t *bytes, size_t count, size_t at, size_t *end)
{
    for (; at < count; at++) {
        const bool number = strchr("-0123456789", bytes[at]) != NULL && bytes[at] != '\0';
        if (!number && bytes[at] != '"') continue;
        *end = at + 1;
        if (number)
            while (*end < count && strchr("+-.0123456789eE", bytes[*end]) != NULL &&
                   bytes[*end] != '\0')
                ++*end;
        else {
            while (*end < count && bytes[*end] != '"') *end += bytes[*end] == '\\' ? 2 : 1;
            *end = *end < count ? *end + 1 : count;
        }
        return at;
    }
    return count;
}

/* Bytes changed anywhere seldom leave a release. Every other time one number or text is changed,
   and the rest stays whole. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t most, unsigned seed)
{
    static const char *const values[] = {"0",
                                         "-0.0",
                                         "-1",
                                         "1",
                                         "2",
                                         "3",
                                         "0.5",
                                         "1e308",
                                         "-1e308",
                                         "1.7976931348623157e308",
                                         "5e-324",
                                         "1e30",
                                         "1e-30",
                                         "2147483647",
                                         "1000000",
                                         "null",
                                         "true",
                                         "false",
                                         "[]",
                                         "{}",
                                         "\"row\"",
                                         "\"entry\"",
                                         "\"a\"",
                                         "\"\"",
                                         "\"none: x\"",
                                         "\"\\u001b[2J\\n\"",
                                         "\"\\u202e</text><b>&\"",
                                         "\"\xf0\x9f\x98\x80\xe2\x80\xa8\xc2\x9b\"",
                                         "\"person (column \\u2066)\"",
                                         "\"replace\"",
                                         "\"auto\""};
    size_t end = 0, again = 0;

    if (seed % 2 == 0 || count == 0) return LLVMFuzzerMutate(bytes, count, most);
    seed = seed / 2 * 2654435761u;
    const size_t at = find_value(bytes, count, (seed >> 8) % count, &end),
                 from = find_value(bytes, count, (seed >> 4) % count, &again);
    const bool other = seed % 3 == 0 && from < count; /* one that is there already */
    const char *word = values[(seed >> 20) % (sizeof values / sizeof *values)];
    const size_t length = other ? again - from : strlen(word);
    uint8_t copy[512];
    if (at == count || length > sizeof copy || count - (end - at) + length > most)
        return LLVMFuzzerMutate(bytes, count, most);
    memcpy(copy, other ? bytes + from : (const uint8_t *)word, length);
    memmove(bytes + at + length, bytes + end, count - end);
    memcpy(bytes + at, copy, length);
    return count - (end - at) + length;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    tacit_ctx *ctx = NULL;
    char *text = NULL, *again = NULL;
    double sine = 0;

    MUST_BE(tacit_ctx_new(&ctx) == TACIT_OK && tacit_ctx_set_threads(ctx, 1) == TACIT_OK);
    tacit_model *model = read_model(ctx, bytes, count), *copy = NULL;
    if (model != NULL) {
        MUST_BE(tacit_model_json(ctx, model, &text) == TACIT_OK);
        copy = read_model(ctx, text, strlen(text));
        MUST_BE(copy != NULL && tacit_model_json(ctx, copy, &again) == TACIT_OK &&
                strcmp(text, again) == 0);
        MUST_BE(tacit_model_is_private(copy) == tacit_model_is_private(model));
        const tacit_status status = tacit_subspace_distance(ctx, model, copy, &sine, NULL);
        expect_sentence(ctx, status);
        MUST_BE(status != TACIT_OK || (sine >= 0 && isfinite(sine)));
        show(ctx, model);
        use(ctx, model);
        if (tacit_model_column_count(model) <= MOST_COLUMNS) derive(ctx, model);
    }
    tacit_free(text);
    tacit_free(again);
    tacit_model_free(copy);
    tacit_model_free(model);
    tacit_ctx_free(ctx);
    return 0;
}
