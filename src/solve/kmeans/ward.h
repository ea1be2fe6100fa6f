/* SPDX-License-Identifier: Apache-2.0 */
/* Ward's tree of weighted points: which two are joined, cheapest first. */
#ifndef TAC_WARD_H
#define TAC_WARD_H

#include "core/core.h"

typedef struct tac_join {
    int32_t into, from; /* numbers of points; `from` is gone afterwards */
} tac_join;

/* What joining two points adds to the cost: w v / (w + v) |x - y|^2. */
double tac_ward_price(const double *x, const double *y, double w, double v, int32_t d);

/* points: n x d, weight: n, above 0; both change. join: room for n - 1. Every join has the least
   price of all pairs at its time; equal prices go to the lowest number. Fewer than n - 1 joins only
   where distances overflow. Time ~ n^2 d. */
tacit_status tac_ward(tacit_ctx *ctx, double *points, double *weight, int32_t n, int32_t d,
                      tac_join *join, int32_t *joins);

#endif
