/* SPDX-License-Identifier: Apache-2.0 */
/* CSV records (RFC 4180) to numbers. Everything here works on one piece of whole records, touches
   nothing shared and stops at the first fault. */
#include "data/readers/csv.h"

#include <math.h>
#include <string.h>

/* LF, or CR before LF. A CR alone is part of a cell. p[1] is readable: a piece is padded. */
static inline bool is_line_end(const char *p)
{
    return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

/* A cell with quotes around it, which are removed in place: a doubled quote becomes one. *at is
   behind the opening quote and moves behind the closing one. */
static tac_csv_fault quoted_cell(char **at, char *end, char separator, char **text, size_t *length,
                                 int64_t *lines)
{
    char *to = *at, *from = *at;

    *text = to;
    for (;;) {
        char *quote = memchr(from, '"', (size_t)(end - from));
        if (quote == NULL) return TAC_CSV_OPEN_QUOTE;
        const size_t run = (size_t)(quote - from);
        for (const char *p = from; (p = memchr(p, '\n', (size_t)(quote - p))) != NULL; p++)
            (*lines)++;
        if (to != from) memmove(to, from, run);
        to += run;
        from = quote + 1;
        if (*from != '"') break;
        *to++ = '"';
        from++;
    }
    *length = (size_t)(to - *text);
    *at = from;
    return *from == separator || is_line_end(from) ? TAC_CSV_FINE : TAC_CSV_AFTER_QUOTE;
}

tac_csv_fault tac_csv_cell(char **at, char *end, char separator, char **text, size_t *length,
                           bool *quoted, int64_t *lines)
{
    tac_csv_fault fault = TAC_CSV_FINE;

    *lines = 0;
    *quoted = **at == '"';
    if (*quoted) {
        (*at)++;
        fault = quoted_cell(at, end, separator, text, length, lines);
        if (fault != TAC_CSV_FINE) return fault;
    } else {
        char *p = *at;
        while (*p != separator && !is_line_end(p)) p++; /* the piece ends with a line feed */
        *text = *at;
        *length = (size_t)(p - *at);
        *at = p;
    }
    return memchr(*text, '\0', *length) == NULL ? TAC_CSV_FINE : TAC_CSV_ZERO;
}

/* Twice the room for rows. False: no memory. */
static bool make_room(const tac_csv_plan *plan, tac_csv_rows *rows)
{
    const size_t room = rows->room == 0 ? 256 : 2 * rows->room;
    size_t values;

    if (__builtin_mul_overflow(room, (size_t)plan->dims, &values) ||
        tac_grow(NULL, &rows->values, values, sizeof *rows->values) != TACIT_OK ||
        (plan->label >= 0 &&
         tac_grow(NULL, &rows->label.end, room, sizeof *rows->label.end) != TACIT_OK) ||
        (plan->unit >= 0 && tac_grow(NULL, &rows->unit, room, sizeof *rows->unit) != TACIT_OK))
        return false;
    rows->room = room;
    return true;
}

/* Append the text of one row. False: no memory. */
static bool keep_text(tac_csv_texts *texts, size_t row, const char *text, size_t length)
{
    if (texts->room - texts->size < length || texts->text == NULL) {
        const size_t room = 2 * texts->room + length + 4096;
        if (tac_grow(NULL, &texts->text, room, 1) != TACIT_OK) return false;
        texts->room = room;
    }
    memcpy(texts->text + texts->size, text, length);
    texts->size += length;
    texts->end[row] = texts->size;
    return true;
}

static bool is_declared_missing(const tac_csv_plan *plan, const char *text, size_t length)
{
    return tac_is_declared_missing(plan->missing_word, plan->missing_words, text, length);
}

/* Any cell that is not a plain number: quoted, missing, text, label or unit. Writes the feature to
   row[j], appends the text of a label or the person of a unit, and counts the line feeds inside
   quotes. */
static tac_csv_fault other_cell(const tac_csv_plan *plan, tac_csv_rows *rows, int32_t c, char **at,
                                char *end, double *row)
{
    char *bytes = NULL;
    size_t length = 0;
    bool quoted = false;
    int64_t lines = 0;
    double value = NAN;

    const tac_csv_fault fault =
        tac_csv_cell(at, end, plan->dialect.separator, &bytes, &length, &quoted, &lines);
    if (fault != TAC_CSV_FINE) return fault;
    const char *text = bytes;
    const int32_t j = plan->feature[c];
    if (j >= 0) {
        const tac_cell_rule *rule = plan->rule == NULL ? NULL : &plan->rule[j];
        tac_cell cell = tac_read_by_rule(rule, &plan->dialect, text, length, quoted, &value);
        /* In a data set with a ledger, one row's text must not stop the run: the value counts as
           missing. */
        if (is_declared_missing(plan, text, length) ||
            (plan->guarded && !plan->counts && cell == TAC_CELL_TEXT)) {
            cell = TAC_CELL_MISSING;
            value = NAN;
        }
        if (cell == TAC_CELL_TEXT)
            return rule != NULL && rule->kind == TAC_VALUE_DATE ? TAC_CSV_DATE : TAC_CSV_TEXT;
        if (plan->counts && (cell == TAC_CELL_MISSING || !tac_is_count(value)))
            return TAC_CSV_COUNT;
        if (cell == TAC_CELL_MISSING && plan->reject_missing) return TAC_CSV_MISSING;
        row[j] = value;
    }
    /* spaces around do not count: "A" and "A " are one person */
    if (!quoted) tac_trim_blanks(&text, &length);
    /* nobody's row */
    if (c == plan->unit &&
        (tac_is_missing_word(text, length) || is_declared_missing(plan, text, length)))
        length = 0;
    if (c == plan->unit) rows->unit[rows->rows] = tac_person_of(&plan->person_key, text, length);
    if (c == plan->label && !keep_text(&rows->label, rows->rows, text, length))
        return TAC_CSV_NO_MEMORY;
    rows->lines += lines;
    return TAC_CSV_FINE;
}

/* One record from *at on, which is not a blank line. *column is where a fault lies. */
static tac_csv_fault record(const tac_csv_plan *plan, tac_csv_rows *rows, char **at, char *end,
                            int32_t *column)
{
    const char separator = plan->dialect.separator;
    const bool comma = plan->dialect.decimal == ',', words = plan->missing_words > 0;
    const tac_cell_rule *const rule = plan->rule;
    double *const row = rows->values + rows->rows * (size_t)plan->dims;
    char *p = *at;

    for (int32_t c = 0;;) {
        const int32_t j = plan->feature[c];
        char *q = NULL;
        /* the common case first: a number and nothing else */
        if (j >= 0 && !words && (rule == NULL || rule[j].kind == TAC_VALUE_NUMBER)) {
            double value;
            q = (char *)(uintptr_t)(comma ? tac_scan_comma(p, &value)
                                          : tac_scan_decimal(p, &value));
            if (q != NULL && isfinite(value) && (*q == separator || is_line_end(q)) &&
                (!plan->counts || tac_is_count(value)))
                row[j] = value;
            else
                q = NULL;
        } else if (j < 0 && c != plan->label && c != plan->unit && *p != '"') {
            for (q = p; *q != separator && !is_line_end(q); q++)
                if (*q == '\0') break;
            if (*q == '\0') q = NULL;
        }
        if (q == NULL) {
            q = p;
            *column = c;
            const tac_csv_fault fault = other_cell(plan, rows, c, &q, end, row);
            if (fault != TAC_CSV_FINE) return fault;
        }
        c++;
        if (*q == separator) {
            if (c == plan->columns) return TAC_CSV_MANY;
            p = q + 1;
        } else {
            if (c < plan->columns) return TAC_CSV_FEW;
            *at = q + (*q == '\r' ? 2 : 1);
            return TAC_CSV_FINE;
        }
    }
}

/* Notes where the next row begins, if the last note is far enough back. False: no memory. */
static inline bool mark_row(const tac_piece *piece, tac_csv_rows *rows, const char *at)
{
    const int64_t offset = at - piece->bytes;

    if (rows->marks > 0 && offset - rows->mark[rows->marks - 1].offset < TAC_CSV_SPAN) return true;
    if (rows->marks == rows->mark_room) {
        const size_t room = 2 * rows->mark_room + 64;
        if (tac_grow(NULL, &rows->mark, room, sizeof *rows->mark) != TACIT_OK) return false;
        rows->mark_room = room;
    }
    rows->mark[rows->marks++] = (tac_csv_mark){.row = (int64_t)rows->rows, .offset = offset};
    return true;
}

void tac_csv_parse(const tac_csv_plan *plan, tac_piece *piece, tac_csv_rows *rows)
{
    char *p = piece->bytes, *const end = piece->bytes + piece->size;

    rows->rows = rows->label.size = 0;
    rows->marks = 0;
    rows->lines = rows->blank = 0;
    rows->fault = TAC_CSV_FINE;
    while (p < end && rows->fault == TAC_CSV_FINE) {
        rows->fault_line = rows->lines + 1;
        /* of one column it is a value that is missing, as in any other row */
        if (is_line_end(p) && plan->columns > 1) {
            if (rows->blank == 0) rows->blank = rows->lines + 1;
            p += *p == '\r' ? 2 : 1;
            rows->lines++;
        } else if (rows->blank > 0) {
            rows->fault = TAC_CSV_BLANK;
            rows->fault_line = rows->blank;
        } else if (rows->rows == rows->room && !make_room(plan, rows)) {
            rows->fault = TAC_CSV_NO_MEMORY;
        } else if (!mark_row(piece, rows, p)) {
            rows->fault = TAC_CSV_NO_MEMORY;
        } else {
            rows->fault = record(plan, rows, &p, end, &rows->fault_column);
            if (rows->fault == TAC_CSV_FINE) {
                rows->lines++;
                rows->rows++;
            } else {
                /* counts the line feeds in the cells before the fault */
                rows->fault_line = rows->lines + 1;
            }
        }
    }
}

void tac_csv_rows_clear(tac_csv_rows *rows)
{
    tac_free(rows->values);
    tac_free(rows->mark);
    tac_free(rows->label.text);
    tac_free(rows->label.end);
    tac_free(rows->unit);
    memset(rows, 0, sizeof *rows);
}
