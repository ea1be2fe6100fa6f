/* SPDX-License-Identifier: Apache-2.0 */
/* The Mills ratio of the normal distribution, m(x) = Phi(-x) / phi(x), and how fast it falls. No
   under- or overflow. */
#ifndef TAC_MILLS_H
#define TAC_MILLS_H

/* m(x) = integral over s > 0 of exp(-x s - s^2/2), x >= -1. Relative error at most 80 tac_ulp. */
long double tac_mills(long double x);
/* -m'(x) = 1 - x m(x) = integral over s > 0 of s exp(-x s - s^2/2), x >= -1. Relative error at most
   1000 tac_ulp. */
long double tac_mills_fall(long double x);

#endif
