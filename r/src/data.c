/* SPDX-License-Identifier: Apache-2.0 */
/* Rows, what is said of them, and their declaration. */
#include "columns.h"

#include <string.h>
#include <tacit/arrow_abi.h>

SEXP r_ctx(SEXP threads)
{
    SEXP handle = PROTECT(handle_new(CTX, R_NilValue));
    tacit_ctx *ctx = NULL;
    tacit_status status = tacit_ctx_new(&ctx);
    handle_set(handle, ctx);
    if (status == TACIT_OK) status = tacit_ctx_set_threads(ctx, Rf_asInteger(threads));
    SEXP out = made(handle, ctx, status);
    UNPROTECT(1);
    return out;
}

static tacit_data_opts opts_of(SEXP said, SEXP declaration)
{
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;
    opts.columns = text(said, "columns");
    opts.unit_column = text(said, "unit_column");
    opts.categories = text(said, "categories");
    opts.weights = text(said, "weights");
    opts.transforms = text(said, "transforms");
    opts.missing_rules = text(said, "missing");
    opts.declaration = handle_get_or_null(declaration, DECLARATION);
    return opts;
}

/* Columns of a frame or a matrix. */
SEXP r_data_columns(SEXP ctx_, SEXP specs, SEXP rows, SEXP said, SEXP declaration)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    SEXP keep = PROTECT(Rf_list3(ctx_, specs, declaration));
    SEXP handle = PROTECT(handle_new(DATA, keep));
    tacit_data_opts opts = opts_of(said, declaration);
    struct ArrowArrayStream stream;
    tacit_data *data = NULL;
    tacit_status status = TACIT_E_MEMORY;
    memset(&stream, 0, sizeof stream);
    if (columns_stream(specs, (int64_t)Rf_asReal(rows), &stream) == 0)
        status = tacit_data_from_arrow_stream(ctx, &stream, &opts, &data);
    handle_set(handle, data);
    SEXP out = made(handle, ctx, status);
    UNPROTECT(2);
    return out;
}

/* Whole numbers that came as doubles, in memory of R's: 8 bytes each, as int64_t has. */
static SEXP whole_words(SEXP numbers)
{
    R_xlen_t count = XLENGTH(numbers);
    SEXP words = PROTECT(Rf_allocVector(REALSXP, count));
    int64_t *to = (int64_t *)(void *)REAL(words);
    const double *from = REAL(numbers);
    for (R_xlen_t i = 0; i < count; i++) to[i] = (int64_t)from[i];
    UNPROTECT(1);
    return words;
}

static const int64_t *words_in(SEXP words)
{
    return (const int64_t *)(const void *)REAL(words);
}

/* A sparse matrix, row by row. starts and units (NULL: every row is a person's): whole numbers as
   doubles. */
SEXP r_data_sparse(SEXP ctx_, SEXP starts, SEXP column, SEXP value, SEXP columns, SEXP names,
                   SEXP said, SEXP units)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    R_xlen_t rows = XLENGTH(starts) - 1;
    SEXP start = PROTECT(whole_words(starts));
    SEXP whose = PROTECT(units == R_NilValue ? units : whole_words(units));
    if (units != R_NilValue && XLENGTH(units) != rows) Rf_error("units are not as many as rows");
    SEXP keep = PROTECT(Rf_list5(ctx_, start, whose, column, value));
    SEXP handle = PROTECT(handle_new(DATA, keep));
    const int32_t *places = INTEGER(column);
    const double *values = REAL(value);
    const char **texts = (const char **)R_alloc((size_t)XLENGTH(names) + 1, sizeof *texts);
    for (R_xlen_t j = 0; j < XLENGTH(names); j++) texts[j] = CHAR(STRING_ELT(names, j));
    tacit_data_opts opts = opts_of(said, R_NilValue);

    tacit_data *data = NULL;
    tacit_status status = tacit_data_from_csr(ctx, words_in(start), places, values, (int64_t)rows,
                                              Rf_asInteger(columns), &data);
    handle_set(handle, data);
    if (status == TACIT_OK && XLENGTH(names) > 0) status = tacit_data_set_columns(ctx, data, texts);
    if (status == TACIT_OK && whose != R_NilValue)
        status = tacit_data_set_units(ctx, data, words_in(whose), NULL);
    if (status == TACIT_OK &&
        (opts.categories || opts.weights || opts.transforms || opts.missing_rules))
        status = tacit_data_set_features(ctx, data, &opts);
    SEXP out = made(handle, ctx, status);
    UNPROTECT(4);
    return out;
}

SEXP r_data_names(SEXP data_)
{
    tacit_data *data = handle_get(data_, DATA);
    int count = tacit_data_column_count(data);
    SEXP out = PROTECT(Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++)
        SET_STRING_ELT(out, i, Rf_mkCharCE(tacit_data_column_get(data, i), CE_UTF8));
    UNPROTECT(1);
    return out;
}

/* What values are possible: a text, two vectors, or a ball. */
SEXP r_data_domain(SEXP ctx_, SEXP data_, SEXP domain)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    tacit_data *data = handle_get(data_, DATA);
    SEXP lower = item(domain, "lower"), upper = item(domain, "upper");
    SEXP center = item(domain, "center");
    const char *bounds = text(domain, "text");
    tacit_status status;
    if (bounds != NULL)
        status = tacit_data_declare_bounds(ctx, data, bounds);
    else if (lower != R_NilValue)
        status = tacit_data_set_bounds(ctx, data, REAL(lower), REAL(upper));
    else
        status = tacit_data_set_ball(ctx, data, center == R_NilValue ? NULL : REAL(center),
                                     number(domain, "radius", 0));
    return status == TACIT_OK ? R_NilValue : failure(ctx, status);
}

/* ---- declarations ---- */

SEXP r_declaration(SEXP ctx_, SEXP json_or_path, SEXP is_json)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    SEXP handle = PROTECT(handle_new(DECLARATION, ctx_));
    const char *given = CHAR(STRING_ELT(json_or_path, 0));
    tacit_declaration *declaration = NULL;
    tacit_status status = Rf_asLogical(is_json) ? tacit_declaration_parse(ctx, given, &declaration)
                                                : tacit_declaration_read(ctx, given, &declaration);
    handle_set(handle, declaration);
    SEXP out = made(handle, ctx, status);
    UNPROTECT(1);
    return out;
}

SEXP r_declaration_summary(SEXP ctx_, SEXP declaration)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    tacit_declaration_summary s = TACIT_DECLARATION_SUMMARY_INIT;
    tacit_status status =
        tacit_declaration_summarize(ctx, handle_get(declaration, DECLARATION), &s);
    if (status != TACIT_OK) return failure(ctx, status);
    listing out = listing_new(4);
    put(&out, "neighbors", Rf_ScalarInteger((int)s.neighbors));
    put(&out, "unit_column", utf8(s.unit_column));
    put(&out, "max_rows", Rf_ScalarInteger(s.max_rows_per_unit));
    put(&out, "has_domain", Rf_ScalarLogical(s.has_bounds || s.radius > 0));
    return listing_end(&out);
}

SEXP r_declaration_compare(SEXP ctx_, SEXP given, SEXP bound)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    tacit_status status = tacit_declaration_compare(ctx, handle_get(given, DECLARATION),
                                                    handle_get(bound, DECLARATION));
    return status == TACIT_OK ? R_NilValue : failure(ctx, status);
}
