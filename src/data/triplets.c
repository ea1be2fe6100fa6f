/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse counts as a CSV with the columns row, col and count, in any order, among others of which one may name the owner of a row and
   one its label; the rest is ignored.
   col is a number from 0, or with a vocabulary one of its names; other names are left out. Where nothing declares the number of columns,
   opening the file looks at its col numbers, and nothing else: the number is taken from the file and so counts as public.
   row is a number from 0 or, if one of them is no such number, a name. A row is there if the file mentions it; rows come
   in the order of their numbers, named ones in the order of appearance. (Were unmentioned numbers rows of zeros, one line with a large number would add as many
   rows as it likes, and one person would no longer be one row. Where row numbers are public places, they are. Named rows have their
   places there in the order of their names, which is public, and not by which line comes first, which is a count.) */
#include "data/csv.h"
#include "data/sparse_rows.h"
#include "data/triplets_cells.h"
#include "data/vocabulary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PIECE (size_t)262144

static const char *const part_names[3] = {"row", "col", "count"};

typedef struct triplets {
    tac_sparse sparse;
    int64_t declared_rows; /* 0: not */
    bool declared_columns; /* by a shape */
    const tac_vocabulary *vocabulary;
    int32_t file_columns;
    int32_t part[3];       /* where row, col and count are in the file */
    int32_t *side_of;      /* file columns: which side column of the schema it is, or -1 */
    tac_codes row_names, labels, owners;
} triplets;

/* One pass over the records. */
typedef struct passing {
    triplets *t;
    const tac_selection *selection; /* NULL: only the largest col is looked for */
    tac_builder *builder;
    int32_t label, unit;            /* of the file, or -1 */
    bool named;                     /* rows are names */
    bool rename;                    /* a row was no number: start again with names */
    int64_t columns;                /* found so far */
    int64_t line;                   /* of the record at hand */
    tac_cell_text cell[5];          /* row, col, count, label, unit */
} passing;

static tacit_status wrong(tacit_ctx *ctx, const passing *p, const char *column, const char *what)
{
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: line %lld, " TAC_COLUMN ": %s", p->t->sparse.input.name, (long long)p->line, column, what);
}

/* What is outside the shape or the vocabulary that somebody chose to declare. Never the line: with one shape after the other it
   would tell how many entries each row has. */
static tacit_status outside(tacit_ctx *ctx, const passing *p, const char *column, const char *what)
{
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: " TAC_COLUMN ": %s", p->t->sparse.input.name, column, what);
}

/* The column of a record; -1: it is none of the vocabulary's. */
static tacit_status column_of(tacit_ctx *ctx, const passing *p, int32_t *out)
{
    const triplets *t = p->t;
    const tac_cell_text *cell = &p->cell[1];
    const bool known = p->selection != NULL || t->vocabulary != NULL || t->declared_columns;
    const int64_t limit = known ? t->sparse.base.schema.columns : TAC_MOST_COLUMNS;
    int64_t number;

    *out = -1;
    if (t->vocabulary != NULL) {
        *out = (int32_t)tac_code_find(&t->vocabulary->names, cell->text, cell->length);
        if (*out >= 0 || t->vocabulary->has_numbers) return TACIT_OK;
    }
    const tac_index_kind kind = tac_read_index(cell, &number);
    if (kind == TAC_INDEX_TEXT)
        return t->vocabulary != NULL ? TACIT_OK
                                     : wrong(ctx, p, "col", "holds text where a number is expected; numbers start at 0, and names need a "
                                             "vocabulary");
    if (kind == TAC_INDEX_NUMBER && number < limit) {
        *out = (int32_t)number;
        return TACIT_OK;
    }
    if (kind == TAC_INDEX_NUMBER && t->declared_columns)
        return outside(ctx, p, "col", "a number is outside the declared shape; numbers start at 0");
    if (kind == TAC_INDEX_NUMBER && t->vocabulary != NULL)
        return outside(ctx, p, "col", "a number is outside the vocabulary; numbers start at 0");
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: line %lld, " TAC_COLUMN ": must be a whole number from 0 to %lld", t->sparse.input.name,
                    (long long)p->line, "col", (long long)limit - 1);
}

/* The row of a record. Sets p->rename where only a name will do. */
static tacit_status row_of(tacit_ctx *ctx, passing *p, int32_t *out)
{
    tacit_status status = TACIT_OK;
    triplets *t = p->t;
    const tac_cell_text *cell = &p->cell[0];
    const bool shaped = p->selection->places && t->declared_rows > 0;
    const int64_t limit = shaped ? t->declared_rows : TAC_MOST_SPARSE_ROWS;
    int64_t number = -1;

    *out = 0;
    const tac_index_kind kind = tac_read_index(cell, &number);
    if (p->named && kind != TAC_INDEX_MISSING) {
        /* 7, 07 and 7.0 are one row, whether some other row has a name or not: it must not split rows of others. */
        char digits[24];
        const bool whole = kind == TAC_INDEX_NUMBER;
        const int length = whole ? snprintf(digits, sizeof digits, "%lld", (long long)number) : 0;
        TAC_TRY(tac_code_of(ctx, &t->row_names, whole ? digits : cell->text, whole ? (size_t)length : cell->length, &number));
        if (number >= limit)
            TAC_TRY(outside(ctx, p, "row", shaped ? "there are more names than the declared shape has rows"
                                                  : "there are more than 2147483647 rows; split the file"));
    } else if (kind == TAC_INDEX_TEXT ||
               (!p->selection->places && (kind == TAC_INDEX_BAD || (kind == TAC_INDEX_NUMBER && number >= limit)))) {
        /* Text, or the number of a customer who is nowhere near a place. Whether it may be a name must not depend on what
           others are called. */
        p->rename = true;
        return TACIT_OK;
    } else if (kind != TAC_INDEX_NUMBER || number >= limit) {
        if (kind == TAC_INDEX_NUMBER && shaped)
            TAC_TRY(outside(ctx, p, "row", "a number is outside the declared shape; numbers start at 0"));
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT, "%s: line %lld, " TAC_COLUMN ": must be a whole number from 0 to %lld, or a name",
                         t->sparse.input.name, (long long)p->line, "row", (long long)limit - 1));
    }
    *out = (int32_t)number;
done:
    return status;
}

/* Whose the row is, or what class it has. */
static tacit_status add_side(tacit_ctx *ctx, passing *p, const tac_entry *entry, bool is_unit)
{
    tacit_status status = TACIT_OK;
    const tac_cell_text *cell = &p->cell[is_unit ? 4 : 3];
    tac_entry e = *entry;
    int64_t code = -1;

    if ((is_unit ? p->unit : p->label) < 0) return TACIT_OK;
    if (!is_unit || !tac_is_missing_word(cell->text, cell->length)) /* nobody's row */
        TAC_TRY(tac_code_of(ctx, is_unit ? &p->t->owners : &p->t->labels, cell->text, cell->length, &code));
    e.column = is_unit ? p->selection->unit : p->selection->label;
    e.value = (double)code;
    TAC_TRY(tac_builder_add(ctx, p->builder, &e));
done:
    return status;
}

static tacit_status record(tacit_ctx *ctx, passing *p)
{
    tacit_status status = TACIT_OK;
    tac_entry e = {.line = p->line};

    TAC_TRY(column_of(ctx, p, &e.column));
    if (p->selection == NULL) {
        if (e.column >= p->columns) p->columns = e.column + INT64_C(1);
        return TACIT_OK;
    }
    TAC_TRY(row_of(ctx, p, &e.row));
    if (p->rename) return TACIT_OK;
    switch (tac_read_value(&p->cell[2], &e.value)) {
    case TAC_CELL_TEXT: TAC_TRY(wrong(ctx, p, "count", "holds text where a number is expected; write one number per entry")); break;
    case TAC_CELL_NUMBER:
    case TAC_CELL_MISSING: break;
    }
    if (p->selection->counts && !tac_is_count(e.value)) TAC_TRY(tac_fail_count(ctx, p->t->sparse.input.name, p->line, "line", "count"));
    TAC_TRY(tac_builder_add(ctx, p->builder, &e));
    TAC_TRY(add_side(ctx, p, &e, false));
    TAC_TRY(add_side(ctx, p, &e, true));
done:
    return status;
}

/* The cells of one record from *at on; the ones we want into p->cell. */
static tac_csv_fault cells(passing *p, char **at, char *end, int32_t *column, int64_t *lines)
{
    const triplets *t = p->t;
    const int32_t wanted[5] = {t->part[0], t->part[1], t->part[2], p->label, p->unit};
    char *q = *at;

    for (int32_t c = 0;; q++) {
        tac_cell_text cell = {0};
        bool quoted;
        int64_t inside;
        *column = c;
        const tac_csv_fault fault = tac_csv_cell(&q, end, ',', &cell.text, &cell.length, &quoted, &inside);
        if (fault != TAC_CSV_FINE) return fault;
        *lines += inside;
        if (!quoted) tac_trim(&cell);
        for (int i = 0; i < 5; i++)
            if (wanted[i] == c) p->cell[i] = cell;
        c++;
        if (*q != ',') {
            if (c < t->file_columns) return TAC_CSV_FEW;
            *at = q + (*q == '\r' ? 2 : 1);
            return TAC_CSV_FINE;
        }
        if (c == t->file_columns) return TAC_CSV_MANY;
    }
}

/* All records of a piece; p->line is the number of the first. */
static tacit_status records(tacit_ctx *ctx, passing *p, tac_piece *piece, int64_t *blank, const tac_schema *header)
{
    tacit_status status = TACIT_OK;
    char *at = piece->bytes, *const end = at + piece->size;
    const char *where = p->t->sparse.input.name;

    while (at < end && !p->rename && (p->builder == NULL || !p->builder->again)) {
        int64_t lines = 1;
        int32_t column = 0;
        if (*at == '\n' || (*at == '\r' && at[1] == '\n')) {
            if (*blank == 0) *blank = p->line;
            at += *at == '\r' ? 2 : 1;
        } else if (*blank > 0) {
            TAC_TRY(tac_csv_explain(ctx, where, TAC_CSV_BLANK, *blank, ""));
        } else {
            const tac_csv_fault fault = cells(p, &at, end, &column, &lines);
            if (fault != TAC_CSV_FINE) TAC_TRY(tac_csv_explain(ctx, where, fault, p->line + lines - 1, header->names[column]));
            TAC_TRY(record(ctx, p));
        }
        p->line += lines;
    }
done:
    return status;
}

/* row, col and count, and the others, which become sides of the schema. */
static tacit_status read_header(tacit_ctx *ctx, triplets *t, const tac_schema *header)
{
    tacit_status status = TACIT_OK;
    tac_schema *schema = &t->sparse.base.schema;
    size_t bytes = 1;

    t->file_columns = header->columns;
    for (int i = 0; i < 3; i++) {
        t->part[i] = -1;
        for (int32_t c = 0; t->part[i] < 0 && c < header->columns; c++)
            if (strcasecmp(header->names[c], part_names[i]) == 0) t->part[i] = c;
        if (t->part[i] < 0)
            return tac_fail(ctx, TACIT_E_FORMAT, "%s: the header has no " TAC_COLUMN "; triplets need row, col and count",
                            t->sparse.input.name, part_names[i]);
    }
    for (int32_t c = 0; c < header->columns; c++) bytes += strlen(header->names[c]) + 1;
    TAC_TRY(tac_new(ctx, (size_t)header->columns, sizeof *t->side_of, &t->side_of));
    TAC_TRY(tac_new(ctx, (size_t)header->columns, sizeof *schema->side, &schema->side));
    TAC_TRY(tac_new(ctx, bytes, 1, &schema->side[0]));
    char *text = schema->side[0];
    for (int32_t c = 0; c < header->columns; c++) {
        t->side_of[c] = -1;
        if (c == t->part[0] || c == t->part[1] || c == t->part[2]) continue;
        t->side_of[c] = schema->sides;
        schema->side[schema->sides++] = strcpy(text, header->names[c]);
        text += strlen(text) + 1;
    }
done:
    return status;
}

/* The input comes back rewound. p->t->file_columns = 0: the header alone is read. */
static tacit_status pass(tacit_ctx *ctx, passing *p)
{
    tacit_status status = TACIT_OK;
    triplets *t = p->t;
    tac_input *input = &t->sparse.input;
    tac_reader *reader = NULL;
    tac_piece piece = {0};
    int64_t blank = 0;
    bool too_long = false;

    char *const name = tac_strdup(ctx, input->name); /* while the CSV has the input */
    if (name == NULL) return TACIT_E_MEMORY;
    TAC_TRY(tac_csv_from_input(ctx, t->sparse.base.path, input, ',', &reader));
    tac_csv *const csv = (tac_csv *)reader;
    input->name = name;
    p->line = csv->header_lines + 1;
    if (t->file_columns == 0) {
        TAC_TRY(read_header(ctx, t, &reader->schema));
    } else {
        do {
            TAC_TRY(tac_input_failed(ctx, &csv->cutter.input, tac_cut(ctx, &csv->cutter, PIECE, &piece, &too_long)));
            if (too_long) TAC_TRY(tac_csv_explain(ctx, name, TAC_CSV_TOO_LONG, p->line, ""));
            TAC_TRY(records(ctx, p, &piece, &blank, &reader->schema));
        } while (piece.size > 0 && !p->rename && (p->builder == NULL || !p->builder->again));
    }
    tac_csv_take_input(reader, input);
    TAC_TRY(tac_input_rewind(ctx, input));
done:
    if (input->name == name) input->name = NULL;
    tac_free(name);
    tac_free(piece.bytes);
    if (reader != NULL) reader->close(reader);
    return status;
}

static void forget_names(triplets *t)
{
    tac_codes_clear(&t->row_names);
    tac_codes_clear(&t->labels);
    tac_codes_clear(&t->owners);
}

static int32_t file_column(const triplets *t, int32_t selected)
{
    const int32_t columns = t->sparse.base.schema.columns;

    for (int32_t c = 0; selected >= columns && c < t->file_columns; c++)
        if (t->side_of[c] == selected - columns) return c;
    return -1;
}

typedef struct row_name {
    const char *text;
    size_t length;
    int32_t code;
} row_name;

static int by_name(const void *a, const void *b)
{
    const row_name *x = a, *y = b;
    const int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
    return order != 0 ? order : x->length < y->length ? -1 : x->length > y->length;
}

/* Collected rows get their places in the order of their names. */
static tacit_status place_by_name(tacit_ctx *ctx, const tac_codes *names, tac_builder *b)
{
    tacit_status status = TACIT_OK;
    row_name *sorted = NULL;
    int32_t *place = NULL;

    TAC_TRY(tac_new(ctx, names->count, sizeof *sorted, &sorted));
    TAC_TRY(tac_new(ctx, names->count, sizeof *place, &place));
    for (size_t i = 0; i < names->count; i++) {
        const size_t from = i == 0 ? 0 : names->end[i - 1];
        sorted[i] = (row_name){.text = names->text + from, .length = names->end[i] - from, .code = (int32_t)i};
    }
    qsort(sorted, names->count, sizeof *sorted, by_name);
    for (size_t i = 0; i < names->count; i++) place[sorted[i].code] = (int32_t)i;
    for (size_t e = 0; e < b->collected; e++) b->entry[e].row = place[b->entry[e].row];
done:
    tac_free(sorted);
    tac_free(place);
    return status;
}

static tacit_status triplets_load(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    triplets *t = (triplets *)self;
    tac_builder b;
    passing p = {.t = t, .selection = selection, .builder = &b, .label = file_column(t, selection->label),
                 .unit = file_column(t, selection->unit)};

    TAC_TRY(tac_builder_open(ctx, &t->sparse, selection, &b));
    b.close_gaps = !selection->places;
    for (;;) { /* at most three times: numbers in order, numbers or names in order, in any order */
        TAC_TRY(pass(ctx, &p));
        if (!p.rename && !b.again) break;
        const bool was_collecting = b.collect || b.again;
        tac_builder_restart(&b);
        p.named = p.named || p.rename;
        b.collect = was_collecting || (p.named && selection->places);
        p.rename = false;
        forget_names(t);
    }
    if (selection->places && p.named) TAC_TRY(place_by_name(ctx, &t->row_names, &b));
    if (selection->places) t->sparse.length = t->declared_rows > 0 ? t->declared_rows : b.most;
    TAC_TRY(tac_builder_finish(ctx, &b));
done:
    tac_builder_close(&b);
    forget_names(t);
    return status;
}

static void triplets_close(tac_reader *self)
{
    triplets *t = (triplets *)self;

    if (t == NULL) return;
    forget_names(t);
    tac_free(t->side_of);
    tac_sparse_close(self);
}

/* How many columns there are: declared, or the largest col and 1. */
static tacit_status count_columns(tacit_ctx *ctx, triplets *t, const tac_shape *shape, int64_t *columns)
{
    tacit_status status = TACIT_OK;
    passing p = {.t = t, .label = -1, .unit = -1};

    TAC_TRY(pass(ctx, &p)); /* the header */
    if (shape->columns > 0) TAC_TRY(tac_vocabulary_check(ctx, shape->vocabulary, shape->columns, "the declared shape"));
    *columns = shape->columns > 0 ? shape->columns : shape->vocabulary != NULL ? tac_vocabulary_size(shape->vocabulary) : 0;
    if (*columns > 0) return TACIT_OK;
    TAC_TRY(pass(ctx, &p));
    *columns = p.columns;
    if (p.columns == 0) TAC_TRY(tac_fail_no_rows(ctx, t->sparse.input.name)); /* nothing tells how many columns there are */
done:
    return status;
}

tacit_status tac_open_triplets(tacit_ctx *ctx, const char *path, const tac_shape *shape, tac_reader **out)
{
    tacit_status status = TACIT_OK;
    tac_schema named = {0};
    int64_t columns = 0;
    triplets *t = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *t, &t));
    t->sparse.input.fd = -1;
    TAC_TRY(tac_input_open(ctx, path, &t->sparse.input));
    TAC_TRY(tac_input_hold(ctx, &t->sparse.input));
    TAC_TRY(count_columns(ctx, t, shape, &columns));
    TAC_TRY(tac_schema_named(ctx, shape->vocabulary, columns, NULL, &named));
    named.side = t->sparse.base.schema.side;
    named.sides = t->sparse.base.schema.sides;
    t->sparse.base.schema = named;
    t->declared_rows = shape->rows;
    t->declared_columns = shape->columns > 0;
    t->vocabulary = shape->vocabulary;
    tac_sparse_serve(&t->sparse, path, triplets_load, triplets_close);
    t->sparse.base.by_place = true;
    *out = &t->sparse.base;
    t = NULL;
done:
    triplets_close((tac_reader *)t);
    return status;
}
