/* SPDX-License-Identifier: Apache-2.0 */
/* SuLQ subspace clustering with the noise it needs: symmetric, for the joint sensitivity of all
   cells, exactly composed. k-plane gets stuck in bad starts, so several short runs share a part of
   the budget, the one with the least noisy cost goes on, and the moments of its rounds are
   averaged, later ones with more weight. With delta 0 the noise is trace noise and epsilons add up,
   so that many rounds cost more than their number's root: fewer starts and rounds, by a rule of
   their own. */
#include "cluster/subspace/auto/noisy_kplane.h"
#include "cluster/subspace/auto/pooled_contest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define KEEP 0.6 /* of the earlier rounds' weight, each round */
/* starts that are asked about together: so many, and so many numbers of their answers */
enum { STARTS_AT_ONCE = 8 };
#define NUMBERS_AT_ONCE 0x1p23

/* How the budget is spent: starts x first rounds, a choice, and more rounds. Shares of the
   whole. */
typedef struct rules {
    /* norm of the noise, had it the whole budget, against a cluster's typical eigenvalue */
    double kappa;
    int32_t starts, first, more;
    double count, sizes, early, choice, late;
} rules;

/* Shares that are fixed before a count is known. Counts with Laplace noise at small epsilon are
   poor, so pure accounts give them more. */
static double count_share(const tac_privacy_params *params)
{
    return params->definition == TAC_PURE ? 0.02 : 0.01;
}

static double sizes_share(const tac_privacy_params *params)
{
    return params->definition == TAC_PURE ? 0.04 : 0.01;
}

/* starts x first rounds, and more of them, from kappa downwards: public numbers, chosen on
   synthetic subspaces with the true cost in view. */
typedef struct plan_line {
    double kappa;
    int32_t starts, first, more;
} plan_line;
static const plan_line approximate[] = {{0.4, 1, 0, 8}, {0.03, 4, 3, 8}, {0, 8, 6, 8}},
                       pure[] = {{0.08, 1, 0, 4},
                                 {0.03, 2, 3, 3},
                                 {0.008, 3, 3, 3},
                                 {0.002, 4, 3, 4},
                                 {0, 8, 4, 4}};

/* The line of the table for this kappa, and the shares that go with it. */
static rules rules_for(const tac_privacy_params *params, uint64_t budget, int32_t k, int32_t q,
                       int32_t dims, double rows, int32_t rounds)
{
    const double count = count_share(params), sizes = sizes_share(params), left = 1 - count - sizes,
                 one = tac_kplane_noise(params, dims, budget);
    const plan_line *line = params->definition == TAC_PURE ? pure : approximate;
    rules r = {
        .count = count, .sizes = sizes, .kappa = one * sqrt(2.0 * dims) * k * q / fmax(rows, 1)};

    while (r.kappa <= line->kappa && line->kappa > 0) line++;
    r.starts = k == 1 ? 1 : line->starts;
    r.first = k == 1 ? 0 : line->first;
    r.more = k == 1 ? 1 : line->more;
    if (r.starts == 1) {
        r.late = left;
    } else {
        r.early = 0.5 * left;
        r.choice = 0.05 * left;
        r.late = 0.45 * left;
    }
    if (rounds > 0) r.more = rounds;
    return r;
}

/* Before a round: one subspace from the rounds so far, to be judged on it. */
static tacit_status begin_contest(const tac_noisy_planes *p, const double *sum,
                                  tac_contest *contest)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)p->dims * (size_t)p->dims;
    double *pool = NULL;

    TAC_TRY(tac_new(p->ctx, numbers, sizeof *pool, &pool));
    for (size_t l = 0; l < (size_t)p->k; l++)
        for (size_t e = 0; e < numbers; e++) pool[e] += sum[l * numbers + e];
    TAC_TRY(tac_contest_round(contest, p->bases, pool));
done:
    tac_free(pool);
    return status;
}

/* Rounds of k-plane, averaged; bases: the start, then the result. contest: on every round but the
   first. */
static tacit_status run_rounds(tac_noisy_planes *p, int32_t rounds, uint64_t each, double *sum,
                               tac_contest *contest)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)p->k * (size_t)p->dims * (size_t)p->dims;

    for (int32_t t = 0; t < rounds; t++) {
        tac_show_progress(p->ctx, "refining the subspaces", (double)t / rounds);
        const bool judge = p->k > 1 && t > 0;
        if (judge) TAC_TRY(begin_contest(p, sum, contest));
        TAC_TRY(tac_kplane_ask(p, "k-plane round", each, NULL));
        if (judge) tac_contest_add(contest, p->moments, 1);
        for (size_t e = 0; e < numbers; e++) sum[e] = p->moments[e] + (t > 0 ? KEEP * sum[e] : 0);
        TAC_TRY(tac_kplane_top(p->ctx, sum, p->k, p->dims, p->q, p->bases));
    }
done:
    return status;
}

/* One round of `many` starts, in one pass over the rows: they know nothing of each other. */
static tacit_status round_of_starts(tac_noisy_planes *p, int32_t many, uint64_t each,
                                    int16_t *rounded, double *bases)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)p->k * (size_t)p->q * (size_t)p->dims;
    tac_asking ask[STARTS_AT_ONCE] = {0};

    tac_subspace_round(bases, numbers * (size_t)many, rounded);
    for (int32_t s = 0; s < many; s++) {
        const tac_cells cells = {.kind = TAC_SUBSPACES,
                                 .view = TAC_ROWS,
                                 .count = p->k,
                                 .bases = rounded + (size_t)s * numbers,
                                 .rank = p->q};
        ask[s] = (tac_asking){.what = "k-plane round of a start",
                              .quanta = each,
                              .query = tac_query_moments(p->door, &cells, TAC_ROWS)};
    }
    TAC_TRY(tac_ask_together(p->door, ask, many));
    for (int32_t s = 0; s < many; s++) {
        tac_kplane_read(p, &ask[s]);
        TAC_TRY(
            tac_kplane_top(p->ctx, p->moments, p->k, p->dims, p->q, bases + (size_t)s * numbers));
    }
done:
    tac_asking_clear(ask, many);
    return status;
}

/* How many starts' answers fit NUMBERS_AT_ONCE; at least one's. Public. */
static int32_t starts_at_once(const tac_noisy_planes *p)
{
    const double each = p->k * (double)p->dims * (p->dims + 1) / 2, fit = NUMBERS_AT_ONCE / each;
    return fit < 1 ? 1 : fit < STARTS_AT_ONCE ? (int32_t)fit : STARTS_AT_ONCE;
}

/* starts x first rounds, and the choice of one. */
static tacit_status first_stage(const tac_subspace_job *job, const rules *r, uint64_t budget,
                                tac_noisy_planes *p)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)p->k * (size_t)p->q * (size_t)p->dims;
    const uint64_t each = tac_share(budget, r->early / ((double)r->starts * r->first));
    double *bases = NULL;
    int16_t *rounded = NULL;
    int32_t chosen;

    TAC_TRY(tac_new(job->ctx, numbers * (size_t)r->starts, sizeof *bases, &bases));
    TAC_TRY(tac_new(job->ctx, numbers * (size_t)r->starts, sizeof *rounded, &rounded));
    for (int32_t s = 0; s < r->starts; s++)
        TAC_TRY(tac_subspace_random(job->ctx, job->random, p->k, p->q, p->dims,
                                    bases + (size_t)s * numbers));
    for (int32_t s = 0, many; s < r->starts; s += many) {
        many = r->starts - s < starts_at_once(p) ? r->starts - s : starts_at_once(p);
        for (int32_t t = 0; t < r->first; t++) {
            tac_show_progress(job->ctx, "trying starts", (double)t / r->first);
            TAC_TRY(round_of_starts(p, many, each, rounded, bases + (size_t)s * numbers));
        }
    }
    tac_subspace_round(bases, numbers * (size_t)r->starts, rounded);
    TAC_TRY(tac_door_choose_subspaces(job->door, "choice of a start", tac_share(budget, r->choice),
                                      TAC_ROWS, rounded, r->starts, p->k, p->q, &chosen));
    memcpy(p->bases, bases + (size_t)chosen * numbers, numbers * sizeof *bases);
done:
    tac_free(bases);
    tac_free(rounded);
    return status;
}

/* Queries: count, starts x first rounds, a choice, more rounds, sizes. Averages decay by KEEP a
   round. */
tacit_status tac_subspace_sulq_plus(const tac_subspace_job *job, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(job->door);
    const uint64_t budget = tac_door_left(job->door);
    const size_t d = (size_t)job->dims, q = (size_t)job->q;
    tac_noisy_planes p = {0};
    tac_contest contest = {0};
    double *sum = NULL, *inside = NULL, weight = 0;
    int64_t count;

    TAC_TRY(tac_kplane_open(job, job->k, job->q, &p));
    TAC_TRY(tac_contest_open(job->ctx, p.k, p.q, p.dims, &contest));
    TAC_TRY(tac_new(job->ctx, (size_t)p.k * d * d, sizeof *sum, &sum));
    TAC_TRY(tac_door_count(job->door, "number of rows", tac_share(budget, count_share(&params)),
                           &count));
    const rules r = rules_for(&params, budget, p.k, p.q, p.dims,
                              ldexp((double)count, -TAC_COUNT_GRID), job->opts->rounds);
    if (r.starts > 1)
        TAC_TRY(first_stage(job, &r, budget, &p));
    else
        TAC_TRY(tac_subspace_random(job->ctx, job->random, p.k, p.q, p.dims, p.bases));
    const uint64_t sizes = tac_share(budget, r.sizes);
    TAC_TRY(run_rounds(&p, r.more, tac_share(tac_door_left(job->door) - sizes, 1.0 / r.more), sum,
                       &contest));
    tac_show_progress(job->ctx, "refining the subspaces", 1);
    for (int32_t t = 0; t < r.more; t++) weight = 1 + KEEP * weight;
    TAC_TRY(tac_new(job->ctx, (size_t)p.k * q * q, sizeof *inside, &inside));
    for (size_t e = 0; e < (size_t)p.k * d * d; e++) sum[e] /= weight;
    for (size_t l = 0; l < (size_t)p.k; l++)
        TAC_TRY(tac_kplane_along(job->ctx, sum + l * d * d, p.dims, p.bases + l * q * d, p.q,
                                 inside + l * q * q));
    TAC_TRY(tac_kplane_write(&p, tac_door_left(job->door), inside, 1, out));
    out->rounds = r.more + r.first;
    if (r.kappa > 1)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "noise is larger than what one of %d clusters shows along its subspace: "
                         "directions are mostly random; ask for fewer or smaller subspaces, use "
                         "fewer columns or a larger epsilon",
                         p.k));
    if (!tac_run_made_up(job->run)) /* nobody reads notes about made-up rows */
        TAC_TRY(tac_contest_note(&contest, p.sd, !job->opts->affine, tac_word(job->random),
                                 &out->notes));
done:
    tac_contest_close(&contest);
    tac_kplane_close(&p);
    tac_free(sum);
    tac_free(inside);
    return status;
}
