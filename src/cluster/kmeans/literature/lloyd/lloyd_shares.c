/* SPDX-License-Identifier: Apache-2.0 */
/* How noisy Lloyd spends its budget. Everything here is a function of public numbers and the
   noisy count. */
#include "cluster/kmeans/literature/lloyd/lloyd.h"

#include <math.h>

#define COUNT_SHARE 100 /* one hundredth for the number of rows */
#define GROWTH 1.4      /* each round gets so many times the share of the one before */
#define WEIGHT 0.8      /* of counts beside sums: how far from the middle centers lie, in radii */
#define TOO_NOISY 0.5   /* more centers than this regime number allows cannot be told apart */

uint64_t tac_lloyd_count_quanta(uint64_t budget)
{
    return budget / COUNT_SHARE;
}

/* The weight of counts in the joint query. A center's error is about (d + r^2 / w^2) Delta(w)^2, r
   its distance from the origin in units of the radius: Delta^2 = 1 + w^2 gives w ~ d^(-1/4),
   Delta_1 = sqrt(d) + w gives w ~ d^(-1/6). */
static uint32_t weight(tac_definition definition, int32_t dims)
{
    return (uint32_t)fmax(
        1, round(TAC_M * WEIGHT / pow(dims, definition == TAC_PURE ? 1.0 / 6 : 1.0 / 4)));
}

/* kappa: the noise of a center relative to the domain if one round had the whole budget, k
   sqrt(d) / (mu n) for Gaussian noise. The count, paid with a hundredth of the budget, shows the
   noise per row there. */
static double regime(tac_definition definition, int32_t k, int32_t dims, double rows,
                     double rows_sd)
{
    const double one = definition == TAC_PURE ? rows_sd / COUNT_SHARE : rows_sd / sqrt(COUNT_SHARE);
    return k * (definition == TAC_PURE ? dims : sqrt(dims)) * one / fmax(rows, 1);
}

#define MOST_CHOSEN 8

static int32_t choose_rounds(double kappa)
{
    return kappa <= 0.05   ? MOST_CHOSEN
           : kappa <= 0.1  ? 6
           : kappa <= 0.25 ? 4
           : kappa <= 0.5  ? 3
                           : 2;
}

tac_lloyd_schedule tac_lloyd_schedule_for(tac_definition definition, uint64_t budget, int32_t k,
                                          int32_t dims, double rows, double rows_sd, int32_t rounds)
{
    double kappa = regime(definition, k, dims, rows, rows_sd);
    tac_lloyd_schedule s = {.k = k, .count_weight = weight(definition, dims)};

    if (kappa > TOO_NOISY) {
        s.k = (int32_t)fmax(1, floor(k * TOO_NOISY / kappa));
        kappa = regime(definition, s.k, dims, rows, rows_sd);
    }
    s.rounds = rounds > 0 ? rounds : choose_rounds(kappa);
    s.left = budget - tac_lloyd_count_quanta(budget);
    return s;
}

uint64_t tac_lloyd_round_quanta(const tac_lloyd_schedule *s, int32_t t)
{
    /* Share of the last round backwards, so that many rounds do not overflow; a little less than
       all, for rounding. */
    const double last = (GROWTH - 1) / GROWTH / (1 - pow(GROWTH, -s->rounds));
    return (uint64_t)((double)s->left * (1 - 1e-9) * last * pow(GROWTH, t - s->rounds + 1));
}
