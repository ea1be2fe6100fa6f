/* SPDX-License-Identifier: Apache-2.0 */
/* A floor for the lengths of rows, from a noisy histogram of them. One count moves a row by at
   most 1 / floor. */
#include "cluster/cocluster/auto/gram/auto_gram.h"

#include <math.h>

enum { BINS = 16 };
#define QUANTILE 0.7 /* of the rows are to be shorter than the floor */
#define USUAL 6.0    /* the prior of the floor, which counts as far as noise hides it ... */
#define SPREAD 0.4   /* ... and its standard deviation, in logarithms */

/* The edge that minimizes z^2 + far^2: z the distance of the rows below it from the quantile, in
   standard deviations of the noise, far its distance from the prior. The bins must add up to the
   public number of rows; the difference is spread over them evenly, after which the rows below
   edge b have noise of variance sd^2 n (1 - n / BINS), n = b + 1. */
static double read_floor(const int64_t *answer, const double *edge, double rows, double sd)
{
    double all = 0, below = 0, least = INFINITY, floor = 1;

    for (int b = 0; b < BINS; b++) all += ldexp((double)answer[b], -TAC_COUNT_GRID);
    for (int b = 0; b < BINS - 1; b++) {
        const double n = b + 1, far = log(edge[b] / USUAL) / SPREAD;
        below += ldexp((double)answer[b], -TAC_COUNT_GRID) + (rows - all) / BINS;
        const double off = (below - QUANTILE * rows) / (sd * sqrt(n * (1 - n / BINS))),
                     cost = off * off + far * far;
        if (cost < least) {
            least = cost;
            floor = edge[b];
        }
    }
    return floor;
}

/* One histogram of lengths, edges in equal ratios from 1 to TAC_GRAM_LONGEST. */
tacit_status tac_gram_floor(tac_gram_walk *w, const tac_weighing *weighing, double *floor)
{
    tacit_status status = TACIT_OK;
    tac_weighing wide = *weighing;
    const double radius = TAC_M;
    double edge[BINS], share[BINS];
    int64_t answer[BINS];

    wide.least = TAC_GRAM_LONGEST << 16;
    TAC_TRY(tac_gram_look(w, &wide));
    for (int b = 0; b < BINS; b++) {
        edge[b] = pow(TAC_GRAM_LONGEST, b / (BINS - 1.0));
        share[b] = edge[b] / TAC_GRAM_LONGEST;
    }
    TAC_TRY(tac_door_distances(w->door, "lengths of the rows",
                               tac_share(w->budget, TAC_GRAM_LENGTHS),
                               &(tac_cells){.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1},
                               &(tac_local){.radius = &radius}, share, BINS, answer));
    *floor = read_floor(answer, edge, fmax((double)w->job->rows, 1),
                        ldexp(tac_last_sd(w->door), -TAC_COUNT_GRID));
done:
    return status;
}
