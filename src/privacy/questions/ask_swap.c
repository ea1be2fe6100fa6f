/* SPDX-License-Identifier: Apache-2.0 */
/* One step of local search: which centre goes, which candidate comes, or neither, drawn by the cost of what results. Exact:
   integer costs, exact coins. Proof: swap.proof.md */
#include "privacy/door_internal.h"
#include "privacy/questions/swap_scores.h"

#include <string.h>

enum { TILE = 8192 }; /* rows whose numbers stay in a near cache while all candidates pass */

typedef struct pass {
    const tac_lattice *rows;
    const tac_swap *swap;
    const int16_t *centers;      /* clipped */
    tac_swap_points points;
    uint64_t **lane_words;       /* cost now, then stay and leave: k x room each */
    void **lane_scratch;
} pass;

/* A lane's own copy of a tile, rows of one centre together. */
typedef struct scratch {
    int32_t label[TILE], order[TILE];
    uint32_t near[TILE], next[TILE];                             /* in the order of rows ... */
    uint32_t sorted_norm2[TILE], sorted_near[TILE], sorted_next[TILE]; /* ... and of centres */
    int16_t *minus;              /* TILE x 2 pairs, in the order of centres */
    int32_t *begin;              /* k + 1 */
} scratch;

static uint32_t cost_of(const pass *p, uint32_t squared)
{
    return p->swap->median ? tac_distance(squared) : squared >> TAC_COST_SHIFT;
}

/* The nearest centre (ties to the lowest), its cost and that of the second nearest; with one centre there is no second,
   and whatever comes is the cost. */
static void two_nearest(const pass *p, const int16_t *x, int32_t *label, uint32_t *near, uint32_t *next)
{
    const int32_t dims = p->rows->dims;
    uint32_t best = UINT32_MAX, second = UINT32_MAX;

    *label = 0;
    for (int32_t c = 0; c < p->swap->k; c++) {
        const int16_t *center = p->centers + (size_t)c * (size_t)dims;
        uint32_t far = 0; /* below 2^32: |x|, |c| <= M */
        for (int32_t j = 0; j < dims; j++) {
            const int32_t gap = (int32_t)x[j] - center[j];
            far += (uint32_t)gap * (uint32_t)gap;
        }
        if (far < best) {
            second = best;
            best = far;
            *label = c;
        } else if (far < second) {
            second = far;
        }
    }
    *near = cost_of(p, best);
    *next = p->swap->k == 1 ? UINT32_MAX : cost_of(p, second);
}

static void sort_tile(const pass *p, const int16_t *rows, int32_t n, scratch *s)
{
    const int32_t k = p->swap->k, pairs = p->points.pairs, stride = p->rows->stride;

    memset(s->begin, 0, ((size_t)k + 1) * sizeof *s->begin);
    for (int32_t i = 0; i < n; i++) {
        two_nearest(p, rows + (int64_t)i * stride, &s->label[i], &s->near[i], &s->next[i]);
        s->begin[s->label[i] + 1]++;
    }
    for (int32_t c = 0; c < k; c++) s->begin[c + 1] += s->begin[c];
    for (int32_t i = 0; i < n; i++) {
        const int32_t to = s->begin[s->label[i]]++;
        const int16_t *x = rows + (int64_t)i * stride;
        uint32_t squares = 0;
        for (int32_t j = 0; j < 2 * pairs; j++) {
            s->minus[(int64_t)to * 2 * pairs + j] = (int16_t)-x[j];
            squares += (uint32_t)((int32_t)x[j] * x[j]);
        }
        s->sorted_norm2[to] = squares;
        s->sorted_near[to] = s->near[i];
        s->sorted_next[to] = s->next[i];
    }
    /* Every begin has moved on to the next centre's. */
    memmove(s->begin + 1, s->begin, (size_t)k * sizeof *s->begin);
    s->begin[0] = 0;
}

static tacit_status score_block(void *state, int64_t block, int lane)
{
    const pass *p = state;
    const int64_t first = block * TILE, left = p->rows->rows - first;
    const int32_t n = left < TILE ? (int32_t)left : TILE, k = p->swap->k;
    const size_t room = (size_t)p->points.panels * TAC_SWAP_PANEL;
    scratch *s = p->lane_scratch[lane];
    uint64_t *words = p->lane_words[lane], *stay = words + 1, *leave = stay + (size_t)k * room;

    sort_tile(p, p->rows->points + first * p->rows->stride, n, s);
    for (int32_t i = 0; i < n; i++) words[0] += s->near[i];
    for (int32_t panel = 0; panel < p->points.panels; panel++)
        for (int32_t c = 0; c < k; c++) {
            const int32_t from = s->begin[c];
            const tac_swap_rows rows = {.minus = s->minus + (int64_t)from * 2 * p->points.pairs,
                                        .norm2 = s->sorted_norm2 + from,
                                        .near = s->sorted_near + from,
                                        .next = s->sorted_next + from,
                                        .n = s->begin[c + 1] - from};
            const size_t at = (size_t)c * room + (size_t)panel * TAC_SWAP_PANEL;
            if (rows.n > 0) tac_swap_panel(&p->points, panel, &rows, p->swap->median, stay + at, leave + at);
        }
    return TACIT_OK;
}

static tacit_status make_room(tac_door *door, pass *p, size_t words)
{
    tacit_status status = TACIT_OK;
    const int lanes = door->engine->lanes;
    const size_t minus = (size_t)TILE * 2 * (size_t)p->points.pairs * sizeof(int16_t);

    TAC_TRY(tac_new(door->ctx, (size_t)lanes, sizeof *p->lane_words, &p->lane_words));
    TAC_TRY(tac_new(door->ctx, (size_t)lanes, sizeof *p->lane_scratch, &p->lane_scratch));
    for (int i = 0; i < lanes; i++) {
        scratch *s;
        TAC_TRY(tac_new(door->ctx, words, sizeof(uint64_t), &p->lane_words[i]));
        TAC_TRY(tac_new(door->ctx, sizeof *s + minus + ((size_t)p->swap->k + 1) * sizeof *s->begin, 1, &p->lane_scratch[i]));
        s = p->lane_scratch[i];
        s->minus = (int16_t *)(void *)(s + 1);
        s->begin = (int32_t *)(void *)((char *)(s + 1) + minus);
    }
done:
    return status;
}

/* cost[0] as it is; cost[1 + i m + y] with y in the place of i: rows of other centres stay or come, rows of i go to their
   second nearest or come. */
static tacit_status all_costs(tac_door *door, const tac_swap *swap, uint64_t *cost)
{
    tacit_status status = TACIT_OK;
    const tac_engine *engine = door->engine;
    pass p = {.rows = door->lattice[swap->view], .swap = swap};
    int16_t *centers = NULL, *candidates = NULL;
    uint64_t *total = NULL;

    TAC_TRY(tac_clipped(door->ctx, swap->centers, swap->k, p.rows->dims, &centers));
    TAC_TRY(tac_clipped(door->ctx, swap->candidates, swap->m, p.rows->dims, &candidates));
    TAC_TRY(tac_swap_points_open(door->ctx, candidates, swap->m, p.rows->dims, &p.points));
    p.centers = centers;
    const size_t k = (size_t)swap->k, m = (size_t)swap->m, room = (size_t)p.points.panels * TAC_SWAP_PANEL;
    const size_t words = 1 + 2 * k * room;
    TAC_TRY(make_room(door, &p, words));
    TAC_TRY(engine->map(engine, door->ctx, (p.rows->rows + TILE - 1) / TILE, score_block, &p));
    total = p.lane_words[0];
    for (int i = 1; i < engine->lanes; i++)
        for (size_t w = 0; w < words; w++) total[w] += p.lane_words[i][w];
    TAC_TRY(engine->reduce(engine, total, words));
    const uint64_t *stay = total + 1, *leave = stay + k * room;
    cost[0] = total[0];
    for (size_t y = 0; y < m; y++) {
        uint64_t come = 0;
        for (size_t i = 0; i < k; i++) come += stay[i * room + y];
        for (size_t i = 0; i < k; i++) cost[1 + i * m + y] = come - stay[i * room + y] + leave[i * room + y];
    }
done:
    for (int i = 0; i < engine->lanes && p.lane_words != NULL; i++) tac_free(p.lane_words[i]);
    for (int i = 0; i < engine->lanes && p.lane_scratch != NULL; i++) tac_free(p.lane_scratch[i]);
    tac_free(p.lane_words);
    tac_free(p.lane_scratch);
    tac_swap_points_close(&p.points);
    tac_free(centers);
    tac_free(candidates);
    return status;
}

static bool makes_sense(const tac_door *door, const tac_swap *s)
{
    const tac_lattice *rows = (unsigned)s->view < TAC_VIEWS ? door->lattice[s->view] : NULL;
    return rows != NULL && rows->dims > 0 && rows->start == NULL && s->k >= 1 && s->m >= 1 &&
        (int64_t)s->k * s->m < INT32_MAX;
}

tacit_status tac_door_swap(tac_door *door, const char *what, uint64_t units, const tac_swap *swap, int32_t *out, int32_t *in)
{
    tacit_status status = TACIT_OK;
    const tac_notion notion = door->accountant->notion;
    const uint64_t range = swap->median ? tac_range_distances(door->neighbours, door->rows_per_unit)
                                        : tac_range_selection(door->neighbours, door->rows_per_unit);
    tac_receipt asked = {.kind = "selection", .what = what, .batch = -1, .sensitivity = range, .answers = 1};
    const tac_receipt *receipt;
    uint64_t *cost = NULL, word;
    uint32_t *order = NULL;
    tac_stream stream;

    *out = *in = -1;
    if (!makes_sense(door, swap)) return tac_fail(door->ctx, TACIT_E_INTERNAL, "a question about swaps makes no sense");
    const uint32_t options = 1 + (uint32_t)swap->k * (uint32_t)swap->m;
    asked.scale = tac_selection_epsilon(notion, units, &asked.units);
    if (asked.scale == 0)
        return tac_fail(door->ctx, TACIT_E_ARGUMENT, "epsilon is too small for a selection; raise epsilon");
    TAC_TRY(tac_new(door->ctx, options, sizeof *cost, &cost));
    TAC_TRY(tac_new(door->ctx, options, sizeof *order, &order));
    TAC_TRY(tac_door_pay_exactly(door, &asked, &receipt));
    TAC_TRY(all_costs(door, swap, cost));
    if (door->probe.exact != NULL) door->probe.exact(door->probe.payload, receipt, cost, options);
    TAC_TRY(tac_stream_open(door->ctx, door->key, (uint64_t)(receipt - door->receipt), 0, &stream));
    word = tac_choose_by_cost(&stream, notion, asked.scale, range, cost, options, order);
    tac_stream_close(&stream);
    if (door->probe.noisy != NULL) door->probe.noisy(door->probe.payload, receipt, &word, 1);
    if (word > 0) {
        *out = (int32_t)((word - 1) / (uint64_t)swap->m);
        *in = (int32_t)((word - 1) % (uint64_t)swap->m);
    }
done:
    tac_free(cost);
    tac_free(order);
    return status;
}
