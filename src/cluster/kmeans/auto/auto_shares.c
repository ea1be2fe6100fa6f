/* SPDX-License-Identifier: Apache-2.0 */
/* How auto spends its budget. Everything here is a function of public numbers and the noisy
   count, which is paid for. The constants enter no privacy argument. */
#include "cluster/kmeans/auto/auto_kmeans.h"

#include <math.h>

#define TOO_NOISY 0.8 /* a regime number beyond which k centers cannot be told apart ... */
#define RESOLVED 0.25 /* ... and the one for which fewer are asked */
#define FEWEST 4      /* fewer than so many are not worth a tree: the mean alone is better */

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

int32_t tac_auto_rounds(const tac_auto_rules *r)
{
    int32_t rounds = r->k == 1         ? 2
                     : r->kappa > 0.3  ? 1
                     : r->kappa > 0.1  ? 2
                     : r->kappa > 0.01 ? 4
                                       : 6;

    /* The histogram of a round, about so much of the budget, must be readable. */
    while (rounds > 2 && !tac_lengths_fine(r->one / sqrt(0.4 * 0.06 / rounds), r->rows)) rounds--;
    return rounds;
}

/* kappa = k sqrt(d) one / rows: the noise of a center in units of the domain, had one round the
   whole budget. Too large a kappa lowers k first; then it sets shares, rounds and cells. */
tac_auto_rules tac_auto_rules_for(const tac_privacy_params *params, uint64_t budget, int32_t k,
                                  int32_t columns, double rows, int32_t rounds)
{
    const tac_local_parts sum = {.sum = 1};
    tac_auto_rules r = {.k = k, .rows = fmax(rows, 1)};

    r.one = (double)tac_quote_local(params, columns, &sum, budget) / TAC_M;
    const double each = sqrt(columns) * r.one / r.rows; /* kappa of one center */
    if (k * each > TOO_NOISY) {
        const double fewer = floor(RESOLVED / each);
        r.k = fewer >= k ? k : fewer >= FEWEST ? (int32_t)fewer : 1;
    }
    r.kappa = r.k * each;
    r.plenty = r.kappa <= 0.02;
    r.mean = clamp(100 * each * each, 0.02, 0.30);
    r.radius = 0.02;
    r.sure = 3;
    r.room = 1;
    r.subspace = columns > TAC_AUTO_DIMS ? 0.08 : 0;
    r.tree = r.k == 1 ? 0 : r.kappa > 0.3 ? 0.30 : r.plenty ? 0.50 : 0.45;
    r.rounds = rounds > 0 ? rounds : tac_auto_rounds(&r);
    r.most_cells = (int32_t)fmax(2, (r.kappa > 0.05 ? 2.0 : 4.0) * r.k);
    return r;
}

void tac_auto_keep(tac_walk *a, int32_t k)
{
    a->for_variances = tac_variance_quanta(a->door, k, a->columns, a->rows_noisy, a->budget);
    a->budget -= a->for_variances;
}

uint64_t tac_walk_left(const tac_walk *a)
{
    const uint64_t left = tac_door_left(a->door);
    return left > a->for_variances ? left - a->for_variances : 0;
}

uint64_t tac_auto_quanta(const tac_walk *a, double share)
{
    const uint64_t quanta = tac_share(a->budget, share), left = tac_walk_left(a);
    return quanta < left ? quanta : left;
}

double tac_auto_left(const tac_walk *a)
{
    return (double)tac_walk_left(a) / (double)a->budget;
}
