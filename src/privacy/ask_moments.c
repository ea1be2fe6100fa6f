/* SPDX-License-Identifier: Apache-2.0 */
/* Second moments by cell. Proof: moments.proof.md */
#include "data/cell_squares.h"
#include "privacy/door_internal.h"

#include <string.h>

static void add_moments(const void *state, const tac_tile *tile, uint64_t *words)
{
    const int32_t k = *(const int32_t *)state;
    tac_cell_squares(tile->rows, tile->n, tile->stride, tile->dims, tile->cell, k, tile->scratch, words);
}

/* answer_c = upper triangle of sum of x x^T over cell c, + noise */
tacit_status tac_door_moments(tac_door *door, const char *what, uint64_t units, const tac_cells *cells, int64_t *answer)
{
    tacit_status status = TACIT_OK;
    const tac_receipt *receipt;
    size_t words = 0;

    TAC_TRY(tac_cells_check(door, cells, cells->view));
    const int32_t dims = door->lattice[cells->view]->dims;
    const tac_sensitivity s = tac_sensitivity_moments(door->neighbours, door->rows_per_unit, dims);
    TAC_TRY(tac_door_fits(door, cells->count, (size_t)dims * ((size_t)dims + 1) / 2));
    words = (size_t)cells->count * ((size_t)dims * ((size_t)dims + 1) / 2);
    const size_t scratch = tac_cell_squares_scratch(tac_tile_rows(door->lattice[cells->view]->stride), dims);
    TAC_TRY(tac_door_pay(door, "moments", what, &s, units, (int64_t)words, &receipt));
    TAC_TRY(tac_door_over_cells(door, cells, cells->view, words, add_moments, &cells->count, scratch, (uint64_t *)answer));
    TAC_TRY(tac_door_release(door, receipt, (uint64_t *)answer, words));
done:
    if (status != TACIT_OK) memset(answer, 0, words * sizeof *answer); /* an exact sum must not stay behind */
    return status;
}
