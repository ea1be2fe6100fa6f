/* SPDX-License-Identifier: Apache-2.0 */
/* From the last table to the result: clusters of columns (free), the table of people (the last
   query), the rule, and notes for the reader. */
#include "cluster/cocluster/auto/rows/auto_rows.h"

#include "solve/cocluster/column_clusters.h"

#include <math.h>

enum { STARTS = 10, TURNS = 50 };

/* Post-processing of all tables. Columns whose z is too small go to the rest; *placed: how
   many do not. */
static tacit_status cluster_columns(tac_rows_walk *w, tac_cocluster_result *out, int32_t *placed)
{
    tacit_status status = TACIT_OK;
    const tac_column_opts opts = {.l = w->l,
                                  .starts = STARTS,
                                  .iterations = TURNS,
                                  .posterior = &w->contrasts,
                                  .unit = w->weight,
                                  .seed = w->seed};
    const size_t cells = (size_t)w->k * (size_t)w->kept;
    int32_t *cluster = NULL;
    double *z = NULL, *masses = NULL; /* the shrunk table in units of mass */

    *placed = 0;
    TAC_TRY(tac_new(w->ctx, (size_t)w->kept, sizeof *cluster, &cluster));
    TAC_TRY(tac_new(w->ctx, (size_t)w->kept, sizeof *z, &z));
    TAC_TRY(tac_new(w->ctx, (size_t)w->job->columns, sizeof *out->column_z, &out->column_z));
    TAC_TRY(tac_new(w->ctx, cells, sizeof *masses, &masses));
    if (w->contrasts.table == NULL)
        TAC_TRY(tac_contrasts_find(w->ctx, w->whole, w->k, w->kept, w->left, &w->contrasts));
    for (size_t e = 0; e < cells; e++)
        masses[e] = w->contrasts.table[e] / w->weight[e % (size_t)w->kept];
    TAC_TRY(tac_column_clusters(w->ctx, masses, w->k, w->kept, &opts, cluster, z));
    for (int32_t j = 0; j < w->job->columns; j++) {
        out->column_cluster[j] = w->l;
        out->column_z[j] = NAN;
    }
    for (int32_t g = 0; g < w->kept; g++) {
        const int32_t j = w->column[g];
        out->column_z[j] = z[g];
        if (!(z[g] >= w->job->opts->least_z)) continue;
        out->column_cluster[j] = cluster[g];
        ++*placed;
    }
done:
    tac_free(cluster);
    tac_free(z);
    tac_free(masses);
    return status;
}

/* Every row splits a weight of 1 over the column clusters in proportion to its counts, so the
   sensitivity of the whole table is that of one number. Spends all that is left. */
static tacit_status ask_people(tac_rows_walk *w, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)w->k, wide = (size_t)w->l + 1;
    const uint32_t weight = tac_rows_count_weight(w->rules.pure, TAC_ROWS_COUNTED_PEOPLE);
    const tac_view other = w->labelled == TAC_ROWS ? TAC_PROJECTED : TAC_ROWS;
    const tac_weighing split = {.value = TAC_COUNT,
                                .group = out->column_cluster,
                                .dims = (int32_t)wide,
                                .taxicab = true,
                                .dense = true};
    const tac_cells cells = {.kind = TAC_ARGMAX,
                             .view = w->labelled,
                             .count = w->k,
                             .centers = w->center,
                             .offset = w->offset};
    tac_frame frame = {0};
    int64_t *sums = NULL, *counts = NULL;

    TAC_TRY(tac_new(w->ctx, k * wide, sizeof *sums, &sums));
    TAC_TRY(tac_new(w->ctx, k, sizeof *counts, &counts));
    TAC_TRY(tac_frame_weigh(w->ctx, w->job->columns, &split, &frame));
    TAC_TRY(tac_run_set_frame(w->job->run, other, &frame));
    TAC_TRY(tac_door_sums(w->door, "rows by both clusters", tac_door_left(w->door), &cells, other,
                          weight, sums, counts));
    out->table_sd = tac_last_sd(w->door) / TAC_M;
    out->sizes_sd = tac_last_sd(w->door) / weight;
    for (size_t e = 0; e < k * wide; e++) out->table[e] = (double)sums[e] / TAC_M;
    for (size_t a = 0; a < k; a++) out->sizes[a] = (double)counts[a] / weight;
    out->in_rows = true;
done:
    tac_free(sums);
    tac_free(counts);
    return status;
}

/* The rule that labels any row as the door's cells did: the same integers, as fractions. */
static tacit_status write_rule(const tac_rows_walk *w, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)w->k, kept = (size_t)w->kept;

    TAC_TRY(tac_cocluster_rule_new(w->ctx, w->job->columns, w->kept, w->k, out));
    out->rule.logarithm = out->rule.unit = true;
    for (int32_t j = 0; j < w->job->columns; j++) out->rule.weight[j] = 0;
    for (size_t g = 0; g < kept; g++) {
        out->rule.weight[w->column[g]] = ldexp(w->fixed[w->column[g]], -16);
        out->rule.group[w->column[g]] = (int32_t)g;
    }
    for (size_t e = 0; e < k * kept; e++) out->rule.score[e] = (double)w->center[e] / TAC_M;
    for (size_t a = 0; a < k; a++)
        out->rule.offset[a] = (double)w->offset[a] / ((double)TAC_M * TAC_M);
done:
    return status;
}

/* What the choice of K says, and what it does not. */
static tacit_status note_choice(const tac_rows_walk *w, tac_cocluster_result *out)
{
    if (w->out.wide < 2)
        return tac_note(w->ctx, &out->notes,
                        "no groups of rows stand out of the noise, so %d were made, the fewest "
                        "that auto makes; more rows or a larger epsilon show more, or give the "
                        "numbers of clusters yourself if you know them",
                        w->k);
    return tac_note(w->ctx, &out->notes,
                    "at least %d groups of rows stand out of the noise, so %d were made; there may "
                    "be more: if you know their number, or want finer clusters, give the numbers "
                    "of clusters yourself",
                    w->out.wide, w->k);
}

/* Notes for the reader, from released numbers. */
static tacit_status add_notes(const tac_rows_walk *w, int32_t placed, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(w->door);
    const double whole =
        tac_noise_sd(tac_door_distribution(w->door), tac_quote_sums(&params, 1, 1, w->budget)) /
        TAC_M;
    const double needed = (w->rules.pure ? TAC_ROWS_HOPELESS_PURE : TAC_ROWS_HOPELESS) * whole;

    if (w->rows < needed)
        TAC_TRY(tac_note(w->ctx, &out->notes,
                         "so few rows at this epsilon are lost in noise: expect clusters of rows "
                         "that are little better than random; about %.0f times the rows, or the "
                         "epsilon, would do",
                         ceil(TAC_ROWS_USABLE * needed / w->rows)));
    if (w->job->k == 0)
        TAC_TRY(note_choice(w, out));
    else
        TAC_TRY(tac_note_standing_out(w->ctx, &w->out, w->k, &out->notes));
    if (w->k < w->job->k)
        TAC_TRY(tac_note(w->ctx, &out->notes,
                         "there are too few columns for %d clusters of rows; %d were made",
                         w->job->k, w->k));
    if (placed < w->job->columns)
        TAC_TRY(tac_note(w->ctx, &out->notes,
                         "%d of the %d columns stand out of the noise; %d %s a cluster that "
                         "leads the next best clearly enough (z of at least %g), all others are "
                         "in the rest",
                         w->seen, w->job->columns, placed, placed == 1 ? "has" : "have",
                         w->job->opts->least_z));
    if (w->rules.pure)
        TAC_TRY(tac_note(w->ctx, &out->notes,
                         "delta is 0: pure privacy of whole rows is weak, rows are cut to %d "
                         "entries and the start is random; a small delta, for example 1e-6, "
                         "usually gives far better clusters",
                         w->rules.most));
done:
    return status;
}

tacit_status tac_rows_finish(tac_rows_walk *w, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    int32_t placed;

    TAC_TRY(tac_cocluster_result_new(w->ctx, w->k, w->l, true, w->job->columns, out));
    TAC_TRY(cluster_columns(w, out, &placed));
    TAC_TRY(ask_people(w, out));
    TAC_TRY(write_rule(w, out));
    out->rounds = w->rules.tables;
    TAC_TRY(add_notes(w, placed, out));
done:
    return status;
}
