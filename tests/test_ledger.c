/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger, one process at a time: what it grants, refuses, reports, and what it says to files
   that are not whole. Killed and racing processes are in test_ledger_crash.c and
   test_ledger_race.c, failing disks in test_ledger_fault.c, damaged files in
   test_ledger_damage.c. */
#include "privacy/ledger/ledger_internal.h"
#include "declared.h"
#include "scratch.h"

#include <fcntl.h>
#include <math.h>
#include <sodium.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>

#define UNIT_ONE (UINT64_C(1) << TAC_QUANTUM_BITS)

static tacit_ctx *ctx;

static bool says(const char *part)
{
    const bool good = strstr(tacit_ctx_message(ctx), part) != NULL;
    if (!good) printf("# message: %s\n", tacit_ctx_message(ctx));
    return good;
}

static tacit_status take(tacit_ledger *ledger, double epsilon, uint64_t quanta,
                         tac_reservation *out)
{
    const tac_claim claim = {epsilon, tac_ledger_definition(ledger) == TAC_PURE ? 0 : 1e-6,
                             quanta,  "kmeans lloyd k=5",
                             NULL,    TACIT_ADD_REMOVE};
    return tac_ledger_reserve(ctx, ledger, &claim, out);
}

static tacit_ledger *fresh(const char *name, double epsilon, double delta)
{
    tacit_ledger *ledger = NULL;
    unlink(scratch(name));
    if (plain_ledger(ctx, scratch(name), "patients", epsilon, delta, NULL, TACIT_ADD_REMOVE) !=
            TACIT_OK ||
        tac_ledger_open_patient(ctx, scratch(name), 50, &ledger) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    MUST(ledger != NULL);
    return ledger;
}

static tacit_ledger_summary look(tacit_ledger *ledger)
{
    tacit_ledger_summary summary;
    tacit_ledger_summary_init(&summary, sizeof summary);
    MUST(tacit_ledger_summarize(ctx, ledger, &summary) == TACIT_OK);
    return summary;
}

static int raw(const char *name, const char *sql)
{
    sqlite3 *db = NULL;
    MUST(sqlite3_open_v2(scratch(name), &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK);
    const int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    MUST(sqlite3_close(db) == SQLITE_OK);
    return code;
}

static tacit_status open_only(const char *path)
{
    tacit_ledger *ledger = (tacit_ledger *)&ctx; /* anything but NULL */
    const tacit_status status = tacit_ledger_open(ctx, path, &ledger);
    MUST((status == TACIT_OK) == (ledger != NULL));
    tacit_ledger_free(ledger);
    return status;
}

static void creating(void)
{
    struct stat about;
    const char *path = scratch("made");

    umask(0);
    CHECK(plain_ledger(ctx, path, "patients", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_OK && says(""),
          "a ledger is made");
    umask(022);
    MUST(stat(path, &about) == 0);
    CHECK((about.st_mode & 07777) == 0600, "only its owner may read and write it");
    CHECK(scratch_count("") == 1, "no temporary file is left");
    CHECK(open_only(path) == TACIT_OK, "it opens");

    size_t before, after;
    unsigned char *old = scratch_read(path, &before);
    CHECK(plain_ledger(ctx, path, "patients", 100, 0, NULL, TACIT_ADD_REMOVE) == TACIT_E_WRITE &&
              says("exists already"),
          "an existing ledger is not overwritten");
    unsigned char *new = scratch_read(path, &after);
    CHECK(before == after && memcmp(old, new, before) == 0, "and not touched");
    free(old);
    free(new);

    MUST(symlink("nowhere", scratch("link")) == 0);
    CHECK(plain_ledger(ctx, scratch("link"), "x", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_E_WRITE,
          "nor is a dangling link followed");
    scratch_write(scratch("old-journal"), "x", 1);
    CHECK(plain_ledger(ctx, scratch("old"), "x", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_E_WRITE &&
              says("old-journal"),
          "a journal left by an earlier ledger is not played into a new one");
    CHECK(plain_ledger(ctx, scratch("no/such/folder"), "x", 1, 0, NULL, TACIT_ADD_REMOVE) ==
                  TACIT_E_WRITE &&
              says("no/such"),
          "a missing folder");
    const double bad[][2] = {
        {0, 0},           {-1, 0}, {(double)NAN, 0}, {(double)INFINITY, 0}, {1, -1},
        {1, (double)NAN}, {1, 1}};
    int refused = 0;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const tacit_status status =
            plain_ledger(ctx, scratch("bad"), "x", bad[i][0], bad[i][1], NULL, TACIT_ADD_REMOVE);
        /* NaN is how "unset" is written */
        refused += status == TACIT_E_ARGUMENT || status == TACIT_E_BUDGET_UNSET;
    }
    CHECK(refused == 7 && access(scratch("bad"), F_OK) != 0, "budgets that are none");
    char name[300];
    memset(name, 'n', sizeof name);
    name[256] = '\0';
    CHECK(plain_ledger(ctx, scratch("bad"), name, 1, 0, NULL, TACIT_ADD_REMOVE) ==
                  TACIT_E_ARGUMENT &&
              plain_ledger(ctx, scratch("bad"), "", 1, 0, NULL, TACIT_ADD_REMOVE) ==
                  TACIT_E_ARGUMENT &&
              plain_ledger(ctx, scratch("bad"), "a\nb", 1, 0, NULL, TACIT_ADD_REMOVE) ==
                  TACIT_E_ARGUMENT &&
              plain_ledger(ctx, "", "x", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_E_ARGUMENT &&
              plain_ledger(ctx, NULL, "x", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_E_ARGUMENT,
          "names that are none");
    name[255] = '\0';
    CHECK(plain_ledger(ctx, scratch("long"), name, 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_OK &&
              open_only(scratch("long")) == TACIT_OK,
          "the longest name");
    CHECK(plain_ledger(ctx, scratch("zero"), "x", 1, -0.0, NULL, TACIT_ADD_REMOVE) == TACIT_OK &&
              open_only(scratch("zero")) == TACIT_OK,
          "delta -0 is 0");
    if (geteuid() != 0) {
        MUST(chmod(scratch_folder, 0500) == 0);
        CHECK(plain_ledger(ctx, scratch("locked"), "x", 1, 0, NULL, TACIT_ADD_REMOVE) ==
                  TACIT_E_WRITE,
              "a folder without write permission");
        MUST(chmod(scratch_folder, 0700) == 0);
    } else {
        tap_ok(true, "a folder without write permission # SKIP root may write everywhere");
    }
}

static void opening(void)
{
    tacit_ledger_free(fresh("good", 1, 0));
    CHECK(open_only(scratch("missing")) == TACIT_E_LEDGER && says("missing") &&
              says("tacit ledger init"),
          "no such file");
    CHECK(access(scratch("missing"), F_OK) != 0, "and opening does not make one");
    CHECK(open_only(scratch_folder) == TACIT_E_LEDGER && says("regular file"), "a folder");
    scratch_write(scratch("empty"), "", 0);
    CHECK(open_only(scratch("empty")) == TACIT_E_LEDGER && says("empty"), "an empty file");
    scratch_write(scratch("text"), "age,income\n1,2\n", 15);
    CHECK(open_only(scratch("text")) == TACIT_E_LEDGER && says("not a tacit ledger"), "a short "
                                                                                      "text file");
    char *long_text = malloc(20000);
    MUST(long_text != NULL);
    memset(long_text, 'a', 20000);
    scratch_write(scratch("text"), long_text, 20000);
    free(long_text);
    CHECK(open_only(scratch("text")) == TACIT_E_LEDGER && says("not a tacit ledger"), "a long text "
                                                                                      "file");

    scratch_write(scratch("other"), "", 0);
    MUST(raw("other", "PRAGMA journal_mode = WAL; CREATE TABLE t (x)") == SQLITE_OK);
    CHECK(open_only(scratch("other")) == TACIT_E_LEDGER && says("not a tacit ledger"), "somebody "
                                                                                       "else's "
                                                                                       "database");
    sqlite3 *db = NULL;
    sqlite3_stmt *query = NULL;
    MUST(sqlite3_open(scratch("other"), &db) == SQLITE_OK);
    MUST(sqlite3_prepare_v2(db, "PRAGMA journal_mode", -1, &query, NULL) == SQLITE_OK &&
         sqlite3_step(query) == SQLITE_ROW);
    CHECK(strcmp((const char *)sqlite3_column_text(query, 0), "wal") == 0, "which is not changed");
    sqlite3_finalize(query);
    sqlite3_close(db);

    MUST(raw("good", "PRAGMA user_version = 4") == SQLITE_OK);
    CHECK(open_only(scratch("good")) == TACIT_E_LEDGER && says("format 4"), "a format of the "
                                                                            "future");
    MUST(raw("good", "PRAGMA user_version = 2") == SQLITE_OK);
    CHECK(open_only(scratch("good")) == TACIT_E_LEDGER && says("earlier version"),
          "one that passes for an earlier version");
    MUST(raw("good", "PRAGMA user_version = 3; PRAGMA journal_mode = WAL") == SQLITE_OK);
    CHECK(open_only(scratch("good")) == TACIT_OK, "write-ahead logging set by hand is switched "
                                                  "back");
    CHECK(scratch_count("good-") == 0, "and leaves no second file");
    MUST(link(scratch("good"), scratch("second")) == 0);
    CHECK(open_only(scratch("good")) == TACIT_E_LEDGER && says("hard link"), "a second name");
    MUST(unlink(scratch("second")) == 0 && symlink("good", scratch("second")) == 0);
    CHECK(open_only(scratch("second")) == TACIT_OK, "a symbolic link is no second name");
    char url[400];
    snprintf(url, sizeof url, "file:%s", scratch("good"));
    CHECK(open_only(url) == TACIT_E_LEDGER && says("there is no ledger"), "a file: address is a "
                                                                          "name like any other");
    CHECK(open_only(":memory:") == TACIT_E_LEDGER && says("there is no ledger"), "so is :memory:");
    CHECK(open_only("") == TACIT_E_ARGUMENT && open_only(NULL) == TACIT_E_ARGUMENT, "no name");
}

/* A relative name, even an odd one, also when the program changes its folder meanwhile; and names
   that may not be written or read. */
static void opening_elsewhere(void)
{
    char here[300];
    tac_reservation run;
    tacit_ledger *ledger = NULL;
    MUST(getcwd(here, sizeof here) != NULL && chdir(scratch_folder) == 0);
    CHECK(plain_ledger(ctx, "file:odd?mode=memory", "x", 1, 0, NULL, TACIT_ADD_REMOVE) ==
                  TACIT_OK &&
              scratch_count("file:odd?mode=m") == 1 &&
              tacit_ledger_open(ctx, "file:odd?mode=memory", &ledger) == TACIT_OK,
          "a relative name that looks like an address");
    MUST(chdir(here) == 0 && ledger != NULL);
    CHECK(take(ledger, 1, UNIT_ONE, &run) == TACIT_OK, "which survives a change of folder");
    tacit_ledger_free(ledger);
    tacit_ledger_free(NULL);

    if (geteuid() != 0) {
        MUST(chmod(scratch("good"), 0400) == 0);
        ledger = NULL;
        CHECK(tacit_ledger_open(ctx, scratch("good"), &ledger) == TACIT_OK &&
                  look(ledger).runs == 0,
              "a read-only ledger can be looked at");
        CHECK(take(ledger, 0.5, UNIT_ONE / 2, &run) == TACIT_E_WRITE && says("cannot be written"),
              "but not spent from");
        tacit_ledger_free(ledger);
        MUST(chmod(scratch("good"), 0000) == 0);
        CHECK(open_only(scratch("good")) == TACIT_E_LEDGER && says("cannot be opened"),
              "an unreadable one not even that");
    } else {
        tap_ok(true, "read-only and unreadable files # SKIP root may read and write everything");
    }
}

static void spending(void)
{
    tac_reservation run, other;
    const uint8_t none[16] = {0};
    tacit_ledger *ledger = fresh("spend", 1, 0);

    CHECK(tac_ledger_definition(ledger) == TAC_PURE, "delta 0: epsilons add up");
    CHECK(take(ledger, 1, UNIT_ONE + 1, &run) == TACIT_E_BUDGET_SPENT &&
              memcmp(run.run, none, 16) == 0,
          "one unit more than the budget is refused");
    CHECK(look(ledger).runs == 0 && look(ledger).spent == 0, "and nothing is taken");
    CHECK(take(ledger, 1, UNIT_ONE, &run) == TACIT_OK && memcmp(run.run, none, 16) != 0,
          "exactly the budget fits");
    CHECK(look(ledger).spent == 1 && look(ledger).epsilon_left == 0 && look(ledger).runs == 1,
          "and it is all gone");
    CHECK(take(ledger, 1e-6, 1, &other) == TACIT_E_BUDGET_SPENT && says("is spent"), "then a "
                                                                                     "single unit "
                                                                                     "is too much");
    CHECK(tac_ledger_void(ctx, ledger, &run) == TACIT_OK && look(ledger).spent == 0 &&
              look(ledger).runs == 0,
          "a run that asked nothing gives it back");
    CHECK(tac_ledger_void(ctx, ledger, &run) == TACIT_E_INTERNAL &&
              tac_ledger_commit(ctx, ledger, &run) == TACIT_E_INTERNAL && look(ledger).spent == 0,
          "but only once: a run that is closed can neither give back nor be committed again");

    const uint64_t too_many[] = {UINT64_MAX, UINT64_MAX - UNIT_ONE / 4 + 1, UINT64_MAX / 2 + 1,
                                 UINT64_MAX / 2, UNIT_ONE};
    CHECK(take(ledger, 0.25, UNIT_ONE / 4, &run) == TACIT_OK, "a quarter");
    int refused = 0;
    for (int i = 0; i < 5; i++)
        refused += take(ledger, 1, too_many[i], &other) == TACIT_E_BUDGET_SPENT;
    CHECK(refused == 5 && look(ledger).spent == 0.25, "sums that would wrap are refused");
    CHECK(says("") && take(ledger, 1, UNIT_ONE, &other) == TACIT_E_BUDGET_SPENT && says("75 %") &&
              says("at most 0.75"),
          "the sentence says what is left and what to do");
    CHECK(take(ledger, 1, 0, &other) == TACIT_E_INTERNAL &&
              take(ledger, (double)NAN, 1, &other) == TACIT_E_INTERNAL &&
              take(ledger, -1, 1, &other) == TACIT_E_INTERNAL &&
              take(ledger, (double)INFINITY, 1, &other) == TACIT_E_INTERNAL,
          "claims that are none");
    const tac_claim approximate = {0.1, 1e-6, 1, "x", NULL, TACIT_ADD_REMOVE};
    CHECK(tac_ledger_reserve(ctx, ledger, &approximate, &other) == TACIT_E_ARGUMENT && says("delta "
                                                                                            "0"),
          "a run with delta > 0 cannot be counted in epsilons");
    CHECK(tac_ledger_commit(ctx, ledger, &run) == TACIT_OK && look(ledger).spent == 0.25,
          "commit keeps it spent");
    CHECK(tac_ledger_void(ctx, ledger, &run) == TACIT_E_INTERNAL &&
              tac_ledger_commit(ctx, ledger, &run) == TACIT_E_INTERNAL &&
              look(ledger).spent == 0.25,
          "a committed run stays spent");
    randombytes_buf(other.run, sizeof other.run);
    CHECK(tac_ledger_void(ctx, ledger, &other) == TACIT_E_INTERNAL &&
              tac_ledger_commit(ctx, ledger, &other) == TACIT_E_INTERNAL &&
              look(ledger).spent == 0.25,
          "a run that never reserved cannot be closed");

    /* The opening entry's id is a run id too; voiding it must not mint a second budget. */
    sqlite3 *db = NULL;
    sqlite3_stmt *query = NULL;
    MUST(sqlite3_open(scratch("spend"), &db) == SQLITE_OK &&
         sqlite3_prepare_v2(db, "SELECT run FROM entries WHERE seq = 1", -1, &query, NULL) ==
             SQLITE_OK &&
         sqlite3_step(query) == SQLITE_ROW);
    memcpy(other.run, sqlite3_column_blob(query, 0), 16);
    sqlite3_finalize(query);
    sqlite3_close(db);
    CHECK(tac_ledger_void(ctx, ledger, &other) == TACIT_E_INTERNAL && look(ledger).spent == 0.25,
          "nor can the budget itself be voided");
    tacit_ledger_free(ledger);
}

/* On the ledger of which a quarter is spent. Two handles on one file: each sees what the other
   took. */
static void spending_together(void)
{
    tac_reservation run, other;
    tacit_ledger *ledger = NULL, *second = NULL;
    MUST(tacit_ledger_open(ctx, scratch("spend"), &ledger) == TACIT_OK &&
         tacit_ledger_open(ctx, scratch("spend"), &second) == TACIT_OK);
    CHECK(take(second, 0.5, UNIT_ONE / 2, &run) == TACIT_OK &&
              take(ledger, 0.5, UNIT_ONE / 2, &other) == TACIT_E_BUDGET_SPENT &&
              take(ledger, 0.25, UNIT_ONE / 4, &other) == TACIT_OK &&
              take(second, 1e-6, 1, &run) == TACIT_E_BUDGET_SPENT,
          "two handles share one budget");
    tacit_ledger_free(second);
    tacit_ledger_free(ledger);

    char words[600];
    memset(words, 'w', sizeof words);
    memcpy(words + 254, "\xc3\xa9\xc3\xa9", 5); /* the cut would fall inside a character */
    const tac_claim wordy = {0.5, 0, 1, words, NULL, TACIT_ADD_REMOVE};
    ledger = fresh("words", 1, 0);
    CHECK(tac_ledger_reserve(ctx, ledger, &wordy, &run) == TACIT_OK &&
              open_only(scratch("words")) == TACIT_OK,
          "a long description is cut, not refused");
    tacit_ledger_free(ledger);

    /* Decimal budgets: ten runs of a tenth fit where their floating-point sum would not. */
    ledger = fresh("tenths", 1, 0);
    int granted = 0;
    for (int i = 0; i < 11; i++)
        granted += take(ledger, 0.1, tac_budget_quanta(TAC_PURE, 0.1, 0), &run) == TACIT_OK;
    CHECK(granted == 10, "ten tenths fit, eleven do not");
    tacit_ledger_free(ledger);
}

static void reporting(void)
{
    tac_reservation run;
    tacit_ledger *ledger = fresh("gauss", 2, 1e-6);
    tacit_ledger_summary now = look(ledger);
    const uint64_t budget = tac_budget_quanta(TAC_GDP, 2, 1e-6),
                   third = tac_budget_quanta(TAC_GDP, 0.7, 1e-6);

    CHECK(tac_ledger_definition(ledger) == TAC_GDP && now.epsilon == 2 && now.delta == 1e-6 &&
              now.delta_left == 1e-6 && now.epsilon_left == 2 &&
              strcmp(now.dataset, "patients") == 0,
          "a fresh Gaussian ledger");
    CHECK(take(ledger, 0.7, third, &run) == TACIT_OK, "a run");
    now = look(ledger);
    CHECK(now.spent >= (double)third / (double)budget &&
              now.spent < (double)third / (double)budget * (1 + 1e-9),
          "the share spent");
    CHECK(now.epsilon_left > 0.7 && now.epsilon_left < 2, "what is left lies between");
    const uint64_t left = tac_budget_quanta(TAC_GDP, now.epsilon_left, 1e-6);
    CHECK(left <= budget - third &&
              tac_budget_quanta(TAC_GDP, now.epsilon_left * (1 + 1e-6), 1e-6) > budget - third,
          "it is the largest epsilon that fits");
    CHECK(take(ledger, now.epsilon_left, left + (budget - third) / 1000, &run) ==
                  TACIT_E_BUDGET_SPENT &&
              take(ledger, now.epsilon_left, left, &run) == TACIT_OK,
          "it is granted, more is not");
    CHECK(look(ledger).epsilon_left <= 1e-3, "then little or nothing is left");
    if (left < budget - third) MUST(take(ledger, 1e-3, budget - third - left, &run) == TACIT_OK);
    CHECK(look(ledger).epsilon_left == 0 && look(ledger).spent == 1, "and at last nothing");

    struct {
        size_t size;
        double epsilon;
    } narrow = {sizeof narrow, 0};
    CHECK(tacit_ledger_summarize(ctx, ledger, (tacit_ledger_summary *)(void *)&narrow) ==
                  TACIT_OK &&
              narrow.epsilon == 2,
          "a caller with an older, shorter summary");
    now.size = sizeof now + 1;
    CHECK(tacit_ledger_summarize(ctx, ledger, &now) == TACIT_E_ARGUMENT, "one from the future");
    tacit_ledger_free(ledger);

    int wrong = 0;
    for (long i = 0; i < tap_times(100000); i++) {
        uint64_t pair[2];
        randombytes_buf(pair, sizeof pair);
        const uint64_t b = (pair[0] >> (1 + pair[0] % 60)) + 1, u = pair[1] % (b + 1);
        const double share = tac_ledger_share_up(u, b);
        const uint64_t scaled = (uint64_t)ldexp(share, 52);
        const tac_u128 exact = (tac_u128)u << 52;
        if ((tac_u128)scaled * b < exact || (scaled > 0 && (tac_u128)(scaled - 1) * b >= exact))
            wrong++;
    }
    CHECK(wrong == 0, "shares are rounded up, by less than 2^-52");
    tac_ledger_meta meta = {.epsilon = 1000, .definition = TAC_PURE, .quanta = 1000 * UNIT_ONE};
    CHECK(tac_ledger_epsilon_left(&meta, 1) < 1000 && tac_ledger_epsilon_left(&meta, 1) > 999.999 &&
              tac_budget_quanta(TAC_PURE, tac_ledger_epsilon_left(&meta, 1), 0) <=
                  meta.quanta - 1 &&
              tac_ledger_epsilon_left(&meta, meta.quanta) == 0,
          "a large pure budget is rounded down");
}

struct seen {
    int count, stop_at;
    char kinds[100], run[33], first_run[33];
    double share;
    bool good;
};

static int see(const tacit_ledger_entry *entry, void *payload)
{
    struct seen *seen = payload;
    seen->count++;
    seen->good = seen->good && entry->size == sizeof *entry && entry->sequence == seen->count &&
                 strlen(entry->run) == 32 && strlen(entry->time) == 20 && entry->time[10] == 'T' &&
                 entry->time[19] == 'Z';
    strncat(seen->kinds, entry->kind, 10);
    strncat(seen->kinds, " ", 2);
    if (seen->count == 2) memcpy(seen->first_run, entry->run, 33);
    memcpy(seen->run, entry->run, 33);
    seen->share += entry->share;
    const bool first = seen->count == 1;
    seen->good = seen->good && strcmp(entry->what, first ? "patients" : "kmeans lloyd k=5") == 0 &&
                 entry->epsilon == (first ? 1 : 0.25);
    return seen->count == seen->stop_at;
}

static void telling(void)
{
    tac_reservation a, b;
    struct seen seen = {.good = true};
    tacit_ledger *ledger = fresh("told", 1, 0);

    MUST(take(ledger, 0.25, UNIT_ONE / 4, &a) == TACIT_OK &&
         take(ledger, 0.25, UNIT_ONE / 4, &b) == TACIT_OK);
    MUST(tac_ledger_commit(ctx, ledger, &b) == TACIT_OK &&
         tac_ledger_void(ctx, ledger, &a) == TACIT_OK);
    CHECK(tacit_ledger_history(ctx, ledger, see, &seen) == TACIT_OK && seen.good, "every entry, in "
                                                                                  "order, with its "
                                                                                  "fields");
    CHECK(strcmp(seen.kinds, "open reserve reserve commit void ") == 0, "kinds: %s", seen.kinds);
    CHECK(strcmp(seen.run, seen.first_run) == 0, "a run keeps its id");
    CHECK(seen.share == 0.5, "shares of reservations only");
    seen = (struct seen){.good = true, .stop_at = 2};
    CHECK(tacit_ledger_history(ctx, ledger, see, &seen) == TACIT_OK && seen.count == 2,
          "a caller that has seen enough");
    tacit_ledger_free(ledger);
}

static void on_alarm(int number)
{
    (void)number;
    tacit_ctx_cancel(ctx);
}

static double seconds(void)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

static void waiting(void)
{
    tac_reservation run, kept;
    tacit_ledger *ledger = fresh("busy", 1, 0), *other = (tacit_ledger *)&ctx;
    sqlite3 *db = NULL;

    MUST(take(ledger, 0.25, UNIT_ONE / 4, &kept) == TACIT_OK);
    MUST(sqlite3_open(scratch("busy"), &db) == SQLITE_OK &&
         sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL) == SQLITE_OK);
    CHECK(take(ledger, 0.25, UNIT_ONE / 4, &run) == TACIT_E_LEDGER && says("in use by another "
                                                                           "process"),
          "a reservation does not wait for ever");
    CHECK(tac_ledger_open_patient(ctx, scratch("busy"), 50, &other) == TACIT_E_LEDGER &&
              other == NULL && says("in use by another process"),
          "nor does opening");
    tacit_ledger_summary summary;
    tacit_ledger_summary_init(&summary, sizeof summary);
    CHECK(tacit_ledger_summarize(ctx, ledger, &summary) == TACIT_E_LEDGER && says("in use"), "nor "
                                                                                             "looki"
                                                                                             "ng");
    ledger->patience = 20000;
    const struct itimerval soon = {{0, 0}, {0, 100000}};
    signal(SIGALRM, on_alarm);
    const double start = seconds();
    setitimer(ITIMER_REAL, &soon, NULL);
    CHECK(take(ledger, 0.25, UNIT_ONE / 4, &run) == TACIT_E_CANCELLED && says("interrupted") &&
              seconds() - start < 5,
          "and it can be interrupted");
    ledger->patience = 100;
    MUST(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK &&
         sqlite3_close(db) == SQLITE_OK);
    CHECK(take(ledger, 0.25, UNIT_ONE / 4, &run) == TACIT_E_CANCELLED, "an interrupted program "
                                                                       "reserves nothing");
    CHECK(tac_ledger_void(ctx, ledger, &kept) == TACIT_OK, "but still gives back what it did not "
                                                           "use");
    tacit_ctx_free(ctx);
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    CHECK(look(ledger).spent == 0 && take(ledger, 1, UNIT_ONE, &run) == TACIT_OK, "afterwards all "
                                                                                  "is as it should "
                                                                                  "be");
    CHECK(tac_ledger_commit(NULL, ledger, &run) == TACIT_OK &&
              tac_ledger_void(NULL, ledger, &run) == TACIT_E_INTERNAL,
          "closing works without a context");
    tacit_ledger_free(ledger);
}

static void forking(void)
{
    tac_reservation run;
    tacit_ledger *ledger = fresh("fork", 1, 0);

    MUST(take(ledger, 0.5, UNIT_ONE / 2, &run) == TACIT_OK);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        tac_reservation mine;
        tacit_ledger_summary summary;
        tacit_ledger_summary_init(&summary, sizeof summary);
        const bool refused = take(ledger, 0.1, 1, &mine) == TACIT_E_LEDGER && says("fork") &&
                             tac_ledger_void(ctx, ledger, &run) == TACIT_E_LEDGER &&
                             tac_ledger_commit(ctx, ledger, &run) == TACIT_E_LEDGER &&
                             tacit_ledger_summarize(ctx, ledger, &summary) == TACIT_E_LEDGER;
        tacit_ledger_free(ledger);
        _exit(refused ? 0 : 1);
    }
    int how = -1;
    MUST(child > 0 && waitpid(child, &how, 0) == child);
    CHECK(WIFEXITED(how) && WEXITSTATUS(how) == 0, "a forked child is refused");
    CHECK(look(ledger).spent == 0.5 && tac_ledger_void(ctx, ledger, &run) == TACIT_OK, "its parent "
                                                                                       "goes on");
    tacit_ledger_free(ledger);
}

static void replacing(void)
{
    tac_reservation run;
    size_t size;
    tacit_ledger *ledger = fresh("moved", 1, 0);

    MUST(take(ledger, 0.25, UNIT_ONE / 4, &run) == TACIT_OK);
    tacit_ledger_free(ledger);
    unsigned char *old = scratch_read(scratch("moved"), &size);
    MUST(tacit_ledger_open(ctx, scratch("moved"), &ledger) == TACIT_OK);
    MUST(take(ledger, 0.25, UNIT_ONE / 4, &run) == TACIT_OK);
    scratch_write(scratch("moved"), old, size);
    CHECK(take(ledger, 0.25, UNIT_ONE / 4, &run) == TACIT_E_LEDGER && says("replaced"),
          "an older copy put in its place is noticed by whoever had it open");
    tacit_ledger_free(ledger);
    MUST(tacit_ledger_open(ctx, scratch("moved"), &ledger) == TACIT_OK);
    MUST(rename(scratch("moved"), scratch("elsewhere")) == 0);
    CHECK(take(ledger, 0.25, UNIT_ONE / 4, &run) == TACIT_E_LEDGER && says("moved"), "a moved "
                                                                                     "file");
    scratch_write(scratch("moved"), old, size);
    CHECK(take(ledger, 0.25, UNIT_ONE / 4, &run) == TACIT_E_LEDGER && says("moved"), "another file "
                                                                                     "under its "
                                                                                     "name");
    MUST(rename(scratch("elsewhere"), scratch("moved")) == 0);
    CHECK(take(ledger, 0.25, UNIT_ONE / 4, &run) == TACIT_OK, "and back");
    tacit_ledger_free(ledger);
    free(old);
}

/* A ledger counts for one unit and one relation: other runs do not add up with its own. */
static void test_units(void)
{
    tacit_ledger *rows = NULL, *persons = NULL;
    tacit_ledger_summary s;
    tac_reservation r;
    tac_claim claim = {0.5, 0, 1, "x", NULL, TACIT_ADD_REMOVE};

    MUST(plain_ledger(ctx, scratch("rows"), "x", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_OK);
    MUST(plain_ledger(ctx, scratch("persons"), "x", 1, 0, "patient", TACIT_REPLACE) == TACIT_OK);
    MUST(tacit_ledger_open(ctx, scratch("rows"), &rows) == TACIT_OK);
    MUST(tacit_ledger_open(ctx, scratch("persons"), &persons) == TACIT_OK);
    CHECK(tac_ledger_reserve(ctx, rows, &claim, &r) == TACIT_OK, "a run about rows on a ledger "
                                                                 "about rows");
    CHECK(tac_ledger_reserve(ctx, persons, &claim, &r) == TACIT_E_LEDGER && says("replace"),
          "another relation is refused");
    claim.neighbors = TACIT_REPLACE;
    CHECK(tac_ledger_reserve(ctx, rows, &claim, &r) == TACIT_E_LEDGER && says("add-remove"), "both "
                                                                                             "way"
                                                                                             "s");
    CHECK(tac_ledger_reserve(ctx, persons, &claim, &r) == TACIT_E_LEDGER && says("'patient'"),
          "rows on a ledger about persons");
    claim.unit_column = "ward";
    CHECK(tac_ledger_reserve(ctx, persons, &claim, &r) == TACIT_E_LEDGER && says("'patient'"),
          "persons of another column");
    static const char *const alike[] = {"patient_visit", "patien", "Patient", "patient ", "p", ""};
    bool refused = true;
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        claim.unit_column = alike[i];
        refused = refused && tac_ledger_reserve(ctx, persons, &claim, &r) == TACIT_E_LEDGER &&
                  says("'patient'");
    }
    CHECK(refused, "nor of one whose name is like it: patient_visit, patien, Patient");
    claim.unit_column = "patient";
    CHECK(tac_ledger_reserve(ctx, persons, &claim, &r) == TACIT_OK, "persons of its own column");
    claim.neighbors = TACIT_ADD_REMOVE;
    /* A person's new row may push out a kept one: with one row each that moves sums further than a
       whole person does. */
    CHECK(tac_ledger_reserve(ctx, rows, &claim, &r) == TACIT_E_LEDGER && says("single rows"),
          "persons on a ledger about rows");
    tacit_ledger_summary_init(&s, sizeof s);
    MUST(tacit_ledger_summarize(ctx, persons, &s) == TACIT_OK);
    CHECK(strcmp(s.unit_column, "patient") == 0 && s.neighbors == TACIT_REPLACE && s.runs == 1,
          "the summary tells both");
    tacit_ledger_free(rows);
    tacit_ledger_free(persons);
}

/* A ledger about single entries: its own format, and only its own runs. */
static void entries(void)
{
    tacit_ledger *ledger = NULL, *rows = NULL;
    tacit_ledger_summary s;
    tac_reservation r;
    tac_claim claim = {0.5, 0, UNIT_ONE / 2, "cocluster", NULL, TACIT_ENTRY};

    CHECK(plain_ledger(ctx, scratch("entry"), "x", 1, 0, "patient", TACIT_ENTRY) ==
                  TACIT_E_FORMAT &&
              says("names persons"),
          "entries of persons make no sense");
    CHECK(plain_ledger(ctx, scratch("entry"), "x", 1, 0, NULL, (tacit_neighbors)3) ==
              TACIT_E_FORMAT,
          "nor does a fourth relation");
    MUST(plain_ledger(ctx, scratch("entry"), "x", 1, 0, NULL, TACIT_ENTRY) == TACIT_OK);
    MUST(plain_ledger(ctx, scratch("of rows"), "x", 1, 0, NULL, TACIT_REPLACE) == TACIT_OK);
    MUST(tacit_ledger_open(ctx, scratch("entry"), &ledger) == TACIT_OK &&
         tacit_ledger_open(ctx, scratch("of rows"), &rows) == TACIT_OK);
    CHECK(tac_ledger_reserve(ctx, ledger, &claim, &r) == TACIT_OK &&
              tac_ledger_commit(ctx, ledger, &r) == TACIT_OK,
          "a run about entries");
    CHECK(tac_ledger_reserve(ctx, rows, &claim, &r) == TACIT_E_LEDGER && says("replace") &&
              says("entry"),
          "not on a ledger about rows");
    claim.neighbors = TACIT_REPLACE;
    CHECK(tac_ledger_reserve(ctx, ledger, &claim, &r) == TACIT_E_LEDGER && says("neighbours entry"),
          "and no run about rows on this one");
    tacit_ledger_free(ledger);
    MUST(tacit_ledger_open(ctx, scratch("entry"), &ledger) == TACIT_OK);
    tacit_ledger_summary_init(&s, sizeof s);
    MUST(tacit_ledger_summarize(ctx, ledger, &s) == TACIT_OK);
    CHECK(s.neighbors == TACIT_ENTRY && s.runs == 1 && s.spent == 0.5, "opened again it tells so");
    tacit_ledger_free(ledger);
    tacit_ledger_free(rows);
    MUST(raw("entry", "PRAGMA user_version = 1") == SQLITE_OK);
    CHECK(open_only(scratch("entry")) == TACIT_E_LEDGER && says("earlier version"),
          "one that passes for an earlier version is not used");
}

int main(void)
{
    scratch_open();
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    creating();
    opening();
    opening_elsewhere();
    spending();
    spending_together();
    reporting();
    entries();
    telling();
    waiting();
    forking();
    replacing();
    test_units();
    tacit_ctx_free(ctx);
    scratch_close();
    return tap_done();
}
