/* SPDX-License-Identifier: Apache-2.0 */
/* The constants of method balcan, of its theorems or of its experiments, and how they spend a budget. Everything here is a
   function of public numbers and of a noisy (or guessed) number of rows. */
#include "cluster/kmeans/balcan.h"

#include <math.h>

#define COUNT_SHARE 0.01
#define FAIL 0.1           /* the theorems hold with this much less than certainty */
#define DIMS_MOST 24       /* of a projection with practical constants: log(n) / 2 never gets there */
#define CANDIDATE_SHARE 0.35
#define SWAP_SHARE 0.10
#define MIDDLE_SHARE 0.03
#define RADIUS_SHARE 0.01
#define LEVELS 6           /* of a partition: cubes down to an eighth of the radius */
#define SHIFTS_MOST 8      /* the paper repeats k times; more partitions than this only thin the budget */
#define TOO_NOISY 0.5      /* more centres than this regime number allows cannot be told apart */
#define WEIGHT 0.8         /* of counts beside sums: how far from the middle centres lie, in radii */

uint64_t tac_balcan_count_units(uint64_t budget)
{
    return tac_share(budget, COUNT_SHARE);
}

/* Noise of a centre relative to the domain, if the whole budget went to one round. */
static double regime(const tac_terms *t, uint64_t budget, int32_t k, int32_t columns, double rows)
{
    const tac_law law = t->notion == TAC_PURE ? TAC_LAPLACE : TAC_GAUSSIAN;
    const double one = ldexp(tac_noise_sd(law, tac_quote_count(t, budget)), -TAC_COUNT_GRID);
    return k * (t->notion == TAC_PURE ? columns : sqrt(columns)) * one / rows;
}

/* Rows a cube must hold to be split, with so many shifts and levels. */
static double rows_to_split(const tac_terms *t, const tac_balcan_plan *p, int32_t shifts, int32_t levels)
{
    const uint64_t units = p->candidates / (uint64_t)p->trials / (uint64_t)(shifts * levels);
    const double factor = p->factor > 0 ? p->factor : (p->p + 5) * M_LN2 + 1;
    return ldexp((double)tac_quote_cubes(t, units), -TAC_COUNT_GRID) * factor;
}

static void practical(const tac_terms *t, uint64_t budget, int32_t wanted, int32_t columns, double rows, tac_balcan_plan *p)
{
    const double kappa = regime(t, budget, p->k, columns, rows);

    if (kappa > TOO_NOISY) p->k = (int32_t)fmax(1, floor(p->k * TOO_NOISY / kappa));
    const double left = regime(t, budget, p->k, columns, rows);
    p->rounds = wanted > 0 ? wanted : left <= 0.05 ? 8 : left <= 0.1 ? 6 : left <= 0.25 ? 4 : left <= 0.5 ? 3 : 2;
    p->p = (int32_t)fmin(columns, fmin(DIMS_MOST, fmax(2, round(log(rows) / 2))));
    p->trials = 1;
    if (p->k == 1) return; /* one mean: nothing to find */
    p->middle = tac_share(budget, MIDDLE_SHARE);
    p->radius = tac_share(budget, RADIUS_SHARE);
    p->candidates = tac_share(budget, CANDIDATE_SHARE);
    p->swap = tac_share(budget, SWAP_SHARE);
    p->levels = LEVELS;
    p->shifts = p->k < SHIFTS_MOST ? p->k : SHIFTS_MOST;
    /* As many shifts, then as many levels, as still let a cluster of a third of the mean size be split. */
    while (p->shifts > 1 && rows_to_split(t, p, p->shifts, p->levels) > rows / (3.0 * p->k)) p->shifts--;
    while (p->levels > 3 && rows_to_split(t, p, p->shifts, p->levels) > rows / (3.0 * p->k)) p->levels--;
    p->swaps = p->k;
}

/* Theorems 1 to 9: p = 8 ln n, 27 k ln(n / fail) shifts, log2 n levels, threshold 20 ln(n / fail) noise scales, 100 k
   ln(n / fail) swaps, 2 ln(1 / fail) trials, a third of the budget for each step. What the lattice cannot hold ends sooner:
   17 levels, 120 dimensions. */
static void theory(uint64_t budget, int32_t columns, double rows, tac_balcan_plan *p)
{
    const double log_n = log(fmax(rows, 2) / FAIL);

    p->theory = true;
    p->trials = (int32_t)ceil(2 * log(1 / FAIL));
    p->p = (int32_t)fmin(columns, fmin(TAC_CUBE_DIMS, ceil(8 * log(fmax(rows, 2)))));
    p->shifts = (int32_t)fmin(1e8, ceil(27 * p->k * log_n));
    p->levels = (int32_t)fmin(TAC_CUBE_LEVELS, fmax(1, ceil(log2(fmax(rows, 2)))));
    p->factor = 20 * (log_n + log(p->shifts));
    p->swaps = (int32_t)fmin(1e8, ceil(100 * p->k * log_n));
    p->rounds = 1;
    const uint64_t third = tac_share(budget - tac_balcan_count_units(budget), 0.3);
    p->candidates = p->recover = third;
    p->last_swap = third / (uint64_t)(p->swaps + 1);
    p->swap = third - p->last_swap;
    p->choose = tac_share(budget, 0.08);
}

tac_balcan_plan tac_balcan_plan_for(const tac_terms *terms, uint64_t budget, const tacit_kmeans_opts *opts, bool median,
                                    int32_t columns, double rows)
{
    tac_balcan_plan p = {.k = opts->k, .trials = 1, .count = tac_balcan_count_units(budget)};

    (void)median;
    rows = fmax(rows, 1);
    p.count_weight = (uint32_t)fmax(1, round(TAC_M * WEIGHT / pow(columns, terms->notion == TAC_PURE ? 1.0 / 6 : 1.0 / 4)));
    if (opts->constants == TACIT_CONSTANTS_THEORY) theory(budget, columns, rows, &p);
    else practical(terms, budget, opts->rounds, columns, rows, &p);
    return p;
}
