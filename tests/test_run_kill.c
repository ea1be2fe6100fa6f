/* SPDX-License-Identifier: Apache-2.0 */
/* kill -9 on whole runs of the command, at random moments and before every system call: the ledger
   opens, counts every release, and no half release has a release's name. TACIT_TEST_MULT=17 makes a
   thousand random kills and tries every system call; a shorter test tries every few, others with
   another TACIT_TEST_TURN. */
#include "traced.h"

#include <time.h>

typedef struct killer {
    watcher base;
    long at; /* kill before this call; 0: never */
} killer;

static verdict kill_at(watcher *w, const call *c, int *error)
{
    (void)c;
    (void)error;
    return w->calls == ((killer *)w)->at ? KILL_HERE : LET_PASS;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Kills spread evenly over the length of a run, with some beyond its end. The sequence is fixed,
   the machine is not: how many come before the charge is told, not tested. */
static void random_kills(void)
{
    const long kills = tap_times(60);
    long good = 0, died = 0, charged = 0, released = 0;
    double length[PAID_STORIES];
    uint64_t state = 11;

    for (int which = 0; which < PAID_STORIES; which++) {
        const story *s = &stories[which];
        rehearse(s);
        mould_open(s);
        length[which] = 10;
        for (int turn = 0; turn < 3; turn++) {
            int how = 0;
            world_reset(s, false);
            const double start = now();
            MUST(waitpid(start_run(s), &how, 0) > 0 && how == 0);
            if (now() - start < length[which]) length[which] = now() - start;
        }
        for (long i = which; i < kills; i += PAID_STORIES) {
            const bool there = i / PAID_STORIES % 2 == 0 && old_release != NULL;
            world_reset(s, there);
            const pid_t child = start_run(s);
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const double nap = length[which] * 1.1 * (double)(state >> 40) / (1 << 24);
            nanosleep(&(struct timespec){(time_t)nap, (long)((nap - (double)(time_t)nap) * 1e9)},
                      NULL);
            MUST(kill(child, SIGKILL) == 0);
            int how = 0;
            MUST(waitpid(child, &how, 0) == child);
            died += WIFSIGNALED(how);
            const outcome o = judge(s, there);
            good += o.good;
            charged += o.runs > 0;
            released += o.released;
        }
    }
    CHECK(good == kills,
          "%ld runs killed at random moments (%ld were still alive): %ld charged, %ld released",
          kills, died, charged, released);
}

static void kill_at_every_call(const story *s)
{
    killer k = {.base = {.before = kill_at}};
    /* The release is written in the last calls: all of these. All calls when the long test is asked
       for. */
    const long stride = tap_times(10) >= 100  ? 1
                        : tap_times(10) >= 10 ? 7
                                              : 29,
               ending = tap_times(10) >= 10 ? 40 : 5;
    const bool there = s == &stories[0]; /* an older release */
    const bool pays = s->kind == PAYS;
    long tried = 0, good = 0, charged = 0, released = 0, unpaid = 0;

    rehearse(s);
    mould_open(s);
    world_reset(s, there);
    MUST(run_watched(s, &k.base) == 0);
    const long all = k.base.calls;
    for (long at = 1 + (s - stories + tap_turn()) % stride; at <= all + 1;
         at = at + stride < all - ending ? at + stride
              : at < all - ending        ? all - ending
                                         : at + 1) {
        world_reset(s, there);
        k.at = at <= all ? at : 0; /* the last one comes to its end */
        const int how = run_watched(s, &k.base);
        const outcome o = judge(s, there);
        tried++;
        good += o.good && (WIFSIGNALED(how) || k.at == 0 || k.base.calls < at);
        charged += o.runs > 0;
        released += o.released;
        unpaid += o.runs == 0;
        leftovers(true); /* a kill may leave some */
    }
    CHECK(good == tried && unpaid > 0 && released > 0 &&
              (pays ? charged > 0 && released <= charged : charged == 0),
          "%s: killed before %ld of %ld system calls; %ld were charged, %ld released", s->name,
          tried, all, charged, released);
}

int main(void)
{
    world_open();
    random_kills();
    if (can_trace()) /* the last one makes a ledger */
        for (int i = 0; i <= PAID_STORIES; i++) kill_at_every_call(&stories[i]);
    else
        tap_ok(true, "killed at every system call # SKIP tracing is not allowed here");
    mould_close();
    world_close();
    return tap_done();
}
