/* SPDX-License-Identifier: Apache-2.0 */
/* How a text file is written, and its numbers: decimal commas, groups of three digits. A mark is
   declared, never guessed from the file: that would be a look at the rows. */
#include "data/readers/reader_internal.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define LONGEST_NUMBER 400

tac_dialect tac_dialect_full(const tac_dialect *dialect, tacit_format format)
{
    tac_dialect full = *dialect;

    if (full.decimal == 0) full.decimal = '.';
    if (full.separator == 0)
        full.separator = format == TACIT_FORMAT_TSV ? '\t' : full.decimal == ',' ? ';' : ',';
    return full;
}

/* One mark of punctuation, or a tab, that no number, name or quoted cell is written with. */
static bool separates(char mark)
{
    return mark == '\t' || (ispunct((unsigned char)mark) && strchr("\"'.+-_", mark) == NULL);
}

const char *tac_dialect_fault(const tac_dialect *dialect, tacit_format format)
{
    const tac_dialect full = tac_dialect_full(dialect, format);
    const bool table = format == TACIT_FORMAT_AUTO || format == TACIT_FORMAT_CSV ||
                       format == TACIT_FORMAT_TSV || format == TACIT_FORMAT_TRIPLETS;
    const char *wrong = NULL;

    if (dialect->separator != 0 && !separates(dialect->separator))
        wrong = "delimiter must be one mark of punctuation or a tab, such as ; or |, and no quote, "
                "point, sign or underscore";
    else if (dialect->decimal != 0 && dialect->decimal != '.' && dialect->decimal != ',')
        wrong = "decimal must be a point or a comma";
    else if (dialect->thousands != 0 && strchr(",.'_ ", dialect->thousands) == NULL)
        wrong = "thousands must be a comma, a point, an apostrophe, an underscore or a blank";
    else if (dialect->thousands == full.decimal)
        wrong = "decimal and thousands are the same mark, so that a number could be read in two "
                "ways; correct one of them";
    else if (full.separator == full.decimal)
        wrong = "delimiter and decimal are the same mark; numbers with decimal commas need another "
                "delimiter, such as a semicolon";
    else if (dialect->skip_lines < 0 || dialect->skip_lines > TAC_MOST_SKIPPED)
        wrong = "skip lines must be a whole number from 0 to 10000";
    else if (format == TACIT_FORMAT_TSV && full.separator != '\t')
        wrong = "the delimiter of the format tsv is a tab; name the format csv, or drop delimiter";
    else if (!table && (dialect->separator != 0 || dialect->decimal != 0 ||
                        dialect->thousands != 0 || dialect->skip_lines > 0))
        wrong = "delimiter, decimal, thousands and skip lines are for CSV, TSV and triplets; drop "
                "them, or name another format";
    return wrong;
}

/* The bytes of the mark between groups at `text`; 0: there is none. */
static size_t group_mark(char mark, const char *text, const char *end)
{
    if (mark == 0 || text == end) return 0;
    if (*text == mark) return 1;
    if (mark == ' ' && end - text >= 2 && memcmp(text, "\xc2\xa0", 2) == 0) return 2;
    return mark == ' ' && end - text >= 3 && memcmp(text, "\xe2\x80\xaf", 3) == 0 ? 3 : 0;
}

static const char *digits_end(const char *p, const char *end)
{
    while (p < end && (unsigned char)(*p - '0') < 10) p++;
    return p;
}

/* A number without its group marks and with a decimal point. `to` has room for it and its pad.
   False: it is none. */
static bool plain_number(const tac_dialect *dialect, const char *p, const char *end, char *to)
{
    const char *stop;

    if (p < end && (*p == '-' || *p == '+')) *to++ = *p++;
    stop = digits_end(p, end);
    bool grouped = false;
    for (size_t mark; (mark = group_mark(dialect->thousands, stop, end)) > 0; grouped = true) {
        /* one to three digits before the first mark, three between any two */
        if (stop - p > 3 || stop == p || (grouped && stop - p != 3)) return false;
        memcpy(to, p, (size_t)(stop - p));
        to += stop - p;
        p = stop + mark;
        stop = digits_end(p, end);
    }
    if (grouped && stop - p != 3) return false;
    memcpy(to, p, (size_t)(stop - p));
    to += stop - p;
    for (p = stop; p < end; p++) {
        if (*p == '.' && dialect->decimal != '.') return false;
        *to++ = *p == dialect->decimal ? '.' : *p;
    }
    *to = '\0';
    return true;
}

tac_cell tac_read_number(const tac_dialect *dialect, const char *text, size_t length, double *out)
{
    char plain[LONGEST_NUMBER + TAC_PAD] = {0};

    if (dialect->decimal != ',' && dialect->thousands == 0) return tac_read_cell(text, length, out);
    tac_trim_blanks(&text, &length);
    if (tac_is_missing_word(text, length)) {
        *out = NAN;
        return TAC_CELL_MISSING;
    }
    if (length >= LONGEST_NUMBER || !plain_number(dialect, text, text + length, plain))
        return TAC_CELL_TEXT;
    const char *const end = tac_scan_decimal(plain, out);
    if (end == NULL || *end != '\0') return TAC_CELL_TEXT;
    if (isfinite(*out)) return TAC_CELL_NUMBER;
    *out = NAN;
    return TAC_CELL_MISSING;
}
