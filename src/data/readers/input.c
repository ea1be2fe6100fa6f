/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and reading files, pipes and standard input. */
#include "data/readers/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GZIP "\x1f\x8b\x08"
#define FIRST_ROOM (size_t)65536
#define LOOK_UP_MS 200

tacit_status tac_input_open(tacit_ctx *ctx, const char *path, tac_input *out)
{
    return tac_input_open_at(ctx, path, 0, out);
}

static tacit_status fill(tacit_ctx *ctx, tac_input *input, size_t most);

/* Looks at the first bytes, which stay to be read. */
static tacit_status look(tacit_ctx *ctx, tac_input *input)
{
    tacit_status status = TACIT_OK;
    char first[TAC_FIRST_BYTES];
    ssize_t count;

    if (input->regular) {
        do count = pread(input->fd, first, sizeof first, 0);
        while (count < 0 && errno == EINTR);
        if (count < 0) TAC_TRY(tac_input_failed(ctx, input, TACIT_E_READ));
    } else {
        TAC_TRY(fill(ctx, input, sizeof first));
        count = input->held_size < sizeof first ? (ssize_t)input->held_size : (ssize_t)sizeof first;
        memcpy(first, count == 0 ? "" : input->held, (size_t)count);
    }
    TAC_TRY(tac_refuse_foreign(ctx, input->name, first, (size_t)count, false));
    if (count < 3 || memcmp(first, GZIP, 3) != 0) return TACIT_OK;
    TAC_TRY(tac_unpack_start(ctx, input, first, input->regular ? 0 : (size_t)count));
    input->regular = false;
    input->held_size = 0;
done:
    return status;
}

/* The contract stands in input.h. A descriptor of the caller is never closed here. O_NOCTTY: a
   terminal named by mistake does not become the controlling one. */
tacit_status tac_input_open_at(tacit_ctx *ctx, const char *path, int descriptor, tac_input *out)
{
    const tac_input closed = TAC_INPUT_CLOSED;
    const bool from_stdin = descriptor <= 0 && strcmp(path, "-") == 0;
    tacit_status status = TACIT_OK;
    struct stat about;

    *out = closed;
    out->name = tac_strdup(ctx, from_stdin ? "standard input" : path);
    if (out->name == NULL) return TACIT_E_MEMORY;
    out->owned = !from_stdin && descriptor <= 0;
    out->fd = from_stdin       ? STDIN_FILENO
              : descriptor > 0 ? descriptor
                               : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (out->fd < 0 || fstat(out->fd, &about) != 0) {
        status =
            tac_fail(ctx, TACIT_E_OPEN, "%s: cannot be opened: %s", out->name, strerror(errno));
        goto done;
    }
    if (S_ISDIR(about.st_mode)) {
        status = tac_fail(ctx, TACIT_E_OPEN, "%s: is a directory; name a file in it", out->name);
        goto done;
    }
    /* Standard input may be a file that something before us has begun to read: it counts as a
       stream. */
    out->regular = !from_stdin && S_ISREG(about.st_mode);
    /* A descriptor of the caller may have been read: every pass starts at the first byte. */
    if (out->regular && descriptor > 0 && lseek(out->fd, 0, SEEK_SET) != 0) {
        status = tac_fail(ctx, TACIT_E_READ, "%s: reading failed: %s", out->name, strerror(errno));
        goto done;
    }
    out->again = out->regular;
    out->size = out->regular ? (int64_t)about.st_size : 0;
    out->written = about.st_mtim;
    status = look(ctx, out);
done:
    if (status != TACIT_OK) tac_input_close(out);
    return status;
}

void tac_input_close(tac_input *input)
{
    const tac_input closed = TAC_INPUT_CLOSED;

    if (input->fd >= 0 && input->owned) close(input->fd);
    tac_unpack_free(input->unpack);
    tac_free(input->held);
    tac_free(input->name);
    *input = closed;
}

/* Bytes held come first, then those of the descriptor. */
tacit_status tac_input_read(const tacit_ctx *ctx, tac_input *input, void *to, size_t most,
                            size_t *got)
{
    *got = 0;
    if (tac_check_cancel(ctx) != TACIT_OK) return TACIT_E_CANCELLED;
    if (input->held_at < input->held_size) {
        const size_t left = input->held_size - input->held_at;
        *got = left < most ? left : most;
        memcpy(to, input->held + input->held_at, *got);
        input->held_at += *got;
        return TACIT_OK;
    }
    if (input->fd < 0) return TACIT_OK;
    return input->unpack != NULL ? tac_unpack_read(ctx, input, to, most, got)
                                 : tac_input_read_raw(ctx, input, to, most, got);
}

tacit_status tac_input_read_raw(const tacit_ctx *ctx, tac_input *input, void *to, size_t most,
                                size_t *got)
{
    *got = 0;
    for (;;) {
        /* A pipe may be silent for long, and the signal that cancels may reach another thread: look
           up at times. A signal ends poll with -1; a read would then sleep through the
           cancellation. */
        struct pollfd ready = {.fd = input->fd, .events = POLLIN};
        const int found = input->again ? 1 : poll(&ready, 1, LOOK_UP_MS);
        const ssize_t count = found <= 0 ? -1 : read(input->fd, to, most);
        if (count >= 0) {
            *got = (size_t)count;
            return TACIT_OK;
        }
        if (found != 0 && errno != EINTR && errno != EAGAIN) return TACIT_E_READ;
        if (tac_check_cancel(ctx) != TACIT_OK) return TACIT_E_CANCELLED;
    }
}

bool tac_input_changed(const tac_input *input)
{
    struct stat about;

    if (input->fd < 0 || !input->regular) return false;
    return fstat(input->fd, &about) != 0 || (int64_t)about.st_size != input->size ||
           about.st_mtim.tv_sec != input->written.tv_sec ||
           about.st_mtim.tv_nsec != input->written.tv_nsec;
}

/* pread, or a copy of what is held: the position of the input does not move, so many threads may
   read at once. */
tacit_status tac_input_read_at(const tac_input *input, int64_t offset, size_t count, void *to)
{
    if (input->fd < 0) {
        if (offset < 0 || (uint64_t)offset > input->held_size ||
            input->held_size - (size_t)offset < count)
            return TACIT_E_READ;
        memcpy(to, input->held + offset, count);
        return TACIT_OK;
    }
    for (char *at = to; count > 0;) {
        const ssize_t got = pread(input->fd, at, count, (off_t)offset);
        if (got == 0) errno = ENODATA; /* the file was cut short after it was opened */
        if (got == 0 || (got < 0 && errno != EINTR)) return TACIT_E_READ;
        if (got < 0) continue;
        at += got;
        offset += got;
        count -= (size_t)got;
    }
    if (!tac_input_changed(input)) return TACIT_OK; /* asked after the bytes were taken */
    errno = ESTALE;
    return TACIT_E_READ;
}

tacit_status tac_input_failed(tacit_ctx *ctx, const tac_input *input, tacit_status status)
{
    if (status == TACIT_E_READ && tac_unpack_fault(input->unpack) != NULL)
        return tac_fail(ctx, TACIT_E_FORMAT, "%s: %s", input->name,
                        tac_unpack_fault(input->unpack));
    if (status == TACIT_E_READ)
        return tac_fail(ctx, status, "%s: reading failed: %s", input->name, strerror(errno));
    if (status == TACIT_E_MEMORY)
        return tac_fail(ctx, status,
                        "%s: out of memory; use fewer columns or a machine with more memory",
                        input->name);
    return status;
}

/* Append what comes next to `held`, until it has `most` bytes or the input ends. The bytes held so
   far stay held on failure. */
static tacit_status fill(tacit_ctx *ctx, tac_input *input, size_t most)
{
    tacit_status status = TACIT_OK;
    char *bytes = input->held;
    size_t size = input->held_size, room = size, got = 1;

    /* While filling, nothing is held: tac_input_read must ask the descriptor. */
    input->held = NULL;
    input->held_size = input->held_at = 0;
    while (size < most && got > 0) {
        if (size == room) {
            room = room < FIRST_ROOM ? FIRST_ROOM : 2 * room;
            TAC_TRY(tac_grow(ctx, &bytes, room + TAC_PAD, 1));
        }
        const size_t left = most - size < room - size ? most - size : room - size;
        TAC_TRY(tac_input_failed(ctx, input, tac_input_read(ctx, input, bytes + size, left, &got)));
        size += got;
    }
done:
    input->held = bytes;
    input->held_size = size;
    return status;
}

tacit_status tac_input_starts_with(tacit_ctx *ctx, tac_input *input, const char *bytes,
                                   size_t count, bool *out)
{
    const tacit_status status = fill(ctx, input, count);
    *out =
        status == TACIT_OK && input->held_size >= count && memcmp(input->held, bytes, count) == 0;
    return status;
}

tacit_status tac_input_hold(tacit_ctx *ctx, tac_input *input)
{
    if (input->again) return TACIT_OK;
    const tacit_status status = fill(ctx, input, SIZE_MAX);
    if (status != TACIT_OK) return status;
    if (input->owned) close(input->fd);
    input->fd = -1;
    return TACIT_OK;
}

tacit_status tac_input_rewind(tacit_ctx *ctx, tac_input *input)
{
    input->held_at = 0;
    if (!input->again) return TACIT_OK;
    tac_unpack_rewind(input->unpack);
    /* what was read ahead comes from the file again */
    input->held_size = 0;
    if (lseek(input->fd, 0, SEEK_SET) == 0) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_READ, "%s: reading failed: %s", input->name, strerror(errno));
}
