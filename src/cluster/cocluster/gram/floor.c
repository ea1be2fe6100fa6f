/* SPDX-License-Identifier: Apache-2.0 */
/* How long the rows are: a noisy histogram of their lengths, in a frame that leaves all of them as they are. */
#include "cluster/cocluster/gram/gram.h"

#include <math.h>

enum { BINS = 32, LONGEST = 64 };
#define QUANTILE 0.7

/* The lower edge of the bin that holds the quantile: a floor a little too low costs less than one too high. */
static double read_floor(const int64_t *held, const double *edge)
{
    double all = 0, below = 0;

    for (int b = 0; b < BINS; b++) all += fmax((double)held[b], 0);
    for (int b = 0; b < BINS; b++) {
        below += fmax((double)held[b], 0);
        if (below >= QUANTILE * all) return b > 1 ? edge[b - 1] * LONGEST : 1;
    }
    return 1;
}

tacit_status tac_gram_floor(tac_gram_walk *w, const char *what, const tac_weighing *weighing, double *floor)
{
    tacit_status status = TACIT_OK;
    tac_weighing wide = *weighing;
    const double radius = TAC_M;
    double edge[BINS];
    int64_t held[BINS];

    wide.least = LONGEST << 16;
    TAC_TRY(tac_gram_look(w, &wide));
    for (int b = 0; b < BINS; b++) edge[b] = pow(LONGEST, b / (BINS - 1.0)) / LONGEST;
    TAC_TRY(tac_door_distances(w->door, what, tac_share(w->budget, TAC_GRAM_LENGTHS),
                               &(tac_cells){.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1},
                               &(tac_local){.radius = &radius}, edge, BINS, held));
    *floor = read_floor(held, edge);
done:
    return status;
}
