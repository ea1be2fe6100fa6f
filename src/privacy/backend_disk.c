/* SPDX-License-Identifier: Apache-2.0 */
/* Rows in chunks, each of which is a shard for as long as it is in memory: exact words of chunks
   add up as those of shards do, so evaluators know nothing of it, and no answer depends on how
   large chunks are or on which of them were spilled. How much fits depends on how many rows there
   are, which is private: it shows in run time and in the size of a file, and in nothing that
   leaves. */
#include "privacy/backend_disk.h"

#include "data/lattice/chunks.h"
#include "privacy/kinds.h"
#include "privacy/queries/cell_memo.h"

/* of the memory: a chunk, at most CHUNK_MOST; three of them are there at a time, one that is placed
   or one of each view */
#define CHUNK_PART 12
#define CHUNK_MOST (INT64_C(16) << 20)
#define CHUNKS_AT_ONCE 3
#define MEMO_PART 4 /* of the memory: what the memo of cells may take */
/* bytes of a sparse row, taken to have 64 entries */
#define SPARSE_ROW (8 + 64 * 6)
#define MEMO_CENTERS (256 * (int64_t)sizeof(int16_t)) /* a chunk and dimension, at most */

typedef struct disk {
    tac_backend base;
    tac_engine engine;
    tacit_data *data;
    const uint64_t *keep;
    int64_t rows_per_chunk;
    int64_t most; /* bytes of placed rows that stay in memory, of all views */
    tac_chunks view[TAC_VIEWS];
    bool placed[TAC_VIEWS];
    tac_memo *memo; /* of each chunk; NULL: labels of all rows would not fit */
    int64_t memos;
} disk;

/* ---- how much of what ---- */

/* rows_per_chunk, the room of chunks in memory, and whether there are memos. */
static void divide(disk *d, const tacit_ctx *ctx, const tac_frame *frame)
{
    const int64_t memory = ctx->memory, rows = d->data->reader->rows;
    const bool sparse = tac_data_sparse(d->data) || frame->counts != NULL;
    const int64_t row =
        sparse ? SPARSE_ROW : (tac_data_dims(d->data) + 2) * (int64_t)sizeof(int16_t);
    int64_t chunk = ctx->chunk_bytes;

    if (chunk == 0) chunk = memory / CHUNK_PART < CHUNK_MOST ? memory / CHUNK_PART : CHUNK_MOST;
    d->rows_per_chunk = chunk / row > 0 ? chunk / row : 1;
    const int64_t chunks = rows / d->rows_per_chunk + 1;
    const int64_t memo = rows + chunks * MEMO_CENTERS * tac_data_dims(d->data);
    d->memos = !sparse && memo <= memory / MEMO_PART ? chunks : 0;
    d->most = memory - CHUNKS_AT_ONCE * d->rows_per_chunk * row - (d->memos > 0 ? memo : 0) -
              (d->keep == NULL ? 0 : (int64_t)tac_kept_words(rows) * (int64_t)sizeof *d->keep);
    if (d->most < 0) d->most = 0;
}

static void forget(disk *d)
{
    for (int64_t i = 0; d->memo != NULL && i < d->memos; i++) tac_memo_forget(&d->memo[i]);
}

/* ---- the two functions of a backend ---- */

/* The view that is placed last is the one that is asked: it takes memory before the other one. */
static tacit_status place(tac_backend *self, tacit_ctx *ctx, tac_view view, const tac_frame *frame)
{
    tacit_status status = TACIT_OK;
    disk *d = (disk *)self;
    tac_chunks *other = &d->view[view == TAC_ROWS ? TAC_PROJECTED : TAC_ROWS];
    tac_engine engine = d->engine;

    engine.nanoseconds = NULL; /* the time goes to placing */
    forget(d);                 /* labels of rows that are gone */
    d->placed[view] = false;
    if (d->rows_per_chunk == 0) {
        divide(d, ctx, frame);
        if (d->memos > 0) TAC_TRY(tac_new(ctx, (size_t)d->memos, sizeof *d->memo, &d->memo));
    }
    const int64_t need = d->data->reader->rows * (frame->dims + 1) * (int64_t)sizeof(int16_t);
    TAC_TRY(tac_chunks_shrink(ctx, &engine, d->most > need ? d->most - need : 0, other));
    TAC_TRY(tac_chunks_place(ctx, &engine, d->data, frame, d->keep, d->rows_per_chunk,
                             d->most - other->held, &d->view[view]));
    d->placed[view] = true;
done:
    return status;
}

/* Which views' points a query looks at. One cell is no question of where a row lies, and a count
   asks for no row. */
static bool looks_at(const tac_query *q, tac_view view)
{
    if (q->kind == TAC_KIND_COUNT) return false;
    return q->values == view || (q->cells.view == view && q->cells.kind != TAC_ONE_CELL);
}

static bool any_looks_at(const tac_query *const *query, int32_t count, tac_view view)
{
    for (int32_t i = 0; i < count; i++)
        if (looks_at(query[i], view)) return true;
    return false;
}

/* The words of one chunk, added to sum. Its points are in memory. */
static tacit_status add_chunk(const disk *d, tacit_ctx *ctx, const tac_shard *shard,
                              const tac_query *const *query, int32_t count, tac_words *sum)
{
    tacit_status status = TACIT_OK;
    tac_words part = {0};

    for (int32_t i = 0; i < count; i++) {
        tac_free(part.word);
        TAC_TRY(tac_evaluate(ctx, &d->engine, query[i], shard, &part));
        TAC_TRY(tac_combine(ctx, query[i]->kind, &sum[i], &part));
    }
done:
    tac_free(part.word);
    return status;
}

static tacit_status evaluate(tac_backend *self, tacit_ctx *ctx, const tac_query *const *query,
                             int32_t count, tac_words *sum)
{
    tacit_status status = TACIT_OK;
    disk *d = (disk *)self;
    bool look[TAC_VIEWS];
    const int64_t chunks = d->view[TAC_ROWS].count;

    for (int view = 0; view < TAC_VIEWS; view++)
        look[view] = d->placed[view] && any_looks_at(query, count, (tac_view)view);
    for (int64_t i = 0; i < chunks && status == TACIT_OK; i++) {
        tac_shard shard = {.memo = d->memo == NULL ? NULL : &d->memo[i]};
        for (int view = 0; view < TAC_VIEWS; view++) {
            if (d->placed[view]) shard.lattice[view] = &d->view[view].chunk[i].lattice;
            if (!look[view]) continue;
            TAC_TRY(tac_chunks_load(ctx, &d->engine, &d->view[view], i));
            tac_chunks_expect(&d->view[view], i + 1);
        }
        status = add_chunk(d, ctx, &shard, query, count, sum);
        for (int view = 0; view < TAC_VIEWS; view++)
            if (look[view]) tac_chunks_unload(&d->view[view], i);
    }
done:
    return status;
}

static void disk_close(tac_backend *self)
{
    disk *d = (disk *)self;

    if (d == NULL) return;
    forget(d);
    tac_free(d->memo);
    for (int view = 0; view < TAC_VIEWS; view++) tac_chunks_close(&d->view[view]);
    tac_free(d);
}

tacit_status tac_backend_disk_open(tacit_ctx *ctx, tac_backend **out)
{
    tacit_status status = TACIT_OK;
    disk *d = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *d, &d));
    d->base = (tac_backend){
        .where = "on a disk", .place = place, .evaluate = evaluate, .close = disk_close};
    tac_engine_threads(ctx, &d->engine);
    d->engine.nanoseconds = &ctx->run.map;
    for (int view = 0; view < TAC_VIEWS; view++) TAC_TRY(tac_chunks_open(ctx, &d->view[view]));
    *out = &d->base;
    d = NULL;
done:
    disk_close((tac_backend *)d);
    return status;
}

void tac_backend_disk_rows(tac_backend *backend, tacit_data *data, const uint64_t *keep)
{
    disk *d = (disk *)backend;

    d->data = data;
    d->keep = keep;
}
