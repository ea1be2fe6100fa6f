/* SPDX-License-Identifier: Apache-2.0 */
/* Method balcan: Balcan, Dick, Liang, Mou & Zhang, "Differentially Private Clustering in High-Dimensional Euclidean Spaces",
   ICML 2017. The walk of its Algorithm 4. Only the door's questions touch rows. */
#include "cluster/kmeans/balcan.h"

#include <math.h>

static tacit_status count_rows(tac_balcan *b, uint64_t budget)
{
    tacit_status status = TACIT_OK;
    int64_t answer;

    TAC_TRY(tac_door_count(b->job->door, "number of rows", tac_balcan_count_units(budget), &answer));
    b->rows = fmax(1, ldexp((double)answer, -TAC_COUNT_GRID));
done:
    return status;
}

tacit_status tac_balcan_run(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_terms terms = tac_door_terms(job->door);
    const uint64_t budget = tac_door_left(job->door);
    tac_balcan b = {.job = job};

    TAC_TRY(tac_kmeans_result_new(job->ctx, job->opts->k, job->frame->columns, out));
    TAC_TRY(count_rows(&b, budget));
    b.plan = tac_balcan_plan_for(&terms, budget, job->opts, job->median, job->frame->columns, b.rows);
    if (b.plan.k > 1) {
        TAC_TRY(tac_balcan_project(&b));
        TAC_TRY(tac_new(job->ctx, (size_t)b.plan.k * (size_t)b.dims, sizeof *b.centers, &b.centers));
        TAC_TRY(tac_balcan_candidates(&b, b.plan.candidates));
        TAC_TRY(tac_balcan_swap(&b, b.plan.swap, b.plan.last_swap));
    }
    TAC_TRY(tac_balcan_recover(&b, tac_door_left(job->door), out));
done:
    tac_free(b.candidate);
    tac_free(b.weight);
    tac_free(b.centers);
    return status;
}
