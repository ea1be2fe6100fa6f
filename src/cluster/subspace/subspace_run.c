/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_subspace_run: check the options, open a run, let the method ask, write the release. */
#include "cluster/subspace/auto/auto_subspace.h"
#include "cluster/subspace/subspace_run.h"
#include "cluster/private_run.h"

#include <stdio.h>
#include <string.h>

/* The lattice has one column more for affine subspaces, and each of them one more vector. */
static int32_t vectors_of(const tacit_subspace_opts *o)
{
    return o->q > 0 && o->affine ? o->q + 1 : o->q;
}

/* Options with defaults filled in, each within its range. Nothing is spent. */
static tacit_status read_opts(tacit_ctx *ctx, const tacit_data *data,
                              const tacit_subspace_opts *given, tacit_subspace_opts *known)
{
    tacit_status status = TACIT_OK;
    const int32_t columns = tacit_data_column_count(data);

    tacit_subspace_opts_init(known, sizeof *known);
    TAC_TRY(tac_read_opts(ctx, "tacit_subspace_opts", given, known, sizeof *known));
    TAC_TRY(tac_data_check_plain(ctx, data, "subspace clustering"));
    const tac_subspace_method *method = tac_subspace_method_of(known->method);
    if (method == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the subspace method is not one of those in the header");
    if (columns < 2)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "subspaces need at least two columns, and this data has %d; take tacit "
                        "kmeans",
                        columns);
    if (known->k != TACIT_K_AUTO && (known->k < 1 || known->k > 1000))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "k, the number of subspaces, must be between 1 and 1000, or auto");
    if (known->q != TACIT_Q_AUTO && (known->q < 1 || known->q >= columns))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "q, the dimension of the subspaces, must be between 1 and %d, one less "
                        "than the number of columns, or auto",
                        columns - 1);
    if ((known->k == TACIT_K_AUTO || known->q == TACIT_Q_AUTO) && !method->choose)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "method %s cannot choose k or q; give numbers, or take method auto",
                        method->name);
    if (known->k_max < 0 || known->k_max > TAC_FOURTH_K_MOST)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "k max, the most subspaces to think of, must be between 1 and %d, or 0 for "
                        "the default",
                        TAC_FOURTH_K_MOST);
    if (known->rounds < 0 || known->rounds > 1000000 || (known->rounds > 0 && !method->rounds))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        known->rounds > 0 && !method->rounds
                            ? "method %s sets its number of rounds itself; leave rounds out"
                            : "rounds of method %s must be between 1 and 1000000, or 0 for its own",
                        method->name);
    if (tac_data_sparse(data))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "subspace clustering needs dense rows, and sparse rows of more than %d "
                        "columns stay sparse; use fewer columns",
                        TAC_WIDE);
    /* how many labels there are would show how many rows were left out */
    if (known->release_labels && tac_data_drops(data))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "labels are released for every row, and rows that lack a value are left "
                        "out; take missing midpoint");
    if (columns > TAC_WIDE)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "subspace clustering takes at most %d columns; use fewer", TAC_WIDE);
done:
    return status;
}

typedef struct request {
    tacit_subspace_opts opts;
    char what[64];
} request;

/* The part of a run between opening and closing: the method, then its release. */
static tacit_status ask(tac_run *run, tac_stream *random, const void *state, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    const tacit_subspace_opts *o = &((const request *)state)->opts;
    const tac_subspace_job job = {.ctx = run->ctx,
                                  .run = run,
                                  .door = run->door,
                                  .frame = &run->frame,
                                  .dims = run->frame.dims,
                                  .k = o->k,
                                  .q = vectors_of(o),
                                  .opts = o,
                                  .random = random};
    tac_subspace_result result = {0};

    TAC_TRY(tac_subspace_method_of(o->method)->run(&job, &result));
    TAC_TRY(tac_subspace_release(run->ctx, run, o, &result, out));
done:
    tac_subspace_result_clear(&result);
    return status;
}

/* Does the method serve such a delta, ledger and domain, and has it limits of its own? */
static tacit_status check_method(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *b,
                                 const tacit_subspace_opts *o)
{
    const tac_subspace_method *method = tac_subspace_method_of(o->method);
    const tac_subspace_params t = {.ctx = ctx,
                                   .params = tac_run_params(data, b),
                                   .epsilon = b->epsilon,
                                   .delta = b->delta,
                                   .persons = data->has_units,
                                   .dims = tacit_data_column_count(data) + (o->affine ? 1 : 0),
                                   .k = o->k,
                                   .q = vectors_of(o),
                                   .opts = o};

    if (b->delta > 0 ? !method->approximate : !method->pure)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "method %s needs delta %s", method->name,
                        b->delta > 0 ? "0" : "above 0, for example 1e-6");
    if (method->unledgered != NULL && b->ledger != NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "method %s has no price on a ledger: %s; take method auto or sulq+, or run "
                        "it on data without a ledger",
                        method->name, method->unledgered);
    if (o->method == TACIT_SUBSPACE_SAMPLE_AGGREGATE && tac_data_estimates(data))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "method %s takes the whole budget in one query and leaves nothing to "
                        "estimate bounds with; declare bounds, or take another method",
                        method->name);
    for (int32_t j = 0;
         !o->affine && data->domain.kind == TAC_DOMAIN_BALL && j < tacit_data_column_count(data);
         j++)
        if (data->domain.center[j] != 0)
            return tac_fail(ctx, TACIT_E_DOMAIN,
                            "linear subspaces pass through the origin, and the declared ball has "
                            "another center; declare a ball about the origin, or take affine "
                            "subspaces");
    return method->check == NULL ? TACIT_OK : method->check(&t);
}

/* Everything that can be refused before anything is spent, and the run to be made. *r must
   outlive *private_run. */
static tacit_status prepare(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *given,
                            const tacit_subspace_opts *opts, request *r, tacit_budget *b,
                            tac_private_run *private_run)
{
    tacit_status status = TACIT_OK;
    tacit_subspace_opts *o = &r->opts;
    char k[16], q[16];

    TAC_TRY(read_opts(ctx, data, opts, o));
    TAC_TRY(tac_run_check(ctx, data, false, given, b));
    TAC_TRY(check_method(ctx, data, b, o));
    const bool walks = o->method == TACIT_SUBSPACE_AUTO && b->delta == 0; /* the walk of sulq+ */
    snprintf(k, sizeof k, "%d", o->k);
    snprintf(q, sizeof q, "%d", o->q);
    snprintf(r->what, sizeof r->what, "subspace %s k=%s q=%s",
             tac_subspace_method_of(o->method)->name, o->k > 0 ? k : "auto", o->q > 0 ? q : "auto");
    *private_run = (tac_private_run){
        .scale = o->scale,
        .origin = o->affine ? TAC_CONSTANT : TAC_ZERO,
        .what = r->what,
        .name_columns = true,
        .ask = ask,
        .whole = tac_subspace_method_of(o->method)->whole ? tac_subspace_method_of(o->method)->name
                                                          : NULL,
        .caveat = tac_subspace_method_of(walks ? TACIT_SUBSPACE_SULQ_PLUS : o->method)->caveat,
        .state = r,
        /* rounds of gibbs are one query */
        .thin = o->rounds > 10 && o->method != TACIT_SUBSPACE_GIBBS,
        .assumed = {.clusters = o->k > 0 ? o->k : 3, .directions = o->q > 0 ? o->q : 1}};
done:
    return status;
}

tacit_status tac_subspace_probed(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                 const tacit_subspace_opts *opts, const tac_door_probe *probe,
                                 tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_budget b;
    tac_private_run private_run;
    request r;

    *out = NULL;
    TAC_TRY(prepare(ctx, data, budget, opts, &r, &b, &private_run));
    private_run.probe = probe;
    TAC_TRY(tac_private_run_do(ctx, data, &b, &private_run, out));
done:
    return status;
}

tacit_status tacit_subspace_run(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                const tacit_subspace_opts *opts, tacit_model **out)
{
    return tac_subspace_probed(ctx, data, budget, opts, NULL, out);
}

tacit_status tacit_subspace_plan(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget,
                                 const tacit_subspace_opts *opts, double rows_about,
                                 tacit_plan **out)
{
    tacit_status status = TACIT_OK;
    tacit_budget b;
    tac_private_run private_run;
    request r;

    *out = NULL;
    TAC_TRY(prepare(ctx, data, budget, opts, &r, &b, &private_run));
    TAC_TRY(tac_private_run_plan(ctx, data, &b, &private_run, rows_about, out));
    (*out)->request.family = TAC_PLAN_SUBSPACE;
    (*out)->request.subspaces = r.opts;
done:
    return status;
}
