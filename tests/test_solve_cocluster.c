/* SPDX-License-Identifier: Apache-2.0 */
/* Varimax finds a planted simple structure and stays orthogonal; clusters of columns are found, and
   z is what it says. */
#include "solve/cocluster/column_clusters.h"
#include "solve/linalg/varimax.h"
#include "tap.h"

#include <math.h>

enum { ITEMS = 60, FACTORS = 5 };

static tacit_ctx *ctx;
static uint64_t state = 11;

static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53;
}

static double normal(void)
{
    return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
}

/* ---- varimax ---- */

/* Turns of random pairs: an orthogonal matrix applied to the factors. */
static void mix(double *x, int p, int items)
{
    for (int t = 0; t < 40 && p > 1; t++) {
        const int a = (int)(uniform() * p), b = (a + 1 + (int)(uniform() * (p - 1))) % p;
        const double phi = 6.28 * uniform(), c = cos(phi), s = sin(phi);
        for (int i = 0; i < items; i++) {
            const double u = x[a * items + i], v = x[b * items + i];
            x[a * items + i] = c * u + s * v;
            x[b * items + i] = c * v - s * u;
        }
    }
}

/* Largest change of L^T L, which no orthogonal matrix changes. */
static double drift(const double *x, const double *y, int p, int items)
{
    double worst = 0;

    for (int i = 0; i < items; i++)
        for (int j = 0; j < items; j++) {
            double gap = 0;
            for (int a = 0; a < p; a++)
                gap += x[a * items + i] * x[a * items + j] - y[a * items + i] * y[a * items + j];
            worst = fmax(worst, fabs(gap));
        }
    return worst;
}

static double criterion(const double *x, int p, int items)
{
    double sum = 0;

    for (int a = 0; a < p; a++) {
        double fourth = 0, second = 0;
        for (int i = 0; i < items; i++) {
            const double s = x[a * items + i] * x[a * items + i];
            second += s / items;
            fourth += s * s / items;
        }
        sum += fourth - second * second;
    }
    return sum;
}

static void test_simple_structure(void)
{
    double x[FACTORS * ITEMS] = {0}, was[FACTORS * ITEMS];
    int own = 0;

    for (int i = 0; i < ITEMS; i++) x[i % FACTORS * ITEMS + i] = 0.5 + uniform();
    mix(x, FACTORS, ITEMS);
    memcpy(was, x, sizeof x);
    tac_varimax(x, FACTORS, ITEMS, 100);
    for (int i = 0; i < ITEMS; i++) {
        double most = 0, sum = 0;
        for (int a = 0; a < FACTORS; a++) {
            sum += fabs(x[a * ITEMS + i]);
            most = fmax(most, fabs(x[a * ITEMS + i]));
        }
        own += sum - most < 1e-6;
    }
    CHECK(own == ITEMS, "varimax: %d of %d items load on one factor alone, as planted", own, ITEMS);
    CHECK(drift(x, was, FACTORS, ITEMS) < 1e-12, "the turn is orthogonal: drift %.1e",
          drift(x, was, FACTORS, ITEMS));
    tac_point_factors(x, FACTORS, ITEMS);
    bool good = true;
    for (int a = 0; a < FACTORS; a++) {
        double squares = 0, cubes = 0;
        for (int i = 0; i < ITEMS; i++)
            squares += pow(x[a * ITEMS + i], 2), cubes += pow(x[a * ITEMS + i], 3);
        good = good && fabs(squares - 1) < 1e-12 && cubes > 0;
    }
    CHECK(good, "factors have length 1 and point where they are large");
}

static void test_climbs(void)
{
    double x[FACTORS * ITEMS], was[FACTORS * ITEMS], last;
    bool climbs = true;

    for (int e = 0; e < FACTORS * ITEMS; e++) x[e] = normal();
    memcpy(was, x, sizeof x);
    last = criterion(x, FACTORS, ITEMS);
    for (int s = 0; s < 30; s++) {
        tac_varimax(x, FACTORS, ITEMS, 1);
        const double now = criterion(x, FACTORS, ITEMS);
        climbs = climbs && now > last - 1e-12;
        last = now;
    }
    CHECK(climbs && drift(x, was, FACTORS, ITEMS) < 1e-11, "no sweep lowers the criterion");
}

static void test_varimax_degenerate(void)
{
    double zero[3 * 4] = {0}, one[4] = {-3, -2, 1, 0}, wide[5 * 2];

    tac_varimax(zero, 3, 4, 10);
    tac_point_factors(zero, 3, 4);
    bool still = true;
    for (int e = 0; e < 12; e++) still = still && zero[e] == 0;
    CHECK(still, "factors of zeros stay zeros");
    tac_varimax(one, 1, 4, 10);
    tac_point_factors(one, 1, 4);
    CHECK(one[0] > 0 && one[2] < 0, "one factor is turned to its larger side");
    for (int e = 0; e < 10; e++) wide[e] = normal();
    tac_varimax(wide, 5, 2, 50);
    bool finite = true;
    for (int e = 0; e < 10; e++) finite = finite && isfinite(wide[e]);
    CHECK(finite, "more factors than items");
}

/* ---- clusters of columns ---- */

enum { COLUMNS = 90 };

/* Columns j of group j % groups are `above` higher in row cluster j % groups. */
static void plant(int k, int groups, double above, double sd, double *table)
{
    for (int a = 0; a < k; a++)
        for (int j = 0; j < COLUMNS; j++)
            table[a * COLUMNS + j] = 1 + j % 7 + (a == j % groups ? above : 0) + sd * normal();
}

static double agree(const int32_t *cluster, int groups, int l)
{
    int right = 0;

    for (int c = 0; c < l; c++) { /* a cluster counts with its commonest group */
        int most = 0;
        for (int g = 0; g < groups; g++) {
            int both = 0;
            for (int j = 0; j < COLUMNS; j++) both += cluster[j] == c && j % groups == g;
            most = both > most ? both : most;
        }
        right += most;
    }
    return (double)right / COLUMNS;
}

static void test_columns_found(void)
{
    const struct {
        int k, groups, l;
    } set[] = {{3, 3, 3}, {6, 6, 6}, {4, 2, 2}, {3, 3, 7}};
    double table[6 * COLUMNS], z[COLUMNS];
    int32_t cluster[COLUMNS], again[COLUMNS];

    for (size_t s = 0; s < sizeof set / sizeof *set; s++) {
        const tac_column_opts o = {
            .l = set[s].l, .starts = 10, .iterations = 50, .sd = 0.5, .seed = s};
        plant(set[s].k, set[s].groups, 6, 0.5, table);
        MUST(tac_column_clusters(ctx, table, set[s].k, COLUMNS, &o, cluster, z) == TACIT_OK);
        const double share = agree(cluster, set[s].groups, set[s].l);
        CHECK(share > 0.95, "%d groups of columns in %d clusters by %d rows: %.2f right",
              set[s].groups, set[s].l, set[s].k, share);
        MUST(tac_column_clusters(ctx, table, set[s].k, COLUMNS, &o, again, z) == TACIT_OK);
        CHECK(memcmp(cluster, again, sizeof cluster) == 0, "the same again");
    }
}

/* [a 0; 0 b]: z = a b / (sd sqrt(a^2 + b^2)), worked by hand. */
static void test_known_z(void)
{
    const double table[4] = {3, 0, 0, 4};
    const tac_column_opts o = {.l = 2, .starts = 4, .iterations = 10, .sd = 0.5, .seed = 1};
    double z[2];
    int32_t cluster[2];

    MUST(tac_column_clusters(ctx, table, 2, 2, &o, cluster, z) == TACIT_OK);
    CHECK(cluster[0] != cluster[1] && fabs(z[0] - 4.8) < 1e-12 && fabs(z[1] - 4.8) < 1e-12,
          "z worked by hand: %.6f, %.6f", z[0], z[1]);
}

/* Fresh noise on a column moves it out of its cluster about as often as z says: with z >= 2 in at
   most 1 of 40 tries for each of two rivals. 300 tables, 3 groups: false alarm below 1e-6. */
static void test_z_honest(void)
{
    const tac_column_opts o = {.l = 3, .starts = 4, .iterations = 50, .sd = 1, .seed = 3};
    double table[3 * COLUMNS], z[COLUMNS];
    int32_t cluster[COLUMNS];
    long sure = 0, wrong = 0;

    for (int t = 0; t < 300; t++) {
        int of[3] = {0}, count[3][3] = {{0}};
        plant(3, 3, 3, 1, table);
        MUST(tac_column_clusters(ctx, table, 3, COLUMNS, &o, cluster, z) == TACIT_OK);
        for (int j = 0; j < COLUMNS; j++) count[cluster[j]][j % 3]++;
        for (int c = 0; c < 3; c++)
            for (int g = 1; g < 3; g++) of[c] = count[c][g] > count[c][of[c]] ? g : of[c];
        for (int j = 0; j < COLUMNS; j++) {
            if (z[j] < 2) continue;
            sure++;
            wrong += of[cluster[j]] != j % 3;
        }
    }
    CHECK(sure > 5000 && (double)wrong / (double)sure < 0.05,
          "of %ld columns with z of at least 2, %ld are wrong", sure, wrong);
}

static void test_columns_degenerate(void)
{
    static const double zero[8], below[4] = {-1, -2, -3, -4}, one[3] = {1, 2, 0};
    double z[8];
    int32_t cluster[8];
    tac_column_opts o = {.l = 3, .starts = 3, .iterations = 10, .sd = 1, .seed = 1};
    bool good = true;

    MUST(tac_column_clusters(ctx, zero, 2, 4, &o, cluster, z) == TACIT_OK);
    for (int j = 0; j < 4; j++) good = good && cluster[j] >= 0 && cluster[j] < 3 && z[j] == 0;
    CHECK(good, "a table of zeros: no column is certain");
    MUST(tac_column_clusters(ctx, below, 2, 2, &o, cluster, z) == TACIT_OK);
    CHECK(isfinite(z[0]) && isfinite(z[1]) && cluster[0] >= 0 && cluster[1] < 3, "a table below 0");
    o.l = 1;
    MUST(tac_column_clusters(ctx, one, 1, 3, &o, cluster, z) == TACIT_OK);
    CHECK(cluster[0] == 0 && cluster[1] == 0 && z[0] == 1 && z[1] == 2 && z[2] == 0,
          "one cluster: z tells which columns are there");
    o.l = 5;
    MUST(tac_column_clusters(ctx, one, 3, 1, &o, cluster, z) == TACIT_OK);
    CHECK(cluster[0] >= 0 && cluster[0] < 5 && isfinite(z[0]), "one column, more clusters");
}

/* ---- contrasts ---- */

enum { WIDE = 400 };

/* Column j = share b_j + b_j e_j + noise, e_j along (1, -1, 0) with this spread. truth: without
   noise. */
static void plant_contrasts(double spread, double sd, double *table, double *truth)
{
    const double share[3] = {1 / 3.0, 1 / 3.0, 1 / 3.0};

    for (int j = 0; j < WIDE; j++) {
        const double mass = 100 + 5 * (j % 50), e = spread * normal();
        for (int a = 0; a < 3; a++) {
            truth[a * WIDE + j] = mass * (share[a] + (a == 0 ? e : a == 1 ? -e : 0));
            table[a * WIDE + j] = truth[a * WIDE + j] + sd * normal();
        }
    }
}

/* The posterior knows its own error: over 60 tables of 400 columns the squared error of the first
   two row clusters' difference is on average its posterior variance. 24,000 numbers: sd of the
   ratio below .015. It is also far smaller than that of the noisy table. */
static void test_posterior(void)
{
    static double table[3 * WIDE], truth[3 * WIDE];
    double wrong = 0, expected = 0, raw = 0;

    for (int t = 0; t < 60; t++) {
        tac_contrasts c = {0};
        plant_contrasts(0.02, 5, table, truth);
        MUST(tac_contrasts_find(ctx, table, 3, WIDE, 25, &c) == TACIT_OK);
        for (int j = 0; j < WIDE; j++) {
            const double gap = c.table[j] - c.table[WIDE + j], real = truth[j] - truth[WIDE + j];
            const double error = gap - real;
            const double noisy = table[j] - table[WIDE + j] - real;
            for (int b = 0; b < 3; b++) {
                const double d = c.turn[b] - c.turn[3 + b];
                expected += d * d * c.gain[b * WIDE + j] * 25;
            }
            wrong += error * error;
            raw += noisy * noisy;
        }
        tac_contrasts_clear(&c);
    }
    CHECK(fabs(wrong / expected - 1) < 0.1, "the posterior's error is as it says: ratio %.3f",
          wrong / expected);
    CHECK(wrong < 0.7 * raw, "... and smaller than that of the noisy table: %.3f of it",
          wrong / raw);
}

/* Noise alone has hardly any contrasts; a table of zeros, one row cluster, one column neither. */
static void test_no_contrasts(void)
{
    static double table[3 * WIDE], truth[3 * WIDE];
    const double zero[6] = {0};
    double gain = 0;
    tac_contrasts c = {0};

    plant_contrasts(0, 5, table, truth);
    MUST(tac_contrasts_find(ctx, table, 3, WIDE, 25, &c) == TACIT_OK);
    for (int e = 0; e < 3 * WIDE; e++) gain += c.gain[e] / (3 * WIDE);
    CHECK(gain < 0.1, "noise alone: a mean gain of %.4f", gain);
    tac_contrasts_clear(&c);
    const int32_t shape[3][2] = {{3, 2}, {1, 6}, {6, 1}};
    bool good = true;
    for (int s = 0; s < 3; s++) {
        MUST(tac_contrasts_find(ctx, zero, shape[s][0], shape[s][1], 1, &c) == TACIT_OK);
        for (int e = 0; e < 6; e++)
            good = good && isfinite(c.table[e]) && c.gain[e] >= 0 && c.gain[e] <= 1;
        tac_contrasts_clear(&c);
    }
    CHECK(good, "tables of zeros: finite");
}

/* z of the posterior: a column between 1 and 1.5 leads each of two rivals by a margin that the
   normal law has on its right side with .84 to .93, so at least about .74 are right. 300 tables;
   the share has an sd below .01. */
static void test_posterior_z(void)
{
    static double table[3 * COLUMNS];
    double z[COLUMNS], unit[COLUMNS];
    int32_t cluster[COLUMNS];
    long few = 0, right = 0;

    for (int j = 0; j < COLUMNS; j++) unit[j] = 1;
    for (int t = 0; t < 300; t++) {
        tac_contrasts c = {0};
        int count[3][3] = {{0}}, of[3] = {0};
        plant(3, 3, 3, 2, table);
        MUST(tac_contrasts_find(ctx, table, 3, COLUMNS, 4, &c) == TACIT_OK);
        const tac_column_opts o = {
            .l = 3, .starts = 4, .iterations = 50, .posterior = &c, .unit = unit, .seed = 3};
        MUST(tac_column_clusters(ctx, c.table, 3, COLUMNS, &o, cluster, z) == TACIT_OK);
        for (int j = 0; j < COLUMNS; j++) count[cluster[j]][j % 3]++;
        for (int a = 0; a < 3; a++)
            for (int g = 1; g < 3; g++) of[a] = count[a][g] > count[a][of[a]] ? g : of[a];
        for (int j = 0; j < COLUMNS; j++) {
            if (!(z[j] >= 1 && z[j] < 1.5)) continue;
            few++;
            right += of[cluster[j]] == j % 3;
        }
        tac_contrasts_clear(&c);
    }
    CHECK(few > 2000 && (double)right / (double)few > 0.72,
          "of %ld columns with z from 1 to 1.5, %.3f are right", few, (double)right / (double)few);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_simple_structure();
    test_climbs();
    test_varimax_degenerate();
    test_columns_found();
    test_known_z();
    test_z_honest();
    test_columns_degenerate();
    test_posterior();
    test_no_contrasts();
    test_posterior_z();
    tacit_ctx_free(ctx);
    return tap_done();
}
