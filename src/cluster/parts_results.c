/* SPDX-License-Identifier: Apache-2.0 */
/* Subspaces and points from the noisy answer of sample and aggregate. */
#include "cluster/parts_results.h"

#include "solve/subspace/subspaces.h"

#include <math.h>
#include <stdlib.h>

/* Lexicographic, largest first: an order that depends on the released numbers alone. */
static int by_numbers(const void *a, const void *b, void *count)
{
    const double *x = a, *y = b;
    const size_t n = *(const size_t *)count;

    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? 1 : -1;
    return 0;
}

/* Noisy vectors to orthonormal ones, to canonical bases, sorted: their order carries no
   information. */
tacit_status tac_parts_ranges(tacit_ctx *ctx, const int64_t *answer, int32_t k, int32_t q,
                              int32_t dims, double *bases)
{
    tacit_status status = TACIT_OK;
    size_t each = (size_t)q * (size_t)dims;
    double *room = NULL;

    TAC_TRY(tac_new(ctx, 2 * each + (size_t)q, sizeof *room, &room));
    for (size_t i = 0; i < (size_t)k * each; i++)
        bases[i] = ldexp((double)answer[i], -TAC_PARTS_GRID);
    for (int32_t c = 0; c < k; c++) {
        tac_orthonormalise(bases + (size_t)c * each, q, dims);
        tac_canonical_basis(bases + (size_t)c * each, q, dims, room);
    }
    qsort_r(bases, (size_t)k, each * sizeof *bases, by_numbers, &each);
done:
    tac_free(room);
    return status;
}

/* Points outside the unit ball are pulled onto it; M is its radius in the lattice. */
void tac_parts_points(const int64_t *answer, int32_t k, int32_t dims, double *points)
{
    size_t each = (size_t)dims;

    for (size_t c = 0; c < (size_t)k; c++) {
        double squares = 0;
        for (size_t j = c * each; j < (c + 1) * each; j++) {
            points[j] = ldexp((double)answer[j], -TAC_PARTS_GRID);
            squares += points[j] * points[j];
        }
        for (size_t j = c * each; j < (c + 1) * each; j++)
            points[j] *= squares > 1 ? TAC_M / sqrt(squares) : TAC_M;
    }
    qsort_r(points, (size_t)k, each * sizeof *points, by_numbers, &each);
}
