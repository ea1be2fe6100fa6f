/* SPDX-License-Identifier: Apache-2.0 */
/* A noisy table, kept along the leading eigenvectors of the Gram matrix, where clusters differ,
   and shrunk elsewhere: a first table toward 0, as far as noise alone explains it (James & Stein),
   all tables together by what is known of contrasts. Post-processing. */
#include "cluster/cocluster/auto/rows/auto_rows.h"
#include "core/gram_schmidt.h"

#include <math.h>
#include <string.h>

/* The eigenvectors in the present weights, orthonormalized again: basis, vectors x q. Returns
   how many are independent. */
static int32_t turn_basis(const tac_rows_walk *w, double *basis)
{
    const tac_factors *f = &w->factors;
    const size_t q = (size_t)f->q;
    int32_t left = 0;

    for (int32_t a = 0; a < f->vectors; a++) {
        double *mine = basis + (size_t)left * q, before = 0, after = 0;
        for (size_t i = 0; i < q; i++) {
            const size_t g = (size_t)w->place[i];
            mine[i] = f->vector[(size_t)a * q + i] * w->weight[g] / w->first[g];
            before += mine[i] * mine[i];
        }
        for (int pass = 0; pass < 2; pass++) tac_take_off(mine, basis, left, q);
        for (size_t i = 0; i < q; i++) after += mine[i] * mine[i];
        /* only rounding is left of it: it depends on the others */
        if (!(after > 1e-12 * before)) continue;
        for (size_t i = 0; i < q; i++) mine[i] /= sqrt(after);
        left++;
    }
    return left;
}

/* The part of a row of the table that the basis spans. */
static void find_along(const tac_rows_walk *w, const double *basis, int32_t p, const double *table,
                       double *along)
{
    const size_t q = (size_t)w->factors.q, kept = (size_t)w->kept;

    memset(along, 0, kept * sizeof *along);
    for (int32_t b = 0; b < p; b++) {
        const double *mine = basis + (size_t)b * q;
        double much = 0;
        for (size_t i = 0; i < q; i++) much += mine[i] * table[w->place[i]];
        for (size_t i = 0; i < q; i++) along[w->place[i]] += much * mine[i];
    }
}

/* profile = along + part (table - along), part = max(0, 1 - free one / |table - along|^2), `free`
   numbers not spanned by the basis, `one` the variance of each. */
static void shrink_one(const tac_rows_walk *w, const double *basis, int32_t p, const double *table,
                       double one, double *along, double *profile, double *noise)
{
    const size_t kept = (size_t)w->kept;
    const double rest = (double)(w->kept - p) * one;
    double squares = 0;

    find_along(w, basis, p, table, along);
    for (size_t g = 0; g < kept; g++) squares += (table[g] - along[g]) * (table[g] - along[g]);
    const double part = squares > rest ? 1 - rest / squares : 0;
    for (size_t g = 0; g < kept; g++) profile[g] = along[g] + part * (table[g] - along[g]);
    *noise = p * one + part * part * rest;
}

/* Without eigenvectors the table stays as it is. */
tacit_status tac_rows_shrink(tac_rows_walk *w, double *noise)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)w->k, kept = (size_t)w->kept;
    double *basis = NULL, *along = NULL;

    if (w->factors.vectors == 0) { /* nothing to go by */
        memcpy(w->profile, w->whole, k * kept * sizeof *w->profile);
        for (size_t a = 0; a < k; a++) noise[a] = w->kept * w->left;
        return TACIT_OK;
    }
    TAC_TRY(
        tac_new(w->ctx, (size_t)w->factors.vectors * (size_t)w->factors.q, sizeof *basis, &basis));
    TAC_TRY(tac_new(w->ctx, kept, sizeof *along, &along));
    const int32_t p = turn_basis(w, basis);
    for (size_t a = 0; a < k; a++)
        shrink_one(w, basis, p, w->whole + a * kept, w->left, along, w->profile + a * kept,
                   noise + a);
done:
    tac_free(basis);
    tac_free(along);
    return status;
}

/* profile = shrunk + P (whole - shrunk), P the projection on the leading eigenvectors. */
tacit_status tac_rows_believe(tac_rows_walk *w)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)w->k, kept = (size_t)w->kept;
    double *basis = NULL, *along = NULL, *apart = NULL;

    tac_contrasts_clear(&w->contrasts);
    TAC_TRY(tac_contrasts_find(w->ctx, w->whole, w->k, w->kept, w->left, &w->contrasts));

    TAC_TRY(tac_new(w->ctx, (size_t)w->factors.vectors * (size_t)w->factors.q + 1, sizeof *basis,
                    &basis));
    TAC_TRY(tac_new(w->ctx, kept, sizeof *along, &along));
    TAC_TRY(tac_new(w->ctx, kept, sizeof *apart, &apart));
    const int32_t p = turn_basis(w, basis);
    for (size_t a = 0; a < k; a++) {
        const double *shrunk = w->contrasts.table + a * kept;
        for (size_t g = 0; g < kept; g++) apart[g] = w->whole[a * kept + g] - shrunk[g];
        find_along(w, basis, p, apart, along);
        for (size_t g = 0; g < kept; g++) w->profile[a * kept + g] = shrunk[g] + along[g];
    }
done:
    tac_free(basis);
    tac_free(along);
    tac_free(apart);
    return status;
}
