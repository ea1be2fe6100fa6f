/* SPDX-License-Identifier: Apache-2.0 */
/* A reader: where raw rows come from. Format readers implement this table; only data.c calls it. */
#ifndef TAC_ROWS_H
#define TAC_ROWS_H

#include "core/core.h"

/* The public shape of a file, known from its header alone. */
typedef struct tac_schema {
    int32_t columns;   /* of the file, before selection */
    char **names;      /* columns of them; files without names get "c1", "c2", ... */
    int32_t label_only; /* a column that can be the label and nothing else (LIBSVM has one), or -1 */
} tac_schema;

typedef struct tac_reader tac_reader;

/* Which columns of the file a run uses. */
typedef struct tac_selection {
    int32_t dims;          /* feature columns */
    const int32_t *column; /* dims indices into the schema */
    int32_t label;         /* index of the label column, or -1 */
    int32_t unit;          /* index of the unit column, or -1 */
    tacit_missing missing;
} tac_selection;

struct tac_reader {
    const char *path; /* as the user gave it, for messages; borrowed from tacit_data */
    tac_schema schema;

    /* Read what is needed to serve rows (a CSV is parsed here, once; an NPY checks its length) and set `rows`.
       Called once, after the budget is reserved. Errors name the column and the line, never a value.
       With missing = reject-file a missing or non-finite feature is TACIT_E_FORMAT; otherwise it becomes NaN. */
    tacit_status (*load)(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection);
    int64_t rows;

    /* out[i * dims + j] = feature j of row first + i, NaN if missing or not finite. Safe from many threads at
       once; a pure function of the row. Reads files with pread into bounded buffers: memory does not grow with
       the file for NPY. */
    tacit_status (*read)(const tac_reader *self, int64_t first, int64_t count, double *out);

    /* A number >= 0 that is equal for equal labels / owners: dense codes in order of appearance; -1 for a row without
       an owner. NULL when no such column was selected. Filled by load; owned by the reader. */
    const int64_t *label;
    const int64_t *unit;

    void (*close)(tac_reader *self); /* frees everything, self included */
};

/* Open by format and read the header only. `path` "-" is standard input (kept in memory if it must be read
   more than once). */
tacit_status tac_open_csv(tacit_ctx *ctx, const char *path, char separator, tac_reader **out);
tacit_status tac_open_npy(tacit_ctx *ctx, const char *path, tac_reader **out);
tacit_status tac_open_matrix_market(tacit_ctx *ctx, const char *path, tac_reader **out);
tacit_status tac_open_triplets(tacit_ctx *ctx, const char *path, tac_reader **out);
tacit_status tac_open_libsvm(tacit_ctx *ctx, const char *path, tac_reader **out);
tacit_status tac_open_memory(tacit_ctx *ctx, const void *values, tacit_type type, int64_t rows, int32_t columns,
                             tac_reader **out);
tacit_status tac_open_csr(tacit_ctx *ctx, const int64_t *start, const int32_t *column, const double *value,
                          int64_t rows, int32_t columns, tac_reader **out);

/* By TACIT_FORMAT_AUTO's rule or as told. */
tacit_status tac_open_format(tacit_ctx *ctx, const char *path, tacit_format format, tac_reader **out);

#endif
