/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse counts as a list of entries: a CSV file with the columns row, col and count, in any
   order and any case, or with columns that the caller says are these. Of the other columns one
   may name the owner of a row and one its label; the rest is ignored.
   col is a number from 0 or, with a vocabulary, one of its names; other names are left out.
   Where nobody declares the number of columns, opening the file reads its col numbers, and
   nothing else: the number of columns is then taken from the file and so counts as public.
   row is a number from 0 or, if any row is no such number, a name. A row is there if the file
   mentions it. Rows come in the order of their numbers, named ones in the order of appearance.
   If unmentioned numbers were rows of zeros, one line with a large number could add any number
   of rows, and one person would no longer be one row.
   Where row numbers are public places (selection.places), unmentioned ones are rows of zeros.
   Named rows then get their places in the order of their names, which is public, and not by
   which line comes first, which depends on the counts. */
#include "data/readers/triplets_internal.h"
#include "data/readers/vocabulary.h"

#include <stdlib.h>
#include <string.h>

/* Drop the names that a pass has found; the next one finds its own. */
static void forget_names(tac_triplets *t)
{
    tac_codes_clear(&t->row_names);
    tac_codes_clear(&t->labels);
    tac_codes_clear(&t->owners);
}

/* The column of a file that a label or unit of the selection stands for; -1: none. By its name:
   several files may have their columns in another order. */
static int32_t file_column(const tac_triplets *t, const tac_triplets *file, int32_t selected)
{
    const tac_schema *schema = &t->sparse.base.schema;

    for (int32_t c = 0; selected >= schema->columns && c < file->file_columns; c++)
        if (file->side_of[c] >= 0 && strcmp(file->sparse.base.schema.side[file->side_of[c]],
                                            schema->side[selected - schema->columns]) == 0)
            return c;
    return -1;
}

/* One pass over the records of every file, until they are wanted again. */
static tacit_status pass_all(tacit_ctx *ctx, tac_passing *p)
{
    tacit_status status = TACIT_OK;
    tac_triplets *t = p->t;
    const int32_t count = t->files == NULL ? 1 : t->file_count;

    for (int32_t i = 0; i < count && !p->rename && !p->builder->again; i++) {
        p->file = t->files == NULL ? t : t->files[i];
        p->label = file_column(t, p->file, p->selection->label);
        p->unit = file_column(t, p->file, p->selection->unit);
        TAC_TRY(tac_triplets_pass(ctx, p));
    }
done:
    return status;
}

/* A name and its code, for sorting. */
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

/* Collected rows get their places in the order of their names. *names_of (if wanted): the name at
   each place. */
static tacit_status place_by_name(tacit_ctx *ctx, const tac_codes *names, tac_builder *b,
                                  int64_t rows, int64_t **names_of)
{
    tacit_status status = TACIT_OK;
    row_name *sorted = NULL;
    int32_t *place = NULL;

    TAC_TRY(tac_new(ctx, names->count, sizeof *sorted, &sorted));
    TAC_TRY(tac_new(ctx, names->count, sizeof *place, &place));
    for (size_t i = 0; i < names->count; i++) {
        const size_t from = i == 0 ? 0 : names->end[i - 1];
        sorted[i] = (row_name){
            .text = names->text + from, .length = names->end[i] - from, .code = (int32_t)i};
    }
    qsort(sorted, names->count, sizeof *sorted, by_name);
    for (size_t i = 0; i < names->count; i++) place[sorted[i].code] = (int32_t)i;
    for (size_t e = 0; e < b->collected; e++) b->entry[e].row = place[b->entry[e].row];
    if (names_of != NULL) {
        TAC_TRY(tac_new(ctx, (size_t)rows, sizeof **names_of, names_of));
        for (int64_t i = 0; i < rows; i++)
            (*names_of)[i] = i < (int64_t)names->count ? sorted[i].code : -1;
    }
done:
    tac_free(sorted);
    tac_free(place);
    return status;
}

/* Rows are called what the label column says or, without one, what the column row says. */
static void keep_names(tac_triplets *t, const tac_passing *p, const tac_selection *selection)
{
    tac_row_names *names = &t->sparse.base.names;

    if (selection->label >= 0) {
        tac_row_names_take(&t->labels, names);
        names->of = t->sparse.label;
    } else if (p->named) {
        /* without places, in the order of appearance, as the rows are */
        tac_row_names_take(&t->row_names, names);
        names->of = names->own_of;
    } else {
        names->numbers = true;
        names->of = selection->places ? NULL : t->sparse.own_which;
    }
}

/* load() of the reader. The passes differ in what they take rows for, and in whether entries are
   collected. */
static tacit_status triplets_load(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    tac_triplets *t = (tac_triplets *)self;
    tac_builder b;
    tac_passing p = {.t = t, .file = t, .selection = selection, .builder = &b};

    TAC_TRY(tac_builder_open(ctx, &t->sparse, selection, &b));
    if (t->files != NULL) b.where = self->path;
    b.close_gaps = !selection->places;
    for (;;) { /* at most three times: numbers in order, numbers or names in order, in any order */
        TAC_TRY(pass_all(ctx, &p));
        if (!p.rename && !b.again) break;
        const bool was_collecting = b.collect || b.again;
        tac_builder_restart(&b);
        p.named = p.named || p.rename;
        b.collect = was_collecting || (p.named && selection->places);
        p.rename = false;
        p.stray = TAC_STRAY_NONE;
        forget_names(t);
    }
    TAC_TRY(tac_triplets_stray(ctx, &p));
    if (selection->places) t->sparse.length = t->declared_rows > 0 ? t->declared_rows : b.most;
    if (selection->places && p.named)
        TAC_TRY(place_by_name(ctx, &t->row_names, &b, t->sparse.length,
                              selection->names ? &self->names.own_of : NULL));
    TAC_TRY(tac_builder_finish(ctx, &b));
    if (selection->unit >= 0 && t->sparse.owner != NULL)
        TAC_TRY(tac_sparse_set_units(ctx, &t->sparse, &selection->person_key, &t->owners));
    if (selection->names) keep_names(t, &p, selection);
done:
    tac_builder_close(&b);
    forget_names(t);
    return status;
}

static void triplets_close(tac_reader *self)
{
    tac_triplets *t = (tac_triplets *)self;

    if (t == NULL) return;
    for (int32_t i = 0; t->files != NULL && i < t->file_count; i++)
        if (t->files[i] != t) triplets_close(&t->files[i]->sparse.base);
    tac_free(t->files);
    forget_names(t);
    tac_row_names_clear(&self->names);
    tac_free(t->side_of);
    tac_sparse_close(self);
}

/* How many columns there are: declared, or the largest col and 1. */
static tacit_status count_columns(tacit_ctx *ctx, tac_triplets *t, const tac_shape *shape,
                                  int64_t *columns)
{
    tacit_status status = TACIT_OK;
    tac_passing p = {.t = t, .file = t, .label = -1, .unit = -1};

    TAC_TRY(tac_triplets_pass(ctx, &p)); /* the header */
    if (shape->columns > 0)
        TAC_TRY(tac_vocabulary_check(ctx, shape->vocabulary, shape->columns, "the declared shape"));
    *columns = shape->columns > 0          ? shape->columns
               : shape->vocabulary != NULL ? tac_vocabulary_size(shape->vocabulary)
                                           : 0;
    if (*columns > 0) return TACIT_OK;
    TAC_TRY(tac_triplets_pass(ctx, &p));
    *columns = p.columns;
    /* nothing shows how many columns there are */
    if (p.columns == 0) TAC_TRY(tac_fail_no_rows(ctx, t->sparse.input.name));
done:
    return status;
}

/* Opening makes one pass over the header and, if nobody declares the number of columns, one over
   the col numbers. A pipe is kept in memory: it is read several times. */
tacit_status tac_open_triplets(tacit_ctx *ctx, const char *path, const tac_shape *shape,
                               tac_reader **out)
{
    tacit_status status = TACIT_OK;
    tac_schema named = {0};
    int64_t columns = 0;
    tac_triplets *t = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *t, &t));
    t->sparse.input.fd = -1;
    t->dialect = tac_dialect_full(&shape->dialect, TACIT_FORMAT_TRIPLETS);
    t->named = shape->part;
    TAC_TRY(tac_input_open_at(ctx, path, shape->descriptor, &t->sparse.input));
    TAC_TRY(tac_input_hold(ctx, &t->sparse.input));
    TAC_TRY(count_columns(ctx, t, shape, &columns));
    TAC_TRY(tac_schema_named(ctx, shape->vocabulary, columns, TAC_FROM_ZERO, NULL, &named));
    named.side = t->sparse.base.schema.side;
    named.sides = t->sparse.base.schema.sides;
    named.header = t->sparse.base.schema.header;
    named.stated = t->sparse.base.schema.stated;
    memcpy(named.part, t->sparse.base.schema.part, sizeof named.part);
    named.own_parts = t->sparse.base.schema.own_parts;
    t->sparse.base.schema = named;
    t->declared_rows = shape->rows;
    t->declared_columns = shape->columns > 0;
    t->vocabulary = shape->vocabulary;
    tac_sparse_serve(&t->sparse, path, triplets_load, triplets_close);
    t->sparse.base.format = TACIT_FORMAT_TRIPLETS;
    t->sparse.base.dialect = t->dialect;
    t->named = NULL;
    t->sparse.base.by_place = t->sparse.base.has_names = true;
    *out = &t->sparse.base;
    t = NULL;
done:
    triplets_close((tac_reader *)t);
    return status;
}

tacit_status tac_triplets_join(tacit_ctx *ctx, tac_reader *const *files, int32_t count,
                               int32_t lead)
{
    tac_triplets *t = (tac_triplets *)files[lead];
    tac_triplets **all = NULL;

    const tacit_status status = tac_new(ctx, (size_t)count, sizeof *all, &all);
    if (status != TACIT_OK) return status;
    for (int32_t i = 0; i < count; i++) {
        all[i] = (tac_triplets *)files[i];
        all[i]->sparse.base.path = ""; /* inputs have names of their own */
    }
    t->files = all;
    t->file_count = count;
    return TACIT_OK;
}
