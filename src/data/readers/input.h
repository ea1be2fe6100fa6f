/* SPDX-License-Identifier: Apache-2.0 */
/* Where bytes come from: a file, a pipe or standard input, read once from front to back or, when it
   must be read again, rewound. Files are read, never mapped: one cut short by someone else is an
   error, not a signal. */
#ifndef TAC_INPUT_H
#define TAC_INPUT_H

#include <time.h>

#include "core/core.h"

typedef struct tac_input {
    char *name;   /* for messages: a copy of the path, or "standard input" */
    int fd;       /* -1 when closed or when all bytes are held */
    bool owned;   /* close fd at the end: not for standard input */
    bool regular; /* a plain file with a size, that pread can read */
    bool again;   /* it can be read again from its first byte: regular, or a packed file */
    int64_t size; /* of a regular file */
    struct timespec written;   /* ... when it was last written to, as it was opened */
    struct tac_unpack *unpack; /* what the file holds is packed (gzip); NULL: plain */
    char *held;                /* bytes read ahead, or all of them after tac_input_hold */
    size_t held_size, held_at;
} tac_input;

#define TAC_INPUT_CLOSED                                                                           \
    {                                                                                              \
        .fd = -1                                                                                   \
    }

/* Bytes that may be read after the end of any text handed to a scanner. */
#define TAC_PAD 64

/* `path` "-" is standard input. TACIT_E_OPEN for what is missing, unreadable or a directory. What
   begins as gzip is unpacked while it is read; files of other programs, known by their first bytes,
   are refused. */
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
/* Exactly `count` bytes at `offset` of a regular or held input; fewer is TACIT_E_READ, and so is a
   file that has changed. Safe from many threads. */
tacit_status tac_input_read_at(const tac_input *input, int64_t offset, size_t count, void *to);

/* Has a regular file been written to since it was opened, by its size or by its time? A pass that
   reads rows again must find those that the passes before it have seen. */
bool tac_input_changed(const tac_input *input);

/* Is this how the input starts? Nothing is consumed. Only before the first read. */
tacit_status tac_input_starts_with(tacit_ctx *ctx, tac_input *input, const char *bytes,
                                   size_t count, bool *out);
/* Make the input readable more than once: what is no file is read to its end into memory. Only
   before the first read. */
tacit_status tac_input_hold(tacit_ctx *ctx, tac_input *input);
/* To the first byte again; only after tac_input_hold. */
tacit_status tac_input_rewind(tacit_ctx *ctx, tac_input *input);

/* The sentence for a failed read or for memory that a scanner could not get. */
tacit_status tac_input_failed(tacit_ctx *ctx, const tac_input *input, tacit_status status);

/* ---- unpack.c: gzip ---- */

/* From now on tac_input_read unpacks. `bytes`: what was read of the packed file so far. */
tacit_status tac_unpack_start(tacit_ctx *ctx, tac_input *input, const void *bytes, size_t count);
/* As tac_input_read, which calls it; TACIT_E_READ also for data that is no gzip. */
tacit_status tac_unpack_read(const tacit_ctx *ctx, tac_input *input, void *to, size_t most,
                             size_t *got);
/* What was wrong with the packed data, NULL: nothing. */
const char *tac_unpack_fault(const struct tac_unpack *unpack);
void tac_unpack_rewind(struct tac_unpack *unpack);
void tac_unpack_free(struct tac_unpack *unpack);
/* The packed bytes themselves. */
tacit_status tac_input_read_raw(const tacit_ctx *ctx, tac_input *input, void *to, size_t most,
                                size_t *got);

/* ---- foreign.c: files that other programs made ---- */

/* Enough first bytes to know them. */
#define TAC_FIRST_BYTES 16
/* Refuses a file by its first bytes or, with `by_name`, by the ending of its name; the sentence
   says which pipe works. */
tacit_status tac_refuse_foreign(tacit_ctx *ctx, const char *path, const void *bytes, size_t count,
                                bool by_name);

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
