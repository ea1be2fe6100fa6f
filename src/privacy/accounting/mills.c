/* SPDX-License-Identifier: Apache-2.0 */
/* The Mills ratio by Laplace's continued fraction for large x and by erfc for small x.
   Floating point; error analysis in accountant.proof.md, part 6. */
#include "privacy/accounting/mills.h"

#include <math.h>

#define SWITCH 3.0L /* above it the fraction, cut after DEPTH terms, is right to 4e-20 */
#define DEPTH 80
#define ROOT_HALF_PI 1.25331413731550025120788264240552263L
#define ROOT_HALF 0.707106781186547524400844362104849039L

/* t(x) = 1/m(x) - x = 1/(x + 2/(x + 3/(x + ...))): positive terms only, so nothing cancels. x >=
   SWITCH. */
static long double fraction(long double x)
{
    long double t = 0;

    for (int j = DEPTH; j >= 1; j--) t = (long double)j / (x + t);
    return t;
}

/* m(x) = sqrt(pi/2) exp(x^2/2) erfc(x/sqrt 2), -1 <= x < SWITCH */
static long double by_erfc(long double x)
{
    return ROOT_HALF_PI * expl(0.5L * x * x) * erfcl(ROOT_HALF * x);
}

long double tac_mills(long double x)
{
    return x < SWITCH ? by_erfc(x) : 1 / (x + fraction(x));
}

long double tac_mills_fall(long double x)
{
    /* at x = 3 still 0.086: loses a factor 12, no more */
    if (x < SWITCH) return 1 - x * by_erfc(x);
    const long double t = fraction(x);
    return t / (x + t); /* 1 - x/(x + t) without the difference */
}
