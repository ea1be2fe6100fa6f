/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the CSV reader: csv_cut.c cuts the stream into pieces at record ends, csv_parse.c
   parses pieces in parallel, csv_load.c puts their rows together in the order of the file. csv.c
   holds the header and the grammar. The reader of triplets uses the first two. */
#ifndef TAC_CSV_H
#define TAC_CSV_H

#include "data/readers/cell_rules.h"

/* ---- csv_cut.c: pieces ---- */

typedef struct tac_piece {
    /* size of them, whole records, the last byte is a line feed; TAC_PAD zeros follow */
    char *bytes;
    size_t size, room;
    int64_t start; /* where it begins in the file */
} tac_piece;

typedef struct tac_cutter {
    tac_input input; /* owned */
    char separator;
    bool ended;
    int64_t read;   /* bytes of the file taken so far */
    tac_piece rest; /* read but not yet handed out: the start of the next record */
} tac_cutter;

/* The next records, about `aim` bytes of them or one if it is longer; size 0 at the end. At the end
   of the input a missing last line feed is added. *too_long: no record end within 256 MiB. Sets no
   sentence. */
tacit_status tac_cut(const tacit_ctx *ctx, tac_cutter *cutter, size_t aim, tac_piece *piece,
                     bool *too_long);
/* Cut one record only, reading no further than needed to see its end. */
tacit_status tac_cut_first(const tacit_ctx *ctx, tac_cutter *cutter, tac_piece *piece,
                           bool *too_long);
/* Drop lines, whatever is in them, before the first record. *short_of: the input has fewer. */
tacit_status tac_cut_lines(const tacit_ctx *ctx, tac_cutter *cutter, int32_t lines, bool *short_of);

/* ---- csv_parse.c: one piece to numbers ---- */

/* What can be wrong with a record. */
typedef enum tac_csv_fault {
    TAC_CSV_FINE = 0,
    TAC_CSV_TEXT,    /* in a feature column */
    TAC_CSV_DATE,    /* the same in a column of dates */
    TAC_CSV_MISSING, /* while missing values refuse the file */
    TAC_CSV_COUNT,   /* no count while counts are wanted */
    TAC_CSV_FEW,     /* fewer cells than the header */
    TAC_CSV_MANY,
    TAC_CSV_BLANK,       /* a blank line before the last record */
    TAC_CSV_ZERO,        /* a zero byte */
    TAC_CSV_OPEN_QUOTE,  /* never closed */
    TAC_CSV_AFTER_QUOTE, /* text between a closing quote and the separator */
    TAC_CSV_TOO_LONG,
    TAC_CSV_NO_MEMORY
} tac_csv_fault;

/* What every piece is parsed by; read-only while parsing. */
typedef struct tac_csv_plan {
    tac_dialect dialect;
    int32_t columns, dims, label, unit;
    tac_person_key person_key;
    const int32_t *feature;    /* see tac_selection_map */
    const tac_cell_rule *rule; /* of every feature; NULL: all are numbers */
    bool reject_missing, counts;
    bool guarded; /* text in a feature is a missing value */
    int32_t missing_words;
    char *const *missing_word;
} tac_csv_plan;

/* One text per row: text of row i is text[end[i-1]] .. text[end[i]]. */
typedef struct tac_csv_texts {
    char *text;
    size_t size, room;
    size_t *end;
} tac_csv_texts;

/* A row begins here: number `row` at byte `offset`. Of a piece, or of a file. */
typedef struct tac_csv_mark {
    int64_t row, offset;
} tac_csv_mark;

/* Bytes between two marks, about: what is read again at once, to get at any row. */
#define TAC_CSV_SPAN 32768

/* The rows of one piece. Buffers are used again for the next. */
typedef struct tac_csv_rows {
    double *values; /* rows x dims */
    size_t rows, room;
    tac_csv_texts label;
    tac_person *unit;
    tac_csv_mark *mark; /* the first row, and one in each span after it */
    size_t marks, mark_room;
    int64_t lines; /* line feeds passed */
    int64_t blank; /* the first of the blank lines after the last record, from 1; 0: none */
    tac_csv_fault fault;
    int64_t fault_line; /* from 1, within the piece */
    int32_t fault_column;
} tac_csv_rows;

/* The next cell from *at on, quotes removed in place. *at moves to the separator or line end (LF,
   or CR before LF) behind it; *lines counts the line feeds inside it. */
tac_csv_fault tac_csv_cell(char **at, char *end, char separator, char **text, size_t *length,
                           bool *quoted, int64_t *lines);

/* All records of a piece into `rows`: its old rows go, its buffers stay. Quotes are removed in
   place, so the piece's bytes change. Stops at the first fault and notes it in `rows`; the rows
   before it are complete. Safe from many threads, each with a piece and rows of its own. */
void tac_csv_parse(const tac_csv_plan *plan, tac_piece *piece, tac_csv_rows *rows);
void tac_csv_rows_clear(tac_csv_rows *rows);

/* ---- csv_load.c: all pieces, in order ---- */

typedef struct tac_csv {
    tac_reader base;
    tac_cutter cutter;
    int64_t header_lines;
    int32_t dims;
    double *values; /* rows x dims after load; NULL: rows are read again */
    int64_t *label;
    tac_person *unit;
    /* rows that are read again, csv_again.c: how, and where they begin; the last mark is the end */
    bool again;
    tac_csv_plan plan;
    int32_t *feature;
    tac_cell_rule *rules;
    tac_csv_mark *mark;
    size_t marks, mark_room;
} tac_csv;

/* load() of the reader: parses the file with the threads of the ctx. Holds rows x dims doubles or,
   where these would take more than half of the ctx's limit of memory, the places of some rows. */
tacit_status tac_csv_load(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection);
/* ---- csv_again.c: rows that memory does not hold ---- */

/* Bytes that values and persons may take in memory, of so many files (0: one). Half of the limit:
   what is placed of so many rows then fits the rest of it. */
int64_t tac_csv_most(const tacit_ctx *ctx, int32_t files);
/* The marks of a piece become marks of the file; `rows`: before it. Sets no sentence. */
tacit_status tac_csv_add_marks(tac_csv *csv, const tac_piece *piece, const tac_csv_rows *rows,
                               int64_t before);
/* read() and read_units() of the reader, from the file. */
tacit_status tac_csv_read_again(const tac_reader *self, int64_t first, int64_t count, double *out);
tacit_status tac_csv_read_units_again(const tac_reader *self, int64_t first, int64_t count,
                                      tac_person *out);
/* check() of the reader: within a limit of memory a file must be one that can be read again. */
tacit_status tac_csv_check(const tac_reader *self, tacit_ctx *ctx, const tac_selection *selection);

/* The sentence for a fault, and its status. */
tacit_status tac_csv_explain(tacit_ctx *ctx, const char *where, tac_csv_fault fault, int64_t line,
                             const char *column);

#endif
