/* SPDX-License-Identifier: Apache-2.0 */
/* What noise of an integer scale costs in quanta, and the smallest scale that a price allows:
   the step from a sensitivity to a noise scale. Integers only, exact, rounded up. Proof:
   accountant.proof.md, parts 1 and 3. */
#include "privacy/accounting/accountant.h"

/* bits per step of the long division: TAC_QUANTUM_BITS / STEP steps, divisor below
   2^(128 - STEP) */
#define STEP 10
#define SMOOTH 9      /* r^2 of the discrete Gaussian's correction, r = 3 */
#define SIGMA_LEAST 4 /* the first sigma with sigma^2 > SMOOTH */

_Static_assert(TAC_QUANTUM_BITS % STEP == 0, "the long division takes whole steps");
_Static_assert(TAC_SIGMA_MAX <= UINT64_C(1) << (128 - STEP) / 2, "remainder << STEP must fit 128 "
                                                                 "bits");

/* ceil(2^TAC_QUANTUM_BITS * above / below), UINT64_MAX if that or more;
   0 < below < 2^(128 - STEP) */
static uint64_t ratio_up(tac_u128 above, tac_u128 below)
{
    const tac_u128 whole = above / below;
    tac_u128 left = above % below;
    uint64_t quanta = (uint64_t)whole;

    if (whole >> (64 - TAC_QUANTUM_BITS) != 0) return UINT64_MAX;
    for (int bit = 0; bit < TAC_QUANTUM_BITS; bit += STEP) {
        left <<= STEP;
        quanta = (quanta << STEP) | (uint64_t)(left / below);
        left %= below;
    }
    return left != 0 && quanta != UINT64_MAX ? quanta + 1 : quanta;
}

/* mu^2 = Delta^2 / (sigma^2 - 9) covers the discrete Gaussian on the integers, sigma >= 4. */
uint64_t tac_cost_gaussian(tac_u128 sensitivity_squared, uint64_t sigma)
{
    if (sigma < SIGMA_LEAST || sigma > TAC_SIGMA_MAX) return UINT64_MAX;
    return ratio_up(sensitivity_squared, (tac_u128)sigma * sigma - SMOOTH);
}

/* epsilon = Delta_1 / scale: the discrete Laplace has the ratio of the continuous one. */
uint64_t tac_cost_laplace(tac_u128 sensitivity_l1, uint64_t scale)
{
    if (scale < 1 || scale > TAC_SIGMA_MAX) return UINT64_MAX;
    return ratio_up(sensitivity_l1, scale);
}

/* About 2^TAC_QUANTUM_BITS * above / below, rounded down; 0 where 128 bits do not hold it. A first
   guess only. */
static tac_u128 ratio_near(tac_u128 above, uint64_t below)
{
    if (below == 0 || (above / below) >> (126 - TAC_QUANTUM_BITS) != 0) return 0;
    return ((above / below) << TAC_QUANTUM_BITS) + ((above % below) << TAC_QUANTUM_BITS) / below;
}

/* The least scale in [least, TAC_SIGMA_MAX] with cost <= quanta, 0 if there is none, by
   bisection: costs never rise with the scale. near: a guess, off by 1 or 2; a bad one only makes
   the search longer. */
static uint64_t scale_for(uint64_t (*cost)(tac_u128, uint64_t), tac_u128 sensitivity,
                          uint64_t least, uint64_t near, uint64_t quanta)
{
    uint64_t low = least, high = TAC_SIGMA_MAX;

    if (quanta == UINT64_MAX) quanta--; /* that cost means "does not fit": no price buys it */
    if (cost(sensitivity, high) > quanta) return 0;
    if (near >= low && near <= high - 2) {
        if (cost(sensitivity, near + 2) <= quanta) high = near + 2;
        if (near > low && cost(sensitivity, near - 1) > quanta) low = near;
    }
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (cost(sensitivity, middle) <= quanta)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

uint64_t tac_sigma_for(tac_u128 sensitivity_squared, uint64_t quanta)
{
    const tac_u128 near = ratio_near(sensitivity_squared, quanta);
    const uint64_t root = near >> 125 != 0 ? 0 : tac_root(near + SMOOTH);
    return scale_for(tac_cost_gaussian, sensitivity_squared, SIGMA_LEAST, root, quanta);
}

uint64_t tac_laplace_scale_for(tac_u128 sensitivity_l1, uint64_t quanta)
{
    const tac_u128 near = ratio_near(sensitivity_l1, quanta);
    return scale_for(tac_cost_laplace, sensitivity_l1, 1, near > TAC_SIGMA_MAX ? 0 : (uint64_t)near,
                     quanta);
}
