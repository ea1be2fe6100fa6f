/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest center and sums by cell: every path equals a naive 64-bit reference, and a row's label
   depends on the row alone. */
#include "data/lattice/frame.h"
#include "core/cpu.h"
#include "data/kernels/nearest.h"
#include "tap.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const paths[] = {"portable", "avx2", "avx512vnni"};
static tacit_ctx *ctx;

static uint64_t state = 1;
static uint64_t next(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int32_t below(int32_t bound)
{
    return (int32_t)(next() % (uint64_t)bound);
}

/* A point of norm at most TAC_M, of one of the kinds that could break something. `reach` bounds
   random values. */
static void draw_point(int32_t dims, int32_t reach, int16_t *point)
{
    memset(point, 0, (size_t)dims * sizeof *point);
    switch (below(8)) {
    case 0: /* on an axis, the whole radius */
        point[below(dims)] = below(2) == 0 ? TAC_M : -TAC_M;
        break;
    case 1: /* the last coordinate: next to the padding */
        point[dims - 1] = below(2) == 0 ? TAC_M : -TAC_M;
        break;
    case 2: /* near the sphere in two coordinates */
        point[0] = 23169;
        point[dims - 1] = -23169;
        break;
    case 3: /* zero */ break;
    case 4: /* all equal, as large as the ball allows */
        for (int32_t j = 0; j < dims; j++) point[j] = (int16_t)floor(TAC_M / sqrt((double)dims));
        break;
    case 5: /* the opposite */
        for (int32_t j = 0; j < dims; j++) point[j] = (int16_t)-floor(TAC_M / sqrt((double)dims));
        break;
    default: { /* anything */
        const int32_t most = (int32_t)(TAC_M / sqrt((double)dims));
        const int32_t span = reach < most ? reach : most;
        for (int32_t j = 0; j < dims; j++) point[j] = (int16_t)(below(2 * span + 1) - span);
    }
    }
}

typedef struct problem {
    int32_t dims, stride, k;
    int64_t n;
    int16_t *rows, *centers;
    int32_t *label; /* by the reference */
} problem;

static void *need(int64_t count, size_t size)
{
    void *memory = NULL;
    MUST(tac_new(ctx, (size_t)count, size, &memory) == TACIT_OK);
    return memory;
}

/* argmax_c <x, c> - floor(|c|^2 / 2) in int64, the lowest c first. */
static int32_t reference(const problem *p, const int16_t *row)
{
    int64_t best = INT64_MIN;
    int32_t winner = -1;
    for (int32_t c = 0; c < p->k; c++) {
        int64_t dot = 0, norm2 = 0;
        for (int32_t j = 0; j < p->dims; j++) {
            const int64_t value = p->centers[(ptrdiff_t)c * p->dims + j];
            dot += value * row[j];
            norm2 += value * value;
        }
        if (dot - norm2 / 2 > best) {
            best = dot - norm2 / 2;
            winner = c;
        }
    }
    return winner;
}

static problem make(int32_t dims, int32_t k, int64_t n, int32_t reach)
{
    problem p = {.dims = dims, .stride = (dims + 1) / 2 * 2, .k = k, .n = n};
    p.rows = need(n * p.stride, sizeof *p.rows);
    p.centers = need((int64_t)k * dims, sizeof *p.centers);
    p.label = need(n, sizeof *p.label);
    for (int32_t c = 0; c < k; c++) {
        draw_point(dims, reach, p.centers + (ptrdiff_t)c * dims);
        if (c > 0 && below(4) == 0) /* the same center twice: the first must win */
            memcpy(p.centers + (ptrdiff_t)c * dims, p.centers + (ptrdiff_t)below(c) * dims,
                   (size_t)dims * sizeof(int16_t));
    }
    for (int64_t i = 0; i < n; i++) {
        draw_point(dims, reach, p.rows + i * p.stride);
        if (below(3) == 0) /* on a center */
            memcpy(p.rows + i * p.stride, p.centers + (ptrdiff_t)below(k) * dims,
                   (size_t)dims * sizeof(int16_t));
        p.label[i] = reference(&p, p.rows + i * p.stride);
    }
    return p;
}

static void drop(problem *p)
{
    tac_free(p->rows);
    tac_free(p->centers);
    tac_free(p->label);
}

/* Labels and sums of one path against the reference. */
static bool agrees(const problem *p)
{
    tac_centers *centers = NULL;
    int32_t *label = need(p->n + 1, sizeof *label);
    const int64_t words = (int64_t)p->k * p->dims;
    uint64_t *sums = need(words, sizeof *sums), *right = need(words, sizeof *right);
    uint64_t *counts = need(p->k, sizeof *counts), *right_counts = need(p->k, sizeof *right_counts);

    MUST(tac_centers_new(ctx, p->centers, p->k, p->dims, &centers) == TACIT_OK);
    label[p->n] = -77;
    tac_nearest(centers, p->rows, p->n, p->stride, label);
    bool good = memcmp(label, p->label, (size_t)p->n * sizeof *label) == 0 && label[p->n] == -77;

    for (int64_t j = 0; j < words; j++) sums[j] = right[j] = next(); /* added to, and modulo 2^64 */
    for (int32_t c = 0; c < p->k; c++) counts[c] = right_counts[c] = UINT64_MAX - 2;
    for (int64_t i = 0; i < p->n; i++) {
        for (int32_t j = 0; j < p->dims; j++)
            right[(int64_t)p->label[i] * p->dims + j] +=
                (uint64_t)(int64_t)p->rows[i * p->stride + j];
        right_counts[p->label[i]]++;
    }
    tac_cell_sums(p->rows, p->n, p->stride, p->dims, p->label, p->k, sums, counts);
    good = good && memcmp(sums, right, (size_t)words * sizeof *sums) == 0 &&
           memcmp(counts, right_counts, (size_t)p->k * sizeof *counts) == 0;
    tac_centers_free(centers);
    tac_free(label);
    tac_free(sums);
    tac_free(right);
    tac_free(counts);
    tac_free(right_counts);
    return good;
}

static void shapes_agree(const char *path)
{
    static const int32_t wide[][2] = {{100, 7},  {100, 64}, {100, 1000}, {257, 33}, {784, 1},
                                      {784, 10}, {784, 70}, {1100, 17},  {3001, 3}, {3001, 40},
                                      {9001, 5}, {3, 1000}, {2, 300},    {5, 1500}, {60, 1500}};
    int bad = 0;

    for (int32_t dims = 1; dims <= 40; dims++)
        for (int32_t k = 1; k <= 70; k++) {
            problem p = make(dims, k, 1 + below(100), below(3) == 0 ? 3 : TAC_M);
            bad += !agrees(&p);
            drop(&p);
        }
    CHECK(bad == 0, "%s: dims 1..40, k 1..70 as the reference", path);
    bad = 0;
    for (long repeat = 0; repeat < tap_times(2); repeat++)
        for (size_t s = 0; s < sizeof wide / sizeof *wide; s++) {
            problem p = make(wide[s][0], wide[s][1], 1 + below(120), below(2) == 0 ? 2 : TAC_M);
            bad += !agrees(&p);
            drop(&p);
        }
    CHECK(bad == 0, "%s: wide rows and many centers as the reference", path);
}

/* The largest and smallest scores there are: +-M^2 - M^2/2, where int32 has least room. */
static void extremes(const char *path)
{
    int bad = 0;
    for (int32_t dims = 1; dims <= 1200; dims = dims * 3 + 1)
        for (int32_t axis = 0; axis < dims; axis += 1 + dims / 5) {
            problem p = make(dims, 20, 50, TAC_M);
            /* all centers at -M on one axis: the lowest score there is */
            for (int32_t c = 0; c < p.k; c++) {
                memset(p.centers + (ptrdiff_t)c * dims, 0, (size_t)dims * sizeof *p.centers);
                p.centers[(ptrdiff_t)c * dims + axis] = -TAC_M;
            }
            for (int64_t i = 0; i < p.n; i++) {
                memset(p.rows + i * p.stride, 0, (size_t)dims * sizeof *p.rows);
                p.rows[i * p.stride + axis] = i % 2 == 0 ? TAC_M : -TAC_M;
                p.label[i] = 0;
            }
            bad += !agrees(&p);
            if (dims > 1) { /* one that is better by the least: at 0 instead of -M */
                p.centers[(ptrdiff_t)13 * dims + axis] = 0;
                for (int64_t i = 0; i < p.n; i++) p.label[i] = i % 2 == 0 ? 13 : 0;
                bad += !agrees(&p);
            }
            drop(&p);
        }
    CHECK(bad == 0, "%s: rows and centers at the ends of the ball", path);
}

/* The label of a row does not change with its position, its neighbors, the length of the call or
   alignment. */
static void purity(const char *path, int32_t dims, int32_t k)
{
    problem p = make(dims, k, 333, 40);
    tac_centers *centers = NULL;
    int32_t *label = need(p.n, sizeof *label);
    int16_t *moved = need(p.n * p.stride + 64, sizeof *moved);
    int bad = 0;

    MUST(tac_centers_new(ctx, p.centers, k, dims, &centers) == TACIT_OK);
    for (int64_t i = 0; i < p.n; i++) /* backwards */
        memcpy(moved + i * p.stride, p.rows + (p.n - 1 - i) * p.stride,
               (size_t)p.stride * sizeof *moved);
    tac_nearest(centers, moved, p.n, p.stride, label);
    for (int64_t i = 0; i < p.n; i++) bad += label[i] != p.label[p.n - 1 - i];
    for (int64_t gone = 0; gone < p.n; gone += 23) { /* one row deleted */
        memcpy(moved, p.rows, (size_t)(gone * p.stride) * sizeof *moved);
        memcpy(moved + gone * p.stride, p.rows + (gone + 1) * p.stride,
               (size_t)((p.n - 1 - gone) * p.stride) * sizeof *moved);
        tac_nearest(centers, moved, p.n - 1, p.stride, label);
        for (int64_t i = 0; i < p.n - 1; i++) bad += label[i] != p.label[i + (i >= gone)];
    }
    for (int64_t size = 1; size < 100; size += 6) { /* in pieces */
        for (int64_t i = 0; i < p.n; i += size)
            tac_nearest(centers, p.rows + i * p.stride, p.n - i < size ? p.n - i : size, p.stride,
                        label + i);
        bad += memcmp(label, p.label, (size_t)p.n * sizeof *label) != 0;
    }
    for (int shift = 1; shift < 33; shift += 2) { /* 2-byte aligned only */
        memcpy(moved + shift, p.rows, (size_t)(p.n * p.stride) * sizeof *moved);
        tac_nearest(centers, moved + shift, p.n, p.stride, label);
        bad += memcmp(label, p.label, (size_t)p.n * sizeof *label) != 0;
    }
    CHECK(bad == 0, "%s: dims %d k %d: order, deletion, pieces and alignment change no label", path,
          dims, k);
    tac_centers_free(centers);
    tac_free(label);
    tac_free(moved);
    drop(&p);
}

/* The last row ends where the memory ends: any read past it is a fault. */
static void guard_page(const char *path)
{
    const int64_t page = sysconf(_SC_PAGESIZE);
    int bad = 0;

    for (int32_t dims = 1; dims < 140; dims = dims < 40 ? dims + 1 : dims + 17)
        for (int32_t k = 1; k <= 70; k += 23) {
            problem p = make(dims, k, 53, TAC_M);
            const int64_t bytes = p.n * p.stride * (int64_t)sizeof(int16_t),
                          pages = (bytes + page - 1) / page;
            char *area = mmap(NULL, (size_t)((pages + 2) * page), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            MUST(area != MAP_FAILED);
            MUST(mprotect(area, (size_t)page, PROT_NONE) == 0);
            MUST(mprotect(area + (pages + 1) * page, (size_t)page, PROT_NONE) == 0);
            int16_t *heap = p.rows;
            p.rows = (int16_t *)(void *)(area + (pages + 1) * page - bytes);
            memcpy(p.rows, heap, (size_t)bytes);
            bad += !agrees(&p);
            p.rows = heap;
            MUST(munmap(area, (size_t)((pages + 2) * page)) == 0);
            drop(&p);
        }
    CHECK(bad == 0, "%s: nothing is read past the last row", path);
}

/* Enough rows of +-M in one cell to overflow int32 partial sums that are flushed too late. */
static void long_sums(const char *path, int32_t dims, int32_t k)
{
    const int64_t n = 150001;
    const int32_t stride = (dims + 1) / 2 * 2;
    int16_t *rows = need(n * stride, sizeof *rows);
    int32_t *label = need(n, sizeof *label);
    uint64_t *sums = need((int64_t)k * dims, sizeof *sums), *counts = need(k, sizeof *counts);
    bool good = true;

    for (int64_t i = 0; i < n; i++) {
        label[i] = k - 1;
        rows[i * stride] = TAC_M;
        /* outside the ball: sums must not care */
        if (dims > 1) rows[i * stride + dims - 1] = -TAC_M;
    }
    tac_cell_sums(rows, n, stride, dims, label, k, sums, counts);
    good = good && counts[k - 1] == (uint64_t)n &&
           sums[(ptrdiff_t)(k - 1) * dims] == (uint64_t)(n * TAC_M);
    if (dims > 1) good = good && sums[(ptrdiff_t)k * dims - 1] == (uint64_t)(-n * TAC_M);
    if (k > 1) good = good && counts[0] == 0 && sums[0] == 0;
    CHECK(good, "%s: dims %d k %d: %d rows of the largest value in one cell", path, dims, k,
          (int)n);
    tac_free(rows);
    tac_free(label);
    tac_free(sums);
    tac_free(counts);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    CHECK(!tac_cpu_use("abacus"), "an unknown path is refused");
    CHECK(tac_cpu_use("portable") && strcmp(tac_cpu_name(), "portable") == 0, "a path can be "
                                                                              "forced");
    CHECK(tac_cpu_use("auto"), "and freed again");

    tac_centers *centers = NULL;
    const int16_t outside[2] = {TAC_M, 1};
    CHECK(tac_centers_new(ctx, outside, 1, 2, &centers) == TACIT_E_INTERNAL && centers == NULL,
          "a center outside the ball is refused");
    CHECK(tac_centers_new(ctx, outside, 2, 1, &centers) == TACIT_OK, "one on it is not");
    tac_nearest(centers, outside, 0, 2, NULL);
    tac_centers_free(centers);
    tac_centers_free(NULL);

    for (size_t path = 0; path < sizeof paths / sizeof *paths; path++) {
        if (!tac_cpu_use(paths[path])) {
            tap_ok(true, "%s # SKIP this machine cannot run it", paths[path]);
            continue;
        }
        state = 7; /* the same problems for every path */
        shapes_agree(paths[path]);
        extremes(paths[path]);
        purity(paths[path], 10, 16);
        purity(paths[path], 7, 75);
        purity(paths[path], 100, 64);
        purity(paths[path], 211, 9);
        guard_page(paths[path]);
        long_sums(paths[path], 1, 1);
        long_sums(paths[path], 10, 16);
        long_sums(paths[path], 33, 255);
        long_sums(paths[path], 10, 300);
        tac_cpu_use("auto");
    }
    tacit_ctx_free(ctx);
    return tap_done();
}
