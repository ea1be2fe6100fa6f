/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of k: separated blobs get their number, sets without clusters get 1, also through
   noise; bad input. */
#include "plain_sets.h"
#include "solve/kmeans/choose_k.h"
#include "solve/kmeans/plain_kmeans.h"

enum { ROWS = 6000 };

/* n cells of the rows, made by a few Lloyd steps, with noise on weights and points as a release has
   it. */
static void make_cells(const double *rows, int32_t d, int32_t n, double noise, double *points,
                       double *weight, double *spread, double *point_sd)
{
    const tac_plain_kmeans opts = {.k = n, .restarts = 1, .iterations = 3, .seed = 5};
    int32_t *label = need(ROWS, sizeof *label);
    double cost;

    memset(weight, 0, (size_t)n * sizeof *weight);
    memset(spread, 0, (size_t)n * sizeof *spread);
    MUST(tac_solve_kmeans(ctx, rows, NULL, ROWS, d, &opts, points, &cost, label) == TACIT_OK);
    for (int i = 0; i < ROWS; i++) {
        weight[label[i]] += 1;
        for (int32_t j = 0; j < d; j++)
            spread[label[i]] += pow(rows[i * d + j] - points[label[i] * d + j], 2);
    }
    *point_sd = noise * sqrt(cost);
    for (int32_t c = 0; c < n; c++) {
        spread[c] /= fmax(1, weight[c]);
        weight[c] = fmax(weight[c] + noise * normal(), noise + 1);
        for (int32_t j = 0; j < d; j++) points[c * d + j] += *point_sd / weight[c] * normal();
    }
    tac_free(label);
}

typedef enum shape { ROUND, BOX, LONG, BLOBS } shape;

/* k chosen for rows of a shape; *own and *one: the curve at its best k >= 2 and at 1. */
static int32_t chosen(shape kind, int32_t d, int32_t k, double sd, double noise, uint64_t seed,
                      double *curve)
{
    enum { MOST = 30, CELLS = 120 };
    double *rows = need(ROWS * d, sizeof *rows), *middle = need((int64_t)k * d, sizeof *middle);
    double points[CELLS * 20], weight[CELLS], spread[CELLS], point_sd;
    int32_t answer = -1;

    state = seed;
    /* corners of a cube, and its faces for the digit 2: far from one another */
    for (int32_t c = 0; c < k; c++)
        for (int32_t j = 0; j < d; j++) middle[c * d + j] = (int)(c / pow(3, j % 4)) % 3;
    for (int i = 0; i < ROWS; i++)
        for (int32_t j = 0; j < d; j++)
            rows[i * d + j] = kind == BOX    ? uniform()
                              : kind == LONG ? normal() * pow(2, -j)
                                             : middle[i % k * d + j] + sd * normal();
    make_cells(rows, d, CELLS, noise, points, weight, spread, &point_sd);
    const tac_choose_k opts = {
        .k_max = MOST, .weight_sd = noise, .point_sd = point_sd, .seed = seed};
    MUST(tac_solve_choose_k(ctx, points, weight, spread, CELLS, d, &opts, curve, &answer) ==
         TACIT_OK);
    bool top = true;
    for (int32_t i = 0; i < MOST; i++)
        top = top && curve[i] <= curve[answer - 1] && isfinite(curve[i]);
    MUST(top); /* the answer is where the curve is highest */
    tac_free(rows);
    tac_free(middle);
    return answer;
}

static void degenerate(void)
{
    double points[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, curve[9];
    const double weight[6] = {5, 5, 5, 5, 5, 5}, spread[6] = {0};
    tac_choose_k opts = {.k_max = 9, .seed = 1};
    int32_t k = -1;

    MUST(tac_solve_choose_k(ctx, points, weight, spread, 6, 2, &opts, curve, &k) == TACIT_OK);
    CHECK(k == 1, "all cells equal: 1");
    MUST(tac_solve_choose_k(ctx, points, weight, spread, 1, 2, &opts, curve, &k) == TACIT_OK);
    CHECK(k == 1 && curve[8] == 0, "one cell: 1, and the whole curve is set");
    points[0] = 1e9;
    MUST(tac_solve_choose_k(ctx, points, weight, spread, 6, 2, &opts, curve, &k) == TACIT_OK);
    CHECK(k == 2, "two places: 2");
    opts.weight_sd = 5;
    MUST(tac_solve_choose_k(ctx, points, weight, spread, 6, 2, &opts, curve, &k) == TACIT_OK);
    CHECK(k == 1, "two places, one of which noise could have made: 1");
    opts.weight_sd = 1e30;
    opts.point_sd = 1e30;
    MUST(tac_solve_choose_k(ctx, points, weight, spread, 6, 2, &opts, curve, &k) == TACIT_OK);
    CHECK(k == 1, "noise alone: 1");
    opts.weight_sd = NAN;
    CHECK(tac_solve_choose_k(ctx, points, weight, spread, 6, 2, &opts, curve, &k) ==
              TACIT_E_ARGUMENT,
          "noise is no number");
    opts.weight_sd = 0;
    CHECK(tac_solve_choose_k(ctx, points, spread, spread, 6, 2, &opts, curve, &k) ==
              TACIT_E_ARGUMENT,
          "a weight of 0");
    CHECK(tac_solve_choose_k(ctx, points, weight, spread, 0, 2, &opts, curve, &k) ==
              TACIT_E_ARGUMENT,
          "no cells");
    opts.k_max = 0;
    CHECK(tac_solve_choose_k(ctx, points, weight, spread, 6, 2, &opts, curve, &k) ==
              TACIT_E_ARGUMENT,
          "no center");
}

/* Beyond 64 the curve is not asked everywhere; the answer still is where it is highest. */
static void many(void)
{
    enum { K = 81, EACH = 3, N = K * EACH, D = 4, MOST = 200 };
    double points[N * D], weight[N], spread[N], curve[MOST];
    const tac_choose_k opts = {.k_max = MOST, .seed = 2};
    int32_t k = -1;
    bool finite = true;

    for (int i = 0; i < N; i++) {
        weight[i] = 50 + 50 * uniform();
        spread[i] = 4 * 0.03 * 0.03;
        for (int j = 0; j < D; j++)
            points[i * D + j] = (int)(i % K / pow(3, j)) % 3 + 0.03 * normal();
    }
    MUST(tac_solve_choose_k(ctx, points, weight, spread, N, D, &opts, curve, &k) == TACIT_OK);
    for (int i = 0; i < MOST; i++)
        finite = finite && isfinite(curve[i]) && curve[i] <= curve[k - 1];
    CHECK(k == K && finite, "81 blobs of 3 cells: %d", k);
}

int main(void)
{
    static const int32_t dims[] = {2, 5, 10, 20}, counts[] = {2, 3, 7, 20};
    static const char *const names[] = {"Gaussian", "box", "long Gaussian"};
    double curve[30];

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    for (shape kind = ROUND; kind <= LONG; kind++)
        for (int i = 0; i < 4; i++)
            for (int noisy = 0; noisy < 2; noisy++) {
                const int32_t k =
                    chosen(kind, dims[i], 1, 1, noisy ? 15 : 0, (uint64_t)i + 1, curve);
                CHECK(k == 1, "one %s in %d dimensions%s: %d (%.3f; 1: %.3f)", names[kind], dims[i],
                      noisy ? ", noise" : "", k, curve[k == 1 ? 1 : k - 1], curve[0]);
            }
    for (int b = 0; b < 4; b++)
        for (int i = 0; i < 4; i++) {
            if (counts[b] > 9 && dims[i] == 2) continue; /* the plane has 9 places */
            const int32_t k = chosen(BLOBS, dims[i], counts[b], 0.1, 10, (uint64_t)i + 1, curve);
            CHECK(k == counts[b], "%d blobs in %d dimensions: %d (%.3f; 1: %.3f)", counts[b],
                  dims[i], k, curve[k - 1], curve[0]);
        }
    many();
    degenerate();
    tacit_ctx_free(ctx);
    return tap_done();
}
