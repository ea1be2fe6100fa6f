/* SPDX-License-Identifier: Apache-2.0 */
/* Recovery for k-median. The paper draws each 1-median by log-concave sampling, a chain that is
   private only once it has mixed. We take noisy Weiszfeld steps instead, each plain noise on a
   bounded sum:
     c <- c + r S / W, S = sum of w(x) (x - c) / r, W = sum of w(x), w(x) = min(1, r / |x - c|)
   over the rows of c's cell. Every row adds a vector of length at most 1 and a weight of at most
   1, whatever the domain, so the sensitivity is bounded. */
#include "cluster/kmeans/literature/balcan/balcan.h"
#include "cluster/kmeans/literature/lloyd/lloyd.h"
#include "cluster/kmeans/spread_centers.h"

#include <math.h>
#include <string.h>

#define MEANS 0.35     /* share for the noisy means that the steps begin with */
#define SIZES 0.05     /* how many rows each center serves in the end */
#define HISTOGRAM 0.08 /* of a step: how far rows are from their center */
#define COUNT_PART 0.3 /* weight of W beside S */
#define QUANTILE 0.5
#define STEP_MOST 1.0 /* radii */
#define GRID 64

typedef struct steps {
    tac_balcan *b;
    tac_kmeans_result *out;
    int32_t k, columns;
    int16_t *rounded;
    double *radius;
    tac_i128 *weight, *sum;
    int64_t *size;
} steps;

static tac_cells cells_of(const steps *s)
{
    return (tac_cells){.kind = TAC_NEAREST, .view = TAC_ROWS, .count = s->k, .centers = s->rounded};
}

/* g r S / W with g = 1 - E|noise|^2 / |S|^2: a step that noise alone explains is not made. */
static void move(steps *s, int32_t c, const tac_local_parts *parts, double sd)
{
    const size_t d = (size_t)s->columns;
    const tac_i128 *sum = s->sum + (size_t)c * d;
    const double weight_sd = sd / parts->count, sum_sd = sd / parts->sum / TAC_M;
    const double weight = fmax((double)s->weight[c] / parts->count, fmax(1, 2 * weight_sd));
    double *at = s->out->centers + (size_t)c * d, *bar = s->out->centers_sd + (size_t)c * d,
           squares = 0;

    for (size_t j = 0; j < d; j++) squares += pow((double)sum[j] / parts->sum / TAC_M, 2);
    const double noise = sum_sd * sum_sd * (double)d,
                 kept = squares > noise ? 1 - noise / squares : 0;
    const double step = fmin(kept / weight, STEP_MOST / fmax(sqrt(squares), 1e-300));
    for (size_t j = 0; j < d; j++) {
        at[j] = s->rounded[(size_t)c * d + j] +
                step * s->radius[c] * (double)sum[j] / parts->sum / TAC_M;
        bar[j] = sum_sd * s->radius[c] / weight;
    }
    tac_into_domain(s->b->job->frame, at);
}

/* One step: a histogram of distances for the radius, then S and W in one joint query. */
static tacit_status step_once(steps *s, uint64_t quanta)
{
    tacit_status status = TACIT_OK;
    tac_door *door = s->b->job->door;
    const tac_local_parts parts = {
        .count = (uint32_t)(COUNT_PART * GRID * TAC_M), .soft = true, .sum = GRID};
    const uint64_t histogram = tac_share(quanta, HISTOGRAM);
    const tac_cells cells = cells_of(s);
    double reach;

    tac_round_points(s->out->centers, (size_t)s->k * (size_t)s->columns, s->rounded);
    for (int32_t c = 0; c < s->k; c++) s->radius[c] = TAC_M;
    TAC_TRY(tac_balcan_reach(s->b, "distances from the centers", histogram, &cells,
                             &(tac_local){.radius = s->radius}, QUANTILE, &reach));
    for (int32_t c = 0; c < s->k; c++) s->radius[c] = TAC_M * (isnan(reach) ? 1 : reach);
    TAC_TRY(tac_door_local(door, "Weiszfeld step", quanta - histogram, &cells,
                           &(tac_local){.radius = s->radius}, &parts, s->weight, s->sum, NULL));
    const double sd = tac_last_sd(door);
    for (int32_t c = 0; c < s->k; c++) move(s, c, &parts, sd);
done:
    return status;
}

/* The centers do not move any more: how many rows has each? */
static tacit_status ask_sizes(steps *s, uint64_t quanta)
{
    tacit_status status = TACIT_OK;
    const tac_cells cells = cells_of(s);

    tac_round_points(s->out->centers, (size_t)s->k * (size_t)s->columns, s->rounded);
    TAC_TRY(tac_door_histogram(s->b->job->door, "rows of the centers", quanta, &cells, s->size));
    s->out->sizes_sd = ldexp(tac_last_sd(s->b->job->door), -TAC_COUNT_GRID);
    for (int32_t c = 0; c < s->k; c++)
        s->out->sizes[c] = ldexp((double)s->size[c], -TAC_COUNT_GRID);
done:
    return status;
}

/* Queries: noisy means, a histogram and a joint query per step, sizes. */
tacit_status tac_balcan_recover_median(tac_balcan *b, uint64_t quanta, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = b->job->ctx;
    const size_t d = (size_t)b->job->frame->columns, k = (size_t)b->plan.k;
    const tac_cells one = {.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1};
    const tac_cells projection = {
        .kind = TAC_NEAREST, .view = TAC_PROJECTED, .count = b->plan.k, .centers = b->centers};
    const tac_lloyd_start start = {.schedule = {.k = b->plan.k,
                                                .rounds = 1,
                                                .count_weight = b->plan.count_weight,
                                                .left = tac_share(quanta, MEANS)},
                                   .rows = b->rows,
                                   .rows_sd = b->rows_sd,
                                   .cells = b->plan.k > 1 ? &projection : &one};
    const int32_t rounds = b->plan.rounds - 1;
    steps s = {.b = b, .out = out, .k = b->plan.k, .columns = b->job->frame->columns};

    TAC_TRY(tac_new(ctx, k * d, sizeof *s.rounded, &s.rounded));
    TAC_TRY(tac_new(ctx, k, sizeof *s.radius, &s.radius));
    TAC_TRY(tac_new(ctx, k, sizeof *s.weight, &s.weight));
    TAC_TRY(tac_new(ctx, k, sizeof *s.size, &s.size));
    TAC_TRY(tac_new(ctx, k * d, sizeof *s.sum, &s.sum));
    TAC_TRY(tac_lloyd_rounds(b->job, &start, out));
    for (int32_t t = 0; t < rounds; t++) {
        tac_show_progress(ctx, "Weiszfeld steps", (double)t / rounds);
        TAC_TRY(step_once(&s, tac_share(quanta, (1 - MEANS - SIZES) / rounds)));
    }
    TAC_TRY(ask_sizes(&s, tac_share(quanta, SIZES)));
    /* centers beyond those the budget can tell apart repeat them */
    for (size_t i = k; i < (size_t)out->k; i++) {
        memcpy(out->centers + i * d, out->centers + i % k * d, d * sizeof *out->centers);
        memcpy(out->centers_sd + i * d, out->centers_sd + i % k * d, d * sizeof *out->centers_sd);
    }
    out->rounds = b->plan.rounds;
done:
    tac_free(s.rounded);
    tac_free(s.radius);
    tac_free(s.weight);
    tac_free(s.size);
    tac_free(s.sum);
    return status;
}
