/* SPDX-License-Identifier: Apache-2.0 */
/* Private local search among the candidates: Algorithm 3 (localswap), with "change nothing" among
   the choices.

   With practical constants the search starts from plain k-means on the candidates and their noisy
   counts, which are released already, and ends where it is; the theorem's search starts anywhere
   and then chooses one of its steps. */
#include "cluster/kmeans/literature/balcan/balcan.h"
#include "solve/kmeans/plain_kmeans.h"
#include "solve/kmeans/kmedian.h"

#include <math.h>
#include <string.h>

#define RESTARTS 20
#define ITERATIONS 50
#define TRIES 100 /* plain swaps on the synopsis */
/* of steps to choose from: beyond it only every second, third, ... step is kept */
#define KEPT_BYTES 0x1p28

/* k candidates drawn uniformly at random. */
static void start_anywhere(tac_balcan *b)
{
    const size_t dims = (size_t)b->dims;

    for (int32_t c = 0; c < b->plan.k; c++) {
        const size_t y = (size_t)tac_below(b->job->random, (uint64_t)b->many);
        memcpy(b->centers + (size_t)c * dims, b->candidate + y * dims, dims * sizeof *b->centers);
    }
}

/* Plain clustering of the synopsis: cubes with the noisy number of rows that no active child of
   theirs holds. */
static tacit_status start_from_counts(tac_balcan *b)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = b->job->ctx;
    const size_t numbers = (size_t)b->many * (size_t)b->dims,
                 wanted = (size_t)b->plan.k * (size_t)b->dims;
    const tac_plain_kmeans opts = {.k = b->plan.k,
                                   .restarts = RESTARTS,
                                   .iterations = ITERATIONS,
                                   .tolerance = 1e-4,
                                   .swaps = TRIES,
                                   .seed = tac_word(b->job->random)};
    double *points = NULL, *weight = NULL, *centers = NULL, cost;

    TAC_TRY(tac_new(ctx, numbers, sizeof *points, &points));
    TAC_TRY(tac_new(ctx, (size_t)b->many, sizeof *weight, &weight));
    TAC_TRY(tac_new(ctx, wanted, sizeof *centers, &centers));
    for (size_t i = 0; i < numbers; i++) points[i] = b->candidate[i];
    for (int32_t i = 0; i < b->many; i++) weight[i] = fmax(0, b->weight[i]);
    TAC_TRY((b->job->median ? tac_solve_kmedian : tac_solve_kmeans)(
        ctx, points, weight, b->many, b->dims, &opts, centers, &cost, NULL));
    tac_round_points(centers, wanted, b->centers);
done:
    tac_free(points);
    tac_free(weight);
    tac_free(centers);
    return status;
}

/* Every step, or every second, third, ... one if there are very many. */
typedef struct steps {
    int16_t *kept;
    int32_t many, every;
} steps;

static tacit_status make_room(tac_balcan *b, steps *s)
{
    const double each = (double)b->plan.k * b->dims * sizeof *s->kept;

    if (b->plan.last_swap == 0) return TACIT_OK;
    s->every = (int32_t)fmax(1, ceil(each * b->plan.swaps / KEPT_BYTES));
    return tac_new(b->job->ctx, (size_t)each * (size_t)(b->plan.swaps / s->every + 1), 1, &s->kept);
}

/* Each swap is one draw by the exponential mechanism among all pairs (center, candidate) and
   "change nothing". With the constants of the theorems a last draw chooses among the steps. */
tacit_status tac_balcan_swap(tac_balcan *b)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)b->dims, set = (size_t)b->plan.k * dims;
    const tac_swap ask = {.view = TAC_PROJECTED,
                          .median = b->job->median,
                          .centers = b->centers,
                          .k = b->plan.k,
                          .candidates = b->candidate,
                          .m = b->many};
    steps s = {0};
    int32_t out, in, chosen;

    if (b->plan.theory)
        start_anywhere(b);
    else
        TAC_TRY(start_from_counts(b));
    TAC_TRY(make_room(b, &s));
    for (int32_t t = 0; t < b->plan.swaps; t++) {
        tac_show_progress(b->job->ctx, "local search", (double)t / b->plan.swaps);
        TAC_TRY(tac_door_swap(b->job->door, "swap of a center", tac_balcan_swap_quanta(&b->plan),
                              &ask, &out, &in));
        if (out >= 0)
            memcpy(b->centers + (size_t)out * dims, b->candidate + (size_t)in * dims,
                   dims * sizeof *b->centers);
        if (s.kept != NULL && t % s.every == 0)
            memcpy(s.kept + set * (size_t)s.many++, b->centers, set * sizeof *s.kept);
    }
    if (s.many == 0) goto done;
    TAC_TRY(tac_door_choose(b->job->door, "one of the steps",
                            b->plan.last_swap / (uint64_t)b->plan.trials,
                            &(tac_choice){.view = TAC_PROJECTED,
                                          .median = b->job->median,
                                          .candidates = s.kept,
                                          .m = s.many,
                                          .k = b->plan.k},
                            &chosen));
    memcpy(b->centers, s.kept + set * (size_t)chosen, set * sizeof *b->centers);
done:
    tac_free(s.kept);
    return status;
}
