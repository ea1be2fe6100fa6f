/* SPDX-License-Identifier: Apache-2.0 */
/* kill -9 at random moments and at every system call: a run that was told "granted" is in the
   ledger for ever, a reservation disappears only if its owner had set out to void it, and a ledger
   is never half made. */
#include "privacy/ledger/ledger_internal.h"
#include "declared.h"
#include "scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#define UNIT_ONE (UINT64_C(1) << TAC_QUANTUM_BITS)
#define COST (UNIT_ONE >> 20)

/* What a child says before it is killed. A pipe keeps what was written by a process that is
   gone. */
typedef struct word {
    char what; /* 'g' granted (after reserve returned), 'v' about to void (before the call) */
    uint8_t run[16];
} word;

static tacit_ctx *ctx;

static bool tell(int out, char what, const tac_reservation *run)
{
    word w = {.what = what};
    memcpy(w.run, run->run, sizeof w.run);
    return write(out, &w, sizeof w) == sizeof w;
}

/* reserve, commit, reserve, void, reserve, nothing: over and over, or once. */
static int work(const char *path, int out, bool once)
{
    const tac_claim claim = {0.001, 0, COST, "crash", NULL, TACIT_ADD_REMOVE};
    tacit_ctx *own = NULL;
    tacit_ledger *ledger = NULL;
    tac_reservation run;

    if (tacit_ctx_new(&own) != TACIT_OK || tacit_ledger_open(own, path, &ledger) != TACIT_OK)
        return 2;
    do {
        for (int turn = 0; turn < 3; turn++) {
            if (tac_ledger_reserve(own, ledger, &claim, &run) != TACIT_OK || !tell(out, 'g', &run))
                return 3;
            if (turn == 0 && tac_ledger_commit(own, ledger, &run) != TACIT_OK) return 4;
            if (turn == 1 &&
                (!tell(out, 'v', &run) || tac_ledger_void(own, ledger, &run) != TACIT_OK))
                return 5;
        }
    } while (!once);
    tacit_ledger_free(ledger);
    tacit_ctx_free(own);
    return 0;
}

/* Every grant that was heard and not given back, kept over the kills of one ledger. */
typedef struct memory {
    word *words;
    size_t count;
} memory;

static void hear(int in, memory *heard)
{
    word w;
    while (read(in, &w, sizeof w) == sizeof w) {
        heard->words = realloc(heard->words, (heard->count + 1) * sizeof w);
        MUST(heard->words != NULL);
        heard->words[heard->count++] = w;
    }
}

static bool told(const memory *heard, char what, const uint8_t run[16])
{
    for (size_t i = heard->count; i-- > 0;)
        if (heard->words[i].what == what && memcmp(heard->words[i].run, run, 16) == 0) return true;
    return false;
}

/* Opens the ledger after a kill and compares it with what was heard. */
static bool whole(const char *path, const memory *heard)
{
    tacit_ledger *ledger = NULL;
    if (tac_ledger_open_patient(ctx, path, 5000, &ledger) != TACIT_OK) {
        printf("# %s\n", tacit_ctx_message(ctx));
        return false;
    }
    bool good = ledger->state.spent <= ledger->meta.quanta &&
                ledger->state.spent == (uint64_t)ledger->state.runs * COST;
    for (size_t i = 0; i < heard->count; i++) {
        const word *w = &heard->words[i];
        tac_entry entry;
        bool found = false, closed = false;
        if (w->what != 'g') continue;
        MUST(tac_ledger_find_run(ctx, ledger, w->run, INT64_MAX, &entry, &found, &closed) ==
             TACIT_OK);
        if (!found) {
            printf("# a granted run is not in the ledger\n");
            good = false;
        }
    }
    /* Voids only where their owner had said so. */
    sqlite3_stmt *query = NULL;
    const char *voids = "SELECT run FROM entries WHERE kind = 'void'";
    MUST(sqlite3_prepare_v2(ledger->db, voids, -1, &query, NULL) == SQLITE_OK);
    while (sqlite3_step(query) == SQLITE_ROW)
        if (!told(heard, 'v', sqlite3_column_blob(query, 0))) {
            printf("# a run was voided that nobody gave back\n");
            good = false;
        }
    sqlite3_finalize(query);
    tacit_ledger_free(ledger);
    return good;
}

/* Kills come at times spread over what a few turns take on this machine, fast or slow. */
static void random_kills(void)
{
    const long kills = tap_times(200);
    long good = 0, hot = 0, died = 0;
    size_t granted = 0;
    int pipes[2];
    memory heard = {0};
    char name[32] = "";
    uint64_t state = 7;

    for (long i = 0; i < kills; i++) {
        if (i % 20 == 0) { /* a young ledger again: the chain is read at every opening */
            snprintf(name, sizeof name, "crash%ld", i);
            MUST(plain_ledger(ctx, scratch(name), "crash", 1, 0, NULL, TACIT_ADD_REMOVE) ==
                 TACIT_OK);
            granted += heard.count;
            heard.count = 0;
        }
        MUST(pipe2(pipes, O_CLOEXEC) == 0);
        (void)fcntl(pipes[1], F_SETPIPE_SZ, 1 << 20);
        fflush(stdout);
        const pid_t child = fork();
        MUST(child >= 0);
        if (child == 0) _exit(work(scratch(name), pipes[1], false));
        close(pipes[1]);
        word first;
        /* wait for its first grant: it is at work */
        if (read(pipes[0], &first, sizeof first) != sizeof first) break;
        heard.words = realloc(heard.words, (heard.count + 1) * sizeof first);
        MUST(heard.words != NULL);
        heard.words[heard.count++] = first;
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const struct timespec nap = {0, (long)((state >> 33) % 4000) * 1000};
        nanosleep(&nap, NULL);
        MUST(kill(child, SIGKILL) == 0);
        int how = 0;
        MUST(waitpid(child, &how, 0) == child);
        died += WIFSIGNALED(how);
        hear(pipes[0], &heard);
        close(pipes[0]);
        char journal[64];
        snprintf(journal, sizeof journal, "%s-journal", name);
        hot += access(scratch(journal), F_OK) == 0;
        good += whole(scratch(name), &heard);
    }
    granted += heard.count;
    free(heard.words);
    CHECK(died == kills, "%ld processes were killed at work", kills);
    CHECK(good == kills,
          "%ld times every granted run was in the ledger (%zu words heard, %ld kills inside a "
          "transaction)",
          good, granted, hot);
    CHECK(hot > 0, "some kills fell into a transaction");
}

/* Let `child` run to its stop number `stops` at a system call's entry or exit and kill it there.
   True if it got so far. */
static bool kill_at(pid_t child, long stops)
{
    int how = 0;
    MUST(waitpid(child, &how, 0) == child && WIFSTOPPED(how));
    MUST(ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) == 0);
    for (long i = 0; i < stops; i++) {
        if (ptrace(PTRACE_SYSCALL, child, 0, 0) != 0) break;
        if (waitpid(child, &how, 0) != child || WIFEXITED(how) || WIFSIGNALED(how)) {
            MUST(WIFEXITED(how) && WEXITSTATUS(how) == 0);
            return false;
        }
    }
    kill(child, SIGKILL);
    waitpid(child, &how, 0);
    return true;
}

static bool can_trace(void)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 ? 0 : 1);
    int how = 1;
    return child > 0 && waitpid(child, &how, 0) == child && WIFEXITED(how) && WEXITSTATUS(how) == 0;
}

/* One turn of work on a fresh copy of a ledger, killed at its first, second, ... system call. Odd
   stops are entries: what the disk holds at the exit of one call is what it holds at the entry of
   the next. */
static void kill_at_every_call(void)
{
    size_t size;
    long stops = 1, good = 0;
    int pipes[2];
    memory heard = {0};

    MUST(plain_ledger(ctx, scratch("seed"), "crash", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_OK);
    unsigned char *seed = scratch_read(scratch("seed"), &size);
    for (bool more = true; more; stops += 2) {
        unlink(scratch("step-journal"));
        scratch_write(scratch("step"), seed, size);
        MUST(pipe2(pipes, O_CLOEXEC | O_NONBLOCK) == 0);
        fflush(stdout);
        const pid_t child = fork();
        MUST(child >= 0);
        if (child == 0) {
            ptrace(PTRACE_TRACEME, 0, 0, 0);
            raise(SIGSTOP);
            _exit(work(scratch("step"), pipes[1], true));
        }
        more = kill_at(child, stops);
        close(pipes[1]);
        heard.count = 0;
        hear(pipes[0], &heard);
        close(pipes[0]);
        good += whole(scratch("step"), &heard);
        if (!more) MUST(heard.count == 4);
    }
    free(heard.words);
    free(seed);
    CHECK(good == stops / 2 && stops > 100,
          "killed at each of %ld system calls of a run: nothing granted was lost", stops / 2 - 1);
}

/* The same for making a ledger: none under its name, or a whole one with the right budget. */
static void kill_creation(void)
{
    long stops = 1, good = 0, there = 0;

    for (bool more = true; more; stops += 2) {
        tacit_ledger *ledger = NULL;
        unlink(scratch("made"));
        fflush(stdout);
        const pid_t child = fork();
        MUST(child >= 0);
        if (child == 0) {
            tacit_ctx *own = NULL;
            ptrace(PTRACE_TRACEME, 0, 0, 0);
            raise(SIGSTOP);
            if (tacit_ctx_new(&own) != TACIT_OK) _exit(1);
            _exit(plain_ledger(own, scratch("made"), "crash", 0.5, 0, NULL, TACIT_ADD_REMOVE) ==
                          TACIT_OK
                      ? 0
                      : 1);
        }
        more = kill_at(child, stops);
        if (access(scratch("made"), F_OK) != 0) {
            good += more;
            continue;
        }
        there++;
        if (tacit_ledger_open(ctx, scratch("made"), &ledger) == TACIT_OK)
            good += ledger->meta.quanta == UNIT_ONE / 2 && ledger->state.spent == 0 &&
                    ledger->state.sequence == 1;
        tacit_ledger_free(ledger);
    }
    CHECK(good == stops / 2 && there > 0 && there < stops / 2,
          "killed at each of %ld system calls of making a ledger: whole or none", stops / 2 - 1);
}

/* And for one that takes the place of another: always one of the two, and both know what was
   spent. */
static void kill_carrying(void)
{
    const tac_claim claim = {0.25, 0, UNIT_ONE / 4, "before", NULL, TACIT_ADD_REMOVE};
    long stops = 1, good = 0, new = 0;

    for (bool more = true; more; stops += 2) {
        tacit_ledger *ledger = NULL;
        tac_reservation run;
        unlink(scratch("kept"));
        unlink(scratch("kept-journal"));
        MUST(plain_ledger(ctx, scratch("kept"), "crash", 0.5, 0, NULL, TACIT_ADD_REMOVE) ==
                 TACIT_OK &&
             tacit_ledger_open(ctx, scratch("kept"), &ledger) == TACIT_OK);
        MUST(tac_ledger_reserve(ctx, ledger, &claim, &run) == TACIT_OK);
        tacit_ledger_free(ledger);
        fflush(stdout);
        const pid_t child = fork();
        MUST(child >= 0);
        if (child == 0) {
            tacit_ctx *own = NULL;
            ptrace(PTRACE_TRACEME, 0, 0, 0);
            raise(SIGSTOP);
            if (tacit_ctx_new(&own) != TACIT_OK) _exit(1);
            _exit(plain_carry(own, scratch("kept"), 2) == TACIT_OK ? 0 : 1);
        }
        more = kill_at(child, stops);
        ledger = NULL;
        if (tacit_ledger_open(ctx, scratch("kept"), &ledger) == TACIT_OK)
            good += ledger->state.spent == UNIT_ONE / 4 &&
                    (ledger->meta.epsilon == 2 || (more && ledger->meta.epsilon == 0.5));
        new += ledger != NULL && ledger->meta.epsilon == 2;
        tacit_ledger_free(ledger);
    }
    CHECK(good == stops / 2 && new > 0 && new < stops / 2,
          "killed at each of %ld system calls of carrying spending over: never lost, never without "
          "a ledger",
          stops / 2 - 1);
}

int main(void)
{
    scratch_open();
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    random_kills();
    if (can_trace()) {
        kill_at_every_call();
        kill_creation();
        kill_carrying();
    } else {
        tap_ok(true, "killed at every system call # SKIP tracing is not allowed here");
    }
    tacit_ctx_free(ctx);
    scratch_close();
    return tap_done();
}
