/* SPDX-License-Identifier: Apache-2.0 */
/* Method sample-aggregate: one query that takes the whole account, then post-processing of its
   answer. */
#include "cluster/parts_results.h"
#include "cluster/subspace/subspace_run.h"

#include <math.h>

enum { RESTARTS = 20 };
/* noise of a coordinate, times the root of their number, beyond which a vector of length 1 is
   lost */
#define USABLE 0.3

static tac_parts parts_of(int32_t k, int32_t q, const tacit_subspace_opts *o)
{
    return (tac_parts){.k = k,
                       .q = q,
                       .parts = o->parts,
                       .overlapping = o->overlapping_parts != 0,
                       .solver = o->solver,
                       .restarts = o->restarts > 0 ? o->restarts : RESTARTS,
                       .seed = 1};
}

tacit_status tac_subspace_aggregate_check(const tac_subspace_params *t)
{
    const tac_parts plan = parts_of(t->k, t->q, t->opts);
    tac_parts_rule rule;

    if (t->opts->solver > TACIT_SOLVER_LRR || (int)t->opts->solver < 0)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                        "the subspace solver is not one of those in the header");
    if (t->opts->parts != 0 && (t->opts->parts < 3 || t->opts->parts > TAC_PARTS_MOST))
        return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                        "parts must be between 3 and %d, or 0 to leave them to the method",
                        TAC_PARTS_MOST);
    if (t->opts->restarts < 0 || t->opts->restarts > 10000)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT, "restarts must be between 0 and 10000");
    if (!tac_parts_rule_for(t->epsilon, t->delta, t->dims, &plan, &rule))
        return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                        "epsilon is too small for method sample-aggregate; raise it, or take "
                        "method auto");
    return TACIT_OK;
}

/* The parts, their matching and the noise are behind the door; here the answer becomes bases. */
tacit_status tac_subspace_aggregate(const tac_subspace_job *job, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    tac_parts plan = parts_of(job->k, job->q, job->opts);
    const double epsilon = job->run->accountant.epsilon, delta = job->run->accountant.delta;
    tac_parts_rule rule;
    int64_t *answer = NULL;

    if (!tac_parts_rule_for(epsilon, delta, job->dims, &plan, &rule))
        return tac_fail(job->ctx, TACIT_E_INTERNAL,
                        "method sample-aggregate was run with an epsilon that its check refuses");
    TAC_TRY(tac_subspace_result_new(job->ctx, job->k, job->q, job->dims, out));
    TAC_TRY(tac_new(job->ctx, (size_t)job->k * (size_t)job->q * (size_t)job->dims, sizeof *answer,
                    &answer));
    TAC_TRY(tac_door_parts(job->door, "subspaces of parts", &plan, answer));
    TAC_TRY(tac_parts_ranges(job->ctx, answer, job->k, job->q, job->dims, out->bases));
    out->rounds = 1;
    TAC_TRY(tac_note(job->ctx, &out->notes,
                     "%d parts of the rows; the noise is scaled to how much their results differ, "
                     "which is not reported, and is at least %.2g in each coordinate of a vector "
                     "of "
                     "length 1",
                     rule.parts, rule.least));
    if (rule.least * sqrt(job->dims) > USABLE)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "with this epsilon, %d parts and %d numbers to release the noise alone "
                         "decides the subspaces; raise epsilon or take method auto",
                         rule.parts, job->k * job->q * job->dims));
done:
    tac_free(answer);
    return status;
}
