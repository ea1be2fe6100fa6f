/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of auto_gram.h: mass of the columns, floor of the lengths, Gram matrix. Three
   queries. */
#include "cluster/cocluster/auto/gram/auto_gram.h"

#include "cluster/cocluster/auto/masses.h"

#include <math.h>
#include <stdlib.h>

#define SEEN 4.0        /* standard deviations of noise that a column's mass must pass */
#define PER_CLUSTER 4   /* columns that are kept in any case, for each row cluster */
#define WEIGHT_MOST 3.0 /* the cap of a weight, in medians of the weights */

/* Ascending. */
static int up(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

tacit_status tac_gram_look(tac_gram_walk *w, const tac_weighing *weighing)
{
    tacit_status status = TACIT_OK;
    tac_frame frame = {0};

    TAC_TRY(tac_frame_weigh(w->ctx, w->job->columns, weighing, &frame));
    TAC_TRY(tac_run_set_frame(w->job->run, TAC_ROWS, &frame));
done:
    return status;
}

/* Noisy sums of all columns, rows being at the largest floor. */
static tacit_status ask_mass(tac_gram_walk *w)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)w->job->columns;
    int64_t *mass = NULL, rows;
    const tac_weighing all = {
        .value = TAC_LOGARITHM, .dims = w->job->columns, .least = TAC_GRAM_LONGEST << 16};

    TAC_TRY(tac_new(w->ctx, columns, sizeof *mass, &mass));
    /* sums gain nothing by a lower floor: they shrink with 1 / S as the noise does */
    TAC_TRY(tac_gram_look(w, &all));
    TAC_TRY(tac_door_sums(w->door, "mass of the columns", tac_share(w->budget, TAC_GRAM_MASS),
                          &(tac_cells){.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1},
                          TAC_ROWS, 1, mass, &rows));
    w->mass_sd = tac_last_sd(w->door) / TAC_M;
    for (size_t j = 0; j < columns; j++) w->mass[j] = (double)mass[j] / TAC_M;
done:
    tac_free(mass);
    return status;
}

/* w_j ~ mass_j^(-1/4), capped, the largest 1: rare columns say more, but not if they are noise. */
static tacit_status weigh(tac_gram_walk *w)
{
    tacit_status status = TACIT_OK;
    const size_t kept = (size_t)w->kept;
    double *sorted = NULL, largest = 0;

    TAC_TRY(tac_new(w->ctx, kept, sizeof *w->weight, &w->weight));
    TAC_TRY(tac_new(w->ctx, kept, sizeof *sorted, &sorted));
    for (size_t g = 0; g < kept; g++)
        sorted[g] = w->weight[g] = pow(fmax(w->mass[w->column[g]], SEEN * w->mass_sd), -0.25);
    qsort(sorted, kept, sizeof *sorted, up);
    const double most = WEIGHT_MOST * (sorted[(kept - 1) / 2] + sorted[kept / 2]) / 2;
    for (size_t g = 0; g < kept; g++)
        largest = fmax(largest, w->weight[g] = fmin(w->weight[g], most));
    for (size_t g = 0; g < kept; g++) {
        w->weight[g] /= largest;
        w->fixed[w->column[g]] = (uint32_t)fmax(1, rint(65536 * w->weight[g]));
        w->group[w->column[g]] = (int32_t)g;
    }
done:
    tac_free(sorted);
    return status;
}

/* The columns of the Gram matrix: PER_CLUSTER k in any case, then those whose noisy mass is
   clear, heaviest first, up to TAC_GRAM_COLUMNS_MOST. */
static tacit_status keep(tac_gram_walk *w)
{
    tacit_status status = TACIT_OK;
    const int32_t columns = w->job->columns;
    tac_column_mass *all = NULL;

    TAC_TRY(tac_new(w->ctx, (size_t)columns, sizeof *all, &all));
    for (int32_t j = 0; j < columns; j++)
        all[j] = (tac_column_mass){.mass = w->mass[j], .column = j};
    tac_sort_by_mass(all, columns);
    while (w->kept < columns &&
           (w->kept < PER_CLUSTER * w->job->k ||
            (w->kept < TAC_GRAM_COLUMNS_MOST && all[w->kept].mass > SEEN * w->mass_sd)))
        w->kept++;
    tac_sort_by_column(all, w->kept);
    TAC_TRY(tac_new(w->ctx, (size_t)w->kept, sizeof *w->column, &w->column));
    for (int32_t g = 0; g < w->kept; g++) w->column[g] = all[g].column;
    TAC_TRY(weigh(w));
done:
    tac_free(all);
    return status;
}

/* The floor, then the Gram matrix of the kept columns. quanta: left for the labels. */
static tacit_status ask_gram(tac_gram_walk *w, uint64_t quanta)
{
    tacit_status status = TACIT_OK;
    const size_t q = (size_t)w->kept;
    tac_weighing some = {
        .value = TAC_LOGARITHM, .weight = w->fixed, .group = w->group, .dims = w->kept};
    tac_i128 *answer = NULL;
    double floor;

    TAC_TRY(tac_new(w->ctx, q * (q + 1) / 2, sizeof *answer, &answer));
    TAC_TRY(tac_new(w->ctx, q * q, sizeof *w->gram, &w->gram));
    TAC_TRY(tac_gram_floor(w, &some, &floor));
    some.least = (uint32_t)(65536 * floor);
    TAC_TRY(tac_gram_look(w, &some));
    TAC_TRY(tac_door_moments(
        w->door, "Gram matrix of the heaviest columns", tac_door_left(w->door) - quanta,
        &(tac_cells){.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1}, TAC_ROWS, answer));
    w->gram_sd = tac_last_sd(w->door) / ((double)TAC_M * TAC_M * TAC_MOMENT_CROSS);
    tac_gram_read(answer, w->kept, w->gram);
done:
    tac_free(answer);
    return status;
}

static void clear(tac_gram_walk *w)
{
    tac_free(w->column);
    tac_free(w->mass);
    tac_free(w->weight);
    tac_free(w->fixed);
    tac_free(w->group);
    tac_free(w->gram);
    tac_factors_clear(&w->factors);
}

/* Queries: mass, floor, Gram matrix, and labels if they are wanted, whose share is set aside
   first. */
tacit_status tac_cocluster_gram(const tac_cocluster_job *job, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const uint64_t all = tac_door_left(job->door), labels = tac_share(all, job->opts->labels_share);
    const size_t columns = (size_t)job->columns;
    tac_gram_walk w = {.job = job, .ctx = job->ctx, .door = job->door, .budget = all - labels};

    TAC_TRY(tac_new(w.ctx, columns, sizeof *w.mass, &w.mass));
    TAC_TRY(tac_new(w.ctx, columns, sizeof *w.fixed, &w.fixed));
    TAC_TRY(tac_new(w.ctx, columns, sizeof *w.group, &w.group));
    tac_show_progress(w.ctx, "weighing the columns", 0);
    TAC_TRY(ask_mass(&w));
    TAC_TRY(keep(&w));
    tac_show_progress(w.ctx, "finding directions", 0.5);
    TAC_TRY(ask_gram(&w, labels));
    TAC_TRY(tac_factors_find(w.ctx, w.gram, w.kept, job->k, 0, fmax((double)job->rows, 1),
                             w.gram_sd, &w.factors));
    w.seed = tac_word(job->random);
    TAC_TRY(tac_find_standing_out(w.ctx, w.gram, w.kept, job->k, w.gram_sd, job->random, &w.out));
    TAC_TRY(tac_gram_finish(&w, out));
    tac_show_progress(w.ctx, "finding directions", 1);
done:
    clear(&w);
    return status;
}
