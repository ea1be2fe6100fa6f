/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of neighboring data sets that become files (neighbor_text.h). What docs/limits.md says
   counts as public is alike on both sides, on purpose: that a file is well formed, how many columns
   LIBSVM files and triplets have (an anchor row that both sides share has the last one), and under
   unit entry the rows, their places and their names. */
#ifndef TAC_NEIGHBOR_PAIRS_H
#define TAC_NEIGHBOR_PAIRS_H

#include "scratch.h"

#include "tacit/tacit.h"

#include <math.h>

enum { MOST_ROWS = 1100, MOST_COLUMNS = 6, NOBODY = -1, NEW_PERSON = 99, WIDE = 1600 };

/* PACKED: CSV, by gzip. EUROPE: CSV with semicolons and decimal commas. MIXED: CSV whose columns
   hold numbers, dates and categories, each with its own rule for what is missing. */
typedef enum format { CSV, TSV, NPY, MTX, LIBSVM, TRIPLETS, PACKED, EUROPE, MIXED, FORMATS } format;
static const char *const format_name[] = {"csv",      "tsv",  "npy",    "mtx",  "libsvm",
                                          "triplets", "gzip", "europe", "mixed"};
static const char *const file_name[] = {"data.csv",    "data.tsv",    "data.npy",
                                        "data.mtx",    "data.libsvm", "data.csv",
                                        "data.csv.gz", "data.csv",    "data.csv"};

/* The second file of a data set that is two. */
static inline const char *second_name(int of)
{
    static char name[32];

    snprintf(name, sizeof name, "more-%s", file_name[of]);
    return name;
}

/* What a column of a mixed file holds. */
typedef enum holding { NUMBERS, LOGS, ROOTS, DATES, BOOLEANS, CATEGORIES, HOLDINGS } holding;

typedef struct side {
    int rows;
    double value[MOST_ROWS][MOST_COLUMNS]; /* NaN: missing */
    int unit[MOST_ROWS];                   /* whose row; NOBODY */
    char id[MOST_ROWS][24];                /* triplets: the row's number or name */
} side;

typedef struct pair {
    format format;
    bool counts, persons; /* a table of counts; persons are protected */
    bool wide;            /* so many columns that rows stay sparse */
    bool note;            /* a column of text that nobody asks for */
    /* row 0 has an entry in the last column, so that it is there on both sides */
    bool anchor;
    /* entry: every row is mentioned, because nothing declares how many there are or they have
       names */
    bool all_rows;
    bool large_ids; /* persons are numbered just below 2^53 */
    bool single;    /* NPY of 32-bit floats */
    int first;      /* triplets: the column that the header begins with */
    bool mixed;     /* columns hold what `holds` says; else numbers */
    holding holds[MOST_COLUMNS];
    const char *const *word; /* the columns are words of a vocabulary; NULL: numbers */
    tacit_neighbors neighbors;
    int columns;
    size_t pad; /* bytes more, in a note or a comment */
    side side[2];
} pair;

static inline bool is_text(const pair *p)
{
    return p->format == CSV || p->format == TSV || p->format >= PACKED;
}

/* ---- dice ---- */

static uint64_t dice_state;

static uint64_t dice(uint64_t sides)
{
    dice_state ^= dice_state << 13;
    dice_state ^= dice_state >> 7;
    dice_state ^= dice_state << 17;
    return (dice_state >> 11) % sides;
}

static bool often(void)
{
    return dice(2) == 0;
}

static bool seldom(void)
{
    return dice(8) == 0;
}

#define PICK(list) (list)[dice(sizeof(list) / sizeof *(list))]

/* ---- data sets ---- */

static double nasty_value(void)
{
    static const double list[] = {-1,        1, 0,   1e300, -1e300, 0.5,    -0.0,
                                  1 + 1e-12, 5, NAN, NAN,   0.1,    1e-320, 3};
    return seldom() ? 2.4 * (double)dice(1000003) / 1000003 - 1.2 : PICK(list);
}

static double nasty_count(void)
{
    static const double list[] = {0, 0, 1, 1, 1, 2, 3, 4, 7, 8, 63, 64, 1000, 65535, 2147483646};
    return list[dice(seldom() ? 15 : 9)];
}

/* Equal rows: removing one empties a cell. Nothing: all missing, or no count. */
enum { EQUAL, CLUSTERED, NASTY, FAR, NOTHING, HOWS };

static double make_value(const pair *p, int j, int how, uint64_t cluster)
{
    if (p->counts)
        return how == NOTHING     ? 0
               : how == CLUSTERED ? (j % 3 == (int)cluster ? 1 + (double)dice(5) : 0)
                                  : nasty_count();
    if (how == CLUSTERED)
        return 0.75 * sin((double)cluster * 7 + j) + 0.02 * (double)dice(100) / 100;
    return how == EQUAL ? 0.25 : how == NASTY ? nasty_value() : how == FAR ? 1e300 : NAN;
}

static void make_row(const pair *p, side *s, int i, int how)
{
    const uint64_t cluster = dice(3);

    for (int j = 0; j < p->columns; j++) s->value[i][j] = make_value(p, j, how, cluster);
    s->unit[i] = seldom() ? NOBODY : (int)dice(12);
}

/* A name that is this row's alone: a number, a number that is no place, or text. text: so many of 8
   are not numbers. */
static void name_row(side *s, int i, int key, uint64_t text)
{
    static const char *const form[] = {"r%d",  "O'Brien %d", "x\"%d\"",         "%d,5",
                                       "%d.5", "-%d",        "90071992547409%d"};

    if (dice(8) < text)
        snprintf(s->id[i], sizeof s->id[i], PICK(form), key + 100);
    else
        snprintf(s->id[i], sizeof s->id[i], "%lld",
                 (long long)(seldom() ? INT64_C(3000000000) + key : key));
}

static void copy_row(side *to, int at, const side *from, int i)
{
    memcpy(to->value[at], from->value[i], sizeof to->value[at]);
    memcpy(to->id[at], from->id[i], sizeof to->id[at]);
    to->unit[at] = from->unit[i];
}

/* Rows of one side that the other has not: one, or a person with more rows than may count, and
   perhaps rows of nobody's. */
static void add_unit(const pair *p, side *s, int key, uint64_t text)
{
    const int extra = p->persons ? 1 + (int)dice(5) : 1, how = CLUSTERED + (int)dice(HOWS - 1);
    const int strays = p->persons && seldom() ? 1 + (int)dice(3) : 0;

    for (int i = 0; i < extra + strays; i++) {
        make_row(p, s, s->rows, i < extra ? how : (int)dice(HOWS));
        name_row(s, s->rows, key + i, text);
        s->unit[s->rows++] = i < extra ? NEW_PERSON : NOBODY;
    }
}

/* One count more or less. An entry may come into being that way, or go. */
static void step(const pair *p, side *s)
{
    if (s->rows == 0) return;
    double *x = &s->value[dice((uint64_t)s->rows)][dice((uint64_t)p->columns)];
    *x += *x == 2147483647 || (*x > 0 && often()) ? -1 : 1;
}

static int choose_size(const pair *p)
{
    static const int sizes[] = {0, 0, 1, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65};
    const int rows = dice(60) == 0 && !p->wide ? 1020 + (int)dice(8) : PICK(sizes);
    return p->anchor && rows == 0 ? 1 : rows;
}

/* Fills the sides. Needs all of the pair but them and pad. */
static void make_sides(pair *p)
{
    const bool entry = p->neighbors == TACIT_ENTRY, replace = p->neighbors == TACIT_REPLACE,
               names = entry && often();
    const int how = (int)dice(4);
    const uint64_t text = entry ? 0 : PICK(((const uint64_t[]){0, 0, 4, 8})),
                   other_text = often() ? text : 8 * dice(2);
    static side spare;
    side *a = &p->side[0], *b = &p->side[1];

    a->rows = choose_size(p);
    for (int i = 0; i < a->rows; i++) {
        make_row(p, a, i, how == 3 ? (int)dice(3) : how);
        name_row(a, i, i, text);
        if (entry)
            snprintf(a->id[i], sizeof a->id[i], names ? "row %d" : "%d",
                     names ? i * 37 % 1000 + i / 1000 * 1000 : i);
    }
    b->rows = a->rows;
    for (int i = 0; i < a->rows; i++) copy_row(b, i, a, i);
    p->all_rows = entry && (names || p->all_rows);
    if (entry)
        step(p, b);
    else
        add_unit(p, a, MOST_ROWS, other_text);
    if (replace) add_unit(p, b, often() ? MOST_ROWS : MOST_ROWS + 50, often() ? text : other_text);
    if (often()) { /* either may be the one that is run first */
        spare = *a;
        *a = *b;
        *b = spare;
    }
}

#endif
