/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs of any program as a table of features, and events that tell two samples of them apart.
   For programs without a door: nothing is known of them but what they print. */
#ifndef TAC_EVENTS_H
#define TAC_EVENTS_H

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

/* Rows 0 .. runs - 1 are outputs on the first data set, the others on the second. The first half
   of each is for learning, the second for the proof. */
typedef struct tac_event_features {
    int64_t runs;
    int32_t width;
    double *value; /* 2 runs x width */
} tac_event_features;

/* The features of output i of a side. */
static inline double *tac_features_of(const tac_event_features *f, int side, int64_t i)
{
    return f->value + (size_t)(side * f->runs + i) * (size_t)f->width;
}

/* Reads exit codes, lengths, texts and numbers of `runs` outputs a side. The caller frees
   out->value. */
tacit_status tac_features_make(tacit_ctx *ctx, const tacit_audit_output *const output[2],
                               int64_t runs, tac_event_features *out);

/* Fisher's direction over `numbers` columns from `first` on, learned on the first halves,
   written to column `into` of every output. shrink: added to every variance, each of which is 1. */
tacit_status tac_features_direction(tacit_ctx *ctx, tac_event_features *f, int32_t first,
                                    int32_t numbers, double shrink, int32_t into);

/* The event "column is value" or "column is value or more". */
typedef struct tac_event {
    int32_t column;
    bool equal;
    double value;
    int frequent; /* the side on which it is to be more frequent */
    double score; /* of the first halves */
} tac_event;

/* Learns at most `most` events on the first halves and certifies them on the second ones, alpha
   split among them. *best: the event with the largest proved epsilon. */
tacit_status tac_features_prove(tacit_ctx *ctx, const tac_event_features *f, int most, double alpha,
                                double delta, tac_proved *proved, tac_event *best);

#endif
