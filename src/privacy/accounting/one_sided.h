/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic with a known direction of error, for the privacy curves. Analysis:
   accountant.proof.md, part 6. */
#ifndef TAC_ONE_SIDED_H
#define TAC_ONE_SIDED_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Relative error of one long double operation, in any rounding mode; it also covers what series and
   quadratures cut off. On x86-64 it is 2^-63. Where long double is double, or the processor is set
   to 53 bits (or emulated so), it is 2^-52: every bound stays a bound, only the promise of 1e-9
   becomes 1e-6 for epsilons near 1e-6. Asked of the processor, not of float.h, which cannot
   know. */
static inline long double tac_ulp(void)
{
    const volatile long double one = 1, tiny = 0x1p-63L;
    const volatile long double sum = one + tiny;
    return sum - one == tiny ? tiny : DBL_EPSILON;
}

/* Error bound of one call of the C library's exp, log, log1p, tanh, erf or erfc, in tac_ulp
   (glibc: 1 to 5). */
#define TAC_LIBM 16

_Static_assert(LDBL_MANT_DIG >= 53 && DBL_MANT_DIG == 53, "the curves need at least IEEE double");

/* The least double that is not below x. */
static inline double tac_round_up(long double x)
{
    const double near = (double)x;
    return near < x ? nextafter(near, INFINITY) : near;
}

/* Bisection over the doubles themselves: their bit patterns are ordered like the positive numbers,
   so any scale takes at most 63 steps and ends with two neighbors. `safe(good)` holds before and,
   for the value returned, after: what comes back is certified by `safe`, whatever its rounding did
   in between. 0 <= good, other. */
static inline double tac_bisect(bool (*safe)(double x, const void *payload), const void *payload,
                                double good, double other)
{
    uint64_t a, b;

    memcpy(&a, &good, sizeof a);
    memcpy(&b, &other, sizeof b);
    while (a + 1 < b || b + 1 < a) {
        const uint64_t middle = a / 2 + b / 2 + (a & b & 1);
        double x;
        memcpy(&x, &middle, sizeof x);
        if (safe(x, payload))
            a = middle;
        else
            b = middle;
    }
    memcpy(&good, &a, sizeof good);
    return good;
}

#endif
