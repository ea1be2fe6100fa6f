/* SPDX-License-Identifier: Apache-2.0 */
/* Sample and aggregate (Nissim, Raskhodnikova & Smith 2007): plain k-means on parts of the rows,
   then the result that most others are near, with noise scaled to a smooth bound on how far one
   row or person can move that choice. One query takes the whole account: the scale of its noise
   is private, and nothing is left for sizes. */
#include "cluster/parts_results.h"
#include "cluster/kmeans/literature/noisy_lloyd_step.h"

#include <math.h>

#define RESTARTS 10 /* of plain k-means on a part */
#define K_MOST 100  /* all results are matched with all others, each in time k^3 */
#define NUMBERS_MOST (1 << 17)
/* noise of a coordinate, relative to the radius, beyond which a center means nothing */
#define USABLE 0.3

static tac_parts parts_of(int32_t k)
{
    return (tac_parts){.points = true, .k = k, .q = 1, .restarts = RESTARTS, .seed = 1};
}

tacit_status tac_sample_aggregate_check(const tac_kmeans_params *t)
{
    const tac_parts plan = parts_of(t->opts->k);
    tac_parts_rule rule;

    if (t->opts->k > K_MOST)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                        "method sample-aggregate matches the centers of many parts and takes k up "
                        "to %d; ask for fewer centers or take another method",
                        K_MOST);
    if (t->opts->k * (int64_t)t->columns > NUMBERS_MOST)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                        "method sample-aggregate takes k times columns up to %d; ask for fewer "
                        "centers or columns, or take another method",
                        NUMBERS_MOST);
    if (!tac_parts_rule_for(t->epsilon, t->delta, t->columns, &plan, &rule))
        return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                        "epsilon is too small for method sample-aggregate; raise it, or take "
                        "method auto");
    return TACIT_OK;
}

/* One query; its noisy answer becomes centers, without sizes. */
tacit_status tac_sample_aggregate(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t k = job->opts->k, columns = job->frame->columns;
    const tac_parts plan = parts_of(k);
    tac_parts_rule rule;
    int64_t *answer = NULL;

    if (!tac_parts_rule_for(job->run->accountant.epsilon, job->run->accountant.delta, columns,
                            &plan, &rule))
        return tac_fail(job->ctx, TACIT_E_INTERNAL,
                        "method sample-aggregate was run with an epsilon that its check refuses");
    TAC_TRY(tac_kmeans_result_new(job->ctx, k, columns, out));
    TAC_TRY(tac_new(job->ctx, (size_t)k * (size_t)columns, sizeof *answer, &answer));
    TAC_TRY(tac_door_parts(job->door, "centers of parts", &plan, answer));
    tac_parts_points(answer, k, columns, out->centers);
    for (int32_t c = 0; c < k; c++) {
        tac_into_domain(job->frame, out->centers + (size_t)c * (size_t)columns);
        out->sizes[c] = NAN;
    }
    for (size_t i = 0; i < (size_t)k * (size_t)columns; i++) out->centers_sd[i] = NAN;
    out->sizes_sd = NAN;
    TAC_TRY(tac_note(job->ctx, &out->notes,
                     "%d parts of the rows; the noise is scaled to how much their results differ, "
                     "which is not reported, and is at least %.2g of the radius in each coordinate",
                     rule.parts, rule.least));
    if (rule.least > USABLE)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "with this epsilon, %d parts and %d numbers to release the noise alone "
                         "decides the centers; raise epsilon or take method auto",
                         rule.parts, k * columns));
done:
    tac_free(answer);
    return status;
}
