/* SPDX-License-Identifier: Apache-2.0 */
/* auto for single entries. Rows are dealt into disjoint batches. Batch by batch, rows draw one
   of a few profiles by the exponential mechanism, and a noisy table counts every column in every
   profile. An entry lies in one cell of it, so the whole table of profiles x columns costs as
   much as one number. Its shrunken deviations are the scores by which the rows of the next batch
   draw. An entry lies in one batch, so batches compose in parallel. In the end profiles are
   joined to clusters. */
#include "cluster/cocluster/entry_labels.h"
#include "cluster/cocluster/auto/entry/profiles.h"
#include "cluster/cocluster/auto/entry/entry_shares.h"

#include "solve/cocluster/merge_tables.h"

#include <math.h>
#include <string.h>

#define EVEN 1.5  /* how evenly profiles draw rows in the first step */
#define CLEAR 3.0 /* standard deviations from which on a column stands out */

typedef struct work {
    const tac_cocluster_job *job;
    tac_entry_schedule plan;
    tac_profiles profiles;
    int32_t *batch, *label; /* rows */
    /* columns: 0, 1, 2, ...; the profile a column stands out in, later its cluster */
    int32_t *place, *group;
    int32_t *whole;                  /* scores of a draw */
    int64_t *answer;                 /* profiles x columns */
    int32_t groups;                  /* kinds of columns */
    double *fine;                    /* profiles x groups: the table before anything is joined */
    double fine_sd, times;           /* times: from the last batch to all rows */
    int32_t *row_join, *column_join; /* profiles, groups: their clusters */
} work;

/* Memory and schedule of a run. `whole` and `answer` hold p x columns numbers, or p x p if that
   is more. */
static tacit_status open_work(const tac_cocluster_job *job, work *w)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)job->columns, rows = (size_t)job->rows;

    *w = (work){.job = job};
    w->plan = tac_entry_plan_steps(job->opts, job->epsilon, job->delta, tac_door_left(job->door),
                                   job->rows, job->k, job->l);
    const size_t p = (size_t)w->plan.profiles;
    TAC_TRY(tac_profiles_open(job->ctx, w->plan.profiles, job->columns, &w->profiles));
    TAC_TRY(tac_new(job->ctx, rows + 1, sizeof *w->batch, &w->batch));
    TAC_TRY(tac_new(job->ctx, rows + 1, sizeof *w->label, &w->label));
    TAC_TRY(tac_new(job->ctx, columns, sizeof *w->place, &w->place));
    TAC_TRY(tac_new(job->ctx, columns, sizeof *w->group, &w->group));
    TAC_TRY(tac_new(job->ctx, p * (columns > p ? columns : p), sizeof *w->whole, &w->whole));
    TAC_TRY(tac_new(job->ctx, p * (columns > p ? columns : p), sizeof *w->answer, &w->answer));
    TAC_TRY(tac_new(job->ctx, p * p, sizeof *w->fine, &w->fine));
    TAC_TRY(tac_new(job->ctx, p, sizeof *w->row_join, &w->row_join));
    TAC_TRY(tac_new(job->ctx, p, sizeof *w->column_join, &w->column_join));
    for (int32_t j = 0; j < job->columns; j++) w->place[j] = j;
done:
    return status;
}

static void close_work(work *w)
{
    tac_profiles_close(&w->profiles);
    tac_free(w->batch);
    tac_free(w->label);
    tac_free(w->place);
    tac_free(w->group);
    tac_free(w->whole);
    tac_free(w->answer);
    tac_free(w->fine);
    tac_free(w->row_join);
    tac_free(w->column_join);
}

/* Deals rows into batches and columns into p random groups. The first rows draw by how much of a
   row lies in each group: nothing is known of the columns yet. */
static tacit_status begin(work *w)
{
    tacit_status status = TACIT_OK;
    const int32_t p = w->plan.profiles;

    tac_entry_deal(w->job->random, w->job->rows, w->plan.batches, w->batch);
    TAC_TRY(tac_door_batches(w->job->door, w->batch, w->plan.batches));
    tac_entry_deal(w->job->random, w->job->columns, p, w->group);
    for (int32_t a = 0; a < p; a++)
        for (int32_t b = 0; b < p; b++) w->whole[a * p + b] = a == b ? TAC_SCORE_MOST : 0;
done:
    return status;
}

/* One step: the rows of a batch draw their profiles, and the columns of each are counted. */
static tacit_status step(work *w, int32_t t)
{
    tacit_status status = TACIT_OK;
    const tac_cocluster_job *job = w->job;
    const int32_t p = w->plan.profiles, batch = t % w->plan.batches,
                  steps = w->plan.batches * w->plan.passes;
    const bool first = t == 0, last = t == steps - 1;
    const tac_draw_labels draw = {.batch = batch,
                                  .other_label = first ? w->group : w->place,
                                  .others = first ? p : job->columns,
                                  .score = w->whole,
                                  .clusters = p};
    const tac_table wide = {
        .batch = batch, .row_label = w->label, .column_label = w->place, .k = p, .l = job->columns};

    TAC_TRY(tac_door_labels(job->door, "profiles of a batch's rows",
                            last ? w->plan.last_draw : w->plan.draw, &draw, w->label));
    TAC_TRY(tac_door_table(job->door, "columns of the profiles",
                           last ? w->plan.last_wide : w->plan.wide, &wide, w->answer));
    tac_profiles_add(&w->profiles, w->answer, ldexp(tac_last_sd(job->door), -TAC_COUNT_GRID),
                     tac_entry_keep(t, steps));
    /* First every profile must find rows; the last scores are the rule, and tau's. */
    tac_profiles_score(&w->profiles, last ? 0 : EVEN * (1 - (double)t / (steps - 1)));
    tac_profiles_cut(&w->profiles, w->whole);
done:
    return status;
}

/* Renumbers the groups 0, 1, ... without gaps; returns how many there are. name: room for
   `most`. */
static int32_t close_gaps(int32_t *group, int32_t columns, int32_t *name, int32_t most)
{
    int32_t left = 0;

    memset(name, 0, (size_t)most * sizeof *name);
    for (int32_t j = 0; j < columns; j++) name[group[j]] = 1;
    for (int32_t a = 0; a < most; a++)
        if (name[a]) name[a] = left++;
    for (int32_t j = 0; j < columns; j++) group[j] = name[group[j]];
    return left;
}

/* Asks for the table of profiles x groups of columns in the last batch, scales it to all rows,
   and joins its rows to k and its columns to l clusters. */
static tacit_status join(work *w)
{
    tacit_status status = TACIT_OK;
    const tac_cocluster_job *job = w->job;
    const int32_t p = w->plan.profiles, g = w->groups, last = w->plan.batches - 1;
    const tac_table query = {
        .batch = last, .row_label = w->label, .column_label = w->group, .k = p, .l = g};
    const size_t cells = (size_t)p * (size_t)g;
    double *seen = NULL, *turned = NULL;
    int64_t in_last = 0;

    TAC_TRY(tac_new(job->ctx, cells, sizeof *seen, &seen));
    TAC_TRY(tac_new(job->ctx, cells, sizeof *turned, &turned));
    TAC_TRY(tac_door_table(job->door, "table of the profiles", w->plan.table, &query, w->answer));
    for (int64_t i = 0; i < job->rows; i++) in_last += w->batch[i] == last;
    w->times = in_last > 0 ? (double)job->rows / (double)in_last : 1;
    w->fine_sd = ldexp(tac_last_sd(job->door), -TAC_COUNT_GRID) * w->times;
    for (size_t e = 0; e < cells; e++) {
        w->fine[e] = ldexp((double)w->answer[e], -TAC_COUNT_GRID) * w->times;
        seen[e] = fmax(w->fine[e], 0);
        turned[e % (size_t)g * (size_t)p + e / (size_t)g] = seen[e];
    }
    TAC_TRY(tac_merge_rows(job->ctx, seen, p, g, job->k, w->row_join));
    TAC_TRY(tac_merge_rows(job->ctx, turned, g, p, job->l, w->column_join));
done:
    tac_free(seen);
    tac_free(turned);
    return status;
}

/* The number of members of the largest cluster in `join`. */
static int32_t largest(const int32_t *join, int32_t count)
{
    int32_t most = 0;

    for (int32_t a = 0; a < count; a++) {
        int32_t same = 0;
        for (int32_t b = 0; b < count; b++) same += join[b] == join[a];
        most = same > most ? same : most;
    }
    return most;
}

/* The result: clusters, table, rule, notes; all post-processing. Noise of a joined cell: fine_sd
   times the root of the number of fine cells in it, bounded by the largest clusters. */
static tacit_status write_result(const work *w, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_cocluster_job *job = w->job;
    const int32_t p = w->plan.profiles, g = w->groups, k = job->k < p ? job->k : p,
                  l = job->l < g ? job->l : g;
    int32_t clear = 0;

    TAC_TRY(tac_cocluster_result_new(job->ctx, k, l, false, job->columns, out));
    TAC_TRY(tac_cocluster_rule_new(job->ctx, job->columns, job->columns, p, out));
    TAC_TRY(tac_new(job->ctx, (size_t)job->columns, sizeof *out->column_z, &out->column_z));
    tac_profiles_columns(&w->profiles, out->column_cluster, out->column_z);
    for (int32_t j = 0; j < job->columns; j++) {
        out->column_cluster[j] = w->column_join[w->group[j]];
        clear += out->column_z[j] > CLEAR;
    }
    for (int32_t a = 0; a < p; a++)
        for (int32_t b = 0; b < g; b++)
            out->table[w->row_join[a] * l + w->column_join[b]] += w->fine[a * g + b];
    out->table_sd = w->fine_sd * sqrt((double)largest(w->row_join, p) * largest(w->column_join, g));
    memcpy(out->rule.group, w->place, (size_t)job->columns * sizeof *out->rule.group);
    memcpy(out->rule.score, w->profiles.score,
           (size_t)p * (size_t)job->columns * sizeof *out->rule.score);
    memcpy(out->rule.cluster, w->row_join, (size_t)p * sizeof *out->rule.cluster);
    TAC_TRY(tac_note(job->ctx, &out->notes,
                     "%d of %d columns occur more often in one of %d profiles than noise explains "
                     "(%g standard deviations); clusters of the others are guesses",
                     clear, job->columns, p, CLEAR));
    if (w->times > 1)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "the table was counted in a random part of the rows and is multiplied by "
                         "%.4g to stand for all",
                         w->times));
    if (l < job->l)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "%d column clusters of %d: with %d row clusters no more kinds of columns "
                         "were told apart",
                         l, job->l, job->k));
done:
    return status;
}

/* Queries per step: a draw and a table, in one batch each; then a table of groups, and labels if
   paid for. */
tacit_status tac_cocluster_entry(const tac_cocluster_job *job, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    work w;

    TAC_TRY(open_work(job, &w));
    TAC_TRY(begin(&w));
    const int32_t steps = w.plan.batches * w.plan.passes;
    for (int32_t t = 0; t < steps; t++) {
        tac_show_progress(job->ctx, "finding the profiles of rows", (double)t / steps);
        TAC_TRY(step(&w, t));
    }
    tac_show_progress(job->ctx, "finding the profiles of rows", 1);
    double *z = w.profiles.scratch; /* not used here: write_result asks again */
    tac_profiles_columns(&w.profiles, w.group, z);
    w.groups = close_gaps(w.group, job->columns, w.column_join, w.plan.profiles);
    TAC_TRY(join(&w));
    TAC_TRY(write_result(&w, out));
    out->rounds = steps;
    if (w.plan.labels > 0) TAC_TRY(tac_entry_labels(job, w.plan.labels, w.whole, out));
done:
    close_work(&w);
    return status;
}
