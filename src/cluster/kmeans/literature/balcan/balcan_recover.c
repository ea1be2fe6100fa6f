/* SPDX-License-Identifier: Apache-2.0 */
/* From centers of the projected rows to centers of the rows: noisy means (Algorithm 4), then Lloyd
   rounds of the same kind.

   The first round's cells are those of the centers in the projection, its sums are of the rows
   themselves; later rounds have cells of their own centers. The rounds are those of method lloyd: a
   move that noise alone would explain is not made, and centers that serve nobody are put where they
   are needed. The printed Algorithm 4 ends with the first. */
#include "cluster/kmeans/literature/balcan/balcan.h"
#include "cluster/kmeans/literature/lloyd/lloyd.h"

tacit_status tac_balcan_recover(tac_balcan *b, uint64_t quanta, tac_kmeans_result *out)
{
    const tac_cells one = {.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1};
    const tac_cells projection = {
        .kind = TAC_NEAREST, .view = TAC_PROJECTED, .count = b->plan.k, .centers = b->centers};
    const tac_lloyd_start start = {.schedule = {.k = b->plan.k,
                                                .rounds = b->plan.rounds,
                                                .count_weight = b->plan.count_weight,
                                                .left = quanta},
                                   .rows = b->rows,
                                   .rows_sd = b->rows_sd,
                                   .cells = b->plan.k > 1 ? &projection : &one};

    return tac_lloyd_rounds(b->job, &start, out);
}
