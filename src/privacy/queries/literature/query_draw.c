/* SPDX-License-Identifier: Apache-2.0 */
/* One row drawn by its distance from public centers, under noise that covers the whole ball. Proof:
   draw.proof.md */
#include "privacy/kinds.h"
#include "privacy/queries/literature/row_hash.h"

#define BITS 16 /* bits of a row's hash that one pass distinguishes */
#define BUCKETS ((size_t)1 << BITS)
/* block of the query's stream that decides the draw; noise takes the first ones */
#define COINS (UINT64_C(1) << 62)

/* One pass of the draw: rows whose hash begins with `prefix` (16 depth bits) are still in it. */
typedef struct draw {
    const int16_t *centers; /* clipped; NULL: all rows alike */
    uint64_t key, prefix;
    int depth; /* passes before this one */
} draw;

/* |x - c|^2 <= 4 M^2 < 2^32 */
static uint64_t squared(const int16_t *x, const int16_t *c, int32_t dims)
{
    uint64_t sum = 0;

    for (int32_t j = 0; j < dims; j++) {
        const int64_t gap = (int32_t)x[j] - c[j];
        sum += (uint64_t)(gap * gap);
    }
    return sum;
}

/* Weights of the rows by the next 16 bits of their hashes; in the last pass the sum of the rows
   that are left, and how many. */
static void add_drawn(const void *state, const tac_tile *tile, uint64_t *words)
{
    const draw *d = state;

    for (int64_t i = 0; i < tile->n; i++) {
        const int16_t *x = tile->rows + i * tile->stride;
        const uint64_t hash = tac_row_hash(x, tile->dims, d->key);
        if (d->depth > 0 && hash >> (64 - BITS * d->depth) != d->prefix) continue;
        const uint64_t weight =
            d->centers == NULL
                ? 1
                : squared(x, d->centers + (size_t)tile->cell[i] * (size_t)tile->dims, tile->dims);
        if (d->depth < 2) {
            words[hash >> (64 - BITS * (d->depth + 1)) & (BUCKETS - 1)] += weight;
            continue;
        }
        if (weight == 0) continue;
        for (int32_t j = 0; j < tile->dims; j++) words[j] += (uint64_t)(int64_t)x[j];
        words[tile->dims]++;
    }
}

/* A bucket, with the probability of its share of the weights; false: they are all 0. */
static bool pick(tac_stream *coins, const uint64_t *weight, uint64_t *bucket)
{
    uint64_t total = 0, at;

    for (size_t b = 0; b < BUCKETS; b++) total += weight[b];
    if (total == 0) return false;
    at = tac_below(coins, total);
    for (*bucket = 0; at >= weight[*bucket]; (*bucket)++) at -= weight[*bucket];
    return true;
}

/* Three passes: 16 bits of the hash, 16 more, then the row itself (the mean of the few rows that
   share 32 bits). A function of the multiset of rows, so neither order nor threads show. */
static tacit_status find(tac_door *door, const tac_query *q, draw *d, tac_stream *coins,
                         uint64_t *words, uint64_t *point, bool *found)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = tac_dims_of(q);
    tac_words sums = {.word = words, .count = BUCKETS};
    uint64_t bucket;

    d->prefix = 0;
    *found = true;
    for (d->depth = 0; d->depth < 2; d->depth++) {
        TAC_TRY(
            tac_over_cells(door->ctx, door->engine, q, &door->shard[0], add_drawn, d, 0, &sums));
        *found = pick(coins, words, &bucket);
        if (!*found) goto done;
        d->prefix = d->prefix << BITS | bucket;
    }
    sums.count = (size_t)dims + 1;
    TAC_TRY(tac_over_cells(door->ctx, door->engine, q, &door->shard[0], add_drawn, d, 0, &sums));
    for (int32_t j = 0; j < dims; j++)
        point[j] = (uint64_t)((int64_t)words[j] / (int64_t)words[dims]);
done:
    return status;
}

tacit_status tac_row_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    if (q->values != q->cells.view ||
        (q->cells.kind != TAC_ONE_CELL && q->cells.kind != TAC_NEAREST))
        return tac_no_sense(ctx, "a row");
    *words = (size_t)tac_dims_of(q);
    return TACIT_OK;
}

tacit_status tac_row_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    (void)door;
    out->s = tac_sensitivity_draw(tac_dims_of(q));
    return TACIT_OK;
}

/* The row, without noise. No rows: the middle of the ball stands for one. */
tacit_status tac_row_draw(tac_door *door, const tac_query *q, const tac_bound *bound,
                          const tac_receipt *receipt, const tac_words *exact, uint64_t *answer)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = tac_dims_of(q);
    tac_query all = *q;
    draw d = {0};
    int16_t *clipped = NULL;
    uint64_t *words = NULL;
    tac_stream coins;
    bool found = false, open = false;

    (void)bound, (void)exact;
    all.cells = (tac_cells){.kind = TAC_ONE_CELL, .view = q->values, .count = 1};
    TAC_TRY(tac_new(door->ctx, BUCKETS > (size_t)dims ? BUCKETS : (size_t)dims + 1, sizeof *words,
                    &words));
    TAC_TRY(tac_stream_open(door->ctx, door->key, tac_door_subkey(door, receipt), COINS, &coins));
    open = true;
    d.key = tac_word(&coins);
    if (q->cells.kind == TAC_NEAREST) {
        TAC_TRY(tac_clipped(door->ctx, q->cells.centers, q->cells.count, dims, &clipped));
        d.centers = clipped;
        TAC_TRY(find(door, q, &d, &coins, words, answer, &found));
    }
    d.centers = NULL;
    if (!found) TAC_TRY(find(door, &all, &d, &coins, words, answer, &found));
done:
    if (open) tac_stream_close(&coins);
    tac_free(clipped);
    tac_free(words);
    return status;
}
