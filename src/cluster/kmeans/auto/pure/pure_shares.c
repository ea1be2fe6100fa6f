/* SPDX-License-Identifier: Apache-2.0 */
/* How auto spends a pure budget. Everything here is a function of public numbers and the noisy
   count, which is paid for. */
#include "cluster/kmeans/auto/pure/auto_pure.h"

#include <math.h>

#define TOO_NOISY 0.4 /* a regime number beyond which k centers cannot be told apart ... */
#define RESOLVED 0.25 /* ... and the one for which fewer are asked */
#define FEWEST 3      /* fewer than so many are not worth a search: the mean alone is better */
/* noise of a single center beyond which that is so however many are asked for: 0.4 / d, at least */
#define ONE_MEAN 0.05
/* the share of a histogram of distances: nine bins together have a standard deviation of about a
   fifth of the rows, 3 bin / share = rows / 5 */
#define READABLE 15
/* columns in which a grid shows k clusters though no search follows: it gets more */
#define FEW_COLUMNS 4
#define ROUGH 0.3    /* beyond it one round is all there is for ... */
#define SEARCH 0.075 /* ... and beyond that there is no splitting of cells */
/* two last rounds instead of one; a third of it: four; a twelfth: eight */
#define CALM 0.004

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* The less noise, the more rounds pay: from 1 at large kappa to 8. */
int32_t tac_pure_rounds(const tac_pure_rules *r, int32_t asked)
{
    if (asked > 0) return asked;
    if (r->k == 1) return 2;
    if (r->kappa > SEARCH) return r->kappa > ROUGH ? 1 : 2;
    return r->kappa > CALM ? 1 : r->kappa > CALM / 3 ? 2 : r->kappa > CALM / 12 ? 4 : 8;
}

/* kappa = k d one / rows: Laplace noise of a center grows with d, not with sqrt(d). */
tac_pure_rules tac_pure_rules_for(const tac_privacy_params *params, uint64_t budget, int32_t k,
                                  int32_t columns, double rows, int32_t rounds)
{
    const tac_local_parts sum = {.sum = 1};
    tac_pure_rules r = {.k = k, .rows = fmax(rows, 1), .grid = {.axes = 0.017, .share = 0.165}};
    /* Noise of a center that serves all rows, in taxicab radii over sqrt(d): about root mean square
       radii. */
    const double one = tac_noise_sd(TAC_LAPLACE, tac_quote_local(params, 1, &sum, budget)) / TAC_M;
    const double each = columns * one / r.rows;
    const double bin =
        ldexp(tac_noise_sd(TAC_LAPLACE, tac_quote_histogram(params, budget)), -TAC_COUNT_GRID);

    if (each > fmax(0.4 / columns, ONE_MEAN)) {
        r.k = 1;
    } else if (k * each > TOO_NOISY) {
        const double fewer = floor(RESOLVED / each);
        r.k = fewer >= k ? k : fewer >= FEWEST ? (int32_t)fewer : 1;
    }
    r.kappa = r.k * each;
    r.mean = clamp(10 * each, 0.02, 0.12);
    /* Six standard deviations of a bin are to be two hundredths of the rows, if that is
       affordable. It must be readable at least. */
    const double readable = READABLE * bin / r.rows;
    r.radius = fmax(clamp(300 * bin / r.rows, 0.02, 0.05), readable <= 0.12 ? readable : 0);
    if (r.kappa < SEARCH) {
        r.first = 0.265;
        r.split = 0.31;
    } else if (columns <= FEW_COLUMNS) {
        r.grid.share = 0.4;
    }
    r.seeds = r.kappa < SEARCH ? 2 * r.k + 4 : r.k;
    r.rounds = tac_pure_rounds(&r, rounds);
    /* The zoom of tight bounds takes one mean and one histogram. */
    const double left = 1 - TAC_PURE_COUNT - r.mean - r.radius;
    const uint64_t box = tac_quote_histogram(params, tac_share(budget, left * r.grid.share));
    r.grid.k = r.k;
    tac_grid_shape(&r.grid, columns, r.rows, ldexp((double)box, -TAC_COUNT_GRID));
    return r;
}
