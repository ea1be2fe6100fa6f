/* SPDX-License-Identifier: Apache-2.0 */
/* A producer of Arrow streams for tests, written by hand: columns of cell texts become arrays of
   any type, cut into chunks, sliced, with or without bits of missing values. */
#ifndef TAC_TEST_ARROW_TABLE_H
#define TAC_TEST_ARROW_TABLE_H

#include "arrow_memory.h"
#include "table/feature.h"

#include <errno.h>
#include <math.h>

/* How the rows are given. All zero: in one chunk, as plainly as can be. */
typedef struct arrow_cut {
    int64_t most;      /* rows of a chunk; 0: all */
    bool empty_chunks; /* before, between and behind the others */
    int64_t slice;     /* other values in front of every array */
    int64_t row_slice; /* other rows in front of every chunk */
    bool all_bits;     /* bits of missing values although there are none */
    bool uncounted;    /* null_count is -1 */
    bool row_bits;     /* rows whose first cell is "-" are null as a whole */
    int fail_at;       /* get_next fails at this chunk, from 1; 0: never */
    bool fail_schema, released_schema;
} arrow_cut;

typedef struct arrow_table {
    int columns;
    const arrow_column *column;
    int64_t rows;
    arrow_cut cut;
    /* changes a chunk before it is given: a malformed producer; NULL: none */
    void (*spoil)(struct ArrowArray *chunk);
} arrow_table;

static long arrow_given, arrow_streams; /* chunks with rows so far; streams that live */

/* Exact for the values of the tests. */
static uint16_t arrow_half(double x)
{
    int exponent;
    const double fraction = frexp(fabs(x), &exponent);

    if (isnan(x)) return 0x7e00;
    if (isinf(x)) return (uint16_t)(0x7c00 | (x < 0) << 15);
    if (x == 0) return 0;
    const int size = exponent < -13 ? (int)ldexp(fabs(x), 24)
                                    : (exponent + 14) << 10 | ((int)(fraction * 2048) - 1024);
    return (uint16_t)(size | (x < 0) << 15);
}

/* The low `width` of the `size` bytes of a whole number, in this machine's order. */
static void arrow_put_low(const void *whole, size_t size, size_t width, char *to)
{
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

    memcpy(to, (const char *)whole + (little ? 0 : size - width), width);
}

static void arrow_put_decimal(const char *format, const char *cell, char *to)
{
    const int scale = (int)strtol(strchr(format, ',') + 1, NULL, 10);
    const size_t width = arrow_width(format);
    __extension__ __int128 value = 0;
    int behind = -1;

    for (const char *p = cell; *p != '\0'; p++) {
        if (*p == '.') behind = 0;
        if (*p < '0' || *p > '9') continue;
        value = 10 * value + (*p - '0');
        if (behind >= 0) behind++;
    }
    for (int zeros = scale - (behind < 0 ? 0 : behind); zeros > 0; zeros--) value *= 10;
    for (int zeros = scale; zeros < 0; zeros++) value /= 10;
    if (cell[0] == '-') value = -value;
    arrow_put_low(&value, sizeof value, width, to);
}

static void arrow_put(const char *format, const char *cell, char *to)
{
    const double x = strtod(cell, NULL);
    const float f = (float)x;
    const uint16_t h = arrow_half(x);
    int64_t whole = strtoll(cell, NULL, 10);
    double day = 0;

    if (format[0] == 'L') whole = (int64_t)strtoull(cell, NULL, 10);
    if (format[0] == 't') {
        const char *unit = strchr("smun", format[2]);
        int64_t per_day = 86400;
        MUST(tac_parse_date(cell, strlen(cell), &day) || strtoll(cell, NULL, 10) != 0);
        for (; unit != NULL && format[1] == 's' && *unit != 's'; unit--) per_day *= 1000;
        if (format[1] == 'd') per_day = format[2] == 'D' ? 1 : 86400000;
        /* some time in the day: it does not count */
        whole = (int64_t)day * per_day + (per_day > 1 ? per_day - 1 : 0);
    }
    if (format[0] == 'd')
        arrow_put_decimal(format, cell, to);
    else if (format[0] == 'g')
        memcpy(to, &x, 8);
    else if (format[0] == 'f')
        memcpy(to, &f, 4);
    else if (format[0] == 'e')
        memcpy(to, &h, 2);
    else
        arrow_put_low(&whole, sizeof whole, arrow_width(format), to);
}

/* Texts with offsets of 32 or 64 bits, or views. */
static void arrow_texts(const char *format, const char *const *cell, int64_t count, arrow_memory *m,
                        struct ArrowArray *array)
{
    size_t bytes = 0, at = 0;

    for (int64_t i = 0; i < count; i++) bytes += cell[i] == NULL ? 0 : strlen(cell[i]);
    array->n_buffers = 3;
    const bool views = format[0] == 'v', wide = format[0] == 'U';
    const size_t width = views ? 16 : wide ? 8 : 4;
    char *place = arrow_buffer(m, 1, ((size_t)count + !views) * width);
    char *text = arrow_buffer(m, 2, bytes);
    if (views) {
        const int64_t size = (int64_t)bytes;
        array->n_buffers = 4;
        memcpy(arrow_buffer(m, 3, 8), &size, 8);
    }
    for (int64_t i = 0; i < count; i++, place += width) {
        const char *from = cell[i] == NULL ? "" : cell[i];
        const int32_t length = (int32_t)strlen(from), here = (int32_t)at;
        memcpy(text + at, from, (size_t)length);
        at += (size_t)length;
        const int64_t end = (int64_t)at;
        if (!views) {
            arrow_put_low(&end, sizeof end, width, place + width);
            continue;
        }
        memcpy(place, &length, 4);
        if (length <= 12)
            memcpy(place + 4, from, (size_t)length);
        else
            memcpy(place + 4, from, 4), memcpy(place + 12, &here, 4);
    }
}

static void arrow_values(const char *format, const char *const *cell, int64_t count,
                         const arrow_cut *cut, struct ArrowArray *array)
{
    arrow_memory *m = arrow_start(array);
    int64_t nulls = 0;

    array->length = count - cut->slice;
    array->offset = cut->slice;
    array->n_buffers = 2;
    for (int64_t i = cut->slice; i < count; i++) nulls += cell[i] == NULL;
    array->null_count = cut->uncounted ? -1 : nulls;
    if (format[0] == 'n') {
        array->n_buffers = 0;
        return;
    }
    if (nulls > 0 || cut->all_bits) {
        uint8_t *bits = arrow_buffer(m, 0, (size_t)(count + 7) / 8);
        for (int64_t i = 0; i < count; i++)
            if (cell[i] != NULL) bits[i / 8] |= (uint8_t)(1 << i % 8);
    }
    if (strchr("uUv", format[0]) != NULL) {
        arrow_texts(format, cell, count, m, array);
    } else if (format[0] == 'b') {
        uint8_t *bits = arrow_buffer(m, 1, (size_t)(count + 7) / 8);
        for (int64_t i = 0; i < count; i++)
            if (cell[i] != NULL && (cell[i][0] == 't' || cell[i][0] == '1'))
                bits[i / 8] |= (uint8_t)(1 << i % 8);
    } else {
        const size_t width = arrow_width(format);
        char *to = arrow_buffer(m, 1, (size_t)count * width);
        for (int64_t i = 0; i < count; i++)
            if (cell[i] != NULL) arrow_put(format, cell[i], to + (size_t)i * width);
    }
}

/* The dictionary has the distinct cells, a null and one that no row uses. */
static void arrow_dictionary(const arrow_column *c, const char *const *cell, int64_t count,
                             const arrow_cut *cut, struct ArrowArray *array)
{
    const char **listed = calloc((size_t)count + 2, sizeof *listed);
    const char **index = calloc((size_t)count + 1, sizeof *index);
    char *number = calloc((size_t)count + 1, 24);
    const arrow_cut plain = {.all_bits = true};
    int64_t many = 0;

    MUST(listed != NULL && index != NULL && number != NULL);
    listed[many++] = NULL;
    for (int64_t i = 0; i < count; i++) {
        int64_t k = 1;
        if (cell[i] == NULL && i % 2 == 0) continue; /* a null of the rows, or of the values */
        for (; cell[i] != NULL && k < many && strcmp(listed[k], cell[i]) != 0;) k++;
        if (cell[i] == NULL) k = 0;
        if (k == many) listed[many++] = cell[i];
        snprintf(number + 24 * i, 24, "%d", (int)k);
        index[i] = number + 24 * i;
    }
    arrow_values(c->format, index, count, cut, array);
    arrow_memory *m = array->private_data;
    m->dictionary = calloc(1, sizeof *m->dictionary);
    MUST(m->dictionary != NULL);
    arrow_values(c->listed, listed, many, &plain, m->dictionary);
    array->dictionary = m->dictionary;
    free(listed);
    free(index);
    free(number);
}

/* Rows first .. first + rows - 1 as a struct array. */
static void arrow_chunk(const arrow_table *t, int64_t first, int64_t rows, struct ArrowArray *out)
{
    const int64_t before = t->cut.row_slice, all = t->cut.slice + before + rows;
    arrow_memory *m = arrow_start(out);
    const char **cell = calloc((size_t)all + 1, sizeof *cell);

    m->count = t->columns;
    m->child = calloc((size_t)t->columns, sizeof *m->child);
    m->children = calloc((size_t)t->columns, sizeof *m->children);
    MUST(m->child != NULL && m->children != NULL && cell != NULL);
    out->length = rows;
    out->offset = before;
    out->n_buffers = 1;
    out->n_children = t->columns;
    out->children = m->children;
    for (int c = 0; c < t->columns; c++) {
        const arrow_column *column = &t->column[c];
        for (int64_t i = 0; i < all; i++) {
            const int64_t row = first + i - t->cut.slice - before;
            /* values of other rows stand in front of the slice */
            cell[i] = column->cell[row >= first ? row : (row + 7 * t->rows) % t->rows];
        }
        m->children[c] = &m->child[c];
        if (column->listed != NULL)
            arrow_dictionary(column, cell, all, &t->cut, &m->child[c]);
        else
            arrow_values(column->format, cell, all, &t->cut, &m->child[c]);
    }
    if (t->cut.row_bits) {
        uint8_t *bits = arrow_buffer(m, 0, (size_t)(before + rows + 7) / 8);
        for (int64_t i = 0; i < rows; i++)
            if (strcmp(t->column[0].cell[first + i], "-") != 0)
                bits[(before + i) / 8] |= (uint8_t)(1 << (before + i) % 8);
        out->null_count = -1;
    }
    free(cell);
}

/* ---- the stream ---- */

typedef struct arrow_source {
    const arrow_table *table;
    int64_t row;
    int chunks;
    bool gap; /* an empty chunk was given */
} arrow_source;

static int arrow_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const arrow_table *t = ((arrow_source *)stream->private_data)->table;

    if (t->cut.fail_schema) return EIO;
    arrow_schema(t->column, t->columns, out);
    if (t->cut.released_schema) out->release(out);
    return 0;
}

static int arrow_get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    arrow_source *s = stream->private_data;
    const arrow_table *t = s->table;
    const int64_t left = t->rows - s->row, most = t->cut.most > 0 ? t->cut.most : left,
                  rows = left < most ? left : most;

    memset(out, 0, sizeof *out);
    if (t->cut.fail_at > 0 && ++s->chunks == t->cut.fail_at) return ENOMEM;
    if (t->cut.empty_chunks && !s->gap) {
        s->gap = true;
        arrow_chunk(t, s->row, 0, out);
        return 0;
    }
    if (rows == 0) return 0;
    s->gap = false;
    arrow_chunk(t, s->row, rows, out);
    arrow_given++;
    s->row += rows;
    if (t->spoil != NULL) t->spoil(out);
    return 0;
}

static const char *arrow_get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "could not convert 'secret 777'";
}

static void arrow_release_stream(struct ArrowArrayStream *stream)
{
    MUST(stream->private_data != NULL);
    free(stream->private_data);
    stream->private_data = NULL;
    stream->release = NULL;
    arrow_live--;
    arrow_streams--;
}

__attribute__((unused)) static void arrow_open(const arrow_table *table,
                                               struct ArrowArrayStream *out)
{
    arrow_source *s = calloc(1, sizeof *s);

    MUST(s != NULL);
    s->table = table;
    *out = (struct ArrowArrayStream){.get_schema = arrow_get_schema,
                                     .get_next = arrow_get_next,
                                     .get_last_error = arrow_get_last_error,
                                     .release = arrow_release_stream,
                                     .private_data = s};
    arrow_live++;
    arrow_streams++;
}

#endif
