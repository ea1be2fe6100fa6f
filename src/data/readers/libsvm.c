/* SPDX-License-Identifier: Apache-2.0 */
/* LIBSVM files, one row per line:
     line  = label *(blanks index ":" value) ["#" comment]
     index = 1 .. 1000000, increasing within a line
     label = any text without blanks and colons
   Blank lines and lines of a comment alone are no rows. The label is the last column of the
   schema and can be nothing but the label. No header states the number of columns. Where nobody
   declares it, opening the file reads its indices, and nothing else: the number of columns is
   then taken from the file and so counts as public. */
#include "data/readers/sparse_rows.h"
#include "data/readers/vocabulary.h"

#include <math.h>
#include <string.h>

typedef struct libsvm {
    tac_sparse sparse;
    tac_codes own, *codes; /* of labels: its own, or those that several files share */
    size_t room;           /* of sparse.label */
    int64_t declared_rows, declared_columns; /* 0: not */
} libsvm;

/* What one pass over the file is after. */
typedef struct aim {
    bool values; /* the rows; else only the largest index */
    bool labels;
    int64_t columns; /* found so far, or allowed */
    bool places, guarded;
    tac_builder *builder; /* of the rows */
} aim;

static char *skip(char *p)
{
    while (*p == ' ' || *p == '\t') p++;
    return p;
}

/* The length of the word at p. */
static size_t word(const char *p)
{
    return strcspn(p, " \t");
}

/* A line that breaks the grammar. Never quotes it. */
static tacit_status wrong_line(tacit_ctx *ctx, const libsvm *s, int64_t line, const char *what)
{
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: line %lld: %s", s->sparse.input.name, (long long)line,
                    what);
}

/* What lies outside the shape that somebody declared. Never names the line: trying one shape after
   the other would show which columns a row has. */
static tacit_status outside(tacit_ctx *ctx, const libsvm *s, const char *what)
{
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: %s", s->sparse.input.name, what);
}

/* The label of row number sparse.length, which is about to be read. */
static tacit_status keep_label(tacit_ctx *ctx, libsvm *s, const char *text, size_t length)
{
    tacit_status status = TACIT_OK;

    if ((size_t)s->sparse.length == s->room) {
        const size_t room = s->room == 0 ? 1024 : 2 * s->room;
        TAC_TRY(tac_grow(ctx, &s->sparse.label, room, sizeof *s->sparse.label));
        s->room = room;
    }
    TAC_TRY(tac_code_of(ctx, s->codes, text, length, &s->sparse.label[s->sparse.length]));
done:
    return status;
}

/* The pairs of one line, index:value, from p on. Updates a->columns or, where the aim is the
   values, hands every entry to the builder. */
static tacit_status read_row(tacit_ctx *ctx, libsvm *s, char *p, int64_t line, aim *a)
{
    int64_t last = 0;

    for (p = skip(p); *p != '\0'; p = skip(p)) {
        int64_t index;
        const char *rest = tac_scan_count(p, &index);
        tac_entry e = {.line = line, .row = (int32_t)s->sparse.length};
        if (rest == NULL || *rest != ':')
            return wrong_line(ctx, s, line,
                              "after the label come index:value pairs with spaces between, and "
                              "nothing else");
        if (index < 1 || index > TAC_MOST_COLUMNS)
            return wrong_line(ctx, s, line,
                              "an index is not between 1 and 1000000; LIBSVM indices start at 1");
        if (index <= last)
            return wrong_line(ctx, s, line, "indices must increase within a line; sort them");
        last = index;
        p += word(p);
        if (!a->values) {
            if (index > a->columns) a->columns = index;
            continue;
        }
        if (index > a->columns)
            return s->declared_columns > 0
                       ? outside(ctx, s,
                                 "an index is outside the declared shape; indices start at 1")
                       : wrong_line(ctx, s, line,
                                    "the file has changed since it was opened; run again");
        rest++;
        const bool text =
            rest == p || tac_read_cell(rest, (size_t)(p - rest), &e.value) == TAC_CELL_TEXT;
        if (text && a->guarded)
            e.value = NAN; /* missing: one row's value stops no run */
        else if (text)
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: line %lld, column 'c%lld': the value is not a number; write "
                            "index:number",
                            s->sparse.input.name, (long long)line, (long long)index);
        e.column = (int32_t)(index - 1);
        const tacit_status status = tac_builder_add(ctx, a->builder, &e);
        if (status != TACIT_OK) return status;
    }
    return TACIT_OK;
}

/* One pass over all lines. Sets sparse.length to the number of rows; the input comes back
   rewound. */
static tacit_status pass(tacit_ctx *ctx, libsvm *s, aim *a)
{
    tacit_status status = TACIT_OK;
    tac_lines lines = {.input = &s->sparse.input};
    char *line = NULL;

    for (s->sparse.length = 0;;) {
        TAC_TRY(tac_lines_next(ctx, &lines, &line));
        if (line == NULL) break;
        line[strcspn(line, "#")] = '\0';
        line = skip(line);
        if (*line == '\0') continue;
        const size_t label = word(line);
        if (memchr(line, ':', label) != NULL)
            TAC_TRY(wrong_line(ctx, s, lines.number,
                               "starts with no label; put one in front, such as 0"));
        if (s->sparse.length == TAC_MOST_SPARSE_ROWS)
            TAC_TRY(wrong_line(ctx, s, lines.number,
                               "there are more than 2147483647 rows; split the file"));
        if (a->places && s->declared_rows > 0 && s->sparse.length == s->declared_rows)
            TAC_TRY(outside(ctx, s, "there are more rows than the declared shape has"));
        if (a->labels) TAC_TRY(keep_label(ctx, s, line, label));
        TAC_TRY(read_row(ctx, s, line + label, lines.number, a));
        s->sparse.length++;
    }
    TAC_TRY(tac_input_rewind(ctx, &s->sparse.input));
done:
    tac_lines_clear(&lines);
    return status;
}

/* load() of the reader. Lines come row by row, so the builder never asks for a second pass. */
static tacit_status libsvm_load(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    libsvm *s = (libsvm *)self;
    tac_builder b;
    aim a = {.values = true,
             .labels = selection->label >= 0 && selection->label == self->schema.label_only,
             .columns = self->schema.columns - 1,
             .places = selection->places,
             .guarded = selection->guarded && !selection->counts,
             .builder = &b};

    s->codes = selection->label_codes != NULL ? selection->label_codes : &s->own;
    TAC_TRY(tac_builder_open(ctx, &s->sparse, selection, &b));
    TAC_TRY(pass(ctx, s, &a)); /* row by row: never again */
    /* empty rows after the last line, with a label of their own */
    while (a.places && s->sparse.length < s->declared_rows) {
        if (a.labels) TAC_TRY(keep_label(ctx, s, "", 0));
        s->sparse.length = a.labels ? s->sparse.length + 1 : s->declared_rows;
    }
    TAC_TRY(tac_builder_finish(ctx, &b));
done:
    tac_builder_close(&b);
    return status;
}

static void libsvm_close(tac_reader *self)
{
    libsvm *s = (libsvm *)self;

    if (s == NULL) return;
    tac_codes_clear(&s->own);
    tac_sparse_close(self);
}

/* The number of columns is the declared one, else the size of the vocabulary, else the largest
   index. Refuses a file that shows none of them. */
tacit_status tac_open_libsvm(tacit_ctx *ctx, const char *path, const tac_shape *shape,
                             tac_reader **out)
{
    tacit_status status = TACIT_OK;
    aim a = {0};
    libsvm *s = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *s, &s));
    s->sparse.input.fd = -1;
    TAC_TRY(tac_input_open_at(ctx, path, shape->descriptor, &s->sparse.input));
    TAC_TRY(tac_input_hold(ctx, &s->sparse.input));
    s->declared_rows = shape->rows;
    s->declared_columns = shape->columns > 0          ? shape->columns
                          : shape->vocabulary != NULL ? tac_vocabulary_size(shape->vocabulary)
                                                      : 0;
    a.columns = s->declared_columns;
    if (s->declared_columns == 0) TAC_TRY(pass(ctx, s, &a));
    if (s->declared_columns == 0 && s->sparse.length == 0)
        TAC_TRY(tac_fail_no_rows(ctx, s->sparse.input.name));
    if (a.columns == 0) {
        status = tac_fail(ctx, TACIT_E_FORMAT,
                          "%s: no line has an index:value pair; is this a LIBSVM file?",
                          s->sparse.input.name);
        goto done;
    }
    TAC_TRY(tac_vocabulary_check(ctx, shape->vocabulary, a.columns, "the declared shape"));
    TAC_TRY(tac_schema_named(ctx, shape->vocabulary, a.columns, TAC_FROM_ONE, "label",
                             &s->sparse.base.schema));
    tac_sparse_serve(&s->sparse, path, libsvm_load, libsvm_close);
    s->sparse.base.format = TACIT_FORMAT_LIBSVM;
    s->sparse.base.by_place = shape->rows > 0;
    *out = &s->sparse.base;
    s = NULL;
done:
    libsvm_close((tac_reader *)s);
    return status;
}
