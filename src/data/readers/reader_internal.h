/* SPDX-License-Identifier: Apache-2.0 */
/* What the format readers share: numbers, names, codes and small checks. */
#ifndef TAC_READER_INTERNAL_H
#define TAC_READER_INTERNAL_H

#include "data/readers/input.h"
#include "data/readers/reader.h"

#define TAC_MOST_COLUMNS 1000000
/* Printed in place of a column's name: long names are cut so that the cause still fits the
   sentence. */
#define TAC_COLUMN "column '%.120s'"

/* ---- numbers ---- */

/* The nearest double to the decimal number at `text`, ties to even, whatever the locale; infinite
   if too large. Returns the first byte after it, or NULL if no number starts there (no spaces,
   hexadecimal, inf or nan). At least TAC_PAD readable bytes follow the text, one of which no number
   goes on with. */
const char *tac_scan_decimal(const char *text, double *out);
/* The same with a decimal comma; NULL also for the few numbers that take longer, which
   tac_read_number reads. */
const char *tac_scan_comma(const char *text, double *out);

typedef enum tac_cell { TAC_CELL_NUMBER, TAC_CELL_MISSING, TAC_CELL_TEXT } tac_cell;

/* A whole cell, spaces around it ignored: a finite number; missing (empty, NA, nan, null, ?, inf, a
   number too large for a double: *out = NaN); or something else. Padded as above. */
tac_cell tac_read_cell(const char *text, size_t length, double *out);
/* The same as a dialect writes numbers. Groups have three digits, the first one to three: what
   could be read in two ways is text. */
tac_cell tac_read_number(const tac_dialect *dialect, const char *text, size_t length, double *out);

/* Empty, or a word that programs write for "no value". */
bool tac_is_missing_word(const char *text, size_t length);

/* Is this one of the words declared to stand for a missing value? Spaces around it do not count;
   case does. */
bool tac_is_declared_missing(char *const *words, int32_t count, const char *text, size_t length);

/* An unsigned decimal integer of at most 18 digits; the first byte after it, or NULL. */
const char *tac_scan_count(const char *text, int64_t *out);

/* Blanks and tabs at both ends do not count. */
static inline void tac_trim_blanks(const char **text, size_t *length)
{
    while (*length > 0 && (**text == ' ' || **text == '\t')) ++*text, --*length;
    while (*length > 0 && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t')) --*length;
}

/* ---- names ---- */

/* Frees the names and zeroes the schema. */
void tac_schema_clear(tac_schema *schema);

/* feature[c] = j when column c is feature j, else -1, for every column of the schema. Refuses a
   selection that is out of range or names a feature twice. Caller frees. */
tacit_status tac_selection_map(tacit_ctx *ctx, const tac_reader *reader,
                               const tac_selection *selection, int32_t **feature);

/* A name as it will be shown and released: control characters become spaces, spaces at the ends
   go. In place; returns the length. */
size_t tac_tidy_name(char **name, size_t length);
/* Would any file have this as a value: a number by whichever marks, a date, a time of day? Such a
   name may be somebody's. Padded as for tac_scan_decimal. */
bool tac_is_value(const char *name, size_t length);

/* Shortest forms only, no surrogates. */
bool tac_is_utf8(const char *text, size_t length);

/* ---- codes ---- */

/* Dense codes 0, 1, 2, ... for byte strings in order of appearance. All zero is a valid empty
   table. */
typedef struct tac_codes {
    /* code + 1, or 0: open addressing, `slots` a power of two, at most half full */
    int64_t *slot;
    size_t slots;
    uint64_t *hash; /* of each code, so that growing asks for no text */
    size_t *end;    /* text of code i is text[end[i-1]] .. text[end[i]] */
    char *text;
    size_t count, room, text_room;
    /* random: nobody can craft a file of colliding names; codes do not depend on it */
    uint8_t key[16];
} tac_codes;

tacit_status tac_code_of(tacit_ctx *ctx, tac_codes *codes, const void *text, size_t length,
                         int64_t *out);
/* The code of a text that has one, or -1. */
int64_t tac_code_find(const tac_codes *codes, const void *text, size_t length);
/* The same for a number: equal numbers, equal codes (0 and -0 are equal). */
tacit_status tac_code_of_double(tacit_ctx *ctx, tac_codes *codes, double value, int64_t *out);
void tac_codes_clear(tac_codes *codes);
/* Takes the texts over; the codes are cleared. */
void tac_row_names_take(tac_codes *codes, tac_row_names *out);
void tac_row_names_clear(tac_row_names *names);
/* Does a floating-point number name one person? Whole numbers below 2^53 (float: 2^24) do. Others
   may be the rounded ids of several people, who must not share one person's allowance of rows: they
   name nobody. */
bool tac_names_person(double value, tacit_type type);

/* ---- sentences that more than one format needs ---- */

/* An option names a column that is not there: shows those that are, some of them if they are
   many. header: they are what a line of a text says, which may be no header. */
tacit_status tac_fail_no_column(tacit_ctx *ctx, const char *where, const char *option,
                                const char *name, char *const *names, int32_t count, bool header);

tacit_status tac_fail_missing(tacit_ctx *ctx, const char *where, int64_t line,
                              const char *line_word, const char *column);
/* A count that is none, and counts of one entry that add up to too much. */
#define TAC_MOST_COUNT 2147483647
/* Never the line: whoever may choose the columns would learn which row it is. */
tacit_status tac_fail_count(tacit_ctx *ctx, const char *where, const char *column);
tacit_status tac_fail_sum(tacit_ctx *ctx, const char *where, const char *column);
/* Refuses the first feature that is missing or, where counts are wanted, is not a count. Reads
   every row of a loaded reader once. input: its name, and why reading failed. */
tacit_status tac_check_values(tacit_ctx *ctx, const tac_reader *reader, const tac_input *input,
                              const tac_selection *selection);
/* Is this a count? */
static inline bool tac_is_count(double x)
{
    return x >= 0 && x <= TAC_MOST_COUNT && x == (double)(int64_t)x;
}
tacit_status tac_fail_no_rows(tacit_ctx *ctx, const char *where);

/* ---- several files ---- */

/* Opened triplets with the same columns become one: files[lead] takes the others over and reads
   them with its own rows. Takes nothing over on failure. */
tacit_status tac_triplets_join(tacit_ctx *ctx, tac_reader *const *files, int32_t count,
                               int32_t lead);

/* ---- readers over an input already opened (taken over, also on failure) ---- */

tacit_status tac_csv_from_input(tacit_ctx *ctx, const char *path, tac_input *input,
                                const tac_dialect *dialect, tac_reader **out);
/* Takes its input back after load: the reader goes on serving its rows. */
void tac_csv_take_input(tac_reader *csv, tac_input *out);
tacit_status tac_npy_from_input(tacit_ctx *ctx, const char *path, tac_input *input,
                                tac_reader **out);

#endif
