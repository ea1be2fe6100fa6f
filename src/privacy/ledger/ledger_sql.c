/* SPDX-License-Identifier: Apache-2.0 */
/* One SQLite connection to a ledger: how it is opened, how it waits, what its errors mean to a
   person. */
#include "privacy/ledger/ledger_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* a damaged length must not ask for gigabytes */
#define LONGEST_VALUE (TAC_DECLARATION_MOST + 65536)
#define CLOSING_PATIENCE 1000 /* ms that a canceled run still waits to write its last entry */
#define STEPS_PER_CHECK 10000 /* SQLite instructions between two looks at the cancel flag */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_cancelled(const tacit_ledger *ledger)
{
    return ledger->ctx != NULL && tac_check_cancel(ledger->ctx) != TACIT_OK;
}

/* SQLite's busy handler: non-zero tries the lock again. Short random-looking naps, so that many
   waiting processes do not march in step. */
static int wait_for_lock(void *payload, int tries)
{
    const tacit_ledger *ledger = payload;
    int64_t patience = ledger->patience;

    if (is_cancelled(ledger)) {
        if (!ledger->closing) return 0;
        if (patience > CLOSING_PATIENCE) patience = CLOSING_PATIENCE;
    }
    if (now_ms() - ledger->started >= patience) return 0;
    const long spread = 1 + (tries < 20 ? tries : 20);
    const long micros = 500 + (long)((unsigned)(getpid() + 7919 * tries) % 1000u) * spread;
    const struct timespec nap = {0, micros * 1000};
    nanosleep(&nap, NULL);
    return 1;
}

/* SQLite's progress handler: non-zero interrupts. A commit or void is never interrupted. */
static int stop_if_cancelled(void *payload)
{
    const tacit_ledger *ledger = payload;
    return !ledger->closing && is_cancelled(ledger);
}

tacit_status tac_ledger_fail_damaged(tacit_ctx *ctx, const tacit_ledger *ledger, const char *what)
{
    return tac_fail(ctx, TACIT_E_LEDGER,
                    "the ledger %s is damaged: %s; restore a backup that counts every run since, "
                    "or take its budget as spent",
                    ledger->path, what);
}

/* An SQLite result code as a status and a sentence that says what to do. SQLite's own messages
   may quote file contents and are not shown. */
tacit_status tac_ledger_fail_sql(tacit_ctx *ctx, const tacit_ledger *ledger, int code)
{
    const char *path = ledger->path;
    const int error = ledger->db == NULL ? 0 : sqlite3_system_errno(ledger->db);
    const char *system = error == 0 ? sqlite3_errstr(code) : strerror(error);

    switch (code & 0xff) {
    case SQLITE_INTERRUPT:
        return tac_fail(ctx, TACIT_E_CANCELLED, "interrupted while working on the ledger %s", path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        if (is_cancelled(ledger))
            return tac_fail(ctx, TACIT_E_CANCELLED, "interrupted while waiting for the ledger %s",
                            path);
        return tac_fail(ctx, TACIT_E_LEDGER,
                        "the ledger %s is in use by another process; try again when it has ended",
                        path);
    case SQLITE_NOMEM:
        return tac_fail(ctx, TACIT_E_MEMORY, "out of memory while working on the ledger %s", path);
    case SQLITE_NOTADB:
        return tac_fail(ctx, TACIT_E_LEDGER,
                        "%s is not a tacit ledger; name the file that `tacit ledger init` made",
                        path);
    case SQLITE_FULL:
        return tac_fail(ctx, TACIT_E_WRITE,
                        "no room on the disk for the ledger %s; free some space", path);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return tac_fail(ctx, TACIT_E_WRITE,
                        "the ledger %s cannot be written; allow writing to the file and to its "
                        "folder",
                        path);
    case SQLITE_CANTOPEN:
        return tac_fail(ctx, TACIT_E_LEDGER,
                        "the ledger %s cannot be opened: %s; allow reading and writing of the file "
                        "and its folder",
                        path, system);
    case SQLITE_IOERR:
        return tac_fail(ctx, TACIT_E_WRITE,
                        "reading or writing the ledger %s failed: %s; check the disk", path,
                        system);
    default: /* CORRUPT, a schema that does not parse, a check or trigger that fired */
        return tac_ledger_fail_damaged(ctx, ledger, sqlite3_errstr(code));
    }
}

/* Opens an existing file with every defense on: no schema code with extra rights, no memory map,
   full flushes. Nothing is verified yet. */
tacit_status tac_ledger_connect(tacit_ctx *ctx, const char *path, int64_t patience,
                                tacit_ledger **out)
{
    tacit_status status = TACIT_OK;
    tacit_ledger *ledger = NULL;
    char *plain = NULL;
    const size_t length = strlen(path);

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *ledger, &ledger));
    ledger->owner = getpid();
    ledger->patience = patience;
    TAC_TRY(tac_ledger_enter(ctx, ledger, false));
    ledger->path = tac_strdup(ctx, path);
    if (ledger->path == NULL) {
        status = TACIT_E_MEMORY;
        goto done;
    }
    /* "file:..." and ":memory:" mean something to SQLite; behind "./" they are names like any
       other. */
    TAC_TRY(tac_new(ctx, length + 3, 1, &plain));
    snprintf(plain, length + 3, "%s%s", path[0] == '/' ? "" : "./", path);

    /* Never SQLITE_OPEN_CREATE: a missing ledger is an error, not a fresh budget. */
    int code =
        sqlite3_open_v2(plain, &ledger->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK) {
        sqlite3_extended_result_codes(ledger->db, 1);
        sqlite3_busy_handler(ledger->db, wait_for_lock, ledger);
        sqlite3_progress_handler(ledger->db, STEPS_PER_CHECK, stop_if_cancelled, ledger);
        sqlite3_limit(ledger->db, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
        /* Nothing written in the file's own schema may run with more rights than plain SQL. */
        code = sqlite3_db_config(ledger->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    }
    if (code == SQLITE_OK) code = sqlite3_db_config(ledger->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (code != SQLITE_OK) {
        status = tac_ledger_fail_sql(ctx, ledger, code);
        goto done;
    }
    /* EXTRA also flushes the folder after the journal is deleted, which is the moment of commit:
       without it a power cut could bring the journal back and undo a reservation that was already
       granted. */
    TAC_TRY(tac_ledger_exec(ctx, ledger, "PRAGMA synchronous = EXTRA"));
    TAC_TRY(tac_ledger_exec(ctx, ledger, "PRAGMA cell_size_check = ON"));
    /* a truncated file must not raise SIGBUS */
    TAC_TRY(tac_ledger_exec(ctx, ledger, "PRAGMA mmap_size = 0"));
    *out = ledger;
    ledger = NULL;
done:
    tac_free(plain);
    tacit_ledger_free(ledger);
    return status;
}

/* A forked child is refused: SQLite's locks belong to the process that opened the file. */
tacit_status tac_ledger_enter(tacit_ctx *ctx, tacit_ledger *ledger, bool closing)
{
    if (ledger->owner != getpid())
        return tac_fail(ctx, TACIT_E_LEDGER,
                        "the ledger %s was opened before a fork; a child process must open it "
                        "itself",
                        ledger->path);
    ledger->ctx = ctx;
    ledger->closing = closing;
    ledger->started = now_ms();
    tac_ledger_rollback(ledger); /* of an earlier call whose rollback failed */
    return TACIT_OK;
}

tacit_status tac_ledger_exec(tacit_ctx *ctx, tacit_ledger *ledger, const char *sql)
{
    const int code = sqlite3_exec(ledger->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? TACIT_OK : tac_ledger_fail_sql(ctx, ledger, code);
}

tacit_status tac_ledger_prepare(tacit_ctx *ctx, tacit_ledger *ledger, const char *sql,
                                sqlite3_stmt **out)
{
    const int code = sqlite3_prepare_v2(ledger->db, sql, -1, out, NULL);
    return code == SQLITE_OK ? TACIT_OK : tac_ledger_fail_sql(ctx, ledger, code);
}

tacit_status tac_ledger_step(tacit_ctx *ctx, tacit_ledger *ledger, sqlite3_stmt *statement,
                             bool *row)
{
    const int code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? TACIT_OK
                                                     : tac_ledger_fail_sql(ctx, ledger, code);
}

void tac_ledger_rollback(tacit_ledger *ledger)
{
    /* A failed rollback leaves a journal that the next opening plays back: nothing to report
       here. */
    if (ledger->db != NULL && !sqlite3_get_autocommit(ledger->db))
        sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
}
