/* SPDX-License-Identifier: Apache-2.0 */
/* One of several public sets of centres, drawn by their k-means or k-median cost. Exact: integer costs, exact Bernoulli
   draws. Proof: select.proof.md */
#include "privacy/door_internal.h"
#include "privacy/questions/swap_scores.h"

typedef struct pass {
    const tac_lattice *lattice;
    const int16_t *candidates; /* clipped */
    int32_t m, k;
    bool median;
    int64_t rows_per_block;
    uint64_t **lane_words;
} pass;

/* min_c |x - c|^2 >> 16, in 64-bit integers: at most TAC_COST_MOST because |x|, |c| <= M; or the distance (swap.proof.md) */
static uint64_t row_cost(const int16_t *x, const int16_t *centers, int32_t k, int32_t dims, bool median)
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

static tacit_status cost_block(void *state, int64_t block, int lane)
{
    const pass *p = state;
    const int32_t dims = p->lattice->dims;
    const int64_t first = block * p->rows_per_block;
    const int64_t end = first + p->rows_per_block < p->lattice->rows ? first + p->rows_per_block : p->lattice->rows;

    for (int64_t i = first; i < end; i++)
        for (int32_t c = 0; c < p->m; c++)
            p->lane_words[lane][c] += row_cost(p->lattice->points + i * p->lattice->stride,
                                               p->candidates + (size_t)c * (size_t)p->k * (size_t)dims, p->k, dims,
                                               p->median);
    return TACIT_OK;
}

/* cost[c] = total cost of candidate c over all rows */
static tacit_status total_costs(tac_door *door, const void *state, uint64_t *cost)
{
    tacit_status status = TACIT_OK;
    const tac_choice *choice = state;
    const tac_engine *engine = door->engine;
    const int32_t m = choice->m, k = choice->k, dims = door->lattice[choice->view]->dims;
    pass p = {.lattice = door->lattice[choice->view], .m = m, .k = k, .median = choice->median};
    int16_t *clipped = NULL;

    p.rows_per_block = 1 + door->ctx->block_bytes / ((int64_t)sizeof(int16_t) * p.lattice->stride);
    TAC_TRY(tac_clipped(door->ctx, choice->candidates, (int64_t)m * k, dims, &clipped));
    p.candidates = clipped;
    TAC_TRY(tac_new(door->ctx, (size_t)engine->lanes, sizeof *p.lane_words, &p.lane_words));
    for (int i = 0; i < engine->lanes; i++)
        TAC_TRY(tac_new(door->ctx, (size_t)m, sizeof(uint64_t), &p.lane_words[i]));
    TAC_TRY(engine->map(engine, door->ctx, (p.lattice->rows + p.rows_per_block - 1) / p.rows_per_block, cost_block, &p));
    for (int i = 0; i < engine->lanes; i++)
        for (int32_t c = 0; c < m; c++) cost[c] += p.lane_words[i][c];
    TAC_TRY(engine->reduce(engine, cost, (size_t)m));
done:
    if (p.lane_words != NULL)
        for (int i = 0; i < engine->lanes; i++) tac_free(p.lane_words[i]);
    tac_free(p.lane_words);
    tac_free(clipped);
    return status;
}

/* True with probability exp(-epsilon (cost - least) / range). */
static bool accept(tac_stream *stream, uint64_t epsilon, uint64_t gap, uint64_t range)
{
    return tac_bernoulli_exp(stream, (tac_u128)epsilon * gap, range << TAC_SELECTION_BITS);
}

/* P(i) ~ exp(-epsilon cost_i / range): uniform proposals, exact acceptance. */
static uint32_t exponential_mechanism(tac_stream *stream, uint64_t epsilon, uint64_t range, const uint64_t *cost,
                                      uint64_t least, uint32_t m)
{
    for (;;) {
        const uint32_t i = (uint32_t)tac_below(stream, m);
        if (accept(stream, epsilon, cost[i] - least, range)) return i;
    }
}

/* The same flips without replacement: shuffles `order` as it goes. The best candidate always accepts, so it ends. */
static uint32_t permute_and_flip(tac_stream *stream, uint64_t epsilon, uint64_t range, const uint64_t *cost,
                                 uint64_t least, uint32_t m, uint32_t *order)
{
    for (uint32_t i = 0; i < m; i++) order[i] = i;
    for (uint32_t left = m;; left--) {
        const uint32_t pick = (uint32_t)tac_below(stream, left), i = order[pick];
        if (accept(stream, epsilon, cost[i] - least, range)) return i;
        order[pick] = order[left - 1];
    }
}

uint32_t tac_choose_by_cost(tac_stream *stream, tac_notion notion, uint64_t epsilon, uint64_t range, const uint64_t *cost,
                            uint32_t m, uint32_t *order)
{
    uint64_t least = cost[0];

    for (uint32_t i = 1; i < m; i++) least = cost[i] < least ? cost[i] : least;
    return notion == TAC_PURE ? permute_and_flip(stream, epsilon, range, cost, least, m, order)
                              : exponential_mechanism(stream, epsilon, range, cost, least, m);
}

tacit_status tac_door_draw_by_cost(tac_door *door, const char *what, uint64_t units, uint64_t range, int32_t m,
                                   tac_cost_fn costs, const void *state, int32_t *chosen)
{
    tacit_status status = TACIT_OK;
    const tac_notion notion = door->accountant->notion;
    tac_receipt asked = {.kind = "selection", .what = what, .batch = -1, .sensitivity = range, .answers = 1};
    const tac_receipt *receipt;
    uint64_t *cost = NULL, word;
    uint32_t *order = NULL;
    tac_stream stream;

    asked.scale = tac_selection_epsilon(notion, units, &asked.units);
    if (asked.scale == 0)
        return tac_fail(door->ctx, TACIT_E_ARGUMENT, "epsilon is too small for a selection; raise epsilon");
    TAC_TRY(tac_new(door->ctx, (size_t)m, sizeof *cost, &cost));
    TAC_TRY(tac_new(door->ctx, (size_t)m, sizeof *order, &order));
    TAC_TRY(tac_door_pay_exactly(door, &asked, &receipt));
    TAC_TRY(costs(door, state, cost));
    if (door->probe.exact != NULL) door->probe.exact(door->probe.payload, receipt, cost, (size_t)m);
    TAC_TRY(tac_stream_open(door->ctx, door->key, (uint64_t)(receipt - door->receipt), 0, &stream));
    word = tac_choose_by_cost(&stream, notion, asked.scale, range, cost, (uint32_t)m, order);
    tac_stream_close(&stream);
    if (door->probe.noisy != NULL) door->probe.noisy(door->probe.payload, receipt, &word, 1);
    *chosen = (int32_t)word;
done:
    tac_free(cost);
    tac_free(order);
    return status;
}

tacit_status tac_door_choose(tac_door *door, const char *what, uint64_t units, const tac_choice *choice, int32_t *chosen)
{
    const uint64_t range = choice->median ? tac_range_distances(door->neighbours, door->rows_per_unit)
                                          : tac_range_selection(door->neighbours, door->rows_per_unit);
    const tac_lattice *rows = (unsigned)choice->view < TAC_VIEWS ? door->lattice[choice->view] : NULL;

    if (rows == NULL || rows->dims < 1)
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "a selection was asked about a view that makes no sense");
    if (rows->start != NULL)
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "a selection does not take sparse rows");
    if (choice->m < 1 || choice->k < 1)
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "a selection needs something to choose from");
    return tac_door_draw_by_cost(door, what, units, range, choice->m, total_costs, choice, chosen);
}
