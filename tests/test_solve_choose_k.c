/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of k: Ward's tree, variances and silhouettes with known answers; separated blobs get
   their number and sets without groups 1, also through noise, against boxes that were made into
   cells the same way; what noise may hide is not told. */
#include "plain_sets.h"
#include "solve/kmeans/choose_k.h"
#include "solve/kmeans/plain_kmeans.h"
#include "solve/kmeans/ward.h"

enum { ROWS = 6000, CELLS = 120, MOST_K = 30, NULLS = 5, MOST_D = 20 };

typedef struct cells {
    double points[CELLS * MOST_D], weight[CELLS], spread[CELLS], reach[CELLS];
    tac_k_cells k;
} cells;

/* Cells of the rows, made by a few Lloyd steps, with noise on weights and points as a release has
   it: a stand-in for the mechanism. */
static void make_cells(const double *rows, int32_t d, double noise, cells *out)
{
    const tac_plain_kmeans opts = {.k = CELLS, .restarts = 1, .iterations = 3, .seed = 5};
    int32_t *label = need(ROWS, sizeof *label);
    double cost;

    memset(out, 0, sizeof *out);
    MUST(tac_solve_kmeans(ctx, rows, NULL, ROWS, d, &opts, out->points, &cost, label) == TACIT_OK);
    for (int i = 0; i < ROWS; i++) {
        out->weight[label[i]] += 1;
        for (int32_t j = 0; j < d; j++)
            out->spread[label[i]] += pow(rows[i * d + j] - out->points[label[i] * d + j], 2);
    }
    for (int32_t c = 0; c < CELLS; c++) {
        out->spread[c] /= fmax(1, out->weight[c]);
        out->reach[c] = 1.3 * sqrt(out->spread[c]);
        out->weight[c] = fmax(out->weight[c] + noise * normal(), 0.1);
        for (int32_t j = 0; j < d; j++)
            out->points[c * d + j] +=
                noise * out->reach[c] / fmax(out->weight[c], noise) * normal();
    }
    out->k = (tac_k_cells){.n = CELLS,
                           .d = d,
                           .points = out->points,
                           .weight = out->weight,
                           .spread = out->spread,
                           .reach = out->reach,
                           .weight_sd = noise,
                           .point_sd = noise};
    tac_free(label);
}

typedef enum shape { ROUND, BOX, LONG, BLOBS } shape;

static tac_k_choice chosen(shape kind, int32_t d, int32_t k, double sd, double noise, uint64_t seed,
                           double *curve)
{
    double *rows = need(ROWS * d, sizeof *rows), *middle = need((int64_t)k * d, sizeof *middle);
    double variance[MOST_D], score[MOST_K + 1], null[NULLS * (MOST_K + 1)];
    bool wanted[MOST_K + 1];
    tac_k_choice out;
    static cells own, made;

    state = seed;
    /* corners of a cube, and its faces for the digit 2: far from one another */
    for (int32_t c = 0; c < k; c++)
        for (int32_t j = 0; j < d; j++) middle[c * d + j] = (int)(c / pow(3, j % 4)) % 3;
    for (int i = 0; i < ROWS; i++)
        for (int32_t j = 0; j < d; j++)
            rows[i * d + j] = kind == BOX    ? uniform()
                              : kind == LONG ? normal() * pow(2, -j)
                                             : middle[i % k * d + j] + sd * normal();
    make_cells(rows, d, noise, &own);
    tac_k_grid(MOST_K, wanted);
    MUST(tac_k_silhouettes(ctx, &own.k, MOST_K, wanted, score) == TACIT_OK);
    MUST(tac_k_variances(ctx, &own.k, 0, variance) == TACIT_OK);
    for (int b = 0; b < NULLS; b++) {
        for (int i = 0; i < ROWS * d; i++)
            rows[i] = (2 * uniform() - 1) * sqrt(3 * variance[i % d]);
        make_cells(rows, d, noise, &made);
        MUST(tac_k_silhouettes(ctx, &made.k, MOST_K, wanted, null + b * (MOST_K + 1)) == TACIT_OK);
    }
    MUST(tac_k_decide(ctx, score, null, NULLS, MOST_K, curve, &out) == TACIT_OK);
    tac_free(rows);
    tac_free(middle);
    return out;
}

/* Points on a line: 0, 1, 5, 5.1 and a heavy one at 20. */
static void test_ward(void)
{
    double points[] = {0, 1, 5, 5.1, 20}, weight[] = {1, 1, 2, 2, 100};
    tac_join join[4];
    int32_t joins;

    MUST(tac_ward(ctx, points, weight, 5, 1, join, &joins) == TACIT_OK);
    CHECK(joins == 4 && join[0].into == 2 && join[0].from == 3 && join[1].into == 0 &&
              join[1].from == 1 && join[2].into == 0 && join[2].from == 2,
          "Ward joins the cheapest pair first");
    CHECK(fabs(points[0] - (1 + 2 * 5 + 2 * 5.1 + 2000) / 106) < 1e-9 && weight[0] == 106,
          "... and ends with the mean of all");
    CHECK(tac_ward_price((double[]){0, 0}, (double[]){3, 4}, 2, 6, 2) == 37.5, "price: w v / (w + "
                                                                               "v) |x - y|^2");
}

static void test_variances(void)
{
    const double points[] = {-10, 0, 10, 0}, weight[] = {50, 50}, spread[] = {8, 8},
                 reach[] = {5, 5};
    const tac_k_cells c = {.n = 2,
                           .d = 2,
                           .points = points,
                           .weight = weight,
                           .spread = spread,
                           .reach = reach,
                           .weight_sd = 1,
                           .point_sd = 10};
    double out[2];

    /* noise of a coordinate: (10 * 5 / 50)^2 = 1; spread: 4 on each axis */
    MUST(tac_k_variances(ctx, &c, 0, out) == TACIT_OK);
    CHECK(fabs(out[0] - 103) < 1e-9 && fabs(out[1] - 3) < 1e-9, "variances: of the points, less "
                                                                "their noise, and the spread on "
                                                                "every axis");
    MUST(tac_k_variances(ctx, &c, 126, out) == TACIT_OK);
    CHECK(fabs(out[0] - 113) < 1e-9 && fabs(out[1] - 13) < 1e-9, "... what the cells miss of the "
                                                                 "total is shared");
}

/* Two pairs of cells far apart, and one cell alone further off. */
static void test_score(void)
{
    const double points[] = {0, 1, 100, 101, 3000}, spread[5] = {0}, reach[5] = {0};
    double weight[] = {10, 10, 10, 10, 10}, score[6];
    bool wanted[6];
    tac_k_cells c = {
        .n = 5, .d = 1, .points = points, .weight = weight, .spread = spread, .reach = reach};

    tac_k_grid(5, wanted);
    MUST(tac_k_silhouettes(ctx, &c, 5, wanted, score) == TACIT_OK);
    const double pair = 0.5 / 99.5 + 0.5 / 100.5;
    CHECK(fabs(score[3] - (1 - (2 * pair) / 5)) < 1e-4, "silhouette of three groups: %.5f",
          score[3]);
    CHECK(score[3] > score[2] && fabs(score[5] - 1) < 1e-9 && isnan(score[0]) && isnan(score[1]),
          "... above two; 1 where every cell has its own");
    for (int i = 0; i < 4; i++) weight[i] = 50;
    c.weight_sd = 4;
    MUST(tac_k_silhouettes(ctx, &c, 5, wanted, score) == TACIT_OK);
    CHECK(!(score[2] > 0) && score[3] > 0.9,
          "a light cell far off that noise may have made is no group (%.3f, %.3f)", score[2],
          score[3]);
    c.weight_sd = 6;
    MUST(tac_k_silhouettes(ctx, &c, 5, wanted, score) == TACIT_OK);
    CHECK(isnan(score[5]) && !isnan(score[4]), "cells below two standard deviations are joined");
    for (int i = 0; i < 5; i++) weight[i] = 1 + i;
    c.weight_sd = 1e30;
    MUST(tac_k_silhouettes(ctx, &c, 5, wanted, score) == TACIT_OK);
    CHECK(isnan(score[3]), "all is noise: no three groups");
}

static void test_decide(void)
{
    enum { K = 6, B = 4 };
    double own[K + 1] = {NAN, NAN, 0.6, 0.8, 0.7, 0.6, NAN}, null[B * (K + 1)], curve[K];
    tac_k_choice c;

    for (int b = 0; b < B; b++)
        for (int k = 0; k <= K; k++) null[b * (K + 1) + k] = k < 2 ? NAN : 0.5;
    MUST(tac_k_decide(ctx, own, null, B, K, curve, &c) == TACIT_OK);
    CHECK(c.k == 3 && c.best == 3 && fabs(c.strength - 0.6) < 1e-9 && c.low == 3 && c.high == 3 &&
              c.needed == TAC_K_FLOOR && c.seen == 5,
          "far above the boxes: chosen");
    CHECK(curve[0] == 0 && fabs(curve[1] - 0.2) < 1e-9 && fabs(curve[2] - 0.6) < 1e-9 &&
              curve[5] == 0,
          "the curve is the strength, 0 at 1 and beyond what was seen");
    own[4] = 0.79;
    own[3] = NAN;
    own[2] = 0.785;
    MUST(tac_k_decide(ctx, own, null, B, K, curve, &c) == TACIT_OK);
    CHECK(c.best == 4 && c.low == 2 && c.high == 4 &&
              fabs(curve[2] - (curve[1] + curve[3]) / 2) < 1e-9,
          "near-equals, and a line between what was seen");
    own[2] = own[4] = own[5] = 0.54;
    MUST(tac_k_decide(ctx, own, null, B, K, curve, &c) == TACIT_OK);
    CHECK(c.k == 1 && c.best > 1 && c.strength < c.needed, "a little above the boxes: 1");
    own[4] = 0.8;
    for (int b = 0; b < B; b++) null[b * (K + 1) + 4] = b == 0 ? 0.9 : 0.5;
    MUST(tac_k_decide(ctx, own, null, B, K, curve, &c) == TACIT_OK);
    CHECK(c.k == 1 && c.needed > 0.5, "boxes that differ as much by noise: 1 (%.2f needed)",
          c.needed);
    for (int k = 0; k <= K; k++) own[k] = NAN;
    MUST(tac_k_decide(ctx, own, null, B, K, curve, &c) == TACIT_OK);
    CHECK(c.k == 1 && c.best == 1 && c.seen == 1 && c.needed == 1, "nothing to compare: 1");
}

int main(void)
{
    static const int32_t dims[] = {2, 5, 10, 20}, counts[] = {2, 3, 7, 20};
    static const char *const names[] = {"Gaussian", "box", "long Gaussian"};
    double curve[MOST_K];

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_ward();
    test_variances();
    test_score();
    test_decide();
    for (shape kind = ROUND; kind <= LONG; kind++)
        for (int i = 0; i < 4; i++)
            for (int noisy = 0; noisy < 2; noisy++) {
                const tac_k_choice c =
                    chosen(kind, dims[i], 1, 1, noisy ? 10 : 0, (uint64_t)i + 1, curve);
                CHECK(c.k == 1, "one %s in %d dimensions%s: %d (%d: %.3f; needed %.3f)",
                      names[kind], dims[i], noisy ? ", noise" : "", c.k, c.best, c.strength,
                      c.needed);
            }
    for (int b = 0; b < 4; b++)
        for (int i = 0; i < 4; i++) {
            if (counts[b] > 9 && dims[i] == 2) continue; /* the plane has 9 places */
            const tac_k_choice c =
                chosen(BLOBS, dims[i], counts[b], 0.1, 10, (uint64_t)i + 1, curve);
            CHECK(c.k == counts[b] && c.low <= c.k && c.high >= c.k,
                  "%d blobs in %d dimensions: %d (%.3f; needed %.3f)", counts[b], dims[i], c.k,
                  c.strength, c.needed);
        }
    tacit_ctx_free(ctx);
    return tap_done();
}
