/* SPDX-License-Identifier: Apache-2.0 */
/* Rows spread evenly in a box: what has no groups at all. */
#include "synthetic/stand_in.h"

#include "synthetic/synthetic.h"

#include <math.h>

#define NUMBERS_MOST 2e6  /* rows times columns */
#define TOTAL_MOST 0x1p31 /* rows meant: what the lattice is made for */

/* Column j is uniform on [-s, s], s = sqrt(3 variance_j). */
tacit_status tac_stand_in_box(tacit_ctx *ctx, const tac_box *box, const char *unit,
                              tac_stand_in *out)
{
    tacit_status status = TACIT_OK;
    const double total = fmin(fmax(1, round(box->rows)), TOTAL_MOST),
                 most = fmax(1, fmin(box->most, floor(NUMBERS_MOST / box->dims)));
    const int64_t copies = (int64_t)ceil(total / most),
                  rows = (int64_t)fmax(1, round(total / (double)copies));
    const size_t dims = (size_t)box->dims;
    double *middle = NULL;
    tac_generator random;

    *out = (tac_stand_in){0};
    tac_seed_generator(&random, box->seed);
    TAC_TRY(tac_new(ctx, dims, sizeof *middle, &middle));
    TAC_TRY(tac_new(ctx, (size_t)rows * dims, sizeof *out->value, &out->value));
    for (size_t i = 0; i < (size_t)rows; i++)
        for (size_t j = 0; j < dims; j++)
            out->value[i * dims + j] = (2 * tac_uniform(&random) - 1) * sqrt(3 * box->variance[j]);
    TAC_TRY(tacit_data_from_memory(ctx, out->value, TACIT_F64, rows, box->dims, &out->data));
    TAC_TRY(tacit_data_set_ball(ctx, out->data, middle, box->radius));
    out->data->copies = copies;
    if (unit != NULL) {
        TAC_TRY(tac_new(ctx, (size_t)rows, sizeof *out->unit, &out->unit));
        /* a person of one row: what each may own is in the budget */
        for (int64_t i = 0; i < rows; i++) out->unit[i] = i;
        TAC_TRY(tacit_data_set_units(ctx, out->data, out->unit, unit));
    }
done:
    tac_free(middle);
    return status;
}
