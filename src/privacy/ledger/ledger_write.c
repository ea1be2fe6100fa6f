/* SPDX-License-Identifier: Apache-2.0 */
/* Adding one entry, inside a transaction that the caller began and will commit. */
#include "privacy/ledger/ledger_internal.h"

#include <string.h>
#include <time.h>

/* ISO 8601, to the second. For the reader of the history; no rule depends on it. */
static bool utc_now(char out[TAC_LEDGER_TEXT])
{
    const time_t now = time(NULL);
    struct tm parts;

    return gmtime_r(&now, &parts) != NULL &&
           strftime(out, TAC_LEDGER_TEXT, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0;
}

/* Completes *entry, checks it by the rules of reading, inserts it, and advances *state; nothing
   is durable until the caller commits. */
tacit_status tac_ledger_append(tacit_ctx *ctx, tacit_ledger *ledger, tac_entry *entry,
                               tac_ledger_state *state)
{
    tacit_status status = TACIT_OK;
    sqlite3_stmt *insert = NULL;
    tac_ledger_state next = *state;
    bool row = false;

    entry->sequence = state->sequence + 1;
    if (!utc_now(entry->time)) {
        status = tac_fail(ctx, TACIT_E_SYSTEM,
                          "the clock cannot be read for an entry in the ledger %s", ledger->path);
        goto done;
    }
    tac_ledger_set_text(entry->version, TACIT_VERSION);
    /* SQLite does not keep the sign of zero, so the hash must not see it. */
    if (entry->delta == 0) entry->delta = 0;
    memcpy(entry->previous, state->hash, sizeof entry->previous);
    tac_ledger_hash_entry(&ledger->meta, entry, entry->hash);
    /* What a reader would refuse is not written. */
    TAC_TRY(tac_ledger_follow(ctx, ledger, entry, &next));

    TAC_TRY(tac_ledger_prepare(ctx, ledger,
                               "INSERT INTO entries (seq, run, kind, units, epsilon, delta, what, "
                               "time, version, previous, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, "
                               "?8, ?9, ?10, ?11)",
                               &insert));
    int code = sqlite3_bind_int64(insert, 1, (int64_t)entry->sequence);
    if (code == SQLITE_OK)
        code = sqlite3_bind_blob(insert, 2, entry->run, sizeof entry->run, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(insert, 3, tac_entry_kinds[entry->kind], -1, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(insert, 4, (int64_t)entry->quanta);
    if (code == SQLITE_OK) code = sqlite3_bind_double(insert, 5, entry->epsilon);
    if (code == SQLITE_OK) code = sqlite3_bind_double(insert, 6, entry->delta);
    if (code == SQLITE_OK) code = sqlite3_bind_text(insert, 7, entry->what, -1, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_text(insert, 8, entry->time, -1, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_text(insert, 9, entry->version, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code =
            sqlite3_bind_blob(insert, 10, entry->previous, sizeof entry->previous, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_bind_blob(insert, 11, entry->hash, sizeof entry->hash, SQLITE_STATIC);
    if (code != SQLITE_OK) {
        status = tac_ledger_fail_sql(ctx, ledger, code);
        goto done;
    }
    TAC_TRY(tac_ledger_step(ctx, ledger, insert, &row));
    *state = next;
done:
    sqlite3_finalize(insert);
    return status;
}
