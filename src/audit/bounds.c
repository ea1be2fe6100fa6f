/* SPDX-License-Identifier: Apache-2.0 */
/* Confidence bounds of a probability by the incomplete beta function, and the normal quantile.
   Statistics of the audit alone: nothing here sees rows. */
#include "audit/bounds.h"

#include <math.h>

/* steps of the continued fraction at most; it needs about the root of the number of runs */
#define STEPS 200000

/* I_x(a, b) for x < (a + 1) / (a + b + 2): x^a (1 - x)^b / (a B(a, b)) times a continued fraction
   (modified Lentz). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    int sign;
    /* its logarithm */
    const double beta = lgamma_r(a, &sign) + lgamma_r(b, &sign) - lgamma_r(a + b, &sign);
    const double front = exp(a * log(x) + b * log1p(-x) - beta) / a;
    double c = 1, d = 1 - (a + b) * x / (a + 1), value;

    d = 1 / (fabs(d) < tiny ? tiny : d);
    value = d;
    for (int m = 1; m < STEPS; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + even * d;
        c = 1 + even / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        value *= c * d;
        d = 1 + odd * d;
        c = 1 + odd / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        value *= c * d;
        if (fabs(c * d - 1) < 1e-15) break;
    }
    return front * value;
}

/* I_x(a, b), the regularized one; the side on which the fraction converges fast is used. */
static double incomplete_beta(double a, double b, double x)
{
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    return x < (a + 1) / (a + b + 2) ? beta_fraction(a, b, x) : 1 - beta_fraction(b, a, 1 - x);
}

/* P(at most `hits` of `of` coins of probability p) = I_(1 - p)(of - hits, hits + 1), falling in
   p */
double tac_at_most(int64_t hits, int64_t of, double alpha)
{
    if (of < 1 || hits < 0 || hits >= of || !(alpha > 0)) return 1;
    double low = (double)hits / (double)of, high = 1;
    for (int i = 0; i < 80; i++) {
        const double p = (low + high) / 2;
        if (incomplete_beta((double)(of - hits), (double)hits + 1, 1 - p) > alpha)
            low = p;
        else
            high = p;
    }
    high *= 1 + 1e-9;
    return high < 1 ? high : 1;
}

double tac_at_least(int64_t hits, int64_t of, double alpha)
{
    return 1 - tac_at_most(of - hits, of, alpha);
}

/* Bisection on Phi(x) = erfc(-x / sqrt 2) / 2: slow, exact to rounding, called a few times. */
double tac_normal_quantile(double p)
{
    double low = -40, high = 40;

    if (!(p > 0)) return -INFINITY;
    if (!(p < 1)) return INFINITY;
    for (int i = 0; i < 100; i++) {
        const double x = (low + high) / 2;
        if (0.5 * erfc(-x * M_SQRT1_2) < p)
            low = x;
        else
            high = x;
    }
    return (low + high) / 2;
}
