/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse rows as a reader: only rows with entries take memory, and absent entries are 0, not
   missing. */
#ifndef TAC_SPARSE_ROWS_H
#define TAC_SPARSE_ROWS_H

#include "data/readers/reader_internal.h"

#define TAC_MOST_SPARSE_ROWS INT32_MAX

/* One entry as read from a file. */
typedef struct tac_entry {
    double value;
    int64_t line;
    /* from 0; column -1: the row is there, nothing else is known. Columns past the schema's are its
       sides: the value is then a code, the same in all lines of a row */
    int32_t row, column;
} tac_entry;

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
    bool add; /* the same entry twice adds up: arrays of the caller may have some */
    int32_t dims, *feature;
    int64_t *label;
    /* of rows that a side column of the file gives an owner: a code, -1 for nobody; the format
       makes persons of them */
    int64_t *owner;
    tac_person *unit;
} tac_sparse;

/* Fill the reader's table; the schema is set apart. */
void tac_sparse_serve(tac_sparse *sparse, const char *path,
                      tacit_status (*load)(tac_reader *, tacit_ctx *, const tac_selection *),
                      void (*close)(tac_reader *));
void tac_sparse_close(tac_reader *self); /* frees the struct too */

/* Entries of a file become rows. While they come row by row they go straight to their place, and
   nothing else is held: 12 bytes an entry. The first that does not sets `again`: the format rewinds
   and hands all over once more, to be collected and sorted. */
typedef struct tac_builder {
    tac_sparse *sparse;
    const tac_selection *selection;
    const char *where; /* for sentences: the file, or all files */
    /* set by the format: rows that no entry names are not there; length is then set by the end */
    bool close_gaps;
    bool again;
    bool collect;     /* second time, or set by a format that cannot rewind */
    tac_entry *entry; /* collected */
    size_t collected, collect_room;
    int32_t *feature; /* see tac_selection_map */
    int64_t *mark;    /* of each column: 1 + where the last entry in it is */
    size_t count, room, rows, rows_room;
    int32_t last; /* row */
    int64_t most; /* the largest row + 1 */
} tac_builder;

/* Refuses a selection that does not fit the schema. tac_builder_close follows, also on failure. */
tacit_status tac_builder_open(tacit_ctx *ctx, tac_sparse *sparse, const tac_selection *selection,
                              tac_builder *out);
/* Refuses what is no count where counts are wanted, and doubles where they are not. Nothing after
   `again`. */
tacit_status tac_builder_add(tacit_ctx *ctx, tac_builder *b, const tac_entry *entry);
/* Forget all and collect from now on. */
void tac_builder_restart(tac_builder *b);
/* Serve the selection. sparse->length is set before, unless gaps are closed. */
tacit_status tac_builder_finish(tacit_ctx *ctx, tac_builder *b);
void tac_builder_close(tac_builder *b);

/* What is left once the arrays stand. Takes `feature` over. */
tacit_status tac_sparse_finish(tacit_ctx *ctx, tac_sparse *sparse, const tac_selection *selection,
                               int32_t *feature);
/* Owners that a side column gives, by the texts of their codes, become persons. After finish. */
tacit_status tac_sparse_set_units(tacit_ctx *ctx, tac_sparse *sparse, const tac_person_key *key,
                                  const tac_codes *ids);
/* load() for arrays that the caller owns: checked first. */
tacit_status tac_sparse_load_borrowed(tac_reader *self, tacit_ctx *ctx,
                                      const tac_selection *selection);

#endif
