/* SPDX-License-Identifier: Apache-2.0 */
/* A process under ptrace, from one system call to the next. */
#ifndef TAC_TRACED_CALL_H
#define TAC_TRACED_CALL_H

#include "whole_run.h"

#include <elf.h>
#include <errno.h>
#include <sched.h>
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

#define TRACE_OPTIONS (PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)

typedef struct call {
    pid_t pid;
    long number;
    uint64_t word[6];
    int64_t result; /* at the exit alone */
} call;

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

/* main begins with setrlimit(RLIMIT_CORE). What comes before is the loader's, which knows no rows
   and no ledger. */
static bool is_start(const call *c)
{
    bool start = c->number == SYS_prlimit64 && c->word[1] == RLIMIT_CORE && c->word[2] != 0;
#ifdef SYS_setrlimit
    start = start || (c->number == SYS_setrlimit && c->word[0] == RLIMIT_CORE);
#endif
    return start;
}

/* A process that will become the command, traced and stopped. */
static pid_t fork_traced(const story *s)
{
    int how = 0;

    fflush(stdout);
    const pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) _exit(123);
        raise(SIGSTOP);
        become(s);
    }
    MUST(waitpid(child, &how, 0) == child && WIFSTOPPED(how));
    MUST(ptrace(PTRACE_SETOPTIONS, child, 0, TRACE_OPTIONS) == 0);
    return child;
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
