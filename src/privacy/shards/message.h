/* SPDX-License-Identifier: Apache-2.0 */
/* What the root of a run and its shards say to each other, as bytes. Every message begins with its
   kind, its version and the run it belongs to, and ends with a tag under the run's key: a flipped
   bit or a message of another run is refused. The key comes with the spec. It is not the noise key,
   which never leaves the root. */
#ifndef TAC_MESSAGE_H
#define TAC_MESSAGE_H

#include "core/byte_walk.h"

#define TAC_TAG 32    /* bytes of a tag */
#define TAC_RUN_ID 16 /* bytes that name a run */

typedef enum tac_message_kind {
    TAC_MESSAGE_SPEC = 1, /* root: how rows are read, and the key; SECRET */
    TAC_MESSAGE_FRAMES,   /* root: where rows are placed */
    TAC_MESSAGE_QUERY,    /* root: what is asked of the placed rows */
    TAC_MESSAGE_RECEIPT,  /* shard: its rows are placed */
    TAC_MESSAGE_ANSWER,   /* shard: exact words; SECRET */
    TAC_MESSAGE_BLOCK,    /* shard: its placed rows themselves; SECRET */
    TAC_MESSAGE_END
} tac_message_kind;

/* Who belongs together. Secret: the key. */
typedef struct tac_session {
    uint8_t run[TAC_RUN_ID];
    uint8_t key[TAC_TAG];
} tac_session;

/* The body of a message as one walk, for bytes and back. */
typedef void tac_body_walk(tac_walk *w, void *body);

/* *bytes: head, body and tag, the caller's to free. */
tacit_status tac_message_write(tacit_ctx *ctx, tac_message_kind kind, const tac_session *session,
                               tac_body_walk *walk, void *body, uint8_t **bytes, size_t *count);
/* Refuses bytes that are no such message of this run, damaged or malformed (TACIT_E_FORMAT). What
   the walk has made is the caller's to free, also after a failure. */
tacit_status tac_message_read(tacit_ctx *ctx, tac_message_kind kind, const tac_session *session,
                              const uint8_t *bytes, size_t count, tac_body_walk *walk, void *body);
/* The session of a spec, whose body begins with the key. */
tacit_status tac_message_session(tacit_ctx *ctx, const uint8_t *bytes, size_t count,
                                 tac_session *out);
/* The tag of a message that was read or written. */
static inline const uint8_t *tac_message_tag(const uint8_t *bytes, size_t count)
{
    return bytes + count - TAC_TAG;
}

#endif
