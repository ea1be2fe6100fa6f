/* SPDX-License-Identifier: Apache-2.0 */
/* Sensitivities and ranges of queries that only published methods ask, in integers. Proofs:
   draw.proof.md, select.proof.md, swap.proof.md, codes.proof.md */
#include "privacy/door_internal.h"

#define M2 ((tac_u128)TAC_M * TAC_M)

/* draw.proof.md: any point of the ball instead of any other, whoever owns them. */
tac_sensitivity tac_sensitivity_draw(int32_t dims)
{
    return (tac_sensitivity){
        .l2_squared = 4 * M2, .l1 = 2 * (tac_u128)tac_root((tac_u128)dims * M2), .reach = TAC_M};
}

/* select.proof.md: adding rows raises every cost by 0 .. B each; replacing moves them both ways. */
uint64_t tac_range_selection(tacit_neighbors neighbors, uint64_t m)
{
    return (tac_replaces(neighbors) ? 2 : 1) * m * TAC_COST_MOST;
}

/* swap.proof.md: the same with distances, which have their own bound. */
uint64_t tac_range_distances(tacit_neighbors neighbors, uint64_t m)
{
    return (tac_replaces(neighbors) ? 2 : 1) * m * TAC_DISTANCE_MOST;
}

/* codes.proof.md: (T(h), 5 h x^T), |h|, |x| <= M and no coordinate below 0. */
tac_sensitivity tac_sensitivity_codes(tacit_neighbors neighbors, uint64_t m, int32_t most,
                                      int32_t count)
{
    const unsigned sides = neighbors == TACIT_ADD_REMOVE ? 1 : 2;
    const tac_u128 same = TAC_MOMENT_SAME, k = (uint32_t)count, one = 2 * same * same * M2 * M2;
    const tac_u128 triangle = M2 * (2 * same - TAC_MOMENT_CROSS + TAC_MOMENT_CROSS * k) / 2;
    const tac_u128 products = same * tac_root(k * (uint32_t)most * M2 * M2);

    return (tac_sensitivity){.l2_squared = sides * one * m * m,
                             .l1 = sides * (triangle + products) * m,
                             .reach = same * M2};
}
