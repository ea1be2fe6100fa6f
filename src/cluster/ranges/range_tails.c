/* SPDX-License-Identifier: Apache-2.0 */
/* How far a column reaches on one side of its middle. Bins grow with the distance, so that even a
   long tail is a few bins and its rows stand out of few bins' noise. Post-processing of released
   numbers. */
#include "cluster/ranges/ranges.h"

#include <math.h>

#define ALARM 0.003 /* chance that a side is taken for longer than its rows reach */
#define CLEAR 3.0   /* standard deviations of a sum that is drawn out */
#define FEWER 5.0   /* the tail's slope is taken from where so many times as many rows are beyond */
/* No tail is taken for heavier than distance^-2; most fall faster the farther out, and this much of
   the slope in the exponent fits Gaussian, exponential and log-normal tails alike. */
#define SLOPE_LEAST 2.0
#define BENT 0.75

/* Rows from bin i to the last that stands out. */
static double beyond(const tac_held *held, int32_t i, int32_t last)
{
    double sum = 0;

    for (int32_t b = i; b <= last; b++) sum += held->number[b];
    return sum;
}

/* S(r) = rows beyond r. From the outermost r_i at which S is clear of noise, and at least the tail,
   to the r with S(r) = tail: log S falls along log r by the slope from an earlier bin to r_i. */
double tac_range_tail(const tac_held *held, const double *from, double rows)
{
    const double tail = fmax(TAC_RANGE_TAIL * rows, 1);
    int32_t first, last, i, a;

    if (!tac_occupied(held, ALARM, &first, &last)) return NAN;
    for (i = last; i > 0; i--) {
        const double s = beyond(held, i, last);
        if (s >= tail && s >= CLEAR * held->sd * sqrt(last - i + 1)) break;
    }
    if (i == 0) return from[1];               /* all within the first bin */
    if (i == held->bins - 1) return INFINITY; /* the last bin is open: nobody knows */
    const double s = beyond(held, i, last);
    for (a = i - 1; a > 1 && beyond(held, a, last) < FEWER * s; a--) {
    }
    double slope = SLOPE_LEAST;
    if (a > 0)
        slope = fmax(slope, log(fmax(beyond(held, a, last) / s, 1)) / log(from[i] / from[a]));
    /* more than noise hides would have been seen beyond the bin: an edge is not drawn out */
    slope = fmax(slope, log(s / (CLEAR * held->sd)) / log(from[i + 1] / from[i]));
    return from[i] * pow(s / tail, BENT / slope);
}
