/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_subspace_distance: how far apart the subspaces of two models are. It looks at released
   models only, so it costs no budget. */
#include "release/model.h"
#include "solve/subspace/subspaces.h"

#include <math.h>
#include <string.h>

/* The factor that turns column j into the clustered geometry. */
static double weight(const tac_geometry *g, int32_t j)
{
    return g->ball || g->scale != TACIT_SCALE_RANGE ? 1 : 1 / (g->upper[j] - g->lower[j]);
}

/* Are the models comparable? Same family, numbers, columns in the same order, and distances that
   differ by a common factor at most. Refuses with what differs. */
static tacit_status check(tacit_ctx *ctx, const tacit_model *a, const tacit_model *b)
{
    if (a == NULL || b == NULL || !tac_model_is_subspace(a) || !tac_model_is_subspace(b))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the distance of subspaces needs two models of the family subspace, and "
                        "one of these (the truth, say) is of another; give a file that tacit "
                        "subspace or tacit generate subspaces --truth-out wrote");
    if (a->k != b->k || a->q != b->q)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the models hold %d subspaces of dimension %d and %d of dimension %d; "
                        "their distance is for equal numbers",
                        a->k, a->q, b->k, b->q);
    if (a->dims != b->dims)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the models have %d and %d columns; compare models of the same columns",
                        a->dims, b->dims);
    for (int32_t j = 0; j < a->dims; j++) {
        if (strcmp(a->column[j], b->column[j]) != 0)
            return tac_fail(ctx, TACIT_E_ARGUMENT,
                            "column %d of one model is '%s', of the other '%s'; compare models of "
                            "the same columns in the same order",
                            j + 1, a->column[j], b->column[j]);
        const double here = weight(&a->geometry, j) / weight(&a->geometry, 0);
        if (!(fabs(here * weight(&b->geometry, 0) / weight(&b->geometry, j) - 1) < 1e-6))
            return tac_fail(ctx, TACIT_E_ARGUMENT,
                            "the models divide their columns by different ranges, so that their "
                            "angles mean different things; make both with the same bounds, or with "
                            "a radius");
    }
    return TACIT_OK;
}

/* k x d x q as in a model -> k x q x d. */
static void transpose(const tacit_model *m, double *out)
{
    const size_t d = (size_t)m->dims, q = (size_t)m->q;

    for (size_t c = 0; c < (size_t)m->k; c++)
        for (size_t j = 0; j < d; j++)
            for (size_t i = 0; i < q; i++)
                out[(c * q + i) * d + j] = m->subspaces[(c * d + j) * q + i];
}

/* sine and projector may be NULL. Both come from one pairing: the norms differ by the factor sqrt
   2, so the same pairs are nearest. */
tacit_status tacit_subspace_distance(tacit_ctx *ctx, const tacit_model *a, const tacit_model *b,
                                     double *sine, double *projector)
{
    tacit_status status = TACIT_OK;
    double *x = NULL, *y = NULL, far = 0;

    if (ctx != NULL) ctx->message[0] = '\0';
    TAC_TRY(check(ctx, a, b));
    const size_t numbers = (size_t)a->k * (size_t)a->q * (size_t)a->dims;
    TAC_TRY(tac_new(ctx, numbers, sizeof *x, &x));
    TAC_TRY(tac_new(ctx, numbers, sizeof *y, &y));
    transpose(a, x);
    transpose(b, y);
    TAC_TRY(tac_subspaces_gap(ctx, x, y, a->k, a->q, a->dims, TAC_GAP_SINES, &far, NULL));
    if (sine != NULL) *sine = far;
    if (projector != NULL) *projector = sqrt(2) * far; /* the same pairs are nearest */
done:
    tac_free(x);
    tac_free(y);
    return status;
}
