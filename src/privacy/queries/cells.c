/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over all rows, each put into its cell of a public partition: the evaluate step of
   most kinds. The cell is a function of the row and public numbers alone, and integers are added
   up, so the answer does not depend on blocks or threads. */
#include "data/kernels/cell_squares.h"
#include "privacy/queries/cell_memo.h"
#include "privacy/queries/cells.h"

#include <string.h>

#define WORKER_WORDS ((size_t)1 << 25) /* 256 MiB for the answers of all workers */
/* int16 of a sparse row, taken to have 64 entries of 6 bytes: its true length must not show */
#define SPARSE_WIDE 192
#define ALIGNED 64
#define WIDE_ROWS (INT64_C(1) << 31)

/* words and scratch by worker: nothing is shared, so nothing is locked. */
typedef struct work {
    tac_block_add add;
    const void *state;
    uint64_t **words;
    void **scratch;
} work;

/* One block into the worker's own words. */
static tacit_status work_block(void *state, int64_t block, int worker)
{
    const work *w = state;

    w->add(w->state, block, w->words[worker], w->scratch[worker]);
    return TACIT_OK;
}

/* Fewer workers when each would need much memory for its answer. One is always there. */
static int workers_for(int workers, size_t words)
{
    const size_t fit = WORKER_WORDS / (words + 1);
    return fit >= (size_t)workers ? workers : fit < 1 ? 1 : (int)fit;
}

/* Worker 0 adds into *total itself, the others into words of their own, which are added at the
   end. Modulo 2^64, so the order of additions does not matter. */
tacit_status tac_add_blocks(tacit_ctx *ctx, const tac_engine *engine, int64_t blocks,
                            tac_block_add add, const void *state, size_t scratch_bytes,
                            tac_words *total)
{
    tacit_status status = TACIT_OK;
    const int workers = workers_for(engine->workers, total->count);
    tac_engine few = *engine;
    work w = {.add = add, .state = state};

    few.workers = workers;
    memset(total->word, 0, total->count * sizeof *total->word);
    TAC_TRY(tac_new(ctx, (size_t)workers, sizeof *w.words, &w.words));
    TAC_TRY(tac_new(ctx, (size_t)workers, sizeof *w.scratch, &w.scratch));
    w.words[0] = total->word;
    for (int i = 0; i < workers; i++) {
        if (i > 0) TAC_TRY(tac_new(ctx, total->count, sizeof(uint64_t), &w.words[i]));
        TAC_TRY(tac_scratch(ctx, scratch_bytes + 1, 1, &w.scratch[i]));
    }
    TAC_TRY(few.map(&few, ctx, blocks, work_block, &w));
    for (int i = 1; i < workers; i++)
        for (size_t word = 0; word < total->count; word++) total->word[word] += w.words[i][word];
done:
    /* part of a sum must not stay behind */
    if (status != TACIT_OK) memset(total->word, 0, total->count * sizeof *total->word);
    for (int i = 1; i < workers && w.words != NULL; i++) tac_free(w.words[i]);
    for (int i = 0; i < workers && w.scratch != NULL; i++) tac_free(w.scratch[i]);
    tac_free(w.words);
    tac_free(w.scratch);
    return status;
}

/* What every block of a pass over the cells shares, read only. */
typedef struct pass {
    const tac_placer *placer;
    const tac_memo *memo;              /* NULL: none */
    const tac_lattice *where, *values; /* row beside row */
    /* a tile is assigned and added up while it is still in a near cache */
    int64_t rows_per_block, tile;
    tac_cell_fn add;
    const void *state;
    size_t cell_bytes; /* of a tile's cells: first in the scratch */
    int64_t first;     /* block: those before it are added up already */
} pass;

/* A block, tile by tile: the cells of a tile, then what `add` makes of its rows. */
static void pass_block(const void *state, int64_t block, uint64_t *words, void *scratch)
{
    const pass *p = state;
    const int64_t rows = p->values->rows, first = (p->first + block) * p->rows_per_block;
    const int64_t end = first + p->rows_per_block < rows ? first + p->rows_per_block : rows;
    const bool sparse = p->values->start != NULL;
    int32_t *cell = scratch;

    for (int64_t i = first; i < end; i += p->tile) {
        const tac_tile tile = {.rows = sparse ? NULL : p->values->points + i * p->values->stride,
                               .start = sparse ? p->values->start + i : NULL,
                               .column = p->values->column,
                               .value = p->values->value,
                               .n = i + p->tile < end ? p->tile : end - i,
                               .stride = p->values->stride,
                               .dims = p->values->dims,
                               .cell = cell,
                               .scratch = (char *)scratch + p->cell_bytes};
        if (p->memo != NULL && p->memo->whole) {
            tac_memo_read(p->memo, i, tile.n, cell);
        } else {
            tac_place(p->placer, p->where, i, tile.n, cell);
            if (p->memo != NULL) tac_memo_write(p->memo, i, tile.n, cell);
        }
        p->add(p->state, &tile, words);
    }
}

int64_t tac_tile_rows(int32_t stride)
{
    return tac_nearest_tile(stride);
}

/* Moments of one cell: no cell is looked up, and the entries are added to once for a panel. */
int64_t tac_query_tile(const tac_query *q, int32_t stride)
{
    const int64_t rows = tac_tile_rows(stride);
    const bool panel = q->kind == TAC_KIND_MOMENTS && q->cells.kind == TAC_ONE_CELL;
    return panel && rows < TAC_SQUARES_PANEL ? TAC_SQUARES_PANEL : rows;
}

int64_t tac_lattice_tile(const tac_lattice *rows)
{
    return tac_tile_rows(rows->start == NULL ? rows->stride : SPARSE_WIDE);
}

/* out = the sums of all blocks. Numbers of two words: sums of so few rows that one word holds them
   (a row adds at most 2^31 to a word), widened and added. */
static tacit_status add_all(tacit_ctx *ctx, const tac_engine *engine, tac_kind kind, pass *p,
                            size_t scratch_bytes, tac_words *out)
{
    tacit_status status = TACIT_OK;
    const int64_t blocks = (p->values->rows + p->rows_per_block - 1) / p->rows_per_block;
    const int64_t rows = ctx->wide_rows > 0 ? ctx->wide_rows : WIDE_ROWS;
    const int64_t fit = rows > p->rows_per_block ? rows / p->rows_per_block : 1;
    tac_words low = {.word = out->word, .count = tac_kind_numbers(kind, out->count)}, part = {0};

    if (low.count == out->count || blocks <= fit) {
        TAC_TRY(tac_add_blocks(ctx, engine, blocks, pass_block, p, scratch_bytes, &low));
        if (low.count < out->count) tac_second_words(out);
        goto done;
    }
    TAC_TRY(tac_new(ctx, out->count, sizeof *part.word, &part.word));
    part.count = out->count;
    low.word = part.word;
    memset(out->word, 0, out->count * sizeof *out->word);
    for (; p->first < blocks; p->first += fit) {
        TAC_TRY(tac_add_blocks(ctx, engine, blocks - p->first < fit ? blocks - p->first : fit,
                               pass_block, p, scratch_bytes, &low));
        tac_second_words(&part);
        tac_add_two_words(out, &part);
    }
done:
    if (status != TACIT_OK) memset(out->word, 0, out->count * sizeof *out->word);
    tac_free(part.word);
    return status;
}

/* Both views are on the shard, row beside row (tac_query_fits has checked it). Nothing exact
   stays in *out on failure. */
tacit_status tac_over_cells(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                            const tac_shard *shard, tac_cell_fn add, const void *state,
                            size_t scratch_bytes, tac_words *out)
{
    tacit_status status = TACIT_OK;
    tac_placer placer = {0};
    pass p = {.placer = &placer,
              .where = shard->lattice[q->cells.view],
              .values = shard->lattice[q->values],
              .add = add,
              .state = state};

    const int32_t wide = p.values->start == NULL  ? p.values->stride
                         : p.where->start == NULL ? p.where->stride
                                                  : SPARSE_WIDE;
    p.tile = tac_query_tile(q, wide);
    p.rows_per_block = ctx->block_bytes / ((int64_t)sizeof(int16_t) * wide);
    if (p.rows_per_block < 1) p.rows_per_block = 1;
    /* Whole tiles: a small last one costs as much to add up. */
    if (p.rows_per_block > p.tile) p.rows_per_block -= p.rows_per_block % p.tile;
    p.cell_bytes = ((size_t)p.tile * sizeof(int32_t) + ALIGNED - 1) / ALIGNED * ALIGNED;
    TAC_TRY(tac_placer_open(ctx, &q->cells, p.where->dims, &placer));
    if (shard->memo != NULL && tac_memo_fits(&q->cells, p.where)) {
        TAC_TRY(tac_memo_open(ctx, &q->cells, p.where, shard->memo));
        p.memo = shard->memo;
    }
    TAC_TRY(add_all(ctx, engine, q->kind, &p, p.cell_bytes + scratch_bytes, out));
    if (p.memo != NULL) shard->memo->whole = true;
done:
    tac_placer_close(&placer);
    return status;
}
