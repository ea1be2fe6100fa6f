/* SPDX-License-Identifier: Apache-2.0 */
/* How long the rows are: a noisy histogram of the sums of weight^2 log2(1 + count), a little below their squared lengths. A dense frame
   of one coordinate holds them, so no lattice of all columns is built for it. */
#include "cluster/cocluster/gram/gram.h"

#include <math.h>

enum { BINS = 32 };
#define LONGEST 4096.0 /* squared: lengths from 1 to 64 are told apart */
#define QUANTILE 0.7

/* The lower edge of the bin that holds the quantile: a floor a little too low costs less than one too high. */
static double read_floor(const double *held, const double *edge)
{
    double all = 0, below = 0;

    for (int b = 0; b < BINS; b++) all += fmax(held[b], 0);
    for (int b = 0; b < BINS; b++) {
        below += fmax(held[b], 0);
        if (below >= QUANTILE * all) return b > 1 ? sqrt(edge[b - 1] * LONGEST) : 1;
    }
    return 1;
}

tacit_status tac_gram_floor(tac_gram_walk *w, const char *what, const double *weight, double *floor)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)w->job->columns;
    const double radius = TAC_M;
    const int16_t zero = 0;
    double edge[BINS], held[BINS];
    int64_t answer[BINS];
    uint32_t *square = NULL;
    int32_t *one = NULL;
    tac_frame frame = {0};

    TAC_TRY(tac_new(w->ctx, columns, sizeof *square, &square));
    TAC_TRY(tac_new(w->ctx, columns, sizeof *one, &one));
    if (weight == NULL) for (size_t j = 0; j < columns; j++) square[j] = 65536;
    else for (int32_t g = 0; g < w->kept; g++) square[w->column[g]] = (uint32_t)fmax(1, rint(65536 * weight[g] * weight[g]));
    const tac_weighing sum = {.value = TAC_LOGARITHM, .weight = square, .group = one, .dims = 1, .least = (uint32_t)LONGEST << 16,
                              .dense = true};
    TAC_TRY(tac_frame_weigh(w->ctx, w->job->columns, &sum, &frame));
    TAC_TRY(tac_run_look(w->job->run, TAC_SHADOW, &frame));
    for (int b = 0; b < BINS; b++) edge[b] = pow(LONGEST, b / (BINS - 1.0)) / LONGEST;
    TAC_TRY(tac_door_distances(w->door, what, tac_share(w->budget, TAC_GRAM_LENGTHS),
                               &(tac_cells){.kind = TAC_ONE_CELL, .view = TAC_SHADOW, .count = 1},
                               &(tac_local){.centers = &zero, .radius = &radius}, edge, BINS, answer));
    for (int b = 0; b < BINS; b++) held[b] = (double)answer[b];
    *floor = read_floor(held, edge);
done:
    tac_free(square);
    tac_free(one);
    return status;
}
