/* SPDX-License-Identifier: Apache-2.0 */
/* Rows counted in the boxes of a grid: one question, whatever the number of boxes. In many columns the grid lies in a
   random projection, which keeps clusters apart as long as they are many widths apart. */
#include "cluster/kmeans/pure.h"
#include "cluster/kmeans/lloyd.h"

#include <math.h>

#define HALF 2.4         /* half the grid's side in standard deviations of an axis ... */
#define WIDER 0.7        /* ... and how much more in few dimensions, where boxes are plenty, for what lies far off */
#define FLAT 0.02        /* an axis has at least such a part of the mean variance */
#define FALSE_BOXES 0.15  /* times k: about so many boxes may stand out by noise alone */

/* Orthonormal random directions: columns x dims. */
static void draw_basis(tac_stream *random, int32_t columns, int32_t dims, double *one, double *basis)
{
    const size_t p = (size_t)dims;

    for (size_t i = 0; i < p; i++) {
        double squares = 0;
        while (!(squares > 1e-6)) { /* what is left of a direction after taking off the ones before */
            tac_public_direction(random, columns, one);
            for (size_t before = 0; before < i; before++) {
                double along = 0;
                for (int32_t j = 0; j < columns; j++) along += one[j] * basis[(size_t)j * p + before];
                for (int32_t j = 0; j < columns; j++) one[j] -= along * basis[(size_t)j * p + before];
            }
            squares = 0;
            for (int32_t j = 0; j < columns; j++) squares += one[j] * one[j];
        }
        for (int32_t j = 0; j < columns; j++) basis[(size_t)j * p + i] = one[j] / sqrt(squares);
    }
}

static tacit_status cast_shadow(tac_walk *a, int32_t dims)
{
    tacit_status status = TACIT_OK;
    double *basis = NULL, *one = NULL;
    tac_frame frame = {0};

    a->view = TAC_ROWS;
    a->dims = a->columns;
    if (dims == a->columns) return TACIT_OK;
    TAC_TRY(tac_new(a->ctx, (size_t)a->columns * (size_t)dims, sizeof *basis, &basis));
    TAC_TRY(tac_new(a->ctx, (size_t)a->columns, sizeof *one, &one));
    draw_basis(a->job->random, a->columns, dims, one, basis);
    TAC_TRY(tac_frame_zoom(a->ctx, a->job->frame, a->middle, TAC_M / a->radius, dims, basis, NULL, NULL, &frame));
    TAC_TRY(tac_run_look(a->job->run, TAC_SHADOW, &frame));
    a->view = TAC_SHADOW;
    a->dims = dims;
done:
    tac_free(basis);
    tac_free(one);
    return status;
}

/* Half the side of the grid along each axis, from the axis' mean square. */
static tacit_status ask_sides(tac_walk *a, uint64_t units, double *half)
{
    tacit_status status = TACIT_OK;
    const double wide = a->inner / a->radius * TAC_M, most = HALF * (1 + WIDER * fmax(0, 6 - a->dims) / 4.0);
    int64_t *squares = NULL;
    int16_t *middle = NULL;

    TAC_TRY(tac_new(a->ctx, (size_t)a->dims, sizeof *squares, &squares));
    TAC_TRY(tac_new(a->ctx, (size_t)a->dims, sizeof *middle, &middle));
    TAC_TRY(tac_door_local(a->door, "width of every axis", units,
                           &(tac_cells){.kind = TAC_ONE_CELL, .view = a->view, .count = 1},
                           &(tac_local){.centers = middle, .radius = &wide}, &(tac_local_parts){.axes = true},
                           NULL, NULL, squares));
    for (int32_t j = 0; j < a->dims; j++) {
        const double share = (double)squares[j] / TAC_M / TAC_M / a->rules.rows;
        const double sd = wide * sqrt(fmin(1, fmax(share, FLAT / a->columns)));
        half[j] = fmin(TAC_M, sd * fmin(most, fmax(HALF, wide / sd)));
    }
done:
    tac_free(squares);
    tac_free(middle);
    return status;
}

/* The smallest of the `keep` largest numbers, by counting how many are above a threshold: few steps, no copy. */
static double threshold_for(const int64_t *rows, int32_t count, int32_t keep, double least)
{
    double low = -0x1p62, high = 0x1p62;
    int32_t above = 0;

    for (int32_t i = 0; i < count; i++) above += (double)rows[i] > least;
    if (above >= keep) return least;
    for (int turn = 0; turn < 128 && high - low > 0.5; turn++) {
        const double mid = (low + high) / 2;
        above = 0;
        for (int32_t i = 0; i < count; i++) above += (double)rows[i] > mid;
        if (above >= keep) low = mid;
        else high = mid;
    }
    return low;
}

/* Boxes above the threshold become points: their middle, their rows, half the spread of an even box. */
static tacit_status collect(tac_walk *a, const int64_t *rows, int32_t count, double threshold,
                            const int32_t *parts, const double *half, tac_cell_set *out)
{
    tacit_status status = TACIT_OK;
    const size_t p = (size_t)a->dims;
    int32_t kept = 0;
    double spread = 0;

    for (int32_t i = 0; i < count; i++) kept += (double)rows[i] > threshold;
    TAC_TRY(tac_cell_set_new(a->ctx, kept > 0 ? kept : 1, a->dims, out));
    for (size_t j = 0; j < p; j++) spread += pow(2 * half[j] / parts[j], 2) / 24;
    for (int32_t i = 0; i < count; i++) {
        if (!((double)rows[i] > threshold)) continue;
        double *at = out->center + (size_t)out->count * p;
        int32_t rest = i;
        for (size_t j = p; j-- > 0;) { /* the first axis is the slowest */
            at[j] = -half[j] + (rest % parts[j] + 0.5) * 2 * half[j] / parts[j];
            rest /= parts[j];
        }
        out->reach[out->count] = sqrt(spread);
        out->weight[out->count] = fmax(ldexp((double)rows[i], -TAC_COUNT_GRID), 1e-3);
        out->spread[out->count++] = spread;
    }
    if (out->count == 0) { /* the middle of the zoom */
        out->weight[0] = 1;
        out->reach[0] = sqrt(spread);
        out->spread[0] = spread;
        out->count = 1;
    }
done:
    return status;
}

tacit_status tac_pure_grid(tac_walk *a, const tac_pure_rules *r, uint64_t units, tac_cell_set *boxes)
{
    tacit_status status = TACIT_OK;
    double half[8];
    int16_t low[8];
    int32_t width[8], parts[8], count = 1;
    int64_t *rows = NULL;

    TAC_TRY(cast_shadow(a, r->dims));
    TAC_TRY(ask_sides(a, tac_share(units, r->axes), half));
    tac_pure_parts(r->boxes, r->dims, parts);
    for (int32_t j = 0; j < r->dims; j++) {
        width[j] = (int32_t)fmax(parts[j], ceil(2 * half[j]));
        low[j] = (int16_t)fmax(-TAC_M, -floor(width[j] / 2.0));
        half[j] = width[j] / 2.0;
        count *= parts[j];
    }
    TAC_TRY(tac_new(a->ctx, (size_t)count, sizeof *rows, &rows));
    TAC_TRY(tac_door_histogram(a->door, "rows in the boxes of a grid", tac_share(units, r->grid),
                               &(tac_cells){.kind = TAC_GRID, .view = a->view, .count = count, .low = low,
                                            .width = width, .parts = parts}, rows));
    /* Laplace noise of scale s is above t s with probability exp(-t) / 2. */
    const double scale = tac_last_sd(a->door) / sqrt(2), even = count / (2 * FALSE_BOXES * r->k);
    const int32_t keep = r->k < count ? r->k : count;
    const double threshold = threshold_for(rows, count, keep, scale * fmax(1, log(fmax(even, 1))));
    TAC_TRY(collect(a, rows, count, threshold, parts, half, boxes));
    boxes->weight_sd = ldexp(tac_last_sd(a->door), -TAC_COUNT_GRID);
done:
    tac_free(rows);
    return status;
}
