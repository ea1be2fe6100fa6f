/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the choice of k share. */
#ifndef TAC_CHOOSE_K_INTERNAL_H
#define TAC_CHOOSE_K_INTERNAL_H

#include "solve/kmeans/choose_k.h"

/* Cells that stand clear of their noise, in room of their own. */
typedef struct tac_k_clear {
    int32_t n, d;
    double *points, *weight, *spread;
    double *noise; /* n: variance of a coordinate of the point, times the weight squared */
} tac_k_clear;

/* join: weak cells join neighbors; otherwise they are only dropped. Free with tac_k_clear_free,
   also after a failure. */
tacit_status tac_k_clear_cells(tacit_ctx *ctx, const tac_k_cells *cells, bool join,
                               tac_k_clear *out);
void tac_k_clear_free(tac_k_clear *s);

#endif
