/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_kmeans: check, open a run, let the method ask, write down what it learnt. */
#include "cluster/kmeans/kmeans.h"

#include <stdio.h>
#include <string.h>

#define START_STREAM (UINT64_C(1) << 62) /* far from the numbers of questions: never the key of noise */

void tacit_kmeans_opts_init(tacit_kmeans_opts *opts, size_t size)
{
    const tacit_kmeans_opts fresh = {.size = size, .method = TACIT_KMEANS_AUTO};

    memset(opts, 0, size);
    memcpy(opts, &fresh, size < sizeof fresh ? size : sizeof fresh);
}

tacit_status tac_kmeans_read_opts(tacit_ctx *ctx, const tacit_kmeans_opts *given, bool median, tacit_kmeans_opts *known)
{
    tacit_status status = TACIT_OK;

    tacit_kmeans_opts_init(known, sizeof *known);
    TAC_TRY(tac_read_opts(ctx, "tacit_kmeans_opts", given, known, sizeof *known));
    const tac_kmeans_method *method = tac_kmeans_method_of(known->method);
    if (method == NULL) return tac_fail(ctx, TACIT_E_ARGUMENT, "the k-means method is not one of those in the header");
    if (known->k != TACIT_K_AUTO && (known->k < 1 || known->k > 1000000))
        return tac_fail(ctx, TACIT_E_ARGUMENT, "k, the number of clusters, must be between 1 and 1000000, or auto");
    if (known->k == TACIT_K_AUTO && !method->k_auto)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "method %s cannot choose k; give a number, or take method auto",
                        method->name);
    if (known->k_max < 0 || known->k_max > 1000)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "k max must be between 1 and 1000, or 0 for 20");
    if (known->rounds < 0 || known->rounds > 1000)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "rounds must be between 1 and 1000, or 0 to have it chosen");
    if (known->rounds > 0 && !method->rounds)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "method %s sets its number of rounds itself; leave rounds out", method->name);
    if (known->scale != TACIT_SCALE_RANGE && known->scale != TACIT_SCALE_NONE)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "scale is neither range nor none");
    if (known->constants != TACIT_CONSTANTS_PRACTICAL && known->constants != TACIT_CONSTANTS_THEORY)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "constants is neither practical nor theory");
    if (known->sparsity < 0) return tac_fail(ctx, TACIT_E_ARGUMENT, "sparsity must be a number of values, or 0 if unknown");
    if (median ? !method->median : !method->means)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "method %s does not do %s", method->name, median ? "k-median" : "k-means");
    if (known->k_max == 0) known->k_max = 20;
done:
    return status;
}

tacit_status tac_kmeans_check_budget(tacit_ctx *ctx, const tac_kmeans_method *method, const tacit_budget *budget)
{
    if (budget->delta > 0 ? !method->approximate : !method->pure)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "method %s needs delta %s", method->name,
                        budget->delta > 0 ? "0" : "above 0, for example 1e-6");
    if (method->alone && budget->ledger != NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "method %s has no price on a ledger: its noise follows no curve that adds up; "
                        "run it on data without one, or take another method", method->name);
    return TACIT_OK;
}

tacit_status tac_kmeans_check_rows(tacit_ctx *ctx, const tac_kmeans_method *method, const tacit_data *data,
                                   const tacit_kmeans_opts *opts, bool median)
{
    const bool sparse = tac_data_sparse(data);

    if (sparse && median)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "method %s finds means of sparse rows, not medians, and sparse rows of more "
                        "than %d columns stay sparse; take k-means (tacit kmeans), or use fewer columns", method->name,
                        TAC_WIDE);
    if (sparse && !method->sparse)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "method %s needs dense rows, and sparse rows of more than %d columns stay "
                        "sparse; take method auto, or use fewer columns", method->name, TAC_WIDE);
    if (!sparse && opts->sparsity > 0 && !method->sparse_centers)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "sparsity is for rows that stay sparse, those of a sparse format with more "
                        "than %d columns; these are dense and method %s would not use it; leave it out", TAC_WIDE,
                        method->name);
    return TACIT_OK;
}

static tacit_status check_affordable(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *given,
                                     const tacit_kmeans_opts *o, bool median)
{
    tacit_status status = TACIT_OK;
    const tac_kmeans_method *method = tac_kmeans_method_of(o->method);
    tacit_budget b;

    TAC_TRY(tac_run_check(ctx, data, given, &b));
    TAC_TRY(tac_kmeans_check_budget(ctx, method, &b));
    TAC_TRY(tac_kmeans_check_rows(ctx, method, data, o, median));
    if (method->check == NULL) goto done;
    tac_kmeans_terms t = {.ctx = ctx, .terms = tac_run_terms(data, &b), .epsilon = b.epsilon, .delta = b.delta,
                          .columns = tacit_data_columns(data), .domain = &data->domain, .opts = o, .median = median, .sparse = tac_data_sparse(data)};
    t.budget = tac_budget_units(t.terms.notion, b.epsilon, b.delta);
    TAC_TRY(method->check(&t));
done:
    return status;
}

tacit_status tac_kmeans_probed(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                               const tacit_kmeans_opts *opts, bool median, const tac_door_probe *probe, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_kmeans_opts o;
    tac_run run;
    tac_stream random;
    tac_kmeans_result result = {0};
    tacit_model *model = NULL;
    char what[64], k[16];

    *out = NULL;
    status = tac_kmeans_read_opts(ctx, opts, median, &o);
    if (status != TACIT_OK) return status;
    data->domain.sparsity = o.sparsity;
    status = check_affordable(ctx, data, budget, &o, median);
    if (status != TACIT_OK) return status;
    const tac_kmeans_method *method = tac_kmeans_method_of(o.method);
    snprintf(k, sizeof k, "%d", o.k);
    snprintf(what, sizeof what, "%s %s k=%s", median ? "kmedian" : "kmeans", method->name, o.k == TACIT_K_AUTO ? "auto" : k);
    status = tac_run_open(ctx, data, budget, o.scale, TAC_MIDDLE, what, &run);
    if (status != TACIT_OK) return status;

    if (probe != NULL) tac_run_probe(&run, probe);
    TAC_TRY(tac_stream_open(ctx, &run.key, START_STREAM, 0, &random));
    const tac_kmeans_job job = {.ctx = ctx, .run = &run, .door = run.door, .frame = &run.frame, .opts = &o,
                                .median = median, .random = &random};
    status = method->run(&job, &result);
    tac_stream_close(&random);
    if (status != TACIT_OK) goto done;
    TAC_TRY(tac_kmeans_release(ctx, &run, &o, median, &result, &model));
done:
    status = tac_run_close(&run, status);
    tac_kmeans_result_clear(&result);
    if (status == TACIT_OK)
        *out = model;
    else
        tacit_model_free(model);
    return status;
}

tacit_status tacit_kmeans(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget, const tacit_kmeans_opts *opts,
                          tacit_model **out)
{
    return tac_kmeans_probed(ctx, data, budget, opts, false, NULL, out);
}

tacit_status tacit_kmedian(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget, const tacit_kmeans_opts *opts,
                           tacit_model **out)
{
    return tac_kmeans_probed(ctx, data, budget, opts, true, NULL, out);
}
