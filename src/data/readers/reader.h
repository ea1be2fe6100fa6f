/* SPDX-License-Identifier: Apache-2.0 */
/* A reader: where raw rows come from. Each format implements this table (csv.c, npy.c,
   matrix_market.c, triplets.c, libsvm.c, memory_rows.c, arrow.c); only dataset.c calls it. Opening
   reads the header; load reads rows, after the budget is reserved. */
#ifndef TAC_READER_H
#define TAC_READER_H

#include "core/core.h"
#include "data/readers/person_id.h"
#include "table/feature.h"

#define TAC_FORMAT_MEMORY ((tacit_format)100) /* rows that a caller holds */
#define TAC_FORMAT_ARROW ((tacit_format)101)  /* an Arrow C stream */

/* What columns without names are called: "c1", "c2", ..., or "col0", "col1", ... in the format
   whose column col counts from 0. By the format alone: whether a row has a 0 there is private. */
typedef enum tac_numbering { TAC_FROM_ONE, TAC_FROM_ZERO } tac_numbering;

/* The public shape of a file, known from its header alone. */
typedef struct tac_schema {
    int32_t columns; /* of the file, before selection */
    char **names;    /* columns of them; files without names get numbers: tac_numbering */
    /* a column that can be the label and nothing else (LIBSVM has one), or -1 */
    int32_t label_only;
    /* columns beside these that can be the label or the unit and nothing else (triplets have
       them) */
    int32_t sides;
    char **side;    /* their names; as a label or unit, side i has the index columns + i */
    int32_t stated; /* columns that the header itself states; 0: it states none */
    /* triplets: the names of the file's own columns, `stated` of them; others: NULL */
    char **header;
    /* triplets: which of them are row, col and count; count -1: every line counts 1 */
    int32_t part[3];
    bool own_parts; /* and these were named by the caller, not found by their names */
    /* several files have these columns, not in one order: a number names none */
    bool shuffled;
} tac_schema;

/* The names of the columns, from a file of their own. All zero: none. */
typedef struct tac_vocabulary tac_vocabulary;

/* How a text file with a header is written. All zero: as its format has it. */
typedef struct tac_dialect {
    char separator;     /* of cells; 0: a tab in TSV, a semicolon beside decimal commas, a comma */
    char decimal;       /* '.' or ','; 0: a point */
    char thousands;     /* between groups of three digits; 0: nothing; ' ': also U+00A0, U+202F */
    int32_t skip_lines; /* before the header */
} tac_dialect;
#define TAC_MOST_SKIPPED 10000

/* What the format and the other marks leave open filled in: the separator and the decimal mark. */
tac_dialect tac_dialect_full(const tac_dialect *dialect, tacit_format format);
/* What is wrong with it, and the fix: marks that are none, that are alike, or that the format has
   not (TACIT_FORMAT_AUTO: not known yet); NULL: nothing. */
const char *tac_dialect_fault(const tac_dialect *dialect, tacit_format format);

/* What the owner declared of a table that the file need not state. */
typedef struct tac_shape {
    int64_t rows;                     /* 0: as the file shows */
    int32_t columns;                  /* 0: as the file shows */
    const tac_vocabulary *vocabulary; /* NULL: none; outlives the reader */
    tac_dialect dialect;              /* of CSV, TSV and triplets */
    const char *part[3]; /* triplets: the columns that are row, col and count; NULL: so called */
    int descriptor;      /* above 0: the file, already open; the caller's to close */
} tac_shape;

/* What rows are called: row i is text number of[i], or i itself where `of` is NULL; a number that
   no text has is a row without a name. */
typedef struct tac_row_names {
    bool numbers; /* there are no texts: the number is the name */
    char *text;   /* text i is text[end[i-1]] .. text[end[i]] */
    size_t *end;
    int64_t texts;
    const int64_t *of; /* borrowed from the reader, or own_of */
    int64_t *own_of;
} tac_row_names;

typedef struct tac_reader tac_reader;

/* Which columns of the file a run uses. */
typedef struct tac_selection {
    int32_t dims;          /* feature columns */
    const int32_t *column; /* dims indices into the schema */
    /* dims of them; NULL: all are numbers. Numbers that a category declares as words (1|2) are
       compared as numbers where the file has numbers: 1, 1.0 and "1" are one category */
    const tac_value_rule *rule;
    int32_t label;             /* index of the label column, or -1 */
    int32_t unit;              /* index of the unit column, or -1 */
    tac_person_key person_key; /* of the ids in it */
    tacit_missing missing;
    /* values must be whole numbers, 0 .. 2^31 - 1; the same entry twice adds up */
    bool counts;
    /* row numbers are public places: a row that the shape has and the file does not name is empty;
       otherwise it is nobody's and not there (only triplets can leave rows out) */
    bool places;
    /* rows of a set with a ledger: a feature that is no number is missing, so that one row's value
       stops no run */
    bool guarded;
    int32_t missing_words;
    char *const
        *missing_word; /* CSV, TSV and Arrow: texts that stand for a missing value as well */
    /* keep what rows are called: what the label column says or, of triplets without one, the column
       row */
    bool names;
    /* several files: codes that they share, so that one label is one in all of them; NULL: the
       reader's own */
    struct tac_codes *label_codes;
    int32_t files; /* so many share a limit of memory; 0: one */
} tac_selection;

/* The entries of some rows that are finite and not 0. A row is a vector: its entries come in
   ascending order of the feature, however a file wrote them, and absent, zero and missing values
   are one and the same. */
typedef struct tac_nonzeros {
    int64_t *start; /* rows + 1: entries of row i are start[i] .. start[i+1]-1 */
    int32_t *feature;
    double *value;
    size_t rows_room, room;
} tac_nonzeros;

void tac_nonzeros_clear(tac_nonzeros *block);
/* Room for so many; what it held is kept. Sets no sentence: workers call it. */
tacit_status tac_nonzeros_room(tac_nonzeros *block, size_t rows, size_t entries);
/* One row's entries in ascending order of the feature. In place. */
void tac_sort_entries(int32_t *feature, double *value, size_t count);
/* Drop all but the `most` entries of largest magnitude, ties to the lowest feature; returns how
   many are left, in ascending order of the feature again. A function of the row alone. */
size_t tac_keep_largest(int32_t *feature, double *value, size_t count, size_t most);

struct tac_reader {
    const char *path; /* as the user gave it, for messages; borrowed from tacit_data */
    /* never TACIT_FORMAT_AUTO: what it turned out to be, or TAC_FORMAT_MEMORY, TAC_FORMAT_ARROW */
    tacit_format format;
    tac_dialect dialect; /* of texts with a header, filled in; else all zero */
    tac_schema schema;

    /* Can the selected columns be read by their rules? By what opening has read alone; see
       tac_rules_check. NULL: there is nothing to add to it. */
    tacit_status (*check)(const tac_reader *self, tacit_ctx *ctx, const tac_selection *selection);

    /* Read what is needed to serve rows (a CSV is parsed here, once; an NPY checks its length) and
       set `rows`. Called once, after the budget is reserved. Errors name the column and the line,
       never a value. With missing = reject-file a missing or non-finite feature is TACIT_E_FORMAT;
       otherwise it becomes NaN. */
    tacit_status (*load)(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection);
    int64_t rows;
    bool by_place; /* how many rows there are depends on selection.places; set when opened */

    /* out[i * dims + j] = feature j of row first + i, NaN if missing or not finite. Safe from many
       threads at once; a pure function of the row. Reads files with pread into bounded buffers:
       memory does not grow with the file for NPY, nor for CSV within a limit of memory. */
    tacit_status (*read)(const tac_reader *self, int64_t first, int64_t count, double *out);

    /* The same rows as sparse ones; NULL when the format is dense. out grows as it must and is used
       again. Sets no sentence; as safe and as pure as read. */
    tacit_status (*read_sparse)(const tac_reader *self, int64_t first, int64_t count,
                                tac_nonzeros *out);

    /* A number >= 0 that is equal for equal labels: dense codes in order of appearance. NULL when
       no such column was selected. Filled by load; owned by the reader. */
    const int64_t *label;
    /* out[i] = whose row first + i is, under the selection's key. As safe and as pure as read, and
       sets no sentence. For a loaded reader with a unit column; tac_read_held_units where the
       reader holds a person for each row. */
    tacit_status (*read_units)(const tac_reader *self, int64_t first, int64_t count,
                               tac_person *out);
    const tac_person *unit; /* owned by the reader; NULL: it holds none */
    bool has_names;         /* the format can name rows; set when opened */
    tac_row_names names;    /* filled by load if the selection wants them */

    void (*close)(tac_reader *self); /* frees everything, self included */
};

tacit_status tac_read_held_units(const tac_reader *self, int64_t first, int64_t count,
                                 tac_person *out);

/* Open by format and read the header only. `path` "-" is standard input (kept in memory if it must
   be read more than once). */
typedef tacit_status tac_open(tacit_ctx *ctx, const char *path, const tac_shape *shape,
                              tac_reader **out);
tac_open tac_open_csv, tac_open_tsv, tac_open_npy, tac_open_matrix_market, tac_open_triplets,
    tac_open_libsvm;
/* Which of row, col and count a column of triplets is by its name, 0 to 2; -1: another. */
int tac_triplets_part(const char *name);
/* The same of a column of opened triplets, by its place. */
int tac_schema_part(const tac_schema *schema, int32_t column);
/* Finds row, col and count in a CSV header: as they were named, by name or number, or so called. */
tacit_status tac_schema_find_parts(tacit_ctx *ctx, const char *where, const char *const named[3],
                                   tac_schema *header);
/* Among the names of columns: by name or, if none has that name, by its number from 1; -1: none. */
int32_t tac_name_place(char *const *names, int32_t count, const char *name);
/* The place of a column called by either numbering, without a leading zero; -1: it is not, or there
   are not so many columns. */
int32_t tac_number_place(const char *name, int32_t columns);
/* By its header a list of entries: row, col and count are among its columns. */
bool tac_schema_is_list(const tac_schema *schema);
tacit_status tac_open_memory(tacit_ctx *ctx, const void *values, tacit_type type, int64_t rows,
                             int32_t columns, tac_reader **out);
tacit_status tac_open_csr(tacit_ctx *ctx, const int64_t *start, const int32_t *column,
                          const double *value, int64_t rows, int32_t columns, tac_reader **out);

struct ArrowArrayStream;
/* Takes the stream over, also on failure: its release is then NULL. */
tacit_status tac_open_arrow(tacit_ctx *ctx, struct ArrowArrayStream *stream, tac_reader **out);

/* One line of the table of formats, format_list.c. */
typedef struct tac_format_traits {
    tacit_format_info info; /* number, name, endings of its files */
    bool header;    /* the file names its columns: a declaration lists all, a ledger binds them */
    bool sparse;    /* it lists nonzeros: columns are not features of a table */
    bool unstated;  /* the file does not state how many columns it has: a ledger wants them said */
    bool texts;     /* cells may be texts: words can stand for a missing value */
    char delimiter; /* of cells of text, as a declaration's dialect has it; 0: none */
    tac_open *open; /* NULL: no file has this format */
} tac_format_traits;

/* Of AUTO and of numbers that are no format: a line named "auto" where all else is 0. */
const tac_format_traits *tac_format_traits_of(tacit_format format);
const char *tac_format_name(tacit_format format);
bool tac_format_of(const char *name, tacit_format *out);
/* Can this reader read the selected columns by their rules? Sparse formats read numbers only, and
   arrays no dates. Every load asks, and a run before it reserves. */
tacit_status tac_rules_check(tacit_ctx *ctx, const tac_reader *reader,
                             const tac_selection *selection);

/* TACIT_FORMAT_AUTO's rule; AUTO again where the ending shows nothing. */
tacit_format tac_format_by_ending(const char *path, tacit_format given);
const char *tac_ending_of(const char *path); /* from the last dot of its name on; "": none */
/* All endings that it knows, separated by spaces, in out[room], which is returned. */
const char *tac_format_endings(size_t room, char *out);
/* By that rule, or as given. */
tacit_status tac_open_format(tacit_ctx *ctx, const char *path, tacit_format format,
                             tac_reader **out);
/* Several files as one: as if the rows of each followed those of the one before, in the order
   given. Columns are those of file `lead`; the others have the same, in any order. descriptors:
   NULL, or of each file as in tac_shape. Entries of triplets add up, whichever file has them. */
tacit_status tac_open_several(tacit_ctx *ctx, const char *const *paths, const int *descriptors,
                              int32_t count, int32_t lead, tacit_format format,
                              const tac_shape *shape, tac_reader **out);
/* The same with a declared shape. Formats that state their columns refuse a shape or vocabulary
   that is not theirs. */
tacit_status tac_open_shaped(tacit_ctx *ctx, const char *path, tacit_format format,
                             const tac_shape *shape, tac_reader **out);

#endif
