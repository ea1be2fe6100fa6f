/* SPDX-License-Identifier: Apache-2.0 */
/* Plain k-means: known answers, weights, degenerate sets, and results that do not know the number
   of threads. */
#include "core/cpu.h"
#include "solve/kmeans/distances.h"
#include "solve/kmeans/plain_kmeans.h"
#include "tap.h"

#include <math.h>

static tacit_ctx *ctx;
static uint64_t state = 11;

static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53;
}

static void *need(int64_t count, size_t size)
{
    void *memory = NULL;
    MUST(tac_new(ctx, (size_t)count, size, &memory) == TACIT_OK);
    return memory;
}

/* Weighted mean squared distance to the nearest of the centers, the slow way. */
static double slow_cost(const double *points, const double *weight, int64_t n, int32_t d,
                        const double *centers, int32_t k, const int32_t *label,
                        bool *labels_nearest)
{
    double total = 0, sum = 0;
    *labels_nearest = true;
    for (int64_t i = 0; i < n; i++) {
        double best = INFINITY, mine = INFINITY;
        for (int32_t c = 0; c < k; c++) {
            double squared = 0;
            for (int32_t j = 0; j < d; j++)
                squared += pow(points[i * d + j] - centers[(ptrdiff_t)c * d + j], 2);
            best = fmin(best, squared);
            if (label != NULL && label[i] == c) mine = squared;
        }
        if (label != NULL && !(mine <= best * (1 + 1e-12))) *labels_nearest = false;
        total += weight == NULL ? 1 : weight[i];
        sum += best * (weight == NULL ? 1 : weight[i]);
    }
    return sum / total;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* k far blobs: every blob gets its own center, at its mean. */
static void finds_blobs(int64_t n, int32_t d, int32_t k, int32_t restarts)
{
    double *points = need(n * d, sizeof *points), *means = need((int64_t)k * d, sizeof *means);
    double *centers = need((int64_t)k * d, sizeof *centers), cost = -1;
    int32_t *label = need(n, sizeof *label), *home = need(n, sizeof *home);
    int64_t *size = need(k, sizeof *size);
    bool found = true, nearest;

    for (int64_t i = 0; i < n; i++) {
        home[i] = (int32_t)(i % k);
        size[home[i]]++;
        for (int32_t j = 0; j < d; j++) {
            /* Blob c lies at 100 * (digits of c in base 3), far from the origin as well. */
            const double place = 1e4 + 100 * ((int)(home[i] / pow(3, j % 5)) % 3 +
                                              (j == 0 ? 7 * (home[i] / 243) : 0));
            points[i * d + j] = place + uniform() - 0.5;
            means[(ptrdiff_t)home[i] * d + j] += points[i * d + j];
        }
    }
    const tac_plain_kmeans opts = {
        .k = k, .restarts = restarts, .iterations = 50, .tolerance = 1e-6, .seed = 3};
    MUST(tac_solve_kmeans(ctx, points, NULL, n, d, &opts, centers, &cost, label) == TACIT_OK);
    for (int64_t i = 0; i < n; i++)
        for (int32_t j = 0; j < d; j++)
            found = found && near(centers[(ptrdiff_t)label[i] * d + j],
                                  means[(ptrdiff_t)home[i] * d + j] / (double)size[home[i]]);
    CHECK(found, "n %d d %d k %d: each far blob gets a center at its mean", (int)n, d, k);
    CHECK(near(cost, slow_cost(points, NULL, n, d, centers, k, label, &nearest)) && nearest,
          "n %d d %d k %d: cost and labels belong to the centers", (int)n, d, k);
    tac_free(points);
    tac_free(means);
    tac_free(centers);
    tac_free(label);
    tac_free(home);
    tac_free(size);
}

static void cost_falls(void)
{
    enum { N = 3000, D = 7, K = 20 };
    double *points = need(N * D, sizeof *points), centers[K * D], cost = -1, before = INFINITY,
           first = 0;
    bool falls = true;

    for (int i = 0; i < N * D; i++) points[i] = uniform();
    for (int32_t steps = 0; steps < 30; steps++) { /* the same start every time, one step more */
        const tac_plain_kmeans opts = {
            .k = K, .restarts = 1, .iterations = steps, .tolerance = 0, .seed = 5};
        MUST(tac_solve_kmeans(ctx, points, NULL, N, D, &opts, centers, &cost, NULL) == TACIT_OK);
        falls = falls && cost <= before;
        if (steps == 0) first = cost;
        before = cost;
    }
    CHECK(falls && cost < 0.97 * first, "every step lowers the cost");
    tac_plain_kmeans opts = {.k = K, .restarts = 1, .iterations = 30, .tolerance = 0, .seed = 5};
    opts.restarts = 8;
    double many = -1;
    MUST(tac_solve_kmeans(ctx, points, NULL, N, D, &opts, centers, &many, NULL) == TACIT_OK);
    CHECK(many <= cost, "more starts are not worse: the first is among them");
    tac_free(points);
}

/* A point of weight w is w equal points, one of weight 0 none. */
static void weights(void)
{
    enum { N = 400, D = 3, K = 5, REPEATED = N * 4 };
    double points[N * D], weight[N], centers[K * D], other[K * D], cost = -1, other_cost = -1;
    double *repeated = need(REPEATED * D, sizeof *repeated);
    int32_t label[N];
    int64_t copies = 0;
    bool same = true, nearest;

    for (int i = 0; i < N; i++) {
        weight[i] = i % 4;
        for (int j = 0; j < D; j++) points[i * D + j] = 50 * (i % K) * (j + 1) + uniform();
        if (i % 4 == 0) points[i * D] = 1e6; /* without weight: must not pull anything */
        for (int r = 0; r < i % 4; r++, copies++)
            memcpy(repeated + copies * D, points + i * D, D * sizeof *points);
    }
    const tac_plain_kmeans opts = {
        .k = K, .restarts = 5, .iterations = 100, .tolerance = 0, .seed = 9};
    MUST(tac_solve_kmeans(ctx, points, weight, N, D, &opts, centers, &cost, label) == TACIT_OK);
    MUST(tac_solve_kmeans(ctx, repeated, NULL, copies, D, &opts, other, &other_cost, NULL) ==
         TACIT_OK);
    for (int c = 0; c < K; c++) { /* blobs are far: the centers agree up to their order */
        bool found = false;
        for (int e = 0; e < K; e++) {
            bool equal = true;
            for (int j = 0; j < D; j++) equal = equal && near(centers[c * D + j], other[e * D + j]);
            found = found || equal;
        }
        same = same && found;
    }
    CHECK(same && near(cost, other_cost), "weights are repeated points, and 0 is none");
    CHECK(near(cost, slow_cost(points, weight, N, D, centers, K, label, &nearest)) && nearest,
          "cost and labels with weights");

    double zero[N] = {0}, plain = -1, weightless = -2;
    MUST(tac_solve_kmeans(ctx, points, NULL, N, D, &opts, other, &plain, NULL) == TACIT_OK);
    MUST(tac_solve_kmeans(ctx, points, zero, N, D, &opts, centers, &weightless, NULL) == TACIT_OK);
    CHECK(plain == weightless && memcmp(centers, other, sizeof other) == 0, "no weight at all: all "
                                                                            "points count alike");
    tac_free(repeated);
}

static void small_sets(void)
{
    const double points[] = {1, 2, 3, 4, 5, 9};
    double centers[20] = {0}, cost = -1;
    int32_t label[6];

    tac_plain_kmeans opts = {.k = 1, .restarts = 2, .iterations = 10, .tolerance = 0, .seed = 1};
    MUST(tac_solve_kmeans(ctx, points, NULL, 3, 2, &opts, centers, &cost, label) == TACIT_OK);
    CHECK(near(centers[0], 3) && near(centers[1], 5) && near(cost, 8 / 3. + 26 / 3.), "k = 1 is "
                                                                                      "the mean");

    opts.k = 10;
    MUST(tac_solve_kmeans(ctx, points, NULL, 3, 2, &opts, centers, &cost, label) == TACIT_OK);
    bool known = true;
    for (int c = 0; c < 10; c++) {
        bool is = false;
        for (int i = 0; i < 3; i++)
            is = is || (centers[2 * c] == points[2 * i] && centers[2 * c + 1] == points[2 * i + 1]);
        known = known && is;
    }
    CHECK(cost == 0 && known && label[0] != label[1] && label[1] != label[2], "k > n repeats "
                                                                              "points");

    const double same[] = {7, 7, 7, 7, 7, 7};
    MUST(tac_solve_kmeans(ctx, same, NULL, 6, 1, &opts, centers, &cost, label) == TACIT_OK);
    CHECK(cost == 0 && centers[0] == 7 && centers[9] == 7 && label[5] == 0, "equal points");

    /* Two places, three points each, k = 3: a cell more than there are places. */
    const double two[] = {1, 1, 1, 8, 8, 8};
    opts.k = 3;
    MUST(tac_solve_kmeans(ctx, two, NULL, 6, 1, &opts, centers, &cost, label) == TACIT_OK);
    CHECK(cost == 0 && label[0] == label[2] && label[3] == label[5] && label[0] != label[3],
          "fewer places than centers");

    /* Huge numbers overflow the squares: no crash, no endless loop, finite centers. */
    const double huge[] = {1e200, -1e200, 1e200, 3};
    MUST(tac_solve_kmeans(ctx, huge, NULL, 4, 1, &opts, centers, &cost, label) == TACIT_OK);
    CHECK(isfinite(centers[0]) && isfinite(centers[1]) && isfinite(centers[2]), "squares that "
                                                                                "overflow");
}

static void refusals(void)
{
    double points[] = {1, 2, 3}, bad[] = {1, NAN, 3}, weight[] = {1, -1, 1}, centers[3], cost = 0;
    tac_plain_kmeans opts = {.k = 1, .restarts = 1, .iterations = 1, .tolerance = 0, .seed = 1};

    CHECK(tac_solve_kmeans(ctx, points, NULL, 0, 1, &opts, centers, &cost, NULL) ==
              TACIT_E_ARGUMENT,
          "no points");
    CHECK(tac_solve_kmeans(ctx, bad, NULL, 3, 1, &opts, centers, &cost, NULL) == TACIT_E_ARGUMENT,
          "not a number");
    CHECK(tac_solve_kmeans(ctx, points, weight, 3, 1, &opts, centers, &cost, NULL) ==
              TACIT_E_ARGUMENT,
          "negative weight");
    opts.k = 0;
    CHECK(tac_solve_kmeans(ctx, points, NULL, 3, 1, &opts, centers, &cost, NULL) ==
              TACIT_E_ARGUMENT,
          "k = 0");
    opts.k = 1;
    tacit_ctx_cancel(ctx);
    CHECK(tac_solve_kmeans(ctx, points, NULL, 3, 1, &opts, centers, &cost, NULL) ==
              TACIT_E_CANCELLED,
          "canceled");
    tacit_ctx_free(ctx);
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
}

static void threads(int64_t n, int32_t d, int32_t k)
{
    double *points = need(n * d, sizeof *points), *weight = need(n, sizeof *weight);
    double *centers[3] = {0}, cost[3];
    int32_t *label[3] = {0};
    static const int count[3] = {1, 2, 3};
    bool same = true;

    for (int64_t i = 0; i < n * d; i++) points[i] = uniform() / 3;
    for (int64_t i = 0; i < n; i++) weight[i] = uniform() / 7;
    for (int t = 0; t < 3; t++) {
        const tac_plain_kmeans opts = {
            .k = k, .restarts = 2, .iterations = 6, .tolerance = 0, .seed = 77};
        centers[t] = need((int64_t)k * d, sizeof(double));
        label[t] = need(n, sizeof(int32_t));
        MUST(tacit_ctx_set_threads(ctx, count[t]) == TACIT_OK);
        MUST(tac_solve_kmeans(ctx, points, weight, n, d, &opts, centers[t], &cost[t], label[t]) ==
             TACIT_OK);
        same = same && cost[t] == cost[0] &&
               memcmp(centers[t], centers[0], (size_t)k * (size_t)d * sizeof(double)) == 0 &&
               memcmp(label[t], label[0], (size_t)n * sizeof(int32_t)) == 0;
    }
    CHECK(same, "n %d d %d k %d: 1, 2 and 3 threads give the same bits", (int)n, d, k);
    for (int t = 0; t < 3; t++) {
        tac_free(centers[t]);
        tac_free(label[t]);
    }
    tac_free(points);
    tac_free(weight);
}

/* The kernel against a plain sum over the coordinates in their order: equal to the last bit. */
static void distances(const char *path)
{
    int bad = 0;

    if (!tac_cpu_use(path)) return; /* not on this machine */
    for (int32_t d = 1; d <= 21; d++)
        for (int32_t k = 1; k <= 150; k += 7) {
            double *points = need(TAC_POINTS * d, sizeof *points);
            double *centers = need((int64_t)k * d, sizeof *centers);
            double *workers = need((int64_t)tac_lanes_size(k, d), sizeof *workers),
                   out[TAC_POINTS * TAC_NEAR];
            const double *point[TAC_POINTS];
            for (int32_t j = 0; j < TAC_POINTS * d; j++) points[j] = uniform();
            for (int32_t j = 0; j < k * d; j++) centers[j] = uniform();
            for (int p = 0; p < TAC_POINTS; p++) point[p] = points + p * d;
            tac_lay_lanes(centers, k, d, workers);
            for (int32_t c = 0; c < k; c++) {
                if (c % TAC_NEAR == 0) tac_squared(point, workers, k, d, c, out);
                for (int p = 0; p < TAC_POINTS; p++) {
                    double sum = 0;
                    for (int32_t j = 0; j < d; j++) {
                        const double away = point[p][j] - centers[c * d + j];
                        sum += away * away;
                    }
                    bad += sum != out[p * TAC_NEAR + c % TAC_NEAR];
                }
            }
            tac_free(points);
            tac_free(centers);
            tac_free(workers);
        }
    CHECK(bad == 0, "squared distances, bit for bit (%s)", path);
    tac_cpu_use("auto");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    distances("portable");
    distances("avx2");
    distances("avx512vnni");
    finds_blobs(300, 2, 3, 1);
    finds_blobs(5000, 6, 70, 3);
    finds_blobs(2000, 33, 9, 2);
    cost_falls();
    weights();
    small_sets();
    refusals();
    threads(20000, 5, 9);
    threads(3000, 40, 100);
    tacit_ctx_free(ctx);
    return tap_done();
}
