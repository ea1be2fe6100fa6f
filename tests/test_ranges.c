/* SPDX-License-Identifier: Apache-2.0 */
/* Estimated bounds: bins and their edges, rows that come and go, how well bounds cover the rows,
   what is refused. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "cluster/kmeans/kmeans_run.h"
#include "cluster/ranges/ranges.h"
#include "tap.h"

static tacit_ctx *ctx;

/* ---- bins ---- */

static const tac_bins octaves = {.least = -INFINITY, .most = INFINITY};

static void test_octaves(void)
{
    static const struct {
        double value;
        int bin;
    } known[] = {{0.0, 0},          {-0.0, 0},      {DBL_TRUE_MIN, 0}, {-DBL_TRUE_MIN, 0},
                 {DBL_MIN, 0},      {0x1p-332, 1},  {1, 333},          {1.5, 333},
                 {2, 334},          {-1, -333},     {-2, -334},        {0x1p331, 664},
                 {1e300, 664},      {DBL_MAX, 664}, {-DBL_MAX, -664},  {INFINITY, 664},
                 {-INFINITY, -664}, {NAN, 665}};
    int wrong = 0, edges = 0, order = 0;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        wrong += tac_bin_of(&octaves, known[i].value) != known[i].bin;
    CHECK(wrong == 0, "known octaves (%d wrong)", wrong);
    for (int i = -TAC_OCTAVES + 1; i <= TAC_OCTAVES; i++) {
        const double edge = tac_octave_edge(i);
        /* an edge belongs to the octave farther from 0 */
        edges += i > 0 ? tac_bin_of(&octaves, edge) != i ||
                             tac_bin_of(&octaves, nextafter(edge, -INFINITY)) != i - 1
                       : tac_bin_of(&octaves, edge) != i - 1 ||
                             tac_bin_of(&octaves, nextafter(edge, INFINITY)) != i;
        order += !(edge < tac_octave_edge(i + 1));
    }
    CHECK(edges == 0 && order == 0, "every edge and its neighbors (%d wrong), in order (%d not)",
          edges, order);
}

/* Bits of a double in the order of the numbers. */
static double from_bits(uint64_t word)
{
    double x;
    memcpy(&x, &word, sizeof x);
    return x;
}

static void test_order(void)
{
    const double edge[] = {-3, 0, 0, 0.5, 7};
    const tac_bins some = {.least = -5, .most = 6, .edges = 5, .edge = edge};
    const struct {
        double value;
        int bin;
    } known[] = {{-1e9, 0}, {-3, 1}, {-0.0, 3}, {0, 3},        {0.25, 3},
                 {0.5, 4},  {7, 4},  {1e9, 4},  {INFINITY, 4}, {NAN, 6}};
    uint64_t word = 1;
    int wrong = 0, order = 0;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        wrong += tac_bin_of(&some, known[i].value) != known[i].bin;
    CHECK(wrong == 0, "bins between edges, within limits (%d wrong)", wrong);
    for (int i = 0; i < 100000; i++) {
        word = word * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double x = from_bits(word), y = from_bits(word * 31 + 7);
        if (isnan(x) || isnan(y)) continue;
        const double low = fmin(x, y), high = fmax(x, y);
        order += tac_bin_of(&octaves, low) > tac_bin_of(&octaves, high) ||
                 tac_bin_of(&some, low) > tac_bin_of(&some, high);
    }
    CHECK(order == 0, "a larger value has no smaller bin, of all doubles (%d have)", order);
}

/* The point of a row is the same whatever rows are beside it, and is never clipped. */
static void test_frame(void)
{
    enum { N = 64, D = 3 };
    const double edge[] = {0, 1};
    const tac_bins bins[] = {{.column = 2, .least = -INFINITY, .most = INFINITY},
                             {.column = 0, .least = -1, .most = 9, .edges = 2, .edge = edge}};
    const tac_bins bad[] = {
        {.column = 3, .least = -1, .most = 1},
        {.column = 0, .least = 1, .most = 1},
        {.column = 0, .least = -1, .most = 1, .edges = 2, .edge = (const double[]){1, 0}}};
    double rows[N * D];
    int16_t all[N * 2], one[2];
    double scratch[256];
    tac_frame frame;
    int differ = 0, refused = 0;

    for (int i = 0; i < N * D; i++) rows[i] = i % 7 == 0 ? NAN : ldexp((i % 5) - 2, i - N);
    MUST(tac_frame_of_bins(ctx, D, bins, 2, &frame) == TACIT_OK);
    MUST(tac_frame_rows_scratch(&frame) <= 256);
    tac_frame_apply_rows(&frame, rows, N, scratch, all, 2);
    for (int i = 0; i < N; i++) {
        tac_frame_apply_rows(&frame, rows + (ptrdiff_t)i * D, 1, scratch, one, 2);
        differ += memcmp(one, all + (ptrdiff_t)i * 2, sizeof one) != 0 ||
                  one[0] != tac_bin_of(&bins[0], rows[i * D + 2]) ||
                  one[1] != tac_bin_of(&bins[1], rows[i * D]);
    }
    tac_frame_clear(&frame);
    CHECK(differ == 0, "a row's bins depend on the row alone (%d do not)", differ);
    for (int i = 0; i < 3; i++)
        refused += tac_frame_of_bins(ctx, D, &bad[i], 1, &frame) != TACIT_OK;
    CHECK(refused == 3, "bins that make no sense are refused");
}

/* ---- which bins stand out ---- */

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ldexp((double)(*state >> 11) + 0.5, -53);
}

static double normal(uint64_t *state)
{
    return sqrt(-2 * log(uniform(state))) * cos(2 * M_PI * uniform(state));
}

/* Noise alone, at an alarm that it often sets off: some sums are just enough. */
static void test_standing_out(void)
{
    static const int32_t bins[] = {1, 2, 3, 61, 64, 1331};
    const double alarm = 0.2;
    enum { MOST = 1331, TIMES = 2000 };
    static double number[MOST];
    uint64_t state = 17;
    int found = 0, astray = 0, without = 0;

    for (size_t w = 0; w < sizeof bins / sizeof *bins; w++)
        for (int i = 0; i < TIMES; i++) {
            const tac_held held = {.number = number, .bins = bins[w], .sd = 1};
            int32_t first, last;
            for (int32_t b = 0; b < bins[w]; b++) number[b] = normal(&state);
            const bool full = tac_occupied(&held, alarm, &first, &last);
            found += full && bins[w] > 10;
            astray += full && !(0 <= first && first <= last && last < bins[w]);
            without += !full && !(first == -1 && last == -1);
        }
    CHECK(astray == 0 && without == 0,
          "bins that stand out have a first and a last, in order (%d are not)", astray + without);
    /* one-sided, once in 10^8; the quantile is meant for the many windows of many bins */
    const double all = (double)TIMES * 3,
                 z = (found - alarm * all) / sqrt(all * alarm * (1 - alarm));
    CHECK(found > 0 && z < 5.612, "noise sets off no more alarms than stated (%d of %.0f, z %.1f)",
          found, all, z);
}

/* ---- whole runs ---- */

enum { ROWS = 20000, COLUMNS = 4 };

/* Log-normal money, years, numbers about 0, and a column that is mostly 0. */
static double *people(void)
{
    double *x = malloc(sizeof *x * ROWS * COLUMNS);
    uint64_t state = 7;

    MUST(x != NULL);
    for (int i = 0; i < ROWS; i++) {
        x[i * COLUMNS] = exp(9 + normal(&state));
        x[i * COLUMNS + 1] = 1980 + 10 * normal(&state);
        x[i * COLUMNS + 2] = 0.01 * normal(&state);
        x[i * COLUMNS + 3] = i % 10 == 0 ? 5000 * uniform(&state) : 0;
    }
    return x;
}

static tacit_status fit(tacit_data *data, double epsilon, double delta, tacit_kmeans_method method,
                        uint64_t seed, tacit_model **model)
{
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;

    budget.epsilon = epsilon;
    budget.delta = delta;
    budget.use_insecure_test_seed = 1;
    budget.insecure_test_seed = seed;
    opts.k = 3;
    opts.method = method;
    return tacit_kmeans_run(ctx, data, &budget, &opts, model);
}

/* Part of the rows outside of bounds. */
static double outside(const double *x, int column, double low, double high)
{
    int count = 0;

    for (int i = 0; i < ROWS; i++)
        count += x[i * COLUMNS + column] < low || x[i * COLUMNS + column] > high;
    return (double)count / ROWS;
}

static int smaller(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The range of 99.8 % of the rows. */
static double most_of(const double *x, int column)
{
    double *sorted = malloc(sizeof *sorted * ROWS);

    MUST(sorted != NULL);
    for (int i = 0; i < ROWS; i++) sorted[i] = x[i * COLUMNS + column];
    qsort(sorted, ROWS, sizeof *sorted, smaller);
    const double wide = sorted[ROWS - 1 - ROWS / 1000] - sorted[ROWS / 1000];
    free(sorted);
    return wide;
}

/* Of 40 runs, 160 columns. A bound is too wide by noise alone in 0.6 % of the columns at most: more
   than 8 of 160 have a chance below 1e-5. */
static void test_cover(double epsilon, double delta, double most_outside)
{
    double *x = people(), worst = 0;
    int wide = 0, runs = 0;
    tacit_data *data = NULL;

    MUST(tacit_data_from_memory(ctx, x, TACIT_F64, ROWS, COLUMNS, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, "private") == TACIT_OK);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        tacit_model *m = NULL;
        if (fit(data, epsilon, delta, TACIT_KMEANS_AUTO, seed, &m) != TACIT_OK) continue;
        runs++;
        for (int j = 0; j < COLUMNS; j++) {
            const double low = m->geometry.lower[j], high = m->geometry.upper[j];
            worst = fmax(worst, outside(x, j, low, high));
            wide += high - low > 2 * most_of(x, j);
        }
        tacit_model_free(m);
    }
    CHECK(runs == 40 && worst < most_outside,
          "epsilon %g, delta %g: at most %.4f of the rows outside of estimated bounds", epsilon,
          delta, worst);
    CHECK(wide <= 8, "... which are seldom twice too wide (%d of 160)", wide);
    tacit_data_free(data);
    free(x);
}

/* One column declared a thousand times too wide; declared bounds stay the handle's. */
static void test_narrow(void)
{
    const double lower[] = {0, 1900, -1, 0}, upper[] = {1e8, 2020, 1, 5000};
    double *x = people();
    tacit_data *data = NULL;
    tacit_model *m = NULL;

    MUST(tacit_data_from_memory(ctx, x, TACIT_F64, ROWS, COLUMNS, &data) == TACIT_OK);
    MUST(tacit_data_set_bounds(ctx, data, lower, upper) == TACIT_OK);
    MUST(fit(data, 1, 1e-6, TACIT_KMEANS_AUTO, 1, &m) == TACIT_OK);
    const tac_geometry *g = &m->geometry;
    CHECK(g->estimated != NULL && g->estimated[0] && !g->estimated[1] && g->estimated[2] &&
              !g->estimated[3] && g->upper[0] < 1e6 && g->upper[2] < 0.125 && g->upper[1] == 2020 &&
              g->declared_upper[0] == 1e8,
          "columns that are far too wide get other bounds, and no others do");
    CHECK(m->notes >= 2 && strstr(m->note[0], "small part of the declared") != NULL, "... and the "
                                                                                     "release says "
                                                                                     "so");
    CHECK(data->domain.upper[0] == 1e8 && data->domain.estimate == NULL, "... and the handle does "
                                                                         "not");
    tacit_model_free(m);
    tacit_data_free(data);
    free(x);
}

/* What cannot be resolved is told, not refused; what makes no sense is refused. */
static void test_bad(void)
{
    double *x = people();
    tacit_data *data = NULL;
    tacit_model *m = NULL;
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;

    MUST(tacit_data_from_memory(ctx, x, TACIT_F64, 20, COLUMNS, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(
             ctx, data, "c1=private,c2=private:1900:2020,c3=-1:1,c4=private") == TACIT_OK);
    MUST(fit(data, 0.1, 1e-6, TACIT_KMEANS_AUTO, 1, &m) == TACIT_OK);
    CHECK(m->geometry.lower[1] == 1900 && m->geometry.upper[1] == 2020 &&
              m->geometry.upper[0] > m->geometry.lower[0] && m->notes > 0 &&
              strstr(m->note[m->notes - 1], "could not be told from noise") != NULL,
          "all is noise: limits, or some bounds, and a note");
    tacit_model_free(m);
    CHECK(fit(data, 10, 1e-6, TACIT_KMEANS_SAMPLE_AGGREGATE, 1, &m) == TACIT_E_ARGUMENT &&
              strstr(tacit_ctx_message(ctx), "estimate bounds") != NULL,
          "a method that needs the whole budget refuses it");
    budget.epsilon = 1;
    opts.k = 2;
    budget.bounds_share = 0.95;
    CHECK(tacit_kmeans_run(ctx, data, &budget, &opts, &m) == TACIT_E_ARGUMENT, "a share of 0.95");
    budget.bounds_share = 0.1;
    MUST(tacit_data_set_ball(ctx, data, NULL, 1) == TACIT_OK);
    CHECK(tacit_kmeans_run(ctx, data, &budget, &opts, &m) == TACIT_E_ARGUMENT, "a share for bounds "
                                                                               "beside a declared "
                                                                               "radius");
    CHECK(tacit_data_declare_bounds(ctx, data, "c1=private:5,c2=0:1,c3=0:1,c4=0:1") ==
                  TACIT_E_DOMAIN &&
              tacit_data_declare_bounds(ctx, data, "c9=private") == TACIT_E_DOMAIN &&
              tacit_data_declare_bounds(ctx, data, "c1=private:5:1,c2=0:1,c3=0:1,c4=0:1") ==
                  TACIT_E_DOMAIN,
          "half a limit, a column that is not there, limits that are reversed");
    tacit_data_free(data);
    free(x);
}

static void test_sparse(void)
{
    const int64_t start[] = {0, 1, 2};
    const int32_t column[] = {3, 1700};
    const double value[] = {1, 2};
    tacit_data *data = NULL;
    tacit_model *m = NULL;

    MUST(tacit_data_from_csr(ctx, start, column, value, 2, 2000, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, "private") == TACIT_OK);
    CHECK(fit(data, 1, 1e-6, TACIT_KMEANS_AUTO, 1, &m) == TACIT_E_DOMAIN &&
              strstr(tacit_ctx_message(ctx), "sparse") != NULL,
          "sparse rows are refused");
    tacit_data_free(data);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_octaves();
    test_order();
    test_frame();
    test_standing_out();
    test_cover(1, 1e-6, 0.03);
    test_cover(1, 0, 0.15);
    test_narrow();
    test_bad();
    test_sparse();
    tacit_ctx_free(ctx);
    return tap_done();
}
