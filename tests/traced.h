/* SPDX-License-Identifier: Apache-2.0 */
/* A run of the command under ptrace: each of its system calls from the start of main on is shown to
   a watcher, which may let it pass, refuse it with an error, make it shorter, kill the process
   before it, or look away from then on. */
#ifndef TAC_TRACED_H
#define TAC_TRACED_H

#include "mould.h"

typedef enum verdict { LET_PASS, KILL_HERE, REFUSE, SHORTEN, LOOK_AWAY } verdict;

typedef struct watcher {
    /* Before a call. error: the errno of REFUSE. */
    verdict (*before)(struct watcher *w, const call *c, int *error);
    void (*after)(struct watcher *w, const call *c); /* may be NULL */
    long calls;                                      /* so many were shown */
} watcher;

/* The call under way becomes none. */
static void skip_call(pid_t pid)
{
#if defined(__x86_64__)
    MUST(ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, regs.orig_rax), -1L) == 0);
#elif defined(__aarch64__)
    int none = -1;
    struct iovec at = {&none, sizeof none};
    MUST(ptrace(PTRACE_SETREGSET, pid, NT_ARM_SYSTEM_CALL, &at) == 0);
#else
    (void)pid;
#endif
}

static void set_result(pid_t pid, long value)
{
#if defined(__x86_64__)
    MUST(ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, regs.rax), value) == 0);
#elif defined(__aarch64__)
    struct user_regs_struct all;
    struct iovec at = {&all, sizeof all};
    MUST(ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &at) == 0);
    all.regs[0] = (unsigned long long)value;
    MUST(ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &at) == 0);
#else
    (void)pid;
    (void)value;
#endif
}

/* The third word of a call: the count of read, write and their like. */
static void set_third(pid_t pid, uint64_t value)
{
#if defined(__x86_64__)
    MUST(ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, regs.rdx), value) == 0);
#elif defined(__aarch64__)
    struct user_regs_struct all;
    struct iovec at = {&all, sizeof all};
    MUST(ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &at) == 0);
    all.regs[2] = value;
    MUST(ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &at) == 0);
#else
    (void)pid;
    (void)value;
#endif
}

/* The wait status of a run of `s` under the eyes of `w`. */
static int run_watched(const story *s, watcher *w)
{
    int how = 0, error = 0;
    bool started = mould.of == s;
    const pid_t child = started ? cast() : fork_traced(s);

    w->calls = 0;
    while (to_call(child, &how)) {
        call c = read_call(child);
        verdict v = LET_PASS;
        if (started) {
            w->calls++;
            v = w->before(w, &c, &error);
        } else {
            started = is_start(&c);
        }
        if (v == KILL_HERE) {
            kill(child, SIGKILL);
            MUST(waitpid(child, &how, 0) == child);
            return how;
        }
        if (v == LOOK_AWAY) {
            MUST(ptrace(PTRACE_DETACH, child, 0, 0) == 0);
            return wait_for(child);
        }
        /* close closes, whatever it says */
        if (v == REFUSE && c.number != SYS_close) skip_call(child);
        if (v == SHORTEN && c.word[2] > 1) set_third(child, (c.word[2] + 1) / 2);
        if (!to_call(child, &how)) break; /* exit_group has no exit */
        if (v == REFUSE)
            set_result(child, -(long)error);
        else if (v == SHORTEN && c.word[2] > 1)
            set_third(child, c.word[2]); /* the caller's register, as it was */
        if (started && w->after != NULL) {
            c.result = v == REFUSE ? -error : read_call(child).result;
            w->after(w, &c);
        }
    }
    MUST(started || WIFSIGNALED(how));
    return how;
}

#endif
