/* SPDX-License-Identifier: Apache-2.0 */
/* Rows made up from public numbers alone: what a plan asks in the place of somebody's. A fixed
   seed, so that the same plan has the same steps and the same trials. */
#ifndef TAC_STAND_IN_H
#define TAC_STAND_IN_H

#include "data/dataset/dataset.h"

/* How rows are made up. Steps of a plan and refusals come from the first; the others are what a
   plan is tried on. */
typedef enum tac_pattern {
    TAC_PATTERN_STEPS,
    TAC_PATTERN_SEPARATED,
    TAC_PATTERN_OVERLAPPING,
    TAC_PATTERN_UNSTRUCTURED
} tac_pattern;

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
    tac_pattern pattern;
    uint64_t seed; /* of a pattern to be tried: other rows of the same kind */
} tac_assumed;

typedef struct tac_stand_in {
    tacit_data *data;
    double *value;
    int64_t *start, *unit;
    int32_t *column;
    int64_t rows;
    int32_t *group; /* of each row, of a pattern to be tried: the group it was made for */
} tac_stand_in;

/* A few thousand rows, with the columns, domain and units of `like`, whose rows are not
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
/* stand_in_counts.c: a table of counts, of any pattern; out->group has room. */
tacit_status tac_make_counts(tacit_ctx *ctx, const tac_assumed *assumed, int64_t rows, int32_t dims,
                             tac_stand_in *out);
/* stand_in_groups.c: dense rows of a pattern to be tried, coordinates as parts of what the domain
   allows: -1 .. 1 of each half range, or of the radius. Round groups for centers, flat ones for
   subspaces (directions > 0). value: rows x dims; group: rows. */
tacit_status tac_make_groups(tacit_ctx *ctx, const tac_assumed *assumed, bool ball, int64_t rows,
                             int32_t dims, double *value, int32_t *group);

#endif
