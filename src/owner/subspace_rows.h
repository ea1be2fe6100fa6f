/* SPDX-License-Identifier: Apache-2.0 */
/* For the data owner, NOT private: all rows placed as subspace clustering places them, exactly, and
   the options that go with them. */
#ifndef TAC_SUBSPACE_ROWS_H
#define TAC_SUBSPACE_ROWS_H

#include "data/lattice/frame.h"

typedef struct tac_subspace_rows {
    tacit_subspace_opts opts; /* the caller's, checked */
    int64_t n;
    int32_t columns, dims; /* dims: one more if affine */
    int32_t q;             /* vectors in dims: one more than asked for if affine */
    /* placed length of 1: a column's declared range, or one original unit */
    double unit;
    /* n x dims: linear: the lattice point; affine: (y, M) / sqrt 2, y the lattice point */
    double *values;
} tac_subspace_rows;

/* Checks the options, loads the rows and places them. */
tacit_status tac_subspace_rows_open(tacit_ctx *ctx, tacit_data *data,
                                    const tacit_subspace_opts *opts, tac_subspace_rows *out);
void tac_subspace_rows_close(tac_subspace_rows *rows);

#endif
