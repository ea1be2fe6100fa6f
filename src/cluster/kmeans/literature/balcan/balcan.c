/* SPDX-License-Identifier: Apache-2.0 */
/* Method balcan: Balcan, Dick, Liang, Mou & Zhang, "Differentially Private Clustering in
   High-Dimensional Euclidean Spaces", ICML 2017. The walk of its Algorithm 4: project, find
   candidates, search among them, recover; repeated as independent trials, of which the best is
   chosen privately. Only queries at the door touch rows. */
#include "cluster/kmeans/literature/balcan/balcan.h"

#include <math.h>

static tacit_status count_rows(tac_balcan *b, uint64_t budget)
{
    tacit_status status = TACIT_OK;
    int64_t answer;

    TAC_TRY(
        tac_door_count(b->job->door, "number of rows", tac_balcan_count_quanta(budget), &answer));
    b->rows = fmax(1, ldexp((double)answer, -TAC_COUNT_GRID));
    b->rows_sd = ldexp(tac_last_sd(b->job->door), -TAC_COUNT_GRID);
done:
    return status;
}

/* Recovery by Algorithm 5: the rows stay sparse, or a sparsity is declared. */
static bool sparse(const tac_kmeans_job *job)
{
    return tac_run_sparse(job->run) || job->opts->sparsity > 0;
}

/* One trial: projection, candidates, swaps, recovery. quanta: for the recovery. */
static tacit_status one_trial(tac_balcan *b, uint64_t quanta, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_kmeans_job *job = b->job;

    TAC_TRY(tac_kmeans_result_new(job->ctx, job->opts->k, job->frame->columns, out));
    if (b->plan.k > 1) {
        TAC_TRY(tac_balcan_project(b));
        if (b->centers == NULL)
            TAC_TRY(tac_new(job->ctx, (size_t)b->plan.k * (size_t)b->dims, sizeof *b->centers,
                            &b->centers));
        TAC_TRY(tac_balcan_candidates(b));
        TAC_TRY(tac_balcan_swap(b));
    }
    /* What a partition that ended early left over goes to the means, if no other trial waits for
       it. */
    if (b->plan.trials == 1) quanta = tac_door_left(job->door);
    if (sparse(job))
        TAC_TRY(tac_balcan_recover_sparse(b, quanta, out));
    else
        TAC_TRY((job->median ? tac_balcan_recover_median : tac_balcan_recover)(b, quanta, out));
done:
    return status;
}

/* The best trial, by the cost of its centers in the original space. */
static tacit_status choose(tac_balcan *b, const tac_kmeans_result *trial, int32_t *chosen)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)trial[0].k * (size_t)b->job->frame->columns;
    int16_t *sets = NULL;

    TAC_TRY(tac_new(b->job->ctx, numbers * (size_t)b->plan.trials, sizeof *sets, &sets));
    for (int32_t t = 0; t < b->plan.trials; t++)
        tac_round_points(trial[t].centers, numbers, sets + numbers * (size_t)t);
    TAC_TRY(tac_door_choose(b->job->door, "one of the trials", tac_door_left(b->job->door),
                            &(tac_choice){.view = TAC_ROWS,
                                          .median = b->job->median,
                                          .candidates = sets,
                                          .m = b->plan.trials,
                                          .k = trial[0].k},
                            chosen));
done:
    tac_free(sets);
    return status;
}

/* What a reader should know: from released numbers. */
static tacit_status explain(const tac_balcan *b, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = b->job->ctx;
    const tac_privacy_params params = tac_door_params(b->job->door);
    const tac_balcan_plan *p = &b->plan;

    if (p->k < b->job->opts->k && !p->theory)
        TAC_TRY(tac_note(ctx, &out->notes,
                         "this budget tells only about %d of %d centers apart on so few rows; the "
                         "others repeat them",
                         p->k, b->job->opts->k));
    if (p->theory) {
        const double rows = tac_balcan_rows_to_split(&params, p);
        if (p->shifts == 0 && b->job->opts->k > 1)
            TAC_TRY(tac_note(ctx, &out->notes,
                             "with the constants of the theorems this budget splits no cube of so "
                             "few rows: all centers are one noisy mean; take --constants "
                             "practical"));
        else if (rows > b->rows / p->k)
            TAC_TRY(tac_note(ctx, &out->notes,
                             "with the constants of the theorems a cube is split only if it holds "
                             "about %.0f rows: smaller clusters are not found; take --constants "
                             "practical",
                             rows));
        else if (b->job->median)
            TAC_TRY(tac_note(ctx, &out->notes,
                             "the paper's bound on the cost is proved for its own recovery of "
                             "medians, not for ours"));
    } else {
        TAC_TRY(tac_note(ctx, &out->notes,
                         "the paper's bound on the cost holds with --constants theory only; here "
                         "%d dimensions, %d shifted partition%s, %d swap%s",
                         p->k > 1 ? p->p : 0, p->shifts, p->shifts == 1 ? "" : "s", p->swaps,
                         p->swaps == 1 ? "" : "s"));
    }
    if (b->job->median)
        TAC_TRY(tac_note(ctx, &out->notes,
                         "medians were recovered by noisy Weiszfeld steps in place of the paper's "
                         "log-concave sampling"));
done:
    return status;
}

/* All trials, then the private choice of one; the others are dropped. */
tacit_status tac_balcan_walk(tac_balcan *b, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_kmeans_job *job = b->job;
    tac_kmeans_result *trial = NULL;
    int32_t chosen = 0;

    /* sparse rows take no selection at the end */
    if (b->plan.trials > 1 && tac_run_sparse(job->run)) b->plan.trials = 1;
    const int32_t trials = b->plan.trials;
    TAC_TRY(tac_new(job->ctx, (size_t)trials, sizeof *trial, &trial));
    for (int32_t t = 0; t < trials; t++)
        TAC_TRY(one_trial(b, b->plan.recover / (uint64_t)trials, &trial[t]));
    if (trials > 1) TAC_TRY(choose(b, trial, &chosen));
    TAC_TRY(explain(b, &trial[chosen]));
    *out = trial[chosen];
    trial[chosen] = (tac_kmeans_result){0};
done:
    for (int32_t t = 0; t < b->plan.trials && trial != NULL; t++)
        tac_kmeans_result_clear(&trial[t]);
    tac_free(trial);
    tac_free(b->candidate);
    tac_free(b->weight);
    tac_free(b->centers);
    return status;
}

tacit_status tac_balcan_run(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(job->door);
    const uint64_t budget = tac_door_left(job->door);
    tac_balcan b = {.job = job};

    TAC_TRY(count_rows(&b, budget));
    b.plan =
        tac_balcan_plan_for(&params, budget, job->opts, job->median, job->frame->columns, b.rows);
    TAC_TRY(tac_balcan_walk(&b, out));
done:
    return status;
}
