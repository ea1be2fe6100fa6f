/* SPDX-License-Identifier: Apache-2.0 */
/* Method auto for subspaces: the walk of auto_subspace.h, from the count to the result. */
#include "cluster/subspace/auto/auto_subspace.h"

#include <math.h>

static tacit_status count_rows(tac_fourth_walk *w)
{
    tacit_status status = TACIT_OK;
    int64_t answer;

    TAC_TRY(
        tac_door_count(w->door, "number of rows", tac_share(w->budget, TAC_FOURTH_COUNT), &answer));
    w->rows_noisy = ldexp((double)answer, -TAC_COUNT_GRID);
done:
    return status;
}

/* The walk for k subspaces of dimension q, or for the most of both if they are to be chosen. */
static tacit_status walk(const tac_subspace_job *job, int32_t k, int32_t q,
                         tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(job->door);
    tac_fourth_walk w = {.job = job,
                         .ctx = job->ctx,
                         .door = job->door,
                         .dims = job->dims,
                         .budget = tac_door_left(job->door),
                         .k = k,
                         .q = q,
                         .choose = job->k < 1 || job->q < 1,
                         .brief = tac_run_made_up(job->run),
                         .affine = job->opts->affine != 0};

    TAC_TRY(tac_new(w.ctx, (size_t)w.dims, sizeof *w.middle, &w.middle));
    TAC_TRY(count_rows(&w));
    w.rules = tac_fourth_rules_for(&params, w.budget, k, q, w.dims, w.rows_noisy, w.choose,
                                   job->opts->rounds);
    TAC_TRY(tac_fourth_norms(&w));
    if (k > 1 || w.choose) {
        TAC_TRY(tac_fourth_projection(&w));
        TAC_TRY(tac_fourth_tensor(&w, out));
    }
    TAC_TRY(tac_fourth_refine(&w, out));
done:
    tac_free(w.middle);
    tac_free(w.directions);
    tac_free(w.along);
    tac_free(w.fit);
    return status;
}

/* The walk of sulq+, and what k-plane from random starts cannot do. */
static tacit_status fall_back(const tac_subspace_job *job, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_subspace_sulq_plus(job, out));
    if (job->opts->affine && job->k > 1)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "method sulq+ tells affine subspaces that share a point apart badly; if "
                         "all may pass near one point, make it the origin and leave affine out"));
done:
    return status;
}

/* Which walk: sulq+ for delta = 0, and for more subspaces than a tensor determines. */
tacit_status tac_subspace_auto(const tac_subspace_job *job, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    int32_t k = job->k, q = job->q;

    if (tac_door_params(job->door).definition == TAC_PURE) {
        TAC_TRY(fall_back(job, out));
        return tac_note(job->ctx, &out->notes,
                        "delta is 0, where auto is method sulq+ with trace noise");
    }
    tac_fourth_most(job->opts, job->dims, &k, &q);
    if (job->k < 1 || job->q < 1 || k == 1 || tac_fourth_suits(k, q, job->dims))
        return walk(job, k, q, out);
    TAC_TRY(fall_back(job, out));
    TAC_TRY(tac_note(job->ctx, &out->notes,
                     "fourth moments of so few columns cannot tell %d subspaces of dimension %d "
                     "apart; method sulq+ was run instead",
                     k, q));
done:
    return status;
}

tacit_status tac_subspace_auto_check(const tac_subspace_params *t)
{
    if (t->k > 0 && t->q > 0) return TACIT_OK;
    if (t->params.definition == TAC_PURE) /* the walk is that of sulq+, which needs both */
        return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                        "k and q can be chosen with delta above 0 only, for example 1e-6; give "
                        "both numbers");
    return TACIT_OK;
}
