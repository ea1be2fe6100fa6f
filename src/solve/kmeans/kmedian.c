/* SPDX-License-Identifier: Apache-2.0 */
/* Plain k-median: the same search as k-means, with centers that move towards geometric medians
   (Weiszfeld). */
#include "solve/kmeans/kmedian.h"

#include "solve/kmeans/kmeans_internal.h"

#include <math.h>
#include <string.h>

enum { PULLS = 6 }; /* Weiszfeld steps per assignment: each costs 1/k of it */

/* Sums of x w/|x - c| and of w/|x - c| over each center's points, and the weight that rests on c
   itself. */
static tacit_status pull_block(void *state, int64_t block, int worker)
{
    const tac_steps *s = state;
    const tac_points *set = s->set;
    const int64_t from = block * set->block_rows, end = from + set->block_rows,
                  to = end < set->n ? end : set->n;
    const size_t d = (size_t)set->d;
    double *sums = s->part + (size_t)block * s->part_size;
    double *pulls = sums + (size_t)s->k * d, *resting = pulls + s->k;

    (void)worker;
    memset(sums, 0, s->part_size * sizeof *sums);
    for (int64_t i = from; i < to; i++) {
        const size_t c = (size_t)s->label[i];
        const double *x = set->points + (size_t)i * d, *center = s->from + c * d;
        double squared = 0, *sum = sums + c * d;
        for (size_t j = 0; j < d; j++) squared += (x[j] - center[j]) * (x[j] - center[j]);
        if (!(squared > 0)) {
            resting[c] += set->weight[i];
            continue;
        }
        const double pull = set->weight[i] / sqrt(squared);
        for (size_t j = 0; j < d; j++) sum[j] += pull * x[j];
        pulls[c] += pull;
    }
    return TACIT_OK;
}

/* The sums of pull_block over all blocks, in part[0]. */
static tacit_status pull(const tac_steps *s)
{
    const tacit_status status = tac_points_map(s->set, 2, pull_block, (void *)s);
    if (status == TACIT_OK) tac_steps_add_up(s);
    return status;
}

/* |R|, R = sum of w (x - c) / |x - c|: how hard the points of a cell pull at its center s->from. */
static double pull_strength(const tac_steps *s, int32_t c, double *mean)
{
    const size_t d = (size_t)s->set->d;
    const double pulls = s->part[(size_t)s->k * d + (size_t)c];
    double squared = 0;

    for (size_t j = 0; j < d; j++) {
        mean[j] = s->part[(size_t)c * d + j] / pulls;
        squared += (mean[j] - s->from[(size_t)c * d + j]) * (mean[j] - s->from[(size_t)c * d + j]);
    }
    return pulls * sqrt(squared);
}

/* Weiszfeld's step as Vardi and Zhang (2000) repaired it for a center on a point: the weight there
   holds it back. c' = c + max(0, 1 - rest / |R|) (T - c), T = sum(x w/|x - c|) / sum(w/|x - c|).
   The sums are overwritten. */
static void step_centers(const tac_steps *s)
{
    const size_t d = (size_t)s->set->d, k = (size_t)s->k;
    for (int32_t c = 0; c < s->k; c++) {
        const double pulls = s->part[k * d + (size_t)c], rest = s->part[k * d + k + (size_t)c];
        double *center = s->from + (size_t)c * d, *mean = s->part + (size_t)c * d;
        if (!(pulls > 0) || isinf(pulls)) continue;
        const double strength = pull_strength(s, c, mean);
        const double share = rest < strength ? 1 - rest / strength : 0;
        if (!isfinite(strength)) continue;
        for (size_t j = 0; j < d; j++) center[j] += share * (mean[j] - center[j]);
    }
}

/* A median that lies on a point is approached ever more slowly: ask each center's nearest point
   whether it is the median (what pulls at it is not more than what rests on it), and take it if so.
   centers in; centers out. */
static tacit_status snap(const tac_steps *s, double *centers)
{
    tacit_status status = TACIT_OK;
    const tac_points *set = s->set;
    const size_t d = (size_t)set->d, k = (size_t)s->k;
    double *closest = s->part; /* k: free until the next pull */

    for (size_t c = 0; c < k; c++) closest[c] = INFINITY;
    for (int64_t i = 0; i < set->n; i++) {
        const size_t c = (size_t)s->label[i];
        const double *x = set->points + (size_t)i * d;
        double squared = 0;
        for (size_t j = 0; j < d; j++)
            squared += (x[j] - centers[c * d + j]) * (x[j] - centers[c * d + j]);
        if (!(set->weight[i] > 0) || !(squared < closest[c])) continue;
        closest[c] = squared;
        memcpy(s->from + c * d, x, d * sizeof *x);
    }
    TAC_TRY(pull(s));
    for (int32_t c = 0; c < s->k; c++) {
        const double pulls = s->part[k * d + (size_t)c], rest = s->part[k * d + k + (size_t)c];
        double *mean = s->part + (size_t)c * d;
        if (rest > 0 && (!(pulls > 0) || pull_strength(s, c, mean) <= rest))
            memcpy(centers + (size_t)c * d, s->from + (size_t)c * d, d * sizeof *centers);
    }
done:
    return status;
}

/* PULLS Weiszfeld steps with the labels fixed, then a look whether a point is the median itself. */
tacit_status tac_kmedian_move(const tac_steps *s, double *centers)
{
    tacit_status status = TACIT_OK;
    const size_t size = (size_t)s->k * (size_t)s->set->d * sizeof *centers;

    memcpy(s->from, centers, size);
    for (int i = 0; i < PULLS; i++) {
        TAC_TRY(pull(s));
        step_centers(s);
    }
    memcpy(centers, s->from, size);
    TAC_TRY(snap(s, centers));
done:
    return status;
}

tacit_status tac_solve_kmedian(tacit_ctx *ctx, const double *points, const double *weight,
                               int64_t n, int32_t d, const tac_plain_kmeans *opts, double *centers,
                               double *cost, int32_t *label)
{
    return tac_solve_plain(ctx, true, points, weight, n, d, opts, NULL, centers, cost, label);
}
