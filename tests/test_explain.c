/* SPDX-License-Identifier: Apache-2.0 */
/* What a release says its clusters are like: known answers, the order by size, and spreads of real
   runs against the rows. */
#include "cluster/kmeans/kmeans_run.h"
#include "declared.h"
#include "release/explain.h"
#include "tap.h"

#include <math.h>
#include <unistd.h>

static tacit_ctx *ctx;

static bool near(double a, double b, double within)
{
    return fabs(a - b) <= within;
}

/* Two clusters of 300 and 100 rows in two columns; the second column has no spread to tell. */
static tacit_model *two_clusters(double noise)
{
    tacit_model *m = NULL;
    const double centers[] = {10, 1, 30, 1}, variance[] = {4, -1, 9, 2};
    const double variance_sd[] = {1, 2, 1, 2};

    MUST(tac_model_new(ctx, 2, 2, &m) == TACIT_OK);
    m->sizes[0] = 300, m->sizes[1] = 100;
    m->sizes_sd = 4;
    for (int i = 0; i < 4; i++) m->centers[i] = centers[i], m->centers_sd[i] = noise;
    MUST(tac_model_explain(ctx, m, variance, variance_sd) == TACIT_OK);
    return m;
}

static void test_known(void)
{
    tacit_model *m = two_clusters(0.1);
    tacit_overall all = TACIT_OVERALL_INIT;
    tacit_distinct one = TACIT_DISTINCT_INIT;

    CHECK(tacit_model_spreads(m)[0] == 2 && near(tacit_model_spreads_sd(m)[0], 0.25, 1e-12) &&
              tacit_model_spreads(m)[2] == 3,
          "a spread is the root of its variance, its error by the delta method");
    CHECK(isnan(tacit_model_spreads(m)[1]) && isnan(tacit_model_spreads_sd(m)[1]) &&
              isnan(tacit_model_spreads(m)[3]),
          "negative variances, and those within their noise, are not told");
    MUST(tacit_model_overall(m, &all) == TACIT_OK);
    CHECK(near(all.mean[0], 15, 1e-12) && all.mean[1] == 1, "the mean is weighted by size");
    /* centers: .1 sqrt(.75^2 + .25^2); sizes: (5, 15) 4 / 400 */
    CHECK(near(all.mean_sd[0], sqrt(0.01 * 0.625 + 0.05 * 0.05 + 0.15 * 0.15), 1e-12),
          "and has the noise of centers and sizes");
    /* within .75 4 + .25 9, between .75 25 + .25 225 less 2 .75 .25 .01 */
    CHECK(near(all.spread[0], sqrt(5.25 + 75 - 0.00375), 1e-12), "all rows differ within clusters "
                                                                 "and between them");
    CHECK(isnan(all.spread[1]), "unless noise drowns it");
    CHECK(tacit_model_distinct_count(m, 0) == 1 && tacit_model_distinct_count(m, 1) == 1 &&
              tacit_model_distinct_count(m, 2) == 0 && tacit_model_distinct_count(m, -1) == 0,
          "one column sets both apart");
    MUST(tacit_model_distinct_get(m, 1, 0, &one) == TACIT_OK);
    CHECK(one.column == 0 && one.direction == 1 && near(one.strength, 15 / all.spread[0], 1e-12),
          "above the mean, in standard deviations of all rows");
    CHECK(tacit_model_distinct_get(m, 1, 1, &one) == TACIT_E_ARGUMENT, "there is no second one");
    tacit_model_free(m);
    m = two_clusters(10); /* cluster 0 lies 5 from the mean, cluster 1 lies 15 */
    CHECK(tacit_model_distinct_count(m, 0) == 0 && tacit_model_distinct_count(m, 1) == 0,
          "nothing is told that noise explains");
    tacit_model_free(m);
}

static void test_order(void)
{
    const double sizes[] = {3, 0, -2, 7, 0, 3}, unknown[] = {1, NAN, 2};
    const int32_t wanted[] = {3, 0, 5, 2, 1, 4};
    double values[] = {0, 0, 1, 10, 2, 20, 3, 30, 4, 40, 5, 50};
    int32_t *order = NULL;

    MUST(tac_order_by_size(ctx, sizes, 6, &order) == TACIT_OK);
    CHECK(memcmp(order, wanted, sizeof wanted) == 0, "largest first, equal ones in their order, "
                                                     "repeated centers last");
    MUST(tac_put_in_order(ctx, order, 6, 2, values) == TACIT_OK);
    CHECK(values[0] == 3 && values[1] == 30 && values[10] == 4 && values[11] == 40, "rows of "
                                                                                    "numbers move "
                                                                                    "together");
    tac_free(order);
    MUST(tac_order_by_size(ctx, unknown, 3, &order) == TACIT_OK);
    CHECK(order[0] == 0 && order[1] == 1 && order[2] == 2, "unknown sizes change nothing");
    tac_free(order);
}

/* ---- notes by column ---- */

/* Three centers in four columns with bounds -10:10: on the upper bound, fine, noise, constant. */
static void test_notes(void)
{
    static const double center[] = {10, 1, 0.5, 2, 9.9995, -5, 0, 2, 9.998, 5, -0.5, 2};
    static const double noise[] = {0.01, 0.1, 3, 0.001};
    static char *const name[] = {"age", "spend", "score", "same"};
    tacit_model *m = NULL;
    tac_notes notes = {0};

    MUST(tac_model_new(ctx, 3, 4, &m) == TACIT_OK);
    MUST(tac_new(ctx, 4, sizeof(double), &m->geometry.lower) == TACIT_OK);
    MUST(tac_new(ctx, 4, sizeof(double), &m->geometry.upper) == TACIT_OK);
    for (int j = 0; j < 4; j++) {
        m->geometry.lower[j] = -10, m->geometry.upper[j] = 10;
        MUST(tac_model_set_text(ctx, &m->column[j], name[j]) == TACIT_OK);
    }
    for (int i = 0; i < 12; i++) m->centers[i] = center[i], m->centers_sd[i] = noise[i % 4];
    for (int c = 0; c < 3; c++) m->sizes[c] = 100;
    MUST(tac_column_notes(ctx, m, &notes) == TACIT_OK);
    CHECK(notes.count == 2, "two columns deserve a note (%d)", notes.count);
    CHECK(notes.count > 0 && strcmp(notes.text[0], "column age: 3 of 3 centers lie on its upper "
                                                   "bound 10; are the bounds right?") == 0,
          "one has its centers on a bound");
    CHECK(notes.count > 1 && strstr(notes.text[1], "column score: its noise") != NULL,
          "one is noise; a column that is the same everywhere is not");
    tac_notes_clear(&notes);
    m->centers[0] = m->centers[4] = 0;
    MUST(tac_column_notes(ctx, m, &notes) == TACIT_OK);
    CHECK(notes.count == 1 && strstr(notes.text[0], "score") != NULL, "one center of three on a "
                                                                      "bound is none of our "
                                                                      "business");
    tac_notes_clear(&notes);
    tacit_model_free(m);
}

/* ---- real runs ---- */

enum { N = 30000, D = 3, K = 4, RUNS = 12 };
static double rows[N * D];
static int32_t truth[N];
static const double spread_of[K][D] = {
    {0.03, 0.05, 0.02}, {0.02, 0.03, 0.06}, {0.05, 0.02, 0.03}, {0.04, 0.04, 0.04}};
static const double middle[K][D] = {
    {0.2, 0.2, 0.8}, {0.8, 0.2, 0.3}, {0.3, 0.8, 0.2}, {0.75, 0.8, 0.7}};

static uint64_t state = 7;
static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(state >> 11) + 0.5) * 0x1p-53;
}

/* Clusters of 4/10, 3/10, 2/10, 1/10 of the rows. */
static void make_rows(void)
{
    static const int32_t of_ten[] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 3};

    for (int32_t i = 0; i < N; i++) {
        truth[i] = of_ten[i % 10];
        for (int32_t j = 0; j < D; j++)
            rows[i * D + j] = middle[truth[i]][j] + spread_of[truth[i]][j] *
                                                        sqrt(-2 * log(uniform())) *
                                                        cos(2 * M_PI * uniform());
    }
}

static tacit_model *fit(bool median, tacit_kmeans_method method, double delta, uint64_t seed)
{
    tacit_budget b;
    tacit_kmeans_opts o;
    tacit_data *data = NULL;
    tacit_model *m = NULL;

    tacit_budget_init(&b, sizeof b);
    tacit_kmeans_opts_init(&o, sizeof o);
    b.epsilon = 4;
    b.delta = delta;
    b.use_insecure_test_seed = 1;
    b.insecure_test_seed = seed;
    o.k = K;
    o.method = method;
    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, N, D, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    MUST((median ? tacit_kmedian_run : tacit_kmeans_run)(ctx, data, &b, &o, &m) == TACIT_OK);
    tacit_data_free(data);
    return m;
}

/* Clusters are far apart: sizes 4 : 3 : 2 : 1 say which is which, or that others were found. */
static bool found_all(const double *size)
{
    for (int c = 0; c < K; c++)
        if (!near(size[c], (4 - c) * N / 10.0, 0.02 * N)) return false;
    return true;
}

static void test_runs(const char *name, bool median, tacit_kmeans_method method, double delta)
{
    double ratio = 0, squares = 0;
    int told = 0, ordered = 0;

    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        tacit_model *m = fit(median, method, delta, seed);
        const double *size = tacit_model_sizes(m), *spread = tacit_model_spreads(m),
                     *sd = tacit_model_spreads_sd(m);
        ordered += size[0] >= size[1] && size[1] >= size[2] && size[2] >= size[3];
        for (int i = 0; spread != NULL && found_all(size) && i < K * D; i++) {
            if (isnan(spread[i])) continue;
            const double right = spread_of[i / D][i % D];
            ratio += spread[i] / right;
            squares += pow((spread[i] - right) / hypot(sd[i], 0.02 * right), 2);
            told++;
        }
        tacit_model_free(m);
    }
    CHECK(ordered == RUNS, "%s: clusters come largest first", name);
    CHECK(told >= RUNS * K * D / 12, "%s: spreads are told (%d of %d)", name, told, RUNS * K * D);
    /* their mean: within .06, several of its standard deviations; mean square of z: 1 */
    CHECK(near(ratio / told, 1, method == TACIT_KMEANS_LLOYD ? 0.12 : 0.06),
          "%s: spreads are right on average (%.3f)", name, ratio / told);
    CHECK(squares / told < 2.5, "%s: within their error (%.2f)", name, squares / told);
}

/* ---- two releases side by side ---- */

/* A model of centers in two columns with the noise .1, sizes 100. */
static tacit_model *made(int32_t k, const double *center)
{
    tacit_model *m = NULL;

    MUST(tac_model_new(ctx, k, 2, &m) == TACIT_OK);
    MUST(tac_model_set_text(ctx, &m->family, "kmeans") == TACIT_OK);
    MUST(tac_model_set_text(ctx, &m->column[0], "a") == TACIT_OK);
    MUST(tac_model_set_text(ctx, &m->column[1], "b") == TACIT_OK);
    MUST(tac_new(ctx, 2, sizeof(double), &m->geometry.lower) == TACIT_OK);
    MUST(tac_new(ctx, 2, sizeof(double), &m->geometry.upper) == TACIT_OK);
    m->geometry.upper[0] = m->geometry.upper[1] = 10;
    m->sizes_sd = 3;
    for (int32_t i = 0; i < 2 * k; i++) m->centers[i] = center[i], m->centers_sd[i] = 0.1;
    for (int32_t c = 0; c < k; c++) m->sizes[c] = 100;
    return m;
}

static void test_compare_known(void)
{
    static const double one[] = {1, 1, 9, 1, 5, 9}, two[] = {5, 9.2, 1, 1.1, 9, 2};
    tacit_model *a = made(3, one), *b = made(3, two), *few = made(2, two);
    tacit_comparison *c = NULL;
    tacit_pair p = TACIT_PAIR_INIT;
    tacit_change d = TACIT_CHANGE_INIT;

    b->sizes[0] = 130;
    MUST(tacit_model_compare(ctx, a, b, &c) == TACIT_OK);
    static const int32_t partner[] = {1, 2, 0};
    bool right = tacit_comparison_pair_count(c) == 3;
    for (int32_t i = 0; right && i < 3; i++)
        right = tacit_comparison_pair_get(c, i, &p) == TACIT_OK && p.first == i &&
                p.second == partner[i];
    CHECK(right, "clusters are matched by where they are");
    CHECK(tacit_comparison_numbers(c) == 9 && tacit_comparison_threshold(c) == 3, "nine numbers "
                                                                                  "are compared");
    CHECK(tacit_comparison_change_count(c) == 2, "two of them changed");
    MUST(tacit_comparison_change_get(c, 0, &d) == TACIT_OK);
    CHECK(d.pair == 1 && d.column == 1 && d.before == 1 && d.after == 2 &&
              near(d.z, 1 / hypot(0.1, 0.1), 1e-9),
          "a coordinate, by seven deviations of both noises");
    MUST(tacit_comparison_change_get(c, 1, &d) == TACIT_OK);
    CHECK(d.pair == 2 && d.column == -1 && near(d.z, 30 / hypot(3, 3), 1e-9), "and a size");
    tacit_comparison_free(c);
    MUST(tacit_model_compare(ctx, a, few, &c) == TACIT_OK);
    MUST(tacit_comparison_pair_get(c, 1, &p) == TACIT_OK);
    CHECK(tacit_comparison_pair_count(c) == 3 && p.first == 1 && p.second == -1 &&
              isnan(p.distance),
          "the one without a partner is the far one");
    tacit_comparison_free(c);
    MUST(tacit_model_compare(ctx, few, a, &c) == TACIT_OK);
    MUST(tacit_comparison_pair_get(c, 2, &p) == TACIT_OK);
    CHECK(tacit_comparison_pair_count(c) == 3 && p.first == -1 && p.second == 1, "and so the other "
                                                                                 "way round");
    tacit_comparison_free(c);
    MUST(tac_model_set_text(ctx, &b->column[0], "b") == TACIT_OK);
    MUST(tac_model_set_text(ctx, &b->column[1], "a") == TACIT_OK);
    for (int i = 0; i < 3; i++)
        b->centers[2 * i] = one[2 * i + 1], b->centers[2 * i + 1] = one[2 * i];
    b->sizes[0] = 100;
    MUST(tacit_model_compare(ctx, a, b, &c) == TACIT_OK);
    CHECK(tacit_comparison_change_count(c) == 0, "columns are matched by name");
    tacit_comparison_free(c);
    b->geometry.upper[0] = 20;
    CHECK(tacit_model_compare(ctx, a, b, &c) == TACIT_E_ARGUMENT && c == NULL &&
              strstr(tacit_ctx_message(ctx), "column 'b' was declared with other bounds") != NULL,
          "other bounds are refused");
    tacit_model_free(a);
    tacit_model_free(b);
    tacit_model_free(few);
}

static void test_threshold(void)
{
    CHECK(tac_compare_threshold(10, false, 0.05) == 3, "few numbers: 3");
    /* 1000 erfc(t / sqrt 2) = .05 at t = 4.0556; 10 (1 + t) exp(-2 t) = .05 at 3.3887 */
    CHECK(near(tac_compare_threshold(1000, false, 0.05), 4.0556, 1e-3), "many: higher (%.4f)",
          tac_compare_threshold(1000, false, 0.05));
    const double t = tac_compare_threshold(10, true, 0.05);
    CHECK(t > 3 && near(10 * (1 + t) * exp(-2 * t), 0.05, 1e-9), "Laplace noise: higher (%.4f)", t);
}

/* The same rows twice: at most 5 of 100 comparisons should show a change. Of 30, six or more have a
   chance of 3 in 1000 then. Rows that moved by four error bars of both are found. */
static void test_compare_runs(void)
{
    enum { PAIRS = 30 };
    int alarms = 0, compared = 0;

    for (uint64_t seed = 1; seed <= PAIRS; seed++) {
        tacit_model *a = fit(false, TACIT_KMEANS_AUTO, 1e-6, 2 * seed),
                    *b = fit(false, TACIT_KMEANS_AUTO, 1e-6, 2 * seed + 1);
        tacit_comparison *c = NULL;
        MUST(tacit_model_compare(ctx, a, b, &c) == TACIT_OK);
        if (found_all(tacit_model_sizes(a)) && found_all(tacit_model_sizes(b))) {
            compared++;
            alarms += tacit_comparison_change_count(c) > 0;
        }
        tacit_comparison_free(c);
        tacit_model_free(a);
        tacit_model_free(b);
    }
    CHECK(compared > PAIRS / 2 && alarms <= 5, "the same rows twice: %d of %d show a change",
          alarms, compared);
    tacit_model *a = fit(false, TACIT_KMEANS_AUTO, 1e-6, 1), *b = NULL;
    tacit_comparison *c = NULL;
    tacit_change d = TACIT_CHANGE_INIT;
    for (int32_t i = 0; i < N; i++)
        if (truth[i] == 2) rows[i * D + 1] += 0.01;
    b = fit(false, TACIT_KMEANS_AUTO, 1e-6, 3);
    MUST(tacit_model_compare(ctx, a, b, &c) == TACIT_OK);
    CHECK(tacit_comparison_change_count(c) >= 1 &&
              tacit_comparison_change_get(c, 0, &d) == TACIT_OK && d.pair == 2 && d.column == 1 &&
              near(d.after - d.before, 0.01, 0.004),
          "a cluster that moved is found");
    tacit_comparison_free(c);
    tacit_model_free(a);
    tacit_model_free(b);
}

/* ---- for the owner ---- */

static void test_clipped(void)
{
    static const double one[] = {1, 1, 9, 1}, values[] = {1, 1, 11, 1, NAN, 2, -1, 10};
    tacit_model *m = made(2, one);
    tacit_data *data = NULL;
    double share[2];

    MUST(tacit_data_from_memory(ctx, values, TACIT_F64, 4, 2, &data) == TACIT_OK);
    MUST(tac_model_set_text(ctx, &m->column[0], "c1") == TACIT_OK);
    MUST(tac_model_set_text(ctx, &m->column[1], "c2") == TACIT_OK);
    MUST(tacit_model_clipped(ctx, m, data, share) == TACIT_OK);
    CHECK(share[0] == 0.5 && share[1] == 0, "shares outside the bounds, column by column");
    tacit_data_free(data);
    tacit_model_free(m);
}

static int last_what(const tacit_ledger_entry *entry, void *payload)
{
    char(*seen)[300] = payload;
    if (strcmp(entry->kind, "reserve") == 0)
        snprintf(*seen, sizeof *seen, "%s %s", entry->run, entry->what);
    return 0;
}

/* The card names the run as the history does, and the history its columns. */
static void test_ledger(void)
{
    char path[] = "/tmp/tacit-explain-XXXXXX", seen[300] = "", wanted[300];
    tacit_budget b;
    tacit_kmeans_opts o;
    tacit_data *data = NULL;
    tacit_ledger *ledger = NULL;
    tacit_model *m = NULL;
    tacit_card card = TACIT_CARD_INIT;

    tacit_budget_init(&b, sizeof b);
    tacit_kmeans_opts_init(&o, sizeof o);
    MUST(mkdtemp(path) != NULL && rmdir(path) == 0);
    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, N, D, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    MUST(data_ledger(ctx, path, 4, 1e-5, data, TACIT_ADD_REMOVE, 0) == TACIT_OK &&
         tacit_ledger_open(ctx, path, &ledger) == TACIT_OK);
    b.epsilon = 1, b.delta = 1e-6, b.ledger = ledger;
    o.k = 2;
    MUST(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_OK);
    MUST(tacit_model_card(m, &card) == TACIT_OK);
    MUST(tacit_ledger_history(ctx, ledger, last_what, &seen) == TACIT_OK);
    snprintf(wanted, sizeof wanted, "%s kmeans auto k=2: c1, c2, c3", card.ledger_run);
    CHECK(strcmp(seen, wanted) == 0, "the card names its run, the history its columns (%s)", seen);
    tacit_model_free(m);
    tacit_ledger_free(ledger);
    tacit_data_free(data);
    unlink(path);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_known();
    test_order();
    test_notes();
    make_rows();
    test_runs("k-means", false, TACIT_KMEANS_AUTO, 1e-6);
    test_runs("pure k-means", false, TACIT_KMEANS_AUTO, 0);
    test_runs("k-median", true, TACIT_KMEANS_AUTO, 1e-6);
    test_runs("lloyd", false, TACIT_KMEANS_LLOYD, 1e-6); /* as far as it finds the clusters */
    test_compare_known();
    test_threshold();
    test_compare_runs();
    test_clipped();
    test_ledger();
    tacit_ctx_free(ctx);
    return tap_done();
}
