/* SPDX-License-Identifier: Apache-2.0 */
/* One record of a file of triplets: its row, its column, its count, and whose it is. */
#include "data/readers/triplets_internal.h"

#include "data/readers/vocabulary.h"

#include <math.h>
#include <stdio.h>

/* A cell that breaks the grammar, with its line. Never quotes it. */
static tacit_status wrong(tacit_ctx *ctx, const tac_passing *p, int part, const char *what)
{
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: line %lld, " TAC_COLUMN ": %s",
                    p->file->sparse.input.name, (long long)p->line, tac_part_name(p->file, part),
                    what);
}

/* What lies outside the declared shape or vocabulary. Never names the line: trying one shape after
   the other would show how many entries each row has. */
static tacit_status outside(tacit_ctx *ctx, const tac_passing *p, int part, const char *what)
{
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: " TAC_COLUMN ": %s", p->file->sparse.input.name,
                    tac_part_name(p->file, part), what);
}

/* The column of a record; -1: it is none of the vocabulary's. */
static tacit_status column_of(tacit_ctx *ctx, const tac_passing *p, int32_t *out)
{
    const tac_triplets *t = p->t;
    const tac_cell_text *cell = &p->cell[1];
    const bool known = p->selection != NULL || t->declared_columns;
    const int64_t limit = known ? t->sparse.base.schema.columns : TAC_MOST_COLUMNS;
    int64_t number;

    *out = -1;
    if (t->vocabulary != NULL) {
        *out = (int32_t)tac_code_find(&t->vocabulary->names, cell->text, cell->length);
        /* What it does not name is unknown, a number too: one person's word must not stop the run,
           nor count as another column, because it looks like a number. */
        return TACIT_OK;
    }
    const tac_index_kind kind = tac_read_index(cell, &number);
    if (kind == TAC_INDEX_TEXT)
        return wrong(ctx, p, 1,
                     "holds text where a number is expected; numbers start at 0, and names need a "
                     "vocabulary");
    if (kind == TAC_INDEX_NUMBER && number < limit) {
        *out = (int32_t)number;
        return TACIT_OK;
    }
    if (kind == TAC_INDEX_NUMBER && t->declared_columns)
        return outside(ctx, p, 1, "a number is outside the declared shape; numbers start at 0");
    return tac_fail(ctx, TACIT_E_FORMAT,
                    "%s: line %lld, " TAC_COLUMN ": must be a whole number from 0 to %lld",
                    p->file->sparse.input.name, (long long)p->line, tac_part_name(p->file, 1),
                    (long long)limit - 1);
}

/* The row of a record; -1: none yet. Sets p->rename where the row has to be a name, and p->stray
   where it is no place; tac_triplets_stray refuses those after the last pass. */
static tacit_status row_of(tacit_ctx *ctx, tac_passing *p, int32_t *out)
{
    tacit_status status = TACIT_OK;
    tac_triplets *t = p->t;
    const tac_cell_text *cell = &p->cell[0];
    const bool shaped = p->selection->places && t->declared_rows > 0;
    const int64_t limit = shaped ? t->declared_rows : TAC_MOST_SPARSE_ROWS;
    int64_t number = -1;

    *out = 0;
    const tac_index_kind kind = tac_read_index(cell, &number);
    if (p->named && kind != TAC_INDEX_MISSING) {
        /* 7, 07 and 7.0 are one row, whether some other row has a name or not: it must not split
           rows of others. */
        char digits[24];
        const bool whole = kind == TAC_INDEX_NUMBER;
        const int length = whole ? snprintf(digits, sizeof digits, "%lld", (long long)number) : 0;
        TAC_TRY(tac_code_of(ctx, &t->row_names, whole ? digits : cell->text,
                            whole ? (size_t)length : cell->length, &number));
        if (number >= limit)
            TAC_TRY(outside(ctx, p, 0,
                            shaped ? "there are more names than the declared shape has rows"
                                   : "there are more than 2147483647 rows; split the file"));
    } else if (kind == TAC_INDEX_TEXT ||
               (!p->selection->places &&
                (kind == TAC_INDEX_BAD || (kind == TAC_INDEX_NUMBER && number >= limit)))) {
        /* Text, or the number of a customer who is nowhere near a place. Whether it may be a name
           must not depend on what others are called. */
        p->rename = true;
        return TACIT_OK;
    } else if (kind == TAC_INDEX_MISSING) {
        TAC_TRY(wrong(ctx, p, 0, "is missing; write a whole number from 0, or a name"));
    } else if (kind != TAC_INDEX_NUMBER || number >= limit) {
        /* No place, but a name if another row has one. Whether it is refused must not depend on
           which line comes first. */
        if (p->stray == TAC_STRAY_NONE || kind != TAC_INDEX_NUMBER)
            p->stray = kind == TAC_INDEX_NUMBER ? TAC_STRAY_BEYOND : TAC_STRAY_NO_PLACE;
        number = -1;
    }
    *out = (int32_t)number;
done:
    return status;
}

tacit_status tac_triplets_stray(tacit_ctx *ctx, const tac_passing *p)
{
    const bool shaped = p->t->declared_rows > 0;

    if (p->stray == TAC_STRAY_NONE) return TACIT_OK;
    if (p->stray == TAC_STRAY_BEYOND && shaped)
        return outside(ctx, p, 0, "a number is outside the declared shape; numbers start at 0");
    return tac_fail(ctx, TACIT_E_FORMAT,
                    "%s: " TAC_COLUMN ": must be a whole number from 0 to %lld, or a name",
                    p->t->sparse.input.name, tac_part_name(p->t, 0),
                    (shaped ? (long long)p->t->declared_rows : TAC_MOST_SPARSE_ROWS) - 1LL);
}

/* The owner of the row, or its label, as an entry in a side column. Does nothing where the
   selection wants none. */
static tacit_status add_side(tacit_ctx *ctx, tac_passing *p, const tac_entry *entry, bool is_unit)
{
    tacit_status status = TACIT_OK;
    const tac_cell_text *cell = &p->cell[is_unit ? 4 : 3];
    tac_entry e = *entry;
    int64_t code = -1;

    if ((is_unit ? p->unit : p->label) < 0) return TACIT_OK;
    if (!is_unit || !tac_is_missing_word(cell->text, cell->length)) /* nobody's row */
        TAC_TRY(tac_code_of(ctx, is_unit ? &p->t->owners : &p->t->labels, cell->text, cell->length,
                            &code));
    e.column = is_unit ? p->selection->unit : p->selection->label;
    e.value = (double)code;
    TAC_TRY(tac_builder_add(ctx, p->builder, &e));
done:
    return status;
}

/* The count of a record; without such a column every line counts 1. */
static tac_cell value_of(const tac_triplets *t, const tac_cell_text *cell, double *out)
{
    const tac_dialect *d = &t->dialect;

    *out = 1;
    if (t->sparse.base.schema.part[2] < 0) return TAC_CELL_NUMBER;
    return d->decimal == ',' || d->thousands != 0
               ? tac_read_number(d, cell->text, cell->length, out)
               : tac_read_value(cell, out);
}

/* The contract stands in triplets_internal.h. Without a selection only the column matters. In a
   data set with a ledger a value that is no number counts as missing, unless counts are wanted. */
tacit_status tac_triplets_record(tacit_ctx *ctx, tac_passing *p)
{
    tacit_status status = TACIT_OK;
    tac_entry e = {.line = p->line};

    TAC_TRY(column_of(ctx, p, &e.column));
    if (p->selection == NULL) {
        if (e.column >= p->columns) p->columns = e.column + INT64_C(1);
        return TACIT_OK;
    }
    TAC_TRY(row_of(ctx, p, &e.row));
    if (p->rename || e.row < 0) return TACIT_OK;
    const tac_cell kind = value_of(p->file, &p->cell[2], &e.value);
    if (kind == TAC_CELL_TEXT && p->selection->guarded && !p->selection->counts)
        e.value = NAN;
    else if (kind == TAC_CELL_TEXT)
        TAC_TRY(
            wrong(ctx, p, 2, "holds text where a number is expected; write one number per entry"));
    if (p->selection->counts && !tac_is_count(e.value))
        TAC_TRY(tac_fail_count(ctx, p->file->sparse.input.name, tac_part_name(p->file, 2)));
    TAC_TRY(tac_builder_add(ctx, p->builder, &e));
    TAC_TRY(add_side(ctx, p, &e, false));
    TAC_TRY(add_side(ctx, p, &e, true));
done:
    return status;
}
