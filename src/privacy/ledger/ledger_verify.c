/* SPDX-License-Identifier: Apache-2.0 */
/* The checks of an opening: whose file it is, its format, its tables and triggers, its pages, its
   budget, its chain. */
#include "privacy/ledger/ledger_internal.h"

#include <string.h>

/* Every object of the file's schema must be, letter by letter, one of ours, and all of ours must
   be there. */
static tacit_status check_schema(tacit_ctx *ctx, tacit_ledger *ledger, int format)
{
    tacit_status status = TACIT_OK;
    sqlite3_stmt *query = NULL;
    size_t objects = 0;
    bool row = true;

    /* Names are unique in a schema, so as many known texts as there should be means: all of them,
       nothing else. */
    TAC_TRY(tac_ledger_prepare(
        ctx, ledger, "SELECT sql FROM sqlite_schema WHERE name <> 'sqlite_sequence'", &query));
    for (;;) {
        TAC_TRY(tac_ledger_step(ctx, ledger, query, &row));
        if (!row) break;
        const char *text = (const char *)sqlite3_column_text(query, 0);
        size_t i = 0;
        while (text != NULL && i < tac_ledger_schema_count &&
               strcmp(text, tac_ledger_schema(format, i)) != 0)
            i++;
        if (text == NULL || i == tac_ledger_schema_count) {
            status = tac_row_fail(ctx, ledger, "its tables or triggers were changed");
            goto done;
        }
        objects++;
    }
    if (objects != tac_ledger_schema_count)
        status = tac_ledger_fail_damaged(ctx, ledger, "its tables or triggers were changed");
done:
    sqlite3_finalize(query);
    return status;
}

/* Fills ledger->meta and starts the chain with its hash. What it says is believed only after the
   chain was followed. */
static tacit_status read_meta(tacit_ctx *ctx, tacit_ledger *ledger, int known)
{
    tacit_status status = TACIT_OK;
    sqlite3_stmt *query = NULL;
    tac_ledger_meta *meta = &ledger->meta;
    char definition[TAC_LEDGER_TEXT], relation[TAC_LEDGER_TEXT];
    uint64_t format = 0;
    bool row = false;

    TAC_TRY(tac_ledger_prepare(ctx, ledger,
                               known == TAC_LEDGER_FORMAT ? "SELECT format, dataset, epsilon, "
                                                            "delta, notion, units, key, unit, "
                                                            "neighbours, declaration FROM meta"
                                                          : "SELECT format, dataset, epsilon, "
                                                            "delta, notion, units, key, unit, "
                                                            "neighbours FROM meta",
                               &query));
    TAC_TRY(tac_ledger_step(ctx, ledger, query, &row));
    if (!row || !tac_row_units(query, 0, &format) || format != (uint64_t)known ||
        !tac_row_text(query, 1, meta->dataset) || !tac_row_double(query, 2, &meta->epsilon) ||
        !tac_row_double(query, 3, &meta->delta) || !tac_row_text(query, 4, definition) ||
        !tac_row_units(query, 5, &meta->quanta) ||
        !tac_row_blob(query, 6, meta->key, sizeof meta->key) ||
        !tac_row_text(query, 7, meta->unit) || !tac_row_text(query, 8, relation)) {
        status = tac_row_fail(ctx, ledger, "its budget cannot be read");
        goto done;
    }
    meta->definition = strcmp(definition, "pure") == 0 ? TAC_PURE : TAC_GDP;
    if (known == TAC_LEDGER_FORMAT)
        TAC_TRY(tac_row_long_text(ctx, ledger, query, 9, &meta->declaration));
    meta->format = known;
    while (meta->neighbors < TACIT_ENTRY &&
           strcmp(relation, tac_ledger_relations[meta->neighbors]) != 0)
        meta->neighbors++;
    tac_ledger_hash_meta(meta, ledger->state.hash);
done:
    sqlite3_finalize(query);
    return status;
}

/* The declaration, read, and as the rest of meta has it. After the chain: only then is it the text
   that was written. */
static tacit_status read_declaration(tacit_ctx *ctx, tacit_ledger *ledger)
{
    tacit_status status = TACIT_OK;
    const tac_ledger_meta *meta = &ledger->meta;
    char *text = NULL;

    if (meta->format != TAC_LEDGER_FORMAT) return TACIT_OK;
    text = tac_strdup(ctx, meta->declaration);
    if (text == NULL) return TACIT_E_MEMORY;
    status = tac_declaration_read_text(ctx, ledger->path, text, strlen(text), &ledger->declaration);
    if (status == TACIT_E_MEMORY) goto done;
    const tacit_declaration *d = ledger->declaration;
    if (status != TACIT_OK || !d->bound || d->neighbors != meta->neighbors ||
        strcmp(d->unit < 0 ? "" : d->field[d->unit].name, meta->unit) != 0)
        status = tac_ledger_fail_damaged(ctx, ledger, "its declaration is not one");
done:
    tac_free(text);
    return status;
}

/* What to type, where an earlier tacit made the ledger. */
static tacit_status fail_old(tacit_ctx *ctx, const tacit_ledger *ledger)
{
    const size_t length = strlen(ledger->path), ending = strlen(".ledger");
    const int data = (int)(length > ending && strcmp(ledger->path + length - ending, ".ledger") == 0
                               ? length - ending
                               : length);

    return tac_fail(ctx, TACIT_E_LEDGER,
                    "the ledger %s is of an earlier version, which did not declare what the data "
                    "set is; make one that does and takes over what was spent: tacit declare %.*s "
                    "-o %.*s.schema.json, fill it in, then tacit ledger init %.*s --epsilon E "
                    "--carry %s --as-owner",
                    ledger->path, data, ledger->path, data, ledger->path, data, ledger->path,
                    ledger->path);
}

/* In the order in which each check makes the next one safe: application, format, journal mode,
   schema, pages, meta, chain, declaration. */
tacit_status tac_ledger_verify(tacit_ctx *ctx, tacit_ledger *ledger, bool old)
{
    tacit_status status = TACIT_OK;
    char text[TAC_LEDGER_TEXT] = "";
    int64_t number = 0;

    /* First whose file it is; only then may anything be changed in it, such as the journal mode. */
    TAC_TRY(tac_ledger_ask_integer(ctx, ledger, "PRAGMA application_id", &number));
    if (number != TAC_LEDGER_APPLICATION) {
        status = tac_ledger_fail_sql(ctx, ledger, SQLITE_NOTADB);
        goto done;
    }
    TAC_TRY(tac_ledger_ask_integer(ctx, ledger, "PRAGMA user_version", &number));
    const bool before = number == TAC_LEDGER_FORMAT_ROWS || number == TAC_LEDGER_FORMAT_ENTRY;
    const int format = (int)number;
    if (before && !old) TAC_TRY(fail_old(ctx, ledger));
    if (!before && number != TAC_LEDGER_FORMAT) {
        status = tac_fail(ctx, TACIT_E_LEDGER,
                          "the ledger %s has format %lld, this tacit %s knows format %d; use the "
                          "tacit that made it or a newer one",
                          ledger->path, (long long)number, TACIT_VERSION, TAC_LEDGER_FORMAT);
        goto done;
    }
    /* Write-ahead logging would keep the newest entries in a second file that copies forget. */
    TAC_TRY(tac_ledger_ask_text(ctx, ledger, "PRAGMA journal_mode = DELETE", text));
    if (strcmp(text, "delete") != 0) {
        status = tac_ledger_fail_damaged(ctx, ledger, "its journal mode was changed");
        goto done;
    }
    TAC_TRY(tac_ledger_exec(ctx, ledger, "BEGIN"));
    TAC_TRY(check_schema(ctx, ledger, format));
    TAC_TRY(tac_ledger_ask_text(ctx, ledger, "PRAGMA integrity_check(1)", text));
    if (strcmp(text, "ok") != 0) {
        status = tac_ledger_fail_damaged(ctx, ledger, "its pages do not fit together");
        goto done;
    }
    TAC_TRY(read_meta(ctx, ledger, format));
    TAC_TRY(tac_ledger_catch_up(ctx, ledger, &ledger->state));
    TAC_TRY(read_declaration(ctx, ledger));
    TAC_TRY(tac_ledger_exec(ctx, ledger, "COMMIT"));
done:
    if (status != TACIT_OK) tac_ledger_rollback(ledger);
    return status;
}
