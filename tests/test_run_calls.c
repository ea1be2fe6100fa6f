/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs of the command in which the n-th allocation (of any library in the process), the n-th
   call of SQLite, or the n-th call that starts or awaits another program fails, once or from then
   on. Never a release that is not charged, never a crash, never a leak. FAILING_CALLS: the object
   that is preloaded. TACIT_TEST_MULT=10 tries every call; a shorter test every few, others with
   another TACIT_TEST_TURN. */
#include "leaks.h"

static const char *const what_words[] = {"none", "memory", "SQLite", "other programs"};

static int run_failing(const story *s, int what, long at, bool on)
{
    control_set(what, at, on);
    return wait_for(start_run(s));
}

static bool check_end(const story *s, int how, bool there)
{
    const outcome o = judge(s, there);
    const int code = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    const bool fits =
        code == s->code || code == 66 || code == 71 || code == 73 || code == 74 || code == 76;
    const bool told = code == s->code || size_of("stderr") > 0, tidy = leftovers(true) == 0,
               kept = leaks_none();

    if (o.good && fits && (code != s->code || o.released) && told && tidy && kept) return true;
    printf("# %s %d%s%s\n", code < 0 ? "signal" : "exit code", code < 0 ? WTERMSIG(how) : code,
           told ? "" : ", no sentence", tidy ? "" : ", a file was left");
    show_stderr();
    return false;
}

static void fail_in_turn(const story *s, int what, bool on, long wanted)
{
    const bool there = old_release != NULL;
    long tried = 0, good = 0, failed = 0;

    world_reset(s, there);
    const int how = run_failing(s, what, 0, false);
    MUST(WIFEXITED(how) && WEXITSTATUS(how) == s->code && leaks_baseline());
    const long all = control->count;
    if (all == 0) return; /* it makes no such call */
    const long share = all / (tap_times(10) >= 100 ? all : tap_times(wanted)),
               stride = share < 1 ? 1 : share;
    for (long at = 1 + (all + tap_turn()) % stride; at <= all; at += stride) {
        world_reset(s, there);
        const int ended = run_failing(s, what, at, on);
        const bool fine = check_end(s, ended, there);
        tried++;
        good += fine;
        failed += !WIFEXITED(ended) || WEXITSTATUS(ended) != s->code;
        if (!fine)
            printf("# %s, call %ld of %s fails %s\n", s->name, at, what_words[what],
                   on ? "from then on" : "once");
    }
    CHECK(good == tried && (failed > 0 || what == FAIL_PROCESS),
          "%s: %ld of %ld calls (%s) fail in turn, %s: %ld runs failed", s->name, tried, all,
          what_words[what], on ? "from then on" : "once", failed);
}

int main(void)
{
    world_open();
    leaks_open();
    for (int i = 0; i < STORIES; i++) {
        rehearse(&stories[i]);
        const long wanted = stories[i].kind == READS ? 5 : 14; /* in a short test */
        mould_open(&stories[i]);
        for (int on = 0; on < 2; on++) {
            fail_in_turn(&stories[i], FAIL_SQLITE, on != 0, wanted);
            fail_in_turn(&stories[i], FAIL_MEMORY, on != 0, 2 * wanted);
            fail_in_turn(&stories[i], FAIL_PROCESS, on != 0, 2 * wanted);
        }
    }
    mould_close();
    leaks_close();
    world_close();
    return tap_done();
}
