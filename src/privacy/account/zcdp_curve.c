/* SPDX-License-Identifier: Apache-2.0 */
/* zCDP to (epsilon, delta) and back. With a = alpha - 1 > 0 any a gives a valid bound, so a slightly wrong
   minimiser costs nothing but second-order tightness; only the rounding of one formula needs slack. Proofs:
   accountant.proof.md, parts 4 and 7.

       ln delta = a ((a + 1) rho - eps - ln(1 + 1/a)) - ln(1 + a) */
#include "privacy/account/curve.h"

#include "privacy/account/one_sided.h"

#define A_LEAST 1e-15
#define A_MOST 1e18

/* Each of the three searches below has one change of sign, from negative to positive in a. */
typedef struct search {
    double rho, epsilon;
    long double log_inverse; /* ln 1/delta */
} search;

/* slope of ln delta */
static bool before_delta(double a, const void *payload)
{
    const search *s = payload;
    return (2 * (long double)a + 1) * s->rho - s->epsilon - log1pl(1 / (long double)a) < 0;
}

/* slope of epsilon(a), times a^2 */
static bool before_epsilon(double a, const void *payload)
{
    const search *s = payload;
    return (long double)a * a * s->rho + log1pl(a) - s->log_inverse < 0;
}

/* minus the slope of rho(a), times something positive */
static bool before_rho(double a, const void *payload)
{
    const search *s = payload;
    const long double x = a;
    return x * x * (s->epsilon + log1pl(1 / x)) - (2 * x + 1) * (s->log_inverse - log1pl(x)) < 0;
}

/* ln 1/delta rounded up, 0 < delta < 1 */
static long double log_inverse_up(double delta)
{
    const long double value = -logl(delta);
    return value + 2 * TAC_LIBM * tac_ulp() * (value + 1);
}

double tac_zcdp_delta(double rho, double epsilon)
{
    if (!(rho >= 0) || !(epsilon >= 0)) return 1; /* also NaN: promise nothing */
    if (rho == 0) return 0;
    const search s = {.rho = rho, .epsilon = epsilon};
    const long double a = tac_bisect(before_delta, &s, A_LEAST, A_MOST);
    const long double plus = a * (a + 1) * rho, minus = a * epsilon, log_a = a * log1pl(1 / a), log_b = log1pl(a);
    const long double value = plus - minus - log_a - log_b;
    const long double slack = 4 * TAC_LIBM * tac_ulp() * (1 + plus + minus + log_a + log_b);

    if (!(value + slack < 0)) return 1;
    const double delta = tac_round_up(expl(value + slack) * (1 + 2 * TAC_LIBM * tac_ulp()));
    return delta > 1 ? 1 : delta < DBL_MIN ? DBL_MIN : delta;
}

/* epsilon = min over a of (a + 1) rho + (ln 1/delta - ln(1 + a)) / a - ln(1 + 1/a) */
double tac_zcdp_epsilon(double rho, double delta)
{
    if (!(rho >= 0) || !(delta >= 0)) return INFINITY;
    if (rho == 0 || delta >= 1) return 0;
    if (delta < DBL_MIN || rho > DBL_MAX) return INFINITY;
    const search s = {.rho = rho, .log_inverse = log_inverse_up(delta)};
    const long double a = tac_bisect(before_epsilon, &s, A_LEAST, A_MOST);
    const long double plus = (a + 1) * rho, far = s.log_inverse / a, near = log1pl(a) / a, log_a = log1pl(1 / a);
    const long double value = plus + far - near - log_a;
    const long double slack = 4 * TAC_LIBM * tac_ulp() * (plus + far + near + log_a);

    return value + slack > 0 ? tac_round_up(value + slack) : 0;
}

/* rho = max over a of (eps + ln(1 + 1/a) - (ln 1/delta - ln(1 + a)) / a) / (a + 1) */
double tac_zcdp_rho(double epsilon, double delta)
{
    if (!(epsilon >= 0) || !(delta >= DBL_MIN) || !(delta <= 1) || epsilon > DBL_MAX) return 0;
    if (delta >= 1) return DBL_MAX;
    const search s = {.epsilon = epsilon, .log_inverse = log_inverse_up(delta)};
    const long double a = tac_bisect(before_rho, &s, A_LEAST, A_MOST);
    const long double far = s.log_inverse / a, near = log1pl(a) / a, log_a = log1pl(1 / a);
    const long double value = (epsilon + log_a + near - far) / (a + 1);
    const long double slack = 4 * TAC_LIBM * tac_ulp() * (epsilon + log_a + near + far) / (a + 1);

    return value - slack > 0 ? tac_round_down(value - slack) : 0;
}
