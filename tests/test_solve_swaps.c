/* SPDX-License-Identifier: Apache-2.0 */
/* Swaps: no cluster of a synopsis is lost to a bad local optimum, with one start; the same bits for
   any threads. */
#include "plain_sets.h"
#include "solve/kmeans/plain_kmeans.h"
#include "solve/kmeans/kmedian.h"

typedef tacit_status (*solver)(tacit_ctx *, const double *, const double *, int64_t, int32_t,
                               const tac_plain_kmeans *, double *, double *, int32_t *);

/* How many of `runs` sets of k blobs of 4 cells are cut into their blobs. */
static int found(solver solve, int32_t k, int32_t d, int32_t swaps, int runs)
{
    const int64_t n = 4 * (int64_t)k;
    double *points = need(n * d, sizeof *points), *weight = need(n, sizeof *weight);
    double *centers = need((int64_t)k * d, sizeof *centers), cost;
    int32_t *label = need(n, sizeof *label);
    int good = 0;

    for (int r = 0; r < runs; r++) {
        state = 1000 + (uint64_t)r;
        blobs(k, d, 4, 0.04, points, weight);
        const tac_plain_kmeans opts = {.k = k,
                                       .restarts = 1,
                                       .iterations = 50,
                                       .tolerance = 1e-6,
                                       .swaps = swaps,
                                       .seed = (uint64_t)r};
        MUST(solve(ctx, points, weight, n, d, &opts, centers, &cost, label) == TACIT_OK);
        bool whole = true;
        for (int64_t i = k; i < n; i++) whole = whole && label[i] == label[i % k];
        good += whole;
    }
    tac_free(points);
    tac_free(weight);
    tac_free(centers);
    tac_free(label);
    return good;
}

/* Swaps only lower the cost, and what is returned belongs together. */
static void lowers(solver solve, bool median, int64_t n, int32_t d, int32_t k)
{
    double *points = need(n * d, sizeof *points), *weight = need(n, sizeof *weight);
    double *centers = need((int64_t)k * d, sizeof *centers), cost[3], sum = 0, total = 0;
    int32_t *label = need(n, sizeof *label);
    bool nearest = true;

    for (int64_t i = 0; i < n * d; i++) points[i] = uniform();
    for (int64_t i = 0; i < n; i++) weight[i] = floor(3 * uniform());
    for (int t = 0; t < 3; t++) {
        const tac_plain_kmeans opts = {.k = k,
                                       .restarts = 1,
                                       .iterations = 30,
                                       .tolerance = 1e-9,
                                       .swaps = (int[]){0, 5, 200}[t],
                                       .seed = 3};
        MUST(solve(ctx, points, weight, n, d, &opts, centers, &cost[t], label) == TACIT_OK);
    }
    CHECK(cost[2] <= cost[1] && cost[1] <= cost[0], "n %d d %d k %d: swaps never raise the cost",
          (int)n, d, k);
    for (int64_t i = 0; i < n; i++) {
        double best = INFINITY, mine = INFINITY;
        for (int32_t c = 0; c < k; c++) {
            double far = 0;
            for (int32_t j = 0; j < d; j++) far += pow(points[i * d + j] - centers[c * d + j], 2);
            best = fmin(best, far);
            if (label[i] == c) mine = far;
        }
        nearest = nearest && mine <= best * (1 + 1e-12) + 1e-300;
        sum += weight[i] * (median ? sqrt(best) : best);
        total += weight[i];
    }
    CHECK(nearest && fabs(sum / total - cost[2]) <= 1e-9 * cost[2],
          "n %d d %d k %d: cost and labels belong to the centers", (int)n, d, k);
    tac_free(points);
    tac_free(weight);
    tac_free(centers);
    tac_free(label);
}

static void threads(solver solve, int64_t n, int32_t d, int32_t k)
{
    double *points = need(n * d, sizeof *points), *centers[3], cost[3];
    bool same = true;

    for (int64_t i = 0; i < n * d; i++) points[i] = uniform();
    for (int t = 0; t < 3; t++) {
        const tac_plain_kmeans opts = {
            .k = k, .restarts = 1, .iterations = 5, .tolerance = 0, .swaps = 40, .seed = 9};
        centers[t] = need((int64_t)k * d, sizeof(double));
        MUST(tacit_ctx_set_threads(ctx, t + 1) == TACIT_OK);
        MUST(solve(ctx, points, NULL, n, d, &opts, centers[t], &cost[t], NULL) == TACIT_OK);
        same = same && cost[t] == cost[0] &&
               memcmp(centers[t], centers[0], (size_t)(k * d) * sizeof(double)) == 0;
    }
    CHECK(same, "n %d d %d k %d: 1, 2 and 3 threads give the same bits", (int)n, d, k);
    for (int t = 0; t < 3; t++) tac_free(centers[t]);
    tac_free(points);
}

/* Sets on which there is nothing to swap, or no second center. */
static void degenerate(solver solve)
{
    const double same[6] = {2, 2, 2, 2, 2, 2}, two[4] = {0, 0, 5, 5};
    double centers[8], cost = -1;
    int32_t label[6];
    tac_plain_kmeans opts = {.k = 3, .restarts = 1, .iterations = 5, .swaps = 20, .seed = 1};

    MUST(solve(ctx, same, NULL, 6, 1, &opts, centers, &cost, label) == TACIT_OK);
    CHECK(cost == 0 && centers[0] == 2, "all points equal");
    opts.k = 8;
    MUST(solve(ctx, two, NULL, 4, 1, &opts, centers, &cost, label) == TACIT_OK);
    CHECK(cost == 0, "more centers than points");
    opts.k = 1;
    MUST(solve(ctx, two, NULL, 4, 1, &opts, centers, &cost, label) == TACIT_OK);
    CHECK(cost > 0 && isfinite(centers[0]), "one center");
    opts.swaps = -1;
    CHECK(solve(ctx, two, NULL, 4, 1, &opts, centers, &cost, label) == TACIT_E_ARGUMENT,
          "a negative number of swaps");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    const int runs = (int)tap_times(100);
    const int plain = found(tac_solve_kmeans, 64, 10, 0, runs),
              kmeans = found(tac_solve_kmeans, 64, 10, 64, runs),
              kmedian = found(tac_solve_kmedian, 64, 10, 64, runs);
    CHECK(runs < 20 || plain < runs, "one start without swaps loses clusters: %d of %d whole",
          plain, runs);
    CHECK(100 * kmeans >= 99 * runs, "64 blobs of 4 cells, k-means: %d of %d whole", kmeans, runs);
    CHECK(100 * kmedian >= 99 * runs, "64 blobs of 4 cells, k-median: %d of %d whole", kmedian,
          runs);
    const int many = found(tac_solve_kmeans, 300, 12, 300, 2);
    CHECK(many == 2, "300 blobs of 4 cells: %d of 2 whole", many);
    for (int m = 0; m < 2; m++) {
        const solver solve = m == 0 ? tac_solve_kmeans : tac_solve_kmedian;
        lowers(solve, m == 1, 400, 3, 20);
        lowers(solve, m == 1, 1500, 2, 70);
        lowers(solve, m == 1, 50, 5, 2);
        threads(solve, 20000, 6, 12);
        degenerate(solve);
    }
    tacit_ctx_free(ctx);
    return tap_done();
}
