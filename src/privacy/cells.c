/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over all rows, each put into the cell of its nearest public centre. The cell is a function of the row and
   the public centres alone, and what is added up are integers, so neither blocks nor threads can show. */
#include "privacy/door_internal.h"

#include <string.h>

typedef struct pass {
    const tac_lattice *lattice;
    const tac_centers *centers;
    int64_t rows_per_block, tile; /* a tile is assigned and added up while it is still in a near cache */
    tac_cell_fn add;
    const void *state;
    uint64_t **lane_words;
    int32_t **lane_cells; /* tile cells each */
} pass;

static tacit_status pass_block(void *state, int64_t block, int lane)
{
    const pass *p = state;
    const int32_t stride = p->lattice->stride;
    const int64_t first = block * p->rows_per_block;
    const int64_t end = first + p->rows_per_block < p->lattice->rows ? first + p->rows_per_block : p->lattice->rows;
    int32_t *cell = p->lane_cells[lane];

    for (int64_t i = first; i < end; i += p->tile) {
        const int64_t n = i + p->tile < end ? p->tile : end - i;
        const int16_t *rows = p->lattice->points + i * stride;
        tac_nearest(p->centers, rows, n, stride, cell);
        p->add(p->state, rows, n, cell, p->lane_words[lane]);
    }
    return TACIT_OK;
}

/* A copy of the public centres, each clipped: the kernels' overflow proof needs |c|_2 <= M too. */
static tacit_status clipped_centers(tacit_ctx *ctx, const int16_t *centers, int32_t k, int32_t dims, tac_centers **out)
{
    tacit_status status = TACIT_OK;
    int16_t *copy = NULL;
    const size_t count = (size_t)k * (size_t)dims;

    TAC_TRY(tac_new(ctx, count, sizeof *copy, &copy));
    memcpy(copy, centers, count * sizeof *copy);
    for (int32_t c = 0; c < k; c++) tac_clip(copy + (size_t)c * (size_t)dims, dims);
    TAC_TRY(tac_centers_new(ctx, copy, k, dims, out));
done:
    tac_free(copy);
    return status;
}

tacit_status tac_door_over_cells(tac_door *door, const int16_t *centers, int32_t k, size_t words, tac_cell_fn add,
                                 const void *state, uint64_t *total)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = door->ctx;
    const tac_engine *engine = door->engine;
    const int lanes = engine->lanes;
    tac_centers *packed = NULL;
    pass p = {.lattice = door->lattice, .add = add, .state = state};

    p.rows_per_block = ctx->block_bytes / ((int64_t)sizeof(int16_t) * door->lattice->stride);
    if (p.rows_per_block < 1) p.rows_per_block = 1;
    TAC_TRY(clipped_centers(ctx, centers, k, door->lattice->dims, &packed));
    p.centers = packed;
    TAC_TRY(tac_new(ctx, (size_t)lanes, sizeof *p.lane_words, &p.lane_words));
    TAC_TRY(tac_new(ctx, (size_t)lanes, sizeof *p.lane_cells, &p.lane_cells));
    p.tile = tac_nearest_tile(door->lattice->stride);
    for (int i = 0; i < lanes; i++) {
        TAC_TRY(tac_new(ctx, words, sizeof(uint64_t), &p.lane_words[i]));
        TAC_TRY(tac_new(ctx, (size_t)p.tile, sizeof(int32_t), &p.lane_cells[i]));
    }
    TAC_TRY(engine->map(engine, ctx, (door->lattice->rows + p.rows_per_block - 1) / p.rows_per_block, pass_block, &p));
    memset(total, 0, words * sizeof *total);
    for (int i = 0; i < lanes; i++)
        for (size_t w = 0; w < words; w++) total[w] += p.lane_words[i][w];
    TAC_TRY(engine->reduce(engine, total, words));
done:
    for (int i = 0; i < lanes && p.lane_words != NULL; i++) tac_free(p.lane_words[i]);
    for (int i = 0; i < lanes && p.lane_cells != NULL; i++) tac_free(p.lane_cells[i]);
    tac_free(p.lane_words);
    tac_free(p.lane_cells);
    tac_centers_free(packed);
    return status;
}
