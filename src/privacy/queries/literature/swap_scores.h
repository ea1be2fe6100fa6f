/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of all swaps of one center for one candidate, in one pass over the rows. Integers; the same
   bits on every path. */
#ifndef TAC_SWAP_SCORES_H
#define TAC_SWAP_SCORES_H

#include "core/core.h"
#include "privacy/queries/literature/median_cost.h"

/* Candidates laid out for the kernels, 64 to a panel; the last panel is filled up with zeros. */
typedef struct tac_swap_points {
    int32_t m, panels, pairs;
    int16_t *packed; /* panel, pair of coordinates, candidate, the two coordinates */
    uint32_t *norm2; /* |y|^2 */
} tac_swap_points;
enum { TAC_SWAP_PANEL = 64 };

/* points: m x dims, each |y|_2 <= TAC_M. */
tacit_status tac_swap_points_open(tacit_ctx *ctx, const int16_t *points, int32_t m, int32_t dims,
                                  tac_swap_points *out);
void tac_swap_points_close(tac_swap_points *points);

/* Rows whose nearest center is the same: negated coordinates (pairs x 2 each), |x|^2 and the costs
   of their nearest and second nearest center. At most 65536 rows. */
typedef struct tac_swap_rows {
    const int16_t *minus;
    const uint32_t *norm2, *near, *next;
    int64_t n;
} tac_swap_rows;

/* For the 64 candidates y of a panel: stay[y] += sum_i min(near_i, cost(x_i, y)), leave[y] += sum_i
   min(next_i, cost(x_i, y)). cost is tac_distance(|x - y|^2) for k-median, |x - y|^2 >> 16
   otherwise. */
void tac_swap_panel(const tac_swap_points *points, int32_t panel, const tac_swap_rows *rows,
                    bool median, uint64_t *stay, uint64_t *leave);

#endif
