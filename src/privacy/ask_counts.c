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

    TAC_TRY(tac_door_pay(door, "count", what, &s, units, 1, &receipt));
    word = (uint64_t)door->lattice->rows << TAC_COUNT_GRID;
    TAC_TRY(door->engine->reduce(door->engine, &word, 1));
    TAC_TRY(tac_door_release(door, receipt, &word, 1));
    *answer = (int64_t)word;
done:
    return status;
}

static void add_counts(const void *state, const int16_t *rows, int64_t n, const int32_t *cell, uint64_t *words)
{
    (void)state, (void)rows;
    for (int64_t i = 0; i < n; i++) words[cell[i]] += UINT64_C(1) << TAC_COUNT_GRID;
}

/* answer_c = 2^20 |{i : cell(x_i) = c}| + noise */
tacit_status tac_door_histogram(tac_door *door, const char *what, uint64_t units, const int16_t *centers, int32_t k,
                                int64_t *answer)
{
    tacit_status status = TACIT_OK;
    const tac_sensitivity s = tac_sensitivity_histogram(door->neighbours, door->rows_per_unit);
    const tac_receipt *receipt;
    uint64_t *words = (uint64_t *)answer; /* signed and unsigned of one type may alias */

    TAC_TRY(tac_door_pay(door, "histogram", what, &s, units, k, &receipt));
    TAC_TRY(tac_door_over_cells(door, centers, k, (size_t)k, add_counts, NULL, words));
    TAC_TRY(tac_door_release(door, receipt, words, (size_t)k));
done:
    if (status != TACIT_OK) memset(answer, 0, (size_t)k * sizeof *answer); /* an exact count must not stay behind */
    return status;
}
