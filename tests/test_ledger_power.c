/* SPDX-License-Identifier: Apache-2.0 */
/* Power cuts: what was written but not flushed may be lost, whole or in parts, in any order; a name
   made or removed without flushing its folder may be as before. The layer below keeps what the disk
   holds for certain, and at every operation takes pictures of what it might hold after a cut. Every
   picture must open with all granted runs in it. */
#include "privacy/ledger/ledger_internal.h"
#include "declared.h"
#include "scratch.h"
#include "sqlite_layer.h"

#define UNIT_ONE (UINT64_C(1) << TAC_QUANTUM_BITS)
#define COST (UNIT_ONE / 16)
#define SECTOR 512
#define PICTURES 8 /* per operation */

typedef struct bytes {
    unsigned char *at;
    size_t size;
    bool there; /* a file of that name exists */
} bytes;

/* A file now: what was flushed, and the writes since. size -1 is a truncation to `offset`. */
typedef struct change {
    int64_t offset;
    int size;
    unsigned char *at;
} change;
typedef struct medium {
    char path[500];
    bytes certain; /* what a cut cannot change under this name */
    bytes flushed; /* of the file that now has the name */
    change *changes;
    size_t count;
} medium;
enum { LEDGER, JOURNAL, MEDIA };
static medium media[MEDIA];

typedef struct picture {
    bytes file[MEDIA];
    int64_t least, most; /* runs that may count */
} picture;
static picture *pictures;
static size_t picture_count;
/* runs granted and not being given back; runs granted or being asked for */
static int64_t least, most;

static uint32_t below(uint32_t n)
{
    static uint64_t state = 3;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % n);
}

static bytes copy(const bytes *from)
{
    bytes to = {malloc(from->size + 1), from->size, from->there};
    MUST(to.at != NULL);
    if (from->size > 0) memcpy(to.at, from->at, from->size);
    return to;
}

static void set(bytes *to, bytes value)
{
    free(to->at);
    *to = value;
}

static void forget_changes(medium *m)
{
    for (size_t i = 0; i < m->count; i++) free(m->changes[i].at);
    free(m->changes);
    m->changes = NULL;
    m->count = 0;
}

static void note(medium *m, int64_t offset, int size, const void *from)
{
    m->changes = realloc(m->changes, (m->count + 1) * sizeof *m->changes);
    MUST(m->changes != NULL);
    change *c = &m->changes[m->count++];
    *c = (change){offset, size, size > 0 ? malloc((size_t)size) : NULL};
    if (size > 0) memcpy(c->at, from, (size_t)size);
}

/* The flushed file and those sectors of the writes since that reached the disk: none, all, or each
   with chance 1/2. */
static bytes maybe(const medium *m, uint32_t kind)
{
    bytes out = copy(&m->flushed);
    for (size_t i = 0; i < m->count; i++) {
        const change *c = &m->changes[i];
        if (c->size < 0) {
            const bool cut = kind == 1 || (kind > 1 && below(2));
            if (cut && (size_t)c->offset < out.size) out.size = (size_t)c->offset;
            continue;
        }
        for (int from = 0; from < c->size; from += SECTOR) {
            const size_t n = (size_t)(c->size - from < SECTOR ? c->size - from : SECTOR);
            const size_t end = (size_t)c->offset + (size_t)from + n;
            if (kind == 0 || (kind > 1 && below(2))) continue;
            if (end > out.size) {
                out.at = realloc(out.at, end + 1);
                MUST(out.at != NULL);
                memset(out.at + out.size, 0, end - out.size);
                out.size = end;
            }
            memcpy(out.at + end - n, c->at + from, n);
        }
    }
    return out;
}

static void take_pictures(void)
{
    pictures = realloc(pictures, (picture_count + PICTURES) * sizeof *pictures);
    MUST(pictures != NULL);
    for (uint32_t kind = 0; kind < PICTURES; kind++) {
        picture *p = &pictures[picture_count++];
        *p = (picture){.least = least, .most = most};
        p->file[LEDGER] = maybe(&media[LEDGER], kind);
        /* Kinds 0 and 2: the folder as last flushed; 1 and 3: as the program sees it; then by
           chance. */
        const bool as_seen = kind < 4 ? kind % 2 == 1 : below(2) == 1;
        p->file[JOURNAL] = as_seen ? maybe(&media[JOURNAL], kind) : copy(&media[JOURNAL].certain);
    }
}

/* ---- a file system that is looked at: a file's own is its medium ---- */

/* No medium: one of SQLite's own temporary files. */
static int seen_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
    if (LAYER(f)->own != NULL) {
        take_pictures();
        note(LAYER(f)->own, at, n, from);
    }
    return layer_write(f, from, n, at);
}
static int seen_truncate(sqlite3_file *f, sqlite3_int64 n)
{
    if (LAYER(f)->own != NULL) {
        take_pictures();
        note(LAYER(f)->own, n, -1, NULL);
    }
    return layer_truncate(f, n);
}
static int seen_sync(sqlite3_file *f, int flags)
{
    medium *m = LAYER(f)->own;
    /* SQLite's Unix layer flushes the folder, too, when a journal is flushed for the first time */
    if (m != NULL) {
        take_pictures();
        set(&m->flushed, maybe(m, 1));
        set(&m->certain, copy(&m->flushed));
        forget_changes(m);
    }
    return layer_sync(f, flags);
}

static medium *medium_of(const char *name)
{
    for (int i = 0; i < MEDIA; i++)
        if (name != NULL && strcmp(name, media[i].path) == 0) return &media[i];
    return NULL;
}

static int seen_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags,
                     int *given)
{
    medium *m = medium_of(name);
    LAYER(file)->own = m;
    if (m == &media[JOURNAL]) { /* a new file: nothing flushed, its name neither */
        take_pictures();
        forget_changes(m);
        m->flushed.size = 0;
        m->flushed.there = true;
    }
    return layer_open(vfs, name, file, flags, given);
}
static int seen_delete(sqlite3_vfs *vfs, const char *name, int flush)
{
    medium *m = medium_of(name);
    (void)vfs;
    if (m != NULL) {
        take_pictures();
        forget_changes(m);
        m->flushed.size = 0;
        m->flushed.there = false;
        if (flush) set(&m->certain, copy(&m->flushed));
    }
    return real->xDelete(real, name, flush);
}

static void layer_seen(void)
{
    layer_make("power");
    layer.xOpen = seen_open;
    layer.xDelete = seen_delete;
    layer_methods.xWrite = seen_write;
    layer_methods.xTruncate = seen_truncate;
    layer_methods.xSync = seen_sync;
}

/* ---- the story ---- */

static void story(tacit_ctx *ctx, const char *path)
{
    const tac_claim claim = {0.0625, 0, COST, "power", NULL, TACIT_ADD_REMOVE};
    tacit_ledger *ledger = NULL;
    tac_reservation run;

    MUST(tacit_ledger_open(ctx, path, &ledger) == TACIT_OK);
    for (int turn = 0; turn < 6; turn++) {
        most++;
        MUST(tac_ledger_reserve(ctx, ledger, &claim, &run) == TACIT_OK);
        least++;
        take_pictures(); /* granted: from here on a cut must not take it back */
        if (turn % 3 == 0) MUST(tac_ledger_commit(ctx, ledger, &run) == TACIT_OK);
        if (turn % 3 == 1) {
            least--;
            MUST(tac_ledger_void(ctx, ledger, &run) == TACIT_OK);
            most--; /* a void that returned is as durable as a grant */
            take_pictures();
        }
    }
    tacit_ledger_free(ledger);
}

int main(void)
{
    tacit_ctx *ctx = NULL;
    long broken = 0, low = 0, high = 0, open_runs = 0;

    scratch_open();
    const char *path = scratch("power");
    snprintf(media[LEDGER].path, sizeof media[0].path, "%s", path);
    snprintf(media[JOURNAL].path, sizeof media[0].path, "%s-journal", path);
    MUST(tacit_ctx_new(&ctx) == TACIT_OK &&
         plain_ledger(ctx, path, "power", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_OK);
    media[LEDGER].flushed.at = scratch_read(path, &media[LEDGER].flushed.size);
    media[LEDGER].flushed.there = true;

    layer_seen();
    MUST(sqlite3_vfs_register(&layer, 1) == SQLITE_OK);
    for (long times = tap_times(1); times > 0 && least < 12; times--) story(ctx, path);
    MUST(sqlite3_vfs_unregister(&layer) == SQLITE_OK);

    for (size_t i = 0; i < picture_count; i++) {
        picture *p = &pictures[i];
        tacit_ledger *ledger = NULL;
        scratch_write(scratch("cut"), p->file[LEDGER].at, p->file[LEDGER].size);
        unlink(scratch("cut-journal"));
        if (p->file[JOURNAL].there)
            scratch_write(scratch("cut-journal"), p->file[JOURNAL].at, p->file[JOURNAL].size);
        if (tacit_ledger_open(ctx, scratch("cut"), &ledger) != TACIT_OK) {
            if (broken++ == 0) printf("# picture %zu: %s\n", i, tacit_ctx_message(ctx));
        } else {
            low += ledger->state.spent < (uint64_t)p->least * COST;
            high += ledger->state.spent > (uint64_t)p->most * COST;
            open_runs += p->least < p->most;
        }
        tacit_ledger_free(ledger);
        for (int m = 0; m < MEDIA; m++) free(p->file[m].at);
    }
    CHECK(picture_count > 500 && open_runs > 100,
          "%zu possible disks after a power cut, %ld in the middle of an act", picture_count,
          open_runs);
    CHECK(broken == 0, "all open");
    CHECK(low == 0, "none has lost a granted run");
    CHECK(high == 0, "none counts a run twice");
    free(pictures);
    for (int m = 0; m < MEDIA; m++) {
        forget_changes(&media[m]);
        free(media[m].certain.at);
        free(media[m].flushed.at);
    }
    tacit_ctx_free(ctx);
    scratch_close();
    return tap_done();
}
