/* SPDX-License-Identifier: Apache-2.0 */
/* What a process needs to read its part of a table as the root would read all of it: which columns
   and how their values become coordinates, the rule for missing values, whose rows they are.
   Public: it says nothing of any row. */
#ifndef TAC_LOAD_SPEC_H
#define TAC_LOAD_SPEC_H

#include "core/byte_walk.h"
#include "data/dataset/dataset.h"
#include "data/dataset/declaration.h"

/* Whose row it is. */
typedef enum tac_spec_unit {
    TAC_UNIT_NONE = 0, /* every row is its own */
    TAC_UNIT_COLUMN,   /* a column of the table, by its place */
    TAC_UNIT_SIDE,     /* of triplets: a column that is no feature, by its place among these */
    TAC_UNIT_TOLD,     /* rows in memory: the caller has said it */
    TAC_UNITS
} tac_spec_unit;

typedef struct tac_load_spec {
    uint8_t header[TAC_DIGEST]; /* of tac_data_header: every part has the same columns */
    tacit_format format;        /* how files of it are written ... */
    tac_dialect dialect;
    int32_t columns; /* ... and columns of the table, for formats that do not state them */
    int32_t dims;    /* columns in use */
    int32_t *column; /* their places in the table */
    tac_spec_unit unit;
    int32_t unit_place;
    tacit_missing missing;
    int32_t missing_words;
    char **missing_word;
    tac_features features; /* count 0: plain numbers */
    bool counts, guarded;
} tac_load_spec;

/* How `data` is described, and how a run reads it. *out is the caller's: tac_load_spec_clear. */
tacit_status tac_load_spec_of(tacit_ctx *ctx, const tacit_data *data, const tac_load *load,
                              tac_load_spec *out);
/* One walk for bytes and back. What is read may make no sense: tac_load_spec_take says. */
void tac_load_spec_walk(tac_walk *w, tac_load_spec *spec);
/* Describes `data`, which must have the same header and whose rows must not have been read, as the
   spec says; whatever was said of its columns before counts no more. */
tacit_status tac_load_spec_take(tacit_ctx *ctx, const tac_load_spec *spec, tacit_data *data);
/* Opens a file that is written as the spec says. descriptor above 0: it is open already.
   TACIT_E_ARGUMENT: the root's rows are not such that a file can hold a part of them. */
tacit_status tac_load_spec_open(tacit_ctx *ctx, const tac_load_spec *spec, const char *path,
                                int descriptor, tacit_data **out);
void tac_load_spec_clear(tac_load_spec *spec);

#endif
