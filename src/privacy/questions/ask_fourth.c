/* SPDX-License-Identifier: Apache-2.0 */
/* The fourth-moment tensor of all rows. Proof: fourth.proof.md */
#include "data/fourths.h"
#include "privacy/door_internal.h"

#include <string.h>

_Static_assert((int)TAC_FOURTH_DIMS == (int)TAC_FOURTHS_DIMS, "the kernel's width is the question's");

size_t tac_fourth_count(int32_t dims)
{
    return tac_fourths_count(dims);
}

/* floor(20 sqrt(orders)) for the 1, 4, 6, 12 or 24 orders of four numbers i <= j <= k <= l. */
uint32_t tac_fourth_weight(int32_t i, int32_t j, int32_t k, int32_t l)
{
    static const uint32_t weight[2][2][2] = {{{97, 69}, {69, 40}}, {{69, 48}, {40, 20}}}; /* [i = j][j = k][k = l] */
    return weight[i == j][j == k][k == l];
}

static void add_fourths(const void *state, const tac_tile *tile, uint64_t *words)
{
    (void)state;
    tac_fourths(tile->rows, tile->n, tile->stride, tile->dims, tile->scratch, words);
}

/* Every entry times its weight, in place; modulo 2^64 like the sums. */
static void weigh(uint64_t *words, int32_t dims)
{
    for (int32_t i = 0; i < dims; i++)
        for (int32_t j = i; j < dims; j++)
            for (int32_t k = j; k < dims; k++)
                for (int32_t l = k; l < dims; l++) *words++ *= tac_fourth_weight(i, j, k, l);
}

/* answer = weighted entries i <= j <= k <= l of the sum of y_ij y_kl over all rows, + noise */
tacit_status tac_door_fourth(tac_door *door, const char *what, uint64_t units, tac_view view, int64_t *answer)
{
    tacit_status status = TACIT_OK;
    const tac_cells all = {.kind = TAC_ONE_CELL, .view = view, .count = 1};
    const tac_receipt *receipt;
    size_t words = 0;

    TAC_TRY(tac_cells_check(door, &all, view));
    const int32_t dims = door->lattice[view]->dims;
    if (dims > TAC_FOURTH_DIMS)
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "fourth moments were asked of a view with more than %d coordinates",
                        TAC_FOURTH_DIMS);
    const tac_sensitivity s = tac_sensitivity_fourth(door->neighbours, door->rows_per_unit, dims);
    words = tac_fourth_count(dims);
    TAC_TRY(tac_door_pay(door, "fourth moments", what, &s, units, (int64_t)words, &receipt));
    TAC_TRY(tac_door_over_cells(door, &all, view, words, add_fourths, NULL, tac_fourths_scratch(dims), (uint64_t *)answer));
    weigh((uint64_t *)answer, dims);
    TAC_TRY(tac_door_release(door, receipt, (uint64_t *)answer, words));
done:
    if (status != TACIT_OK) memset(answer, 0, words * sizeof *answer); /* an exact sum must not stay behind */
    return status;
}
