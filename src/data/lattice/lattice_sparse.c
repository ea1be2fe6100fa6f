/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse rows through a frame: into a sparse lattice, or, behind a sketch, into a dense one of few
   coordinates. A block holds the entries of its rows and nothing as long as a row; only rows of
   counts may come from a reader of dense rows. */
#include "data/lattice/lattice.h"

#include "data/lattice/frame_internal.h"

#include <string.h>

/* bytes of a raw entry; a block of rows takes about block_bytes if rows have ROW_ENTRIES entries */
#define ENTRY_BYTES 12
#define ROW_ENTRIES 64

/* A worker's raw entries and scratch. */
typedef struct worker {
    tac_nonzeros raw;
    double *scratch; /* the frame's */
    double *dense;   /* a block of dense rows; NULL: the reader gives sparse ones */
} worker;

typedef struct build {
    tacit_ctx *ctx;
    const tac_reader *reader;
    const tac_frame *frame;
    const uint64_t *keep;
    int64_t begin, end, rows_per_block, blocks; /* the raw rows */
    /* lattice row of each block's first kept row; NULL: nothing is dropped */
    const int64_t *first_out;
    worker *workers;
    tac_lattice *lattice;
    /* entries of each point, where that is known only when it is made; NULL otherwise */
    int32_t *length;
} build;

/* out = the entries of dense rows: values that are neither 0 nor missing. */
static tacit_status pick_nonzeros(const double *rows, int64_t count, int32_t columns,
                                  tac_nonzeros *out)
{
    tacit_status status = TACIT_OK;
    size_t at = 0;

    TAC_TRY(tac_nonzeros_room(out, (size_t)count, 0));
    out->start[0] = 0;
    for (int64_t i = 0; i < count; i++) {
        TAC_TRY(tac_nonzeros_room(out, (size_t)count, at + (size_t)columns));
        for (int32_t j = 0; j < columns; j++) {
            const double x = rows[i * columns + j];
            if (x != x || x == 0) continue;
            out->feature[at] = j;
            out->value[at++] = x;
        }
        out->start[i + 1] = (int64_t)at;
    }
done:
    return status;
}

/* The raw entries of one block, in the worker's own memory. *first, *count: its rows; *out:
   where its kept rows begin on the lattice. */
static tacit_status read_block(const build *b, int64_t block, int index, int64_t *first,
                               int64_t *count, int64_t *out)
{
    *first = b->begin + block * b->rows_per_block;
    *count = b->end - *first < b->rows_per_block ? b->end - *first : b->rows_per_block;
    *out = b->first_out == NULL ? *first - b->begin : b->first_out[block];
    worker *own = &b->workers[index];
    if (own->dense == NULL) return b->reader->read_sparse(b->reader, *first, *count, &own->raw);
    const tacit_status status = b->reader->read(b->reader, *first, *count, own->dense);
    return status != TACIT_OK ? status
                              : pick_nonzeros(own->dense, *count, b->frame->columns, &own->raw);
}

/* Entries that the point of row i will have; with groups an upper bound, as entries may merge. */
static int64_t kept_entries(const build *b, const tac_nonzeros *raw, int64_t i)
{
    const tac_frame *f = b->frame;
    int64_t count = raw->start[i + 1] - raw->start[i];

    if (f->counts != NULL) {
        count = 0;
        for (int64_t e = raw->start[i]; e < raw->start[i + 1]; e++)
            count += raw->value[e] >= TAC_COUNT_LEAST &&
                     (f->counts->weight == NULL || f->counts->weight[raw->feature[e]] > 0);
        if (count > f->dims) count = f->dims;
    }
    return f->sparsity > 0 && count > f->sparsity ? f->sparsity : count;
}

/* First pass: start[row + 1] = entries of the row. */
static tacit_status count_block(void *state, int64_t block, int index)
{
    const build *b = state;
    const tac_nonzeros *raw = &b->workers[index].raw;
    int64_t first, count, out;
    const tacit_status status = read_block(b, block, index, &first, &count, &out);

    if (status != TACIT_OK) return status;
    for (int64_t i = 0; i < count; i++)
        if (tac_is_kept(b->keep, first + i)) b->lattice->start[++out] = kept_entries(b, raw, i);
    return TACIT_OK;
}

/* Second pass: every row into its place. */
static tacit_status fill_block(void *state, int64_t block, int index)
{
    const build *b = state;
    const tac_nonzeros *raw = &b->workers[index].raw;
    const tac_lattice *l = b->lattice;
    int64_t first, count, out;
    const tacit_status status = read_block(b, block, index, &first, &count, &out);

    if (status != TACIT_OK) return status;
    /* the caller's thread */
    if (index == 0)
        tac_show_progress(b->ctx, "placing rows", (double)first / (double)b->reader->rows);
    for (int64_t i = 0; i < count; i++) {
        int32_t *feature = raw->feature + raw->start[i];
        double *value = raw->value + raw->start[i];
        const int32_t entries = (int32_t)(raw->start[i + 1] - raw->start[i]);
        if (!tac_is_kept(b->keep, first + i)) continue;
        if (l->start == NULL) {
            tac_frame_apply_sparse(b->frame, feature, value, entries, b->workers[index].scratch,
                                   l->points + out * l->stride);
            if (l->stride > l->dims) l->points[out * l->stride + l->dims] = 0;
        } else {
            const int32_t kept =
                tac_frame_apply_sparse(b->frame, feature, value, entries, b->workers[index].scratch,
                                       l->value + l->start[out]);
            memcpy(l->column + l->start[out], feature, (size_t)kept * sizeof *feature);
            if (b->length != NULL) b->length[out] = kept;
        }
        out++;
    }
    return TACIT_OK;
}

/* A dense lattice, or start, column and value of a sparse one after a first pass over the rows.
   *length is for points whose size is known only when they are made. */
static tacit_status make_room(build *b, const tac_engine *engine, tacit_data *data, int64_t kept)
{
    tacit_status status = TACIT_OK;
    tac_lattice *l = b->lattice;

    l->rows = kept;
    if (tac_frame_dense(b->frame)) {
        TAC_TRY(tac_new(b->ctx, (size_t)kept * (size_t)l->stride, sizeof *l->points, &l->points));
        return TACIT_OK;
    }
    TAC_TRY(tac_new(b->ctx, (size_t)kept + 1, sizeof *l->start, &l->start));
    TAC_TRY(tac_data_explain(b->ctx, data, engine->map(engine, b->ctx, b->blocks, count_block, b)));
    for (int64_t i = 0; i < kept; i++) l->start[i + 1] += l->start[i];
    TAC_TRY(tac_new(b->ctx, (size_t)l->start[kept], sizeof *l->column, &l->column));
    TAC_TRY(tac_new(b->ctx, (size_t)l->start[kept], sizeof *l->value, &l->value));
    if (b->frame->counts != NULL && b->frame->counts->group != NULL)
        TAC_TRY(tac_new(b->ctx, (size_t)kept, sizeof *b->length, &b->length));
done:
    return status;
}

/* Closes the gaps behind points that have fewer entries than there was room for. */
static void move_together(const build *b)
{
    const tac_lattice *l = b->lattice;
    int64_t at = 0;

    for (int64_t i = 0; i < l->rows; i++) {
        const int64_t from = l->start[i];
        l->start[i] = at;
        memmove(l->column + at, l->column + from, (size_t)b->length[i] * sizeof *l->column);
        memmove(l->value + at, l->value + from, (size_t)b->length[i] * sizeof *l->value);
        at += b->length[i];
    }
    l->start[l->rows] = at;
}

/* Two passes: sizes, then points. The memory of a block depends on rows; nothing of it leaves. */
tacit_status tac_lattice_build_sparse(tacit_ctx *ctx, const tac_engine *engine, tacit_data *data,
                                      const tac_frame *frame, const uint64_t *keep, int64_t begin,
                                      int64_t end, tac_lattice *out)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = frame->dims;
    tac_lattice lattice;
    build b = {.ctx = ctx,
               .reader = data->reader,
               .frame = frame,
               .keep = keep,
               .begin = begin,
               .end = end,
               .lattice = &lattice};
    int64_t *first_out = NULL;
    int64_t kept = end - begin;

    if (frame->moved && !tac_frame_dense(frame))
        return tac_fail(ctx, TACIT_E_INTERNAL, "sparse rows were to be moved away from zero");
    tac_lattice_describe(frame, true, &lattice);
    const bool picks = b.reader->read_sparse == NULL;
    const int64_t bytes =
        picks ? (int64_t)sizeof(double) * frame->columns : ENTRY_BYTES * ROW_ENTRIES;
    b.rows_per_block = 1 + ctx->block_bytes / bytes;
    b.blocks = (end - begin + b.rows_per_block - 1) / b.rows_per_block;
    TAC_TRY(tac_new(ctx, (size_t)engine->workers, sizeof *b.workers, &b.workers));
    for (int i = 0; i < engine->workers; i++) {
        TAC_TRY(tac_new(ctx, (size_t)frame->sketch + (tac_frame_dense(frame) ? (size_t)dims : 0),
                        sizeof(double), &b.workers[i].scratch));
        if (picks)
            TAC_TRY(tac_new(ctx, (size_t)b.rows_per_block * (size_t)frame->columns, sizeof(double),
                            &b.workers[i].dense));
    }
    if (keep != NULL) {
        TAC_TRY(tac_new(ctx, (size_t)b.blocks + 1, sizeof *first_out, &first_out));
        kept = tac_kept_before(keep, begin, end, b.rows_per_block, first_out);
        b.first_out = first_out;
    }
    TAC_TRY(make_room(&b, engine, data, kept));
    TAC_TRY(tac_data_explain(ctx, data, engine->map(engine, ctx, b.blocks, fill_block, &b)));
    if (b.length != NULL) move_together(&b);
    *out = lattice;
    memset(&lattice, 0, sizeof lattice);
done:
    tac_lattice_clear(&lattice);
    for (int i = 0; b.workers != NULL && i < engine->workers; i++) {
        tac_nonzeros_clear(&b.workers[i].raw);
        tac_free(b.workers[i].scratch);
        tac_free(b.workers[i].dense);
    }
    tac_free(b.workers);
    tac_free(b.length);
    tac_free(first_out);
    return status;
}
