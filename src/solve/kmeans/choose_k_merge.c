/* SPDX-License-Identifier: Apache-2.0 */
/* Cells that are clear of their noise: those that are not join the neighbor that costs least. */
#include "solve/kmeans/choose_k_internal.h"

#include <math.h>
#include <string.h>

#define CLEAR 5.0 /* standard deviations of one original cell's weight */

/* Ward's price of joining a and b: w v / (w + v) |a - b|^2. */
static double price(const tac_k_clear *s, int64_t a, int64_t b)
{
    const double *x = s->points + a * s->d, *y = s->points + b * s->d;
    double far = 0;
    for (int32_t j = 0; j < s->d; j++) far += (x[j] - y[j]) * (x[j] - y[j]);
    return far * s->weight[a] * s->weight[b] / (s->weight[a] + s->weight[b]);
}

/* a takes b in: rows, mean, mean square about the new mean; the last cell takes b's place. */
static void join(tac_k_clear *s, int64_t a, int64_t b)
{
    const size_t d = (size_t)s->d;
    const double w = s->weight[a], v = s->weight[b], all = w + v, cost = price(s, a, b);
    double *x = s->points + (size_t)a * d, *y = s->points + (size_t)b * d;
    const int64_t last = s->n - 1;

    for (size_t j = 0; j < d; j++) x[j] = (w * x[j] + v * y[j]) / all;
    s->spread[a] = (w * s->spread[a] + v * s->spread[b] + cost) / all;
    s->weight[a] = all;
    s->joined[a] += s->joined[b];
    memmove(y, s->points + (size_t)last * d, d * sizeof *y);
    s->weight[b] = s->weight[last];
    s->spread[b] = s->spread[last];
    s->joined[b] = s->joined[last];
    s->n = last;
}

/* The weakest cell joins its cheapest neighbor, until all are above CLEAR deviations. */
void tac_k_merge(tac_k_clear *s, double weight_sd)
{
    while (s->n > 1) {
        int64_t weak = 0, partner = -1;
        double best = INFINITY;
        for (int64_t i = 1; i < s->n; i++)
            if (s->weight[i] < s->weight[weak]) weak = i;
        if (s->weight[weak] >= CLEAR * weight_sd) break;
        for (int64_t i = 0; i < s->n; i++)
            if (i != weak && price(s, i, weak) < best) best = price(s, partner = i, weak);
        if (partner < 0) break; /* distances that overflow */
        join(s, partner, weak);
    }
}
