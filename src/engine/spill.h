/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that do not fit memory, in a file without a name. What is written is encrypted and
   authenticated (AEGIS-256 or, on processors without AES, ChaCha20-Poly1305) under a key that lives
   in memory alone, so a disk holds nothing
   that anybody could read after the run, however it ended. What comes back is what was written, or
   an error: a flipped bit, a block in the place of another one, or a block of an earlier filling is
   refused. */
#ifndef TAC_SPILL_H
#define TAC_SPILL_H

#include "engine/engine.h"

/* Bytes that are encrypted together: they stay in a core's cache. */
#define TAC_SPILL_BLOCK ((int64_t)1 << 18)

typedef struct tac_spill tac_spill;

/* Bytes that were written together. All zero: none yet. */
typedef struct tac_region {
    int64_t block; /* the first one */
    int64_t size;
} tac_region;

/* An empty file in the ctx's spill folder, which must be on a disk. *out is the caller's to
   close. */
tacit_status tac_spill_open(tacit_ctx *ctx, tac_spill **out);
void tac_spill_close(tac_spill *spill); /* takes NULL */
/* Everything written so far is gone, and its room is used again. */
tacit_status tac_spill_restart(tacit_ctx *ctx, tac_spill *spill);

/* Writes `size` bytes behind all others: as a new region, or to the end of `region`, which must
   then be the last one and whole blocks long so far. Workers share the work. One thread at a time.
   TACIT_E_WRITE: the disk does not take them. */
tacit_status tac_spill_add(tacit_ctx *ctx, const tac_engine *engine, tac_spill *spill,
                           const void *bytes, int64_t size, tac_region *region);
/* A whole region into `to`. Workers share the work. TACIT_E_READ: it is not there as it was
   written; `to` then holds nothing of use. */
tacit_status tac_spill_get(tacit_ctx *ctx, const tac_engine *engine, tac_spill *spill,
                           const tac_region *region, void *to);
/* `size` bytes of a region, from `offset` on. room: TAC_SPILL_BLOCK bytes of the caller's own. Safe
   from many threads, while nothing is added; sets no sentence: tac_spill_failed does. */
tacit_status tac_spill_get_part(tac_spill *spill, const tac_region *region, int64_t offset,
                                int64_t size, void *room, void *to);
/* Sets the sentence for a status that tac_spill_get_part has returned, and returns it. */
tacit_status tac_spill_failed(tacit_ctx *ctx, const tac_spill *spill, tacit_status status);
/* This region is going to be read soon: the system may fetch it meanwhile. */
void tac_spill_expect(const tac_spill *spill, const tac_region *region);

#endif
