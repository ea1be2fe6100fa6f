/* SPDX-License-Identifier: Apache-2.0 */
/* The rounds: rows find their cluster, a noisy query adds up clusters by columns, and all tables
   so far become the directions of the next round. delta = 0: before the last round weights move to
   the columns that separate clusters. */
#include "cluster/cocluster/auto/rows/auto_rows.h"

#include <math.h>

#define SURE 2.0          /* standard deviations: smaller numbers of rows are raised to this */
#define LENGTH_LEAST 0.3  /* of a squared length that stays at least when the noise is subtracted */
#define TELLING_LEAST 0.1 /* added to v: no column loses its weight at once */

static tac_cells cells_of(const tac_rows_walk *w)
{
    return (tac_cells){.kind = TAC_ARGMAX,
                       .view = w->labelled,
                       .count = w->k,
                       .centers = w->center,
                       .offset = w->offset};
}

/* The noisy table of round t: sums of kept columns and, for a small share, numbers of rows. */
static tacit_status ask(tac_rows_walk *w, int32_t round)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)w->k, kept = (size_t)w->kept;
    const double counted = round + 1 < w->rules.tables ? TAC_ROWS_COUNTED : TAC_ROWS_COUNTED_LAST;
    const uint32_t weight = tac_rows_count_weight(w->rules.pure, counted);
    const tac_cells cells = cells_of(w);
    int64_t *sums = NULL, *counts = NULL;
    double *table = NULL;

    TAC_TRY(tac_new(w->ctx, k * kept, sizeof *table, &table));
    TAC_TRY(tac_new(w->ctx, k * kept, sizeof *sums, &sums));
    TAC_TRY(tac_new(w->ctx, k, sizeof *counts, &counts));
    TAC_TRY(tac_door_sums(w->door, "row clusters by columns",
                          tac_share(w->budget, w->rules.table[round]), &cells, TAC_ROWS, weight,
                          sums, counts));
    for (size_t e = 0; e < k * kept; e++) table[e] = (double)sums[e] / TAC_M;
    w->variance[w->asked] = pow(tac_last_sd(w->door) / TAC_M, 2);
    w->table[w->asked++] = table;
    table = NULL;
    for (size_t a = 0; a < k; a++)
        w->size[a] = fmax((double)counts[a], SURE * tac_last_sd(w->door)) / weight;
done:
    tac_free(table);
    tac_free(sums);
    tac_free(counts);
    return status;
}

/* profile_a = S_a / sqrt(max(|S_a|^2 - noise_a, 0.3 |S_a|^2)), S the table with less noise:
   cosines, what noise is left taken out of the length. A first table is so noisy that contrasts
   shrunk by a common prior would make small clusters alike, and rows would leave them for good. */
static tacit_status turn(tac_rows_walk *w, double *noise)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)w->k, kept = (size_t)w->kept;

    if (w->asked == 1)
        TAC_TRY(tac_rows_shrink(w, noise));
    else
        TAC_TRY(tac_rows_believe(w));
    for (size_t a = 0; a < k; a++) {
        const double known = w->asked == 1 ? noise[a] : 0;
        double squares = 0;
        for (size_t g = 0; g < kept; g++)
            squares += w->profile[a * kept + g] * w->profile[a * kept + g];
        const double length = sqrt(fmax(squares - known, LENGTH_LEAST * squares));
        for (size_t g = 0; g < kept; g++)
            w->profile[a * kept + g] = length > 0 ? w->profile[a * kept + g] / length : 0;
    }
done:
    return status;
}

/* Weights times (v + 0.1)^(1/4). v = (|E|^2 - (k - 1) sd^2) / sum^2, between 0 and 1, says how
   well a column separates clusters. E: its table column less its expectation by the sizes. */
static void weigh(tac_rows_walk *w)
{
    const size_t k = (size_t)w->k, kept = (size_t)w->kept;
    const double *table = w->table[w->asked - 1], sd = sqrt(w->variance[w->asked - 1]);
    double all = 0;

    for (size_t a = 0; a < k; a++) all += w->size[a];
    for (size_t g = 0; g < kept; g++) {
        double sum = 0, squares = 0;
        for (size_t a = 0; a < k; a++) sum += table[a * kept + g];
        for (size_t a = 0; a < k; a++) {
            const double above = table[a * kept + g] - sum * w->size[a] / all;
            squares += above * above;
        }
        const double least = SURE * sd * sqrt(w->k), known = fmax(sum, least);
        const double telling = fmax(squares - (w->k - 1) * sd * sd, 0) / (known * known);
        w->weight[g] *= sqrt(sqrt(fmin(telling, 1) + TELLING_LEAST));
    }
}

/* Cells of the profiles; rows without any kept column go to the largest cluster. */
static void place(tac_rows_walk *w, tac_view view)
{
    size_t largest = 0;

    for (size_t a = 1; a < (size_t)w->k; a++) largest = w->size[a] > w->size[largest] ? a : largest;
    w->factor = tac_argmax_cells(w->profile, NULL, w->k, w->kept, w->center, w->offset);
    w->offset[largest] = 1; /* no more than settles a tie */
    w->labelled = view;
}

/* Tables of other weights say nothing about those of now. */
static void forget(tac_rows_walk *w)
{
    for (int32_t t = 0; t < w->asked; t++) tac_free(w->table[t]);
    w->asked = 0;
}

/* delta > 0: the view that holds the values labels the rows of the next round. delta = 0: the
   projection labels whole rows, the rows are cut, and weights move before the last round. */
tacit_status tac_rows_tables(tac_rows_walk *w)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)w->k, kept = (size_t)w->kept;
    const bool pure = w->rules.pure;
    double *noise = NULL;

    TAC_TRY(tac_new(w->ctx, k, sizeof *noise, &noise));
    TAC_TRY(tac_new(w->ctx, k * kept, sizeof *w->whole, &w->whole));
    TAC_TRY(tac_new(w->ctx, k * kept, sizeof *w->profile, &w->profile));
    TAC_TRY(tac_new(w->ctx, k, sizeof *w->size, &w->size));
    for (int32_t t = 0; t < w->rules.tables; t++) {
        tac_show_progress(w->ctx, "clustering", (double)t / w->rules.tables);
        const bool moves = pure && t > 0 && t + 1 == w->rules.tables;
        if (moves) {
            weigh(w);
            forget(w);
            TAC_TRY(tac_rows_look(w, TAC_ROWS, true));
        }
        TAC_TRY(ask(w, t));
        TAC_TRY(tac_rows_put_together(w));
        TAC_TRY(turn(w, noise));
        /* it had the columns of the Gram matrix */
        if (pure && (moves || t == 0)) TAC_TRY(tac_rows_look(w, TAC_PROJECTED, false));
        place(w, pure ? TAC_PROJECTED : TAC_ROWS);
    }
done:
    tac_free(noise);
    return status;
}
