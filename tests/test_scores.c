/* SPDX-License-Identifier: Apache-2.0 */
/* Agreement of labels: values worked out by hand, and the definitions by brute force. */
#include "solve/cocluster/scores.h"
#include "tap.h"

#include <math.h>

#define MOST 40

static tacit_ctx *ctx;

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12;
}

static void check(const char *what, const int32_t *found, const int64_t *truth, int64_t n,
                  double nmi, double ari)
{
    double got_nmi = NAN, got_ari = NAN;
    MUST(tac_score_labels(ctx, found, truth, n, &got_nmi, &got_ari) == TACIT_OK);
    CHECK(near(got_nmi, nmi), "%s: NMI %.12g", what, got_nmi);
    CHECK(near(got_ari, ari), "%s: ARI %.12g", what, got_ari);
}

/* From the definitions, over all pairs of rows and all pairs of labels below 8. */
static void brute(const int32_t *a, const int64_t *b, int n, double *nmi, double *ari)
{
    double cell[8][8] = {{0}}, row[8] = {0}, column[8] = {0};
    double mutual = 0, ha = 0, hb = 0, both = 0, first = 0, second = 0;

    for (int i = 0; i < n; i++) {
        cell[a[i]][b[i]] += 1.0 / n;
        row[a[i]] += 1.0 / n;
        column[b[i]] += 1.0 / n;
        for (int j = 0; j < i; j++) {
            both += a[i] == a[j] && b[i] == b[j];
            first += a[i] == a[j];
            second += b[i] == b[j];
        }
    }
    for (int x = 0; x < 8; x++) {
        if (row[x] > 0) ha -= row[x] * log(row[x]);
        if (column[x] > 0) hb -= column[x] * log(column[x]);
        for (int y = 0; y < 8; y++)
            if (cell[x][y] > 0) mutual += cell[x][y] * log(cell[x][y] / (row[x] * column[y]));
    }
    const double all = n * (n - 1) / 2.0, chance = all > 0 ? first * second / all : 0,
                 top = (first + second) / 2;
    *nmi = ha + hb > 1e-9 ? 2 * mutual / (ha + hb) : 1;
    *ari = fabs(top - chance) > 1e-9 ? (both - chance) / (top - chance) : 1;
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    check("equal", (int32_t[]){0, 0, 1, 1, 2}, (int64_t[]){0, 0, 1, 1, 2}, 5, 1, 1);
    check("renamed, from end to end of the range", (int32_t[]){INT32_MIN, INT32_MAX, INT32_MIN, 0},
          (int64_t[]){7, INT64_MIN, 7, INT64_MAX}, 4, 1, 1);
    check("independent", (int32_t[]){0, 0, 1, 1}, (int64_t[]){0, 1, 0, 1}, 4, 0, -0.5);
    check("one split", (int32_t[]){0, 0, 1, 1}, (int64_t[]){0, 0, 1, 2}, 4, 0.8, 4.0 / 7);
    check("one cluster found", (int32_t[]){5, 5, 5, 5}, (int64_t[]){0, 0, 1, 1}, 4, 0, 0);
    check("one cluster in truth", (int32_t[]){-1, 3, 3, 4}, (int64_t[]){9, 9, 9, 9}, 4, 0, 0);
    check("one cluster in both", (int32_t[]){5, 5, 5}, (int64_t[]){2, 2, 2}, 3, 1, 1);
    check("all alone in both", (int32_t[]){1, 2, 3}, (int64_t[]){3, 1, 2}, 3, 1, 1);
    check("one row", (int32_t[]){1}, (int64_t[]){1}, 1, 1, 1);

    int32_t found[MOST];
    int64_t truth[MOST];
    bool same = true, symmetric = true;
    uint64_t state = 1;
    for (long trial = 0; trial < tap_times(2000); trial++) {
        double nmi, ari, nmi_2, ari_2, nmi_3, ari_3;
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const int n = 2 + (int)(state >> 33) % (MOST - 1), kinds = 2 + (int)(state >> 60) % 7;
        for (int i = 0; i < n; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            found[i] = (int32_t)(state >> 33) % kinds;
            truth[i] = state >> 63 ? found[i] : (int64_t)(state >> 40) % kinds;
        }
        brute(found, truth, n, &nmi, &ari);
        MUST(tac_score_labels(ctx, found, truth, n, &nmi_2, &ari_2) == TACIT_OK);
        same = same && near(nmi, nmi_2) && near(ari, ari_2);
        for (int i = 0; i < n; i++) { /* exchange the two, and rename */
            const int32_t keep = found[i];
            found[i] = (int32_t)(1000 - 300 * truth[i]);
            truth[i] = (int64_t)keep * INT64_C(-1000000000000) + 5;
        }
        MUST(tac_score_labels(ctx, found, truth, n, &nmi_3, &ari_3) == TACIT_OK);
        symmetric = symmetric && near(nmi_2, nmi_3) && near(ari_2, ari_3);
    }
    CHECK(same, "the definitions by brute force");
    CHECK(symmetric, "exchange and renaming change nothing");
    CHECK(tac_score_labels(ctx, found, truth, 0, NULL, NULL) == TACIT_E_ARGUMENT, "no rows");
    CHECK(tac_score_labels(ctx, found, truth, 2, NULL, NULL) == TACIT_OK, "nothing wanted");

    /* Large: pairs beyond 2^32, many labels. */
    const int64_t n = 300000;
    int32_t *a = calloc((size_t)n, sizeof *a);
    int64_t *b = calloc((size_t)n, sizeof *b);
    double nmi, ari;
    MUST(a != NULL && b != NULL);
    for (int64_t i = 0; i < n; i++) {
        a[i] = (int32_t)(i % 100000);
        b[i] = -(i % 100000);
    }
    MUST(tac_score_labels(ctx, a, b, n, &nmi, &ari) == TACIT_OK);
    CHECK(nmi == 1 && ari == 1, "a hundred thousand labels, renamed");
    for (int64_t i = 0; i < n; i++) {
        a[i] = (int32_t)(i % 3);
        b[i] = i / 3 % 2;
    }
    MUST(tac_score_labels(ctx, a, b, n, &nmi, &ari) == TACIT_OK);
    CHECK(nmi < 1e-12 && fabs(ari) < 1e-4, "large and independent: %g %g", nmi, ari);
    free(a);
    free(b);
    tacit_ctx_free(ctx);
    return tap_done();
}
