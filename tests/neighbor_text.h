/* SPDX-License-Identifier: Apache-2.0 */
/* Data sets of neighbor_pairs.h as files of every format, in all the ways that mean the same:
   spellings of numbers and of what is missing, quotes, blanks, line ends, comments, order of rows
   and of entries, zeros that are written out. */
#ifndef TAC_NEIGHBOR_TEXT_H
#define TAC_NEIGHBOR_TEXT_H

#include "neighbor_pairs.h"

#include <zlib.h>

/* A number in one of its ways; missing: one of its words. */
static void spell(char *text, size_t size, double x, bool words)
{
    static const char *const missing[] = {"",     "NA",    "nan", "?",    "null",
                                          "-inf", "1e999", "n/a", "None", "Infinity"};
    const uint64_t how = dice(10);

    if (!isfinite(x)) {
        snprintf(text, size, "%s", words ? PICK(missing) : often() ? "nan" : "1e999");
        return;
    }
    int used = snprintf(text, size, "%.17g", x);
    const bool whole = x == floor(x) && fabs(x) < 1e15, has_e = strchr(text, 'e') != NULL;
    const bool has_point = strchr(text, '.') != NULL;
    if (how == 0 && whole) snprintf(text, size, "%.0f.", x);
    if (how == 1 && whole) snprintf(text, size, "%.3f", x);
    if (how == 2 && !signbit(x)) snprintf(text, size, "+%.17g", x);
    if (how == 3 && !has_e) snprintf(text, size, "%.17ge0", x);
    if (how == 4 && x > 0) snprintf(text, size, "000%.17g", x);
    if (how == 5 && has_point && !has_e)
        for (uint64_t zeros = dice(200); zeros > 0 && used + 1 < (int)size; zeros--)
            text[used++] = '0', text[used] = '\0';
    if (how == 6 && whole) snprintf(text, size, "%.1fE+0", x);
}

/* ---- CSV and TSV ---- */

/* bare: no blanks around. */
static void put_cell(FILE *f, const char *text, char separator, bool bare)
{
    const bool quote = strpbrk(text, ",;\t\"\n") != NULL || dice(6) == 0;

    if (!quote && !bare && seldom()) fputc(' ', f);
    if (quote) fputc('"', f);
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '"' && quote) fputc('"', f);
        fputc(*p, f);
    }
    if (quote) fputc('"', f);
    if (!quote && !bare && seldom()) fputs(separator == ',' ? "\t " : "  ", f);
}

static void put_number(FILE *f, double x, char separator)
{
    char text[300];

    spell(text, sizeof text, x, true);
    for (char *p = text; separator == ';' && *p != '\0'; p++)
        if (*p == '.') *p = ',';
    put_cell(f, text, separator, false);
}

/* The same value is the same word, or the same day; several values may be. */
static void spell_mixed(char *text, size_t size, holding what, double x)
{
    static const char *const missing[] = {"", "NA", "gone", "?", "unheard of", "NORTH"};
    static const char *const word[] = {"north", "south", "7", "far away", "maybe"};
    static const char *const seven[] = {"7", "7.0", "+7", "07"};
    static const char *const boolean[2][4] = {{"0", "no", "FALSE", "f"}, {"1", "Yes", "true", "T"}};
    static const char *const time[] = {"", "", "T10:30", " 23:59:59.9", "T00:00:00Z"};
    const int which = (int)fmod(fabs(x) * 1009, 5000);

    if (isnan(x)) {
        snprintf(text, size, "%s", missing[dice(what == DATES ? 4 : 6)]);
    } else if (what == CATEGORIES) {
        snprintf(text, size, "%s", which % 5 == 2 ? PICK(seven) : word[which % 5]);
    } else if (what == BOOLEANS) {
        snprintf(text, size, "%s", which % 7 == 6 ? "maybe" : boolean[which % 2][dice(4)]);
    } else {
        snprintf(text, size, "%04d-%02d-%02d%s",
                 x > 1e9    ? 9999
                 : x < -1e9 ? 1
                            : 1960 + which % 70,
                 1 + which % 12, 1 + which % 28, PICK(time));
    }
}

static void put_value(FILE *f, const pair *p, int j, double x, char separator)
{
    char text[64];

    if (!p->mixed || (p->holds[j] < DATES && (!isnan(x) || often()))) {
        put_number(f, x, separator);
        return;
    }
    spell_mixed(text, sizeof text, p->holds[j] < DATES ? DATES : p->holds[j], x);
    put_cell(f, text, separator, false);
}

/* What nobody asked for: any text of any length. */
static void put_note(FILE *f, const pair *p, bool padded, char separator)
{
    static const char *const list[] = {"",     "fine", "a, b\tc", "two\nlines",
                                       "\"\"", "1",    "NA",      "\xc3\xa9"};

    if (!padded || p->pad == 0) put_cell(f, PICK(list), separator, true);
    for (size_t i = 0; padded && i < p->pad; i++) fputc('x', f);
}

static void put_unit(FILE *f, const pair *p, int unit, char separator)
{
    static const char *const nobody[] = {"", "NA", "null", "?", "nan"};
    char text[32];

    snprintf(text, sizeof text, p->large_ids ? "90071992547409%02d" : "p%d", unit);
    put_cell(f, unit == NOBODY ? PICK(nobody) : text, separator, false);
}

/* The order in which rows or entries are written. */
static void shuffle(int *order, int count, bool keep)
{
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; i > 0 && !keep; i--) {
        const int j = (int)dice((uint64_t)i + 1), was = order[i];
        order[i] = order[j];
        order[j] = was;
    }
}

static void write_csv(FILE *f, const pair *p, const side *s)
{
    static const char separators[FORMATS] = {[TSV] = '\t', [EUROPE] = ';'};
    const char separator = separators[p->format] == 0 ? ',' : separators[p->format],
               *end = often() ? "\r\n" : "\n";
    const bool one = p->columns == 1 && !p->persons && !p->note; /* a blank line is a row then */
    static int order[MOST_ROWS];

    shuffle(order, s->rows, p->neighbors == TACIT_ENTRY);
    if (seldom()) fputs("\xef\xbb\xbf", f);
    if (p->persons) fprintf(f, "who%c", separator);
    for (int j = 0; j < p->columns; j++) {
        const char name[] = {(char)('a' + j), '\0'};
        if (j > 0) fputc(separator, f);
        put_cell(f, name, separator, false);
    }
    if (p->note) fprintf(f, "%cnote", separator);
    for (int i = 0; i < s->rows; i++) {
        const int row = order[i];
        fputs(end, f);
        if (p->persons) put_unit(f, p, s->unit[row], separator);
        for (int j = 0; j < p->columns; j++) {
            if (j > 0 || p->persons) fputc(separator, f);
            put_value(f, p, j, s->value[row][j], separator);
        }
        if (p->note) fputc(separator, f);
        if (p->note) put_note(f, p, row == 0, separator);
    }
    if (one || dice(4) != 0) fputs(end, f);
    for (uint64_t blank = one ? 0 : dice(3); blank > 0 && seldom(); blank--) fputs(end, f);
}

/* ---- NPY ---- */

static double unit_number(const pair *p, int unit)
{
    static const double nobody[] = {NAN, 1.5, 0x1p53, 1e300, INFINITY};
    return unit == NOBODY ? PICK(nobody) : p->large_ids ? 0x1p53 - 1 - unit : unit + 1;
}

/* Low byte first, on every machine. */
static void put_little(FILE *f, const void *number, size_t size)
{
    const unsigned char *bytes = number;
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

    for (size_t i = 0; i < size; i++) fputc(bytes[little ? i : size - 1 - i], f);
}

static void write_npy(FILE *f, const pair *p, const side *s)
{
    const bool by_column = often(), whole = p->counts && !p->persons, later = often();
    const int wide = p->columns + p->persons, count = s->rows * wide;
    static int order[MOST_ROWS];
    char header[128];

    shuffle(order, s->rows, p->neighbors == TACIT_ENTRY);
    const int length = snprintf(header, sizeof header,
                                "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }\n",
                                whole       ? "<i4"
                                : p->single ? "<f4"
                                            : "<f8",
                                by_column ? "True" : "False", s->rows, wide);
    fprintf(f, "\x93NUMPY%c%c%c%c", later ? 2 : 1, 0, length, 0);
    if (later) fprintf(f, "%c%c", 0, 0);
    fputs(header, f);
    for (int e = 0; e < count; e++) {
        const int i = by_column ? e % s->rows : e / wide, j = by_column ? e / s->rows : e % wide;
        const double x = p->persons && j == 0 ? unit_number(p, s->unit[order[i]])
                                              : s->value[order[i]][j - p->persons];
        const int32_t integer = whole ? (int32_t)x : 0;
        const float single = p->single ? (float)x : 0;
        if (whole)
            put_little(f, &integer, sizeof integer);
        else if (p->single)
            put_little(f, &single, sizeof single);
        else
            put_little(f, &x, sizeof x);
    }
}

/* ---- entries ---- */

/* Where a column of the pair is in a sparse file, from 0. */
static int place(const pair *p, int j)
{
    return p->wide ? (WIDE - 1) * (j + 1) / p->columns : j + (p->persons && p->format != TRIPLETS);
}

/* Zeros may be written out, and some must be: public places are. */
static bool is_written(const pair *p, const side *s, int i, int j)
{
    const bool last = j == p->columns - 1;

    if (s->value[i][j] != 0) return true; /* NaN too */
    if (p->anchor && i == 0 && last) return true;
    if (p->all_rows && last && (i == s->rows - 1 || s->id[i][0] == 'r')) return true;
    return dice(5) == 0;
}

static void write_libsvm(FILE *f, const pair *p, const side *s)
{
    static const char *const label[] = {"0", "+1", "-1", "spam", "1.0"}, *const nothing[] = {
                                                                             "# a 7:7", "", "   ",
                                                                             "#"};
    const char *end = often() ? "\r\n" : "\n";
    static int order[MOST_ROWS];
    char text[300];

    shuffle(order, s->rows, p->neighbors == TACIT_ENTRY);
    for (size_t i = 0; i < p->pad; i++) fputc(i == 0 ? '#' : 'x', f);
    if (p->pad > 0) fputs(end, f);
    for (int i = 0; i < s->rows; i++) {
        const int row = order[i];
        if (seldom()) fprintf(f, "%s%s", PICK(nothing), end);
        fputs(PICK(label), f);
        if (p->persons && (s->unit[row] != NOBODY || often()))
            fprintf(f, " 1:%.17g", unit_number(p, s->unit[row]));
        for (int j = 0; j < p->columns; j++) {
            if (!is_written(p, s, row, j)) continue;
            spell(text, sizeof text, s->value[row][j], false);
            fprintf(f, "%s%d:%s", often() ? " " : "\t ", place(p, j) + 1, text);
        }
        fprintf(f, "%s%s", seldom() ? " # 1:1" : "", i + 1 < s->rows || often() ? end : "");
    }
}

enum { OF_NO_COLUMN = -1, OF_THE_UNIT = -2 };

/* One line of a sparse file that is a list. */
typedef struct line {
    int row, column;
    double value;
} line;

enum { MOST_LINES = MOST_ROWS * (3 * MOST_COLUMNS + 2) };
static line lines[MOST_LINES];
static int line_order[MOST_LINES];

/* Every entry, counts sometimes in parts that add up (Matrix Market has an entry once). */
static int list_entries(const pair *p, const side *s)
{
    const bool triplets = p->format == TRIPLETS, in_parts = p->counts && triplets && often();
    int count = 0;

    for (int i = 0; i < s->rows; i++) {
        const int before = count;
        if (p->persons && !triplets && (s->unit[i] != NOBODY || often()))
            lines[count++] = (line){i, OF_THE_UNIT, unit_number(p, s->unit[i])};
        for (int j = 0; j < p->columns; j++) {
            double x = s->value[i][j];
            if (!is_written(p, s, i, j)) continue;
            for (int parts = 0; in_parts && parts < 2 && x >= 1 && often(); parts++) {
                lines[count++] = (line){i, j, often() ? 1 : 0};
                x -= lines[count - 1].value;
            }
            lines[count++] = (line){i, j, x};
        }
        if (triplets && p->word != NULL && seldom()) lines[count++] = (line){i, OF_NO_COLUMN, 1};
        /* A row is there if a line names it; where rows have declared places it is there anyway. */
        const bool there = p->neighbors == TACIT_ENTRY && !p->all_rows && often();
        if (triplets && count == before && !there) lines[count++] = (line){i, 0, 0};
    }
    shuffle(line_order, count, often());
    return count;
}

static void write_mtx(FILE *f, const pair *p, const side *s)
{
    const int count = list_entries(p, s), wide = p->wide ? WIDE : p->columns + p->persons;
    static int place_of[MOST_ROWS]; /* rows are numbered */
    char text[300];

    shuffle(place_of, s->rows, p->neighbors == TACIT_ENTRY);
    fprintf(f, "%%%%MatrixMarket matrix coordinate %s general\n", often() ? "real" : "integer");
    for (size_t i = 0; i < p->pad; i++) fputc(i == 0 ? '%' : 'x', f);
    if (p->pad > 0) fputc('\n', f);
    fprintf(f, "%d %d %d\n", s->rows, wide, count);
    for (int e = 0; e < count; e++) {
        const line *l = &lines[line_order[e]];
        spell(text, sizeof text, l->value, false);
        if (seldom()) fputs("% 1 1 1\n", f);
        fprintf(f, "%d%s%d %s\n", place_of[l->row] + 1, often() ? " " : "\t",
                l->column == OF_THE_UNIT ? 1 : place(p, l->column) + 1, text);
    }
}

/* A row's name; a number in one of its ways. */
static void put_id(FILE *f, const char *id)
{
    static const char *const ways[] = {"%s", "%s", "%s", "0%s", "%s.0", "%se0"};
    const bool number = strspn(id, "0123456789") == strlen(id) && strlen(id) < 15;
    char text[64];

    snprintf(text, sizeof text, number ? PICK(ways) : "%s", id);
    put_cell(f, text, ',', false);
}

static void put_column(FILE *f, const pair *p, int column)
{
    char text[64];

    snprintf(text, sizeof text, often() ? "%d" : "0%d", column < 0 ? 0 : place(p, column));
    put_cell(f, column < 0 ? "unheard of" : p->word != NULL ? p->word[column] : text, ',', false);
}

static void write_triplets(FILE *f, const pair *p, const side *s)
{
    enum { ROW, COL, COUNT, WHO, NOTE, PARTS };
    static const char *const name[] = {"row", "col", "count", "who", "note"};
    const int count = list_entries(p, s);
    const char *end = often() ? "\r\n" : "\n";
    int part[PARTS];

    /* the header is public, and a ledger is bound to it */
    for (int c = 0; c < PARTS; c++) part[c] = (c + p->first) % PARTS;
    for (int e = -1; e < count; e++) {
        const line *l = e < 0 ? NULL : &lines[line_order[e]];
        bool first = true;
        for (int c = 0; c < PARTS; c++) {
            const int what = part[c];
            if ((what == WHO && !p->persons) || (what == NOTE && !p->note)) continue;
            if (!first) fputc(',', f);
            first = false;
            if (l == NULL)
                put_cell(f, what == ROW && often() ? "ROW" : name[what], ',', true);
            else if (what == ROW)
                put_id(f, s->id[l->row]);
            else if (what == COL)
                put_column(f, p, l->column);
            else if (what == COUNT)
                put_number(f, l->value, ',');
            else if (what == WHO)
                put_unit(f, p, s->unit[l->row], ',');
            else
                put_note(f, p, e == 0, ',');
        }
        if (e + 1 < count || often()) fputs(end, f);
    }
}

static void write_side(FILE *f, const pair *p, const side *s)
{
    switch (p->format) {
    case CSV:
    case PACKED:
    case EUROPE:
    case MIXED:
    case TSV: write_csv(f, p, s); break;
    case NPY: write_npy(f, p, s); break;
    case MTX: write_mtx(f, p, s); break;
    case LIBSVM: write_libsvm(f, p, s); break;
    default: write_triplets(f, p, s); break;
    }
}

/* In one member of gzip or in two, at any level, perhaps padded. */
static void pack(const char *path, const char *bytes, size_t size)
{
    const size_t cut = often() ? size : dice((uint64_t)size + 1);
    unsigned char *to = calloc(1, 2 * size + 4096);
    size_t used = 0;

    MUST(to != NULL);
    for (int part = 0; part < 2; part++) {
        z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes + (part == 0 ? 0 : cut),
                      .avail_in = (unsigned)(part == 0 ? cut : size - cut),
                      .next_out = to + used,
                      .avail_out = (unsigned)(2 * size + 2048 - used)};
        if (part == 1 && cut == size) break;
        MUST(deflateInit2(&z, (int)dice(10), Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
        MUST(deflate(&z, Z_FINISH) == Z_STREAM_END);
        used += (size_t)z.total_out;
        deflateEnd(&z);
    }
    scratch_write(path, to, used + (seldom() ? 512 : 0));
    free(to);
}

/* The file of a side. near > 0: with a note or a comment so long that it ends about there. */
static void write_file(const char *path, pair *p, const side *s, size_t near)
{
    const uint64_t before = dice_state;
    char *bytes = NULL;
    size_t size = 0;

    p->pad = 0;
    for (int again = 0; again < 2; again++) {
        FILE *f = open_memstream(&bytes, &size);
        MUST(f != NULL);
        write_side(f, p, s);
        MUST(fclose(f) == 0);
        if (again == 1 || near <= size + 100) break;
        p->pad = near - size - 40 + dice(80);
        dice_state = before;
        free(bytes);
    }
    if (p->format == PACKED) pack(path, bytes, size);
    if (p->format != PACKED) scratch_write(path, bytes, size);
    free(bytes);
}

#endif
