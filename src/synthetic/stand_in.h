/* SPDX-License-Identifier: Apache-2.0 */
/* Rows made up from public numbers alone: what a plan asks in the place of somebody's. A fixed
   seed, so that the same plan has the same steps. */
#ifndef TAC_STAND_IN_H
#define TAC_STAND_IN_H

#include "data/dataset/dataset.h"

/* What is assumed of the rows. All of it is public: options of the run and a guess of the number of
   rows. */
typedef struct tac_assumed {
    double rows;             /* about so many, 1 or more */
    int32_t clusters;        /* 1 or more */
    int32_t directions;      /* above 0: clusters are flat, of so many dimensions */
    int32_t column_clusters; /* above 0: a table of counts with blocks */
    /* of a table: rows stand for themselves alone, because their number is public */
    bool entry;
    int32_t sparsity; /* of sparse rows: at most so many values, 0: unknown */
    /* rows fill a thousandth of the declared domain: a method then needs its longest walk */
    bool narrow;
} tac_assumed;

typedef struct tac_stand_in {
    tacit_data *data;
    double *value;
    int64_t *start, *unit;
    int32_t *column;
} tac_stand_in;

/* A few thousand rows at most, with the columns, domain and units of `like`, whose rows are not
   read. Clear also after a failure. */
tacit_status tac_stand_in_make(tacit_ctx *ctx, const tacit_data *like, const tac_assumed *assumed,
                               tac_stand_in *out);
void tac_stand_in_clear(tac_stand_in *rows);

/* A box without groups, from released numbers alone. */
typedef struct tac_box {
    int32_t dims;
    const double *variance; /* of each column */
    double radius;          /* of the declared ball about 0 */
    double rows;            /* about so many ... */
    double most;            /* ... of which so many are made, each counting for several */
    uint64_t seed;
} tac_box;
/* unit: what persons are called, of one row each; NULL: rows are nobody's. Clear also after a
   failure. */
tacit_status tac_stand_in_box(tacit_ctx *ctx, const tac_box *box, const char *unit,
                              tac_stand_in *out);

#endif
