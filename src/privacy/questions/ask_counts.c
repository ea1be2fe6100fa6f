/* SPDX-License-Identifier: Apache-2.0 */
/* How many rows, in all or by cell. Proof: counts.proof.md */
#include "privacy/door_internal.h"

#include <string.h>

/* answer = 2^20 n + noise */
tacit_status tac_door_count(tac_door *door, const char *what, uint64_t units, int64_t *answer)
{
    tacit_status status = TACIT_OK;
    const tac_sensitivity s = tac_sensitivity_count(door->neighbours, door->rows_per_unit);
    const tac_receipt *receipt;
    uint64_t word;

    if (door->lattice[TAC_ROWS]->dims < 1)
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "rows were to be counted that were never placed");
    TAC_TRY(tac_door_pay(door, "count", what, &s, units, 1, &receipt));
    word = (uint64_t)door->lattice[TAC_ROWS]->rows << TAC_COUNT_GRID;
    TAC_TRY(door->engine->reduce(door->engine, &word, 1));
    TAC_TRY(tac_door_release(door, receipt, &word, 1));
    *answer = (int64_t)word;
done:
    return status;
}

static void add_counts(const void *state, const tac_tile *tile, uint64_t *words)
{
    (void)state;
    for (int64_t i = 0; i < tile->n; i++) words[tile->cell[i]] += UINT64_C(1) << TAC_COUNT_GRID;
}

/* answer_c = 2^20 |{i : cell(x_i) = c}| + noise */
tacit_status tac_door_histogram(tac_door *door, const char *what, uint64_t units, const tac_cells *cells, int64_t *answer)
{
    const tacit_status status = tac_cells_check_any(door, cells, cells->view); /* count is not a size before this */
    if (status != TACIT_OK) return status;
    return tac_door_bins(door, what, units, cells, (size_t)cells->count, add_counts, NULL, 0, answer);
}

/* Every kind of histogram: a row adds 2^20 to one of `bins` words, which one being a public function of the row. */
tacit_status tac_door_bins(tac_door *door, const char *what, uint64_t units, const tac_cells *cells, size_t bins,
                           tac_cell_fn add, const void *state, size_t scratch_bytes, int64_t *answer)
{
    tacit_status status = TACIT_OK;
    const tac_sensitivity s = tac_sensitivity_histogram(door->neighbours, door->rows_per_unit);
    const tac_receipt *receipt;
    uint64_t *words = (uint64_t *)answer; /* signed and unsigned of one type may alias */

    TAC_TRY(tac_cells_check_any(door, cells, cells->view)); /* callers that look at the rows have refused sparse ones */
    TAC_TRY(tac_door_pay(door, "histogram", what, &s, units, (int64_t)bins, &receipt));
    TAC_TRY(tac_door_over_cells(door, cells, cells->view, bins, add, state, scratch_bytes, words));
    TAC_TRY(tac_door_release(door, receipt, words, bins));
done:
    if (status != TACIT_OK) memset(answer, 0, bins * sizeof *answer); /* an exact count must not stay behind */
    return status;
}
