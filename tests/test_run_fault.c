/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs of the command in which one system call fails, once, or from then on with all of its
   kind, or with all calls whatsoever: reading, writing, opening, flushing, renaming, locking,
   random bytes, memory. Never a release that is not charged, never a crash, never a leak, an exit
   code that the manual names and a sentence. And calls that do less than they were asked change
   nothing. TACIT_TEST_MULT=10 tries every call; a shorter test every few, others with another
   TACIT_TEST_TURN. */
#include "leaks.h"
#include "traced.h"

#define MOST_CALLS 20000
#define LEAST 8 /* calls of a story that are tried, if it has so many */

/* How a call fails; 0: it cannot, or the C library does not expect it to. */
static int error_of(long number)
{
    switch (number) {
    case SYS_exit_group:
    case SYS_exit:
    case SYS_brk:
    case SYS_munmap:
    case SYS_mprotect:
    case SYS_madvise:
    case SYS_rt_sigaction:
    case SYS_rt_sigprocmask:
    case SYS_rt_sigreturn:
    case SYS_sigaltstack:
    case SYS_futex:
    case SYS_getpid:
    case SYS_gettid:
    case SYS_getppid:
    case SYS_geteuid:
    case SYS_getuid:
    case SYS_getegid:
    case SYS_getgid:
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_clock_gettime:
    case SYS_umask:
    case SYS_sched_yield: return 0;
#ifdef __SANITIZE_ADDRESS__
    case SYS_mmap:
    case SYS_mremap:
    case SYS_prlimit64: return 0; /* the sanitizer's own */
#else
    case SYS_mmap:
    case SYS_mremap: return ENOMEM;
#endif
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev: return ENOSPC;
    case SYS_openat: return EMFILE;
    case SYS_getrandom: return ENOSYS;
    default: return EIO;
    }
}

static bool moves_bytes(long number)
{
    return number == SYS_read || number == SYS_write || number == SYS_pread64 ||
           number == SYS_pwrite64;
}

typedef enum mode { ONCE, ITS_KIND_ON, ALL_ON, LESS, MODES } mode;
static const char *const mode_words[] = {"once", "from then on with all of its kind",
                                         "from then on with all others",
                                         "does half of what was asked"};

typedef struct saboteur {
    watcher base;
    mode mode;
    long count;  /* of calls that can fail in this mode */
    long at;     /* which of them fails; 0: watch only */
    long number; /* of that call, once it came */
    long seen[MOST_CALLS];
} saboteur;

static bool can_fail(const saboteur *s, long number)
{
    return s->mode == LESS ? moves_bytes(number) : error_of(number) != 0;
}

static verdict interfere(watcher *w, const call *c, int *error)
{
    saboteur *s = (saboteur *)w;

    if (!can_fail(s, c->number)) return LET_PASS;
    s->count++;
    if (s->at == 0) {
        MUST(s->count < MOST_CALLS);
        s->seen[s->count] = c->number;
        return LET_PASS;
    }
    if (s->count < s->at) return LET_PASS;
    if (s->count > s->at && (s->mode == ONCE || s->mode == LESS)) return LOOK_AWAY;
    if (s->count == s->at) s->number = c->number;
    if (s->mode != ALL_ON && s->count > s->at && (s->mode != ITS_KIND_ON || c->number != s->number))
        return LET_PASS;
    *error = error_of(c->number);
    return s->mode == LESS ? SHORTEN : REFUSE;
}

static bool documented(int code)
{
    /* 64 a wrong option, 70 a fault of our own, 75 too little budget, 130 interrupted: none of
       these was the case */
    return code == 0 || code == 65 || code == 66 || code == 71 || code == 73 || code == 74 ||
           code == 76;
}

static const char *fault_of(const story *s, const saboteur *by, const outcome *o, int code)
{
    const bool tells = by->number != SYS_write && by->mode != ALL_ON; /* it can still speak */
    const bool tidies =
        by->mode != ALL_ON && by->number != SYS_unlink && by->number != SYS_unlinkat;

    if (!o->good) return "see above";
    if (code < 0) return "it crashed";
    if (!documented(code) && code != s->code)
        return "its exit code is not one of the manual's for this";
    if (code == s->code && !o->released) return "success without a release";
    if (s->kind == PAYS && code == 0 && o->runs != 1) return "success without a charge";
    if (code != s->code && size_of("stderr") == 0 && tells) return "no sentence";
    if (by->mode == LESS && code != s->code) return "a call that did less than it was asked";
    if (leftovers(true) > 0 && tidies) return "a temporary file was left";
    if (by->mode != ALL_ON && !leaks_none()) return "something was not given back";
    return NULL;
}

static bool check_end(const story *s, const saboteur *by, int how, bool there, bool *released)
{
    const outcome o = judge(s, there);
    const int code = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    const char *bad = fault_of(s, by, &o, code);

    *released = o.released;
    if (bad == NULL) return true;
    printf("# %s, call %ld (number %ld) fails %s: %s; %s %d\n", s->name, by->at, by->number,
           mode_words[by->mode], bad, code < 0 ? "signal" : "exit code",
           code < 0 ? WTERMSIG(how) : code);
    show_stderr();
    return false;
}

static void fail_every_call(const story *s, mode m)
{
    static saboteur by;
    /* Few are enough of the wildest kind, and of stories in which nothing is spent. A prime stride
       passes over no step each time. */
    const long wanted = m == ALL_ON || s->kind == READS ? 3 : 1;
    long stride = tap_times(10) >= 100 ? 1 : tap_times(10) >= 10 ? 17 * wanted : 29 * wanted;
    /* the same for all, or calls would come at other places */
    const bool there = (s - stories + (long)m) % 2 == 0 && old_release != NULL;
    long tried = 0, good = 0, failed = 0, released = 0;

    by = (saboteur){.base = {.before = interfere}, .mode = m};
    world_reset(s, there);
    control_set(FAIL_NOTHING, 0, false);
    const int how = run_watched(s, &by.base);
    MUST(WIFEXITED(how) && WEXITSTATUS(how) == s->code && leaks_baseline());
    const long all = by.count;
    /* short stories have few calls */
    if (stride > all / LEAST) stride = all < LEAST ? 1 : all / LEAST;
    const long first = 1 + (s - stories + (long)m + tap_turn()) % stride;
    for (long at = 1; at <= all; at++) {
        /* the rare kinds always, the common ones every few */
        bool rare = m != ALL_ON && s->kind != READS;
        for (long i = at - 1; i > 0 && rare; i--) rare = by.seen[i] != by.seen[at];
        if (!rare && at % stride != first % stride) continue;
        world_reset(s, there);
        control_set(FAIL_NOTHING, 0, false);
        by.at = at;
        by.number = -1;
        by.count = 0;
        const int ended = run_watched(s, &by.base);
        bool out = false;
        tried++;
        good += check_end(s, &by, ended, there, &out);
        failed += !WIFEXITED(ended) || WEXITSTATUS(ended) != s->code;
        released += out;
    }
    CHECK(good == tried && tried > 0 && (m == LESS || failed > 0),
          "%s: %ld of %ld calls in turn, each %s: %ld runs failed, %ld released", s->name, tried,
          all, mode_words[m], failed, released);
}

int main(void)
{
    if (!can_trace()) {
        tap_ok(true, "failing system calls # SKIP tracing is not allowed here");
        return tap_done();
    }
    world_open();
    leaks_open();
    for (int i = 0; i < STORIES; i++) {
        rehearse(&stories[i]);
        mould_open(&stories[i]);
        for (mode m = 0; m < MODES; m++) fail_every_call(&stories[i], m);
    }
    mould_close();
    leaks_close();
    world_close();
    return tap_done();
}
