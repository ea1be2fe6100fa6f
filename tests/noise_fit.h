/* SPDX-License-Identifier: Apache-2.0 */
/* How well draws fit the two distributions of noise: z of chi-square tests, standard normal under
   the distribution. */
#ifndef TAC_TEST_NOISE_FIT_H
#define TAC_TEST_NOISE_FIT_H

#include "privacy/noise/noise.h"
#include "statistics.h"
#include "tap.h"

/* Unnormalized weight of the integer x. */
static inline double noise_weight(tac_distribution distribution, double scale, double x)
{
    return distribution == TAC_GAUSSIAN ? exp(-x * x / (2 * scale * scale)) : exp(-fabs(x) / scale);
}

/* Every integer its own bin as far as 20 are expected, the tails in two more. */
__attribute__((unused)) static double small_scale_z(const int64_t *draws,
                                                    tac_distribution distribution, uint64_t scale,
                                                    long count)
{
    const int reach = (int)scale * (distribution == TAC_GAUSSIAN ? 9 : 40), bins = 2 * reach + 1;
    int64_t *seen = calloc((size_t)bins, sizeof *seen);
    double *share = calloc((size_t)bins, sizeof *share), sum = 0;

    MUST(seen != NULL && share != NULL);
    for (int i = 0; i < bins; i++)
        sum += share[i] = noise_weight(distribution, (double)scale, i - reach);
    for (int i = 0; i < bins; i++) share[i] /= sum;
    for (long i = 0; i < count; i++) {
        const int64_t x = draws[i] < -reach ? -reach : draws[i] > reach ? reach : draws[i];
        seen[x + reach]++;
    }
    const double z = fit_z(seen, share, bins, (double)count);
    free(seen);
    free(share);
    return z;
}

/* P(X <= t scale) of the continuous distribution, to which the discrete one is within 1e-5 at
   scales of 10^5 and more. */
static inline double below_continuous(tac_distribution distribution, double t)
{
    if (distribution == TAC_GAUSSIAN) return 0.5 * erfc(-t / sqrt(2));
    return t < 0 ? 0.5 * exp(t) : 1 - 0.5 * exp(-t);
}

/* Large scales: bins of scale / 8. */
__attribute__((unused)) static double large_scale_z(const int64_t *draws,
                                                    tac_distribution distribution, uint64_t scale,
                                                    long count)
{
    enum { REACH = 160 };
    int64_t seen[2 * REACH] = {0};
    double share[2 * REACH];

    for (int i = 0; i < 2 * REACH; i++)
        share[i] =
            (i == 2 * REACH - 1 ? 1 : below_continuous(distribution, (i + 1 - REACH) / 8.0)) -
            (i == 0 ? 0 : below_continuous(distribution, (i - REACH) / 8.0));
    for (long i = 0; i < count; i++) {
        const double bin = floor(8 * ((double)draws[i] / (double)scale)) + REACH;
        seen[bin < 0 ? 0 : bin >= 2 * REACH ? 2 * REACH - 1 : (int)bin]++;
    }
    return fit_z(seen, share, 2 * REACH, (double)count);
}

#endif
