/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and counts by cell, one joint question. Proof: sums.proof.md */
#include "privacy/door_internal.h"

#include <string.h>

typedef struct shape {
    int32_t k, dims, stride;
} shape;

/* words: k x dims sums, then k counts */
static void add_sums(const void *state, const int16_t *rows, int64_t n, const int32_t *cell, uint64_t *words)
{
    const shape *s = state;
    tac_cell_sums(rows, n, s->stride, s->dims, cell, s->k, words, words + (size_t)s->k * (size_t)s->dims);
}

/* answer_c = ( sum of x_i in cell c, w |cell c| ) + noise, k (d + 1) numbers under one sensitivity */
tacit_status tac_door_sums(tac_door *door, const char *what, uint64_t units, const int16_t *centers, int32_t k,
                           uint32_t count_weight, int64_t *sums, int64_t *counts)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = door->lattice->dims;
    const shape cells = {.k = k, .dims = dims, .stride = door->lattice->stride};
    const size_t numbers = (size_t)k * (size_t)dims, words = numbers + (size_t)k;
    const tac_sensitivity s = tac_sensitivity_sums(door->neighbours, door->rows_per_unit, dims, count_weight);
    const tac_receipt *receipt;
    uint64_t *answer = NULL;

    if (count_weight < 1 || count_weight > (1 << TAC_COUNT_GRID))
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "the weight of counts is out of range");
    TAC_TRY(tac_new(door->ctx, words, sizeof *answer, &answer));
    TAC_TRY(tac_door_pay(door, "sums", what, &s, units, (int64_t)words, &receipt));
    TAC_TRY(tac_door_over_cells(door, centers, k, words, add_sums, &cells, answer));
    for (size_t c = numbers; c < words; c++) answer[c] *= count_weight;
    TAC_TRY(tac_door_release(door, receipt, answer, words));
    memcpy(sums, answer, numbers * sizeof *answer);
    memcpy(counts, answer + numbers, (size_t)k * sizeof *answer);
done:
    tac_free(answer);
    return status;
}
