/* SPDX-License-Identifier: Apache-2.0 */
/* How many rows, in all or by cell: the simplest kinds, and a model for new ones (check, bound,
   evaluate). Proof: counts.proof.md */
#include "privacy/kinds.h"

tacit_status tac_count_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    (void)ctx, (void)q;
    *words = 1;
    return TACIT_OK;
}

tacit_status tac_count_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    (void)q;
    out->s = tac_sensitivity_count(door->neighbors, door->rows_per_unit);
    return TACIT_OK;
}

/* word = 2^20 n */
tacit_status tac_count_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                const tac_shard *shard, tac_words *out)
{
    (void)ctx, (void)engine;
    out->word[0] = (uint64_t)shard->lattice[q->values]->rows << TAC_COUNT_GRID;
    return TACIT_OK;
}

tacit_status tac_histogram_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    (void)ctx;
    *words = (size_t)q->cells.count;
    return TACIT_OK;
}

/* Every kind of histogram: a row adds 2^20 to one of the words, which one being a public function
   of the row. */
tacit_status tac_histogram_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    (void)q;
    out->s = tac_sensitivity_histogram(door->neighbors, door->rows_per_unit);
    return TACIT_OK;
}

/* words[cell] += 2^20 for every row of the tile. */
static void add_counts(const void *state, const tac_tile *tile, uint64_t *words)
{
    (void)state;
    for (int64_t i = 0; i < tile->n; i++) words[tile->cell[i]] += UINT64_C(1) << TAC_COUNT_GRID;
}

/* word_c = 2^20 |{i : cell(x_i) = c}| */
tacit_status tac_histogram_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                    const tac_shard *shard, tac_words *out)
{
    return tac_over_cells(ctx, engine, q, shard, add_counts, NULL, 0, out);
}
