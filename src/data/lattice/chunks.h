/* SPDX-License-Identifier: Apache-2.0 */
/* The placed rows of one view in chunks, of which memory holds some and a spill file the others. A
   chunk is a lattice of its own: the rows begin .. end - 1 of the source that count. Private, but
   for the public facts of its lattice. */
#ifndef TAC_CHUNKS_H
#define TAC_CHUNKS_H

#include "data/lattice/lattice.h"
#include "engine/spill.h"

typedef struct tac_chunk {
    tac_lattice lattice; /* where it is spilled, without points unless it is loaded */
    bool spilled;
    tac_region region[3]; /* points; sparse rows: start, column, value */
} tac_chunk;

typedef struct tac_chunks {
    tac_spill *spill;
    tac_chunk *chunk;
    int64_t count;
    int64_t held;      /* bytes of chunks in memory */
    tac_lattice build; /* the chunk that is being placed */
    void *room[3];     /* what a spilled chunk is loaded into */
    int64_t room_size[3];
} tac_chunks;

/* Makes the spill file, empty. *out is the caller's to close, after a failure too. */
tacit_status tac_chunks_open(tacit_ctx *ctx, tac_chunks *out);
void tac_chunks_close(tac_chunks *chunks);

/* Streams the raw rows through the frame, rows_per_chunk of them a chunk. The first chunks stay in
   memory, as many as take `most` bytes. What was there before is gone first, also on failure. A
   table without rows is one empty chunk. */
tacit_status tac_chunks_place(tacit_ctx *ctx, const tac_engine *engine, tacit_data *data,
                              const tac_frame *frame, const uint64_t *keep, int64_t rows_per_chunk,
                              int64_t most, tac_chunks *chunks);
/* Spills chunks until those in memory take at most so many bytes. */
tacit_status tac_chunks_shrink(tacit_ctx *ctx, const tac_engine *engine, int64_t most,
                               tac_chunks *chunks);

/* The points of a chunk are there until it is unloaded; of a view one spilled chunk at a time. */
tacit_status tac_chunks_load(tacit_ctx *ctx, const tac_engine *engine, tac_chunks *chunks,
                             int64_t index);
void tac_chunks_unload(tac_chunks *chunks, int64_t index);
/* It is going to be loaded soon. */
void tac_chunks_expect(const tac_chunks *chunks, int64_t index);

#endif
