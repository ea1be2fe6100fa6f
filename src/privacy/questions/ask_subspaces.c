/* SPDX-License-Identifier: Apache-2.0 */
/* One of several public sets of subspaces, drawn by the squared distances of all rows. Proof: select.proof.md */
#include "data/fullest.h"
#include "privacy/door_internal.h"

typedef struct sets {
    tac_view view;
    int32_t m;
    tac_spans **set; /* m */
    int64_t tile;    /* most rows in a tile */
} sets;

/* |x|^2 less what the fullest subspace holds of it, never below 0. held has a factor of M^2 / 2^16, which we take for 2^14.
   */
static uint64_t row_cost(uint64_t length2, int64_t held)
{
    const uint64_t inside = (uint64_t)held >> 14;
    return length2 > inside ? (length2 - inside) >> TAC_COST_SHIFT : 0;
}

static void add_costs(const void *state, const tac_tile *tile, uint64_t *words)
{
    const sets *s = state;
    int64_t *length2 = tile->scratch, *held = length2 + s->tile;
    int32_t *label = (int32_t *)(void *)(held + s->tile);

    for (int64_t i = 0; i < tile->n; i++) {
        const int16_t *x = tile->rows + i * tile->stride;
        length2[i] = 0;
        for (int32_t j = 0; j < tile->dims; j++) length2[i] += x[j] * x[j];
    }
    for (int32_t c = 0; c < s->m; c++) {
        tac_fullest(s->set[c], tile->rows, tile->n, tile->stride, label, held);
        for (int64_t i = 0; i < tile->n; i++) words[c] += row_cost((uint64_t)length2[i], held[i]);
    }
}

static tacit_status total_costs(tac_door *door, const void *state, uint64_t *cost)
{
    const sets *s = state;
    const tac_cells all = {.kind = TAC_ONE_CELL, .view = s->view, .count = 1};
    const size_t scratch = (size_t)s->tile * (2 * sizeof(int64_t) + sizeof(int32_t));
    return tac_door_over_cells(door, &all, s->view, (size_t)s->m, add_costs, s, scratch, cost);
}

tacit_status tac_door_choose_subspaces(tac_door *door, const char *what, uint64_t units, tac_view view, const int16_t *bases,
                                       int32_t m, int32_t k, int32_t rank, int32_t *chosen)
{
    tacit_status status = TACIT_OK;
    const tac_cells any = {.kind = TAC_SUBSPACES, .view = view, .count = k, .bases = bases, .rank = rank};
    int16_t *clipped = NULL;
    sets s = {.view = view, .m = m};

    if (m < 1) return tac_fail(door->ctx, TACIT_E_INTERNAL, "a selection needs something to choose from");
    TAC_TRY(tac_cells_check(door, &any, view));
    const int32_t dims = door->lattice[view]->dims;
    const size_t vectors = (size_t)k * (size_t)rank, numbers = vectors * (size_t)dims;
    s.tile = tac_tile_rows(door->lattice[view]->stride);
    TAC_TRY(tac_new(door->ctx, (size_t)m, sizeof *s.set, &s.set));
    TAC_TRY(tac_new(door->ctx, numbers, sizeof *clipped, &clipped));
    for (int32_t c = 0; c < m; c++) {
        for (size_t i = 0; i < numbers; i++) clipped[i] = bases[(size_t)c * numbers + i];
        for (size_t i = 0; i < vectors; i++) tac_clip(clipped + i * (size_t)dims, dims);
        TAC_TRY(tac_spans_new(door->ctx, clipped, k, rank, dims, &s.set[c]));
    }
    const uint64_t range = tac_range_subspaces(door->neighbours, door->rows_per_unit);
    TAC_TRY(tac_door_draw_by_cost(door, what, units, range, m, total_costs, &s, chosen));
done:
    for (int32_t c = 0; c < m && s.set != NULL; c++) tac_spans_free(s.set[c]);
    tac_free(s.set);
    tac_free(clipped);
    return status;
}
