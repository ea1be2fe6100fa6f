/* SPDX-License-Identifier: Apache-2.0 */
/* A run of the command under ptrace: each of its system calls from the start of main on is shown to a watcher, which may
   let it pass, refuse it with an error, make it shorter, or kill the process before it. */
#ifndef TAC_TRACED_H
#define TAC_TRACED_H

#include "whole_run.h"

#include <elf.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>

#if defined(__x86_64__) || defined(__aarch64__)
#define CAN_REFUSE 1
#else
#define CAN_REFUSE 0
#endif

typedef enum verdict { LET_PASS, KILL_HERE, REFUSE, SHORTEN } verdict;

typedef struct call {
    pid_t pid;
    long number;
    uint64_t word[6];
    int64_t result; /* at the exit alone */
} call;

typedef struct watcher {
    /* Before a call. error: the errno of REFUSE. */
    verdict (*before)(struct watcher *w, const call *c, int *error);
    void (*after)(struct watcher *w, const call *c); /* may be NULL */
    long calls;                                      /* so many were shown */
} watcher;

/* The call under way becomes none, and its result is `value`. */
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

/* To the next stop at a call's entry or exit. False: the process has ended, *how tells how. */
static bool to_call(pid_t child, int *how)
{
    for (int deliver = 0;;) {
        MUST(ptrace(PTRACE_SYSCALL, child, 0, (long)deliver) == 0);
        MUST(waitpid(child, how, 0) == child);
        if (WIFEXITED(*how) || WIFSIGNALED(*how)) return false;
        if (WSTOPSIG(*how) == (SIGTRAP | 0x80)) return true;
        deliver = WSTOPSIG(*how) == SIGTRAP ? 0 : WSTOPSIG(*how);
    }
}

static call read_call(pid_t child)
{
    struct __ptrace_syscall_info info;
    call c = {.pid = child};

    MUST(ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info) > 0);
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
        c.number = (long)info.entry.nr;
        for (int i = 0; i < 6; i++) c.word[i] = info.entry.args[i];
    } else {
        c.result = info.exit.rval;
    }
    return c;
}

/* main begins with setrlimit(RLIMIT_CORE). What comes before is the loader's, which knows no rows and no ledger. */
static bool is_start(const call *c)
{
    bool start = c->number == SYS_prlimit64 && c->word[1] == RLIMIT_CORE && c->word[2] != 0;
#ifdef SYS_setrlimit
    start = start || (c->number == SYS_setrlimit && c->word[0] == RLIMIT_CORE);
#endif
    return start;
}

/* The wait status of a run of `s` under the eyes of `w`. */
static int run_watched(const story *s, watcher *w)
{
    int how = 0, error = 0;
    bool started = false;

    fflush(stdout);
    const pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) _exit(123);
        raise(SIGSTOP);
        become(s);
    }
    MUST(waitpid(child, &how, 0) == child && WIFSTOPPED(how));
    MUST(ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) == 0);
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
        if (v == REFUSE) skip_call(child);
        if (v == SHORTEN && c.word[2] > 1) set_third(child, (c.word[2] + 1) / 2);
        if (!to_call(child, &how)) break; /* exit_group has no exit */
        if (v == REFUSE) set_result(child, -(long)error);
        else if (v == SHORTEN && c.word[2] > 1) set_third(child, c.word[2]); /* the caller's register, as it was */
        if (started && w->after != NULL) {
            c.result = v == REFUSE ? -error : read_call(child).result;
            w->after(w, &c);
        }
    }
    MUST(started || WIFSIGNALED(how));
    return how;
}

static bool can_trace(void)
{
    struct __ptrace_syscall_info info;

    if (!CAN_REFUSE) return false;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) _exit(1);
        raise(SIGSTOP);
        _exit(0);
    }
    int how = 1;
    if (child < 0 || waitpid(child, &how, 0) != child) return false;
    if (!WIFSTOPPED(how)) return false;
    const bool good = ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info) > 0;
    kill(child, SIGKILL);
    waitpid(child, &how, 0);
    return good;
}

#endif
