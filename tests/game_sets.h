/* SPDX-License-Identifier: Apache-2.0 */
/* The data sets of the analyst's game: small files of every format, each with what its owner
   declares, and neighbors of each that differ in one row, one person or one count, as the ledger's
   unit says. What a neighbor has more is chosen by somebody who wants to be seen: a person with
   more rows than may count, values that are none, words that are numbers, numbers beyond the shape.
   A broken line is `torn`: nothing can be made of it, so a run may stop, if its budget stays
   spent. */
#ifndef TAC_GAME_SETS_H
#define TAC_GAME_SETS_H

#include "tap.h"

#include <stdint.h>

enum { MOST_NEIGHBORS = 16, MOST_PAIRS = 12, MOST_BYTES = 8192 };

/* One change: lines go in before line `at` (from 0), after `out` lines there are taken out. NPY:
   numbers of rows instead. */
typedef struct change {
    const char *what; /* NULL: there is none */
    const char *lines;
    int at, out;
    bool torn;
    int like; /* > 0: nothing may differ from that neighbor of the same set, whatever is paid */
} change;

enum {
    PLAYS_KMEANS = 1,
    PLAYS_KMEDIAN = 2,
    PLAYS_SUBSPACE = 4,
    PLAYS_COCLUSTER = 8,
    PLAYS_ROWS = 7
};

typedef struct game_set {
    const char *name, *file;
    int plays; /* families that answer here */
    bool pure;
    const char *declares[MOST_PAIRS][2]; /* option and value, as tacit ledger init takes them */
    const char *schema;                  /* instead: a declaration in a file */
    const char *names;                   /* columns by name, separated by blanks: features first */
    /* the column of persons, and one that is no feature; NULL: none */
    const char *unit, *aside;
    const char *bounds, *shape; /* as declared; NULL: no bounds, no shape */
    /* text; Matrix Market: entries, the size line is worked out; NPY: rows of numbers */
    const char *lines;
    change change[MOST_NEIGHBORS];
} game_set;

#define FROM_PERSON_1 "p1,30,5,a,x\np1,31,6,a,y\np1,32,4,a,\n"
#define PERSONS_HEAD "who,age,stay,class,note\n"
#define PERSONS                                                                                    \
    PERSONS_HEAD FROM_PERSON_1 "p2,60,40,b,z\np2,62,41,b,7\np2,59,,b,\np3,33,7,a,\np3,NA,6,a,"     \
                               "q\np4,61,42,b,\np4,64,39,b,w\n"                                    \
                               "p5,29,3,a,\np5,35,5,a,\np6,58,44,b,\np6,63,40,,\np7,31,4,a,\np8,"  \
                               "60,43,b,last\n"

#define WORDS_TEXT "bread\nmilk\nwine\nham\nhoney\nsalt\n"

static const game_set game_sets[] = {
    {.name = "numbered persons",
     .file = "data.mtx",
     .plays = PLAYS_COCLUSTER,
     .declares = {{"--unit-column", "c1"}, {"--max-rows-per-person", "2"}},
     .schema = "{\"fields\": [{\"name\": \"c1\", \"type\": \"integer\", \"tacit\": {\"role\": "
               "\"unit\"}}],\n"
               "\"tacit\": {\"version\": 1, \"format\": \"mtx\", \"maxRowsPerPerson\": 2, "
               "\"shape\": {\"columns\": 6}}}\n",
     .names = "c3 c2 c4",
     .unit = "c1",
     .aside = "c2",
     .shape = "x6",
     .lines = "1 1 1\n1 2 11\n1 3 2\n2 1 1\n2 2 12\n2 3 3\n3 1 2\n3 2 13\n3 4 2\n4 1 2\n4 2 14\n4 "
              "3 1\n5 1 3\n5 2 15\n5 5 4\n6 1 3\n6 2 16\n6 5 2\n7 1 4\n7 2 17\n7 6 3\n",
     .change = {{"a new person with six rows",
                 "8 1 99\n8 2 21\n8 3 9\n9 1 99\n9 2 22\n9 3 9\n10 1 99\n10 2 23\n10 3 9\n11 1 "
                 "99\n11 2 24\n11 3 9\n12 1 99\n12 2 25\n"
                 "12 3 9\n13 1 99\n13 2 26\n13 3 9\n",
                 21, 0, 0, 0},
                {"persons that are none", "8 1 1.5\n8 2 21\n8 3 9\n9 1 1e300\n9 2 22\n10 2 23\n",
                 21, 0, 0, 0},
                {"a count that is none", "8 1 99\n8 2 21\n8 3 1.5\n", 21, 0, true, 0},
                {"a count that is none, further up", "8 1 99\n8 2 21\n8 3 1.5\n", 0, 0, true, 3},
                {"an entry twice", "8 1 99\n8 2 21\n8 3 1\n8 3 1\n", 21, 0, true, 0},
                {"text", "8 1 99\n8 2 many\n", 21, 0, true, 0},
                {"a column beyond the shape", "8 1 99\n8 7 1\n", 21, 0, true, 0}}},
    {.name = "entries",
     .file = "data.csv",
     .plays = PLAYS_COCLUSTER,
     .declares = {{"--unit", "entry"}, {"--format", "triplets"}, {"--shape", "12x6"}},
     .names = "count row col",
     .shape = "12x6",
     .lines = "row,col,count\n0,0,3\n0,1,2\n1,0,1\n1,2,4\n2,1,2\n2,0,1\n3,3,5\n3,4,2\n4,3,1\n4,5,"
              "2\n5,4,3\n6,5,1\n6,3,2\n7,4,1\n8,0,2\n9,1,1\n10,2,2\n11,5,3\n",
     .change = {{"a count where there was none", "7,1,1\n", 6, 0, 0, 0},
                {"one count more", "3,3,6\n", 7, 1, 0, 0},
                {"the last count taken away", "", 3, 1, 0, 0},
                {"the last count taken away, its line left", "1,0,0\n", 3, 1, 0, 0},
                {"one count more, in a line of its own", "11,5,1\n", 2, 0, 0, 0},
                {"a column beyond the shape", "3,6,1\n", 4, 0, true, 0},
                {"a column beyond the shape, further on", "9,6,1\n", 14, 0, true, 6},
                {"a row beyond the shape", "12,1,1\n", 4, 0, true, 0},
                {"a count that is none", "3,1,many\n", 4, 0, true, 0},
                {"a row that is too short", "3,1\n", 4, 0, true, 0}}},
    {.name = "words",
     .file = "data.csv",
     .plays = PLAYS_COCLUSTER,
     .declares = {{"--format", "triplets"}, {"--vocabulary", "words.txt"}},
     .names = "bread milk count row col",
     .shape = "14x6",
     .lines = "row,col,count\nu1,bread,3\nu1,milk,2\nu2,bread,1\nu2,wine,4\nu3,milk,2\nu3,bread,"
              "1\nu4,ham,5\nu4,honey,2\nu5,ham,1\nu5,salt,2\nu6,honey,3\n"
              "u7,salt,1\nu7,ham,2\nu8,honey,1\nu9,bread,2\n7,milk,1\n",
     .change = {{"a new row of five lines",
                 "u9999,bread,1\nu9999,ham,7\nu9999,wine,1\nu9999,milk,9\nu9999,milk,2\n", 5, 0, 0,
                 0},
                {"a word that is a number", "u9999,1984,1\n", 5, 0, 0, 0},
                {"words that are small numbers", "u9999,2,1\nu9999,0,3\nu9999,007,1\n", 2, 0, 0, 0},
                {"words that nobody has heard of",
                 "u9999,caviar,1\nu9999,,1\nu9999,\"a,b\",1\nu9999,\xff,2\nu9999,1e3,1\nu9999,-1,"
                 "1\nu9999,NA,1\n",
                 2, 0, 0, 0},
                {"a row whose name is a number", "99999999999,bread,1\n", 9, 0, 0, 0},
                {"a count that is none", "u9999,bread,many\n", 5, 0, true, 0},
                {"a count that is none, further on", "u9999,bread,many\n", 13, 0, true, 6},
                {"a count below 0", "u9999,bread,-1\n", 5, 0, true, 0},
                {"a row without a name", ",bread,1\n", 5, 0, true, 0},
                {"a row that is too short", "u9999,bread\n", 5, 0, true, 0}}},
    {.name = "persons",
     .file = "data.csv",
     .plays = PLAYS_ROWS,
     .declares = {{"--unit-column", "who"},
                  {"--max-rows-per-person", "2"},
                  {"--label-column", "class"},
                  {"--columns", "age,stay"},
                  {"--bounds", "age=0:110,stay=0:60"}},
     .schema = "{\"fields\": [{\"name\": \"who\", \"type\": \"string\", \"tacit\": {\"role\": "
               "\"unit\"}},\n"
               "{\"name\": \"age\", \"type\": \"number\", \"constraints\": {\"minimum\": 0, "
               "\"maximum\": 110}},\n"
               "{\"name\": \"stay\", \"type\": \"number\", \"constraints\": {\"minimum\": 0, "
               "\"maximum\": 60}},\n"
               "{\"name\": \"class\", \"type\": \"string\", \"tacit\": {\"role\": \"label\"}},\n"
               "{\"name\": \"note\", \"type\": \"string\", \"tacit\": {\"role\": \"ignore\"}}],\n"
               "\"tacit\": {\"version\": 1, \"format\": \"csv\", \"neighbors\": \"add-remove\", "
               "\"maxRowsPerPerson\": 2}}\n",
     .names = "age stay",
     .unit = "who",
     .aside = "class",
     .bounds = "age=0:110,stay=0:60",
     .lines = PERSONS,
     .change = {{"a new person with six rows",
                 "p9,30,5,a,x\np9,31,6,a,\np9,90,50,b,\np9,91,51,b,\np9,92,52,b,\np9,95,55,b,\n", 6,
                 0, 0, 0},
                {"values that are none",
                 "p9,12x,5,a,\np9,3,0x1F,a,\np9,\"1,5\",--3,a,\np9,\xff\xfe,1 2,a,\n", 4, 0, 0, 0},
                {"text where numbers are", "p9,old,long,a,\np9,old,5,a,\np9,40,long,a,\n", 9, 0, 0,
                 0},
                {"numbers beyond all bounds",
                 "p9,1e308,-1e308,a,\np9,1e999,inf,b,\np9,-1,61,a,\np9,1e-320,nan,b,\n", 2, 0, 0,
                 0},
                {"nothing at all", "p9,,,,\np9,NA,?,NA,NA\np9,null,none,,\n", 11, 0, 0, 0},
                {"an unheard-of class and a long note",
                 "p9,30,5,unheard of,1984\np9,30,5,\"c,\"\"d\"\"\",\"two\nlines\"\n", 7, 0, 0, 0},
                {"rows of nobody's", ",30,5,a,\nNA,x,5,a,\n", 3, 0, 0, 0},
                {"a row that is too short", "p9,30,5\n", 4, 0, true, 0},
                {"a row that is too short, further on", "p9,30,5\n", 13, 0, true, 8},
                {"a row that is too long", "p9,30,5,a,x,more\n", 4, 0, true, 0},
                {"a quote that stays open", "p9,\"30,5,a,x\n", 8, 0, true, 0}}},
    {.name = "rows",
     .file = "data.csv",
     .plays = PLAYS_ROWS,
     .pure = true,
     .declares = {{"--neighbors", "replace"}, {"--bounds", "-1:1"}, {"--columns", "a,b,c"}},
     .names = "a b c",
     .aside = "kind",
     .bounds = "-1:1",
     .lines = "a,b,c,kind\n0.5,0.5,0.25,x\n0.51,0.5,0.25,x\n0.5,0.52,0.25,x\n-0.5,-0.5,0.1,y\n-0."
              "52,-0.5,0.1,y\n-0.5,-0.51,,y\n0.5,0.5,0.3,x\n"
              "-0.5,-0.5,NA,y\n0.5,0.5,0.25,x\n-0.5,-0.5,0.1,y\n0,0,0,\n0.1,0.1,0.1,z\n",
     .change = {{"another row", "-1,1,-1,y\n", 5, 1, 0, 0},
                {"text and a number beyond all bounds", "zero,1e308,0,x\n", 5, 1, 0, 0},
                {"values that are none", "0.1.2,5%,\"0,5\",x\n", 9, 1, 0, 0},
                {"nothing at all", ",,,\n", 2, 1, 0, 0},
                {"a row that is too short", "0.5,0.5\n", 4, 1, true, 0},
                {"a row that is too short, further on", "0.5,0.5\n", 9, 1, true, 5},
                {"a row that is too long", "0.5,0.5,0.5,x,0.5\n", 4, 1, true, 0}}},
    {.name = "baskets of persons",
     .file = "data.csv",
     .plays = PLAYS_COCLUSTER,
     .declares = {{"--unit-column", "who"},
                  {"--max-rows-per-person", "2"},
                  {"--format", "triplets"},
                  {"--shape", "x6"}},
     .names = "count row col",
     .unit = "who",
     .aside = "note",
     .shape = "x6",
     .lines = "row,col,count,who,note\n0,0,3,ann,x\n0,1,2,ann,x\n1,0,1,ann,\n1,2,4,ann,\n2,1,2,bob,"
              "y\n2,0,1,bob,y\n3,3,5,bob,x\n3,4,2,bob,x\n4,3,1,cy,\n4,5,2,cy,\n"
              "5,4,3,dee,z\n6,5,1,dee,y\n6,3,2,dee,y\n7,4,1,eve,\n8,0,2,eve,\n9,1,1,fay,x\n",
     .change = {{"a new person with five rows",
                 "20,0,1,zed,x\n21,1,9,zed,x\n22,2,9,zed,\n23,0,8,zed,y\n24,5,9,zed,y\n", 5, 0, 0,
                 0},
                {"rows of nobody's", "20,0,1,,x\n21,1,1,NA,x\n", 5, 0, 0, 0},
                {"rows with names", "x,0,1,zed,a\ny,1,9,zed,b\n\"z,z\",2,9,zed,c\n", 5, 0, 0, 0},
                {"a row whose lines have other notes", "20,0,1,zed,a\n20,3,1,zed,b\n20,3,2,zed,\n",
                 5, 0, 0, 0},
                {"a column beyond the shape", "20,6,1,zed,x\n", 5, 0, true, 0},
                {"a column beyond the shape, further on", "20,6,1,zed,x\n", 12, 0, true, 5},
                {"a column that is text", "20,bread,1,zed,x\n", 5, 0, true, 0},
                {"a count that is none", "20,1,many,zed,x\n", 5, 0, true, 0},
                {"a row with two owners", "20,1,1,zed,x\n20,2,1,yan,x\n", 5, 0, true, 0},
                {"a row that is too short", "20,1,1\n", 5, 0, true, 0}}},
    {.name = "sparse rows",
     .file = "data.libsvm",
     .plays = PLAYS_KMEANS | PLAYS_KMEDIAN | PLAYS_COCLUSTER,
     .declares = {{"--bounds", "0:5"}, {"--vocabulary", "words.txt"}},
     .schema = "{\"fields\": [], \"tacit\": {\"version\": 1, \"format\": \"libsvm\", "
               "\"vocabulary\": {\"path\": \"words.txt\"}, \"bounds\": [0, 5]}}\n",
     .names = "bread milk c1 c2",
     .aside = "label",
     .bounds = "0:5",
     .shape = "x6",
     .lines = "0 1:3 2:2 6:1\n0 1:1 3:4\n1 1:1 2:2\n1 4:5 5:2\n0 4:1 6:2\n0 5:3\n1 4:2 6:1\n1 "
              "5:1\n0 1:2\n0 2:1\n0\n1 3:2\n",
     .change = {{"a new row", "1 1:5 2:5 3:5 6:5\n", 4, 0, 0, 0},
                {"a row without entries", "+1\n", 4, 0, 0, 0},
                {"a label that is text, and a comment", "spam 1:1 # 7:7\n", 4, 0, 0, 0},
                {"a number beyond all bounds", "1 1:2147483647 2:100\n", 4, 0, 0, 0},
                {"a column beyond the vocabulary", "1 7:1\n", 4, 0, true, 0},
                {"a column beyond the vocabulary, further on", "1 7:1\n", 9, 0, true, 5},
                {"column 0", "1 0:1\n", 4, 0, true, 0},
                {"a value that is text", "1 1:x\n", 4, 0, true, 0},
                {"an entry twice", "1 1:1 1:1\n", 4, 0, true, 0}}},
    {.name = "numbers",
     .file = "data.npy",
     .plays = PLAYS_ROWS,
     .declares = {{"--unit-column", "c1"}, {"--max-rows-per-person", "2"}, {"--bounds", "-1:1"}},
     .names = "c2 c3",
     .unit = "c1",
     .aside = "c3",
     .bounds = "-1:1",
     .lines = "1 0.5 0.5\n1 0.4 0.5\n1 0.5 0.4\n2 -0.5 -0.5\n2 -0.4 -0.5\n3 0.5 0.5\n3 -0.5 nan\n4 "
              "-0.5 -0.4\n5 0.1 0.1\n",
     .change = {{"a new person with six rows",
                 "9 0.5 0.5\n9 1 1\n9 -1 1\n9 -1 -1\n9 0.9 0.9\n9 0.8 0.8\n", 3, 0, 0, 0},
                {"numbers beyond all bounds",
                 "9 1e308 -1e308\n9 inf -inf\n9 nan nan\n9 1e-320 -0\n", 3, 0, 0, 0},
                {"rows of nobody's", "nan 0.5 0.5\n1.5 0.5 0.5\n1e300 1 1\ninf 1 1\n", 3, 0, 0,
                 0}}},
};
enum { GAME_SETS = sizeof game_sets / sizeof *game_sets };

/* ---- the bytes of a file ---- */

/* Where line number `at` begins; the end if there are fewer. */
static const char *line_at(const char *text, int at)
{
    for (; at > 0 && *text != '\0'; at--) {
        const char *end = strchr(text, '\n');
        text = end == NULL ? text + strlen(text) : end + 1;
    }
    return text;
}

static int count_lines(const char *text)
{
    int count = 0;

    for (; *text != '\0'; text++) count += *text == '\n';
    return count;
}

static size_t write_npy(const char *text, char *out)
{
    char header[160];
    const int rows = count_lines(text), length = 118;
    double numbers[300];
    size_t count = 0;

    for (char *end; *text != '\0'; text = end + strspn(end, " \n")) {
        MUST(count < sizeof numbers / sizeof *numbers);
        numbers[count++] = strtod(text, &end);
        MUST(end > text);
    }
    memset(header, ' ', sizeof header);
    const int used = snprintf(header, sizeof header,
                              "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", rows,
                              (int)count / rows);
    MUST(used < length - 1);
    header[used] = ' ';
    header[length - 1] = '\n';
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = (char)length;
    out[9] = 0;
    memcpy(out + 10, header, (size_t)length);
    for (size_t i = 0; i < 8 * count; i++) { /* low byte first, on every machine */
        uint64_t bits;
        memcpy(&bits, numbers + i / 8, sizeof bits);
        out[10 + (size_t)length + i] = (char)(bits >> i % 8 * 8);
    }
    return 10 + (size_t)length + count * sizeof *numbers;
}

/* The rows that a Matrix Market file has: the largest row number. */
static int last_row(const char *text)
{
    int most = 0;

    for (; *text != '\0'; text = line_at(text, 1)) most = atoi(text) > most ? atoi(text) : most;
    return most;
}

/* The file of a set, with a change or (NULL) without. Returns its size; out has room for
   MOST_BYTES. */
static size_t write_set(const game_set *set, const change *c, char *out)
{
    char text[MOST_BYTES];
    const char *at = c == NULL ? set->lines : line_at(set->lines, c->at),
               *rest = c == NULL ? set->lines : line_at(at, c->out);
    const char *ending = strrchr(set->file, '.');

    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - set->lines), set->lines,
             c == NULL ? "" : c->lines, rest);
    if (strcmp(ending, ".npy") == 0) return write_npy(text, out);
    if (strcmp(ending, ".mtx") == 0)
        return (size_t)snprintf(out, MOST_BYTES,
                                "%%%%MatrixMarket matrix coordinate real general\n%d 6 %d\n%s",
                                last_row(text), count_lines(text), text);
    return (size_t)snprintf(out, MOST_BYTES, "%s", text);
}

#endif
