/* SPDX-License-Identifier: Apache-2.0 */
/* Counts, sums and second moments of rows relative to the center of their own cell, one joint
   query: what refining centers asks. Proof: local.proof.md */
#include "data/kernels/cell_squares.h"
#include "data/kernels/runs.h"
#include "privacy/kinds.h"

/* Where the parts of an answer begin, in words. A part that is left out has none. */
typedef struct joint {
    const tac_local_map *map;
    const tac_local_parts *parts;
    int32_t k;
    size_t sums, squares; /* counts come first */
    size_t each;          /* words of a cell's last part */
} joint;

/* Where the parts of an answer begin. Public: it follows from the query. */
static joint layout(const tac_query *q)
{
    const tac_local_parts *p = &q->parts;
    const size_t k = (size_t)q->cells.count, dims = (size_t)tac_dims_of(q);
    joint a = {.parts = p, .k = q->cells.count, .sums = p->count > 0 ? k : 0};

    a.squares = a.sums + (p->sum > 0 ? k * dims : 0);
    a.each = p->moments ? tac_triangle(tac_dims_of(q)) : p->axes ? dims : p->square ? 1 : 0;
    return a;
}

/* squares[cell] += |u|^2. */
static void add_squares(const int16_t *u, const tac_tile *tile, uint64_t *squares)
{
    for (int64_t i = 0; i < tile->n; i++, u += tile->stride) {
        int32_t sum = 0; /* at most M^2 */
        for (int32_t j = 0; j < tile->dims; j++) sum += u[j] * u[j];
        squares[tile->cell[i]] += (uint64_t)sum;
    }
}

/* squares[cell, j] += u_j^2. */
static void add_axes(const int16_t *u, const tac_tile *tile, uint64_t *squares)
{
    for (int64_t i = 0; i < tile->n; i++, u += tile->stride) {
        uint64_t *out = squares + (size_t)tile->cell[i] * (size_t)tile->dims;
        for (int32_t j = 0; j < tile->dims; j++) out[j] += (uint64_t)(u[j] * u[j]);
    }
}

/* Rows, sums of u, sums of squares: plain ones, the public weights are put on at the end. */
static void add_local(const void *state, const tac_tile *tile, uint64_t *words)
{
    const joint *a = state;
    const tac_local_parts *p = a->parts;
    const int32_t dims = tile->dims;
    int16_t *u = tile->scratch;
    uint32_t *weight = (uint32_t *)(void *)(u + tac_tile_rows(tile->stride) * tile->stride);
    uint64_t *rows = p->count > 0 && !p->soft ? words : NULL;

    if (!p->soft && !p->axes && tac_runs_fit(a->map)) {
        const tac_runs_sums out = {.counts = rows,
                                   .sums = p->sum > 0 ? words + a->sums : NULL,
                                   .square = p->square ? words + a->squares : NULL,
                                   .moments = p->moments ? words + a->squares : NULL};
        tac_runs_add(a->map, &(tac_runs_rows){tile->rows, tile->n, tile->stride, tile->cell},
                     tile->scratch, &out);
        return;
    }
    tac_local_place(a->map, tile->rows, tile->n, tile->stride, tile->cell, p->soft ? p->count : 0,
                    u, weight);
    if (p->sum > 0)
        tac_cell_sums(u, tile->n, tile->stride, dims, tile->cell, a->k, words + a->sums, rows);
    else if (rows != NULL)
        for (int64_t i = 0; i < tile->n; i++) rows[tile->cell[i]]++;
    if (p->soft)
        for (int64_t i = 0; i < tile->n; i++) words[tile->cell[i]] += weight[i];
    if (p->square) add_squares(u, tile, words + a->squares);
    if (p->axes) add_axes(u, tile, words + a->squares);
    if (p->moments)
        tac_cell_squares(u, tile->n, tile->stride, dims, tile->cell, a->k,
                         weight + tac_tile_rows(tile->stride), words + a->squares);
}

/* At most one kind of squares, something to add up, and weights that keep the sensitivity within
   128 bits. */
static bool parts_make_sense(const tac_local_parts *p, bool taxicab)
{
    return p->count <= (UINT32_C(1) << 31) && p->sum <= (1 << 17) &&
           p->square + p->moments + p->axes <= 1 && !(taxicab && (p->moments || p->axes)) &&
           (p->count > 0 || (!p->soft && (p->sum > 0 || p->square || p->moments || p->axes)));
}

const int16_t *tac_local_centers(const tac_query *q)
{
    const bool own = q->cells.kind == TAC_NEAREST || q->cells.kind == TAC_ARGMAX;
    return q->local.centers != NULL || !own ? q->local.centers : q->cells.centers;
}

/* The kind must match its parts: cards name local moments and local sums differently. */
tacit_status tac_local_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    const bool moments = q->parts.moments || q->parts.axes;

    if (!parts_make_sense(&q->parts, q->local.taxicab) ||
        moments != (q->kind == TAC_KIND_LOCAL_MOMENTS) || q->values != q->cells.view ||
        tac_local_centers(q) == NULL || q->local.radius == NULL)
        return tac_no_sense(ctx, "a local sum");
    const joint a = layout(q);
    const tacit_status status =
        tac_words_fit(ctx, q->cells.count, 1 + (size_t)tac_dims_of(q) + a.each, words);
    *words = a.squares + (size_t)a.k * a.each;
    return status;
}

/* With taxicab |u|_1 <= M, as if there were one column. */
tacit_status tac_local_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    out->s = tac_sensitivity_local(door->neighbors, door->rows_per_unit,
                                   q->local.taxicab ? 1 : tac_dims_of(q), &q->parts);
    return TACIT_OK;
}

/* words_c = (a |c|, b sum u, sum |u|^2, u u^T or u_j^2), u = (x - center_c) M / radius_c in the
   ball */
tacit_status tac_local_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                const tac_shard *shard, tac_words *out)
{
    tacit_status status = TACIT_OK;
    const tac_lattice *rows = shard->lattice[q->values];
    const size_t tile = (size_t)tac_tile_rows(rows->stride);
    /* Rows as seen from their cells, their weights, and room for the kernel of moments. */
    const size_t whole =
        tile * ((size_t)rows->stride * sizeof(int16_t) + sizeof(uint32_t)) +
        (q->parts.moments ? tac_cell_squares_scratch((int64_t)tile, rows->dims) : 0);
    const size_t scratch = whole > tac_runs_scratch() ? whole : tac_runs_scratch();
    tac_local_map map = {0};
    joint a = layout(q);

    a.map = &map;
    TAC_TRY(tac_local_open(ctx, tac_local_centers(q), q->local.radius, q->cells.count, rows->dims,
                           q->local.taxicab, &map));
    TAC_TRY(tac_over_cells(ctx, engine, q, shard, add_local, &a, scratch, out));
    if (!q->parts.soft) tac_multiply_two_words(out, 0, a.sums, q->parts.count);
    tac_multiply_two_words(out, a.sums, a.squares - a.sums, q->parts.sum);
done:
    tac_local_close(&map);
    return status;
}
