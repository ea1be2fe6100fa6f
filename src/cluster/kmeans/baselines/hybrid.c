/* SPDX-License-Identifier: Apache-2.0 */
/* The hybrid of Su, Cao, Li, Bertino & Jin 2016: half of the budget on their grid, the other half on one round of
   their DP-Lloyd from the grid's centres. The count of rows is paid for, and delta > 0 is ours, as in grid.c and
   dplloyd.c. */
#include "cluster/kmeans/baselines/baseline.h"

#include <string.h>
#include <stdio.h>

#define HALF 0.5

tacit_status tac_hybrid(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = job->frame->columns, k = job->opts->k;
    tac_means m = {0};
    double rows;

    TAC_TRY(tac_count_rows(job, tac_share(tac_door_left(job->door), TAC_ROWS_SHARE), &rows));
    TAC_TRY(tac_kmeans_result_new(job->ctx, k, dims, out));
    TAC_TRY(tac_grid_cluster(job, tac_share(tac_door_left(job->door), HALF), rows, out));
    TAC_TRY(tac_means_open(job, k, tac_dplloyd_weight(tac_door_terms(job->door).notion, dims), &m));
    memcpy(m.centers, out->centers, (size_t)k * (size_t)dims * sizeof *m.centers);
    TAC_TRY(tac_means_round(&m, "DP-Lloyd round", tac_door_left(job->door)));
    tac_means_write(&m, 1, out);
done:
    tac_means_close(&m);
    return status;
}

tacit_status tac_hybrid_check(const tac_kmeans_terms *t)
{
    tacit_status status = TACIT_OK;
    const uint64_t count = tac_share(t->budget, TAC_ROWS_SHARE), half = tac_share(t->budget - count, HALF);

    TAC_TRY(tac_grid_refuse(t, "hybrid"));
    TAC_TRY(tac_need_scale(t, tac_quote_count(&t->terms, count)));
    TAC_TRY(tac_need_scale(t, tac_quote_histogram(&t->terms, half)));
    TAC_TRY(tac_need_scale(t, tac_quote_sums(&t->terms, t->columns, tac_dplloyd_weight(t->terms.notion, t->columns), half)));
done:
    return status;
}

tacit_status tac_hybrid_plan(const tac_kmeans_terms *t, double rows, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    const uint64_t count = tac_share(t->budget, TAC_ROWS_SHARE), half = tac_share(t->budget - count, HALF);
    char what[96];

    snprintf(what, sizeof what, "sums and counts of %d cells", t->opts->k);
    TAC_TRY(tac_plan_rows(t, count, plan));
    TAC_TRY(tac_plan_histogram(t, "histogram of a grid", half, 1, plan));
    TAC_TRY(tac_plan_sums(t, what, tac_dplloyd_weight(t->terms.notion, t->columns), half, 1, rows / t->opts->k, plan));
    tac_grid_advise(t, half, rows, plan);
done:
    return status;
}
