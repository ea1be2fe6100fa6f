/* SPDX-License-Identifier: Apache-2.0 */
/* A dense array of one element type as a reader: rows in the caller's memory, or in a file read by
   pread. */
#ifndef TAC_ARRAY_ROWS_H
#define TAC_ARRAY_ROWS_H

#include "data/readers/cell_rules.h"

/* One more element type than the public ones: a byte that is 0 or not. */
#define TAC_BOOL ((tacit_type)(TACIT_U64 + 1))

typedef struct tac_array {
    tac_reader base;
    tac_input input;    /* the file; closed when `memory` is set */
    const char *memory; /* borrowed values, or NULL */
    int64_t offset;     /* of the first element in the input */
    tacit_type type;
    bool turned;    /* the file's elements have their bytes in the other order */
    int64_t length; /* rows */
    bool by_column; /* Fortran order */
    int32_t dims;
    int32_t *column;     /* of feature j; NULL: all columns in order */
    tac_cell_rule *rule; /* of feature j; NULL: all are numbers */
    int64_t *label;
    int32_t unit; /* the column that names persons, or -1 */
    tac_person_key person_key;
} tac_array;

/* Bytes of one element; 0 for a type that does not exist. */
size_t tac_type_size(tacit_type type);

/* read_units() of the reader. */
tacit_status tac_array_read_units(const tac_reader *self, int64_t first, int64_t count,
                                  tac_person *out);

/* Bytes fetched at a time: below malloc's threshold for fresh pages. A row wider than it gets its
   own size. */
#define TAC_SCRATCH (size_t)65536

/* to[i * step] = from[i] as a double, NaN if not finite, i < count. Elements of `from` start
   `apart` bytes from each other and need not be aligned; to and from do not overlap. */
void tac_array_convert(tacit_type type, const char *from, size_t apart, size_t count, double *to,
                       size_t step);
/* `count` elements from number `element` on, in the array's own order: in place if in memory, else
   in `room`. */
tacit_status tac_array_fetch(const tac_array *array, int64_t element, size_t count, char *room,
                             const char **out);
/* read() of this reader, also used by the load step; see reader.h. */
tacit_status tac_array_read(const tac_reader *self, int64_t first, int64_t count, double *out);

/* A reader over `length` x `columns` elements, row by row unless by_column is set after. `input`
   (may be NULL) is taken over, also on failure. */
tacit_status tac_array_new(tacit_ctx *ctx, const char *path, tac_input *input, const void *memory,
                           tacit_type type, int64_t length, int64_t columns, tac_array **out);

#endif
