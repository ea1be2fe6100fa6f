/* SPDX-License-Identifier: Apache-2.0 */
/* Rows taken in order of their cell: on every path the words of tac_local_place, tac_local_squared
   and plain loops, for every width, run lengths around a group and a whole run, rows at the ends of
   the ball, rows whose memory ends with them. */
#include "data/kernels/runs.h"
#include "core/cpu.h"
#include "dice.h"
#include "tap.h"

#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 16, N = 1500, K = 40, BINS = 64, TRIANGLE = MOST * (MOST + 1) / 2 };

static tacit_ctx *ctx;
static uint64_t state = 77;

/* Everything that runs can be asked for. */
typedef struct result {
    uint64_t counts[K], sums[K * MOST], square[K], moments[K * TRIANGLE];
    uint64_t projected[K * BINS], far[BINS];
} result;

typedef struct problem {
    int32_t dims, stride, k, bins, bits;
    int64_t n;
    int16_t *rows; /* ends where a page ends that can be read */
    int16_t centers[K * MOST], directions[K * MOST];
    int32_t cell[N];
    uint32_t edge[K * BINS];
    tac_local_map map, along;
} problem;

static void fill(int16_t *point, int32_t dims)
{
    const int range = (int[]){3, 2000, 12000, TAC_M}[next() % 4];

    for (int32_t j = 0; j < dims; j++)
        point[j] = (int16_t)((int)(next() % (uint64_t)(2 * range + 1)) - range);
    if (next() % 8 == 0) { /* on an axis: the largest product there is */
        memset(point, 0, (size_t)dims * sizeof *point);
        point[next() % (uint64_t)dims] = (int16_t)(next() % 2 ? TAC_M : -TAC_M);
    }
    tac_clip(point, dims);
}

/* n rows behind each other, the last one at the end of the memory. crowd: most are in one cell. */
static void make(problem *p, int16_t *end, int64_t n, int32_t k, bool crowd)
{
    static const double radii[] = {0, 5, 700, 9000, 30000, 1e9};
    double radius[K];

    p->n = n;
    p->k = k;
    p->rows = end - n * p->stride;
    for (int64_t i = 0; i < n; i++) {
        int16_t *row = p->rows + i * p->stride;
        row[p->stride - 1] = 0;
        fill(row, p->dims);
        p->cell[i] = crowd && next() % 16 != 0 ? k / 2 : (int32_t)(next() % (uint64_t)k);
    }
    for (int32_t c = 0; c < k; c++) {
        fill(p->centers + c * p->dims, p->dims);
        fill(p->directions + c * p->dims, p->dims);
        if (next() % 3 == 0)
            memset(p->directions + c * p->dims, 0, (size_t)p->dims * sizeof(int16_t));
        radius[c] = radii[next() % 6];
    }
    for (int64_t i = 0; i < n; i += 5) /* on its center, and as far from it as can be */
        for (int32_t j = 0; j < p->dims; j++)
            p->rows[i * p->stride + j] =
                (int16_t)((i % 2 ? 1 : -1) * p->centers[p->cell[i] * p->dims + j]);
    p->bits = (int32_t)(next() % (TAC_RUNS_BITS + 1));
    p->bins = 1 << p->bits;
    for (int32_t c = 0; c < k; c++)
        for (int32_t b = 0; b < p->bins; b++)
            p->edge[c * p->bins + b] = b == p->bins - 1 ? UINT32_MAX
                                                        : (uint32_t)(b + 1) * (UINT32_MAX / 80) /
                                                              (c % 3 == 0 ? 1000u : 1u);
    MUST(tac_local_open(ctx, p->centers, radius, k, p->dims, false, &p->map) == TACIT_OK);
    MUST(tac_local_open(ctx, p->directions, radius, k, p->dims, false, &p->along) == TACIT_OK);
}

/* The words by tac_local_place, tac_local_squared and loops. */
static void plainly(const problem *p, result *r)
{
    static int16_t u[N * MOST];
    static uint32_t squared[N];
    const int64_t m2 = (int64_t)TAC_M * TAC_M;
    const int32_t d = p->dims;

    tac_local_place(&p->map, p->rows, p->n, p->stride, p->cell, 0, u, NULL);
    tac_local_squared(&p->map, p->rows, p->n, p->stride, p->cell, squared);
    for (int64_t i = 0; i < p->n; i++) {
        const int16_t *v = u + i * p->stride;
        const int32_t c = p->cell[i];
        int64_t t = 0;
        int32_t at = 0, bin = 0;
        r->counts[c]++;
        for (int32_t j = 0; j < d; j++) {
            r->sums[c * d + j] += (uint64_t)(int64_t)v[j];
            r->square[c] += (uint64_t)(v[j] * v[j]);
            for (int32_t l = j; l < d; l++)
                r->moments[c * (d * (d + 1) / 2) + at++] += (uint64_t)(int64_t)(v[j] * v[l]);
            t += (int64_t)v[j] * p->along.centers[c * p->along.width + j];
        }
        r->projected[c * p->bins + (t + m2) * p->bins / (2 * m2 + 1)] += 3;
        while (squared[i] > p->edge[c * p->bins + bin]) bin++;
        r->far[bin] += 5;
    }
}

static void by_runs(const problem *p, void *scratch, result *r)
{
    const tac_runs_rows rows = {p->rows, p->n, p->stride, p->cell};
    const tac_runs_sums out = {r->counts, r->sums, r->square, r->moments};

    tac_runs_add(&p->map, &rows, scratch, &out);
    tac_runs_project(&p->map, &p->along, &rows, scratch, p->bins, 3, r->projected);
    tac_runs_distances(&p->map, &rows, scratch, p->edge, p->bits, 5, r->far);
}

int main(void)
{
    static const char *const paths[] = {"portable", "avx2", "avx512vnni"};
    static const int64_t lengths[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 255, 256, 257, 513, N};
    static problem p;
    static result plain, runs;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t room = ((size_t)N * MOST * sizeof(int16_t) / page + 1) * page;
    char *memory =
        mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int different = 0, seen = 0;
    void *scratch = NULL;

    MUST(memory != MAP_FAILED && mprotect(memory + room, page, PROT_NONE) == 0);
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    MUST(tac_scratch(ctx, tac_runs_scratch(), 1, &scratch) == TACIT_OK);
    for (int32_t dims = 1; dims <= MOST; dims++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (int crowd = 0; crowd < 2; crowd++) {
                p.dims = dims;
                p.stride = dims + dims % 2;
                make(&p, (int16_t *)(void *)(memory + room), lengths[l], 1 + (int32_t)(next() % K),
                     crowd);
                MUST(tac_cpu_use("portable"));
                memset(&plain, 0, sizeof plain);
                plainly(&p, &plain);
                for (int path = 1; path < 3; path++) {
                    if (!tac_cpu_use(paths[path])) continue; /* not on this machine */
                    memset(&runs, 0, sizeof runs);
                    MUST(tac_runs_fit(&p.map));
                    by_runs(&p, scratch, &runs);
                    different += memcmp(&plain, &runs, sizeof runs) != 0;
                    seen++;
                }
                tac_local_close(&p.map);
                tac_local_close(&p.along);
            }
    CHECK(different == 0, "%d runs through paths: the words of plain loops (%d differ)", seen,
          different);

    /* The largest sums there are: every row of a run at the same end of an axis. */
    p.dims = p.stride = 2;
    make(&p, (int16_t *)(void *)(memory + room), N, 1, true);
    for (int64_t i = 0; i < N; i++) {
        p.rows[2 * i] = i < N / 2 ? TAC_M : -TAC_M;
        p.rows[2 * i + 1] = 0;
    }
    memset(p.map.centers, 0, MOST * sizeof *p.map.centers);
    p.map.norm[0] = 0;
    p.map.radius[0] = TAC_M;
    p.map.inside[0] = (uint32_t)TAC_M * TAC_M;
    memset(&plain, 0, sizeof plain);
    MUST(tac_cpu_use("portable"));
    plainly(&p, &plain);
    for (int path = 1; path < 3; path++) {
        if (!tac_cpu_use(paths[path])) continue;
        memset(&runs, 0, sizeof runs);
        by_runs(&p, scratch, &runs);
        CHECK(plain.square[0] == (uint64_t)N * TAC_M * TAC_M &&
                  memcmp(&plain, &runs, sizeof runs) == 0,
              "%s: the largest sums of products there are", paths[path]);
    }
    MUST(tac_cpu_use("portable"));
    CHECK(!tac_runs_fit(&p.map), "plain C goes the other way");
    MUST(tac_cpu_use("auto"));
    tac_local_close(&p.map);
    tac_local_close(&p.along);
    tac_free(scratch);
    munmap(memory, room + page);
    tacit_ctx_free(ctx);
    return tap_done();
}
