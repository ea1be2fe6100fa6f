/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse rows as a reader: only rows with entries take memory, and absent entries are 0, not missing. */
#ifndef TAC_SPARSE_ROWS_H
#define TAC_SPARSE_ROWS_H

#include "data/reading.h"

#define TAC_MOST_SPARSE_ROWS INT32_MAX

/* One entry as read from a file. */
typedef struct tac_entry {
    double value;
    int64_t line;
    int32_t row, column; /* from 0 */
} tac_entry;

typedef struct tac_entries {
    tac_entry *entry;
    size_t count, room;
    bool mixed; /* a row came after a later one */
} tac_entries;

tacit_status tac_entries_add(tacit_ctx *ctx, tac_entries *entries, const tac_entry *entry);
/* Number the rows that have an entry 0, 1, 2, ... in their order; *length becomes their number. */
tacit_status tac_entries_close_gaps(tacit_ctx *ctx, tac_entries *entries, int64_t *length);

/* Formats put this first in their own struct. */
typedef struct tac_sparse {
    tac_reader base;
    tac_input input;      /* owned; closed for rows in memory */
    int64_t length;       /* rows, empty ones too */
    int64_t filled;       /* rows held: all of them when `which` is NULL */
    const int64_t *which; /* ascending row numbers */
    const int64_t *start; /* filled + 1: entries of held row i are start[i] .. start[i+1]-1 */
    const int32_t *column;
    const double *value;
    int64_t *own_which, *own_start; /* what of the above is ours */
    int32_t *own_column;
    double *own_value;
    int32_t dims, *feature;
    int64_t *label, *unit;
} tac_sparse;

/* Fill the reader's table; the schema is set apart. */
void tac_sparse_serve(tac_sparse *sparse, const char *path,
                      tacit_status (*load)(tac_reader *, tacit_ctx *, const tac_selection *),
                      void (*close)(tac_reader *));
void tac_sparse_close(tac_reader *self); /* frees the struct too */

/* Sort the entries by row, refuse doubles, and serve the selection. sparse->length is set before. */
tacit_status tac_sparse_build(tacit_ctx *ctx, tac_sparse *sparse, tac_entries *entries,
                              const tac_selection *selection);
/* load() for arrays that the caller owns: checked first. */
tacit_status tac_sparse_load_borrowed(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection);

#endif
