/* SPDX-License-Identifier: Apache-2.0 */
/* The accountant: which budgets are allowed, how many quanta they are, and the filter that every
   charge of a query passes. Floating point only turns (epsilon, delta) into quanta, rounded
   down; charging is in integers. Proof: accountant.proof.md. */
#include "privacy/accounting/accountant.h"

#include "privacy/accounting/curve.h"

#include <math.h>

/* No sentence quotes the value: a budget is public, but the rule "no values in sentences" has no
   exceptions. */
static tacit_status check_epsilon(tacit_ctx *ctx, double epsilon)
{
    if (isnan(epsilon))
        return tac_fail(ctx, TACIT_E_BUDGET_UNSET,
                        "no epsilon was given and there is no default; write how much privacy this "
                        "run may spend, for example epsilon = 1 (smaller is more private)");
    if (epsilon <= 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "epsilon must be greater than 0; write a positive number, for example "
                        "epsilon = 1 (smaller is more private)");
    if (epsilon < TAC_EPSILON_MIN)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "epsilon is below %g, where nothing but noise would come out; raise "
                        "epsilon",
                        TAC_EPSILON_MIN);
    if (epsilon > TAC_EPSILON_MAX) /* also infinity */
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "epsilon is above %g, which protects nobody; lower epsilon to 10 or less",
                        TAC_EPSILON_MAX);
    return TACIT_OK;
}

/* 0, or within [TAC_DELTA_MIN, TAC_DELTA_MAX]. NaN is no default here: an unset delta is 0. */
static tacit_status check_delta(tacit_ctx *ctx, double delta)
{
    if (isnan(delta))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "delta is not a number; write 0 for pure differential privacy, or a small "
                        "probability such as 1e-6");
    if (delta < 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "delta must not be negative; write 0 for pure differential privacy, or a "
                        "small probability such as 1e-6");
    if (delta > 0 && delta < TAC_DELTA_MIN)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "delta is below %g; write 0 for pure differential privacy, or raise delta",
                        TAC_DELTA_MIN);
    if (delta > TAC_DELTA_MAX) /* also infinity */
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "delta is above %g; delta is the chance that the promise fails, so lower "
                        "it below one over the number of people, for example 1e-6",
                        TAC_DELTA_MAX);
    return TACIT_OK;
}

tacit_status tac_budget_check(tacit_ctx *ctx, double epsilon, double delta)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(check_epsilon(ctx, epsilon));
    TAC_TRY(check_delta(ctx, delta));
done:
    return status;
}

/* floor(2^TAC_QUANTUM_BITS * x), exact; 0 if x is not positive or NaN; saturates at 2^63. */
static uint64_t quanta_of(double x)
{
    const double scaled = ldexp(x, TAC_QUANTUM_BITS); /* a power of two: no rounding */

    if (!(scaled >= 1)) return 0;
    return scaled >= 0x1p63 ? UINT64_C(1) << 63 : (uint64_t)scaled;
}

/* floor(2^TAC_QUANTUM_BITS * x^2), exact: a double is m * 2^e with m < 2^53, so its square has 106
   bits. */
static uint64_t quanta_of_square(double x)
{
    int e;

    if (!(x > 0)) return 0;
    /* above what (TAC_EPSILON_MAX, TAC_DELTA_MAX) can buy */
    if (x >= 0x1p6) return UINT64_C(1) << 62;
    const tac_u128 m = (tac_u128)ldexp(frexp(x, &e), 53);
    const int right = 2 * (53 - e) - TAC_QUANTUM_BITS; /* > 0 as e <= 6 */
    return right >= 128 ? 0 : (uint64_t)((m * m) >> right);
}

uint64_t tac_budget_quanta(tac_definition definition, double epsilon, double delta)
{
    switch (definition) {
    case TAC_PURE: return quanta_of(epsilon);
    case TAC_GDP: return quanta_of_square(tac_gauss_mu(epsilon, delta));
    }
    return 0; /* an unknown privacy definition buys nothing */
}

void tac_accountant_open(tac_definition definition, double epsilon, double delta,
                         tac_accountant *out)
{
    *out = (tac_accountant){.definition = definition,
                            .epsilon = epsilon,
                            .delta = delta,
                            .budget = tac_budget_quanta(definition, epsilon, delta)};
}

/* The privacy filter: spent + quanta <= budget, whatever made the method ask. Composition is a
   sum under both privacy definitions, so this comparison is all there is to it. */
tacit_status tac_charge(tacit_ctx *ctx, tac_accountant *accountant, uint64_t quanta)
{
    /* A free query would let their number, and so the filter's proof, grow without end. */
    if (quanta == 0)
        return tac_fail(ctx, TACIT_E_INTERNAL,
                        "a query of the rows was to be charged nothing; please report this");
    /* spent <= budget always, so the difference cannot wrap; the sum could. */
    if (accountant->spent > accountant->budget || quanta > accountant->budget - accountant->spent)
        return tac_fail(ctx, TACIT_E_INTERNAL,
                        "a method asked for more than its reserved budget; nothing was answered; "
                        "please report this");
    accountant->spent += quanta;
    return TACIT_OK;
}
