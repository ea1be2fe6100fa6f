/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of a file, one after the other, become sparse rows. Entries that come in the order of
   their rows are placed at once. Others are collected and sorted by row first; sparse_rows.h
   explains the two passes. */
#include "data/readers/sparse_rows.h"

#include <math.h>
#include <string.h>

#define DIGIT 11    /* bits sorted by in one pass */
#define UNTOLD (-2) /* the code of a row whose label or owner no line has given */

tacit_status tac_builder_open(tacit_ctx *ctx, tac_sparse *s, const tac_selection *selection,
                              tac_builder *b)
{
    tacit_status status = TACIT_OK;

    *b = (tac_builder){.sparse = s, .selection = selection, .where = s->input.name, .last = -1};
    TAC_TRY(tac_selection_map(ctx, &s->base, selection, &b->feature));
    TAC_TRY(tac_new(ctx, (size_t)s->base.schema.columns, sizeof *b->mark, &b->mark));
done:
    return status;
}

/* Room for one row more in every array that has an element per row. */
static tacit_status more_rows(tacit_ctx *ctx, tac_builder *b)
{
    tacit_status status = TACIT_OK;
    tac_sparse *s = b->sparse;
    const int32_t columns = s->base.schema.columns;

    if (b->rows == b->rows_room) {
        const size_t room = b->rows_room == 0 ? 1024 : 2 * b->rows_room;
        TAC_TRY(tac_grow(ctx, &s->own_start, room + 1, sizeof *s->own_start));
        if (!b->close_gaps || b->selection->names)
            TAC_TRY(tac_grow(ctx, &s->own_which, room, sizeof *s->own_which));
        if (b->selection->label >= columns)
            TAC_TRY(tac_grow(ctx, &s->label, room, sizeof *s->label));
        if (b->selection->unit >= columns)
            TAC_TRY(tac_grow(ctx, &s->owner, room, sizeof *s->owner));
        b->rows_room = room;
    }
done:
    return status;
}

/* The row of `e` is a new one. */
static tacit_status begin_row(tacit_ctx *ctx, tac_builder *b, const tac_entry *e)
{
    tac_sparse *s = b->sparse;
    const int32_t columns = s->base.schema.columns;
    const tacit_status status = more_rows(ctx, b);

    if (status != TACIT_OK) return status;
    if (!b->close_gaps || b->selection->names) s->own_which[b->rows] = e->row;
    if (b->selection->label >= columns) s->label[b->rows] = UNTOLD;
    if (b->selection->unit >= columns) s->owner[b->rows] = UNTOLD;
    s->own_start[b->rows++] = (int64_t)b->count;
    b->last = e->row;
    return TACIT_OK;
}

/* A label or owner of the row begun last. All lines of a row must agree on it. */
static tacit_status put_side(tacit_ctx *ctx, tac_builder *b, const tac_entry *e)
{
    tac_sparse *s = b->sparse;
    const tac_schema *schema = &s->base.schema;
    int64_t *const code = (e->column == b->selection->label ? s->label : s->owner) + b->rows - 1;

    /* Never the line: whoever may choose the column would learn how many entries the rows before it
       have. */
    if (*code != UNTOLD && *code != (int64_t)e->value)
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: " TAC_COLUMN ": lines of one row differ in it; a row has one owner "
                        "and one label",
                        b->where, schema->side[e->column - schema->columns]);
    *code = (int64_t)e->value;
    return TACIT_OK;
}

/* An entry of the row begun last. The same column twice: counts add up, other values are refused.
   Checks counts and missing values as the selection wants. */
static tacit_status put(tacit_ctx *ctx, tac_builder *b, const tac_entry *e)
{
    tacit_status status = TACIT_OK;
    tac_sparse *s = b->sparse;
    const char *where = b->where, *name = s->base.schema.names[e->column];
    const bool feature = b->feature[e->column] >= 0, counts = b->selection->counts && feature;
    int64_t *const mark = &b->mark[e->column];

    if (counts && !tac_is_count(e->value)) return tac_fail_count(ctx, where, name);
    if (counts && e->value == 0) return TACIT_OK; /* nothing, written out */
    if (b->selection->counts && !feature && e->column != b->selection->label &&
        e->column != b->selection->unit)
        return TACIT_OK;
    if (*mark > s->own_start[b->rows - 1]) {
        double *const before = &s->own_value[*mark - 1];
        if (!counts)
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: " TAC_COLUMN ": an entry was given before; keep one of them or "
                            "their sum",
                            where, name);
        if (*before + e->value > TAC_MOST_COUNT) return tac_fail_sum(ctx, where, name);
        *before += e->value;
        return TACIT_OK;
    }
    if (b->selection->missing == TACIT_MISSING_REJECT_FILE && feature && !isfinite(e->value))
        return tac_fail_missing(ctx, where, e->line, "line", name);
    /* large blocks move by remapping pages, and pages not yet written take no memory */
    if (b->count == b->room) {
        const size_t room = b->room == 0 ? 1024 : 2 * b->room;
        TAC_TRY(tac_grow(ctx, &s->own_column, room, sizeof *s->own_column));
        TAC_TRY(tac_grow(ctx, &s->own_value, room, sizeof *s->own_value));
        b->room = room;
    }
    s->own_column[b->count] = e->column;
    s->own_value[b->count++] = e->value;
    *mark = (int64_t)b->count;
done:
    return status;
}

/* One entry, in the order of rows: begins its row if it is a new one. */
static tacit_status place(tacit_ctx *ctx, tac_builder *b, const tac_entry *e)
{
    tacit_status status = TACIT_OK;

    if (b->rows == 0 || e->row != b->last) TAC_TRY(begin_row(ctx, b, e));
    if (e->column >= b->sparse->base.schema.columns)
        TAC_TRY(put_side(ctx, b, e));
    else if (e->column >= 0)
        TAC_TRY(put(ctx, b, e));
done:
    return status;
}

/* Keep an entry for sorting. */
static tacit_status collect(tacit_ctx *ctx, tac_builder *b, const tac_entry *e)
{
    tacit_status status = TACIT_OK;

    if (b->collected == b->collect_room) {
        const size_t room = b->collect_room == 0 ? 1024 : 2 * b->collect_room;
        TAC_TRY(tac_grow(ctx, &b->entry, room, sizeof *e));
        b->collect_room = room;
    }
    b->entry[b->collected++] = *e;
done:
    return status;
}

tacit_status tac_builder_add(tacit_ctx *ctx, tac_builder *b, const tac_entry *e)
{
    if (b->again) return TACIT_OK;
    if (e->row >= b->most) b->most = e->row + INT64_C(1);
    if (b->collect) return collect(ctx, b, e);
    if (e->row < b->last) {
        b->again = true;
        return TACIT_OK;
    }
    return place(ctx, b, e);
}

void tac_builder_restart(tac_builder *b)
{
    b->again = false;
    b->collect = true;
    b->last = -1;
    b->count = b->rows = b->collected = 0;
    b->most = 0;
    memset(b->mark, 0, (size_t)b->sparse->base.schema.columns * sizeof *b->mark);
}

/* Stable radix sort by row, one pass for each DIGIT bits that the row numbers need. Memory grows
   with the number of entries, never with the number of rows that a file claims to have. */
static tacit_status sort_by_row(tacit_ctx *ctx, tac_builder *b)
{
    tacit_status status = TACIT_OK;
    tac_entry *other = NULL;

    TAC_TRY(tac_new(ctx, b->collected, sizeof *other, &other));
    for (int shift = 0; (b->most - 1) >> shift > 0; shift += DIGIT) {
        size_t at[(1 << DIGIT) + 1] = {0};
        TAC_TRY(tac_check_cancel(ctx));
        for (size_t i = 0; i < b->collected; i++)
            at[((b->entry[i].row >> shift) & ((1 << DIGIT) - 1)) + 1]++;
        for (size_t d = 0; d < (1 << DIGIT); d++) at[d + 1] += at[d];
        for (size_t i = 0; i < b->collected; i++)
            other[at[(b->entry[i].row >> shift) & ((1 << DIGIT) - 1)]++] = b->entry[i];
        tac_entry *const swap = b->entry;
        b->entry = other;
        other = swap;
    }
    b->collect_room = b->collected;
done:
    tac_free(other);
    return status;
}

/* Spread the codes of held rows over all rows. A row that the file does not mention has no owner,
   and a label of its own that no other row has. */
static tacit_status spread(tacit_ctx *ctx, const tac_sparse *s, bool is_unit, int64_t **codes)
{
    tacit_status status = TACIT_OK;
    int64_t *all = NULL, none = -1;

    TAC_TRY(tac_new(ctx, (size_t)s->length, sizeof *all, &all));
    for (int64_t i = 0; !is_unit && i < s->filled; i++)
        if ((*codes)[i] > none) none = (*codes)[i];
    if (!is_unit) none++;
    for (int64_t i = 0; i < s->length; i++) all[i] = none;
    for (int64_t i = 0; i < s->filled; i++)
        if ((*codes)[i] != UNTOLD) all[s->which == NULL ? i : s->which[i]] = (*codes)[i];
    tac_free(*codes);
    *codes = all;
    all = NULL;
done:
    tac_free(all);
    return status;
}

/* Sorts what was collected, ends the last row, gives back spare room, and hands the arrays to the
   reader. */
tacit_status tac_builder_finish(tacit_ctx *ctx, tac_builder *b)
{
    tacit_status status = TACIT_OK;
    tac_sparse *s = b->sparse;
    const int32_t columns = s->base.schema.columns;

    if (b->collect) {
        TAC_TRY(sort_by_row(ctx, b));
        for (size_t i = 0; i < b->collected; i++) TAC_TRY(place(ctx, b, &b->entry[i]));
        tac_free(b->entry);
        b->entry = NULL;
    }
    TAC_TRY(more_rows(ctx, b)); /* there is a start even where there are no rows */
    s->own_start[b->rows] = (int64_t)b->count;
    s->filled = (int64_t)b->rows;
    if (b->close_gaps) s->length = s->filled;
    /* Give back what doubling took too much. */
    TAC_TRY(tac_grow(ctx, &s->own_column, b->count, sizeof *s->own_column));
    TAC_TRY(tac_grow(ctx, &s->own_value, b->count, sizeof *s->own_value));
    s->which = s->filled == s->length ? NULL : s->own_which;
    s->start = s->own_start;
    s->column = s->own_column;
    s->value = s->own_value;
    if (b->selection->label >= columns) TAC_TRY(spread(ctx, s, false, &s->label));
    if (b->selection->unit >= columns) TAC_TRY(spread(ctx, s, true, &s->owner));
    int32_t *const feature = b->feature;
    b->feature = NULL;
    TAC_TRY(tac_sparse_finish(ctx, s, b->selection, feature));
done:
    return status;
}

void tac_builder_close(tac_builder *b)
{
    tac_free(b->entry);
    tac_free(b->feature);
    tac_free(b->mark);
}
