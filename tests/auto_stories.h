/* SPDX-License-Identifier: Apache-2.0 */
/* What method auto does with delta and without (`pure`): it finds clusters, survives every
   degenerate data set, gives the same bits however rows are ordered and worked on, spends what it
   may, resists outliers as k-median, chooses k, and its error bars hold. */
#ifndef TAC_AUTO_STORIES_H
#define TAC_AUTO_STORIES_H

#include "fits.h"

/* ---- it finds clusters ---- */

/* In all columns (up to 8), in a random projection (more), in one column; large epsilon and
   small. */
static void test_recovery(bool pure)
{
    const struct {
        int64_t n;
        int32_t d, k;
        double spread, epsilon;
    } set[] = {
        {20000, 2, 5, 0.02, 8},   {20000, 1, 4, 0.01, 8},  {30000, 8, 20, 0.02, 8},
        {20000, 40, 10, 0.02, 8}, {5000, 3, 1, 0.05, 8},   {20000, 5, 6, 0.02, 1},
        {20000, 8, 16, 0.02, 1},  {20000, 16, 8, 0.02, 1}, {20000, 2, 2, 0.02, 0.2},
    };
    double center[20 * 40];

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        double *rows = mixture(set[i].n, set[i].d, set[i].k, set[i].spread, 100 + i, center);
        tacit_model *m =
            fit(rows, set[i].n, set[i].d,
                (ask){.k = set[i].k, .epsilon = set[i].epsilon, .seed = 5 + i, .pure = pure});
        double all = 0;
        MUST(sane(m, set[i].k, set[i].d));
        const double off = worst(m, center, set[i].k, set[i].d);
        CHECK(off < set[i].spread * sqrt(set[i].d),
              "%d clusters in %d columns, epsilon %g: within their radius (%.3g of it)", set[i].k,
              set[i].d, set[i].epsilon, off / set[i].spread / sqrt(set[i].d));
        for (int32_t c = 0; c < set[i].k; c++) all += tacit_model_sizes(m)[c];
        CHECK(fabs(all - (double)set[i].n) < 6 * tacit_model_sizes_sd(m) * sqrt(set[i].k),
              "... their sizes add up");
        tacit_model_free(m);
        free(rows);
    }
}

/* Bounds a thousand times too wide: the zoom makes up for it, on 16 bits. */
static void test_zoom(bool pure)
{
    const struct {
        int32_t d, k;
    } set[] = {{6, 8}, {3, 6}};
    enum { N = 20000 };
    double center[8 * 6];

    for (size_t s = 0; s < sizeof set / sizeof *set; s++) {
        const int32_t d = set[s].d, k = set[s].k;
        double *rows = mixture(N, d, k, 0.02, 7, center);
        for (int i = 0; i < N * d; i++) rows[i] = 0.7 + (rows[i] - 0.5) / 1000;
        for (int i = 0; i < k * d; i++) center[i] = 0.7 + (center[i] - 0.5) / 1000;
        for (uint64_t seed = 0; seed < 4; seed++) {
            tacit_model *m =
                fit(rows, N, d, (ask){.k = k, .epsilon = 2, .seed = seed, .pure = pure});
            const bool found = sane(m, k, d) && worst(m, center, k, d) < 0.02 * sqrt(d) / 1000;
            CHECK(found, "%d columns, bounds 1000 times too wide", d);
            CHECK(m != NULL && tacit_model_note_get(m, 0) != NULL &&
                      strstr(tacit_model_note_get(m, 0), "wider") != NULL,
                  "... and it says so");
            tacit_model_free(m);
        }
        free(rows);
    }
}

/* ---- nothing breaks it ---- */

static void test_degenerate(bool pure)
{
    enum { N = 3000, D = 4, WIDE = 70 };
    static double equal[N * D], outside[N * D], columns[N * D], line[N], wide[300 * WIDE];
    const double epsilon[] = {0.001, 0.01, 1, 1000};
    const struct {
        const char *what;
        const double *rows;
        int64_t n;
        int32_t d, k;
    } set[] = {
        {"no rows", equal, 0, D, 3},
        {"one row", equal, 1, D, 3},
        {"more centers than rows", line, 5, 1, 50},
        {"all rows equal", equal, N, D, 4},
        {"all rows clipped", outside, N, D, 4},
        {"constant columns", columns, N, D, 3},
        {"one column", line, N, 1, 5},
        {"one center", columns, N, D, 1},
        {"few rows, many columns", wide, 300, WIDE, 9},
        {"many centers", columns, N, D, 500},
    };

    dice = 1;
    for (int i = 0; i < N * D; i++) {
        equal[i] = 0.25;
        outside[i] = i % 2 ? 1e300 : -7;
        columns[i] = i % D == 1 ? uniform() : 0.5;
    }
    for (int i = 0; i < N; i++) line[i] = uniform();
    for (int i = 0; i < 300 * WIDE; i++) wide[i] = uniform();
    for (size_t s = 0; s < sizeof set / sizeof *set; s++)
        for (int e = 0; e < 4; e++)
            for (int median = 0; median < 2; median++) {
                const ask a = {.k = set[s].k,
                               .epsilon = epsilon[e],
                               .seed = 17,
                               .median = median != 0,
                               .pure = pure,
                               .neighbors = e == 2 ? TACIT_REPLACE : TACIT_ADD_REMOVE};
                tacit_model *m = fit(set[s].rows, set[s].n, set[s].d, a);
                CHECK(sane(m, set[s].k, set[s].d), "%s, epsilon %g, %s", set[s].what, epsilon[e],
                      median ? "k-median" : "k-means");
                tacit_model_free(m);
            }
    tacit_model *m = fit(equal, N, D, (ask){.k = 3, .epsilon = 5, .seed = 2, .pure = pure});
    const double point[D] = {0.25, 0.25, 0.25, 0.25};
    CHECK(m != NULL && worst(m, point, 1, D) < 1e-3, "equal rows are found");
    tacit_model_free(m);
    m = fit(equal, 0, D, (ask){.k = TACIT_K_AUTO, .epsilon = 1, .seed = 2, .pure = pure});
    CHECK(m != NULL && tacit_model_k(m) == 1, "a chosen k for no rows is 1");
    tacit_model_free(m);
}

/* ---- the same bits ---- */

static void reverse(double *rows, int n, int d)
{
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < d; j++) {
            const double swap = rows[i * d + j];
            rows[i * d + j] = rows[(n - 1 - i) * d + j];
            rows[(n - 1 - i) * d + j] = swap;
        }
}

static void test_bits(bool pure, int n, double epsilon)
{
    enum { D = 15, K = 6 };
    double center[K * D];
    double *rows = mixture(n, D, K, 0.05, 11, center);

    for (int median = 0; median < 2; median++) {
        ask a = {.k = K,
                 .epsilon = epsilon,
                 .seed = 23,
                 .median = median != 0,
                 .threads = 1,
                 .pure = pure};
        tacit_model *m = fit(rows, n, D, a);
        char *first = json(m);
        tacit_model_free(m);
        for (int turn = 0; turn < 3; turn++) {
            a.threads = (int[]){2, 5, 1}[turn];
            if (turn == 2) reverse(rows, n, D);
            m = fit(rows, n, D, a);
            char *again = json(m);
            CHECK(strcmp(first, again) == 0, "%s change nothing (%s, epsilon %g)",
                  (const char *[]){"2 threads", "5 threads", "rows in another order"}[turn],
                  median ? "k-median" : "k-means", epsilon);
            tacit_free(again);
            tacit_model_free(m);
        }
        tacit_free(first);
    }
    free(rows);
}

/* ---- the budget ---- */

static void test_budget(bool pure)
{
    enum { N = 3000 };
    const struct {
        int32_t d, k;
        double epsilon, delta; /* 0 where pure */
        tacit_neighbors neighbors;
        bool median;
    } set[] = {
        {3, 4, 1, 1e-6, TACIT_ADD_REMOVE, false},
        {3, 4, 0.01, 1e-9, TACIT_REPLACE, false},
        {20, 8, 10, 1e-6, TACIT_ADD_REMOVE, false},
        {3, 1, 1, 1e-6, TACIT_ADD_REMOVE, false},
        {20, 5, 1, 1e-6, TACIT_REPLACE, true},
        {2, TACIT_K_AUTO, 1, 1e-6, TACIT_ADD_REMOVE, false},
        {5, 300, 0.1, 1e-6, TACIT_ADD_REMOVE, true},
    };
    double center[8 * 20];

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        double *rows = mixture(N, set[i].d, 4, 0.03, 31 + i, center);
        tacit_model *m = fit(rows, N, set[i].d,
                             (ask){.k = set[i].k,
                                   .epsilon = set[i].epsilon,
                                   .delta = set[i].delta,
                                   .pure = pure,
                                   .seed = i,
                                   .neighbors = set[i].neighbors,
                                   .median = set[i].median});
        MUST(m != NULL);
        const double whole = m->card.native_budget, spent = m->card.native_spent,
                     delta = pure ? 0 : set[i].delta;
        CHECK(spent <= whole && spent > 0.9999 * whole,
              "all of the budget is spent, and no more (%.8f)", spent / whole);
        CHECK(m->card.delta == delta && m->card.epsilon == set[i].epsilon, "... and delta is %g",
              delta);
        tacit_model_free(m);
        free(rows);
    }
}

/* ---- k-median ---- */

/* One tenth of the rows far to one side: the mean of a cluster follows them, its median does
   not. */
static void test_median(bool pure)
{
    enum { N = 20000, D = 3 };
    double *rows = malloc(sizeof(double) * N * D);
    const double center[D] = {0.2, 0.2, 0.2};
    const ask mean_of = {.k = 1, .epsilon = 1, .seed = 9, .pure = pure};
    ask median_of = mean_of;

    dice = 3;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++)
            rows[i * D + j] = i % 10 == 0 ? 0.6 + 0.4 * uniform() : 0.2 + 0.02 * normal();
    median_of.median = true;
    tacit_model *mean = fit(rows, N, D, mean_of), *median = fit(rows, N, D, median_of);
    MUST(mean != NULL && median != NULL);
    const double a = worst(mean, center, 1, D), b = worst(median, center, 1, D);
    CHECK(b < 0.02 && a > 4 * b,
          "k-median resists a tenth of outliers (%.4f), k-means does not (%.4f)", b, a);
    CHECK(fabs(tacit_model_sizes(median)[0] - N) < 6 * tacit_model_sizes_sd(median), "... and has "
                                                                                     "sizes");
    tacit_model_free(mean);
    tacit_model_free(median);
    free(rows);
}

/* ---- a chosen k ---- */

static void test_choose(bool pure)
{
    const struct {
        int32_t k, d;
        double spread;
    } set[] = {{1, 2, 0.1}, {5, 2, 0.02}, {5, 6, 0.04}, {1, 6, 0.1}, {12, 3, 0.02}, {10, 12, 0.03}};
    enum { N = 20000 };
    double center[12 * 12];

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        double *rows = mixture(N, set[i].d, set[i].k, set[i].spread, 50 + i, center);
        tacit_model *m =
            fit(rows, N, set[i].d, (ask){.k = TACIT_K_AUTO, .epsilon = 1, .seed = 4, .pure = pure});
        int32_t count = 0;
        MUST(m != NULL);
        CHECK(tacit_model_k(m) == set[i].k, "%d clusters in %d columns: chosen k = %d", set[i].k,
              set[i].d, tacit_model_k(m));
        const double *curve = tacit_model_curve(m, &count);
        int32_t best = 0;
        for (int32_t k = 1; k < count; k++)
            if (curve[k] > curve[best]) best = k;
        tacit_k_choice c = TACIT_K_CHOICE_INIT;
        MUST(tacit_model_k_choice(m, &c) == TACIT_OK);
        CHECK(count > 1 && curve[0] == 0 && (set[i].k == 1 || best + 1 == set[i].k) &&
                  curve[c.best - 1] == c.strength,
              "... and the curve has its top there");
        CHECK(set[i].k == 1 ? c.verdict >= TACIT_K_NONE && c.strength <= c.needed
                            : c.verdict == TACIT_K_CLEAR && c.best == set[i].k && c.low <= c.best &&
                                  c.high >= c.best && c.strength > c.needed,
              "... and it says how sure it is (%.2f, needed %.2f)", c.strength, c.needed);
        CHECK(worst(m, center, set[i].k, set[i].d) < 2 * set[i].spread * sqrt(set[i].d),
              "... and the centers are found");
        tacit_model_free(m);
        free(rows);
    }
}

/* ---- error bars ---- */

/* Rows without clusters and a budget for hardly any: the bars must say so. Clusters and budget
   enough: they must not be wider than they need be. */
static void test_starved_bars(bool pure)
{
    enum { N = 3000, MANY = 20000, D = 3, RUNS = 10 };
    double center[4 * D], *clear = mixture(MANY, D, 4, 0.05, 5, center),
                          *rows = malloc(sizeof(double) * N * D);
    int32_t starved = 0, all = 0, wide = 0, narrow = 0, rich = 0, again = 0;

    dice = 12;
    for (int i = 0; i < N * D; i++) rows[i] = uniform();
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        tacit_model *m =
            fit(rows, N, D, (ask){.k = 30, .epsilon = 0.1, .seed = seed, .pure = pure});
        starved += missed(m, rows, N, D, 2, &all);
        tacit_model_free(m);
        m = fit(clear, MANY, D, (ask){.k = 4, .epsilon = pure ? 8 : 4, .seed = seed, .pure = pure});
        narrow += missed(m, clear, MANY, D, 3, &rich);
        wide += missed(m, clear, MANY, D, 0.2, &again);
        tacit_model_free(m);
    }
    CHECK(all > RUNS && starved <= all / 10,
          "a starved run's bars: %d of %d centers are beyond two of them", starved, all);
    CHECK(narrow <= rich / 20 && wide >= again / 2,
          "a rich run's: %d of %d beyond three, %d beyond a fifth", narrow, rich, wide);
    free(rows);
    free(clear);
}

/* ---- notes ---- */

static void test_told_apart(bool pure)
{
    double center[2 * 30];
    double *rows = mixture(500, 30, 2, 0.2, 77, center);
    tacit_model *m = fit(rows, 500, 30, (ask){.k = 40, .epsilon = 0.1, .seed = 8, .pure = pure});

    CHECK(m != NULL && tacit_model_note_get(m, 0) != NULL &&
              strstr(tacit_model_note_get(m, 0), "told apart") != NULL,
          "too many centers for the rows: a note says so");
    tacit_model_free(m);
    free(rows);
}

static void test_auto(bool pure)
{
    test_recovery(pure);
    test_zoom(pure);
    test_degenerate(pure);
    test_bits(pure, 4000, 1);
    test_bits(pure, 6000, 4);
    test_budget(pure);
    test_median(pure);
    test_choose(pure);
    test_starved_bars(pure);
    test_told_apart(pure);
}

#endif
