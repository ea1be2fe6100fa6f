/* SPDX-License-Identifier: Apache-2.0 */
/* The tree: Linde, Buzo & Gray's vector quantizer (1980) with noise. Every level assigns the rows
   anew to the nearest cell, asks each cell for count, sum and second moments relative to its own
   radius, and along the widest direction of the cells worth splitting for a histogram. A cell that
   can be cut in two well is; another moves to its mean, a Lloyd step. */
#include "cluster/kmeans/auto/tree.h"

#include <math.h>

#define EXTRA_LEVELS 8     /* beyond log2 k: splits that go wrong, and Lloyd steps */
#define FINAL_COUNT 0.5    /* weight of counts in the last look, beside 1 for the sum */
#define REACH_LEAST 1e-3   /* of the whole ball's radius */
#define REACH_OF_NEXT 0.35 /* of the distance to the nearest other cell ... */
#define REACH_WIDER 3.0    /* ... but with plenty of rows no more than so many times its own */

const tac_tree_shares tac_auto_tree_shares = {
    .levels = 0.90, .cuts = 0.35, .last = 0.10, .growth = 1.2};

static const tac_tree_care ample = {
    .share_least = 0.01, .rows_least = 20, .trace_least = 0.1, .pseudo = 2, .grow = 2};
static const tac_tree_care scarce = {
    .share_least = 0.03, .rows_least = 6, .trace_least = 0.02, .pseudo = 0, .grow = 1};

/* Squared distance of the cell to the nearest other one; 0 where there is none. */
static double nearest_other(const tac_cell_set *s, int32_t c)
{
    const size_t dims = (size_t)s->dims;
    const double *x = s->center + (size_t)c * dims;
    double near = INFINITY;

    for (int32_t o = 0; o < s->count; o++) {
        const double *y = s->center + (size_t)o * dims;
        double far = 0;
        for (size_t j = 0; j < dims && far < near; j++) far += (x[j] - y[j]) * (x[j] - y[j]);
        if (o != c && far < near) near = far;
    }
    return s->count > 1 ? near : 0;
}

/* reach = max(1.3 sqrt(spread), 0.35 min |x - y|). Rows of a cell lie up to half way to the next
   center. A spread that noise made too small would clip them onto a smaller ball, and the next
   spread would be smaller still. With plenty of rows spreads are known to a factor, and clusters of
   very different scales need radii of their own: 0.35 min |x - y| is cut to 3 times the first. */
void tac_tree_set_reach(tac_cell_set *s, bool plenty)
{
    for (int32_t c = 0; c < s->count; c++) {
        const double own = TAC_TREE_REACH * sqrt(s->spread[c]),
                     next = REACH_OF_NEXT * sqrt(nearest_other(s, c)),
                     least = plenty ? fmin(next, REACH_WIDER * own) : next;
        s->reach[c] = fmin(TAC_M, fmax(fmax(own, least), REACH_LEAST * TAC_M));
    }
}

/* Rounds and clips the centers as the door does, so that its answers are about exactly these
   points. */
void tac_tree_fix_centers(tac_tree *t)
{
    const size_t dims = (size_t)t->dims;

    tac_round_points(t->now.center, (size_t)t->now.count * dims, t->center);
    for (int32_t c = 0; c < t->now.count; c++) tac_clip(t->center + (size_t)c * dims, t->dims);
    for (size_t i = 0; i < (size_t)t->now.count * dims; i++) t->now.center[i] = t->center[i];
}

tac_cells tac_tree_cells_of(const tac_tree *t)
{
    return (tac_cells){
        .kind = TAC_NEAREST, .view = t->a->view, .count = t->now.count, .centers = t->center};
}

/* Count and sum of every cell once more: what the synopsis is made of. Cells lost in the noise are
   left out, unless there would be too few. */
static tacit_status last_look(tac_tree *t, uint64_t quanta, tac_cell_set *out)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)t->dims;
    const tac_local_parts parts = {.count = (uint32_t)(FINAL_COUNT * TAC_M), .sum = 1};
    const int32_t most = t->now.count, wanted = most < t->a->rules.k ? most : t->a->rules.k;
    int32_t clear = 0;

    tac_tree_set_reach(&t->now, t->a->rules.plenty);
    tac_tree_fix_centers(t);
    const tac_cells cells = tac_tree_cells_of(t);
    TAC_TRY(tac_door_local(t->a->door, "cells of the synopsis", quanta, &cells,
                           &(tac_local){.radius = t->now.reach}, &parts, t->count, t->sum, NULL));
    const double sd = tac_last_sd(t->a->door) / TAC_M, count_sd = sd / FINAL_COUNT;
    for (int32_t c = 0; c < most; c++) {
        t->node[c].count = (double)t->count[c] / parts.count;
        clear += t->node[c].count > count_sd;
    }
    TAC_TRY(tac_cell_set_new(t->a->ctx, most, t->dims, out));
    out->weight_sd = count_sd;
    out->point_sd = sd;
    for (int32_t c = 0; c < most; c++) {
        tac_tree_node *n = &t->node[c];
        int32_t larger = 0;
        for (int32_t o = 0; o < most && clear < wanted; o++) larger += t->node[o].count > n->count;
        if (clear < wanted ? larger >= wanted : !(n->count > count_sd)) continue;
        double squares = 0;
        for (size_t j = 0; j < dims; j++)
            squares += pow((double)t->sum[(size_t)c * dims + j] / TAC_M, 2);
        const double kept = tac_shrink(squares, sd * sd, t->dims) / fmax(n->count, count_sd);
        const double step = sqrt(squares) * kept, pull = step > 1 ? 1 / step : 1;
        const size_t i = (size_t)out->count++;
        for (size_t j = 0; j < dims; j++)
            out->center[i * dims + j] =
                t->now.center[(size_t)c * dims + j] +
                t->now.reach[c] * kept * pull * (double)t->sum[(size_t)c * dims + j] / TAC_M;
        out->weight[i] = fmax(n->count, 1e-9);
        out->spread[i] = t->now.spread[c];
        out->reach[i] = t->now.reach[c];
    }
done:
    return status;
}

static tacit_status make_room(tac_tree *t)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = t->a->ctx;
    const int32_t room = 2 * t->a->rules.most_cells;
    const size_t cells = (size_t)room, dims = (size_t)t->dims;

    TAC_TRY(tac_cell_set_new(ctx, room, t->dims, &t->now));
    TAC_TRY(tac_cell_set_new(ctx, room, t->dims, &t->next));
    TAC_TRY(tac_new(ctx, cells, sizeof *t->node, &t->node));
    TAC_TRY(tac_new(ctx, cells * dims, sizeof *t->center, &t->center));
    TAC_TRY(tac_new(ctx, cells * dims, sizeof *t->along, &t->along));
    TAC_TRY(tac_new(ctx, cells, sizeof *t->count, &t->count));
    TAC_TRY(tac_new(ctx, cells * dims, sizeof *t->sum, &t->sum));
    TAC_TRY(tac_new(ctx, cells * dims * (dims + 1) / 2, sizeof *t->moment, &t->moment));
    TAC_TRY(tac_new(ctx, cells * TAC_CUT_BINS, sizeof *t->bin, &t->bin));
done:
    return status;
}

static void free_room(tac_tree *t)
{
    tac_cell_set_clear(&t->now);
    tac_cell_set_clear(&t->next);
    tac_free(t->node);
    tac_free(t->center);
    tac_free(t->along);
    tac_free(t->count);
    tac_free(t->sum);
    tac_free(t->moment);
    tac_free(t->bin);
}

/* log2 k splits, some to spare, and one for each doubling of the radius beyond the inner one. */
int32_t tac_auto_levels(int32_t k, double reach)
{
    const double wanted = ceil(log2(fmax(k, 2))) + EXTRA_LEVELS + round(log2(fmax(reach, 1)));
    return wanted > TAC_TREE_LEVELS_MOST ? TAC_TREE_LEVELS_MOST : (int32_t)wanted;
}

/* The first term of a geometric series of `levels` terms that adds up to 1. */
double tac_auto_first_level(int32_t levels)
{
    const double growth = tac_auto_tree_shares.growth;
    return (growth - 1) / (pow(growth, levels) - 1);
}

/* Levels with growing shares; quanta that a level does not use go to the later ones. */
static tacit_status grow(tac_walk *a, const void *how, tac_cell_set *cells)
{
    tacit_status status = TACIT_OK;
    tac_tree t = {.a = a, .c = a->rules.plenty ? &ample : &scarce, .dims = a->dims};
    const int32_t levels = tac_auto_levels(a->rules.k, a->radius / a->inner);
    uint64_t left = *(const uint64_t *)how;

    TAC_TRY(make_room(&t));
    const uint64_t last = tac_share(left, tac_auto_tree_shares.last);
    left -= last;
    t.now.count = 1; /* the whole ball */
    t.now.weight[0] = a->rules.rows;
    t.now.spread[0] = (TAC_M / TAC_TREE_REACH) * (TAC_M / TAC_TREE_REACH);
    for (int32_t l = 0; l < levels; l++) {
        const uint64_t before = tac_door_left(a->door);
        tac_show_progress(a->ctx, "growing the tree", (double)l / levels);
        TAC_TRY(tac_tree_level(&t, tac_share(left, tac_auto_first_level(levels - l))));
        left -= before - tac_door_left(a->door);
    }
    TAC_TRY(last_look(&t, last + left, cells));
    cells->total = t.total;
done:
    free_room(&t);
    return status;
}

/* k is chosen before the rules change: boxes without groups get trees as large. */
tacit_status tac_auto_grow(tac_walk *a, tac_cell_set *cells, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const uint64_t quanta =
        tac_auto_quanta(a, fmin(a->rules.tree, tac_auto_left(a) - TAC_AUTO_ROUNDS_LEAST));

    TAC_TRY(grow(a, &quanta, cells));
    if (a->job->opts->k == TACIT_K_AUTO)
        TAC_TRY(tac_auto_choose_k(a, cells, &(tac_cell_finder){grow, &quanta}, out));
done:
    return status;
}
