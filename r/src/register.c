/* SPDX-License-Identifier: Apache-2.0 */
/* What R code can call. */
#include "handles.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

SEXP r_ctx(SEXP threads);
SEXP r_data_columns(SEXP ctx_, SEXP specs, SEXP rows, SEXP said, SEXP declaration);
SEXP r_data_sparse(SEXP ctx_, SEXP starts, SEXP column, SEXP value, SEXP columns, SEXP names,
                   SEXP said, SEXP units);
SEXP r_data_names(SEXP data_);
SEXP r_data_domain(SEXP ctx_, SEXP data_, SEXP domain);
SEXP r_declaration(SEXP ctx_, SEXP json_or_path, SEXP is_json);
SEXP r_declaration_summary(SEXP ctx_, SEXP declaration);
SEXP r_declaration_compare(SEXP ctx_, SEXP given, SEXP bound);
SEXP r_close(SEXP handle);
SEXP r_ledger_open(SEXP ctx_, SEXP path);
SEXP r_ledger_create(SEXP ctx_, SEXP data, SEXP path, SEXP dataset, SEXP budget);
SEXP r_ledger_declaration(SEXP ctx_, SEXP ledger);
SEXP r_ledger_note_owner(SEXP ctx_, SEXP ledger, SEXP what);
SEXP r_ledger_summary(SEXP ctx_, SEXP ledger);
SEXP r_ledger_history(SEXP ctx_, SEXP ledger);
SEXP r_model_parse(SEXP ctx_, SEXP json);
SEXP r_model_read(SEXP ctx_, SEXP path);
SEXP r_model_write(SEXP ctx_, SEXP model, SEXP path);
SEXP r_model_text(SEXP ctx_, SEXP model, SEXP html);
SEXP r_model_recut(SEXP ctx_, SEXP model, SEXP k, SEXP median);
SEXP r_model_synthesize(SEXP ctx_, SEXP model_, SEXP rows, SEXP seed);
SEXP r_model_compare(SEXP ctx_, SEXP first, SEXP second);
SEXP r_plain(SEXP texts);
SEXP r_version(void);
SEXP r_model_fields(SEXP model_);
SEXP r_methods(SEXP name);
SEXP r_run(SEXP ctx, SEXP data, SEXP ledger, SEXP name, SEXP budget, SEXP opts);
SEXP r_plan(SEXP ctx, SEXP data, SEXP name, SEXP budget, SEXP opts, SEXP rows_about);
SEXP r_predict(SEXP ctx, SEXP model, SEXP data);
SEXP r_distances(SEXP ctx, SEXP model, SEXP data);
SEXP r_evaluate(SEXP ctx, SEXP model, SEXP data, SEXP restarts);
SEXP r_interrupt(void);

#define ENTRY(name, arguments)                                                                     \
    {                                                                                              \
#name, (DL_FUNC)&name, arguments                                                           \
    }

static const R_CallMethodDef entries[] = {
    ENTRY(r_ctx, 1),
    ENTRY(r_data_columns, 5),
    ENTRY(r_data_sparse, 8),
    ENTRY(r_data_names, 1),
    ENTRY(r_data_domain, 3),
    ENTRY(r_declaration, 3),
    ENTRY(r_declaration_summary, 2),
    ENTRY(r_declaration_compare, 3),
    ENTRY(r_close, 1),
    ENTRY(r_ledger_open, 2),
    ENTRY(r_ledger_create, 5),
    ENTRY(r_ledger_declaration, 2),
    ENTRY(r_ledger_note_owner, 3),
    ENTRY(r_ledger_summary, 2),
    ENTRY(r_ledger_history, 2),
    ENTRY(r_model_parse, 2),
    ENTRY(r_model_read, 2),
    ENTRY(r_model_write, 3),
    ENTRY(r_model_text, 3),
    ENTRY(r_model_recut, 4),
    ENTRY(r_model_synthesize, 4),
    ENTRY(r_model_compare, 3),
    ENTRY(r_plain, 1),
    ENTRY(r_version, 0),
    ENTRY(r_model_fields, 1),
    ENTRY(r_methods, 1),
    ENTRY(r_run, 6),
    ENTRY(r_plan, 6),
    ENTRY(r_predict, 3),
    ENTRY(r_distances, 3),
    ENTRY(r_evaluate, 4),
    ENTRY(r_interrupt, 0),
    {NULL, NULL, 0},
};

void attribute_visible R_init_tacit(DllInfo *dll)
{
    R_registerRoutines(dll, NULL, entries, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
    R_forceSymbols(dll, TRUE);
}
