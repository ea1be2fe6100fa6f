/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_cocluster_plain: Fast-tauCC on the counts, exact, NOT private; the release says so. The
   rival that private releases are compared with. */
#include "cluster/cocluster/cocluster_run.h"
#include "data/lattice/counts.h"
#include "solve/cocluster/fast_taucc.h"

#include <string.h>

enum { RESTARTS = 10, TURNS = 100 };

/* Reads and checks the options. Those of a private run are not looked at. */
static tacit_status check(tacit_ctx *ctx, const tacit_data *data, const tacit_cocluster_opts *given,
                          tacit_cocluster_opts *o)
{
    tacit_status status = TACIT_OK;

    tacit_cocluster_opts_init(o, sizeof *o);
    TAC_TRY(tac_read_opts(ctx, "tacit_cocluster_opts", given, o, sizeof *o));
    if (o->row_clusters < 1 || o->row_clusters > 1000 || o->column_clusters < 1 ||
        o->column_clusters > 1000)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "rows and columns, the numbers of clusters, must be between 1 and 1000");
    if (o->column_clusters > tacit_data_column_count(data))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "there are %d columns and cannot be %d clusters of them; ask for fewer",
                        tacit_data_column_count(data), o->column_clusters);
    if (o->restarts < 0 || o->restarts > 10000)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "restarts must be between 1 and 10000, or 0 for %d",
                        RESTARTS);
done:
    return status;
}

/* The clusters as a result, with the rule that the table gives: a row goes where its counts by
   column cluster score most. */
static tacit_status write_result(tacit_ctx *ctx, const tac_coclusters *found,
                                 const tac_counts *counts, const int32_t *row,
                                 const int32_t *column, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)counts->columns;

    TAC_TRY(
        tac_cocluster_result_new(ctx, found->rows, found->columns, false, counts->columns, out));
    TAC_TRY(tac_cocluster_rule_new(ctx, counts->columns, found->columns, found->rows, out));
    memcpy(out->column_cluster, column, columns * sizeof *column);
    memcpy(out->rule.group, column, columns * sizeof *column);
    memcpy(out->table, found->table,
           (size_t)found->rows * (size_t)found->columns * sizeof *out->table);
    tac_tau_scores(out->table, found->rows, found->columns, out->rule.score);
    for (int32_t c = 0; c < found->rows; c++) out->sizes[c] = 0;
    for (int64_t i = 0; i < counts->rows; i++) out->sizes[row[i]]++;
    out->table_sd = out->sizes_sd = 0;
done:
    return status;
}

/* The contract stands in tacit.h. Refuses data without rows. Noise of the table and the sizes is 0:
   they are exact. */
tacit_status tacit_cocluster_plain(tacit_ctx *ctx, tacit_data *data,
                                   const tacit_cocluster_opts *opts, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_cocluster_opts o;
    tac_engine engine;
    tac_counts counts = {0};
    tac_coclusters found = {0};
    tac_cocluster_result result = {0};
    int32_t *row = NULL, *column = NULL;

    *out = NULL;
    tac_engine_threads(ctx, &engine);
    TAC_TRY(check(ctx, data, opts, &o));
    TAC_TRY(tac_data_load_counts(ctx, data, data->shape_rows > 0));
    TAC_TRY(tac_counts_build(ctx, &engine, data, &counts));
    if (counts.rows == 0)
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                         "%s: there is no row to cluster; take a file with rows",
                         tac_data_name(data)));
    const tac_plain_taucc plain = {.rows = o.row_clusters,
                                   .columns = o.column_clusters,
                                   .restarts = o.restarts > 0 ? o.restarts : RESTARTS,
                                   .iterations = TURNS,
                                   .seed = o.seed};
    const tac_count_table all = {.n = counts.rows,
                                 .d = counts.columns,
                                 .start = counts.start,
                                 .column = counts.column,
                                 .count = counts.count};
    TAC_TRY(tac_new(ctx, (size_t)counts.rows, sizeof *row, &row));
    TAC_TRY(tac_new(ctx, (size_t)counts.columns, sizeof *column, &column));
    TAC_TRY(tac_solve_taucc(ctx, &all, &plain, row, column, &found));
    TAC_TRY(write_result(ctx, &found, &counts, row, column, &result));
    TAC_TRY(tac_cocluster_release_plain(ctx, data, &result, out));
    (*out)->blocks->asked_k = o.row_clusters;
    (*out)->blocks->asked_l = o.column_clusters;
done:
    tac_cocluster_result_clear(&result);
    tac_coclusters_clear(&found);
    tac_counts_clear(&counts);
    tac_free(row);
    tac_free(column);
    return status;
}
