/* SPDX-License-Identifier: Apache-2.0 */
/* Build and serve sparse rows. */
#include "data/sparse_rows.h"

#include <math.h>
#include <string.h>

#define DIGIT 11 /* bits sorted by in one pass */

tacit_status tac_entries_add(tacit_ctx *ctx, tac_entries *entries, const tac_entry *entry)
{
    if (entries->count == entries->room) {
        const size_t room = entries->room == 0 ? 1024 : 2 * entries->room;
        const tacit_status status = tac_grow(ctx, &entries->entry, room, sizeof *entry);
        if (status != TACIT_OK) return status;
        entries->room = room;
    }
    if (entries->count > 0 && entry->row < entries->entry[entries->count - 1].row) entries->mixed = true;
    entries->entry[entries->count++] = *entry;
    return TACIT_OK;
}

/* Stable sort by row: a radix pass for each DIGIT bits that rows below `length` need. Memory follows the number of
   entries, never the number of rows a file claims to have. */
static tacit_status sort_by_row(tacit_ctx *ctx, tac_entries *entries, int64_t length)
{
    tacit_status status = TACIT_OK;
    tac_entry *other = NULL;

    if (!entries->mixed) return TACIT_OK;
    TAC_TRY(tac_new(ctx, entries->count, sizeof *other, &other));
    for (int shift = 0; (length - 1) >> shift > 0; shift += DIGIT) {
        size_t at[(1 << DIGIT) + 1] = {0};
        TAC_TRY(tac_check_cancel(ctx));
        for (size_t i = 0; i < entries->count; i++)
            at[((entries->entry[i].row >> shift) & ((1 << DIGIT) - 1)) + 1]++;
        for (size_t d = 0; d < (1 << DIGIT); d++) at[d + 1] += at[d];
        for (size_t i = 0; i < entries->count; i++)
            other[at[(entries->entry[i].row >> shift) & ((1 << DIGIT) - 1)]++] = entries->entry[i];
        tac_entry *const swap = entries->entry;
        entries->entry = other;
        other = swap;
    }
    entries->room = entries->count;
done:
    tac_free(other);
    return status;
}

tacit_status tac_entries_close_gaps(tacit_ctx *ctx, tac_entries *entries, int64_t *length)
{
    const tacit_status status = sort_by_row(ctx, entries, *length);
    int32_t row = -1, last = -1;

    for (size_t i = 0; status == TACIT_OK && i < entries->count; i++) {
        row += entries->entry[i].row != last;
        last = entries->entry[i].row;
        entries->entry[i].row = row;
    }
    entries->mixed = false;
    *length = row + INT64_C(1);
    return status;
}

static int64_t row_of(const tac_sparse *s, int64_t held)
{
    return s->which == NULL ? held : s->which[held];
}

/* The first held row that is not before `row`. */
static int64_t find_row(const tac_sparse *s, int64_t row)
{
    int64_t low = 0, high = s->filled;

    if (s->which == NULL) return row;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (s->which[middle] < row) low = middle + 1;
        else high = middle;
    }
    return low;
}

static tacit_status sparse_read(const tac_reader *self, int64_t first, int64_t count, double *out)
{
    const tac_sparse *s = (const tac_sparse *)self;
    const size_t dims = (size_t)s->dims;

    memset(out, 0, (size_t)count * dims * sizeof *out);
    for (int64_t i = find_row(s, first); i < s->filled && row_of(s, i) < first + count; i++) {
        double *const to = out + (size_t)(row_of(s, i) - first) * dims;
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
            const int32_t j = s->feature[s->column[e]];
            if (j >= 0) to[j] = isfinite(s->value[e]) ? s->value[e] : (double)NAN;
        }
    }
    return TACIT_OK;
}

static tacit_status sparse_read_sparse(const tac_reader *self, int64_t first, int64_t count, tac_nonzeros *out)
{
    tacit_status status = TACIT_OK;
    const tac_sparse *s = (const tac_sparse *)self;
    int64_t held = find_row(s, first), end = held;
    size_t used = 0;

    while (end < s->filled && row_of(s, end) < first + count) end++;
    TAC_TRY(tac_nonzeros_room(out, (size_t)count, held < end ? (size_t)(s->start[end] - s->start[held]) : 0));
    for (int64_t i = 0; i < count; i++) {
        const size_t from = used;
        bool mixed = false;
        out->start[i] = (int64_t)from;
        if (held >= end || row_of(s, held) != first + i) continue;
        for (int64_t e = s->start[held]; e < s->start[held + 1]; e++) {
            const int32_t j = s->feature[s->column[e]];
            if (j < 0 || !isfinite(s->value[e]) || s->value[e] == 0) continue;
            mixed = mixed || (used > from && out->feature[used - 1] > j);
            out->feature[used] = j;
            out->value[used++] = s->value[e];
        }
        if (mixed) tac_sort_entries(out->feature + from, out->value + from, used - from);
        held++;
    }
    out->start[count] = (int64_t)used;
done:
    return status;
}

/* Codes of the values of one column. A row without an entry has the value 0 as a label, and no owner. */
static tacit_status code_column(tacit_ctx *ctx, const tac_sparse *s, int32_t column, bool is_unit, int64_t **out)
{
    tacit_status status = TACIT_OK;
    tac_codes codes = {0};
    int64_t *code = NULL, held = 0;

    TAC_TRY(tac_new(ctx, (size_t)s->length, sizeof *code, &code));
    for (int64_t i = 0; i < s->length; i++) {
        double value = is_unit ? NAN : 0; /* a row that names nobody is nobody's */
        if (held < s->filled && row_of(s, held) == i) {
            for (int64_t e = s->start[held]; e < s->start[held + 1]; e++)
                if (s->column[e] == column) value = s->value[e];
            held++;
        }
        if (is_unit && !tac_names_person(value, TACIT_F64))
            code[i] = -1;
        else
            TAC_TRY(tac_code_of_double(ctx, &codes, value, &code[i]));
        if (i % 65536 == 0) TAC_TRY(tac_check_cancel(ctx));
    }
    *out = code;
    code = NULL;
done:
    tac_codes_clear(&codes);
    tac_free(code);
    return status;
}

/* What is left once the arrays stand. Takes `feature` over. */
static tacit_status finish(tacit_ctx *ctx, tac_sparse *s, const tac_selection *selection, int32_t *feature)
{
    tacit_status status = TACIT_OK;

    s->feature = feature;
    s->dims = selection->dims;
    if (selection->label >= 0 && selection->label != s->base.schema.label_only)
        TAC_TRY(code_column(ctx, s, selection->label, false, &s->label));
    if (selection->unit >= 0) TAC_TRY(code_column(ctx, s, selection->unit, true, &s->unit));
    s->base.rows = s->length;
    s->base.label = s->label;
    s->base.unit = s->unit;
done:
    return status;
}

tacit_status tac_sparse_build(tacit_ctx *ctx, tac_sparse *s, tac_entries *entries, const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    int32_t *feature = NULL;
    int64_t *mark = NULL; /* mark[c]: the last row with an entry in column c, from 1 */
    const bool reject = selection->missing == TACIT_MISSING_REJECT_FILE;

    TAC_TRY(tac_selection_map(ctx, &s->base, selection, &feature));
    TAC_TRY(sort_by_row(ctx, entries, s->length));
    for (size_t i = 0; i < entries->count; i++)
        s->filled += i == 0 || entries->entry[i].row != entries->entry[i - 1].row;
    TAC_TRY(tac_new(ctx, (size_t)s->base.schema.columns, sizeof *mark, &mark));
    TAC_TRY(tac_new(ctx, (size_t)s->filled, sizeof *s->own_which, &s->own_which));
    TAC_TRY(tac_new(ctx, (size_t)s->filled + 1, sizeof *s->own_start, &s->own_start));
    TAC_TRY(tac_new(ctx, entries->count, sizeof *s->own_column, &s->own_column));
    TAC_TRY(tac_new(ctx, entries->count, sizeof *s->own_value, &s->own_value));
    for (size_t i = 0, held = 0; i < entries->count; i++) {
        const tac_entry *e = &entries->entry[i];
        const char *name = s->base.schema.names[e->column];
        if (mark[e->column] == e->row + INT64_C(1)) {
            status = tac_fail(ctx, TACIT_E_FORMAT,
                              "%s: line %lld, " TAC_COLUMN ": the entry was given before; keep one of them or "
                              "their sum", s->input.name, (long long)e->line, name);
            goto done;
        }
        mark[e->column] = e->row + INT64_C(1);
        if (reject && feature[e->column] >= 0 && !isfinite(e->value))
            TAC_TRY(tac_fail_missing(ctx, s->input.name, e->line, "line", name));
        if (i == 0 || e->row != entries->entry[i - 1].row) s->own_which[held++] = e->row;
        s->own_column[i] = e->column;
        s->own_value[i] = e->value;
        s->own_start[held] = (int64_t)i + 1;
    }
    s->which = s->own_which;
    s->start = s->own_start;
    s->column = s->own_column;
    s->value = s->own_value;
    status = finish(ctx, s, selection, feature);
    feature = NULL;
done:
    tac_free(feature);
    tac_free(mark);
    return status;
}

tacit_status tac_sparse_load_borrowed(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    tac_sparse *s = (tac_sparse *)self;
    const int32_t columns = self->schema.columns;
    const char *wrong = s->start[0] == 0 ? NULL : "the first start is not 0";
    int32_t *feature = NULL;
    int64_t *mark = NULL;

    TAC_TRY(tac_selection_map(ctx, self, selection, &feature));
    TAC_TRY(tac_new(ctx, (size_t)columns, sizeof *mark, &mark));
    for (int64_t i = 0; wrong == NULL && i < s->length; i++) {
        if (s->start[i + 1] < s->start[i]) wrong = "starts decrease";
        else if (s->start[i + 1] > 0 && (s->column == NULL || s->value == NULL))
            wrong = "columns or values are NULL";
        for (int64_t e = s->start[i]; wrong == NULL && e < s->start[i + 1]; e++) {
            const int32_t c = s->column[e];
            if (c < 0 || c >= columns) {
                wrong = "a column number is outside the matrix";
            } else if (mark[c] == i + 1) {
                wrong = "a row has two entries in one column";
            } else {
                mark[c] = i + 1;
                if (selection->missing == TACIT_MISSING_REJECT_FILE && feature[c] >= 0 && !isfinite(s->value[e]))
                    TAC_TRY(tac_fail_missing(ctx, s->input.name, i + 1, "row", self->schema.names[c]));
            }
        }
    }
    if (wrong != NULL) {
        status = tac_fail(ctx, TACIT_E_ARGUMENT, "%s: %s; pass a valid CSR matrix", s->input.name, wrong);
        goto done;
    }
    s->filled = s->length;
    status = finish(ctx, s, selection, feature);
    feature = NULL;
done:
    tac_free(feature);
    tac_free(mark);
    return status;
}

void tac_sparse_serve(tac_sparse *s, const char *path,
                      tacit_status (*load)(tac_reader *, tacit_ctx *, const tac_selection *),
                      void (*close)(tac_reader *))
{
    s->base.path = path;
    s->base.load = load;
    s->base.read = sparse_read;
    s->base.read_sparse = sparse_read_sparse;
    s->base.close = close;
}

void tac_sparse_close(tac_reader *self)
{
    tac_sparse *s = (tac_sparse *)self;

    if (s == NULL) return;
    tac_input_close(&s->input);
    tac_schema_clear(&self->schema);
    tac_free(s->own_which);
    tac_free(s->own_start);
    tac_free(s->own_column);
    tac_free(s->own_value);
    tac_free(s->feature);
    tac_free(s->label);
    tac_free(s->unit);
    tac_free(s);
}
