/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy k-means++ (Arthur & Vassilvitskii 2007, with several candidates per step): the
   candidate that lowers the cost most becomes the center. */
#include "solve/kmeans/kmeans_internal.h"

#include <math.h>
#include <string.h>

/* candidates per center at most; usually 2 + ln k */
enum { CANDIDATES = 8 };

typedef struct step {
    const tac_points *set;
    const double *lanes;         /* candidates, for tac_squared */
    int many;                    /* of them */
    double (*near)[CANDIDATES];  /* n: the point's cost, were the candidate a center */
    double (*total)[CANDIDATES]; /* blocks: the sum of weight * near */
} step;

/* splitmix64 */
uint64_t tac_plain_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* near_ic = min(near_i, cost of i at candidate c), and its weighted sum over the block. */
static tacit_status try_block(void *state, int64_t block, int worker)
{
    const step *s = state;
    const tac_points *set = s->set;
    const int64_t from = block * set->block_rows, end = from + set->block_rows,
                  to = end < set->n ? end : set->n;
    double out[TAC_POINTS * TAC_NEAR];

    (void)worker;
    memset(s->total[block], 0, sizeof s->total[block]);
    for (int64_t i = from; i < to; i += TAC_POINTS) {
        const double *point[TAC_POINTS];
        for (int p = 0; p < TAC_POINTS; p++)
            point[p] = set->points + (i + p < to ? i + p : to - 1) * set->d;
        tac_squared(point, s->lanes, s->many, set->d, 0, out);
        for (int p = 0; p < TAC_POINTS && i + p < to; p++)
            for (int c = 0; c < s->many; c++) {
                const double far = out[p * TAC_NEAR + c];
                s->near[i + p][c] = fmin(set->near[i + p], set->median ? sqrt(far) : far);
                s->total[block][c] += set->weight[i + p] * s->near[i + p][c];
            }
    }
    return TACIT_OK;
}

/* Inversion of the cumulative sum; points of weight or cost 0 are never drawn. */
int64_t tac_points_draw(const tac_points *set, const double *near, double total, uint64_t *state)
{
    double left = (double)(tac_plain_random(state) >> 11) * 0x1p-53 * total;
    int64_t last = 0;

    for (int64_t i = 0; i < set->n; i++) {
        const double share = set->weight[i] * (near == NULL ? 1 : near[i]);
        if (!(share > 0)) continue;
        last = i; /* rounding may leave a crumb after the last point */
        left -= share;
        if (left < 0) break;
    }
    return last;
}

/* Candidates are drawn ~ weight x cost; the one that leaves the least cost becomes a center. */
tacit_status tac_kmeans_start(const tac_points *set, int32_t k, uint64_t *state, double *centers)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)set->d;
    const int usual = (int)fmin(CANDIDATES, 2 + floor(log(k)));
    double *picked = NULL, *lanes = NULL, all = 0, cost = 0;
    step s = {.set = set};

    TAC_TRY(tac_new(set->ctx, CANDIDATES * d, sizeof *picked, &picked));
    TAC_TRY(tac_new(set->ctx, tac_lanes_size(CANDIDATES, set->d), sizeof *lanes, &lanes));
    TAC_TRY(tac_new(set->ctx, (size_t)set->blocks, sizeof *s.total, &s.total));
    TAC_TRY(tac_new(set->ctx, (size_t)set->n, sizeof *s.near, &s.near));
    s.lanes = lanes;
    for (int64_t i = 0; i < set->n; i++) {
        all += set->weight[i];
        set->near[i] = INFINITY;
    }
    for (int32_t c = 0; c < k; c++) {
        /* Nothing left to win (every point is a center), or no number to go by: any point by its
           weight. */
        const bool plain = c == 0 || !(cost > 0) || !isfinite(cost);
        double total[CANDIDATES] = {0};
        int best = 0;

        s.many = plain ? 1 : usual;
        for (int m = 0; m < s.many; m++) {
            const int64_t i =
                tac_points_draw(set, plain ? NULL : set->near, plain ? all : cost, state);
            memcpy(picked + (size_t)m * d, set->points + (size_t)i * d, d * sizeof *picked);
        }
        tac_lay_lanes(picked, s.many, set->d, lanes);
        TAC_TRY(tac_points_map(set, s.many, try_block, &s));
        for (int64_t b = 0; b < set->blocks; b++)
            for (int m = 0; m < s.many; m++) total[m] += s.total[b][m];
        for (int m = 1; m < s.many; m++) best = total[m] < total[best] ? m : best;
        cost = total[best];
        for (int64_t i = 0; i < set->n; i++) set->near[i] = s.near[i][best];
        memcpy(centers + (size_t)c * d, picked + (size_t)best * d, d * sizeof *centers);
    }
done:
    tac_free(picked);
    tac_free(lanes);
    tac_free(s.near);
    tac_free(s.total);
    return status;
}
