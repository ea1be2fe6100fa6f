/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters made to measure, one call that fits them, and what is looked at in a result. */
#ifndef TAC_TEST_FITS_H
#define TAC_TEST_FITS_H

#include "mixed_dice.h"
#include "release/model.h"
#include "tap.h"

#include <math.h>

static tacit_ctx *ctx;

/* k round clusters in [0, 1]^d: centers at random, not near each other, rows in turn. */
static double *mixture(int64_t n, int32_t d, int32_t k, double spread, uint64_t seed,
                       double *center)
{
    double *rows = malloc((size_t)(n < 1 ? 1 : n) * (size_t)d * sizeof *rows);

    dice = seed;
    for (int32_t c = 0; c < k; c++)
        for (int tries = 0; tries < 1000; tries++) {
            double nearest = INFINITY;
            for (int32_t j = 0; j < d; j++) center[c * d + j] = 0.1 + 0.8 * uniform();
            for (int32_t o = 0; o < c; o++) {
                double far = 0;
                for (int32_t j = 0; j < d; j++)
                    far += pow(center[c * d + j] - center[o * d + j], 2);
                nearest = fmin(nearest, far);
            }
            if (nearest > pow(8 * spread, 2) * d) break;
        }
    for (int64_t i = 0; i < n; i++)
        for (int32_t j = 0; j < d; j++) rows[i * d + j] = center[i % k * d + j] + spread * normal();
    return rows;
}

typedef struct ask {
    int32_t k, k_max, rounds;
    double epsilon, delta; /* 0: 1e-6, unless pure */
    bool pure;
    uint64_t seed;
    bool median;
    int threads;
    tacit_neighbors neighbors;
    const char *bounds;
    tacit_kmeans_method method; /* 0: the default */
} ask;

__attribute__((unused)) static tacit_model *fit(const double *rows, int64_t n, int32_t d, ask a)
{
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_budget b;
    tacit_kmeans_opts o;

    tacit_budget_init(&b, sizeof b);
    tacit_kmeans_opts_init(&o, sizeof o);
    b.epsilon = a.epsilon;
    b.delta = a.pure ? 0 : a.delta == 0 ? 1e-6 : a.delta;
    b.neighbors = a.neighbors;
    b.use_insecure_test_seed = 1;
    b.insecure_test_seed = a.seed;
    o.k = a.k;
    o.k_max = a.k_max;
    o.rounds = a.rounds;
    if (a.method != 0) o.method = a.method;
    MUST(tacit_ctx_set_threads(ctx, a.threads > 0 ? a.threads : 2) == TACIT_OK);
    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, n, d, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, a.bounds != NULL ? a.bounds : "0:1") == TACIT_OK);
    if ((a.median ? tacit_kmedian_run(ctx, data, &b, &o, &model)
                  : tacit_kmeans_run(ctx, data, &b, &o, &model)) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    tacit_data_free(data);
    return model;
}

/* Sum over the rows of the squared distance to the nearest center. */
__attribute__((unused)) static double cost(const tacit_model *m, const double *rows, int64_t n,
                                           int32_t d)
{
    const double *c = tacit_model_centers(m);
    double all = 0;

    for (int64_t i = 0; i < n; i++) {
        double nearest = INFINITY;
        for (int32_t o = 0; o < tacit_model_k(m); o++) {
            double far = 0;
            for (int32_t j = 0; j < d; j++) far += pow(rows[i * d + j] - c[o * d + j], 2);
            nearest = fmin(nearest, far);
        }
        all += nearest;
    }
    return all;
}

/* The largest distance of a true center from the nearest found one. */
__attribute__((unused)) static double worst(const tacit_model *m, const double *center, int32_t k,
                                            int32_t d)
{
    const double *found = tacit_model_centers(m);
    double most = 0;

    for (int32_t c = 0; c < k; c++) {
        double nearest = INFINITY;
        for (int32_t o = 0; o < tacit_model_k(m); o++) {
            double far = 0;
            for (int32_t j = 0; j < d; j++) far += pow(center[c * d + j] - found[o * d + j], 2);
            nearest = fmin(nearest, far);
        }
        most = fmax(most, sqrt(nearest));
    }
    return most;
}

/* Of the centers that repeat no other: how many are further from the mean of the rows nearest to
   them than `times` their error bars, both over all columns; all: how many there are. */
__attribute__((unused)) static int32_t missed(const tacit_model *m, const double *rows, int64_t n,
                                              int32_t d, double times, int32_t *all)
{
    const int32_t k = tacit_model_k(m);
    const double *center = tacit_model_centers(m), *sd = tacit_model_centers_sd(m);
    double *sum = calloc((size_t)k * (size_t)(d + 1), sizeof *sum);
    int32_t wrong = 0;

    for (int64_t i = 0; i < n; i++) {
        double least = INFINITY;
        int32_t at = 0;
        for (int32_t c = 0; c < k; c++) {
            double far = 0;
            for (int32_t j = 0; j < d; j++) far += pow(rows[i * d + j] - center[c * d + j], 2);
            if (far < least) least = far, at = c;
        }
        for (int32_t j = 0; j < d; j++) sum[at * (d + 1) + j] += rows[i * d + j];
        sum[at * (d + 1) + d] += 1;
    }
    for (int32_t c = 0; c < k; c++) {
        const double *s = sum + c * (d + 1);
        double far = 0, bars = 0;
        if (s[d] == 0) continue;
        for (int32_t j = 0; j < d; j++) {
            far += pow(s[j] / s[d] - center[c * d + j], 2);
            bars += pow(sd[c * d + j], 2);
        }
        wrong += far > times * times * bars;
        ++*all;
    }
    free(sum);
    return wrong;
}

__attribute__((unused)) static bool sane(const tacit_model *m, int32_t k, int32_t d)
{
    if (m == NULL || tacit_model_k(m) != k) return false;
    for (int32_t i = 0; i < k * d; i++) {
        const double x = tacit_model_centers(m)[i], sd = tacit_model_centers_sd(m)[i];
        if (!(x >= -1e-9 && x <= 1 + 1e-9) || !(sd >= 0) || isinf(sd)) return false;
    }
    for (int32_t c = 0; c < k; c++)
        if (!isfinite(tacit_model_sizes(m)[c])) return false;
    return isfinite(tacit_model_sizes_sd(m));
}

__attribute__((unused)) static char *json(const tacit_model *m)
{
    char *text = NULL;
    MUST(m != NULL && tacit_model_json(ctx, m, &text) == TACIT_OK);
    return text;
}

#endif
