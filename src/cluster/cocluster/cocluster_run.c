/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_cocluster_run: check the options, open a run, let the method ask, write the release. */
#include "cluster/cocluster/cocluster_run.h"
#include "cluster/private_run.h"

#include <stdio.h>
#include <string.h>

enum { SUPPOSED = 4 }; /* clusters of a plan's made-up table where the run is to choose them */

/* Options with defaults filled in, each within its range. Nothing is spent. */
static tacit_status read_opts(tacit_ctx *ctx, const tacit_data *data,
                              const tacit_cocluster_opts *given, tacit_cocluster_opts *known)
{
    tacit_status status = TACIT_OK;
    const int32_t columns = tacit_data_column_count(data);

    tacit_cocluster_opts_init(known, sizeof *known);
    TAC_TRY(tac_read_opts(ctx, "tacit_cocluster_opts", given, known, sizeof *known));
    TAC_TRY(tac_data_check_plain(ctx, data, "co-clustering"));
    const tac_cocluster_method *method = tac_cocluster_method_of(known->method);
    if (method == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the co-clustering method is not one of those in the header");
    if (known->row_clusters != TACIT_K_AUTO &&
        (known->row_clusters < 1 || known->row_clusters > 1000))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "rows, the number of row clusters, must be between 1 and 1000, or auto");
    if (known->column_clusters != TACIT_K_AUTO &&
        (known->column_clusters < 1 || known->column_clusters > 1000))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "columns, the number of column clusters, must be between 1 and 1000, or "
                        "auto");
    if (known->column_clusters > columns)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%d column%s cannot be %d clusters; ask for fewer (a file with one entry a "
                        "line needs a header with the columns row, col and count)",
                        columns, columns == 1 ? "" : "s", known->column_clusters);
    if (known->rounds < 0 || known->rounds > 1000 || (known->rounds > 0 && !method->rounds))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        known->rounds > 0 && !method->rounds
                            ? "method %s sets its number of rounds itself; leave rounds out"
                            : "rounds of method %s must be between 1 and 1000, or 0 for its own",
                        method->name);
    if (!(known->labels_share >= 0 && known->labels_share <= 0.9))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the share of the budget for row labels must be between 0 and 0.9");
    if (!(known->least_z >= 0 && known->least_z <= 100))
        return tac_fail(ctx, TACIT_E_ARGUMENT, "least z must be between 0 and 100");
done:
    return status;
}

/* Is a number of clusters left to the run? */
static bool chooses(const tacit_cocluster_opts *o)
{
    return o->row_clusters == TACIT_K_AUTO || o->column_clusters == TACIT_K_AUTO;
}

/* Sets delta to 0 where auto does better without it. True: it did. */
static bool leave_delta(const tacit_cocluster_opts *o, tacit_budget *b)
{
    if (o->method != TACIT_COCLUSTER_AUTO || !tac_cocluster_auto_leaves_delta(b)) return false;
    b->delta = 0;
    return true;
}

/* Everything that can be refused before anything is spent, for public reasons. *left: the delta
   stays unspent. */
static tacit_status check(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *given,
                          const tacit_cocluster_opts *opts, tacit_cocluster_opts *o,
                          tacit_budget *b, bool *left)
{
    tacit_status status = TACIT_OK;

    if (tac_data_is_list(data))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: the columns row, col and count are a list of entries, and it was "
                        "opened as a matrix; name the format triplets",
                        data->path);
    TAC_TRY(read_opts(ctx, data, opts, o));
    TAC_TRY(tac_run_check(ctx, data, true, given, b));
    const tac_cocluster_method *method = tac_cocluster_method_of(o->method);
    const bool entry = b->neighbors == TACIT_ENTRY;
    if (entry && data->has_units)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "unit entry protects single counts, and a unit column names persons; leave "
                        "one of them out");
    if (entry ? !method->entry : !method->rows)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "method %s protects %s only; take unit %s, or another method", method->name,
                        entry ? "whole rows" : "single entries", entry ? "row" : "entry");
    if (b->delta > 0 ? !method->approximate : !method->pure)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "method %s needs delta %s", method->name,
                        b->delta > 0 ? "0" : "above 0, for example 1e-6");
    if (chooses(o) && (entry || !method->choose || b->delta == 0))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "numbers of clusters are chosen (auto) by method auto alone, of whole rows "
                        "or persons, with delta above 0; take these, or give both numbers");
    if (!entry && o->labels_share > 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "private labels of rows are for unit entry: a label that hides a whole row "
                        "would be little better than a random one; leave the labels' share out and "
                        "use predict, whose labels stay with the rows");
    if (o->labels_share > 0 && !method->labels)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "method %s draws no labels of rows; leave the labels' share out, or take "
                        "method auto",
                        method->name);
    *left = leave_delta(o, b);
done:
    return status;
}

typedef struct request {
    tacit_cocluster_opts opts;
    bool left; /* the delta stays unspent */
    char what[64];
} request;

static int32_t given(int32_t clusters)
{
    return clusters == TACIT_K_AUTO ? 0 : clusters;
}

/* The part of a run between opening and closing: the method, empty clusters dropped, the
   release. */
static tacit_status ask(tac_run *run, tac_stream *random, const void *state, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    const request *r = state;
    const tacit_cocluster_opts *o = &r->opts;
    const tac_cocluster_method *method = tac_cocluster_method_of(o->method);
    const tac_cocluster_job job = {.ctx = run->ctx,
                                   .run = run,
                                   .door = run->door,
                                   .entry = run->budget.neighbors == TACIT_ENTRY,
                                   .rows = tac_door_rows(run->door),
                                   .columns = tacit_data_column_count(run->data),
                                   .k = given(o->row_clusters),
                                   .l = given(o->column_clusters),
                                   .epsilon = run->budget.epsilon,
                                   .delta = run->budget.delta,
                                   .opts = o,
                                   .random = random};
    tac_cocluster_result result = {0};

    TAC_TRY(method->run(&job, &result));
    const int32_t chosen = result.l; /* before empty ones are dropped */
    TAC_TRY(tac_cocluster_drop_empty(run->ctx, job.columns, &result));
    TAC_TRY(tac_one_block_note(run->ctx, &job, &result));
    if (r->left)
        TAC_TRY(tac_note(run->ctx, &result.notes,
                         "delta was left unspent: at this epsilon auto finds more without it, and "
                         "pure privacy promises more"));
    if (run->data->has_units)
        TAC_TRY(tac_note(run->ctx, &result.notes,
                         run->budget.max_rows_per_unit == 0 ? "each person's rows were added up "
                                                              "into one: clusters of rows are "
                                                              "clusters of persons"
                                                            : "rows of a person stay apart, and "
                                                              "noise is %d times that of one row; "
                                                              "without max rows per person they "
                                                              "are added up into one, at no such "
                                                              "price",
                         run->budget.max_rows_per_unit));
    TAC_TRY(tac_cocluster_release(run->ctx, run, method, &result, out));
    (*out)->blocks->asked_k = job.k > 0 ? job.k : result.k;
    (*out)->blocks->asked_l = job.l > 0 ? job.l : chosen;
done:
    tac_cocluster_result_clear(&result);
    return status;
}

static void write_number(int32_t clusters, char *text, size_t room)
{
    if (clusters == TACIT_K_AUTO)
        snprintf(text, room, "auto");
    else
        snprintf(text, room, "%d", clusters);
}

/* Clusters of the made-up table of a plan. */
static int32_t supposed(int32_t clusters)
{
    return clusters == TACIT_K_AUTO ? SUPPOSED : clusters;
}

/* Checked options and budget, and the run to be made of them. *r must outlive *private_run. */
static tacit_status prepare(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *given,
                            const tacit_cocluster_opts *opts, request *r, tacit_budget *b,
                            tac_private_run *private_run)
{
    tacit_status status = TACIT_OK;
    const tacit_cocluster_opts *o = &r->opts;
    char rows[16], columns[16];

    TAC_TRY(check(ctx, data, given, opts, &r->opts, b, &r->left));
    write_number(o->row_clusters, rows, sizeof rows);
    write_number(o->column_clusters, columns, sizeof columns);
    snprintf(r->what, sizeof r->what, "cocluster %s rows=%s columns=%s",
             tac_cocluster_method_of(o->method)->name, rows, columns);
    *private_run = (tac_private_run){.scale = TACIT_SCALE_NONE,
                                     .origin = TAC_COUNTS,
                                     .what = r->what,
                                     .ask = ask,
                                     .caveat = tac_cocluster_method_of(o->method)->caveat,
                                     .state = r,
                                     .thin = o->rounds > 10 ||
                                             (o->labels_share > 0 && o->labels_share < 0.001),
                                     .assumed = {.clusters = supposed(o->row_clusters),
                                                 .column_clusters = supposed(o->column_clusters),
                                                 .entry = b->neighbors == TACIT_ENTRY}};
done:
    return status;
}

tacit_status tac_cocluster_probed(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                  const tacit_cocluster_opts *opts, const tac_door_probe *probe,
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

tacit_status tacit_cocluster_run(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                 const tacit_cocluster_opts *opts, tacit_model **out)
{
    return tac_cocluster_probed(ctx, data, budget, opts, NULL, out);
}

tacit_status tacit_cocluster_plan(tacit_ctx *ctx, const tacit_data *data,
                                  const tacit_budget *budget, const tacit_cocluster_opts *opts,
                                  double rows_about, tacit_plan **out)
{
    tacit_status status = TACIT_OK;
    tacit_budget b;
    tac_private_run private_run;
    request r;

    *out = NULL;
    TAC_TRY(prepare(ctx, data, budget, opts, &r, &b, &private_run));
    TAC_TRY(tac_private_run_plan(ctx, data, &b, &private_run, rows_about, out));
    (*out)->request.family = TAC_PLAN_BLOCKS;
    (*out)->request.blocks = r.opts;
    (*out)->request.budget.delta = budget->delta; /* whether it is left depends on epsilon */
done:
    return status;
}
