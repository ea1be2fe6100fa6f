/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the Arrow reader: arrow_types.c reads the schema, arrow_cells.c the values of one
   column of one chunk, arrow_load.c pulls the stream and keeps what is used, arrow.c opens the
   stream and serves rows. */
#ifndef TAC_ARROW_H
#define TAC_ARROW_H

#include <tacit/arrow_abi.h>

#include "data/readers/cell_rules.h"

#define TAC_ARROW_NAME "the Arrow stream" /* for sentences, as a file has its path */

/* ---- arrow_types.c: what columns are, by the schema alone ---- */

typedef enum tac_arrow_kind {
    TAC_ARROW_OTHER = 0, /* refused where it is used */
    TAC_ARROW_NOTHING,   /* every value is missing */
    TAC_ARROW_NUMBER,    /* of a tacit_type */
    TAC_ARROW_BOOLEAN,   /* bits */
    TAC_ARROW_HALF,      /* floats of 16 bits */
    TAC_ARROW_DECIMAL,
    TAC_ARROW_DATE, /* days or moments as whole numbers */
    TAC_ARROW_TEXT
} tac_arrow_kind;

typedef enum tac_arrow_layout {
    TAC_ARROW_INT32,
    TAC_ARROW_INT64,
    TAC_ARROW_VIEWS
} tac_arrow_layout;

typedef struct tac_arrow_type {
    tac_arrow_kind kind; /* of the values; of a dictionary those that it lists */
    bool dictionary;
    tacit_type index;        /* of places in the dictionary */
    tacit_type number;       /* NUMBER and DATE */
    int64_t per_day;         /* DATE: how many units are a day */
    int32_t bytes, scale;    /* DECIMAL: of a value, and its digits behind the point */
    tac_arrow_layout layout; /* TEXT: offsets of 32 or 64 bits, or views */
    char called[80];         /* for sentences */
} tac_arrow_type;

void tac_arrow_type_of(const struct ArrowSchema *schema, tac_arrow_type *out);
/* check() of the reader: can the columns be read by their rules? The schema alone decides. */
tacit_status tac_arrow_check(const tac_reader *self, tacit_ctx *ctx,
                             const tac_selection *selection);

/* ---- arrow_cells.c: one column of one chunk ---- */

/* Values one after the other. valid NULL: all are there. */
typedef struct tac_arrow_values {
    const tac_arrow_type *type;
    const void *const *buffer;
    int64_t buffers, offset, length;
    const uint8_t *valid;
} tac_arrow_values;

typedef struct tac_arrow_cells {
    tac_arrow_values value; /* of the rows, or of the dictionary: */
    const char *index;      /* NULL: row i has value i */
    int64_t index_offset;
    const uint8_t *index_valid;
    const uint8_t *row_valid; /* of the chunk as a whole; NULL: every row is there */
    int64_t row_offset;
} tac_arrow_cells;

/* Is the array what its type wants, for the rows of the chunk? What is wrong with it, or NULL. That
   buffers are as long as lengths and offsets say is trusted: nobody can check it. */
const char *tac_arrow_cells_of(const tac_arrow_type *type, const struct ArrowArray *chunk,
                               const struct ArrowArray *array, tac_arrow_cells *out);
/* The place of a row's value; -1: it is missing. An index that the dictionary does not have is a
   missing value too. */
int64_t tac_arrow_at(const tac_arrow_cells *cells, int64_t row);
/* NUMBER, BOOLEAN, HALF, DECIMAL: as a double, NaN if not finite. */
double tac_arrow_number(const tac_arrow_values *values, int64_t at);
/* DATE: the day since 1970-01-01 that the moment lies in, in UTC; NaN before the year 0 and after
   9999. */
double tac_arrow_day(const tac_arrow_values *values, int64_t at);
/* Of all but DATE and HALF: its text, borrowed or in `room`. Equal values of a column have equal
   texts. False: the array is malformed. */
#define TAC_ARROW_ROOM 256
bool tac_arrow_text(const tac_arrow_values *values, int64_t at, char room[TAC_ARROW_ROOM],
                    const char **text, size_t *length);

static inline bool tac_bit(const uint8_t *bits, int64_t i)
{
    return (bits[i >> 3] >> (i & 7) & 1) != 0;
}

/* ---- arrow_load.c: what is kept ---- */

/* The values of one feature in one chunk. */
typedef struct tac_arrow_block {
    struct ArrowArray held; /* the producer's array; its release NULL: none is held, */
    void *own;              /* and the values are ours */
    const char *values;
    tacit_type type;
    bool bits;            /* values are bits, whatever the type */
    int64_t first;        /* the element of the chunk's first row */
    const uint8_t *valid; /* from `first` on as well; NULL: none is missing, or it is NaN */
} tac_arrow_block;

typedef struct tac_arrow_chunk {
    int64_t first, rows;
    tac_arrow_block *block; /* one for each feature */
} tac_arrow_chunk;

/* Words that stand for a missing value, as values. */
typedef struct tac_arrow_missing {
    double *number, *day;
    int32_t numbers, days;
} tac_arrow_missing;

typedef struct tac_arrow {
    tac_reader base;
    tac_input input; /* its name alone */
    struct ArrowArrayStream stream;
    tac_arrow_type *type; /* of every column */
    int32_t dims;
    tac_arrow_chunk *chunk; /* none is empty */
    size_t chunks, room;
    tac_arrow_missing missing;
    int64_t *label;
    tac_person *unit;
} tac_arrow;

/* load() of the reader. Of each chunk the arrays of plain numbers stay the producer's and are held;
   dates, categories and other values that must be worked out are kept as floats (4 bytes), decimals
   and dictionaries of numbers as doubles; all else is released before the next chunk is asked for,
   and the stream at the end. */
tacit_status tac_arrow_load(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection);
void tac_arrow_release_stream(struct ArrowArrayStream *stream);
bool tac_is_among(const double *values, int32_t count, double x);

#endif
