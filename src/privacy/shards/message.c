/* SPDX-License-Identifier: Apache-2.0 */
/* Head, body, tag: the shell of every message (message.h). */
#include "privacy/shards/message.h"

#include <sodium.h>
#include <string.h>

#define VERSION 1 /* whoever changes a walk raises it */
#define HEAD (4 + TAC_RUN_ID)

static const char *const names[TAC_MESSAGE_END] = {"",          "a spec",    "frames", "a query",
                                                   "a receipt", "an answer", "a block"};

static tacit_status refuse(tacit_ctx *ctx, tac_message_kind kind)
{
    return tac_fail(ctx, TACIT_E_FORMAT,
                    "the bytes of %s are damaged, or of another run or version", names[kind]);
}

static void write_head(tac_message_kind kind, const tac_session *session, uint8_t *out)
{
    out[0] = 't', out[1] = 'm', out[2] = VERSION, out[3] = (uint8_t)kind;
    memcpy(out + 4, session->run, TAC_RUN_ID);
}

static void make_tag(const tac_session *session, const uint8_t *bytes, size_t count, uint8_t *tag)
{
    crypto_generichash(tag, TAC_TAG, bytes, count, session->key, sizeof session->key);
}

tacit_status tac_message_write(tacit_ctx *ctx, tac_message_kind kind, const tac_session *session,
                               tac_body_walk *walk, void *body, uint8_t **bytes, size_t *count)
{
    tacit_status status = TACIT_OK;
    tac_walk size = {0}, w = {0};

    *bytes = NULL;
    *count = 0;
    walk(&size, body);
    TAC_TRY(tac_scratch(ctx, HEAD + size.at + TAC_TAG, 1, bytes));
    write_head(kind, session, *bytes);
    w.out = *bytes + HEAD;
    walk(&w, body);
    *count = HEAD + w.at + TAC_TAG;
    make_tag(session, *bytes, HEAD + w.at, *bytes + HEAD + w.at);
done:
    return status;
}

/* The tag first: nothing of a damaged message is looked at. */
tacit_status tac_message_read(tacit_ctx *ctx, tac_message_kind kind, const tac_session *session,
                              const uint8_t *bytes, size_t count, tac_body_walk *walk, void *body)
{
    uint8_t head[HEAD], tag[TAC_TAG];
    tac_walk w = {.in = bytes, .at = HEAD, .end = count - TAC_TAG, .ctx = ctx};

    if (bytes == NULL || count < HEAD + TAC_TAG || count > SIZE_MAX / 4) return refuse(ctx, kind);
    write_head(kind, session, head);
    make_tag(session, bytes, count - TAC_TAG, tag);
    if (memcmp(head, bytes, HEAD) != 0 ||
        sodium_memcmp(tag, tac_message_tag(bytes, count), TAC_TAG) != 0)
        return refuse(ctx, kind);
    walk(&w, body);
    if (w.no_memory) return TACIT_E_MEMORY;
    return w.bad || w.at != w.end ? refuse(ctx, kind) : TACIT_OK;
}

tacit_status tac_message_session(tacit_ctx *ctx, const uint8_t *bytes, size_t count,
                                 tac_session *out)
{
    if (bytes == NULL || count < HEAD + sizeof out->key + TAC_TAG)
        return refuse(ctx, TAC_MESSAGE_SPEC);
    memcpy(out->run, bytes + 4, sizeof out->run);
    memcpy(out->key, bytes + HEAD, sizeof out->key);
    return TACIT_OK;
}
