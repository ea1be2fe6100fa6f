/* SPDX-License-Identifier: Apache-2.0 */
/* From the noisy numbers of tac_door_parts to what they stand for. Everything here is a function of
   released integers. */
#ifndef TAC_PARTS_RESULTS_H
#define TAC_PARTS_RESULTS_H

#include "privacy/door.h"

/* k x q x dims orthonormal vectors: of each subspace the canonical basis, and the subspaces in an
   order of their own. */
tacit_status tac_parts_ranges(tacit_ctx *ctx, const int64_t *answer, int32_t k, int32_t q,
                              int32_t dims, double *bases);
/* k points of the lattice's ball, in an order of their own. */
void tac_parts_points(const int64_t *answer, int32_t k, int32_t dims, double *points);

#endif
