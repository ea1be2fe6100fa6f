/* SPDX-License-Identifier: Apache-2.0 */
/* Assignment + per-cell sums against OpenBLAS: float32 sgemm in row blocks, argmin with |c|^2,
   scatter sums. The peer gets its best of several block sizes and of two ways to use threads.
   Prints peer / ours. On a busy machine TACIT_BENCH_CPU=1 compares processor time instead of
   elapsed time, summed over the threads; the peer then does not get OpenBLAS's own threads, which
   would be charged for waiting. OPENBLAS_CORETYPE=Haswell gives the avx2 path a peer of its own
   age. */
#include <cblas.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assign_ours.h"
#include "data/kernels/nearest.h"

enum { REPEATS = 9 };

typedef struct set {
    const char *name;
    int64_t n;
    int32_t d, k;
    bool bytes; /* values as from uint8 images, else Gaussian blobs */
    double floor;
    int32_t stride;
    int16_t *rows, *centers;
    float *x, *c, *half; /* the same in float32, rows not padded */
    int32_t *label, *peer_label;
    uint64_t *sums, *counts;
    float *peer_sums;
    int64_t *peer_counts;
} set;

static double now(void)
{
    struct timespec t;
    clock_gettime(getenv("TACIT_BENCH_CPU") == NULL ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID,
                  &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t state = 42;
static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53;
}

static void *need(size_t count, size_t size)
{
    void *memory = aligned_alloc(64, (count * size + 127) / 64 * 64);
    if (memory == NULL) abort();
    memset(memory, 0, count * size);
    return memory;
}

static void fill(set *s)
{
    const size_t n = (size_t)s->n, d = (size_t)s->d, k = (size_t)s->k;
    s->stride = (s->d + 1) / 2 * 2;
    s->rows = need(n * (size_t)s->stride, sizeof(int16_t));
    s->centers = need(k * d, sizeof(int16_t));
    s->x = need(n * d, sizeof(float));
    s->c = need(k * d, sizeof(float));
    s->half = need(k, sizeof(float));
    s->label = need(n, sizeof(int32_t));
    s->peer_label = need(n, sizeof(int32_t));
    s->sums = need(k * d, sizeof(uint64_t));
    s->counts = need(k, sizeof(uint64_t));
    s->peer_sums = need(k * d, sizeof(float));
    s->peer_counts = need(k, sizeof(int64_t));

    /* every coordinate below it: the norm stays below 32767 */
    const double reach = 32000 / sqrt((double)s->d);
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < d; j++) {
            const double value = s->bytes ? (uniform() < 0.2 ? floor(256 * uniform()) * 4 : 0)
                                          : (uniform() - 0.5) * reach;
            s->centers[c * d + j] = (int16_t)lrint(value);
            s->c[c * d + j] = (float)s->centers[c * d + j];
            s->half[c] += 0.5F * s->c[c * d + j] * s->c[c * d + j];
        }
    for (size_t i = 0; i < n; i++) {
        const int16_t *home = s->centers + (size_t)(uniform() * (double)k) * d;
        for (size_t j = 0; j < d; j++) {
            const double noise = (uniform() + uniform() - 1) * reach / 2;
            const double value = s->bytes ? (uniform() < 0.7 ? home[j] : floor(256 * uniform()) * 4)
                                          : home[j] + noise;
            s->rows[i * (size_t)s->stride + j] = (int16_t)lrint(value);
            s->x[i * d + j] = (float)s->rows[i * (size_t)s->stride + j];
        }
    }
}

/* ---- the peer ---- */

typedef struct part {
    pthread_t thread;
    const set *s;
    int64_t from, to, block;
    /* ready-made scores of [from, to), or NULL: work them out block by block */
    const float *scores;
    int64_t lead;
    float *sums;
    int64_t *counts;
} part;

/* score is k x lead, one column a row: the argmax runs over rows in vectors. */
static void finish(const set *s, const float *score, int64_t lead, int64_t first, int64_t count,
                   float *sums, int64_t *counts)
{
    const int32_t d = s->d;
    float best[256];
    for (int64_t b = 0; b < count; b += 256) {
        const int64_t some = count - b < 256 ? count - b : 256;
        int32_t *restrict label = s->peer_label + first + b;
        for (int64_t i = 0; i < some; i++) {
            best[i] = -INFINITY;
            label[i] = 0;
        }
        for (int32_t c = 0; c < s->k; c++) {
            const float *restrict now_score = score + c * lead + b, half = s->half[c];
            for (int64_t i = 0; i < some; i++) {
                const float value = now_score[i] - half;
                label[i] = value > best[i] ? c : label[i];
                best[i] = value > best[i] ? value : best[i];
            }
        }
        for (int64_t i = 0; i < some; i++) {
            const float *restrict row = s->x + (first + b + i) * d;
            float *restrict sum = sums + label[i] * d;
            for (int32_t j = 0; j < d; j++) sum[j] += row[j];
            counts[label[i]]++;
        }
    }
}

static void *peer_work(void *payload)
{
    const part *p = payload;
    const set *s = p->s;

    if (p->scores != NULL) {
        finish(s, p->scores, p->lead, p->from, p->to - p->from, p->sums, p->counts);
        return NULL;
    }
    float *score = need((size_t)(p->block * s->k), sizeof(float));
    for (int64_t i = p->from; i < p->to; i += p->block) {
        const int64_t some = p->to - i < p->block ? p->to - i : p->block;
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, s->k, (int)some, s->d, 1, s->c, s->d,
                    s->x + i * s->d, s->d, 0, score, (int)some);
        finish(s, score, some, i, some, p->sums, p->counts);
    }
    free(score);
    return NULL;
}

static void split(const set *s, int64_t from, int64_t to, int threads, int64_t block,
                  const float *scores, int64_t lead)
{
    part parts[64];
    const size_t words = (size_t)s->k * (size_t)s->d;

    for (int t = 0; t < threads; t++) {
        const int64_t a = from + (to - from) * t / threads,
                      b = from + (to - from) * (t + 1) / threads;
        parts[t] = (part){.s = s,
                          .from = a,
                          .to = b,
                          .block = block,
                          .scores = scores == NULL ? NULL : scores + a - from,
                          .lead = lead,
                          .sums = t == 0 ? s->peer_sums : need(words, sizeof(float)),
                          .counts = t == 0 ? s->peer_counts : need((size_t)s->k, sizeof(int64_t))};
        if (t > 0 && pthread_create(&parts[t].thread, NULL, peer_work, &parts[t]) != 0) abort();
    }
    peer_work(&parts[0]);
    for (int t = 1; t < threads; t++) {
        pthread_join(parts[t].thread, NULL);
        for (size_t j = 0; j < words; j++) s->peer_sums[j] += parts[t].sums[j];
        for (int32_t c = 0; c < s->k; c++) s->peer_counts[c] += parts[t].counts[c];
        free(parts[t].sums);
        free(parts[t].counts);
    }
}

/* own: OpenBLAS threads inside sgemm, the rest over our threads; else whole blocks over our
   threads. */
static double peer(const set *s, int threads, int64_t block, bool own)
{
    const double start = now();
    memset(s->peer_sums, 0, (size_t)s->k * (size_t)s->d * sizeof(float));
    memset(s->peer_counts, 0, (size_t)s->k * sizeof(int64_t));
    openblas_set_num_threads(own ? threads : 1);
    if (!own) {
        split(s, 0, s->n, threads, block, NULL, 0);
        return now() - start;
    }
    float *score = need((size_t)(block * s->k), sizeof(float));
    for (int64_t i = 0; i < s->n; i += block) {
        const int64_t some = s->n - i < block ? s->n - i : block;
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, s->k, (int)some, s->d, 1, s->c, s->d,
                    s->x + i * s->d, s->d, 0, score, (int)some);
        split(s, i, i + some, threads, 0, score, some);
    }
    free(score);
    return now() - start;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, REPEATS, sizeof *values, compare);
    return values[REPEATS / 2];
}

static bool run(const set *s, int threads, const char *path)
{
    static const int64_t sizes[] = {64, 256, 1024, 4096, 16384};
    double ours[REPEATS], theirs[REPEATS], best = INFINITY;
    int64_t block = 0;
    bool own = false;

    for (int o = 0; o < (threads > 1 && getenv("TACIT_BENCH_CPU") == NULL ? 2 : 1); o++)
        for (size_t b = 0; b < sizeof sizes / sizeof *sizes; b++)
            for (int repeat = 0; repeat < 3; repeat++) {
                const double taken = peer(s, threads, sizes[b], o == 1);
                if (taken < best) {
                    best = taken;
                    block = sizes[b];
                    own = o == 1;
                }
            }
    for (int r = 0; r < REPEATS; r++) {
        ours[r] = bench_assign_ours(s->rows, s->n, s->stride, s->d, s->centers, s->k, threads, path,
                                    s->label, s->sums, s->counts);
        theirs[r] = peer(s, threads, block, own);
        if (ours[r] < 0) return false;
    }
    int64_t differ = 0;
    for (int64_t i = 0; i < s->n; i++) differ += s->label[i] != s->peer_label[i];
    const double a = median(ours), b = median(theirs);
    printf("%-28s %d thread%s %-8s peer/ours %5.2f%s, of the best times %5.2f  ", s->name, threads,
           threads == 1 ? " " : "s", path, b / a, b / a >= s->floor ? "" : " (below the floor)",
           theirs[0] / ours[0]);
    printf("[ours %.2f ms, peer %.2f ms in blocks of %lld%s; labels that differ: %.5f%%]\n",
           1e3 * a, 1e3 * b, (long long)block, own ? ", OpenBLAS threads" : "",
           100 * (double)differ / (double)s->n);
    fflush(stdout);
    return b / a >= s->floor;
}

int main(void)
{
    set sets[] = {
        {.name = "n=1000000 d=10 k=16", .n = 1000000, .d = 10, .k = 16, .floor = 1},
        {.name = "n=100000 d=100 k=64", .n = 100000, .d = 100, .k = 64, .floor = 1.5},
        {.name = "n=60000 d=784 k=10 (bytes)",
         .n = 60000,
         .d = 784,
         .k = 10,
         .bytes = true,
         .floor = 1.5},
    };
    static const char *const paths[] = {"auto", "avx2", "portable"};
    bool good = true;

    printf("assignment + per-cell sums; peer: %s\n", openblas_get_config());
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        fill(&sets[i]);
        for (size_t p = 0; p < sizeof paths / sizeof *paths; p++)
            for (int threads = 1; threads <= 2; threads++) {
                const bool met = run(&sets[i], threads, paths[p]);
                if (p == 0) good = good && met; /* the floors hold for the best path of a machine */
            }
    }
    return good ? 0 : 1;
}
