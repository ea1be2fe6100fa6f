/* SPDX-License-Identifier: Apache-2.0 */
/* An engine runs one function over all blocks of a process's rows. It never sees what a row means.
   Threads are one engine; one that reads blocks from a disk is another filling of the same table.
   Rows of other processes answer queries (privacy/shard.h). */
#ifndef TAC_ENGINE_H
#define TAC_ENGINE_H

#include "core/core.h"

typedef struct tac_engine tac_engine;

/* Work on block number `block`; `worker` < workers is not used by two calls at the same time.
   Worker 0 is the caller's own thread. */
typedef tacit_status (*tac_block_fn)(void *state, int64_t block, int worker);

struct tac_engine {
    int workers;
    /* Call body for 0 .. blocks-1, each once, in any order. Stops early at the first failure
       (lowest block's status wins among those seen) or when the ctx is canceled. */
    tacit_status (*map)(const tac_engine *self, const tacit_ctx *ctx, int64_t blocks,
                        tac_block_fn body, void *state);
    int64_t *nanoseconds; /* time that maps take is added here; NULL: nobody asks */
};

void tac_engine_threads(const tacit_ctx *ctx, tac_engine *out);

#endif
