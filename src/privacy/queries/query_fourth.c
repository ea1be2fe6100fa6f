/* SPDX-License-Identifier: Apache-2.0 */
/* The fourth-moment tensor of all rows. Proof: fourth.proof.md */
#include "data/kernels/fourths.h"
#include "privacy/kinds.h"

_Static_assert((int)TAC_FOURTH_DIMS == (int)TAC_FOURTHS_DIMS, "the kernel's width is the query's");

size_t tac_fourth_count(int32_t dims)
{
    return tac_fourths_count(dims);
}

/* floor(20 sqrt(orders)) for the 1, 4, 6, 12 or 24 orders of four numbers i <= j <= k <= l. */
uint32_t tac_fourth_weight(int32_t i, int32_t j, int32_t k, int32_t l)
{
    /* [i = j][j = k][k = l] */
    static const uint32_t weight[2][2][2] = {{{97, 69}, {69, 40}}, {{69, 48}, {40, 20}}};
    return weight[i == j][j == k][k == l];
}

tacit_status tac_fourth_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    if (tac_dims_of(q) > TAC_FOURTH_DIMS || q->cells.kind != TAC_ONE_CELL)
        return tac_fail(ctx, TACIT_E_INTERNAL,
                        "fourth moments were asked of a view with more than %d coordinates, or of "
                        "cells",
                        TAC_FOURTH_DIMS);
    *words = tac_fourth_count(tac_dims_of(q));
    return TACIT_OK;
}

tacit_status tac_fourth_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    out->s = tac_sensitivity_fourth(door->neighbors, door->rows_per_unit, tac_dims_of(q));
    return TACIT_OK;
}

static void add_fourths(const void *state, const tac_tile *tile, uint64_t *words)
{
    (void)state;
    tac_fourths(tile->rows, tile->n, tile->stride, tile->dims, tile->scratch, words);
}

/* Entries i <= j <= k <= l of the sum of y_ij y_kl over all rows, each times its weight. */
tacit_status tac_fourth_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                 const tac_shard *shard, tac_words *out)
{
    const int32_t dims = tac_dims_of(q);
    const tacit_status status =
        tac_over_cells(ctx, engine, q, shard, add_fourths, NULL, tac_fourths_scratch(dims), out);
    size_t at = 0;

    for (int32_t i = 0; i < dims; i++)
        for (int32_t j = i; j < dims; j++)
            for (int32_t k = j; k < dims; k++)
                for (int32_t l = k; l < dims; l++)
                    tac_multiply_two_words(out, at++, 1, tac_fourth_weight(i, j, k, l));
    return status;
}
