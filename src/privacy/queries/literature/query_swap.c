/* SPDX-License-Identifier: Apache-2.0 */
/* One step of local search: which center goes, which candidate comes, or neither, drawn by the cost
   of what results. Exact: integer costs, exact coins. Proof: swap.proof.md */
#include "privacy/kinds.h"
#include "privacy/queries/literature/swap_scores.h"

#include <string.h>

enum { TILE = 8192 }; /* rows whose numbers stay in a near cache while all candidates pass */

/* What all blocks share: the rows, the query, and its points clipped. */
typedef struct pass {
    const tac_lattice *rows;
    const tac_query *q;
    const int16_t *centers; /* clipped */
    tac_swap_points points;
} pass;

/* A worker's own copy of a tile, rows of one center together. */
typedef struct scratch {
    int32_t label[TILE];
    uint32_t near[TILE], next[TILE]; /* in the order of rows ... */
    uint32_t sorted_norm2[TILE], sorted_near[TILE], sorted_next[TILE]; /* ... and of centers */
    int16_t *minus; /* TILE x 2 pairs, in the order of centers */
    int32_t *begin; /* k + 1 */
} scratch;

static size_t minus_bytes(const pass *p)
{
    return (size_t)TILE * 2 * (size_t)p->points.pairs * sizeof(int16_t);
}

/* At most 65535 either way. */
static uint32_t cost_of(const pass *p, uint32_t squared)
{
    return p->q->median ? tac_distance(squared) : squared >> TAC_COST_SHIFT;
}

/* The nearest center (ties to the lowest), its cost and that of the second nearest; with one center
   there is no second, and whatever comes is the cost. */
static void two_nearest(const pass *p, const int16_t *x, int32_t *label, uint32_t *near,
                        uint32_t *next)
{
    const int32_t dims = p->rows->dims;
    uint32_t best = UINT32_MAX, second = UINT32_MAX;

    *label = 0;
    for (int32_t c = 0; c < p->q->k; c++) {
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
    *next = p->q->k == 1 ? UINT32_MAX : cost_of(p, second);
}

/* Nearest and second nearest center of every row of a tile, then a counting sort by center,
   coordinates negated: the kernel adds -2 <x, y> as pairs of products. */
static void sort_tile(const pass *p, const int16_t *rows, int32_t n, scratch *s)
{
    const int32_t k = p->q->k, pairs = p->points.pairs, stride = p->rows->stride;

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
    /* Every begin has moved on to the next center's. */
    memmove(s->begin + 1, s->begin, (size_t)k * sizeof *s->begin);
    s->begin[0] = 0;
}

/* words: the cost now, then stay and leave, k x room each */
static void score_block(const void *state, int64_t block, uint64_t *words, void *room_of)
{
    const pass *p = state;
    const int64_t first = block * TILE, left = p->rows->rows - first;
    const int32_t n = left < TILE ? (int32_t)left : TILE, k = p->q->k;
    const size_t room = (size_t)p->points.panels * TAC_SWAP_PANEL;
    scratch *s = room_of;
    uint64_t *stay = words + 1, *leave = stay + (size_t)k * room;

    s->minus = (int16_t *)(void *)(s + 1);
    s->begin = (int32_t *)(void *)((char *)(s + 1) + minus_bytes(p));
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
            if (rows.n > 0)
                tac_swap_panel(&p->points, panel, &rows, p->q->median, stay + at, leave + at);
        }
}

/* k m + 1 choices must be a positive int32: the answer is one of them. */
tacit_status tac_swap_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    if (q->k < 1 || q->m < 1 || (int64_t)q->k * q->m >= INT32_MAX || q->centers == NULL ||
        q->candidates == NULL || q->cells.kind != TAC_ONE_CELL || q->values != q->cells.view)
        return tac_no_sense(ctx, "a swap");
    *words = 1 + (size_t)q->k * (size_t)q->m;
    return TACIT_OK;
}

/* word 0: the cost as it is; word 1 + i m + y: with y in the place of i: rows of other centers stay
   or come, rows of i go to their second nearest or come. Linear in the sums of the pass. */
tacit_status tac_swap_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                               const tac_shard *shard, tac_words *out)
{
    tacit_status status = TACIT_OK;
    pass p = {.rows = shard->lattice[q->values], .q = q};
    int16_t *centers = NULL, *candidates = NULL;
    tac_words total = {0};

    TAC_TRY(tac_clipped(ctx, q->centers, q->k, p.rows->dims, &centers));
    TAC_TRY(tac_clipped(ctx, q->candidates, q->m, p.rows->dims, &candidates));
    TAC_TRY(tac_swap_points_open(ctx, candidates, q->m, p.rows->dims, &p.points));
    p.centers = centers;
    const size_t k = (size_t)q->k, m = (size_t)q->m,
                 room = (size_t)p.points.panels * TAC_SWAP_PANEL;
    const size_t bytes = sizeof(scratch) + minus_bytes(&p) + (k + 1) * sizeof(int32_t);
    total.count = 1 + 2 * k * room;
    TAC_TRY(tac_new(ctx, total.count, sizeof *total.word, &total.word));
    TAC_TRY(tac_add_blocks(ctx, engine, (p.rows->rows + TILE - 1) / TILE, score_block, &p, bytes,
                           &total));
    const uint64_t *stay = total.word + 1, *leave = stay + k * room;
    out->word[0] = total.word[0];
    for (size_t y = 0; y < m; y++) {
        uint64_t come = 0;
        for (size_t i = 0; i < k; i++) come += stay[i * room + y];
        for (size_t i = 0; i < k; i++)
            out->word[1 + i * m + y] = come - stay[i * room + y] + leave[i * room + y];
    }
done:
    tac_swap_points_close(&p.points);
    tac_free(total.word);
    tac_free(centers);
    tac_free(candidates);
    return status;
}
