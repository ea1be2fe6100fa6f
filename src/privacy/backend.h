/* SPDX-License-Identifier: Apache-2.0 */
/* A backend holds rows that are not in the door's own memory: on a disk, or in other processes.
   It does two things: it places its rows by a public frame, and it evaluates queries. The door
   charges before it asks a backend, and adds noise once, after it. A backend has neither the noise
   key nor the ledger. A door without a backend reads the shards of this process.

   The contract: the words are those that the same rows would give in memory (tac_evaluate), for
   any split, order or repetition of the work. So the same rows, queries and noise key give the
   same release on every backend. */
#ifndef TAC_BACKEND_H
#define TAC_BACKEND_H

#include "privacy/shard.h"

typedef struct tac_backend tac_backend;

struct tac_backend {
    /* Where rows are, as a refusal says it: "a query of kind draw needs all rows in one place, and
       here they are on a disk". Public. */
    const char *where;
    /* Every row as `frame` shows it becomes the view; what the view showed before is gone, also on
       failure. The frame is borrowed until the view is placed again. */
    tacit_status (*place)(tac_backend *self, tacit_ctx *ctx, tac_view view, const tac_frame *frame);
    /* sum[i] = the exact words of query[i] over all rows, for count queries in one pass. They fit
       the placed views, and none needs all rows in one place. sum[i].word: zeroed room for
       sum[i].count words; MERGE: allocated here, the caller's to free. PRIVATE: no noise yet. */
    tacit_status (*evaluate)(tac_backend *self, tacit_ctx *ctx, const tac_query *const *query,
                             int32_t count, tac_words *sum);
    void (*close)(tac_backend *self); /* frees everything, self included */
};

#endif
