/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's Gibbs sampler: one query at the door spends the whole budget and returns the state
   after the last iteration. Its guarantee is asymptotic. */
#include "cluster/subspace/subspace_run.h"

#include <math.h>
#include <stdio.h>

enum { ROUNDS = 10000, CHAINS_MOST = 100 };

/* the exponent of a row below which labels are dealt out so evenly that all subspaces come out
   alike: measured on the paper's first synthetic set, where it is reached at epsilon 10 */
#define WEAK 5.0

static int32_t rounds_of(const tacit_subspace_opts *o)
{
    return o->rounds > 0 ? o->rounds : ROUNDS;
}

/* a: the exponent of the draw, a public number: a row goes to a subspace with a chance of exp(a
   times its squared length within it). */
static tacit_status say(const tac_subspace_job *job, double a, const tac_gibbs_draw *drawn,
                        tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const tacit_subspace_opts *o = job->opts;

    out->leaks = o->start_with_solver != 0;
    if (out->leaks)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "NOT private: the sampler started from a plain solution of the rows, and "
                         "nothing tells when it has forgotten it"));
    TAC_TRY(tac_note(job->ctx, &out->notes,
                     "the guarantee holds in the limit of many iterations and in real arithmetic; "
                     "whether %d were enough is not known",
                     rounds_of(o)));
    if (job->k > 1 && a < WEAK)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "at this epsilon a row is at most %.3g times as likely to go to its own "
                         "subspace as to another: expect subspaces that are all alike, however "
                         "many rows there are",
                         exp(a)));
    if (o->chains > 1)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "%d chains: their mean projectors are %.3g apart, the two last quarters "
                         "of one chain %.3g; much more between than within means that they have "
                         "not mixed",
                         o->chains, (double)drawn->between / 1000, (double)drawn->within / 1000));
done:
    return status;
}

/* One query. Labels, if released, are part of the drawn state; sizes then follow from them. */
tacit_status tac_subspace_gibbs(const tac_subspace_job *job, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const tacit_subspace_opts *o = job->opts;
    const tac_gibbs g = {.k = job->k,
                         .rank = job->q,
                         .rounds = rounds_of(o),
                         .start_with_solver = o->start_with_solver != 0,
                         .solver = o->solver,
                         .labels = o->release_labels != 0,
                         .chains = o->chains};
    tac_gibbs_draw drawn = {0};

    const tac_privacy_params params = tac_door_params(job->door);
    const double a = tac_bingham_exponent(
        &params, tac_quote_bingham(&params, job->q, false, tac_door_left(job->door)));
    TAC_TRY(tac_subspace_result_new(job->ctx, job->k, job->q, job->dims, out));
    TAC_TRY(tac_new(job->ctx, (size_t)job->k * (size_t)job->q * (size_t)job->dims,
                    sizeof *drawn.bases, &drawn.bases));
    TAC_TRY(tac_door_gibbs(job->door, "state of the Gibbs sampler", tac_door_left(job->door), &g,
                           &drawn));
    tac_subspace_rebuild(drawn.bases, job->k, job->q, job->dims, out->bases);
    out->rounds = g.rounds;
    out->labels = drawn.label;
    out->rows = drawn.rows;
    drawn.label = NULL;
    if (out->labels != NULL) { /* sizes of what is released are released too */
        for (int32_t s = 0; s < out->k; s++) out->sizes[s] = 0;
        for (int64_t i = 0; i < out->rows; i++) out->sizes[out->labels[i]]++;
    }
    TAC_TRY(say(job, a, &drawn, out));
done:
    tac_free(drawn.bases);
    tac_free(drawn.label);
    return status;
}

tacit_status tac_subspace_gibbs_check(const tac_subspace_params *t)
{
    const tacit_subspace_opts *o = t->opts;

    if (o->chains < 0 || o->chains > CHAINS_MOST)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT, "chains must be between 1 and %d", CHAINS_MOST);
    if ((unsigned)o->solver > TACIT_SOLVER_LRR)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                        "the solver to start from is not one of those in the header");
    if (o->release_labels && (t->params.neighbors != TACIT_REPLACE || t->persons))
        return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                        "labels are released only under neighbors replace without a unit column: "
                        "otherwise their number and order reveal something about rows; leave "
                        "labels out");
    return TACIT_OK;
}
