/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of at most 16 coordinates, cell by cell: a counting sort of a chunk of rows, then the run of
   each cell through a kernel. */
#include "data/kernels/runs.h"

#include <math.h>
#include <string.h>

#include "core/cpu.h"

enum {
    MOST = 16,     /* coordinates */
    CELLS = 1024,  /* with more, most runs are of a row or two */
    CHUNK = 16384, /* rows put in order together */
    GROUP = 16,    /* rows of a run that go through the registers together, at most */
    RUN = 256,     /* rows placed together, no more: sums of products must fit 32 bits */
    PARTS = 4,     /* a row need not wait for the count of the row before */
    BINS = 1 << TAC_RUNS_BITS
};

/* Rows `list` of cell c, a run: `count` of them, then copies of one up to a whole group. */
typedef struct run {
    int32_t c, count;
    const uint16_t *list;
} run;

/* What is wanted of every run. */
typedef struct job {
    const tac_local_map *map;
    const int16_t *rows; /* of the chunk */
    ptrdiff_t stride;
    tac_runs_sums out;
    const tac_local_map *direction;
    int32_t bins, bits;
    uint64_t one, *words;
    const uint32_t *edge;
    uint64_t part[PARTS][BINS]; /* rows by distance */
} job;

#define KERNEL "data/kernels/runs_path.h"
#include "core/each_path.h"

typedef void (*run_kernel)(job *a, const run *r);
static const run_kernel add_run[] = {PATHS(add_run)};
static const run_kernel project_run[] = {PATHS(project_run)};
static const run_kernel distance_run[] = {PATHS(distance_run)};

bool tac_runs_fit(const tac_local_map *map)
{
    return map->dims <= MOST && map->k <= CELLS && !map->taxicab && tac_cpu() > 0;
}

/* A chunk in order, and up to a group of copies behind each cell's rows. */
size_t tac_runs_scratch(void)
{
    return (CHUNK + CELLS * GROUP) * sizeof(uint16_t);
}

/* Counting sort. list: the rows in order of their cell, every cell's filled up to a whole group
   with copies of its last row; count[c]: its rows. Four parts of the rows side by side, so that
   rows of one cell that follow each other do not wait for each other. */
static void sort_by_cell(const int32_t *cell, int32_t count, int32_t k, uint16_t *list,
                         uint16_t *rows)
{
    uint16_t next[PARTS][CELLS];
    const int32_t part = count / PARTS;
    int32_t at = 0;

    for (int p = 0; p < PARTS; p++) memset(next[p], 0, (size_t)k * sizeof **next);
    for (int32_t i = 0; i < part; i++)
        for (int p = 0; p < PARTS; p++) next[p][cell[p * part + i]]++;
    for (int32_t i = PARTS * part; i < count; i++) next[PARTS - 1][cell[i]]++;
    for (int32_t c = 0; c < k; c++) {
        const int32_t begin = at;
        for (int p = 0; p < PARTS; p++) {
            const uint16_t many = next[p][c];
            next[p][c] = (uint16_t)at;
            at += many;
        }
        rows[c] = (uint16_t)(at - begin);
        at = begin + (rows[c] + GROUP - 1) / GROUP * GROUP;
    }
    for (int32_t i = 0; i < part; i++)
        for (int p = 0; p < PARTS; p++)
            list[next[p][cell[p * part + i]]++] = (uint16_t)(p * part + i);
    for (int32_t i = PARTS * part; i < count; i++) list[next[PARTS - 1][cell[i]]++] = (uint16_t)i;
    for (int32_t c = 0; c < k; c++)
        for (int32_t i = next[PARTS - 1][c]; i % GROUP != 0; i++) list[i] = list[i - 1];
}

/* The runs of every chunk through a kernel. */
static void over_runs(const tac_runs_rows *rows, uint16_t *list, run_kernel kernel, job *a)
{
    uint16_t many[CELLS];

    a->stride = rows->stride;
    for (int64_t from = 0; from < rows->n; from += CHUNK) {
        const int32_t count = rows->n - from < CHUNK ? (int32_t)(rows->n - from) : CHUNK;
        run r = {.list = list};
        a->rows = rows->rows + from * rows->stride;
        sort_by_cell(rows->cell + from, count, a->map->k, list, many);
        for (; r.c < a->map->k; r.c++) {
            r.count = many[r.c];
            if (r.count > 0) kernel(a, &r);
            r.list += (r.count + GROUP - 1) / GROUP * GROUP;
        }
    }
}

void tac_runs_add(const tac_local_map *map, const tac_runs_rows *rows, void *scratch,
                  const tac_runs_sums *out)
{
    job a = {.map = map, .out = *out};
    over_runs(rows, scratch, add_run[tac_cpu()], &a);
}

void tac_runs_project(const tac_local_map *map, const tac_local_map *direction,
                      const tac_runs_rows *rows, void *scratch, int32_t bins, uint64_t one,
                      uint64_t *words)
{
    job a = {.map = map, .direction = direction, .bins = bins, .one = one, .words = words};
    over_runs(rows, scratch, project_run[tac_cpu()], &a);
}

void tac_runs_distances(const tac_local_map *map, const tac_runs_rows *rows, void *scratch,
                        const uint32_t *edge, int32_t bits, uint64_t one, uint64_t *words)
{
    job a = {.map = map, .edge = edge, .bits = bits};

    over_runs(rows, scratch, distance_run[tac_cpu()], &a);
    for (int b = 0; b < 1 << bits; b++) {
        uint64_t rows_in = 0;
        for (int p = 0; p < PARTS; p++) rows_in += a.part[p][b];
        if (rows_in > 0) words[b] += one * rows_in; /* the last bins may not be there */
    }
}
