/* SPDX-License-Identifier: Apache-2.0 */
/* Where a column has its values, from noisy histograms of bins: for bounds that nobody has declared
   (private_bounds.c), and for declared ones that are far too wide (kmeans/auto/narrow.c).
   All of it works on noisy answers and public numbers; the constants enter no privacy argument.

   A histogram of thousands of bins is nearly empty, and noise is the same in all of them. So rows
   are looked for in windows of 1, 2, 4, ... bins, each against the noise of its sum
   (occupied_bins.c), from the outside in. */
#ifndef TAC_RANGES_H
#define TAC_RANGES_H

#include "cluster/budget_shares.h"
#include "cluster/release_notes.h"
#include "privacy/run.h"

/* A noisy histogram of one column. */
typedef struct tac_held {
    const double *number; /* bins: rows in each */
    int32_t bins;
    double sd; /* of each */
    bool laplace;
} tac_held;

/* The first and the last bin that hold rows, as far as noise lets see. alarm: the chance that empty
   bins pass for full ones, anywhere. False: all is noise. */
bool tac_occupied(const tac_held *held, double alarm, int32_t *first, int32_t *last);

/* A column that is looked at, and what is known of it. */
typedef struct tac_range {
    int32_t column;
    double least, most; /* limits: perhaps infinite */
    double low, high;   /* where the values are, roughly; after the last look: bounds */
    double middle;      /* of the rows */
    uint64_t quanta;    /* left for looking */
    bool found;         /* rows stood out of the noise */
    bool again;         /* they may fill a small part of low .. high only */
} tac_range;

/* The column of a coordinate, and a bound of it, in the column's own units: for notes. */
const char *tac_range_name(const tac_run *run, int32_t coordinate);
double tac_range_bound(const tac_run *run, int32_t coordinate, double bound);

/* Rows per octave of each column, by the rows' view of a run whose bounds are not known, which has
   these columns as its axes. quanta: for each. */
tacit_status tac_ranges_octaves(tac_run *run, tac_range *range, int32_t count, uint64_t quanta);
/* Rows per line of low .. high, `held->bins` lines and no more: sets low, high, middle, again.
   False: all is noise, and nothing is set. */
bool tac_range_lines(const tac_held *held, tac_range *range);
/* Looks at lines of columns that may fill a small part of where they are looked for; then a last
   look about the middle of each column, which spends what is left. Low .. high are then bounds. The
   rows' view is left at the last look: tac_run_set_bounds. */
tacit_status tac_ranges_look(tac_run *run, tac_range *range, int32_t count);

/* range_tails.c: rows on one side of the middle, from it outwards: bin i begins at a distance of
   from[i] (held->bins numbers, the first 0). The distance beyond which TAC_RANGE_TAIL of all rows
   lie: read off where rows stand out of the noise, and drawn out from there where they do not. NaN:
   there are no rows on this side; infinite: they are beyond the last edge. */
#define TAC_RANGE_TAIL 0.001
double tac_range_tail(const tac_held *held, const double *from, double rows);

/* private_bounds.c: the bounds of all columns that a run has to estimate, from its share of the
   budget. notes: what a reader of the release should know. */
tacit_status tac_private_bounds(tac_run *run, tac_notes *notes);

#endif
