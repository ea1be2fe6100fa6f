/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the entries: nothing is believed before it was checked. Every sum the ledger acts on
   comes from here, entry by entry, through the same rules that every new entry has to pass. */
#include "privacy/ledger/ledger_internal.h"

#include <string.h>

#define COLUMNS "seq, run, kind, units, epsilon, delta, what, time, version, previous, hash"

/* Reads every entry of the run: at most two, the trigger entries_order allows no more. */
tacit_status tac_ledger_find_run(tacit_ctx *ctx, tacit_ledger *ledger, const uint8_t run[16],
                                 uint64_t until, tac_entry *entry, bool *found, bool *closed)
{
    tacit_status status = TACIT_OK;
    sqlite3_stmt *query = NULL;
    bool row = true;
    tac_entry seen;

    *found = *closed = false;
    /* Goes through the index entries_run; integrity_check compared it with the table when the
       ledger was opened. */
    TAC_TRY(tac_ledger_prepare(
        ctx, ledger, "SELECT " COLUMNS " FROM entries WHERE run = ?1 AND seq <= ?2", &query));
    int code = sqlite3_bind_blob(query, 1, run, 16, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(query, 2, (int64_t)until);
    if (code != SQLITE_OK) {
        /* an unbound run would look like one that never was */
        status = tac_ledger_fail_sql(ctx, ledger, code);
        goto done;
    }
    for (;;) {
        TAC_TRY(tac_ledger_step(ctx, ledger, query, &row));
        if (!row) break;
        if (!tac_row_entry(query, &seen)) {
            status = tac_row_fail(ctx, ledger, "an entry cannot be read");
            goto done;
        }
        if (seen.kind == TAC_ENTRY_RESERVE) {
            *found = true;
            *entry = seen;
        } else if (seen.kind != TAC_ENTRY_OPEN) {
            *closed = true;
        }
    }
done:
    sqlite3_finalize(query);
    return status;
}

/* The rules an entry must keep to follow *state. TACIT_OK: *state now includes it. This is where
   the sum comes from: spent' = spent + quanta (reserve, carry), spent - quanta (void of an open
   run), spent (otherwise). */
tacit_status tac_ledger_follow(tacit_ctx *ctx, tacit_ledger *ledger, const tac_entry *entry,
                               tac_ledger_state *state)
{
    tacit_status status = TACIT_OK;
    const char *problem = NULL;
    const uint64_t budget = ledger->meta.quanta;
    uint8_t hash[TAC_LEDGER_HASH];
    tac_entry reserve;
    bool found = false, closed = false;

    tac_ledger_hash_entry(&ledger->meta, entry, hash);
    if (entry->sequence != state->sequence + 1)
        problem = "an entry is missing";
    else if (memcmp(entry->previous, state->hash, sizeof hash) != 0 ||
             memcmp(entry->hash, hash, sizeof hash) != 0)
        problem = "its hash chain is broken, so an entry was changed";
    else if ((entry->kind == TAC_ENTRY_OPEN) != (entry->sequence == 1))
        problem = "it does not begin with its budget";
    else if (entry->kind == TAC_ENTRY_OPEN && entry->quanta != budget)
        problem = "it names two different budgets";
    else if (entry->kind == TAC_ENTRY_RESERVE &&
             (entry->quanta == 0 || entry->quanta > budget - state->spent))
        problem = "more than its budget is reserved";
    else if (entry->kind == TAC_ENTRY_CARRY &&
             (entry->sequence != 2 || entry->quanta == 0 || entry->quanta > budget))
        problem = "what was carried over is not where it must be";
    else if (entry->kind == TAC_ENTRY_OWNER && entry->quanta != 0)
        problem = "a note of the owner spends";
    else if (entry->kind == TAC_ENTRY_COMMIT || entry->kind == TAC_ENTRY_VOID) {
        TAC_TRY(tac_ledger_find_run(ctx, ledger, entry->run, state->sequence, &reserve, &found,
                                    &closed));
        if (!found || closed ||
            entry->quanta != (entry->kind == TAC_ENTRY_VOID ? reserve.quanta : 0))
            problem = "an entry closes a run that is not open";
    }
    if (problem != NULL) {
        status = tac_ledger_fail_damaged(ctx, ledger, problem);
        goto done;
    }
    if (entry->kind == TAC_ENTRY_RESERVE) {
        state->spent += entry->quanta;
        state->runs++;
    } else if (entry->kind == TAC_ENTRY_CARRY) {
        state->spent += entry->quanta; /* nothing was spent before it: it is the second entry */
    } else if (entry->kind == TAC_ENTRY_VOID) {
        /* its reservation was added before and nothing else took it out */
        state->spent -= entry->quanta;
        state->runs--;
    }
    state->sequence = entry->sequence;
    memcpy(state->hash, hash, sizeof hash);
done:
    return status;
}

tacit_status tac_ledger_prepare_next(tacit_ctx *ctx, tacit_ledger *ledger, sqlite3_stmt **out)
{
    return tac_ledger_prepare(
        ctx, ledger, "SELECT " COLUMNS " FROM entries WHERE seq > ?1 ORDER BY seq LIMIT 1", out);
}

/* One entry after *state, read and checked; `after` comes from tac_ledger_prepare_next. */
tacit_status tac_ledger_next(tacit_ctx *ctx, tacit_ledger *ledger, sqlite3_stmt *after,
                             tac_ledger_state *state, tac_entry *entry, bool *found)
{
    tacit_status status = TACIT_OK;

    *found = false;
    sqlite3_bind_int64(after, 1, (int64_t)state->sequence);
    TAC_TRY(tac_ledger_step(ctx, ledger, after, found));
    if (!*found) goto done;
    if (!tac_row_entry(after, entry)) {
        status = tac_row_fail(ctx, ledger, "an entry cannot be read");
        goto done;
    }
    TAC_TRY(tac_ledger_follow(ctx, ledger, entry, state));
done:
    sqlite3_reset(after); /* lets go of the read lock when no transaction is open */
    return status;
}

/* From *state to the newest entry, which must be the one that SQLite's own counter names: so
   lost entries at the end are noticed. *state changes only on success. */
tacit_status tac_ledger_catch_up(tacit_ctx *ctx, tacit_ledger *ledger, tac_ledger_state *state)
{
    tacit_status status = TACIT_OK;
    sqlite3_stmt *after = NULL;
    tac_ledger_state now = *state;
    tac_entry entry;
    bool found = true;
    int64_t last = 0;

    TAC_TRY(tac_ledger_prepare_next(ctx, ledger, &after));
    if (now.sequence > 0) {
        /* The entry we stood on must still be there: an older copy put in its place would not have
           it. */
        sqlite3_bind_int64(after, 1, (int64_t)now.sequence - 1);
        TAC_TRY(tac_ledger_step(ctx, ledger, after, &found));
        if (!found || !tac_row_entry(after, &entry) || entry.sequence != now.sequence ||
            memcmp(entry.hash, now.hash, sizeof now.hash) != 0) {
            status = tac_row_fail(ctx, ledger, "it was replaced by another copy while in use");
            goto done;
        }
        sqlite3_reset(after);
    }
    while (found) TAC_TRY(tac_ledger_next(ctx, ledger, after, &now, &entry, &found));
    TAC_TRY(tac_ledger_ask_integer(
        ctx, ledger, "SELECT seq FROM sqlite_sequence WHERE name = 'entries'", &last));
    if (now.sequence == 0 || last < 0 || (uint64_t)last != now.sequence) {
        status = tac_ledger_fail_damaged(ctx, ledger, "its newest entries are missing");
        goto done;
    }
    *state = now;
done:
    sqlite3_finalize(after);
    return status;
}
