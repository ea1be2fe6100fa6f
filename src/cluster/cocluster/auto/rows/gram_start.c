/* SPDX-License-Identifier: Apache-2.0 */
/* Where the tables begin: directions from one noisy Gram matrix. They label the rows of the
   first table. */
#include "cluster/cocluster/auto/rows/auto_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Descending. */
static int down(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

/* The heaviest kept columns by noisy mass, at most as many as the rules allow: their places
   among the kept, ascending; *count of them. */
static tacit_status heaviest(const tac_rows_walk *w, int32_t *place, int32_t *count)
{
    tacit_status status = TACIT_OK;
    const size_t kept = (size_t)w->kept;
    const tac_privacy_params params = tac_door_params(w->door);
    const uint64_t scale =
        tac_quote_moments(&params, TAC_ROWS_GRAM_MOST, tac_share(w->budget, w->rules.gram));
    const double sd = tac_noise_sd(tac_moments_distribution(&params, TAC_ROWS_GRAM_MOST), scale) /
                      ((double)TAC_M * TAC_M * TAC_MOMENT_CROSS);
    const int32_t most = tac_rows_gram_most(&w->rules, w->k, w->rows, sd);
    double *sorted = NULL, least = -INFINITY;

    TAC_TRY(tac_new(w->ctx, kept, sizeof *sorted, &sorted));
    memcpy(sorted, w->mass, kept * sizeof *sorted);
    qsort(sorted, kept, sizeof *sorted, down);
    if (w->kept > most) least = sorted[most - 1];
    *count = 0;
    for (int32_t g = 0; g < w->kept && *count < most; g++)
        if (w->mass[g] >= least) place[(*count)++] = g;
done:
    tac_free(sorted);
    return status;
}

/* Sets the projection to these columns alone, rows of length 1. */
static tacit_status look(tac_rows_walk *w, const int32_t *place, int32_t q)
{
    tacit_status status = TACIT_OK;
    const tac_weighing weighing = {
        .value = TAC_LOGARITHM, .weight = w->fixed, .group = w->group, .dims = q};
    tac_frame frame = {0};
    double largest = 0;

    memset(w->fixed, 0, (size_t)w->job->columns * sizeof *w->fixed);
    for (int32_t i = 0; i < q; i++) largest = fmax(largest, w->weight[place[i]]);
    for (int32_t i = 0; i < q; i++) {
        w->fixed[w->column[place[i]]] =
            (uint32_t)fmax(1, rint(65536 * w->weight[place[i]] / largest));
        w->group[w->column[place[i]]] = i;
    }
    TAC_TRY(tac_frame_weigh(w->ctx, w->job->columns, &weighing, &frame));
    TAC_TRY(tac_run_set_frame(w->job->run, TAC_PROJECTED, &frame));
done:
    return status;
}

/* The noisy Gram matrix of q columns; *sd: noise of an entry off the diagonal. */
static tacit_status ask_gram(tac_rows_walk *w, int32_t q, double *gram, double *sd)
{
    tacit_status status = TACIT_OK;
    tac_i128 *answer = NULL;

    TAC_TRY(tac_new(w->ctx, (size_t)q * ((size_t)q + 1) / 2, sizeof *answer, &answer));
    TAC_TRY(tac_door_moments(w->door, "Gram matrix of the heaviest columns",
                             tac_share(w->budget, w->rules.gram),
                             &(tac_cells){.kind = TAC_ONE_CELL, .view = TAC_PROJECTED, .count = 1},
                             TAC_PROJECTED, answer));
    *sd = tac_last_sd(w->door) / ((double)TAC_M * TAC_M * TAC_MOMENT_CROSS);
    tac_gram_read(answer, q, gram);
done:
    tac_free(answer);
    return status;
}

/* Room for cells in the Gram matrix now and in all kept columns later. */
static tacit_status make_cells(tac_rows_walk *w, int32_t dims)
{
    tacit_status status = TACIT_OK;
    const size_t most = (size_t)w->k * (size_t)(dims > w->kept ? dims : w->kept);

    TAC_TRY(tac_new(w->ctx, most, sizeof *w->center, &w->center));
    TAC_TRY(tac_new(w->ctx, (size_t)w->k, sizeof *w->offset, &w->offset));
done:
    return status;
}

/* Numbers of clusters that are to be chosen: K = max(2, groups that stand out and are not slight),
   L = K. What the Gram matrix shows is a lower bound, for tables see more. */
static tacit_status choose(tac_rows_walk *w, const double *gram, int32_t q, double sd)
{
    tacit_status status = TACIT_OK;
    const int32_t columns = w->job->columns;

    TAC_TRY(tac_find_standing_out(w->ctx, gram, q, w->k > 0 ? w->k : TAC_ROWS_AUTO_MOST, sd,
                                  w->job->random, &w->out));
    if (w->k == 0) w->k = w->out.wide > 2 ? w->out.wide : 2;
    if (w->l == 0) w->l = w->k < columns ? w->k : columns;
done:
    return status;
}

/* Directions, at most as many as columns; they become argmax cells in the projection. */
tacit_status tac_rows_start(tac_rows_walk *w)
{
    tacit_status status = TACIT_OK;
    tac_factors *f = &w->factors;
    int32_t q = 0;
    double *gram = NULL, sd = 0;

    tac_show_progress(w->ctx, "finding directions", 0);
    TAC_TRY(tac_new(w->ctx, (size_t)w->kept, sizeof *w->place, &w->place));
    TAC_TRY(tac_new(w->ctx, (size_t)w->kept, sizeof *w->first, &w->first));
    /* Pure tables weigh all columns alike, but the Gram matrix does not. */
    for (int32_t g = 0; g < w->kept && w->rules.flat; g++)
        w->weight[g] = tac_rows_first_weight(w, w->mass[g]);
    memcpy(w->first, w->weight, (size_t)w->kept * sizeof *w->first);
    TAC_TRY(heaviest(w, w->place, &q));
    TAC_TRY(tac_new(w->ctx, (size_t)q * (size_t)q, sizeof *gram, &gram));
    TAC_TRY(look(w, w->place, q));
    for (int32_t g = 0; g < w->kept && w->rules.flat; g++) w->weight[g] = 1;
    TAC_TRY(ask_gram(w, q, gram, &sd));
    TAC_TRY(choose(w, gram, q, sd));
    TAC_TRY(tac_factors_find(w->ctx, gram, q, w->k, w->rules.vectors, w->rows, sd, f));
    w->k = f->k;
    w->labelled = TAC_PROJECTED;
    TAC_TRY(make_cells(w, q));
    tac_argmax_cells(f->direction, f->offset, f->k, q, w->center, w->offset);
    TAC_TRY(tac_rows_look(w, TAC_ROWS, w->rules.pure));
done:
    tac_free(gram);
    return status;
}
