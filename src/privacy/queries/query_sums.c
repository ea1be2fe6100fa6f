/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and counts by cell, one joint query. Proof: sums.proof.md */
#include "privacy/kinds.h"

tacit_status tac_sums_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    if (q->weight < 1 || q->weight > (1 << TAC_COUNT_GRID))
        return tac_no_sense(ctx, "a weight of counts");
    return tac_words_fit(ctx, q->cells.count, (size_t)tac_dims_of(q) + 1, words);
}

tacit_status tac_sums_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    out->s = tac_sensitivity_of_sums(door, q);
    return TACIT_OK;
}

/* words: count x dims sums, then count counts */
static void add_sums(const void *state, const tac_tile *tile, uint64_t *words)
{
    const int32_t k = *(const int32_t *)state;
    if (tile->rows == NULL)
        tac_cell_sums_sparse(tile->start, tile->column, tile->value, tile->n, tile->dims,
                             tile->cell, k, words, words + (size_t)k * (size_t)tile->dims);
    else
        tac_cell_sums(tile->rows, tile->n, tile->stride, tile->dims, tile->cell, k, words,
                      words + (size_t)k * (size_t)tile->dims);
}

/* For every cell the sum of its x_i; then for every cell w times its number of rows. */
tacit_status tac_sums_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                               const tac_shard *shard, tac_words *out)
{
    const tacit_status status =
        tac_over_cells(ctx, engine, q, shard, add_sums, &q->cells.count, 0, out);

    for (size_t c = out->count - (size_t)q->cells.count; c < out->count; c++)
        out->word[c] *= q->weight;
    return status;
}
