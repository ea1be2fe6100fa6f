/* SPDX-License-Identifier: Apache-2.0 */
/* Column j of the table is r b_j + E_j + noise: r the row clusters' shares, b_j the column's sum,
   E_j ~ N(0, b_j^2 S). S by moments, in a few passes that give precise columns more weight; then
   the posterior of every E_j. Post-processing. */
#include "solve/cocluster/contrasts.h"

#include "solve/linalg/eigen.h"

#include <math.h>
#include <string.h>

enum { PASSES = 6 };

typedef struct work {
    tac_contrasts *c;
    double *above;  /* m x k: E and noise */
    double *mass;   /* m: b, at least one standard deviation of its noise */
    double *share;  /* k: r */
    double *matrix; /* k x k */
    double *value;  /* k: eigenvalues of S, at least 0 */
} work;

static tacit_status open(tacit_ctx *ctx, work *w)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)w->c->k, m = (size_t)w->c->m;

    TAC_TRY(tac_new(ctx, k * m, sizeof *w->c->table, &w->c->table));
    TAC_TRY(tac_new(ctx, k * k, sizeof *w->c->turn, &w->c->turn));
    TAC_TRY(tac_new(ctx, k * m, sizeof *w->c->gain, &w->c->gain));
    TAC_TRY(tac_new(ctx, m * k, sizeof *w->above, &w->above));
    TAC_TRY(tac_new(ctx, m, sizeof *w->mass, &w->mass));
    TAC_TRY(tac_new(ctx, k, sizeof *w->share, &w->share));
    TAC_TRY(tac_new(ctx, k * k, sizeof *w->matrix, &w->matrix));
    TAC_TRY(tac_new(ctx, k, sizeof *w->value, &w->value));
done:
    return status;
}

/* share = row totals, normalized; above_j = column j - share sum_j; mass_j = max(sum_j, sd
   sqrt k). */
static void part(work *w, const double *table)
{
    const size_t k = (size_t)w->c->k, m = (size_t)w->c->m;
    const double least = sqrt(w->c->variance * w->c->k);
    double all = 0;

    for (size_t a = 0; a < k; a++) {
        double sum = 0;
        for (size_t j = 0; j < m; j++) sum += table[a * m + j];
        all += w->share[a] = fmax(sum, 1e-9);
    }
    for (size_t a = 0; a < k; a++) w->share[a] /= all;
    for (size_t j = 0; j < m; j++) {
        double sum = 0;
        for (size_t a = 0; a < k; a++) sum += table[a * m + j];
        for (size_t a = 0; a < k; a++) w->above[j * k + a] = table[a * m + j] - sum * w->share[a];
        w->mass[j] = fmax(sum, least);
    }
}

/* S = (sum_j o_j E_j E_j' - (I - 11'/k) sum_j o_j v) / sum_j o_j b_j^2, o_j = b_j^2 / (v + b_j^2
   t)^2. t: the mean eigenvalue of the pass before. */
static tacit_status prior(tacit_ctx *ctx, work *w, double mean)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)w->c->k, m = (size_t)w->c->m;
    const double v = w->c->variance;
    double noise = 0, all = 0;

    memset(w->matrix, 0, k * k * sizeof *w->matrix);
    for (size_t j = 0; j < m; j++) {
        const double *e = w->above + j * k, square = w->mass[j] * w->mass[j];
        const double spread = v + square * mean, weight = square / (spread * spread);
        for (size_t a = 0; a < k; a++) {
            const double some = weight * e[a];
            for (size_t b = a; b < k; b++) w->matrix[a * k + b] += some * e[b];
        }
        noise += weight * v;
        all += weight * square;
    }
    for (size_t a = 0; a < k; a++)
        for (size_t b = a; b < k; b++) {
            const double centered = (a == b ? 1.0 : 0.0) - 1.0 / (double)k;
            w->matrix[a * k + b] = (w->matrix[a * k + b] - centered * noise) / all;
        }
    TAC_TRY(tac_top_eigen(ctx, w->matrix, w->c->k, w->c->k, w->value, w->c->turn));
    for (size_t a = 0; a < k; a++) w->value[a] = fmax(w->value[a], 0);
done:
    return status;
}

/* gain_aj = b_j^2 s_a / (b_j^2 s_a + v); table_j = share b_j + U (gain_j o U' E_j). */
static void shrink(work *w)
{
    const size_t k = (size_t)w->c->k, m = (size_t)w->c->m;
    const double *turn = w->c->turn, v = w->c->variance;

    for (size_t j = 0; j < m; j++) {
        const double *e = w->above + j * k, square = w->mass[j] * w->mass[j];
        for (size_t a = 0; a < k; a++) w->c->table[a * m + j] = w->share[a] * w->mass[j];
        for (size_t a = 0; a < k; a++) {
            const double own = square * w->value[a];
            const double gain = w->c->gain[a * m + j] = own / (own + v);
            double along = 0;
            for (size_t b = 0; b < k; b++) along += turn[b * k + a] * e[b];
            for (size_t b = 0; b < k; b++) w->c->table[b * m + j] += turn[b * k + a] * gain * along;
        }
    }
}

tacit_status tac_contrasts_find(tacit_ctx *ctx, const double *table, int32_t k, int32_t m,
                                double variance, tac_contrasts *out)
{
    tacit_status status = TACIT_OK;
    work w = {.c = out};

    *out = (tac_contrasts){.k = k, .m = m, .variance = fmax(variance, 1e-12)};
    TAC_TRY(open(ctx, &w));
    part(&w, table);
    for (int pass = 0; pass < PASSES; pass++) {
        double mean = 0;
        for (size_t a = 0; a < (size_t)k; a++) mean += w.value[a] / k;
        if (pass > 0 && !(mean > 0)) break; /* nothing above the noise */
        TAC_TRY(tac_check_cancel(ctx));
        TAC_TRY(prior(ctx, &w, mean));
    }
    shrink(&w);
done:
    tac_free(w.above);
    tac_free(w.mass);
    tac_free(w.share);
    tac_free(w.matrix);
    tac_free(w.value);
    return status;
}

void tac_contrasts_clear(tac_contrasts *c)
{
    tac_free(c->table);
    tac_free(c->turn);
    tac_free(c->gain);
    *c = (tac_contrasts){0};
}
