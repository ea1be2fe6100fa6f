/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_kmeans: check, open a run, let the method ask, write down what it learnt. */
#include "cluster/kmeans/kmeans.h"

#include <stdio.h>
#include <string.h>

#define START_STREAM (UINT64_C(1) << 62) /* far from the numbers of questions: never the key of noise */

void tacit_kmeans_opts_init(tacit_kmeans_opts *opts, size_t size)
{
    memset(opts, 0, size);
    opts->size = size;
}

tacit_status tac_kmeans_read_opts(tacit_ctx *ctx, const tacit_kmeans_opts *given, tacit_kmeans_opts *known)
{
    tacit_status status = TACIT_OK;

    tacit_kmeans_opts_init(known, sizeof *known);
    TAC_TRY(tac_read_opts(ctx, "tacit_kmeans_opts", given, known, sizeof *known));
    if (known->k < 1 || known->k > 1000000)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "k, the number of clusters, must be between 1 and 1000000");
    if (known->rounds < 0 || known->rounds > 1000)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "rounds must be between 1 and 1000, or 0 to have it chosen");
    if (known->method != TACIT_KMEANS_LLOYD)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "the k-means method is not one of those in the header");
    if (known->scale != TACIT_SCALE_RANGE && known->scale != TACIT_SCALE_NONE)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "scale is neither range nor none");
done:
    return status;
}

static tacit_status check_affordable(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *given,
                                     const tacit_kmeans_opts *o)
{
    tacit_status status = TACIT_OK;
    tacit_budget b;
    tac_terms terms;

    TAC_TRY(tac_run_check(ctx, data, given, &b));
    terms = tac_run_terms(data, &b);
    TAC_TRY(tac_lloyd_check(ctx, &terms, tac_budget_units(terms.notion, b.epsilon, b.delta), tacit_data_columns(data), o));
done:
    return status;
}

static void clear_result(tac_kmeans_result *r)
{
    tac_free(r->centers);
    tac_free(r->centers_sd);
    tac_free(r->sizes);
}

tacit_status tac_kmeans_probed(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                               const tacit_kmeans_opts *opts, const tac_door_probe *probe, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_kmeans_opts o;
    tac_run run;
    tac_stream start;
    tac_kmeans_result result = {0};
    tacit_model *model = NULL;
    char what[64];

    *out = NULL;
    status = tac_kmeans_read_opts(ctx, opts, &o);
    if (status != TACIT_OK) return status;
    status = check_affordable(ctx, data, budget, &o);
    if (status != TACIT_OK) return status;
    snprintf(what, sizeof what, "kmeans lloyd k=%d", o.k);
    status = tac_run_open(ctx, data, budget, o.scale, what, &run);
    if (status != TACIT_OK) return status;

    if (probe != NULL) tac_door_set_probe(run.door, probe);
    TAC_TRY(tac_stream_open(ctx, &run.key, START_STREAM, 0, &start));
    status = tac_lloyd(ctx, run.door, &run.frame, &o, &start, &result);
    tac_stream_close(&start);
    if (status != TACIT_OK) goto done;
    TAC_TRY(tac_kmeans_release(ctx, &run, &o, &result, &model));
done:
    status = tac_run_close(&run, status);
    clear_result(&result);
    if (status == TACIT_OK)
        *out = model;
    else
        tacit_model_free(model);
    return status;
}

tacit_status tacit_kmeans(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget, const tacit_kmeans_opts *opts,
                          tacit_model **out)
{
    return tac_kmeans_probed(ctx, data, budget, opts, NULL, out);
}
