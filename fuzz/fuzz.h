/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets share. A target is LLVMFuzzerTestOneInput: linked with libFuzzer by
   fuzz/run, or with driver.c, which replays the corpus and fixed mutations of it. It stops the
   program when something is wrong. */
#ifndef TAC_FUZZ_H
#define TAC_FUZZ_H

#include "core/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/* Something that must not be: say what, and stop where a debugger or a fuzzer sees it. */
#define MUST_BE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: it is not so that %s\n", __FILE__, __LINE__, #condition);      \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* A file that exists in memory alone, and a name for it. Close the descriptor. */
__attribute__((unused)) static int memory_file(const uint8_t *bytes, size_t count, char path[64])
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);

    MUST_BE(fd >= 0 && write(fd, bytes, count) == (ssize_t)count);
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

/* The next line of the input as a text of its own; what follows is left in *bytes and *count. Free
   it. */
__attribute__((unused)) static char *take_line(const uint8_t **bytes, size_t *count)
{
    const uint8_t *end = *count == 0 ? NULL : memchr(*bytes, '\n', *count);
    const size_t length = end == NULL ? *count : (size_t)(end - *bytes),
                 used = end == NULL ? length : length + 1;
    char *line = malloc(length + 1);

    MUST_BE(line != NULL);
    if (length > 0) memcpy(line, *bytes, length);
    line[length] = '\0';
    *bytes += used;
    *count -= used;
    return line;
}

/* A refusal has a sentence, of one line, that fits its room. */
__attribute__((unused)) static void expect_sentence(const tacit_ctx *ctx, tacit_status status)
{
    if (status == TACIT_OK) return;
    MUST_BE(status != TACIT_E_INTERNAL);
    MUST_BE(ctx->message[0] != '\0' && memchr(ctx->message, '\0', sizeof ctx->message) != NULL);
    for (const char *at = ctx->message; *at != '\0';) { /* plain text, for any terminal */
        uint32_t code = 0;
        const size_t length = tac_utf8(at, 4, &code);
        MUST_BE(length > 0 && tac_is_plain(code));
        at += length;
    }
}

#endif
