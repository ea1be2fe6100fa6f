/* SPDX-License-Identifier: Apache-2.0 */
/* Which columns stand out of the noise, and their weights. The second query of the walk, and the
   frames in which later ones see the rows. */
#include "cluster/cocluster/auto/rows/auto_rows.h"

#include "cluster/cocluster/auto/masses.h"

#include <math.h>

/* columns that are kept in any case */
#define KEPT_LEAST 16
#define SEEN_MOST 5.0
#define SEEN_STEP 0.05
#define FALSE_MOST 0.25 /* of the columns above the threshold may be noise */
#define PER_CLUSTER 2   /* columns that are kept in any case, for each column cluster */

/* Noisy sums of all columns over rows of length 1 (delta = 0: cut to their largest entries, sum
   1). */
static tacit_status ask(tac_rows_walk *w, int64_t *mass)
{
    tacit_status status = TACIT_OK;
    tac_frame frame = {0};
    int64_t rows;

    if (w->rules.pure || w->job->entry) { /* otherwise the rows are placed so already */
        const tac_weighing cut = {.value = TAC_LOGARITHM,
                                  .dims = w->job->columns,
                                  .most = w->rules.most,
                                  .taxicab = w->rules.pure};
        TAC_TRY(tac_frame_weigh(w->ctx, w->job->columns, &cut, &frame));
        TAC_TRY(tac_run_set_frame(w->job->run, TAC_ROWS, &frame));
    }
    TAC_TRY(tac_door_sums(w->door, "mass of the columns", tac_share(w->budget, w->rules.mass),
                          &(tac_cells){.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1},
                          TAC_ROWS, 1, mass, &rows));
    w->mass_sd = tac_last_sd(w->door) / TAC_M;
done:
    return status;
}

/* w = mass^(-1/2): a column that all rows have separates nothing. Noise bounds it from above. */
double tac_rows_first_weight(const tac_rows_walk *w, double mass)
{
    return 1 / sqrt(fmax(mass, w->rules.seen * w->mass_sd));
}

/* The smallest threshold, in standard deviations of noise, at which at most FALSE_MOST of the
   columns above it may be noise: columns x P(noise > t) <= FALSE_MOST x columns above t. all:
   heaviest first. */
static double seen_from(const tac_rows_walk *w, const tac_column_mass *all)
{
    const int32_t columns = w->job->columns;
    int32_t above = columns;

    if (w->rules.pure) return w->rules.seen;
    for (double t = w->rules.seen; t < SEEN_MOST; t += SEEN_STEP) {
        while (above > 0 && !(all[above - 1].mass > t * w->mass_sd)) above--;
        if (columns * 0.5 * erfc(t * M_SQRT1_2) <= FALSE_MOST * (above > 0 ? above : 1)) return t;
    }
    return SEEN_MOST;
}

/* The kept columns, ascending, with mass and first weight: the least number, then all that are
   clear of noise. */
static tacit_status keep(tac_rows_walk *w, tac_column_mass *all)
{
    tacit_status status = TACIT_OK;
    const int32_t columns = w->job->columns, k = w->k > 0 ? w->k : TAC_ROWS_AUTO_MOST;
    const int32_t wanted = PER_CLUSTER * (w->l > 0 ? w->l : k);
    const int32_t least = wanted > KEPT_LEAST ? wanted : KEPT_LEAST;

    tac_sort_by_mass(all, columns);
    const double seen = seen_from(w, all) * w->mass_sd;
    while (w->kept < columns && (w->kept < least || all[w->kept].mass > seen)) w->kept++;
    tac_sort_by_column(all, w->kept);
    TAC_TRY(tac_new(w->ctx, (size_t)w->kept, sizeof *w->column, &w->column));
    TAC_TRY(tac_new(w->ctx, (size_t)w->kept, sizeof *w->mass, &w->mass));
    TAC_TRY(tac_new(w->ctx, (size_t)w->kept, sizeof *w->weight, &w->weight));
    for (int32_t g = 0; g < w->kept; g++) {
        w->seen += all[g].mass > seen;
        w->column[g] = all[g].column;
        w->mass[g] = all[g].mass;
        w->weight[g] = w->rules.flat ? 1 : tac_rows_first_weight(w, all[g].mass);
    }
done:
    return status;
}

tacit_status tac_rows_mass(tac_rows_walk *w)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)w->job->columns;
    int64_t *mass = NULL;
    tac_column_mass *all = NULL;

    TAC_TRY(tac_new(w->ctx, columns, sizeof *mass, &mass));
    TAC_TRY(tac_new(w->ctx, columns, sizeof *all, &all));
    TAC_TRY(tac_new(w->ctx, columns, sizeof *w->fixed, &w->fixed));
    TAC_TRY(tac_new(w->ctx, columns, sizeof *w->group, &w->group));
    TAC_TRY(ask(w, mass));
    for (size_t j = 0; j < columns; j++)
        all[j] = (tac_column_mass){.mass = (double)mass[j] / TAC_M, .column = (int32_t)j};
    TAC_TRY(keep(w, all));
done:
    tac_free(mass);
    tac_free(all);
    return status;
}

tacit_status tac_rows_look(tac_rows_walk *w, tac_view view, bool cut)
{
    tacit_status status = TACIT_OK;
    const tac_weighing weighing = {.value = TAC_LOGARITHM,
                                   .weight = w->fixed,
                                   .group = w->group,
                                   .dims = w->kept,
                                   .most = cut ? w->rules.most : 0,
                                   .taxicab = cut};
    tac_frame frame = {0};
    double largest = 0;

    for (int32_t g = 0; g < w->kept; g++) largest = fmax(largest, w->weight[g]);
    for (int32_t g = 0; g < w->kept; g++) {
        w->fixed[w->column[g]] = (uint32_t)fmax(1, rint(65536 * w->weight[g] / largest));
        w->group[w->column[g]] = g;
    }
    TAC_TRY(tac_frame_weigh(w->ctx, w->job->columns, &weighing, &frame));
    TAC_TRY(tac_run_set_frame(w->job->run, view, &frame));
done:
    return status;
}
