/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences for people on stderr; tables and JSON on stdout. */
#include "../cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define SENTENCE 2048
#define CELL 256
#define GAP 2
#define BAR 12        /* cells of a bar in a table */
#define BARS_WIDTH 48 /* of the narrowest terminal that has them */

/* One line on stderr, with the command's name before it. Longer than SENTENCE: cut. */
static void say(const cli *c, const char *format, va_list args)
{
    char sentence[SENTENCE];

    vsnprintf(sentence, sizeof sentence, format, args);
    tacit_text_make_plain(sentence); /* names come from files and may hold anything */
    if (c != NULL && c->command != NULL)
        fprintf(stderr, "tacit %s: %s\n", c->command->name, sentence);
    else
        fprintf(stderr, "tacit: %s\n", sentence);
}

void cli_say(const cli *c, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(c, format, args);
    va_end(args);
}

int cli_fail(const cli *c, int code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(c, format, args);
    va_end(args);
    return code;
}

int cli_no_memory(const cli *c)
{
    return cli_fail(c, cli_exit_code(TACIT_E_MEMORY), "out of memory");
}

int cli_check(const cli *c, tacit_status status)
{
    if (status == TACIT_OK) return EXIT_OK;
    const char *sentence = tacit_ctx_message(c->ctx);
    return cli_fail(c, cli_exit_code(status), "%s",
                    *sentence != '\0' ? sentence : tacit_status_text(status));
}

/* ---- tables ---- */

/* Characters, not bytes: continuation bytes of UTF-8 take no place. */
static int wide(const char *text)
{
    int count = 0;

    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++)
        count += (*p & 0xc0) != 0x80;
    return count;
}

void cli_cut(char *text, int most)
{
    int count = 0;

    for (char *p = text; *p != '\0'; p++) {
        if (((unsigned char)*p & 0xc0) == 0x80 || ++count <= most) continue;
        *p = '\0';
        return;
    }
}

/* Has another column the same beginning? */
static bool is_ambiguous(const tacit_model *model, int32_t column, const char *begin)
{
    for (int32_t j = 0; j < tacit_model_column_count(model); j++)
        if (j != column && strncmp(tacit_model_column_get(model, j), begin, strlen(begin)) == 0)
            return true;
    return false;
}

/* A name that is cut ends in …; if another begins alike, in …#N with its place among the columns,
   from 1. */
const char *cli_column_name(const tacit_model *model, int32_t column, int most, char *text,
                            size_t size)
{
    char place[24] = "";

    snprintf(text, size, "%s", tacit_model_column_get(model, column));
    if (wide(text) <= most) return text;
    cli_cut(text, most - 1);
    if (is_ambiguous(model, column, text)) {
        snprintf(place, sizeof place, "#%d", (int)column + 1);
        cli_cut(text, most - 1 - (int)strlen(place));
    }
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "…%s", place);
    return text;
}

/* A table on its way out. */
typedef struct printing {
    const cli_table *table;
    cli_terminal terminal;
    int *width; /* of the columns; NULL: no alignment */
    int bar;    /* cells of the bars behind column 1; 0: none */
} printing;

static void cell(const printing *p, int64_t row, int column, char *text)
{
    const cli_table *table = p->table;

    *text = '\0';
    if (row < 0 && table->heading != NULL)
        snprintf(text, CELL, "%s", table->heading[column]);
    else
        table->cell(table->payload, row, column, text, CELL);
    tacit_text_make_plain(text);
    cli_spell(&p->terminal, text);
}

/* The bar of a row; returns the blanks that are owed behind it. */
static int print_bar(FILE *out, const printing *p, int64_t row, int owed)
{
    char text[3 * BAR + 1];
    const double share = row < 0 ? 0 : p->table->share(p->table->payload, row);
    const int used = cli_bar(&p->terminal, text, share, p->bar);

    if (used == 0) return owed + p->bar + GAP;
    fprintf(out, "%*s%s%s%s", owed, "", cli_paint(&p->terminal, INK_BAR), text,
            cli_paint(&p->terminal, INK_NONE));
    return p->bar - used + GAP;
}

/* One line of a table, columns from .. to - 1, with column 0 before them. */
static void print_line(FILE *out, const printing *p, int64_t row, int from, int to)
{
    const cli_table *table = p->table;
    const int *width = p->width;
    char text[CELL];
    int owed = 0; /* blanks not yet printed: none are left at the end of a line */

    for (int at = from - 1; at < to; at++) {
        const int column = at < from ? 0 : at;
        const bool left = column < 32 && ((table->left == 0 ? 1 : table->left) >> column & 1) != 0;
        if (at >= from && column == 0) continue;
        cell(p, row, column, text);
        const int pad = width == NULL ? 0 : width[column] - wide(text);
        if (!left) owed += pad;
        if (*text != '\0') {
            fprintf(out, "%*s%s", owed, "", text);
            owed = 0;
        }
        owed += (left ? pad : 0) + GAP;
        if (column == 1 && p->bar > 0) owed = print_bar(out, p, row, owed);
    }
    fputc('\n', out);
}

/* The contract stands in render.h. A table wider than its limit, or than the terminal, is printed
   in parts. */
void cli_print_table(FILE *out, const cli_table *table)
{
    int *width = calloc((size_t)table->columns, sizeof *width);
    printing p = {.table = table, .terminal = cli_terminal_of(out), .width = width};
    const int window = p.terminal.width;
    const int limit =
        table->width > 0 && window > 0 && window < table->width ? window : table->width;
    char text[CELL];

    if (table->share != NULL && p.terminal.is && (window == 0 || window >= BARS_WIDTH)) p.bar = BAR;

    /* Without memory for the widths the columns are not aligned, but nothing is lost. */
    for (int column = 0; width != NULL && column < table->columns; column++) {
        for (int64_t row = -1; row < table->rows; row++) {
            cell(&p, row, column, text);
            if (wide(text) > width[column]) width[column] = wide(text);
        }
    }
    for (int from = 0, to; from < table->columns; from = to) {
        int total = width == NULL ? 0 : width[0] + (from == 0 ? 0 : GAP + width[from]);
        for (to = from + 1; to < table->columns; to++) {
            total += GAP + (width == NULL ? 0 : width[to]);
            if (to == 1 && p.bar > 0) total += GAP + p.bar;
            if (limit > 0 && total > limit) break;
        }
        if (from > 0) fputc('\n', out);
        for (int64_t row = -1; row < table->rows; row++) print_line(out, &p, row, from, to);
    }
    free(width);
}

void cli_number_text(char *text, size_t size, double number)
{
    if (isnan(number))
        snprintf(text, size, "unknown");
    else
        snprintf(text, size, "%.4g", number);
}

/* ---- JSON ---- */

/* The character of several bytes at text as it stands, or U+FFFD if it is none or is not plain.
   Returns its length. */
static size_t put_character(FILE *out, const char *text)
{
    char one[5] = "", plain[5];
    size_t length = 0;

    do {
        one[length] = text[length];
        length++;
    } while (length < 4 && ((unsigned char)text[length] & 0xc0) == 0x80);
    memcpy(plain, one, sizeof plain);
    tacit_text_make_plain(plain);
    fputs(strcmp(plain, one) == 0 ? one : "\\ufffd", out);
    return length;
}

/* A JSON string. What is not plain text becomes U+FFFD: names come from files and may hold
   anything. */
void cli_json_text(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text != '\0') {
        const unsigned char c = (unsigned char)*text;
        if (c >= 0x80) {
            text += put_character(out, text);
            continue;
        }
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
        text++;
    }
    fputc('"', out);
}

void cli_json_number(FILE *out, double number)
{
    char text[32];

    if (!isfinite(number)) {
        fputs("null", out);
        return;
    }
    /* the shortest that reads back as the same number */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number) break;
    }
    fputs(text, out);
}

void cli_json_put(FILE *out, const char *before, const char *name, double number)
{
    fprintf(out, "%s\"%s\": ", before, name);
    cli_json_number(out, number);
}

void cli_json_put_text(FILE *out, const char *before, const char *name, const char *text)
{
    fprintf(out, "%s\"%s\": ", before, name);
    if (text == NULL)
        fputs("null", out);
    else
        cli_json_text(out, text);
}

int cli_close_stdout(const cli *c)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_fail(c, EXIT_NO_OUTPUT, "standard output cannot be written: %s",
                        strerror(errno));
    return EXIT_OK;
}

void cli_whom(char *text, size_t size, const char *unit_column, tacit_neighbors neighbors,
              int32_t most_rows)
{
    const char *how = neighbors == TACIT_REPLACE ? "changed" : "added or removed";

    if (neighbors == TACIT_ENTRY)
        snprintf(text, size, "one count changed by 1 (not for a whole row)");
    else if (unit_column == NULL || *unit_column == '\0')
        snprintf(text, size, "one row %s", how);
    else if (most_rows == 0)
        snprintf(text, size, "one person %s (column %.200s)", how, unit_column);
    else
        snprintf(text, size, "one person %s (column %.200s, at most %d %s each)", how, unit_column,
                 (int)most_rows, most_rows == 1 ? "row" : "rows");
}
