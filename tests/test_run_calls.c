/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs of the command in which the n-th allocation (of any library in the process), or the n-th call of SQLite,
   fails, once or from then on. FAILING_CALLS: the object that is preloaded. TACIT_TEST_MULT=10 tries every call. */
#include "whole_run.h"

static int run_failing(const story *s, const char *what, long at, bool on)
{
    char number[32];
    int how = 0;

    fflush(stdout);
    const pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        snprintf(number, sizeof number, "%ld", at);
        setenv("LD_PRELOAD", FAILING_CALLS, 1);
        setenv("TACIT_FAIL_WHAT", what, 1);
        setenv("TACIT_FAIL_AT", number, 1);
        setenv("TACIT_FAIL_COUNT", scratch("count"), 1);
        if (on) setenv("TACIT_FAIL_ON", "1", 1);
        become(s);
    }
    MUST(waitpid(child, &how, 0) == child);
    return how;
}

static long calls_made(void)
{
    size_t size;
    unsigned char *text = scratch_read(scratch("count"), &size);
    text[size] = '\0';
    const long count = strtol((const char *)text, NULL, 10);
    free(text);
    return count;
}

static void fail_in_turn(const story *s, const char *what, bool on, long wanted)
{
    long tried = 0, good = 0, failed = 0, released = 0;

    rehearse(s);
    world_reset(s, true);
    MUST(run_failing(s, what, 0, false) == 0);
    const long all = calls_made();
    const long share = all / (tap_times(10) >= 100 ? all : tap_times(wanted)), stride = share < 1 ? 1 : share;
    for (long at = 1 + all % stride; at <= all; at += stride) {
        world_reset(s, true);
        const int how = run_failing(s, what, at, on);
        const outcome o = judge(s, true);
        const int code = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
        const bool fits = code == 0 || code == 66 || code == 71 || code == 73 || code == 74 || code == 76;
        const bool fine = o.good && fits && (code != 0 || o.released) && (code == 0 || size_of("stderr") > 0);
        tried++;
        good += fine;
        failed += code != 0;
        released += o.released;
        if (!fine) {
            size_t size;
            unsigned char *said = scratch_read(scratch("stderr"), &size);
            printf("# %s, %s call %ld fails %s: %s %d: %.*s\n", s->name, what, at, on ? "from then on" : "once",
                   code < 0 ? "signal" : "exit code", code < 0 ? WTERMSIG(how) : code, (int)(size < 500 ? size : 500), (const char *)said);
            free(said);
        }
    }
    CHECK(good == tried && failed > 0, "%s: %ld of %ld calls (%s) fail in turn, %s: %ld runs failed, %ld released", s->name, tried, all, what,
          on ? "from then on" : "once", failed, released);
}

int main(void)
{
    world_open();
    for (int i = 0; i < STORIES; i++)
        for (int on = 0; on < 2; on++) {
            fail_in_turn(&stories[i], "sqlite", on != 0, 15);
            fail_in_turn(&stories[i], "memory", on != 0, 25);
        }
    world_close();
    return tap_done();
}
