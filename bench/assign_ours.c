/* SPDX-License-Identifier: Apache-2.0 */
/* Assignment and per-cell sums over several threads, as the benchmarks time it. */
#include "assign_ours.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/cpu.h"
#include "data/kernels/nearest.h"

typedef struct part {
    pthread_t thread;
    const tac_centers *centers;
    const int16_t *rows;
    int64_t n;
    int32_t stride, dims, k;
    int32_t *label;
    uint64_t *sums, *counts;
} part;

static double now(void)
{
    struct timespec t;
    clock_gettime(getenv("TACIT_BENCH_CPU") == NULL ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID,
                  &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *work(void *payload)
{
    const part *p = payload;
    const int64_t tile = tac_nearest_tile(p->stride);

    for (int64_t i = 0; i < p->n; i += tile) {
        const int64_t some = p->n - i < tile ? p->n - i : tile;
        const int16_t *rows = p->rows + i * p->stride;
        tac_nearest(p->centers, rows, some, p->stride, p->label + i);
        tac_cell_sums(rows, some, p->stride, p->dims, p->label + i, p->k, p->sums, p->counts);
    }
    return NULL;
}

__attribute__((visibility("default"))) double bench_assign_ours(
    const int16_t *rows, int64_t n, int32_t stride, int32_t dims, const int16_t *centers, int32_t k,
    int threads, const char *path, int32_t *label, uint64_t *sums, uint64_t *counts)
{
    const size_t words = (size_t)k * (size_t)dims;
    tac_centers *laid = NULL;
    part parts[64];

    if (threads < 1 || threads > 64 || !tac_cpu_use(path)) return -1;
    const double start = now();
    if (tac_centers_new(NULL, centers, k, dims, &laid) != TACIT_OK) return -1;
    memset(sums, 0, words * sizeof *sums);
    memset(counts, 0, (size_t)k * sizeof *counts);
    for (int t = 0; t < threads; t++) {
        const int64_t from = n * t / threads, to = n * (t + 1) / threads;
        parts[t] = (part){.centers = laid,
                          .rows = rows + from * stride,
                          .n = to - from,
                          .stride = stride,
                          .dims = dims,
                          .k = k,
                          .label = label + from,
                          .sums = t == 0 ? sums : calloc(words, sizeof *sums),
                          .counts = t == 0 ? counts : calloc((size_t)k, sizeof *counts)};
        if (t > 0 && pthread_create(&parts[t].thread, NULL, work, &parts[t]) != 0) abort();
    }
    work(&parts[0]);
    for (int t = 1; t < threads; t++) {
        pthread_join(parts[t].thread, NULL);
        for (size_t j = 0; j < words; j++) sums[j] += parts[t].sums[j];
        for (int32_t c = 0; c < k; c++) counts[c] += parts[t].counts[c];
        free(parts[t].sums);
        free(parts[t].counts);
    }
    tac_centers_free(laid);
    const double taken = now() - start;
    tac_cpu_use("auto");
    return taken;
}
