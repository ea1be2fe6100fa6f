/* SPDX-License-Identifier: Apache-2.0 */
/* Several files as one reader: the rows of each after those of the file before. Every file is read
   by the reader of its format; this one knows which rows are whose, and has the labels and the
   persons of all: somebody with rows in two files is one person. Triplets are the exception: a row
   may have entries in any file, so their reader gathers all files itself. */
#include "data/readers/array_rows.h"
#include "data/readers/vocabulary.h"

#include <string.h>

typedef struct several {
    tac_reader base;
    int32_t count, lead;
    tac_reader **file;
    char **path;    /* copies: a reader borrows its own */
    int64_t *first; /* count + 1: rows of file i are first[i] .. first[i+1]-1 */
    int32_t dims;
    int64_t declared_rows; /* 0: not */
    int64_t *label;
} several;

/* ---- the files have the same columns ---- */

static bool has_header(const tac_reader *reader)
{
    return tac_format_traits_of(reader->format)->header;
}

/* The names that a file itself gives its columns. */
static char *const *names_of(const tac_reader *reader)
{
    return reader->schema.header != NULL ? reader->schema.header : reader->schema.names;
}

/* Where a column of that name is; -1: nowhere. hint: where it would be in the same order. */
static int32_t place_of(const tac_reader *reader, const char *name, int32_t hint)
{
    char *const *names = names_of(reader);

    if (hint < reader->schema.stated && strcmp(names[hint], name) == 0) return hint;
    for (int32_t c = 0; c < reader->schema.stated; c++)
        if (strcmp(names[c], name) == 0) return c;
    return -1;
}

/* Names of columns are in headers, which are public. */
static tacit_status check_names(tacit_ctx *ctx, const tac_reader *lead, const tac_reader *other)
{
    for (int32_t c = 0; c < lead->schema.stated; c++)
        if (place_of(other, names_of(lead)[c], c) < 0)
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: has no " TAC_COLUMN ", which %s has; files of one data set have "
                            "the same columns, in any order",
                            other->path, names_of(lead)[c], lead->path);
    for (int32_t c = 0; c < other->schema.stated; c++)
        if (place_of(lead, names_of(other)[c], c) < 0)
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: has a " TAC_COLUMN ", which %s has not; files of one data set "
                            "have the same columns, in any order",
                            other->path, names_of(other)[c], lead->path);
    for (int i = 0; lead->format == TACIT_FORMAT_TRIPLETS && i < 3; i++) {
        const int32_t *ours = lead->schema.part, *theirs = other->schema.part;
        if ((ours[i] < 0) != (theirs[i] < 0) ||
            (ours[i] >= 0 && strcmp(names_of(lead)[ours[i]], names_of(other)[theirs[i]]) != 0))
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: row, col and count are not the columns that they are in %s; name "
                            "columns by their names, not by their numbers",
                            other->path, lead->path);
    }
    return TACIT_OK;
}

static bool same_order(const tac_reader *lead, const tac_reader *other)
{
    for (int32_t c = 0; has_header(lead) && c < lead->schema.stated; c++)
        if (place_of(other, names_of(lead)[c], c) != c) return false;
    return true;
}

/* Equal integers of two types have other bytes, and would be two labels. */
static tacit_status check_arrays(tacit_ctx *ctx, const tac_reader *lead, const tac_reader *other)
{
    if (((const tac_array *)lead)->type == ((const tac_array *)other)->type) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_FORMAT,
                    "%s: its elements are of another type than those of %s; save both with one "
                    "type (.astype)",
                    other->path, lead->path);
}

static tacit_status check_alike(tacit_ctx *ctx, const tac_reader *lead, const tac_reader *other)
{
    if (lead->format != other->format)
        return tac_fail(
            ctx, TACIT_E_FORMAT, "%s: is %s, and %s is %s; files of one data set have one format",
            other->path, tac_format_name(other->format), lead->path, tac_format_name(lead->format));
    if (has_header(lead)) return check_names(ctx, lead, other);
    if (lead->schema.stated > 0 && lead->schema.stated != other->schema.stated &&
        lead->schema.columns != other->schema.columns)
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: has %d columns, and %s has %d; files of one data set have the same "
                        "columns",
                        other->path, (int)other->schema.stated, lead->path,
                        (int)lead->schema.stated);
    return lead->format == TACIT_FORMAT_NPY ? check_arrays(ctx, lead, other) : TACIT_OK;
}

/* Files that do not state their number of columns have as many as the widest of them. Those with a
   vocabulary or a declared number have it already. */
static tacit_status widen(tacit_ctx *ctx, tac_reader *reader, int32_t columns)
{
    const bool libsvm = reader->format == TACIT_FORMAT_LIBSVM;
    tac_schema named = {0}, *schema = &reader->schema;

    if (schema->columns == columns) return TACIT_OK;
    const tacit_status status =
        tac_schema_named(ctx, NULL, columns - libsvm, libsvm ? TAC_FROM_ONE : TAC_FROM_ZERO,
                         libsvm ? "label" : NULL, &named);
    if (status != TACIT_OK) return status;
    tac_free(schema->names[0]);
    tac_free(schema->names);
    schema->names = named.names;
    schema->columns = named.columns;
    schema->label_only = named.label_only;
    return TACIT_OK;
}

/* ---- reading ---- */

/* The file that has this row, or `count`: rows after the last line of every file are empty. */
static int32_t file_of(const several *s, int64_t row)
{
    int32_t low = 0, high = s->count;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (s->first[middle + 1] <= row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many of `count` rows from `first` on are of file i. */
static int64_t share_of(const several *s, int32_t i, int64_t first, int64_t count)
{
    return i == s->count || s->first[i + 1] - first >= count ? count : s->first[i + 1] - first;
}

static tacit_status several_read(const tac_reader *self, int64_t first, int64_t count, double *out)
{
    tacit_status status = TACIT_OK;
    const several *s = (const several *)self;

    for (int64_t done = 0; done < count;) {
        const int32_t i = file_of(s, first + done);
        const int64_t rows = share_of(s, i, first + done, count - done);
        double *const to = out + (size_t)done * (size_t)s->dims;
        if (i == s->count)
            memset(to, 0, (size_t)rows * (size_t)s->dims * sizeof *to);
        else
            TAC_TRY(s->file[i]->read(s->file[i], first + done - s->first[i], rows, to));
        done += rows;
    }
done:
    return status;
}

/* Rows after the last line are nobody's. */
static tacit_status several_read_units(const tac_reader *self, int64_t first, int64_t count,
                                       tac_person *out)
{
    tacit_status status = TACIT_OK;
    const several *s = (const several *)self;

    for (int64_t done = 0; done < count;) {
        const int32_t i = file_of(s, first + done);
        const int64_t rows = share_of(s, i, first + done, count - done);
        if (i == s->count)
            memset(out + done, 0, (size_t)rows * sizeof *out);
        else
            TAC_TRY(
                s->file[i]->read_units(s->file[i], first + done - s->first[i], rows, out + done));
        done += rows;
    }
done:
    return status;
}

/* out, which holds `rows` rows, gets more of them behind. */
static tacit_status append(tac_nonzeros *out, int64_t rows, const tac_nonzeros *more, int64_t count)
{
    tacit_status status = TACIT_OK;
    const size_t used = rows == 0 ? 0 : (size_t)out->start[rows];
    const size_t entries = more == NULL ? 0 : (size_t)more->start[count];

    TAC_TRY(tac_nonzeros_room(out, (size_t)(rows + count), used + entries));
    for (int64_t i = 0; i <= count; i++)
        out->start[rows + i] = (int64_t)used + (more == NULL ? 0 : more->start[i]);
    if (entries > 0) {
        memcpy(out->feature + used, more->feature, entries * sizeof *out->feature);
        memcpy(out->value + used, more->value, entries * sizeof *out->value);
    }
done:
    return status;
}

static tacit_status several_read_sparse(const tac_reader *self, int64_t first, int64_t count,
                                        tac_nonzeros *out)
{
    tacit_status status = TACIT_OK;
    const several *s = (const several *)self;
    tac_nonzeros part = {0};
    const int32_t one = file_of(s, first);

    /* most blocks lie in one file */
    if (one < s->count && share_of(s, one, first, count) == count)
        return s->file[one]->read_sparse(s->file[one], first - s->first[one], count, out);
    TAC_TRY(append(out, 0, NULL, 0));
    for (int64_t done = 0; done < count;) {
        const int32_t i = file_of(s, first + done);
        const int64_t rows = share_of(s, i, first + done, count - done);
        if (i < s->count)
            TAC_TRY(s->file[i]->read_sparse(s->file[i], first + done - s->first[i], rows, &part));
        TAC_TRY(append(out, done, i < s->count ? &part : NULL, rows));
        done += rows;
    }
done:
    tac_nonzeros_clear(&part);
    return status;
}

/* ---- loading ---- */

static tacit_status several_check(const tac_reader *self, tacit_ctx *ctx,
                                  const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    const several *s = (const several *)self;

    for (int32_t i = 0; i < s->count; i++)
        if (s->file[i]->check != NULL) TAC_TRY(s->file[i]->check(s->file[i], ctx, selection));
done:
    return status;
}

/* The selection as a file numbers its columns. column: room for its features. */
static tac_selection selection_of(const several *s, const tac_reader *file,
                                  const tac_selection *all, int32_t *column)
{
    const tac_reader *lead = s->file[s->lead];
    tac_selection own = *all;

    if (has_header(lead)) {
        for (int32_t j = 0; j < all->dims; j++)
            column[j] = place_of(file, lead->schema.names[all->column[j]], all->column[j]);
        own.column = column;
        if (all->label >= 0) own.label = place_of(file, lead->schema.names[all->label], all->label);
        if (all->unit >= 0) own.unit = place_of(file, lead->schema.names[all->unit], all->unit);
    }
    own.names = false; /* the texts are here */
    return own;
}

/* Labels of all files in one array; rows after the last line have `none`. */
static tacit_status gather(tacit_ctx *ctx, several *s, int64_t none)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_scratch(ctx, (size_t)s->base.rows, sizeof *s->label, &s->label));
    for (int32_t i = 0; i < s->count; i++)
        if (s->file[i]->rows > 0)
            memcpy(s->label + s->first[i], s->file[i]->label,
                   (size_t)s->file[i]->rows * sizeof *s->label);
    for (int64_t i = s->first[s->count]; i < s->base.rows; i++) s->label[i] = none;
done:
    return status;
}

/* Public places: so many rows as were declared, the last ones empty. */
static tacit_status count_rows(tacit_ctx *ctx, several *s, bool places)
{
    const int64_t rows = s->first[s->count];

    s->base.rows = rows;
    if (!places || s->declared_rows == 0 || s->base.read_sparse == NULL) return TACIT_OK;
    if (rows > s->declared_rows)
        return tac_fail(ctx, TACIT_E_FORMAT, "%s: there are more rows than the declared shape has",
                        s->base.path);
    s->base.rows = s->declared_rows;
    return TACIT_OK;
}

/* Every file codes its labels by one table, and knows its persons under one key. */
static tacit_status several_load(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    several *s = (several *)self;
    tac_codes labels = {0};
    int32_t *column = NULL;
    int64_t none = 0;

    TAC_TRY(tac_new(ctx, (size_t)selection->dims, sizeof *column, &column));
    for (int32_t i = 0; i < s->count; i++) {
        tac_selection own = selection_of(s, s->file[i], selection, column);
        own.label_codes = &labels;
        own.files = s->count;
        TAC_TRY(s->file[i]->load(s->file[i], ctx, &own));
        s->first[i + 1] = s->first[i] + s->file[i]->rows;
    }
    s->dims = selection->dims;
    TAC_TRY(count_rows(ctx, s, selection->places));
    if (selection->label >= 0) {
        /* an empty row has no label of LIBSVM's, and the value 0 in every column */
        if (self->rows > s->first[s->count])
            TAC_TRY(selection->label == self->schema.label_only
                        ? tac_code_of(ctx, &labels, "", 0, &none)
                        : tac_code_of_double(ctx, &labels, 0, &none));
        TAC_TRY(gather(ctx, s, none));
    }
    self->label = s->label;
    if (selection->unit >= 0) self->read_units = several_read_units;
    if (selection->names) {
        tac_row_names_take(&labels, &self->names);
        self->names.of = s->label;
    }
done:
    tac_codes_clear(&labels);
    tac_free(column);
    return status;
}

/* ---- opening ---- */

static void several_close(tac_reader *self)
{
    several *s = (several *)self;

    if (s == NULL) return;
    for (int32_t i = 0; s->file != NULL && i < s->count; i++)
        if (s->file[i] != NULL) s->file[i]->close(s->file[i]);
    for (int32_t i = 0; s->path != NULL && i < s->count; i++) tac_free(s->path[i]);
    tac_free(s->file);
    tac_free(s->path);
    tac_free(s->first);
    tac_free(s->label);
    tac_row_names_clear(&self->names);
    tac_free(s);
}

static tacit_status open_files(tacit_ctx *ctx, several *s, const char *const *paths,
                               const int *descriptors, tacit_format format, const tac_shape *shape)
{
    tacit_status status = TACIT_OK;
    tac_shape own = *shape;

    /* of all files together: of triplets the lead has them all */
    if (format != TACIT_FORMAT_TRIPLETS) own.rows = 0;
    TAC_TRY(tac_new(ctx, (size_t)s->count, sizeof *s->file, &s->file));
    TAC_TRY(tac_new(ctx, (size_t)s->count, sizeof *s->path, &s->path));
    TAC_TRY(tac_new(ctx, (size_t)s->count + 1, sizeof *s->first, &s->first));
    for (int32_t i = 0; i < s->count; i++) {
        s->path[i] = tac_strdup(ctx, paths[i]);
        if (s->path[i] == NULL) TAC_TRY(TACIT_E_MEMORY);
        own.descriptor = descriptors == NULL ? 0 : descriptors[i];
        TAC_TRY(tac_open_shaped(ctx, s->path[i], format, &own, &s->file[i]));
    }
done:
    return status;
}

/* Triplets: the lead takes the files over, and this reader goes. */
static tacit_status join(tacit_ctx *ctx, several *s, tac_reader **out)
{
    const tacit_status status = tac_triplets_join(ctx, s->file, s->count, s->lead);

    if (status != TACIT_OK) return status;
    *out = s->file[s->lead];
    tac_free(s->file);
    s->file = NULL;
    return TACIT_OK;
}

tacit_status tac_open_several(tacit_ctx *ctx, const char *const *paths, const int *descriptors,
                              int32_t count, int32_t lead, tacit_format format,
                              const tac_shape *shape, tac_reader **out)
{
    tacit_status status = TACIT_OK;
    several *s = NULL;
    int32_t widest = 0;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *s, &s));
    s->count = count;
    s->lead = lead;
    s->declared_rows = shape->rows;
    TAC_TRY(open_files(ctx, s, paths, descriptors, format, shape));
    tac_reader *const first = s->file[lead];
    for (int32_t i = 0; i < count; i++) {
        if (i != lead) TAC_TRY(check_alike(ctx, first, s->file[i]));
        if (!same_order(first, s->file[i])) first->schema.shuffled = true;
        if (s->file[i]->schema.columns > widest) widest = s->file[i]->schema.columns;
    }
    for (int32_t i = 0; tac_format_traits_of(first->format)->unstated && i < count; i++)
        TAC_TRY(widen(ctx, s->file[i], widest));
    if (first->format == TACIT_FORMAT_TRIPLETS) {
        TAC_TRY(join(ctx, s, out));
        goto done;
    }
    s->base = (tac_reader){.format = first->format,
                           .dialect = first->dialect,
                           .schema = first->schema, /* the lead's, which has it for good */
                           .check = several_check,
                           .load = several_load,
                           .read = several_read,
                           .read_sparse = first->read_sparse == NULL ? NULL : several_read_sparse,
                           .close = several_close,
                           .by_place = first->read_sparse != NULL && shape->rows > 0,
                           .has_names = first->has_names};
    *out = &s->base;
    s = NULL;
done:
    several_close((tac_reader *)s);
    return status;
}
