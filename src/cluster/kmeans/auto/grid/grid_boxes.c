/* SPDX-License-Identifier: Apache-2.0 */
/* From noisy counts in the boxes of a grid to weighted points: post-processing of a released
   histogram. */
#include "cluster/kmeans/auto/grid/counted_grid.h"

#include <math.h>

#define FALSE_BOXES 0.15 /* times k: about so many boxes may stand out by noise alone */
#define BLOCK_MOST 8     /* the widest blocks that are looked at, in boxes */

int32_t tac_boxes_above(const tac_boxes *g, double threshold)
{
    int32_t above = 0;

    for (int32_t i = 0; i < g->count; i++) above += g->held[i] > threshold;
    return above;
}

/* Laplace noise of scale s is above t s with probability exp(-t) / 2, Gaussian noise above
   2 s sqrt(t) with less. */
double tac_boxes_threshold(const tac_boxes *g, double wrong)
{
    const double t = fmax(1, log(fmax(1, g->count / (2 * wrong))));
    return g->scale * (g->laplace ? t : fmin(t, 2 * sqrt(t)));
}

/* The threshold that leaves at least `keep` boxes, at most `least`: few steps and no copy to
   sort. */
static double lower(const tac_boxes *g, double least, int32_t keep)
{
    double low = -0x1p40, high = least;

    if (tac_boxes_above(g, least) >= keep) return least;
    for (int turn = 0; turn < 128 && high - low > 1e-6; turn++) {
        const double mid = (low + high) / 2;
        if (tac_boxes_above(g, mid) >= keep)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* Where box i lies: its place along each axis, the first axis slowest. */
static void place_of(const tac_boxes *g, int32_t i, int32_t *place)
{
    for (int32_t j = g->dims; j-- > 0; i /= g->parts[j]) place[j] = i % g->parts[j];
}

/* A point at these places along the axes. Rows that fill a block of `side` boxes evenly spread by
   side^2 width^2 / 12 along each axis; clusters do not fill it: half of that. */
static void add_point(const tac_boxes *g, const double *place, int32_t side, double rows,
                      tac_cell_set *out)
{
    double *at = out->center + (size_t)out->count * (size_t)out->dims, spread = 0;

    for (int32_t j = 0; j < g->dims; j++) {
        const double width = 2 * g->half[j] / g->parts[j];
        at[j] = -g->half[j] + (place[j] + 0.5) * width;
        spread += side * side * width * width / 24;
    }
    out->weight[out->count] = fmax(rows, 1e-3);
    out->spread[out->count] = spread;
    out->reach[out->count++] = sqrt(spread);
}

/* Boxes above the threshold become points and are taken off the grid. */
static void take_boxes(tac_boxes *g, double threshold, tac_cell_set *out)
{
    int32_t place[TAC_GRID_DIMS];
    double at[TAC_GRID_DIMS];

    for (int32_t i = 0; i < g->count && out->count < out->room; i++) {
        if (!(g->held[i] > threshold)) continue;
        place_of(g, i, place);
        for (int32_t j = 0; j < g->dims; j++) at[j] = place[j];
        add_point(g, at, 1, g->held[i], out);
        g->held[i] = -INFINITY;
    }
}

typedef struct block {
    int32_t boxes;                    /* not yet taken; -1: the block is */
    double rows;                      /* noisy, of these */
    double weight, at[TAC_GRID_DIMS]; /* their middle, by rows */
} block;

/* The number of the block that holds box i; place: room for its place. */
static int32_t block_of(const tac_boxes *g, int32_t i, int32_t side, int32_t *place)
{
    int32_t b = 0;

    place_of(g, i, place);
    for (int32_t j = 0; j < g->dims; j++)
        b = b * ((g->parts[j] + side - 1) / side) + place[j] / side;
    return b;
}

/* What is too thin for one box: blocks whose boxes stand out of the noise only together. Their
   noise is a sum of many, so nearly Gaussian: above z standard deviations with probability below
   exp(-z^2 / 2) / 2. */
static tacit_status take_blocks(tacit_ctx *ctx, tac_boxes *g, int32_t side, double wrong,
                                tac_cell_set *out)
{
    tacit_status status = TACIT_OK;
    int32_t blocks = 1, place[TAC_GRID_DIMS];
    block *sum = NULL;

    for (int32_t j = 0; j < g->dims; j++) blocks *= (g->parts[j] + side - 1) / side;
    TAC_TRY(tac_new(ctx, (size_t)blocks, sizeof *sum, &sum));
    for (int32_t i = 0; i < g->count; i++) {
        block *b = sum + block_of(g, i, side, place);
        if (isinf(g->held[i])) continue;
        const double weight = fmax(g->held[i], 0);
        b->boxes++;
        b->rows += g->held[i];
        b->weight += weight;
        for (int32_t j = 0; j < g->dims; j++) b->at[j] += weight * place[j];
    }
    const double sure = sqrt(2 * log(fmax(3, blocks / (2 * wrong)))) * sqrt(2) * g->scale;
    for (int32_t b = 0; b < blocks && out->count < out->room; b++) {
        if (!(sum[b].boxes > 0 && sum[b].rows > sure * sqrt(sum[b].boxes))) continue;
        for (int32_t j = 0; j < g->dims; j++) sum[b].at[j] /= sum[b].weight;
        add_point(g, sum[b].at, side, sum[b].rows, out);
        sum[b].boxes = -1;
    }
    for (int32_t i = 0; i < g->count; i++)
        if (sum[block_of(g, i, side, place)].boxes < 0) g->held[i] = -INFINITY;
done:
    tac_free(sum);
    return status;
}

/* Single boxes first, then blocks of 2, 4 and 8 boxes a side from what is left. */
tacit_status tac_boxes_points(tacit_ctx *ctx, tac_boxes *g, int32_t k, tac_cell_set *out)
{
    tacit_status status = TACIT_OK;
    const double wrong = FALSE_BOXES * k, middle[TAC_GRID_DIMS] = {0};
    const double threshold = lower(g, tac_boxes_threshold(g, wrong), k < g->count ? k : g->count);
    const int32_t above = tac_boxes_above(g, threshold);

    TAC_TRY(tac_cell_set_new(ctx, above + g->count / 2 + 1, g->dims, out));
    take_boxes(g, threshold, out);
    for (int32_t side = 2; side <= BLOCK_MOST; side *= 2)
        TAC_TRY(take_blocks(ctx, g, side, wrong, out));
    if (out->count == 0) add_point(g, middle, 1, 1, out);
    out->weight_sd = g->scale * sqrt(2);
done:
    return status;
}
