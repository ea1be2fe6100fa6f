/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over all rows, each put into its cell of a public partition. The cell is a function of the row and public
   numbers alone, and what is added up are integers, so neither blocks nor threads can show. */
#include "privacy/questions/cells.h"

#include <string.h>

#define WORDS_MOST ((size_t)1 << 40)
#define LANE_WORDS ((size_t)1 << 25) /* 256 MiB for the answers of all lanes */
#define SPARSE_WIDE 192 /* a sparse row is taken for one of 64 entries, 6 bytes each: its true length is nobody's business */

typedef struct pass {
    const tac_placer *placer;
    const tac_lattice *where, *values; /* row beside row */
    int64_t rows_per_block, tile;      /* a tile is assigned and added up while it is still in a near cache */
    tac_cell_fn add;
    const void *state;
    uint64_t **lane_words;
    int32_t **lane_cells; /* tile cells each */
    void **lane_scratch;
} pass;

static tacit_status pass_block(void *state, int64_t block, int lane)
{
    const pass *p = state;
    const int64_t rows = p->values->rows, first = block * p->rows_per_block;
    const int64_t end = first + p->rows_per_block < rows ? first + p->rows_per_block : rows;

    for (int64_t i = first; i < end; i += p->tile) {
        const bool sparse = p->values->start != NULL;
        const tac_tile tile = {.rows = sparse ? NULL : p->values->points + i * p->values->stride,
                               .start = sparse ? p->values->start + i : NULL,
                               .column = p->values->column,
                               .value = p->values->value,
                               .n = i + p->tile < end ? p->tile : end - i,
                               .stride = p->values->stride,
                               .dims = p->values->dims,
                               .cell = p->lane_cells[lane],
                               .scratch = p->lane_scratch[lane]};
        tac_place(p->placer, p->where, i, tile.n, p->lane_cells[lane]);
        p->add(p->state, &tile, p->lane_words[lane]);
    }
    return TACIT_OK;
}

tacit_status tac_door_fits(const tac_door *door, int32_t count, size_t each)
{
    if (each <= WORDS_MOST / (size_t)count) return TACIT_OK;
    return tac_fail(door->ctx, TACIT_E_MEMORY, "a question has more answers than memory can hold; ask with fewer columns or "
                    "fewer centres");
}

int64_t tac_tile_rows(int32_t stride)
{
    return tac_nearest_tile(stride);
}

int64_t tac_door_tile(const tac_lattice *rows)
{
    return tac_tile_rows(rows->start == NULL ? rows->stride : SPARSE_WIDE);
}

/* Fewer lanes when each would need much memory for its answer. One is always there. */
static int lanes_for(int lanes, size_t words)
{
    const size_t fit = LANE_WORDS / (words + 1);
    return fit >= (size_t)lanes ? lanes : fit < 1 ? 1 : (int)fit;
}

tacit_status tac_door_over_cells(tac_door *door, const tac_cells *cells, tac_view values, size_t words, tac_cell_fn add,
                                 const void *state, size_t scratch_bytes, uint64_t *total)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = door->ctx;
    const tac_engine *engine = door->engine;
    tac_engine few = *engine;
    tac_placer placer = {0};
    pass p = {.placer = &placer, .add = add, .state = state};

    TAC_TRY(tac_cells_check_any(door, cells, values));
    p.where = door->lattice[cells->view];
    p.values = door->lattice[values];
    const int32_t wide = p.values->start == NULL ? p.values->stride : p.where->start == NULL ? p.where->stride : SPARSE_WIDE;
    p.tile = tac_tile_rows(wide);
    p.rows_per_block = ctx->block_bytes / ((int64_t)sizeof(int16_t) * wide);
    if (p.rows_per_block < 1) p.rows_per_block = 1;
    /* Whole tiles: a small last one costs as much to add up. */
    if (p.rows_per_block > p.tile) p.rows_per_block -= p.rows_per_block % p.tile;
    const int lanes = few.lanes = lanes_for(engine->lanes, words);
    TAC_TRY(tac_placer_open(ctx, cells, p.where->dims, &placer));
    TAC_TRY(tac_new(ctx, (size_t)lanes, sizeof *p.lane_words, &p.lane_words));
    TAC_TRY(tac_new(ctx, (size_t)lanes, sizeof *p.lane_cells, &p.lane_cells));
    TAC_TRY(tac_new(ctx, (size_t)lanes, sizeof *p.lane_scratch, &p.lane_scratch));
    p.lane_words[0] = total;
    memset(total, 0, words * sizeof *total);
    for (int i = 0; i < lanes; i++) {
        if (i > 0) TAC_TRY(tac_new(ctx, words, sizeof(uint64_t), &p.lane_words[i]));
        TAC_TRY(tac_scratch(ctx, (size_t)p.tile, sizeof(int32_t), &p.lane_cells[i]));
        TAC_TRY(tac_scratch(ctx, scratch_bytes + 1, 1, &p.lane_scratch[i]));
    }
    TAC_TRY(few.map(&few, ctx, (p.values->rows + p.rows_per_block - 1) / p.rows_per_block, pass_block, &p));
    for (int i = 1; i < lanes; i++)
        for (size_t w = 0; w < words; w++) total[w] += p.lane_words[i][w];
    TAC_TRY(engine->reduce(engine, total, words));
done:
    if (status != TACIT_OK && p.lane_words != NULL) memset(total, 0, words * sizeof *total); /* part of a sum must not stay behind */
    for (int i = 1; i < few.lanes && p.lane_words != NULL; i++) tac_free(p.lane_words[i]);
    for (int i = 0; i < few.lanes && p.lane_cells != NULL; i++) tac_free(p.lane_cells[i]);
    for (int i = 0; i < few.lanes && p.lane_scratch != NULL; i++) tac_free(p.lane_scratch[i]);
    tac_free(p.lane_words);
    tac_free(p.lane_cells);
    tac_free(p.lane_scratch);
    tac_placer_close(&placer);
    return status;
}
