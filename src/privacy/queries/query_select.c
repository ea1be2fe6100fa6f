/* SPDX-License-Identifier: Apache-2.0 */
/* One of several public sets of centers, drawn by their k-means or k-median cost: a selection,
   by permute-and-flip or the exponential mechanism. Exact: integer costs, exact Bernoulli draws.
   Proof: select.proof.md */
#include "privacy/kinds.h"
#include "privacy/queries/median_cost.h"

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

/* True with probability exp(-epsilon (cost - least) / range). */
static bool accept(tac_stream *stream, uint64_t epsilon, uint64_t gap, uint64_t range)
{
    return tac_bernoulli_exp(stream, (tac_u128)epsilon * gap, range << TAC_SELECTION_BITS);
}

/* P(i) ~ exp(-epsilon cost_i / range): uniform proposals, exact acceptance. */
static uint32_t exponential_mechanism(tac_stream *stream, uint64_t epsilon, uint64_t range,
                                      const uint64_t *cost, uint64_t least, uint32_t m)
{
    for (;;) {
        const uint32_t i = (uint32_t)tac_below(stream, m);
        if (accept(stream, epsilon, cost[i] - least, range)) return i;
    }
}

/* The same flips without replacement: shuffles `order` as it goes. The best candidate always
   accepts, so it ends. */
static uint32_t permute_and_flip(tac_stream *stream, uint64_t epsilon, uint64_t range,
                                 const uint64_t *cost, uint64_t least, uint32_t m, uint32_t *order)
{
    for (uint32_t i = 0; i < m; i++) order[i] = i;
    for (uint32_t left = m;; left--) {
        const uint32_t pick = (uint32_t)tac_below(stream, left), i = order[pick];
        if (accept(stream, epsilon, cost[i] - least, range)) return i;
        order[pick] = order[left - 1];
    }
}

/* Costs relative to the least: exponents stay small, and the best candidate accepts at once. The
   draw depends on cost differences alone. */
uint32_t tac_choose_by_cost(tac_stream *stream, tac_definition definition, uint64_t epsilon,
                            uint64_t range, const uint64_t *cost, uint32_t m, uint32_t *order)
{
    uint64_t least = cost[0];

    for (uint32_t i = 1; i < m; i++) least = cost[i] < least ? cost[i] : least;
    return definition == TAC_PURE ? permute_and_flip(stream, epsilon, range, cost, least, m, order)
                                  : exponential_mechanism(stream, epsilon, range, cost, least, m);
}
