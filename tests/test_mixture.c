/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic rows: the same for a seed, in the box, with the clusters that were asked for. */
#include "core/core.h"
#include "tap.h"

#include <math.h>

static tacit_ctx *ctx;

static bool refused(int64_t rows, int32_t columns, int32_t clusters, double spread,
                    const char *word)
{
    tacit_synthetic_mixture_opts opts;
    double *values = (double *)ctx;
    int32_t *labels = (int32_t *)ctx;

    tacit_synthetic_mixture_opts_init(&opts, sizeof opts);
    opts.rows = rows;
    opts.columns = columns;
    opts.clusters = clusters;
    opts.spread = spread;
    const tacit_status status = tacit_synthetic_mixture(ctx, &opts, &values, &labels);
    return status == TACIT_E_ARGUMENT && values == NULL && labels == NULL &&
           strstr(tacit_ctx_message(ctx), word) != NULL;
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    tacit_synthetic_mixture_opts opts;
    double *values = NULL, *again = NULL;
    int32_t *labels = NULL, *labels_again = NULL;

    tacit_synthetic_mixture_opts_init(&opts, sizeof opts);
    opts.rows = 20000;
    opts.columns = 3;
    opts.clusters = 7;
    opts.seed = 42;
    MUST(tacit_synthetic_mixture(ctx, &opts, &values, &labels) == TACIT_OK);
    MUST(tacit_synthetic_mixture(ctx, &opts, &again, &labels_again) == TACIT_OK);
    const size_t bytes = (size_t)opts.rows * 3 * sizeof *values;
    CHECK(memcmp(values, again, bytes) == 0 &&
              memcmp(labels, labels_again, (size_t)opts.rows * sizeof *labels) == 0,
          "a seed gives the same rows");
    tacit_free(again);
    tacit_free(labels_again);
    opts.seed = 43;
    MUST(tacit_synthetic_mixture(ctx, &opts, &again, &labels_again) == TACIT_OK);
    CHECK(memcmp(values, again, bytes) != 0, "another seed gives others");
    tacit_free(again);
    tacit_free(labels_again);

    /* Sizes, means and spreads; the bounds are many standard errors wide. */
    int64_t size[7] = {0}, total = 0;
    double mean[7][3] = {{0}}, square[7][3] = {{0}};
    bool inside = true, known = true, near_equal = true, spread = true, apart = true;
    for (int64_t i = 0; i < opts.rows; i++) {
        if (labels[i] < 0 || labels[i] >= 7)
            known = false;
        else
            size[labels[i]]++;
        for (int j = 0; known && j < 3; j++) {
            const double x = values[i * 3 + j];
            inside = inside && x >= 0 && x <= 1;
            mean[labels[i]][j] += x;
            square[labels[i]][j] += x * x;
        }
    }
    MUST(known);
    for (int c = 0; c < 7; c++) {
        total += size[c];
        const double share = (double)size[c] * 7 / (double)opts.rows;
        near_equal = near_equal && share > 0.64 && share < 1.55;
        for (int j = 0; j < 3; j++) {
            mean[c][j] /= (double)size[c];
            const double sd = sqrt(square[c][j] / (double)size[c] - mean[c][j] * mean[c][j]);
            /* 0.05, a little less where the wall clips */
            spread = spread && sd > 0.045 && sd < 0.055;
        }
        for (int other = 0; other < c; other++)
            apart = apart && hypot(hypot(mean[c][0] - mean[other][0], mean[c][1] - mean[other][1]),
                                   mean[c][2] - mean[other][2]) > 0.25;
    }
    CHECK(inside, "inside the box");
    CHECK(total == opts.rows && near_equal, "sizes add up and are nearly equal");
    CHECK(size[0] != size[1] || size[1] != size[2], "but not quite");
    CHECK(spread, "the spread that was asked for");
    CHECK(apart, "clusters stand apart");
    int changes = 0;
    for (int64_t i = 1; i < 1000; i++) changes += labels[i] != labels[i - 1];
    CHECK(changes > 700, "rows are in no order");
    tacit_free(values);
    tacit_free(labels);

    /* One row per cluster; no spread; a spread that clips; one of everything. */
    opts.rows = opts.clusters = 50;
    opts.spread = 1;
    MUST(tacit_synthetic_mixture(ctx, &opts, &values, &labels) == TACIT_OK);
    int64_t sum = 0;
    inside = true;
    for (int i = 0; i < 50; i++) sum += labels[i];
    for (int i = 0; i < 150; i++) inside = inside && values[i] >= 0 && values[i] <= 1;
    CHECK(sum == 49 * 50 / 2 && inside, "as many clusters as rows, clipped");
    tacit_free(values);
    tacit_free(labels);
    opts.rows = opts.clusters = opts.columns = 1;
    opts.spread = 0;
    CHECK(tacit_synthetic_mixture(ctx, &opts, &values, &labels) == TACIT_OK && labels[0] == 0 &&
              values[0] >= 0 && values[0] <= 1,
          "one row");
    tacit_free(values);
    tacit_free(labels);

    CHECK(refused(0, 1, 1, 0.1, "rows") && refused(-5, 1, 1, 0.1, "rows"), "no rows: refused");
    CHECK(refused(5, 0, 1, 0.1, "columns") && refused(5, -1, 1, 0.1, "columns"), "no columns: "
                                                                                 "refused");
    CHECK(refused(5, 1, 0, 0.1, "clusters") && refused(5, 1, -1, 0.1, "clusters"), "no clusters: "
                                                                                   "refused");
    CHECK(refused(5, 1, 6, 0.1, "clusters"), "more clusters than rows: refused");
    CHECK(refused(5, 1, 1, -0.1, "spread") && refused(5, 1, 1, NAN, "spread") &&
              refused(5, 1, 1, 2, "spread"),
          "a spread that is none: refused");
    opts.rows = INT64_MAX;
    CHECK(tacit_synthetic_mixture(ctx, &opts, &values, &labels) == TACIT_E_MEMORY && values == NULL,
          "too many rows to hold");
    opts.size = sizeof opts + 8;
    CHECK(tacit_synthetic_mixture(ctx, &opts, &values, &labels) == TACIT_E_ARGUMENT, "options from "
                                                                                     "the future");
    CHECK(tacit_synthetic_mixture(ctx, NULL, &values, &labels) == TACIT_E_ARGUMENT, "no options");
    tacit_synthetic_mixture_opts_init(&opts, sizeof opts);
    tacit_ctx_cancel(ctx);
    CHECK(tacit_synthetic_mixture(ctx, &opts, &values, &labels) == TACIT_E_CANCELLED &&
              values == NULL,
          "canceled");
    tacit_ctx_free(ctx);
    return tap_done();
}
