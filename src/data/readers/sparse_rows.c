/* SPDX-License-Identifier: Apache-2.0 */
/* Serve sparse rows, dense or as entries; and check CSR arrays that a caller lends. File formats
   fill the arrays by sparse_build.c. */
#include "data/readers/sparse_rows.h"

#include <math.h>
#include <string.h>

/* The row number of a held row. */
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
        if (s->which[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* read() of the reader: absent entries are 0. */
static tacit_status sparse_read(const tac_reader *self, int64_t first, int64_t count, double *out)
{
    const tac_sparse *s = (const tac_sparse *)self;
    const size_t dims = (size_t)s->dims;

    memset(out, 0, (size_t)count * dims * sizeof *out);
    for (int64_t i = find_row(s, first); i < s->filled && row_of(s, i) < first + count; i++) {
        double *const to = out + (size_t)(row_of(s, i) - first) * dims;
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
            const int32_t j = s->feature[s->column[e]];
            if (j >= 0)
                to[j] = isfinite(s->value[e]) ? s->value[e] + (s->add ? to[j] : 0) : (double)NAN;
        }
    }
    return TACIT_OK;
}

/* Merge adjacent entries of one feature. They are counts, whose sums are exact in any order.
   Returns how many entries are left. */
static size_t add_equal(int32_t *feature, double *value, size_t count)
{
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        if (left > 0 && feature[left - 1] == feature[i]) {
            value[left - 1] += value[i];
        } else {
            feature[left] = feature[i];
            value[left++] = value[i];
        }
    }
    return left;
}

/* read_sparse() of the reader. Zeros and values that are not finite are left out. Entries are
   sorted only in rows that need it. */
static tacit_status sparse_read_sparse(const tac_reader *self, int64_t first, int64_t count,
                                       tac_nonzeros *out)
{
    tacit_status status = TACIT_OK;
    const tac_sparse *s = (const tac_sparse *)self;
    int64_t held = find_row(s, first), end = held;
    size_t used = 0;

    while (end < s->filled && row_of(s, end) < first + count) end++;
    TAC_TRY(tac_nonzeros_room(out, (size_t)count,
                              held < end ? (size_t)(s->start[end] - s->start[held]) : 0));
    for (int64_t i = 0; i < count; i++) {
        const size_t from = used;
        bool mixed = false;
        out->start[i] = (int64_t)from;
        if (held >= end || row_of(s, held) != first + i) continue;
        for (int64_t e = s->start[held]; e < s->start[held + 1]; e++) {
            const int32_t j = s->feature[s->column[e]];
            if (j < 0 || !isfinite(s->value[e]) || s->value[e] == 0) continue;
            mixed = mixed || (used > from && out->feature[used - 1] >= j);
            out->feature[used] = j;
            out->value[used++] = s->value[e];
        }
        if (mixed) tac_sort_entries(out->feature + from, out->value + from, used - from);
        if (mixed && s->add)
            used = from + add_equal(out->feature + from, out->value + from, used - from);
        held++;
    }
    out->start[count] = (int64_t)used;
done:
    return status;
}

/* What a held row has in a column; `none` without an entry. */
static double value_in(const tac_sparse *s, int64_t held, int32_t column, double none)
{
    for (int64_t e = s->start[held]; e < s->start[held + 1]; e++)
        if (s->column[e] == column) none = s->value[e];
    return none;
}

/* Codes of the values of one column; shared: those of several files, or NULL. A row without an
   entry has the value 0. */
static tacit_status code_column(tacit_ctx *ctx, const tac_sparse *s, int32_t column,
                                tac_codes *shared, int64_t **out)
{
    tacit_status status = TACIT_OK;
    tac_codes own = {0}, *const codes = shared != NULL ? shared : &own;
    int64_t *code = NULL, held = 0;

    TAC_TRY(tac_new(ctx, (size_t)s->length, sizeof *code, &code));
    for (int64_t i = 0; i < s->length; i++) {
        const bool here = held < s->filled && row_of(s, held) == i;
        TAC_TRY(
            tac_code_of_double(ctx, codes, here ? value_in(s, held++, column, 0) : 0, &code[i]));
        if (i % 65536 == 0) TAC_TRY(tac_check_cancel(ctx));
    }
    *out = code;
    code = NULL;
done:
    tac_codes_clear(&own);
    tac_free(code);
    return status;
}

/* Persons of the values of one column. A row without an entry is nobody's. */
static tacit_status persons_of_column(tacit_ctx *ctx, const tac_sparse *s,
                                      const tac_selection *selection, tac_person **out)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_new(ctx, (size_t)s->length, sizeof **out, out));
    for (int64_t held = 0; held < s->filled; held++) {
        const double value = value_in(s, held, selection->unit, NAN);
        if (tac_names_person(value, TACIT_F64))
            (*out)[row_of(s, held)] = tac_person_of_signed(&selection->person_key, (int64_t)value);
        if (held % 65536 == 0) TAC_TRY(tac_check_cancel(ctx));
    }
done:
    return status;
}

tacit_status tac_sparse_set_units(tacit_ctx *ctx, tac_sparse *s, const tac_person_key *key,
                                  const tac_codes *ids)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_new(ctx, (size_t)s->length, sizeof *s->unit, &s->unit));
    for (int64_t i = 0; i < s->length; i++) {
        const int64_t code = s->owner[i];
        const size_t from = code <= 0 ? 0 : ids->end[code - 1];
        if (code >= 0) s->unit[i] = tac_person_of(key, ids->text + from, ids->end[code] - from);
    }
    tac_free(s->owner);
    s->owner = NULL;
    s->base.unit = s->unit;
done:
    return status;
}

/* Labels and units that are columns of the matrix get codes and persons here; those from side
   columns have their codes already. */
tacit_status tac_sparse_finish(tacit_ctx *ctx, tac_sparse *s, const tac_selection *selection,
                               int32_t *feature)
{
    tacit_status status = TACIT_OK;
    const int32_t columns = s->base.schema.columns;

    s->feature = feature;
    s->dims = selection->dims;
    if (selection->label >= 0 && selection->label != s->base.schema.label_only &&
        selection->label < columns)
        TAC_TRY(code_column(ctx, s, selection->label, selection->label_codes, &s->label));
    if (selection->unit >= 0 && selection->unit < columns)
        TAC_TRY(persons_of_column(ctx, s, selection, &s->unit));
    s->base.rows = s->length;
    s->base.label = s->label;
    s->base.unit = s->unit;
    s->base.read_units = tac_read_held_units;
done:
    return status;
}

/* Check the form of one row of the caller's arrays. Returns NULL, or what is wrong. mark: per
   column, 1 + the last row that had it; sum: per column, of this row. Together they find duplicates
   in one step an entry. */
static const char *check_row(const tac_sparse *s, int64_t i, int64_t *mark, double *sum)
{
    const int32_t columns = s->base.schema.columns;

    if (s->start[i + 1] < s->start[i]) return "starts decrease";
    if (s->start[i + 1] > 0 && (s->column == NULL || s->value == NULL))
        return "columns or values are NULL";
    for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
        const int32_t c = s->column[e];
        if (c < 0 || c >= columns) return "a column number is outside the matrix";
        if (mark[c] != i + 1) {
            mark[c] = i + 1;
            sum[c] = 0;
        } else if (!s->add) {
            return "a row has two entries in one column";
        }
        sum[c] += s->value[e];
    }
    return NULL;
}

/* Check the values of a row whose form is right: refuse those that are not finite, not counts, or
   counts that add up to too much. */
static tacit_status check_values(tacit_ctx *ctx, const tac_sparse *s, int64_t i,
                                 const tac_selection *selection, const int32_t *feature,
                                 const double *sum)
{
    tacit_status status = TACIT_OK;
    const char *where = s->input.name;

    for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
        const int32_t c = s->column[e];
        const char *name = s->base.schema.names[c];
        if (feature[c] < 0) continue;
        if (selection->counts && !tac_is_count(s->value[e]))
            TAC_TRY(tac_fail_count(ctx, where, name));
        if (selection->counts && sum[c] > TAC_MOST_COUNT) TAC_TRY(tac_fail_sum(ctx, where, name));
        if (selection->missing == TACIT_MISSING_REJECT_FILE && !isfinite(s->value[e]))
            TAC_TRY(tac_fail_missing(ctx, where, i + 1, "row", name));
    }
done:
    return status;
}

/* The caller's arrays are checked once, here, in one pass; afterwards they are trusted, so they
   must not change. */
tacit_status tac_sparse_load_borrowed(tac_reader *self, tacit_ctx *ctx,
                                      const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    tac_sparse *s = (tac_sparse *)self;
    const char *wrong = s->start[0] == 0 ? NULL : "the first start is not 0";
    int32_t *feature = NULL;
    int64_t *mark = NULL;
    double *sum = NULL;

    s->add = selection->counts;
    TAC_TRY(tac_selection_map(ctx, self, selection, &feature));
    TAC_TRY(tac_new(ctx, (size_t)self->schema.columns, sizeof *mark, &mark));
    TAC_TRY(tac_new(ctx, (size_t)self->schema.columns, sizeof *sum, &sum));
    for (int64_t i = 0; wrong == NULL && i < s->length; i++) {
        wrong = check_row(s, i, mark, sum);
        if (wrong == NULL) TAC_TRY(check_values(ctx, s, i, selection, feature, sum));
    }
    if (wrong != NULL)
        TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT, "%s: %s; pass a valid CSR matrix", s->input.name,
                         wrong));
    s->filled = s->length;
    status = tac_sparse_finish(ctx, s, selection, feature);
    feature = NULL;
done:
    tac_free(feature);
    tac_free(mark);
    tac_free(sum);
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

/* close() of the sparse readers. Arrays of the caller stay. */
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
    tac_free(s->owner);
    tac_free(s->unit);
    tac_free(s);
}
