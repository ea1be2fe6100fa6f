/* SPDX-License-Identifier: Apache-2.0 */
/* What benchmarks share: time, memory, and an end to whatever goes wrong. */
#ifndef TAC_BENCH_H
#define TAC_BENCH_H

#include "core/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static tacit_ctx *ctx;

/* Processor time: other programs may share the core. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((unused)) static void must(tacit_status status)
{
    if (status == TACIT_OK) return;
    fprintf(stderr, "%s\n", tacit_ctx_message(ctx));
    exit(1);
}

/* Zeroed, aligned as kernels like it. */
__attribute__((unused)) static void *need(size_t count, size_t size)
{
    void *memory = aligned_alloc(64, (count * size + 127) / 64 * 64);
    if (memory == NULL) abort();
    memset(memory, 0, count * size);
    return memory;
}

#endif
