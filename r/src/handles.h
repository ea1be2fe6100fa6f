/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers share. An object of the library lies in an external pointer whose finalizer
   frees it, and the pointer is made before the object: whatever R does in between, nothing is lost.
   No function of R is called while the library is on the stack. A failure comes back as a value
   (class tacit_failure), and R code makes the error of it. */
#ifndef TACIT_R_HANDLES_H
#define TACIT_R_HANDLES_H

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>
#include <stdint.h>
#include <tacit/tacit.h>

typedef enum handle_kind {
    CTX,
    DATA,
    MODEL,
    LEDGER,
    DECLARATION,
    PLAN,
    COMPARISON,
    MEMORY,
    KINDS
} handle_kind;

/* An empty handle; what it keeps is not collected before it. */
SEXP handle_new(handle_kind kind, SEXP keep);
void *handle_get(SEXP handle, handle_kind kind); /* an R error where it is none, or empty */
void *handle_get_or_null(SEXP handle, handle_kind kind);
void handle_set(SEXP handle, void *object);

/* Why a call failed, as a value. */
SEXP failure(tacit_ctx *ctx, tacit_status status);
/* The handle, or why there is none. */
SEXP made(SEXP handle, tacit_ctx *ctx, tacit_status status);

/* ---- arguments and results ---- */
SEXP item(SEXP list, const char *name); /* R_NilValue: it has none */
double number(SEXP list, const char *name, double otherwise);
const char *text(SEXP list, const char *name);            /* NULL: nothing is said */
SEXP utf8(const char *text);                              /* NA: there is none */
double known(double value);                               /* NA: the library's NaN */
SEXP matrix(const double *values, int rows, int columns); /* row by row there, by column here */
SEXP doubles(const double *values, int count);

/* A list that is filled in order. */
typedef struct listing {
    SEXP list, names;
    int used;
} listing;
listing listing_new(int most); /* protects two */
void put(listing *to, const char *name, SEXP value);
SEXP put_column(listing *to, const char *name, SEXPTYPE type, int count); /* new, to be filled */
SEXP listing_end(listing *to);                                            /* unprotects them */

/* ---- long work: on a thread of its own, so that Ctrl-C is seen ---- */
typedef tacit_status (*work_fn)(void *job);
/* What made R stop long work: Ctrl-C, or an error of R's own, such as that of a time limit. */
typedef struct stop {
    enum { GOES_ON, INTERRUPTED, ERROR_OF_R } by;
    char error[256];
} stop;
/* The status of the function. A stop says that it was asked to end early. */
tacit_status work(tacit_ctx *ctx, work_fn function, void *job, stop *stopped);
SEXP failure_stopped(const stop *stopped); /* as a value */

#endif
