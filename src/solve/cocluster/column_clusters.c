/* SPDX-License-Identifier: Apache-2.0 */
/* Alternating maximization of tau: columns go to the cluster with the greatest score, clusters
   are added up again, until nothing moves. The first start puts a column where it exceeds its
   share most; the others disturb that or are random. Post-processing: the table is noisy and
   released. */
#include "solve/cocluster/column_clusters.h"

#include "solve/kmeans/kmeans_internal.h"
#include "solve/cocluster/fast_taucc.h"

#include <math.h>
#include <string.h>

#define WORK_MOST 4e9    /* products, over all starts */
#define TURNS_USUAL 12.0 /* turns that a start takes, about: for the estimate of work */
#define DISTURBED 0.3    /* of the columns go to a random cluster in a later start */

typedef struct columns {
    int32_t k, l, m;
    double *profile; /* m x k: the table, column by column */
    double *above;   /* m x k: profile less its share by the rows' totals */
    double *sums;    /* l x k: of the clusters, not below 0 */
    double *whole;   /* k: column sums of sums */
    double *scores;  /* l x k */
    int32_t *label, *best;
    uint64_t random;
} columns;

static void clear(columns *c)
{
    tac_free(c->profile);
    tac_free(c->above);
    tac_free(c->sums);
    tac_free(c->whole);
    tac_free(c->scores);
    tac_free(c->label);
    tac_free(c->best);
}

/* Transposes the table and finds above_ja = p_ja - p_j. share_a, share_a that of row cluster a
   in all. */
static tacit_status open(tacit_ctx *ctx, const double *table, int32_t k, int32_t m,
                         const tac_column_opts *opts, columns *c)
{
    tacit_status status = TACIT_OK;
    const size_t rows = (size_t)k, many = (size_t)m, cells = (size_t)opts->l * rows;
    double total = 0;

    *c = (columns){.k = k, .l = opts->l, .m = m, .random = opts->seed};
    TAC_TRY(tac_new(ctx, many * rows, sizeof *c->profile, &c->profile));
    TAC_TRY(tac_new(ctx, many * rows, sizeof *c->above, &c->above));
    TAC_TRY(tac_new(ctx, cells, sizeof *c->sums, &c->sums));
    TAC_TRY(tac_new(ctx, rows, sizeof *c->whole, &c->whole));
    TAC_TRY(tac_new(ctx, cells, sizeof *c->scores, &c->scores));
    TAC_TRY(tac_new(ctx, many, sizeof *c->label, &c->label));
    TAC_TRY(tac_new(ctx, many, sizeof *c->best, &c->best));
    for (size_t a = 0; a < rows; a++) {
        double sum = 0;
        for (size_t j = 0; j < many; j++) sum += c->profile[j * rows + a] = table[a * many + j];
        total += c->whole[a] = fmax(sum, 1e-9);
    }
    for (size_t j = 0; j < many; j++) {
        double sum = 0;
        for (size_t a = 0; a < rows; a++) sum += c->profile[j * rows + a];
        for (size_t a = 0; a < rows; a++)
            c->above[j * rows + a] = c->profile[j * rows + a] - sum * c->whole[a] / total;
    }
done:
    return status;
}

static int32_t any(columns *c)
{
    return (int32_t)(tac_plain_random(&c->random) % (uint64_t)c->l);
}

static bool chance(columns *c, double p)
{
    return (double)(tac_plain_random(&c->random) >> 11) * 0x1p-53 < p;
}

/* The row cluster where a column is most above its share, as a column cluster: folded if there are
   fewer, spread if there are more. */
static int32_t diagonal(columns *c, int32_t j)
{
    const double *above = c->above + (size_t)j * (size_t)c->k;
    int32_t top = 0;

    for (int32_t a = 1; a < c->k; a++) top = above[a] > above[top] ? a : top;
    if (c->l <= c->k) return top % c->l;
    const int32_t copies = (c->l - top - 1) / c->k + 1;
    return top + c->k * (int32_t)(tac_plain_random(&c->random) % (uint64_t)copies);
}

/* Start 0 is the diagonal one, odd ones are random, even ones disturb the diagonal. */
static void start(columns *c, int32_t s)
{
    for (int32_t j = 0; j < c->m; j++) {
        const bool loose = s > 0 && (s % 2 == 1 || chance(c, DISTURBED));
        c->label[j] = loose ? any(c) : diagonal(c, j);
    }
}

/* sums = clusters' profiles cut at 0; scores_ab = sums_ab / sums_.b - sums_a. / total, 0 in empty
   columns. */
static void add_up(columns *c)
{
    const size_t k = (size_t)c->k, l = (size_t)c->l;
    double total = 0;

    memset(c->sums, 0, l * k * sizeof *c->sums);
    memset(c->whole, 0, k * sizeof *c->whole);
    for (size_t j = 0; j < (size_t)c->m; j++) {
        double *to = c->sums + (size_t)c->label[j] * k;
        for (size_t b = 0; b < k; b++) to[b] += c->profile[j * k + b];
    }
    for (size_t e = 0; e < l * k; e++) {
        c->sums[e] = fmax(c->sums[e], 0);
        c->whole[e % k] += c->sums[e];
        total += c->sums[e];
    }
    for (size_t a = 0; a < l; a++) {
        double row = 0;
        for (size_t b = 0; b < k; b++) row += c->sums[a * k + b];
        for (size_t b = 0; b < k; b++)
            c->scores[a * k + b] =
                c->whole[b] > 0 ? c->sums[a * k + b] / c->whole[b] - row / total : 0;
    }
}

/* score_a = sum_b scores_ab profile_b. The best cluster and the best of the others; ties to the
   lowest. */
static int32_t judge(const columns *c, int32_t j, int32_t *second, double *margin)
{
    const double *profile = c->profile + (size_t)j * (size_t)c->k;
    double top = -INFINITY, next = -INFINITY;
    int32_t best = 0;

    *second = 0;
    for (int32_t a = 0; a < c->l; a++) {
        const double *scores = c->scores + (size_t)a * (size_t)c->k;
        double score = 0;
        for (int32_t b = 0; b < c->k; b++) score += scores[b] * profile[b];
        if (score > top) {
            *second = best;
            next = top;
            best = a;
            top = score;
        } else if (score > next) {
            *second = a;
            next = score;
        }
    }
    *margin = top - next;
    return best;
}

/* Turns until no column moves, or the last one; sums and scores match the labels on return. */
static void descend(columns *c, int32_t iterations)
{
    for (int32_t i = 0; i < iterations; i++) {
        bool moved = false;
        add_up(c);
        for (int32_t j = 0; j < c->m; j++) {
            int32_t second;
            double margin;
            const int32_t to = judge(c, j, &second, &margin);
            moved |= to != c->label[j];
            c->label[j] = to;
        }
        if (!moved) return;
    }
    add_up(c);
}

/* The variance of <d, column j>. Noise alone: |d|^2 sd^2. Of a posterior: sum_a <d, turn_a>^2
   gain_aj v / unit_j^2. */
static double spread(const columns *c, const tac_column_opts *opts, const double *d, int32_t j)
{
    const tac_contrasts *p = opts->posterior;
    const size_t k = (size_t)c->k;
    double sum = 0;

    for (size_t a = 0; a < k; a++) {
        double along = p == NULL ? d[a] : 0;
        for (size_t b = 0; p != NULL && b < k; b++) along += d[b] * p->turn[b * k + a];
        sum += along * along * (p == NULL ? 1 : p->gain[a * (size_t)c->m + (size_t)j]);
    }
    return sum * (p == NULL ? opts->sd * opts->sd : p->variance / (opts->unit[j] * opts->unit[j]));
}

/* The noise of a column's sum. */
static double sum_spread(const columns *c, const tac_column_opts *opts, int32_t j)
{
    const tac_contrasts *p = opts->posterior;
    return c->k * (p == NULL ? opts->sd * opts->sd : p->variance / (opts->unit[j] * opts->unit[j]));
}

/* Labels and z of the best start. margin = <s_best - s_second, profile>, the scores taken as
   given. */
static void tell(columns *c, const tac_column_opts *opts, int32_t *cluster, double *z)
{
    memcpy(c->label, c->best, (size_t)c->m * sizeof *c->label);
    add_up(c);
    for (int32_t j = 0; j < c->m; j++) {
        const double *profile = c->profile + (size_t)j * (size_t)c->k;
        double *gap = c->whole, margin, sum = 0; /* whole is not needed any more */
        int32_t second;
        cluster[j] = judge(c, j, &second, &margin);
        for (int32_t b = 0; b < c->k; b++) {
            gap[b] = c->scores[cluster[j] * c->k + b] - c->scores[second * c->k + b];
            sum += profile[b];
        }
        const double apart = c->l == 1 ? sum_spread(c, opts, j) : spread(c, opts, gap, j);
        const double lead = c->l == 1 ? fmax(sum, 0) : margin;
        z[j] = apart > 0 && lead > 0 ? lead / sqrt(apart) : 0;
    }
}

/* The start with the largest tau in both directions wins; starts and turns are cut to WORK_MOST. */
tacit_status tac_column_clusters(tacit_ctx *ctx, const double *table, int32_t k, int32_t m,
                                 const tac_column_opts *opts, int32_t *cluster, double *z)
{
    tacit_status status = TACIT_OK;
    const double turn = (double)k * opts->l * fmax(m, 1);
    columns c = {0};
    double most = -INFINITY;

    TAC_TRY(open(ctx, table, k, m, opts, &c));
    const int32_t starts = (int32_t)fmax(1, fmin(opts->starts, WORK_MOST / (turn * TURNS_USUAL)));
    const int32_t turns = (int32_t)fmax(2, fmin(opts->iterations, WORK_MOST / (turn * starts)));
    for (int32_t s = 0; s < starts; s++) {
        TAC_TRY(tac_check_cancel(ctx));
        start(&c, s);
        descend(&c, turns);
        const tac_tau tau = tac_tau_of(c.sums, c.l, c.k);
        if (tau.rows + tau.columns > most) {
            most = tau.rows + tau.columns;
            memcpy(c.best, c.label, (size_t)m * sizeof *c.best);
        }
    }
    tell(&c, opts, cluster, z);
done:
    clear(&c);
    return status;
}
