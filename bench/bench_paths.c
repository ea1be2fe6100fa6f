/* SPDX-License-Identifier: Apache-2.0 */
/* One whole private run, by code path and by threads, in turns: CPU time of each path over that of
   the best, and what a second thread gains over what it gains in a loop that touches no memory. The
   releases must be the same.

   bench_paths FILE K BOUNDS [REPEATS]      a run of auto, epsilon 1, delta 1e-8, a test seed */
#include "bench.h"

#include <pthread.h>

#include "core/cpu.h"
#include "tacit/tacit.h"

enum { REPEATS_MOST = 99 };

static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, ascending);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* A release; *text is the caller's. */
static void run(char *const *argv, int threads, char **text)
{
    tacit_budget budget;
    tacit_kmeans_opts opts;
    tacit_data *data = NULL;
    tacit_model *model = NULL;

    tacit_budget_init(&budget, sizeof budget);
    tacit_kmeans_opts_init(&opts, sizeof opts);
    budget.epsilon = 1;
    budget.delta = 1e-8;
    budget.use_insecure_test_seed = 1;
    budget.insecure_test_seed = 5;
    opts.k = atoi(argv[2]);
    must(tacit_ctx_new(&ctx));
    must(tacit_ctx_set_threads(ctx, threads));
    must(tacit_data_open(ctx, argv[1], NULL, &data));
    must(tacit_data_declare_bounds(ctx, data, argv[3]));
    must(tacit_kmeans_run(ctx, data, &budget, &opts, &model));
    must(tacit_model_json(ctx, model, text));
    tacit_model_free(model);
    tacit_data_free(data);
    tacit_ctx_free(ctx);
}

/* A second or so of work in registers. */
static void *spin(void *unused)
{
    volatile uint64_t end;
    uint64_t x = 1;

    (void)unused;
    for (uint64_t i = 0; i < UINT64_C(400000000); i++) x = x * UINT64_C(6364136223846793005) + i;
    end = x;
    (void)end;
    return NULL;
}

/* Wall seconds of twice the work of spin, on so many threads. */
static double spins(int threads)
{
    const double start = wall();
    pthread_t other;

    if (threads == 2 && pthread_create(&other, NULL, spin, NULL) != 0) exit(1);
    spin(NULL);
    if (threads == 2)
        pthread_join(other, NULL);
    else
        spin(NULL);
    return wall() - start;
}

int main(int argc, char **argv)
{
    static const char *const paths[] = {"portable", "avx2", "avx512vnni"};
    static double cpu[3][REPEATS_MOST], whole[2][REPEATS_MOST], loop[2][REPEATS_MOST];
    const int repeats = argc > 4 ? atoi(argv[4]) : 3;
    char *first = NULL;
    int best = 0, different = 0;

    if (argc < 4 || repeats < 1 || repeats > REPEATS_MOST) return 2;
    for (int i = 0; i < repeats; i++) {
        for (int p = 0; p < 3; p++) {
            char *text = NULL;
            if (!tac_cpu_use(paths[p])) continue; /* not on this machine */
            best = p;
            const double start = now();
            run(argv, 1, &text);
            cpu[p][i] = now() - start;
            if (first == NULL) first = strdup(text);
            different += strcmp(first, text) != 0;
            tacit_free(text);
        }
        for (int t = 0; t < 2; t++) {
            char *text = NULL;
            const double start = wall();
            run(argv, t + 1, &text);
            whole[t][i] = wall() - start;
            different += strcmp(first, text) != 0;
            tacit_free(text);
            loop[t][i] = spins(t + 1);
        }
    }
    const double least = median(cpu[best], repeats);
    for (int p = 0; p < best; p++)
        printf("CPU time, %s / %s: %.2f\n", paths[p], paths[best], median(cpu[p], repeats) / least);
    printf("two threads gain %.2fx, a loop in registers %.2fx (wall time)\n",
           median(whole[0], repeats) / median(whole[1], repeats),
           median(loop[0], repeats) / median(loop[1], repeats));
    printf("releases that differ: %d\n", different);
    free(first);
    return different > 0;
}
