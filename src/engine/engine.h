/* SPDX-License-Identifier: Apache-2.0 */
/* An engine runs one function over all blocks of a process's rows. It never sees what a row
   means. Evaluators of queries, noise and loading all go through it. Threads are one engine; one
   that reads blocks from a disk would be another filling of this struct. Rows of other processes
   are no engine's business: they answer queries as shards (privacy/shard.h). */
#ifndef TAC_ENGINE_H
#define TAC_ENGINE_H

#include "core/core.h"

typedef struct tac_engine tac_engine;

/* Works on block number `block`, 0 .. blocks - 1. `worker` is 0 .. workers - 1, and no two calls
   have the same one at the same time: so a worker's scratch and sums need no lock. Worker 0 is
   the caller's own thread. */
typedef tacit_status (*tac_block_fn)(void *state, int64_t block, int worker);

struct tac_engine {
    int workers;
    /* Call body for 0 .. blocks-1, each once, in any order. Stops early at the first failure
       (lowest block's status wins among those seen) or when the ctx is canceled. */
    tacit_status (*map)(const tac_engine *self, const tacit_ctx *ctx, int64_t blocks,
                        tac_block_fn body, void *state);
    int64_t *nanoseconds; /* the time of every map is added here; NULL: not measured */
};

/* The engine of ctx->threads threads. It owns nothing and needs no closing. */
void tac_engine_threads(const tacit_ctx *ctx, tac_engine *out);

#endif
