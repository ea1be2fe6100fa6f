/* SPDX-License-Identifier: Apache-2.0 */
/* A start for budgets that are small for so many centers (delta > 0): one count in the boxes of a
   grid instead of a tree, whose every level takes its part of the budget. */
#include "cluster/kmeans/auto/grid/counted_grid.h"

#include <math.h>

#define AXES 0.02  /* of what the zoom leaves: the width of the axes ... */
#define COUNTS 0.4 /* ... and the counts; the rounds get the rest */
#define FLAT 0.3   /* no center starts with less than this part of the mean radius */

/* In fewer dimensions than columns a cell shows part of the spread: it is made wider in that
   proportion. */
tacit_status tac_auto_start_with_grid(tac_walk *a, tac_found *c, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(a->door);
    const uint64_t quanta = tac_walk_left(a); /* what the zoom has left */
    tac_grid_rules r = {.k = a->rules.k, .axes = AXES, .share = COUNTS};
    tac_cell_set boxes = {0};

    tac_show_progress(a->ctx, "finding clusters", 0);
    const uint64_t sigma = tac_quote_histogram(&params, tac_share(quanta, r.share));
    tac_grid_shape(&r, a->columns, a->rules.rows, ldexp((double)sigma, -TAC_COUNT_GRID) / sqrt(2));
    TAC_TRY(tac_grid_points(a, &r, quanta, &boxes));
    TAC_TRY(tac_auto_keep_cells(a, &boxes, out));
    const tac_synopsis_rules rules = {.restarts = tac_auto_synopsis_rules.restarts,
                                      .flat = FLAT,
                                      .wider = (double)a->columns / a->dims};
    TAC_TRY(tac_auto_synopsis(a, &boxes, r.k, &rules, c));
    a->view = TAC_ROWS; /* from here on in all columns */
    tac_show_progress(a->ctx, "finding clusters", 1);
done:
    tac_cell_set_clear(&boxes);
    return status;
}
