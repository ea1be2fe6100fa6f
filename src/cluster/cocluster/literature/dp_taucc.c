/* SPDX-License-Identifier: Apache-2.0 */
/* DP-tauCC (Battaglia & Pensa 2025), Algorithms 1 to 3: columns and rows find their clusters in
   turn by the exponential mechanism, with prototypes from a noisy table after every step. Where the
   authors' code departs from their pseudo-code, this follows the latter: the first table is of the
   random partition R(0) that the first columns were drawn with, and the draws are exact. */
#include "cluster/cocluster/entry_labels.h"

#include "solve/cocluster/fast_taucc.h"

#include <math.h>
#include <string.h>

#define ROUNDS 4   /* the paper's I */
#define LABELS 0.9 /* share of a step for its draw; the rest pays for its table */

typedef struct work {
    const tac_cocluster_job *job;
    int32_t k, l;
    uint64_t draw, table_quanta; /* quanta of each draw and of each table */
    int32_t *row_label, *column_label;
    double *table, *turned, *scores; /* room for job->k x job->l */
    int32_t *whole;                  /* scores in integers */
    int64_t *answer;
} work;

static int32_t rounds_of(const tacit_cocluster_opts *opts)
{
    return opts->rounds > 0 ? opts->rounds : ROUNDS;
}

/* Quanta of a draw and of a table: 2 steps a round, each of a draw and a table. */
static void split(uint64_t budget, const tacit_cocluster_opts *opts, uint64_t *draw,
                  uint64_t *table)
{
    const double step = (1 - opts->labels_share) / (2.0 * rounds_of(opts));

    *draw = tac_share(budget, step * LABELS);
    *table = tac_share(budget, step * (1 - LABELS));
}

static tacit_status open_work(const tac_cocluster_job *job, work *w)
{
    tacit_status status = TACIT_OK;
    const size_t cells = (size_t)job->k * (size_t)job->l;

    *w = (work){.job = job, .k = job->k, .l = job->l};
    split(tac_door_left(job->door), job->opts, &w->draw, &w->table_quanta);
    TAC_TRY(tac_new(job->ctx, (size_t)job->rows + 1, sizeof *w->row_label, &w->row_label));
    TAC_TRY(tac_new(job->ctx, (size_t)job->columns + 1, sizeof *w->column_label, &w->column_label));
    TAC_TRY(tac_new(job->ctx, cells, sizeof *w->table, &w->table));
    TAC_TRY(tac_new(job->ctx, cells, sizeof *w->turned, &w->turned));
    TAC_TRY(tac_new(job->ctx, cells, sizeof *w->scores, &w->scores));
    TAC_TRY(tac_new(job->ctx, cells, sizeof *w->whole, &w->whole));
    TAC_TRY(tac_new(job->ctx, cells, sizeof *w->answer, &w->answer));
done:
    return status;
}

static void close_work(work *w)
{
    tac_free(w->row_label);
    tac_free(w->column_label);
    tac_free(w->table);
    tac_free(w->turned);
    tac_free(w->scores);
    tac_free(w->whole);
    tac_free(w->answer);
}

/* RandomMatrix: R(0), a balanced random partition of the rows, and blocks of ones: row cluster i
   and column cluster j share one if i = j counted round the shorter side. Only R(0) and which
   blocks are ones matter for the first draw. The paper also flips 1 % of M's entries: that moves
   all prototypes alike but for a chance of the order of 1 in 100 root of the rows, and M would have
   to exist. */
static void begin(work *w)
{
    const tac_cocluster_job *job = w->job;

    tac_entry_deal(job->random, job->rows, w->k, w->row_label);
    for (int32_t a = 0; a < w->k; a++)
        for (int32_t b = 0; b < w->l; b++)
            w->table[a * w->l + b] = w->k <= w->l ? a == b % w->k : b == a % w->l;
}

/* Algorithm 3: every row, or every column, draws its cluster. */
static tacit_status draw(work *w, bool columns)
{
    tacit_status status = TACIT_OK;
    const int32_t k = w->k, l = w->l;
    const tac_draw_labels query = {.columns = columns,
                                   .batch = -1,
                                   .other_label = columns ? w->row_label : w->column_label,
                                   .others = columns ? k : l,
                                   .score = w->whole,
                                   .clusters = columns ? l : k};

    for (int32_t a = 0; a < k; a++)
        for (int32_t b = 0; b < l; b++) w->turned[b * k + a] = w->table[a * l + b];
    tac_tau_scores(columns ? w->turned : w->table, query.clusters, query.others, w->scores);
    tac_entry_scores(w->scores, (size_t)k * (size_t)l, w->whole);
    TAC_TRY(tac_door_labels(w->job->door,
                            columns ? "clusters of the columns" : "clusters of the rows", w->draw,
                            &query, columns ? w->column_label : w->row_label));
done:
    return status;
}

/* Algorithm 2: the noisy table, cut at 0. A row cluster with nothing left is deleted; its rows get
   label -1, which keeps R and T consistent: they add nothing to the next columns' scores nor to the
   next table, until the next draw of rows gives them a cluster that is left. If all are empty the
   first one stays. Column clusters are not deleted (the paper deletes rows of T only): an empty one
   scores 0 everywhere and may find columns again. */
static tacit_status ask_table(work *w)
{
    tacit_status status = TACIT_OK;
    const tac_cocluster_job *job = w->job;
    const tac_table query = {.batch = -1,
                             .row_label = w->row_label,
                             .column_label = w->column_label,
                             .k = w->k,
                             .l = w->l};
    const size_t l = (size_t)w->l;
    int32_t *name = NULL, left = 0;

    TAC_TRY(tac_new(job->ctx, (size_t)w->k, sizeof *name, &name));
    TAC_TRY(tac_door_table(job->door, "table of the clusters", w->table_quanta, &query, w->answer));
    for (int32_t a = 0; a < w->k; a++) {
        double sum = 0;
        for (size_t b = 0; b < l; b++) {
            const int64_t t = w->answer[(size_t)a * l + b];
            sum += w->table[(size_t)left * l + b] = t > 0 ? ldexp((double)t, -TAC_COUNT_GRID) : 0;
        }
        name[a] = sum > 0 ? left++ : -1;
    }
    if (left == 0) {
        memset(w->table, 0, l * sizeof *w->table);
        name[left++] = 0;
    }
    for (int64_t i = 0; i < job->rows && left < w->k; i++)
        if (w->row_label[i] >= 0) w->row_label[i] = name[w->row_label[i]];
    w->k = left;
done:
    tac_free(name);
    return status;
}

/* The last table as it is, column clusters as drawn, and the rule of tau scores. */
static tacit_status write_result(const work *w, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_cocluster_job *job = w->job;
    const size_t columns = (size_t)job->columns, cells = (size_t)w->k * (size_t)w->l;

    TAC_TRY(tac_cocluster_result_new(job->ctx, w->k, w->l, false, job->columns, out));
    TAC_TRY(tac_cocluster_rule_new(job->ctx, job->columns, w->l, w->k, out));
    out->table_sd = ldexp(tac_last_sd(job->door), -TAC_COUNT_GRID);
    memcpy(out->column_cluster, w->column_label, columns * sizeof *out->column_cluster);
    memcpy(out->table, w->table, cells * sizeof *out->table);
    memcpy(out->rule.group, w->column_label, columns * sizeof *out->rule.group);
    tac_tau_scores(out->table, w->k, w->l, out->rule.score);
    if (w->k < job->k)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "%d of %d row clusters are left: in the noisy table the others had "
                         "nothing",
                         w->k, job->k));
done:
    return status;
}

/* Each round: columns draw, table, rows draw, table. Labels of rows are drawn last, if paid for. */
tacit_status tac_cocluster_taucc(const tac_cocluster_job *job, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t rounds = rounds_of(job->opts);
    const uint64_t labels = tac_share(tac_door_left(job->door), job->opts->labels_share);
    work w;

    TAC_TRY(open_work(job, &w));
    begin(&w);
    for (int32_t t = 0; t < rounds; t++) {
        tac_show_progress(job->ctx, "clustering columns and rows in turn", (double)t / rounds);
        TAC_TRY(draw(&w, true));
        TAC_TRY(ask_table(&w));
        TAC_TRY(draw(&w, false));
        TAC_TRY(ask_table(&w));
    }
    tac_show_progress(job->ctx, "clustering columns and rows in turn", 1);
    TAC_TRY(write_result(&w, out));
    out->rounds = rounds;
    if (labels > 0) TAC_TRY(tac_entry_labels(job, labels, NULL, out));
done:
    close_work(&w);
    return status;
}
