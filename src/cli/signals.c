/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C: the first one asks the library to stop and clean up, the second one kills. SA_RESETHAND
   brings the default action back after the first. And what a crash may leave. */
#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static tacit_ctx *running;
static volatile sig_atomic_t caught;

/* Runs in a signal handler: sets a flag and cancels, nothing else. tacit_ctx_cancel is safe
   there. */
static void stop(int number)
{
    (void)number;
    caught = 1;
    tacit_ctx_cancel(running);
}

/* A second signal finds the default action, which kills. */
void cli_catch_signals(tacit_ctx *ctx)
{
    struct sigaction action = {.sa_handler = stop, .sa_flags = (int)SA_RESETHAND};

    running = ctx;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < 2; i++) {
        const int number = i == 0 ? SIGINT : SIGTERM;
        struct sigaction old;
        /* Whoever started us in the background with the signal ignored wants it so. */
        if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(number, &action, NULL);
    }
    /* A file that outgrows its limit is a write error with a sentence, not a sudden death. */
    action.sa_handler = SIG_IGN;
    action.sa_flags = 0;
    sigaction(SIGXFSZ, &action, NULL);
}

/* A limit of 0 does not hold where cores are piped to a crash reporter, so no mapping goes into
   one. */
void cli_leave_no_core(void)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    const int filter = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC);
    if (filter < 0) return;
    const ssize_t written = write(filter, "0", 1);
    (void)written; /* the limit stands */
    close(filter);
}

bool cli_interrupted(void)
{
    return caught != 0;
}
