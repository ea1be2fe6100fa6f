/* SPDX-License-Identifier: Apache-2.0 */
/* Fast-tauCC: columns to their best cluster given the rows', rows given the columns', and so on. */
#include "solve/taucc.h"
#include "solve/kmeans_inside.h"

#include <math.h>
#include <string.h>

#define STILL 1e-9 /* a turn that gains less of tau is the last */

/* One side of the table: its items with their entries, and where they are now. */
typedef struct side {
    int64_t items;
    const int64_t *start;
    const int32_t *other;   /* of each entry: the item on the other side */
    const double *value;
    int32_t clusters;       /* now; room for `most` */
    int32_t most;
    int32_t *label;
    double *profile;        /* items x clusters of the other side */
} side;

typedef struct solver {
    side rows, columns;
    double *table, *turned, *scores; /* room for rows.most x columns.most */
    double *whole;          /* room for rows.most */
    int32_t *name;          /* room for relabelling */
} solver;

/* The entries sorted by column: counting sort, so each column's are in the order of the rows. */
static tacit_status transpose(tacit_ctx *ctx, const tac_csr *a, int64_t **start, int32_t **row, double **value)
{
    tacit_status status = TACIT_OK;
    const size_t entries = (size_t)a->start[a->n], d = (size_t)a->d;
    int64_t *at = NULL;

    TAC_TRY(tac_new(ctx, d + 1, sizeof **start, start));
    TAC_TRY(tac_new(ctx, entries + 1, sizeof **row, row));
    TAC_TRY(tac_new(ctx, entries + 1, sizeof **value, value));
    TAC_TRY(tac_new(ctx, d + 1, sizeof *at, &at));
    for (size_t e = 0; e < entries; e++) (*start)[a->column[e] + 1]++;
    for (size_t j = 0; j < d; j++) (*start)[j + 1] += (*start)[j];
    memcpy(at, *start, (d + 1) * sizeof *at);
    for (int64_t i = 0; i < a->n; i++)
        for (int64_t e = a->start[i]; e < a->start[i + 1]; e++) {
            const int64_t to = at[a->column[e]]++;
            (*row)[to] = (int32_t)i;
            (*value)[to] = a->value[e];
        }
done:
    tac_free(at);
    return status;
}

/* profile_i = sum of the item's values by the other side's clusters; table = sum of the profiles by this side's labels. */
static void add_up(const solver *s, const side *mine, const side *theirs, bool rows)
{
    const int32_t l = theirs->clusters, columns = s->columns.clusters;

    for (int64_t i = 0; i < mine->items; i++) {
        double *profile = mine->profile + i * l;
        memset(profile, 0, (size_t)l * sizeof *profile);
        for (int64_t e = mine->start[i]; e < mine->start[i + 1]; e++) profile[theirs->label[mine->other[e]]] += mine->value[e];
    }
    memset(s->table, 0, (size_t)s->rows.clusters * (size_t)columns * sizeof *s->table);
    for (int64_t i = 0; i < mine->items; i++)
        for (int32_t c = 0; c < l; c++)
            s->table[rows ? mine->label[i] * columns + c : c * columns + mine->label[i]] += mine->profile[i * l + c];
}

/* Clusters that nobody is in are taken out; the others keep their order. */
static void close_gaps(side *mine, int32_t *name)
{
    int32_t left = 0;

    memset(name, 0, (size_t)mine->clusters * sizeof *name);
    for (int64_t i = 0; i < mine->items; i++) name[mine->label[i]] = 1;
    for (int32_t c = 0; c < mine->clusters; c++)
        if (name[c]) name[c] = left++;
    for (int64_t i = 0; i < mine->items; i++) mine->label[i] = name[mine->label[i]];
    mine->clusters = left > 0 ? left : 1;
}

/* Every item to argmax_k <profile, B_k>, ties to the lowest; items without entries to 0. */
static void assign(solver *s, side *mine, const side *theirs, bool rows)
{
    const int32_t k = mine->clusters, l = theirs->clusters;

    add_up(s, mine, theirs, rows);
    if (rows) {
        tac_tau_scores(s->table, k, l, s->scores);
    } else {
        for (int32_t a = 0; a < k; a++)
            for (int32_t b = 0; b < l; b++) s->turned[a * l + b] = s->table[b * k + a];
        tac_tau_scores(s->turned, k, l, s->scores);
    }
    for (int64_t i = 0; i < mine->items; i++) {
        const double *profile = mine->profile + i * l;
        double best = -INFINITY;
        mine->label[i] = 0;
        if (mine->start[i] == mine->start[i + 1]) continue;
        for (int32_t a = 0; a < k; a++) {
            double score = 0;
            for (int32_t b = 0; b < l; b++) score += profile[b] * s->scores[a * l + b];
            if (score > best) {
                best = score;
                mine->label[i] = a;
            }
        }
    }
    close_gaps(mine, s->name);
}

/* A random balanced partition of the rows; column j joins the row cluster in which it is most over-represented, folded into the number of
   column clusters. */
static void begin(solver *s, uint64_t *state)
{
    side *r = &s->rows, *c = &s->columns;

    r->clusters = r->most;
    c->clusters = c->most;
    for (int64_t i = 0; i < r->items; i++) r->label[i] = (int32_t)(i % r->clusters);
    for (int64_t i = r->items - 1; i > 0; i--) {
        const int64_t j = (int64_t)(tac_plain_random(state) % (uint64_t)(i + 1));
        const int32_t label = r->label[i];
        r->label[i] = r->label[j];
        r->label[j] = label;
    }
    for (int64_t j = 0; j < c->items; j++) c->label[j] = (int32_t)(tac_plain_random(state) % (uint64_t)c->clusters);
    double *whole = s->whole, all = 0;
    add_up(s, c, r, false);
    memset(whole, 0, (size_t)r->clusters * sizeof *whole);
    for (int64_t j = 0; j < c->items; j++)
        for (int32_t k = 0; k < r->clusters; k++) whole[k] += c->profile[j * r->clusters + k];
    for (int32_t k = 0; k < r->clusters; k++) all += whole[k];
    for (int64_t j = 0; j < c->items && all > 0; j++) {
        const double *profile = c->profile + j * r->clusters;
        double mass = 0, best = -INFINITY;
        for (int32_t k = 0; k < r->clusters; k++) mass += profile[k];
        for (int32_t k = 0; k < r->clusters; k++)
            if (profile[k] - mass * whole[k] / all > best) {
                best = profile[k] - mass * whole[k] / all;
                c->label[j] = k % c->clusters;
            }
    }
    close_gaps(c, s->name);
}

/* Returns the sum of the two raw taus. */
static tacit_status turn_until_still(tacit_ctx *ctx, solver *s, int32_t iterations, double *tau)
{
    tacit_status status = TACIT_OK;

    *tau = -INFINITY;
    for (int32_t t = 0; t < iterations; t++) {
        const double before = *tau;
        TAC_TRY(tac_check_cancel(ctx));
        assign(s, &s->rows, &s->columns, true);
        assign(s, &s->columns, &s->rows, false);
        add_up(s, &s->columns, &s->rows, false);
        const tac_tau now = tac_tau_of(s->table, s->rows.clusters, s->columns.clusters);
        *tau = now.raw_rows + now.raw_columns;
        if (*tau - before < STILL) break;
    }
done:
    return status;
}

static tacit_status keep(tacit_ctx *ctx, const solver *s, int32_t *row_label, int32_t *column_label, tac_coclusters *out)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)s->rows.clusters * (size_t)s->columns.clusters;

    memcpy(row_label, s->rows.label, (size_t)s->rows.items * sizeof *row_label);
    memcpy(column_label, s->columns.label, (size_t)s->columns.items * sizeof *column_label);
    if (out->table == NULL) TAC_TRY(tac_new(ctx, (size_t)s->rows.most * (size_t)s->columns.most, sizeof *out->table, &out->table));
    memcpy(out->table, s->table, numbers * sizeof *out->table);
    out->rows = s->rows.clusters;
    out->columns = s->columns.clusters;
    out->tau = tac_tau_of(out->table, out->rows, out->columns);
done:
    return status;
}

tacit_status tac_solve_taucc(tacit_ctx *ctx, const tac_csr *counts, const tac_plain_taucc *opts, int32_t *row_label,
                             int32_t *column_label, tac_coclusters *out)
{
    tacit_status status = TACIT_OK;
    const size_t n = (size_t)counts->n, d = (size_t)counts->d, k = (size_t)opts->rows, l = (size_t)opts->columns;
    solver s = {.rows = {.items = counts->n, .start = counts->start, .other = counts->column, .value = counts->value, .most = opts->rows},
                .columns = {.items = counts->d, .most = opts->columns}};
    int64_t *start = NULL;
    int32_t *row = NULL;
    double *value = NULL, best = -INFINITY, tau;
    uint64_t state = opts->seed;

    *out = (tac_coclusters){0};
    TAC_TRY(transpose(ctx, counts, &start, &row, &value));
    s.columns.start = start;
    s.columns.other = row;
    s.columns.value = value;
    TAC_TRY(tac_new(ctx, n + 1, sizeof(int32_t), &s.rows.label));
    TAC_TRY(tac_new(ctx, d + 1, sizeof(int32_t), &s.columns.label));
    TAC_TRY(tac_new(ctx, (n + 1) * l, sizeof(double), &s.rows.profile));
    TAC_TRY(tac_new(ctx, (d + 1) * k, sizeof(double), &s.columns.profile));
    TAC_TRY(tac_new(ctx, k * l, sizeof(double), &s.table));
    TAC_TRY(tac_new(ctx, k * l, sizeof(double), &s.turned));
    TAC_TRY(tac_new(ctx, k * l, sizeof(double), &s.scores));
    TAC_TRY(tac_new(ctx, k, sizeof(double), &s.whole));
    TAC_TRY(tac_new(ctx, k > l ? k : l, sizeof(int32_t), &s.name));
    for (int32_t r = 0; r < opts->restarts || r == 0; r++) {
        begin(&s, &state);
        TAC_TRY(turn_until_still(ctx, &s, opts->iterations, &tau));
        if (r > 0 && !(tau > best)) continue;
        best = tau;
        TAC_TRY(keep(ctx, &s, row_label, column_label, out));
    }
done:
    tac_free(start);
    tac_free(row);
    tac_free(value);
    tac_free(s.rows.label);
    tac_free(s.columns.label);
    tac_free(s.rows.profile);
    tac_free(s.columns.profile);
    tac_free(s.table);
    tac_free(s.turned);
    tac_free(s.scores);
    tac_free(s.whole);
    tac_free(s.name);
    if (status != TACIT_OK) tac_coclusters_clear(out);
    return status;
}

void tac_coclusters_clear(tac_coclusters *c)
{
    tac_free(c->table);
    *c = (tac_coclusters){0};
}
