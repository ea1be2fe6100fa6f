/* SPDX-License-Identifier: Apache-2.0 */
/* k-means++ and Lloyd (k-median: with Weiszfeld's weights) on sparse points. */
#include "solve/kmeans/kmeans_sparse.h"

#include "solve/kmeans/kmeans_internal.h"

#include <math.h>
#include <string.h>

/* of the largest norm: a point this near to its center has Weiszfeld's weight at most */
#define CLOSE 1e-9

tacit_status tac_across_new(tacit_ctx *ctx, int32_t k, int32_t d, tac_across *out)
{
    tacit_status status = TACIT_OK;

    *out = (tac_across){.k = k};
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)d, sizeof *out->at, &out->at));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof *out->square, &out->square));
done:
    return status;
}

void tac_across_clear(tac_across *across)
{
    tac_free(across->at);
    tac_free(across->square);
    memset(across, 0, sizeof *across);
}

/* Touches the entries of x alone; |x - c|^2 is cut at 0, where rounding may leave it negative. */
int32_t tac_across_nearest(const tac_across *a, const int32_t *column, const double *value,
                           int64_t count, double *room, double *squared)
{
    double length = 0;
    int32_t best = 0;

    memset(room, 0, (size_t)a->k * sizeof *room);
    for (int64_t e = 0; e < count; e++) {
        const double *at = a->at + (size_t)column[e] * (size_t)a->k;
        for (int32_t c = 0; c < a->k; c++) room[c] += value[e] * at[c];
        length += value[e] * value[e];
    }
    for (int32_t c = 0; c < a->k; c++) {
        room[c] = a->square[c] - 2 * room[c];
        if (room[c] < room[best]) best = c;
    }
    *squared = fmax(0, length + room[best]);
    return best;
}

typedef struct search {
    tacit_ctx *ctx;
    const tac_csr *x;
    bool median;
    int32_t k;
    tac_across now, next;
    double *weight; /* k: of the points in each cell */
    double *room;   /* k */
    double *near;   /* n: cost of each point at its nearest center */
    double *point;  /* d: one point, dense */
    double close;   /* squared */
} search;

/* A point costs its squared distance (k-means) or its distance (k-median). */
static double cost_of(const search *s, double squared)
{
    return s->median ? sqrt(squared) : squared;
}

/* Center c becomes point i. */
static void put(search *s, int32_t c, int64_t i)
{
    const tac_csr *x = s->x;

    for (int32_t j = 0; j < x->d; j++) s->now.at[(size_t)j * (size_t)s->k + (size_t)c] = 0;
    s->now.square[c] = 0;
    for (int64_t e = x->start[i]; e < x->start[i + 1]; e++) {
        s->now.at[(size_t)x->column[e] * (size_t)s->k + (size_t)c] = x->value[e];
        s->now.square[c] += x->value[e] * x->value[e];
    }
}

/* Squared distance of every point to point i; near_j <- min of it and what it was. Returns the
   sum. */
static double approach(search *s, int64_t i, bool first)
{
    const tac_csr *x = s->x;
    double own = 0, total = 0;

    for (int64_t e = x->start[i]; e < x->start[i + 1]; e++) {
        s->point[x->column[e]] = x->value[e];
        own += x->value[e] * x->value[e];
    }
    for (int64_t p = 0; p < x->n; p++) {
        double squared = own;
        for (int64_t e = x->start[p]; e < x->start[p + 1]; e++)
            squared += x->value[e] * (x->value[e] - 2 * s->point[x->column[e]]);
        const double cost = cost_of(s, fmax(0, squared));
        s->near[p] = first || cost < s->near[p] ? cost : s->near[p];
        total += s->near[p];
    }
    for (int64_t e = x->start[i]; e < x->start[i + 1]; e++) s->point[x->column[e]] = 0;
    return total;
}

/* k-means++: each center is a point drawn with probability ~ its cost so far. */
static tacit_status begin(search *s, uint64_t *state)
{
    tacit_status status = TACIT_OK;
    double total = 0;

    for (int32_t c = 0; c < s->k; c++) {
        int64_t i = (int64_t)(tac_plain_random(state) % (uint64_t)s->x->n);
        double left = ldexp((double)(tac_plain_random(state) >> 11), -53) * total;
        if (c > 0 && total > 0)
            for (i = 0; i < s->x->n - 1 && left >= s->near[i]; i++) left -= s->near[i];
        TAC_TRY(tac_check_cancel(s->ctx));
        put(s, c, i);
        total = approach(s, i, c == 0);
    }
done:
    return status;
}

/* One assignment of all points; sums for the next centers in s->next. Returns the mean cost. */
static double assign(search *s)
{
    const tac_csr *x = s->x;
    double total = 0, squared;

    memset(s->next.at, 0, (size_t)x->d * (size_t)s->k * sizeof *s->next.at);
    memset(s->weight, 0, (size_t)s->k * sizeof *s->weight);
    for (int64_t i = 0; i < x->n; i++) {
        const int64_t from = x->start[i], count = x->start[i + 1] - from;
        const int32_t c = tac_across_nearest(&s->now, x->column + from, x->value + from, count,
                                             s->room, &squared);
        const double w = s->median ? 1 / sqrt(fmax(squared, s->close)) : 1;
        s->near[i] = cost_of(s, squared);
        total += s->near[i];
        s->weight[c] += w;
        for (int64_t e = from; e < from + count; e++)
            s->next.at[(size_t)x->column[e] * (size_t)s->k + (size_t)c] += w * x->value[e];
    }
    return total / (double)x->n;
}

/* Means of the cells; an empty one takes the point that costs most. */
static void move(search *s)
{
    const size_t k = (size_t)s->k;
    const tac_across swap = s->now;

    s->now = s->next;
    s->next = swap;
    memset(s->now.square, 0, k * sizeof *s->now.square);
    for (size_t i = 0; i < (size_t)s->x->d * k; i++) {
        s->now.at[i] /= s->weight[i % k] > 0 ? s->weight[i % k] : 1;
        s->now.square[i % k] += s->now.at[i] * s->now.at[i];
    }
    for (int32_t c = 0; c < s->k; c++) {
        int64_t worst = 0;
        if (s->weight[c] > 0) continue;
        for (int64_t i = 1; i < s->x->n; i++)
            if (s->near[i] > s->near[worst]) worst = i;
        s->near[worst] = 0;
        put(s, c, worst);
    }
}

/* Lloyd steps from s->now; *best: the least mean cost seen by any start. */
static tacit_status descend(search *s, const tac_plain_kmeans *opts, double *best)
{
    tacit_status status = TACIT_OK;
    double before = INFINITY;

    for (int32_t t = 0; t < opts->iterations; t++) {
        TAC_TRY(tac_check_cancel(s->ctx));
        const double cost = assign(s);
        *best = fmin(*best, cost);
        if (!(before - cost > opts->tolerance * cost)) break;
        before = cost;
        move(s);
    }
done:
    return status;
}

/* The best mean cost over all starts; centers are not kept. */
tacit_status tac_solve_sparse(tacit_ctx *ctx, const tac_csr *x, bool median,
                              const tac_plain_kmeans *opts, double *cost)
{
    tacit_status status = TACIT_OK;
    search s = {.ctx = ctx, .x = x, .median = median, .k = opts->k};
    uint64_t state = opts->seed;

    *cost = INFINITY;
    if (x->n < 1 || opts->k < 1)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "plain k-means needs a point and a center");
    TAC_TRY(tac_across_new(ctx, opts->k, x->d, &s.now));
    TAC_TRY(tac_across_new(ctx, opts->k, x->d, &s.next));
    TAC_TRY(tac_new(ctx, (size_t)opts->k, sizeof *s.weight, &s.weight));
    TAC_TRY(tac_new(ctx, (size_t)opts->k, sizeof *s.room, &s.room));
    TAC_TRY(tac_new(ctx, (size_t)x->n, sizeof *s.near, &s.near));
    TAC_TRY(tac_new(ctx, (size_t)x->d, sizeof *s.point, &s.point));
    for (int64_t i = 0; i < x->n; i++) {
        double length = 0;
        for (int64_t e = x->start[i]; e < x->start[i + 1]; e++) length += x->value[e] * x->value[e];
        s.close = fmax(s.close, CLOSE * CLOSE * length);
    }
    s.close = fmax(s.close, 1e-300);
    for (int32_t r = 0; r < opts->restarts; r++) {
        TAC_TRY(begin(&s, &state));
        TAC_TRY(descend(&s, opts, cost));
    }
done:
    tac_across_clear(&s.now);
    tac_across_clear(&s.next);
    tac_free(s.weight);
    tac_free(s.room);
    tac_free(s.near);
    tac_free(s.point);
    return status;
}
