/* SPDX-License-Identifier: Apache-2.0 */
/* What the ledger's own files share: entries, the running state, the handle. Nobody else includes
   this. */
#ifndef TAC_LEDGER_INTERNAL_H
#define TAC_LEDGER_INTERNAL_H

#include "privacy/ledger/ledger.h"

#include <sqlite3.h>
#include <sys/types.h>

/* user_version of the file and part of the chain. Formats 1 (rows and persons) and 2 (single
   entries) declare nothing: they are read only to carry over what they have spent. */
#define TAC_LEDGER_FORMAT 3
#define TAC_LEDGER_FORMAT_ROWS 1
#define TAC_LEDGER_FORMAT_ENTRY 2
#define TAC_LEDGER_APPLICATION 0x74616374 /* application_id: "tact" */
#define TAC_LEDGER_HASH 32
#define TAC_LEDGER_TEXT 256 /* longest text in an entry, with its end */

typedef enum tac_entry_kind {
    TAC_ENTRY_OPEN = 0, /* the first entry: the budget; run is the ledger's own random name */
    TAC_ENTRY_RESERVE = 1,
    TAC_ENTRY_COMMIT = 2, /* closes a run; its quanta stay spent */
    TAC_ENTRY_VOID = 3,   /* closes a run that read no row; gives its quanta back */
    /* the owner looks at rows without paying: nothing is spent, but it is seen */
    TAC_ENTRY_OWNER = 4,
    /* the second entry, if any: what an earlier ledger of the data set had spent */
    TAC_ENTRY_CARRY = 5
} tac_entry_kind;
#define TAC_ENTRY_KINDS 6

/* The one row of `meta`: never changed after creation. */
typedef struct tac_ledger_meta {
    int format;
    char dataset[TAC_LEDGER_TEXT];
    double epsilon, delta;
    tac_definition definition; /* TAC_PURE or TAC_GDP */
    uint64_t quanta;           /* the budget, 1 .. INT64_MAX */
    /* the column that names a person; "": the budget is about single rows */
    char unit[TAC_LEDGER_TEXT];
    tacit_neighbors neighbors;
    /* what the data set is, canonical JSON; NULL in formats before 3 */
    char *declaration;
    uint8_t key[TAC_LEDGER_HASH]; /* of the chain; stored in the open, see ledger_chain.c */
} tac_ledger_meta;

/* One row of `entries`, as read or about to be written. */
typedef struct tac_entry {
    uint64_t sequence; /* 1, 2, 3, ... without a gap */
    uint8_t run[16];
    tac_entry_kind kind;
    /* open: the budget; reserve, carry: taken; commit, owner: 0; void: given back */
    uint64_t quanta;
    double epsilon, delta;
    char what[TAC_LEDGER_TEXT], time[TAC_LEDGER_TEXT], version[TAC_LEDGER_TEXT];
    uint8_t previous[TAC_LEDGER_HASH], hash[TAC_LEDGER_HASH];
} tac_entry;

/* What all entries up to `sequence` say together. Sequence 0: nothing read yet, hash is that of
   meta. */
typedef struct tac_ledger_state {
    uint64_t sequence;
    uint8_t hash[TAC_LEDGER_HASH];
    uint64_t spent; /* reserves minus voided reserves, <= budget always */
    int64_t runs;   /* reserves that were not voided */
} tac_ledger_state;

/* The handle: one connection of one process, used by one thread at a time. */
struct tacit_ledger {
    sqlite3 *db;
    char *path;                     /* as the caller wrote it, for sentences */
    tac_ledger_meta meta;           /* its text is the handle's */
    tacit_declaration *declaration; /* meta's, read; NULL in formats before 3 */
    tac_ledger_state state;         /* verified so far; never ahead of what is committed */
    pid_t owner;                    /* SQLite's locks do not survive a fork */
    int64_t patience;               /* milliseconds to wait for another process's lock */

    /* of the call under way */
    const tacit_ctx *ctx;
    int64_t started;
    bool closing; /* commit or void: must work after a cancellation */
};

/* ledger_schema.c */
/* the i-th text, i < tac_ledger_schema_count */
const char *tac_ledger_schema(int format, size_t i);
extern const size_t tac_ledger_schema_count;
extern const char *const tac_ledger_relations[3]; /* by tacit_neighbors */
extern const char *const tac_entry_kinds[TAC_ENTRY_KINDS];

/* ledger_chain.c: hashes over an unambiguous encoding of every field. */
void tac_ledger_hash_meta(const tac_ledger_meta *meta, uint8_t hash[TAC_LEDGER_HASH]);
void tac_ledger_hash_entry(const tac_ledger_meta *meta, const tac_entry *entry,
                           uint8_t hash[TAC_LEDGER_HASH]);
/* Copy text into an entry's field, cut at the end of a whole character. */
void tac_ledger_set_text(char out[TAC_LEDGER_TEXT], const char *text);

/* ledger_sql.c: one SQLite connection, its lock, its errors as sentences. */
tacit_status tac_ledger_connect(tacit_ctx *ctx, const char *path, int64_t patience,
                                tacit_ledger **out);
/* Start of every call: refuses a forked child, starts the clock of the busy handler. */
tacit_status tac_ledger_enter(tacit_ctx *ctx, tacit_ledger *ledger, bool closing);
tacit_status tac_ledger_exec(tacit_ctx *ctx, tacit_ledger *ledger, const char *sql);
tacit_status tac_ledger_prepare(tacit_ctx *ctx, tacit_ledger *ledger, const char *sql,
                                sqlite3_stmt **out);
/* TACIT_OK: *row says whether there is a row. Anything else has set its sentence. */
tacit_status tac_ledger_step(tacit_ctx *ctx, tacit_ledger *ledger, sqlite3_stmt *statement,
                             bool *row);
tacit_status tac_ledger_fail_sql(tacit_ctx *ctx, const tacit_ledger *ledger, int code);
tacit_status tac_ledger_fail_damaged(tacit_ctx *ctx, const tacit_ledger *ledger, const char *what);
void tac_ledger_rollback(tacit_ledger *ledger); /* if a transaction is open; never fails */

/* ledger_row.c: columns of the current row; false if type or length is not what the schema says. */
bool tac_row_blob(sqlite3_stmt *row, int column, uint8_t *out, size_t length);
bool tac_row_text(sqlite3_stmt *row, int column, char out[TAC_LEDGER_TEXT]);
/* yours to tac_free */
tacit_status tac_row_long_text(tacit_ctx *ctx, const tacit_ledger *ledger, sqlite3_stmt *row,
                               int column, char **out);
/* A number that is not negative: quanta, a sequence number, a format. */
bool tac_row_units(sqlite3_stmt *row, int column, uint64_t *out);
bool tac_row_double(sqlite3_stmt *row, int column, double *out);
bool tac_row_entry(sqlite3_stmt *row, tac_entry *out); /* all columns, in the order of the table */
/* after a false */
tacit_status tac_row_fail(tacit_ctx *ctx, const tacit_ledger *ledger, const char *what);
/* The first column of a query's only row. */
tacit_status tac_ledger_ask_integer(tacit_ctx *ctx, tacit_ledger *ledger, const char *sql,
                                    int64_t *out);
tacit_status tac_ledger_ask_text(tacit_ctx *ctx, tacit_ledger *ledger, const char *sql,
                                 char out[TAC_LEDGER_TEXT]);

/* ledger_read.c */
/* The rules an entry must keep to follow *state; on TACIT_OK *state includes it. */
tacit_status tac_ledger_follow(tacit_ctx *ctx, tacit_ledger *ledger, const tac_entry *entry,
                               tac_ledger_state *state);
/* A statement for tac_ledger_next. */
tacit_status tac_ledger_prepare_next(tacit_ctx *ctx, tacit_ledger *ledger, sqlite3_stmt **out);
/* The entry after *state, checked by tac_ledger_follow; *found false at the end. */
tacit_status tac_ledger_next(tacit_ctx *ctx, tacit_ledger *ledger, sqlite3_stmt *after,
                             tac_ledger_state *state, tac_entry *entry, bool *found);
/* Inside a transaction: *state, a true statement about the first entries, becomes one about all of
   them. */
tacit_status tac_ledger_catch_up(tacit_ctx *ctx, tacit_ledger *ledger, tac_ledger_state *state);
/* The reservation of a run among the entries up to `until`: *found, whether there is one;
   *closed, whether a commit or void followed. */
tacit_status tac_ledger_find_run(tacit_ctx *ctx, tacit_ledger *ledger, const uint8_t run[16],
                                 uint64_t until, tac_entry *entry, bool *found, bool *closed);

/* ledger_verify.c */
/* Format, schema, pages, meta and the whole chain of a freshly connected ledger. old: formats
   before this one will do. */
tacit_status tac_ledger_verify(tacit_ctx *ctx, tacit_ledger *ledger, bool old);

/* ledger.c */
/* Opened to be carried over: of any format. */
tacit_status tac_ledger_open_old(tacit_ctx *ctx, const char *path, int64_t patience,
                                 tacit_ledger **out);
/* The write lock, and everything that other processes wrote before we had it. Nothing read earlier
   is relied on. */
tacit_status tac_ledger_begin(tacit_ctx *ctx, tacit_ledger *ledger, bool closing,
                              tac_ledger_state *state);

/* ledger_write.c */
/* Fill sequence, time, version and hashes of an entry that follows *state, check it, insert it,
   advance *state. */
tacit_status tac_ledger_append(tacit_ctx *ctx, tacit_ledger *ledger, tac_entry *entry,
                               tac_ledger_state *state);

/* ledger_report.c */
/* quanta / budget in [0, 1], rounded up */
double tac_ledger_share_up(uint64_t quanta, uint64_t budget);
double tac_ledger_epsilon_left(const tac_ledger_meta *meta, uint64_t spent);

#endif
