/* SPDX-License-Identifier: Apache-2.0 */
/* Runs, and what the owner of the rows does with a release: long work. */
#include "budget.h"

#include <string.h>

typedef enum family { KMEANS, KMEDIAN, SUBSPACE, COCLUSTER } family;

static family family_of(SEXP name)
{
    const char *given = CHAR(STRING_ELT(name, 0));
    return strcmp(given, "kmeans") == 0     ? KMEANS
           : strcmp(given, "kmedian") == 0  ? KMEDIAN
           : strcmp(given, "subspace") == 0 ? SUBSPACE
                                            : COCLUSTER;
}

/* Names of a family's methods, each with its number. */
SEXP r_methods(SEXP name)
{
    family f = family_of(name);
    int count = f == SUBSPACE    ? tacit_subspace_method_count()
                : f == COCLUSTER ? tacit_cocluster_method_count()
                                 : tacit_kmeans_method_count();
    SEXP numbers = PROTECT(Rf_allocVector(INTSXP, count));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++) {
        tacit_method method = TACIT_METHOD_INIT;
        tacit_status status = f == SUBSPACE    ? tacit_subspace_method_get(i, &method)
                              : f == COCLUSTER ? tacit_cocluster_method_get(i, &method)
                                               : tacit_kmeans_method_get(i, &method);
        INTEGER(numbers)[i] = method.method;
        SET_STRING_ELT(names, i, Rf_mkChar(status == TACIT_OK ? method.name : ""));
    }
    Rf_setAttrib(numbers, R_NamesSymbol, names);
    UNPROTECT(2);
    return numbers;
}

typedef struct job {
    family family;
    tacit_ctx *ctx;
    tacit_data *data;
    tacit_budget budget;
    tacit_kmeans_opts kmeans;
    tacit_subspace_opts subspace;
    tacit_cocluster_opts cocluster;
    double rows_about;
    int32_t restarts, *labels;
    double *distances;
    int64_t rows;
    tacit_model *model;
    tacit_plan *plan;
    tacit_evaluation evaluation;
    stop stopped;
} job;

static job job_of(SEXP ctx, SEXP data)
{
    job j;
    memset(&j, 0, sizeof j);
    j.ctx = handle_get(ctx, CTX);
    j.data = handle_get(data, DATA);
    return j;
}

static void set_options(job *j, SEXP name, SEXP budget, SEXP ledger, SEXP opts)
{
    j->family = family_of(name);
    j->budget = budget_of(budget, ledger);
    j->kmeans = kmeans_opts_of(opts);
    j->subspace = subspace_opts_of(opts);
    j->cocluster = cocluster_opts_of(opts);
}

static tacit_status do_run(void *payload)
{
    job *j = payload;
    switch (j->family) {
    case KMEANS: return tacit_kmeans_run(j->ctx, j->data, &j->budget, &j->kmeans, &j->model);
    case KMEDIAN: return tacit_kmedian_run(j->ctx, j->data, &j->budget, &j->kmeans, &j->model);
    case SUBSPACE: return tacit_subspace_run(j->ctx, j->data, &j->budget, &j->subspace, &j->model);
    default: return tacit_cocluster_run(j->ctx, j->data, &j->budget, &j->cocluster, &j->model);
    }
}

static int well(const job *j, tacit_status status)
{
    return j->stopped.by == GOES_ON && status == TACIT_OK;
}

/* What long work came to: the value, unless it failed or the user stopped it. */
static SEXP ended(job *j, tacit_status status, SEXP value)
{
    return j->stopped.by != GOES_ON ? failure_stopped(&j->stopped) : made(value, j->ctx, status);
}

SEXP r_run(SEXP ctx, SEXP data, SEXP ledger, SEXP name, SEXP budget, SEXP opts)
{
    SEXP handle = PROTECT(handle_new(MODEL, ctx));
    job j = job_of(ctx, data);
    set_options(&j, name, budget, ledger, opts);
    tacit_status status = work(j.ctx, do_run, &j, &j.stopped);
    handle_set(handle, j.model);
    if (j.stopped.by != GOES_ON && status == TACIT_OK) {
        /* What is paid for is not lost, so no warning: those jump where a script makes them so. */
        j.stopped.by = GOES_ON;
        REprintf("tacit: the run had ended before it could be stopped: this is its release, and "
                 "its budget is spent\n");
    }
    SEXP out = ended(&j, status, handle);
    UNPROTECT(1);
    return out;
}

/* ---- plans ---- */

static tacit_status do_plan(void *payload)
{
    job *j = payload;
    double rows = j->rows_about;
    tacit_status status;
    switch (j->family) {
    case KMEANS:
        status = tacit_kmeans_plan(j->ctx, j->data, &j->budget, &j->kmeans, rows, &j->plan);
        break;
    case KMEDIAN:
        status = tacit_kmedian_plan(j->ctx, j->data, &j->budget, &j->kmeans, rows, &j->plan);
        break;
    case SUBSPACE:
        status = tacit_subspace_plan(j->ctx, j->data, &j->budget, &j->subspace, rows, &j->plan);
        break;
    default:
        status = tacit_cocluster_plan(j->ctx, j->data, &j->budget, &j->cocluster, rows, &j->plan);
    }
    return status != TACIT_OK ? status : tacit_plan_try(j->ctx, j->data, j->plan);
}

static SEXP plan_steps(const tacit_plan *plan)
{
    int count = tacit_plan_step_count(plan);
    listing out = listing_new(6);
    SEXP what = put_column(&out, "what", STRSXP, count);
    SEXP noise = put_column(&out, "noise", STRSXP, count);
    SEXP times = put_column(&out, "times", INTSXP, count);
    SEXP share = put_column(&out, "share", REALSXP, count);
    SEXP error = put_column(&out, "error", REALSXP, count);
    SEXP error_of = put_column(&out, "error_of", STRSXP, count);
    for (int i = 0; i < count; i++) {
        tacit_plan_step s = TACIT_PLAN_STEP_INIT;
        if (tacit_plan_step_get(plan, i, &s) != TACIT_OK) continue;
        SET_STRING_ELT(what, i, Rf_mkCharCE(s.what, CE_UTF8));
        SET_STRING_ELT(noise, i, Rf_mkCharCE(s.noise, CE_UTF8));
        SET_STRING_ELT(error_of, i, Rf_mkCharCE(s.error_of, CE_UTF8));
        INTEGER(times)[i] = s.times;
        REAL(share)[i] = s.share;
        REAL(error)[i] = s.error;
    }
    return listing_end(&out);
}

static SEXP plan_forecasts(const tacit_plan *plan)
{
    int count = tacit_plan_forecast_count(plan);
    listing out = listing_new(6);
    SEXP rows = put_column(&out, "rows", STRSXP, count);
    SEXP cost = put_column(&out, "cost", REALSXP, count);
    SEXP trivial = put_column(&out, "trivial", REALSXP, count);
    SEXP kept = put_column(&out, "kept", REALSXP, count);
    SEXP lost = put_column(&out, "lost", REALSXP, count);
    SEXP verdict = put_column(&out, "verdict", STRSXP, count);
    for (int i = 0; i < count; i++) {
        tacit_forecast f = TACIT_FORECAST_INIT;
        if (tacit_plan_forecast_get(plan, i, &f) != TACIT_OK) continue;
        SET_STRING_ELT(rows, i, Rf_mkChar(f.rows));
        SET_STRING_ELT(verdict, i, Rf_mkChar(tacit_verdict_name(f.verdict)));
        REAL(cost)[i] = f.cost;
        REAL(trivial)[i] = f.trivial;
        REAL(kept)[i] = f.kept;
        REAL(lost)[i] = f.lost;
    }
    return listing_end(&out);
}

SEXP r_plan(SEXP ctx, SEXP data, SEXP name, SEXP budget, SEXP opts, SEXP rows_about)
{
    SEXP handle = PROTECT(handle_new(PLAN, ctx));
    job j = job_of(ctx, data);
    set_options(&j, name, budget, R_NilValue, opts);
    j.rows_about = Rf_asReal(rows_about);
    tacit_status status = work(j.ctx, do_plan, &j, &j.stopped);
    handle_set(handle, j.plan);
    if (!well(&j, status)) {
        SEXP failed = ended(&j, status, R_NilValue);
        UNPROTECT(1);
        return failed;
    }
    listing out = listing_new(7);
    put(&out, "verdict", Rf_mkString(tacit_verdict_name(tacit_plan_verdict(j.plan))));
    put(&out, "least_epsilon", Rf_ScalarReal(tacit_plan_least_epsilon(j.plan)));
    put(&out, "advice", utf8(tacit_plan_advice(j.plan)));
    put(&out, "sizes_error", Rf_ScalarReal(tacit_plan_sizes_sd(j.plan)));
    put(&out, "centers_error", Rf_ScalarReal(tacit_plan_centers_sd(j.plan)));
    put(&out, "queries", plan_steps(j.plan));
    put(&out, "forecasts", plan_forecasts(j.plan));
    SEXP list = listing_end(&out);
    UNPROTECT(1);
    return list;
}

/* ---- with the rows in hand: exact, for their owner ---- */

static tacit_status do_labels(void *payload)
{
    job *j = payload;
    return tacit_model_predict(j->ctx, j->model, j->data, &j->labels, &j->rows);
}

static tacit_status do_distances(void *payload)
{
    job *j = payload;
    return tacit_model_distances(j->ctx, j->model, j->data, &j->distances, &j->rows);
}

static tacit_status do_evaluate(void *payload)
{
    job *j = payload;
    return tacit_model_evaluate(j->ctx, j->model, j->data, j->restarts, &j->evaluation);
}

/* Labels from 1, as R counts. */
SEXP r_predict(SEXP ctx, SEXP model, SEXP data)
{
    SEXP held = PROTECT(handle_new(MEMORY, R_NilValue));
    job j = job_of(ctx, data);
    j.model = handle_get(model, MODEL);
    tacit_status status = work(j.ctx, do_labels, &j, &j.stopped);
    handle_set(held, j.labels);
    SEXP out = R_NilValue;
    if (well(&j, status)) {
        out = Rf_allocVector(INTSXP, (R_xlen_t)j.rows);
        for (R_xlen_t i = 0; i < (R_xlen_t)j.rows; i++)
            INTEGER(out)[i] = j.labels[i] < 0 ? NA_INTEGER : j.labels[i] + 1;
    }
    PROTECT(out);
    out = ended(&j, status, out);
    UNPROTECT(2);
    return out;
}

SEXP r_distances(SEXP ctx, SEXP model, SEXP data)
{
    SEXP held = PROTECT(handle_new(MEMORY, R_NilValue));
    job j = job_of(ctx, data);
    j.model = handle_get(model, MODEL);
    tacit_status status = work(j.ctx, do_distances, &j, &j.stopped);
    handle_set(held, j.distances);
    SEXP out = R_NilValue;
    if (well(&j, status)) out = matrix(j.distances, (int)j.rows, tacit_model_k(j.model));
    PROTECT(out);
    out = ended(&j, status, out);
    UNPROTECT(2);
    return out;
}

SEXP r_evaluate(SEXP ctx, SEXP model, SEXP data, SEXP restarts)
{
    job j = job_of(ctx, data);
    tacit_evaluation start = TACIT_EVALUATION_INIT;
    j.evaluation = start;
    j.model = handle_get(model, MODEL);
    j.restarts = Rf_asInteger(restarts);
    tacit_status status = work(j.ctx, do_evaluate, &j, &j.stopped);
    if (!well(&j, status)) return ended(&j, status, R_NilValue);
    listing out = listing_new(6);
    put(&out, "cost", Rf_ScalarReal(j.evaluation.cost));
    put(&out, "plain_cost", Rf_ScalarReal(j.evaluation.plain_cost));
    put(&out, "one_mean_cost", Rf_ScalarReal(j.evaluation.one_mean_cost));
    put(&out, "clipped", Rf_ScalarReal(j.evaluation.clipped));
    put(&out, "tau_rows", Rf_ScalarReal(j.evaluation.tau_rows));
    put(&out, "tau_columns", Rf_ScalarReal(j.evaluation.tau_columns));
    return listing_end(&out);
}
