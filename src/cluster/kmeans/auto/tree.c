/* SPDX-License-Identifier: Apache-2.0 */
/* The tree: Linde, Buzo & Gray's vector quantiser (1980) with noise. Every level assigns the rows anew to the nearest cell,
   asks each cell for count, sum and second moments relative to its own radius, and along the widest direction of the cells
   worth splitting for a histogram. A cell that can be cut in two well is; another moves to its mean, a Lloyd step. */
#include "cluster/kmeans/auto/auto.h"
#include "solve/eigen.h"

#include <math.h>
#include <string.h>

enum { P = TAC_TREE_MOST };

#define EXTRA_LEVELS 6       /* beyond log2 k: splits that go wrong, and Lloyd steps */
#define WEIGHT_COUNT 0.7     /* of the joint question's parts, beside 1 for the second moments */
#define WEIGHT_SUM 0.6
#define FINAL_COUNT 0.5      /* the same for the last look, beside 1 for the sum */
#define REACH 1.3            /* a cell's radius: so many times the root mean square distance */
#define REACH_LEAST 1e-3     /* of the whole ball's radius */
#define STANDS_OUT 3.0       /* a cell is split if it holds so many standard deviations of rows ... */
#define WORTH 0.25           /* ... and such a part of the mean cost of k centres */

const tac_tree_shares tac_auto_tree_shares = {.levels = 0.90, .cuts = 0.35, .last = 0.10, .growth = 1.2};

/* Constants of the two regimes: with plenty of rows the tree looks for small clusters. */
typedef struct care {
    double share_least;      /* a side of a cut holds at least this part of its cell */
    double rows_least;       /* no cell with less than rows / (k rows_least) is split */
    double trace_least;      /* spreads below this part of the square radius are not believed */
    double pseudo;           /* rows of the prior on spreads, in standard deviations of a moment, times sqrt(p) */
    double grow;             /* a radius that clips is made larger */
} care;
static const care ample = {.share_least = 0.01, .rows_least = 20, .trace_least = 0.1, .pseudo = 2, .grow = 2};
static const care scarce = {.share_least = 0.03, .rows_least = 6, .trace_least = 0.02, .pseudo = 0, .grow = 1};

/* What a level learns of a cell, in units of its radius. */
typedef struct node {
    double count, rows;      /* as answered; at least one standard deviation */
    double mean[P], length;  /* and how long it is */
    double along[P];
    double about_mean;       /* trace of the covariance */
    double about_center;     /* trace of the second moments: does not shrink if the centre is off */
    double cost;             /* squared lattice units, all rows together */
    bool split;
} node;

typedef struct tree {
    tac_walk *a;
    const care *c;
    int32_t dims;
    tac_cell_set now, next;  /* room for twice the most cells */
    node *node;
    int16_t *center, *along; /* as the door takes them */
    int64_t *count, *sum, *moment, *bin;
    double count_sd, sum_sd, moment_sd;
    double rows;             /* of the first level */
} tree;

static void set_reach(tac_cell_set *s)
{
    for (int32_t c = 0; c < s->count; c++) s->reach[c] = fmin(TAC_M, fmax(REACH * sqrt(s->spread[c]), REACH_LEAST * TAC_M));
}

/* Centres as the door will see them, so that what it answers is about these points. */
static void fix_centers(tree *t)
{
    const size_t dims = (size_t)t->dims;

    tac_round_points(t->now.center, (size_t)t->now.count * dims, t->center);
    for (int32_t c = 0; c < t->now.count; c++) tac_clip(t->center + (size_t)c * dims, t->dims);
    for (size_t i = 0; i < (size_t)t->now.count * dims; i++) t->now.center[i] = t->center[i];
}

static tac_cells cells_of(const tree *t)
{
    return (tac_cells){.kind = TAC_NEAREST, .view = t->a->view, .count = t->now.count, .centers = t->center};
}

tac_local_parts tac_auto_tree_parts(void)
{
    return (tac_local_parts){.count = (uint32_t)(WEIGHT_COUNT * TAC_M * TAC_M), .sum = (uint32_t)(WEIGHT_SUM * TAC_M), .moments = true};
}

static tacit_status measure(tree *t, uint64_t units)
{
    tacit_status status = TACIT_OK;
    const double m2 = (double)TAC_M * TAC_M;
    const tac_local_parts parts = tac_auto_tree_parts();
    const tac_cells cells = cells_of(t);

    TAC_TRY(tac_door_local(t->a->door, "cells of the tree", units, &cells, &(tac_local){.radius = t->now.reach}, &parts,
                           t->count, t->sum, t->moment));
    const double sd = tac_last_sd(t->a->door);
    t->count_sd = sd / parts.count;
    t->sum_sd = sd / parts.sum / TAC_M;
    t->moment_sd = sd / m2;
    for (int32_t c = 0; c < t->now.count; c++) t->node[c].count = (double)t->count[c] / parts.count;
    for (int32_t c = 0; c < t->now.count; c++)
        for (int32_t j = 0; j < t->dims; j++)
            t->node[c].mean[j] = (double)t->sum[(size_t)c * (size_t)t->dims + (size_t)j] / parts.sum / TAC_M;
done:
    return status;
}

static double pull_back(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* From answers to shape: the mean, shrunk, and the spreads about it and about the centre. */
static void describe(tree *t, int32_t c)
{
    node *n = &t->node[c];
    const int32_t p = t->dims;
    const int64_t *moment = t->moment + (size_t)c * (size_t)(p * (p + 1) / 2);
    const double prior = t->c->pseudo * t->moment_sd * sqrt(p), flat = prior / (REACH * REACH);
    double squares = 0, trace = 0;

    n->rows = fmax(n->count, t->count_sd);
    for (int32_t j = 0; j < p; j++) {
        squares += n->mean[j] * n->mean[j];
        trace += (double)*moment / ((double)TAC_M * TAC_M);
        moment += p - j; /* the next row of the triangle begins with its diagonal */
    }
    const double kept = tac_shrink(squares, t->sum_sd * t->sum_sd, p) / n->rows;
    n->length = fmin(1, sqrt(squares) * kept);
    for (int32_t j = 0; j < p; j++) n->mean[j] *= squares > 0 ? n->length / sqrt(squares) : 0;
    n->about_center = pull_back((trace + flat) / (n->rows + prior), t->c->trace_least, 1);
    n->about_mean = pull_back((trace - n->rows * n->length * n->length + flat) / (n->rows + prior), t->c->trace_least, 1);
}

/* The widest direction: the first eigenvector of the noisy covariance. */
static tacit_status find_direction(tree *t, int32_t c)
{
    node *n = &t->node[c];
    const int32_t p = t->dims;
    const int64_t *moment = t->moment + (size_t)c * (size_t)(p * (p + 1) / 2);
    double covariance[P * P], value;

    for (int32_t i = 0; i < p; i++)
        for (int32_t j = i; j < p; j++)
            covariance[i * p + j] = covariance[j * p + i] =
                (double)*moment++ / ((double)TAC_M * TAC_M) / n->rows - n->mean[i] * n->mean[j];
    return tac_top_eigen(t->a->ctx, covariance, p, 1, &value, n->along);
}

/* Which cells may be split: enough rows for the noise and for k, and a good part of the cost. */
static tacit_status choose(tree *t, double bin_sd, bool *any)
{
    tacit_status status = TACIT_OK;
    const int32_t k = t->a->rules.k;
    double cost = 0;

    *any = false;
    if (t->rows == 0) t->rows = fmax(t->node[0].count, 1);
    const double least = fmax(STANDS_OUT * fmax(bin_sd, t->count_sd), t->rows / (t->c->rows_least * k));
    for (int32_t c = 0; c < t->now.count; c++) {
        describe(t, c);
        t->node[c].cost = t->node[c].rows * t->node[c].about_mean * t->now.reach[c] * t->now.reach[c];
        cost += t->node[c].cost;
    }
    for (int32_t c = 0; c < t->now.count; c++) {
        node *n = &t->node[c];
        n->split = n->count >= least && n->cost >= WORTH * cost / k;
        if (n->split) TAC_TRY(find_direction(t, c));
        *any = *any || n->split;
    }
done:
    return status;
}

static void put(tree *t, int32_t c, const double *offset, double rows, double spread)
{
    tac_cell_set *s = &t->next;
    const size_t dims = (size_t)t->dims, i = (size_t)s->count++;
    const double reach = t->now.reach[c];

    for (size_t j = 0; j < dims; j++) s->center[i * dims + j] = t->now.center[(size_t)c * dims + j] + reach * offset[j];
    s->weight[i] = fmax(rows, 1e-9);
    s->spread[i] = spread * reach * reach;
}

/* One cell becomes two, one, or none if it is lost in the noise. */
static void divide(tree *t, int32_t c, double bin_sd)
{
    const node *n = &t->node[c];
    const double center = n->about_center * (n->about_center > 0.8 ? t->c->grow : 1);
    double rows[TAC_CUT_BINS], along = 0, offset[P];
    tac_cut cut = {.found = false};

    if (n->count < t->count_sd) return;
    if (n->split) {
        for (int b = 0; b < TAC_CUT_BINS; b++) rows[b] = ldexp((double)t->bin[(size_t)c * TAC_CUT_BINS + (size_t)b], -TAC_COUNT_GRID);
        cut = tac_find_cut(rows, bin_sd, t->c->share_least);
    }
    if (!cut.found) {
        put(t, c, n->mean, n->rows, center);
        return;
    }
    for (int32_t j = 0; j < t->dims; j++) along += n->mean[j] * n->along[j];
    for (int side = 0; side < 2; side++) {
        const double rest = n->about_mean - cut.whole + cut.variance[side];
        for (int32_t j = 0; j < t->dims; j++) offset[j] = n->mean[j] + n->along[j] * (cut.at[side] - along);
        put(t, c, offset, n->rows * cut.share[side],
            fmin(center, fmax(rest, fmax(0.5 * n->length * n->length, t->c->trace_least * n->about_mean))));
    }
}

static tacit_status ask_cuts(tree *t, uint64_t units)
{
    tacit_status status = TACIT_OK;
    const tac_cells cells = cells_of(t);
    const size_t dims = (size_t)t->dims;

    for (int32_t c = 0; c < t->now.count; c++)
        for (size_t j = 0; j < dims; j++)
            t->along[(size_t)c * dims + j] = t->node[c].split ? (int16_t)lrint(TAC_M * pull_back(t->node[c].along[j], -1, 1)) : 0;
    TAC_TRY(tac_door_projections(t->a->door, "cuts of the tree", units, &cells, &(tac_local){.radius = t->now.reach}, t->along,
                                 TAC_CUT_BINS, t->bin));
done:
    return status;
}

static tacit_status level(tree *t, uint64_t units)
{
    tacit_status status = TACIT_OK;
    const tac_terms terms = tac_door_terms(t->a->door);
    const uint64_t cut_units = tac_share(units, tac_auto_tree_shares.cuts);
    const double bin_sd = ldexp((double)tac_quote_histogram(&terms, cut_units), -TAC_COUNT_GRID);
    bool any;

    set_reach(&t->now);
    fix_centers(t);
    TAC_TRY(measure(t, units - cut_units));
    TAC_TRY(choose(t, bin_sd, &any));
    if (any) TAC_TRY(ask_cuts(t, cut_units)); /* what is not asked stays for the levels after */
    t->next.count = 0;
    for (int32_t c = 0; c < t->now.count; c++) divide(t, c, bin_sd);
    if (t->next.count == 0) goto done; /* nothing stands out: keep what there was */
    TAC_TRY(tac_cell_set_thin(t->a->ctx, &t->next, t->a->rules.most_cells));
    const tac_cell_set swap = t->now;
    t->now = t->next;
    t->next = swap;
done:
    return status;
}

/* Count and sum of every cell once more: what the synopsis is made of. Cells lost in the noise are left out, unless there
   would be too few. */
static tacit_status last_look(tree *t, uint64_t units, tac_cell_set *out)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)t->dims;
    const tac_local_parts parts = {.count = (uint32_t)(FINAL_COUNT * TAC_M), .sum = 1};
    const int32_t most = t->now.count, wanted = most < t->a->rules.k ? most : t->a->rules.k;
    int32_t clear = 0;

    set_reach(&t->now);
    fix_centers(t);
    const tac_cells cells = cells_of(t);
    TAC_TRY(tac_door_local(t->a->door, "cells of the synopsis", units, &cells, &(tac_local){.radius = t->now.reach}, &parts,
                           t->count, t->sum, NULL));
    const double sd = tac_last_sd(t->a->door) / TAC_M, count_sd = sd / FINAL_COUNT;
    for (int32_t c = 0; c < most; c++) {
        t->node[c].count = (double)t->count[c] / parts.count;
        clear += t->node[c].count > count_sd;
    }
    TAC_TRY(tac_cell_set_new(t->a->ctx, most, t->dims, out));
    out->weight_sd = count_sd;
    out->point_sd = sd;
    for (int32_t c = 0; c < most; c++) {
        node *n = &t->node[c];
        int32_t larger = 0;
        for (int32_t o = 0; o < most && clear < wanted; o++) larger += t->node[o].count > n->count;
        if (clear < wanted ? larger >= wanted : !(n->count > count_sd)) continue;
        double squares = 0;
        for (size_t j = 0; j < dims; j++) squares += pow((double)t->sum[(size_t)c * dims + j] / TAC_M, 2);
        const double kept = tac_shrink(squares, sd * sd, t->dims) / fmax(n->count, count_sd);
        const double step = sqrt(squares) * kept, pull = step > 1 ? 1 / step : 1;
        const size_t i = (size_t)out->count++;
        for (size_t j = 0; j < dims; j++)
            out->center[i * dims + j] = t->now.center[(size_t)c * dims + j] +
                                        t->now.reach[c] * kept * pull * (double)t->sum[(size_t)c * dims + j] / TAC_M;
        out->weight[i] = fmax(n->count, 1e-9);
        out->spread[i] = t->now.spread[c];
        out->reach[i] = t->now.reach[c];
    }
done:
    return status;
}

static tacit_status make_room(tree *t)
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

static void free_room(tree *t)
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

int32_t tac_auto_levels(int32_t k, double reach)
{
    const double wanted = ceil(log2(fmax(k, 2))) + EXTRA_LEVELS + round(log2(fmax(reach, 1)));
    return wanted > TAC_TREE_LEVELS_MOST ? TAC_TREE_LEVELS_MOST : (int32_t)wanted;
}

double tac_auto_first_level(int32_t levels)
{
    const double growth = tac_auto_tree_shares.growth;
    return (growth - 1) / (pow(growth, levels) - 1);
}

tacit_status tac_auto_tree(tac_walk *a, tac_cell_set *cells)
{
    tacit_status status = TACIT_OK;
    tree t = {.a = a, .c = a->rules.plenty ? &ample : &scarce, .dims = a->dims};
    const int32_t levels = tac_auto_levels(a->rules.k, a->radius / a->inner);
    uint64_t left = tac_auto_units(a, fmin(a->rules.tree, tac_auto_left(a) - TAC_AUTO_ROUNDS_LEAST));

    TAC_TRY(make_room(&t));
    const uint64_t last = tac_share(left, tac_auto_tree_shares.last);
    left -= last;
    t.now.count = 1; /* the whole ball */
    t.now.weight[0] = a->rules.rows;
    t.now.spread[0] = (TAC_M / REACH) * (TAC_M / REACH);
    for (int32_t l = 0; l < levels; l++) {
        const uint64_t before = tac_door_left(a->door);
        tac_show_progress(a->ctx, "growing the tree", (double)l / levels);
        TAC_TRY(level(&t, tac_share(left, tac_auto_first_level(levels - l))));
        left -= before - tac_door_left(a->door);
    }
    TAC_TRY(last_look(&t, last + left, cells));
done:
    free_room(&t);
    return status;
}
