/* SPDX-License-Identifier: Apache-2.0 */
/* Denoising: near the best possible risk where that is known, better than the rules it stands for,
   and never wild. Fixed seeds: no false alarms. And plain k-means of sparse points beside the dense
   one. */
#include "solve/linalg/denoise.h"
#include "solve/kmeans/kmeans_sparse.h"
#include "solve/kmeans/kmedian.h"
#include "sparse_world.h"

static tacit_ctx *ctx;

static double normal(void)
{
    return sqrt(-2 * log1p(-uniform())) * cos(2 * M_PI * uniform());
}

static double noise(tac_bell distribution)
{
    const double u = uniform() - 0.5;
    return distribution == TAC_BELL_GAUSSIAN ? normal()
                                             : -copysign(log1p(-2 * fabs(u)), u) * M_SQRT1_2;
}

enum { N = 20000 };
static double truth[N], x[N], raw[N], error[N];

/* Mean squared error in units of the noise's variance, sd = 3. *told: what the posterior says it
   is. */
static double risk(tac_bell distribution, double *told)
{
    const double sd = 3;
    double squares = 0;

    *told = 0;
    for (int i = 0; i < N; i++) raw[i] = x[i] = sd * (truth[i] + noise(distribution));
    MUST(tac_solve_denoise(ctx, x, N, sd, distribution, error) == TACIT_OK);
    for (int i = 0; i < N; i++) {
        squares += pow(x[i] / sd - truth[i], 2);
        *told += pow(error[i] / sd, 2) / N;
    }
    return squares / N;
}

static void test_risk(void)
{
    double told;

    for (int i = 0; i < N; i++) truth[i] = 0;
    const double nothing = risk(TAC_BELL_GAUSSIAN, &told);
    CHECK(nothing < 0.002, "all zero: what is left of the noise is %.5f of its variance", nothing);
    for (int i = 0; i < N; i++) truth[i] = 2 * normal();
    const double bell = risk(TAC_BELL_GAUSSIAN, &told);
    CHECK(bell < 0.8 * 1.02 && fabs(told / bell - 1) < 0.05,
          "a bell of twice the noise: %.4f, the best possible is 0.8; told: %.4f", bell, told);
    for (int i = 0; i < N; i++) truth[i] = 50 + 10 * normal();
    const double far = risk(TAC_BELL_GAUSSIAN, &told);
    CHECK(fabs(far - 1) < 0.03, "far out of the noise nothing is changed: %.4f", far);
    for (int distribution = 0; distribution < 2; distribution++) {
        for (int i = 0; i < N; i++) truth[i] = i % 50 == 0 ? 7 : 0;
        const double few = risk(distribution ? TAC_BELL_LAPLACE : TAC_BELL_GAUSSIAN, &told);
        double hard = 0; /* thresholding at what the largest of N draws of noise reach */
        const double clear = distribution ? M_SQRT1_2 * log(N) : sqrt(2 * log(N));
        for (int i = 0; i < N; i++)
            hard += pow((fabs(raw[i] / 3) > clear ? raw[i] / 3 : 0) - truth[i], 2) / N;
        CHECK(few < hard && few < 0.1, "one in 50 not zero, %s noise: %.4f, thresholding %.4f",
              distribution ? "Laplace" : "Gaussian", few, hard);
    }
    for (int i = 0; i < N; i++) truth[i] = i % 4 ? 0 : 3 * normal();
    const double mixed = risk(TAC_BELL_GAUSSIAN, &told);
    double stein = 0, squares = 0;
    for (int i = 0; i < N; i++) squares += pow(raw[i] / 3, 2) / N;
    for (int i = 0; i < N; i++) stein += pow((1 - 1 / squares) * raw[i] / 3 - truth[i], 2) / N;
    CHECK(mixed < 0.8 * stein && fabs(told / mixed - 1) < 0.1,
          "one in 4 not zero: %.4f, James-Stein %.4f; told: %.4f", mixed, stein, told);
}

static void test_small(void)
{
    double one[1] = {0.5}, wild[4] = {1e300, -1e300, 0, 1e-300}, left[4];
    bool good = true;

    MUST(tac_solve_denoise(ctx, one, 0, 1, TAC_BELL_GAUSSIAN, NULL) == TACIT_OK);
    MUST(tac_solve_denoise(ctx, one, 1, 1, TAC_BELL_GAUSSIAN, NULL) == TACIT_OK);
    /* The likeliest prior is all at the number; here at the values on either side of its bin's
       middle, half a bin away. */
    CHECK(fabs(one[0] - 0.5) < 0.05, "one number alone comes out as itself, to half a bin: %.4f",
          one[0]);
    MUST(tac_solve_denoise(ctx, wild, 4, 1, TAC_BELL_LAPLACE, left) == TACIT_OK);
    for (int i = 0; i < 4; i++) good = good && isfinite(wild[i]) && left[i] >= 0 && left[i] <= 1;
    CHECK(good && wild[0] == 1e300 && wild[1] == -1e300, "numbers near the ends of the double "
                                                         "range stay where they are");
}

/* Order does not matter, and a larger number never comes out smaller. */
static void test_shape(void)
{
    bool rising = true, same = true;

    for (int i = 0; i < N; i++) raw[i] = x[i] = normal() * (i % 10 ? 1 : 5);
    for (int i = 0; i < N; i++) truth[N - 1 - i] = x[i];
    MUST(tac_solve_denoise(ctx, x, N, 1, TAC_BELL_GAUSSIAN, NULL) == TACIT_OK);
    MUST(tac_solve_denoise(ctx, truth, N, 1, TAC_BELL_GAUSSIAN, NULL) == TACIT_OK);
    for (int i = 0; i < N; i++) same = same && truth[N - 1 - i] == x[i];
    for (int i = 0; i < 2000; i++)
        for (int j = 0; j < 50; j++)
            rising = rising && (raw[i] <= raw[j] ? x[i] <= x[j] + 1e-12 : x[i] >= x[j] - 1e-12);
    CHECK(same, "the order of the numbers changes nothing");
    CHECK(rising, "a larger number never comes out smaller");
}

static void test_sparse_solver(void)
{
    enum { ROWS = 600, D = 40, K = 4 };
    sparse_world w = make_world(ROWS, D, 3, false, true);
    double cost[2], centers[K * D];

    for (int64_t i = 0; i < ROWS; i++) /* four far clusters, each on its own column */
        for (int64_t e = w.start[i]; e < w.start[i + 1]; e++) {
            w.value[e] = e == w.start[i] ? 50 : w.value[e];
            w.column[e] = e == w.start[i] ? (int32_t)(i % 3) : 5 + (int32_t)(e - w.start[i]);
        }
    memset(w.dense, 0, (size_t)ROWS * D * sizeof *w.dense);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t e = w.start[i]; e < w.start[i + 1]; e++)
            w.dense[i * D + w.column[e]] = w.value[e];
    const tac_csr points = {
        .n = ROWS, .d = D, .start = w.start, .column = w.column, .value = w.value};
    const tac_plain_kmeans opts = {
        .k = K, .restarts = 5, .iterations = 100, .tolerance = 1e-9, .seed = 3};
    MUST(tac_solve_sparse(ctx, &points, false, &opts, &cost[0]) == TACIT_OK);
    MUST(tac_solve_kmeans(ctx, w.dense, NULL, ROWS, D, &opts, centers, &cost[1], NULL) == TACIT_OK);
    CHECK(fabs(cost[0] / cost[1] - 1) < 1e-6,
          "k-means of sparse points costs what that of dense ones does: %.6f, %.6f", cost[0],
          cost[1]);
    MUST(tac_solve_sparse(ctx, &points, true, &opts, &cost[0]) == TACIT_OK);
    MUST(tac_solve_kmedian(ctx, w.dense, NULL, ROWS, D, &opts, centers, &cost[1], NULL) ==
         TACIT_OK);
    CHECK(fabs(cost[0] / cost[1] - 1) < 1e-2, "k-median of sparse points too: %.6f, %.6f", cost[0],
          cost[1]);
    const int64_t none[2] = {0, 0};
    const tac_csr empty = {.n = 1, .d = 1, .start = none, .column = w.column, .value = w.value};
    MUST(tac_solve_sparse(ctx, &empty, false, &opts, &cost[0]) == TACIT_OK);
    CHECK(cost[0] == 0, "one empty point and four centers cost nothing");
    clear_world(&w);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_risk();
    test_small();
    test_shape();
    test_sparse_solver();
    tacit_ctx_free(ctx);
    return tap_done();
}
