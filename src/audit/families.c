/* SPDX-License-Identifier: Apache-2.0 */
/* Every family that is audited, one line each. Its methods come from its own table, so a new
   method is audited as soon as it is there. */
#include "audit/audit.h"

#include "cluster/cocluster/cocluster_run.h"
#include "cluster/kmeans/kmeans_run.h"
#include "cluster/subspace/subspace_run.h"

/* Small problems, so that a run is fast; a Gibbs chain of few rounds, which need not mix to be
   tested. */
enum { CENTERS = 3, LINES = 2, BLOCKS = 2, GIBBS_ROUNDS = 20 };

#define LABELS_SHARE 0.2 /* of a budget for entries, so that the draws of labels are audited too */

/* The target of a method number, for means or medians; false: no such method for this objective. */
static bool describe_kmeans(int32_t method, bool median, tacit_audit_target *out)
{
    const tac_kmeans_method *m = tac_kmeans_method_of((tacit_kmeans_method)method);

    if (m == NULL || (median ? !m->median : !m->means)) return false;
    *out = (tacit_audit_target){
        .name = m->name, .pure = m->pure, .approximate = m->approximate, .rows = 1};
    return true;
}

static bool describe_means(int32_t method, tacit_audit_target *out)
{
    return describe_kmeans(method, false, out);
}

static bool describe_median(int32_t method, tacit_audit_target *out)
{
    return describe_kmeans(method, true, out);
}

/* One private run with a probe at the door; the release goes to *out. */
static tacit_status run_kmeans(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                               int32_t method, bool median, const tac_door_probe *probe,
                               tacit_model **out)
{
    tacit_kmeans_opts opts;

    tacit_kmeans_opts_init(&opts, sizeof opts);
    opts.method = (tacit_kmeans_method)method;
    opts.k = CENTERS;
    return tac_kmeans_probed(ctx, data, budget, &opts, median, probe, out);
}

static tacit_status run_means(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                              int32_t method, const tac_door_probe *probe, tacit_model **out)
{
    return run_kmeans(ctx, data, budget, method, false, probe, out);
}

static tacit_status run_median(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                               int32_t method, const tac_door_probe *probe, tacit_model **out)
{
    return run_kmeans(ctx, data, budget, method, true, probe, out);
}

static bool describe_subspace(int32_t method, tacit_audit_target *out)
{
    const tac_subspace_method *m = tac_subspace_method_of((tacit_subspace_method)method);

    if (m == NULL) return false;
    *out = (tacit_audit_target){
        .name = m->name, .pure = m->pure, .approximate = m->approximate, .rows = 1};
    return true;
}

static tacit_status run_subspace(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                 int32_t method, const tac_door_probe *probe, tacit_model **out)
{
    tacit_subspace_opts opts;

    tacit_subspace_opts_init(&opts, sizeof opts);
    opts.method = (tacit_subspace_method)method;
    opts.k = LINES;
    opts.q = 1;
    if (method == TACIT_SUBSPACE_GIBBS) opts.rounds = GIBBS_ROUNDS;
    return tac_subspace_probed(ctx, data, budget, &opts, probe, out);
}

static bool describe_cocluster(int32_t method, tacit_audit_target *out)
{
    const tac_cocluster_method *m = tac_cocluster_method_of((tacit_cocluster_method)method);

    if (m == NULL) return false;
    *out = (tacit_audit_target){.name = m->name,
                                .pure = m->pure,
                                .approximate = m->approximate,
                                .rows = m->rows,
                                .entry = m->entry};
    return true;
}

static tacit_status run_cocluster(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                  int32_t method, const tac_door_probe *probe, tacit_model **out)
{
    tacit_cocluster_opts opts;

    tacit_cocluster_opts_init(&opts, sizeof opts);
    opts.method = (tacit_cocluster_method)method;
    opts.row_clusters = opts.column_clusters = BLOCKS;
    if (budget->neighbors == TACIT_ENTRY && tac_cocluster_method_of(opts.method)->labels)
        opts.labels_share = LABELS_SHARE;
    return tac_cocluster_probed(ctx, data, budget, &opts, probe, out);
}

static const tac_audit_family table[] = {
    {"kmeans", false, describe_means, run_means},
    {"kmedian", false, describe_median, run_median},
    {"subspace", false, describe_subspace, run_subspace},
    {"cocluster", true, describe_cocluster, run_cocluster},
};

const tac_audit_family *tac_audit_family_at(int32_t index)
{
    return index >= 0 && (size_t)index < sizeof table / sizeof *table ? &table[index] : NULL;
}
