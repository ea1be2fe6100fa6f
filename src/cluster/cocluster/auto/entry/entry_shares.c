/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of auto for single entries: how a budget is split. Its constants were set on four
   collections of documents and checked on a fifth; they enter no privacy argument. */
#include "cluster/cocluster/auto/entry/entry_shares.h"

#include <math.h>

#define DRAW 0.4   /* share of a step for its draw; the rest pays for its table by columns */
#define TABLE 0.05 /* share of the budget for the table of clusters, in the last batch only */
/* epsilon from which on 3/2 k profiles can be told apart ... */
#define SPLIT_PURE 0.75
#define SPLIT_DELTA 2.0 /* ... and with delta */
/* for at most so many clusters: joining profiles takes the cube of their number */
#define SPLIT_MOST 200
#define KEEP 0.8 /* of the sums so far, at the end; it grows from 0 with the steps */

double tac_entry_keep(int32_t step, int32_t steps)
{
    return KEEP * step / steps;
}

static int32_t between(double x, int32_t least, int32_t most)
{
    return x < least ? least : x > most ? most : (int32_t)x;
}

/* More steps find better profiles as long as each still sees enough. The draw of a row is as
   sharp as epsilon times its counts, however many rows there are, so epsilon decides. Batches
   are free (parallel composition) and passes are not, so pure budgets take batches first. With
   delta > 0 many small queries are cheap, and it is the other way round. */
static void count_steps(double epsilon, double delta, tac_entry_schedule *s)
{
    const double steps = (delta > 0 ? 12 : 8) * cbrt(epsilon);

    if (delta > 0) {
        s->passes = 4;
        s->batches = between(round(steps / 4), 1, 8);
    } else {
        const int32_t all = between(round(steps), 2, 24);
        s->passes = (all + 7) / 8;
        s->batches = all / s->passes;
    }
}

/* Batches compose in parallel, so a step costs 1 / passes of the budget. A batch has at least as
   many rows as profiles, if there are so many. */
tac_entry_schedule tac_entry_plan_steps(const tacit_cocluster_opts *opts, double epsilon,
                                        double delta, uint64_t budget, int64_t rows, int32_t k,
                                        int32_t l)
{
    const bool split = k <= SPLIT_MOST && epsilon >= (delta > 0 ? SPLIT_DELTA : SPLIT_PURE);
    const double rest = 1 - opts->labels_share;
    tac_entry_schedule s = {.profiles = split ? k + (k + 1) / 2 : k};

    /* A profile for every kind of column that is asked for, up to two for every kind of row. */
    if (s.profiles < l) s.profiles = l < 2 * k ? l : 2 * k;
    count_steps(epsilon, delta, &s);
    if (rows / s.profiles < s.batches)
        s.batches = rows / s.profiles > 1 ? (int32_t)(rows / s.profiles) : 1;
    const double step = rest / s.passes, last = step - rest * TABLE;
    s.draw = tac_share(budget, step * DRAW);
    s.wide = tac_share(budget, step * (1 - DRAW));
    s.last_draw = tac_share(budget, last * DRAW);
    s.last_wide = tac_share(budget, last * (1 - DRAW));
    s.table = tac_share(budget, rest * TABLE);
    s.labels = tac_share(budget, opts->labels_share);
    return s;
}
