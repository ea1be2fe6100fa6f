/* SPDX-License-Identifier: Apache-2.0 */
/* The projection: orthonormal directions from public randomness (Johnson & Lindenstrauss), and
   the scale in which the door sees the projected rows.
   Scale. The first frame fills the ball with rows of norm M. A projection onto p of d dimensions
   shortens a row by about sqrt(p / d), so zoom = sqrt(d / p) keeps lengths on average; the few
   rows that come out longer than M are clipped by the frame, so every sensitivity holds. With
   practical constants a noisy mean and a noisy quantile of distances, both in the projected
   space and paid for, give the middle and the zoom of a second look: generous bounds then cost
   no resolution. */
#include "cluster/kmeans/literature/balcan/balcan.h"
#include "cluster/kmeans/spread_centers.h"

#include <math.h>
#include <string.h>

/* The histogram of distances: edges from NEAREST to FARTHEST in equal ratios. */
#define BINS 24
#define FARTHEST 2.0 /* radii of the ball: nobody is farther from anybody */
#define NEAREST 0.01
#define QUANTILE 0.97
#define SLACK 1.1

static tacit_status look(tac_balcan *b, const double *shift, double zoom, const double *basis)
{
    tacit_status status = TACIT_OK;
    tac_frame frame = {0};

    TAC_TRY(tac_frame_zoom(b->job->ctx, b->job->frame, shift, zoom, b->dims, basis, NULL, NULL,
                           &frame));
    TAC_TRY(tac_run_set_frame(b->job->run, TAC_PROJECTED, &frame));
done:
    tac_frame_clear(&frame);
    return status;
}

/* The noisy mean of the projection, in its units. */
static tacit_status ask_middle(tac_balcan *b, int64_t *answer, double *middle)
{
    tacit_status status = TACIT_OK;
    const tac_cells all = {.kind = TAC_ONE_CELL, .view = TAC_PROJECTED, .count = 1};
    double squares = 0;

    TAC_TRY(tac_door_sums(b->job->door, "middle of the projected rows",
                          b->plan.middle / (uint64_t)b->plan.trials, &all, TAC_PROJECTED, 1, answer,
                          answer + b->dims));
    const double noise = b->dims * pow(tac_last_sd(b->job->door), 2);
    for (int32_t j = 0; j < b->dims; j++) squares += pow((double)answer[j], 2);
    /* what noise alone explains is not believed */
    const double kept = squares > noise ? 1 - noise / squares : 0;
    for (int32_t j = 0; j < b->dims; j++)
        middle[j] = fmin(TAC_M, fmax(-TAC_M, kept * (double)answer[j] / b->rows));
done:
    return status;
}

tacit_status tac_balcan_reach(tac_balcan *b, const char *what, uint64_t quanta,
                              const tac_cells *cells, const tac_local *local, double q,
                              double *reach)
{
    tacit_status status = TACIT_OK;
    double edge[BINS - 1], total = 0, sum = 0;
    int64_t answer[BINS];

    *reach = NAN;
    for (int i = 0; i < BINS - 1; i++)
        edge[i] = FARTHEST * pow(NEAREST / FARTHEST, (BINS - 2.0 - i) / (BINS - 2.0));
    TAC_TRY(tac_door_distances(b->job->door, what, quanta, cells, local, edge, BINS, answer));
    const double sd = tac_last_sd(b->job->door);
    /* bins of noise alone count for little */
    for (int i = 0; i < BINS; i++) total += fmax(0, (double)answer[i] - sd);
    if (total <= 4 * sd) return TACIT_OK;
    for (int i = 0; i < BINS - 1 && sum < q * total; i++) {
        sum += fmax(0, (double)answer[i] - sd);
        *reach = edge[i];
    }
done:
    return status;
}

/* A basis, a first look; with practical constants a noisy middle and radius, and a second look. */
tacit_status tac_balcan_project(tac_balcan *b)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = b->job->ctx;
    const int32_t columns = b->job->frame->columns;
    const size_t p = (size_t)b->plan.p;
    const tac_cells all = {.kind = TAC_ONE_CELL, .view = TAC_PROJECTED, .count = 1};
    const double ball = TAC_M;
    double *basis = NULL, *shift = NULL, *middle = NULL, reach;
    int64_t *answer = NULL;
    int16_t *rounded = NULL;

    b->dims = b->plan.p;
    TAC_TRY(tac_new(ctx, (size_t)columns, sizeof *shift, &shift));
    TAC_TRY(tac_new(ctx, p, sizeof *middle, &middle));
    TAC_TRY(tac_new(ctx, p + 1, sizeof *answer, &answer));
    TAC_TRY(tac_new(ctx, p, sizeof *rounded, &rounded));
    if (b->dims < columns) {
        TAC_TRY(tac_new(ctx, (size_t)columns * p, sizeof *basis, &basis));
        tac_public_basis(b->job->random, columns, b->dims, shift, basis);
        memset(shift, 0, (size_t)columns * sizeof *shift);
    }
    const double zoom = sqrt((double)columns / b->dims);
    TAC_TRY(look(b, shift, zoom, basis));
    if (b->plan.middle == 0) goto done;
    TAC_TRY(ask_middle(b, answer, middle));
    tac_round_points(middle, p, rounded);
    TAC_TRY(tac_balcan_reach(b, "distances of the projected rows",
                             b->plan.radius / (uint64_t)b->plan.trials, &all,
                             &(tac_local){.centers = rounded, .radius = &ball}, QUANTILE, &reach));
    tac_frame_lift(tac_run_frame(b->job->run, TAC_PROJECTED), middle, shift);
    TAC_TRY(look(b, shift, zoom / (isnan(reach) ? 1 : fmin(1, SLACK * reach)), basis));
done:
    tac_free(basis);
    tac_free(shift);
    tac_free(middle);
    tac_free(answer);
    tac_free(rounded);
    return status;
}
