/* SPDX-License-Identifier: Apache-2.0 */
/* Ward's agglomeration (1963). Every point remembers its cheapest partner; a join changes only
   those who had one of the two. Prices never fall by a join (Ward is reducible), so a remembered
   partner that is still there is still the cheapest, or the joined point is. */
#include "solve/kmeans/ward.h"

#include <math.h>

double tac_ward_price(const double *x, const double *y, double w, double v, int32_t d)
{
    double far = 0;

    for (int32_t j = 0; j < d; j++) far += (x[j] - y[j]) * (x[j] - y[j]);
    return far * w * v / (w + v);
}

typedef struct tree {
    double *points, *weight, *cost;
    int32_t n, d, *partner;
    bool *gone;
} tree;

static double price(const tree *t, int32_t a, int32_t b)
{
    return tac_ward_price(t->points + (size_t)a * (size_t)t->d,
                          t->points + (size_t)b * (size_t)t->d, t->weight[a], t->weight[b], t->d);
}

static void find_partner(tree *t, int32_t a)
{
    t->cost[a] = INFINITY;
    t->partner[a] = -1;
    for (int32_t b = 0; b < t->n; b++) {
        if (b == a || t->gone[b]) continue;
        const double c = price(t, a, b);
        if (c < t->cost[a]) t->cost[a] = c, t->partner[a] = b;
    }
}

static void take_in(tree *t, int32_t a, int32_t b)
{
    double *x = t->points + (size_t)a * (size_t)t->d;
    const double *y = t->points + (size_t)b * (size_t)t->d, w = t->weight[a], v = t->weight[b];

    for (int32_t j = 0; j < t->d; j++) x[j] = (w * x[j] + v * y[j]) / (w + v);
    t->weight[a] = w + v;
    t->gone[b] = true;
    find_partner(t, a);
    for (int32_t i = 0; i < t->n; i++) {
        if (t->gone[i] || i == a) continue;
        if (t->partner[i] == a || t->partner[i] == b) {
            find_partner(t, i);
        } else {
            const double c = price(t, i, a);
            if (c < t->cost[i]) t->cost[i] = c, t->partner[i] = a;
        }
    }
}

tacit_status tac_ward(tacit_ctx *ctx, double *points, double *weight, int32_t n, int32_t d,
                      tac_join *join, int32_t *joins)
{
    tacit_status status = TACIT_OK;
    tree t = {.points = points, .weight = weight, .n = n, .d = d};

    *joins = 0;
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *t.partner, &t.partner));
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *t.cost, &t.cost));
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *t.gone, &t.gone));
    for (int32_t i = 0; i < n; i++) find_partner(&t, i);
    for (int32_t left = n; left > 1; left--) {
        int32_t a = -1;
        for (int32_t i = 0; i < n; i++)
            if (!t.gone[i] && (a < 0 || t.cost[i] < t.cost[a])) a = i;
        const int32_t b = t.partner[a];
        if (b < 0) break; /* distances that overflow */
        join[(*joins)++] = (tac_join){a, b};
        take_in(&t, a, b);
    }
done:
    tac_free(t.partner);
    tac_free(t.cost);
    tac_free(t.gone);
    return status;
}
