/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of k-means and k-median on rows in memory whose columns are declared from 0 to 1. */
#ifndef TAC_BOXED_RUNS_H
#define TAC_BOXED_RUNS_H

#include "core/core.h"
#include "tap.h"

static tacit_ctx *ctx;

static tacit_budget budget_of(double epsilon, double delta)
{
    tacit_budget b;
    tacit_budget_init(&b, sizeof b);
    b.epsilon = epsilon;
    b.delta = delta;
    b.use_insecure_test_seed = 1;
    b.insecure_test_seed = 7;
    return b;
}

static tacit_data *boxed(const double *rows, int64_t n, int32_t d)
{
    tacit_data *data = NULL;
    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, n, d, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    return data;
}

static tacit_model *fit(const double *rows, int64_t n, int32_t d, const tacit_budget *b,
                        const tacit_kmeans_opts *o, bool median)
{
    tacit_data *data = boxed(rows, n, d);
    tacit_model *model = NULL;
    if ((median ? tacit_kmedian_run : tacit_kmeans_run)(ctx, data, b, o, &model) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    MUST(model != NULL);
    tacit_data_free(data);
    return model;
}

static char *json(const tacit_model *model)
{
    char *text = NULL;
    MUST(tacit_model_json(ctx, model, &text) == TACIT_OK);
    return text;
}

/* Do 1, 2, 3, 5 and 7 threads, three block sizes and two row orders give one release, byte for
   byte? */
static bool one_release(const double *rows, int64_t n, int32_t d, const tacit_budget *b,
                        const tacit_kmeans_opts *o, bool median)
{
    const int threads[] = {1, 2, 3, 5, 7};
    const int64_t blocks[] = {1 << 18, 1 << 12, 77};
    const size_t size = sizeof *rows * (size_t)d;
    double *walked = malloc((size_t)n * size);
    char *first = NULL;
    bool same = true;

    for (int turn = 0; turn < 30; turn++) {
        /* a walk through all rows in another order: n is no multiple of 7919, a prime */
        const int64_t step = turn < 15 ? 1 : 7919;
        for (int64_t i = 0; i < n; i++) memcpy(walked + i * d, rows + i * step % n * d, size);
        ctx->threads = threads[turn % 5];
        ctx->block_bytes = blocks[turn / 5 % 3];
        tacit_model *model = fit(walked, n, d, b, o, median);
        char *text = json(model);
        if (first == NULL) first = text;
        same = same && strcmp(first, text) == 0;
        if (first != text) tacit_free(text);
        tacit_model_free(model);
    }
    ctx->threads = 2;
    ctx->block_bytes = 1 << 18;
    tacit_free(first);
    free(walked);
    return same;
}

#endif
