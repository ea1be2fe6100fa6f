/* SPDX-License-Identifier: Apache-2.0 */
/* Rows in chunks: placed one after the other, spilled where memory ends, loaded one at a time. */
#include "data/lattice/chunks.h"

#include <string.h>

enum { POINTS = 0, START = 0, COLUMN = 1, VALUE = 2, PARTS = 3 };

tacit_status tac_chunks_open(tacit_ctx *ctx, tac_chunks *out)
{
    memset(out, 0, sizeof *out);
    return tac_spill_open(ctx, &out->spill);
}

/* No chunks, and no memory for any. */
static void empty(tac_chunks *c)
{
    for (int64_t i = 0; i < c->count; i++)
        if (!c->chunk[i].spilled) tac_lattice_clear(&c->chunk[i].lattice);
    tac_free(c->chunk);
    c->chunk = NULL;
    c->count = c->held = 0;
    tac_lattice_clear(&c->build);
    for (int part = 0; part < PARTS; part++) {
        tac_free(c->room[part]);
        c->room[part] = NULL;
        c->room_size[part] = 0;
    }
}

void tac_chunks_close(tac_chunks *chunks)
{
    empty(chunks);
    tac_spill_close(chunks->spill);
    memset(chunks, 0, sizeof *chunks);
}

/* How many bytes each part of a lattice takes; 0: it has none such. */
static void sizes(const tac_lattice *l, int64_t size[PARTS])
{
    const int64_t entries = l->start == NULL ? 0 : l->start[l->rows];

    memset(size, 0, PARTS * sizeof *size);
    if (l->start == NULL) {
        size[POINTS] = l->rows * l->stride * (int64_t)sizeof *l->points;
        return;
    }
    size[START] = (l->rows + 1) * (int64_t)sizeof *l->start;
    size[COLUMN] = entries * (int64_t)sizeof *l->column;
    size[VALUE] = entries * (int64_t)sizeof *l->value;
}

static int64_t bytes_of(const tac_lattice *l)
{
    int64_t size[PARTS];

    sizes(l, size);
    return size[0] + size[1] + size[2];
}

/* Points the lattice at its parts, or at nothing. */
static void point_at(tac_lattice *l, void *const part[PARTS])
{
    l->points = l->sparse ? NULL : part[POINTS];
    l->start = l->sparse ? part[START] : NULL;
    l->column = l->sparse ? part[COLUMN] : NULL;
    l->value = l->sparse ? part[VALUE] : NULL;
}

static void forget_points(tac_lattice *l)
{
    point_at(l, (void *const[PARTS]){NULL, NULL, NULL});
}

/* `from`, which has points, becomes a spilled chunk; its memory stays the caller's. */
static tacit_status spill(tacit_ctx *ctx, const tac_engine *engine, tac_chunks *c,
                          const tac_lattice *from, tac_chunk *to)
{
    tacit_status status = TACIT_OK;
    const void *const part[PARTS] = {from->start == NULL ? (const void *)from->points : from->start,
                                     from->column, from->value};
    int64_t size[PARTS];

    sizes(from, size);
    to->spilled = true;
    to->lattice = *from;
    forget_points(&to->lattice);
    for (int i = 0; i < PARTS; i++)
        if (size[i] > 0)
            TAC_TRY(tac_spill_add(ctx, engine, c->spill, part[i], size[i], &to->region[i]));
done:
    return status;
}

/* The chunk that was built stays in memory or goes to the file. */
static tacit_status settle(tacit_ctx *ctx, const tac_engine *engine, int64_t most, tac_chunks *c)
{
    tacit_status status = TACIT_OK;
    tac_chunk *chunk = &c->chunk[c->count];
    const int64_t bytes = bytes_of(&c->build);

    c->count++;
    if (c->held + bytes > most) return spill(ctx, engine, c, &c->build, chunk);
    chunk->lattice = c->build;
    c->held += bytes;
    memset(&c->build, 0, sizeof c->build);
    return status;
}

tacit_status tac_chunks_place(tacit_ctx *ctx, const tac_engine *engine, tacit_data *data,
                              const tac_frame *frame, const uint64_t *keep, int64_t rows_per_chunk,
                              int64_t most, tac_chunks *c)
{
    tacit_status status = TACIT_OK;
    const int64_t rows = data->reader->rows;
    const int64_t count = rows == 0 ? 1 : (rows + rows_per_chunk - 1) / rows_per_chunk;

    empty(c);
    TAC_TRY(tac_spill_restart(ctx, c->spill));
    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *c->chunk, &c->chunk));
    while (c->count < count) {
        const int64_t begin = c->count * rows_per_chunk, left = rows - begin;
        TAC_TRY(tac_lattice_rebuild(ctx, engine, data, frame, keep, begin,
                                    begin + (left < rows_per_chunk ? left : rows_per_chunk),
                                    &c->build));
        TAC_TRY(settle(ctx, engine, most, c));
    }
done:
    tac_lattice_clear(&c->build);
    if (status != TACIT_OK) empty(c);
    return status;
}

tacit_status tac_chunks_shrink(tacit_ctx *ctx, const tac_engine *engine, int64_t most,
                               tac_chunks *c)
{
    tacit_status status = TACIT_OK;

    for (int64_t i = c->count - 1; i >= 0 && c->held > most; i--) {
        tac_lattice held = c->chunk[i].lattice;
        if (c->chunk[i].spilled) continue;
        status = spill(ctx, engine, c, &held, &c->chunk[i]);
        c->held -= bytes_of(&held);
        tac_lattice_clear(&held);
        if (status != TACIT_OK) break;
    }
    return status;
}

tacit_status tac_chunks_load(tacit_ctx *ctx, const tac_engine *engine, tac_chunks *c, int64_t index)
{
    tacit_status status = TACIT_OK;
    tac_chunk *chunk = &c->chunk[index];

    if (!chunk->spilled) return TACIT_OK;
    for (int i = 0; i < PARTS; i++) {
        const int64_t size = chunk->region[i].size;
        if (size > c->room_size[i] || c->room[i] == NULL) {
            tac_free(c->room[i]);
            c->room_size[i] = 0;
            TAC_TRY(tac_scratch(ctx, (size_t)size, 1, &c->room[i]));
            c->room_size[i] = size;
        }
        TAC_TRY(tac_spill_get(ctx, engine, c->spill, &chunk->region[i], c->room[i]));
    }
    point_at(&chunk->lattice, c->room);
done:
    return status;
}

void tac_chunks_unload(tac_chunks *c, int64_t index)
{
    if (c->chunk[index].spilled) forget_points(&c->chunk[index].lattice);
}

void tac_chunks_expect(const tac_chunks *c, int64_t index)
{
    for (int i = 0; i < PARTS && index < c->count; i++)
        if (c->chunk[index].spilled && c->chunk[index].region[i].size > 0)
            tac_spill_expect(c->spill, &c->chunk[index].region[i]);
}
