/* SPDX-License-Identifier: Apache-2.0 */
/* A release: its text, its fields, and what follows from it alone. */
#include "handles.h"

#include <string.h>

SEXP r_model_parse(SEXP ctx_, SEXP json)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    SEXP handle = PROTECT(handle_new(MODEL, ctx_));
    tacit_model *model = NULL;
    tacit_status status = tacit_model_parse(ctx, CHAR(STRING_ELT(json, 0)), &model);
    handle_set(handle, model);
    SEXP out = made(handle, ctx, status);
    UNPROTECT(1);
    return out;
}

SEXP r_model_read(SEXP ctx_, SEXP path)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    SEXP handle = PROTECT(handle_new(MODEL, ctx_));
    tacit_model *model = NULL;
    tacit_status status = tacit_model_read(ctx, CHAR(STRING_ELT(path, 0)), &model);
    handle_set(handle, model);
    SEXP out = made(handle, ctx, status);
    UNPROTECT(1);
    return out;
}

SEXP r_model_write(SEXP ctx_, SEXP model, SEXP path)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    tacit_status status =
        tacit_model_write(ctx, handle_get(model, MODEL), CHAR(STRING_ELT(path, 0)));
    return status == TACIT_OK ? R_NilValue : failure(ctx, status);
}

/* The release as JSON, or as a page for people. */
SEXP r_model_text(SEXP ctx_, SEXP model, SEXP html)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    SEXP held = PROTECT(handle_new(MEMORY, R_NilValue));
    char *words = NULL;
    tacit_status status = Rf_asLogical(html)
                              ? tacit_model_html(ctx, handle_get(model, MODEL), &words)
                              : tacit_model_json(ctx, handle_get(model, MODEL), &words);
    handle_set(held, words);
    SEXP out = status == TACIT_OK ? utf8(words) : failure(ctx, status);
    UNPROTECT(1);
    return out;
}

SEXP r_model_recut(SEXP ctx_, SEXP model, SEXP k, SEXP median)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    SEXP handle = PROTECT(handle_new(MODEL, ctx_));
    tacit_model *cut = NULL;
    tacit_status status = tacit_model_recut(ctx, handle_get(model, MODEL), Rf_asInteger(k),
                                            Rf_asLogical(median), &cut);
    handle_set(handle, cut);
    SEXP out = made(handle, ctx, status);
    UNPROTECT(1);
    return out;
}

typedef struct synthesis {
    tacit_ctx *ctx;
    const tacit_model *model;
    int64_t rows;
    uint64_t seed;
    double *values;
} synthesis;

static tacit_status do_synthesize(void *payload)
{
    synthesis *s = payload;
    return tacit_model_synthesize(s->ctx, s->model, s->rows, s->seed, &s->values);
}

/* Many rows take long: Ctrl-C is seen. */
SEXP r_model_synthesize(SEXP ctx, SEXP model, SEXP rows, SEXP seed)
{
    SEXP held = PROTECT(handle_new(MEMORY, R_NilValue));
    synthesis s = {handle_get(ctx, CTX), handle_get(model, MODEL), (int64_t)Rf_asReal(rows),
                   (uint64_t)Rf_asReal(seed), NULL};
    stop stopped;
    tacit_status status = work(s.ctx, do_synthesize, &s, &stopped);
    handle_set(held, s.values);
    SEXP out;
    if (stopped.by != GOES_ON)
        out = failure_stopped(&stopped);
    else if (status != TACIT_OK)
        out = failure(s.ctx, status);
    else
        out = matrix(s.values, (int)s.rows, tacit_model_feature_count(s.model));
    UNPROTECT(1);
    return out;
}

/* Texts as they can be shown. */
SEXP r_plain(SEXP texts)
{
    SEXP out = PROTECT(Rf_allocVector(STRSXP, XLENGTH(texts)));
    for (R_xlen_t i = 0; i < XLENGTH(texts); i++) {
        const char *one = CHAR(STRING_ELT(texts, i));
        char *copy = R_alloc(strlen(one) + 1, 1);
        strcpy(copy, one);
        tacit_text_make_plain(copy);
        SET_STRING_ELT(out, i, Rf_mkCharCE(copy, CE_UTF8));
    }
    UNPROTECT(1);
    return out;
}

SEXP r_version(void)
{
    return Rf_mkString(tacit_version());
}

/* ---- fields ---- */

static SEXP column_names(const tacit_model *m)
{
    int count = tacit_model_column_count(m);
    SEXP out = PROTECT(Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++)
        SET_STRING_ELT(out, i, Rf_mkCharCE(tacit_model_column_get(m, i), CE_UTF8));
    UNPROTECT(1);
    return out;
}

static SEXP features(const tacit_model *m)
{
    int count = tacit_model_feature_count(m);
    listing out = listing_new(5);
    SEXP name = put_column(&out, "name", STRSXP, count);
    SEXP kind = put_column(&out, "kind", STRSXP, count);
    SEXP are = put_column(&out, "centers_are", STRSXP, count);
    SEXP first = put_column(&out, "first", INTSXP, count);
    SEXP width = put_column(&out, "width", INTSXP, count);
    for (int i = 0; i < count; i++) {
        tacit_feature f = TACIT_FEATURE_INIT;
        if (tacit_model_feature_get(m, i, &f) != TACIT_OK) continue;
        SET_STRING_ELT(name, i, Rf_mkCharCE(f.name, CE_UTF8));
        SET_STRING_ELT(kind, i, Rf_mkChar(f.kind));
        SET_STRING_ELT(are, i, Rf_mkChar(f.centers_are));
        INTEGER(first)[i] = f.first + 1;
        INTEGER(width)[i] = f.width;
    }
    return listing_end(&out);
}

static SEXP notes(const tacit_model *m)
{
    int count = tacit_model_note_count(m);
    SEXP out = PROTECT(Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++)
        SET_STRING_ELT(out, i, Rf_mkCharCE(tacit_model_note_get(m, i), CE_UTF8));
    UNPROTECT(1);
    return out;
}

static SEXP card(const tacit_model *m)
{
    static const char *const relations[] = {"add-remove", "replace", "entry"};
    tacit_card c = TACIT_CARD_INIT;
    if (tacit_model_card(m, &c) != TACIT_OK) return R_NilValue;
    listing out = listing_new(14);
    put(&out, "epsilon", Rf_ScalarReal(c.epsilon));
    put(&out, "delta", Rf_ScalarReal(c.delta));
    put(&out, "neighbors", Rf_mkString(relations[(int)c.neighbors % 3]));
    put(&out, "unit", utf8(c.unit));
    put(&out, "max_rows_per_person", Rf_ScalarInteger(c.max_rows_per_unit));
    put(&out, "definition", utf8(c.definition));
    put(&out, "parameter", utf8(c.parameter));
    put(&out, "budget", Rf_ScalarReal(c.budget));
    put(&out, "spent", Rf_ScalarReal(c.spent));
    put(&out, "in_ledger", Rf_ScalarLogical(c.in_ledger != 0));
    put(&out, "ledger_run", utf8(c.ledger_run));
    put(&out, "randomness", utf8(c.randomness));
    put(&out, "paper", utf8(c.paper));
    put(&out, "version", utf8(c.version));
    return listing_end(&out);
}

static SEXP queries(const tacit_model *m)
{
    int count = tacit_model_query_count(m);
    listing out = listing_new(7);
    SEXP kind = put_column(&out, "kind", STRSXP, count);
    SEXP what = put_column(&out, "what", STRSXP, count);
    SEXP noise = put_column(&out, "noise", STRSXP, count);
    SEXP scale = put_column(&out, "scale", REALSXP, count);
    SEXP sensitivity = put_column(&out, "sensitivity", REALSXP, count);
    SEXP share = put_column(&out, "share", REALSXP, count);
    SEXP answers = put_column(&out, "answers", REALSXP, count);
    for (int i = 0; i < count; i++) {
        tacit_query_info q = TACIT_QUERY_INFO_INIT;
        if (tacit_model_query_get(m, i, &q) != TACIT_OK) continue;
        SET_STRING_ELT(kind, i, Rf_mkCharCE(q.kind, CE_UTF8));
        SET_STRING_ELT(what, i, Rf_mkCharCE(q.what, CE_UTF8));
        SET_STRING_ELT(noise, i, Rf_mkCharCE(q.distribution, CE_UTF8));
        REAL(scale)[i] = q.scale;
        REAL(sensitivity)[i] = q.sensitivity;
        REAL(share)[i] = q.share;
        REAL(answers)[i] = (double)q.answers;
    }
    return listing_end(&out);
}

/* Where k was chosen: how sure it is, and how clear each k was. */
static void put_choice(listing *out, const tacit_model *m)
{
    static const char *const verdicts[] = {"given", "clear", "weak", "none", "noisy"};
    tacit_k_choice c = TACIT_K_CHOICE_INIT;
    int32_t count = 0;
    const double *curve = tacit_model_curve(m, &count);
    if (curve != NULL) put(out, "curve", doubles(curve, count));
    if (tacit_model_k_choice(m, &c) != TACIT_OK || c.verdict > TACIT_K_NOISY) return;
    listing choice = listing_new(6);
    put(&choice, "verdict", Rf_mkString(verdicts[c.verdict]));
    put(&choice, "strength", Rf_ScalarReal(c.strength));
    put(&choice, "needed", Rf_ScalarReal(c.needed));
    put(&choice, "low", Rf_ScalarInteger(c.low));
    put(&choice, "high", Rf_ScalarInteger(c.high));
    put(&choice, "best", Rf_ScalarInteger(c.best));
    put(out, "k_choice", listing_end(&choice));
}

static void put_domain(listing *out, const tacit_model *m, int columns)
{
    tacit_domain d = TACIT_DOMAIN_INIT;
    if (tacit_model_domain(m, &d) != TACIT_OK) return;
    put(out, "lower", doubles(d.lower, columns));
    put(out, "upper", doubles(d.upper, columns));
    put(out, "center", doubles(d.center, columns));
    put(out, "radius", Rf_ScalarReal(d.lower == NULL ? d.radius : NA_REAL));
}

/* k bases one after the other, each columns x q: here an array of columns x q x k. */
static SEXP bases(const tacit_model *m, int columns, int k)
{
    const double *from = tacit_model_subspaces(m);
    int q = tacit_model_q(m);
    if (from == NULL) return R_NilValue;
    SEXP out = Rf_alloc3DArray(REALSXP, columns, q, k);
    for (int c = 0; c < k; c++)
        for (int j = 0; j < columns; j++)
            for (int a = 0; a < q; a++) REAL(out)
    [((R_xlen_t)c * q + a) * columns + j] = from[((R_xlen_t)c * columns + j) * q + a];
    return out;
}

static void put_blocks(listing *out, const tacit_model *m, int columns, int k)
{
    int width = 0;
    const int32_t *clusters = tacit_model_column_clusters(m);
    const double *table = tacit_model_table(m, &width);
    double tau_rows = NA_REAL, tau_columns = NA_REAL;
    tacit_model_tau(m, &tau_rows, &tau_columns);
    put(out, "l", Rf_ScalarInteger(tacit_model_l(m)));
    if (clusters != NULL) {
        SEXP of = Rf_allocVector(INTSXP, columns);
        put(out, "column_clusters", of);
        for (int j = 0; j < columns; j++) INTEGER(of)[j] = clusters[j] + 1;
    }
    put(out, "column_z", doubles(tacit_model_column_z(m), columns));
    put(out, "table", matrix(table, k, width));
    put(out, "table_error", Rf_ScalarReal(tacit_model_table_sd(m)));
    put(out, "table_unit", utf8(tacit_model_table_unit(m)));
    put(out, "tau", doubles((const double[]){tau_rows, tau_columns}, 2));
}

/* Everything that a release says. NULL where its family has none of it. */
SEXP r_model_fields(SEXP model_)
{
    const tacit_model *m = handle_get(model_, MODEL);
    int k = tacit_model_k(m), columns = tacit_model_column_count(m), q = tacit_model_q(m);
    const char *family = tacit_model_family(m);
    listing out = listing_new(48);
    put(&out, "family", Rf_mkString(family));
    put(&out, "method", utf8(tacit_model_method(m)));
    put(&out, "k", Rf_ScalarInteger(k));
    put(&out, "columns", column_names(m));
    put(&out, "features", features(m));
    put(&out, "centers", matrix(tacit_model_centers(m), k, columns));
    put(&out, "centers_error", matrix(tacit_model_centers_sd(m), k, columns));
    put(&out, "sizes", doubles(tacit_model_sizes(m), k));
    put(&out, "sizes_error", Rf_ScalarReal(tacit_model_sizes_sd(m)));
    put(&out, "spreads", matrix(tacit_model_spreads(m), k, columns));
    put(&out, "spreads_error", matrix(tacit_model_spreads_sd(m), k, columns));
    put_domain(&out, m, columns);
    if (strcmp(family, "subspace") == 0) {
        put(&out, "q", Rf_ScalarInteger(q));
        put(&out, "subspaces", bases(m, columns, k));
        put(&out, "offsets", matrix(tacit_model_offsets(m), k, columns));
        put(&out, "profile", matrix(tacit_model_profile(m), k, q));
    }
    if (strcmp(family, "cocluster") == 0) put_blocks(&out, m, columns, k);
    put_choice(&out, m);
    put(&out, "cells", Rf_ScalarInteger(tacit_model_cells(m)));
    put(&out, "cut_from", Rf_ScalarInteger(tacit_model_cut_from(m)));
    put(&out, "notes", notes(m));
    put(&out, "guarantee", utf8(tacit_model_guarantee(m)));
    put(&out, "is_private", Rf_ScalarLogical(tacit_model_is_private(m) != 0));
    put(&out, "why_not_private", utf8(tacit_model_why_not_private(m)));
    put(&out, "card", card(m));
    put(&out, "queries", queries(m));
    return listing_end(&out);
}
