/* SPDX-License-Identifier: Apache-2.0 */
/* A declaration and an opened file: bound to its header, taken from what a caller said of it, held
   against it. Headers and options alone: no row is looked at. */
#include "data/dataset/dataset.h"
#include "data/dataset/declaration.h"
#include "data/readers/vocabulary.h"

#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns that the file itself names, or NULL. */
static char *const *header_of(const tacit_data *data)
{
    const tac_schema *schema = &data->reader->schema;
    return schema->header != NULL ? schema->header : schema->names;
}

static bool is_named(const tacit_data *data)
{
    return tac_format_traits_of(data->reader->format)->header || data->named;
}

tacit_status tac_data_header(tacit_ctx *ctx, const tacit_data *data, uint8_t out[TAC_DIGEST])
{
    const tac_reader *reader = data->reader;
    const tac_dialect *dialect = &reader->dialect;
    const char separator[2] = {dialect->separator, '\0'};
    crypto_generichash_state state;
    char count[32], more[64];

    (void)ctx;
    tac_digest_start(&state);
    tac_digest_text(&state, "tacit header");
    tac_digest_text(&state, tac_format_name(reader->format));
    tac_digest_text(&state, separator);
    snprintf(count, sizeof count, "%d", (int)reader->schema.stated);
    tac_digest_text(&state, count);
    for (int32_t j = 0; is_named(data) && j < reader->schema.stated; j++)
        tac_digest_text(&state, header_of(data)[j]);
    /* What is not by default comes last, so that the digests of before hold. */
    if (dialect->decimal == ',' || dialect->thousands != 0 || dialect->skip_lines > 0) {
        snprintf(more, sizeof more, "dialect %d %d %d", dialect->decimal, dialect->thousands,
                 (int)dialect->skip_lines);
        tac_digest_text(&state, more);
    }
    if (reader->schema.own_parts) {
        const int32_t *part = reader->schema.part;
        snprintf(more, sizeof more, "parts %d %d %d", (int)part[0], (int)part[1], (int)part[2]);
        tac_digest_text(&state, more);
    }
    crypto_generichash_final(&state, out, TAC_DIGEST);
    return TACIT_OK;
}

/* The place in the file of the column that names the persons; -1: none. Persons of rows in memory
   have no column: the place after the last. */
static int32_t unit_place(const tacit_data *data)
{
    const tac_schema *schema = &data->reader->schema;
    const int32_t unit = data->selection.unit;

    if (!data->has_units) return -1;
    if (unit < 0) return schema->columns;
    if (schema->header == NULL) return unit;
    for (int32_t c = 0; c < schema->stated; c++)
        if (strcmp(schema->header[c], schema->side[unit - schema->columns]) == 0) return c;
    return -1;
}

/* ---- bound to a file ---- */

static int by_place(const void *a, const void *b)
{
    const tac_declared_field *x = a, *y = b;
    return x->column < y->column ? -1 : x->column > y->column;
}

static tacit_status bind_header(tacit_ctx *ctx, tacit_declaration *d, const tacit_data *data)
{
    char *const *names = header_of(data);
    const int32_t stated = data->reader->schema.stated;

    for (int32_t i = 0; i < d->fields && i < stated; i++) {
        if (strcmp(d->field[i].name, names[i]) != 0)
            return tac_fail(ctx, TACIT_E_DECLARED,
                            "%s: column %d of the header is called '%.120s', and %s declares "
                            "'%.120s' there; correct one of them",
                            tac_data_name(data), (int)i + 1, names[i], d->where, d->field[i].name);
        d->field[i].column = i;
    }
    if (d->fields == stated) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_DECLARED,
                    "%s: the header has %d columns, and %s declares %d; declare all of them in "
                    "their order",
                    tac_data_name(data), (int)stated, d->where, (int)d->fields);
}

static tacit_status bind_numbered(tacit_ctx *ctx, tacit_declaration *d, const tacit_data *data)
{
    const tac_schema *schema = &data->reader->schema;
    const int32_t label = schema->label_only;

    for (int32_t i = 0; i < d->fields; i++) {
        tac_declared_field *f = &d->field[i];
        /* of rows in memory */
        if (d->bound && f->role == TAC_ROLE_UNIT && f->column == schema->columns) continue;
        f->column = tac_number_place(f->name, label >= 0 ? label : schema->columns);
        if (f->column < 0 && label >= 0 && strcmp(f->name, schema->names[label]) == 0)
            f->column = label;
        /* A vocabulary names features. Whose row it is is said by a number that no list of words
           can move. */
        if (f->column < 0 && f->role != TAC_ROLE_UNIT && data->vocabulary != NULL)
            f->column = (int32_t)tac_code_find(&data->vocabulary->names, f->name, strlen(f->name));
        if (f->column < 0)
            return tac_fail(ctx, TACIT_E_DECLARED,
                            "%s: has no column '%.120s', which %s declares; its columns are c1, "
                            "c2, ... by their number",
                            tac_data_name(data), f->name, d->where);
        if (f->column == label && f->role != TAC_ROLE_LABEL && f->role != TAC_ROLE_IGNORE)
            return tac_fail(ctx, TACIT_E_DECLARED,
                            "%s: '%.120s' can only be the label; correct its role in %s",
                            tac_data_name(data), f->name, d->where);
    }
    if (d->fields > 1) qsort(d->field, (size_t)d->fields, sizeof *d->field, by_place);
    for (int32_t i = 1; i < d->fields; i++)
        if (d->field[i].column == d->field[i - 1].column)
            return tac_fail(ctx, TACIT_E_DECLARED,
                            "%s: declares column %d of %s twice; name it once", d->where,
                            (int)d->field[i].column + 1, tac_data_name(data));
    return TACIT_OK;
}

tacit_status tac_declaration_bind(tacit_ctx *ctx, tacit_declaration *d, const tacit_data *data)
{
    tacit_status status = TACIT_OK;
    const tac_reader *reader = data->reader;
    uint8_t header[TAC_DIGEST];

    if (d->format != TACIT_FORMAT_AUTO && d->format != reader->format)
        return tac_fail(ctx, TACIT_E_DECLARED, "%s: is %s here, and %s declares format %s",
                        tac_data_name(data), tac_format_name(reader->format), d->where,
                        tac_format_name(d->format));
    /* what its fields are depends on it */
    if (d->format == TACIT_FORMAT_AUTO && reader->format == TACIT_FORMAT_TRIPLETS)
        return tac_fail(ctx, TACIT_E_DECLARED,
                        "%s: is a list of entries, which %s does not say: add \"format\": "
                        "\"triplets\" under tacit",
                        tac_data_name(data), d->where);
    if (d->dialect.separator != 0 && d->dialect.separator != reader->dialect.separator)
        return tac_fail(ctx, TACIT_E_DECLARED, "%s: is not separated as %s declares",
                        tac_data_name(data), d->where);
    TAC_TRY(is_named(data) ? bind_header(ctx, d, data) : bind_numbered(ctx, d, data));
    TAC_TRY(tac_data_header(ctx, data, header));
    if (d->bound && memcmp(header, d->header, sizeof header) != 0)
        return tac_fail(ctx, TACIT_E_DECLARED,
                        "%s: the header is not the one that %s was made for (names, order, number "
                        "of columns, format, delimiter or another part of the dialect)",
                        tac_data_name(data), d->where);
    d->format = reader->format;
    d->dialect = reader->dialect;
    d->unit = -1;
    for (int32_t i = 0; i < d->fields; i++)
        if (d->field[i].role == TAC_ROLE_UNIT) d->unit = i;
    if (data->vocabulary != NULL) {
        if (d->has_words_hash && memcmp(d->words_hash, data->vocabulary->digest, TAC_DIGEST) != 0)
            return tac_fail(ctx, TACIT_E_DECLARED,
                            "the words of %s are not those that %s was made with; give the "
                            "vocabulary that was declared",
                            data->vocabulary->path, d->where);
        memcpy(d->words_hash, data->vocabulary->digest, TAC_DIGEST);
        d->has_words_hash = true;
    }
    if (d->files.count == 0) TAC_TRY(tac_files_copy(ctx, &data->files, &d->files));
    memcpy(d->header, header, sizeof header);
    d->bound = true;
    /* what the format allows is known now, if it was not said */
    TAC_TRY(tac_declaration_check(ctx, d));
done:
    return status;
}

/* ---- taken from what a caller said ---- */

static const tac_domain *domain_of(const tacit_data *data)
{
    return &data->domain;
}

/* Whether all columns in use have one range. */
static bool alike(const tac_domain *domain, int32_t dims)
{
    for (int32_t j = 1; j < dims; j++)
        if (domain->lower[j] != domain->lower[0] || domain->upper[j] != domain->upper[0])
            return false;
    return true;
}

static const char *type_of(tac_role role, const tac_feature *f)
{
    if (role >= TAC_ROLE_PART) return "any";
    if (role != TAC_ROLE_FEATURE) return "string";
    if (f == NULL || f->value.kind == TAC_VALUE_NUMBER) return "number";
    return f->value.kind == TAC_VALUE_DATE ? "date" : f->value.boolean ? "boolean" : "string";
}

/* What is said of one column in use: its feature and its bounds. */
static tacit_status say_feature(tacit_ctx *ctx, const tacit_data *data, int32_t place, bool own,
                                tac_declared_field *f)
{
    tacit_status status = TACIT_OK;
    const tac_domain *domain = domain_of(data);
    const bool estimate = domain->estimate != NULL && domain->estimate[place];
    const tac_feature *said = data->features.count > 0 ? &data->features.feature[place] : NULL;

    if (said != NULL) {
        TAC_TRY(tac_feature_copy(ctx, said, &f->feature));
        tac_free(f->feature.name);
        f->feature.name = NULL;
        if (f->feature.missing == data->selection.missing &&
            f->feature.missing != TACIT_MISSING_FILL)
            f->feature.missing = TACIT_MISSING_DEFAULT;
    }
    f->estimate = estimate;
    if (!own || (said != NULL && said->value.kind == TAC_VALUE_CATEGORY)) return TACIT_OK;
    if (estimate && !(isfinite(domain->lower[place]) && isfinite(domain->upper[place])))
        return TACIT_OK;
    f->lower = domain->lower[place];
    f->upper = domain->upper[place];
done:
    return status;
}

/* place: among the columns in use, or -1. own: with bounds of its own. */
static tacit_status say(tacit_ctx *ctx, tacit_declaration *d, const tacit_data *data,
                        const char *name, tac_role role, int32_t column, int32_t place, bool own)
{
    tacit_status status = TACIT_OK;
    tac_declared_field *f;

    TAC_TRY(tac_declaration_add(ctx, d, name, &f));
    f->role = role;
    f->column = column;
    if (place >= 0) TAC_TRY(say_feature(ctx, data, place, own, f));
    snprintf(f->type, sizeof f->type, "%s", type_of(role, place >= 0 ? &f->feature : NULL));
    if (role == TAC_ROLE_UNIT) d->unit = d->fields - 1;
done:
    return status;
}

static tac_role part_role(const tac_schema *schema, int32_t column)
{
    return schema->own_parts ? (tac_role)(TAC_ROLE_ROW + tac_schema_part(schema, column))
                             : TAC_ROLE_PART;
}

/* Every column of the file with its role; where all are features of one range, that range instead
   of a list of them. */
static tacit_status say_columns(tacit_ctx *ctx, tacit_declaration *d, const tacit_data *data)
{
    tacit_status status = TACIT_OK;
    const tac_schema *schema = &data->reader->schema;
    const tac_domain *domain = domain_of(data);
    const tac_selection *s = &data->selection;
    const bool box = domain->kind == TAC_DOMAIN_BOX, listed = is_named(data),
               triplets = schema->header != NULL;
    const bool same = box && (triplets || !listed) && data->features.count == 0 &&
                      domain->estimate == NULL && alike(domain, s->dims);
    const int32_t count = triplets ? schema->stated : schema->columns;
    int32_t *feature = NULL;

    if (same) {
        d->all_lower = domain->lower[0];
        d->all_upper = domain->upper[0];
    }
    if (triplets && box && !same)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: columns of triplets can be declared with one range for all of them; "
                        "give one, or a radius",
                        tac_data_name(data));
    TAC_TRY(tac_new(ctx, (size_t)count + 1, sizeof *feature, &feature));
    for (int32_t c = 0; c < count; c++) feature[c] = -1;
    for (int32_t j = 0; !triplets && j < s->dims; j++) feature[s->column[j]] = j;
    for (int32_t c = 0; c < count; c++) {
        const bool unit = c == unit_place(data), part = triplets && tac_schema_part(schema, c) >= 0;
        const bool label =
            !unit && s->label >= 0 &&
            (triplets ? s->label >= schema->columns &&
                            strcmp(schema->side[s->label - schema->columns], schema->header[c]) == 0
                      : s->label == c);
        const tac_role role = unit              ? TAC_ROLE_UNIT
                              : label           ? TAC_ROLE_LABEL
                              : part            ? part_role(schema, c)
                              : feature[c] >= 0 ? TAC_ROLE_FEATURE
                                                : TAC_ROLE_IGNORE;
        const bool own = role == TAC_ROLE_FEATURE && box && !same;
        char name[16];
        snprintf(name, sizeof name, "c%d", (int)(c + 1) % 10000000);
        /* what a column is that nobody names */
        if (!listed && role == TAC_ROLE_FEATURE && !own && data->features.count == 0) continue;
        if (!listed && c == schema->label_only)
            snprintf(name, sizeof name, "%.15s", schema->names[c]);
        if (!listed && c == schema->label_only && role == TAC_ROLE_IGNORE) continue;
        TAC_TRY(say(ctx, d, data, listed ? header_of(data)[c] : name, role, c,
                    role == TAC_ROLE_FEATURE ? feature[c] : -1, own));
    }
    if (unit_place(data) == schema->columns && !triplets)
        TAC_TRY(say(ctx, d, data, data->unit_name, TAC_ROLE_UNIT, schema->columns, -1, false));
done:
    tac_free(feature);
    return status;
}

static tacit_status say_ball(tacit_ctx *ctx, tacit_declaration *d, const tacit_data *data)
{
    const tac_domain *domain = domain_of(data);
    const int32_t dims = data->selection.dims;
    bool origin = true, same = true, ascending = true;

    if (domain->kind != TAC_DOMAIN_BALL) return TACIT_OK;
    d->radius = domain->radius;
    for (int32_t j = 0; j < dims; j++) {
        origin = origin && domain->center[j] == 0;
        same = same && domain->center[j] == domain->center[0];
        ascending = ascending && (j == 0 || data->columns[j] > data->columns[j - 1]);
    }
    if (origin) return TACIT_OK;
    if (!same && !ascending)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the center of a ball is declared in the order of the file's columns; name "
                        "the columns in that order");
    d->centers = same ? 1 : dims;
    const tacit_status status = tac_new(ctx, (size_t)d->centers, sizeof *d->center, &d->center);
    if (status == TACIT_OK)
        memcpy(d->center, domain->center, (size_t)d->centers * sizeof *d->center);
    return status;
}

static tacit_status say_missing(tacit_ctx *ctx, tacit_declaration *d, const tac_selection *s)
{
    tacit_status status = TACIT_OK;

    d->missing = tac_table_rule(s->missing);
    TAC_TRY(tac_new(ctx, (size_t)s->missing_words, sizeof *d->missing_word, &d->missing_word));
    for (; d->missing_words < s->missing_words; d->missing_words++) {
        char *word = tac_strdup(ctx, s->missing_word[d->missing_words]);
        if (word == NULL) TAC_TRY(TACIT_E_MEMORY);
        d->missing_word[d->missing_words] = word;
    }
done:
    return status;
}

tacit_status tacit_data_declaration(tacit_ctx *ctx, const tacit_data *data,
                                    tacit_neighbors neighbors, int32_t max_rows_per_unit,
                                    tacit_declaration **out)
{
    tacit_status status = TACIT_OK;
    tacit_declaration *d = NULL;

    *out = NULL;
    if (data->declaration != NULL) {
        /* what was said beside it must not be lost without a word */
        TAC_TRY(tac_declaration_agrees(ctx, data->declaration, data, false, NULL));
        return tac_declaration_copy(ctx, data->declaration, out);
    }
    if (neighbors != TACIT_ADD_REMOVE && neighbors != TACIT_REPLACE && neighbors != TACIT_ENTRY)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "neighbors is neither add-remove, nor replace, nor entry");
    TAC_TRY(tac_declaration_new(ctx, "the declaration", &d));
    d->format = data->reader->format;
    d->dialect = data->reader->dialect;
    d->neighbors = neighbors;
    d->most_rows = max_rows_per_unit;
    TAC_TRY(say_missing(ctx, d, &data->selection));
    TAC_TRY(tac_files_copy(ctx, &data->files, &d->files));
    d->shape_rows = data->shape_rows;
    d->shape_columns = data->shape_columns;
    if (data->vocabulary != NULL) {
        char *real = realpath(data->vocabulary->path, NULL); /* runs may start elsewhere */
        d->vocabulary = tac_strdup(ctx, real == NULL ? data->vocabulary->path : real);
        free(real);
        if (d->vocabulary == NULL) TAC_TRY(TACIT_E_MEMORY);
        memcpy(d->words_hash, data->vocabulary->digest, TAC_DIGEST);
        d->has_words_hash = true;
    }
    TAC_TRY(say_columns(ctx, d, data));
    TAC_TRY(say_ball(ctx, d, data));
    TAC_TRY(tac_data_header(ctx, data, d->header));
    d->bound = true;
    TAC_TRY(tac_declaration_check(ctx, d));
    *out = d;
    d = NULL;
done:
    tacit_declaration_free(d);
    return status;
}

/* ---- held against it ---- */

/* "unit column is c2 here, and patients.csv.ledger declares c1" */
static tacit_status differs(tacit_ctx *ctx, const tacit_declaration *d, const char *what,
                            const char *here, const char *declared)
{
    return tac_fail(ctx, TACIT_E_DECLARED,
                    "%s %s here, and %s declares %s; what was declared holds: leave it out or give "
                    "it so",
                    what, here, d->where, declared);
}

/* A part of the files, or more of them, is another data set. Whoever could choose among them would
   learn of each file what was declared of all: under replace how many rows it has. */
static tacit_status agree_files(tacit_ctx *ctx, const tacit_declaration *d, const tacit_data *data)
{
    char list[400];

    if (tac_files_same(&d->files, &data->files)) return TACIT_OK;
    if (d->files.count == 0)
        return tac_fail(ctx, TACIT_E_DECLARED,
                        "%s: are several files, and %s declares a data set of one; name that one, "
                        "or let the owner make a ledger of all files that continues it (--carry)",
                        tac_data_name(data), d->where);
    tac_files_list(&d->files, sizeof list, list);
    return tac_fail(ctx, TACIT_E_DECLARED,
                    "%s: is not the data set that %s declares, which is %d files: %s; name all of "
                    "them and no other",
                    tac_data_name(data), d->where, (int)d->files.count, list);
}

static tacit_status agree_shape(tacit_ctx *ctx, const tacit_declaration *d, const tacit_data *data)
{
    char here[64], declared[64];

    if (data->shape_rows == d->shape_rows && data->shape_columns == d->shape_columns)
        return TACIT_OK;
    snprintf(here, sizeof here, "is %lldx%d", (long long)data->shape_rows,
             (int)data->shape_columns);
    snprintf(declared, sizeof declared, "%lldx%d (0: not said)", (long long)d->shape_rows,
             (int)d->shape_columns);
    return differs(ctx, d, "shape", here, declared);
}

static tacit_status agree_unit(tacit_ctx *ctx, const tacit_declaration *d, const tacit_data *data)
{
    const tac_declared_field *f = d->unit < 0 ? NULL : &d->field[d->unit];
    const char *name = tac_data_unit_name(data);
    char here[320], declared[320];

    if (f == NULL && name == NULL) return TACIT_OK;
    /* By place as well as by name: a name alone can be given to another column. */
    if (f != NULL && name != NULL && f->column == unit_place(data) && strcmp(f->name, name) == 0)
        return TACIT_OK;
    snprintf(here, sizeof here, name == NULL ? "is none" : "is '%.120s' (column %d)", name,
             (int)unit_place(data) + 1);
    snprintf(declared, sizeof declared, f == NULL ? "none: single rows" : "'%.120s' (column %d)",
             f == NULL ? "" : f->name, f == NULL ? 0 : (int)f->column + 1);
    return differs(ctx, d, "unit column", here, declared);
}

tacit_status tac_declaration_domain(tacit_ctx *ctx, const tacit_declaration *d,
                                    const tacit_data *data)
{
    const tac_domain *domain = domain_of(data);
    const tac_selection *s = &data->selection;
    char here[160], declared[160];
    double lower, upper;
    bool declared_estimate;

    if (domain->kind == TAC_DOMAIN_NONE) return TACIT_OK; /* a run that needs one asks for it */
    if ((domain->kind == TAC_DOMAIN_BALL) != !isnan(d->radius))
        return differs(ctx, d, "the domain",
                       domain->kind == TAC_DOMAIN_BALL ? "is a ball (radius)"
                                                       : "is a range for each column (bounds)",
                       !isnan(d->radius) ? "a ball (radius)" : "ranges (bounds), or none");
    if (domain->kind == TAC_DOMAIN_BALL && domain->radius != d->radius) {
        snprintf(here, sizeof here, "is %.17g", domain->radius);
        snprintf(declared, sizeof declared, "%.17g", d->radius);
        return differs(ctx, d, "radius", here, declared);
    }
    for (int32_t j = 0; j < s->dims; j++) {
        const char *name = tacit_data_column_get(data, j);
        char what[160];
        if (domain->kind == TAC_DOMAIN_BALL) {
            const double center = tac_declared_center(d, data, j);
            if (center == domain->center[j]) continue;
            snprintf(what, sizeof what, "the center in column '%.120s'", name);
            snprintf(here, sizeof here, "is %.17g", domain->center[j]);
            snprintf(declared, sizeof declared, "%.17g", center);
            return differs(ctx, d, what, here, declared);
        }
        const bool estimate = domain->estimate != NULL && domain->estimate[j];
        const bool ranged = tac_declared_range(d, s->column[j], &lower, &upper, &declared_estimate);
        if (estimate && declared_estimate) continue; /* limits are no promise */
        if (ranged && lower == domain->lower[j] && upper == domain->upper[j] &&
            estimate == declared_estimate)
            continue;
        snprintf(what, sizeof what, "the range of column '%.120s'", name);
        snprintf(here, sizeof here, estimate ? "is private" : "is %.17g:%.17g", domain->lower[j],
                 domain->upper[j]);
        snprintf(declared, sizeof declared,
                 declared_estimate ? "private"
                 : ranged          ? "%.17g:%.17g"
                                   : "none",
                 lower, upper);
        return differs(ctx, d, what, here, declared);
    }
    return TACIT_OK;
}

/* One for every feature of the file, in their order: that of the j-th column in use. */
double tac_declared_center(const tacit_declaration *d, const tacit_data *data, int32_t j)
{
    const int32_t column = data->selection.column[j];
    int32_t feature = 0;

    if (d->centers < 2) return d->centers == 0 ? 0 : d->center[0];
    for (int32_t c = 0; c < column; c++)
        feature +=
            c != data->reader->schema.label_only && tac_data_role(d, data, c) == TAC_ROLE_FEATURE;
    return feature < d->centers ? d->center[feature] : 0;
}

tac_role tac_data_role(const tacit_declaration *d, const tacit_data *data, int32_t column)
{
    /* Items of triplets are not columns of the file. */
    return data->reader->schema.header != NULL ? TAC_ROLE_FEATURE : tac_declared_role(d, column);
}

/* What columns hold is declared, and so is what becomes of missing values; weights are anybody's to
   choose: they change distances and nothing that is read. */
static tacit_status agree_features(tacit_ctx *ctx, const tacit_declaration *d,
                                   const tacit_data *data, bool as_owner)
{
    const tac_feature plain = {.weight = 1, .missing = data->selection.missing};
    char what[200];

    for (int32_t j = 0; j < data->selection.dims && d->format != TACIT_FORMAT_TRIPLETS; j++) {
        const tac_declared_field *f = tac_declared_column(d, data->selection.column[j]);
        tac_feature said = f == NULL ? (tac_feature){0} : f->feature,
                    here = data->features.count > 0 ? data->features.feature[j] : plain;
        said.weight = here.weight;
        if (said.missing == TACIT_MISSING_DEFAULT)
            said.missing = d->missing == TACIT_MISSING_DEFAULT ? here.missing : d->missing;
        if (as_owner && here.missing == TACIT_MISSING_REJECT_FILE) said.missing = here.missing;
        if (tac_feature_same(&said, &here)) continue;
        snprintf(what, sizeof what, "what column '%.120s' holds", tacit_data_column_get(data, j));
        return differs(ctx, d, what, "is said otherwise (categories, transform or missing values)",
                       "its own");
    }
    return TACIT_OK;
}

static tacit_status agree_columns(tacit_ctx *ctx, const tacit_declaration *d,
                                  const tacit_data *data)
{
    const tac_selection *s = &data->selection;

    for (int32_t j = 0; j < s->dims; j++) {
        const tac_role role = tac_data_role(d, data, s->column[j]);
        if (role != TAC_ROLE_FEATURE)
            return tac_fail(ctx, TACIT_E_DECLARED,
                            "column '%.120s' is to be clustered here, and %s declares it as %s; "
                            "list the columns to use among those declared as features",
                            tacit_data_column_get(data, j), d->where, tac_role_names[role]);
    }
    return TACIT_OK;
}

/* A row of triplets has several lines, and one whose lines give two labels stops a run. Of a
   declared label the owner says that there is one for each row; of an item or a note that an
   analyst sets aside nobody does. */
static tacit_status agree_label(tacit_ctx *ctx, const tacit_declaration *d, const tacit_data *data)
{
    const tac_schema *schema = &data->reader->schema;
    const int32_t label = data->selection.label;

    if (label < 0 || schema->header == NULL) return TACIT_OK;
    const char *name =
        label < schema->columns ? schema->names[label] : schema->side[label - schema->columns];
    for (int32_t i = 0; i < d->fields && label >= schema->columns; i++)
        if (d->field[i].role == TAC_ROLE_LABEL && strcmp(d->field[i].name, name) == 0)
            return TACIT_OK;
    return tac_fail(ctx, TACIT_E_DECLARED,
                    "label column is '%.120s' here, and %s does not declare it as label; leave it "
                    "out",
                    name, d->where);
}

static tacit_status agree_budget(tacit_ctx *ctx, const tacit_declaration *d,
                                 const tacit_budget *budget)
{
    char here[64], declared[64];

    if (budget->neighbors != d->neighbors) {
        snprintf(here, sizeof here, "is %s", tac_relation_names[budget->neighbors]);
        return differs(ctx, d, "neighbors", here, tac_relation_names[d->neighbors]);
    }
    if (d->unit < 0 || d->most_rows == 0 || budget->max_rows_per_unit == d->most_rows)
        return TACIT_OK;
    snprintf(here, sizeof here, "is %d", (int)budget->max_rows_per_unit);
    snprintf(declared, sizeof declared, "%d", (int)d->most_rows);
    return differs(ctx, d, "max rows per person", here, declared);
}

static bool same_words(const tacit_declaration *d, const tac_selection *s)
{
    if (d->missing_words != s->missing_words) return false;
    for (int32_t i = 0; i < d->missing_words; i++)
        if (strcmp(d->missing_word[i], s->missing_word[i]) != 0) return false;
    return true;
}

tacit_status tac_declaration_agrees(tacit_ctx *ctx, const tacit_declaration *d,
                                    const tacit_data *data, bool counts, const tacit_budget *budget)
{
    tacit_status status = TACIT_OK;
    const tac_reader *reader = data->reader;
    uint8_t header[TAC_DIGEST];
    char here[64];

    if (reader->format != d->format) {
        snprintf(here, sizeof here, "is %s", tac_format_name(reader->format));
        return differs(ctx, d, "format", here, tac_format_name(d->format));
    }
    TAC_TRY(tac_data_header(ctx, data, header));
    if (memcmp(header, d->header, sizeof header) != 0)
        return tac_fail(ctx, TACIT_E_DECLARED,
                        "%s: the header is not the one that %s was made for (names, order, number "
                        "of columns, format, delimiter or another part of the dialect)",
                        tac_data_name(data), d->where);
    const bool words = d->vocabulary != NULL || d->words != NULL;
    if (words != (data->vocabulary != NULL))
        return differs(ctx, d, "a vocabulary",
                       data->vocabulary != NULL ? "is given" : "is not given",
                       words ? "one" : "none");
    if (words && memcmp(data->vocabulary->digest, d->words_hash, TAC_DIGEST) != 0)
        return differs(ctx, d, "the vocabulary", "has other words", "others");
    TAC_TRY(agree_files(ctx, d, data));
    TAC_TRY(agree_shape(ctx, d, data));
    TAC_TRY(agree_unit(ctx, d, data));
    if (tac_table_rule(data->selection.missing) != d->missing &&
        d->missing != TACIT_MISSING_DEFAULT && (budget == NULL || !budget->as_owner)) {
        snprintf(here, sizeof here, "is %s", tac_missing_words[data->selection.missing]);
        return differs(ctx, d, "the rule for missing values", here, tac_missing_words[d->missing]);
    }
    if (!same_words(d, &data->selection))
        return differs(ctx, d, "the list of words for missing values", "is another",
                       "one of its own");
    TAC_TRY(agree_columns(ctx, d, data));
    if (!counts) TAC_TRY(agree_features(ctx, d, data, budget != NULL && budget->as_owner));
    if (budget != NULL && budget->ledger != NULL && !budget->as_owner)
        TAC_TRY(agree_label(ctx, d, data));
    if (!counts) TAC_TRY(tac_declaration_domain(ctx, d, data));
    if (budget != NULL) TAC_TRY(agree_budget(ctx, d, budget));
done:
    return status;
}

/* ---- options beside a declaration ---- */

/* A column that an option names by its number from 1, by its name. */
static const char *declared_name(const tacit_declaration *d, const char *name)
{
    int64_t number = 0;

    for (int32_t i = 0; i < d->fields; i++)
        if (strcmp(d->field[i].name, name) == 0) return name;
    const char *end = tac_scan_count(name, &number);
    return tac_format_traits_of(d->format)->header && end != NULL && *end == '\0' && number >= 1 &&
                   number <= d->fields
               ? d->field[number - 1].name
               : name;
}

static tacit_status merge_dialect(tacit_ctx *ctx, const tacit_declaration *d, tacit_data_opts *o)
{
    const tac_dialect *x = &d->dialect;
    const bool bound = d->bound;

    if (o->delimiter != 0 && o->delimiter != x->separator && (bound || x->separator != 0))
        return differs(ctx, d, "delimiter", "is another", "one of its own");
    if (o->decimal != 0 && (o->decimal == ',') != (x->decimal == ',') && (bound || x->decimal != 0))
        return differs(ctx, d, "decimal", "is another", x->decimal == ',' ? "commas" : "points");
    if (o->thousands != 0 && o->thousands != x->thousands && (bound || x->thousands != 0))
        return differs(ctx, d, "thousands", "is another", x->thousands == 0 ? "none" : "a mark");
    if (o->skip_lines > 0 && o->skip_lines != x->skip_lines && (bound || x->skip_lines > 0))
        return differs(ctx, d, "the number of skipped lines", "is another", "one of its own");
    if (o->delimiter == 0) o->delimiter = x->separator;
    if (o->decimal == 0) o->decimal = x->decimal;
    if (o->thousands == 0) o->thousands = x->thousands;
    if (o->skip_lines == 0) o->skip_lines = x->skip_lines;
    return TACIT_OK;
}

static tacit_status merge_parts(tacit_ctx *ctx, const tacit_declaration *d, tacit_data_opts *o)
{
    static const char *const what[3] = {"row column", "col column", "count column"};
    const char **option[3] = {&o->row_column, &o->col_column, &o->count_column};
    const char *declared[3] = {NULL, NULL, NULL};
    char here[160], there[160];

    for (int32_t i = 0; i < d->fields; i++)
        if (d->field[i].role >= TAC_ROLE_ROW && d->field[i].role <= TAC_ROLE_COUNT)
            declared[d->field[i].role - TAC_ROLE_ROW] = d->field[i].name;
    for (int i = 0; i < 3; i++) {
        const char *name = *option[i] == NULL ? NULL : declared_name(d, *option[i]);
        if (name != NULL && (declared[i] == NULL || strcmp(name, declared[i]) != 0)) {
            snprintf(here, sizeof here, "is '%.120s'", name);
            snprintf(there, sizeof there, declared[i] == NULL ? "none" : "'%.120s'", declared[i]);
            return differs(ctx, d, what[i], here, there);
        }
        *option[i] = declared[i];
    }
    return TACIT_OK;
}

tacit_status tac_declaration_merge(tacit_ctx *ctx, const tacit_declaration *d, tacit_data_opts *o)
{
    tacit_status status = TACIT_OK;
    char here[320], declared[320];

    if (o->format != TACIT_FORMAT_AUTO && d->format != TACIT_FORMAT_AUTO &&
        o->format != d->format) {
        snprintf(here, sizeof here, "is %s", tac_format_name(o->format));
        return differs(ctx, d, "format", here, tac_format_name(d->format));
    }
    if (d->format == TAC_FORMAT_MEMORY)
        return tac_fail(ctx, TACIT_E_DECLARED,
                        "%s declares rows in memory, and these come from elsewhere", d->where);
    if (d->format != TACIT_FORMAT_AUTO) o->format = d->format;
    TAC_TRY(merge_dialect(ctx, d, o));
    TAC_TRY(merge_parts(ctx, d, o));
    if (o->unit_column != NULL &&
        (d->unit < 0 || strcmp(declared_name(d, o->unit_column), d->field[d->unit].name) != 0)) {
        snprintf(here, sizeof here, "is '%.120s'", o->unit_column);
        snprintf(declared, sizeof declared, d->unit < 0 ? "none: single rows" : "'%.120s'",
                 d->unit < 0 ? "" : d->field[d->unit].name);
        return differs(ctx, d, "unit column", here, declared);
    }
    if (d->unit >= 0) o->unit_column = d->field[d->unit].name;
    if ((o->shape_rows > 0 && o->shape_rows != d->shape_rows && (d->bound || d->shape_rows > 0)) ||
        (o->shape_columns > 0 && o->shape_columns != d->shape_columns &&
         (d->bound || d->shape_columns > 0))) {
        snprintf(here, sizeof here, "is %lldx%d", (long long)o->shape_rows, (int)o->shape_columns);
        snprintf(declared, sizeof declared, "%lldx%d (0: not said)", (long long)d->shape_rows,
                 (int)d->shape_columns);
        return differs(ctx, d, "shape", here, declared);
    }
    if (o->shape_rows == 0) o->shape_rows = d->shape_rows;
    if (o->shape_columns == 0) o->shape_columns = d->shape_columns;
    if (o->vocabulary != NULL && d->vocabulary == NULL && d->words == NULL)
        return differs(ctx, d, "a vocabulary", "is given", "none");
done:
    return status;
}

/* ---- two declarations ---- */

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* What is not said is as the format has it. */
static bool same_dialect(const tacit_declaration *a, const tacit_declaration *b)
{
    const tac_dialect x = tac_dialect_full(&a->dialect, b->format),
                      y = tac_dialect_full(&b->dialect, b->format);

    return (a->dialect.separator == 0 || x.separator == y.separator) && x.decimal == y.decimal &&
           x.thousands == y.thousands && x.skip_lines == y.skip_lines;
}

static bool same_table(const tacit_declaration *a, const tacit_declaration *b)
{
    bool same = (a->format == TACIT_FORMAT_AUTO || a->format == b->format) && same_dialect(a, b) &&
                a->neighbors == b->neighbors && a->most_rows == b->most_rows &&
                (a->missing == TACIT_MISSING_DEFAULT || a->missing == b->missing) &&
                a->missing_words == b->missing_words && same_number(a->radius, b->radius) &&
                a->centers == b->centers && a->shape_rows == b->shape_rows &&
                a->shape_columns == b->shape_columns &&
                (a->vocabulary != NULL || a->words != NULL) ==
                    (b->vocabulary != NULL || b->words != NULL) &&
                (!a->has_words_hash || memcmp(a->words_hash, b->words_hash, TAC_DIGEST) == 0) &&
                (!a->bound || memcmp(a->header, b->header, TAC_DIGEST) == 0) &&
                (a->files.count == 0 || tac_files_same(&a->files, &b->files));

    for (int32_t i = 0; same && i < a->missing_words; i++)
        same = strcmp(a->missing_word[i], b->missing_word[i]) == 0;
    for (int32_t i = 0; same && i < a->centers; i++) same = a->center[i] == b->center[i];
    return same;
}

static const tac_declared_field *by_name(const tacit_declaration *d, int32_t near, const char *name)
{
    if (near < d->fields && strcmp(d->field[near].name, name) == 0) return &d->field[near];
    for (int32_t i = 0; i < d->fields; i++)
        if (strcmp(d->field[i].name, name) == 0) return &d->field[i];
    return NULL;
}

static bool same_feature(const tacit_declaration *a, const tac_declared_field *x,
                         const tacit_declaration *b, const tac_declared_field *y)
{
    static const tac_feature plain = {.weight = 1};
    tac_feature left = x->feature, right = y == NULL ? plain : y->feature;
    const bool estimate = y != NULL && y->estimate;

    if (left.missing == TACIT_MISSING_DEFAULT) left.missing = a->missing;
    if (right.missing == TACIT_MISSING_DEFAULT) right.missing = b->missing;
    if (left.missing == TACIT_MISSING_DEFAULT) left.missing = right.missing;
    if (right.missing == TACIT_MISSING_DEFAULT) right.missing = left.missing;
    return x->estimate == estimate && tac_feature_same(&left, &right);
}

/* What is not listed is a feature with the range of all. */
static bool same_fields(const tacit_declaration *a, const tacit_declaration *b, const char **name)
{
    for (int32_t i = 0; i < a->fields; i++) {
        const tac_declared_field *x = &a->field[i], *y = by_name(b, i, x->name);
        const bool own_x = !isnan(x->lower), own_y = y != NULL && !isnan(y->lower);
        const tac_role role = y == NULL ? TAC_ROLE_FEATURE : y->role;
        *name = x->name;
        if (tac_format_traits_of(b->format)->header && (y == NULL || y - b->field != i))
            return false;
        if (x->role != role) return false;
        if (role == TAC_ROLE_FEATURE && !same_feature(a, x, b, y)) return false;
        if (role == TAC_ROLE_FEATURE &&
            !(same_number(own_x ? x->lower : a->all_lower, own_y ? y->lower : b->all_lower) &&
              same_number(own_x ? x->upper : a->all_upper, own_y ? y->upper : b->all_upper)))
            return false;
    }
    return true;
}

tacit_status tacit_declaration_compare(tacit_ctx *ctx, const tacit_declaration *given,
                                       const tacit_declaration *bound)
{
    const char *name = NULL;

    if (!same_table(given, bound))
        return tac_fail(ctx, TACIT_E_DECLARED,
                        "%s says otherwise than %s of the table as a whole (format, neighbors, "
                        "rows per person, missing values, radius, shape or vocabulary); what was "
                        "declared first holds",
                        given->where, bound->where);
    if (!same_fields(given, bound, &name) || !same_fields(bound, given, &name))
        return tac_fail(ctx, TACIT_E_DECLARED,
                        "%s says otherwise than %s of the column '%.120s'; what was declared first "
                        "holds",
                        given->where, bound->where, name);
    return TACIT_OK;
}
