/* SPDX-License-Identifier: Apache-2.0 */
/* Where to cut a cell in two: the thinnest place among the cuts that part the rows well (Otsu). */
#include "cluster/kmeans/auto/auto_kmeans.h"

#include <math.h>

enum { BINS = TAC_CUT_BINS };

#define CLEAR 0.7 /* a bin with less than so many standard deviations counts as empty */
#define SIDE 2.0  /* each side of a cut holds at least so many standard deviations of rows */
#define GOOD 0.8  /* cuts with such a part of the best separation may be taken */

/* Running sums of rows, rows t, rows t^2 over the bins' middles t. */
typedef struct running {
    double held[BINS], first[BINS], second[BINS];
} running;

/* Bins below CLEAR deviations count as empty: sums of noise would blur the cut. */
static void run(const double *rows, double sd, running *r)
{
    double n = 0, s = 0, q = 0;

    for (int b = 0; b < BINS; b++) {
        const double t = (b + 0.5) / BINS * 2 - 1, kept = rows[b] > CLEAR * sd ? rows[b] : 0;
        r->held[b] = n += kept;
        r->first[b] = s += kept * t;
        r->second[b] = q += kept * t * t;
    }
}

/* Between-class variance n_l n_r / n (m_l - m_r)^2 of the cut above bin b; -1 if a side is too
   small. */
static double separation(const running *r, int b, double least)
{
    const double all = r->held[BINS - 1], left = r->held[b], right = all - left;

    if (!(left > least) || !(right > least)) return -1;
    const double gap = r->first[b] / left - (r->first[BINS - 1] - r->first[b]) / right;
    return left * right / all * gap * gap;
}

static double variance(double rows, double first, double second)
{
    const double mean = first / rows;
    return fmax(second / rows - mean * mean, 1.0 / (BINS * BINS)); /* no less than a bin's width */
}

/* rows: TAC_CUT_BINS noisy numbers on [-1, 1], deviation sd each. No cut if either side would be
   too small. */
tac_cut tac_find_cut(const double *rows, double sd, double least_share)
{
    tac_cut cut = {.found = false};
    running r;
    double best = -1, thinnest = INFINITY;
    int at = -1;

    run(rows, sd, &r);
    const double all = r.held[BINS - 1], least = fmax(SIDE * sd, least_share * all);
    if (!(all > 0)) return cut;
    for (int b = 0; b < BINS - 1; b++) best = fmax(best, separation(&r, b, least));
    if (best < 0) return cut;
    for (int b = 0; b < BINS - 1; b++) {
        const double density = (rows[b] + rows[b + 1]) / 2;
        if (separation(&r, b, least) >= GOOD * best && density < thinnest)
            thinnest = density, at = b;
    }
    if (at < 0) return cut;
    const double first = r.first[BINS - 1], second = r.second[BINS - 1], left = r.held[at],
                 right = all - left;
    cut.found = true;
    cut.share[0] = left / all;
    cut.share[1] = right / all;
    cut.at[0] = r.first[at] / left;
    cut.at[1] = (first - r.first[at]) / right;
    cut.variance[0] = variance(left, r.first[at], r.second[at]);
    cut.variance[1] = variance(right, first - r.first[at], second - r.second[at]);
    cut.whole = second / all - first / all * (first / all);
    return cut;
}
