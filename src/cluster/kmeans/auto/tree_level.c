/* SPDX-License-Identifier: Apache-2.0 */
/* A level of the tree: the shape of every cell from its moments, which to split, where, and the
   cells that this makes. */
#include "cluster/kmeans/auto/tree.h"
#include "solve/linalg/eigen.h"

#include <math.h>

enum { P = TAC_TREE_MOST };

#define WEIGHT_COUNT 0.7 /* of the joint query's parts, beside 1 for the second moments */
#define WEIGHT_SUM 0.6
/* a cell is split if it holds so many standard deviations of rows ... */
#define STANDS_OUT 3.0
#define WORTH 0.25 /* ... and such a part of the mean cost of k centers */

tac_local_parts tac_auto_tree_parts(void)
{
    return (tac_local_parts){.count = (uint32_t)(WEIGHT_COUNT * TAC_M * TAC_M),
                             .sum = (uint32_t)(WEIGHT_SUM * TAC_M),
                             .moments = true};
}

/* The joint query of a level: count, sum and second moments of every cell, in its radius. */
static tacit_status measure(tac_tree *t, uint64_t quanta)
{
    tacit_status status = TACIT_OK;
    const double m2 = (double)TAC_M * TAC_M;
    const tac_local_parts parts = tac_auto_tree_parts();
    const tac_cells cells = tac_tree_cells_of(t);

    TAC_TRY(tac_door_local(t->a->door, "cells of the tree", quanta, &cells,
                           &(tac_local){.radius = t->now.reach}, &parts, t->count, t->sum,
                           t->moment));
    const double sd = tac_last_sd(t->a->door);
    t->count_sd = sd / parts.count;
    t->sum_sd = sd / parts.sum / TAC_M;
    t->moment_sd = sd / m2;
    for (int32_t c = 0; c < t->now.count; c++) t->node[c].count = (double)t->count[c] / parts.count;
    for (int32_t c = 0; c < t->now.count; c++)
        for (int32_t j = 0; j < t->dims; j++)
            t->node[c].mean[j] =
                (double)t->sum[(size_t)c * (size_t)t->dims + (size_t)j] / parts.sum / TAC_M;
done:
    return status;
}

static double pull_back(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* From answers to shape: the mean, shrunk, and the spreads about it and about the center. */
static void describe(tac_tree *t, int32_t c)
{
    tac_tree_node *n = &t->node[c];
    const int32_t p = t->dims;
    const tac_i128 *moment = t->moment + (size_t)c * (size_t)(p * (p + 1) / 2);
    const double prior = t->c->pseudo * t->moment_sd * sqrt(p),
                 flat = prior / (TAC_TREE_REACH * TAC_TREE_REACH);
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
    if (t->now.count == 1 && t->total == 0)
        t->total =
            fmax(0, trace / n->rows - n->length * n->length) * t->now.reach[c] * t->now.reach[c];
    n->about_mean = pull_back((trace - n->rows * n->length * n->length + flat) / (n->rows + prior),
                              t->c->trace_least, 1);
}

/* The widest direction: the first eigenvector of the noisy covariance. */
static tacit_status find_direction(tac_tree *t, int32_t c)
{
    tac_tree_node *n = &t->node[c];
    const int32_t p = t->dims;
    const tac_i128 *moment = t->moment + (size_t)c * (size_t)(p * (p + 1) / 2);
    double covariance[P * P], value;

    for (int32_t i = 0; i < p; i++)
        for (int32_t j = i; j < p; j++)
            covariance[i * p + j] = covariance[j * p + i] =
                (double)*moment++ / ((double)TAC_M * TAC_M) / n->rows - n->mean[i] * n->mean[j];
    return tac_top_eigen(t->a->ctx, covariance, p, 1, &value, n->along);
}

/* Which cells may be split: enough rows for the noise and for k, and a good part of the cost. */
static tacit_status choose(tac_tree *t, double bin_sd, bool *any)
{
    tacit_status status = TACIT_OK;
    const int32_t k = t->a->rules.k;
    double cost = 0;

    *any = false;
    if (t->rows == 0) t->rows = fmax(t->node[0].count, 1);
    const double least =
        fmax(STANDS_OUT * fmax(bin_sd, t->count_sd), t->rows / (t->c->rows_least * k));
    for (int32_t c = 0; c < t->now.count; c++) {
        describe(t, c);
        t->node[c].cost =
            t->node[c].rows * t->node[c].about_mean * t->now.reach[c] * t->now.reach[c];
        cost += t->node[c].cost;
    }
    for (int32_t c = 0; c < t->now.count; c++) {
        tac_tree_node *n = &t->node[c];
        n->split = n->count >= least && n->cost >= WORTH * cost / k;
        if (n->split) TAC_TRY(find_direction(t, c));
        *any = *any || n->split;
    }
done:
    return status;
}

/* A cell of the next level: offset and spread in radii of cell c. */
static void put(tac_tree *t, int32_t c, const double *offset, double rows, double spread)
{
    tac_cell_set *s = &t->next;
    const size_t dims = (size_t)t->dims, i = (size_t)s->count++;
    const double reach = t->now.reach[c];

    for (size_t j = 0; j < dims; j++)
        s->center[i * dims + j] = t->now.center[(size_t)c * dims + j] + reach * offset[j];
    s->weight[i] = fmax(rows, 1e-9);
    s->spread[i] = spread * reach * reach;
}

/* One cell becomes two, one, or none if it is lost in the noise. */
static void divide(tac_tree *t, int32_t c, double bin_sd)
{
    const tac_tree_node *n = &t->node[c];
    const double center = n->about_center * (n->about_center > 0.8 ? t->c->grow : 1);
    double rows[TAC_CUT_BINS], along = 0, offset[P];
    tac_cut cut = {.found = false};

    if (n->count < t->count_sd) return;
    if (n->split) {
        for (int b = 0; b < TAC_CUT_BINS; b++)
            rows[b] = ldexp((double)t->bin[(size_t)c * TAC_CUT_BINS + (size_t)b], -TAC_COUNT_GRID);
        cut = tac_find_cut(rows, bin_sd, t->c->share_least);
    }
    if (!cut.found) {
        put(t, c, n->mean, n->rows, center);
        return;
    }
    for (int32_t j = 0; j < t->dims; j++) along += n->mean[j] * n->along[j];
    for (int side = 0; side < 2; side++) {
        const double rest = n->about_mean - cut.whole + cut.variance[side];
        for (int32_t j = 0; j < t->dims; j++)
            offset[j] = n->mean[j] + n->along[j] * (cut.at[side] - along);
        put(t, c, offset, n->rows * cut.share[side],
            fmin(center,
                 fmax(rest, fmax(0.5 * n->length * n->length, t->c->trace_least * n->about_mean))));
    }
}

/* Histograms along the widest directions; cells that are not split get the zero direction. */
static tacit_status ask_cuts(tac_tree *t, uint64_t quanta)
{
    tacit_status status = TACIT_OK;
    const tac_cells cells = tac_tree_cells_of(t);
    const size_t dims = (size_t)t->dims;

    for (int32_t c = 0; c < t->now.count; c++)
        for (size_t j = 0; j < dims; j++)
            t->along[(size_t)c * dims + j] =
                t->node[c].split ? (int16_t)lrint(TAC_M * pull_back(t->node[c].along[j], -1, 1))
                                 : 0;
    TAC_TRY(tac_door_projections(t->a->door, "cuts of the tree", quanta, &cells,
                                 &(tac_local){.radius = t->now.reach}, t->along, TAC_CUT_BINS,
                                 t->bin));
done:
    return status;
}

/* Moments, choice, cuts, division, and Ward merges if there are too many cells. */
tacit_status tac_tree_level(tac_tree *t, uint64_t quanta)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(t->a->door);
    const uint64_t cut_quanta = tac_share(quanta, tac_auto_tree_shares.cuts);
    const double bin_sd = ldexp((double)tac_quote_histogram(&params, cut_quanta), -TAC_COUNT_GRID);
    bool any;

    tac_tree_set_reach(&t->now, t->a->rules.plenty);
    tac_tree_fix_centers(t);
    TAC_TRY(measure(t, quanta - cut_quanta));
    TAC_TRY(choose(t, bin_sd, &any));
    if (any) TAC_TRY(ask_cuts(t, cut_quanta)); /* what is not asked stays for the levels after */
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
