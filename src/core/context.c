/* SPDX-License-Identifier: Apache-2.0 */
/* The context: threads, progress, cancellation and the last error's sentence. Every public call
   takes one; a program may have several, one a thread. It holds no row and no key. */
#include "core/core.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BLOCK_BYTES (INT64_C(1) << 18) /* fits a core's L2 cache beside the centers */

/* Cores that are online, 1 .. 1024: the threads of a new context. */
static int cores(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > 1024 ? 1024 : (int)online;
}

/* *out is the caller's, tacit_ctx_free ends it. TACIT_E_SYSTEM: the machine gives no randomness,
   so nothing private could be done with a context. */
tacit_status tacit_ctx_new(tacit_ctx **out)
{
    uint64_t probe;

    if (out == NULL) return TACIT_E_ARGUMENT;
    *out = NULL;
    /* Asked first, because sodium_init would end the program where there is no randomness. */
    if (tac_system_random(NULL, &probe, sizeof probe) != TACIT_OK || sodium_init() < 0)
        return TACIT_E_SYSTEM;
    tacit_ctx *ctx = calloc(1, sizeof *ctx);
    if (ctx == NULL) return TACIT_E_MEMORY;
    ctx->threads = cores();
    ctx->block_bytes = BLOCK_BYTES;
    *out = ctx;
    return TACIT_OK;
}

void tacit_ctx_free(tacit_ctx *ctx)
{
    if (ctx == NULL) return;
    free(ctx->spill_dir);
    free(ctx);
}

const char *tacit_ctx_message(const tacit_ctx *ctx)
{
    return ctx == NULL ? "no context" : ctx->message;
}

tacit_status tacit_ctx_set_threads(tacit_ctx *ctx, int threads)
{
    if (threads < 0 || threads > 1024)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "threads must be between 0 (all cores) and 1024");
    ctx->threads = threads == 0 ? cores() : threads;
    return TACIT_OK;
}

/* Only what can be said without making a file there: a run makes one before it spends anything. */
static tacit_status check_folder(tacit_ctx *ctx, const char *folder)
{
    struct stat found;

    if (stat(folder, &found) != 0)
        return tac_fail(ctx, errno == EIO || errno == ENOMEM ? TACIT_E_SYSTEM : TACIT_E_ARGUMENT,
                        "%s: the spill folder cannot be reached (%s); name one that is there",
                        folder, strerror(errno));
    if (!S_ISDIR(found.st_mode))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: is not a folder; name one for the spill file, on a disk with room for "
                        "the rows",
                        folder);
    return TACIT_OK;
}

tacit_status tacit_ctx_set_memory(tacit_ctx *ctx, int64_t bytes, const char *spill_dir)
{
    char *copy = NULL;

    if (bytes != 0 && bytes < TACIT_MEMORY_LEAST)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "memory must be 0 (no limit) or at least 16 MiB: rows are worked on in "
                        "blocks, and a few of them must fit");
    if (spill_dir != NULL) {
        const tacit_status status = check_folder(ctx, spill_dir);
        if (status != TACIT_OK) return status;
        copy = tac_strdup(ctx, spill_dir);
        if (copy == NULL) return TACIT_E_MEMORY;
    }
    free(ctx->spill_dir);
    ctx->spill_dir = copy;
    ctx->memory = bytes;
    return TACIT_OK;
}

void tacit_ctx_set_progress(tacit_ctx *ctx, tacit_progress_fn show, void *payload)
{
    ctx->show = show;
    ctx->show_payload = payload;
}

void tacit_ctx_cancel(tacit_ctx *ctx)
{
    ctx->cancelled = 1;
}

/* A context that works for another one on its own thread ends with it: the chain is short. */
tacit_status tac_check_cancel(const tacit_ctx *ctx)
{
    for (; ctx != NULL; ctx = ctx->parent)
        if (ctx->cancelled) return TACIT_E_CANCELLED;
    return TACIT_OK;
}

void tac_show_progress(tacit_ctx *ctx, const char *step, double done)
{
    if (ctx->show != NULL) ctx->show(step, done, ctx->show_payload);
}

int64_t tac_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Postprocessing is what is left of the whole: all - read - place - queries. For the owner
   alone: times depend on rows that no budget has paid for. */
tacit_status tacit_ctx_run_info(tacit_ctx *ctx, tacit_run_info *out)
{
    if (ctx == NULL) return TACIT_E_ARGUMENT;
    const tac_run_record *r = &ctx->run;
    if (!r->any) return tac_fail(ctx, TACIT_E_ARGUMENT, "nothing was run with this context yet");
    tacit_run_info known = {.rounds = r->rounds,
                            .threads = r->threads,
                            .rows = r->rows,
                            .read_seconds = 1e-9 * (double)r->read,
                            .place_seconds = 1e-9 * (double)r->place,
                            .query_seconds = 1e-9 * (double)r->map,
                            .postprocess_seconds =
                                1e-9 * (double)(r->all - r->read - r->place - r->map),
                            .seconds = 1e-9 * (double)r->all};
    memcpy(known.run, r->id, sizeof known.run);
    return tac_give_struct(ctx, "tacit_run_info", &known, sizeof known, out);
}

/* Longer sentences are cut, never overrun. `format` is ours; the texts it takes in are not. */
tacit_status tac_fail(tacit_ctx *ctx, tacit_status status, const char *format, ...)
{
    if (ctx == NULL) return status;
    va_list args;
    va_start(args, format);
    vsnprintf(ctx->message, sizeof ctx->message, format, args);
    va_end(args);
    tacit_text_make_plain(ctx->message); /* names come from files and may hold anything */
    return status;
}

const char *tacit_version(void)
{
    return TACIT_VERSION;
}

int tacit_version_number(void)
{
    return TACIT_VERSION_NUMBER;
}

/* One line of status.def for each status, so that no status is without a text. */
const char *tacit_status_text(tacit_status status)
{
    switch (status) {
#define TACIT_STATUS_(number, symbol, sentence)                                                    \
    case TACIT_##symbol:                                                                           \
        return sentence;
#include <tacit/status.def>
#undef TACIT_STATUS_
    case TACIT_STATUS_END_: break;
    }
    return "unknown status";
}
