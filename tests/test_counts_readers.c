/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of counts from every format: known tables, shapes, vocabularies, owners, doubles, and what
   is no count. */
#include "data/dataset/dataset.h"
#include "reading.h"

#define TRI TACIT_FORMAT_TRIPLETS
#define MTX TACIT_FORMAT_MATRIX_MARKET
#define SVM TACIT_FORMAT_LIBSVM
#define CSV TACIT_FORMAT_CSV

/* Ways to read rows, each time anew. */
#define COUNTS                                                                                     \
    &(tac_load)                                                                                    \
    {                                                                                              \
        .counts = true                                                                             \
    }
#define PLACES                                                                                     \
    &(tac_load)                                                                                    \
    {                                                                                              \
        .counts = true, .places = true                                                             \
    }

static char words_path[sizeof folder + 32];

static void put_words(const char *text)
{
    FILE *file = fopen(words_path, "wb");
    MUST(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* How a file is opened and read. */
typedef struct how {
    tacit_format format;
    int64_t rows;
    int32_t columns;
    bool words;
    const char *unit, *label, *chosen, *id;
    bool plain, whole_rows; /* no counts; no places */
} how;

/* What came: a status, or the table as text "3x2|1 0|0 2|0 0", owners "u:0,-1", labels "l:...",
   both reads alike. */
static char got[4096];
static tacit_status status_of;

static void say(const char *format, ...)
{
    va_list list;
    const size_t used = strlen(got);
    va_start(list, format);
    vsnprintf(got + used, sizeof got - used, format, list);
    va_end(list);
}

static void tell(tacit_data *data)
{
    const tac_reader *r = data->reader;
    const int32_t dims = data->selection.dims;
    double row[64], sparse[64];
    tac_nonzeros block = {0};

    say("%lldx%d", (long long)r->rows, dims);
    for (int64_t i = 0; i < r->rows; i++) {
        MUST(r->read(r, i, 1, row) == TACIT_OK);
        if (r->read_sparse != NULL) {
            memset(sparse, 0, sizeof sparse);
            MUST(r->read_sparse(r, i, 1, &block) == TACIT_OK);
            for (int64_t e = 0; e < block.start[1]; e++) {
                if (e > 0 && block.feature[e] <= block.feature[e - 1]) say(" UNSORTED");
                sparse[block.feature[e]] = block.value[e];
            }
            if (memcmp(row, sparse, (size_t)dims * sizeof *row) != 0) say(" DIFFERS");
        }
        for (int32_t j = 0; j < dims; j++) say("%c%.17g", j == 0 ? '|' : ' ', row[j]);
    }
    int64_t *unit = data->selection.unit < 0 ? NULL : reader_persons(r);
    for (int64_t i = 0; unit != NULL && i < r->rows; i++)
        say("%s%lld", i == 0 ? " u:" : ",", (long long)unit[i]);
    free(unit);
    for (int64_t i = 0; r->label != NULL && i < r->rows; i++)
        say("%s%lld", i == 0 ? " l:" : ",", (long long)r->label[i]);
    for (int64_t i = 0; data->selection.names && i < r->rows; i++) {
        const char *id = NULL;
        MUST(tacit_data_row_id(ctx, data, i, &id) == TACIT_OK);
        say("%s%s", i == 0 ? " n:" : ",", id);
    }
    tac_nonzeros_clear(&block);
}

static const char *take_counts(const how *h)
{
    tacit_data_opts o;
    tacit_data *data = NULL;

    got[0] = ctx->message[0] = '\0';
    tacit_data_opts_init(&o, sizeof o);
    o.format = h->format;
    o.shape_rows = h->rows;
    o.shape_columns = h->columns;
    o.vocabulary = h->words ? words_path : NULL;
    o.unit_column = h->unit;
    o.label_column = h->label;
    o.id_column = h->id;
    o.columns = h->chosen;
    status_of = tacit_data_open(ctx, file_path, &o, &data);
    if (status_of == TACIT_OK) {
        status_of = tac_data_load(
            ctx, data, &(tac_load){.counts = !h->plain, .places = !h->plain && !h->whole_rows});
        if (status_of == TACIT_OK) tell(data);
    }
    tacit_data_free(data);
    return got;
}

#define IS(text, expected, what, ...)                                                              \
    do {                                                                                           \
        put((text), strlen(text));                                                                 \
        const char *is = take_counts(&(how){.format = __VA_ARGS__});                               \
        CHECK(strcmp(is, (expected)) == 0, "%s", (what));                                          \
        if (strcmp(is, (expected)) != 0) printf("# %s %s\n", is, ctx->message);                    \
    } while (0)

/* Refused: the sentence says all of `words`, separated by '|', none of those behind a '!', and not
   777, which stands for a value. */
#define NOT(text, words, what, ...)                                                                \
    do {                                                                                           \
        char copy[256], *rest = copy, *word;                                                       \
        put((text), strlen(text));                                                                 \
        take_counts(&(how){.format = __VA_ARGS__});                                                \
        bool good = (status_of == TACIT_E_FORMAT || status_of == TACIT_E_ARGUMENT) && !said("77"   \
                                                                                            "7");  \
        snprintf(copy, sizeof copy, "%s", (words));                                                \
        while ((word = strsep(&rest, "|")) != NULL)                                                \
            good = good && said(word + (*word == '!')) == (*word != '!');                          \
        CHECK(good, "refused: %s", (what));                                                        \
        if (!good) printf("# status %d: %s\n", (int)status_of, ctx->message);                      \
    } while (0)

static void test_ids(void)
{
    const char *const numbers = "row,col,count\n5,1,3\n2,0,1\n5,0,2\n";
    const char *const names = "row,col,count,who\nbob,0,1,b\n7,0,2,\nann,1,3,a\nbob,1,4,b\n";
    const char *id = NULL;
    tacit_data *data = NULL;

    IS(numbers, "2x2|1 0|2 3 n:2,5", "rows of people are called by their numbers", TRI,
       .whole_rows = true, .id = "row");
    IS(numbers, "2x2|1 0|2 3 n:2,5", "also of plain numbers", TRI, .plain = true, .id = "ROW");
    IS(numbers, "7x2|0 0|0 0|1 0|0 0|0 0|2 3|0 0 n:0,1,2,3,4,5,6", "and so are places", TRI, 7,
       .id = "row");
    IS(names, "3x2|1 4|2 0|0 3 n:bob,7,ann", "names, in the order of the rows", TRI,
       .whole_rows = true, .id = "row");
    IS(names, "3x2|2 0|0 3|1 4 n:7,ann,bob", "and of places", TRI, .id = "row");
    IS(names, "4x2|2 0|0 3|1 4|0 0 n:7,ann,bob,", "a declared place that no line names has no name",
       TRI, 4, .id = "row");
    IS(names, "3x2|1 4|2 0|0 3 l:0,1,2 n:b,,a", "another column of the list", TRI,
       .whole_rows = true, .id = "who");
    IS("a,who,b\n1,\"x,\"\"y\"\"\",2\n3,,4\n5,z,6\n7,z,8\n",
       "4x2|1 2|3 4|5 6|7 8 l:0,1,2,2 n:x,\"y\",,z,z", "a column of a table", CSV, .id = "who");
    NOT(names, "id column", "a label column and another id column", TRI, .label = "who",
        .id = "count");
    NOT(names, "did you mean 'who'?", "an id column that is not there", TRI, .id = "whom");
    NOT("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1\n", "id column",
        "a format without names", MTX, .id = "row");
    MUST(tacit_data_open(ctx, file_path,
                         &(tacit_data_opts){.size = sizeof(tacit_data_opts), .format = MTX},
                         &data) == TACIT_OK);
    MUST(tac_data_load(ctx, data, NULL) == TACIT_OK);
    CHECK(tacit_data_row_id(ctx, data, 0, &id) == TACIT_E_ARGUMENT && id == NULL, "no id is told "
                                                                                  "that was not "
                                                                                  "asked for");
    tacit_data_free(data);
}

/* Columns of triplets, which nobody named. */
static void test_chosen_triplets(void)
{
    IS("row,col,count\n0,0,5\n0,2,6\n", "1x1|6", "columns chosen by name", TRI, .chosen = "col2");
    IS("row,col,count\n0,0,5\n0,2,6\n", "1x1|6", "as they were called before", TRI, .chosen = "c3");
    IS("row,col,count\n0,0,5\n0,2,6\n", "1x1|6", "and by number from 1", TRI, .chosen = "3");
    IS("row,col,count\n0,0,5\n0,2,-6\n", "1x1|5", "what is not chosen is not looked at", TRI,
       .chosen = "c1", .plain = true);
}

static void test_triplets(void)
{
    IS("row,col,count\n0,1,3\n2,0,1\n0,3,2\n", "3x4|0 3 0 2|0 0 0 0|1 0 0 0",
       "an unnamed row between is empty", TRI);
    IS("row,col,count\n0,1,3\n2,0,1\n0,3,2\n", "2x4|0 3 0 2|1 0 0 0",
       "or not there, where rows are people", TRI, .whole_rows = true);
    IS("when,count,extra,Col,ROW\r\nx,3,\"a,b\",1,0\r\ny,\"2\",\"q\"\"r\nz\",0,\"1\"\r\n",
       "2x2|0 3|2 0", "other order, other columns, quotes, CRLF, a cell of two lines", TRI);
    IS("row,col,count\n1,1,2\n0,0,1\n1,1,3\n1,0,4\n", "2x2|1 0|4 5",
       "the same entry twice adds up, rows mixed", TRI);
    IS("row,col,count\n0,1,2\n0,1,3\n0,1,0\n1,0,1\n", "2x2|0 5|1 0",
       "the same entry twice adds up, rows in order", TRI);
    IS("row,col,count\n0,2,0\n1,0,1\n", "2x3|0 0 0|1 0 0", "an explicit zero is nothing", TRI);
    IS("row,col,count\n5,2,0\n7,0,1\n", "2x3|0 0 0|1 0 0", "but its row is there", TRI,
       .whole_rows = true);
    IS("row,col,count\n0,0,2147483647\n1,0,1e3\n2,0,5.0\n", "3x1|2147483647|1000|5",
       "the largest count, other notations", TRI);
    IS("row,col,count\n1,1,1\n", "4x3|0 0 0|0 1 0|0 0 0|0 0 0",
       "a declared shape has its empty rows and columns", TRI, 4, 3);
    IS("row,col,count\n1,1,1\n", "1x3|0 1 0", "rows of people are not made up by a shape", TRI, 4,
       3, .whole_rows = true);
    IS("row,col,count\n", "2x2|0 0|0 0", "no entries, declared", TRI, 2, 2);
    IS("row,col,count\nann,0,1\n7,1,2\nann,1,3\n", "2x2|1 3|0 2",
       "names of rows, in the order they appear", TRI, .whole_rows = true);
    IS("row,col,count\nann,0,1\n7,1,2\nann,1,3\n", "2x2|0 2|1 3",
       "named places, in the order of the names", TRI);
    IS("row,col,count\nbob,0,1\nann,0,2\nbo,0,3\n", "3x1|2|3|1", "whatever the order of the lines",
       TRI);
    IS("row,col,count\nann,0,2\nbob,0,1\nbo,0,3\nann,0,0\n", "3x1|2|3|1",
       "so that no count can move them", TRI);
    IS("row,col,count\n3,0,1\n2,1,2\nzoe,1,3\n\"2\",0,4\n", "3x2|4 2|1 0|0 3",
       "one name late in the file makes all rows names", TRI);
    IS("row,col,count\n7,0,1\n07,1,2\n7.0,2,3\n", "1x3|1 2 3",
       "a number in other notations is one row", TRI, .whole_rows = true);
    IS("row,col,count\n7,0,1\n07,1,2\n7.0,2,3\nzoe,0,4\n", "2x3|1 2 3|4 0 0",
       "and stays one beside a name", TRI, .whole_rows = true);
    IS("row,col,count\nann,0,1\nbob,0,1\n", "3x1|1|1|0", "names and a shape", TRI, 3, 1);
    IS("row,col,count\n4294967303,0,1\n7,0,2\n12884901895,0,4\n", "3x1|1|2|4",
       "customers whose numbers differ by multiples of 2^32 are apart", TRI, .whole_rows = true);
    IS("row,col,count\n9876543210,0,1\n5,0,2\n", "2x1|1|2",
       "customer numbers beyond all places are names", TRI, .whole_rows = true);
    IS("row,col,count\n1.5,0,1\n5,0,2\n-3,0,3\n90071992547409931,0,4\n", "4x1|1|2|3|4",
       "and so are numbers that are no place", TRI, .whole_rows = true);
    IS("row,col,count\n5,0,2\nzoe,0,5\n1.5,0,1\n", "3x1|2|5|1", "beside a name or not", TRI,
       .whole_rows = true);
    NOT("row,col,count\n1.5,0,777\n", "!line|'row'", "a place that is none", TRI);
    NOT("row,col,count\n1,0,1\n1.5,0,777\n0,0,1\n", "!line|'row'", "nor in rows that are mixed",
        TRI);
    IS("row,col,count\n1.5,0,1\n9,0,2\nzoe,0,3\n", "3x1|1|2|3",
       "beside a name it is one, whichever line comes first", TRI, 3);
    IS("row,col,count\nzoe,0,3\n9,0,2\n1.5,0,1\n", "3x1|1|2|3",
       "so that no count decides whether it is refused", TRI, 3);

    NOT("row,col,count\n0,0,-777\n", "!line|count|whole numbers", "a negative count", TRI);
    NOT("row,col,count\n0,0,1\n0,1,1.5\n", "!line|count|whole numbers", "a fraction", TRI);
    NOT("row,col,count\n0,0,nan\n", "!line|count|whole numbers", "NaN", TRI);
    NOT("row,col,count\n0,0,\n", "!line|count|whole numbers", "a missing count", TRI);
    NOT("row,col,count\n0,0,2147483648\n", "!line|count|whole numbers", "a count too large", TRI);
    NOT("row,col,count\n0,0,1e300\n", "!line|count|whole numbers", "a count far too large", TRI);
    NOT("row,col,count\n0,0,many\n", "line 2|'count'|text", "text", TRI);
    NOT("row,col,count\n0,0,2147483647\n1,0,1\n0,0,1\n", "!line|'col0'|add up",
        "a sum too large, rows mixed", TRI);
    NOT("row,col,count\n0,0,2147483647\n0,0,777\n", "!line|'col0'|add up", "a sum too large", TRI);
    NOT("row,col,count\n0,777,1\n", "!line|'col'|declared shape", "a column outside the shape", TRI,
        2, 2);
    NOT("row,col,count\n0,0,1\n777,0,1\n", "!line|'row'|declared shape", "a row outside the shape",
        TRI, 2, 2);
    NOT("row,col,count\nann,0,1\nbob,0,1\n", "!line|'row'|declared shape", "more names than rows",
        TRI, 1, 1);
    NOT("row,col,count\n0,cat,1\n", "line 2|'col'|vocabulary",
        "names of columns without a vocabulary", TRI, 2, 2);
    NOT("row,col,count\n,0,1\n", "line 2|'row'", "no row", TRI, 2, 2);
    NOT("row,col,count\nann,0,1\nNA,0,1\n", "line 3|'row'", "no row among names", TRI, 2, 2);
    NOT("row,col,count\n0,0,1\n0,0,1\n", "!line|given before", "plain numbers: an entry twice", TRI,
        .plain = true);
    NOT("row,col,count\n", "no rows", "no entries, nothing declared", TRI);
}

static void test_sides(void)
{
    static const char bought[] = "row,person,col,count,kind\n4,eve,0,1,a\n4,eve,1,2,a\n9,adam,0,3,"
                                 "b\n9,adam,2,1,b\n5,eve,1,1,a\n6,,0,1,c\n";

    IS(bought, "4x3|1 2 0|0 1 0|1 0 0|3 0 1 u:0,0,-1,1 l:0,0,2,1",
       "a person owns several rows; one owns none", TRI, .unit = "person", .label = "kind",
       .whole_rows = true);
    IS("row,col,count,who\n2,0,1,x\n", "3x1|0|0|1 u:-1,-1,0", "empty rows are nobody's", TRI,
       .unit = "who");
    IS("row,col,count,who\n2,0,1,x\n", "3x1|0|0|1 l:1,1,0", "and have a label of their own", TRI,
       .label = "who");
    NOT("row,col,count,who\n0,0,1,x\n0,1,1,x777\n", "!line 3|'who'|differ", "a row with two owners",
        TRI, .unit = "who");
    NOT("row,col,count,who\n0,0,1,x\n1,0,1,x\n0,1,1,\n", "!line 4|'who'|differ",
        "a row with an owner and none, mixed", TRI, .unit = "who");
    NOT("row,col,count,who\n0,0,1,x\n", "unit column names the column 'Who'",
        "a column that is not there", TRI, .unit = "Who");
    NOT("row,col,count,who\n0,0,1,x\n", "columns names the column 'who'", "a side as a feature",
        TRI, .chosen = "who");
    put_words("who\nbread\n");
    IS("row,col,count,who\n0,who,1,x\n", "1x2|1 0 u:0",
       "a word does not hide the column of the same name", TRI, .unit = "who", .words = true);
}

static void test_vocabulary(void)
{
    put_words("tea\r\n  bread \r\n\xc3\xa9t\xc3\xa9");
    IS("row,col,count\n0,bread,1\n0,\"\xc3\xa9t\xc3\xa9\",2\n1,gold,777\n", "2x3|0 1 2|0 0 0",
       "names, and others left out", TRI, .words = true);
    IS("row,col,count\n0,1,1\n1,tea,2\n", "2x3|0 0 0|2 0 0",
       "a number that is no word of the vocabulary is an unknown word", TRI, .words = true);
    IS("row,col,count\n0,tea,1\n", "2x3|1 0 0|0 0 0", "with a shape", TRI, 2, 3, .words = true);
    IS("row,col,count\n0,tea,1\n0,\xc3\xa9t\xc3\xa9,4\n", "1x1|4", "columns by name", TRI,
       .words = true, .chosen = "\xc3\xa9t\xc3\xa9");
    IS("row,col,count\n0,1984,777\n1,tea,1\n", "2x3|0 0 0|1 0 0",
       "however large: one person's word stops no run", TRI, .words = true);
    IS("row,col,count\n0,tea,1\n1,-3,7\n1,NA,7\n1,1.5,7\n1,,7\n", "2x3|1 0 0|0 0 0",
       "one person's odd words are left out", TRI, .words = true);
    NOT("row,col,count\n0,tea,1\n", "3 names|4 columns", "another number of columns", TRI, 2, 4,
        .words = true);
    IS("%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 3 4\n", "2x1|4|0",
       "Matrix Market, columns by name", MTX, .words = true, .chosen = "\xc3\xa9t\xc3\xa9");
    NOT("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 4\n", "3 names|2 columns",
        "Matrix Market of other width", MTX, .words = true);
    IS("x 1:2 3:1\n", "1x3|2 0 1", "LIBSVM", SVM, .words = true);
    NOT("x 1:2 4:1\n", "!line|shape", "LIBSVM, an index outside", SVM, .words = true);
    NOT("a,b\n1,2\n", "vocabulary|header", "a CSV matrix has its own names", CSV, .words = true);
    put_words("tea\n2\n");
    IS("row,col,count\n0,2,1\n0,1,5\n0,0,6\n", "1x2|0 1",
       "where a word is a number, numbers are words", TRI, .words = true);
    put_words("tea\n\nbread\n");
    NOT("row,col,count\n0,0,1\n", "line 2|empty", "an empty line", TRI, .words = true);
    put_words("tea\nbread\n tea\n");
    NOT("row,col,count\n0,0,1\n", "line 3|line 1", "a word twice", TRI, .words = true);
    put_words("tea\nbr\x80"
              "ad\n");
    NOT("row,col,count\n0,0,1\n", "line 2|UTF-8", "not UTF-8", TRI, .words = true);
    put_words("");
    NOT("row,col,count\n0,0,1\n", "empty", "no words", TRI, .words = true);
}

static void test_other_formats(void)
{
    static const char head[] = "%%MatrixMarket matrix coordinate integer general\n";
    char text[256];

#define MM(rest) (snprintf(text, sizeof text, "%s%s", head, (rest)), text)
    IS(MM("3 2 4\n3 1 1\n1 2 2\n1 2 5\n1 1 0\n"), "3x2|0 7|0 0|1 0",
       "Matrix Market: doubles, zeros, an empty row", MTX);
    IS(MM("2 2 1\n1 1 3\n"), "4x3|3 0 0|0 0 0|0 0 0|0 0 0", "a shape goes before the header", MTX,
       4, 3);
    NOT(MM("3 3 1\n3 1 777\n"), "!line|rows|shape", "more rows than the shape", MTX, 2, 3);
    IS(MM("2 2 1\n1 1 3\n"), "2x3|3 0 0|0 0 0", "but rows of people are not made up by it", MTX, 4,
       3, .whole_rows = true);
    IS(MM("3 3 1\n3 1 7\n"), "3x3|0 0 0|0 0 0|7 0 0",
       "nor refused: that would tell how many there are", MTX, 2, 3, .whole_rows = true);
    NOT(MM("3 3 1\n1 3 777\n"), "!line|columns|shape", "more columns than the shape", MTX, 3, 2);
    NOT(MM("3 3 1\n1 1 777\n"), "!line|columns|shape", "whether one of them has an entry or not",
        MTX, 3, 2);
    NOT(MM("3 3 1\n1 1 777\n"), "!line|rows|shape", "and of rows", MTX, 2, 3);
    NOT(MM("1 1 1\n1 1 -777\n"), "!line|'c1'|whole numbers", "a negative count", MTX);
    NOT(MM("1 1 1\n1 1 nan\n"), "!line|'c1'|whole numbers", "NaN", MTX);
    NOT(MM("1 2 2\n1 1 2147483647\n1 1 1\n"), "!line|'c1'|add up", "a sum too large", MTX);
    NOT(MM("1 2 2\n1 1 777\n1 1 1\n"), "!line|given before", "plain numbers: an entry twice", MTX,
        .plain = true);

    IS("x 1:2 3:1\ny\nx 2:4\n", "3x3|2 0 1|0 0 0|0 4 0 l:0,1,0", "LIBSVM", SVM, .label = "label");
    IS("x 1:2\n", "3x2|2 0|0 0|0 0 l:0,1,1", "with a shape", SVM, 3, 2, .label = "label");
    NOT("x 1:2\nx 1:1\n", "!line|shape", "more rows than the shape", SVM, 1, 2);
    NOT("x 1:2 3:777\n", "!line|shape", "an index outside the shape", SVM, 1, 2);
    NOT("x 1:2\nx 1:7.77\n", "!line|'c1'|whole numbers", "a fraction", SVM);

    IS("a,b,who\n1,0,x\n0,2,y\n", "2x2|1 0|0 2 u:0,1", "a CSV matrix", CSV, .unit = "who");
    IS("a,b\n1,0\n0,2\n", "2x2|1 0|0 2", "of the declared shape", CSV, 2, 2);
    NOT("a,b\n1,0\n0,2\n", "3 columns", "of other width than declared", CSV, 2, 3);
    NOT("a,b\n1,0\n0,2\n", "3 rows", "of other height than declared", CSV, 3, 2);
    NOT("a,b\n1,0\n0,7.77\n", "!line|'b'|whole numbers", "a fraction", CSV);
    NOT("a,b\n1,0\n\"-777\",0\n", "!line|'a'|whole numbers", "a negative count in quotes", CSV);
    NOT("a,b\n1,NA\n", "!line|'b'|whole numbers", "a missing count", CSV);
    IS("a,b\n1,\n", "1x2|1 nan", "which plain numbers may be", CSV, .plain = true);
}

/* In memory: values of any type, CSR with doubles. */
static void test_memory(void)
{
    const int32_t values[] = {1, 0, 3, 4}, negative[] = {1, 0, -777, 4};
    const double fraction[] = {1, 0.5}, large[] = {1, 2147483648.0};
    const int64_t begin[] = {0, 4, 5};
    const int32_t column[] = {1, 0, 1, 1, 0};
    const double count[] = {2, 1, 3, 0, 7}, huge[] = {2147483647, 1, 1, 0, 7};
    tacit_data *data = NULL;

#define LOAD(open_it)                                                                              \
    (got[0] = '\0', tacit_data_free(data), data = NULL, MEMORY_MUST((open_it) == TACIT_OK),        \
     tac_data_load(ctx, data, COUNTS))
#define MEMORY_MUST(x) ((x) ? (void)0 : abort())
    CHECK(LOAD(tacit_data_from_memory(ctx, values, TACIT_I32, 2, 2, &data)) == TACIT_OK &&
              (tell(data), strcmp(got, "2x2|1 0|3 4") == 0),
          "counts in memory");
    CHECK(LOAD(tacit_data_from_memory(ctx, negative, TACIT_I32, 2, 2, &data)) == TACIT_E_FORMAT &&
              said("'c1'") && !said("777"),
          "a negative one names the column");
    CHECK(LOAD(tacit_data_from_memory(ctx, fraction, TACIT_F64, 1, 2, &data)) == TACIT_E_FORMAT &&
              said("'c2'"),
          "a fraction");
    CHECK(LOAD(tacit_data_from_memory(ctx, large, TACIT_F64, 1, 2, &data)) == TACIT_E_FORMAT &&
              said("'c2'"),
          "too large a count");
    CHECK(LOAD(tacit_data_from_csr(ctx, begin, column, count, 2, 2, &data)) == TACIT_OK &&
              (tell(data), strcmp(got, "2x2|1 5|7 0") == 0),
          "CSR: the same entry three times adds up");
    CHECK(LOAD(tacit_data_from_csr(ctx, begin, column, huge, 2, 2, &data)) == TACIT_E_FORMAT &&
              said("'c2'") && said("add up"),
          "but not to more than a count");
    CHECK(LOAD(tacit_data_from_csr(ctx, begin, column, (double[]){1, -1, 1, 1, 1}, 2, 2, &data)) ==
                  TACIT_E_FORMAT &&
              said("'c1'"),
          "a negative one in CSR");
    tacit_data_free(data);
}

/* One handle, one way to read it. */
static void test_ways(void)
{
    const int64_t begin[] = {0, 1};
    const int32_t column[] = {0};
    const double count[] = {2};
    const int32_t dense[] = {2};
    tacit_data_opts o;
    tacit_data *data = NULL;

    MUST(tacit_data_from_csr(ctx, begin, column, count, 1, 1, &data) == TACIT_OK &&
         tac_data_load(ctx, data, NULL) == TACIT_OK);
    CHECK(tac_data_load(ctx, data, COUNTS) == TACIT_E_ARGUMENT && said("open it again") &&
              said("as plain numbers"),
          "numbers, then counts");
    CHECK(tac_data_load(ctx, data, NULL) == TACIT_OK, "numbers again");
    tacit_data_free(data);
    MUST(tacit_data_from_csr(ctx, begin, column, count, 1, 1, &data) == TACIT_OK);
    MUST(tac_data_load(ctx, data, PLACES) == TACIT_OK);
    CHECK(tac_data_load(ctx, data, COUNTS) == TACIT_OK, "a matrix in memory has its rows either "
                                                        "way");
    tacit_data_free(data);
    tacit_data_opts_init(&o, sizeof o);
    o.format = TRI;
    PUT("row,col,count\n1,0,1\n");
    MUST(tacit_data_open(ctx, file_path, &o, &data) == TACIT_OK);
    MUST(tac_data_load(ctx, data, PLACES) == TACIT_OK);
    CHECK(tac_data_load(ctx, data, COUNTS) == TACIT_E_ARGUMENT && said("open it again"),
          "places, then rows of people");
    CHECK(tac_data_load(ctx, data, NULL) == TACIT_E_ARGUMENT && said("open it again"), "places, "
                                                                                       "then "
                                                                                       "numbers");
    CHECK(tac_data_load_counts(ctx, data, false) == TACIT_OK, "an owner takes either");
    tacit_data_free(data);
    MUST(tacit_data_from_memory(ctx, dense, TACIT_I32, 1, 1, &data) == TACIT_OK);
    MUST(tac_data_load(ctx, data, COUNTS) == TACIT_OK);
    CHECK(tac_data_load(ctx, data, NULL) == TACIT_OK, "a dense table of counts is numbers too");
    tacit_data_free(data);
}

int main(void)
{
    start();
    snprintf(words_path, sizeof words_path, "%s/words", folder);
    test_triplets();
    test_chosen_triplets();
    test_ids();
    test_sides();
    test_vocabulary();
    test_other_formats();
    test_memory();
    test_ways();
    unlink(words_path);
    finish();
    return tap_done();
}
