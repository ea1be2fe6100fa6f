/* SPDX-License-Identifier: Apache-2.0 */
/* Columns whose declared bounds are far too wide. Where columns are divided by their range, such a
   column all but vanishes: the zoom is one ball for all columns and cannot mend it. A coarse
   histogram of each column, as cheap as the number of rows allows, shows whether rows fill a small
   part of the bounds. A column that does is looked at closely (cluster/ranges/), and its bounds
   become those found.
   Only a column that is far too wide: another scale is another clustering, and the declared one may
   be what was meant. So nothing is done where all columns have one declared range: they are then in
   one unit, as places on a map are, and a narrow one is narrow. */
#include "cluster/kmeans/auto/auto_kmeans.h"
#include "cluster/ranges/ranges.h"

#include <math.h>
#include <stdio.h>

enum {
    BINS = 64,        /* of the declared range */
    COLUMNS_MOST = 64 /* every column is a query, and its share shrinks */
};
#define SMALL (1.0 / 32) /* of the declared range: less is far too little to have been meant */
/* the same, as far as a coarse histogram shows it: a few lines with their neighbors */
#define COARSE (6.5 / BINS)
/* of the rows must be in that part: where noise hides a cluster, the others are not all there is */
#define NEARLY_ALL 0.8
#define FIRST_SHARE 0.01  /* of the budget at most: all coarse histograms together */
#define FIRST_SD 0.02     /* of the rows: noise of a bin that is good enough */
#define FIRST_WORST 0.08  /* with more nothing can be told */
#define CLOSER_SHARE 0.03 /* of the budget at most: a column that is looked at ... */
#define CLOSER_ALL 0.06   /* ... and all of them */
#define CLOSER_SD 0.001
#define CLOSER_WORST 0.0025 /* with more a tail that matters could be cut off unseen */
#define LEAST 14 /* no query gets less than 2^-LEAST of the budget: noise must fit its integers */
#define ALARM 1e-3

/* The quanta for which a bin's noise is `part` of the rows, `most` at most. *sd: the noise, in
   rows; infinite if nothing can be bought. */
static uint64_t quanta_for(const tac_walk *a, double part, uint64_t most, double *sd)
{
    const tac_privacy_params params = tac_door_params(a->door);
    const tac_distribution noise = tac_door_distribution(a->door);
    const uint64_t scale = tac_quote_histogram(&params, most);

    *sd = scale == 0 ? INFINITY : ldexp(tac_noise_sd(noise, scale), -TAC_COUNT_GRID);
    const double times = *sd / (part * a->rules.rows);
    if (scale == 0 || times >= 1) return most;
    *sd /= times;
    const uint64_t enough = tac_share(most, noise == TAC_LAPLACE ? times : times * times),
                   least = a->budget >> LEAST;
    return enough > least ? enough : least < most ? least : most;
}

/* Do all columns have one range? */
static bool alike(const tac_domain *domain, int32_t columns)
{
    for (int32_t j = 1; j < columns; j++)
        if (domain->lower[j] != domain->lower[0] || domain->upper[j] != domain->upper[0])
            return false;
    return true;
}

/* Does the walk scale columns by bounds that were declared, each its own? Public. */
static bool applies(const tac_walk *a)
{
    const tac_run *run = a->job->run;

    if (run->domain.kind == TAC_DOMAIN_BOX && alike(&run->domain, a->columns)) return false;
    return run->domain.kind == TAC_DOMAIN_BOX && a->job->opts->scale == TACIT_SCALE_RANGE &&
           a->job->frame->counts == NULL && !tac_run_sparse(run) && a->columns <= COLUMNS_MOST;
}

/* Rows in the lines from low to high. */
static double rows_within(const tac_held *held, double line, double low, double high)
{
    double rows = 0;

    for (int32_t b = 0; b < held->bins; b++)
        if ((b + 0.5) * line > low && (b + 0.5) * line < high) rows += held->number[b];
    return rows;
}

/* The lines of a column in the first frame. */
static tac_slice slice_of(const tac_walk *a, int32_t column)
{
    const tac_domain *domain = &a->job->run->domain;
    const double half = domain->upper[column] / 2 - domain->lower[column] / 2;
    /* a weighted column fills another part of the ball */
    const int16_t reach = (int16_t)fmax(
        1, domain->weight == NULL ? TAC_M / sqrt(a->columns) : a->job->frame->scale[column] * half);

    return (tac_slice){.axis = column, .low = (int16_t)-reach, .high = reach};
}

/* What a coarse look at a column shows; sd: its noise. True: rows fill a small part of it, so far
   as can be seen. */
static bool read_look(const tac_walk *a, const tac_asking *ask, double sd, int32_t column,
                      tac_range *r)
{
    const tac_domain *domain = &a->job->run->domain;
    double rows[BINS];

    *r = (tac_range){.column = column,
                     .least = domain->lower[column],
                     .most = domain->upper[column],
                     .low = domain->lower[column],
                     .high = domain->upper[column]};
    for (int32_t b = 0; b < BINS; b++)
        rows[b] = ldexp((double)tac_answer(ask, (size_t)b), -TAC_COUNT_GRID);
    const tac_held held = {.number = rows,
                           .bins = BINS,
                           .sd = ldexp(sd, -TAC_COUNT_GRID),
                           .laplace = tac_door_distribution(a->door) == TAC_LAPLACE};
    const double before = r->high - r->low, start = r->low;
    r->found = tac_range_lines(&held, r);
    return r->found && r->high - r->low <= COARSE * before &&
           rows_within(&held, before / BINS, r->low - start, r->high - start) >
               NEARLY_ALL * a->rules.rows;
}

/* Coarse looks at all columns whose bounds were declared, in one pass. range, count: those that
   rows fill a small part of. */
static tacit_status look(tac_walk *a, uint64_t quanta, tac_range *range, int32_t *count)
{
    tacit_status status = TACIT_OK;
    const bool *known = a->job->run->domain.estimate, *share = a->job->run->domain.share;
    const tac_cells all = {.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1};
    tac_asking ask[COLUMNS_MOST];
    tac_slice slice[COLUMNS_MOST];
    int32_t asked = 0;

    *count = 0;
    for (int32_t j = 0; j < a->columns; j++) {
        if (known != NULL && known[j]) continue;
        if (share != NULL && share[j]) continue; /* 0 and 1 are what a category has */
        slice[asked] = slice_of(a, j);
        ask[asked] = (tac_asking){.what = "how far bounds are filled",
                                  .quanta = quanta,
                                  .query = tac_query_slices(a->door, &all, &slice[asked], BINS)};
        asked++;
    }
    if (asked == 0) return TACIT_OK;
    TAC_TRY(tac_ask_together(a->door, ask, asked));
    for (int32_t i = 0; i < asked; i++)
        *count += read_look(a, &ask[i], tac_sd_before(a->door, asked - 1 - i), slice[i].axis,
                            &range[*count]);
done:
    tac_asking_clear(ask, asked);
    return status;
}

/* As many digits as tell two bounds apart, and two more. */
static int digits_for(double low, double high)
{
    const double ratio = fmax(fabs(low), fabs(high)) / (high - low);
    return ratio > 100 ? (int)fmin(17, 2 + ceil(log10(ratio))) : 4;
}

/* Which bounds were used; at a declared one the rows may go on beyond it. */
static tacit_status note_narrow(tac_walk *a, const tac_range *r, tac_notes *notes)
{
    const tac_run *run = a->job->run;
    const double least = tac_range_bound(run, r->column, r->least),
                 most = tac_range_bound(run, r->column, r->most),
                 low = tac_range_bound(run, r->column, r->low),
                 high = tac_range_bound(run, r->column, r->high);
    /* many columns begin at 0, and nothing lies beyond it */
    const bool above = r->high >= r->most, below = r->low <= r->least && least != 0;
    const int digits = digits_for(low, high);
    char beyond[160] = "";

    if (above || below)
        snprintf(beyond, sizeof beyond,
                 "; they reach the declared %g: rows that lie beyond it were moved to it",
                 above ? most : least);
    return tac_note(a->ctx, notes,
                    "column %.100s: its rows fill a small part of the declared %g to %g; bounds "
                    "%.*g to %.*g, estimated from this budget, were used%s",
                    tac_range_name(run, r->column), least, most, digits, low, digits, high, beyond);
}

/* Bounds that were found to be much narrower take the place of the declared ones. */
static tacit_status take(tac_walk *a, const tac_range *range, int32_t count, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    tac_run *run = a->job->run;
    const tac_domain *domain = &run->domain;
    double lower[COLUMNS_MOST], upper[COLUMNS_MOST];
    bool changed[COLUMNS_MOST];

    for (int32_t j = 0; j < a->columns; j++) {
        lower[j] = domain->lower[j];
        upper[j] = domain->upper[j];
        changed[j] = false;
    }
    for (int32_t i = 0; i < count; i++) {
        const tac_range *r = &range[i];
        if (!(r->high - r->low < SMALL * (r->most - r->least))) continue;
        lower[r->column] = r->low;
        upper[r->column] = r->high;
        changed[r->column] = true;
        TAC_TRY(note_narrow(a, r, &out->notes));
    }
    TAC_TRY(tac_run_set_bounds(run, lower, upper, changed)); /* also undoes the looks */
done:
    return status;
}

tacit_status tac_auto_narrow(tac_walk *a, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    tac_range range[COLUMNS_MOST];
    int32_t count = 0;
    double sd;

    if (!applies(a)) return TACIT_OK;
    const uint64_t first =
        quanta_for(a, FIRST_SD, tac_share(a->budget, FIRST_SHARE) / (uint64_t)a->columns, &sd);
    if (!(sd <= FIRST_WORST * a->rules.rows)) return TACIT_OK;
    TAC_TRY(look(a, first, range, &count));
    if (count == 0) return TACIT_OK;
    const uint64_t closer =
        quanta_for(a, CLOSER_SD, tac_share(a->budget, fmin(CLOSER_SHARE, CLOSER_ALL / count)), &sd);
    if (!(sd <= CLOSER_WORST * a->rules.rows)) return TACIT_OK;
    for (int32_t i = 0; i < count; i++) range[i].quanta = closer;
    TAC_TRY(tac_ranges_look(a->job->run, range, count));
    TAC_TRY(take(a, range, count, out));
done:
    return status;
}
