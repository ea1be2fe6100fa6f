/* SPDX-License-Identifier: Apache-2.0 */
/* Second moments by cell. Proof: moments.proof.md */
#include "data/kernels/cell_squares.h"
#include "data/kernels/sparse_squares.h"
#include "privacy/kinds.h"

tacit_status tac_moments_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    return tac_words_fit(ctx, q->cells.count, tac_triangle(tac_dims_of(q)), words);
}

tacit_status tac_moments_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    out->s = tac_sensitivity_of_moments(door, q);
    return TACIT_OK;
}

/* words[c] += triangle of x x^T over the rows of cell c. */
static void add_moments(const void *state, const tac_tile *tile, uint64_t *words)
{
    const int32_t k = *(const int32_t *)state;
    if (tile->rows == NULL)
        tac_sparse_squares(tile->start, tile->column, tile->value, tile->n, tile->dims, tile->cell,
                           words);
    else
        tac_cell_squares(tile->rows, tile->n, tile->stride, tile->dims, tile->cell, k,
                         tile->scratch, words);
}

/* For every cell the upper triangle of the sum of x x^T, without weights. */
tacit_status tac_plain_moments(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                               const tac_shard *shard, tac_words *out)
{
    const tac_lattice *rows = shard->lattice[q->values];
    const size_t scratch =
        rows->start != NULL ? 0
                            : tac_cell_squares_scratch(tac_query_tile(q, rows->stride), rows->dims);
    return tac_over_cells(ctx, engine, q, shard, add_moments, &q->cells.count, scratch, out);
}

/* The same, every entry times its weight. */
tacit_status tac_moments_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                  const tac_shard *shard, tac_words *out)
{
    const tacit_status status = tac_plain_moments(ctx, engine, q, shard, out);
    const int32_t dims = tac_dims_of(q);
    size_t at = 0;

    for (int32_t c = 0; c < q->cells.count; c++)
        for (int32_t i = 0; i < dims; i++)
            for (int32_t j = i; j < dims; j++)
                tac_multiply_two_words(out, at++, 1, i == j ? TAC_MOMENT_SAME : TAC_MOMENT_CROSS);
    return status;
}
