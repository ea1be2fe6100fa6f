/* SPDX-License-Identifier: Apache-2.0 */
/* From the counts of an event to a lower bound of epsilon and mu. Choice and proof use disjoint
   halves of the runs, so the choice costs no confidence. */
#include "audit/bounds.h"

#include <math.h>
#include <stdlib.h>

#define CANDIDATES 160 /* thresholds that are tried */
#define KEPT 2         /* and certified: the best for epsilon, the best for mu; alpha is split */

/* For every event E of an (epsilon, delta)-private program, on neighbors 0 and 1,
       P1(E) <= e^epsilon P0(E) + delta   and   P0(not E) <= e^epsilon P1(not E) + delta,
   and for a mu-Gaussian one  Phi^-1(P1(E)) - Phi^-1(P0(E)) <= mu. */
static tac_proved from_bounds(double rare, double frequent, double delta)
{
    tac_proved proved = {.epsilon = -INFINITY,
                         .mu = tac_normal_quantile(frequent) - tac_normal_quantile(rare)};

    if (frequent > delta) proved.epsilon = log((frequent - delta) / rare);
    if (1 - rare > delta)
        proved.epsilon = fmax(proved.epsilon, log((1 - rare - delta) / (1 - frequent)));
    if (isnan(proved.mu)) proved.mu = -INFINITY;
    return proved;
}

/* Two bounds, each with error alpha / 2: rare from above, frequent from below. */
tac_proved tac_prove(const tac_seen *seen, double alpha, double delta)
{
    return from_bounds(tac_at_most(seen->hits[0], seen->runs[0], alpha / 2),
                       tac_at_least(seen->hits[1], seen->runs[1], alpha / 2), delta);
}

/* Frequencies moved by their standard error and a little more (Bernstein). */
tac_proved tac_guess(const tac_seen *seen, double alpha, double delta)
{
    const double p0 = (double)seen->hits[0] / (double)seen->runs[0],
                 p1 = (double)seen->hits[1] / (double)seen->runs[1];
    const double l0 = log(2 / alpha) / (double)seen->runs[0],
                 l1 = log(2 / alpha) / (double)seen->runs[1];

    return from_bounds(fmin(1, p0 + sqrt(2 * p0 * (1 - p0) * l0) + l0),
                       fmax(0, p1 - sqrt(2 * p1 * (1 - p1) * l1) - l1), delta);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Of n sorted numbers, those at `least` or above. */
static int64_t at_or_above(const double *sorted, int64_t n, double least)
{
    int64_t low = 0, high = n;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sorted[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return n - low;
}

/* The best threshold for epsilon and the best for mu, by what the first halves seem to prove.
   sample: the first halves, sorted. */
static void choose(double *const sample[2], int64_t half, double alpha, double delta, double *best)
{
    tac_proved most = {.epsilon = -INFINITY, .mu = -INFINITY};

    best[0] = best[1] = sample[1][0];
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < CANDIDATES; i++) {
            /* Dense at both ends, where small probabilities are. */
            const double u = 0.5 - 0.5 * cos(M_PI * i / (CANDIDATES - 1));
            const double at = sample[side][(int64_t)(u * (double)(half - 1) + 0.5)];
            const tac_seen seen = {
                .hits = {at_or_above(sample[0], half, at), at_or_above(sample[1], half, at)},
                .runs = {half, half}};
            const tac_proved proved = tac_guess(&seen, alpha, delta);
            if (proved.epsilon > most.epsilon) most.epsilon = proved.epsilon, best[0] = at;
            if (proved.mu > most.mu) most.mu = proved.mu, best[1] = at;
        }
}

/* Choose on the first halves, count on the second ones, certify each kept threshold with alpha /
   KEPT. */
tac_proved tac_prove_by_threshold(double *sample[2], int64_t n, double alpha, double delta,
                                  double *threshold)
{
    const int64_t half = n / 2, rest = n - half;
    tac_proved proved = {.epsilon = -INFINITY, .mu = -INFINITY};
    double best[KEPT];

    for (int side = 0; side < 2; side++) qsort(sample[side], (size_t)half, sizeof(double), by_size);
    choose(sample, half, alpha / KEPT, delta, best);
    *threshold = best[0];
    for (int k = 0; k < KEPT; k++) {
        tac_seen seen = {.runs = {rest, rest}};
        for (int side = 0; side < 2; side++)
            for (int64_t i = half; i < n; i++) seen.hits[side] += sample[side][i] >= best[k];
        const tac_proved one = tac_prove(&seen, alpha / KEPT, delta);
        if (one.epsilon > proved.epsilon) proved.epsilon = one.epsilon;
        if (one.mu > proved.mu) proved.mu = one.mu;
    }
    return proved;
}
