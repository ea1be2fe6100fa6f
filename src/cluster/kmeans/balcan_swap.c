/* SPDX-License-Identifier: Apache-2.0 */
/* Private local search among the candidates: Algorithm 3 (localswap), with "change nothing" among the choices.

   With practical constants the search starts from plain k-means on the candidates and their noisy counts, which are
   released already; the paper's theorem starts anywhere. */
#include "cluster/kmeans/balcan.h"
#include "solve/kmeans.h"

#include <math.h>
#include <string.h>

#define RESTARTS 20
#define ITERATIONS 50

/* The search begins at k candidates drawn uniformly, as in the paper. */
static void start_anywhere(tac_balcan *b)
{
    const size_t dims = (size_t)b->dims;

    for (int32_t c = 0; c < b->plan.k; c++) {
        const size_t y = (size_t)tac_below(b->job->random, (uint64_t)b->many);
        memcpy(b->centers + (size_t)c * dims, b->candidate + y * dims, dims * sizeof *b->centers);
    }
}

/* Plain k-means on the synopsis: cubes with the noisy number of rows that no active child of theirs holds. */
static tacit_status start_from_counts(tac_balcan *b)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = b->job->ctx;
    const size_t numbers = (size_t)b->many * (size_t)b->dims, wanted = (size_t)b->plan.k * (size_t)b->dims;
    double *points = NULL, *weight = NULL, *centers = NULL, cost;

    TAC_TRY(tac_new(ctx, numbers, sizeof *points, &points));
    TAC_TRY(tac_new(ctx, (size_t)b->many, sizeof *weight, &weight));
    TAC_TRY(tac_new(ctx, wanted, sizeof *centers, &centers));
    for (size_t i = 0; i < numbers; i++) points[i] = b->candidate[i];
    for (int32_t i = 0; i < b->many; i++) weight[i] = fmax(0, b->weight[i]);
    TAC_TRY(tac_solve_kmeans(ctx, points, weight, b->many, b->dims,
                             &(tac_plain_kmeans){.k = b->plan.k, .restarts = RESTARTS, .iterations = ITERATIONS,
                                                 .tolerance = 1e-4, .seed = tac_word(b->job->random)},
                             centers, &cost, NULL));
    tac_round_points(centers, wanted, b->centers);
done:
    tac_free(points);
    tac_free(weight);
    tac_free(centers);
    return status;
}

tacit_status tac_balcan_swap(tac_balcan *b, uint64_t units, uint64_t last)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)b->dims;
    tac_swap ask = {.view = TAC_SHADOW, .median = b->job->median, .centers = b->centers, .k = b->plan.k,
                    .candidates = b->candidate, .m = b->many};
    int32_t out, in;

    (void)last;
    if (b->plan.theory) start_anywhere(b);
    else TAC_TRY(start_from_counts(b));
    for (int32_t t = 0; t < b->plan.swaps; t++) {
        tac_show_progress(b->job->ctx, "local search", (double)t / b->plan.swaps);
        TAC_TRY(tac_door_swap(b->job->door, "swap of a centre", units / (uint64_t)b->plan.swaps, &ask, &out, &in));
        if (out >= 0) memcpy(b->centers + (size_t)out * dims, b->candidate + (size_t)in * dims, dims * sizeof *b->centers);
    }
done:
    return status;
}
