/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a small file whole. */
#include "release/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST (UINT64_C(1) << 32) /* a million centers of a hundred columns fit */
#define LOOK_UP_MS 200

#define LONGEST_BLANK 65535

/* True when the first thing that is not white space is something else than '{', or does not come
   soon. */
static bool starts_wrong(const char *bytes, size_t count)
{
    size_t i = 0;
    while (i < count && i < LONGEST_BLANK && memchr(" \t\r\n", bytes[i], 4) != NULL) i++;
    return i < count && bytes[i] != '{';
}

/* By what the file system says, before a byte is read; what it does not say is counted later. */
static bool is_too_long(int file)
{
    struct stat is;
    return fstat(file, &is) == 0 && S_ISREG(is.st_mode) && is.st_size > 0 &&
           (uint64_t)is.st_size > LONGEST;
}

static tacit_status refuse(tacit_ctx *ctx, const char *name, const char *cause)
{
    return tac_fail(ctx, TACIT_E_FORMAT, "%s is not a release of tacit: it %s; %s", name, cause,
                    "give the file that tacit kmeans, kmedian, subspace or cocluster wrote");
}

static const char too_long[] = "is longer than 4 GiB";

tacit_status tac_file_read_object(tacit_ctx *ctx, const char *path, char **out, size_t *count)
{
    tacit_status status = TACIT_OK;
    char *text = NULL;
    size_t length = 0, room = 0;
    int file = -1;

    const bool from_stdin = path != NULL && strcmp(path, "-") == 0;
    const char *const name = from_stdin ? "standard input" : path;
    *out = NULL;
    *count = 0;
    if (path == NULL || path[0] == '\0')
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the release has no name; give the path of a release file");
    file = from_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return tac_fail(ctx, TACIT_E_OPEN, "%s cannot be opened: %s; check the path of the release",
                        name, strerror(errno));
    if (is_too_long(file)) TAC_TRY(refuse(ctx, name, too_long));
    for (;;) {
        if (length + 1 >= room) {
            room = room == 0 ? 65536 : room * 2;
            TAC_TRY(tac_grow(ctx, &text, room, 1));
        }
        TAC_TRY(tac_check_cancel(ctx));
        /* A pipe may be silent for long, and a read would sleep through the cancellation. */
        struct pollfd ready = {.fd = file, .events = POLLIN};
        if (from_stdin && poll(&ready, 1, LOOK_UP_MS) <= 0) continue;
        const ssize_t got = read(file, text + length, room - length - 1);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            status = tac_fail(ctx, TACIT_E_READ,
                              "%s cannot be read: %s; give the path of a release file", name,
                              strerror(errno));
            goto done;
        }
        if (got == 0) break;
        length += (size_t)got;
        if (length > LONGEST) TAC_TRY(refuse(ctx, name, too_long));
        if (starts_wrong(text, length)) TAC_TRY(refuse(ctx, name, "does not begin with {"));
    }
    text[length] = '\0';
    *out = text;
    *count = length;
    text = NULL;
done:
    tac_free(text);
    if (!from_stdin) close(file);
    return status;
}
