/* SPDX-License-Identifier: Apache-2.0 */
/* The spill file: block b of TAC_SPILL_BLOCK bytes and its tag lie at b * (TAC_SPILL_BLOCK + TAG).
   The nonce of a block is (filling, b). A filling writes each block once, so no nonce is used twice
   under one key, and a block that was written elsewhere or in an earlier filling does not pass its
   check. pread and pwrite, never a map: an error of the disk is a status, not a signal. */
#include "engine/spill.h"

#include "core/cpu.h"
#include "engine/aegis.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* of either cipher; the nonce is the longer one, of which the other uses the beginning */
#define TAG TAC_AEGIS_TAG
#define NONCE TAC_AEGIS_NONCE
#define KEY TAC_AEGIS_KEY
_Static_assert(TAG == crypto_aead_chacha20poly1305_ietf_ABYTES &&
                   KEY == crypto_aead_chacha20poly1305_ietf_KEYBYTES &&
                   NONCE >= crypto_aead_chacha20poly1305_ietf_NPUBBYTES,
               "both ciphers fit the same blocks");
#define CHANGED (-1) /* instead of an errno: a block did not pass its check */

/* file systems that live in memory (linux/magic.h) */
#define ON_TMPFS 0x01021994
#define ON_RAMFS 0x858458f6

struct tac_spill {
    int file;
    char *folder; /* for sentences */
    unsigned char *key;
    bool aegis; /* the cipher: that, or ChaCha20-Poly1305 */
    uint32_t filling;
    pid_t owner;       /* a forked child has the same key and would use the same nonces */
    int64_t next;      /* blocks of this filling so far */
    _Atomic int cause; /* errno of the last failure, or CHANGED */
};

/* ---- opening ---- */

static const char *folder_of(const tacit_ctx *ctx)
{
    const char *named = ctx->spill_dir != NULL ? ctx->spill_dir : getenv("TMPDIR");
    return named != NULL && *named != '\0' ? named : "/var/tmp";
}

/* A file that has no name at any time or, where the file system has none such, that loses it at
   once. Readable by its owner alone. */
static int open_unnamed(tacit_ctx *ctx, const char *folder)
{
    char *path = NULL;
    int file = open(folder, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);

    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
    const size_t room = strlen(folder) + sizeof "/tacit-XXXXXX";
    if (tac_new(ctx, room, 1, &path) != TACIT_OK) return -1;
    snprintf(path, room, "%s/tacit-XXXXXX", folder);
    file = mkostemp(path, O_CLOEXEC); /* 0600 */
    if (file >= 0 && unlink(path) != 0) {
        close(file);
        file = -1;
    }
    tac_free(path);
    return file;
}

static tacit_status check_disk(tacit_ctx *ctx, const tac_spill *spill)
{
    struct statfs about;

    if (fstatfs(spill->file, &about) == 0 &&
        ((uint32_t)about.f_type == ON_TMPFS || (uint32_t)about.f_type == ON_RAMFS))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: is a folder in memory, where spilled rows would take as much of it as "
                        "before; name one on a disk (--spill-dir)",
                        spill->folder);
    return TACIT_OK;
}

tacit_status tac_spill_open(tacit_ctx *ctx, tac_spill **out)
{
    tacit_status status = TACIT_OK;
    tac_spill *spill = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *spill, &spill));
    spill->file = -1;
    spill->owner = getpid();
    spill->folder = tac_strdup(ctx, folder_of(ctx));
    if (spill->folder == NULL) TAC_TRY(TACIT_E_MEMORY);
    /* pages of their own, locked where the system allows it, so that no swap holds the key */
    spill->key = sodium_malloc(KEY);
    if (spill->key == NULL)
        TAC_TRY(tac_fail(ctx, TACIT_E_MEMORY, "out of memory for the key of the spill file"));
    TAC_TRY(tac_system_random(ctx, spill->key, KEY));
    spill->aegis = tac_cpu() > 0 && tac_aegis_runs();
    spill->file = open_unnamed(ctx, spill->folder);
    if (spill->file < 0)
        TAC_TRY(tac_fail(ctx, TACIT_E_WRITE,
                         "%s: the spill file cannot be made there (%s); name another folder "
                         "(--spill-dir)",
                         spill->folder, strerror(errno)));
    TAC_TRY(check_disk(ctx, spill));
    *out = spill;
    spill = NULL;
done:
    tac_spill_close(spill);
    return status;
}

void tac_spill_close(tac_spill *spill)
{
    if (spill == NULL) return;
    if (spill->file >= 0) close(spill->file);
    if (spill->key != NULL) sodium_free(spill->key); /* wipes it */
    free(spill->folder);
    tac_free(spill);
}

tacit_status tac_spill_restart(tacit_ctx *ctx, tac_spill *spill)
{
    if (spill->filling == UINT32_MAX)
        return tac_fail(ctx, TACIT_E_INTERNAL, "the spill file was filled too often");
    spill->filling++;
    spill->next = 0;
    return TACIT_OK;
}

/* ---- sentences ---- */

tacit_status tac_spill_failed(tacit_ctx *ctx, const tac_spill *spill, tacit_status status)
{
    const int cause = atomic_load(&spill->cause);

    if (status == TACIT_E_WRITE)
        return tac_fail(ctx, status,
                        "%s: the spill file cannot be written (%s); nothing was released; make "
                        "room on that disk, or name another folder (--spill-dir)",
                        spill->folder, strerror(cause));
    if (status == TACIT_E_READ && cause == CHANGED)
        return tac_fail(ctx, status,
                        "%s: the spill file is not as it was written; nothing was released; check "
                        "the disk, or name another folder (--spill-dir)",
                        spill->folder);
    if (status == TACIT_E_READ)
        return tac_fail(ctx, status,
                        "%s: the spill file cannot be read (%s); nothing was released; check the "
                        "disk, or name another folder (--spill-dir)",
                        spill->folder, strerror(cause));
    return status;
}

/* ---- blocks ---- */

/* (filling, block): each pair is written once. */
static void nonce_of(const tac_spill *spill, int64_t block, unsigned char nonce[NONCE])
{
    memset(nonce, 0, NONCE);
    memcpy(nonce, &spill->filling, sizeof spill->filling);
    memcpy(nonce + sizeof spill->filling, &block, sizeof block);
}

static off_t place_of(int64_t block)
{
    return (off_t)block * (off_t)(TAC_SPILL_BLOCK + TAG);
}

static tacit_status fail(tac_spill *spill, tacit_status status, int cause)
{
    atomic_store(&spill->cause, cause);
    return status;
}

static tacit_status write_all(tac_spill *spill, const unsigned char *bytes, size_t size, off_t at)
{
    while (size > 0) {
        const ssize_t done = pwrite(spill->file, bytes, size, at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return fail(spill, TACIT_E_WRITE, done < 0 ? errno : ENOSPC);
        bytes += done;
        at += done;
        size -= (size_t)done;
    }
    return TACIT_OK;
}

static tacit_status read_all(tac_spill *spill, unsigned char *bytes, size_t size, off_t at)
{
    while (size > 0) {
        const ssize_t done = pread(spill->file, bytes, size, at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return fail(spill, TACIT_E_READ, done < 0 ? errno : CHANGED);
        bytes += done;
        at += done;
        size -= (size_t)done;
    }
    return TACIT_OK;
}

/* room: TAC_SPILL_BLOCK + TAG bytes. */
static tacit_status write_block(tac_spill *spill, int64_t block, const unsigned char *bytes,
                                size_t size, unsigned char *room)
{
    unsigned char nonce[NONCE];

    nonce_of(spill, block, nonce);
    if (spill->aegis)
        tac_aegis_seal(spill->key, nonce, NULL, 0, bytes, size, room, room + size);
    else
        crypto_aead_chacha20poly1305_ietf_encrypt_detached(room, room + size, NULL, bytes, size,
                                                           NULL, 0, NULL, nonce, spill->key);
    return write_all(spill, room, size + TAG, place_of(block));
}

/* Decrypts in place; a block that does not pass its check is wiped. */
static tacit_status read_block(tac_spill *spill, int64_t block, unsigned char *to, size_t size)
{
    tacit_status status = TACIT_OK;
    unsigned char nonce[NONCE], tag[TAG];

    TAC_TRY(read_all(spill, to, size, place_of(block)));
    TAC_TRY(read_all(spill, tag, TAG, place_of(block) + (off_t)size));
    nonce_of(spill, block, nonce);
    const bool good = spill->aegis ? tac_aegis_open(spill->key, nonce, NULL, 0, to, size, tag, to)
                                   : crypto_aead_chacha20poly1305_ietf_decrypt_detached(
                                         to, NULL, to, size, tag, NULL, 0, nonce, spill->key) == 0;
    if (!good) return fail(spill, TACIT_E_READ, CHANGED);
done:
    return status;
}

/* ---- regions ---- */

/* A region on its way, in blocks from `first` on. */
typedef struct way {
    tac_spill *spill;
    int64_t first, size;
    const unsigned char *from;
    unsigned char *to;
    unsigned char **room; /* by worker */
} way;

static int64_t blocks_of(int64_t size)
{
    return (size + TAC_SPILL_BLOCK - 1) / TAC_SPILL_BLOCK;
}

static size_t size_of(int64_t size, int64_t block)
{
    const int64_t left = size - block * TAC_SPILL_BLOCK;
    return (size_t)(left < TAC_SPILL_BLOCK ? left : TAC_SPILL_BLOCK);
}

static tacit_status put(void *state, int64_t block, int worker)
{
    const way *w = state;
    return write_block(w->spill, w->first + block, w->from + block * TAC_SPILL_BLOCK,
                       size_of(w->size, block), w->room[worker]);
}

static tacit_status get(void *state, int64_t block, int worker)
{
    const way *w = state;

    (void)worker;
    return read_block(w->spill, w->first + block, w->to + block * TAC_SPILL_BLOCK,
                      size_of(w->size, block));
}

/* Block numbers are taken before a byte is written, and never again in this filling: after a
   failure too. */
tacit_status tac_spill_add(tacit_ctx *ctx, const tac_engine *engine, tac_spill *spill,
                           const void *bytes, int64_t size, tac_region *region)
{
    tacit_status status = TACIT_OK;
    const int64_t blocks = blocks_of(size);
    way w = {.spill = spill, .first = spill->next, .size = size, .from = bytes};

    if (spill->owner != getpid())
        return tac_fail(ctx, TACIT_E_INTERNAL,
                        "the spill file was made in another process: a run cannot go on after "
                        "fork(); start it in the process that will finish it");
    if (region->size == 0) region->block = spill->next;
    if (region->size % TAC_SPILL_BLOCK != 0 ||
        region->block + region->size / TAC_SPILL_BLOCK != spill->next)
        return tac_fail(ctx, TACIT_E_INTERNAL, "bytes were to be spilled behind a closed region");
    spill->next += blocks;
    TAC_TRY(tac_new(ctx, (size_t)engine->workers, sizeof *w.room, &w.room));
    for (int i = 0; i < engine->workers; i++)
        TAC_TRY(tac_scratch(ctx, (size_t)TAC_SPILL_BLOCK + TAG, 1, &w.room[i]));
    TAC_TRY(tac_spill_failed(ctx, spill, engine->map(engine, ctx, blocks, put, &w)));
    region->size += size;
done:
    for (int i = 0; w.room != NULL && i < engine->workers; i++) tac_free(w.room[i]);
    tac_free(w.room);
    return status;
}

tacit_status tac_spill_get(tacit_ctx *ctx, const tac_engine *engine, tac_spill *spill,
                           const tac_region *region, void *to)
{
    way w = {.spill = spill, .first = region->block, .size = region->size, .to = to};
    return tac_spill_failed(ctx, spill, engine->map(engine, ctx, blocks_of(region->size), get, &w));
}

tacit_status tac_spill_get_part(tac_spill *spill, const tac_region *region, int64_t offset,
                                int64_t size, void *room, void *to)
{
    unsigned char *out = to;

    if (offset < 0 || size < 0 || offset > region->size - size)
        return fail(spill, TACIT_E_READ, CHANGED);
    while (size > 0) {
        const int64_t block = offset / TAC_SPILL_BLOCK, at = offset % TAC_SPILL_BLOCK;
        const size_t whole = size_of(region->size, block);
        const size_t here = whole - (size_t)at < (size_t)size ? whole - (size_t)at : (size_t)size;
        const tacit_status status = read_block(spill, region->block + block, room, whole);
        if (status != TACIT_OK) return status;
        memcpy(out, (const unsigned char *)room + at, here);
        out += here;
        offset += (int64_t)here;
        size -= (int64_t)here;
    }
    return TACIT_OK;
}

/* Only advice: what comes of it does not matter. */
void tac_spill_expect(const tac_spill *spill, const tac_region *region)
{
    const off_t first = place_of(region->block),
                end = place_of(region->block + blocks_of(region->size));
    (void)posix_fadvise(spill->file, first, end - first, POSIX_FADV_WILLNEED);
}
