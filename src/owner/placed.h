/* SPDX-License-Identifier: Apache-2.0 */
/* For the data owner, NOT private: rows placed in a model's geometry, exactly. No private method includes this. */
#ifndef TAC_PLACED_H
#define TAC_PLACED_H

#include "data/frame.h"
#include "engine/engine.h"
#include "release/model.h"

typedef struct tac_placed {
    tacit_ctx *ctx;
    const tacit_data *data;
    tac_engine engine;
    tac_frame frame;       /* of the model */
    int32_t *from;         /* model column j is data column from[j] */
    double *centers;       /* k x dims: the model's, placed too */
    int32_t k, dims;
    double unit;           /* placed length of 1: a column's declared range, or one original unit */
    int64_t rows, rows_per_block, blocks;
    double **scratch;      /* one per lane */
} tac_placed;

/* Loads the rows. Refuses data that lacks a column of the model. */
tacit_status tac_placed_open(tacit_ctx *ctx, const tacit_model *model, tacit_data *data, tac_placed *out);
void tac_placed_close(tac_placed *placed);

/* Rows of one block, count x dims, valid until the lane's next call. *inside (if wanted): rows within the domain. */
tacit_status tac_placed_block(const tac_placed *placed, int64_t block, int lane, const double **rows, int64_t *first,
                              int64_t *count, int64_t *inside);
/* The nearest of the model's centres and the squared distance to it; ties to the lowest index. */
int32_t tac_placed_nearest(const tac_placed *placed, const double *row, double *squared);

#endif
