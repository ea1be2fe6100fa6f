/* SPDX-License-Identifier: Apache-2.0 */
/* Logarithms that are the same function on every host: rows of one table may be placed by several,
   and the C library's last bits differ between versions. Additions, products and quotients of
   doubles alone, in one order, without contraction. Error below 2 units in the last place. */
#include "core/core.h"

#include <math.h>

/* ln 2 in two parts; the first has 32 bits, so that its product with an exponent is exact. */
#define LN2_HIGH 0x1.62e42feep-1
#define LN2_LOW 0x1.a39ef35793c76p-33
#define LOG2_E 0x1.71547652b82fep+0

/* x = m 2^exponent, m in [sqrt 1/2, sqrt 2). x > 0, finite. */
static double mantissa(double x, int *exponent)
{
    double m = frexp(x, exponent); /* exact */

    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        --*exponent;
    }
    return m;
}

/* log(1 + f) = f - h + s (h + r) with s = f / (2 + f), h = f^2 / 2, r = 2 s^2 / 3 + 2 s^4 / 5 + ...
   less is subtracted in the end, so that what it lacks of f is not rounded twice. |s| < 0.172: the
   terms that are left out are below 2^-60. */
static double log_near_one(double f, double less)
{
    const double s = f / (2 + f), z = s * s, h = 0.5 * f * f;
    double r = 0;

    for (int k = 12; k >= 1; k--) r = z * (r + 2.0 / (2 * k + 1));
    return f - (h - (s * (h + r) + less));
}

double tac_log(double x)
{
    int exponent;

    if (!(x > 0) || isinf(x)) return x < 0 ? (double)NAN : x == 0 ? (double)-INFINITY : x;
    const double f = mantissa(x, &exponent) - 1;
    return exponent * LN2_HIGH + log_near_one(f, exponent * LN2_LOW);
}

double tac_log2(double x)
{
    int exponent;

    if (!(x > 0) || isinf(x)) return x < 0 ? (double)NAN : x == 0 ? (double)-INFINITY : x;
    const double f = mantissa(x, &exponent) - 1;
    return exponent + log_near_one(f, 0) * LOG2_E;
}

/* log u for u = 1 + x rounded, and what was rounded away. */
double tac_log1p(double x)
{
    const double u = 1 + x;

    if (!(u > 0) || isinf(u) || u == 1) return u == 1 ? x : tac_log(u);
    const double lost = x > 1 ? 1 - (u - x) : x - (u - 1);
    return tac_log(u) + lost / u;
}
