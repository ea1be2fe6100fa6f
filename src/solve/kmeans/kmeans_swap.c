/* SPDX-License-Identifier: Apache-2.0 */
/* Swaps that leave a bad local optimum (Lattanzi & Sohler 2019): a point drawn by its cost replaces
   the center that is missed least. Lloyd steps alone cannot move a center past others to a cluster
   that lost its own. */
#include "solve/kmeans/kmeans_internal.h"

#include <math.h>
#include <string.h>

/* points per try: one group of vector lanes holds so many distances for the price of one */
enum { DRAWN = 8 };

/* The two nearest centers of every point, so that taking one away is a sum and no search. */
typedef struct swaps {
    const tac_steps *steps;
    double *second;      /* n: cost at the second nearest center; set->near is the first */
    int32_t *runner;     /* n: which one that is */
    double *drawn;       /* DRAWN x d */
    double *lanes;       /* the same, for tac_squared */
    double (*at)[DRAWN]; /* n: cost of the point at each drawn point */
    /* blocks x (k + 1) x DRAWN: what taking each center away adds; last, the cost before */
    double *part;
} swaps;

/* First and second nearest of the centers in s->steps->lanes for up to TAC_POINTS points; ties:
   the lowest. */
static void two_nearest(const swaps *s, const int64_t *which, int many)
{
    const tac_steps *steps = s->steps;
    const tac_points *set = steps->set;
    const double *point[TAC_POINTS];
    double out[TAC_POINTS * TAC_NEAR], first[TAC_POINTS], second[TAC_POINTS];
    int32_t winner[TAC_POINTS] = {0}, runner[TAC_POINTS] = {0};

    for (int p = 0; p < TAC_POINTS; p++) {
        point[p] = set->points + which[p < many ? p : many - 1] * set->d;
        first[p] = second[p] = INFINITY;
    }
    for (int32_t from = 0; from < steps->k; from += TAC_NEAR) {
        const int32_t near = steps->k - from < TAC_NEAR ? steps->k - from : TAC_NEAR;
        tac_squared(point, steps->lanes, steps->k, set->d, from, out);
        for (int p = 0; p < many; p++)
            for (int32_t c = 0; c < near; c++) {
                const double far = out[p * TAC_NEAR + c];
                if (far < first[p]) {
                    second[p] = first[p], runner[p] = winner[p];
                    first[p] = far, winner[p] = from + c;
                } else if (far < second[p]) {
                    second[p] = far, runner[p] = from + c;
                }
            }
    }
    for (int p = 0; p < many; p++) {
        set->near[which[p]] = set->median ? sqrt(first[p]) : first[p];
        s->second[which[p]] = set->median ? sqrt(second[p]) : second[p];
        steps->label[which[p]] = winner[p];
        s->runner[which[p]] = runner[p];
    }
}

/* Points of a block: from .. to - 1. */
static void block_range(const tac_points *set, int64_t block, int64_t *from, int64_t *to)
{
    const int64_t end = (block + 1) * set->block_rows;
    *from = block * set->block_rows;
    *to = end < set->n ? end : set->n;
}

/* Nearest and second nearest centers of every point of a block. */
static tacit_status all_block(void *state, int64_t block, int worker)
{
    const swaps *s = state;
    int64_t from, to, which[TAC_POINTS];

    (void)worker;
    block_range(s->steps->set, block, &from, &to);
    for (int64_t i = from; i < to; i += TAC_POINTS) {
        int many = 0;
        for (; many < TAC_POINTS && i + many < to; many++) which[many] = i + many;
        two_nearest(s, which, many);
    }
    return TACIT_OK;
}

/* For every drawn point x and every center c: cost of (centers + x - c) = cost of (centers + x)
   + sum over c's points of w (min(second, at x) - min(first, at x)). */
static tacit_status try_block(void *state, int64_t block, int worker)
{
    const swaps *s = state;
    const tac_steps *steps = s->steps;
    const tac_points *set = steps->set;
    double(*loss)[DRAWN] =
        (double(*)[DRAWN])(s->part + (size_t)block * ((size_t)steps->k + 1) * DRAWN);
    double out[TAC_POINTS * TAC_NEAR];
    int64_t from, to;

    (void)worker;
    block_range(set, block, &from, &to);
    memset(loss, 0, ((size_t)steps->k + 1) * sizeof *loss);
    for (int64_t i = from; i < to; i += TAC_POINTS) {
        const double *point[TAC_POINTS];
        for (int p = 0; p < TAC_POINTS; p++)
            point[p] = set->points + (i + p < to ? i + p : to - 1) * set->d;
        tac_squared(point, s->lanes, DRAWN, set->d, 0, out);
        for (int p = 0; p < TAC_POINTS && i + p < to; p++) {
            const double w = set->weight[i + p], first = set->near[i + p],
                         second = s->second[i + p];
            double *mine = loss[steps->label[i + p]], *all = loss[steps->k];
            for (int x = 0; x < DRAWN; x++) {
                const double at = set->median ? sqrt(out[p * TAC_NEAR + x]) : out[p * TAC_NEAR + x];
                const double kept = at < first ? at : first;
                s->at[i + p][x] = at;
                all[x] += w * kept;
                mine[x] += w * ((at < second ? at : second) - kept);
            }
        }
    }
    return TACIT_OK;
}

/* The drawn point takes center c's place: points that knew c look again, the others have one center
   more. */
static void replace(const swaps *s, int x, int32_t c, double *centers)
{
    const tac_steps *steps = s->steps;
    const tac_points *set = steps->set;
    const size_t d = (size_t)set->d;
    int64_t which[TAC_POINTS];
    int many = 0;

    memcpy(centers + (size_t)c * d, s->drawn + (size_t)x * d, d * sizeof *centers);
    tac_lay_lanes(centers, steps->k, set->d, steps->lanes);
    for (int64_t i = 0; i < set->n; i++) {
        const double at = s->at[i][x];
        if (steps->label[i] == c || s->runner[i] == c) {
            which[many++] = i;
            if (many == TAC_POINTS) two_nearest(s, which, many), many = 0;
        } else if (at < set->near[i]) {
            s->second[i] = set->near[i], s->runner[i] = steps->label[i];
            set->near[i] = at, steps->label[i] = c;
        } else if (at < s->second[i]) {
            s->second[i] = at, s->runner[i] = c;
        }
    }
    if (many > 0) two_nearest(s, which, many);
}

/* One try: draw, weigh every exchange, make the best one if it lowers the cost. */
static tacit_status try_swap(const swaps *s, uint64_t *state, double *centers, double *cost,
                             bool *better)
{
    tacit_status status = TACIT_OK;
    const tac_points *set = s->steps->set;
    const size_t d = (size_t)set->d, k = (size_t)s->steps->k, size = (k + 1) * DRAWN;
    double best = INFINITY;
    int point = 0;
    size_t center = 0;

    *better = false;
    for (size_t x = 0; x < DRAWN; x++)
        memcpy(s->drawn + x * d,
               set->points + (size_t)tac_points_draw(set, set->near, *cost, state) * d,
               d * sizeof *s->drawn);
    tac_lay_lanes(s->drawn, DRAWN, set->d, s->lanes);
    TAC_TRY(tac_points_map(set, DRAWN, try_block, (void *)s));
    for (int64_t b = 1; b < set->blocks; b++)
        for (size_t j = 0; j < size; j++) s->part[j] += s->part[(size_t)b * size + j];
    for (size_t c = 0; c < k; c++)
        for (int x = 0; x < DRAWN; x++) {
            const double now = s->part[k * DRAWN + (size_t)x] + s->part[c * DRAWN + (size_t)x];
            if (now < best) best = now, point = x, center = c;
        }
    if (!(best < *cost * (1 - 1e-9))) goto done; /* rounding must not send it in circles */
    replace(s, point, (int32_t)center, centers);
    *cost = best;
    *better = true;
done:
    return status;
}

/* Bouts of tries, each followed by Lloyd steps if a swap was made. */
tacit_status tac_kmeans_swap(const tac_steps *steps, const tac_plain_kmeans *opts, uint64_t *state,
                             double *centers, double *cost)
{
    tacit_status status = TACIT_OK;
    const tac_points *set = steps->set;
    const size_t n = (size_t)set->n, d = (size_t)set->d;
    /* tries between Lloyd steps, which cost k / 8 each */
    const int32_t bout = steps->k / 4 > 8 ? steps->k / 4 : 8;
    swaps s = {.steps = steps};

    TAC_TRY(tac_new(set->ctx, n, sizeof *s.second, &s.second));
    TAC_TRY(tac_new(set->ctx, n, sizeof *s.runner, &s.runner));
    TAC_TRY(tac_new(set->ctx, n, sizeof *s.at, &s.at));
    TAC_TRY(tac_new(set->ctx, DRAWN * d, sizeof *s.drawn, &s.drawn));
    TAC_TRY(tac_new(set->ctx, tac_lanes_size(DRAWN, set->d), sizeof *s.lanes, &s.lanes));
    TAC_TRY(tac_new(set->ctx, (size_t)set->blocks, ((size_t)steps->k + 1) * DRAWN * sizeof *s.part,
                    &s.part));
    for (int32_t tried = 0; tried<opts->swaps && * cost> 0 && isfinite(*cost);) {
        bool moved = false;
        /* centers lie in steps->lanes: see descend */
        TAC_TRY(tac_points_map(set, steps->k, all_block, &s));
        for (int32_t i = 0; i < bout && tried<opts->swaps && * cost> 0; i++, tried++) {
            bool better;
            TAC_TRY(try_swap(&s, state, centers, cost, &better));
            moved = moved || better;
        }
        if (moved)
            TAC_TRY(tac_kmeans_descend(steps, opts->iterations, opts->tolerance, centers, cost));
        tac_show_progress(set->ctx, "swaps of centers", (double)tried / opts->swaps);
    }
done:
    tac_free(s.second);
    tac_free(s.runner);
    tac_free(s.at);
    tac_free(s.drawn);
    tac_free(s.lanes);
    tac_free(s.part);
    return status;
}
