/* SPDX-License-Identifier: Apache-2.0 */
/* From vectors of the lattice to a release. */
#include "cluster/card.h"
#include "cluster/subspace/subspace.h"

tacit_status tac_subspace_release(tacit_ctx *ctx, const tac_run *run, const tacit_subspace_opts *opts,
                                  const tac_subspace_result *result, tacit_model **out)
{
    (void)run;
    (void)opts;
    (void)result;
    *out = NULL;
    return tac_fail(ctx, TACIT_E_INTERNAL, "subspaces cannot be released yet");
}
