/* SPDX-License-Identifier: Apache-2.0 */
/* An input line by line, for the sparse text formats. */
#include "data/readers/input.h"

#include <string.h>

#define FIRST_ROOM (size_t)262144
#define LONGEST ((size_t)1 << 28)

/* Move the unread bytes to the front and read more behind them. */
static tacit_status more(tacit_ctx *ctx, tac_lines *lines)
{
    tacit_status status = TACIT_OK;
    size_t got = 0;

    if (lines->at > 0) {
        memmove(lines->bytes, lines->bytes + lines->at, lines->size - lines->at);
        lines->size -= lines->at;
        lines->at = 0;
    }
    if (lines->size >= LONGEST)
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: line %lld is longer than 256 MiB; is this a text file with one row "
                        "per line?",
                        lines->input->name, (long long)lines->number + 1);
    if (lines->room - lines->size < FIRST_ROOM / 2) {
        const size_t room = lines->room < FIRST_ROOM ? FIRST_ROOM : 2 * lines->room;
        TAC_TRY(tac_grow(ctx, &lines->bytes, room + 1 + TAC_PAD, 1));
        lines->room = room;
    }
    TAC_TRY(tac_input_failed(ctx, lines->input,
                             tac_input_read(ctx, lines->input, lines->bytes + lines->size,
                                            lines->room - lines->size, &got)));
    lines->size += got;
    lines->ended = got == 0;
    memset(lines->bytes + lines->size, 0, 1 + TAC_PAD);
done:
    return status;
}

/* The contract stands in input.h. Lines lie in one buffer, which grows only for lines longer than
   half of it. */
tacit_status tac_lines_next(tacit_ctx *ctx, tac_lines *lines, char **line)
{
    char *end = NULL;
    size_t seen = 0; /* bytes from `at` known to hold no line feed: a long line is searched once */

    *line = NULL;
    for (;;) {
        if (lines->at + seen < lines->size)
            end = memchr(lines->bytes + lines->at + seen, '\n', lines->size - lines->at - seen);
        if (end != NULL || lines->ended) break;
        seen = lines->size - lines->at;
        const tacit_status status = more(ctx, lines);
        if (status != TACIT_OK) return status;
    }
    if (end == NULL && lines->at == lines->size) return TACIT_OK;

    char *const text = lines->bytes + lines->at;
    if (end == NULL) {
        end = lines->bytes + lines->size;
        lines->at = lines->size;
    } else {
        lines->at = (size_t)(end - lines->bytes) + 1;
    }
    lines->number++;
    if (memchr(text, '\0', (size_t)(end - text)) != NULL)
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: line %lld holds a zero byte; is this a text file in UTF-8?",
                        lines->input->name, (long long)lines->number);
    if (end > text && end[-1] == '\r') end--;
    *end = '\0';
    *line = text;
    return TACIT_OK;
}

void tac_lines_clear(tac_lines *lines)
{
    tac_free(lines->bytes);
    lines->bytes = NULL;
}
