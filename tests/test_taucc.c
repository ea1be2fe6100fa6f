/* SPDX-License-Identifier: Apache-2.0 */
/* Goodman and Kruskal's tau by hand and by its identities; Fast-tauCC on tables whose blocks are
   known; the plain call. */
#include "solve/cocluster/fast_taucc.h"
#include "tap.h"

#include <math.h>

static tacit_ctx *ctx;
static uint64_t state = 5;

static uint64_t bits(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % below;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

/* ---- tau ---- */

/* The definition, straight: what knowing the column takes from the error in predicting the row. */
static double slow_tau(const double *t, int k, int l, double *denominator)
{
    double total = 0, blind = 1, seen = 0;

    for (int i = 0; i < k * l; i++) total += t[i];
    for (int a = 0; a < k; a++) {
        double sum = 0;
        for (int b = 0; b < l; b++) sum += t[a * l + b];
        blind -= sum / total * (sum / total);
    }
    for (int b = 0; b < l; b++) {
        double column = 0, error = 1;
        for (int a = 0; a < k; a++) column += t[a * l + b];
        for (int a = 0; a < k && column > 0; a++)
            error -= t[a * l + b] / column * (t[a * l + b] / column);
        seen += column / total * error;
    }
    *denominator = blind;
    return blind - seen;
}

static void test_by_hand(void)
{
    /* T and T' of the paper's Figure 1 */
    const double one[] = {10, 1, 1, 14}, other[] = {9, 2, 0, 16};
    const double thirds[] = {2, 0, 0, 2, 0, 0, 0, 1, 1};
    tac_tau t = tac_tau_of(one, 2, 2);
    double scores[9];

    CHECK(near(t.rows, 19321.0 / 27225) && near(t.columns, 19321.0 / 27225) &&
              near(t.raw_rows, 19321.0 / 55770) && near(t.raw_columns, 19321.0 / 55770),
          "T: tau is (139 / 165)^2 both ways, 19321 / 55770 before division");
    t = tac_tau_of(other, 2, 2);
    CHECK(near(t.rows, 8.0 / 11) && near(t.columns, 8.0 / 11) && near(t.raw_rows, 256.0 / 729) &&
              near(t.raw_columns, 32.0 / 99),
          "T': 8 / 11 both ways, 256 / 729 and 32 / 99 before division");
    t = tac_tau_of(thirds, 3, 3);
    /* columns known: 4 of 6 are halves of two rows, 1 of 6 and 1 of 6 are certain; rows are 1/3
       each */
    CHECK(near(t.raw_rows, 4.0 / 6 / 2 + 2.0 / 6 - 1.0 / 3) && near(t.rows, 0.5) &&
              near(t.columns, (4.0 / 6 + 1.0 / 6 - 0.5) / 0.5),
          "a table of three by three, not symmetric");
    tac_tau_scores(other, 2, 2, scores);
    CHECK(near(scores[0], 1 - 11.0 / 27) && near(scores[1], 2.0 / 18 - 11.0 / 27) &&
              near(scores[2], -16.0 / 27) && near(scores[3], 16.0 / 18 - 16.0 / 27),
          "scores of T'");
}

static void test_identities(void)
{
    bool good = true, swaps = true, scales = true, coarser = true, sums = true, bounded = true;

    for (int run = 0; run < 300; run++) {
        const int k = 1 + (int)bits(6), l = 1 + (int)bits(6);
        double t[49] = {0}, turned[49], doubled[49], merged[49], scores[49], denominator, total = 0,
               sum = 0;
        for (int i = 0; i < k * l; i++) total += t[i] = bits(3) == 0 ? 0 : (double)bits(50);
        t[0] += 1;
        total += 1;
        const tac_tau tau = tac_tau_of(t, k, l);
        const double raw = slow_tau(t, k, l, &denominator);
        good = good && near(tau.raw_rows, raw) && near(tau.rows * denominator, tau.raw_rows);
        bounded = bounded && tau.rows > -1e-12 && tau.rows < 1 + 1e-12 && tau.columns > -1e-12 &&
                  tau.columns < 1 + 1e-12;
        for (int a = 0; a < k; a++)
            for (int b = 0; b < l; b++) turned[b * k + a] = t[a * l + b];
        const tac_tau other = tac_tau_of(turned, l, k);
        swaps = swaps && near(other.rows, tau.columns) && near(other.columns, tau.rows) &&
                near(other.raw_rows, tau.raw_columns);
        for (int i = 0; i < k * l; i++) doubled[i] = 2 * t[i];
        scales = scales && near(tac_tau_of(doubled, k, l).rows, tau.rows);
        /* the last two rows become one: less is known, so columns are predicted no better */
        if (k > 1) {
            memcpy(merged, t, sizeof merged);
            for (int b = 0; b < l; b++) merged[(k - 2) * l + b] += t[(k - 1) * l + b];
            coarser = coarser && tac_tau_of(merged, k - 1, l).raw_columns < tau.raw_columns + 1e-12;
        }
        tac_tau_scores(t, k, l, scores);
        for (int i = 0; i < k * l; i++) sum += t[i] * scores[i] / total;
        sums = sums && near(sum, tau.raw_rows);
    }
    CHECK(good, "tau is the error saved, and de-normalized tau is tau times its denominator");
    CHECK(bounded, "tau is between 0 and 1");
    CHECK(swaps, "turning the table swaps the directions");
    CHECK(scales, "counts in other units change nothing");
    CHECK(coarser, "merging rows never tells more about the columns");
    CHECK(sums, "scores of all items in their own clusters add up to raw tau");
    const double zero[4] = {0}, row[] = {3, 4};
    const tac_tau none = tac_tau_of(zero, 2, 2), single = tac_tau_of(row, 1, 2);
    CHECK(none.rows == 0 && none.columns == 0 && none.raw_rows == 0 && single.rows == 0 &&
              near(single.columns, 0),
          "an empty table, and one cluster, have 0");
}

/* ---- Fast-tauCC ---- */

enum { MOST = 40000 };
static int64_t begin[2001];
static int32_t column[MOST], row_label[2000], column_label[2000];
static uint32_t count[MOST];

static tac_count_table of_dense(const int *a, int n, int d)
{
    int64_t e = 0;

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < d; j++)
            if (a[i * d + j] > 0) {
                column[e] = j;
                count[e++] = (uint32_t)a[i * d + j];
            }
        begin[i + 1] = e;
    }
    return (tac_count_table){.n = n, .d = d, .start = begin, .column = column, .count = count};
}

static tac_coclusters solve(const tac_count_table *t, int k, int l, int restarts, uint64_t seed)
{
    const tac_plain_taucc opts = {
        .rows = k, .columns = l, .restarts = restarts, .iterations = 100, .seed = seed};
    tac_coclusters found;
    MUST(tac_solve_taucc(ctx, t, &opts, row_label, column_label, &found) == TACIT_OK);
    return found;
}

/* Is the released table the sum of the counts by the labels, are all labels in range and all
   clusters used? */
static bool consistent(const tac_count_table *t, const tac_coclusters *c)
{
    static double table[64 * 64];
    bool used[2][2000] = {{0}}, good = c->rows >= 1 && c->columns >= 1;

    memset(table, 0, sizeof table);
    for (int64_t i = 0; i < t->n; i++) {
        good = good && row_label[i] >= 0 && row_label[i] < c->rows;
        used[0][row_label[i]] = true;
        for (int64_t e = t->start[i]; e < t->start[i + 1]; e++)
            table[row_label[i] * c->columns + column_label[t->column[e]]] += t->count[e];
    }
    for (int32_t j = 0; j < t->d; j++) {
        good = good && column_label[j] >= 0 && column_label[j] < c->columns;
        used[1][column_label[j]] = true;
    }
    for (int32_t a = 0; a < c->rows && t->n > 0; a++) good = good && used[0][a];
    for (int32_t b = 0; b < c->columns; b++) good = good && used[1][b];
    return good &&
           memcmp(table, c->table, (size_t)c->rows * (size_t)c->columns * sizeof *table) == 0;
}

static void test_figure_1(void)
{
    int a[] = {2, 3, 1, 0, 0, 0, 2, 2, 0, 0, 0, 1, 0, 0, 0, 2, 2, 3, 0, 0, 1, 0, 5, 2};
    tac_count_table t = of_dense(a, 4, 6);
    tac_coclusters found = solve(&t, 2, 2, 20, 1);
    const int32_t x = row_label[0], y = column_label[0], w = found.columns;

    CHECK(found.rows == 2 && w == 2 && found.table[x * w + y] == 10 &&
              found.table[x * w + !y] == 1 && found.table[!x * w + y] == 1 &&
              found.table[!x * w + !y] == 14 && row_label[1] == x && column_label[1] == y &&
              column_label[2] == y,
          "the paper's A: rows 12|34, columns 123|456, T = 10 1 / 1 14");
    CHECK(near(found.tau.rows, 19321.0 / 27225) && consistent(&t, &found), "its tau");
    tac_coclusters_clear(&found);
    a[14] = 1;
    t = of_dense(a, 4, 6);
    found = solve(&t, 2, 2, 20, 1);
    const int32_t p = row_label[0], q = column_label[0];
    CHECK(found.rows == 2 && found.columns == 2 && found.table[p * 2 + q] == 9 &&
              found.table[p * 2 + !q] == 2 && found.table[!p * 2 + q] == 0 &&
              found.table[!p * 2 + !q] == 16 && column_label[2] != q,
          "one purchase more, A': the third column changes sides, T' = 9 2 / 0 16");
    CHECK(near(found.tau.rows, 8.0 / 11), "its tau");
    tac_coclusters_clear(&found);
}

/* n rows in k blocks, d columns in l blocks, block a of rows with block a % l of columns; every
   tenth row and column is empty. */
static tac_count_table plant(int n, int d, int k, int l, bool holes, int *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) {
            const bool own = i % k % l == j % l;
            a[i * d + j] = holes && (i % 10 == 9 || j % 10 == 9) ? 0
                           : bits(own ? 2 : 40) == 0             ? 1 + (int)bits(3)
                                                                 : 0;
        }
    return of_dense(a, n, d);
}

static void test_planted(void)
{
    static int a[200 * 150];
    bool right = true, same = true, whole = true;

    for (int run = 0; run < 10; run++) {
        const bool holes = run % 2 == 1;
        const tac_count_table t = plant(200, 150, 3, 3, holes, a);
        tac_coclusters found = solve(&t, 3, 3, 5, (uint64_t)run);
        whole = whole && consistent(&t, &found) && found.rows == 3 && found.columns == 3;
        for (int i = 0; i < 200; i++)
            for (int j = 0; j < i; j++)
                if (!holes || (i % 10 != 9 && j % 10 != 9))
                    right = right && (row_label[i] == row_label[j]) == (i % 3 == j % 3);
        for (int i = 0; i < 150; i++)
            for (int j = 0; j < i; j++)
                if (!holes || (i % 10 != 9 && j % 10 != 9))
                    right = right && (column_label[i] == column_label[j]) == (i % 3 == j % 3);
        for (int i = 9; holes && i < 150; i += 10)
            whole = whole && row_label[i] == 0 && column_label[i] == 0;
        tac_coclusters again = solve(&t, 3, 3, 5, (uint64_t)run);
        same = same && memcmp(again.table, found.table, 9 * sizeof *found.table) == 0;
        tac_coclusters_clear(&found);
        tac_coclusters_clear(&again);
    }
    CHECK(right, "planted blocks are found, with empty rows and columns too");
    CHECK(whole, "the table is the sum of the counts; empty items are in cluster 0");
    CHECK(same, "the seed alone decides");
}

static void test_edges(void)
{
    static int a[20 * 12];
    tac_count_table t = plant(20, 12, 2, 2, false, a);
    tac_coclusters found = solve(&t, 1, 1, 2, 1);

    CHECK(consistent(&t, &found) && found.rows == 1 && found.columns == 1 && found.tau.rows == 0,
          "one cluster of each");
    tac_coclusters_clear(&found);
    found = solve(&t, 1, 3, 2, 1);
    CHECK(consistent(&t, &found) && found.rows == 1 && near(found.tau.rows, 0), "one cluster of "
                                                                                "rows");
    tac_coclusters_clear(&found);
    found = solve(&t, 60, 50, 3, 1);
    CHECK(consistent(&t, &found) && found.rows <= 20 && found.columns <= 12, "more clusters than "
                                                                             "rows and columns");
    tac_coclusters_clear(&found);
    found = solve(&t, 3, 50, 3, 1);
    CHECK(consistent(&t, &found) && found.rows <= 3 && found.columns <= 12, "more column clusters "
                                                                            "than row clusters");
    tac_coclusters_clear(&found);
    memset(a, 0, sizeof a);
    t = of_dense(a, 20, 12);
    found = solve(&t, 3, 3, 2, 1);
    CHECK(consistent(&t, &found) && found.rows == 1 && found.columns == 1 && found.tau.rows == 0,
          "nothing but empty rows");
    tac_coclusters_clear(&found);
    t = of_dense(a, 0, 12);
    found = solve(&t, 3, 3, 2, 1);
    CHECK(found.rows == 1 && found.columns == 1, "no rows at all");
    tac_coclusters_clear(&found);
    for (int i = 0; i < 20 * 12; i++) a[i] = 7;
    t = of_dense(a, 20, 12);
    found = solve(&t, 4, 4, 2, 1);
    CHECK(consistent(&t, &found) && near(found.tau.raw_rows, 0), "all rows equal");
    tac_coclusters_clear(&found);
    a[0] = INT32_MAX;
    t = of_dense(a, 20, 12);
    found = solve(&t, 4, 4, 2, 1);
    CHECK(consistent(&t, &found) && isfinite(found.tau.rows), "the largest count");
    tac_coclusters_clear(&found);
}

/* ---- the public call ---- */

static tacit_status plain(tacit_data *data, int k, int l, tacit_model **model)
{
    tacit_cocluster_opts o;
    tacit_cocluster_opts_init(&o, sizeof o);
    o.row_clusters = k;
    o.column_clusters = l;
    o.seed = 1;
    return tacit_cocluster_plain(ctx, data, &o, model);
}

static void test_plain(void)
{
    static int a[200 * 150];
    static double value[MOST];
    static int64_t truth[200];
    const tac_count_table t = plant(200, 150, 3, 3, false, a);
    tacit_data *data = NULL, *dense = NULL;
    tacit_model *model = NULL, *other = NULL;
    tacit_evaluation e;
    int32_t width = 0;
    double rows, columns, sum = 0;

    for (int64_t i = 0; i < begin[200]; i++) value[i] = count[i];
    for (int i = 0; i < 200; i++) truth[i] = i % 3;
    MUST(tacit_data_from_csr(ctx, t.start, t.column, value, 200, 150, &data) == TACIT_OK);
    MUST(tacit_data_from_memory(ctx, a, TACIT_I32, 200, 150, &dense) == TACIT_OK);
    MUST(tacit_data_set_labels(ctx, data, truth) == TACIT_OK);
    MUST(plain(data, 3, 3, &model) == TACIT_OK && plain(dense, 3, 3, &other) == TACIT_OK);
    const double *table = tacit_model_table(model, &width);
    CHECK(strcmp(tacit_model_family(model), "cocluster") == 0 && tacit_model_k(model) == 3 &&
              tacit_model_l(model) == 3 && width == 3 &&
              strcmp(tacit_model_table_unit(model), "counts") == 0 &&
              tacit_model_table_sd(model) == 0,
          "the plain call releases clusters");
    CHECK(strstr(tacit_model_guarantee(model), "none") != NULL, "and says that nothing is "
                                                                "guaranteed");
    CHECK(memcmp(table, tacit_model_table(other, &width), 9 * sizeof *table) == 0, "the same "
                                                                                   "table, dense "
                                                                                   "or sparse");
    for (int i = 0; i < 9; i++) sum += table[i];
    for (int64_t i = 0; i < begin[200]; i++) sum -= value[i];
    CHECK(sum == 0, "its sum is all counts");
    tacit_evaluation_init(&e, sizeof e);
    MUST(tacit_model_evaluate(ctx, model, data, 3, &e) == TACIT_OK);
    tacit_model_tau(model, &rows, &columns);
    CHECK(near(e.nmi, 1) && near(e.ari, 1) && near(e.tau_rows, rows) && near(e.cost, e.plain_cost),
          "its rule puts every row where the solver had it");
    tacit_model_free(model);
    tacit_model_free(other);

    CHECK(plain(data, 0, 3, &model) == TACIT_E_ARGUMENT && model == NULL &&
              plain(data, 3, 1001, &model) == TACIT_E_ARGUMENT &&
              plain(data, 3, 151, &model) == TACIT_E_ARGUMENT,
          "numbers of clusters that cannot be");
    CHECK(plain(data, 300, 100, &model) == TACIT_OK && tacit_model_k(model) <= 200,
          "more clusters than rows are fewer in the end");
    tacit_model_free(model);
    tacit_data_free(data);
    tacit_data_free(dense);
    MUST(tacit_data_from_memory(ctx, a, TACIT_I32, 0, 150, &data) == TACIT_OK);
    CHECK(plain(data, 3, 3, &model) == TACIT_E_FORMAT && model == NULL, "no rows are refused");
    tacit_data_free(data);
    a[7] = -1;
    MUST(tacit_data_from_memory(ctx, a, TACIT_I32, 200, 150, &data) == TACIT_OK);
    CHECK(plain(data, 3, 3, &model) == TACIT_E_FORMAT &&
              strstr(tacit_ctx_message(ctx), "'c8'") != NULL,
          "and what is no count");
    tacit_data_free(data);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_by_hand();
    test_identities();
    test_figure_1();
    test_planted();
    test_edges();
    test_plain();
    tacit_ctx_free(ctx);
    return tap_done();
}
