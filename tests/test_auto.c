/* SPDX-License-Identifier: Apache-2.0 */
/* Method auto through the public header: it finds clusters, survives every degenerate data set,
   gives the same bits however rows are ordered and worked on, spends what it may, resists outliers
   as k-median and chooses k. */
#include "cluster/kmeans/auto/tree.h"
#include "fits.h"

/* ---- it finds clusters ---- */

static void test_recovery(void)
{
    const struct {
        int64_t n;
        int32_t d, k;
        double spread, epsilon;
    } set[] = {
        {20000, 2, 5, 0.02, 8},   {20000, 1, 4, 0.01, 8}, {30000, 8, 20, 0.02, 8},
        {20000, 40, 10, 0.02, 8}, {5000, 3, 1, 0.05, 8},  {20000, 5, 6, 0.02, 1},
    };
    double center[20 * 40];

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        double *rows = mixture(set[i].n, set[i].d, set[i].k, set[i].spread, 100 + i, center);
        tacit_model *m = fit(rows, set[i].n, set[i].d,
                             (ask){.k = set[i].k, .epsilon = set[i].epsilon, .seed = 5 + i});
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
static void test_zoom(void)
{
    enum { N = 20000, D = 6, K = 8 };
    double center[K * D];
    double *rows = mixture(N, D, K, 0.02, 7, center);

    for (int i = 0; i < N * D; i++) rows[i] = 0.7 + (rows[i] - 0.5) / 1000;
    tacit_model *m = fit(rows, N, D, (ask){.k = K, .epsilon = 2, .seed = 3});
    for (int i = 0; i < K * D; i++) center[i] = 0.7 + (center[i] - 0.5) / 1000;
    CHECK(sane(m, K, D) && worst(m, center, K, D) < 0.02 * sqrt(D) / 1000, "bounds 1000 times too "
                                                                           "wide");
    CHECK(m != NULL && tacit_model_note_get(m, 0) != NULL &&
              strstr(tacit_model_note_get(m, 0), "wider") != NULL,
          "... and it says so");
    tacit_model_free(m);
    free(rows);
}

/* A cell looks 1.3 root mean squares far, and 0.35 of the way to the next cell at least. */
static void test_reach(void)
{
    double center[] = {0, 0, 300, 400, 300, 1000}, spread[] = {1e4, 100, 1e4}, reach[3];
    tac_cell_set s = {.count = 3, .dims = 2, .center = center, .spread = spread, .reach = reach};

    tac_tree_set_reach(&s, false);
    CHECK(fabs(reach[0] - 175) < 1e-9 && fabs(reach[1] - 175) < 1e-9 && fabs(reach[2] - 210) < 1e-9,
          "cells whose spread came out small look a third of the way to the next one");
    spread[1] = 4e4;
    tac_tree_set_reach(&s, false);
    CHECK(fabs(reach[1] - 260) < 1e-9 && fabs(reach[0] - 175) < 1e-9, "a wide one looks further");
    s.count = 1;
    tac_tree_set_reach(&s, false);
    CHECK(fabs(reach[0] - 130) < 1e-9, "one cell alone: as far as its rows spread");
    s.count = 3;
    spread[1] = 100;
    tac_tree_set_reach(&s, true);
    CHECK(fabs(reach[0] - 175) < 1e-9 && fabs(reach[1] - 39) < 1e-9, "with plenty of rows a small "
                                                                     "cluster between large ones "
                                                                     "keeps a radius of its own");
}

/* ---- nothing breaks it ---- */

static void test_degenerate(void)
{
    enum { N = 3000, D = 4 };
    static double equal[N * D], outside[N * D], columns[N * D], line[N];
    const double epsilon[] = {0.01, 1, 1000};
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
    };

    dice = 1;
    for (int i = 0; i < N * D; i++) {
        equal[i] = 0.25;
        outside[i] = i % 2 ? 1e300 : -7;
        columns[i] = i % D == 1 ? uniform() : 0.5;
    }
    for (int i = 0; i < N; i++) line[i] = uniform();
    for (size_t s = 0; s < sizeof set / sizeof *set; s++)
        for (int e = 0; e < 3; e++)
            for (int median = 0; median < 2; median++) {
                const ask a = {.k = set[s].k,
                               .epsilon = epsilon[e],
                               .seed = 17,
                               .median = median != 0,
                               .neighbors = e == 1 ? TACIT_REPLACE : TACIT_ADD_REMOVE};
                tacit_model *m = fit(set[s].rows, set[s].n, set[s].d, a);
                CHECK(sane(m, set[s].k, set[s].d), "%s, epsilon %g, %s", set[s].what, epsilon[e],
                      median ? "k-median" : "k-means");
                tacit_model_free(m);
            }
    tacit_model *m = fit(equal, N, D, (ask){.k = 3, .epsilon = 5, .seed = 2});
    const double point[D] = {0.25, 0.25, 0.25, 0.25};
    CHECK(m != NULL && worst(m, point, 1, D) < 1e-3, "equal rows are found");
    tacit_model_free(m);
    m = fit(equal, 0, D, (ask){.k = TACIT_K_AUTO, .epsilon = 1, .seed = 2});
    CHECK(m != NULL && tacit_model_k(m) == 1, "a chosen k for no rows is 1");
    tacit_model_free(m);
}

/* ---- the same bits ---- */

static void test_bits(void)
{
    enum { N = 4000, D = 15, K = 6 };
    double center[K * D];
    double *rows = mixture(N, D, K, 0.05, 11, center);

    for (int median = 0; median < 2; median++) {
        const ask a = {.k = K, .epsilon = 1, .seed = 23, .median = median != 0, .threads = 1};
        tacit_model *m = fit(rows, N, D, a);
        char *first = json(m);
        tacit_model_free(m);
        for (int threads = 2; threads < 8; threads += 3) {
            ask b = a;
            b.threads = threads;
            m = fit(rows, N, D, b);
            char *again = json(m);
            CHECK(strcmp(first, again) == 0, "%d threads change nothing (%s)", threads,
                  median ? "k-median" : "k-means");
            tacit_free(again);
            tacit_model_free(m);
        }
        for (int i = 0; i < N / 2; i++)
            for (int j = 0; j < D; j++) {
                const double swap = rows[i * D + j];
                rows[i * D + j] = rows[(N - 1 - i) * D + j];
                rows[(N - 1 - i) * D + j] = swap;
            }
        m = fit(rows, N, D, a);
        char *again = json(m);
        CHECK(strcmp(first, again) == 0, "the order of rows changes nothing (%s)",
              median ? "k-median" : "k-means");
        tacit_free(again);
        tacit_free(first);
        tacit_model_free(m);
    }
    free(rows);
}

/* ---- the budget ---- */

static void test_budget(void)
{
    enum { N = 3000 };
    const struct {
        int32_t d, k;
        double epsilon, delta;
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
                                   .seed = i,
                                   .neighbors = set[i].neighbors,
                                   .median = set[i].median});
        MUST(m != NULL);
        const double whole = m->card.native_budget, spent = m->card.native_spent;
        CHECK(spent <= whole && spent > 0.9999 * whole,
              "all of the budget is spent, and no more (%.8f)", spent / whole);
        tacit_model_free(m);
        free(rows);
    }
}

/* ---- k-median ---- */

/* One tenth of the rows far to one side: the mean of a cluster follows them, its median does
   not. */
static void test_median(void)
{
    enum { N = 20000, D = 3 };
    double *rows = malloc(sizeof(double) * N * D);
    const double center[D] = {0.2, 0.2, 0.2};

    dice = 3;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++)
            rows[i * D + j] = i % 10 == 0 ? 0.6 + 0.4 * uniform() : 0.2 + 0.02 * normal();
    tacit_model *mean = fit(rows, N, D, (ask){.k = 1, .epsilon = 1, .seed = 9});
    tacit_model *median = fit(rows, N, D, (ask){.k = 1, .epsilon = 1, .seed = 9, .median = true});
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

static void test_choose(void)
{
    const struct {
        int32_t k, d;
        double spread;
    } set[] = {{1, 2, 0.1}, {5, 2, 0.02}, {5, 6, 0.04}, {1, 6, 0.1}, {12, 3, 0.02}};
    enum { N = 20000 };
    double center[12 * 6];

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        double *rows = mixture(N, set[i].d, set[i].k, set[i].spread, 50 + i, center);
        tacit_model *m = fit(rows, N, set[i].d, (ask){.k = TACIT_K_AUTO, .epsilon = 1, .seed = 4});
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

/* Boxes without groups get the noise of the run: with persons of many rows they show as much as
   the rows do. Neither account nor card knows of them. */
static void test_choose_persons(void)
{
    enum { N = 20000, D = 3, K = 6, OWN = 4 };
    double center[K * D];
    double *rows = mixture(N, D, K, 0.02, 77, center);
    int64_t *unit = malloc(N * sizeof *unit);
    tacit_budget b;
    tacit_kmeans_opts o;

    MUST(unit != NULL);
    for (int64_t i = 0; i < N; i++) unit[i] = i / OWN;
    tacit_budget_init(&b, sizeof b);
    tacit_kmeans_opts_init(&o, sizeof o);
    b.delta = 1e-6;
    b.max_rows_per_unit = OWN;
    b.use_insecure_test_seed = 1;
    o.k = TACIT_K_AUTO;
    for (int replace = 0; replace < 2; replace++)
        for (int starved = 0; starved < 2; starved++) {
            tacit_data *data = NULL;
            tacit_model *m = NULL;
            tacit_k_choice c = TACIT_K_CHOICE_INIT;
            b.epsilon = starved ? 0.02 : 2;
            b.neighbors = replace ? TACIT_REPLACE : TACIT_ADD_REMOVE;
            MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, N, D, &data) == TACIT_OK &&
                 tacit_data_set_units(ctx, data, unit, "person") == TACIT_OK &&
                 tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK &&
                 tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_OK &&
                 tacit_model_k_choice(m, &c) == TACIT_OK);
            CHECK(starved ? tacit_model_k(m) == 1 && c.verdict == TACIT_K_NOISY
                          : tacit_model_k(m) == K && c.verdict == TACIT_K_CLEAR,
                  "persons, %s, epsilon %g: k = %d (%.2f, needed %.2f)",
                  replace ? "replace" : "add-remove", b.epsilon, tacit_model_k(m), c.strength,
                  c.needed);
            CHECK(m->card.native_spent <= m->card.native_budget &&
                      m->card.native_spent > 0.99 * m->card.native_budget,
                  "... the budget is spent once");
            tacit_model_free(m);
            tacit_data_free(data);
        }
    free(unit);
    free(rows);
}

/* ---- notes ---- */

static void test_notes(void)
{
    double center[2 * 30];
    double *rows = mixture(500, 30, 2, 0.2, 77, center);
    tacit_model *m = fit(rows, 500, 30, (ask){.k = 40, .epsilon = 0.1, .seed = 8});

    CHECK(m != NULL && tacit_model_note_get(m, 0) != NULL &&
              strstr(tacit_model_note_get(m, 0), "told apart") != NULL,
          "too many centers for the rows: a note says so");
    tacit_model_free(m);
    free(rows);
    rows = mixture(20000, 2, 2, 0.02, 78, center);
    m = fit(rows, 20000, 2, (ask){.k = 2, .epsilon = 4, .seed = 8});
    CHECK(m != NULL && tacit_model_note_get(m, 0) == NULL, "nothing to warn of: no note");
    tacit_model_free(m);
    free(rows);
}

/* ---- what it refuses ---- */

static void test_refusals(void)
{
    double rows[40] = {0};

    CHECK(fit(rows, 10, 4, (ask){.k = 2, .epsilon = 1e-6, .delta = 1e-30}) == NULL &&
              strstr(tacit_ctx_message(ctx), "epsilon is too small") != NULL,
          "a budget that cannot pay for its queries");
    CHECK(fit(rows, 10, 4, (ask){.k = 0, .epsilon = 1}) == NULL, "no k");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_recovery();
    test_zoom();
    test_reach();
    test_degenerate();
    test_bits();
    test_budget();
    test_median();
    test_choose();
    test_choose_persons();
    test_notes();
    test_refusals();
    test_starved_bars(false);
    tacit_ctx_free(ctx);
    return tap_done();
}
