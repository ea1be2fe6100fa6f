/* SPDX-License-Identifier: Apache-2.0 */
/* Budgets that are small for so many centers: the public rules by which auto then looks for them in
   another way or for fewer of them, and what they are for: it is no worse than noisy Lloyd rounds,
   nor than one mean. */
#include "cluster/kmeans/auto/grid/counted_grid.h"
#include "fits.h"

static tac_auto_rules rules(double epsilon, int32_t k, int32_t columns, double rows, bool tree)
{
    const tac_privacy_params params = {.definition = TAC_GDP, .rows_per_unit = 1};
    return tac_auto_rules_for(&params, tac_budget_quanta(TAC_GDP, epsilon, 1e-6), k, columns, rows,
                              0, tree);
}

/* The regime number goes up as epsilon falls: tree, grid, fewer centers, one mean. */
static void test_rules(void)
{
    bool in_order = true, honest = true;

    for (int32_t d = 1; d <= 60; d++)
        for (int32_t k = 2; k <= 40; k += 19) {
            int32_t before = k;
            bool grid = false;
            for (double epsilon = 4; epsilon > 0.001; epsilon *= 0.8) {
                const tac_auto_rules r = rules(epsilon, k, d, 5000, false);
                in_order = in_order && r.k <= before && (r.grid || !grid || r.k == 1);
                honest = honest && r.k >= 1 && r.k <= k && (r.k == 1 || r.kappa <= 0.8) &&
                         (!r.grid || (d <= TAC_AUTO_DIMS && r.kappa * k > 0.025 * d * r.k));
                before = r.k;
                grid = r.grid;
            }
            honest = honest && before == 1; /* nothing can be told apart in the end */
        }
    CHECK(in_order, "less budget never means more centers, nor the tree again after a grid");
    CHECK(honest, "a grid is for few columns and large regime numbers, centers for small ones");

    tac_auto_rules r = rules(0.1, 15, 2, 5000, false);
    CHECK(r.grid && r.k == 15 && r.room > 1, "15 centers of 5000 x 2 at epsilon 0.1: a grid");
    r = rules(0.1, 15, 2, 5000, true);
    CHECK(!r.grid && r.room == 1, "... but the tree where k is chosen from its cells");
    r = rules(1, 15, 2, 5000, false);
    CHECK(!r.grid && r.k == 15 && r.room == 1, "... and the tree at epsilon 1");
    r = rules(0.5, 15, 2, 5000, false);
    CHECK(!r.grid && r.room == 2, "at epsilon 0.5 noise may hide clusters: the ball has room");
    r = rules(0.5, 15, 10, 5000, false);
    CHECK(!r.grid && r.room == 1, "... in ten columns it has none: rows are about as far as "
                                  "others");
    r = rules(1, 10, 6, 48842, false);
    CHECK(r.most_cells == 80, "10 centers of 48842 x 6 at epsilon 1: 8 cells each, to be cut "
                              "again");
    r = rules(1, 10, 6, 48842, true);
    CHECK(r.most_cells == 40, "... but 4 where k is chosen");
    r = rules(0.25, 10, 6, 48842, false);
    CHECK(r.most_cells == 40, "... and at epsilon 0.25");
    r = rules(0.1, 15, 2, 5000, false);
    CHECK(r.most_cells == 30, "... 2 where noise is much");
    r = rules(4, 200, 20, 1e8, false);
    CHECK(r.most_cells == 800, "... and 4 where a release would be too large with 8");
    r = rules(0.1, 15, 50, 5000, false);
    CHECK(!r.grid && r.k > 1 && r.k < 15 && r.kappa <= 0.3,
          "15 centers of 5000 x 50 at epsilon 0.1: %d", r.k);
    r = rules(0.02, 5, 50, 2000, false);
    CHECK(r.k == 1 && !r.grid, "5 centers of 2000 x 50 at epsilon 0.02: one mean");
}

static void test_grid_shape(void)
{
    tac_grid_rules r = {.k = 15};
    int32_t parts[TAC_GRID_DIMS];

    tac_grid_shape(&r, 2, 1000, 1000);
    CHECK(r.boxes == 30 && r.dims == 2, "k clusters get 2 k boxes, whatever the noise");
    tac_grid_shape(&r, 2, 1e6, 1);
    CHECK(r.boxes > 1e4 && r.boxes <= 0x1p18, "and many, but not without end, without noise");
    tac_grid_shape(&r, 40, 1e6, 1);
    CHECK(r.dims == TAC_GRID_DIMS, "in a few dimensions of many columns");
    tac_grid_parts(30, 2, parts);
    CHECK(parts[0] * parts[1] >= 25 && parts[0] * parts[1] <= 36, "boxes along the axes: %d x %d",
          parts[0], parts[1]);
}

/* Gaussian noise: about as many boxes above the threshold as asked for. */
static void test_threshold(void)
{
    tac_boxes g = {.dims = 1, .count = 4096, .scale = 1 / sqrt(2)}; /* standard deviation 1 */
    double *held = malloc((size_t)g.count * sizeof *held);
    int32_t above = 0;

    dice = 5;
    g.held = held;
    for (int turn = 0; turn < 20; turn++) {
        for (int32_t i = 0; i < g.count; i++) held[i] = normal();
        above += tac_boxes_above(&g, tac_boxes_threshold(&g, 4));
    }
    /* 20 x 4 at most by the bound of the tail, a third of it in truth: Poisson */
    CHECK(above > 5 && above < 80, "%d of 80 boxes by noise alone", above);
    const double gaussian = tac_boxes_threshold(&g, 4);
    g.laplace = true;
    CHECK(tac_boxes_threshold(&g, 4) > gaussian, "Laplace noise reaches further");
    free(held);
}

/* Mean logarithm of the cost over fixed seeds. */
static double mean_cost(const double *rows, int64_t n, int32_t d, ask a)
{
    enum { SEEDS = 8 };
    double sum = 0;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        a.seed = seed;
        tacit_model *m = fit(rows, n, d, a);
        MUST(sane(m, a.k, d));
        sum += log(cost(m, rows, n, d));
        tacit_model_free(m);
    }
    return sum / SEEDS;
}

/* Fixed seeds: the same figures every time. */
static void test_floor(void)
{
    const struct {
        int64_t n;
        int32_t d, k;
        double spread, epsilon;
        bool pure;
    } set[] = {{5000, 2, 15, 0.03, 0.1, false},  {2000, 2, 5, 0.03, 0.1, false},
               {5000, 2, 15, 0.03, 0.05, false}, {5000, 4, 15, 0.05, 0.1, false},
               {5000, 10, 5, 0.1, 0.1, false},   {5000, 50, 15, 0.1, 0.05, false},
               {5000, 2, 15, 0.03, 0.1, true}};
    static double center[15 * 50];

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        double *rows = mixture(set[i].n, set[i].d, set[i].k, set[i].spread, 40 + i, center);
        const ask a = {.k = set[i].k, .epsilon = set[i].epsilon, .pure = set[i].pure};
        ask lloyd = a, one = a;
        lloyd.method = TACIT_KMEANS_LLOYD;
        one.k = 1;
        const double ours = mean_cost(rows, set[i].n, set[i].d, a),
                     rounds = mean_cost(rows, set[i].n, set[i].d, lloyd),
                     mean = mean_cost(rows, set[i].n, set[i].d, one);
        CHECK(ours < rounds && ours < mean + 0.01,
              "%d of %lld x %d at epsilon %g%s: %.2f of lloyd, %.2f of one mean", set[i].k,
              (long long)set[i].n, set[i].d, set[i].epsilon, set[i].pure ? ", pure" : "",
              exp(ours - rounds), exp(ours - mean));
        free(rows);
    }
}

/* The cost of the exact mean of all rows. */
static double cost_of_mean(const double *rows, int64_t n, int32_t d)
{
    double all = 0;

    for (int32_t j = 0; j < d; j++) {
        double sum = 0, squares = 0;
        for (int64_t i = 0; i < n; i++) {
            sum += rows[i * d + j];
            squares += rows[i * d + j] * rows[i * d + j];
        }
        all += squares - sum * sum / (double)n;
    }
    return all;
}

/* With delta 0 noise grows with the number of columns, and worst where bounds are ten times too
   wide. Of 40 seeds at most 4 were above `most`: if a run is with probability 0.1, 5 of 9 are with
   0.001. */
static void test_pure_floor(void)
{
    enum { RUNS = 9 };
    const struct {
        int64_t n;
        int32_t d, k;
        double epsilon, most; /* of the exact mean's cost */
        const char *bounds;
    } set[] = {{5000, 50, 5, 0.2, 1.5, "-6.3:3.7"},
               {5000, 50, 15, 0.1, 2, "-6.3:3.7"},
               {2000, 10, 5, 0.2, 1.5, "-6.3:3.7"},
               {2000, 50, 5, 0.2, 1.4, "0:1"},
               {2000, 200, 5, 1, 1.1, "0:1"}};
    static double center[15 * 200];

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        const int64_t n = set[i].n;
        const int32_t d = set[i].d;
        double *rows = mixture(n, d, set[i].k, 0.1, 60 + i, center);
        const double mean = cost_of_mean(rows, n, d);
        int good = 0;
        for (uint64_t seed = 0; seed < RUNS; seed++) {
            tacit_model *m = fit(rows, n, d,
                                 (ask){.k = set[i].k,
                                       .epsilon = set[i].epsilon,
                                       .pure = true,
                                       .seed = seed,
                                       .bounds = set[i].bounds});
            good += cost(m, rows, n, d) < set[i].most * mean;
            tacit_model_free(m);
        }
        CHECK(good > RUNS / 2,
              "pure, %d of %lld x %d at epsilon %g: %d of %d cost less than %g means", set[i].k,
              (long long)n, d, set[i].epsilon, good, RUNS, set[i].most);
        free(rows);
    }
}

/* A table without rows: the zoom follows noise, and error bars must not follow the zoom. */
static void test_nobody(void)
{
    enum { RUNS = 60, K = 3 };
    const double none[2] = {0, 0};

    for (int kind = 0; kind < 4; kind++) {
        const bool pure = kind % 2 == 0, median = kind / 2 == 1;
        int narrow = 0;
        for (uint64_t seed = 0; seed < RUNS; seed++) {
            double least = INFINITY;
            tacit_model *m =
                fit(none, 0, 2,
                    (ask){.k = K, .epsilon = 1, .pure = pure, .median = median, .seed = seed});
            for (int i = 0; i < 2 * K; i++) least = fmin(least, tacit_model_centers_sd(m)[i]);
            narrow += least < 0.25; /* of bounds one wide */
            tacit_model_free(m);
        }
        CHECK(narrow <= 2, "%s%s, no rows: in %d of %d runs an error bar says where a center is",
              pure ? "pure " : "", median ? "k-median" : "k-means", narrow, RUNS);
    }
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_rules();
    test_grid_shape();
    test_threshold();
    test_floor();
    test_pure_floor();
    test_nobody();
    tacit_ctx_free(ctx);
    return tap_done();
}
