/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a ledger file. The text is compared with the file's at every open, so a dropped
   trigger or a loosened check is found; change it only together with TAC_LEDGER_FORMAT. Formats 1
   and 2 differ in which neighbors there can be; format 3 has a declaration and two more kinds of
   entries. */
#include "privacy/ledger/ledger_internal.h"

/* Written the way SQLite stores it: no comments, no closing semicolon.
   - AUTOINCREMENT keeps the last sequence in a second place, so losing the newest entries alone is
     noticed.
   - entries_order says once more what ledger_read.c demands: no gap, one reservation per run,
     closed at most once. It and meta_once also stop INSERT OR REPLACE, which deletes without firing
     delete triggers. */
#define META(relations, more)                                                                      \
    "CREATE TABLE meta ("                                                                          \
    "id INTEGER PRIMARY KEY CHECK (id = 1), "                                                      \
    "format INTEGER NOT NULL, "                                                                    \
    "dataset TEXT NOT NULL, "                                                                      \
    "epsilon REAL NOT NULL, "                                                                      \
    "delta REAL NOT NULL, "                                                                        \
    "notion TEXT NOT NULL CHECK (notion IN ('pure', 'gdp')), "                                     \
    "units INTEGER NOT NULL CHECK (units > 0), "                                                   \
    "unit TEXT NOT NULL, "                                                                         \
    "neighbours TEXT NOT NULL CHECK (neighbours IN (" relations ")), " more                        \
    "key BLOB NOT NULL CHECK (length(key) = 32)) STRICT"

static const char meta_of_entries[] = META("'entry'", "");
static const char meta_of_rows[] = META("'add-remove', 'replace'", "");

#define ENTRIES(kinds, free)                                                                       \
    "CREATE TABLE entries ("                                                                       \
    "seq INTEGER PRIMARY KEY AUTOINCREMENT CHECK (seq > 0), "                                      \
    "run BLOB NOT NULL CHECK (length(run) = 16), "                                                 \
    "kind TEXT NOT NULL CHECK (kind IN (" kinds ")), "                                             \
    "units INTEGER NOT NULL CHECK (units > 0 OR (units = 0 AND " free ")), "                       \
    "epsilon REAL NOT NULL, "                                                                      \
    "delta REAL NOT NULL, "                                                                        \
    "what TEXT NOT NULL, "                                                                         \
    "time TEXT NOT NULL, "                                                                         \
    "version TEXT NOT NULL, "                                                                      \
    "previous BLOB NOT NULL CHECK (length(previous) = 32), "                                       \
    "hash BLOB NOT NULL CHECK (length(hash) = 32)) STRICT"

static const char old_entries[] = ENTRIES("'open', 'reserve', 'commit', 'void'", "kind = 'commit'");

static const char *const schema[] = {
    META("'add-remove', 'replace', 'entry'", "declaration TEXT NOT NULL, "),
    ENTRIES("'open', 'reserve', 'commit', 'void', 'owner', 'carry'", "kind IN ('commit', 'owner')"),

    "CREATE UNIQUE INDEX entries_run ON entries (run, kind)",

    "CREATE TRIGGER meta_no_update BEFORE UPDATE ON meta BEGIN SELECT RAISE(ABORT, 'a ledger is "
    "never changed'); END",
    "CREATE TRIGGER meta_no_delete BEFORE DELETE ON meta BEGIN SELECT RAISE(ABORT, 'a ledger is "
    "never changed'); END",
    "CREATE TRIGGER meta_once BEFORE INSERT ON meta WHEN (SELECT count(*) FROM meta) > 0 BEGIN "
    "SELECT RAISE(ABORT, 'a ledger has one budget'); END",
    "CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'a ledger "
    "is only ever appended to'); END",
    "CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'a ledger "
    "is only ever appended to'); END",
    "CREATE TRIGGER entries_order BEFORE INSERT ON entries WHEN NEW.seq <> (SELECT "
    "coalesce(max(seq), 0) + 1 FROM entries) OR (SELECT count(*) FROM entries WHERE run = NEW.run) "
    "<> (NEW.kind IN ('commit', 'void')) BEGIN SELECT RAISE(ABORT, 'a ledger is only ever appended "
    "to'); END",
};
const size_t tac_ledger_schema_count = sizeof schema / sizeof schema[0];

const char *tac_ledger_schema(int format, size_t i)
{
    if (i == 0 && format != TAC_LEDGER_FORMAT)
        return format == TAC_LEDGER_FORMAT_ENTRY ? meta_of_entries : meta_of_rows;
    return i == 1 && format != TAC_LEDGER_FORMAT ? old_entries : schema[i];
}

const char *const tac_ledger_relations[3] = {"add-remove", "replace", "entry"};
const char *const tac_entry_kinds[TAC_ENTRY_KINDS] = {"open", "reserve", "commit",
                                                      "void", "owner",   "carry"};
