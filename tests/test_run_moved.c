/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger is moved away, or moved away and replaced by a fresh copy, before each system call of
   a whole run: whatever is released has been counted in the file that was there, no ledger is
   damaged, and the run ends with a code that the manual names. TACIT_TEST_MULT=10 tries every call;
   a shorter test every few, others with another TACIT_TEST_TURN. */
#include "traced.h"

typedef struct mover {
    watcher base;
    const story *of;
    long at; /* before this call; 0: never */
    bool replace, did;
} mover;

static verdict move_at(watcher *w, const call *c, int *error)
{
    mover *m = (mover *)w;

    (void)c;
    (void)error;
    if (m->did) return LOOK_AWAY;
    if (m->at == 0 || w->calls != m->at) return LET_PASS;
    MUST(rename(scratch(m->of->ledger), scratch("moved.ledger")) == 0);
    if (m->replace)
        scratch_write(scratch(m->of->ledger), seed[m->of->whose], seed_size[m->of->whose]);
    m->did = true;
    return LET_PASS;
}

/* Runs that a ledger counts; -1: it does not open. */
static int64_t runs_in(const char *name)
{
    tacit_ledger *ledger = NULL;

    if (access(scratch(name), F_OK) != 0) return 0;
    if (tac_ledger_open_patient(ctx, scratch(name), 5000, &ledger) != TACIT_OK) {
        printf("# %s\n", tacit_ctx_message(ctx));
        return -1;
    }
    const int64_t runs = ledger->state.runs;
    tacit_ledger_free(ledger);
    return runs;
}

static void move_before_every_call(const story *s, bool replace)
{
    mover m = {.base = {.before = move_at}, .of = s, .replace = replace};
    const long stride = tap_times(10) >= 100 ? 1 : tap_times(10) >= 10 ? 5 : 29;
    long tried = 0, good = 0, released = 0, failed = 0, elsewhere = 0;

    world_reset(s, false);
    MUST(run_watched(s, &m.base) == 0);
    const long all = m.base.calls;
    for (long at = 1 + (tap_turn() + replace) % stride; at <= all; at += stride) {
        world_reset(s, false);
        m.at = at;
        m.did = false;
        const int how = run_watched(s, &m.base);
        const int code = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
        const int64_t old = runs_in("moved.ledger"), fresh = runs_in(s->ledger);
        const bool out = size_of("stdout") > 0;
        const bool fine = old >= 0 && fresh >= 0 && old + fresh <= 1 &&
                          (!out || old + fresh == 1) && (code != 0 || out) &&
                          (code == 0 || code == 66 || code == 73 || code == 74 || code == 76);
        tried++;
        good += fine;
        released += out;
        failed += code != 0;
        elsewhere += fresh > 0;
        if (!fine) {
            printf("# before call %ld: exit code %d, %d in the old ledger, %d in the new, %s\n", at,
                   code, (int)old, (int)fresh, out ? "released" : "not released");
            show_stderr();
        }
        unlink(scratch("moved.ledger"));
        leftovers(true);
    }
    CHECK(good == tried && released > 0 && failed > 0,
          "%s: ledger %s before %ld of %ld calls: %ld released and counted, %ld of these in the "
          "new one; %ld runs failed",
          s->name, replace ? "replaced" : "moved away", tried, all, released, elsewhere, failed);
}

int main(void)
{
    /* its ledger is named: without one it must not run */
    const story *s = story_called("kmeans to standard output");

    if (!can_trace()) {
        tap_ok(true, "a ledger that is moved during a run # SKIP tracing is not allowed here");
        return tap_done();
    }
    world_open();
    rehearse(s);
    mould_open(s);
    for (int replace = 0; replace < 2; replace++) move_before_every_call(s, replace != 0);
    mould_close();
    world_close();
    return tap_done();
}
