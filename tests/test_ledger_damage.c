/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged ledgers: flipped bytes, cut files, edited rows. Never a crash, and whatever still opens
   has lost nothing. */
#include "privacy/ledger/ledger_internal.h"
#include "declared.h"
#include "scratch.h"

#include <sodium.h>

#define UNIT_ONE (UINT64_C(1) << TAC_QUANTUM_BITS)

static tacit_ctx *ctx;
static unsigned char *whole; /* a good ledger's bytes */
static size_t size;
static uint64_t spent;

/* Reserve, reserve, void the first, commit the second, reserve. */
static void make(void)
{
    const tac_claim claim = {0.125, 0, UNIT_ONE / 8, "kmeans lloyd k=5", NULL, TACIT_ADD_REMOVE};
    tac_reservation a, b, c;
    tacit_ledger *ledger = NULL;

    MUST(plain_ledger(ctx, scratch("good"), "patients", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_OK);
    MUST(tacit_ledger_open(ctx, scratch("good"), &ledger) == TACIT_OK);
    MUST(tac_ledger_reserve(ctx, ledger, &claim, &a) == TACIT_OK &&
         tac_ledger_reserve(ctx, ledger, &claim, &b) == TACIT_OK);
    MUST(tac_ledger_void(ctx, ledger, &a) == TACIT_OK &&
         tac_ledger_commit(ctx, ledger, &b) == TACIT_OK);
    MUST(tac_ledger_reserve(ctx, ledger, &claim, &c) == TACIT_OK);
    spent = ledger->state.spent;
    MUST(spent == UNIT_ONE / 4);
    tacit_ledger_free(ledger);
    whole = scratch_read(scratch("good"), &size);
}

/* Opens "hurt": 0 refused with a sentence, 1 accepted with the right sum and budget, -1 accepted
   but wrong. */
static int verdict(void)
{
    tacit_ledger *ledger = NULL;
    const tacit_status status = tac_ledger_open_patient(ctx, scratch("hurt"), 50, &ledger);

    if (status != TACIT_OK)
        return (status == TACIT_E_LEDGER || status == TACIT_E_WRITE) && ctx->message[0] != '\0'
                   ? 0
                   : -1;
    const bool right =
        ledger->state.spent == spent && ledger->meta.quanta == UNIT_ONE && ledger->state.runs == 2;
    tacit_ledger_free(ledger);
    return right ? 1 : -1;
}

static void hurt(const unsigned char *bytes, size_t length)
{
    scratch_write(scratch("hurt"), bytes, length);
    unlink(scratch("hurt-journal"));
}

/* Every byte of the file's header and of the pages' headers, and every byte that is not zero: three
   wrong values each. */
static void flipping(void)
{
    long tried = 0, refused = 0, wrong = 0;

    for (size_t at = 0; at < size; at++) {
        const unsigned char old = whole[at];
        if (at >= 100 && at % 4096 >= 16 && old == 0) continue;
        const unsigned char values[3] = {old ^ 1, old ^ 0x80, (unsigned char)(old == 0 ? 255 : 0)};
        for (int v = 0; v < 3; v++) {
            whole[at] = values[v];
            hurt(whole, size);
            const int how = verdict();
            if (how < 0) {
                wrong++;
                printf("# byte %zu: %d -> %d: %s\n", at, old, values[v], ctx->message);
            }
            tried++;
            refused += how == 0;
        }
        whole[at] = old;
    }
    CHECK(wrong == 0, "%ld bytes flipped, %ld refused, none with a wrong sum", tried, refused);
    CHECK(refused > tried / 2, "most flips in written bytes are noticed");
}

static uint32_t below(uint32_t n)
{
    static uint64_t state = 1; /* fixed: a failure can be repeated */
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % n);
}

/* Several wrong bytes at once, and pages swapped or copied over each other. */
static void shuffling(void)
{
    long wrong = 0, accepted = 0;
    const long times = tap_times(3000);
    unsigned char *copy = malloc(size);
    MUST(copy != NULL);

    for (long i = 0; i < times; i++) {
        memcpy(copy, whole, size);
        const uint32_t pages = (uint32_t)(size / 4096);
        if (i % 3 == 0) {
            memcpy(copy + 4096 * below(pages), whole + 4096 * below(pages), 4096);
        } else {
            const uint32_t start = below((uint32_t)size - 64);
            const uint32_t end = start + 1 + below(64);
            for (uint32_t at = start; at < end; at++) copy[at] = (unsigned char)below(256);
        }
        hurt(copy, size);
        const int how = verdict();
        wrong += how < 0;
        accepted += how > 0;
    }
    free(copy);
    CHECK(wrong == 0, "%ld times random bytes and pages in the wrong place, %ld harmless", times,
          accepted);
}

/* An index that has lost its entries would hide that a run is closed already. */
static void losing_index(void)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *query = NULL;
    const char *sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'entries_run'";

    hurt(whole, size);
    MUST(sqlite3_open(scratch("hurt"), &db) == SQLITE_OK);
    MUST(sqlite3_prepare_v2(db, sql, -1, &query, NULL) == SQLITE_OK &&
         sqlite3_step(query) == SQLITE_ROW);
    const size_t header = ((size_t)sqlite3_column_int(query, 0) - 1) * 4096;
    sqlite3_finalize(query);
    sqlite3_close(db);
    MUST(header > 0 && header < size && whole[header] == 10); /* an index leaf */
    unsigned char *copy = malloc(size);
    MUST(copy != NULL);
    memcpy(copy, whole, size);
    /* no free block, no cells, content starts at the end */
    const unsigned char none[7] = {0, 0, 0, 0, 0x10, 0, 0};
    memcpy(copy + header + 1, none, sizeof none);
    hurt(copy, size);
    free(copy);
    CHECK(verdict() == 0 && strstr(ctx->message, "pages do not fit") != NULL, "an emptied index");
}

static void cutting(void)
{
    long wrong = 0, accepted = 0;

    for (size_t length = 1; length < size; length += length % 512 == 0   ? 1
                                                     : length % 512 == 1 ? 254
                                                                         : 257) {
        hurt(whole, length);
        const int how = verdict();
        wrong += how < 0;
        accepted += how > 0;
    }
    CHECK(wrong == 0 && accepted == 0, "a file cut anywhere is refused");
}

/* Run SQL on a copy with all triggers gone, then put the triggers back: only the chain can tell. */
static bool edit(const char *sql)
{
    sqlite3 *db = NULL;
    int code;

    hurt(whole, size);
    MUST(sqlite3_open(scratch("hurt"), &db) == SQLITE_OK);
    for (size_t i = 0; i < tac_ledger_schema_count; i++) {
        char name[64], drop[100];
        if (sscanf(tac_ledger_schema(TAC_LEDGER_FORMAT, i), "CREATE TRIGGER %63s", name) != 1)
            continue;
        snprintf(drop, sizeof drop, "DROP TRIGGER %s", name);
        MUST(sqlite3_exec(db, drop, NULL, NULL, NULL) == SQLITE_OK);
    }
    code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    if (code != SQLITE_OK) printf("# %s: %s\n", sql, sqlite3_errmsg(db));
    for (size_t i = 0; i < tac_ledger_schema_count; i++)
        if (strncmp(tac_ledger_schema(TAC_LEDGER_FORMAT, i), "CREATE TRIGGER", 14) == 0)
            MUST(sqlite3_exec(db, tac_ledger_schema(TAC_LEDGER_FORMAT, i), NULL, NULL, NULL) ==
                 SQLITE_OK);
    sqlite3_close(db);
    return code == SQLITE_OK;
}

static void editing(void)
{
    CHECK(edit("SELECT 1") && verdict() == 1, "dropping and restoring the triggers is not noticed: "
                                              "so what follows is the chain");
    static const char *const edits[] = {
        "UPDATE entries SET units = 1 WHERE seq = 2",
        "UPDATE entries SET units = 1 WHERE seq = 6",
        "UPDATE entries SET units = units + 1 WHERE seq = 1",
        "UPDATE entries SET kind = 'commit', units = 0 WHERE seq = 4",
        "UPDATE entries SET kind = 'void', units = (SELECT units FROM entries WHERE seq = 3) WHERE "
        "seq = 5",
        "UPDATE entries SET run = randomblob(16) WHERE seq = 6",
        "UPDATE entries SET run = (SELECT run FROM entries WHERE seq = 3) WHERE seq = 4",
        "UPDATE entries SET epsilon = 0.126 WHERE seq = 3",
        "UPDATE entries SET delta = 1e-9 WHERE seq = 3",
        "UPDATE entries SET what = 'x' WHERE seq = 3",
        "UPDATE entries SET what = what || char(0) || 'x' WHERE seq = 3",
        "UPDATE entries SET time = '2001-01-01T00:00:00Z' WHERE seq = 3",
        "UPDATE entries SET version = '9' WHERE seq = 3",
        "UPDATE entries SET previous = zeroblob(32) WHERE seq = 3",
        "UPDATE entries SET hash = zeroblob(32) WHERE seq = 3",
        "UPDATE entries SET hash = zeroblob(32) WHERE seq = 6",
        "UPDATE entries SET seq = 7 WHERE seq = 6",
        "UPDATE entries SET what = replace(hex(zeroblob(200)), '0', 'x') WHERE seq = 3",
        "DELETE FROM entries WHERE seq = 3",
        "DELETE FROM entries WHERE seq = 6",
        "DELETE FROM entries WHERE seq >= 4",
        "DELETE FROM entries WHERE seq = 1",
        "DELETE FROM entries",
        "DELETE FROM entries; DELETE FROM sqlite_sequence",
        "DELETE FROM sqlite_sequence",
        "UPDATE sqlite_sequence SET seq = 5",
        "UPDATE sqlite_sequence SET seq = 'x'",
        "INSERT INTO entries SELECT 7, randomblob(16), kind, units, epsilon, delta, what, time, "
        "version, previous, hash FROM entries WHERE seq = 6",
        "UPDATE meta SET units = 2 * units",
        "UPDATE meta SET epsilon = 2",
        "UPDATE meta SET delta = 1e-6",
        "UPDATE meta SET notion = 'gdp'",
        "UPDATE meta SET dataset = 'others'",
        "UPDATE meta SET format = 2",
        "UPDATE meta SET key = zeroblob(32)",
        "DELETE FROM meta",
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++)
        CHECK(edit(edits[i]) && verdict() == 0 && strstr(ctx->message, "damaged") != NULL, "%s",
              edits[i]);
}

/* Add entries that are chained as they should be but break a rule of the book: only the rules can
   tell. */
static bool forge(const tac_entry *entries, int count)
{
    static const char insert[] = "INSERT INTO entries VALUES (?1, ?2, ?3, ?4, 0.5, 0.0, 'forged', "
                                 "'now', 'x', ?5, ?6)";
    tacit_ledger *ledger = NULL;
    sqlite3_stmt *statement = NULL;

    MUST(edit("SELECT 1") && tacit_ledger_open(ctx, scratch("hurt"), &ledger) == TACIT_OK);
    tac_ledger_state state = ledger->state;
    const char *drop = "DROP TRIGGER entries_order; DROP INDEX entries_run";
    MUST(sqlite3_exec(ledger->db, drop, NULL, NULL, NULL) == SQLITE_OK);
    for (int i = 0; i < count; i++) {
        tac_entry e = entries[i];
        e.sequence = ++state.sequence;
        e.epsilon = 0.5;
        memcpy(e.what, "forged", 7);
        memcpy(e.time, "now", 4);
        memcpy(e.version, "x", 2);
        memcpy(e.previous, state.hash, 32);
        tac_ledger_hash_entry(&ledger->meta, &e, e.hash);
        memcpy(state.hash, e.hash, 32);
        MUST(sqlite3_prepare_v2(ledger->db, insert, -1, &statement, NULL) == SQLITE_OK);
        sqlite3_bind_int64(statement, 1, (int64_t)e.sequence);
        sqlite3_bind_blob(statement, 2, e.run, 16, SQLITE_STATIC);
        sqlite3_bind_text(statement, 3, tac_entry_kinds[e.kind], -1, SQLITE_STATIC);
        sqlite3_bind_int64(statement, 4, (int64_t)e.quanta);
        sqlite3_bind_blob(statement, 5, e.previous, 32, SQLITE_STATIC);
        sqlite3_bind_blob(statement, 6, e.hash, 32, SQLITE_STATIC);
        MUST(sqlite3_step(statement) == SQLITE_DONE);
        sqlite3_finalize(statement);
    }
    for (size_t i = 0; i < tac_ledger_schema_count; i++)
        if (strstr(tac_ledger_schema(TAC_LEDGER_FORMAT, i), "entries_order") != NULL ||
            strstr(tac_ledger_schema(TAC_LEDGER_FORMAT, i), "INDEX entries_run") != NULL)
            MUST(sqlite3_exec(ledger->db, tac_ledger_schema(TAC_LEDGER_FORMAT, i), NULL, NULL,
                              NULL) == SQLITE_OK);
    tacit_ledger_free(ledger);
    if (tacit_ledger_open(ctx, scratch("hurt"), &ledger) == TACIT_OK) {
        tacit_ledger_free(ledger);
        return true;
    }
    return false;
}

static void forging(void)
{
    const uint64_t left = UNIT_ONE - spent;
    const tac_entry exact = {.run = "a", .kind = TAC_ENTRY_RESERVE, .quanta = left};
    const tac_entry over = {.run = "a", .kind = TAC_ENTRY_RESERVE, .quanta = left + 1};
    const tac_entry huge = {.run = "a", .kind = TAC_ENTRY_RESERVE, .quanta = INT64_MAX};
    const tac_entry again = {.run = "b", .kind = TAC_ENTRY_OPEN, .quanta = UNIT_ONE};
    const tac_entry small[2] = {{.run = "a", .kind = TAC_ENTRY_RESERVE, .quanta = 5},
                                {.run = "a", .kind = TAC_ENTRY_VOID, .quanta = 5}};
    const tac_entry more[2] = {small[0], {.run = "a", .kind = TAC_ENTRY_VOID, .quanta = 6}};
    const tac_entry twice[4] = {small[0], {.run = "a", .kind = TAC_ENTRY_COMMIT}, small[1]};
    const tac_entry stranger = {.run = "b", .kind = TAC_ENTRY_VOID, .quanta = 5};
    const tac_entry unknown = {.run = "b", .kind = TAC_ENTRY_COMMIT};

    CHECK(forge(&exact, 1) && forge(small, 2) && forge(twice, 2), "well chained and within the "
                                                                  "rules: accepted");
    CHECK(!forge(&over, 1) && strstr(ctx->message, "more than its budget") != NULL, "one unit over "
                                                                                    "the budget");
    CHECK(!forge(&huge, 1), "a sum that would not fit");
    CHECK(!forge(&again, 1), "a second budget");
    CHECK(!forge(more, 2) && strstr(ctx->message, "not open") != NULL, "a void of more than was "
                                                                       "reserved");
    CHECK(!forge(twice, 3) && strstr(ctx->message, "not open") != NULL, "a void after the commit");
    CHECK(!forge(&stranger, 1) && !forge(&unknown, 1), "closing a run that never reserved");
}

static int plain(const char *sql)
{
    sqlite3 *db = NULL;
    hurt(whole, size);
    MUST(sqlite3_open(scratch("hurt"), &db) == SQLITE_OK);
    const int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_close(db);
    return code;
}

/* With the triggers in place plain SQL cannot change a row; a changed schema is refused. */
static void guarding(void)
{
    static const char *const forbidden[] = {
        "UPDATE entries SET units = 1 WHERE seq = 6",
        "DELETE FROM entries WHERE seq = 6",
        "UPDATE meta SET units = 2 * units",
        "DELETE FROM meta",
        "INSERT OR REPLACE INTO meta SELECT id, format, dataset, 2, delta, notion, 2 * units, "
        "unit, neighbours, declaration, key FROM meta",
        "INSERT OR REPLACE INTO entries SELECT seq, run, kind, 1, epsilon, delta, what, time, "
        "version, previous, hash FROM entries WHERE seq = 6",
        "INSERT OR REPLACE INTO entries SELECT 7, run, kind, 1, epsilon, delta, what, time, "
        "version, previous, hash FROM entries WHERE seq = 6",
        "INSERT INTO entries SELECT 9, randomblob(16), kind, 1, epsilon, delta, what, time, "
        "version, previous, hash FROM entries WHERE seq = 6",
        "INSERT INTO entries SELECT 7, randomblob(16), 'void', 1, epsilon, delta, what, time, "
        "version, previous, hash FROM entries WHERE seq = 6",
        "INSERT INTO entries SELECT 7, run, 'void', units, epsilon, delta, what, time, version, "
        "previous, hash FROM entries WHERE seq = 3",
        "INSERT INTO entries SELECT 7, randomblob(16), 'reserve', -5, epsilon, delta, what, time, "
        "version, previous, hash FROM entries WHERE seq = 6",
        "INSERT INTO entries SELECT 7, randomblob(16), 'reserve', 0, epsilon, delta, what, time, "
        "version, previous, hash FROM entries WHERE seq = 6",
        "INSERT INTO entries SELECT 7, randomblob(16), 'reserve', 1.5, epsilon, delta, what, time, "
        "version, previous, hash FROM entries WHERE seq = 6",
        "INSERT INTO entries SELECT 7, randomblob(16), 'refund', 1, epsilon, delta, what, time, "
        "version, previous, hash FROM entries WHERE seq = 6",
    };
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
        CHECK((plain(forbidden[i]) & 0xff) == SQLITE_CONSTRAINT && verdict() == 1,
              "forbidden: %.75s", forbidden[i]);
    static const char *const changed[] = {
        "DROP TRIGGER entries_no_update",
        "DROP TRIGGER meta_once",
        "CREATE TABLE t (x)",
        "CREATE TRIGGER x AFTER INSERT ON entries BEGIN SELECT 1; END",
        "DROP INDEX entries_run",
        "CREATE VIEW v AS SELECT 1",
        "DROP TABLE meta",
        "DROP TRIGGER meta_once; CREATE TRIGGER meta_once BEFORE INSERT ON meta WHEN 0 BEGIN "
        "SELECT 1; END",
    };
    for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++)
        CHECK(plain(changed[i]) == SQLITE_OK && verdict() == 0 &&
                  strstr(ctx->message, "damaged") != NULL,
              "refused after: %s", changed[i]);
    CHECK(plain("VACUUM") == SQLITE_OK && verdict() == 1, "a vacuum is harmless");
}

/* The chain's encoding is part of the format: hashes computed apart with Python's
   hashlib.blake2b. */
static void known_hashes(void)
{
    char declared[] = "{\"fields\": []}";
    tac_ledger_meta meta = {.format = TAC_LEDGER_FORMAT_ROWS,
                            .dataset = "patients",
                            .epsilon = 1,
                            .delta = 1e-6,
                            .definition = TAC_GDP,
                            .quanta = 63085};
    tac_entry entry = {.sequence = 7,
                       .kind = TAC_ENTRY_VOID,
                       .quanta = 1234567890123,
                       .epsilon = 0.1,
                       .delta = 1e-9,
                       .what = "kmeans lloyd k=5",
                       .time = "2026-01-02T03:04:05Z",
                       .version = "0.1.0"};
    uint8_t hash[32];
    char hex[65];

    for (int i = 0; i < 32; i++) meta.key[i] = (uint8_t)i;
    for (int i = 0; i < 16; i++) entry.run[i] = (uint8_t)(100 + i);
    for (int i = 0; i < 32; i++) entry.previous[i] = (uint8_t)(200 + i);
    tac_ledger_hash_meta(&meta, hash);
    CHECK(strcmp(sodium_bin2hex(hex, sizeof hex, hash, 32), "e9e90658317af2512067e2ddfeee529b235686"
                                                            "b9af49c628def246cc0bb5eb42") == 0,
          "known hash of a budget");
    meta.format = TAC_LEDGER_FORMAT;
    meta.declaration = declared;
    tac_ledger_hash_meta(&meta, hash);
    CHECK(strcmp(sodium_bin2hex(hex, sizeof hex, hash, 32), "fe8d26be0d7b9e9fe8a6270c9f245e569142a1"
                                                            "cfbcf1db88fe681e26b63b0f3e") == 0,
          "known hash of a budget with a declaration");
    char far[3001];
    uint8_t other[32];
    bool all = true;
    for (size_t at = 0; at < sizeof far - 1; at += 7) {
        memset(far, 'a', sizeof far - 1);
        far[sizeof far - 1] = '\0';
        meta.declaration = far;
        tac_ledger_hash_meta(&meta, hash);
        far[at] = 'b';
        tac_ledger_hash_meta(&meta, other);
        all = all && memcmp(hash, other, sizeof hash) != 0;
    }
    meta.declaration = declared;
    CHECK(all, "the whole declaration is in the chain, wherever it is changed");
    tac_ledger_hash_entry(&meta, &entry, hash);
    CHECK(strcmp(sodium_bin2hex(hex, sizeof hex, hash, 32), "9e7862b385e86d070adb71e913b862092df7aa"
                                                            "42fb8ba302912688aab25e0409") == 0,
          "known hash of an entry");
}

int main(void)
{
    scratch_open();
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    make();
    hurt(whole, size);
    CHECK(verdict() == 1, "the ledger is good to begin with");
    known_hashes();
    guarding();
    editing();
    forging();
    losing_index();
    cutting();
    flipping();
    shuffling();
    free(whole);
    tacit_ctx_free(ctx);
    scratch_close();
    return tap_done();
}
