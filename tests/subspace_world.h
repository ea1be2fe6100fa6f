/* SPDX-License-Identifier: Apache-2.0 */
/* Subspaces made to measure: random ones, rows near them, and how far two sets of them are
   apart. */
#ifndef TAC_TEST_SUBSPACE_WORLD_H
#define TAC_TEST_SUBSPACE_WORLD_H

#include "mixed_dice.h"
#include "tap.h"

#include <math.h>

/* q orthonormal vectors of length d, drawn evenly. */
static void haar(int d, int q, double *u)
{
    for (int a = 0; a < q; a++) {
        for (int i = 0; i < d; i++) u[a * d + i] = normal();
        for (int b = 0; b < a; b++) {
            double along = 0;
            for (int i = 0; i < d; i++) along += u[a * d + i] * u[b * d + i];
            for (int i = 0; i < d; i++) u[a * d + i] -= along * u[b * d + i];
        }
        double squares = 0;
        for (int i = 0; i < d; i++) squares += u[a * d + i] * u[a * d + i];
        for (int i = 0; i < d; i++) u[a * d + i] /= sqrt(squares);
    }
}

/* |P - P'|_F of two spans, squared. */
static double apart_squared(const double *u, const double *v, int d, int q)
{
    double same = 0;

    for (int a = 0; a < q; a++)
        for (int b = 0; b < q; b++) {
            double along = 0;
            for (int i = 0; i < d; i++) along += u[a * d + i] * v[b * d + i];
            same += along * along;
        }
    return fmax(0, 2 * (q - same));
}

/* n rows on the unit spheres of k subspaces (truth: k x q x d, drawn here), in turn, with noise;
   nothing clipped. */
__attribute__((unused)) static double *subspace_rows(int64_t n, int d, int k, int q, double sigma,
                                                     uint64_t seed, double *truth)
{
    double *rows = malloc((size_t)(n < 1 ? 1 : n) * (size_t)d * sizeof *rows), y[64];

    dice = seed;
    for (int l = 0; l < k; l++) haar(d, q, truth + l * q * d);
    for (int64_t r = 0; r < n; r++) {
        const double *u = truth + r % k * q * d;
        double squares = 0, *x = rows + r * d;
        for (int a = 0; a < q; a++) {
            y[a] = normal();
            squares += y[a] * y[a];
        }
        for (int i = 0; i < d; i++) x[i] = sigma * normal();
        for (int a = 0; a < q; a++)
            for (int i = 0; i < d; i++) x[i] += y[a] / sqrt(squares) * u[a * d + i];
    }
    return rows;
}

/* The paper's d_W: the best matching's sqrt(sum |P - P'|_F^2). Subsets by dynamic programming: k <=
   12. */
__attribute__((unused)) static double wasserstein(const double *u, const double *v, int k, int d,
                                                  int q)
{
    static double best[1 << 12];

    best[0] = 0;
    for (int set = 1; set < 1 << k; set++) {
        const int row = __builtin_popcount((unsigned)set) - 1;
        best[set] = INFINITY;
        for (int m = 0; m < k; m++)
            if (set >> m & 1)
                best[set] =
                    fmin(best[set], best[set & ~(1 << m)] +
                                        apart_squared(u + row * q * d, v + m * q * d, d, q));
    }
    return sqrt(best[(1 << k) - 1]);
}

#endif
