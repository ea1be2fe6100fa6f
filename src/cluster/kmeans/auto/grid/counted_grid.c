/* SPDX-License-Identifier: Apache-2.0 */
/* Rows counted in the boxes of a grid: one query, whatever the number of boxes. In many columns the
   grid lies in a random projection, which keeps clusters apart as long as they are many widths
   apart. */
#include "cluster/kmeans/auto/grid/counted_grid.h"
#include "cluster/kmeans/spread_centers.h"

#include <math.h>

#define GRID_LEAST 3   /* dimensions, if there are so many columns */
#define BOX_ROWS 6.0   /* a box is worth having if it holds so many times the noise */
#define BOXES_EACH 2.0 /* for a center, at least */
#define BOXES_MOST 0x1p18
#define HALF 2.4 /* half the grid's side in standard deviations of an axis ... */
/* ... and how much more in few dimensions, where boxes are plenty, for what lies far off */
#define WIDER 0.7
#define FLAT 0.02     /* an axis has at least such a part of the mean variance */
#define FEW 3         /* dimensions in which a coarse grid comes first ... */
#define FIRST 0.2     /* ... for a part of the grid's share, ... */
#define COARSE 4      /* ... with boxes so many times as large */
#define NEEDED 3.0    /* boxes with rows for each cluster */
#define SPARSEST 0.02 /* no less of the grid is taken to hold rows */

/* With n rows and noise s, N = n / (6 s) boxes would be as many as noise allows if rows were spread
   evenly; they are not, and empty boxes do little harm, so there are N^(2 p / (2 + p)), the number
   that balances noise and the width of a box (Su et al. 2016). p as large as leaves three boxes
   along an axis. k clusters are not seen in fewer than k boxes, whatever the noise. */
void tac_grid_shape(tac_grid_rules *r, int32_t columns, double rows, double noise)
{
    const double n = fmax(2, rows / (BOX_ROWS * noise)), p = floor(2 * log(n) / log(3) - 2);

    r->dims = (int32_t)fmin(columns, fmin(TAC_GRID_DIMS, fmax(GRID_LEAST, p)));
    r->boxes = fmin(BOXES_MOST, fmax(BOXES_EACH * r->k, pow(n, 2.0 * r->dims / (2 + r->dims))));
}

/* One more part for the axis with the fewest, as long as the product stays within 1.2 boxes. */
void tac_grid_parts(double boxes, int32_t dims, int32_t *parts)
{
    double product = 1;

    for (int32_t j = 0; j < dims; j++) parts[j] = 1;
    for (;;) {
        int32_t least = 0;
        for (int32_t j = 1; j < dims; j++)
            if (parts[j] < parts[least]) least = j;
        product *= (parts[least] + 1.0) / parts[least];
        if (product > boxes * 1.2 || product > BOXES_MOST * 1.0001) return;
        parts[least]++;
    }
}

/* A random projection to `dims` columns from public randomness, or all columns if they are few. */
static tacit_status cast_projection(tac_walk *a, int32_t dims)
{
    tacit_status status = TACIT_OK;
    double *basis = NULL, *one = NULL;
    tac_frame frame = {0};

    a->view = TAC_ROWS;
    a->dims = a->columns;
    if (dims == a->columns) return TACIT_OK;
    TAC_TRY(tac_new(a->ctx, (size_t)a->columns * (size_t)dims, sizeof *basis, &basis));
    TAC_TRY(tac_new(a->ctx, (size_t)a->columns, sizeof *one, &one));
    tac_public_basis(a->job->random, a->columns, dims, one, basis);
    TAC_TRY(tac_frame_zoom(a->ctx, a->job->frame, a->middle, TAC_M / a->radius, dims, basis, NULL,
                           NULL, &frame));
    TAC_TRY(tac_run_set_frame(a->job->run, TAC_PROJECTED, &frame));
    a->view = TAC_PROJECTED;
    a->dims = dims;
done:
    tac_free(basis);
    tac_free(one);
    return status;
}

/* Half the side of the grid along each axis: HALF standard deviations, from a noisy mean square. */
static tacit_status ask_sides(tac_walk *a, uint64_t quanta, double *half)
{
    tacit_status status = TACIT_OK;
    const double wide = a->inner / a->radius * TAC_M,
                 most = HALF * (1 + WIDER * fmax(0, 6 - a->dims) / 4.0);
    tac_i128 *squares = NULL;
    int16_t *middle = NULL;

    TAC_TRY(tac_new(a->ctx, (size_t)a->dims, sizeof *squares, &squares));
    TAC_TRY(tac_new(a->ctx, (size_t)a->dims, sizeof *middle, &middle));
    TAC_TRY(tac_door_local(a->door, "width of every axis", quanta,
                           &(tac_cells){.kind = TAC_ONE_CELL, .view = a->view, .count = 1},
                           &(tac_local){.centers = middle, .radius = &wide},
                           &(tac_local_parts){.axes = true}, NULL, NULL, squares));
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

/* Counts rows in about so many boxes; half: of the sides. */
static tacit_status count_boxes(const tac_walk *a, uint64_t quanta, double boxes,
                                const double *half, tac_boxes *g)
{
    tacit_status status = TACIT_OK;
    int16_t low[TAC_GRID_DIMS];
    int32_t width[TAC_GRID_DIMS];
    int64_t *answer = NULL;

    g->count = 1;
    tac_grid_parts(boxes, a->dims, g->parts);
    for (int32_t j = 0; j < a->dims; j++) {
        width[j] = (int32_t)fmax(g->parts[j], ceil(2 * half[j]));
        low[j] = (int16_t)fmax(-TAC_M, -floor(width[j] / 2.0));
        g->half[j] = width[j] / 2.0;
        g->count *= g->parts[j];
    }
    tac_free(g->held);
    g->held = NULL;
    TAC_TRY(tac_new(a->ctx, (size_t)g->count, sizeof *answer, &answer));
    TAC_TRY(tac_new(a->ctx, (size_t)g->count, sizeof *g->held, &g->held));
    TAC_TRY(tac_door_histogram(a->door, "rows in the boxes of a grid", quanta,
                               &(tac_cells){.kind = TAC_GRID,
                                            .view = a->view,
                                            .count = g->count,
                                            .low = low,
                                            .width = width,
                                            .parts = g->parts},
                               answer));
    g->scale = ldexp(tac_last_sd(a->door) / sqrt(2), -TAC_COUNT_GRID);
    g->laplace = tac_door_distribution(a->door) == TAC_LAPLACE;
    for (int32_t i = 0; i < g->count; i++) g->held[i] = ldexp((double)answer[i], -TAC_COUNT_GRID);
done:
    tac_free(answer);
    return status;
}

/* How many boxes. More than the rules say where much of the grid is empty, which in few
   dimensions is worth a first, coarse count. The part that is not empty needs enough boxes to
   separate k clusters, but no more: boxes that cut up small clusters lose them. In many
   dimensions most boxes are empty anyway. */
static tacit_status ask_boxes(const tac_walk *a, const tac_grid_rules *r, uint64_t quanta,
                              const double *half, tac_boxes *g, double *boxes)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(count_boxes(a, quanta, fmax(2, r->boxes / COARSE), half, g));
    const double above = (double)tac_boxes_above(g, tac_boxes_threshold(g, 1)) / g->count;
    const double filled = fmin(1, fmax(above, SPARSEST));
    *boxes = fmax(r->boxes / sqrt(filled), fmin(r->boxes, NEEDED * r->k) / filled);
done:
    return status;
}

/* Queries: width of every axis, a coarse count in few dimensions, the count. */
tacit_status tac_grid_points(tac_walk *a, const tac_grid_rules *r, uint64_t quanta,
                             tac_cell_set *points)
{
    tacit_status status = TACIT_OK;
    const uint64_t all = tac_share(quanta, r->share),
                   first = r->dims <= FEW ? tac_share(all, FIRST) : 0;
    double half[TAC_GRID_DIMS], boxes = r->boxes;
    tac_boxes g = {.dims = r->dims};

    TAC_TRY(cast_projection(a, r->dims));
    TAC_TRY(ask_sides(a, tac_share(quanta, r->axes), half));
    if (first > 0) TAC_TRY(ask_boxes(a, r, first, half, &g, &boxes));
    TAC_TRY(count_boxes(a, all - first, boxes, half, &g));
    TAC_TRY(tac_boxes_points(a->ctx, &g, r->k, points));
done:
    tac_free(g.held);
    return status;
}
