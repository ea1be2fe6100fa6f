/* SPDX-License-Identifier: Apache-2.0 */
/* The data set handle: which file, which of its columns, loaded or not yet. */
#include "data/dataset/dataset.h"
#include "data/dataset/declaration.h"
#include "data/dataset/domain.h"
#include "data/readers/arrow.h"
#include "data/readers/vocabulary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By its name, or its number where that means the same column in every file. */
static int32_t place_in(const tac_schema *schema, char *const *names, int32_t count,
                        const char *name)
{
    const int32_t place = tac_name_place(names, count, name);
    return place >= 0 && schema->shuffled && strcmp(names[place], name) != 0 ? -1 : place;
}

/* A number that would mean one column here and another there. */
static bool names_none(const tac_schema *schema, const char *name)
{
    return schema->shuffled && name[strspn(name, "0123456789")] == '\0';
}

tacit_status tac_data_no_column(tacit_ctx *ctx, const tacit_data *data, const char *option,
                                const char *name)
{
    const tac_reader *reader = data->reader;
    const tac_schema *schema = &reader->schema;
    const bool header = reader->dialect.separator != '\0' && schema->header == NULL;

    return tac_fail_no_column(ctx, tac_data_name(data), option, name, schema->names,
                              schema->columns, header);
}

static tacit_status find_column(tacit_ctx *ctx, const tacit_data *data, const char *option,
                                const char *name, int32_t *out)
{
    const tac_schema *schema = &data->reader->schema;

    *out = tac_data_find(data, name);
    if (*out >= 0) return TACIT_OK;
    if (names_none(schema, name))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: the files have their columns in different orders, so that a number "
                        "names none (%s); give the name of the column",
                        tac_data_name(data), option);
    return tac_data_no_column(ctx, data, option, name);
}

/* Comma-separated names into indices, in the order given. */
static tacit_status select_named(tacit_ctx *ctx, tacit_data *data, const char *list)
{
    tacit_status status = TACIT_OK;
    char *copy = tac_strdup(ctx, list);
    char *rest = copy, *name;

    if (copy == NULL) return TACIT_E_MEMORY;
    while ((name = tac_next_field(&rest)) != NULL) {
        int32_t index = 0;
        if (*name == '\0') {
            status = tac_fail(ctx, TACIT_E_ARGUMENT,
                              "columns has an empty name; write names separated by single commas");
            goto done;
        }
        TAC_TRY(find_column(ctx, data, "the list of columns", name, &index));
        for (int32_t i = 0; i < data->selection.dims; i++)
            if (data->columns[i] == index) {
                status =
                    tac_fail(ctx, TACIT_E_ARGUMENT, "columns names '%s' twice; name it once", name);
                goto done;
            }
        if (index == data->selection.label || index == data->selection.unit) {
            status = tac_fail(ctx, TACIT_E_ARGUMENT,
                              "columns names '%s', which is already the label, id or unit column; "
                              "leave it out",
                              name);
            goto done;
        }
        if (data->declaration != NULL &&
            tac_data_role(data->declaration, data, index) != TAC_ROLE_FEATURE) {
            status = tac_fail(ctx, TACIT_E_DECLARED,
                              "columns names '%.120s', which %s declares as %s; name columns that "
                              "are declared as features",
                              name, data->declaration->where,
                              tac_role_names[tac_data_role(data->declaration, data, index)]);
            goto done;
        }
        if (index == data->reader->schema.label_only) {
            status = tac_fail(ctx, TACIT_E_ARGUMENT,
                              "columns names '%s', which can only be the label column; leave it "
                              "out",
                              name);
            goto done;
        }
        data->columns[data->selection.dims++] = index;
    }
done:
    tac_free(copy);
    return status;
}

/* A label or owner: one of the columns that can be nothing else first, so that a word of a
   vocabulary does not hide it. */
static tacit_status find_side(tacit_ctx *ctx, const tacit_data *data, const char *option,
                              const char *name, int32_t *out)
{
    const tac_schema *schema = &data->reader->schema;

    if (schema->label_only >= 0 && strcmp(schema->names[schema->label_only], name) == 0) {
        *out = schema->label_only;
        return TACIT_OK;
    }
    /* of triplets a number is a place in the file, not an item */
    const int32_t place =
        schema->header == NULL ? -1 : place_in(schema, schema->header, schema->stated, name);
    const char *side = place < 0 ? name : schema->header[place];
    for (int32_t i = 0; i < schema->sides; i++)
        if (strcmp(schema->side[i], side) == 0) {
            *out = schema->columns + i;
            return TACIT_OK;
        }
    const tacit_status status = find_column(ctx, data, option, name, out);
    return status == TACIT_OK || schema->sides == 0 || names_none(schema, name)
               ? status
               : tac_fail_no_column(ctx, tac_data_name(data), option, name, schema->side,
                                    schema->sides, false);
}

/* Whose row it is, beside a vocabulary: by its number alone. Words are an analyst's to choose, and
   a word must not move the persons to another column. */
static tacit_status find_unit(tacit_ctx *ctx, tacit_data *data, const char *name, int32_t *out)
{
    const tac_schema *schema = &data->reader->schema;
    const int32_t columns = schema->label_only >= 0 ? schema->label_only : schema->columns;
    char number[16], *end = NULL;

    if (data->vocabulary == NULL || schema->header != NULL)
        return find_side(ctx, data, "unit column", name, out);
    const char *digits = name[0] == 'c' ? name + 1 : name;
    const long place = strtol(digits, &end, 10);
    if (*digits < '1' || *digits > '9' || *end != '\0' || place > columns)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: beside a vocabulary the unit column is named by its number, c1 to "
                        "c%d: words name features only",
                        data->path, (int)columns);
    snprintf(number, sizeof number, "c%ld", place % 10000000);
    data->unit_name = tac_strdup(ctx, number);
    *out = (int32_t)place - 1;
    return data->unit_name == NULL ? TACIT_E_MEMORY : TACIT_OK;
}

/* What a column is declared as that is to be set aside: of triplets one beside row, col and
   count. */
static tac_role declared_side(const tacit_declaration *d, const tacit_data *data, int32_t column)
{
    const tac_schema *schema = &data->reader->schema;

    if (schema->header == NULL) return tac_declared_role(d, column);
    for (int32_t c = 0; column >= schema->columns && c < schema->stated; c++)
        if (strcmp(schema->header[c], schema->side[column - schema->columns]) == 0)
            return tac_declared_role(d, c);
    return TAC_ROLE_FEATURE;
}

/* The declared label, unless the options set another column aside; neither is ever clustered by
   default. */
static tacit_status find_label(tacit_ctx *ctx, tacit_data *data, const tacit_data_opts *o)
{
    const tacit_declaration *d = data->declaration;
    tac_selection *s = &data->selection;
    tacit_status status = TACIT_OK;

    if (o->label_column != NULL) {
        TAC_TRY(find_side(ctx, data, "label column", o->label_column, &s->label));
        const tac_role role = d == NULL ? TAC_ROLE_LABEL : declared_side(d, data, s->label);
        if (d != NULL && role != TAC_ROLE_LABEL && role != TAC_ROLE_FEATURE)
            return tac_fail(ctx, TACIT_E_DECLARED,
                            "label column is '%.120s' here, and %s declares it as %s; choose a "
                            "column declared as label or feature",
                            o->label_column, d->where, tac_role_names[role]);
        return TACIT_OK;
    }
    for (int32_t i = 0; d != NULL && o->id_column == NULL && i < d->fields; i++)
        if (d->field[i].role == TAC_ROLE_LABEL)
            TAC_TRY(find_side(ctx, data, "label column", d->field[i].name, &s->label));
done:
    return status;
}

/* The column that names the rows takes the label's place: predict needs no label. Rows of triplets
   have a name of their own. */
static tacit_status select_names(tacit_ctx *ctx, tacit_data *data, const char *name)
{
    tac_selection *s = &data->selection;
    const tac_schema *schema = &data->reader->schema;
    const bool row = data->reader->by_place &&
                     (strcasecmp(name, "row") == 0 ||
                      tac_name_place(schema->header, schema->stated, name) == schema->part[0]);

    if (!data->reader->has_names)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: only CSV, TSV and triplets can have an id column; drop it",
                        data->path);
    s->names = true;
    if (row) return TACIT_OK;
    if (s->label >= 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "label column and id column exclude each other; keep one");
    return find_side(ctx, data, "id column", name, &s->label);
}

static tacit_status select_columns(tacit_ctx *ctx, tacit_data *data, const tacit_data_opts *o)
{
    tacit_status status = TACIT_OK;
    tac_selection *s = &data->selection;
    const int32_t all = data->reader->schema.columns;

    s->label = s->unit = -1;
    data->columns_chosen = o->columns != NULL;
    TAC_TRY(tac_new(ctx, (size_t)all, sizeof *data->columns, &data->columns));
    TAC_TRY(find_label(ctx, data, o));
    if (o->id_column != NULL) TAC_TRY(select_names(ctx, data, o->id_column));
    if (o->unit_column != NULL) TAC_TRY(find_unit(ctx, data, o->unit_column, &s->unit));
    if (s->unit >= 0 && s->unit == data->reader->schema.label_only) {
        status = tac_fail(ctx, TACIT_E_ARGUMENT,
                          "unit column names '%s', which can only be the label column; choose "
                          "another",
                          o->unit_column);
        goto done;
    }
    if (s->label >= 0 && s->label == s->unit) {
        status = tac_fail(ctx, TACIT_E_ARGUMENT,
                          "label column and unit column are the same; choose two columns");
        goto done;
    }
    if (o->columns != NULL) {
        TAC_TRY(select_named(ctx, data, o->columns));
    } else {
        for (int32_t j = 0; j < all; j++)
            if (j != s->label && j != s->unit && j != data->reader->schema.label_only &&
                (data->declaration == NULL ||
                 tac_data_role(data->declaration, data, j) == TAC_ROLE_FEATURE))
                data->columns[s->dims++] = j;
    }
    if (o->shape_columns > 0 && data->reader->read_sparse == NULL && s->dims != o->shape_columns)
        TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                         "%s: the declared shape has %d columns and the file %d; correct one of "
                         "them (a file with one entry a line needs a header with the columns row, "
                         "col and count)",
                         data->path, (int)o->shape_columns, (int)s->dims));
    if (s->dims == 0)
        status = tac_fail(ctx, TACIT_E_ARGUMENT,
                          "%s: no column is left to cluster; name some with columns", data->path);
    s->column = data->columns;
    data->has_units = s->unit >= 0;
done:
    return status;
}

/* The domain of the columns in use, where all of them have one. */
static tacit_status take_domain(tacit_ctx *ctx, tacit_data *data)
{
    tacit_status status = TACIT_OK;
    const tacit_declaration *d = data->declaration;
    const size_t dims = (size_t)data->selection.dims;
    double *lower = NULL, *upper = NULL;
    bool *estimate = NULL, all = true;

    TAC_TRY(tac_new(ctx, dims, sizeof *estimate, &estimate));
    TAC_TRY(tac_new(ctx, dims, sizeof *lower, &lower));
    TAC_TRY(tac_new(ctx, dims, sizeof *upper, &upper));
    if (!isnan(d->radius)) {
        for (size_t j = 0; j < dims; j++) lower[j] = tac_declared_center(d, data, (int32_t)j);
        TAC_TRY(tacit_data_set_ball(ctx, data, lower, d->radius));
    } else {
        for (size_t j = 0; j < dims; j++)
            all =
                tac_declared_range(d, data->columns[j], &lower[j], &upper[j], &estimate[j]) && all;
        if (all) TAC_TRY(tac_data_set_ranges(ctx, data, lower, upper, estimate));
    }
done:
    tac_free(estimate);
    tac_free(lower);
    tac_free(upper);
    return status;
}

/* Wrap an opened reader. Takes it, the vocabulary and the declaration over, also on failure, and
   the names of several files (NULL: none). */
static tacit_status wrap(tacit_ctx *ctx, const char *path, tac_reader *reader,
                         tac_vocabulary *vocabulary, tacit_declaration *declaration,
                         tac_files *files, const tacit_data_opts *o, tacit_data **out)
{
    tacit_status status = TACIT_OK;
    tacit_data *data = NULL;

    TAC_TRY(tac_new(ctx, 1, sizeof *data, &data));
    pthread_mutex_init(&data->lock, NULL);
    data->reader = reader;
    data->vocabulary = vocabulary;
    data->declaration = declaration;
    reader = NULL;
    vocabulary = NULL;
    declaration = NULL;
    data->path = tac_strdup(ctx, path);
    if (data->path == NULL) {
        status = TACIT_E_MEMORY;
        goto done;
    }
    data->reader->path = data->path;
    if (files != NULL) {
        data->files = *files;
        *files = (tac_files){0};
    }
    data->shape_rows = o->shape_rows;
    data->shape_columns = o->shape_columns;
    data->shape_declared =
        path[0] == '\0' || (o->shape_rows > 0 && (o->shape_columns > 0 || o->vocabulary != NULL));
    data->columns_stated =
        data->shape_declared || o->shape_columns > 0 || o->vocabulary != NULL ||
        /* LIBSVM has that one */
        (data->reader->format != TACIT_FORMAT_TRIPLETS && data->reader->schema.label_only < 0);
    if (data->declaration != NULL) TAC_TRY(tac_declaration_bind(ctx, data->declaration, data));
    TAC_TRY(select_columns(ctx, data, o));
    if (data->declaration != NULL) {
        data->selection.missing_words = data->declaration->missing_words;
        data->selection.missing_word = data->declaration->missing_word;
    }
    TAC_TRY(tac_data_say_features(ctx, data, o));
    if (data->declaration != NULL) {
        if (data->declaration->missing == TACIT_MISSING_DEFAULT)
            data->declaration->missing = tac_table_rule(data->selection.missing);
        TAC_TRY(take_domain(ctx, data));
    }
    *out = data;
    data = NULL;
done:
    if (reader != NULL) reader->close(reader);
    tac_vocabulary_free(vocabulary);
    tacit_declaration_free(declaration);
    tacit_data_free(data);
    return status;
}

/* The vocabulary: of the options, or the declared one. */
static tacit_status find_words(tacit_ctx *ctx, const tacit_declaration *d, tacit_data_opts *o,
                               tac_vocabulary **out)
{
    if (o->vocabulary != NULL)
        return tac_vocabulary_read(ctx, o->vocabulary, o->vocabulary_descriptor, out);
    if (d == NULL || (d->vocabulary == NULL && d->words == NULL)) return TACIT_OK;
    o->vocabulary = d->where; /* there is one */
    return d->words != NULL ? tac_vocabulary_of_words(ctx, d->where, d->words, out)
                            : tac_vocabulary_read(ctx, d->vocabulary, 0, out);
}

tacit_status tac_data_name_parts(tacit_ctx *ctx, tacit_data_opts *o)
{
    if (o->row_column == NULL && o->col_column == NULL && o->count_column == NULL) return TACIT_OK;
    if (o->format != TACIT_FORMAT_AUTO && o->format != TACIT_FORMAT_TRIPLETS)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "row column, col column and count column are for triplets, and the format "
                        "is %s; drop them, or name the format triplets",
                        tac_format_name(o->format));
    o->format = TACIT_FORMAT_TRIPLETS;
    return TACIT_OK;
}

tac_shape tac_shape_of(const tacit_data_opts *o)
{
    return (tac_shape){.rows = o->shape_rows,
                       .columns = o->shape_columns,
                       .dialect = {.separator = o->delimiter,
                                   .decimal = o->decimal,
                                   .thousands = o->thousands,
                                   .skip_lines = o->skip_lines},
                       .part = {o->row_column, o->col_column, o->count_column},
                       .descriptor = o->descriptor};
}

/* The caller's options, checked as far as no table is needed, and what a declaration among them
   adds: a copy. */
static tacit_status take_opts(tacit_ctx *ctx, const tacit_data_opts *opts, tacit_data_opts *o,
                              tacit_declaration **declaration)
{
    tacit_status status = TACIT_OK;

    tacit_data_opts_init(o, sizeof *o);
    if (opts != NULL) TAC_TRY(tac_read_opts(ctx, "tacit_data_opts", opts, o, sizeof *o));
    if ((int)o->missing < 0 || o->missing > TACIT_MISSING_MIDPOINT)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "missing is not one of the rules for all columns that need no value");
    if (o->shape_rows < 0 || o->shape_rows > INT32_MAX || o->shape_columns < 0 ||
        o->shape_columns > TAC_MOST_COLUMNS)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the declared shape must have 1 to %d rows and 1 to %d columns, or 0 for "
                        "as the file shows",
                        INT32_MAX, TAC_MOST_COLUMNS);
    if (o->declaration == NULL) return TACIT_OK;
    TAC_TRY(tac_declaration_copy(ctx, o->declaration, declaration));
    TAC_TRY(tac_declaration_merge(ctx, *declaration, o));
done:
    return status;
}

/* What sentences call a data set of several files. */
static tacit_status name_several(tacit_ctx *ctx, const char *first, int32_t count, char **out)
{
    const size_t room = strlen(first) + 40;
    const tacit_status status = tac_new(ctx, room, 1, out);

    if (status == TACIT_OK) snprintf(*out, room, "%s and %d more", first, (int)count - 1);
    return status;
}

/* One file, or several as one; their names move into the handle. */
static tacit_status open_paths(tacit_ctx *ctx, const char *const *paths, int32_t count,
                               tac_files *files, const tacit_data_opts *opts, tacit_data **out)
{
    tacit_status status = TACIT_OK;
    tacit_data_opts o;
    tac_vocabulary *vocabulary = NULL;
    tacit_declaration *declaration = NULL;
    tac_reader *reader = NULL;
    char *name = NULL;

    TAC_TRY(take_opts(ctx, opts, &o, &declaration));
    if (declaration != NULL && declaration->format == TAC_FORMAT_ARROW)
        TAC_TRY(tac_fail(ctx, TACIT_E_DECLARED, "%s declares format arrow, and this is a file",
                         declaration->where));
    TAC_TRY(tac_data_name_parts(ctx, &o));
    TAC_TRY(find_words(ctx, declaration, &o, &vocabulary));
    tac_shape shape = tac_shape_of(&o);
    shape.vocabulary = vocabulary;
    if (count > 1) {
        TAC_TRY(name_several(ctx, paths[0], count, &name));
        TAC_TRY(tac_open_several(ctx, paths, o.descriptors, count, files->lead, o.format, &shape,
                                 &reader));
    } else {
        if (o.descriptors != NULL) shape.descriptor = o.descriptors[0];
        TAC_TRY(tac_open_shaped(ctx, paths[0], o.format, &shape, &reader));
    }
    status =
        wrap(ctx, count > 1 ? name : paths[0], reader, vocabulary, declaration, files, &o, out);
    vocabulary = NULL;
    declaration = NULL;
done:
    tac_free(name);
    tac_vocabulary_free(vocabulary);
    tacit_declaration_free(declaration);
    return status;
}

tacit_status tacit_data_open(tacit_ctx *ctx, const char *path, const tacit_data_opts *opts,
                             tacit_data **out)
{
    tac_files none = {0};

    *out = NULL;
    return open_paths(ctx, &path, 1, &none, opts, out);
}

tacit_status tacit_data_open_files(tacit_ctx *ctx, const char *const *paths, int32_t count,
                                   const tacit_data_opts *opts, tacit_data **out)
{
    tacit_status status = TACIT_OK;
    tacit_data_opts o;
    tac_files files = {0};

    *out = NULL;
    tacit_data_opts_init(&o, sizeof o);
    if (paths == NULL || count < 1 || count > TAC_MOST_FILES)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "a data set has 1 to %d files; name them",
                        TAC_MOST_FILES);
    if (opts != NULL) TAC_TRY(tac_read_opts(ctx, "tacit_data_opts", opts, &o, sizeof o));
    if (count > 1 && o.descriptor != 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "descriptor is for one file; give descriptors, one for each");
    if (count > 1) TAC_TRY(tac_files_find(ctx, paths, o.descriptors, count, &files));
    TAC_TRY(open_paths(ctx, paths, count, &files, opts, out));
done:
    tac_files_clear(&files);
    return status;
}

/* What options say of files alone. */
static tacit_status check_arrow_opts(tacit_ctx *ctx, const tacit_data_opts *o)
{
    if (o->format != TACIT_FORMAT_AUTO || o->vocabulary != NULL || o->descriptor != 0 ||
        o->descriptors != NULL || o->vocabulary_descriptor != 0 || o->delimiter != 0 ||
        o->decimal != 0 || o->thousands != 0 || o->skip_lines != 0 || o->row_column != NULL ||
        o->col_column != NULL || o->count_column != NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: format, vocabulary, descriptors, marks of numbers, skipped lines and "
                        "the columns of triplets are for files; leave them out",
                        TAC_ARROW_NAME);
    return TACIT_OK;
}

tacit_status tacit_data_from_arrow_stream(tacit_ctx *ctx, struct ArrowArrayStream *stream,
                                          const tacit_data_opts *opts, tacit_data **out)
{
    tacit_status status = TACIT_OK;
    tacit_data_opts o, said;
    struct ArrowArrayStream own = {0};
    tacit_declaration *declaration = NULL;
    tac_reader *reader = NULL;

    *out = NULL;
    if (stream == NULL || stream->release == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: is missing or was released; a stream can be read once",
                        TAC_ARROW_NAME);
    own = *stream;
    stream->release = NULL;
    TAC_TRY(take_opts(ctx, opts, &o, &declaration));
    tacit_data_opts_init(&said, sizeof said);
    if (opts != NULL) TAC_TRY(tac_read_opts(ctx, "tacit_data_opts", opts, &said, sizeof said));
    TAC_TRY(check_arrow_opts(ctx, &said));
    TAC_TRY(tac_open_arrow(ctx, &own, &reader));
    status = wrap(ctx, TAC_ARROW_NAME, reader, NULL, declaration, NULL, &o, out);
    declaration = NULL;
done:
    tac_arrow_release_stream(&own);
    tacit_declaration_free(declaration);
    return status;
}

tacit_status tacit_data_from_memory(tacit_ctx *ctx, const void *values, tacit_type type,
                                    int64_t rows, int32_t columns, tacit_data **out)
{
    tac_reader *reader = NULL;
    tacit_data_opts o;

    *out = NULL;
    tacit_data_opts_init(&o, sizeof o);
    const tacit_status status = tac_open_memory(ctx, values, type, rows, columns, &reader);
    return status != TACIT_OK ? status : wrap(ctx, "", reader, NULL, NULL, NULL, &o, out);
}

tacit_status tacit_data_from_csr(tacit_ctx *ctx, const int64_t *start, const int32_t *column,
                                 const double *value, int64_t rows, int32_t columns,
                                 tacit_data **out)
{
    tac_reader *reader = NULL;
    tacit_data_opts o;

    *out = NULL;
    tacit_data_opts_init(&o, sizeof o);
    const tacit_status status = tac_open_csr(ctx, start, column, value, rows, columns, &reader);
    return status != TACIT_OK ? status : wrap(ctx, "", reader, NULL, NULL, NULL, &o, out);
}

void tacit_data_free(tacit_data *data)
{
    if (data == NULL) return;
    if (data->reader != NULL) data->reader->close(data->reader);
    tac_domain_clear(&data->domain);
    tac_features_clear(&data->features);
    tac_free(data->rules);
    for (int32_t i = 0; data->missing_words != NULL && i < data->selection.missing_words; i++)
        tac_free(data->missing_words[i]);
    tac_free(data->missing_words);
    tac_free(data->columns);
    tac_vocabulary_free(data->vocabulary);
    tacit_declaration_free(data->declaration);
    tac_free(data->unit_name);
    tac_free(data->name);
    tac_free(data->path);
    tac_files_clear(&data->files);
    pthread_mutex_destroy(&data->lock);
    tac_free(data);
}

int32_t tacit_data_column_count(const tacit_data *data)
{
    return data->selection.dims;
}

const char *tacit_data_column_get(const tacit_data *data, int32_t index)
{
    if (index < 0 || index >= data->selection.dims) return NULL;
    return data->reader->schema.names[data->columns[index]];
}

bool tac_data_sparse(const tacit_data *data)
{
    return data->reader->read_sparse != NULL && data->selection.dims > TAC_WIDE;
}

bool tac_data_is_list(const tacit_data *data)
{
    /* columns left out are there too */
    return data->reader->read_sparse == NULL && tac_schema_is_list(&data->reader->schema);
}

bool tac_data_numbered(const tacit_data *data)
{
    const tac_reader *reader = data->reader;

    /* the header of triplets names no feature */
    return data->vocabulary == NULL && !data->named &&
           (reader->schema.header != NULL || !tac_format_traits_of(reader->format)->header);
}

int32_t tac_data_find(const tacit_data *data, const char *name)
{
    const tac_schema *schema = &data->reader->schema;
    const int32_t place = place_in(schema, schema->names, schema->columns, name);

    if (place >= 0 || !tac_data_numbered(data)) return place;
    return tac_number_place(name, schema->label_only >= 0 ? schema->label_only : schema->columns);
}

const char *tac_data_name(const tacit_data *data)
{
    return data->path[0] == '\0' ? "the rows in memory" : data->path;
}

tacit_status tac_data_check_sparse(tacit_ctx *ctx, const tacit_data *data)
{
    const tac_domain *d = &data->domain;

    for (int32_t j = 0; d->kind != TAC_DOMAIN_NONE && j < data->selection.dims; j++)
        if (d->kind == TAC_DOMAIN_BALL ? d->center[j] != 0 : d->lower[j] > 0 || d->upper[j] < 0)
            return tac_fail(ctx, TACIT_E_DOMAIN,
                            "%s: with more than %d columns sparse rows stay sparse, so 0 must be "
                            "%s, which it is not for column '%.120s'; declare a ball about the "
                            "origin (radius): for sparse rows it costs least noise",
                            tac_data_name(data), TAC_WIDE,
                            d->kind == TAC_DOMAIN_BALL ? "the middle of the ball"
                                                       : "within the bounds",
                            tacit_data_column_get(data, j));
    return TACIT_OK;
}

/* The key of persons, where there are any: the root's, or one that nobody else has. */
static tacit_status make_key(tacit_ctx *ctx, tacit_data *data, const tac_load *load)
{
    data->person_key = load->person_key;
    if (load->key_given || !data->has_units) return TACIT_OK;
    return tac_system_random(ctx, &data->person_key, sizeof data->person_key);
}

/* Under the handle's lock. */
static tacit_status load_rows(tacit_ctx *ctx, tacit_data *data, tac_load *load)
{
    static const char *const ways[] = {"as plain numbers", "as rows of counts",
                                       "as a table of public places"};
    const tac_load *was = &data->loaded_as;
    const bool same =
        was->counts == load->counts && (was->places == load->places || !data->reader->by_place);
    tac_selection selection = data->selection;

    if (data->elsewhere)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: its rows are on shards, behind an engine, and this needs them here; "
                        "open them without an engine",
                        tac_data_name(data));
    /* Rows that all formats but the sparse ones serve as they are can be counts first and numbers
       later. */
    if (data->loaded && !same && !(was->counts && data->reader->read_sparse == NULL))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: was read %s before and is now to be read %s; open it again",
                        tac_data_name(data),
                        ways[was->places   ? 2
                             : was->counts ? 1
                                           : 0],
                        ways[load->places   ? 2
                             : load->counts ? 1
                                            : 0]);
    if (!data->loaded && data->failed)
        return tac_fail(ctx, TACIT_E_READ, "%s: reading failed before; open the data again",
                        data->path);
    if (data->loaded && load->key_given &&
        memcmp(&load->person_key, &data->person_key, sizeof data->person_key) != 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: was read with another key of persons before; open it again",
                        tac_data_name(data));
    load->touched = true;
    if (data->loaded) return TACIT_OK;
    tac_show_progress(ctx, "reading rows", 0);
    data->loaded_as = *load;
    selection.guarded = load->guarded;
    selection.counts = load->counts;
    selection.places = load->places;
    tacit_status status = make_key(ctx, data, load);
    selection.person_key = data->person_key;
    if (status == TACIT_OK) status = data->reader->load(data->reader, ctx, &selection);
    if (status == TACIT_OK && load->places && data->shape_rows > 0 &&
        data->reader->rows != data->shape_rows)
        status = tac_fail(ctx, TACIT_E_FORMAT,
                          "%s: the declared shape has %lld rows and the file has another number; "
                          "correct one of them",
                          tac_data_name(data), (long long)data->shape_rows);
    data->loaded = status == TACIT_OK;
    data->failed = status != TACIT_OK;
    if (data->told_label != NULL) data->reader->label = data->told_label;
    return status;
}

tacit_status tac_data_load(tacit_ctx *ctx, tacit_data *data, tac_load *load)
{
    tac_load plain = {0};

    pthread_mutex_lock(&data->lock);
    const tacit_status status = load_rows(ctx, data, load == NULL ? &plain : load);
    pthread_mutex_unlock(&data->lock);
    return status;
}

tacit_status tac_data_load_counts(tacit_ctx *ctx, tacit_data *data, bool places)
{
    tac_load load = {.counts = true};

    pthread_mutex_lock(&data->lock);
    load.places = data->loaded ? data->loaded_as.places : places;
    const tacit_status status = load_rows(ctx, data, &load);
    pthread_mutex_unlock(&data->lock);
    return status;
}

tacit_status tac_data_explain(tacit_ctx *ctx, const tacit_data *data, tacit_status status)
{
    if (status == TACIT_E_READ)
        return tac_fail(ctx, status,
                        "%s: reading failed or the file changed while it was read; try again",
                        tac_data_name(data));
    if (status == TACIT_E_MEMORY)
        return tac_fail(ctx, status, "%s: out of memory while reading rows", tac_data_name(data));
    if (status == TACIT_E_CANCELLED) return tac_fail(ctx, status, "interrupted");
    return status;
}
