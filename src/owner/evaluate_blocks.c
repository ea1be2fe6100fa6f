/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_model_evaluate for a co-clustering, measured on the counts. Exact, so NOT private. */
#include "owner/owner_counts.h"

#include "solve/cocluster/scores.h"
#include "solve/cocluster/fast_taucc.h"

/* t_kl = sum of the counts of rows in cluster k and columns in cluster l; columns that the model
   does not know count for nothing. */
static void add_up(const tacit_model *model, const tac_owner_counts *c, double *table)
{
    const size_t width = (size_t)tac_blocks_width(model->blocks);

    for (int64_t i = 0; i < c->counts.rows; i++)
        for (int64_t e = c->counts.start[i]; e < c->counts.start[i + 1]; e++) {
            const int32_t j = c->column[c->counts.column[e]];
            if (j >= 0)
                table[(size_t)c->label[i] * width + (size_t)model->blocks->column_cluster[j]] +=
                    c->counts.count[e];
        }
}

/* 1 - tau of the best of `restarts` runs of plain Fast-tauCC. It starts with the numbers of
   clusters that the release was asked for: clusters that noise has cost the release are not taken
   from its rival. */
static tacit_status plain_cost(tacit_ctx *ctx, const tacit_model *model, const tac_counts *counts,
                               int32_t restarts, double *cost)
{
    tacit_status status = TACIT_OK;
    const tac_plain_taucc opts = {.rows = model->blocks->asked_k,
                                  .columns = model->blocks->asked_l,
                                  .restarts = restarts,
                                  .iterations = 100,
                                  .seed = 1};
    int32_t *row = NULL, *column = NULL;
    tac_coclusters found = {0};

    TAC_TRY(tac_new(ctx, (size_t)counts->rows, sizeof *row, &row));
    TAC_TRY(tac_new(ctx, (size_t)counts->columns, sizeof *column, &column));
    const tac_count_table all = {.n = counts->rows,
                                 .d = counts->columns,
                                 .start = counts->start,
                                 .column = counts->column,
                                 .count = counts->count};
    TAC_TRY(tac_solve_taucc(ctx, &all, &opts, row, column, &found));
    *cost = 1 - found.tau.rows;
done:
    tac_coclusters_clear(&found);
    tac_free(row);
    tac_free(column);
    return status;
}

/* Labels of the release itself are scored only where the data has classes, and only on the rows
   that it was made from: their number must be the same. */
tacit_status tac_evaluate_blocks(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                                 int32_t restarts, tacit_evaluation *e)
{
    tacit_status status = TACIT_OK;
    const int32_t width = tac_blocks_width(model->blocks);
    const char *where = tac_data_name(data);
    tac_owner_counts c = {0};
    double *table = NULL;

    TAC_TRY(tac_owner_counts_open(ctx, model, data, &c));
    e->rows = c.counts.rows;
    if (e->rows == 0)
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                         "%s: there is no row to measure the model on; take a file with rows",
                         where));
    TAC_TRY(tac_new(ctx, (size_t)model->k * (size_t)width, sizeof *table, &table));
    add_up(model, &c, table);
    const tac_tau tau = tac_tau_of(table, model->k, width);
    e->tau_rows = tau.rows;
    e->tau_columns = tau.columns;
    e->raw_tau_rows = tau.raw_rows;
    e->raw_tau_columns = tau.raw_columns;
    e->cost = 1 - tau.rows;
    e->one_mean_cost = 1; /* one cluster of rows predicts nothing */
    if (restarts > 0) TAC_TRY(plain_cost(ctx, model, &c.counts, restarts, &e->plain_cost));
    if (data->reader->label != NULL)
        TAC_TRY(tac_score_labels(ctx, c.label, data->reader->label, e->rows, &e->nmi, &e->ari));
    if (data->reader->label != NULL && model->labels != NULL) {
        if (model->rows != e->rows)
            TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                             "%s: the release holds a label for each of %lld rows, and the data "
                             "has another number of them; take the file the model was made from, "
                             "and declare the same shape",
                             where, (long long)model->rows));
        TAC_TRY(tac_score_labels(ctx, model->labels, data->reader->label, e->rows, &e->labels_nmi,
                                 &e->labels_ari));
    }
done:
    tac_free(table);
    tac_owner_counts_close(&c);
    return status;
}
