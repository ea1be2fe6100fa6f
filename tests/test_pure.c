/* SPDX-License-Identifier: Apache-2.0 */
/* Method auto with delta = 0 through the public header: it finds clusters by counting, survives
   every degenerate data set, gives the same bits however rows are ordered and worked on, spends
   what it may, and beats noisy Lloyd at the same epsilon. */
#include "fits.h"

/* In all columns (up to 8), in a random projection (more), in one column; large epsilon and epsilon
   1. */
static void test_recovery(void)
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
                (ask){.k = set[i].k, .epsilon = set[i].epsilon, .seed = 5 + i, .pure = true});
        double all = 0;
        MUST(sane(m, set[i].k, set[i].d));
        const double off = worst(m, center, set[i].k, set[i].d);
        CHECK(off < set[i].spread * sqrt(set[i].d),
              "%d clusters in %d columns, epsilon %g: within their radius (%.3g of it)", set[i].k,
              set[i].d, set[i].epsilon, off / set[i].spread / sqrt(set[i].d));
        for (int32_t c = 0; c < set[i].k; c++) all += tacit_model_sizes(m)[c];
        CHECK(fabs(all - (double)set[i].n) < 8 * tacit_model_sizes_sd(m) * sqrt(set[i].k),
              "... their sizes add up");
        tacit_model_free(m);
        free(rows);
    }
}

/* The same rows, the same epsilon: what the method is for. */
static void test_against_lloyd(void)
{
    const struct {
        int64_t n;
        int32_t d, k;
        double spread;
    } set[] = {{20000, 8, 16, 0.04}, {20000, 16, 24, 0.04}, {5000, 2, 15, 0.03}};
    double center[24 * 16];

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        double *rows = mixture(set[i].n, set[i].d, set[i].k, set[i].spread, 300 + i, center),
               ours = 0, theirs = 0;
        for (uint64_t seed = 0; seed < 3; seed++) {
            const ask a = {.k = set[i].k, .epsilon = 1, .seed = seed, .pure = true};
            ask b = a;
            b.method = TACIT_KMEANS_LLOYD;
            tacit_model *one = fit(rows, set[i].n, set[i].d, a),
                        *two = fit(rows, set[i].n, set[i].d, b);
            MUST(one != NULL && two != NULL);
            ours += cost(one, rows, set[i].n, set[i].d);
            theirs += cost(two, rows, set[i].n, set[i].d);
            tacit_model_free(one);
            tacit_model_free(two);
        }
        CHECK(ours < 0.95 * theirs, "%d clusters in %d columns: %.2f of the cost of noisy Lloyd",
              set[i].k, set[i].d, ours / theirs);
        free(rows);
    }
}

/* Bounds a thousand times too wide. */
static void test_zoom(void)
{
    enum { N = 20000, D = 3, K = 6 };
    double center[K * D];
    double *rows = mixture(N, D, K, 0.02, 7, center);

    for (int i = 0; i < N * D; i++) rows[i] = 0.7 + (rows[i] - 0.5) / 1000;
    for (int i = 0; i < K * D; i++) center[i] = 0.7 + (center[i] - 0.5) / 1000;
    for (uint64_t seed = 0; seed < 4; seed++) {
        tacit_model *m = fit(rows, N, D, (ask){.k = K, .epsilon = 2, .seed = seed, .pure = true});
        CHECK(sane(m, K, D) && worst(m, center, K, D) < 0.02 * sqrt(D) / 1000, "bounds 1000 times "
                                                                               "too wide");
        tacit_model_free(m);
    }
    free(rows);
}

static void test_degenerate(void)
{
    enum { N = 3000, D = 4, WIDE = 70 };
    static double equal[N * D], outside[N * D], columns[N * D], line[N], wide[300 * WIDE];
    const double epsilon[] = {0.001, 1, 1000};
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
        for (int e = 0; e < 3; e++)
            for (int median = 0; median < 2; median++) {
                const ask a = {.k = set[s].k,
                               .epsilon = epsilon[e],
                               .seed = 17,
                               .median = median != 0,
                               .pure = true,
                               .neighbors = e == 1 ? TACIT_REPLACE : TACIT_ADD_REMOVE};
                tacit_model *m = fit(set[s].rows, set[s].n, set[s].d, a);
                CHECK(sane(m, set[s].k, set[s].d), "%s, epsilon %g, %s", set[s].what, epsilon[e],
                      median ? "k-median" : "k-means");
                tacit_model_free(m);
            }
    tacit_model *m = fit(equal, N, D, (ask){.k = 3, .epsilon = 5, .seed = 2, .pure = true});
    const double point[D] = {0.25, 0.25, 0.25, 0.25};
    CHECK(m != NULL && worst(m, point, 1, D) < 1e-3, "equal rows are found");
    tacit_model_free(m);
    m = fit(equal, 0, D, (ask){.k = TACIT_K_AUTO, .epsilon = 1, .seed = 2, .pure = true});
    CHECK(m != NULL && tacit_model_k(m) >= 1, "a k is chosen even for no rows");
    tacit_model_free(m);
}

static void reverse(double *rows, int n, int d)
{
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < d; j++) {
            const double swap = rows[i * d + j];
            rows[i * d + j] = rows[(n - 1 - i) * d + j];
            rows[(n - 1 - i) * d + j] = swap;
        }
}

static void test_bits(void)
{
    enum { N = 6000, D = 15, K = 6 };
    double center[K * D];
    double *rows = mixture(N, D, K, 0.05, 11, center);

    for (int median = 0; median < 2; median++) {
        const ask a = {
            .k = K, .epsilon = 4, .seed = 23, .median = median != 0, .threads = 1, .pure = true};
        tacit_model *m = fit(rows, N, D, a);
        char *first = json(m);
        tacit_model_free(m);
        for (int turn = 0; turn < 3; turn++) {
            ask b = a;
            b.threads = turn == 0 ? 2 : turn == 1 ? 5 : 1;
            if (turn == 2) reverse(rows, N, D);
            m = fit(rows, N, D, b);
            char *again = json(m);
            CHECK(strcmp(first, again) == 0, "%s change nothing (%s)",
                  turn == 2 ? "rows in another order" : "more threads",
                  median ? "k-median" : "k-means");
            tacit_free(again);
            tacit_model_free(m);
        }
        tacit_free(first);
    }
    free(rows);
}

/* Turning columns about and mirroring them: another run, but as good. Each cluster is found within
   its radius. */
static void test_mirror(void)
{
    enum { N = 20000, D = 6, K = 8 };
    double center[K * D];
    double *rows = mixture(N, D, K, 0.03, 61, center);

    for (int turn = 0; turn < 2; turn++) {
        tacit_model *m = fit(rows, N, D, (ask){.k = K, .epsilon = 1, .seed = 3, .pure = true});
        MUST(m != NULL);
        const double off = worst(m, center, K, D);
        CHECK(off < 0.03 * sqrt(D), "%s (%.3f radii)",
              turn == 0 ? "as it is" : "columns turned about and mirrored", off / 0.03 / sqrt(D));
        tacit_model_free(m);
        for (int i = 0; i < N + K; i++) {
            double *x = i < N ? rows + i * D : center + (i - N) * D;
            for (int j = 0; j < D / 2; j++) {
                const double swap = 1 - x[j];
                x[j] = 1 - x[D - 1 - j];
                x[D - 1 - j] = swap;
            }
        }
    }
    free(rows);
}

static void test_budget(void)
{
    enum { N = 3000 };
    const struct {
        int32_t d, k;
        double epsilon;
        tacit_neighbors neighbors;
        bool median;
    } set[] = {
        {3, 4, 1, TACIT_ADD_REMOVE, false},    {3, 4, 0.01, TACIT_REPLACE, false},
        {20, 8, 10, TACIT_ADD_REMOVE, false},  {3, 1, 1, TACIT_ADD_REMOVE, false},
        {20, 5, 1, TACIT_REPLACE, true},       {2, TACIT_K_AUTO, 1, TACIT_ADD_REMOVE, false},
        {5, 300, 0.1, TACIT_ADD_REMOVE, true},
    };
    double center[8 * 20];

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        double *rows = mixture(N, set[i].d, 4, 0.03, 31 + i, center);
        tacit_model *m = fit(rows, N, set[i].d,
                             (ask){.k = set[i].k,
                                   .epsilon = set[i].epsilon,
                                   .seed = i,
                                   .pure = true,
                                   .neighbors = set[i].neighbors,
                                   .median = set[i].median});
        MUST(m != NULL);
        const double whole = m->card.native_budget, spent = m->card.native_spent;
        CHECK(spent <= whole && spent > 0.9999 * whole,
              "all of the budget is spent, and no more (%.8f)", spent / whole);
        CHECK(m->card.delta == 0 && m->card.epsilon == set[i].epsilon, "... and delta is 0");
        tacit_model_free(m);
        free(rows);
    }
}

static void test_median(void)
{
    enum { N = 20000, D = 3 };
    double *rows = malloc(sizeof(double) * N * D);
    const double center[D] = {0.2, 0.2, 0.2};

    dice = 3;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++)
            rows[i * D + j] = i % 10 == 0 ? 0.6 + 0.4 * uniform() : 0.2 + 0.02 * normal();
    tacit_model *mean = fit(rows, N, D, (ask){.k = 1, .epsilon = 2, .seed = 9, .pure = true});
    tacit_model *median =
        fit(rows, N, D, (ask){.k = 1, .epsilon = 2, .seed = 9, .pure = true, .median = true});
    MUST(mean != NULL && median != NULL);
    const double a = worst(mean, center, 1, D), b = worst(median, center, 1, D);
    CHECK(b < 0.02 && a > 2 * b,
          "k-median resists a tenth of outliers (%.4f), k-means does not (%.4f)", b, a);
    CHECK(fabs(tacit_model_sizes(median)[0] - N) < 8 * tacit_model_sizes_sd(median), "... and has "
                                                                                     "sizes");
    tacit_model_free(mean);
    tacit_model_free(median);
    free(rows);
}

static void test_choose(void)
{
    const struct {
        int32_t k, d;
        double spread;
    } set[] = {{1, 2, 0.1}, {5, 2, 0.02}, {5, 6, 0.04}, {12, 3, 0.02}, {10, 12, 0.03}};
    enum { N = 20000 };
    double center[12 * 12];

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        double *rows = mixture(N, set[i].d, set[i].k, set[i].spread, 50 + i, center);
        tacit_model *m =
            fit(rows, N, set[i].d, (ask){.k = TACIT_K_AUTO, .epsilon = 2, .seed = 4, .pure = true});
        int32_t count = 0;
        MUST(m != NULL);
        CHECK(tacit_model_k(m) == set[i].k, "%d clusters in %d columns: chosen k = %d", set[i].k,
              set[i].d, tacit_model_k(m));
        CHECK(tacit_model_curve(m, &count) != NULL && count > 1, "... with a curve");
        CHECK(worst(m, center, set[i].k, set[i].d) < 2 * set[i].spread * sqrt(set[i].d),
              "... and the centers are found");
        tacit_model_free(m);
        free(rows);
    }
}

/* Error bars: with clusters far apart the cells do not move, so (released - mean of the cluster) /
   sd should be about normal, somewhat smaller because steps are shrunk. 48 centers x 4 columns x 3
   runs: beyond 3 in fewer than one in fifty. */
static void test_bars(void)
{
    enum { N = 12000, D = 4, K = 6 };
    double center[K * D];
    int out = 0, all = 0;

    for (uint64_t seed = 0; seed < 6; seed++) {
        double *rows = mixture(N, D, K, 0.02, 200 + seed, center), mean[K * D] = {0};
        for (int i = 0; i < N; i++)
            for (int j = 0; j < D; j++) mean[i % K * D + j] += rows[i * D + j] / (N / K);
        tacit_model *m = fit(rows, N, D, (ask){.k = K, .epsilon = 1, .seed = seed, .pure = true});
        MUST(m != NULL);
        for (int c = 0; c < K; c++) {
            int near = 0;
            double best = INFINITY;
            for (int o = 0; o < K; o++) {
                double far = 0;
                for (int j = 0; j < D; j++)
                    far += pow(tacit_model_centers(m)[c * D + j] - mean[o * D + j], 2);
                if (far < best) best = far, near = o;
            }
            for (int j = 0; j < D; j++, all++)
                out += fabs(tacit_model_centers(m)[c * D + j] - mean[near * D + j]) >
                       3 * tacit_model_centers_sd(m)[c * D + j] + 0.002;
        }
        tacit_model_free(m);
        free(rows);
    }
    CHECK(out * 50 < all, "error bars hold: %d of %d coordinates beyond three standard deviations",
          out, all);
}

static void test_notes(void)
{
    double center[2 * 30];
    double *rows = mixture(500, 30, 2, 0.2, 77, center);
    tacit_model *m = fit(rows, 500, 30, (ask){.k = 40, .epsilon = 0.1, .seed = 8, .pure = true});

    CHECK(m != NULL && tacit_model_note_get(m, 0) != NULL &&
              strstr(tacit_model_note_get(m, 0), "told apart") != NULL,
          "too many centers for the rows: a note says so");
    tacit_model_free(m);
    free(rows);
}

static void test_refusals(void)
{
    double rows[40] = {0};

    CHECK(fit(rows, 10, 4, (ask){.k = 2, .epsilon = 1e-6, .rounds = 1000, .pure = true}) == NULL &&
              strstr(tacit_ctx_message(ctx), "epsilon is too small") != NULL,
          "a budget that cannot pay for its queries");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_recovery();
    test_against_lloyd();
    test_zoom();
    test_degenerate();
    test_bits();
    test_mirror();
    test_budget();
    test_median();
    test_choose();
    test_bars();
    test_notes();
    test_refusals();
    test_starved_bars(true);
    tacit_ctx_free(ctx);
    return tap_done();
}
