/* SPDX-License-Identifier: Apache-2.0 */
/* How auto spends its budget on rows of many columns. Everything here is a function of public
   numbers and a noisy number of rows. */
#include "cluster/kmeans/auto/wide/auto_sketch.h"

#define TREE 0.40      /* share of the tree ... */
#define TREE_PURE 0.35 /* ... and of one under Laplace noise, which needs more for the sums */
/* sparse rows' regime is judged as if they had so many columns: noise beyond is taken out */
#define SPARSE_COLUMNS 256
#define RADIUS 0.02   /* how far rows reach */
#define ONE_ROUND 0.1 /* a regime number beyond which one round of sums is best ... */
#define CALM 0.1      /* ... and up to which more directions are worth their noise */
/* under Laplace noise: rounds of sums, and directions of the projection */
#define ROUNDS_PURE 3
#define DIRECTIONS_PURE 10
#define FIRST_ROUND 0.2 /* of two: it only has to find the cells of the second */

static bool pure(const tac_privacy_params *params)
{
    return params->definition == TAC_PURE;
}

tac_auto_rules tac_wide_rules(const tac_privacy_params *params, uint64_t budget, int32_t k,
                              int32_t columns, bool sparse, double rows,
                              const tacit_kmeans_opts *opts)
{
    const int32_t noisy = sparse && columns > SPARSE_COLUMNS ? SPARSE_COLUMNS : columns;
    tac_auto_rules r = tac_auto_rules_for(params, budget, k, noisy, rows, opts->rounds, true);

    r.radius = RADIUS;
    r.tree = pure(params) ? TREE_PURE : TREE;
    if (sparse && opts->rounds == 0)
        r.rounds = pure(params) ? ROUNDS_PURE : r.kappa > ONE_ROUND ? 1 : 2;
    return r;
}

/* k centers differ in k - 1 directions. */
int32_t tac_wide_directions(const tac_privacy_params *params, const tac_auto_rules *r)
{
    if (pure(params)) return DIRECTIONS_PURE;
    if (r->k <= TAC_AUTO_DIMS || r->kappa > CALM) return TAC_AUTO_DIMS;
    return r->k < TAC_TREE_MOST ? r->k : TAC_TREE_MOST;
}

double tac_wide_round(int32_t rounds, int32_t t)
{
    return rounds == 2 ? FIRST_ROUND : 1.0 / (rounds - t);
}
