/* SPDX-License-Identifier: Apache-2.0 */
/* Second moments by cell. Proof: moments.proof.md */
#include "privacy/door_internal.h"

#include <string.h>

typedef struct shape {
    int32_t dims, stride;
} shape;

static void add_moments(const void *state, const int16_t *rows, int64_t n, const int32_t *cell, uint64_t *words)
{
    const shape *s = state;
    const size_t triangle = (size_t)s->dims * ((size_t)s->dims + 1) / 2;

    for (int64_t i = 0; i < n; i++) {
        const int16_t *x = rows + i * s->stride;
        uint64_t *entry = words + (size_t)cell[i] * triangle;
        for (int32_t a = 0; a < s->dims; a++) {
            const int32_t xa = x[a];
            for (int32_t b = a; b < s->dims; b++) entry[b - a] += (uint64_t)(int64_t)(xa * x[b]);
            entry += s->dims - a;
        }
    }
}

/* answer_c = upper triangle of sum of x x^T over cell c, + noise */
tacit_status tac_door_moments(tac_door *door, const char *what, uint64_t units, const int16_t *centers, int32_t k,
                              int64_t *answer)
{
    tacit_status status = TACIT_OK;
    const shape rows = {.dims = door->lattice->dims, .stride = door->lattice->stride};
    const size_t words = (size_t)k * ((size_t)rows.dims * ((size_t)rows.dims + 1) / 2);
    const tac_sensitivity s = tac_sensitivity_moments(door->neighbours, door->rows_per_unit, rows.dims);
    const tac_receipt *receipt;

    TAC_TRY(tac_door_pay(door, "moments", what, &s, units, (int64_t)words, &receipt));
    TAC_TRY(tac_door_over_cells(door, centers, k, words, add_moments, &rows, (uint64_t *)answer));
    TAC_TRY(tac_door_release(door, receipt, (uint64_t *)answer, words));
done:
    if (status != TACIT_OK) memset(answer, 0, words * sizeof *answer); /* an exact sum must not stay behind */
    return status;
}
