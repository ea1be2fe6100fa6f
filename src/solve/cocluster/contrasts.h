/* SPDX-License-Identifier: Apache-2.0 */
/* Contrasts of a noisy table: by how much each column exceeds its share in each row cluster, less
   the noise, whose variance is known. Works on released numbers. */
#ifndef TAC_CONTRASTS_H
#define TAC_CONTRASTS_H

#include "core/core.h"

typedef struct tac_contrasts {
    int32_t k, m;
    double variance; /* of the noise on every number of the table */
    double *table;   /* k x m: the posterior means */
    double *turn;    /* k x k: orthonormal columns, the directions of the prior */
    double *gain; /* k x m: along turn_a the posterior variance of column j is gain_aj variance */
} tac_contrasts;

/* table: k x m, finite. Every column's contrasts are taken to be normal, with variance in
   proportion to the square of its sum: S, k x k, is estimated from all columns by moments
   (empirical Bayes; Efron & Morris). Without anything above the noise all contrasts are 0. */
tacit_status tac_contrasts_find(tacit_ctx *ctx, const double *table, int32_t k, int32_t m,
                                double variance, tac_contrasts *out);
void tac_contrasts_clear(tac_contrasts *c);

#endif
