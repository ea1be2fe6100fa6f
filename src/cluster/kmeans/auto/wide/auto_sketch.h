/* SPDX-License-Identifier: Apache-2.0 */
/* Method auto for rows of many columns, sparse or dense. The walk:

     count     how many rows there are
     reach     how far rows reach: from the origin (sparse: zeros stay zeros), or from their mean
               (dense: auto's zoom)
     view      rows are sketched to a few hundred coordinates (CountSketch: public, made from no
               row); of the sketch the directions in which rows differ most are asked for: the
               projection
     tree      cells in the projection, then plain k-means on them: k centers of the projection
               (free)
     sums      the rows themselves, in all their columns, added up by the cells of the projection;
               what noise alone explains is taken out, over all columns and cells together
     rounds    once more with the cells of these centers, seen in the sketch (sparse); relative
               refinement (dense)

   Noise in all columns is paid once or a few times and denoised together: the error follows the
   columns that a center really has, not their number. That is the use of Balcan et al. 2017,
   section 6.1, without its exponential mechanism. */
#ifndef TAC_AUTO_SKETCH_H
#define TAC_AUTO_SKETCH_H

#include "cluster/kmeans/auto/auto_kmeans.h"

/* Weights, sizes and shares of the budget. */
enum {
    TAC_WIDE_SKETCH = 256, /* coordinates of the sketch: 64 lose, 512 gain nothing */
    TAC_WIDE_LOOKS = 3,    /* at most, for how far sparse rows reach */
    /* weight of counts beside sums: a tenth of that query's budget */
    TAC_WIDE_COUNTS = TAC_M / 3
};
#define TAC_WIDE_REACH 0.02 /* each look */
#define TAC_WIDE_MEAN 0.03  /* the sketch's mean, sparse rows */
#define TAC_WIDE_SUBSPACE 0.10

/* The rules of auto, and what differs. k: asked for. */
tac_auto_rules tac_wide_rules(const tac_privacy_params *params, uint64_t budget, int32_t k,
                              int32_t columns, bool sparse, double rows,
                              const tacit_kmeans_opts *opts);
/* Directions of the projection. */
int32_t tac_wide_directions(const tac_privacy_params *params, const tac_auto_rules *rules);
/* Round t of the sums of sparse rows gets such a part of what is left; the last all. Dense rows
   have one. */
double tac_wide_round(int32_t rounds, int32_t t);

typedef struct tac_wide {
    tac_walk a; /* what auto's own steps need */
    bool sparse;
    tac_sketch sketch;
    int32_t *bucket; /* columns: storage of the sketch */
    double *sign;
    double zoom;    /* of the rows' lattice, about the origin (sparse) or a.middle (dense) */
    double *middle; /* sparse: the sketch's mean, units of the first lattice; NULL: 0 */
    double projection_zoom;
    int32_t directions;
    double *basis; /* sketch.size x directions */
} tac_wide;

/* sketch_view.c: the rows' lattice filled, then the projection ready for the tree. */
tacit_status tac_wide_reach(tac_wide *w);
tacit_status tac_wide_projection(tac_wide *w);
/* The projection becomes the sketch itself, as wide as it is. */
tacit_status tac_wide_open_sketch(tac_wide *w);

/* sketch_sums.c: rows by the nearest of found->k points of the projection (NULL: one cell).
   found->at becomes denoised means, sd the noise left in them, both in lattice units of the rows;
   count the noisy rows. */
tacit_status tac_wide_sums(tac_wide *w, const int16_t *points, uint64_t quanta, tac_found *found);

#endif
