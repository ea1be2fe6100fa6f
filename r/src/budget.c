/* SPDX-License-Identifier: Apache-2.0 */
#include "budget.h"

tacit_budget budget_of(SEXP list, SEXP ledger)
{
    tacit_budget budget = TACIT_BUDGET_INIT;
    double seed = number(list, "insecure_test_seed", -1);
    budget.epsilon = number(list, "epsilon", NAN);
    budget.delta = number(list, "delta", 0);
    budget.neighbors = (tacit_neighbors)(int)number(list, "neighbors", TACIT_ADD_REMOVE);
    budget.max_rows_per_unit = (int32_t)number(list, "max_rows_per_person", 0);
    budget.ledger = handle_get_or_null(ledger, LEDGER);
    budget.use_insecure_test_seed = seed >= 0;
    budget.insecure_test_seed = seed >= 0 ? (uint64_t)seed : 0;
    budget.as_owner = number(list, "as_owner", 0) != 0;
    budget.bounds_share = number(list, "bounds_share", 0);
    return budget;
}

tacit_kmeans_opts kmeans_opts_of(SEXP list)
{
    tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;
    opts.k = (int32_t)number(list, "k", 0);
    opts.rounds = (int32_t)number(list, "rounds", 0);
    opts.method = (tacit_kmeans_method)(int)number(list, "method", TACIT_KMEANS_AUTO);
    opts.scale = (tacit_scale)(int)number(list, "scale", TACIT_SCALE_RANGE);
    opts.k_max = (int32_t)number(list, "k_max", 0);
    opts.constants = (tacit_constants)(int)number(list, "constants", TACIT_CONSTANTS_PRACTICAL);
    opts.sparsity = (int32_t)number(list, "sparsity", 0);
    opts.no_synopsis = number(list, "synopsis", 1) == 0;
    return opts;
}

tacit_subspace_opts subspace_opts_of(SEXP list)
{
    tacit_subspace_opts opts = TACIT_SUBSPACE_OPTS_INIT;
    opts.k = (int32_t)number(list, "k", 0);
    opts.q = (int32_t)number(list, "q", 0);
    opts.method = (tacit_subspace_method)(int)number(list, "method", TACIT_SUBSPACE_AUTO);
    opts.affine = number(list, "affine", 0) != 0;
    opts.scale = (tacit_scale)(int)number(list, "scale", TACIT_SCALE_RANGE);
    opts.rounds = (int32_t)number(list, "rounds", 0);
    opts.k_max = (int32_t)number(list, "k_max", 0);
    opts.q_max = (int32_t)number(list, "q_max", 0);
    return opts;
}

tacit_cocluster_opts cocluster_opts_of(SEXP list)
{
    tacit_cocluster_opts opts = TACIT_COCLUSTER_OPTS_INIT;
    opts.row_clusters = (int32_t)number(list, "row_clusters", 0);
    opts.column_clusters = (int32_t)number(list, "column_clusters", 0);
    opts.method = (tacit_cocluster_method)(int)number(list, "method", TACIT_COCLUSTER_AUTO);
    opts.rounds = (int32_t)number(list, "rounds", 0);
    opts.labels_share = number(list, "row_labels", 0);
    opts.least_z = number(list, "least_z", opts.least_z);
    return opts;
}
