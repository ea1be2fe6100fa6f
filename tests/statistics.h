/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of distributions. Each statistic becomes a standard normal z under the null; ALARM is the
   two-sided limit that a right program exceeds for one seed in a million (and the seeds are fixed,
   so a pass stays a pass). */
#ifndef TAC_STATISTICS_H
#define TAC_STATISTICS_H

#include <math.h>
#include <stdint.h>

#define ALARM 4.8916

/* Wilson & Hilferty: the cube root of chi^2 / df is nearly normal. Good to 0.05 in z for df >=
   5. */
static inline double chi_square_z(double chi2, double df)
{
    return (cbrt(chi2 / df) - (1 - 2 / (9 * df))) / sqrt(2 / (9 * df));
}

/* Goodness of fit of counts to probabilities (they sum to 1); neighbors are merged until 20 are
   expected. */
static inline double fit_z(const int64_t *seen, const double *probability, int bins, double total)
{
    double chi2 = 0, expected = 0, observed = 0;
    int cells = 0;

    for (int i = 0; i < bins; i++) {
        expected += probability[i] * total;
        observed += (double)seen[i];
        double rest = 0;
        for (int r = i + 1; r < bins && rest < 20; r++) rest += probability[r] * total;
        if ((expected >= 20 && rest >= 20) || i == bins - 1) {
            chi2 += (observed - expected) * (observed - expected) / expected;
            cells++;
            expected = observed = 0;
        }
    }
    return chi_square_z(chi2, cells - 1);
}

/* `hits` of `total` coins of probability p. */
static inline double coin_z(double hits, double total, double p)
{
    return (hits - total * p) / sqrt(total * p * (1 - p));
}

/* Correlation of n pairs, times sqrt n. */
static inline double correlation_z(const int64_t *a, const int64_t *b, long n)
{
    double ab = 0, aa = 0, bb = 0;
    for (long i = 0; i < n; i++) {
        ab += (double)a[i] * (double)b[i];
        aa += (double)a[i] * (double)a[i];
        bb += (double)b[i] * (double)b[i];
    }
    return ab / sqrt(aa * bb) * sqrt((double)n);
}

#endif
