/* SPDX-License-Identifier: Apache-2.0 */
/* From an SQLite row to C: exact type and length, or the ledger is damaged. */
#include "privacy/ledger/ledger_internal.h"

#include <math.h>
#include <string.h>

bool tac_row_blob(sqlite3_stmt *row, int column, uint8_t *out, size_t length)
{
    if (sqlite3_column_type(row, column) != SQLITE_BLOB) return false;
    const void *bytes = sqlite3_column_blob(row, column);
    if (bytes == NULL || (size_t)sqlite3_column_bytes(row, column) != length) return false;
    memcpy(out, bytes, length);
    return true;
}

/* A text with a zero byte inside is refused: C would read less than was hashed. */
bool tac_row_text(sqlite3_stmt *row, int column, char out[TAC_LEDGER_TEXT])
{
    if (sqlite3_column_type(row, column) != SQLITE_TEXT) return false;
    const void *text = sqlite3_column_text(row, column);
    const size_t length = (size_t)sqlite3_column_bytes(row, column);
    if (text == NULL || length >= TAC_LEDGER_TEXT || memchr(text, 0, length) != NULL) return false;
    memcpy(out, text, length);
    out[length] = '\0';
    return true;
}

/* A text of any length, new; the connection's limit keeps a damaged length from asking for
   gigabytes. */
tacit_status tac_row_long_text(tacit_ctx *ctx, const tacit_ledger *ledger, sqlite3_stmt *row,
                               int column, char **out)
{
    const bool is_text = sqlite3_column_type(row, column) == SQLITE_TEXT;
    const void *text = is_text ? sqlite3_column_text(row, column) : NULL;
    const size_t length = text == NULL ? 0 : (size_t)sqlite3_column_bytes(row, column);

    *out = NULL;
    if (text == NULL || memchr(text, 0, length) != NULL)
        return tac_row_fail(ctx, ledger, "its declaration cannot be read");
    const tacit_status status = tac_new(ctx, length + 1, 1, out);
    if (status == TACIT_OK) memcpy(*out, text, length);
    return status;
}

bool tac_row_units(sqlite3_stmt *row, int column, uint64_t *out)
{
    if (sqlite3_column_type(row, column) != SQLITE_INTEGER) return false;
    const int64_t value = sqlite3_column_int64(row, column);
    if (value < 0) return false;
    *out = (uint64_t)value;
    return true;
}

bool tac_row_double(sqlite3_stmt *row, int column, double *out)
{
    if (sqlite3_column_type(row, column) != SQLITE_FLOAT) return false;
    *out = sqlite3_column_double(row, column);
    return isfinite(*out) != 0;
}

/* Strict: a column of another type or length, or an unknown kind, makes the entry unreadable. */
bool tac_row_entry(sqlite3_stmt *row, tac_entry *out)
{
    char kind[TAC_LEDGER_TEXT];
    int number = 0;

    memset(out, 0, sizeof *out);
    if (!tac_row_units(row, 0, &out->sequence) ||
        !tac_row_blob(row, 1, out->run, sizeof out->run) || !tac_row_text(row, 2, kind) ||
        !tac_row_units(row, 3, &out->quanta) || !tac_row_double(row, 4, &out->epsilon) ||
        !tac_row_double(row, 5, &out->delta) || !tac_row_text(row, 6, out->what) ||
        !tac_row_text(row, 7, out->time) || !tac_row_text(row, 8, out->version) ||
        !tac_row_blob(row, 9, out->previous, sizeof out->previous) ||
        !tac_row_blob(row, 10, out->hash, sizeof out->hash))
        return false;
    while (number < TAC_ENTRY_KINDS && strcmp(kind, tac_entry_kinds[number]) != 0) number++;
    out->kind = (tac_entry_kind)number;
    return number < TAC_ENTRY_KINDS;
}

/* SQLite may have run out of memory in a column call; only then is a bad value not the file's
   fault. */
tacit_status tac_row_fail(tacit_ctx *ctx, const tacit_ledger *ledger, const char *what)
{
    if (sqlite3_errcode(ledger->db) == SQLITE_NOMEM)
        return tac_ledger_fail_sql(ctx, ledger, SQLITE_NOMEM);
    return tac_ledger_fail_damaged(ctx, ledger, what);
}

/* For pragmas and bookkeeping: no answer, or one of another type, is damage. */
tacit_status tac_ledger_ask_integer(tacit_ctx *ctx, tacit_ledger *ledger, const char *sql,
                                    int64_t *out)
{
    tacit_status status = TACIT_OK;
    sqlite3_stmt *query = NULL;
    bool row = false;

    TAC_TRY(tac_ledger_prepare(ctx, ledger, sql, &query));
    TAC_TRY(tac_ledger_step(ctx, ledger, query, &row));
    if (!row || sqlite3_column_type(query, 0) != SQLITE_INTEGER)
        status = tac_row_fail(ctx, ledger, "its bookkeeping of entries is gone");
    else
        *out = sqlite3_column_int64(query, 0);
done:
    sqlite3_finalize(query);
    return status;
}

tacit_status tac_ledger_ask_text(tacit_ctx *ctx, tacit_ledger *ledger, const char *sql,
                                 char out[TAC_LEDGER_TEXT])
{
    tacit_status status = TACIT_OK;
    sqlite3_stmt *query = NULL;
    bool row = false;

    TAC_TRY(tac_ledger_prepare(ctx, ledger, sql, &query));
    TAC_TRY(tac_ledger_step(ctx, ledger, query, &row));
    if (!row || !tac_row_text(query, 0, out))
        status = tac_row_fail(ctx, ledger, "SQLite cannot make sense of it");
done:
    sqlite3_finalize(query);
    return status;
}
