/* SPDX-License-Identifier: Apache-2.0 */
/* One of several public sets of centers, selected by their k-means or k-median cost.
   Proof: select.proof.md */
#include "privacy/kinds.h"
#include "privacy/queries/literature/median_cost.h"

tacit_status tac_centers_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    if (q->m < 1 || q->k < 1 || q->candidates == NULL || q->cells.kind != TAC_ONE_CELL ||
        q->values != q->cells.view)
        return tac_no_sense(ctx, "a selection");
    *words = (size_t)q->m;
    return TACIT_OK;
}

tacit_status tac_centers_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    out->range = (q->median ? tac_range_distances : tac_range_selection)(door->neighbors,
                                                                         door->rows_per_unit);
    return TACIT_OK;
}

/* min_c |x - c|^2 >> 16, in 64-bit integers: at most TAC_COST_MOST because |x|, |c| <= M; or the
   distance (swap.proof.md) */
static uint64_t row_cost(const int16_t *x, const int16_t *centers, int32_t k, int32_t dims,
                         bool median)
{
    uint64_t least = UINT64_MAX;

    for (int32_t c = 0; c < k; c++) {
        const int16_t *center = centers + (size_t)c * (size_t)dims;
        uint64_t far = 0;
        for (int32_t j = 0; j < dims; j++) {
            const int64_t gap = (int32_t)x[j] - center[j];
            far += (uint64_t)(gap * gap);
        }
        if (far < least) least = far;
    }
    return median ? tac_distance((uint32_t)least) : least >> TAC_COST_SHIFT;
}

typedef struct sets {
    const tac_query *q;
    const int16_t *candidates; /* clipped */
} sets;

/* words[c] += cost of every row of the tile for candidate set c. At most 2^16 a row: no sum
   wraps. */
static void add_costs(const void *state, const tac_tile *tile, uint64_t *words)
{
    const sets *s = state;
    const size_t each = (size_t)s->q->k * (size_t)tile->dims;

    for (int64_t i = 0; i < tile->n; i++)
        for (int32_t c = 0; c < s->q->m; c++)
            words[c] += row_cost(tile->rows + i * tile->stride, s->candidates + (size_t)c * each,
                                 s->q->k, tile->dims, s->q->median);
}

/* word_c = the cost of candidate c over all rows */
tacit_status tac_centers_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                  const tac_shard *shard, tac_words *out)
{
    tacit_status status = TACIT_OK;
    int16_t *clipped = NULL;

    TAC_TRY(tac_clipped(ctx, q->candidates, (int64_t)q->m * q->k, tac_dims_of(q), &clipped));
    const sets s = {.q = q, .candidates = clipped};
    TAC_TRY(tac_over_cells(ctx, engine, q, shard, add_costs, &s, 0, out));
done:
    tac_free(clipped);
    return status;
}
