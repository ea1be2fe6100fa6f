/* SPDX-License-Identifier: Apache-2.0 */
/* The advice of a plan of subspace clustering, from public numbers. */
#include "cluster/subspace/auto/noisy_kplane.h"

#include <math.h>
#include <stdio.h>

/* kappa above 1: noise exceeds the signal of a cluster; above 0.3: rough subspaces. */
void tac_subspace_advise(const tacit_subspace_opts *o, const tac_run *run, double rows,
                         tacit_plan *plan)
{
    const tac_privacy_params params = tac_door_params(run->door);
    const int32_t dims = run->frame.dims, q = o->q + (o->affine ? 1 : 0);
    /* the walk of sulq+ */
    const bool walks = o->method == TACIT_SUBSPACE_AUTO && params.definition == TAC_PURE;
    const char *caveat =
        tac_subspace_method_of(walks ? TACIT_SUBSPACE_SULQ_PLUS : o->method)->caveat;
    /* The norm of the noise of second moments, had they the whole budget, against a cluster's
       typical eigenvalue. */
    const double kappa = tac_kplane_noise(&params, dims, run->accountant.budget) *
                         sqrt(2.0 * dims) * o->k * q / rows;
    char usable[256];

    if (o->k < 1 || o->q < 1)
        snprintf(usable, sizeof usable,
                 "k and q are chosen from the noisy fourth moments: right where subspaces stand "
                 "clearly out of noise, mostly too small where they do not.");
    else if (kappa > 1)
        snprintf(usable, sizeof usable,
                 "With so few rows noise hides %d subspaces of dimension %d; expect mostly random "
                 "directions. Fewer or smaller subspaces, fewer columns or a larger epsilon help.",
                 o->k, o->q);
    else if (kappa > 0.3)
        snprintf(usable, sizeof usable,
                 "Expect rough subspaces: noise is about %.0f %% of what one of %d clusters shows "
                 "along its subspace. More rows, fewer columns or a larger epsilon help.",
                 100 * kappa, o->k);
    else
        snprintf(usable, sizeof usable,
                 "Noise is about %.2g %% of what one of %d equal clusters shows along its "
                 "subspace.%s",
                 100 * kappa, o->k, caveat == NULL ? " This should be usable." : "");
    tac_plan_advise(plan, "%s%s%s", usable, caveat != NULL ? " " : "",
                    caveat != NULL ? caveat : "");
}
