/* SPDX-License-Identifier: Apache-2.0 */
/* The accountant: a budget in integer quanta, charges rounded up, budgets rounded down, and a
   filter that never lets the sum of charges exceed the reservation, however later queries depend
   on earlier answers (adaptive composition). A run has one account, and tac_ask charges it
   before a row is read for the query. */
#ifndef TAC_ACCOUNTANT_H
#define TAC_ACCOUNTANT_H

#include "privacy/noise/noise.h"

/* One budget quantum is 2^-50 of what composes by addition: epsilon (pure) or mu^2 (GDP). */
#define TAC_QUANTUM_BITS 50

/* The privacy definition of an account: chosen by delta, fixed for a run. */
typedef enum tac_definition {
    TAC_PURE = 0, /* delta = 0: epsilons add up */
    /* delta > 0: Gaussian DP. mu^2 adds up, and the curve is exact; a mechanism that is not
       Gaussian counts with a mu that covers it */
    TAC_GDP = 1
} tac_definition;

/* One account. Public: spending depends on queries and prices, never on rows. */
typedef struct tac_accountant {
    tac_definition definition;
    double epsilon, delta;
    uint64_t budget; /* quanta reserved */
    uint64_t spent;  /* quanta charged, <= budget always */
} tac_accountant;

/* The budgets that are accepted. */
#define TAC_EPSILON_MIN 1e-6
#define TAC_EPSILON_MAX 1000.0
#define TAC_DELTA_MIN 1e-30
#define TAC_DELTA_MAX 0.1

/* (epsilon, delta) as the user gave them: refuses NaN, infinite, zero, negative and out-of-range
   values with the option's name in the sentence. */
tacit_status tac_budget_check(tacit_ctx *ctx, double epsilon, double delta);

/* The quanta that (epsilon, delta) buy under a privacy definition, rounded down. Deterministic:
   a run and a ledger with the same (epsilon, delta) get the same number. */
uint64_t tac_budget_quanta(tac_definition definition, double epsilon, double delta);
void tac_accountant_open(tac_definition definition, double epsilon, double delta,
                         tac_accountant *out);
/* Charge or refuse (TACIT_E_INTERNAL: a method asked for more than it planned). Nothing is charged
   on refusal. */
tacit_status tac_charge(tacit_ctx *ctx, tac_accountant *accountant, uint64_t quanta);

/* Costs in quanta, rounded up, in integers; UINT64_MAX when they do not fit. No floating point. */
/* Delta^2 / (sigma^2 - 9) */
uint64_t tac_cost_gaussian(tac_u128 sensitivity_squared, uint64_t sigma);
uint64_t tac_cost_laplace(tac_u128 sensitivity_l1, uint64_t scale); /* Delta_1 / scale */
/* The smallest integer scale whose cost is at most `quanta`; 0 if there is none within
   TAC_SIGMA_MAX. */
uint64_t tac_sigma_for(tac_u128 sensitivity_squared, uint64_t quanta);
uint64_t tac_laplace_scale_for(tac_u128 sensitivity_l1, uint64_t quanta);

/* What an epsilon-DP mechanism costs on either account, epsilon in 2^-TAC_QUANTUM_BITS: epsilon
   itself (pure), mu(epsilon)^2 (GDP). Rounded up. */
uint64_t tac_cost_pure(tac_definition definition, uint64_t epsilon);
/* The largest such epsilon that `quanta` buy. */
uint64_t tac_pure_for(tac_definition definition, uint64_t quanta);

/* Selections: the score's range in epsilon is a multiple of 2^-TAC_SELECTION_BITS. Permute-and-flip
   on a pure account (epsilon), exponential mechanism on a Gaussian one: mu(epsilon / 2)^2. */
#define TAC_SELECTION_BITS 30
/* epsilon 4096: keeps every exponent within 128 bits */
#define TAC_SELECTION_MOST (UINT64_C(1) << 42)
uint64_t tac_cost_selection(tac_definition definition, uint64_t epsilon);
/* The largest epsilon that `quanta` buy (0: none), and what it really costs. */
uint64_t tac_selection_epsilon(tac_definition definition, uint64_t quanta, uint64_t *cost);

#endif
