/* SPDX-License-Identifier: Apache-2.0 */
/* For the data owner, NOT private: rows placed in a model's geometry, exactly. No private method
   includes this. */
#ifndef TAC_OWNER_ROWS_H
#define TAC_OWNER_ROWS_H

#include "data/lattice/frame.h"
#include "engine/engine.h"
#include "release/model.h"
#include "solve/kmeans/kmeans_sparse.h"

typedef struct tac_owner_rows {
    tacit_ctx *ctx;
    const tacit_data *data;
    tac_engine engine;
    tac_frame frame;     /* of the model */
    int32_t *from;       /* model column j is data column from[j] */
    double *centers;     /* k x dims: the model's, placed too; subspaces: a point of each */
    const double *bases; /* k x dims x q: the model's subspaces; NULL: another family */
    int32_t k, dims, q;
    bool *drops; /* of each column: rows that lack it took no part, and it stays NaN */
    double unit; /* placed length of 1: a column's declared range, or one original unit */
    int64_t rows, rows_per_block, blocks;
    double **scratch; /* one per worker */

    /* rows stay sparse: their entries are placed, and nothing as long as a row */
    bool sparse;
    int32_t *to;       /* data column i is model column to[i], or -1 */
    tac_across across; /* the centers again, and centers is NULL */
    tac_nonzeros *raw; /* one per worker */
} tac_owner_rows;

/* Loads the rows. Refuses data that lacks a column of the model. */
tacit_status tac_owner_rows_open(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                                 tac_owner_rows *out);
void tac_owner_rows_close(tac_owner_rows *placed);

/* Rows of one block, placed; valid until the worker's next call. */
typedef struct tac_owner_rows_count {
    int64_t first, count;
    int64_t inside;       /* rows within the domain */
    const double *values; /* count x dims; NULL: sparse */
    tac_nonzeros *sparse; /* the worker's; columns of the model, not in order */
} tac_owner_rows_count;
tacit_status tac_owner_rows_block(const tac_owner_rows *placed, int64_t block, int worker,
                                  tac_owner_rows_count *out);
/* The nearest of the model's centers (subspaces) to row i of a block and the squared distance to
   it; ties to the lowest index. -1: the row lacks every value. */
int32_t tac_owner_rows_nearest(const tac_owner_rows *placed, const tac_owner_rows_count *rows,
                               int64_t i, int worker, double *squared);
/* The squared distances of row i to all k of them. */
void tac_owner_rows_distances(const tac_owner_rows *placed, const tac_owner_rows_count *rows,
                              int64_t i, int worker, double *squared);

/* owner_rows_sparse.c: the parts of the above for rows that stay sparse. */
tacit_status tac_owner_rows_open_sparse(tac_owner_rows *placed);
tacit_status tac_owner_rows_block_sparse(const tac_owner_rows *placed, int worker,
                                         tac_owner_rows_count *out);

#endif
