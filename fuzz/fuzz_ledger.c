/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a ledger. The first byte says how: a whole file, or changes to a good ledger (or to
   its journal, as a crash might leave it), three bytes for each: two of place, one of value. A
   ledger that still opens counts and grants as it says. */
#include "fuzz.h"
#include "../tests/declared.h"
#include "privacy/ledger/ledger_internal.h"

#include <fcntl.h>

#define COST (UINT64_C(1) << (TAC_QUANTUM_BITS - 3))

static char folder[64], path[80], journal[96];
static uint8_t *good;
static size_t good_size;
static uint8_t old_journal[1 << 16];
static size_t journal_size;

static void put(const char *name, const uint8_t *bytes, size_t count)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    MUST_BE(fd >= 0 && write(fd, bytes, count) == (ssize_t)count && close(fd) == 0);
}

static size_t get(const char *name, uint8_t *to, size_t room)
{
    const int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    const ssize_t count = read(fd, to, room);
    close(fd);
    MUST_BE(count >= 0 && (size_t)count < room);
    return (size_t)count;
}

static void clean(void)
{
    unlink(path);
    unlink(journal);
    rmdir(folder);
}

/* A ledger with three runs, and the journal that would take the last one back. */
static void prepare(void)
{
    const tac_claim claim = {0.125, 0, COST, "fuzz", NULL, TACIT_ADD_REMOVE};
    tac_reservation run;
    tacit_ctx *ctx = NULL;
    tacit_ledger *ledger = NULL;

    snprintf(folder, sizeof folder, "%s/tacit-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    MUST_BE(mkdtemp(folder) != NULL && (good = malloc(1 << 16)) != NULL);
    snprintf(path, sizeof path, "%s/ledger", folder);
    snprintf(journal, sizeof journal, "%s-journal", path);
    atexit(clean);
    MUST_BE(tacit_ctx_new(&ctx) == TACIT_OK);
    MUST_BE(plain_ledger(ctx, path, "fuzz", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_OK);
    MUST_BE(tacit_ledger_open(ctx, path, &ledger) == TACIT_OK);
    for (int i = 0; i < 3; i++) {
        MUST_BE(tac_ledger_reserve(ctx, ledger, &claim, &run) == TACIT_OK);
        if (i == 0) MUST_BE(tac_ledger_commit(ctx, ledger, &run) == TACIT_OK);
        if (i == 1) MUST_BE(tac_ledger_void(ctx, ledger, &run) == TACIT_OK);
    }
    /* A transaction that is under way has its journal on disk. */
    MUST_BE(sqlite3_exec(ledger->db, "BEGIN IMMEDIATE; PRAGMA user_version = 77", NULL, NULL,
                         NULL) == SQLITE_OK);
    MUST_BE(sqlite3_db_cacheflush(ledger->db) == SQLITE_OK);
    journal_size = get(journal, old_journal, sizeof old_journal);
    MUST_BE(sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL) == SQLITE_OK);
    tacit_ledger_free(ledger);
    tacit_ctx_free(ctx);
    good_size = get(path, good, 1 << 16);
    MUST_BE(good_size > 4096 && journal_size > 512);
}

static void change(uint8_t *to, size_t size, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i + 2 < count; i += 3)
        to[((size_t)bytes[i] << 8 | bytes[i + 1]) % size] = bytes[i + 2];
}

static void make(const uint8_t *bytes, size_t count)
{
    uint8_t *copy = malloc(1 << 16);
    const uint8_t how = count == 0 ? 0 : bytes[0] % 4;

    MUST_BE(copy != NULL);
    unlink(journal);
    if (count > 0) {
        bytes++;
        count--;
    }
    if (how == 0) {
        put(path, bytes, count);
    } else {
        memcpy(copy, good, good_size);
        if (how != 3) change(copy, good_size, bytes, count);
        put(path, copy,
            how == 2 && count > 0 ? (size_t)bytes[count - 1] * good_size / 255 : good_size);
    }
    if (how == 3) { /* the ledger is well, its journal is not */
        memcpy(copy, old_journal, journal_size);
        change(copy, journal_size, bytes, count);
        put(journal, copy, journal_size);
    }
    free(copy);
}

static int see(const tacit_ledger_entry *entry, void *payload)
{
    *(int64_t *)payload += entry->epsilon >= 0;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    const tac_claim claim = {0.125, 0, COST, "fuzz", NULL, TACIT_ADD_REMOVE};
    tac_reservation run;
    tacit_ctx *ctx = NULL;
    tacit_ledger *ledger = NULL;
    tacit_ledger_summary now;
    int64_t entries = 0;

    if (good == NULL) prepare();
    make(bytes, count);
    MUST_BE(tacit_ctx_new(&ctx) == TACIT_OK);
    tacit_status status = tac_ledger_open_patient(ctx, path, 5, &ledger);
    expect_sentence(ctx, status);
    if (status == TACIT_OK) {
        uint64_t spent = ledger->state.spent;
        MUST_BE(spent <= ledger->meta.quanta);
        tacit_ledger_summary_init(&now, sizeof now);
        expect_sentence(ctx, tacit_ledger_summarize(ctx, ledger, &now));
        expect_sentence(ctx, tacit_ledger_history(ctx, ledger, see, &entries));
        status = tac_ledger_reserve(ctx, ledger, &claim, &run);
        expect_sentence(ctx, status);
        if (status == TACIT_OK) {
            MUST_BE(ledger->state.spent == spent + COST &&
                    ledger->state.spent <= ledger->meta.quanta);
            expect_sentence(ctx, tac_ledger_commit(ctx, ledger, &run));
            spent = ledger->state.spent;
        }
        tacit_ledger_free(ledger);
        if (status == TACIT_OK) { /* what was granted is still there for the next one who looks */
            MUST_BE(tac_ledger_open_patient(ctx, path, 5, &ledger) == TACIT_OK &&
                    ledger->state.spent == spent);
            tacit_ledger_free(ledger);
        }
    }
    tacit_ctx_free(ctx);
    return 0;
}
