/* SPDX-License-Identifier: Apache-2.0 */
/* Sensitivities of queries about rows of counts, in integers: where one count moves, and where a
   whole row does. Proof: data/lattice/counts_frame.proof.md */
#include "privacy/door_internal.h"

#define M2 ((tac_u128)TAC_M * TAC_M)

static tac_u128 lesser(tac_u128 a, tac_u128 b)
{
    return a < b ? a : b;
}

/* counts_frame.proof.md: one point moves by `reach`, in at most dims coordinates; how many rows
   there are does not move. */
tac_sensitivity tac_sensitivity_sums_entry(int32_t dims, int32_t most, uint32_t reach)
{
    const tac_u128 far = (tac_u128)reach * reach, any = 2 * (tac_u128)tac_root((uint32_t)most * M2);
    return (tac_sensitivity){.l2_squared = far,
                             .l1 = lesser(tac_root((tac_u128)(uint32_t)dims * far), any),
                             .reach = reach};
}

/* counts_frame.proof.md: x x^T moves by `squares` in the Frobenius norm, its weighted triangle by 5
   times that. */
tac_sensitivity tac_sensitivity_moments_entry(int32_t dims, int32_t most, uint64_t squares)
{
    const tac_u128 d = (uint32_t)dims, far = (tac_u128)TAC_MOMENT_SAME * squares;
    const tac_sensitivity any = tac_sensitivity_moments(TACIT_REPLACE, 1, dims, most);

    return (tac_sensitivity){.l2_squared = lesser(far * far, any.l2_squared),
                             .l1 = lesser(far * (tac_root(d * (d + 1) / 2) + 1), any.l1),
                             .reach = lesser(far, any.reach)};
}

/* Under neighbors entry, and in one cell: as far as one count moves a point. With several cells
   a count may carry its row from one to another, so the row counts as replaced. */
tac_sensitivity tac_sensitivity_of_sums(const tac_door *door, const tac_query *q)
{
    const tac_lattice *l = tac_door_lattice(door, q->values);

    if (door->neighbors == TACIT_ENTRY && q->cells.kind == TAC_ONE_CELL && l->entry_reach > 0)
        return tac_sensitivity_sums_entry(l->dims, tac_lattice_most(l), l->entry_reach);
    return tac_sensitivity_sums(door->neighbors, door->rows_per_unit, tac_lattice_most(l),
                                q->weight);
}

/* As for sums: by entry in one cell, by row otherwise. */
tac_sensitivity tac_sensitivity_of_moments(const tac_door *door, const tac_query *q)
{
    const tac_lattice *l = tac_door_lattice(door, q->values);

    if (door->neighbors == TACIT_ENTRY && q->cells.kind == TAC_ONE_CELL && l->entry_squares > 0)
        return tac_sensitivity_moments_entry(l->dims, tac_lattice_most(l), l->entry_squares);
    return tac_sensitivity_moments(door->neighbors, door->rows_per_unit, l->dims,
                                   tac_lattice_most(l));
}
