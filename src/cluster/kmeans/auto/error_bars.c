/* SPDX-License-Identifier: Apache-2.0 */
/* Error bars of a round in all columns: the noise of the sums, and what a noisy count or radius
   may hide. From released values. */
#include "cluster/kmeans/auto/auto_kmeans.h"

#include <math.h>

/* a count below so many standard deviations may be noise alone: then the place is not known */
#define CLEAR 3.0
/* Markov: at most a quarter of the rows is beyond twice their root mean square distance */
#define BEYOND 2.0

/* A histogram of distances in units of the scales contradicts them if more than a quarter of the
   rows is beyond BEYOND, or says nothing. Then rows may lie as far from their centers as the zoom
   lets them. */
double tac_auto_hidden(const tac_walk *a, const tac_lengths *h, double sure)
{
    const double quarter = tac_lengths_quantile(h, 0.75, a->rules.rows, sure);

    return quarter <= BEYOND ? 0 : a->inner * TAC_M / a->radius;
}

/* The zoom goes where rows seem to be. If all rows together may be noise, so may be what it found,
   and they lie anywhere in the first lattice's ball. */
double tac_auto_lost(const tac_walk *a, double rows, double rows_sd)
{
    return rows > CLEAR * rows_sd ? 0 : (double)TAC_M * TAC_M / a->radius;
}

/* n^2 less the CLEAR^2 variances that noise alone may put there. */
double tac_auto_clear_rows(double count, double count_sd)
{
    return sqrt(fmax(0, count * fabs(count) - pow(CLEAR * count_sd, 2)));
}

/* sd_j = |(R sum_sd / n, step_j count_sd / n, step_j (R - r) / r)| with R the larger of r and what
   is hidden, n the rows that are clear; at most R / sqrt(d), all that a place in a ball can be
   wrong, and at least the noise of the step as it was made. */
void tac_auto_bars(const tac_bar *b, const double *step, double *sd)
{
    const double wide = fmax(b->radius, b->hidden), most = wide / sqrt(b->columns);
    const double n = tac_auto_clear_rows(b->count, b->count_sd);

    for (int32_t j = 0; j < b->columns; j++) {
        const double made = hypot(b->sum_sd * b->radius, step[j] * b->count_sd) / b->rows;
        /* n = 0: no bound */
        const double noise = hypot(b->sum_sd * wide, step[j] * b->count_sd) / n;
        sd[j] = fmax(made, fmin(most, hypot(noise, step[j] * (wide / fmax(b->radius, 1e-9) - 1))));
    }
}
