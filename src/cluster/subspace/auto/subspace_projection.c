/* SPDX-License-Identifier: Apache-2.0 */
/* The directions in which the rows are longest, from their noisy second moments, and the projection
   that the tensor looks at. */
#include "cluster/subspace/auto/auto_subspace.h"
#include "solve/linalg/eigen.h"

#include <math.h>
#include <string.h>

/* Sets the projection to the ball of this radius, in the first p directions if there are any. */
static tacit_status look(tac_fourth_walk *w, double radius, double height)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)w->dims, p = (size_t)w->rules.p, kept = (size_t)w->kept;
    double *basis = NULL;

    if (w->projected) {
        TAC_TRY(tac_new(w->ctx, d * p, sizeof *basis, &basis));
        for (size_t j = 0; j < d; j++)
            memcpy(basis + j * p, w->directions + j * kept, p * sizeof *basis);
    }
    TAC_TRY(tac_fourth_look(w, TAC_PROJECTED, radius, height, w->rules.p, basis));
done:
    tac_free(basis);
    return status;
}

/* The constant coordinate is a direction of its own and the first: it is given more than all rows
   together could have. */
static void set_apart(double *moments, size_t d)
{
    double trace = 1;

    for (size_t i = 0; i < d; i++) trace += fabs(moments[i * d + i]);
    for (size_t i = 0; i + 1 < d; i++) moments[i * d + d - 1] = moments[(d - 1) * d + i] = 0;
    moments[d * d - 1] = (double)d * trace;
}

/* Leading eigenvectors of the noisy second moments of all rows. */
static tacit_status find_directions(tac_fourth_walk *w)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)w->dims;
    const tac_subspace_job *job = w->job;
    tac_noisy_planes all = {0};

    w->kept = w->k * w->q > TAC_FOURTH_REDUCED ? w->k * w->q : TAC_FOURTH_REDUCED;
    if (w->kept > w->dims) w->kept = w->dims;
    TAC_TRY(tac_kplane_open(job, 1, 1, &all));
    TAC_TRY(tac_new(w->ctx, d * (size_t)w->kept, sizeof *w->directions, &w->directions));
    TAC_TRY(tac_new(w->ctx, (size_t)w->kept, sizeof *w->along, &w->along));
    TAC_TRY(tac_kplane_ask(&all, "second moments of all rows",
                           tac_share(w->budget, w->rules.projection), NULL));
    const double constant = all.moments[d * d - 1];
    if (w->affine) set_apart(all.moments, d);
    TAC_TRY(tac_top_eigen(w->ctx, all.moments, w->dims, w->kept, w->along, w->directions));
    if (w->affine) w->along[0] = constant;
    w->projected = true;
done:
    tac_kplane_close(&all);
    return status;
}

tacit_status tac_fourth_projection(tac_fourth_walk *w)
{
    tacit_status status = TACIT_OK;

    if (w->rules.p < w->dims) {
        TAC_TRY(find_directions(w));
        TAC_TRY(look(w, w->most, 0));
        TAC_TRY(tac_fourth_projection_norms(w));
    }
    TAC_TRY(look(w, w->usual, w->height));
done:
    return status;
}
