/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs of any program as numbers, and events that tell two samples of them apart. */
#ifndef TAC_AUDIT_EVENTS_H
#define TAC_AUDIT_EVENTS_H

#include "audit/bounds.h"

/* Columns of the table of features, one row an output; NAN: this output has no such number. */
enum {
    TAC_FEATURE_CODE,      /* exit code */
    TAC_FEATURE_LENGTH,    /* bytes */
    TAC_FEATURE_COUNT,     /* numbers in it */
    TAC_FEATURE_TEXT,      /* its text, as a hash: only equality means something */
    TAC_FEATURE_DIRECTION, /* a weighted sum of its numbers, with little shrinkage ... */
    TAC_FEATURE_SHRUNK,    /* ... and with much */
    TAC_FEATURE_SORTED,    /* the same of its numbers by size */
    TAC_FEATURE_SORTED_SHRUNK,
    TAC_FEATURE_NUMBERS /* from here on: its numbers */
};

/* Outputs 0 .. runs - 1 are of the first data set, the others of the second; of each the first half
   is for learning. */
typedef struct tac_features {
    int64_t runs;
    int32_t width;
    double *value; /* 2 runs x width */
} tac_features;

static inline double *tac_features_of(const tac_features *f, int side, int64_t i)
{
    return f->value + (size_t)(side * f->runs + i) * (size_t)f->width;
}

tacit_status tac_features_make(tacit_ctx *ctx, const tacit_audit_output *const output[2],
                               int64_t runs, tac_features *out);

/* Fisher's direction over `numbers` columns from `first` on, learnt on the first halves, put into
   column `into`. shrink: added to every variance, where each is 1. */
tacit_status tac_features_direction(tacit_ctx *ctx, tac_features *f, int32_t first, int32_t numbers,
                                    double shrink, int32_t into);

/* The event "column is value" or "column is value or more". */
typedef struct tac_event {
    int32_t column;
    bool equal;
    double value;
    int frequent; /* the side on which it is to be more frequent */
    double score; /* of the first halves */
} tac_event;

/* Learns `most` events on the first halves and finds on the others what they prove together; *best
   proved most. */
tacit_status tac_features_prove(tacit_ctx *ctx, const tac_features *f, int most, double alpha,
                                double delta, tac_proved *proved, tac_event *best);

#endif
