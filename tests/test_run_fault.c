/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs of the command in which one system call fails, once, or from then on with all of its kind, or with all calls
   whatsoever: reading, writing, opening, flushing, renaming, locking, random bytes, memory. Never a release that is not
   charged, never a crash, an exit code that the manual names and a sentence. And calls that do less than they were
   asked change nothing. TACIT_TEST_MULT=10 tries every call; a shorter test every few. */
#include "traced.h"

#define MOST_CALLS 20000

/* How a call fails; 0: it cannot, or the C library does not expect it to. */
static int error_of(long number)
{
    switch (number) {
    case SYS_exit_group: case SYS_exit: case SYS_brk: case SYS_munmap: case SYS_mprotect: case SYS_madvise:
    case SYS_rt_sigaction: case SYS_rt_sigprocmask: case SYS_rt_sigreturn: case SYS_sigaltstack: case SYS_futex:
    case SYS_getpid: case SYS_gettid: case SYS_getppid: case SYS_geteuid: case SYS_getuid: case SYS_getegid: case SYS_getgid:
    case SYS_nanosleep: case SYS_clock_nanosleep: case SYS_clock_gettime: case SYS_umask: case SYS_sched_yield:
        return 0;
#ifdef __SANITIZE_ADDRESS__
    case SYS_mmap: case SYS_mremap: case SYS_prlimit64: return 0; /* the sanitizer's own */
#else
    case SYS_mmap: case SYS_mremap: return ENOMEM;
#endif
    case SYS_write: case SYS_pwrite64: case SYS_writev: return ENOSPC;
    case SYS_openat: return EMFILE;
    case SYS_getrandom: return ENOSYS;
    default: return EIO;
    }
}

static bool moves_bytes(long number)
{
    return number == SYS_read || number == SYS_write || number == SYS_pread64 || number == SYS_pwrite64;
}

typedef enum mode { ONCE, ITS_KIND_ON, ALL_ON, LESS, MODES } mode;
static const char *const mode_words[] = {"once", "from then on with all of its kind", "from then on with all others",
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
    if (s->count == s->at) s->number = c->number;
    if (s->mode != ALL_ON && s->count > s->at && (s->mode != ITS_KIND_ON || c->number != s->number)) return LET_PASS;
    *error = error_of(c->number);
    return s->mode == LESS ? SHORTEN : REFUSE;
}

static bool documented(int code)
{
    /* 64 a wrong option, 70 a fault of our own, 75 too little budget, 130 interrupted: none of these was the case */
    return code == 0 || code == 65 || code == 66 || code == 71 || code == 73 || code == 74 || code == 76;
}

static int leftovers(void)
{
    int count = 0;
    DIR *folder = opendir(scratch_folder);

    MUST(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (strncmp(entry->d_name, ".tacit-", 7) == 0) {
            count++;
            unlink(scratch(entry->d_name));
        }
    closedir(folder);
    return count;
}

static bool check_end(const story *s, const saboteur *by, int how, bool there)
{
    const outcome o = judge(s, there);
    const int code = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    const bool said = size_of("stderr") > 0;
    /* libsodium ends the program if random bytes are refused while it starts, once the probe before it was answered. Nothing
       has been opened by then. */
    if (code < 0 && by->number == SYS_getrandom && by->at <= 3 && o.good && o.runs == 0 && !o.released) return true;
    const char *bad = !o.good ? "see above"
                    : code < 0 ? "it crashed"
                    : !documented(code) ? "its exit code is not one of the manual's for this"
                    : code == 0 && !o.released ? "success without a release"
                    : code == 0 && o.runs != 1 ? "success without a charge"
                    : code != 0 && !said && by->number != SYS_write && by->mode != ALL_ON ? "no sentence"
                    : by->mode == LESS && code != 0 ? "a call that did less than it was asked"
                    : NULL;
    const bool may_lie = by->mode == ALL_ON || by->number == SYS_unlink || by->number == SYS_unlinkat;

    if (leftovers() > 0 && !may_lie && bad == NULL) bad = "a temporary file was left";
    if (bad == NULL) return true;
    printf("# %s, call %ld (number %ld) fails %s: %s; %s %d\n", s->name, by->at, by->number, mode_words[by->mode], bad,
           code < 0 ? "signal" : "exit code", code < 0 ? WTERMSIG(how) : code);
    if (said) {
        size_t size;
        unsigned char *text = scratch_read(scratch("stderr"), &size);
        for (size_t i = 0; i < size; i++)
            if (text[i] == '\n' && i + 1 < size) text[i] = '|';
        printf("# %.*s", (int)(size < 600 ? size : 600), (const char *)text);
        free(text);
    }
    return false;
}

static void fail_every_call(const story *s, mode m)
{
    static saboteur by;
    /* Few are enough of the wildest kind. A prime stride passes over no step each time. */
    const long wanted = m == ALL_ON ? 3 : 1;
    const long stride = tap_times(10) >= 100 ? 1 : tap_times(10) >= 10 ? 11 * wanted : 29 * wanted;
    const bool there = (s - stories + (long)m) % 2 == 0; /* the same for all, or calls would come at other places */
    long tried = 0, good = 0, failed = 0, released = 0, last = 0;

    by = (saboteur){.base = {.before = interfere}, .mode = m};
    rehearse(s);
    world_reset(s, there);
    MUST(run_watched(s, &by.base) == 0);
    const long all = by.count;
    for (long at = 1; at <= all; at++) {
        /* the rare kinds always, the common ones every few */
        bool rare = m != ALL_ON;
        for (long i = at - 1; i > 0 && rare; i--) rare = by.seen[i] != by.seen[at];
        if (!rare && at - last < stride) continue;
        last = rare ? last : at;
        world_reset(s, there);
        by.at = at;
        by.number = -1;
        by.count = 0;
        const int how = run_watched(s, &by.base);
        tried++;
        good += check_end(s, &by, how, there);
        failed += !WIFEXITED(how) || WEXITSTATUS(how) != 0;
        released += judge(s, there).released;
    }
    CHECK(good == tried && tried > 0 && (m == LESS || failed > 0), "%s: %ld of %ld calls in turn, each %s: %ld runs failed, %ld released",
          s->name, tried, all, mode_words[m], failed, released);
}

int main(void)
{
    if (!can_trace()) {
        tap_ok(true, "failing system calls # SKIP tracing is not allowed here");
        return tap_done();
    }
    world_open();
    for (int i = 0; i < STORIES; i++)
        for (mode m = 0; m < MODES; m++) fail_every_call(&stories[i], m);
    world_close();
    return tap_done();
}
