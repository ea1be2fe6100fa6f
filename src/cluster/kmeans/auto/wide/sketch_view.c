/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of many columns in few coordinates: a CountSketch, its mean, its widest directions. */
#include "cluster/kmeans/auto/wide/auto_sketch.h"
#include "solve/linalg/eigen.h"

#include <math.h>

enum { SIZE = TAC_WIDE_SKETCH };
#define SMALLER 0.7 /* a reach below this part of the lattice is worth another look */
#define SLACK 1.1   /* a sketch keeps the length of a row up to about a tenth */

static const tac_cells all = {.kind = TAC_ONE_CELL, .view = TAC_PROJECTED, .count = 1};

/* Each column gets a bucket and a sign uniformly at random: public, made from no row. */
static tacit_status make_sketch(tac_wide *w)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)w->a.columns;

    TAC_TRY(tac_new(w->a.ctx, columns, sizeof *w->bucket, &w->bucket));
    TAC_TRY(tac_new(w->a.ctx, columns, sizeof *w->sign, &w->sign));
    for (size_t j = 0; j < columns; j++) {
        const uint64_t word = tac_word(w->a.job->random);
        w->bucket[j] = (int32_t)(word % SIZE);
        w->sign[j] = word >> 63 ? 1 : -1;
    }
    w->sketch = (tac_sketch){.size = SIZE, .bucket = w->bucket, .sign = w->sign};
done:
    return status;
}

/* The projection: the sketch about the middle, behind a basis of 12 or not. */
static tacit_status look(tac_wide *w, double zoom, const double *basis)
{
    tacit_status status = TACIT_OK;
    tac_frame frame = {0};

    TAC_TRY(tac_frame_sketch(w->a.ctx, w->a.job->frame, &w->sketch, w->a.middle, w->middle, zoom,
                             basis, w->directions, &frame));
    TAC_TRY(tac_run_set_frame(w->a.job->run, TAC_PROJECTED, &frame));
    w->projection_zoom = zoom;
    w->a.view = TAC_PROJECTED;
    w->a.dims = basis != NULL ? w->directions : SIZE;
done:
    return status;
}

/* How far sparse rows reach from the origin, in up to TAC_WIDE_LOOKS noisy histograms of
   sketched lengths. The lattices are filled with that ball. */
static tacit_status reach_sparse(tac_wide *w)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(w->a.door);
    const uint64_t quanta = tac_auto_quanta(&w->a, TAC_WIDE_REACH);
    const double sd = ldexp((double)tac_quote_histogram(&params, quanta), -TAC_COUNT_GRID),
                 unit = TAC_M;
    const bool fine = tac_lengths_fine(sd, w->a.rules.rows);
    const int16_t origin[SIZE] = {0};
    double *still = NULL;
    tac_frame frame = {0};
    tac_lengths h;

    w->zoom = 1;
    w->a.inner = w->a.radius = TAC_M;
    for (int i = 0; i < TAC_WIDE_LOOKS; i++) {
        TAC_TRY(look(w, w->zoom, NULL));
        tac_lengths_bins(&h, fine ? 0x1p-9 : 0x1p-4, 1, fine ? 3 : 2);
        TAC_TRY(tac_lengths_ask(w->a.door, "lengths of the rows", quanta, &all,
                                &(tac_local){.centers = origin, .radius = &unit}, &h));
        const double reach = SLACK * tac_lengths_quantile(&h, 0.99, w->a.rules.rows, 1.5);
        if (!(reach < SMALLER)) break; /* also when it is all noise */
        w->zoom /= reach;
    }
    if (w->zoom == 1) goto done;
    w->a.inner = w->a.radius = TAC_M / w->zoom;
    TAC_TRY(tac_new(w->a.ctx, (size_t)w->a.columns, sizeof *still, &still));
    TAC_TRY(tac_frame_zoom(w->a.ctx, w->a.job->frame, still, w->zoom, w->a.columns, NULL, NULL,
                           NULL, &frame));
    TAC_TRY(tac_run_set_frame(w->a.job->run, TAC_ROWS, &frame));
    TAC_TRY(look(w, w->zoom, NULL));
done:
    tac_free(still);
    return status;
}

tacit_status tac_wide_reach(tac_wide *w)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(make_sketch(w));
    if (w->sparse) return reach_sparse(w);
    TAC_TRY(tac_auto_zoom(&w->a));
    w->zoom = TAC_M / w->a.radius;
done:
    return status;
}

/* The mean of the sketched sparse rows, shrunk as far as noise explains it. *length: lattice
   units. */
static tacit_status find_mean(tac_wide *w, double *length)
{
    tacit_status status = TACIT_OK;
    int64_t sums[SIZE], count;
    double squares = 0;

    TAC_TRY(tac_new(w->a.ctx, SIZE, sizeof *w->middle, &w->middle));
    TAC_TRY(tac_door_sums(w->a.door, "mean of all rows, sketched",
                          tac_auto_quanta(&w->a, TAC_WIDE_MEAN), &all, TAC_PROJECTED, 1, sums,
                          &count));
    const double sd = tac_last_sd(w->a.door);
    for (int32_t i = 0; i < SIZE; i++) squares += (double)sums[i] * (double)sums[i];
    double kept = tac_shrink(squares, sd * sd, SIZE) / w->a.rules.rows;
    if (kept * sqrt(squares) > TAC_M) kept = TAC_M / sqrt(squares);
    *length = kept * sqrt(squares);
    for (int32_t i = 0; i < SIZE; i++) w->middle[i] = (double)sums[i] * kept / w->zoom;
done:
    return status;
}

/* The first eigenvectors of the sketch's noisy second moments about its middle. If they are all
   noise they are a random projection, which keeps distances too. */
static tacit_status find_directions(tac_wide *w)
{
    tacit_status status = TACIT_OK;
    tac_i128 *triangle = NULL;
    double *matrix = NULL, value[TAC_TREE_MOST], left = 0;

    TAC_TRY(tac_new(w->a.ctx, SIZE * (SIZE + 1) / 2, sizeof *triangle, &triangle));
    TAC_TRY(tac_new(w->a.ctx, SIZE * SIZE, sizeof *matrix, &matrix));
    TAC_TRY(tac_new(w->a.ctx, SIZE * (size_t)w->directions, sizeof *w->basis, &w->basis));
    TAC_TRY(tac_door_moments(w->a.door, "second moments, sketched",
                             tac_auto_quanta(&w->a, TAC_WIDE_SUBSPACE), &all, all.view, triangle));
    const tac_i128 *entry = triangle;
    for (int32_t i = 0; i < SIZE; i++) {
        left += (double)*entry / TAC_MOMENT_SAME;
        for (int32_t j = i; j < SIZE; j++)
            matrix[i * SIZE + j] = (double)*entry++ / (i == j ? TAC_MOMENT_SAME : TAC_MOMENT_CROSS);
    }
    TAC_TRY(tac_top_eigen(w->a.ctx, matrix, SIZE, w->directions, value, w->basis));
    for (int32_t i = 0; i < w->directions; i++) left -= value[i];
    w->a.residue = fmax(0, left) / w->a.rules.rows;
done:
    tac_free(triangle);
    tac_free(matrix);
    return status;
}

/* Mean and second moments of the sketch, then the projection onto its leading directions. */
tacit_status tac_wide_projection(tac_wide *w)
{
    tacit_status status = TACIT_OK;
    double zoom = w->zoom, length;
    const tac_privacy_params params = tac_door_params(w->a.door);

    w->directions = tac_wide_directions(&params, &w->a.rules);
    if (w->sparse) {
        TAC_TRY(find_mean(w, &length));
        /* Rows fill the ball about the origin; about the mean they reach sqrt(M^2 + |mean|^2) or
           so. */
        zoom *= TAC_M / sqrt((double)TAC_M * TAC_M + length * length);
    }
    TAC_TRY(look(w, zoom, NULL));
    TAC_TRY(find_directions(w));
    TAC_TRY(look(w, zoom, w->basis));
done:
    return status;
}

tacit_status tac_wide_open_sketch(tac_wide *w)
{
    return look(w, w->projection_zoom, NULL);
}
