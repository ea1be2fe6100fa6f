/* SPDX-License-Identifier: Apache-2.0 */
/* A method of the audit's table as a whole run, for tests and benchmarks that go through all. */
#ifndef TAC_RUN_TARGET_H
#define TAC_RUN_TARGET_H

#include "tap.h"

#include <string.h>
#include <tacit/tacit.h>

typedef struct target_run {
    double epsilon, delta;
    int clusters, subspaces;
} target_run;

/* The release as JSON, owned by the caller; NULL if there is none. */
static tacit_status run_target(tacit_ctx *ctx, const tacit_audit_target *t, target_run how,
                               tacit_data *data, char **json)
{
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_model *model = NULL;
    tacit_status status;

    *json = NULL;
    budget.epsilon = how.epsilon;
    budget.delta = how.delta;
    budget.use_insecure_test_seed = 1;
    budget.insecure_test_seed = 7;
    if (strcmp(t->family, "cocluster") == 0) {
        tacit_cocluster_opts opts = TACIT_COCLUSTER_OPTS_INIT;
        opts.row_clusters = opts.column_clusters = 2;
        opts.method = (tacit_cocluster_method)t->method;
        status = tacit_cocluster_run(ctx, data, &budget, &opts, &model);
    } else if (strcmp(t->family, "subspace") == 0) {
        tacit_subspace_opts opts = TACIT_SUBSPACE_OPTS_INIT;
        opts.k = how.subspaces;
        opts.q = 1;
        opts.rounds = t->method == TACIT_SUBSPACE_GIBBS ? 20 : 0;
        opts.method = (tacit_subspace_method)t->method;
        status = tacit_subspace_run(ctx, data, &budget, &opts, &model);
    } else {
        tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;
        opts.k = how.clusters;
        opts.method = (tacit_kmeans_method)t->method;
        status = strcmp(t->family, "kmeans") == 0
                     ? tacit_kmeans_run(ctx, data, &budget, &opts, &model)
                     : tacit_kmedian_run(ctx, data, &budget, &opts, &model);
    }
    if (model != NULL) MUST(tacit_model_json(ctx, model, json) == TACIT_OK);
    tacit_model_free(model);
    return status;
}

#endif
