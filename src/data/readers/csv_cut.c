/* SPDX-License-Identifier: Apache-2.0 */
/* Cut a CSV stream where a record ends. A line feed between quotes ends nothing, so the cut must
   know the quotes; it hops from quote to quote and looks at no other byte twice. */
#include "data/readers/csv.h"

#include <string.h>

#define LONGEST ((size_t)1 << 28)

/* How far a piece has been looked through. */
typedef struct scan {
    size_t at;    /* next byte to look at */
    bool inside;  /* quotes */
    size_t first; /* end of the first whole record, 0: none yet */
    size_t last;  /* end of the last whole record */
} scan;

/* Go on to the end of the piece. A quote opens a quoted cell only as the first byte of a cell, as
   in the parser; anywhere else outside it is text. */
static void look(scan *s, const tac_piece *piece, char separator, bool ended)
{
    const char *const bytes = piece->bytes;
    const size_t size = piece->size;

    while (s->at < size) {
        const char *const quote = memchr(bytes + s->at, '"', size - s->at);
        if (s->inside) {
            if (quote == NULL) {
                s->at = size;
            } else if (quote + 1 == bytes + size && !ended) {
                s->at = size - 1; /* closing, or the first of a doubled one? The next byte shows */
                return;
            } else {
                const bool doubled = quote + 1 < bytes + size && quote[1] == '"';
                s->at = (size_t)(quote - bytes) + (doubled ? 2 : 1);
                s->inside = doubled;
            }
            continue;
        }
        const size_t stop = quote == NULL ? size : (size_t)(quote - bytes);
        if (s->first == 0) {
            const char *feed = memchr(bytes + s->at, '\n', stop - s->at);
            if (feed != NULL) s->first = (size_t)(feed - bytes) + 1;
        }
        const char *feed = memrchr(bytes + s->at, '\n', stop - s->at);
        if (feed != NULL) s->last = (size_t)(feed - bytes) + 1;
        s->at = stop;
        if (quote != NULL) {
            s->inside = stop == 0 || bytes[stop - 1] == '\n' || bytes[stop - 1] == separator;
            s->at++;
        }
    }
}

/* Room for `size` bytes and the pad. At least doubles, so that a long record costs linear time in
   all. Sets no sentence. */
static tacit_status room_for(tac_piece *piece, size_t size)
{
    if (size <= piece->room) return TACIT_OK;
    const size_t room = size < 2 * piece->room ? 2 * piece->room : size;
    const tacit_status status = tac_grow(NULL, &piece->bytes, room + TAC_PAD, 1);
    if (status == TACIT_OK) piece->room = room;
    return status;
}

/* The work of both functions below. Starts with what the call before left over, reads on until
   there are whole records enough, and keeps the beginning of the next one in cutter->rest.
   only_first: one record. */
static tacit_status cut(const tacit_ctx *ctx, tac_cutter *cutter, size_t aim, bool only_first,
                        tac_piece *piece, bool *too_long)
{
    tacit_status status = TACIT_OK;
    scan s = {0};
    size_t got;

    *too_long = false;
    TAC_TRY(room_for(piece, aim < cutter->rest.size ? cutter->rest.size : aim));
    memcpy(piece->bytes, cutter->rest.size == 0 ? "" : cutter->rest.bytes, cutter->rest.size);
    piece->size = cutter->rest.size;
    piece->start = cutter->read - (int64_t)cutter->rest.size;
    cutter->rest.size = 0;
    for (;;) {
        look(&s, piece, cutter->separator, cutter->ended);
        if (only_first ? s.first > 0 : s.last > 0 && piece->size >= aim) break;
        if (cutter->ended) break;
        if (piece->size >= LONGEST && s.last == 0) {
            *too_long = true;
            goto done;
        }
        if (piece->size == piece->room) TAC_TRY(room_for(piece, piece->size + 1));
        TAC_TRY(tac_input_read(ctx, &cutter->input, piece->bytes + piece->size,
                               piece->room - piece->size, &got));
        piece->size += got;
        cutter->read += (int64_t)got;
        cutter->ended = got == 0;
    }
    size_t end = only_first ? s.first : s.last;
    /* the last piece: it may lack its line feed, which parsers rely on */
    if (cutter->ended && (!only_first || s.first == 0)) {
        if (piece->size > 0 && piece->bytes[piece->size - 1] != '\n') {
            TAC_TRY(room_for(piece, piece->size + 1));
            piece->bytes[piece->size++] = '\n';
        }
        end = piece->size;
    }
    TAC_TRY(room_for(&cutter->rest, piece->size - end));
    if (piece->size > end) memcpy(cutter->rest.bytes, piece->bytes + end, piece->size - end);
    cutter->rest.size = piece->size - end;
    piece->size = end;
    memset(piece->bytes + end, 0, TAC_PAD);
done:
    return status;
}

tacit_status tac_cut_lines(const tacit_ctx *ctx, tac_cutter *cutter, int32_t lines, bool *short_of)
{
    tacit_status status = TACIT_OK;
    tac_piece *rest = &cutter->rest;

    *short_of = false;
    if (lines > 0) TAC_TRY(room_for(rest, 65536));
    while (lines > 0 && !cutter->ended) {
        TAC_TRY(tac_input_read(ctx, &cutter->input, rest->bytes, rest->room, &rest->size));
        cutter->read += (int64_t)rest->size;
        cutter->ended = rest->size == 0;
        size_t at = 0;
        for (char *feed; lines > 0 && at < rest->size; lines--) {
            feed = memchr(rest->bytes + at, '\n', rest->size - at);
            if (feed == NULL) break;
            at = (size_t)(feed - rest->bytes) + 1;
        }
        /* of a line that goes on nothing is kept: a line may be as long as it likes */
        rest->size = lines > 0 ? 0 : rest->size - at;
        memmove(rest->bytes, rest->bytes + at, rest->size);
    }
    *short_of = lines > 0;
done:
    return status;
}

tacit_status tac_cut(const tacit_ctx *ctx, tac_cutter *cutter, size_t aim, tac_piece *piece,
                     bool *too_long)
{
    return cut(ctx, cutter, aim, false, piece, too_long);
}

tacit_status tac_cut_first(const tacit_ctx *ctx, tac_cutter *cutter, tac_piece *piece,
                           bool *too_long)
{
    return cut(ctx, cutter, 65536, true, piece, too_long);
}
