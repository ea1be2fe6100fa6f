/* SPDX-License-Identifier: Apache-2.0 */
/* Where bytes come from: a file, a pipe or standard input, read once from front to back or, when it
   must be read again, rewound. Files are read, never mapped: one cut short by someone else is an
   error, not a signal. */
#ifndef TAC_INPUT_H
#define TAC_INPUT_H

#include "core/core.h"

typedef struct tac_input {
    char *name;   /* for messages: a copy of the path, or "standard input" */
    int fd;       /* -1 when closed or when all bytes are held */
    bool owned;   /* close fd at the end: not for standard input */
    bool regular; /* a file with a size, that pread can read */
    int64_t size; /* of a regular file */
    char *held;   /* bytes read ahead, or all of them after tac_input_hold */
    size_t held_size, held_at;
} tac_input;

#define TAC_INPUT_CLOSED                                                                           \
    {                                                                                              \
        .fd = -1                                                                                   \
    }

/* Bytes that may be read after the end of any text handed to a scanner. */
#define TAC_PAD 64

/* `path` "-" is standard input. TACIT_E_OPEN for what is missing, unreadable or a directory. */
tacit_status tac_input_open(tacit_ctx *ctx, const char *path, tac_input *out);
/* The same from a descriptor that the caller has open and closes, where it is above 0; the path
   then only names it. */
tacit_status tac_input_open_at(tacit_ctx *ctx, const char *path, int descriptor, tac_input *out);
/* Frees what the input owns. A closed one may be closed again. */
void tac_input_close(tac_input *input);

/* The next 1 .. most bytes, *got = 0 at the end. Waits for a pipe, and returns TACIT_E_CANCELLED
   once the ctx is cancelled. Callable from any thread, one at a time: it sets no sentence, and
   errno has the cause of TACIT_E_READ. */
tacit_status tac_input_read(const tacit_ctx *ctx, tac_input *input, void *to, size_t most,
                            size_t *got);
/* Exactly `count` bytes at `offset` of a regular or held input; fewer is TACIT_E_READ. Safe from
   many threads. */
tacit_status tac_input_read_at(const tac_input *input, int64_t offset, size_t count, void *to);

/* Is this how the input starts? Nothing is consumed. Only before the first read. */
tacit_status tac_input_starts_with(tacit_ctx *ctx, tac_input *input, const char *bytes,
                                   size_t count, bool *out);
/* Make the input readable more than once: what is no regular file is read to its end into memory.
   Only before the first read. */
tacit_status tac_input_hold(tacit_ctx *ctx, tac_input *input);
/* To the first byte again; only after tac_input_hold. */
tacit_status tac_input_rewind(tacit_ctx *ctx, tac_input *input);

/* The sentence for a failed read or for memory that a scanner could not get. */
tacit_status tac_input_failed(tacit_ctx *ctx, const tac_input *input, tacit_status status);

/* Lines, one after the other. The text of a line ends before its LF or CRLF and is followed by a
   zero byte and TAC_PAD more; it is valid until the next call. */
typedef struct tac_lines {
    tac_input *input; /* borrowed */
    char *bytes;
    size_t size, room, at;
    int64_t number; /* of the line last returned, from 1 */
    bool ended;
} tac_lines;

/* *line = NULL at the end. Refuses a zero byte and a line of more than 256 MiB. */
tacit_status tac_lines_next(tacit_ctx *ctx, tac_lines *lines, char **line);
void tac_lines_clear(tac_lines *lines);

#endif
