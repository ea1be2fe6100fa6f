/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the triplets' reader share. */
#ifndef TAC_TRIPLETS_INTERNAL_H
#define TAC_TRIPLETS_INTERNAL_H

#include "data/readers/sparse_rows.h"
#include "data/readers/triplets_cells.h"

typedef struct tac_triplets {
    tac_sparse sparse;
    int64_t declared_rows; /* 0: not */
    bool declared_columns; /* by a shape */
    const tac_vocabulary *vocabulary;
    int32_t file_columns;
    tac_dialect dialect;
    const char *const *named; /* while it is opened: columns that the caller named */
    int32_t *side_of;         /* file columns: which side column of the schema it is, or -1 */
    tac_codes row_names, labels, owners;
    /* several files as one: all of them in their order, this one too; NULL: this one alone */
    struct tac_triplets **files;
    int32_t file_count;
} tac_triplets;

/* A row that is neither a place nor, as long as no row has a name, a name. */
typedef enum tac_stray { TAC_STRAY_NONE, TAC_STRAY_BEYOND, TAC_STRAY_NO_PLACE } tac_stray;

/* One pass over the records. */
typedef struct tac_passing {
    tac_triplets *t;                /* which has the rows */
    tac_triplets *file;             /* which is read: t, or another of its files */
    const tac_selection *selection; /* NULL: only the largest col is looked for */
    tac_builder *builder;
    int32_t label, unit;   /* columns of the file that is read, or -1 */
    bool named;            /* rows are names */
    bool rename;           /* a row was no number: start again with names */
    tac_stray stray;       /* found so far */
    int64_t columns;       /* found so far */
    int64_t line;          /* of the record at hand */
    tac_cell_text cell[5]; /* row, col, count, label, unit */
} tac_passing;

/* What the file calls its row, col or count: 0 to 2. */
static inline const char *tac_part_name(const tac_triplets *t, int part)
{
    const tac_schema *schema = &t->sparse.base.schema;
    return schema->part[part] < 0 ? "count" : schema->header[schema->part[part]];
}

/* Reads all records of p->file or, with file_columns 0, the header alone. The input comes
   back rewound. */
tacit_status tac_triplets_pass(tacit_ctx *ctx, tac_passing *p);
/* Takes the record at hand, p->cell of p->line, in. Adds nothing but sets p->rename where its row
   has to be a name. */
tacit_status tac_triplets_record(tacit_ctx *ctx, tac_passing *p);
/* After the last pass: refuses rows that turned out to be neither a place nor a name. */
tacit_status tac_triplets_stray(tacit_ctx *ctx, const tac_passing *p);

#endif
