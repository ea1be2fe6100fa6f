/* SPDX-License-Identifier: Apache-2.0 */
/* Distances of subspaces, and of sets of them. */
#include "solve/subspace/subspaces.h"

#include <math.h>

/* |sin Theta|^2 = sum_j |b_j - A'A b_j|^2: what is left of b beside a. The form q - |A B'|^2 would
   lose half the digits. */
double tac_subspace_gap(const double *a, const double *b, int32_t q, int32_t d, tac_gap norm,
                        double *room)
{
    double sines = 0;

    for (int32_t j = 0; j < q; j++) {
        const double *y = b + (size_t)j * (size_t)d;
        for (int32_t i = 0; i < q; i++) {
            const double *x = a + (size_t)i * (size_t)d;
            double dot = 0;
            for (int32_t t = 0; t < d; t++) dot += x[t] * y[t];
            room[i] = dot;
        }
        for (int32_t t = 0; t < d; t++) {
            double rest = y[t];
            for (int32_t i = 0; i < q; i++) rest -= room[i] * a[(size_t)i * (size_t)d + (size_t)t];
            sines += rest * rest;
        }
    }
    return norm == TAC_GAP_SINES ? sines : 2 * sines;
}

/* min over pairings of sum gap(a_i, b_to(i))^2, by tac_match. */
tacit_status tac_subspaces_gap(tacit_ctx *ctx, const double *a, const double *b, int32_t k,
                               int32_t q, int32_t d, tac_gap norm, double *out, int32_t *to)
{
    tacit_status status = TACIT_OK;
    const size_t each = (size_t)q * (size_t)d;
    double *cost = NULL, *room = NULL, total = 0;
    int32_t *own = NULL;

    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)k, sizeof *cost, &cost));
    TAC_TRY(tac_new(ctx, (size_t)q, sizeof *room, &room));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof *own, &own));
    for (int32_t i = 0; i < k; i++)
        for (int32_t j = 0; j < k; j++)
            cost[(size_t)i * (size_t)k + (size_t)j] =
                tac_subspace_gap(a + (size_t)i * each, b + (size_t)j * each, q, d, norm, room);
    TAC_TRY(tac_match(ctx, cost, k, to == NULL ? own : to, &total));
    *out = sqrt(fmax(0, total));
done:
    tac_free(cost);
    tac_free(room);
    tac_free(own);
    return status;
}
