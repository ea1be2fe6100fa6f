/* SPDX-License-Identifier: Apache-2.0 */
/* Pull the chunks of an Arrow stream and keep what is used. Arrays of plain numbers are moved out
   of their chunk, as the C data interface allows: they stay the producer's memory, without a copy,
   and the rest of the chunk is released at once. Values that must be worked out are, here, once. */
#include "data/readers/arrow.h"
#include "data/readers/array_rows.h"

#include <math.h>
#include <string.h>

typedef struct loading {
    tacit_ctx *ctx;
    tac_arrow *arrow;
    const tac_selection *selection;
    tac_cell_rule *rule; /* NULL: all are numbers */
    tac_codes label_codes;
    size_t rows, room; /* of labels and units */
    char *padded;      /* a text and TAC_PAD zeros */
    size_t padded_room;
} loading;

/* ---- sentences ---- */

static tacit_status malformed(loading *l, int32_t column, const char *fault)
{
    if (column < 0)
        return tac_fail(l->ctx, TACIT_E_FORMAT, "%s: a chunk %s; the producer is at fault",
                        TAC_ARROW_NAME, fault);
    return tac_fail(l->ctx, TACIT_E_FORMAT,
                    "%s: " TAC_COLUMN ": a chunk %s; the producer is at fault", TAC_ARROW_NAME,
                    l->arrow->base.schema.names[column], fault);
}

/* What the producer says may hold a value: it is for those who may see rows. */
static tacit_status failed(loading *l)
{
    struct ArrowArrayStream *stream = &l->arrow->stream;
    const char *why = l->selection->guarded || stream->get_last_error == NULL
                          ? NULL
                          : stream->get_last_error(stream);

    return tac_fail(l->ctx, TACIT_E_READ,
                    why == NULL ? "%s: its producer failed to give the next rows%s"
                                : "%s: its producer failed to give the next rows: %.500s",
                    TAC_ARROW_NAME, why == NULL ? "" : why);
}

/* ---- features ---- */

bool tac_is_among(const double *values, int32_t count, double x)
{
    for (int32_t i = 0; i < count; i++)
        if (values[i] == x) return true;
    return false;
}

/* A copy with the zeros behind it that scanners want. */
static tacit_status pad(loading *l, const char *text, size_t length, const char **out)
{
    tacit_status status = TACIT_OK;

    if (length + TAC_PAD > l->padded_room) {
        TAC_TRY(tac_grow(l->ctx, &l->padded, 2 * length + TAC_PAD, 1));
        l->padded_room = 2 * length + TAC_PAD;
    }
    if (length > 0) memcpy(l->padded, text, length);
    memset(l->padded + length, 0, TAC_PAD);
    *out = l->padded;
done:
    return status;
}

/* A text as CSV has it without quotes; blanks at its ends count where a category is declared with
   them. */
static tacit_status text_value(loading *l, int32_t j, const tac_arrow_values *v, int64_t at,
                               int64_t row, double *out)
{
    static const tac_dialect plain = {.separator = ',', .decimal = '.'};
    tacit_status status = TACIT_OK;
    const tac_selection *s = l->selection;
    const tac_cell_rule *rule = &l->rule[j];
    char room[TAC_ARROW_ROOM];
    const char *text;
    size_t length;

    *out = NAN;
    if (!tac_arrow_text(v, at, room, &text, &length))
        return malformed(l, s->column[j], "has texts that lie nowhere");
    if (tac_is_declared_missing(s->missing_word, s->missing_words, text, length)) return TACIT_OK;
    TAC_TRY(pad(l, text, length, &text));
    tac_cell cell = tac_read_by_rule(rule, &plain, text, length, false, out);
    if (cell == TAC_CELL_MISSING && rule->kind == TAC_VALUE_CATEGORY)
        cell = tac_read_by_rule(rule, &plain, text, length, true, out);
    /* in a data set with a ledger one row's text stops no run */
    if (cell == TAC_CELL_TEXT && !s->guarded)
        TAC_TRY(tac_fail(l->ctx, TACIT_E_FORMAT,
                         "%s: row %lld, " TAC_COLUMN ": holds text where a date is expected; write "
                         "dates as year-month-day, such as 2026-11-17",
                         TAC_ARROW_NAME, (long long)row + 1,
                         l->arrow->base.schema.names[s->column[j]]));
    if (cell != TAC_CELL_NUMBER) *out = NAN;
done:
    return status;
}

/* A boolean is the category false or true, by whichever words or numbers these are declared. */
static double boolean_place(const tac_cell_rule *rule, bool value)
{
    static const char *const words[2][3] = {{"false", "False", "FALSE"}, {"true", "True", "TRUE"}};

    for (int i = 0; i < 3; i++) {
        const int64_t place = tac_code_find(&rule->words, words[value][i], strlen(words[value][i]));
        if (place >= 0) return (double)place;
    }
    return tac_category_of_number(rule, value);
}

/* The value of feature j in a row of the chunk; NaN if it is missing. */
static tacit_status value_of(loading *l, int32_t j, const tac_arrow_cells *cells, int64_t row,
                             double *out)
{
    const tac_arrow_values *v = &cells->value;
    const tac_arrow_missing *missing = &l->arrow->missing;
    const tac_cell_rule *rule = l->rule == NULL ? NULL : &l->rule[j];
    const int64_t at = tac_arrow_at(cells, row);

    *out = NAN;
    if (at < 0) return TACIT_OK;
    if (v->type->kind == TAC_ARROW_TEXT)
        return text_value(l, j, v, at, (int64_t)l->rows + row, out);
    if (v->type->kind == TAC_ARROW_DATE) {
        *out = tac_arrow_day(v, at);
        if (tac_is_among(missing->day, missing->days, *out)) *out = NAN;
        return TACIT_OK;
    }
    *out = tac_arrow_number(v, at);
    if (tac_is_among(missing->number, missing->numbers, *out)) *out = NAN;
    if (rule != NULL && rule->kind == TAC_VALUE_CATEGORY)
        *out = v->type->kind == TAC_ARROW_BOOLEAN && !isnan(*out)
                   ? boolean_place(rule, *out != 0)
                   : tac_category_of_number(rule, *out);
    return TACIT_OK;
}

/* Values of our own: floats hold places of categories and days of dates exactly, NaN the missing
   ones. */
static tacit_status work_out(loading *l, int32_t j, const tac_arrow_cells *cells, int64_t rows,
                             tac_arrow_block *block)
{
    tacit_status status = TACIT_OK;
    const tac_arrow_kind kind = cells->value.type->kind;
    const bool narrow = kind == TAC_ARROW_NOTHING || kind == TAC_ARROW_HALF ||
                        (l->rule != NULL && l->rule[j].kind != TAC_VALUE_NUMBER);
    double value;

    block->type = narrow ? TACIT_F32 : TACIT_F64;
    TAC_TRY(tac_scratch(l->ctx, (size_t)rows, tac_type_size(block->type), &block->own));
    block->values = block->own;
    for (int64_t i = 0; i < rows; i++) {
        TAC_TRY(value_of(l, j, cells, i, &value));
        if (narrow)
            ((float *)block->own)[i] = (float)value;
        else
            ((double *)block->own)[i] = value;
    }
done:
    return status;
}

/* Can the rows be served from the producer's array as it lies? */
static bool is_plain(const loading *l, int32_t j, const tac_arrow_cells *cells)
{
    const tac_arrow_type *type = cells->value.type;

    return (type->kind == TAC_ARROW_NUMBER || type->kind == TAC_ARROW_BOOLEAN) &&
           !type->dictionary && cells->row_valid == NULL &&
           (l->rule == NULL || l->rule[j].kind == TAC_VALUE_NUMBER);
}

static tacit_status take_feature(loading *l, int32_t j, const struct ArrowArray *chunk,
                                 tac_arrow_block *block)
{
    const int32_t column = l->selection->column[j];
    const tac_arrow_type *type = &l->arrow->type[column];
    tac_arrow_cells cells;
    const char *fault = tac_arrow_cells_of(type, chunk, chunk->children[column], &cells);

    if (fault != NULL) return malformed(l, column, fault);
    if (!is_plain(l, j, &cells)) return work_out(l, j, &cells, chunk->length, block);
    block->values = cells.value.buffer[1];
    block->type = type->number;
    block->bits = type->kind == TAC_ARROW_BOOLEAN;
    block->first = cells.value.offset + chunk->offset;
    block->valid = cells.value.valid;
    return TACIT_OK;
}

/* ---- labels, ids and persons ---- */

/* Does this text, the value at a place, name nobody? */
static bool names_nobody(const loading *l, const tac_arrow_values *v, int64_t at, const char *text,
                         size_t length)
{
    const tac_selection *s = l->selection;
    const tacit_type type = v->type->number;

    return tac_is_missing_word(text, length) ||
           tac_is_declared_missing(s->missing_word, s->missing_words, text, length) ||
           (v->type->kind == TAC_ARROW_NUMBER && (type == TACIT_F64 || type == TACIT_F32) &&
            !tac_names_person(tac_arrow_number(v, at), type));
}

/* Codes of the rows of a chunk to `label`, or their persons to `unit`; the other is NULL. */
static tacit_status take_column(loading *l, int32_t column, const struct ArrowArray *chunk,
                                int64_t *label, tac_person *unit)
{
    tacit_status status = TACIT_OK;
    tac_arrow_cells cells;
    char room[TAC_ARROW_ROOM];
    const char *fault =
        tac_arrow_cells_of(&l->arrow->type[column], chunk, chunk->children[column], &cells);

    if (fault != NULL) return malformed(l, column, fault);
    for (int64_t i = 0; i < chunk->length; i++) {
        const int64_t at = tac_arrow_at(&cells, i);
        const char *text = "";
        size_t length = 0;
        if (at >= 0 && !tac_arrow_text(&cells.value, at, room, &text, &length))
            return malformed(l, column, "has texts that lie nowhere");
        tac_trim_blanks(&text, &length); /* "A" and "A " are one person */
        if (label != NULL) TAC_TRY(tac_code_of(l->ctx, &l->label_codes, text, length, &label[i]));
        if (unit != NULL)
            unit[i] = tac_person_of(&l->selection->person_key, text,
                                    names_nobody(l, &cells.value, at, text, length) ? 0 : length);
    }
done:
    return status;
}

static tacit_status take_codes(loading *l, const struct ArrowArray *chunk)
{
    tacit_status status = TACIT_OK;
    tac_arrow *arrow = l->arrow;
    const tac_selection *s = l->selection;
    const size_t all = l->rows + (size_t)chunk->length;

    if (s->label < 0 && s->unit < 0) return TACIT_OK;
    if (all > l->room) {
        const size_t room = all < 2 * l->room ? 2 * l->room : all;
        if (s->label >= 0) TAC_TRY(tac_grow(l->ctx, &arrow->label, room, sizeof *arrow->label));
        if (s->unit >= 0) TAC_TRY(tac_grow(l->ctx, &arrow->unit, room, sizeof *arrow->unit));
        l->room = room;
    }
    if (s->label >= 0) TAC_TRY(take_column(l, s->label, chunk, arrow->label + l->rows, NULL));
    if (s->unit >= 0) TAC_TRY(take_column(l, s->unit, chunk, NULL, arrow->unit + l->rows));
done:
    return status;
}

/* ---- chunks ---- */

static const char *chunk_fault(const tac_arrow *arrow, const struct ArrowArray *chunk)
{
    int64_t end;

    if (chunk->length < 0 || chunk->offset < 0 ||
        __builtin_add_overflow(chunk->length, chunk->offset, &end) || end > INT64_MAX / 64)
        return "has a length or an offset that cannot be";
    if (chunk->n_children != arrow->base.schema.columns || chunk->children == NULL)
        return "has not the columns of the schema";
    if (chunk->n_buffers > 0 && chunk->buffers == NULL) return "has not the buffers of a table";
    return NULL;
}

/* Everything that can fail first; then the arrays in use are moved. */
static tacit_status take_chunk(loading *l, struct ArrowArray *chunk)
{
    tacit_status status = TACIT_OK;
    tac_arrow *arrow = l->arrow;
    const int32_t dims = l->selection->dims;
    const char *fault = chunk_fault(arrow, chunk);

    if (fault != NULL) return malformed(l, -1, fault);
    if (chunk->length == 0) return TACIT_OK;
    if (arrow->chunks == arrow->room) {
        const size_t room = 2 * arrow->room + 8;
        TAC_TRY(tac_grow(l->ctx, &arrow->chunk, room, sizeof *arrow->chunk));
        arrow->room = room;
    }
    tac_arrow_chunk *to = &arrow->chunk[arrow->chunks];
    *to = (tac_arrow_chunk){.first = (int64_t)l->rows, .rows = chunk->length};
    TAC_TRY(tac_new(l->ctx, (size_t)dims, sizeof *to->block, &to->block));
    arrow->chunks++; /* from here on close() frees it */
    for (int32_t j = 0; j < dims; j++) TAC_TRY(take_feature(l, j, chunk, &to->block[j]));
    TAC_TRY(take_codes(l, chunk));
    for (int32_t j = 0; j < dims; j++)
        if (to->block[j].own == NULL) {
            struct ArrowArray *from = chunk->children[l->selection->column[j]];
            to->block[j].held = *from;
            from->release = NULL;
        }
    l->rows += (size_t)chunk->length;
done:
    return status;
}

static tacit_status pull(loading *l)
{
    tacit_status status = TACIT_OK;
    struct ArrowArrayStream *stream = &l->arrow->stream;

    while (status == TACIT_OK) {
        struct ArrowArray chunk = {0};
        TAC_TRY(tac_check_cancel(l->ctx));
        if (stream->get_next(stream, &chunk) != 0) return failed(l);
        if (chunk.release == NULL) break;
        status = take_chunk(l, &chunk);
        chunk.release(&chunk);
    }
done:
    return status;
}

/* ---- the whole ---- */

/* Words for a missing value that are numbers or dates: a column of either has no words. */
static tacit_status find_missing(loading *l)
{
    tacit_status status = TACIT_OK;
    tac_arrow_missing *m = &l->arrow->missing;
    const tac_selection *s = l->selection;
    const char *padded;
    double value;

    TAC_TRY(tac_new(l->ctx, (size_t)s->missing_words, sizeof *m->number, &m->number));
    TAC_TRY(tac_new(l->ctx, (size_t)s->missing_words, sizeof *m->day, &m->day));
    for (int32_t i = 0; i < s->missing_words; i++) {
        const size_t length = strlen(s->missing_word[i]);
        TAC_TRY(pad(l, s->missing_word[i], length, &padded));
        if (tac_read_cell(padded, length, &value) == TAC_CELL_NUMBER)
            m->number[m->numbers++] = value;
        if (tac_parse_date(padded, length, &value)) m->day[m->days++] = value;
    }
done:
    return status;
}

void tac_arrow_release_stream(struct ArrowArrayStream *stream)
{
    if (stream->release != NULL) stream->release(stream);
    stream->release = NULL;
}

tacit_status tac_arrow_load(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    tac_arrow *arrow = (tac_arrow *)self;
    int32_t *feature = NULL;
    loading l = {.ctx = ctx, .arrow = arrow, .selection = selection};

    TAC_TRY(tac_selection_map(ctx, self, selection, &feature));
    TAC_TRY(tac_cell_rules_make(ctx, self, selection, &l.rule));
    TAC_TRY(find_missing(&l));
    arrow->dims = selection->dims;
    TAC_TRY(pull(&l));
    self->rows = (int64_t)l.rows;
    if (selection->counts || selection->missing == TACIT_MISSING_REJECT_FILE)
        TAC_TRY(tac_check_values(ctx, self, &arrow->input, selection));
    /* without rows there are columns all the same: that nobody is there must not show */
    if (selection->label >= 0) TAC_TRY(tac_grow(ctx, &arrow->label, l.rows, sizeof *arrow->label));
    if (selection->unit >= 0) TAC_TRY(tac_grow(ctx, &arrow->unit, l.rows, sizeof *arrow->unit));
    self->label = arrow->label;
    self->unit = arrow->unit;
    self->read_units = tac_read_held_units;
    if (selection->names) {
        tac_row_names_take(&l.label_codes, &self->names);
        self->names.of = arrow->label;
    }
done:
    /* read once, well or not: nothing of it is needed any more */
    tac_arrow_release_stream(&arrow->stream);
    tac_codes_clear(&l.label_codes);
    tac_cell_rules_free(l.rule, selection->dims);
    tac_free(l.padded);
    tac_free(feature);
    return status;
}
