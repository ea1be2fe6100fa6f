/* SPDX-License-Identifier: Apache-2.0 */
/* What plain subspace clustering of the same rows costs, for comparison. */
#ifndef TAC_PLAIN_SUBSPACES_H
#define TAC_PLAIN_SUBSPACES_H

#include "core/core.h"

/* Mean squared distance of n x d rows to the nearest of k subspaces of dimension q. k = 1: the
   principal components of all rows; otherwise plain k-plane, the best of `restarts`; if affine its
   clusters, each with its own mean and principal components. */
tacit_status tac_plain_subspace_cost(tacit_ctx *ctx, const double *values, int64_t n, int32_t d,
                                     int32_t k, int32_t q, bool affine, int32_t restarts,
                                     double *cost);

#endif
