/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_kmeans_run: check the options, open a run, let the method ask, write the release. */
#include "cluster/kmeans/kmeans_run.h"
#include "cluster/kmeans/auto/auto_kmeans.h"
#include "cluster/private_run.h"

#include <stdio.h>
#include <string.h>

tacit_status tac_kmeans_read_opts(tacit_ctx *ctx, const tacit_kmeans_opts *given, bool median,
                                  tacit_kmeans_opts *known)
{
    tacit_status status = TACIT_OK;

    tacit_kmeans_opts_init(known, sizeof *known);
    TAC_TRY(tac_read_opts(ctx, "tacit_kmeans_opts", given, known, sizeof *known));
    const tac_kmeans_method *method = tac_kmeans_method_of(known->method);
    if (method == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the k-means method is not one of those in the header");
    if (known->k != TACIT_K_AUTO && (known->k < 1 || known->k > 1000000))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "k, the number of clusters, must be between 1 and 1000000, or auto");
    if (known->k == TACIT_K_AUTO && !method->k_auto)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "method %s cannot choose k; give a number, or take method auto",
                        method->name);
    if (known->k_max < 0 || known->k_max > 1000)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "k max must be between 1 and 1000, or 0 for 20");
    if (known->rounds < 0 || known->rounds > 1000)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "rounds must be between 1 and 1000, or 0 to have it chosen");
    if (known->rounds > 0 && !method->rounds)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "method %s sets its number of rounds itself; leave rounds out",
                        method->name);
    if (known->scale != TACIT_SCALE_RANGE && known->scale != TACIT_SCALE_NONE)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "scale is neither range nor none");
    if (known->constants != TACIT_CONSTANTS_PRACTICAL && known->constants != TACIT_CONSTANTS_THEORY)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "constants is neither practical nor theory");
    if (known->sparsity < 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "sparsity must be a number of values, or 0 if unknown");
    if (median ? !method->median : !method->means)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "method %s does not do %s", method->name,
                        median ? "k-median" : "k-means");
    if (known->k_max == 0) known->k_max = 20;
done:
    return status;
}

/* Does the method serve such a delta, a ledger if there is one, and bounds to be estimated? */
static tacit_status check_budget(tacit_ctx *ctx, const tac_kmeans_method *method,
                                 const tacit_data *data, const tacit_budget *budget)
{
    if (budget->delta > 0 ? !method->approximate : !method->pure)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "method %s needs delta %s", method->name,
                        budget->delta > 0 ? "0" : "above 0, for example 1e-6");
    if (method->alone && budget->ledger != NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "method %s has no price on a ledger: its noise follows no curve that adds "
                        "up; run it on data without one, or take another method",
                        method->name);
    if (method->alone && tac_data_estimates(data))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "method %s takes the whole budget in one query and leaves nothing to "
                        "estimate bounds with; declare bounds, or take another method",
                        method->name);
    return TACIT_OK;
}

/* Does the method take such rows, dense or sparse, and do the options apply to them? */
static tacit_status check_rows(tacit_ctx *ctx, const tac_kmeans_method *method,
                               const tacit_data *data, const tacit_kmeans_opts *opts, bool median)
{
    const bool sparse = tac_data_sparse(data);

    if (sparse && median)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "method %s finds means of sparse rows, not medians, and sparse rows of "
                        "more than %d columns stay sparse; take k-means (tacit kmeans), or use "
                        "fewer columns",
                        method->name, TAC_WIDE);
    if (sparse && !method->sparse)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "method %s needs dense rows, and sparse rows of more than %d columns stay "
                        "sparse; take method auto, or use fewer columns",
                        method->name, TAC_WIDE);
    if (!sparse && opts->sparsity > 0 && !method->sparse_centers)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "sparsity is for rows that stay sparse, those of a sparse format with more "
                        "than %d columns; these are dense and method %s would not use it; leave it "
                        "out",
                        TAC_WIDE, method->name);
    return TACIT_OK;
}

typedef struct request {
    tacit_kmeans_opts opts;
    bool median;
    bool left; /* the delta stays unspent */
    char what[64];
} request;

/* The part of a run between opening and closing: the method, then its release. */
static tacit_status ask(tac_run *run, tac_stream *random, const void *state, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    const request *r = state;
    const tac_kmeans_job job = {.ctx = run->ctx,
                                .run = run,
                                .door = run->door,
                                .frame = &run->frame,
                                .opts = &r->opts,
                                .median = r->median,
                                .random = random};
    tac_kmeans_result result = {0};

    TAC_TRY(tac_kmeans_method_of(r->opts.method)->run(&job, &result));
    if (r->left)
        TAC_TRY(tac_note(run->ctx, &result.notes,
                         "delta was left unspent: with so few columns and so small a delta auto "
                         "finds more without it, and pure privacy promises more"));
    TAC_TRY(tac_kmeans_result_sort(run->ctx, job.frame->columns, &result));
    TAC_TRY(tac_kmeans_release(run->ctx, run, &r->opts, r->median, &result, out));
done:
    tac_kmeans_result_clear(&result);
    return status;
}

/* Sets delta to 0 where auto does better without it, before anything is reserved: the run is a pure
   one from here on. Not on a ledger: one with a delta counts a pure run as if it were far larger,
   and one without refuses a delta. True: it did. */
static bool leave_delta(const tacit_kmeans_opts *o, const tacit_data *data, tacit_budget *b)
{
    const tac_privacy_params params = tac_run_params(data, b);

    if (o->method != TACIT_KMEANS_AUTO || b->ledger != NULL ||
        !tac_auto_leaves_delta(&params, b->epsilon, b->delta, tac_data_dims(data)))
        return false;
    b->delta = 0;
    return true;
}

/* Everything that can be refused before anything is spent, and the run to be made. *r must
   outlive *private_run. */
static tacit_status prepare(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *given,
                            const tacit_kmeans_opts *opts, bool median, request *r, tacit_budget *b,
                            tac_private_run *private_run, tac_kmeans_params *params)
{
    tacit_status status = TACIT_OK;
    tacit_kmeans_opts *o = &r->opts;
    char k[16];

    r->median = median;
    TAC_TRY(tac_kmeans_read_opts(ctx, opts, median, o));
    const tac_kmeans_method *method = tac_kmeans_method_of(o->method);
    TAC_TRY(tac_run_check(ctx, data, false, given, b));
    r->left = leave_delta(o, data, b);
    TAC_TRY(check_budget(ctx, method, data, b));
    TAC_TRY(check_rows(ctx, method, data, o, median));
    *params = (tac_kmeans_params){
        .ctx = ctx,
        .params = tac_run_params(data, b),
        .epsilon = b->epsilon,
        .delta = b->delta,
        .budget =
            tac_share(tac_budget_quanta(b->delta > 0 ? TAC_GDP : TAC_PURE, b->epsilon, b->delta),
                      1 - b->bounds_share),
        .columns = tac_data_dims(data),
        .opts = o,
        .median = median};
    if (method->check != NULL) TAC_TRY(method->check(params));
    snprintf(k, sizeof k, "%d", o->k);
    snprintf(r->what, sizeof r->what, "%s %s k=%s", median ? "kmedian" : "kmeans", method->name,
             o->k == TACIT_K_AUTO ? "auto" : k);
    *private_run = (tac_private_run){
        .scale = o->scale,
        .origin = TAC_MIDDLE,
        .what = r->what,
        .name_columns = true,
        .ask = ask,
        .caveat = method->caveat,
        .whole = method->whole ? method->name : NULL,
        .state = r,
        .assumed = {.clusters = o->k == TACIT_K_AUTO ? o->k_max : o->k, .sparsity = o->sparsity},
        /* theory: see tac_balcan_check */
        .thin = o->rounds > 10 && o->constants != TACIT_CONSTANTS_THEORY};
done:
    return status;
}

tacit_status tac_kmeans_probed(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                               const tacit_kmeans_opts *opts, bool median,
                               const tac_door_probe *probe, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tac_kmeans_params params;
    tacit_budget b;
    tac_private_run private_run;
    request r;

    *out = NULL;
    TAC_TRY(prepare(ctx, data, budget, opts, median, &r, &b, &private_run, &params));
    private_run.probe = probe;
    TAC_TRY(tac_private_run_do(ctx, data, &b, &private_run, out));
done:
    return status;
}

static tacit_status plan(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget,
                         const tacit_kmeans_opts *opts, bool median, double rows_about,
                         tacit_plan **out)
{
    tacit_status status = TACIT_OK;
    tac_kmeans_params params;
    tacit_budget b;
    tac_private_run private_run;
    request r;

    *out = NULL;
    TAC_TRY(prepare(ctx, data, budget, opts, median, &r, &b, &private_run, &params));
    if (r.opts.constants == TACIT_CONSTANTS_THEORY)
        TAC_TRY(tac_balcan_plan_check(&params, rows_about));
    if (r.opts.k == TACIT_K_AUTO && r.opts.k_max > TAC_PLAN_GROUPS)
        private_run.assumed.clusters = TAC_PLAN_GROUPS;
    TAC_TRY(tac_private_run_plan(ctx, data, &b, &private_run, rows_about, out));
    (*out)->request.family = median ? TAC_PLAN_MEDIAN : TAC_PLAN_MEANS;
    (*out)->request.centers = r.opts;
done:
    return status;
}

tacit_status tacit_kmeans_run(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                              const tacit_kmeans_opts *opts, tacit_model **out)
{
    return tac_kmeans_probed(ctx, data, budget, opts, false, NULL, out);
}

tacit_status tacit_kmedian_run(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                               const tacit_kmeans_opts *opts, tacit_model **out)
{
    return tac_kmeans_probed(ctx, data, budget, opts, true, NULL, out);
}

tacit_status tacit_kmeans_plan(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget,
                               const tacit_kmeans_opts *opts, double rows_about, tacit_plan **out)
{
    return plan(ctx, data, budget, opts, false, rows_about, out);
}

tacit_status tacit_kmedian_plan(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget,
                                const tacit_kmeans_opts *opts, double rows_about, tacit_plan **out)
{
    return plan(ctx, data, budget, opts, true, rows_about, out);
}
