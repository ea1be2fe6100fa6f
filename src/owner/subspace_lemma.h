/* SPDX-License-Identifier: Apache-2.0 */
/* The conditions of Lemma 3.5 (connectivity of TSC) of Wang, Wang & Singh 2015, for known
   clusters. */
#ifndef TAC_SUBSPACE_LEMMA_H
#define TAC_SUBSPACE_LEMMA_H

#include "core/core.h"

typedef struct tac_lemma {
    int32_t k, q, d;
    const double *sizes; /* k: rows of each cluster */
    double least_gap;    /* the least |sin Theta|_F^2 of two subspaces, 0 .. q */
    double sigma, gamma;
} tac_lemma;

/* Fills condition, conditions, connected and affinity. */
void tac_lemma_check(const tac_lemma *lemma, tacit_subspace_diagnosis *out);

#endif
