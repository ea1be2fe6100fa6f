/* SPDX-License-Identifier: Apache-2.0 */
/* Time one load: bench_ingest csv FILE THREADS, bench_ingest npy FILE THREADS (all rows read in
   blocks), or bench_ingest copy FILE (memcpy of as many bytes). Prints seconds and CPU seconds,
   best of five, for bench_ingest.py. */
#include "data/readers/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define TIMES 5

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int32_t *all_columns(int32_t count)
{
    int32_t *column = malloc((size_t)count * sizeof *column);
    for (int32_t j = 0; column != NULL && j < count; j++) column[j] = j;
    return column;
}

static int load(tacit_ctx *ctx, const char *path, tacit_format format, double *seconds)
{
    tac_reader *r = NULL;
    const double begin = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);

    if (tac_open_format(ctx, path, format, &r) != TACIT_OK) return 1;
    int32_t *column = all_columns(r->schema.columns);
    const tac_selection selection = {
        .dims = r->schema.columns, .column = column, .label = -1, .unit = -1};
    if (column == NULL || r->load(r, ctx, &selection) != TACIT_OK) return 1;
    /* nothing is held in memory: stream the rows through one block */
    if (format == TACIT_FORMAT_NPY) {
        const int64_t block = (1 << 18) / (8 * (int64_t)r->schema.columns) + 1;
        double *rows = malloc((size_t)block * (size_t)r->schema.columns * sizeof *rows);
        for (int64_t i = 0; i < r->rows; i += block)
            if (rows == NULL ||
                r->read(r, i, r->rows - i < block ? r->rows - i : block, rows) != TACIT_OK)
                return 1;
        free(rows);
    }
    seconds[0] = now(CLOCK_MONOTONIC) - begin;
    seconds[1] = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    r->close(r);
    free(column);
    return 0;
}

/* The peer of the NPY reader: the same bytes, already in memory, copied block by block into one
   buffer. */
static int copy(const char *path, double *seconds)
{
    struct stat about;
    static char block[1 << 18];
    if (stat(path, &about) != 0) return 1;
    char *from = malloc((size_t)about.st_size);
    if (from == NULL) return 1;
    memset(from, 1, (size_t)about.st_size);
    const double begin = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    for (size_t i = 0; i + sizeof block <= (size_t)about.st_size; i += sizeof block) {
        memcpy(block, from + i, sizeof block);
        __asm__ volatile("" : : "r"(block) : "memory");
    }
    seconds[0] = now(CLOCK_MONOTONIC) - begin;
    seconds[1] = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    free(from);
    return 0;
}

int main(int count, char **argument)
{
    tacit_ctx *ctx = NULL;
    double best[2] = {1e9, 1e9}, seconds[2] = {0};

    if (count < 3 || tacit_ctx_new(&ctx) != TACIT_OK) return 64;
    if (count > 3 && tacit_ctx_set_threads(ctx, atoi(argument[3])) != TACIT_OK) return 64;
    for (int i = 0; i < TIMES; i++) {
        const bool npy = strcmp(argument[1], "npy") == 0;
        const int failed =
            strcmp(argument[1], "copy") == 0
                ? copy(argument[2], seconds)
                : load(ctx, argument[2], npy ? TACIT_FORMAT_NPY : TACIT_FORMAT_CSV, seconds);
        if (failed) {
            fprintf(stderr, "%s\n", tacit_ctx_message(ctx));
            return 1;
        }
        for (int k = 0; k < 2; k++)
            if (seconds[k] < best[k]) best[k] = seconds[k];
    }
    printf("%.6f %.6f\n", best[0], best[1]);
    tacit_ctx_free(ctx);
    return 0;
}
