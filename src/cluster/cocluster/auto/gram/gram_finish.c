/* SPDX-License-Identifier: Apache-2.0 */
/* From the Gram matrix to the result: clusters of columns, an estimate of the table, the rule.
   All of it is post-processing but the labels of rows, which are drawn behind the door. */
#include "cluster/cocluster/auto/gram/auto_gram.h"

#include "solve/cocluster/column_clusters.h"

#include <math.h>

enum { STARTS = 10, TURNS = 50 };

/* What the rows of cluster a hold of column j, by the factors: rows part_a (mean row of a)_j =
   sqrt(rows part_a) length_a direction_aj. Its noise is about that of the Gram matrix times
   sqrt(rows part_a) / length_a; the largest goes to *sd. */
static void fill_held(const tac_gram_walk *w, double *held, double *sd)
{
    const size_t q = (size_t)w->kept;
    const tac_factors *f = &w->factors;
    const double rows = fmax((double)w->job->rows, 1);

    *sd = w->gram_sd;
    for (size_t a = 0; a < (size_t)f->k; a++) {
        const double root = sqrt(rows * f->part[a]);
        if (f->length[a] > 0) *sd = fmax(*sd, w->gram_sd * root / f->length[a]);
        for (size_t j = 0; j < q; j++)
            held[a * q + j] = root * f->length[a] * f->direction[a * q + j];
    }
}

/* The noisy mass of every column, split over row clusters in proportion to `held` (columns that
   are not kept: to the parts), then scaled to the number of rows, which is public. */
static void estimate_table(const tac_gram_walk *w, const double *held, tac_cocluster_result *out)
{
    const tac_factors *f = &w->factors;
    const size_t k = (size_t)f->k, q = (size_t)w->kept, l = (size_t)w->job->l, wide = l + 1;
    double all = 0, rest = 0;

    for (int32_t j = 0; j < w->job->columns; j++)
        rest += out->column_cluster[j] == w->job->l ? w->mass[j] : 0;
    for (size_t a = 0; a < k; a++) out->table[a * wide + l] = fmax(rest, 0) * f->part[a];
    for (size_t g = 0; g < q; g++) {
        const double mass = fmax(w->mass[w->column[g]], 0);
        const size_t to = (size_t)out->column_cluster[w->column[g]];
        double sum = 0;
        if (to == l) continue;
        for (size_t a = 0; a < k; a++) sum += fmax(held[a * q + g], 0);
        for (size_t a = 0; a < k; a++)
            out->table[a * wide + to] +=
                mass * (sum > 0 ? fmax(held[a * q + g], 0) / sum : f->part[a]);
    }
    for (size_t e = 0; e < k * wide; e++) all += out->table[e];
    for (size_t e = 0; e < k * wide && all > 0; e++) out->table[e] *= (double)w->job->rows / all;
    out->in_rows = true;
}

/* Column clusters from `held`; columns that are not kept go to the rest, cluster l, without a z. */
static tacit_status cluster_columns(const tac_gram_walk *w, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t q = (size_t)w->kept;
    tac_column_opts opts = {.l = w->job->l, .starts = STARTS, .iterations = TURNS, .seed = w->seed};
    double *held = NULL, *z = NULL;
    int32_t *cluster = NULL;

    TAC_TRY(tac_new(w->ctx, (size_t)w->factors.k * q, sizeof *held, &held));
    TAC_TRY(tac_new(w->ctx, q, sizeof *z, &z));
    TAC_TRY(tac_new(w->ctx, q, sizeof *cluster, &cluster));
    TAC_TRY(tac_new(w->ctx, (size_t)w->job->columns, sizeof *out->column_z, &out->column_z));
    fill_held(w, held, &opts.sd);
    TAC_TRY(tac_column_clusters(w->ctx, held, w->factors.k, w->kept, &opts, cluster, z));
    for (int32_t j = 0; j < w->job->columns; j++) {
        out->column_cluster[j] = w->job->l;
        out->column_z[j] = NAN;
    }
    for (size_t g = 0; g < q; g++) {
        out->column_cluster[w->column[g]] = cluster[g];
        out->column_z[w->column[g]] = z[g];
    }
    estimate_table(w, held, out);
done:
    tac_free(held);
    tac_free(z);
    tac_free(cluster);
    return status;
}

/* The rule: argmax_a <direction_a, row> + offset_a of the unit row. Its length does not matter. */
static tacit_status write_rule(const tac_gram_walk *w, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_factors *f = &w->factors;

    TAC_TRY(tac_cocluster_rule_new(w->ctx, w->job->columns, w->kept, f->k, out));
    out->rule.logarithm = out->rule.unit = true;
    for (int32_t j = 0; j < w->job->columns; j++) out->rule.weight[j] = ldexp(w->fixed[j], -16);
    for (int32_t g = 0; g < w->kept; g++) out->rule.group[w->column[g]] = g;
    for (size_t e = 0; e < (size_t)f->k * (size_t)w->kept; e++)
        out->rule.score[e] = f->direction[e];
    for (int32_t a = 0; a < f->k; a++) out->rule.offset[a] = f->offset[a];
done:
    return status;
}

/* One draw of a label for every row. A column votes for a label by how much its direction
   exceeds that of the mean row. Votes are scaled to the mean range and cut there, so that all
   columns vote in about one range. */
static tacit_status draw_labels(const tac_gram_walk *w, uint64_t quanta, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_factors *f = &w->factors;
    const size_t k = (size_t)f->k, q = (size_t)w->kept;
    double *vote = NULL;
    int32_t *score = NULL, *other = NULL;
    double usual = 0;

    TAC_TRY(tac_new(w->ctx, k * q, sizeof *vote, &vote));
    TAC_TRY(tac_new(w->ctx, k * q, sizeof *score, &score));
    TAC_TRY(tac_new(w->ctx, (size_t)w->job->columns, sizeof *other, &other));
    TAC_TRY(tac_new(w->ctx, (size_t)w->job->rows + 1, sizeof *out->labels, &out->labels));
    for (int32_t j = 0; j < w->job->columns; j++) other[j] = -1;
    for (size_t g = 0; g < q; g++) {
        double sum = 0, low = INFINITY, high = -INFINITY;
        other[w->column[g]] = (int32_t)g;
        for (size_t a = 0; a < k; a++) sum += fmax(f->direction[a * q + g], 0);
        for (size_t a = 0; a < k; a++) {
            const double v = vote[a * q + g] =
                sum > 0 ? fmax(f->direction[a * q + g], 0) / sum - f->part[a] : 0;
            low = fmin(low, v);
            high = fmax(high, v);
        }
        usual += (high - low) / (double)q;
        for (size_t a = 0; a < k; a++) vote[a * q + g] -= low;
    }
    for (size_t e = 0; e < k * q && usual > 0; e++)
        score[e] = (int32_t)lrint(fmin(vote[e] / usual, 1) * TAC_SCORE_MOST);
    TAC_TRY(tac_door_labels(
        w->door, "labels of the rows", quanta,
        &(tac_draw_labels){
            .batch = -1, .other_label = other, .others = w->kept, .score = score, .clusters = f->k},
        out->labels));
done:
    tac_free(vote);
    tac_free(score);
    tac_free(other);
    return status;
}

/* Notes for the reader, from released values. */
static tacit_status add_notes(const tac_gram_walk *w, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_factors *f = &w->factors;

    TAC_TRY(tac_note(w->ctx, &out->notes,
                     "epsilon is small: clusters come from one noisy Gram matrix of the %d "
                     "heaviest columns; the other columns are in the rest",
                     w->kept));
    TAC_TRY(tac_note(w->ctx, &out->notes,
                     "the table is an estimate from that matrix and the noisy mass of the columns, "
                     "scaled to the number of rows: no row was counted for it, and how far it is "
                     "off is not known"));
    TAC_TRY(tac_note_standing_out(w->ctx, &w->out, f->k, &out->notes));
    if (f->k < w->job->k)
        TAC_TRY(tac_note(w->ctx, &out->notes,
                         "there are too few columns for %d clusters of rows; %d were made",
                         w->job->k, f->k));
done:
    return status;
}

tacit_status tac_gram_finish(tac_gram_walk *w, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_cocluster_result_new(w->ctx, w->factors.k, w->job->l, true, w->job->columns, out));
    TAC_TRY(cluster_columns(w, out));
    TAC_TRY(write_rule(w, out));
    if (w->job->opts->labels_share > 0) TAC_TRY(draw_labels(w, tac_door_left(w->door), out));
    out->rounds = 1;
    TAC_TRY(add_notes(w, out));
done:
    return status;
}
