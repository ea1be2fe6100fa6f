/* SPDX-License-Identifier: Apache-2.0 */
/* Joining rows of a table: the pair that loses the least information goes first, odd tables do no
   harm. */
#include "solve/cocluster/merge_tables.h"
#include "tap.h"

#include <math.h>

static tacit_ctx *ctx;
static uint64_t state = 12345;

static double next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 40) / 16777216.0;
}

/* Mutual information of the table whose rows are joined by group, times its sum. */
static double information(const double *t, int k, int l, const int *group, int groups)
{
    double joined[8 * 8] = {0}, row[8] = {0}, column[8] = {0}, all = 0, sum = 0;

    for (int a = 0; a < k; a++)
        for (int b = 0; b < l; b++) {
            joined[group[a] * l + b] += t[a * l + b];
            row[group[a]] += t[a * l + b];
            column[b] += t[a * l + b];
            all += t[a * l + b];
        }
    for (int a = 0; a < groups; a++)
        for (int b = 0; b < l; b++)
            if (joined[a * l + b] > 0)
                sum += joined[a * l + b] * log(joined[a * l + b] * all / (row[a] * column[b]));
    return sum;
}

/* The best of all pairs, the slow way. */
static void best_pair(const double *t, int k, int l, int *first, int *second)
{
    double best = -INFINITY;

    for (int a = 0; a < k; a++)
        for (int b = a + 1; b < k; b++) {
            int group[8] = {0}, at = 0;
            for (int i = 0; i < k; i++) group[i] = i == b ? group[a] : at++;
            const double left = information(t, k, l, group, k - 1);
            if (left > best + 1e-9) {
                best = left;
                *first = a;
                *second = b;
            }
        }
}

static void against_all_pairs(void)
{
    int wrong = 0;

    for (int trial = 0; trial < 300; trial++) {
        const int k = 2 + trial % 6, l = 1 + trial % 5;
        double t[8 * 8];
        int32_t group[8];
        int a = 0, b = 0;
        for (int i = 0; i < k * l; i++) t[i] = next() < 0.2 ? 0 : 100 * next();
        best_pair(t, k, l, &a, &b);
        MUST(tac_merge_rows(ctx, t, k, l, k - 1, group) == TACIT_OK);
        int pairs = 0;
        for (int i = 0; i < k; i++)
            for (int j = i + 1; j < k; j++) pairs += group[i] == group[j];
        /* with one column nothing is lost whoever is joined */
        if (pairs != 1 || (l > 1 && group[a] != group[b])) {
            int by[8] = {0}, at = 0, mine[8] = {0};
            for (int i = 0; i < k; i++) by[i] = i == b ? by[a] : at++;
            for (int i = 0; i < k; i++) mine[i] = group[i];
            wrong += pairs != 1 ||
                     information(t, k, l, mine, k - 1) < information(t, k, l, by, k - 1) - 1e-6;
        }
    }
    CHECK(wrong == 0, "the first pair joined is the best of all pairs in 300 tables");
}

static void known(void)
{
    const double t[] = {10, 0, 0, /**/ 0, 5, 5, /**/ 20, 0, 0, /**/ 0, 50, 50, /**/ 1, 1, 40};
    int32_t group[5];

    MUST(tac_merge_rows(ctx, t, 5, 3, 3, group) == TACIT_OK);
    CHECK(group[0] == 0 && group[2] == 0 && group[1] == 1 && group[3] == 1 && group[4] == 2,
          "proportional rows go together");
    MUST(tac_merge_rows(ctx, t, 5, 3, 1, group) == TACIT_OK);
    CHECK(group[0] == 0 && group[1] == 0 && group[2] == 0 && group[3] == 0 && group[4] == 0,
          "one is left if asked");
    MUST(tac_merge_rows(ctx, t, 5, 3, 9, group) == TACIT_OK);
    CHECK(group[0] == 0 && group[1] == 1 && group[2] == 2 && group[3] == 3 && group[4] == 4,
          "none is joined if enough may stay");
}

static void odd(void)
{
    const double zeros[12] = {0}, some[] = {0, 0, 3, 4, 0, 0, 1e300, 0, 0, 1e-300, 7, 7};
    int32_t group[6];

    MUST(tac_merge_rows(ctx, zeros, 6, 2, 2, group) == TACIT_OK);
    bool good = true;
    for (int i = 0; i < 6; i++) good = good && group[i] >= 0 && group[i] < 2;
    CHECK(good, "an empty table is joined anyhow");
    MUST(tac_merge_rows(ctx, some, 6, 2, 3, group) == TACIT_OK);
    good = true;
    for (int i = 0; i < 6; i++) good = good && group[i] >= 0 && group[i] < 3;
    CHECK(good && group[0] == 0, "huge, tiny and empty rows too");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    against_all_pairs();
    known();
    odd();
    tacit_ctx_free(ctx);
    return tap_done();
}
