/* SPDX-License-Identifier: Apache-2.0 */
/* gzip, unpacked while it is read (RFC 1952). Members one after the other are one text, zeros after
   the last one are padding, as gzip itself has it; anything else behind it is refused. Whatever a
   file unpacks to, no more of it is held than of a plain one. */
#include "data/readers/input.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

#define PACKED 65536 /* bytes read at a time */

struct tac_unpack {
    z_stream stream;
    unsigned char bytes[PACKED];
    bool started; /* inside a member */
    bool behind;  /* only zeros may follow */
    const char *fault;
};

static void *take(void *unused, unsigned count, unsigned size)
{
    char *room = NULL;

    (void)unused;
    return tac_new(NULL, count, size, &room) == TACIT_OK ? room : NULL;
}

static void give(void *unused, void *room)
{
    (void)unused;
    tac_free(room);
}

tacit_status tac_unpack_start(tacit_ctx *ctx, tac_input *input, const void *bytes, size_t count)
{
    struct tac_unpack *u = NULL;
    const tacit_status status = tac_new(ctx, 1, sizeof *u, &u);

    if (status != TACIT_OK) return status;
    u->stream.zalloc = take;
    u->stream.zfree = give;
    if (inflateInit2(&u->stream, 15 + 16) != Z_OK) { /* the largest window, and gzip alone */
        tac_free(u);
        return tac_fail(ctx, TACIT_E_MEMORY, "%s: out of memory; it needs 100 kB to unpack it",
                        input->name);
    }
    if (count > 0) memcpy(u->bytes, bytes, count);
    u->stream.next_in = u->bytes;
    u->stream.avail_in = (unsigned)count;
    input->unpack = u;
    return TACIT_OK;
}

void tac_unpack_free(struct tac_unpack *u)
{
    if (u == NULL) return;
    inflateEnd(&u->stream);
    tac_free(u);
}

void tac_unpack_rewind(struct tac_unpack *u)
{
    if (u == NULL) return;
    inflateReset(&u->stream);
    u->stream.avail_in = 0;
    u->started = u->behind = false;
    u->fault = NULL;
}

const char *tac_unpack_fault(const struct tac_unpack *u)
{
    return u == NULL ? NULL : u->fault;
}

static tacit_status damaged(struct tac_unpack *u, const char *fault)
{
    u->fault = fault;
    errno = EIO;
    return TACIT_E_READ;
}

/* Between members: the next one, or zeros to the end. *over: nothing is left of what was read. */
static tacit_status look_behind(struct tac_unpack *u, bool *over)
{
    z_stream *z = &u->stream;

    while (z->avail_in > 0 && *z->next_in == 0) {
        u->behind = true;
        z->next_in++;
        z->avail_in--;
    }
    *over = z->avail_in == 0;
    if (*over) return TACIT_OK;
    if (u->behind || *z->next_in != 0x1f)
        return damaged(u, "something follows the gzip data; pack the file again, or unpack it "
                          "(gunzip) and give the plain file");
    return TACIT_OK;
}

tacit_status tac_unpack_read(const tacit_ctx *ctx, tac_input *input, void *to, size_t most,
                             size_t *got)
{
    struct tac_unpack *u = input->unpack;
    z_stream *z = &u->stream;
    const unsigned room = most < 1U << 30 ? (unsigned)most : 1U << 30;
    tacit_status status = TACIT_OK;
    size_t count;
    bool over = false;

    z->next_out = to;
    z->avail_out = room;
    while (z->avail_out == room) {
        if (z->avail_in == 0) {
            TAC_TRY(tac_input_read_raw(ctx, input, u->bytes, sizeof u->bytes, &count));
            z->next_in = u->bytes;
            z->avail_in = (unsigned)count;
            if (count == 0 && u->started)
                TAC_TRY(damaged(u, "the gzip data is cut short; copy or pack the file again"));
            if (count == 0) break;
        }
        if (!u->started) {
            TAC_TRY(look_behind(u, &over));
            if (over) continue;
        }
        u->started = true;
        const int result = inflate(z, Z_NO_FLUSH);
        if (result == Z_MEM_ERROR) TAC_TRY(TACIT_E_MEMORY);
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            TAC_TRY(damaged(u, "the gzip data is damaged; copy or pack the file again"));
        if (result == Z_STREAM_END) {
            u->started = false;
            inflateReset(z); /* keeps what is left of the input */
        }
    }
    *got = room - z->avail_out;
done:
    return status;
}
