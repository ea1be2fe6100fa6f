/* SPDX-License-Identifier: Apache-2.0 */
/* Varimax (Kaiser): turns factors so that each is large at few items. */
#ifndef TAC_VARIMAX_H
#define TAC_VARIMAX_H

#include "core/core.h"

/* Turns p factors by one orthogonal matrix to a local maximum of the sum over factors of the
   variance of their squared loadings. loadings: p x items, factor by factor, finite, overwritten;
   at most `sweeps` over all pairs. The same bits every time. */
void tac_varimax(double *loadings, int32_t p, int32_t items, int32_t sweeps);

/* Every factor gets the sign that makes the sum of its cubes positive, and length 1; a factor of
   zeros stays one. */
void tac_point_factors(double *loadings, int32_t p, int32_t items);

#endif
