/* SPDX-License-Identifier: Apache-2.0 */
/* The decision: the cells' silhouettes against those of boxes at the same k. */
#include "solve/kmeans/choose_k.h"

#include <math.h>

#define SMOOTH 0.15 /* of the boxes' mean, a standard deviation in log k */
#define NEAR 0.02   /* k whose D is so close to the best do about as well */
#define ABOVE 3.0   /* standard deviations of what boxes reach against each other */

typedef struct curves {
    int32_t k_max, nulls;
    const double *null;    /* nulls x (k_max + 1) */
    double *mean, *smooth; /* k_max + 1 */
} curves;

/* mean[k] over the boxes but one (skip; -1: over all), NaN where fewer than half have it. */
static void average(curves *c, int32_t skip)
{
    const int32_t others = c->nulls - (skip >= 0);

    for (int32_t k = 0; k <= c->k_max; k++) {
        int32_t have = 0;
        double sum = 0;
        for (int32_t b = 0; b < c->nulls; b++) {
            const double s = c->null[(size_t)b * (size_t)(c->k_max + 1) + (size_t)k];
            if (b == skip || isnan(s)) continue;
            sum += s;
            have++;
        }
        c->mean[k] = 2 * have > others ? sum / have : NAN;
    }
}

/* S0: the mean, smoothed over log k, for every k between the first and the last that it has. */
static void smooth(curves *c)
{
    int32_t last = 0;

    for (int32_t k = 2; k <= c->k_max; k++)
        if (!isnan(c->mean[k])) last = k;
    for (int32_t k = 0; k <= c->k_max; k++) {
        double sum = 0, all = 0;
        for (int32_t j = 2; j <= last; j++) {
            if (k < 2 || k > last || isnan(c->mean[j])) continue;
            const double w = exp(-0.5 * pow(log((double)k / j) / SMOOTH, 2));
            sum += w * c->mean[j];
            all += w;
        }
        c->smooth[k] = all > 0 ? sum / all : NAN;
    }
}

/* Is there something to compare at this k? A null that is perfect leaves no room. */
static bool known(const curves *c, const double *own, int32_t k)
{
    return !isnan(own[k]) && c->smooth[k] < 1;
}

/* k*; 0: nothing can be compared. */
static int32_t pick(const curves *c, const double *own)
{
    double best = -INFINITY;
    int32_t at = 0;

    for (int32_t k = 2; k <= c->k_max; k++) {
        if (!known(c, own, k)) continue;
        const double value = (own[k] - c->smooth[k]) / sqrt(1 - c->smooth[k]);
        if (value > best) best = value, at = k;
    }
    return at;
}

static double strength(const curves *c, const double *own, int32_t k)
{
    return k == 0 ? 0 : (own[k] - c->smooth[k]) / (1 - c->smooth[k]);
}

/* mean + 2 sd of what each box reaches against the others, at least the floor. */
static double threshold(curves *c)
{
    double sum = 0, squares = 0;

    if (c->nulls < 2) return TAC_K_FLOOR;
    for (int32_t b = 0; b < c->nulls; b++) {
        const double *own = c->null + (size_t)b * (size_t)(c->k_max + 1);
        average(c, b);
        smooth(c);
        const double g = strength(c, own, pick(c, own));
        sum += g;
        squares += g * g;
    }
    const double mean = sum / c->nulls, variance = fmax(0, squares - sum * mean) / (c->nulls - 1);
    return fmax(TAC_K_FLOOR, mean + ABOVE * sqrt(variance));
}

/* Strengths where they are known, straight lines between, 0 at k = 1 and beyond the last. */
static void draw(const curves *c, const double *own, double *curve, tac_k_choice *out)
{
    int32_t before = 1;

    for (int32_t k = 1; k <= c->k_max; k++) curve[k - 1] = 0;
    for (int32_t k = 2; k <= c->k_max; k++) {
        if (!known(c, own, k)) continue;
        curve[k - 1] = strength(c, own, k);
        for (int32_t j = before + 1; j < k; j++)
            curve[j - 1] = curve[before - 1] +
                           (curve[k - 1] - curve[before - 1]) * (j - before) / (k - before);
        before = k;
    }
    out->seen = before;
}

tacit_status tac_k_decide(tacit_ctx *ctx, const double *own, const double *null, int32_t nulls,
                          int32_t k_max, double *curve, tac_k_choice *out)
{
    tacit_status status = TACIT_OK;
    curves c = {.k_max = k_max, .nulls = nulls, .null = null};

    *out = (tac_k_choice){.k = 1, .best = 1, .low = 1, .high = 1, .seen = 1};
    TAC_TRY(tac_new(ctx, (size_t)k_max + 1, sizeof(double), &c.mean));
    TAC_TRY(tac_new(ctx, (size_t)k_max + 1, sizeof(double), &c.smooth));
    out->needed = threshold(&c);
    average(&c, -1);
    smooth(&c);
    draw(&c, own, curve, out);
    const int32_t best = pick(&c, own);
    if (best == 0) { /* noise leaves nothing to compare */
        out->needed = 1;
        goto done;
    }
    out->best = out->low = out->high = best;
    out->strength = strength(&c, own, best);
    for (int32_t k = 2; k <= k_max; k++) {
        if (!known(&c, own, k)) continue;
        if (own[k] - c.smooth[k] < own[best] - c.smooth[best] - NEAR) continue;
        out->low = k < out->low ? k : out->low;
        out->high = k > out->high ? k : out->high;
    }
    out->k = out->strength > out->needed ? best : 1;
done:
    tac_free(c.mean);
    tac_free(c.smooth);
    return status;
}
