/* SPDX-License-Identifier: Apache-2.0 */
/* A selection: one of several public candidates, drawn by their costs, by permute-and-flip or the
   exponential mechanism. Exact: integer costs, exact Bernoulli draws. Proof: select.proof.md */
#include "privacy/kinds.h"

/* True with probability exp(-epsilon (cost - least) / range). */
static bool accept(tac_stream *stream, uint64_t epsilon, uint64_t gap, uint64_t range)
{
    return tac_bernoulli_exp(stream, (tac_u128)epsilon * gap, range << TAC_SELECTION_BITS);
}

/* P(i) ~ exp(-epsilon cost_i / range): uniform proposals, exact acceptance. */
static uint32_t exponential_mechanism(tac_stream *stream, uint64_t epsilon, uint64_t range,
                                      const uint64_t *cost, uint64_t least, uint32_t m)
{
    for (;;) {
        const uint32_t i = (uint32_t)tac_below(stream, m);
        if (accept(stream, epsilon, cost[i] - least, range)) return i;
    }
}

/* The same flips without replacement: shuffles `order` as it goes. The best candidate always
   accepts, so it ends. */
static uint32_t permute_and_flip(tac_stream *stream, uint64_t epsilon, uint64_t range,
                                 const uint64_t *cost, uint64_t least, uint32_t m, uint32_t *order)
{
    for (uint32_t i = 0; i < m; i++) order[i] = i;
    for (uint32_t left = m;; left--) {
        const uint32_t pick = (uint32_t)tac_below(stream, left), i = order[pick];
        if (accept(stream, epsilon, cost[i] - least, range)) return i;
        order[pick] = order[left - 1];
    }
}

/* Costs relative to the least: exponents stay small, and the best candidate accepts at once. The
   draw depends on cost differences alone. */
uint32_t tac_choose_by_cost(tac_stream *stream, tac_definition definition, uint64_t epsilon,
                            uint64_t range, const uint64_t *cost, uint32_t m, uint32_t *order)
{
    uint64_t least = cost[0];

    for (uint32_t i = 1; i < m; i++) least = cost[i] < least ? cost[i] : least;
    return definition == TAC_PURE ? permute_and_flip(stream, epsilon, range, cost, least, m, order)
                                  : exponential_mechanism(stream, epsilon, range, cost, least, m);
}
