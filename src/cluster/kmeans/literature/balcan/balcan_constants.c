/* SPDX-License-Identifier: Apache-2.0 */
/* The constants of method balcan, of its theorems or of its experiments, and how they spend a
   budget. Everything here is a function of public numbers and of a noisy (or guessed) number of
   rows. */
#include "cluster/kmeans/literature/balcan/balcan.h"

#include <math.h>

/* Shares of the budget with practical constants. */
#define COUNT_SHARE 0.01
#define MIDDLE_SHARE 0.02
#define RADIUS_SHARE 0.01
#define CANDIDATE_SHARE 0.12
#define SWAP_SHARE 0.05
#define CHOOSE_SHARE 0.08 /* theory: which trial */
#define FAIL 0.1          /* the theorems hold but for this probability */
/* of a projection with practical constants: log(n) / 2 never gets there, and a cube with so many
   has no more children than are counted at a time */
#define DIMS_MOST TAC_CUBES_LISTED
#define LEVELS 6 /* of a partition: cubes down to a sixteenth of the radius */
/* the paper repeats k times; more partitions than this only thin the budget */
#define SHIFTS_MOST 8
#define SWAPS_MOST 64
#define TOO_NOISY 0.5 /* more centers than this regime number allows cannot be told apart */
/* of counts beside sums: how far from the middle centers lie, in radii */
#define WEIGHT 0.8

uint64_t tac_balcan_count_quanta(uint64_t budget)
{
    return tac_share(budget, COUNT_SHARE);
}

uint64_t tac_balcan_cube_quanta(const tac_balcan_plan *p)
{
    return p->shifts == 0
               ? 0
               : p->candidates / (uint64_t)p->trials / (uint64_t)p->shifts / (uint64_t)p->levels;
}

uint64_t tac_balcan_swap_quanta(const tac_balcan_plan *p)
{
    return p->swaps == 0 ? 0 : p->swap / (uint64_t)p->trials / (uint64_t)p->swaps;
}

/* Practical: an empty child passes with probability exp(-factor) / 2, so about a fifth of a cube a
   level is false. */
double tac_balcan_factor(const tac_balcan_plan *p, int32_t active)
{
    return p->factor > 0 ? p->factor : p->p * M_LN2 + log(active) + 1;
}

double tac_balcan_rows_to_split(const tac_privacy_params *t, const tac_balcan_plan *p)
{
    const uint64_t scale = tac_quote_cubes(t, tac_balcan_cube_quanta(p));
    return scale == 0 ? INFINITY
                      : ldexp((double)scale, -TAC_COUNT_GRID) * tac_balcan_factor(p, 2 * p->k);
}

/* kappa: noise of a center relative to the domain, had one round `quanta`. */
static double regime(const tac_privacy_params *t, uint64_t quanta, int32_t k, int32_t columns,
                     double rows)
{
    const tac_distribution distribution = t->definition == TAC_PURE ? TAC_LAPLACE : TAC_GAUSSIAN;
    const uint64_t scale = tac_quote_count(t, quanta);
    return scale == 0 ? INFINITY
                      : k * (t->definition == TAC_PURE ? columns : sqrt(columns)) *
                            ldexp(tac_noise_sd(distribution, scale), -TAC_COUNT_GRID) / rows;
}

/* The most swaps, up to k, each of which can still find a good one. A cluster of the mean size
   without a center, half a radius from the next, weighs rows / k / 16 times the largest cost of
   a row; that must stand out among all choices. */
static int32_t swaps_for(const tac_privacy_params *t, const tac_balcan_plan *p, double rows)
{
    const double lost = (tac_replaces(t->neighbors) ? 2.0 : 1.0) * t->rows_per_unit;
    const double candidates = 100.0 * p->shifts;
    int32_t good = 0, beyond = (p->k < SWAPS_MOST ? p->k : SWAPS_MOST) + 1;

    while (beyond - good > 1) { /* the more swaps, the less budget each has */
        const int32_t swaps = (good + beyond) / 2;
        uint64_t cost;
        const uint64_t epsilon =
            tac_selection_epsilon(t->definition, p->swap / (uint64_t)swaps, &cost);
        const double told = ldexp((double)epsilon, -TAC_SELECTION_BITS) / lost * rows / p->k / 16;
        if (told >= log(candidates * p->k) + 3)
            good = swaps;
        else
            beyond = swaps;
    }
    return good;
}

/* The constants of the experiments (section 7): p = log(n) / 2, k shifts, 8 rounds; fewer shifts
   and rounds, and no swaps, where noise would make them worthless. */
static void practical(const tac_privacy_params *t, uint64_t budget, const tacit_kmeans_opts *o,
                      int32_t columns, double rows, tac_balcan_plan *p)
{
    /* Columns whose noise reaches a center: of sparse ones only a few values are kept. */
    const int32_t wanted = o->rounds,
                  noisy = o->sparsity > 0 && o->sparsity < columns / 4 ? 4 * o->sparsity : columns;
    const double kappa = regime(t, budget, p->k, noisy, rows);

    if (kappa > TOO_NOISY) p->k = (int32_t)fmax(1, floor(p->k * TOO_NOISY / kappa));
    p->p = (int32_t)fmin(columns, fmin(DIMS_MOST, fmax(2, round(log(rows) / 2))));
    if (p->k > 1) { /* one mean: nothing to find */
        p->middle = tac_share(budget, MIDDLE_SHARE);
        p->radius = tac_share(budget, RADIUS_SHARE);
        p->candidates = tac_share(budget, CANDIDATE_SHARE);
        p->levels = LEVELS;
        p->shifts = p->k < SHIFTS_MOST ? p->k : SHIFTS_MOST;
        /* As many shifts, then as many levels, as still let a cluster of a third of the mean size
           be split. */
        while (p->shifts > 1 && tac_balcan_rows_to_split(t, p) > rows / (3.0 * p->k)) p->shifts--;
        while (p->levels > 3 && tac_balcan_rows_to_split(t, p) > rows / (3.0 * p->k)) p->levels--;
        p->swap = tac_share(budget, SWAP_SHARE);
        p->swaps = swaps_for(t, p, rows);
        if (p->swaps == 0) p->swap = 0;
    }
    p->recover = budget - p->count - p->middle - p->radius - p->candidates - p->swap;
    const double left = regime(t, p->recover, p->k, noisy, rows);
    p->rounds = wanted > 0     ? wanted
                : left <= 0.02 ? 8
                : left <= 0.05 ? 5
                : left <= 0.25 ? 4
                : left <= 0.5  ? 3
                               : 2;
}

/* Theorems 1 to 9: p = 8 ln n, 27 k ln(n / fail) shifts, log2 n levels, threshold 20 ln(n / fail)
   noise scales (fail divided by the shifts), 100 k ln(n / fail) swaps and the choice of one of
   them, 2 ln(1 / fail) trials and the choice of one of them, equal parts of the budget for
   candidates, swaps and means. What the lattice cannot hold ends sooner: 17 levels, 120
   dimensions. */
static void theory(const tac_privacy_params *t, uint64_t budget, int32_t columns, double rows,
                   tac_balcan_plan *p)
{
    const double n = fmax(rows, 2), log_n = log(n / FAIL);

    p->theory = true;
    p->trials = (int32_t)ceil(2 * log(1 / FAIL));
    p->p = (int32_t)fmin(columns, fmin(TAC_CUBE_DIMS, ceil(8 * log(n))));
    p->shifts = (int32_t)fmin(1e8, ceil(27 * p->k * log_n));
    p->levels = (int32_t)fmin(TAC_CUBE_LEVELS, fmax(1, ceil(log2(n))));
    p->factor = 20 * (log_n + log(p->shifts));
    p->swaps = (int32_t)fmin(1e8, ceil(100 * p->k * log_n));
    p->rounds = 1;
    const uint64_t left = budget - p->count, third = tac_share(left, (1 - CHOOSE_SHARE) / 3);
    p->candidates = p->recover = third;
    p->last_swap = third / (uint64_t)(p->swaps + 1);
    p->swap = third - p->last_swap;
    p->choose = left - 3 * third;
    if (tac_balcan_rows_to_split(t, p) <= rows) return;
    /* Not even the cube of all rows would be split: the candidates were public noise, and one mean
       is all there is. */
    *p = (tac_balcan_plan){.theory = true,
                           .k = 1,
                           .p = p->p,
                           .trials = 1,
                           .rounds = 1,
                           .count_weight = p->count_weight,
                           .count = p->count,
                           .recover = left};
}

tac_balcan_plan tac_balcan_plan_for(const tac_privacy_params *params, uint64_t budget,
                                    const tacit_kmeans_opts *opts, bool median, int32_t columns,
                                    double rows)
{
    tac_balcan_plan p = {.k = opts->k, .trials = 1, .count = tac_balcan_count_quanta(budget)};

    p.count_weight =
        (uint32_t)fmax(1, round(TAC_M * WEIGHT /
                                pow(columns, params->definition == TAC_PURE ? 1.0 / 6 : 1.0 / 4)));
    if (opts->constants == TACIT_CONSTANTS_THEORY)
        theory(params, budget, columns, fmax(rows, 1), &p);
    else
        practical(params, budget, opts, columns, fmax(rows, 1), &p);
    /* a mean, then at least one step towards the median */
    if (median && p.rounds < 2) p.rounds = 2;
    return p;
}
