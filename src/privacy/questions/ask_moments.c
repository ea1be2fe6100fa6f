/* SPDX-License-Identifier: Apache-2.0 */
/* Second moments by cell. Proof: moments.proof.md */
#include "data/cell_squares.h"
#include "data/sparse_squares.h"
#include "privacy/door_internal.h"

#include <string.h>

static void add_moments(const void *state, const tac_tile *tile, uint64_t *words)
{
    const int32_t k = *(const int32_t *)state;
    if (tile->rows == NULL)
        tac_sparse_squares(tile->start, tile->column, tile->value, tile->n, tile->dims, tile->cell, words);
    else
        tac_cell_squares(tile->rows, tile->n, tile->stride, tile->dims, tile->cell, k, tile->scratch, words);
}

/* Every entry times its weight, in place; modulo 2^64 like the sums. */
static void weigh(uint64_t *words, int32_t cells, int32_t dims)
{
    for (int32_t c = 0; c < cells; c++)
        for (int32_t i = 0; i < dims; i++)
            for (int32_t j = i; j < dims; j++) *words++ *= i == j ? TAC_MOMENT_SAME : TAC_MOMENT_CROSS;
}

/* answer_c = weighted upper triangle of sum of x x^T over cell c, + noise */
tacit_status tac_door_moments(tac_door *door, const char *what, uint64_t units, const tac_cells *cells, tac_view values,
                              int64_t *answer)
{
    tacit_status status = TACIT_OK;
    const tac_receipt *receipt;
    size_t words = 0;

    TAC_TRY(tac_cells_check_any(door, cells, values));
    const int32_t dims = door->lattice[values]->dims;
    const tac_sensitivity s = tac_sensitivity_of_moments(door, cells, values);
    TAC_TRY(tac_door_fits(door, cells->count, (size_t)dims * ((size_t)dims + 1) / 2));
    words = (size_t)cells->count * ((size_t)dims * ((size_t)dims + 1) / 2);
    const bool sparse = door->lattice[values]->start != NULL;
    const size_t scratch = sparse ? 0 : tac_cell_squares_scratch(tac_tile_rows(door->lattice[values]->stride), dims);
    TAC_TRY(tac_door_pay(door, "moments", what, &s, units, (int64_t)words, &receipt));
    TAC_TRY(tac_door_over_cells(door, cells, values, words, add_moments, &cells->count, scratch, (uint64_t *)answer));
    weigh((uint64_t *)answer, cells->count, dims);
    TAC_TRY(tac_door_release(door, receipt, (uint64_t *)answer, words));
done:
    if (status != TACIT_OK) memset(answer, 0, words * sizeof *answer); /* an exact sum must not stay behind */
    return status;
}
