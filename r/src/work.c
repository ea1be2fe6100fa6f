/* SPDX-License-Identifier: Apache-2.0 */
/* Long work goes to a thread that calls no function of R. R's own thread waits, asks R now and
   then whether the user has pressed Ctrl-C or a time limit has passed, and if so asks the library
   to stop. It always waits until the library has returned: nothing jumps over its frames. */
#include "handles.h"

#include <R_ext/Utils.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#define LOOK_EVERY_NS 50000000L

typedef struct task {
    work_fn function;
    void *job;
    tacit_status status;
    int done;
    pthread_mutex_t lock;
    pthread_cond_t ended;
} task;

static void *run_task(void *payload)
{
    task *t = payload;
    tacit_status status = t->function(t->job);
    pthread_mutex_lock(&t->lock);
    t->status = status;
    t->done = 1;
    pthread_cond_signal(&t->ended);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static SEXP check(void *unused)
{
    (void)unused;
    R_CheckUserInterrupt();
    return R_NilValue;
}

/* An error of R's: its message is kept for whoever called. */
static SEXP keep_error(SEXP condition, void *stopped)
{
    stop *s = stopped;
    const char *message = text(condition, "message");
    s->by = ERROR_OF_R;
    snprintf(s->error, sizeof s->error, "%s", message == NULL ? "stopped by an error" : message);
    return R_NilValue;
}

static void look(void *stopped)
{
    R_tryCatchError(check, NULL, keep_error, stopped);
}

static int wait_a_little(task *t)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_EVERY_NS;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_mutex_lock(&t->lock);
    if (!t->done) pthread_cond_timedwait(&t->ended, &t->lock, &until);
    int done = t->done;
    pthread_mutex_unlock(&t->lock);
    return done;
}

tacit_status work(tacit_ctx *ctx, work_fn function, void *job, stop *stopped)
{
    task t = {function, job, TACIT_OK, 0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
    pthread_t thread;
    sigset_t all, before;
    stopped->by = GOES_ON;

    sigfillset(&all); /* signals are R's: its own thread takes them */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int wrong = pthread_create(&thread, NULL, run_task, &t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (wrong != 0) return function(job); /* no thread is to be had: then without Ctrl-C */
    while (!wait_a_little(&t)) {
        if (stopped->by != GOES_ON) continue;
        if (!R_ToplevelExec(look, stopped)) stopped->by = INTERRUPTED;
        if (stopped->by != GOES_ON) tacit_ctx_cancel(ctx);
    }
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&t.lock);
    pthread_cond_destroy(&t.ended);
    return t.status;
}

/* The interrupt that `work` has seen, once more and in R's own way: for handlers of R code, or back
   to the prompt. */
SEXP r_interrupt(void)
{
    raise(SIGINT);
    R_CheckUserInterrupt();
    return R_NilValue;
}
