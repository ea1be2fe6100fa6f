/* SPDX-License-Identifier: Apache-2.0 */
/* Noisy vectors, shrunk as far as noise explains them (James & Stein): post-processing. */
#include "cluster/kmeans/auto/auto_kmeans.h"

#include <math.h>

/* 1 - (d - 2) variance / |S|^2, for few dimensions d / 2 instead of d - 2. */
double tac_shrink(double squares, double variance, int32_t dims)
{
    const double noise = fmax(dims - 2, 0.5 * dims) * variance;
    return squares > noise ? 1 - noise / squares : 0;
}

double tac_shrink_whole(double *x, int32_t dims, double sd)
{
    double squares = 0;

    for (int32_t j = 0; j < dims; j++) squares += x[j] * x[j];
    const double kept = tac_shrink(squares, sd * sd, dims);
    for (int32_t j = 0; j < dims; j++) x[j] *= kept;
    return sd * sqrt(dims);
}

/* x = m (1, ..., 1) + y with y of mean 0: m sqrt(d) has the noise of a single coordinate, y that of
   d - 1 (Efron & Morris 1973). The squares of d Laplace variables add up to d variances, with a
   standard deviation of sqrt(5 d). What is shrunk away is not known to be 0: about sqrt(2 d)
   variances of it go unseen. */
double tac_shrink_apart(double *x, int32_t dims, double sd, double sure)
{
    const double noise = sd * sd;
    double level = 0, own = 0;

    for (int32_t j = 0; j < dims; j++) level += x[j] / dims;
    for (int32_t j = 0; j < dims; j++) own += (x[j] - level) * (x[j] - level);
    const bool seen = !(sure > 0) || own > (dims + sure * sqrt(5.0 * dims)) * noise;
    const double kept = seen ? tac_shrink(own, noise, dims) : 0,
                 kept_level = tac_shrink(dims * level * level, noise, 1);
    for (int32_t j = 0; j < dims; j++) x[j] = kept * (x[j] - level) + kept_level * level;
    return sd * sqrt(fmin(dims, 1 + fmax(kept * dims, sqrt(2.0 * dims))));
}
