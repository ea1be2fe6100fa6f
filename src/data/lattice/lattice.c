/* SPDX-License-Identifier: Apache-2.0 */
/* Raw rows through a frame into the lattice, block by block: raw values go no further than this
   folder. */
#include "data/lattice/lattice.h"

#include <string.h>

/* What all blocks share. Each worker has its own buffer. */
typedef struct build {
    tacit_ctx *ctx;
    const tacit_data *data;
    const tac_frame *frame;
    const uint64_t *keep;
    int64_t begin, end, rows_per_block; /* the raw rows */
    /* lattice row of each block's first kept row; NULL: nothing is dropped */
    const int64_t *first_out;
    /* one per worker: rows_per_block raw rows, then the frame's scratch */
    double **buffer;
    tac_lattice *lattice;
} build;

/* Moves the rows that count together, in their order. Returns their number. */
static int64_t move_kept(const uint64_t *keep, int64_t first, int64_t count, int32_t columns,
                         double *raw)
{
    int64_t kept = 0;

    for (int64_t i = 0; i < count; i++) {
        if (!tac_is_kept(keep, first + i)) continue;
        if (kept < i)
            memcpy(raw + kept * columns, raw + i * columns, (size_t)columns * sizeof *raw);
        kept++;
    }
    return kept;
}

/* Reads one block, drops rows that do not count, places the others. Blocks write to disjoint
   parts of the lattice. */
static tacit_status build_block(void *state, int64_t block, int worker)
{
    const build *b = state;
    const int64_t first = b->begin + block * b->rows_per_block;
    const int64_t left = b->end - first;
    const int64_t count = left < b->rows_per_block ? left : b->rows_per_block;
    const int32_t columns = b->frame->columns, stride = b->lattice->stride;
    double *raw = b->buffer[worker], *scratch = raw + b->rows_per_block * columns;
    const tacit_status status = tac_data_read(b->data, first, count, raw);

    if (status != TACIT_OK) return status;
    /* the caller's thread */
    if (worker == 0)
        tac_show_progress(b->ctx, "placing rows", (double)first / (double)b->data->reader->rows);
    int16_t *point = b->lattice->points +
                     (b->first_out == NULL ? first - b->begin : b->first_out[block]) * stride;
    const int64_t kept = b->keep == NULL ? count : move_kept(b->keep, first, count, columns, raw);
    tac_frame_apply_rows(b->frame, raw, kept, scratch, point, stride);
    return TACIT_OK;
}

/* Where each block's kept rows begin, so that blocks can be filled in any order. */
int64_t tac_kept_before(const uint64_t *keep, int64_t begin, int64_t end, int64_t rows_per_block,
                        int64_t *first_out)
{
    int64_t kept = 0;

    for (int64_t first = begin; first < end; first += rows_per_block) {
        const int64_t left = end - first;
        *first_out++ = kept;
        kept +=
            tac_kept_between(keep, first, first + (left < rows_per_block ? left : rows_per_block));
    }
    return kept;
}

/* From these the door takes its sensitivities: a function of the frame alone, so it is the same
   wherever the rows are. */
void tac_lattice_describe(const tac_frame *f, bool sparse, tac_lattice *out)
{
    *out = (tac_lattice){.dims = f->dims, .stride = f->dims + (f->dims & 1)};
    if (!sparse && f->counts == NULL) return;
    out->sparse = !tac_frame_dense(f);
    if (out->sparse) out->sparsity = f->sparsity;
    if (f->counts == NULL || f->shift != NULL) return;
    out->entry_reach = tac_frame_entry_reach(f);
    out->entry_squares = tac_frame_entry_squares(f);
    out->taxicab = f->counts->taxicab;
    out->sparsity = f->sparsity;
}

/* Memory for all points: that of a lattice before, if it is as much, or new. *before is empty
   afterwards. */
static tacit_status points_room(tacit_ctx *ctx, tac_lattice *before, tac_lattice *out)
{
    if (before->points != NULL && before->rows * before->stride == out->rows * out->stride) {
        out->points = before->points;
        before->points = NULL;
    }
    tac_lattice_clear(before);
    return out->points != NULL ? TACIT_OK
                               : tac_scratch(ctx, (size_t)out->rows * (size_t)out->stride,
                                             sizeof *out->points, &out->points);
}

/* *out is the caller's to clear, and empty after a failure. */
tacit_status tac_lattice_build(tacit_ctx *ctx, const tac_engine *engine, tacit_data *data,
                               const tac_frame *frame, const uint64_t *keep, tac_lattice *out)
{
    memset(out, 0, sizeof *out);
    return tac_lattice_rebuild(ctx, engine, data, frame, keep, 0, data->reader->rows, out);
}

/* Sparse rows and counts go the other way (lattice_sparse.c). *inout is empty after a failure. */
tacit_status tac_lattice_rebuild(tacit_ctx *ctx, const tac_engine *engine, tacit_data *data,
                                 const tac_frame *frame, const uint64_t *keep, int64_t begin,
                                 int64_t end, tac_lattice *inout)
{
    tacit_status status = TACIT_OK;
    const int32_t columns = frame->columns;
    tac_lattice lattice;
    build b = {.ctx = ctx,
               .data = data,
               .frame = frame,
               .keep = keep,
               .begin = begin,
               .end = end,
               .lattice = &lattice};
    int64_t *first_out = NULL;
    int64_t kept = end - begin;

    if (tac_data_sparse(data) || frame->counts != NULL) {
        tac_lattice_clear(inout);
        return tac_lattice_build_sparse(ctx, engine, data, frame, keep, begin, end, inout);
    }
    tac_lattice_describe(frame, false, &lattice);
    b.rows_per_block = ctx->block_bytes / ((int64_t)sizeof(double) * columns);
    if (b.rows_per_block < 1) b.rows_per_block = 1;
    const int64_t blocks = (end - begin + b.rows_per_block - 1) / b.rows_per_block;

    TAC_TRY(tac_new(ctx, (size_t)engine->workers, sizeof(double *), &b.buffer));
    for (int i = 0; i < engine->workers; i++)
        TAC_TRY(tac_scratch(
            ctx, (size_t)b.rows_per_block * (size_t)columns + tac_frame_rows_scratch(frame),
            sizeof(double), &b.buffer[i]));
    if (keep != NULL) {
        TAC_TRY(tac_new(ctx, (size_t)blocks + 1, sizeof *first_out, &first_out));
        kept = tac_kept_before(keep, begin, end, b.rows_per_block, first_out);
        b.first_out = first_out;
    }
    lattice.rows = kept;
    /* every point is written, its padding too */
    TAC_TRY(points_room(ctx, inout, &lattice));
    TAC_TRY(tac_data_explain(ctx, data, engine->map(engine, ctx, blocks, build_block, &b)));
done:
    tac_lattice_clear(inout);
    if (status == TACIT_OK)
        *inout = lattice;
    else
        tac_lattice_clear(&lattice);
    if (b.buffer != NULL)
        for (int i = 0; i < engine->workers; i++) tac_free(b.buffer[i]);
    tac_free(b.buffer);
    tac_free(first_out);
    return status;
}

void tac_lattice_clear(tac_lattice *lattice)
{
    tac_free(lattice->points);
    tac_free(lattice->start);
    tac_free(lattice->column);
    tac_free(lattice->value);
    memset(lattice, 0, sizeof *lattice);
}
