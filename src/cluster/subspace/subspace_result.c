/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of results, and bases as the door takes and gives them. */
#include "cluster/subspace/subspace_run.h"
#include "solve/subspace/subspaces.h"

#include <math.h>

tacit_status tac_subspace_result_new(tacit_ctx *ctx, int32_t k, int32_t q, int32_t dims,
                                     tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;

    out->k = k;
    out->q = q;
    out->sizes_sd = NAN;
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)q * (size_t)dims, sizeof *out->bases, &out->bases));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof *out->sizes, &out->sizes));
    for (int32_t s = 0; s < k; s++) out->sizes[s] = NAN;
done:
    return status;
}

void tac_subspace_result_clear(tac_subspace_result *r)
{
    tac_free(r->bases);
    tac_free(r->sizes);
    tac_free(r->profile);
    tac_free(r->labels);
    tac_notes_clear(&r->notes);
    *r = (tac_subspace_result){0};
}

void tac_subspace_round(const double *bases, size_t numbers, int16_t *out)
{
    for (size_t i = 0; i < numbers; i++)
        out[i] = (int16_t)lrint(TAC_M * fmax(-1, fmin(1, bases[i])));
}

void tac_subspace_rebuild(const int16_t *drawn, int32_t k, int32_t q, int32_t dims, double *bases)
{
    const size_t each = (size_t)q * (size_t)dims;

    for (size_t i = 0; i < (size_t)k * each; i++) bases[i] = (double)drawn[i] / TAC_M;
    for (int32_t c = 0; c < k; c++) tac_orthonormalise(bases + (size_t)c * each, q, dims);
}
