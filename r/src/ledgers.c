/* SPDX-License-Identifier: Apache-2.0 */
/* Ledgers: what a data set has spent. */
#include "handles.h"

#include <stdlib.h>
#include <string.h>

SEXP r_ledger_open(SEXP ctx_, SEXP path)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    SEXP handle = PROTECT(handle_new(LEDGER, ctx_));
    tacit_ledger *ledger = NULL;
    tacit_status status = tacit_ledger_open(ctx, CHAR(STRING_ELT(path, 0)), &ledger);
    handle_set(handle, ledger);
    SEXP out = made(handle, ctx, status);
    UNPROTECT(1);
    return out;
}

SEXP r_ledger_create(SEXP ctx_, SEXP data, SEXP path, SEXP dataset, SEXP budget)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    SEXP handle = PROTECT(handle_new(DECLARATION, ctx_));
    tacit_declaration *declaration = NULL;
    tacit_status status = tacit_data_declaration(
        ctx, handle_get(data, DATA), (tacit_neighbors)(int)number(budget, "neighbors", 0),
        (int32_t)number(budget, "max_rows_per_person", 0), &declaration);
    handle_set(handle, declaration);
    if (status == TACIT_OK)
        status = tacit_ledger_create(ctx, CHAR(STRING_ELT(path, 0)), CHAR(STRING_ELT(dataset, 0)),
                                     number(budget, "epsilon", NAN), number(budget, "delta", 0),
                                     declaration);
    UNPROTECT(1);
    return status == TACIT_OK ? R_NilValue : failure(ctx, status);
}

SEXP r_ledger_declaration(SEXP ctx_, SEXP ledger)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    SEXP handle = PROTECT(handle_new(DECLARATION, ctx_));
    tacit_declaration *declaration = NULL;
    tacit_status status = tacit_ledger_declaration(ctx, handle_get(ledger, LEDGER), &declaration);
    handle_set(handle, declaration);
    SEXP out = made(handle, ctx, status);
    UNPROTECT(1);
    return out;
}

SEXP r_ledger_note_owner(SEXP ctx_, SEXP ledger, SEXP what)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    tacit_status status =
        tacit_ledger_note_owner(ctx, handle_get(ledger, LEDGER), CHAR(STRING_ELT(what, 0)));
    return status == TACIT_OK ? R_NilValue : failure(ctx, status);
}

SEXP r_ledger_summary(SEXP ctx_, SEXP ledger)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    tacit_ledger_summary s = TACIT_LEDGER_SUMMARY_INIT;
    tacit_status status = tacit_ledger_summarize(ctx, handle_get(ledger, LEDGER), &s);
    if (status != TACIT_OK) return failure(ctx, status);
    listing out = listing_new(8);
    put(&out, "dataset", utf8(s.dataset));
    put(&out, "epsilon", Rf_ScalarReal(s.epsilon));
    put(&out, "delta", Rf_ScalarReal(s.delta));
    put(&out, "spent", Rf_ScalarReal(s.spent));
    put(&out, "epsilon_left", Rf_ScalarReal(s.epsilon_left));
    put(&out, "delta_left", Rf_ScalarReal(s.delta_left));
    put(&out, "runs", Rf_ScalarReal((double)s.runs));
    put(&out, "unit_column", utf8(s.unit_column[0] == '\0' ? NULL : s.unit_column));
    return listing_end(&out);
}

/* ---- history ---- */

typedef struct entry {
    struct entry *next;
    double sequence, epsilon, delta, share;
    char *kind, *run, *time, *what;
} entry;

typedef struct entries {
    entry *first, *last;
    int count, lost; /* lost: memory was */
} entries;

static char *copy_of(const char *words, int *lost)
{
    char *copy = strdup(words == NULL ? "" : words);
    *lost |= copy == NULL;
    return copy;
}

static int collect(const tacit_ledger_entry *e, void *payload)
{
    entries *all = payload;
    entry *one = calloc(1, sizeof *one);
    if (one == NULL) return all->lost = 1;
    one->sequence = (double)e->sequence;
    one->epsilon = e->epsilon;
    one->delta = e->delta;
    one->share = e->share;
    one->kind = copy_of(e->kind, &all->lost);
    one->run = copy_of(e->run, &all->lost);
    one->time = copy_of(e->time, &all->lost);
    one->what = copy_of(e->what, &all->lost);
    if (all->last != NULL)
        all->last->next = one;
    else
        all->first = one;
    all->last = one;
    all->count++;
    return all->lost;
}

static void entries_free(SEXP held)
{
    entries *all = R_ExternalPtrAddr(held);
    R_ClearExternalPtr(held);
    while (all != NULL && all->first != NULL) {
        entry *next = all->first->next;
        free(all->first->kind);
        free(all->first->run);
        free(all->first->time);
        free(all->first->what);
        free(all->first);
        all->first = next;
    }
    free(all);
}

static void put_text(listing *out, const char *name, const entries *all, size_t field)
{
    SEXP column = put_column(out, name, STRSXP, all->count);
    int i = 0;
    for (const entry *e = all->first; e != NULL; e = e->next)
        SET_STRING_ELT(column, i++,
                       Rf_mkCharCE(*(char *const *)((const char *)e + field), CE_UTF8));
}

static void put_number(listing *out, const char *name, const entries *all, size_t field)
{
    SEXP column = put_column(out, name, REALSXP, all->count);
    int i = 0;
    for (const entry *e = all->first; e != NULL; e = e->next)
        REAL(column)[i++] = *(const double *)((const char *)e + field);
}

SEXP r_ledger_history(SEXP ctx_, SEXP ledger)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    tacit_ledger *opened = handle_get(ledger, LEDGER);
    SEXP held = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(held, entries_free, TRUE);
    entries *all = calloc(1, sizeof *all);
    R_SetExternalPtrAddr(held, all);
    tacit_status status =
        all == NULL ? TACIT_E_MEMORY : tacit_ledger_history(ctx, opened, collect, all);
    if (status == TACIT_OK && all->lost) status = TACIT_E_MEMORY;
    if (status != TACIT_OK) {
        SEXP failed = failure(ctx, status);
        UNPROTECT(1);
        return failed;
    }
    listing out = listing_new(8);
    put_number(&out, "sequence", all, offsetof(entry, sequence));
    put_text(&out, "time", all, offsetof(entry, time));
    put_text(&out, "kind", all, offsetof(entry, kind));
    put_text(&out, "what", all, offsetof(entry, what));
    put_number(&out, "epsilon", all, offsetof(entry, epsilon));
    put_number(&out, "delta", all, offsetof(entry, delta));
    put_number(&out, "share", all, offsetof(entry, share));
    put_text(&out, "run", all, offsetof(entry, run));
    SEXP list = PROTECT(listing_end(&out));
    entries_free(held);
    UNPROTECT(2);
    return list;
}
