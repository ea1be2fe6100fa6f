/* SPDX-License-Identifier: Apache-2.0 */
/* Weighted points that stand for the rows around them, and Ward's agglomeration to fewer of
   them. Post-processing of released cells. */
#include "cluster/kmeans/auto/auto_kmeans.h"

#include <math.h>
#include <string.h>

tacit_status tac_cell_set_new(tacit_ctx *ctx, int32_t room, int32_t dims, tac_cell_set *out)
{
    tacit_status status = TACIT_OK;
    const size_t cells = (size_t)room;

    *out = (tac_cell_set){.room = room, .dims = dims};
    TAC_TRY(tac_new(ctx, cells * (size_t)dims, sizeof(double), &out->center));
    TAC_TRY(tac_new(ctx, cells, sizeof(double), &out->weight));
    TAC_TRY(tac_new(ctx, cells, sizeof(double), &out->spread));
    TAC_TRY(tac_new(ctx, cells, sizeof(double), &out->reach));
done:
    return status;
}

void tac_cell_set_clear(tac_cell_set *set)
{
    tac_free(set->center);
    tac_free(set->weight);
    tac_free(set->spread);
    tac_free(set->reach);
    *set = (tac_cell_set){0};
}

/* What joining two cells adds to the cost: w v / (w + v) |a - b|^2. */
static double joined(const tac_cell_set *s, int32_t a, int32_t b)
{
    const double *x = s->center + (size_t)a * (size_t)s->dims,
                 *y = s->center + (size_t)b * (size_t)s->dims;
    double far = 0;

    for (int32_t j = 0; j < s->dims; j++) far += (x[j] - y[j]) * (x[j] - y[j]);
    return far * s->weight[a] * s->weight[b] / (s->weight[a] + s->weight[b]);
}

/* The cheapest partner of cell a among those that are left. */
static void find_partner(const tac_cell_set *s, const bool *gone, int32_t a, int32_t *partner,
                         double *cost)
{
    cost[a] = INFINITY;
    partner[a] = -1;
    for (int32_t b = 0; b < s->count; b++) {
        if (b == a || gone[b]) continue;
        const double c = joined(s, a, b);
        if (c < cost[a]) cost[a] = c, partner[a] = b;
    }
}

/* a takes b in: the mean, the rows, and the spread about the new mean. */
static void take_in(tac_cell_set *s, int32_t a, int32_t b)
{
    double *x = s->center + (size_t)a * (size_t)s->dims;
    const double *y = s->center + (size_t)b * (size_t)s->dims, w = s->weight[a], v = s->weight[b],
                 all = w + v;

    s->spread[a] = (w * s->spread[a] + v * s->spread[b] + joined(s, a, b)) / all;
    for (int32_t j = 0; j < s->dims; j++) x[j] = (w * x[j] + v * y[j]) / all;
    s->weight[a] = all;
    s->reach[a] = fmax(s->reach[a], s->reach[b]);
}

/* Moves the cells that are left to the front. */
static void close_ranks(tac_cell_set *s, const bool *gone)
{
    const size_t dims = (size_t)s->dims;
    int32_t kept = 0;

    for (int32_t i = 0; i < s->count; i++) {
        if (gone[i]) continue;
        memmove(s->center + (size_t)kept * dims, s->center + (size_t)i * dims,
                dims * sizeof(double));
        s->weight[kept] = s->weight[i];
        s->spread[kept] = s->spread[i];
        s->reach[kept] = s->reach[i];
        kept++;
    }
    s->count = kept;
}

/* Every cell remembers its cheapest partner; joining two changes only those who had one of them as
   partner. Costs grow with every join (Ward is reducible), so a remembered partner that is still
   there is still the cheapest, or the joined cell is. Time ~ (cells + joins) cells d. */
tacit_status tac_cell_set_thin(tacit_ctx *ctx, tac_cell_set *s, int32_t most)
{
    tacit_status status = TACIT_OK;
    int32_t *partner = NULL, left = s->count;
    double *cost = NULL;
    bool *gone = NULL;

    if (left <= most) return TACIT_OK;
    TAC_TRY(tac_new(ctx, (size_t)s->count, sizeof *partner, &partner));
    TAC_TRY(tac_new(ctx, (size_t)s->count, sizeof *cost, &cost));
    TAC_TRY(tac_new(ctx, (size_t)s->count, sizeof *gone, &gone));
    for (int32_t i = 0; i < s->count; i++) find_partner(s, gone, i, partner, cost);
    for (; left > most && left > 1; left--) {
        int32_t a = -1;
        for (int32_t i = 0; i < s->count; i++)
            if (!gone[i] && (a < 0 || cost[i] < cost[a])) a = i;
        const int32_t b = partner[a];
        if (b < 0) break;
        take_in(s, a, b);
        gone[b] = true;
        find_partner(s, gone, a, partner, cost);
        for (int32_t i = 0; i < s->count; i++) {
            if (gone[i] || i == a) continue;
            if (partner[i] == a || partner[i] == b)
                find_partner(s, gone, i, partner, cost);
            else if (joined(s, i, a) < cost[i])
                cost[i] = joined(s, i, a), partner[i] = a;
        }
    }
    close_ranks(s, gone);
done:
    tac_free(partner);
    tac_free(cost);
    tac_free(gone);
    return status;
}
