/* SPDX-License-Identifier: Apache-2.0 */
/* A data set with a ledger is named by a link, and somebody makes the link lead elsewhere during
   the run: to rows that have no ledger, and perhaps back again, before every system call of the run
   (tests/cli/declare.py has a link that never rests). No release may come from the rows with the
   ledger unless that ledger counts it. Rows of the two files lie in opposite corners, so a release
   tells whose it is. TACIT_TEST_MULT=10 tries every call with every way back; a shorter test every
   few, others with another TACIT_TEST_TURN. */
#include "traced.h"

#include "release/model.h"

enum { ROWS = 300 };

/* guarded.csv has a ledger, open.csv has none; both are behind link.csv. */
static const story swapped = {"kmeans through a link",
                              "guarded.csv.ledger",
                              0,
                              PAYS,
                              NULL,
                              0,
                              {"kmeans", "link.csv", "-k", "1", "--epsilon", "8", "--delta", "1e-6",
                               "--bounds", "0:1", "--threads", "1", "-o", "out.json"}};
static const story declaring = {
    "ledger init",
    "guarded.csv.ledger",
    0,
    MAKES,
    NULL,
    0,
    {"ledger", "init", "guarded.csv", "--epsilon", "50", "--delta", "1e-3", "--bounds", "0:1"}};

static unsigned char *young;
static size_t young_size;

static void write_rows(const char *name, const char *row)
{
    FILE *file = fopen(scratch(name), "w");

    MUST(file != NULL);
    fputs("x,y\n", file);
    for (int i = 0; i < ROWS; i++) fputs(row, file);
    MUST(fclose(file) == 0);
}

static int run_child(const story *s)
{
    fflush(stdout);
    const pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) become(s);
    return wait_for(child);
}

/* The link leads there from now on; there is no moment without it. */
static void lead(const char *to)
{
    MUST(symlink(to, scratch("new-link.csv")) == 0 &&
         rename(scratch("new-link.csv"), scratch("link.csv")) == 0);
}

static void reset(const char *to)
{
    unlink(scratch("guarded.csv.ledger-journal"));
    unlink(scratch("out.json"));
    scratch_write(scratch("guarded.csv.ledger"), young, young_size);
    scratch_write(scratch("stdout"), "", 0);
    scratch_write(scratch("stderr"), "", 0);
    lead(to);
}

typedef struct tally {
    long runs, refused, paid, open, stolen;
} tally;

/* Whose rows the release is of, and who has paid. */
static void judge_release(int how, tally *t)
{
    tacit_model *model = NULL;
    tacit_ledger *ledger = NULL;

    t->runs++;
    if (access(scratch("out.json"), F_OK) != 0) {
        t->refused++;
        return;
    }
    MUST(WIFEXITED(how) && tacit_model_read(ctx, scratch("out.json"), &model) == TACIT_OK);
    MUST(tac_ledger_open_patient(ctx, scratch("guarded.csv.ledger"), 5000, &ledger) == TACIT_OK);
    const bool guarded = tacit_model_centers(model)[0] > 0.5, counted = ledger->state.runs == 1;
    tacit_ledger_free(ledger);
    tacit_model_free(model);
    t->paid += guarded && counted;
    t->open += !guarded;
    t->stolen += guarded && !counted;
}

typedef struct swapper {
    watcher base;
    long away, back; /* before these calls; 0: never */
    const char *from, *to;
} swapper;

static verdict swap_at(watcher *w, const call *c, int *error)
{
    const swapper *s = (const swapper *)w;

    (void)c;
    (void)error;
    if (w->calls == s->away) lead(s->to);
    if (w->calls == s->back) lead(s->from);
    return s->away > 0 && w->calls > s->away && w->calls > s->back ? LOOK_AWAY : LET_PASS;
}

static void swap_before_every_call(const char *from, const char *to)
{
    /* calls after which the link leads back; 0: never */
    static const long later[] = {0, 1, 2, 3, 5, 8, 13, 21, 34, 55};
    const bool every = tap_times(10) >= 100;
    swapper s = {.base = {.before = swap_at}, .from = from, .to = to};
    tally t = {0};

    reset(from);
    MUST(run_watched(&swapped, &s.base) == 0);
    const long all = s.base.calls;
    for (long at = 1; at <= all; at++)
        for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
            if (!every && i != 0 && (at + tap_turn() + (long)i) % 5 != 0) continue;
            reset(from);
            s.away = at;
            s.back = later[i] == 0 ? 0 : at + later[i];
            const long before = t.stolen;
            judge_release(run_watched(&swapped, &s.base), &t);
            if (t.stolen > before && t.stolen < 4)
                printf("# the link leads from %s to %s before call %ld of %ld, and back before "
                       "call %ld\n",
                       from, to, s.away, all, s.back);
        }
    CHECK(t.stolen == 0,
          "the link leads from %s to %s before each of %ld calls (%ld runs: %ld paid, %ld refused, "
          "%ld of the open rows): no release of guarded rows that their ledger does not count "
          "(%ld)",
          from, to, all, t.runs, t.paid, t.refused, t.open, t.stolen);
}

int main(void)
{
    if (!can_trace()) {
        tap_ok(true, "a link that is swapped during a run # SKIP tracing is not allowed here");
        return tap_done();
    }
    scratch_open();
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    write_rows("guarded.csv", "0.9,0.9\n");
    write_rows("open.csv", "0.1,0.1\n");
    scratch_write(scratch("stdout"), "", 0);
    scratch_write(scratch("stderr"), "", 0);
    MUST(run_child(&declaring) == 0);
    young = scratch_read(scratch("guarded.csv.ledger"), &young_size);
    tally quiet = {0};
    reset("guarded.csv");
    judge_release(run_child(&swapped), &quiet);
    CHECK(quiet.paid == 1, "through a link that stays, the ledger pays");
    reset("open.csv");
    judge_release(run_child(&swapped), &quiet);
    CHECK(quiet.open == 1, "... and rows without a ledger cost nothing");
    mould_open(&swapped);
    swap_before_every_call("guarded.csv", "open.csv");
    swap_before_every_call("open.csv", "guarded.csv");
    mould_close();
    free(young);
    tacit_ctx_free(ctx);
    scratch_close();
    return tap_done();
}
