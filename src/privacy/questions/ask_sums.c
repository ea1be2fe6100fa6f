/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and counts by cell, one joint question. Proof: sums.proof.md */
#include "privacy/door_internal.h"

#include <string.h>

/* words: count x dims sums, then count counts */
static void add_sums(const void *state, const tac_tile *tile, uint64_t *words)
{
    const int32_t k = *(const int32_t *)state;
    if (tile->rows == NULL)
        tac_cell_sums_sparse(tile->start, tile->column, tile->value, tile->n, tile->dims, tile->cell, k, words,
                             words + (size_t)k * (size_t)tile->dims);
    else
        tac_cell_sums(tile->rows, tile->n, tile->stride, tile->dims, tile->cell, k, words,
                      words + (size_t)k * (size_t)tile->dims);
}

/* answer_c = ( sum of x_i in cell c, w |cell c| ) + noise, count (d + 1) numbers under one sensitivity */
tacit_status tac_door_sums(tac_door *door, const char *what, uint64_t units, const tac_cells *cells, tac_view values,
                           uint32_t count_weight, int64_t *sums, int64_t *counts)
{
    tacit_status status = TACIT_OK;
    const tac_receipt *receipt;
    uint64_t *answer = NULL;

    if (count_weight < 1 || count_weight > (1 << TAC_COUNT_GRID))
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "the weight of counts is out of range");
    TAC_TRY(tac_cells_check_any(door, cells, values));
    const int32_t dims = door->lattice[values]->dims;
    const size_t k = (size_t)cells->count, numbers = k * (size_t)dims, words = numbers + k;
    const tac_sensitivity s = tac_sensitivity_of_sums(door, cells, values, count_weight);
    TAC_TRY(tac_new(door->ctx, words, sizeof *answer, &answer));
    TAC_TRY(tac_door_pay(door, "sums", what, &s, units, (int64_t)words, &receipt));
    TAC_TRY(tac_door_over_cells(door, cells, values, words, add_sums, &cells->count, 0, answer));
    for (size_t c = numbers; c < words; c++) answer[c] *= count_weight;
    TAC_TRY(tac_door_release(door, receipt, answer, words));
    memcpy(sums, answer, numbers * sizeof *answer);
    memcpy(counts, answer + numbers, k * sizeof *answer);
done:
    tac_free(answer);
    return status;
}
