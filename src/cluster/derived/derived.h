/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from a release alone: another k, synthetic rows. Post-processing of released
   numbers, so it costs nothing. No door, no run, no row. */
#ifndef TAC_DERIVED_H
#define TAC_DERIVED_H

#include "cluster/geometry.h"
#include "cluster/kmeans/kmeans_run.h"

/* The cells of a release, raked: every cell goes with the nearest released center, which is better
   known than they are; the cells of a center are moved together until their mean (k-median: their
   median) is that center, and their weights scaled until they add up to its size. A release without
   cells has its centers in their place. Units of the first lattice. */
typedef struct tac_raked {
    const tacit_model *model;
    tac_frame frame; /* of the release's geometry */
    double unit;     /* lattice units of a length of 1 in the clustered geometry */
    int32_t dims, k; /* k: of the release */
    bool centers_only;
    int32_t cells;
    double *at;        /* cells x dims */
    double *weight;    /* cells, > 0 */
    double *noise;     /* cells: variance of the noise of a coordinate, before they were raked */
    double *spread;    /* cells: mean squared distance of the rows from it, as the release says */
    int32_t *group;    /* cells: the center it goes with */
    double *weight_sd; /* cells: noise of its weight, scaled like it */
    double *center, *center_sd; /* k x dims: as released; NaN: not known */
    double *mass;               /* k: weight of a center's cells together */
    double *within; /* cells x dims: variance of the rows of a cell; see tac_raked_within */
} tac_raked;

/* Refuses what cannot be cut or drawn from: other families, releases that were cut themselves,
   sizes that are not known, cells that lie nowhere near the declared domain. */
tacit_status tac_raked_open(tacit_ctx *ctx, const tacit_model *model, tac_raked *out);
void tac_raked_close(tac_raked *raked);

/* within_cells.c: fills `within`, so that a center's cells together vary as much as the release
   says its rows do: in each column its spread squared, less what its cells differ by; where the
   release has no spread, the spreads of the cells, scaled to the total. False: neither is known. */
tacit_status tac_raked_within(tacit_ctx *ctx, tac_raked *raked, bool *known);
/* k x dims: variance of the rows of a released cluster and the noise in it; NaN: not known. */
void tac_released_variances(const tac_raked *raked, double *variance, double *noise);

#endif
