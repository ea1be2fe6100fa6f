/* SPDX-License-Identifier: Apache-2.0 */
/* How long the rows are, and a floor for them: from a noisy histogram of their lengths, in a frame
   that leaves nearly all of them as they are. */
#include "cluster/cocluster/auto/gram/auto_gram.h"

#include <math.h>

enum { BINS = 16 };
#define QUANTILE 0.7 /* of the rows are shorter than the floor, if the noise lets it be seen */
#define USUAL 6.0    /* what the floor is taken for as far as noise hides it ... */
#define SPREAD 0.4   /* ... give or take this, in logarithms */

/* The edge at which the share of the rows is nearest to the quantile, in standard deviations of the
   noise, and not far from the usual. All bins together hold the public number of rows, so what they
   are off by goes back to them in equal parts: the noise of the rows below edge b has then the
   variance sd^2 n (1 - n / BINS), n = b + 1. */
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
