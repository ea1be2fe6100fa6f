/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs of one story at the price of what they do themselves: one process is stopped where main
   begins, and every run is a copy of it. Finding, loading and linking a dozen libraries is most of
   what a short run takes. The copy is made by a system call that the tracer puts into the stopped
   process: clone, with the test as the parent. Where that is not known (another processor, no
   ptrace), runs begin from the start. */
#ifndef TAC_MOULD_H
#define TAC_MOULD_H

#include "traced_call.h"

static struct {
    const story *of; /* NULL: there is none */
    pid_t pid;
#if defined(__x86_64__)
    struct user_regs_struct at;
#endif
} mould;

static void mould_close(void)
{
    int how;

    if (mould.of == NULL) return;
    kill(mould.pid, SIGKILL);
    MUST(waitpid(mould.pid, &how, 0) == mould.pid);
    mould.of = NULL;
}

#if defined(__x86_64__)

__attribute__((unused)) static void mould_open(const story *s)
{
    int how = 0;

    mould_close();
    if (!can_trace()) return;
    mould.pid = fork_traced(s);
    for (bool started = false; !started;) {
        MUST(to_call(mould.pid, &how));
        const call c = read_call(mould.pid);
        started = is_start(&c);
        MUST(to_call(mould.pid, &how));
    }
    MUST(ptrace(PTRACE_GETREGS, mould.pid, 0, &mould.at) == 0);
    mould.of = s;
}

/* A copy, traced and stopped after main's first call. */
static pid_t cast(void)
{
    struct user_regs_struct copying = mould.at;
    unsigned long child = 0;
    int how = 0;

    copying.rip -= 2; /* the instruction `syscall` again */
    copying.rax = SYS_clone;
    copying.rdi = (unsigned long long)CLONE_PARENT | SIGCHLD;
    copying.rsi = copying.rdx = copying.r10 = copying.r8 = 0;
    MUST(ptrace(PTRACE_SETREGS, mould.pid, 0, &copying) == 0);
    MUST(ptrace(PTRACE_SETOPTIONS, mould.pid, 0, TRACE_OPTIONS | PTRACE_O_TRACEFORK) == 0);
    MUST(to_call(mould.pid, &how)); /* its entry */
    MUST(ptrace(PTRACE_SYSCALL, mould.pid, 0, 0) == 0 && waitpid(mould.pid, &how, 0) == mould.pid);
    MUST(how >> 8 == (SIGTRAP | PTRACE_EVENT_FORK << 8));
    MUST(ptrace(PTRACE_GETEVENTMSG, mould.pid, 0, &child) == 0);
    MUST(to_call(mould.pid, &how)); /* its exit */
    MUST(waitpid((pid_t)child, &how, 0) == (pid_t)child && WIFSTOPPED(how));
    copying = mould.at;
    copying.orig_rax = (unsigned long long)-1; /* no call is under way that could begin again */
    MUST(ptrace(PTRACE_SETREGS, (pid_t)child, 0, &copying) == 0);
    MUST(ptrace(PTRACE_SETOPTIONS, (pid_t)child, 0, TRACE_OPTIONS) == 0);
    return (pid_t)child;
}

#else
__attribute__((unused)) static void mould_open(const story *s)
{
    (void)s;
}
static pid_t cast(void)
{
    return -1;
}
#endif

/* A run of the story, from the mould if there is one. */
__attribute__((unused)) static pid_t start_run(const story *s)
{
    fflush(stdout);
    if (mould.of == s) {
        const pid_t child = cast();
        MUST(ptrace(PTRACE_DETACH, child, 0, 0) == 0);
        return child;
    }
    const pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) become(s);
    return child;
}

#endif
