/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms finer than cells: by distance from the cell's centre, along a direction, along an axis. Each is a public
   function from a row to one bin. Proof: counts.proof.md */
#include "data/local.h"
#include "privacy/door_internal.h"

#define ONE (UINT64_C(1) << TAC_COUNT_GRID)

/* Before anything is paid. At most 2^20 bins a cell: products with a bin number stay far below 2^63. */
static tacit_status bins_check(const tac_door *door, int32_t cells, int32_t bins)
{
    if (bins < 1 || bins > (1 << 20))
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "a histogram needs between 1 and 2^20 bins for a cell");
    return tac_door_fits(door, cells, (size_t)bins);
}

typedef struct distance_bins {
    const tac_local_map *map;
    const uint64_t *edge; /* k x (bins - 1) squared lattice distances, taxicab: plain ones */
    int32_t bins;
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

/* Sparse rows are measured from 0, all of them together. */
static tacit_status distances_check(const tac_door *door, const tac_cells *cells, const tac_local *local)
{
    const tacit_status status = tac_cells_check_any(door, cells, cells->view);

    if (status != TACIT_OK || door->lattice[cells->view]->start == NULL) return status;
    if (cells->kind == TAC_ONE_CELL && local->centers == NULL) return TACIT_OK;
    return tac_fail(door->ctx, TACIT_E_INTERNAL, "distances of sparse rows are asked for from 0 and for all rows alone");
}

static void add_distances(const void *state, const tac_tile *tile, uint64_t *words)
{
    const distance_bins *a = state;
    uint32_t *squared = tile->scratch;

    if (tile->rows == NULL) lengths(tile, a->map->taxicab, squared);
    else tac_local_squared(a->map, tile->rows, tile->n, tile->stride, tile->cell, squared);
    for (int64_t i = 0; i < tile->n; i++) {
        const uint64_t far = squared[i];
        const uint64_t *edge = a->edge + (size_t)tile->cell[i] * (size_t)(a->bins - 1);
        int32_t bin = 0; /* the first bin whose edge is not below; no branches to guess wrong */
        for (int32_t left = a->bins - 1; left > 0;) {
            const int32_t half = left / 2;
            const bool beyond = far > edge[bin + half];
            bin += beyond ? half + 1 : 0;
            left = beyond ? left - half - 1 : half;
        }
        words[bin] += ONE;
    }
}

tacit_status tac_door_distances(tac_door *door, const char *what, uint64_t units, const tac_cells *cells,
                                const tac_local *local, const double *edge, int32_t bins, int64_t *answer)
{
    tacit_status status = TACIT_OK;
    tac_local_map map = {0};
    uint64_t *squared = NULL;
    int16_t *zero = NULL;
    const distance_bins *state = NULL;

    TAC_TRY(distances_check(door, cells, local));
    TAC_TRY(bins_check(door, cells->count, bins));
    const tac_lattice *rows = door->lattice[cells->view];
    const int16_t *centers = local->centers != NULL ? local->centers : cells->centers;
    if (cells->kind == TAC_ONE_CELL && local->centers == NULL) {
        TAC_TRY(tac_new(door->ctx, (size_t)rows->dims, sizeof *zero, &zero));
        centers = zero;
    }
    TAC_TRY(tac_local_open(door->ctx, centers, local->radius, cells->count, rows->dims, local->taxicab, &map));
    TAC_TRY(tac_new(door->ctx, (size_t)cells->count * (size_t)bins, sizeof *squared, &squared));
    tac_local_edges(&map, edge, bins - 1, squared);
    const size_t scratch = (size_t)tac_door_tile(rows) * sizeof(uint32_t);
    state = &(distance_bins){.map = &map, .edge = squared, .bins = bins};
    TAC_TRY(tac_door_bins(door, what, units, cells, (size_t)bins, add_distances, state, scratch, answer));
done:
    tac_local_close(&map);
    tac_free(squared);
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

    tac_local_place(a->map, tile->rows, tile->n, tile->stride, tile->cell, 0, u, NULL);
    tac_local_along(a->direction, u, tile->n, tile->stride, tile->cell, t);
    for (int64_t i = 0; i < tile->n; i++)
        words[(int64_t)tile->cell[i] * a->bins + (t[i] + m2) * a->bins / (2 * m2 + 1)] += ONE;
}

tacit_status tac_door_projections(tac_door *door, const char *what, uint64_t units, const tac_cells *cells,
                                  const tac_local *local, const int16_t *directions, int32_t bins, int64_t *answer)
{
    tacit_status status = TACIT_OK;
    tac_local_map map = {0}, along = {0};

    TAC_TRY(tac_cells_check(door, cells, cells->view));
    TAC_TRY(bins_check(door, cells->count, bins));
    const tac_lattice *rows = door->lattice[cells->view];
    TAC_TRY(tac_local_open(door->ctx, local->centers != NULL ? local->centers : cells->centers, local->radius, cells->count,
                           rows->dims, false, &map));
    TAC_TRY(tac_local_open(door->ctx, directions, local->radius, cells->count, rows->dims, false, &along));
    const projection_bins state = {.map = &map, .direction = &along, .bins = bins};
    TAC_TRY(tac_door_bins(door, what, units, cells, (size_t)cells->count * (size_t)bins, add_projections, &state,
                          (size_t)tac_tile_rows(rows->stride) * ((size_t)rows->stride * sizeof(int16_t) + sizeof(int32_t)),
                          answer));
done:
    tac_local_close(&map);
    tac_local_close(&along);
    return status;
}

typedef struct slice_bins {
    const tac_slice *slice;
    int32_t bins;
} slice_bins;

/* bin = floor((x_axis - low) bins / (high - low)), the outer bins catching what is beyond */
static void add_slices(const void *state, const tac_tile *tile, uint64_t *words)
{
    const slice_bins *a = state;

    for (int64_t i = 0; i < tile->n; i++) {
        const tac_slice *s = &a->slice[tile->cell[i]];
        const int64_t x = tile->rows[i * tile->stride + s->axis];
        const int64_t wide = s->high - s->low;
        const int64_t bin = x < s->low ? 0 : x >= s->high ? a->bins - 1 : (x - s->low) * a->bins / wide;
        words[(int64_t)tile->cell[i] * a->bins + bin] += ONE;
    }
}

tacit_status tac_door_slices(tac_door *door, const char *what, uint64_t units, const tac_cells *cells,
                             const tac_slice *slice, int32_t bins, int64_t *answer)
{
    tacit_status status = TACIT_OK;
    const slice_bins state = {.slice = slice, .bins = bins};

    TAC_TRY(tac_cells_check(door, cells, cells->view));
    TAC_TRY(bins_check(door, cells->count, bins));
    for (int32_t c = 0; c < cells->count; c++)
        if (slice[c].axis < 0 || slice[c].axis >= door->lattice[cells->view]->dims || slice[c].low >= slice[c].high)
            return tac_fail(door->ctx, TACIT_E_INTERNAL, "a slice of a cell makes no sense");
    TAC_TRY(tac_door_bins(door, what, units, cells, (size_t)cells->count * (size_t)bins, add_slices, &state, 0, answer));
done:
    return status;
}
