/* SPDX-License-Identifier: Apache-2.0 */
/* Plain k-median: medians of lines and triangles, optimality of the centers, medians on points,
   degenerate sets. */
#include "plain_sets.h"
#include "solve/kmeans/kmeans_internal.h"
#include "solve/kmeans/kmedian.h"

static const tac_plain_kmeans usual = {
    .k = 1, .restarts = 3, .iterations = 100, .tolerance = 1e-12, .swaps = 20, .seed = 4};

static void known(void)
{
    const double line[5] = {0, 1, 2, 10, 1000};
    double center[2], cost;
    MUST(tac_solve_kmedian(ctx, line, NULL, 5, 1, &usual, center, &cost, NULL) == TACIT_OK);
    CHECK(center[0] == 2 && fabs(cost - 1009.0 / 5) < 1e-12,
          "five numbers: the middle one, exactly (%.17g)", center[0]);
    const double weight[5] = {1, 1, 1, 1, 7};
    MUST(tac_solve_kmedian(ctx, line, weight, 5, 1, &usual, center, &cost, NULL) == TACIT_OK);
    CHECK(center[0] == 1000, "a majority of the weight: its point, exactly (%.17g)", center[0]);
    /* Fermat's point of an equilateral triangle is its middle; with an angle of 150 degrees, the
       corner itself. */
    const double even[6] = {0, 0, 1, 0, 0.5, 0.8660254037844386},
                 flat[6] = {0, 0, 1, 0, -0.8660254037844386, 0.5};
    MUST(tac_solve_kmedian(ctx, even, NULL, 3, 2, &usual, center, &cost, NULL) == TACIT_OK);
    CHECK(fabs(center[0] - 0.5) < 1e-6 && fabs(center[1] - 0.5 / sqrt(3)) < 1e-6 &&
              fabs(3 * cost - sqrt(3)) < 1e-9,
          "equilateral triangle: its middle");
    MUST(tac_solve_kmedian(ctx, flat, NULL, 3, 2, &usual, center, &cost, NULL) == TACIT_OK);
    CHECK(center[0] == 0 && center[1] == 0 && fabs(3 * cost - 2) < 1e-12, "flat triangle: the "
                                                                          "corner, exactly");
}

/* From given centers on, at most so many steps. */
static tacit_status polish(const double *points, const double *weight, int64_t n, int32_t d,
                           int32_t k, int32_t iterations, double *centers, double *cost,
                           int32_t *label)
{
    const tac_plain_kmeans opts = {
        .k = k, .restarts = 1, .iterations = iterations, .tolerance = 1e-9};
    return tac_solve_plain(ctx, true, points, weight, n, d, &opts, centers, centers, cost, label);
}

/* Every center is the geometric median of its points: what pulls at it is balanced or held by a
   resting weight. */
static void optimal(int64_t n, int32_t d, int32_t k)
{
    double *points = need(n * d, sizeof *points), *weight = need(n, sizeof *weight);
    double *centers = need((int64_t)k * d, sizeof *centers), *pull = need(d, sizeof *pull), cost,
           worst = 0;
    int32_t *label = need(n, sizeof *label);
    tac_plain_kmeans opts = usual;

    for (int64_t i = 0; i < n * d; i++) points[i] = normal();
    for (int64_t i = 0; i < n; i++) weight[i] = exp(normal());
    opts.k = k;
    MUST(tac_solve_kmedian(ctx, points, weight, n, d, &opts, centers, &cost, label) == TACIT_OK);
    for (int32_t c = 0; c < k; c++) {
        double resting = 0, all = 0, strength = 0;
        memset(pull, 0, (size_t)d * sizeof *pull);
        for (int64_t i = 0; i < n; i++) {
            if (label[i] != c) continue;
            double far = 0;
            for (int32_t j = 0; j < d; j++) far += pow(points[i * d + j] - centers[c * d + j], 2);
            all += weight[i];
            if (far == 0) resting += weight[i];
            for (int32_t j = 0; j < d && far > 0; j++)
                pull[j] += weight[i] * (points[i * d + j] - centers[c * d + j]) / sqrt(far);
        }
        for (int32_t j = 0; j < d; j++) strength += pull[j] * pull[j];
        worst = fmax(worst, (sqrt(strength) - resting) / all);
    }
    CHECK(worst < 1e-3, "n %d d %d k %d: pulls are balanced to %.1e of the weight", (int)n, d, k,
          worst);
    /* From the result nothing is left to gain, and from elsewhere polish only falls. */
    double after, before;
    MUST(polish(points, weight, n, d, k, 50, centers, &after, label) == TACIT_OK);
    CHECK(after <= cost * (1 + 1e-12) && after > cost * (1 - 1e-4),
          "polish of a result leaves it: %.2e", 1 - after / cost);
    for (int32_t i = 0; i < k * d; i++) centers[i] = normal();
    MUST(polish(points, weight, n, d, k, 0, centers, &before, label) == TACIT_OK);
    MUST(polish(points, weight, n, d, k, 1, centers, &after, label) == TACIT_OK);
    bool falls = after <= before;
    for (int t = 0; t < 20; t++) {
        before = after;
        MUST(polish(points, weight, n, d, k, 1, centers, &after, label) == TACIT_OK);
        falls = falls && after <= before * (1 + 1e-12);
    }
    CHECK(falls, "every polish lowers the cost");
    tac_free(points);
    tac_free(weight);
    tac_free(centers);
    tac_free(pull);
    tac_free(label);
}

/* Outliers do not carry a center away, as a mean would be carried. */
static void robust(void)
{
    enum { N = 1000 };
    double points[N], center[2], cost;
    tac_plain_kmeans opts = usual;
    for (int i = 0; i < N; i++) points[i] = i < N / 2 ? normal() : 100 + normal();
    points[0] = 1e4;
    opts.k = 2;
    MUST(tac_solve_kmedian(ctx, points, NULL, N, 1, &opts, center, &cost, NULL) == TACIT_OK);
    CHECK(fabs(fmin(center[0], center[1])) < 0.2 && fabs(fmax(center[0], center[1]) - 100) < 0.2,
          "one far point does not take a center");
}

static void degenerate(void)
{
    const double same[4] = {3, 3, 3, 3}, huge[4] = {-1e200, -1e200, 1e200, 1e200},
                 close[3] = {1, 1 + 1e-16, 1 + 4e-16};
    const double zero[4] = {0, 0, 0, 0}, bad[2] = {1, NAN};
    double center[6], cost = -1;
    tac_plain_kmeans opts = usual;

    opts.k = 3;
    MUST(tac_solve_kmedian(ctx, same, NULL, 4, 1, &opts, center, &cost, NULL) == TACIT_OK);
    CHECK(cost == 0 && center[0] == 3 && center[2] == 3, "all points equal");
    MUST(tac_solve_kmedian(ctx, same, zero, 2, 2, &opts, center, &cost, NULL) == TACIT_OK);
    CHECK(cost == 0, "weights all 0, more centers than points");
    MUST(tac_solve_kmedian(ctx, close, NULL, 3, 1, &usual, center, &cost, NULL) == TACIT_OK);
    CHECK(center[0] >= 1 && center[0] <= 1 + 1e-15, "points a rounding apart");
    MUST(tac_solve_kmedian(ctx, huge, NULL, 4, 1, &opts, center, &cost, NULL) == TACIT_OK);
    CHECK(isfinite(center[0]) && isfinite(center[1]) && isfinite(center[2]), "distances that "
                                                                             "overflow");
    CHECK(tac_solve_kmedian(ctx, bad, NULL, 2, 1, &usual, center, &cost, NULL) == TACIT_E_ARGUMENT,
          "not a number");
    opts.k = 0;
    CHECK(tac_solve_kmedian(ctx, same, NULL, 4, 1, &opts, center, &cost, NULL) == TACIT_E_ARGUMENT,
          "no center");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    known();
    optimal(300, 2, 1);
    optimal(300, 5, 7);
    optimal(2000, 3, 40);
    robust();
    degenerate();
    tacit_ctx_free(ctx);
    return tap_done();
}
