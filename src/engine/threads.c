/* SPDX-License-Identifier: Apache-2.0 */
/* The engine of one process: threads that take the next block from a shared counter. Which
   thread takes which block is left to chance, so a body must not let it show: integer sums
   commute, and noise has a stream per block. Threads live for one map only: nothing is left
   behind for a fork to inherit, and starting them costs microseconds. */
#include "engine/engine.h"

#include <pthread.h>

typedef struct work {
    const tacit_ctx *ctx;
    tac_block_fn body;
    void *state;
    int64_t blocks;
    _Atomic int64_t next;
    _Atomic bool stop;
    pthread_mutex_t lock; /* guards the two below */
    int64_t failed_block;
    tacit_status failed;
} work;

typedef struct worker {
    work *shared;
    int index;
} worker;

/* Keeps the failure of the lowest block, so that the status does not depend on which thread was
   faster among those that failed. */
static void record_failure(work *w, int64_t block, tacit_status status)
{
    pthread_mutex_lock(&w->lock);
    if (w->failed == TACIT_OK || block < w->failed_block) {
        w->failed = status;
        w->failed_block = block;
    }
    pthread_mutex_unlock(&w->lock);
    atomic_store(&w->stop, true);
}

/* Takes blocks until none is left, somebody failed or the ctx was canceled. Relaxed loads of
   `stop` are enough: a block too many does no harm. */
static void *run_worker(void *arg)
{
    const worker *me = arg;
    work *w = me->shared;

    while (!atomic_load_explicit(&w->stop, memory_order_relaxed)) {
        const int64_t block = atomic_fetch_add(&w->next, 1);
        if (block >= w->blocks) break;
        tacit_status status = tac_check_cancel(w->ctx);
        if (status == TACIT_OK) status = w->body(w->state, block, me->index);
        if (status != TACIT_OK) record_failure(w, block, status);
    }
    return NULL;
}

/* At most MOST workers: tacit_ctx_set_threads allows no more. Returns after every thread has
   ended, so `state` may live on the caller's stack. */
static tacit_status map_threads(const tac_engine *self, const tacit_ctx *ctx, int64_t blocks,
                                tac_block_fn body, void *state)
{
    enum { MOST = 1024 };
    pthread_t thread[MOST];
    worker workers[MOST];
    work w = {.ctx = ctx, .body = body, .state = state, .blocks = blocks, .failed = TACIT_OK};
    const int wanted = self->workers < blocks ? self->workers : (int)blocks;
    const int64_t start = self->nanoseconds == NULL ? 0 : tac_now();
    int started = 0;

    pthread_mutex_init(&w.lock, NULL);
    /* Worker 0 is the caller. A thread that cannot be started only makes the work slower. */
    for (int i = 1; i < wanted; i++) {
        workers[i] = (worker){&w, i};
        if (pthread_create(&thread[started], NULL, run_worker, &workers[i]) != 0) break;
        started++;
    }
    workers[0] = (worker){&w, 0};
    run_worker(&workers[0]);
    for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&w.lock);
    if (self->nanoseconds != NULL) *self->nanoseconds += tac_now() - start;
    return w.failed;
}

void tac_engine_threads(const tacit_ctx *ctx, tac_engine *out)
{
    *out = (tac_engine){.workers = ctx->threads, .map = map_threads};
}
