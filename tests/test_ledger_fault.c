/* SPDX-License-Identifier: Apache-2.0 */
/* Failing disks and memory: the n-th file operation or allocation of SQLite fails, once or from
   then on, for every n until nothing fails any more. Never a crash, never a damaged ledger, never a
   granted run that is not counted. */
#include "privacy/ledger/ledger_internal.h"
#include "declared.h"
#include "scratch.h"
#include "sqlite_layer.h"

#define UNIT_ONE (UINT64_C(1) << TAC_QUANTUM_BITS)
#define COST (UNIT_ONE / 8)

/* ---- a file system that fails on command ---- */

static long operations, fail_at; /* counted from 1; fail_at 0: never */
static bool fail_on;             /* from fail_at on, not only there */

static bool fails(void)
{
    operations++;
    return fail_at > 0 && (fail_on ? operations >= fail_at : operations == fail_at);
}

static int failing_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    return fails() ? SQLITE_IOERR_READ : layer_read(f, to, n, at);
}
static int failing_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
    if (!fails()) return layer_write(f, from, n, at);
    if (n > 1) (void)layer_write(f, from, n / 2, at); /* a torn write, then a full disk */
    return operations % 2 ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}
static int failing_truncate(sqlite3_file *f, sqlite3_int64 n)
{
    return fails() ? SQLITE_IOERR_TRUNCATE : layer_truncate(f, n);
}
static int failing_sync(sqlite3_file *f, int flags)
{
    return fails() ? SQLITE_IOERR_FSYNC : layer_sync(f, flags);
}
static int failing_size(sqlite3_file *f, sqlite3_int64 *n)
{
    return fails() ? SQLITE_IOERR_FSTAT : layer_size(f, n);
}
static int failing_lock(sqlite3_file *f, int lock)
{
    return fails() ? SQLITE_IOERR_LOCK : layer_lock(f, lock);
}
static int failing_reserved(sqlite3_file *f, int *out)
{
    return fails() ? SQLITE_IOERR_CHECKRESERVEDLOCK : layer_reserved(f, out);
}
static int failing_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags,
                        int *given)
{
    file->pMethods = NULL;
    return fails() ? SQLITE_CANTOPEN : layer_open(vfs, name, file, flags, given);
}
static int failing_delete(sqlite3_vfs *vfs, const char *name, int flush)
{
    (void)vfs;
    if (!fails()) return real->xDelete(real, name, flush);
    /* deleted, but the folder could not be flushed */
    if (operations % 2) (void)real->xDelete(real, name, 0);
    return operations % 2 ? SQLITE_IOERR_DIR_FSYNC : SQLITE_IOERR_DELETE;
}
static int failing_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    (void)vfs;
    return fails() ? SQLITE_IOERR_ACCESS : real->xAccess(real, name, flags, out);
}

static void layer_fails(void)
{
    layer_make("failing");
    layer.xOpen = failing_open;
    layer.xDelete = failing_delete;
    layer.xAccess = failing_access;
    layer_methods.xRead = failing_read;
    layer_methods.xWrite = failing_write;
    layer_methods.xTruncate = failing_truncate;
    layer_methods.xSync = failing_sync;
    layer_methods.xFileSize = failing_size;
    layer_methods.xLock = failing_lock;
    layer_methods.xCheckReservedLock = failing_reserved;
}

/* ---- memory that runs out on command ---- */

static sqlite3_mem_methods real_memory;
static bool memory_fails;

static void *short_malloc(int n)
{
    return memory_fails && fails() ? NULL : real_memory.xMalloc(n);
}
static void *short_realloc(void *old, int n)
{
    return memory_fails && fails() ? NULL : real_memory.xRealloc(old, n);
}

static void memory_runs_out(void)
{
    MUST(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory) == SQLITE_OK);
    sqlite3_mem_methods memory = real_memory;
    memory.xMalloc = short_malloc;
    memory.xRealloc = short_realloc;
    MUST(sqlite3_config(SQLITE_CONFIG_MALLOC, &memory) == SQLITE_OK);
    /* The lookaside memory of a connection would hide most allocations. */
    MUST(sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) == SQLITE_OK);
}

/* ---- the stories ---- */

static tacit_ctx *ctx;
static unsigned char *seed;
static size_t size;

static bool explained(tacit_status status)
{
    return status == TACIT_OK ||
           (ctx->message[0] != '\0' &&
            (status == TACIT_E_LEDGER || status == TACIT_E_WRITE || status == TACIT_E_MEMORY));
}

/* Open, look, reserve, close by `ending`; then look at the file with nothing failing. */
static bool run_story(tac_entry_kind ending)
{
    const tac_claim claim = {0.125, 0, COST, "fault", NULL, TACIT_ADD_REMOVE};
    tacit_ledger *ledger = NULL;
    tac_reservation run;
    tacit_ledger_summary summary;
    tacit_status opened, taken = TACIT_E_INTERNAL, closed = TACIT_E_INTERNAL;
    bool good;

    unlink(scratch("fault-journal"));
    scratch_write(scratch("fault"), seed, size);
    tacit_ledger_summary_init(&summary, sizeof summary);
    operations = 0;
    opened = tacit_ledger_open(ctx, scratch("fault"), &ledger);
    good = explained(opened);
    if (opened == TACIT_OK) {
        good = good && explained(tacit_ledger_summarize(ctx, ledger, &summary));
        taken = tac_ledger_reserve(ctx, ledger, &claim, &run);
        good = good && explained(taken);
        if (taken == TACIT_OK) {
            closed = ending == TAC_ENTRY_VOID ? tac_ledger_void(ctx, ledger, &run)
                                              : tac_ledger_commit(ctx, ledger, &run);
            good = good && explained(closed);
        }
        /* A handle that met a failure is still usable once the disk is well again. */
        const long failing = fail_at;
        fail_at = 0;
        good = good && tacit_ledger_summarize(ctx, ledger, &summary) == TACIT_OK;
        fail_at = failing;
        tacit_ledger_free(ledger);
    }
    const long failing = fail_at;
    fail_at = 0;
    ledger = NULL;
    if (tacit_ledger_open(ctx, scratch("fault"), &ledger) != TACIT_OK) {
        printf("# damaged: %s\n", tacit_ctx_message(ctx));
        good = false;
    } else {
        const uint64_t spent = ledger->state.spent;
        const bool none = spent == 0, one = spent == COST;
        if (taken == TACIT_OK && ending == TAC_ENTRY_COMMIT)
            good = good && one;
        else if (taken == TACIT_OK && closed == TACIT_OK)
            good = good && none;
        else if (opened != TACIT_OK)
            good = good && none;
        else
            good =
                good &&
                (none || one); /* a failure reported after the moment of commit: spent and unused */
        tacit_ledger_free(ledger);
    }
    fail_at = failing;
    return good;
}

/* Make a ledger: on failure nothing lies under its name and no temporary file is left. */
static bool make_story(void)
{
    unlink(scratch("new"));
    operations = 0;
    const tacit_status status =
        plain_ledger(ctx, scratch("new"), "fault", 1, 0, NULL, TACIT_ADD_REMOVE);
    const long failing = fail_at;
    bool good = explained(status) && (access(scratch("new"), F_OK) == 0) == (status == TACIT_OK) &&
                scratch_count("new-") == 0;

    fail_at = 0;
    if (status == TACIT_OK) {
        tacit_ledger *ledger = NULL;
        good = good && tacit_ledger_open(ctx, scratch("new"), &ledger) == TACIT_OK;
        tacit_ledger_free(ledger);
    }
    fail_at = failing;
    return good;
}

static void every_fault(int story, bool memory, bool persistent)
{
    static const char *const names[] = {"reserve and commit", "reserve and void", "make a ledger"};
    long points = 0, bad = 0;
    bool reached = true;

    memory_fails = memory;
    MUST(memory || sqlite3_vfs_register(&layer, 1) == SQLITE_OK);
    fail_on = persistent;
    /* Allocations are many and alike: every fourth here, all of them with TACIT_TEST_MULT=4. */
    const long stride = !memory || tap_times(4) >= 16 ? 1 : 4;
    while (reached) {
        fail_at = points += points == 0 ? 1 : stride;
        const bool good =
            story == 2 ? make_story() : run_story(story == 0 ? TAC_ENTRY_COMMIT : TAC_ENTRY_VOID);
        if (!good && bad++ < 5) printf("# fault %ld: %s\n", points, tacit_ctx_message(ctx));
        reached = operations >= points;
    }
    fail_at = 0;
    memory_fails = false;
    if (!memory) MUST(sqlite3_vfs_unregister(&layer) == SQLITE_OK);
    CHECK(bad == 0 && points / stride > 20, "%s: %ld points of failure, %s, %s", names[story],
          (points - 1) / stride, memory ? "memory" : "disk", persistent ? "from then on" : "once");
}

int main(void)
{
    memory_runs_out();
    layer_fails();
    scratch_open();
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    MUST(plain_ledger(ctx, scratch("seed"), "fault", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_OK);
    seed = scratch_read(scratch("seed"), &size);
    for (int story = 0; story < 3; story++)
        for (int memory = 0; memory < 2; memory++)
            for (int persistent = 0; persistent < 2; persistent++)
                every_fault(story, memory != 0, persistent != 0);
    free(seed);
    tacit_ctx_free(ctx);
    scratch_close();
    return tap_done();
}
