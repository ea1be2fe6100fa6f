/* SPDX-License-Identifier: Apache-2.0 */
/* How auto spends its budget on subspaces. Everything here is a function of public numbers and
   the noisy count, which is paid for. */
#include "cluster/subspace/auto/auto_subspace.h"
#include "solve/subspace/fourth_fit.h"

#include <math.h>

#define NOISY 0.15     /* kappa from which on the tensor gets more, in fewer dimensions */
#define VERY_NOISY 0.5 /* ... from which on there are but two rounds ... */
#define CLEAR 0.02     /* ... and up to which there are eight */
#define K_DEFAULT 8
#define Q_DEFAULT_MOST 8 /* the tensor of q = 8 has 30 dimensions */

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* p from a kappa, and more where k subspaces need it. */
static int32_t dims_for(int32_t k, int32_t q, int32_t dims, bool noisy)
{
    const int32_t most = least(dims, TAC_FOURTH_DIMS), wanted = noisy ? 2 * q + 4 : 3 * q + 6;
    int32_t p = least(most, wanted > 12 ? wanted : 12);

    while (p < most && !tac_fourth_tells(p, k, q)) p++;
    return p;
}

bool tac_fourth_suits(int32_t k, int32_t q, int32_t dims)
{
    const int32_t p = dims_for(k, q, dims, true);
    return k <= TAC_FOURTH_K_MOST && q < p && tac_fourth_tells(p, k, q);
}

void tac_fourth_most(const tacit_subspace_opts *opts, int32_t dims, int32_t *k, int32_t *q)
{
    const int32_t more = opts->affine ? 1 : 0, columns = dims - more;
    const int32_t q_most = opts->q_max > 0 ? opts->q_max : least(Q_DEFAULT_MOST, columns - 1);

    if (*k < 1) *k = opts->k_max > 0 ? opts->k_max : K_DEFAULT;
    if (*q < 1) {
        *q = least(q_most < 1 ? 1 : q_most, columns - 1) + more;
        while (*q > 1 && !tac_fourth_suits(1, *q, dims)) --*q;
    }
}

/* kappa = one sqrt(2 d) / (rows / (k q)): norm of the noise over the eigenvalue of a typical
   cluster. */
tac_fourth_rules tac_fourth_rules_for(const tac_privacy_params *params, uint64_t budget, int32_t k,
                                      int32_t q, int32_t dims, double rows, bool choose,
                                      int32_t rounds)
{
    tac_fourth_rules r = {.rows = fmax(rows, 1)};

    r.one = tac_kplane_noise(params, dims, budget);
    r.kappa = r.one * sqrt(2.0 * dims) * k * q / r.rows;
    r.p = dims_for(k, q, dims, r.kappa > NOISY);
    r.projection = r.p < dims ? fmin(0.3, fmax(0.06, 0.0115 * sqrt(dims))) : 0;
    r.tensor = r.kappa > NOISY || choose ? 0.5 : 0.35;
    r.rounds = r.kappa > CLEAR ? 4 : 8;
    if (r.kappa > VERY_NOISY && r.p < dims) {
        r.projection = r.tensor = 0.3;
        r.rounds = 2;
    }
    if (k == 1 && !choose) { /* one subspace needs no labels: all in one query */
        r.p = dims;
        r.projection = r.tensor = 0;
        r.rounds = 1;
    }
    if (rounds > 0) r.rounds = rounds;
    return r;
}
