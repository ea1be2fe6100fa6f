/* SPDX-License-Identifier: Apache-2.0 */
/* A declaration as JSON: canonical, or the template that an owner fills in. */
#include "data/dataset/dataset.h"
#include "data/dataset/declaration.h"
#include "data/readers/reader_internal.h"
#include "json/json.h"

#include <math.h>
#include <string.h>

#define MOST_LISTED 1500 /* columns of files without names that a template lists one by one */

static void put_field(tac_json *json, const tac_declared_field *f)
{
    tac_json_object(json, NULL, TAC_JSON_ROW);
    tac_json_text(json, "name", f->name);
    if (f->type[0] != '\0') tac_json_text(json, "type", f->type);
    if (!isnan(f->lower)) {
        tac_json_object(json, "constraints", TAC_JSON_ROW);
        tac_json_number(json, "minimum", f->lower);
        tac_json_number(json, "maximum", f->upper);
        tac_json_end(json);
    }
    tac_json_object(json, "tacit", TAC_JSON_ROW);
    tac_json_text(json, "role", tac_role_names[f->role]);
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
    const tac_dialect full = tac_dialect_full(dialect, format);
    const char separator[2] = {full.separator, '\0'}, decimal[2] = {full.decimal, '\0'},
               thousands[2] = {full.thousands, '\0'};

    if (!tac_format_has_header(format)) return;
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
    tac_json_text(&json, "missing",
                  d->missing == TACIT_MISSING_MIDPOINT ? "midpoint" : "reject-file");
    put_domain(&json, d);
    put_shape(&json, d);
    if (d->bound) put_digest(&json, "header", d->header);
    tac_json_end(&json);
    tac_json_end(&json);
    return tac_json_finish(&json, out);
}

/* ---- the template ---- */

static void put_blank(tac_json *json, const char *name)
{
    tac_json_object(json, NULL, TAC_JSON_ROW);
    tac_json_text(json, "name", name);
    tac_json_text(json, "type", "number");
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
    const bool triplets = format == TACIT_FORMAT_TRIPLETS, header = tac_format_has_header(format);
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
    if (header && !triplets) {
        tac_json_array(&json, "missingValues", TAC_JSON_ROW);
        tac_json_text(&json, NULL, "");
        tac_json_end(&json);
    }
    put_dialect(&json, format, dialect);
    tac_json_object(&json, "tacit", TAC_JSON_LINES);
    tac_json_integer(&json, "version", TAC_DECLARATION_VERSION);
    tac_json_text(&json, "format", tac_format_name(format));
    tac_json_text(&json, "neighbors", "add-remove");
    tac_json_text(&json, "missing", "midpoint");
    /* the file does not state it, and its rows are not asked */
    if (triplets || format == TACIT_FORMAT_LIBSVM) {
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
