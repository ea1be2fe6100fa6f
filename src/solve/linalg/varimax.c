/* SPDX-License-Identifier: Apache-2.0 */
/* Varimax by turns in the plane of two factors at a time: each turn is exact, so nothing drifts
   from orthogonal. */
#include "solve/linalg/varimax.h"

#include <math.h>

#define STILL 1e-10 /* a sweep whose largest turn is below this angle is the last */

/* The turn by the angle phi that maximizes the two factors' variances: with u = x^2 - y^2, v = 2 x
     y, tan 4 phi = (2 sum u v - 2 sum u sum v / n) / (sum u^2 - v^2 - ((sum u)^2 - (sum v)^2) / n)
   Returns |phi|. */
static double turn(double *x, double *y, int32_t items)
{
    double a = 0, b = 0, c = 0, d = 0;

    for (int32_t i = 0; i < items; i++) {
        const double u = x[i] * x[i] - y[i] * y[i], v = 2 * x[i] * y[i];
        a += u;
        b += v;
        c += u * u - v * v;
        d += 2 * u * v;
    }
    const double up = d - 2 * a * b / items, along = c - (a * a - b * b) / items;
    if (!(hypot(up, along) > 0)) return 0;
    const double phi = atan2(up, along) / 4, cosine = cos(phi), sine = sin(phi);
    for (int32_t i = 0; i < items; i++) {
        const double was = x[i];
        x[i] = was * cosine + y[i] * sine;
        y[i] = y[i] * cosine - was * sine;
    }
    return fabs(phi);
}

void tac_varimax(double *loadings, int32_t p, int32_t items, int32_t sweeps)
{
    const size_t n = (size_t)items;

    for (int32_t s = 0; s < sweeps; s++) {
        double most = 0;
        for (int32_t a = 0; a < p; a++)
            for (int32_t b = a + 1; b < p; b++)
                most = fmax(most, turn(loadings + (size_t)a * n, loadings + (size_t)b * n, items));
        if (most < STILL) break;
    }
}

void tac_point_factors(double *loadings, int32_t p, int32_t items)
{
    for (int32_t a = 0; a < p; a++) {
        double *x = loadings + (size_t)a * (size_t)items, cubes = 0, squares = 0;
        for (int32_t i = 0; i < items; i++) {
            squares += x[i] * x[i];
            cubes += x[i] * x[i] * x[i];
        }
        if (!(squares > 0)) continue;
        const double factor = (cubes < 0 ? -1 : 1) / sqrt(squares);
        for (int32_t i = 0; i < items; i++) x[i] *= factor;
    }
}
