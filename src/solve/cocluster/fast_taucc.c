/* SPDX-License-Identifier: Apache-2.0 */
/* Fast-tauCC: rows to their best cluster given the columns', columns given the rows', and so on.
   One sweep over the entries a turn: while the entries of a row are loaded it finds its cluster
   and is added to the profiles of its columns, which is all that the columns need. */
#include "solve/cocluster/fast_taucc.h"
#include "solve/kmeans/kmeans_internal.h"

#include <math.h>
#include <string.h>

#define STILL 1e-9 /* a turn that gains less of tau is the last */

typedef struct solver {
    const tac_count_table *counts;
    int32_t k, l;            /* clusters now */
    int32_t most_k, most_l;  /* to begin with: room for so many */
    int32_t *row, *column;   /* labels */
    double *profile;         /* d x k: a column's counts by row cluster */
    double *table;           /* k x l */
    double *turned, *scores; /* l x k and room for the same */
    double *mass;            /* room for the larger of the two, twice */
    int32_t *name;           /* room for the larger */
} solver;

/* table_kl = sum of the profiles_k of the columns in cluster l. */
static void add_up(solver *s)
{
    const int32_t k = s->k, l = s->l;

    memset(s->table, 0, (size_t)k * (size_t)l * sizeof *s->table);
    for (int32_t j = 0; j < s->counts->d; j++)
        for (int32_t a = 0; a < k; a++)
            s->table[a * l + s->column[j]] += s->profile[(size_t)j * (size_t)k + (size_t)a];
}

/* New names, without gaps, for clusters that some item is in; the others keep their order. name[c]
   = -1: nobody is. Returns how many are left, at least 1. */
static int32_t rename_clusters(int32_t *label, int64_t items, int32_t clusters, int32_t *name)
{
    int32_t left = 0;

    for (int32_t c = 0; c < clusters; c++) name[c] = -1;
    for (int64_t i = 0; i < items; i++) name[label[i]] = 0;
    for (int32_t c = 0; c < clusters; c++)
        if (name[c] == 0) name[c] = left++;
    for (int64_t i = 0; i < items; i++) label[i] = name[label[i]];
    return left > 0 ? left : 1;
}

/* Row clusters that nobody is in go, from the profiles too: their numbers there are 0. */
static void close_row_gaps(solver *s)
{
    const size_t was = (size_t)s->k;

    s->k = rename_clusters(s->row, s->counts->n, s->k, s->name);
    if ((size_t)s->k == was) return;
    /* to the front, so that nothing is overwritten that is still to be read */
    for (int32_t j = 0; j < s->counts->d; j++)
        for (size_t a = 0; a < was; a++)
            if (s->name[a] >= 0)
                s->profile[(size_t)j * (size_t)s->k + (size_t)s->name[a]] =
                    s->profile[(size_t)j * was + a];
}

/* argmax_a sum_b v_b score_ab, ties to the lowest. */
static int32_t best_of(const double *v, const double *scores, int32_t clusters, int32_t wide)
{
    double best = -INFINITY;
    int32_t at = 0;

    for (int32_t a = 0; a < clusters; a++) {
        double score = 0;
        for (int32_t b = 0; b < wide; b++) score += v[b] * scores[a * wide + b];
        if (score > best) {
            best = score;
            at = a;
        }
    }
    return at;
}

/* The sweep. find: every row to its best cluster by the scores, rows without entries to 0;
   otherwise labels stay. Then the profiles. */
static void sweep(solver *s, bool find)
{
    const tac_count_table *a = s->counts;
    const size_t k = (size_t)s->k;
    /* two, so that an addition seldom waits for the one before */
    double *even = s->mass, *odd = s->mass + s->most_l;

    memset(s->profile, 0, (size_t)a->d * k * sizeof *s->profile);
    for (int64_t i = 0; i < a->n; i++) {
        const int64_t from = a->start[i], to = a->start[i + 1];
        if (find && from == to) s->row[i] = 0;
        if (find && from < to) {
            memset(even, 0, 2 * (size_t)s->most_l * sizeof *even);
            int64_t e = from;
            for (; e + 1 < to; e += 2) {
                even[s->column[a->column[e]]] += a->count[e];
                odd[s->column[a->column[e + 1]]] += a->count[e + 1];
            }
            if (e < to) even[s->column[a->column[e]]] += a->count[e];
            for (int32_t b = 0; b < s->l; b++) even[b] += odd[b];
            s->row[i] = best_of(even, s->scores, s->k, s->l);
        }
        double *const mine = s->profile + s->row[i];
        for (int64_t e = from; e < to; e++) mine[(size_t)a->column[e] * k] += a->count[e];
    }
}

/* Every column to its best cluster, empty ones to 0. */
static void assign_columns(solver *s)
{
    const int32_t k = s->k, l = s->l;

    for (int32_t a = 0; a < k; a++)
        for (int32_t b = 0; b < l; b++) s->turned[b * k + a] = s->table[a * l + b];
    tac_tau_scores(s->turned, l, k, s->scores);
    for (int32_t j = 0; j < s->counts->d; j++) {
        const double *profile = s->profile + (size_t)j * (size_t)k;
        double mass = 0;
        for (int32_t a = 0; a < k; a++) mass += profile[a];
        s->column[j] = mass > 0 ? best_of(profile, s->scores, l, k) : 0;
    }
    s->l = rename_clusters(s->column, s->counts->d, l, s->name);
}

/* Column j joins the row cluster in which it is most over-represented, folded into the number of
   column clusters. */
static void begin_columns(solver *s)
{
    const int32_t k = s->k;
    double *whole = s->mass, all = 0;

    memset(whole, 0, (size_t)k * sizeof *whole);
    for (int32_t j = 0; j < s->counts->d; j++)
        for (int32_t a = 0; a < k; a++) whole[a] += s->profile[(size_t)j * (size_t)k + (size_t)a];
    for (int32_t a = 0; a < k; a++) all += whole[a];
    for (int32_t j = 0; j < s->counts->d; j++) {
        const double *profile = s->profile + (size_t)j * (size_t)k;
        double mass = 0, best = -INFINITY;
        s->column[j] = 0;
        for (int32_t a = 0; a < k; a++) mass += profile[a];
        for (int32_t a = 0; a < k && mass > 0; a++)
            if (profile[a] - mass * whole[a] / all > best) {
                best = profile[a] - mass * whole[a] / all;
                s->column[j] = a % s->most_l;
            }
    }
    s->l = rename_clusters(s->column, s->counts->d, s->most_l, s->name);
}

/* A random balanced partition of the rows, and columns to fit. */
static void begin(solver *s, uint64_t *state)
{
    const int64_t n = s->counts->n;

    s->k = s->most_k;
    for (int64_t i = 0; i < n; i++) s->row[i] = (int32_t)(i % s->k);
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t j = (int64_t)(tac_plain_random(state) % (uint64_t)(i + 1));
        const int32_t label = s->row[i];
        s->row[i] = s->row[j];
        s->row[j] = label;
    }
    sweep(s, false);
    close_row_gaps(s); /* fewer rows than clusters */
    begin_columns(s);
    add_up(s);
}

/* *tau: the sum of the two raw taus. */
static tacit_status turn_until_still(tacit_ctx *ctx, solver *s, int32_t iterations, double *tau,
                                     int64_t *sweeps)
{
    tacit_status status = TACIT_OK;

    *tau = -INFINITY;
    for (int32_t t = 0; t < iterations; t++) {
        const double before = *tau;
        TAC_TRY(tac_check_cancel(ctx));
        tac_tau_scores(s->table, s->k, s->l, s->scores);
        sweep(s, true);
        ++*sweeps;
        close_row_gaps(s);
        add_up(s);
        assign_columns(s);
        add_up(s);
        const tac_tau now = tac_tau_of(s->table, s->k, s->l);
        *tau = now.raw_rows + now.raw_columns;
        if (*tau - before < STILL) break;
    }
done:
    return status;
}

static void keep(const solver *s, int32_t *row_label, int32_t *column_label, tac_coclusters *out)
{
    memcpy(row_label, s->row, (size_t)s->counts->n * sizeof *row_label);
    memcpy(column_label, s->column, (size_t)s->counts->d * sizeof *column_label);
    memcpy(out->table, s->table, (size_t)s->k * (size_t)s->l * sizeof *out->table);
    out->rows = s->k;
    out->columns = s->l;
    out->tau = tac_tau_of(out->table, out->rows, out->columns);
}

/* The start with the largest raw tau wins, both directions added up. */
tacit_status tac_solve_taucc(tacit_ctx *ctx, const tac_count_table *counts,
                             const tac_plain_taucc *opts, int32_t *row_label, int32_t *column_label,
                             tac_coclusters *out)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)opts->rows, l = (size_t)opts->columns, most = k > l ? k : l;
    solver s = {.counts = counts, .most_k = opts->rows, .most_l = opts->columns};
    uint64_t state = opts->seed;
    double best = -INFINITY, tau;

    *out = (tac_coclusters){0};
    TAC_TRY(tac_new(ctx, (size_t)counts->n, sizeof *s.row, &s.row));
    TAC_TRY(tac_new(ctx, (size_t)counts->d, sizeof *s.column, &s.column));
    TAC_TRY(tac_new(ctx, (size_t)counts->d * k, sizeof *s.profile, &s.profile));
    TAC_TRY(tac_new(ctx, k * l, sizeof *s.table, &s.table));
    TAC_TRY(tac_new(ctx, k * l, sizeof *s.turned, &s.turned));
    TAC_TRY(tac_new(ctx, k * l, sizeof *s.scores, &s.scores));
    TAC_TRY(tac_new(ctx, k * l, sizeof *out->table, &out->table));
    TAC_TRY(tac_new(ctx, 2 * most, sizeof *s.mass, &s.mass));
    TAC_TRY(tac_new(ctx, most, sizeof *s.name, &s.name));
    for (int32_t r = 0; r < opts->restarts || r == 0; r++) {
        begin(&s, &state);
        out->sweeps++;
        TAC_TRY(turn_until_still(ctx, &s, opts->iterations, &tau, &out->sweeps));
        if (r > 0 && !(tau > best)) continue;
        best = tau;
        keep(&s, row_label, column_label, out);
    }
done:
    tac_free(s.row);
    tac_free(s.column);
    tac_free(s.profile);
    tac_free(s.table);
    tac_free(s.turned);
    tac_free(s.scores);
    tac_free(s.mass);
    tac_free(s.name);
    if (status != TACIT_OK) tac_coclusters_clear(out);
    return status;
}

void tac_coclusters_clear(tac_coclusters *c)
{
    tac_free(c->table);
    *c = (tac_coclusters){0};
}
