/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of auto_rows.h, from the count to the result, and the shares of its steps. The steps
   see noisy answers and public numbers only; rows stay behind the door. */
#include "cluster/cocluster/auto/rows/auto_rows.h"

#include <math.h>

#define MASS_LARGE 2.0 /* epsilon from which on columns are seen for less */
#define PURE_LARGE 4.0 /* epsilon from which on longer rows pay */
/* The Gram matrix has as many columns as keep the edge of its noise, 2 sd sqrt(q), below this part
   of the rows, but at least so many. */
#define GRAM_EDGE 0.02
#define GRAM_LEAST 128.0
#define PER_CLUSTER 2 /* columns of the Gram matrix for each cluster, at least */

/* Shares of the budget by epsilon and delta. The tables share what is left: equally if pure,
   growing by 1.5 a round otherwise, the last one being the one that is released. */
tac_rows_rules tac_rows_rules_for(double epsilon, double delta)
{
    tac_rows_rules r = {.pure = delta == 0, .flat = delta == 0, .count = 0.01, .people = 0.05};
    double all = 0;

    r.mass = r.pure ? 0.14 : epsilon < MASS_LARGE ? 0.18 : 0.14;
    r.gram = r.pure ? 0.35 : 0.25;
    r.seen = r.pure ? 2.5 : 2;
    r.vectors = r.pure ? 16 : 24;
    r.tables = r.pure ? 2 : 3;
    r.most = !r.pure ? 0 : epsilon < PURE_LARGE ? 8 : 24;
    for (int32_t t = 0; t < r.tables; t++) all += r.table[t] = r.pure ? 1 : pow(1.5, t);
    for (int32_t t = 0; t < r.tables; t++)
        r.table[t] *= (1 - r.count - r.mass - r.gram - r.people) / all;
    return r;
}

int32_t tac_rows_gram_most(const tac_rows_rules *r, int32_t k, double rows, double sd)
{
    const int32_t most = TAC_ROWS_GRAM_MOST;

    if (!r->pure) {
        const double edge = GRAM_EDGE * rows / sd;
        return (int32_t)fmax(fmin(edge * edge / 4, most), GRAM_LEAST);
    }
    if (k >= most / PER_CLUSTER) return most;
    return PER_CLUSTER * k > TAC_ROWS_GRAM_PURE ? PER_CLUSTER * k : TAC_ROWS_GRAM_PURE;
}

/* A query that adds counts of weight w to sums of norm M costs M^2 + w^2 (Gaussian) or M + w
   (Laplace). So w / M is the root of share / (1 - share), or that ratio itself. */
uint32_t tac_rows_count_weight(bool pure, double share)
{
    const double part = share / (1 - share);
    return (uint32_t)(TAC_M * (pure ? part : sqrt(part)));
}

tacit_status tac_rows_count(tac_rows_walk *w)
{
    tacit_status status = TACIT_OK;
    int64_t answer;

    TAC_TRY(
        tac_door_count(w->door, "number of rows", tac_share(w->budget, w->rules.count), &answer));
    w->rows = fmax(1, ldexp((double)answer, -TAC_COUNT_GRID));
    w->rows_sd = ldexp(tac_last_sd(w->door), -TAC_COUNT_GRID);
done:
    return status;
}

void tac_rows_clear(tac_rows_walk *w)
{
    tac_free(w->column);
    tac_free(w->mass);
    tac_free(w->weight);
    tac_free(w->fixed);
    tac_free(w->group);
    tac_free(w->center);
    tac_free(w->offset);
    tac_free(w->profile);
    for (int32_t t = 0; t < w->asked; t++) tac_free(w->table[t]);
    tac_free(w->whole);
    tac_contrasts_clear(&w->contrasts);
    tac_free(w->place);
    tac_free(w->first);
    tac_factors_clear(&w->factors);
    tac_free(w->size);
}

/* Queries: count, mass, Gram matrix, 2 or 3 tables, people. They spend the whole budget. */
tacit_status tac_cocluster_rows(const tac_cocluster_job *job, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    tac_rows_walk w = {.job = job,
                       .ctx = job->ctx,
                       .door = job->door,
                       .budget = tac_door_left(job->door),
                       .k = job->k,
                       .l = job->l,
                       .seed = tac_word(job->random),
                       .rules = tac_rows_rules_for(job->epsilon, job->delta)};

    tac_show_progress(w.ctx, "weighing the columns", 0);
    TAC_TRY(tac_rows_count(&w));
    TAC_TRY(tac_rows_mass(&w));
    TAC_TRY(tac_rows_start(&w));
    TAC_TRY(tac_rows_tables(&w));
    TAC_TRY(tac_rows_finish(&w, out));
    tac_show_progress(w.ctx, "clustering", 1);
done:
    tac_rows_clear(&w);
    return status;
}
