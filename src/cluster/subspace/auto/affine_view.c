/* SPDX-License-Identifier: Apache-2.0 */
/* What a view of the rows shows, and for affine subspaces the way there and back: rows are moved to
   their noisy mean, and the constant coordinate is as high as the rows are long. Higher, it would
   drown what tells subspaces that share a point apart; lower, it would not tell parallel ones
   apart. All numbers are public or paid for. */
#include "cluster/subspace/auto/auto_subspace.h"
#include "solve/linalg/eigen.h"
#include "solve/subspace/subspaces.h"

#include <math.h>
#include <string.h>

/* The view becomes P (y - middle, height) / reach, reach = sqrt(radius^2 + height^2). The constant
   c arrives as c - shift: shift = c - height. */
tacit_status tac_fourth_look(tac_fourth_walk *w, tac_view view, double radius, double height,
                             int32_t dims, const double *basis)
{
    tacit_status status = TACIT_OK;
    const int32_t columns = w->dims - (w->affine ? 1 : 0);
    tac_frame frame = {0};
    double *shift = NULL;

    TAC_TRY(tac_new(w->ctx, (size_t)w->dims, sizeof *shift, &shift));
    if (w->affine) {
        for (int32_t j = 0; j < columns; j++) shift[j] = TAC_M * w->middle[j];
        shift[columns] = w->job->frame->constant - TAC_M * height;
    }
    TAC_TRY(tac_frame_zoom(w->ctx, w->job->frame, shift, 1 / hypot(radius, height), dims, basis,
                           NULL, NULL, &frame));
    TAC_TRY(tac_run_set_frame(w->job->run, view, &frame));
done:
    tac_free(shift);
    return status;
}

/* The noisy mean, shrunk as far as noise explains it: rows about it are shorter than about the
   middle of the domain. */
tacit_status tac_fourth_center(tac_fourth_walk *w)
{
    tacit_status status = TACIT_OK;
    const int32_t columns = w->dims - 1;
    int64_t *sums = NULL, count;
    double squares = 0;

    TAC_TRY(tac_new(w->ctx, (size_t)w->dims, sizeof *sums, &sums));
    TAC_TRY(tac_door_sums(w->door, "mean of all rows", tac_share(w->budget, TAC_FOURTH_MEAN),
                          &(tac_cells){.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1},
                          TAC_ROWS, 1, sums, &count));
    const double sd = tac_last_sd(w->door);
    for (int32_t j = 0; j < columns; j++) squares += (double)sums[j] * (double)sums[j];
    const double kept = squares > 0 ? fmax(0, 1 - columns * sd * sd / squares) : 0;
    const double length = kept * sqrt(squares) / w->rules.rows / TAC_M,
                 pull = length > 1 ? 1 / length : 1;
    for (int32_t j = 0; j < columns; j++)
        w->middle[j] += kept * pull * (double)sums[j] / w->rules.rows / TAC_M * w->most;
done:
    tac_free(sums);
    return status;
}

/* One subspace from z = (y - middle, height) / reach back to the first lattice: (v, t) becomes
   reach (v + middle t / height, c t / height). squares: along the vectors, which are principal
   before and after: with T the map, V = T B = R Q, R triangular, those along Q are R^T diag R. */
static tacit_status carry_back(const tac_fourth_walk *w, double *vectors, double *squares,
                               double *old, double *room)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)w->dims, q = (size_t)w->q;
    const double reach = hypot(w->most, w->height);
    double *factor = room, *inside = factor + q * q, *turn = inside + q * q;

    for (size_t a = 0; a < q; a++) {
        double *v = vectors + a * d;
        const double up = v[d - 1] / w->height;
        for (size_t j = 0; j + 1 < d; j++) v[j] = reach * (v[j] + w->middle[j] * up);
        v[d - 1] = reach * up * w->job->frame->constant / TAC_M;
    }
    memcpy(old, vectors, q * d * sizeof *old);
    tac_orthonormalise(vectors, w->q, w->dims);
    for (size_t a = 0; a < q; a++)
        for (size_t b = 0; b < q; b++) {
            factor[a * q + b] = 0;
            for (size_t j = 0; j < d; j++) factor[a * q + b] += old[a * d + j] * vectors[b * d + j];
        }
    for (size_t a = 0; a < q; a++)
        for (size_t b = 0; b < q; b++) {
            inside[a * q + b] = 0;
            for (size_t i = 0; i < q; i++)
                inside[a * q + b] += factor[i * q + a] * squares[i] * factor[i * q + b];
        }
    TAC_TRY(tac_top_eigen(w->ctx, inside, w->q, w->q, squares, turn));
    memcpy(old, vectors, q * d * sizeof *old);
    memset(vectors, 0, q * d * sizeof *vectors);
    for (size_t a = 0; a < q; a++)
        for (size_t b = 0; b < q; b++)
            for (size_t j = 0; j < d; j++) vectors[a * d + j] += turn[b * q + a] * old[b * d + j];
done:
    return status;
}

tacit_status tac_fourth_carry_back(const tac_fourth_walk *w, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)w->dims, q = (size_t)w->q;
    double *room = NULL, *old = NULL;

    TAC_TRY(tac_new(w->ctx, 3 * q * q, sizeof *room, &room));
    TAC_TRY(tac_new(w->ctx, q * d, sizeof *old, &old));
    for (size_t l = 0; l < (size_t)w->k; l++)
        TAC_TRY(carry_back(w, out->bases + l * q * d, out->profile + l * q, old, room));
done:
    tac_free(room);
    tac_free(old);
    return status;
}
