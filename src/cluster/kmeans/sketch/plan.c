/* SPDX-License-Identifier: Apache-2.0 */
/* How auto spends its budget on rows of many columns, what it would ask, and whether a budget can pay for it. Everything
   here is a function of public numbers and a (noisy or guessed) number of rows. */
#include "cluster/kmeans/sketch/sketch.h"

#include <math.h>
#include <stdio.h>

#define TREE 0.40            /* share of the tree ... */
#define TREE_PURE 0.35       /* ... and of one under Laplace noise, which needs more for the sums */
#define SPARSE_COLUMNS 256   /* sparse rows' regime is judged as if they had so many columns: noise beyond is taken out */
#define ONE_ROUND 0.1        /* a regime number beyond which one round of sums is best ... */
#define CALM 0.1             /* ... and up to which more directions are worth their noise */
#define ROUNDS_PURE 3
#define DIRECTIONS_PURE 10
#define FIRST_ROUND 0.2      /* of two: it only has to find the cells of the second */

static bool pure(const tac_terms *terms)
{
    return terms->notion == TAC_PURE;
}

tac_auto_rules tac_wide_rules(const tac_terms *terms, uint64_t budget, int32_t k, int32_t columns, bool sparse, double rows,
                              const tacit_kmeans_opts *opts)
{
    const int32_t noisy = sparse && columns > SPARSE_COLUMNS ? SPARSE_COLUMNS : columns;
    tac_auto_rules r = tac_auto_rules_for(terms, budget, k, noisy, rows, opts->rounds);

    r.tree = pure(terms) ? TREE_PURE : TREE;
    if (sparse && opts->rounds == 0) r.rounds = pure(terms) ? ROUNDS_PURE : r.kappa > ONE_ROUND ? 1 : 2;
    return r;
}

/* k centres differ in k - 1 directions. */
int32_t tac_wide_directions(const tac_terms *terms, const tac_auto_rules *r)
{
    if (pure(terms)) return DIRECTIONS_PURE;
    if (r->k <= TAC_AUTO_DIMS || r->kappa > CALM) return TAC_AUTO_DIMS;
    return r->k < TAC_TREE_MOST ? r->k : TAC_TREE_MOST;
}

double tac_wide_round(int32_t rounds, int32_t t)
{
    return rounds == 2 ? FIRST_ROUND : 1.0 / (rounds - t);
}

/* The most values of a row that are not 0, for quotes of sums. */
static int32_t values_of(const tac_kmeans_terms *t)
{
    return t->sparse && t->opts->sparsity > 0 && t->opts->sparsity < t->columns ? t->opts->sparsity : t->columns;
}

/* The least that each kind of question gets in any walk. */
tacit_status tac_auto_sketch_check(const tac_kmeans_terms *t)
{
    const tac_local_parts tree = tac_auto_tree_parts(), round = tac_auto_round_parts(true, false);
    const int32_t rounds = t->opts->rounds > 6 ? t->opts->rounds : 6;
    const double level = 0.25 * tac_auto_tree_shares.levels * tac_auto_first_level(TAC_TREE_LEVELS_MOST);
    const double one = TAC_AUTO_ROUNDS_LEAST * (1 - FIRST_ROUND) / rounds;

    if (tac_quote_count(&t->terms, tac_share(t->budget, TAC_AUTO_COUNT)) != 0 &&
        tac_quote_sums(&t->terms, t->sparse ? TAC_WIDE_SKETCH : t->columns, 1, tac_share(t->budget, 0.01)) != 0 &&
        tac_quote_moments(&t->terms, TAC_WIDE_SKETCH, tac_share(t->budget, TAC_WIDE_SUBSPACE)) != 0 &&
        tac_quote_local(&t->terms, TAC_TREE_MOST, &tree,
                        tac_share(t->budget, level * (1 - tac_auto_tree_shares.cuts))) != 0 &&
        tac_quote_histogram(&t->terms, tac_share(t->budget, level * tac_auto_tree_shares.cuts)) != 0 &&
        tac_quote_sums(&t->terms, values_of(t), TAC_WIDE_COUNTS,
                       tac_share(t->budget, fmin(one, TAC_AUTO_ROUNDS_LEAST * FIRST_ROUND))) != 0 &&
        tac_quote_local(&t->terms, t->columns, &round, tac_share(t->budget, one * 0.9)) != 0 &&
        tac_quote_histogram(&t->terms, tac_share(t->budget, one * 0.05)) != 0)
        return TACIT_OK;
    return tac_fail(t->ctx, TACIT_E_ARGUMENT, "epsilon is too small for so many rounds, columns or rows per person: the "
                    "noise would not fit 64-bit numbers; raise epsilon or ask for fewer rounds");
}

typedef struct draft {
    const tac_kmeans_terms *t;
    tacit_plan *plan;
    tac_law law;
    double spent;
} draft;

static tacit_status add_step(draft *d, const char *what, const char *noise, int32_t times, double share, double error,
                             const char *error_of)
{
    d->spent += share;
    return tac_plan_add(d->t->ctx, d->plan, &(tacit_plan_step){.what = what, .times = times, .share = share, .noise = noise,
                                                               .error = error, .error_of = error_of});
}

/* One more step; scale: of the noise, in units of which `grid` make one. */
static tacit_status add(draft *d, const char *what, int32_t times, double share, uint64_t scale, double grid,
                        const char *error_of)
{
    return add_step(d, what, tac_law_name(d->law), times, share, tac_noise_sd(d->law, scale) / grid, error_of);
}

static tacit_status plan_view(draft *d, const tac_auto_rules *r, double rows)
{
    tacit_status status = TACIT_OK;
    const tac_terms *terms = &d->t->terms;
    const uint64_t budget = d->t->budget;
    const uint64_t one_level = tac_share(budget, r->tree * tac_auto_tree_shares.levels / tac_auto_levels(r->k, 1));
    const double m = TAC_M, bins = ldexp(1, TAC_COUNT_GRID);
    const tac_local_parts parts = tac_auto_tree_parts();
    const int32_t directions = tac_wide_directions(terms, r);
    char what[96];

    if (d->t->sparse) {
        TAC_TRY(add(d, "lengths of the rows (again if the bounds are loose)", 1, TAC_WIDE_REACH,
                    tac_quote_histogram(terms, tac_share(budget, TAC_WIDE_REACH)), bins, "rows per bin"));
        if (r->k > 1)
            TAC_TRY(add(d, "mean of all rows, sketched", 1, TAC_WIDE_MEAN,
                        tac_quote_sums(terms, TAC_WIDE_SKETCH, 1, tac_share(budget, TAC_WIDE_MEAN)), m * rows,
                        "of the rows' reach, each coordinate of the sketch"));
    } else {
        TAC_TRY(add(d, "mean of all rows (again if the bounds are loose)", 1, r->mean,
                    tac_quote_sums(terms, d->t->columns, 1, tac_share(budget, r->mean)), m * rows,
                    "of the radius, each coordinate"));
        TAC_TRY(add(d, "distances from the mean", 1, r->radius, tac_quote_histogram(terms, tac_share(budget, r->radius)),
                    bins, "rows per bin"));
    }
    if (r->k == 1) goto done;
    TAC_TRY(add_step(d, "second moments, sketched", tac_law_name(tac_moments_law(terms, TAC_WIDE_SKETCH)), 1, TAC_WIDE_SUBSPACE,
                     tac_moments_sd(terms, TAC_WIDE_SKETCH, tac_share(budget, TAC_WIDE_SUBSPACE)) / (TAC_MOMENT_SAME * m * m * rows),
                     "of the squared reach of the rows, each moment"));
    snprintf(what, sizeof what, "%d levels of a tree of up to %d cells in %d directions", tac_auto_levels(r->k, 1),
             r->most_cells, directions);
    TAC_TRY(add(d, what, tac_auto_levels(r->k, 1), fmin(r->tree, 1 - d->spent - TAC_AUTO_ROUNDS_LEAST),
                tac_quote_local(terms, directions, &parts, tac_share(one_level, 1 - tac_auto_tree_shares.cuts)), parts.count,
                "rows per cell, a level in the middle"));
done:
    return status;
}

tacit_status tac_auto_sketch_plan(const tac_kmeans_terms *t, double rows, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    draft d = {.t = t, .plan = plan, .law = pure(&t->terms) ? TAC_LAPLACE : TAC_GAUSSIAN};
    const int32_t k = t->opts->k == TACIT_K_AUTO ? t->opts->k_max : t->opts->k;
    const tac_auto_rules r = tac_wide_rules(&t->terms, t->budget, k, t->columns, t->sparse, rows, t->opts);
    const double n = fmax(rows, 1), each = n / r.k;
    char what[96];

    TAC_TRY(add(&d, "number of rows", 1, TAC_AUTO_COUNT, tac_quote_count(&t->terms, tac_share(t->budget, TAC_AUTO_COUNT)),
                ldexp(1, TAC_COUNT_GRID), "rows"));
    TAC_TRY(plan_view(&d, &r, n));
    const int32_t rounds = t->sparse ? r.rounds : 1 + r.rounds;
    const double left = 1 - d.spent;
    const double last = rounds == 1 ? left : t->sparse && rounds == 2 ? left * (1 - FIRST_ROUND) : left / rounds;
    const uint64_t scale = tac_quote_sums(&t->terms, values_of(t), TAC_WIDE_COUNTS, tac_share(t->budget, last));
    snprintf(what, sizeof what, "%d round%s: sums of the rows of %d cell%s in all columns", rounds, rounds == 1 ? "" : "s",
             r.k, r.k == 1 ? "" : "s");
    TAC_TRY(add(&d, what, rounds, left, scale, TAC_M * each,
                "of the rows' reach, each coordinate of a centre, before denoising"));
    const double error = tac_noise_sd(d.law, scale) / TAC_M / each;
    if (r.k < k)
        tac_auto_advise(r.k, k, error, t->columns, plan);
    else
        tac_plan_advise(plan, "Columns in which a centre has more than about %.2g of the rows' reach will be seen; what is "
                        "less than that in all its columns together is lost in noise. %s", error * sqrt(2 * log(t->columns)),
                        t->sparse && t->opts->sparsity == 0 && d.law == TAC_LAPLACE
                            ? "Declaring how many values a row has at most (sparsity) would help much."
                            : "Fewer centres or a larger epsilon help.");
done:
    return status;
}
