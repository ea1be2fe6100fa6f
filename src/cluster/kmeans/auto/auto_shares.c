/* SPDX-License-Identifier: Apache-2.0 */
/* How auto spends its budget. Everything here is a function of public numbers and the noisy
   count, which is paid for. The constants enter no privacy argument. */
#include "cluster/kmeans/auto/auto_kmeans.h"

#include <math.h>

#define GRID_FROM 0.025 /* times d: a regime number from which a grid finds more than the tree */
#define GRID_ROOM 3.0   /* the counts' noise does not depend on the ball of the zoom */
/* the share of a histogram of distances: nine bins together have a standard deviation of a fifth of
   the rows, 3 one / sqrt(share) = rows / 5 */
#define READABLE 225
/* the noise of a center without delta over that with it, below which delta is left */
#define PURE_BELOW 0.3
/* In few columns the ball of the tree has twice the radius if noise may hide this part of a
   cluster beyond it. */
#define FEW_COLUMNS 4
#define HIDDEN 0.33
#define FEW_ROOM 2.0
/* Cells of the tree for each center, by regime number. With twice as many where noise is least the
   centers are as good or better, and the release can be cut into twice as many clusters. */
#define CELLS_ROUGH 2
#define ROUGH_FROM 0.05
#define CELLS_EACH 4
#define CELLS_FINE 8
#define FINE_UP_TO 0.005
#define RELEASED_MOST 12000 /* numbers in the release's cells, of at most 8 bytes: 100 KB */

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

/* How much noise k centers bear, as kappa. */
typedef struct limits {
    double most;     /* beyond it k centers cannot be told apart: fewer are asked for ... */
    double resolved; /* ... so many that kappa is this ... */
    int32_t fewest;  /* ... if not fewer than so many: the mean alone is better */
    double one;      /* of a single center: beyond it the mean alone is better anyway */
} limits;

/* tree: of the tree alone, when k is chosen or columns are very many. Otherwise a grid may help. */
static limits limits_for(int32_t columns, bool tree)
{
    const double most = clamp(4.0 / columns, 0.3, 0.8);

    if (tree) return (limits){.most = 0.8, .resolved = 0.25, .fewest = 4, .one = INFINITY};
    return (limits){.most = most,
                    .resolved = most,
                    .fewest = columns > TAC_AUTO_DIMS ? 4 : 2,
                    .one = fmax(0.4 / columns, 0.08)};
}

/* How many centers, for so much noise of one. */
static int32_t resolve(int32_t k, double each, const limits *l)
{
    const double fewer = floor(l->resolved / each);

    if (each > l->one) return 1;
    if (k * each <= l->most || fewer >= k) return k;
    return fewer >= l->fewest ? (int32_t)fewer : 1;
}

/* What the ball of the zoom should hold: the histogram of distances leaves out as many rows as its
   noise explains. */
static double room_for(const tac_privacy_params *params, uint64_t budget, const tac_auto_rules *r,
                       int32_t columns)
{
    if (r->grid) return GRID_ROOM;
    const uint64_t sigma = tac_quote_histogram(params, tac_share(budget, r->radius));
    const double unseen = r->sure * ldexp((double)sigma, -TAC_COUNT_GRID);
    return r->k > 1 && columns <= FEW_COLUMNS && unseen > HIDDEN * r->rows / r->k ? FEW_ROOM : 1;
}

/* The most cells. tree: k is chosen from them and boxes without groups get as many, or columns are
   very many and cells are not released: there are enough. */
static int32_t cells_for(const tac_auto_rules *r, int32_t columns, bool tree)
{
    const int32_t width = columns < TAC_AUTO_DIMS ? columns : TAC_AUTO_DIMS;
    const double numbers = (double)CELLS_FINE * r->k * (width + 3); /* point, weight, two lengths */
    const bool fine = !tree && r->kappa <= FINE_UP_TO && numbers <= RELEASED_MOST;
    const int32_t each = r->kappa > ROUGH_FROM ? CELLS_ROUGH : fine ? CELLS_FINE : CELLS_EACH;

    return each * r->k;
}

/* kappa = k sqrt(d) one / rows: the noise of a center in units of the domain, had one round the
   whole budget. Too large a kappa lowers k first; then it sets shares, rounds and cells. */
tac_auto_rules tac_auto_rules_for(const tac_privacy_params *params, uint64_t budget, int32_t k,
                                  int32_t columns, double rows, int32_t rounds, bool tree)
{
    const tac_local_parts sum = {.sum = 1};
    const limits bears = limits_for(columns, tree);
    tac_auto_rules r = {.rows = fmax(rows, 1)};

    r.one = (double)tac_quote_local(params, columns, &sum, budget) / TAC_M;
    const double each = sqrt(columns) * r.one / r.rows; /* kappa of one center */
    r.k = resolve(k, each, &bears);
    r.kappa = r.k * each;
    r.plenty = r.kappa <= 0.02;
    r.grid = !tree && columns <= TAC_AUTO_DIMS && r.k > 1 && k * each > GRID_FROM * columns;
    r.mean = clamp(100 * each * each, 0.02, 0.30);
    r.radius = clamp(READABLE * pow(r.one / r.rows, 2), 0.02, 0.10);
    r.sure = 3;
    r.room = tree ? 1 : room_for(params, budget, &r, columns);
    r.subspace = columns > TAC_AUTO_DIMS ? 0.08 : 0;
    r.tree = r.k == 1 ? 0 : r.kappa > 0.3 ? 0.30 : r.plenty ? 0.50 : 0.45;
    r.rounds = rounds > 0 ? rounds : tac_auto_rounds(&r);
    r.most_cells = cells_for(&r, columns, tree);
    return r;
}

/* Noise of a center: sqrt(d) one with a delta, d one' without, in the same units. Which walk is
   better depends on the number of rows too, but that is private, and the choice comes before the
   first query. */
bool tac_auto_leaves_delta(const tac_privacy_params *params, double epsilon, double delta,
                           int32_t columns)
{
    const tac_local_parts sum = {.sum = 1};
    tac_privacy_params pure = *params, gauss = *params;

    pure.definition = TAC_PURE;
    gauss.definition = TAC_GDP;
    if (!(delta > 0)) return false;
    const uint64_t with =
        tac_quote_local(&gauss, columns, &sum, tac_budget_quanta(TAC_GDP, epsilon, delta));
    const uint64_t without =
        tac_quote_local(&pure, 1, &sum, tac_budget_quanta(TAC_PURE, epsilon, 0));
    return without > 0 &&
           sqrt(columns) * tac_noise_sd(TAC_LAPLACE, without) < PURE_BELOW * (double)with;
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
