/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Market, triplets, LIBSVM and CSR in memory: known matrices, and all that can be wrong with
   a file. */
#include "reading.h"

#define MTX TACIT_FORMAT_MATRIX_MARKET
#define TRI TACIT_FORMAT_TRIPLETS
#define SVM TACIT_FORMAT_LIBSVM
#define KEEP TACIT_MISSING_MIDPOINT
#define REJECT TACIT_MISSING_REJECT_FILE

static void test_matrix_market(void)
{
    table t;

    PUT("%%MatrixMarket matrix coordinate real general\n% a comment\n\n4 3 4\n3 1 5.5\n1 2 -1e1\n1 "
        "1 2\n\n% more\n4 3 nan\n");
    t = read_as(MTX, -1, -1, KEEP, NULL);
    CHECK(holds(&t, 4, 3, (double[]){2, -10, 0, 0, 0, 0, 5.5, 0, 0, 0, 0, NAN}) &&
              strcmp(t.names, "c1|c2|c3") == 0,
          "general, rows mixed, an empty row, a missing value");
    table_clear(&t);
    t = read_as(MTX, 0, 1, KEEP, NULL);
    CHECK(holds(&t, 4, 1, (double[]){0, 0, 0, NAN}) &&
              has_codes(t.label, 4, (int64_t[]){0, 1, 2, 1}) &&
              has_codes(t.unit, 4, (int64_t[]){0, -1, -1, -1}),
          "labels and owners from columns; absent is 0, and nobody");
    table_clear(&t);
    PUT("%%MatrixMarket matrix coordinate real general\n3 2 4\n1 1 5\n1 2 7\n2 2 "
        "1152921504606846976\n3 2 1152921504606846977\n");
    t = read_as(MTX, -1, 1, KEEP, NULL);
    CHECK(has_codes(t.unit, 3, (int64_t[]){0, -1, -1}), "ids that a double cannot tell apart are "
                                                        "nobody's, not one person's");
    table_clear(&t);
    PUT("%%MatrixMarket matrix coordinate real general\n% a comment\n\n4 3 4\n3 1 5.5\n1 2 -1e1\n1 "
        "1 2\n\n% more\n4 3 nan\n");
    t = read_as(MTX, -1, -1, REJECT, (int32_t[]){1, 0, -1});
    CHECK(holds(&t, 4, 2, (double[]){-10, 2, 0, 0, 0, 5.5, 0, 0}), "a missing value in a column "
                                                                   "not chosen rejects nothing");
    table_clear(&t);

    PUT("%%matrixmarket MATRIX Coordinate Integer General\r\n3 3 4\r\n1 1 1\r\n2 1 2\r\n3 2 "
        "-3\r\n3 3 4\r\n");
    t = read_as(MTX, -1, -1, REJECT, NULL);
    CHECK(holds(&t, 3, 3, (double[]){1, 0, 0, 2, 0, 0, 0, -3, 4}), "CRLF, capitals");
    table_clear(&t);
    PUT("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n2 1\n1 2");
    t = read_as(MTX, -1, -1, REJECT, NULL);
    CHECK(holds(&t, 2, 2, (double[]){0, 1, 1, 0}), "a pattern, no last line feed");
    table_clear(&t);
    PUT("%%MatrixMarket matrix coordinate real general\n2000000000 2 1\n2000000000 1 3\n");
    tac_reader *r = NULL;
    double out[4];
    const tac_selection both = {
        .dims = 2, .column = (int32_t[]){0, 1}, .label = -1, .unit = -1, .missing = KEEP};
    MUST(tac_open_matrix_market(ctx, file_path, &(tac_shape){0}, &r) == TACIT_OK);
    CHECK(r->load(r, ctx, &both) == TACIT_OK && r->rows == 2000000000 &&
              r->read(r, 1999999998, 2, out) == TACIT_OK && out[0] == 0 && out[1] == 0 &&
              out[2] == 3 && out[3] == 0,
          "two thousand million rows in a file of 70 bytes");
    r->close(r);
}

static void test_bad_matrix_market(void)
{
    static const struct {
        const char *bytes, *words, *what;
    } bad[] = {
        {"", "empty", "an empty file"},
        {"1 1 1\n", "line 1|%%MatrixMarket", "no header"},
        {"%%MatrixMarket matrix coordinate real\n", "line 1|%%MatrixMarket", "half a header"},
        {"%%MatrixMarket vector coordinate real general\n", "line 1|%%MatrixMarket", "a vector"},
        {"%%MatrixMarket matrix array real general\n1 1\n777\n", "line 1|coordinate",
         "the array format"},
        {"%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 777 1\n", "line 1|real",
         "complex entries"},
        {"%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", "line 1|general",
         "a Hermitian matrix"},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n1 1 0\n", "line 1|general",
         "a skew-symmetric matrix"},
        {"%%MatrixMarket matrix coordinate real general\n% only\n", "line 2|size line",
         "no size line"},
        {"%%MatrixMarket matrix coordinate real general\n2 2\n", "line 2|three counts",
         "two sizes"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1 1\n", "line 2|three counts",
         "four sizes"},
        {"%%MatrixMarket matrix coordinate real general\n-2 2 1\n", "line 2|three counts",
         "a negative size"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1e1\n", "line 2|three counts",
         "a size with an exponent"},
        {"%%MatrixMarket matrix coordinate real general\n2 0 0\n", "line 2|without columns",
         "no columns"},
        {"%%MatrixMarket matrix coordinate real general\n2 1000001 0\n", "line 2|too large",
         "too many columns"},
        {"%%MatrixMarket matrix coordinate real general\n2147483648 1 0\n", "line 2|too large",
         "too many rows"},
        {"%%MatrixMarket matrix coordinate real general\n99999999999999999999 1 0\n",
         "line 2|three counts", "a size of 20 digits"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 5\n", "line 2|more entries",
         "more entries than cells"},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 1 777\n", "line 1|general",
         "a symmetric matrix, whose rows share entries"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 777\n", "line 3|ends before",
         "an entry too few"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 777\n1 2 777\n",
         "line 4|more entries", "an entry too many"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 777\n", "line 3|row number",
         "row 0"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 777\n", "line 3|row number",
         "a row too large"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 0 777\n", "line 3|column number",
         "column 0"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 777\n", "line 3|column number",
         "a column too large"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 9999999999999999999 777\n",
         "line 3", "a column of 19 digits"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n-1 1 777\n", "line 3",
         "a negative row"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1.0 1 777\n", "line 3",
         "a row with a point"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n", "line 3|value", "no value"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 secret\n",
         "line 3|not a number", "text for a value"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 777 8\n", "line 3|not a number",
         "two values"},
        {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 777\n", "line 3|pattern",
         "a value in a pattern"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 777\n2 2 1\n1 1 5\n",
         "'c1'|given before", "an entry twice"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses(MTX, bad[i].bytes, strlen(bad[i].bytes), -1, -1, KEEP, TACIT_E_FORMAT, bad[i].words,
                bad[i].what);
    const char zero[] = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 \0\n";
    refuses(MTX, zero, sizeof zero - 1, -1, -1, KEEP, TACIT_E_FORMAT, "line 3|zero byte",
            "a zero byte");
    const char nan[] = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 nan\n";
    refuses(MTX, nan, sizeof nan - 1, -1, -1, REJECT, TACIT_E_FORMAT, "line 3|'c2'|missing",
            "a missing value, rejected");
}

static void test_triplets(void)
{
    table t;

    PUT("row,col,count\n0,1,3\n2,0,1\n0,3,2\n");
    t = read_as(TRI, -1, -1, REJECT, NULL);
    CHECK(holds(&t, 2, 4, (double[]){0, 3, 0, 2, 1, 0, 0, 0}) && strcmp(t.names, "col0|col1|col2|"
                                                                                 "col3") == 0,
          "triplets: the rows that are mentioned, the columns up to the largest");
    table_clear(&t);
    PUT("row,col,count\n0,1,3\n");
    t = read_as(TRI, -1, -1, REJECT, NULL);
    CHECK(strcmp(t.names, "col0|col1") == 0, "names count from 0 though no row has a 0");
    table_clear(&t);
    PUT("word,\"count\",Col,ROW\r\n\"x,y\",3,1,0\r\nz,NA,0,1\r\n");
    t = read_as(TRI, -1, -1, KEEP, (int32_t[]){1, 0, -1});
    CHECK(holds(&t, 2, 2, (double[]){3, 0, 0, NAN}), "other order, other columns, quotes, a "
                                                     "missing count");
    table_clear(&t);

    static const struct {
        const char *bytes, *words, *what;
    } bad[] = {
        {"", "empty", "an empty file"},
        {"row,col,count\n", "no rows", "no entries"},
        {"row,col\n1,777\n", "'count'", "no count column"},
        {"a,b,c\n1,2,777\n", "'row'", "none of the columns"},
        {"row,col,count\n1,-2,777\n", "line 2|'col'", "a negative column"},
        {"row,col,count\n0,0,1\n1,2.5,777\n", "line 3|'col'", "a column with a fraction"},
        {"row,col,count\n1,1000000,777\n", "line 2|'col'", "a column too large"},
        {"row,col,count\n1,x,777\n", "line 2|'col'|text", "a column of text"},
        {"row,col,count\n1,,777\n", "line 2|'col'", "no column"},
        {"row,col,count\n1e999,2,777\n", "line 2|'row'", "a row that is not finite"},
        {"row,col,count\n1,2,secret\n", "line 2|'count'|text", "a count of text"},
        {"row,col,count\n1,2\n", "line 2|fewer cells", "too few cells"},
        {"row,col,count\n1,2,3\n0,2,777\n1,2,777\n", "'col2'|given before", "an entry twice"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses(TRI, bad[i].bytes, strlen(bad[i].bytes), -1, -1, KEEP, TACIT_E_FORMAT, bad[i].words,
                bad[i].what);
    refuses(TRI, "row,col,count\n1,2,NA\n", 21, -1, -1, REJECT, TACIT_E_FORMAT,
            "line 2|'col2'|missing", "a missing count, rejected");
}

static void test_numbers(void)
{
    static const struct {
        const char *name;
        int32_t place;
    } known[] = {{"c1", 0},
                 {"c40", 39},
                 {"col0", 0},
                 {"col39", 39},
                 {"c41", -1},
                 {"col40", -1},
                 {"c0", -1},
                 {"c01", -1},
                 {"col00", -1},
                 {"col01", -1},
                 {"c", -1},
                 {"col", -1},
                 {"40", -1},
                 {"", -1},
                 {"col-1", -1},
                 {"c+1", -1},
                 {"col1x", -1},
                 {"c1 ", -1},
                 {"column1", -1},
                 {"c99999999999999999999", -1},
                 {"col99999999999999999999", -1}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CHECK(tac_number_place(known[i].name, 40) == known[i].place, "'%s' of 40 columns is %d",
              known[i].name, known[i].place);
}

static void test_libsvm(void)
{
    table t;

    PUT("+1 1:0.5 3:-2 # comment 777\n\n# nothing\n-1\n+1\t2:1e1  3:nan \r\nodd 1:1");
    t = read_as(SVM, 3, -1, KEEP, NULL);
    CHECK(holds(&t, 4, 3, (double[]){0.5, 0, -2, 0, 0, 0, 0, 10, NAN, 1, 0, 0}) &&
              strcmp(t.names, "c1|c2|c3|label") == 0 &&
              has_codes(t.label, 4, (int64_t[]){0, 1, 0, 2}),
          "LIBSVM: comments, an empty row, labels of any text");
    table_clear(&t);
    t = read_as(SVM, -1, -1, KEEP, NULL);
    CHECK(t.status == TACIT_OK && t.dims == 3 && t.label == NULL, "the label is no feature when it "
                                                                  "is not asked for");
    table_clear(&t);
    t = read_as(SVM, 0, 1, KEEP, NULL);
    CHECK(holds(&t, 4, 1, (double[]){-2, 0, NAN, 0}) &&
              has_codes(t.label, 4, (int64_t[]){0, 1, 1, 2}),
          "a feature as label");
    table_clear(&t);
    t = read_as(SVM, -1, -1, KEEP, (int32_t[]){0, 3, -1});
    CHECK(t.status == TACIT_E_ARGUMENT, "the label as a feature is refused");
    table_clear(&t);
    t = read_as(SVM, -1, 3, KEEP, (int32_t[]){0, -1});
    CHECK(t.status == TACIT_E_ARGUMENT, "the label as the unit is refused");
    table_clear(&t);

    static const struct {
        const char *bytes, *words, *what;
    } bad[] = {
        {"", "no rows", "an empty file"},
        {"# nothing\n\n", "no rows", "comments only"},
        {"777\n777\n", "index:value", "labels only"},
        {"1:777 2:3\n", "line 1|label", "no label"},
        {"1 0:777\n", "line 1|start at 1", "index 0"},
        {"1 1000001:777\n", "line 1|1000000", "an index too large"},
        {"1 99999999999999999999:777\n", "line 1", "an index of 20 digits"},
        {"1 1:1\n1 2:777 2:5\n", "line 2|increase", "an index twice"},
        {"1 3:777 2:5\n", "line 1|increase", "indices that decrease"},
        {"1 -1:777\n", "line 1|index:value", "a negative index"},
        {"1 qid:3 1:777\n", "line 1|index:value", "a query number"},
        {"1 a:777\n", "line 1|index:value", "an index of text"},
        {"1 777\n", "line 1|index:value", "no colon"},
        {"1 1 :777\n", "line 1|index:value", "a space before the colon"},
        {"1 1:\n", "line 1|'c1'|not a number", "no value"},
        {"1 1:2 2:secret\n", "line 1|'c2'|not a number", "text for a value"},
        {"1 1:0x777\n", "line 1|'c1'|not a number", "hexadecimal"},
        {"1 1:2:777\n", "line 1|'c1'|not a number", "two colons"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses(SVM, bad[i].bytes, strlen(bad[i].bytes), -1, -1, KEEP, TACIT_E_FORMAT, bad[i].words,
                bad[i].what);
    refuses(SVM, "1 1:777\n1 1:inf\n", 16, -1, -1, REJECT, TACIT_E_FORMAT, "line 2|'c1'|not finite",
            "an infinity, rejected");
    refuses(SVM, "1 1:2\n1 1:7\0007\n", 15, -1, -1, KEEP, TACIT_E_FORMAT, "line 2|zero byte",
            "a zero byte");
}

static table take_csr(const int64_t *begin, const int32_t *column, const double *value,
                      int64_t rows, int32_t columns, tacit_missing missing)
{
    tac_reader *r = NULL;
    const table refused = {.status = tac_open_csr(ctx, begin, column, value, rows, columns, &r)};
    return refused.status == TACIT_OK ? take(r, -1, -1, missing, NULL) : refused;
}

static void test_csr(void)
{
    const int64_t begin[] = {0, 2, 2, 3};
    const int32_t column[] = {2, 0, 1};
    const double value[] = {1, 2, NAN};
    table t = take_csr(begin, column, value, 3, 3, KEEP);
    CHECK(holds(&t, 3, 3, (double[]){2, 0, 1, 0, 0, 0, 0, NAN, 0}), "CSR in memory, columns in any "
                                                                    "order");
    table_clear(&t);
    t = take_csr((int64_t[]){0, 0}, NULL, NULL, 1, 2, REJECT);
    CHECK(holds(&t, 1, 2, (double[]){0, 0}), "a CSR matrix of zeros");
    table_clear(&t);
    t = take_csr(begin, column, value, 3, 3, REJECT);
    CHECK(t.status == TACIT_E_FORMAT && said("row 3, column 'c2'"), "a missing value, rejected");
    table_clear(&t);
    bool good =
        take_csr((int64_t[]){1, 2, 2, 3}, column, value, 3, 3, KEEP).status == TACIT_E_ARGUMENT &&
        take_csr((int64_t[]){0, 2, 1, 3}, column, value, 3, 3, KEEP).status == TACIT_E_ARGUMENT &&
        take_csr(begin, (int32_t[]){2, 3, 1}, value, 3, 3, KEEP).status == TACIT_E_ARGUMENT &&
        take_csr(begin, (int32_t[]){2, -1, 1}, value, 3, 3, KEEP).status == TACIT_E_ARGUMENT &&
        take_csr(begin, (int32_t[]){2, 2, 1}, value, 3, 3, KEEP).status == TACIT_E_ARGUMENT &&
        take_csr(begin, NULL, value, 3, 3, KEEP).status == TACIT_E_ARGUMENT &&
        take_csr(NULL, column, value, 3, 3, KEEP).status == TACIT_E_ARGUMENT &&
        take_csr(begin, column, value, 3, 0, KEEP).status == TACIT_E_ARGUMENT;
    CHECK(good, "CSR matrices that cannot be");
}

/* The same random matrix in four guises, entries shuffled where the format allows it, is the same
   matrix. */
static void test_identity(void)
{
    enum { ROWS = 300, COLUMNS = 40, MOST = 1 << 20 };
    static double dense[ROWS * COLUMNS];
    static int where[ROWS * COLUMNS];
    char *text = malloc(MOST);
    int entries = 0;
    size_t size;
    bool good = true;

    for (int i = 0; i < ROWS * COLUMNS; i++) /* triplets know no empty row */
        if (random_bits() % 10 == 0 || i == ROWS * COLUMNS - 1 || i % COLUMNS == 0) {
            dense[i] = (double)(random_bits() >> 11) * 1e-10 + 1;
            where[entries++] = i;
        }
    size = 0;
    for (int i = 0; i < ROWS; i++) {
        size += (size_t)snprintf(text + size, MOST - size, "%d", i % 3);
        for (int j = 0; j < COLUMNS; j++)
            if (dense[i * COLUMNS + j] != 0)
                size += (size_t)snprintf(text + size, MOST - size, " %d:%.17g", j + 1,
                                         dense[i * COLUMNS + j]);
        text[size++] = '\n';
    }
    put(text, size);
    table t = read_as(SVM, -1, -1, REJECT, NULL);
    good = good && holds(&t, ROWS, COLUMNS, dense);
    table_clear(&t);

    for (int i = entries - 1; i > 0; i--) {
        const int k = (int)(random_bits() % (uint64_t)(i + 1)), swap = where[i];
        where[i] = where[k];
        where[k] = swap;
    }
    size =
        (size_t)snprintf(text, MOST, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n",
                         ROWS, COLUMNS, entries);
    for (int i = 0; i < entries; i++)
        size += (size_t)snprintf(text + size, MOST - size, "%d %d %.17g\n", where[i] / COLUMNS + 1,
                                 where[i] % COLUMNS + 1, dense[where[i]]);
    put(text, size);
    t = read_as(MTX, -1, -1, REJECT, NULL);
    good = good && holds(&t, ROWS, COLUMNS, dense);
    table_clear(&t);

    size = (size_t)snprintf(text, MOST, "count,row,col\n");
    for (int i = 0; i < entries; i++)
        size += (size_t)snprintf(text + size, MOST - size, "%.17g,%d,%d\n", dense[where[i]],
                                 where[i] / COLUMNS, where[i] % COLUMNS);
    put(text, size);
    ctx->threads = 3;
    ctx->block_bytes = 1000;
    t = read_as(TRI, -1, -1, REJECT, NULL);
    good = good && holds(&t, ROWS, COLUMNS, dense);
    table_clear(&t);
    CHECK(good, "one matrix as LIBSVM, Matrix Market and triplets");
    free(text);
}

int main(void)
{
    static const char mtx[] = "%%MatrixMarket matrix coordinate real general\n%c\n4 4 5\n1 1 "
                              "1.5\n3 1 2\n4 4 -3e-2\n2 1 nan\n4 3 1\n";
    static const char tri[] = "row,col,count\n0,1,3\n1,2,1.5\n\"0\",0,7\n5,2,NA\n";
    static const char svm[] = "+1 1:1.5 2:3 # x\n-1\n0 2:-1e-3 3:nan\r\n1 1:1\n";

    start();
    test_matrix_market();
    test_bad_matrix_market();
    test_triplets();
    test_numbers();
    test_libsvm();
    test_csr();
    test_identity();
    mutate(MTX, mtx, sizeof mtx - 1, -1, -1, tap_times(2000), "Matrix Market");
    mutate(TRI, tri, sizeof tri - 1, -1, -1, tap_times(2000), "triplets");
    mutate(SVM, svm, sizeof svm - 1, -1, -1, tap_times(2000), "LIBSVM");
    finish();
    return tap_done();
}
