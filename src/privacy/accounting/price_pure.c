/* SPDX-License-Identifier: Apache-2.0 */
/* What a mechanism with a pure guarantee costs on either kind of account: Laplace noise, trace
   noise and selections. Floating point turns epsilon into quanta of mu^2, rounded up; everything
   else is in integers. Proof: accountant.proof.md, part 4. */
#include "privacy/accounting/accountant.h"

#include "privacy/accounting/curve.h"

#include <math.h>

/* ceil(2^TAC_QUANTUM_BITS * mu^2), exact: a double is m * 2^e with m < 2^53, so its square has 106
   bits. */
static uint64_t square_up(double mu)
{
    int e;

    if (!(mu < 0x1p6)) return UINT64_MAX; /* 2^12 and more: no budget pays that; also NaN */
    if (mu == 0) return 0;
    const tac_u128 m = (tac_u128)ldexp(frexp(mu, &e), 53), square = m * m;
    const int right = 2 * (53 - e) - TAC_QUANTUM_BITS; /* > 0 as e <= 6 */
    if (right >= 107) return 1;
    return (uint64_t)((square + (((tac_u128)1 << right) - 1)) >> right);
}

/* An epsilon-DP mechanism is mu-GDP with mu = 2 Phi^-1(e^eps / (1 + e^eps)). epsilon is rounded
   up to a double first, so the price is never too low. */
uint64_t tac_cost_pure(tac_definition definition, uint64_t epsilon)
{
    if (epsilon >= UINT64_C(1) << 63) return UINT64_MAX;
    switch (definition) {
    case TAC_PURE: return epsilon;
    case TAC_GDP: {
        const double near = (double)epsilon; /* rounded to 53 bits: then one up if that was down */
        const double up = (uint64_t)near < epsilon ? nextafter(near, INFINITY) : near;
        return square_up(tac_gauss_mu_of_pure(ldexp(up, -TAC_QUANTUM_BITS)));
    }
    }
    return UINT64_MAX;
}

/* A selection of range epsilon: permute-and-flip is epsilon-DP; the exponential mechanism has
   bounded range epsilon, so it counts as epsilon / 2 on a Gaussian account. */
uint64_t tac_cost_selection(tac_definition definition, uint64_t epsilon)
{
    if (epsilon > TAC_SELECTION_MOST) return UINT64_MAX;
    switch (definition) {
    case TAC_PURE: return epsilon << (TAC_QUANTUM_BITS - TAC_SELECTION_BITS);
    case TAC_GDP:
        return square_up(tac_gauss_mu_of_pure(ldexp((double)epsilon, -TAC_SELECTION_BITS - 1)));
    }
    return UINT64_MAX;
}

/* About the largest epsilon with mu(epsilon)^2 <= quanta: mu = 2 y, Phi(y) / Phi(-y) =
   e^epsilon. */
static double epsilon_near(uint64_t quanta)
{
    const double y = sqrt(ldexp((double)quanta, -TAC_QUANTUM_BITS)) / 2,
                 root_half = 0.70710678118654752;

    return y < 1 ? 2 * atanh(erf(root_half * y)) : log(erfc(-root_half * y) / erfc(root_half * y));
}

/* The largest value up to `most` whose cost was seen to be at most `quanta`. Costs grow with the
   value, but for the last digit of mu; what is returned has been seen to fit in any case. 0
   costs nothing. near: a guess, or NaN; a bad one only makes the search longer. */
static uint64_t most_for(uint64_t (*cost)(tac_definition, uint64_t), tac_definition definition,
                         uint64_t quanta, uint64_t most, double near)
{
    uint64_t good = 0, beyond = most + 1;

    if (quanta == UINT64_MAX) quanta--; /* that cost means "does not fit": no price buys it */
    if (near < (double)most / 2) {
        const uint64_t low = (uint64_t)(near * (1 - 0x1p-40)),
                       high = (uint64_t)(near * (1 + 0x1p-40)) + 2;
        if (cost(definition, low) <= quanta) good = low;
        if (cost(definition, high) > quanta) beyond = high;
    }
    while (good + 1 < beyond) {
        const uint64_t middle = good + (beyond - good) / 2;
        if (cost(definition, middle) <= quanta)
            good = middle;
        else
            beyond = middle;
    }
    return good;
}

uint64_t tac_pure_for(tac_definition definition, uint64_t quanta)
{
    const double near = definition == TAC_GDP ? ldexp(epsilon_near(quanta), TAC_QUANTUM_BITS) : NAN;
    return most_for(tac_cost_pure, definition, quanta, (UINT64_C(1) << 63) - 1, near);
}

/* The guess doubles epsilon_near: on a Gaussian account a selection counts as epsilon / 2. */
uint64_t tac_selection_epsilon(tac_definition definition, uint64_t quanta, uint64_t *cost)
{
    const double near =
        definition == TAC_GDP ? ldexp(2 * epsilon_near(quanta), TAC_SELECTION_BITS) : NAN;
    const uint64_t epsilon =
        most_for(tac_cost_selection, definition, quanta, TAC_SELECTION_MOST, near);
    *cost = tac_cost_selection(definition, epsilon);
    return epsilon;
}
