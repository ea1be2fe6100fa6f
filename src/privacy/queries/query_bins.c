/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms finer than cells: by distance from the cell's center, along a direction, along an
   axis. Each is a public function from a row to one bin. Proof: counts.proof.md */
#include "data/kernels/runs.h"
#include "privacy/kinds.h"

#define ONE (UINT64_C(1) << TAC_COUNT_GRID)

/* At most 2^20 bins a cell: products with a bin number stay far below 2^63. */
static tacit_status bins_check(tacit_ctx *ctx, const tac_query *q, bool good, size_t *words)
{
    if (!good || q->bins < 1 || q->bins > (1 << 20) || q->values != q->cells.view)
        return tac_no_sense(ctx, "a histogram");
    return tac_words_fit(ctx, q->cells.count, (size_t)q->bins, words);
}

/* Public: where distances are measured from, and the edges of the bins. */
typedef struct distance_bins {
    const tac_local_map *map;
    /* k x 2^bits squared lattice distances, taxicab: plain ones; behind the last, and for edges
       that no row can pass, 2^32 - 1 */
    const uint32_t *edge;
    int32_t bits;
} distance_bins;

/* |x|^2 (taxicab: |x|_1, cut at 2^32 - 1) of sparse rows. */
static void lengths(const tac_tile *tile, bool taxicab, uint32_t *out)
{
    for (int64_t i = 0; i < tile->n; i++) {
        uint64_t sum = 0;
        for (int64_t e = tile->start[i]; e < tile->start[i + 1]; e++) {
            const int32_t x = tile->value[e];
            sum += (uint64_t)(taxicab ? (x < 0 ? -x : x) : x * x);
        }
        out[i] = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
    }
}

/* words[bin] += 2^20, bin the first b with |x - c|^2 <= edge_b^2 radius_c^2: integers are
   compared, so every path and block agrees. */
static void add_distances(const void *state, const tac_tile *tile, uint64_t *words)
{
    const distance_bins *a = state;
    uint32_t *squared = tile->scratch;

    if (tile->rows != NULL && a->bits <= TAC_RUNS_BITS && tac_runs_fit(a->map)) {
        tac_runs_distances(a->map, &(tac_runs_rows){tile->rows, tile->n, tile->stride, tile->cell},
                           tile->scratch, a->edge, a->bits, ONE, words);
        return;
    }
    if (tile->rows == NULL)
        lengths(tile, a->map->taxicab, squared);
    else
        tac_local_squared(a->map, tile->rows, tile->n, tile->stride, tile->cell, squared);
    for (int64_t i = 0; i < tile->n; i++) {
        const uint32_t *edge = a->edge + ((size_t)tile->cell[i] << a->bits);
        uint32_t bin = 0; /* the number of edges below, by halves: no branches to guess wrong */
        for (uint32_t half = UINT32_C(1) << a->bits >> 1; half > 0; half >>= 1)
            bin += (uint32_t)(squared[i] > edge[bin + half - 1]) * half;
        words[bin] += ONE;
    }
}

/* One cell without centers is measured from 0. */
tacit_status tac_distances_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    const bool from = q->cells.kind == TAC_ONE_CELL || tac_local_centers(q) != NULL;
    const tacit_status status = bins_check(
        ctx, q, from && q->local.radius != NULL && (q->edge != NULL || q->bins == 1), words);

    *words = (size_t)q->bins; /* cells are pooled */
    return status;
}

/* edge[c, b] = the squared edge b of cell c, 2^32 - 1 where no row passes it. */
static void fill_edges(const uint64_t *squared, int32_t k, int32_t bins, int32_t bits,
                       uint32_t *edge)
{
    for (size_t c = 0; c < (size_t)k; c++)
        for (size_t b = 0; b < (size_t)1 << bits; b++) {
            const uint64_t at =
                b + 1 < (size_t)bins ? squared[c * (size_t)(bins - 1) + b] : UINT32_MAX;
            edge[(c << bits) + b] = at < UINT32_MAX ? (uint32_t)at : UINT32_MAX;
        }
}

/* Edges become squared lattice distances once for all rows. */
tacit_status tac_distances_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                    const tac_shard *shard, tac_words *out)
{
    tacit_status status = TACIT_OK;
    const tac_lattice *rows = shard->lattice[q->values];
    const size_t each = (size_t)tac_lattice_tile(rows) * sizeof(uint32_t);
    const size_t scratch = each > tac_runs_scratch() ? each : tac_runs_scratch();
    const int16_t *centers = tac_local_centers(q);
    tac_local_map map = {0};
    uint64_t *squared = NULL;
    uint32_t *edge = NULL;
    int16_t *zero = NULL;
    int32_t bits = 0;

    while ((1 << bits) < q->bins) bits++;
    if (centers == NULL) TAC_TRY(tac_new(ctx, (size_t)rows->dims, sizeof *zero, &zero));
    TAC_TRY(tac_local_open(ctx, centers != NULL ? centers : zero, q->local.radius, q->cells.count,
                           rows->dims, q->local.taxicab, &map));
    TAC_TRY(tac_new(ctx, (size_t)q->cells.count * (size_t)q->bins, sizeof *squared, &squared));
    tac_local_edges(&map, q->edge, q->bins - 1, squared);
    TAC_TRY(tac_new(ctx, (size_t)q->cells.count << bits, sizeof *edge, &edge));
    fill_edges(squared, q->cells.count, q->bins, bits, edge);
    const distance_bins state = {.map = &map, .edge = edge, .bits = bits};
    TAC_TRY(tac_over_cells(ctx, engine, q, shard, add_distances, &state, scratch, out));
done:
    tac_local_close(&map);
    tac_free(squared);
    tac_free(edge);
    tac_free(zero);
    return status;
}

typedef struct projection_bins {
    const tac_local_map *map;
    const tac_local_map *direction; /* clipped */
    int32_t bins;
} projection_bins;

/* bin = floor((t + M^2) bins / (2 M^2 + 1)), t = <u, direction>, |t| <= M^2 by Cauchy-Schwarz */
static void add_projections(const void *state, const tac_tile *tile, uint64_t *words)
{
    const projection_bins *a = state;
    const int64_t m2 = (int64_t)TAC_M * TAC_M;
    int16_t *u = tile->scratch;
    int32_t *t = (int32_t *)(void *)(u + tac_tile_rows(tile->stride) * tile->stride);

    if (tac_runs_fit(a->map)) {
        tac_runs_project(a->map, a->direction,
                         &(tac_runs_rows){tile->rows, tile->n, tile->stride, tile->cell},
                         tile->scratch, a->bins, ONE, words);
        return;
    }
    tac_local_place(a->map, tile->rows, tile->n, tile->stride, tile->cell, 0, u, NULL);
    tac_local_along(a->direction, u, tile->n, tile->stride, tile->cell, t);
    for (int64_t i = 0; i < tile->n; i++)
        words[(int64_t)tile->cell[i] * a->bins + (t[i] + m2) * a->bins / (2 * m2 + 1)] += ONE;
}

tacit_status tac_projections_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    return bins_check(
        ctx, q, tac_local_centers(q) != NULL && q->local.radius != NULL && q->directions != NULL,
        words);
}

/* Two maps: where rows are placed, and the directions they are projected on, clipped to
   |direction| <= M. */
tacit_status tac_projections_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                      const tac_shard *shard, tac_words *out)
{
    tacit_status status = TACIT_OK;
    const tac_lattice *rows = shard->lattice[q->values];
    const size_t each = (size_t)tac_tile_rows(rows->stride) *
                        ((size_t)rows->stride * sizeof(int16_t) + sizeof(int32_t));
    const size_t scratch = each > tac_runs_scratch() ? each : tac_runs_scratch();
    tac_local_map map = {0}, along = {0};
    const projection_bins state = {.map = &map, .direction = &along, .bins = q->bins};

    TAC_TRY(tac_local_open(ctx, tac_local_centers(q), q->local.radius, q->cells.count, rows->dims,
                           false, &map));
    TAC_TRY(tac_local_open(ctx, q->directions, q->local.radius, q->cells.count, rows->dims, false,
                           &along));
    TAC_TRY(tac_over_cells(ctx, engine, q, shard, add_projections, &state, scratch, out));
done:
    tac_local_close(&map);
    tac_local_close(&along);
    return status;
}

/* bin = floor((x_axis - low) bins / (high - low)), the outer bins catching what is beyond */
static void add_slices(const void *state, const tac_tile *tile, uint64_t *words)
{
    const tac_query *q = state;

    for (int64_t i = 0; i < tile->n; i++) {
        const tac_slice *s = &q->slice[tile->cell[i]];
        const int64_t x = tile->rows[i * tile->stride + s->axis];
        const int64_t wide = s->high - s->low;
        const int64_t bin = x < s->low     ? 0
                            : x >= s->high ? q->bins - 1
                                           : (x - s->low) * q->bins / wide;
        words[(int64_t)tile->cell[i] * q->bins + bin] += ONE;
    }
}

/* Every cell has an axis of the view and an interval that is not empty. */
tacit_status tac_slices_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    bool good = q->slice != NULL;

    for (int32_t c = 0; good && c < q->cells.count; c++)
        good = q->slice[c].axis >= 0 && q->slice[c].axis < tac_dims_of(q) &&
               q->slice[c].low < q->slice[c].high;
    return bins_check(ctx, q, good, words);
}

tacit_status tac_slices_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                 const tac_shard *shard, tac_words *out)
{
    return tac_over_cells(ctx, engine, q, shard, add_slices, q, 0, out);
}
