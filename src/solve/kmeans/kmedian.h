/* SPDX-License-Identifier: Apache-2.0 */
/* Plain k-median on a weighted point set: k-means++ seeding by distance, Lloyd rounds with
   Weiszfeld steps. */
#ifndef TAC_KMEDIAN_H
#define TAC_KMEDIAN_H

#include "solve/kmeans/plain_kmeans.h"

/* As tac_solve_kmeans, for the weighted mean distance (not squared). opts.swaps as there. */
tacit_status tac_solve_kmedian(tacit_ctx *ctx, const double *points, const double *weight,
                               int64_t n, int32_t d, const tac_plain_kmeans *opts, double *centers,
                               double *cost, int32_t *label);

#endif
