/* SPDX-License-Identifier: Apache-2.0 */
/* An Arrow stream as bytes describe it. Lines: the bounds, the categories, the unit column, the
   label column, words for a missing value; then a line for each column, "format name", or
   "format>values name" with a dictionary, and "*" before it for an extension type, up to an empty
   line. Then bytes: whether a ledger guards the rows, and chunk by chunk its length, offset, number
   of columns and nulls, and the same of each column, followed by what its buffers hold. Buffers are
   as long as lengths and offsets say, which is all that a producer is trusted with; the rest may be
   anything. */
#include "fuzz.h"
#include "../tests/arrow_memory.h"
#include "data/dataset/dataset.h"

#define MOST_COLUMNS 8
#define MOST_CHUNKS 6
#define TEXT_ROOM 128 /* offsets are bytes with a sign: no text lies beyond */

typedef struct source {
    const uint8_t *bytes;
    size_t count;
    int columns, chunks;
    arrow_column column[MOST_COLUMNS];
    char *line[MOST_COLUMNS];
} source;

static uint8_t next_byte(source *s)
{
    if (s->count == 0) return 0;
    s->count--;
    return *s->bytes++;
}

/* A small number that may be below 0; 127 and -128 stand for those that nobody can have. */
static int64_t next_number(source *s)
{
    const int8_t x = (int8_t)next_byte(s);
    return x == 127 ? INT64_MAX : x == -128 ? INT64_MIN : x;
}

/* How many values a buffer must have room for. */
static size_t room_of(const struct ArrowArray *array)
{
    const int64_t most = 255;
    const int64_t length = array->length < 0      ? 0
                           : array->length > most ? most
                                                  : array->length,
                  offset = array->offset < 0      ? 0
                           : array->offset > most ? most
                                                  : array->offset;
    return (size_t)(length + offset);
}

static void fill(source *s, uint8_t *to, size_t count)
{
    for (size_t i = 0; i < count; i++) to[i] = next_byte(s);
}

static void put_texts(source *s, const char *format, size_t room, arrow_memory *m,
                      struct ArrowArray *array)
{
    const bool views = format[0] == 'v', wide = format[0] == 'U';
    const size_t width = views ? 16 : wide ? 8 : 4;
    char *place = arrow_buffer(m, 1, (room + !views) * width);

    fill(s, arrow_buffer(m, 2, TEXT_ROOM), TEXT_ROOM / 8);
    if (views) {
        const int64_t size = TEXT_ROOM;
        memcpy(arrow_buffer(m, 3, 8), &size, 8);
    }
    for (size_t i = 0; i < room + !views; i++, place += width) {
        const int64_t at = (int8_t)next_byte(s);
        const int32_t length = (int32_t)at;
        memcpy(place, &at, width < 8 ? width : 8);
        if (!views) continue;
        fill(s, (uint8_t *)place + 4, 4);
        if (length > 12) {
            const int32_t where[2] = {(int32_t)next_byte(s) % 3 - 1, (int8_t)next_byte(s)};
            memcpy(place + 8, where, 8);
        }
    }
    array->n_buffers = views ? 4 : 3;
}

static void put_values(source *s, const char *format, int64_t rows, struct ArrowArray *array)
{
    arrow_memory *m = arrow_start(array);
    const uint8_t how = next_byte(s);

    /* mostly as long as the chunk, so that rows are read at all */
    array->length = how & 1 ? next_number(s) : rows;
    array->offset = how & 2 ? next_number(s) : 0;
    array->null_count = how & 4 ? next_number(s) : -1;
    const size_t room = room_of(array);
    array->n_buffers = 2;
    if (how & 8) fill(s, arrow_buffer(m, 0, (room + 7) / 8), (room + 7) / 8);
    if (strchr("uUv", format[0]) != NULL && format[0] != '\0') {
        put_texts(s, format, room, m, array);
    } else if (format[0] == 'n') {
        array->n_buffers = 0;
    } else {
        const size_t bytes = format[0] == 'b' ? (room + 7) / 8 : room * arrow_width(format);
        fill(s, arrow_buffer(m, 1, bytes), bytes);
    }
    if (how & 16) array->n_buffers = next_byte(s) % 4;
    if (how & 32) array->buffers[next_byte(s) % 4] = NULL;
}

static void put_column(source *s, const arrow_column *c, int64_t rows, struct ArrowArray *array)
{
    put_values(s, c->format, rows, array);
    if (c->listed == NULL) return;
    arrow_memory *m = array->private_data;
    m->dictionary = calloc(1, sizeof *m->dictionary);
    MUST_BE(m->dictionary != NULL);
    put_values(s, c->listed, 5, m->dictionary);
    array->dictionary = m->dictionary;
}

static int give_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    source *s = stream->private_data;

    memset(out, 0, sizeof *out);
    if (s->count == 0 || s->chunks++ == MOST_CHUNKS) return 0;
    const uint8_t how = next_byte(s);
    if (how == 255) return 5;
    arrow_memory *m = arrow_start(out);
    out->length = how & 1 ? next_number(s) : how >> 4;
    out->offset = how & 2 ? next_number(s) : 0;
    out->null_count = how & 4 ? next_number(s) : 0;
    out->n_buffers = 1;
    out->n_children = s->columns;
    m->count = s->columns;
    m->child = calloc((size_t)s->columns, sizeof *m->child);
    m->children = calloc((size_t)s->columns, sizeof *m->children);
    MUST_BE(m->child != NULL && m->children != NULL);
    out->children = m->children;
    if (how & 8) {
        const size_t bytes = (room_of(out) + 7) / 8;
        fill(s, arrow_buffer(m, 0, bytes), bytes);
        out->n_children = next_byte(s) % 16 == 15 ? next_number(s) : s->columns;
    }
    for (int c = 0; c < s->columns; c++) {
        m->children[c] = &m->child[c];
        put_column(s, &s->column[c], (int64_t)room_of(out), &m->child[c]);
    }
    return 0;
}

static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    source *s = stream->private_data;

    arrow_schema(s->column, s->columns, out);
    return 0;
}

static const char *give_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "a reason\nof\x01 several lines";
}

static void give_up(struct ArrowArrayStream *stream)
{
    MUST_BE(stream->private_data != NULL);
    stream->private_data = NULL;
    stream->release = NULL;
    arrow_live--;
}

/* "format>values name", the format of values after '>' for a dictionary. */
static void take_column(source *s, char *line)
{
    static const char extension[] = "\1\0\0\0\24\0\0\0ARROW:extension:name\1\0\0\0x";
    arrow_column *c = &s->column[s->columns];
    const bool extended = line[0] == '*';
    char *rest = line + extended, *format = strsep(&rest, " "), *listed = format;

    s->line[s->columns++] = line;
    strsep(&listed, ">");
    *c = (arrow_column){.name = rest, .format = format, .listed = listed};
    if (extended) c->metadata = extension;
}

/* The same rows, however they are asked for. */
static void read_twice(const tacit_data *data)
{
    const tac_reader *reader = data->reader;
    const size_t dims = (size_t)data->selection.dims;
    double *all = malloc((size_t)reader->rows * dims * 8 + 8), *one = malloc(dims * 8);

    MUST_BE(all != NULL && one != NULL);
    MUST_BE(reader->read(reader, 0, reader->rows, all) == TACIT_OK);
    for (int64_t i = 0; i < reader->rows; i++) {
        MUST_BE(reader->read(reader, i, 1, one) == TACIT_OK);
        for (size_t j = 0; j < dims; j++) {
            const double x = all[(size_t)i * dims + j];
            MUST_BE(x == one[j] || (x != x && one[j] != one[j]));
            MUST_BE(x != x || x - x == 0); /* finite or NaN */
        }
    }
    free(all);
    free(one);
}

static const char *some(const char *text)
{
    return *text == '\0' ? NULL : text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    tacit_ctx *ctx = NULL;
    tacit_data *data = NULL;
    tacit_data_opts opts;
    source s = {0};
    char *said[5], *line;

    MUST_BE(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    for (int i = 0; i < 5; i++) said[i] = take_line(&bytes, &count);
    tacit_data_opts_init(&opts, sizeof opts);
    opts.categories = some(said[1]);
    opts.unit_column = some(said[2]);
    opts.label_column = some(said[3]);
    opts.missing_words = some(said[4]);
    while (*(line = take_line(&bytes, &count)) != '\0' && s.columns < MOST_COLUMNS)
        take_column(&s, line);
    free(line);
    s.bytes = bytes;
    s.count = count;
    tac_load load = {.guarded = next_byte(&s) & 1};
    struct ArrowArrayStream stream = {.get_schema = give_schema,
                                      .get_next = give_next,
                                      .get_last_error = give_error,
                                      .release = give_up,
                                      .private_data = &s};
    arrow_live++;
    tacit_status status = tacit_data_from_arrow_stream(ctx, &stream, &opts, &data);
    expect_sentence(ctx, status);
    MUST_BE(stream.release == NULL && (status == TACIT_OK) == (data != NULL));
    if (status == TACIT_OK) {
        status = tacit_data_declare_bounds(ctx, data, said[0]);
        expect_sentence(ctx, status);
    }
    if (status == TACIT_OK) {
        status = tac_data_load(ctx, data, &load);
        expect_sentence(ctx, status);
    }
    if (status == TACIT_OK) read_twice(data);
    tacit_data_free(data);
    MUST_BE(arrow_live == 0);
    for (int i = 0; i < 5; i++) free(said[i]);
    for (int i = 0; i < s.columns; i++) free(s.line[i]);
    tacit_ctx_free(ctx);
    return 0;
}
