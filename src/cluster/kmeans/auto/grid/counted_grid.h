/* SPDX-License-Identifier: Apache-2.0 */
/* Rows counted in the boxes of a grid. A histogram costs the same however many bins it has, so one
   query shows where many clusters lie, where the tree would need a query for every halving. Auto
   begins with it when delta is 0, and when k is large for the budget. */
#ifndef TAC_COUNTED_GRID_H
#define TAC_COUNTED_GRID_H

#include "cluster/kmeans/auto/auto_kmeans.h"

enum { TAC_GRID_DIMS = 8 }; /* of the grid, at most */

typedef struct tac_grid_rules {
    int32_t k;          /* centers that are looked for */
    double axes, share; /* of what is there: the width of the axes, the counts */
    int32_t dims;
    double boxes; /* about */
} tac_grid_rules;

/* Fills dims and boxes, for so many columns and rows; noise: of a count, as the scale of Laplace
   noise with the same standard deviation. */
void tac_grid_shape(tac_grid_rules *rules, int32_t columns, double rows, double noise);
/* Boxes along each axis, at most so many in all: as even as can be. */
void tac_grid_parts(double boxes, int32_t dims, int32_t *parts);
/* Boxes that stand out of the noise, as points of the walk's view. Fills the walk's view and
   dims. quanta: what the shares are of. */
tacit_status tac_grid_points(tac_walk *a, const tac_grid_rules *rules, uint64_t quanta,
                             tac_cell_set *points);

/* Noisy counts in the boxes of a grid about the middle of a view. */
typedef struct tac_boxes {
    int32_t dims, count;
    int32_t parts[TAC_GRID_DIMS];
    double half[TAC_GRID_DIMS]; /* of the sides */
    double *held;               /* count noisy numbers of rows */
    double scale;               /* of their noise, as the scale of Laplace noise */
    bool laplace;
} tac_boxes;
int32_t tac_boxes_above(const tac_boxes *boxes, double threshold);
/* What about so many boxes exceed by noise alone. */
double tac_boxes_threshold(const tac_boxes *boxes, double wrong);
/* Boxes, and blocks of boxes, that stand out of the noise; at least k of them if there are as many
   boxes. Uses up the counts. */
tacit_status tac_boxes_points(tacit_ctx *ctx, tac_boxes *boxes, int32_t k, tac_cell_set *out);

/* grid_start.c: k centers for refine_centers.c, from the grid alone. */
tacit_status tac_auto_start_with_grid(tac_walk *a, tac_found *c, tac_kmeans_result *out);

#endif
