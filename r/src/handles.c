/* SPDX-License-Identifier: Apache-2.0 */
#include "handles.h"

#include <math.h>
#include <string.h>

static const char *const kinds[KINDS] = {"tacit_ctx",        "tacit_data",        "tacit_model",
                                         "tacit_ledger",     "tacit_declaration", "tacit_plan",
                                         "tacit_comparison", "tacit_memory"};

static void release(handle_kind kind, void *object)
{
    switch (kind) {
    case CTX: tacit_ctx_free(object); break;
    case DATA: tacit_data_free(object); break;
    case MODEL: tacit_model_free(object); break;
    case LEDGER: tacit_ledger_free(object); break;
    case DECLARATION: tacit_declaration_free(object); break;
    case PLAN: tacit_plan_free(object); break;
    case COMPARISON: tacit_comparison_free(object); break;
    default: tacit_free(object); break;
    }
}

static void finalize(SEXP handle)
{
    void *object = R_ExternalPtrAddr(handle);
    SEXP tag = R_ExternalPtrTag(handle);
    R_ClearExternalPtr(handle);
    for (int kind = 0; object != NULL && kind < KINDS; kind++)
        if (tag == Rf_install(kinds[kind])) release((handle_kind)kind, object);
}

SEXP handle_new(handle_kind kind, SEXP keep)
{
    SEXP handle = PROTECT(R_MakeExternalPtr(NULL, Rf_install(kinds[kind]), keep));
    R_RegisterCFinalizerEx(handle, finalize, TRUE);
    UNPROTECT(1);
    return handle;
}

void *handle_get_or_null(SEXP handle, handle_kind kind)
{
    if (handle == R_NilValue) return NULL;
    if (TYPEOF(handle) != EXTPTRSXP || R_ExternalPtrTag(handle) != Rf_install(kinds[kind]))
        Rf_error("this is no %s", kinds[kind]);
    return R_ExternalPtrAddr(handle);
}

void *handle_get(SEXP handle, handle_kind kind)
{
    void *object = handle_get_or_null(handle, kind);
    if (object == NULL) Rf_error("this %s is closed", kinds[kind]);
    return object;
}

void handle_set(SEXP handle, void *object)
{
    R_SetExternalPtrAddr(handle, object);
}

/* Frees now what a handle holds; later calls find it closed. */
SEXP r_close(SEXP handle)
{
    if (TYPEOF(handle) == EXTPTRSXP) finalize(handle);
    return R_NilValue;
}

/* ---- failures ---- */

static const struct {
    int status;
    const char *symbol;
} symbols[] = {
#define TACIT_STATUS_(number, symbol, sentence) {number, #symbol},
#include <tacit/status.def>
#undef TACIT_STATUS_
};

static const char *symbol_of(tacit_status status)
{
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        if (symbols[i].status == (int)status) return symbols[i].symbol;
    return "E_INTERNAL";
}

static SEXP failed(const char *symbol, const char *message, int interrupted)
{
    listing out = listing_new(3);
    put(&out, "status", Rf_mkString(symbol));
    put(&out, "message", utf8(message));
    put(&out, "interrupted", Rf_ScalarLogical(interrupted));
    SEXP list = PROTECT(listing_end(&out));
    Rf_setAttrib(list, R_ClassSymbol, PROTECT(Rf_mkString("tacit_failure")));
    UNPROTECT(2);
    return list;
}

SEXP failure(tacit_ctx *ctx, tacit_status status)
{
    const char *message = ctx != NULL ? tacit_ctx_message(ctx) : NULL;
    if (message == NULL || message[0] == '\0') message = tacit_status_text(status);
    return failed(symbol_of(status), message, 0);
}

SEXP failure_stopped(const stop *stopped)
{
    const int interrupted = stopped->by == INTERRUPTED;
    return failed("E_CANCELLED",
                  interrupted ? tacit_status_text(TACIT_E_CANCELLED) : stopped->error, interrupted);
}

SEXP made(SEXP handle, tacit_ctx *ctx, tacit_status status)
{
    return status == TACIT_OK ? handle : failure(ctx, status);
}

/* ---- arguments ---- */

SEXP item(SEXP list, const char *name)
{
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t i = 0; names != R_NilValue && i < XLENGTH(names); i++)
        if (strcmp(CHAR(STRING_ELT(names, i)), name) == 0) return VECTOR_ELT(list, i);
    return R_NilValue;
}

double number(SEXP list, const char *name, double otherwise)
{
    SEXP value = item(list, name);
    return value == R_NilValue ? otherwise : Rf_asReal(value);
}

const char *text(SEXP list, const char *name)
{
    SEXP value = item(list, name);
    return TYPEOF(value) == STRSXP && XLENGTH(value) == 1 ? CHAR(STRING_ELT(value, 0)) : NULL;
}

/* ---- results ---- */

SEXP utf8(const char *words)
{
    SEXP one = PROTECT(words == NULL ? NA_STRING : Rf_mkCharCE(words, CE_UTF8));
    SEXP out = Rf_ScalarString(one);
    UNPROTECT(1);
    return out;
}

/* The library's NaN stands for "not known", which R calls NA. */
double known(double value)
{
    return isnan(value) ? NA_REAL : value;
}

SEXP matrix(const double *values, int rows, int columns)
{
    if (values == NULL) return R_NilValue;
    SEXP out = Rf_allocMatrix(REALSXP, rows, columns);
    for (R_xlen_t i = 0; i < rows; i++)
        for (R_xlen_t j = 0; j < columns; j++)
            REAL(out)[j * rows + i] = known(values[i * columns + j]);
    return out;
}

SEXP doubles(const double *values, int count)
{
    if (values == NULL) return R_NilValue;
    SEXP out = Rf_allocVector(REALSXP, count);
    for (int i = 0; i < count; i++) REAL(out)[i] = known(values[i]);
    return out;
}

listing listing_new(int most)
{
    listing to = {NULL, NULL, 0};
    to.list = PROTECT(Rf_allocVector(VECSXP, most));
    to.names = PROTECT(Rf_allocVector(STRSXP, most));
    return to;
}

void put(listing *to, const char *name, SEXP value)
{
    SET_VECTOR_ELT(to->list, to->used, value);
    SET_STRING_ELT(to->names, to->used, Rf_mkChar(name));
    to->used++;
}

SEXP put_column(listing *to, const char *name, SEXPTYPE type, int count)
{
    SEXP column = Rf_allocVector(type, count);
    put(to, name, column);
    return column;
}

SEXP listing_end(listing *to)
{
    SEXP list = PROTECT(Rf_lengthgets(to->list, to->used));
    SEXP names = PROTECT(Rf_lengthgets(to->names, to->used));
    Rf_setAttrib(list, R_NamesSymbol, names);
    UNPROTECT(4);
    return list;
}
