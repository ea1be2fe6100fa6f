/* SPDX-License-Identifier: Apache-2.0 */
/* A declaration as JSON: canonical, or the template that an owner fills in. */
#include "data/dataset/dataset.h"
#include "data/dataset/declaration.h"
#include "data/dataset/domain.h"
#include "data/readers/reader_internal.h"
#include "json/json.h"

#include <math.h>
#include <string.h>

#define MOST_LISTED 1500 /* columns of files without names that a template lists one by one */

/* A bound or a value to fill in, as a row would have it. */
static void put_value(tac_json *json, const char *key, const tac_feature *f, double x)
{
    char date[16];

    if (f->value.kind != TAC_VALUE_DATE) {
        tac_json_number(json, key, x);
        return;
    }
    tac_write_date(x, date);
    tac_json_text(json, key, date);
}

static void put_constraints(tac_json *json, const tac_declared_field *f)
{
    const bool words = f->feature.value.words > 0 && !f->feature.value.boolean;

    if (isnan(f->lower) && !words) return;
    tac_json_object(json, "constraints", TAC_JSON_ROW);
    if (!isnan(f->lower)) {
        put_value(json, "minimum", &f->feature, f->lower);
        put_value(json, "maximum", &f->feature, f->upper);
    }
    if (words) {
        tac_json_array(json, "enum", TAC_JSON_ROW);
        for (int32_t w = 0; w < f->feature.value.words; w++)
            tac_json_text(json, NULL, f->feature.value.word[w]);
        tac_json_end(json);
    }
    tac_json_end(json);
}

static void put_missing(tac_json *json, const tac_feature *f)
{
    if (f->missing == TACIT_MISSING_DEFAULT) return;
    if (f->missing != TACIT_MISSING_FILL)
        tac_json_text(json, "missing", tac_missing_words[f->missing]);
    else if (f->value.kind == TAC_VALUE_CATEGORY)
        tac_json_text(json, "fill", f->value.word[(int32_t)f->fill]);
    else
        put_value(json, "fill", f, f->fill);
}

static void put_field(tac_json *json, const tac_declared_field *f)
{
    tac_json_object(json, NULL, TAC_JSON_ROW);
    tac_json_text(json, "name", f->name);
    if (f->type[0] != '\0') tac_json_text(json, "type", f->type);
    put_constraints(json, f);
    tac_json_object(json, "tacit", TAC_JSON_ROW);
    tac_json_text(json, "role", tac_role_names[f->role]);
    if (f->estimate) tac_json_text(json, "bounds", "private");
    if (f->feature.transform != TAC_AS_IS)
        tac_json_text(json, "transform", tac_transform_words[f->feature.transform]);
    if (f->feature.weight != 1) tac_json_number(json, "weight", f->feature.weight);
    put_missing(json, &f->feature);
    if (f->column >= 0) tac_json_integer(json, "column", f->column + INT64_C(1));
    tac_json_end(json);
    tac_json_end(json);
}

static void put_digest(tac_json *json, const char *key, const uint8_t digest[TAC_DIGEST])
{
    char hex[2 * TAC_DIGEST + 1];

    tac_hex(digest, hex);
    tac_json_text(json, key, hex);
}

static void put_domain(tac_json *json, const tacit_declaration *d)
{
    const double all[2] = {d->all_lower, d->all_upper};

    if (!isnan(d->all_lower)) tac_json_numbers(json, "bounds", all, 2);
    if (isnan(d->radius)) return;
    tac_json_number(json, "radius", d->radius);
    if (d->centers == 1)
        tac_json_number(json, "center", d->center[0]);
    else if (d->centers > 1)
        tac_json_numbers(json, "center", d->center, (size_t)d->centers);
}

static void put_words(tac_json *json, char *words)
{
    tac_json_array(json, "words", TAC_JSON_ROW);
    for (char *at = words, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        *end = '\0';
        tac_json_text(json, NULL, at);
        *end = '\n';
    }
    tac_json_end(json);
}

static void put_shape(tac_json *json, const tacit_declaration *d)
{
    if (d->shape_rows > 0 || d->shape_columns > 0) {
        tac_json_object(json, "shape", TAC_JSON_ROW);
        if (d->shape_rows > 0) tac_json_integer(json, "rows", d->shape_rows);
        if (d->shape_columns > 0) tac_json_integer(json, "columns", d->shape_columns);
        tac_json_end(json);
    }
    if (d->vocabulary == NULL && d->words == NULL) return;
    tac_json_object(json, "vocabulary", TAC_JSON_ROW);
    if (d->vocabulary != NULL)
        tac_json_text(json, "path", d->vocabulary);
    else
        put_words(json, d->words);
    if (d->has_words_hash) put_digest(json, "hash", d->words_hash);
    tac_json_end(json);
}

static void put_dialect(tac_json *json, tacit_format format, const tac_dialect *dialect)
{
    const char usual = tac_format_traits_of(format)->delimiter;
    const tac_dialect full = tac_dialect_full(dialect, format);
    const char separator[2] = {full.separator, '\0'}, decimal[2] = {full.decimal, '\0'},
               thousands[2] = {full.thousands, '\0'};

    if (usual == 0) return;
    tac_json_object(json, "dialect", TAC_JSON_ROW);
    tac_json_text(json, "delimiter", separator);
    tac_json_text(json, "decimalChar", decimal);
    if (full.thousands != 0) tac_json_text(json, "groupChar", thousands);
    if (full.skip_lines > 0) tac_json_integer(json, "skipRows", full.skip_lines);
    tac_json_end(json);
}

tacit_status tac_declaration_write(tacit_ctx *ctx, const tacit_declaration *d, char **out)
{
    tac_json json;

    tac_json_start(&json, ctx);
    tac_json_object(&json, NULL, TAC_JSON_LINES);
    tac_json_array(&json, "fields", TAC_JSON_LINES);
    for (int32_t i = 0; i < d->fields; i++) put_field(&json, &d->field[i]);
    tac_json_end(&json);
    tac_json_array(&json, "missingValues", TAC_JSON_ROW);
    tac_json_text(&json, NULL, "");
    for (int32_t i = 0; i < d->missing_words; i++) tac_json_text(&json, NULL, d->missing_word[i]);
    tac_json_end(&json);
    put_dialect(&json, d->format, &d->dialect);
    tac_json_object(&json, "tacit", TAC_JSON_LINES);
    tac_json_integer(&json, "version", TAC_DECLARATION_VERSION);
    if (d->format != TACIT_FORMAT_AUTO) tac_json_text(&json, "format", tac_format_name(d->format));
    tac_json_text(&json, "neighbors", tac_relation_names[d->neighbors]);
    if (d->most_rows > 0) tac_json_integer(&json, "maxRowsPerPerson", d->most_rows);
    if (d->missing != TACIT_MISSING_DEFAULT)
        tac_json_text(&json, "missing", tac_missing_words[d->missing]);
    put_domain(&json, d);
    put_shape(&json, d);
    if (d->files.count > 0) {
        tac_json_array(&json, "files", TAC_JSON_ROW);
        for (int32_t i = 0; i < d->files.count; i++) tac_json_text(&json, NULL, d->files.name[i]);
        tac_json_end(&json);
    }
    if (d->bound) put_digest(&json, "header", d->header);
    tac_json_end(&json);
    tac_json_end(&json);
    return tac_json_finish(&json, out);
}

/* ---- the template ---- */

/* A column to be filled in; one whose name suggests an id or a text is left alone until the owner
   says otherwise. */
static void put_blank(tac_json *json, const char *name)
{
    const bool id = tac_name_suggests_id(name);

    tac_json_object(json, NULL, TAC_JSON_ROW);
    tac_json_text(json, "name", name);
    tac_json_text(json, "type", id ? "string" : "number");
    if (id) {
        tac_json_object(json, "tacit", TAC_JSON_ROW);
        tac_json_text(json, "role", "ignore");
        tac_json_end(json);
        tac_json_end(json);
        return;
    }
    tac_json_object(json, "constraints", TAC_JSON_ROW);
    tac_json_null(json, "minimum");
    tac_json_null(json, "maximum");
    tac_json_end(json);
    tac_json_object(json, "tacit", TAC_JSON_ROW);
    tac_json_text(json, "role", "feature");
    tac_json_end(json);
    tac_json_end(json);
}

/* A column of triplets. part: which of row, col and count it is, or -1; own: not so called. */
static void put_part(tac_json *json, const char *name, int part, bool own)
{
    tac_json_object(json, NULL, TAC_JSON_ROW);
    tac_json_text(json, "name", name);
    tac_json_text(json, "type", part == 2 ? "integer" : part >= 0 ? "any" : "string");
    if (part < 0 || own) {
        tac_json_object(json, "tacit", TAC_JSON_ROW);
        tac_json_text(json, "role", part < 0 ? "ignore" : tac_role_names[TAC_ROLE_ROW + part]);
        tac_json_end(json);
    }
    tac_json_end(json);
}

static tacit_status write_template(tacit_ctx *ctx, tacit_format format, const tac_schema *schema,
                                   const tac_dialect *dialect, char **out)
{
    const tac_format_traits *traits = tac_format_traits_of(format);
    const bool triplets = format == TACIT_FORMAT_TRIPLETS, header = traits->header;
    const int32_t columns = schema == NULL || (!header && schema->columns > MOST_LISTED) ||
                                    format == TACIT_FORMAT_MATRIX_MARKET
                                ? 0
                                : schema->columns;
    tac_json json;

    tac_json_start(&json, ctx);
    tac_json_object(&json, NULL, TAC_JSON_LINES);
    tac_json_array(&json, "fields", TAC_JSON_LINES);
    for (int32_t j = 0; j < columns; j++)
        if (triplets)
            put_part(&json, schema->names[j], tac_schema_part(schema, j), schema->own_parts);
        else
            put_blank(&json, schema->names[j]);
    tac_json_end(&json);
    if (header && !traits->sparse && traits->delimiter != 0) {
        tac_json_array(&json, "missingValues", TAC_JSON_ROW);
        tac_json_text(&json, NULL, "");
        tac_json_end(&json);
    }
    put_dialect(&json, format, dialect);
    tac_json_object(&json, "tacit", TAC_JSON_LINES);
    tac_json_integer(&json, "version", TAC_DECLARATION_VERSION);
    tac_json_text(&json, "format", tac_format_name(format));
    tac_json_text(&json, "neighbors", "add-remove");
    tac_json_text(&json, "missing", "drop-row");
    /* the file does not state it, and its rows are not asked */
    if (traits->unstated) {
        tac_json_object(&json, "shape", TAC_JSON_ROW);
        tac_json_null(&json, "columns");
        tac_json_end(&json);
    }
    tac_json_end(&json);
    tac_json_end(&json);
    return tac_json_finish(&json, out);
}

/* Of a list of entries the header alone: opened as a CSV file, and its parts found. */
static tacit_status open_list(tacit_ctx *ctx, const char *path, const tac_shape *shape,
                              tac_reader **out)
{
    const tacit_status status = tac_open_shaped(ctx, path, TACIT_FORMAT_CSV, shape, out);

    return status != TACIT_OK ? status
                              : tac_schema_find_parts(ctx, path, shape->part, &(*out)->schema);
}

tacit_status tacit_declaration_template(tacit_ctx *ctx, const char *path,
                                        const tacit_data_opts *opts, char **out)
{
    tacit_status status = TACIT_OK;
    tacit_data_opts o;
    tac_input input = TAC_INPUT_CLOSED;
    tac_reader *reader = NULL;

    *out = NULL;
    tacit_data_opts_init(&o, sizeof o);
    if (opts != NULL) TAC_TRY(tac_read_opts(ctx, "tacit_data_opts", opts, &o, sizeof o));
    TAC_TRY(tac_data_name_parts(ctx, &o));
    const tac_shape shape = tac_shape_of(&o);
    tacit_format format = tac_format_by_ending(path, o.format);
    if (format == TACIT_FORMAT_LIBSVM) { /* no header: the file need only be there */
        TAC_TRY(tac_input_open(ctx, path, &input));
        TAC_TRY(write_template(ctx, format, NULL, &shape.dialect, out));
        goto done;
    }
    TAC_TRY(format == TACIT_FORMAT_TRIPLETS ? open_list(ctx, path, &shape, &reader)
                                            : tac_open_shaped(ctx, path, format, &shape, &reader));
    /* By its header a list of entries: as a table every entry would be a row. */
    if (reader->format == TACIT_FORMAT_CSV && tac_schema_is_list(&reader->schema) &&
        format != TACIT_FORMAT_TRIPLETS) {
        TAC_TRY(tac_schema_find_parts(ctx, path, shape.part, &reader->schema));
        format = TACIT_FORMAT_TRIPLETS;
    }
    TAC_TRY(write_template(ctx, format == TACIT_FORMAT_TRIPLETS ? format : reader->format,
                           &reader->schema, &reader->dialect, out));
done:
    tac_input_close(&input);
    if (reader != NULL) reader->close(reader);
    return status;
}
