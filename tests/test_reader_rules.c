/* SPDX-License-Identifier: Apache-2.0 */
/* How cells become values: categories, dates, dialects, gzip, triplets under other names. Known
   answers, and that a cell's value depends on the cell alone. */
#include "reading.h"

#include "data/readers/cell_rules.h"

#include <time.h>
#include <zlib.h>

#define CSV TACIT_FORMAT_CSV
#define N (double)NAN

static char *regions[] = {"north", "south", "NA", "1", "2.5", " east "};
static char *answers[] = {"false", "true"};
static const tac_value_rule number = {.kind = TAC_VALUE_NUMBER},
                            region = {TAC_VALUE_CATEGORY, 6, regions, false},
                            answer = {TAC_VALUE_CATEGORY, 2, answers, true},
                            date = {.kind = TAC_VALUE_DATE};

typedef struct setting {
    tacit_format format;
    tac_shape shape;
    const tac_value_rule *rule;
    bool guarded, counts, reject;
    int32_t missing_words;
    char **missing_word;
} setting;

/* What `put` wrote, read by a setting; all columns are features. */
static table read_by(const setting *s)
{
    tac_reader *r = NULL;
    table t = {0};
    int32_t column[16];

    ctx->message[0] = '\0';
    t.status = tac_open_shaped(ctx, file_path, s->format, &s->shape, &r);
    if (t.status != TACIT_OK) return t;
    t.dims = r->schema.columns < 16 ? r->schema.columns : 16;
    for (int32_t j = 0; j < t.dims; j++) column[j] = j;
    const tac_selection selection = {.dims = t.dims,
                                     .column = column,
                                     .rule = s->rule,
                                     .label = -1,
                                     .unit = -1,
                                     .guarded = s->guarded,
                                     .counts = s->counts,
                                     .missing = s->reject ? TACIT_MISSING_REJECT_FILE
                                                          : TACIT_MISSING_MIDPOINT,
                                     .missing_words = s->missing_words,
                                     .missing_word = s->missing_word};
    t.status = r->load(r, ctx, &selection);
    if (t.status == TACIT_OK) {
        t.rows = r->rows;
        t.values = malloc((size_t)t.rows * (size_t)t.dims * sizeof *t.values + 1);
        t.status = r->read(r, 0, t.rows, t.values);
    }
    r->close(r);
    return t;
}

/* One column of cells under a rule, with the values that they are. */
static void cells(const setting *s, const char *text, const double *values, int64_t rows,
                  const char *what)
{
    put(text, strlen(text));
    table t = read_by(s);
    const bool good = holds(&t, rows, 1, values);
    CHECK(good, "%s", what);
    if (!good) printf("# %s\n", tacit_ctx_message(ctx));
    for (int64_t i = 0; !good && i < t.rows; i++) printf("# %lld: %g\n", (long long)i, t.values[i]);
    table_clear(&t);
}

static void refused(const setting *s, const char *text, tacit_status status, const char *words,
                    const char *what)
{
    put(text, strlen(text));
    table t = read_by(s);
    const bool hidden = strstr(tacit_ctx_message(ctx), "777") == NULL;
    CHECK(t.status == status && said(words) && hidden, "refused: %s", what);
    if (t.status != status || !said(words)) printf("# %d %s\n", t.status, tacit_ctx_message(ctx));
    table_clear(&t);
}

static void test_categories(void)
{
    const setting s = {.format = CSV, .rule = &region};
    setting other = s;
    char *told[] = {"-", "south"};

    cells(&s, "r\nnorth\n  south\t\n\"north\"\nNA\n1\n1.0\n1e0\n\"1\"\n2.50\n+2.5\n",
          (double[]){0, 1, 0, 2, 3, 3, 3, 3, 4, 4}, 10,
          "a category is the place of its word; numbers are compared as numbers");
    cells(&s, "r\nNorth\nwest\n\nnan\n3\n\" north\"\n\" east \"\n", (double[]){N, N, N, N, N, N, 5},
          7, "any other text is missing; blanks within quotes count");
    other.guarded = true;
    cells(&other, "r\nwest\nnorth\n", (double[]){N, 0}, 2,
          "a text that is no category does not stop a run with a ledger");
    other.missing_words = 2;
    other.missing_word = told;
    cells(&other, "r\n-\nsouth\nNA\n", (double[]){N, N, 2}, 3,
          "declared words for a missing value hold in categories; built-in ones give way");
    other = s;
    other.reject = true;
    refused(&other, "r\nnorth\n777\n", TACIT_E_FORMAT, "'r'", "a missing category, rejected");
    const setting yes = {.format = CSV, .rule = &answer};
    cells(&yes, "r\nTRUE\nfalse\n0\n1\nY\nn\nT\nf\n1.0\non\nOff\nmaybe\n",
          (double[]){1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, N}, 12, "what programs write for true");
    char *twice[] = {"1", "1.0"};
    const tac_value_rule same = {TAC_VALUE_CATEGORY, 2, twice, false};
    const setting alike = {.format = CSV, .rule = &same};
    refused(&alike, "r\n1\n", TACIT_E_ARGUMENT, "same number", "two words that are one number");
}

/* Against the C library, over all days of 800 years. */
static void test_dates(void)
{
    const setting s = {.format = CSV, .rule = &date};
    setting other = s;
    bool good = true;
    char text[32];
    double value;

    cells(&s,
          "d\n1970-01-01\n1969-12-31\n2026-11-17\n2000-02-29\n 2024-02-29 \n\"2026-11-17\"\n"
          "0000-03-01\n2026-11-17T10:30\n2026-11-17 "
          "23:59:60.123Z\n2026-11-17T10:30:00+01:00\n\nNA\n",
          (double[]){0, -1, 20774, 11016, 19782, 20774, -719468, 20774, 20774, 20774, N, N}, 12,
          "dates are days since 1970-01-01, whatever the time of day");
    for (int64_t day = -146097; day < 146097 && good; day++) {
        const time_t seconds = (time_t)(day * 86400);
        struct tm tm;
        gmtime_r(&seconds, &tm);
        snprintf(text, sizeof text, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
        good = tac_parse_date(text, 10, &value) && value == (double)day;
    }
    CHECK(good, "800 years of days, each by its date");
    static const char *const not [] = {
        "2026-02-30",  "1900-02-29",        "2026-13-01",    "2026-00-10",
        "2026-1-1",    "20261117",          "17.11.2026",    "2026-11-17x",
        "2026-11-17T", "2026-11-17 25:00",  "2026-11-17T10", "2026-11-17 10:30 pm",
        "-026-11-17",  "2026-11-17T10:30+", "45000"};
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++) {
        snprintf(text, sizeof text, "d\n%s\n", not [i]);
        refused(&s, text, TACIT_E_FORMAT, "line 2, column 'd': holds text where a date", not [i]);
    }
    other.guarded = true;
    cells(&other, "d\n2026-02-30\nsoon\n1970-01-02\n", (double[]){N, N, 1}, 3,
          "no date of the calendar stops a run with a ledger");
}

/* Whether there is a unit column must not be told by whether there is a row. */
static void test_no_rows(void)
{
    static const struct {
        tacit_format format;
        const char *text;
    } files[] = {{CSV, "who,a\n"},
                 {TACIT_FORMAT_TSV, "who\ta\n"},
                 {TACIT_FORMAT_TRIPLETS, "row,col,count,who\n"}};
    const int32_t column[] = {1};
    tac_reader *r = NULL;

    for (int i = 0; i < 3; i++) {
        const tac_shape shape = {.columns = i == 2 ? 2 : 0};
        put(files[i].text, strlen(files[i].text));
        MUST(tac_open_shaped(ctx, file_path, files[i].format, &shape, &r) == TACIT_OK);
        const tac_selection s = {
            .dims = 1, .column = column, .label = -1, .unit = i == 2 ? r->schema.columns : 0};
        CHECK(r->load(r, ctx, &s) == TACIT_OK && r->rows == 0 && r->unit != NULL,
              "a file without rows has its owners all the same (%d)", i);
        r->close(r);
    }
}

static void test_formats(void)
{
    static const double array[] = {1, 2.5, 7, NAN};
    static const tac_value_rule rules[2] = {{TAC_VALUE_CATEGORY, 6, regions, false},
                                            {.kind = TAC_VALUE_NUMBER}};
    const int32_t column[] = {0, 1};
    const tac_selection s = {.dims = 2, .column = column, .rule = rules, .label = -1, .unit = -1};
    const tac_value_rule dates[2] = {date, number};
    tac_selection dated = s;
    tac_reader *r = NULL;
    double out[4];

    MUST(tac_open_memory(ctx, array, TACIT_F64, 2, 2, &r) == TACIT_OK);
    CHECK(r->load(r, ctx, &s) == TACIT_OK && r->read(r, 0, 2, out) == TACIT_OK && out[0] == 3 &&
              out[1] == 2.5 && isnan(out[2]) && isnan(out[3]),
          "numbers in memory are compared with words that are numbers");
    r->close(r);
    dated.rule = dates;
    MUST(tac_open_memory(ctx, array, TACIT_F64, 2, 2, &r) == TACIT_OK);
    CHECK(tac_rules_check(ctx, r, &dated) == TACIT_E_ARGUMENT && said("'c1'") &&
              said("declare it as a number") && r->load(r, ctx, &dated) == TACIT_E_ARGUMENT,
          "an array has no dates");
    r->close(r);
    static const struct {
        tacit_format format;
        const char *text;
    } sparse[] = {{TACIT_FORMAT_LIBSVM, "1 1:777\n"},
                  {TACIT_FORMAT_TRIPLETS, "row,col,count\n0,0,777\n"},
                  {TACIT_FORMAT_MATRIX_MARKET, "%%MatrixMarket matrix coordinate real general\n"
                                               "1 1 1\n1 1 777\n"}};
    for (int i = 0; i < 3; i++) {
        const tac_value_rule one[2] = {region, region};
        setting set = {.format = sparse[i].format, .rule = one};
        put(sparse[i].text, strlen(sparse[i].text));
        MUST(tac_open_shaped(ctx, file_path, set.format, &set.shape, &r) == TACIT_OK);
        const tac_selection chosen = {
            .dims = 1, .column = column, .rule = one, .label = -1, .unit = -1};
        CHECK(r->load(r, ctx, &chosen) == TACIT_E_ARGUMENT && said(i == 1 ? "'col0'" : "'c1'") &&
                  said("sparse rows"),
              "sparse formats have no categories (%d)", i);
        r->close(r);
    }
}

#define DIALECT(...)                                                                               \
    {                                                                                              \
        .format = CSV, .shape = {.dialect = {__VA_ARGS__} }                                        \
    }

static void test_dialects(void)
{
    setting s = DIALECT(.decimal = ',');
    cells(&s,
          "a\n1,5\n-0,25\n 3 \n\"2,5\"\n1,5e3\n,5\n7,\n"
          "0,1000000000000000055511151231257827021181583404541015625\nNA\n",
          (double[]){1.5, -0.25, 3, 2.5, 1500, 0.5, 7, 0.1, N}, 9, "decimal commas");
    refused(&s, "a\n1.5\n", TACIT_E_FORMAT, "'a'", "a point beside decimal commas");
    s.shape.dialect.thousands = '.';
    cells(&s, "a\n1.234,5\n1.234.567\n1234,5\n-12.345\n",
          (double[]){1234.5, 1234567, 1234.5, -12345}, 4, "points between groups");
    static const char *const wrong[] = {"1.23",     "1234.567",  "1.2345",    ".123", "1..234",
                                        "1.234.56", "1,234.567", "1.234,5,6", "1.",   "12.34.567"};
    char text[64];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "a\n%s\n", wrong[i]);
        refused(&s, text, TACIT_E_FORMAT, "'a'", wrong[i]);
    }
    setting us = DIALECT(.thousands = ',');
    cells(&us, "a\n\"1,234.50\"\n\"12,345,678\"\n5\n1234.5\n",
          (double[]){1234.5, 12345678, 5, 1234.5}, 4, "commas between groups, within quotes");
    refused(&us, "a\n1,234\n", TACIT_E_FORMAT, "more cells", "the same without quotes");
    setting space = DIALECT(.thousands = ' ');
    cells(&space,
          "a\n1 234.5\n1\xc2\xa0"
          "234\n1\xe2\x80\xaf"
          "234\xe2\x80\xaf"
          "567\n",
          (double[]){1234.5, 1234, 1234567}, 3, "blanks of all kinds between groups");
    setting mark = DIALECT(.thousands = '\'');
    cells(&mark, "a\n1'234\n", (double[]){1234}, 1, "apostrophes between groups");
    setting skip = DIALECT(.separator = '|', .skip_lines = 2);
    PUT("A \"title\nof, 777\na|b\n1|2\n");
    table t = read_by(&skip);
    CHECK(holds(&t, 1, 2, (double[]){1, 2}), "skipped lines, whatever is in them, and bars");
    table_clear(&t);
    refused(&skip, "one\ntwo\n", TACIT_E_FORMAT, "2 skipped lines", "a file that is skipped whole");
    refused(&skip, "one\ntwo\na|b\n1|x777\n", TACIT_E_FORMAT, "line 4, column 'b'",
            "a line number counts skipped lines");
    static const struct {
        tac_dialect dialect;
        const char *says;
    } bad[] = {{{.separator = 'a'}, "delimiter must"},
               {{.separator = '"'}, "delimiter must"},
               {{.separator = '.'}, "delimiter must"},
               {{.separator = '\n'}, "delimiter must"},
               {{.decimal = ';'}, "decimal must"},
               {{.thousands = '1'}, "thousands must"},
               {{.thousands = '.'}, "two ways"},
               {{.decimal = ',', .thousands = ','}, "two ways"},
               {{.decimal = ',', .separator = ','}, "same mark"},
               {{.skip_lines = -1}, "skip lines"},
               {{.skip_lines = 10001}, "skip lines"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const setting set = {.format = CSV, .shape = {.dialect = bad[i].dialect}};
        refused(&set, "a\n1\n", TACIT_E_ARGUMENT, bad[i].says, bad[i].says);
    }
    const setting npy = {.format = TACIT_FORMAT_NPY, .shape = {.dialect = {.decimal = ','}}};
    refused(&npy, "a\n", TACIT_E_ARGUMENT, "are for CSV", "a dialect of an array");
}

/* One member of gzip. */
static size_t packed(const char *text, size_t length, unsigned char *to, size_t room)
{
    z_stream z = {0};
    MUST(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (unsigned)length;
    z.next_out = to;
    z.avail_out = (unsigned)room;
    MUST(deflate(&z, Z_FINISH) == Z_STREAM_END);
    const size_t used = room - z.avail_out;
    deflateEnd(&z);
    return used;
}

static void test_gzip(void)
{
    static unsigned char bytes[1 << 20];
    static char text[1 << 20];
    const setting s = {.format = CSV};
    size_t length = 0;

    size_t size = packed("a\n1\n2", 5, bytes, sizeof bytes);
    const size_t first = size;
    size += packed("5\n", 2, bytes + size, sizeof bytes - size);
    put(bytes, size);
    table t = read_by(&s);
    CHECK(holds(&t, 2, 1, (double[]){1, 25}), "members one after the other are one text");
    table_clear(&t);
    memset(bytes + size, 0, 600);
    put(bytes, size + 600);
    t = read_by(&s);
    CHECK(holds(&t, 2, 1, (double[]){1, 25}), "zeros behind are padding");
    table_clear(&t);
    memcpy(bytes + size, "777", 3);
    put(bytes, size + 3);
    t = read_by(&s);
    CHECK(t.status == TACIT_E_FORMAT && said("something follows the gzip data") && !said("777"),
          "something behind is refused");
    bool good = true;
    for (size_t cut = 3; cut < first; cut++) {
        put(bytes, cut);
        t = read_by(&s);
        good = good && t.status == TACIT_E_FORMAT && said("cut short");
        table_clear(&t);
    }
    CHECK(good, "cut short anywhere");
    long strange = 0, accepted = 0;
    for (size_t at = 3; at < first; at++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[at] ^= (unsigned char)(1 << bit);
            put(bytes, first);
            t = read_by(&s);
            strange += t.status != TACIT_OK && t.status != TACIT_E_FORMAT;
            accepted += t.status == TACIT_OK && !holds(&t, 2, 1, (double[]){1, 2});
            table_clear(&t);
            bytes[at] ^= (unsigned char)(1 << bit);
        }
    CHECK(strange == 0 && accepted == 0, "no flipped bit gives other values");

    for (int i = 0; length < sizeof text - 40; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length,
                             i == 0 ? "row,col,count\n" : "%d,%d,%d\n", (i / 7) ^ 1, i % 7, i);
    size = packed(text, length, bytes, sizeof bytes);
    const setting list = {.format = TACIT_FORMAT_TRIPLETS};
    put(text, length);
    table plain = read_by(&list);
    put(bytes, size);
    t = read_by(&list);
    CHECK(plain.status == TACIT_OK && holds(&t, plain.rows, plain.dims, plain.values),
          "a packed list is read in several passes, as a plain one");
    table_clear(&plain);
    table_clear(&t);
    size = packed("\x93NUMPY", 6, bytes, sizeof bytes);
    put(bytes, size);
    const setting npy = {.format = TACIT_FORMAT_NPY};
    t = read_by(&npy);
    CHECK(t.status == TACIT_E_FORMAT && said("gunzip"), "a packed array is refused");
    CHECK(tac_format_by_ending("x/people.csv.gz", TACIT_FORMAT_AUTO) == CSV &&
              tac_format_by_ending("a.b/c.TSV.GZ", TACIT_FORMAT_AUTO) == TACIT_FORMAT_TSV &&
              tac_format_by_ending("a.csv/x.gz", TACIT_FORMAT_AUTO) == TACIT_FORMAT_AUTO &&
              tac_format_by_ending(".gz", TACIT_FORMAT_AUTO) == TACIT_FORMAT_AUTO,
          "the ending before .gz tells the format");
}

static void test_parts(void)
{
    setting s = {.format = TACIT_FORMAT_TRIPLETS,
                 .shape = {.columns = 2, .part = {"customer", "item", "n"}}};
    const char *text = "n,customer,item\n2,ann,0\n3,bob,1\n4,ann,1\n";

    put(text, strlen(text));
    table t = read_by(&s);
    CHECK(holds(&t, 2, 2, (double[]){2, 4, 0, 3}), "triplets under names of their own");
    table_clear(&t);
    s.shape.part[0] = "2";
    s.shape.part[1] = "3";
    s.shape.part[2] = NULL;
    s.counts = true;
    t = read_by(&s);
    CHECK(holds(&t, 2, 2, (double[]){1, 1, 0, 1}), "by number; without a count a line counts 1");
    table_clear(&t);
    s.shape.part[2] = "count";
    refused(&s, text, TACIT_E_ARGUMENT, "n, customer, item", "a column that is not there");
    s.shape.part[2] = "customer";
    refused(&s, text, TACIT_E_ARGUMENT, "name two columns", "one column for two parts");
    const setting german = {.format = TACIT_FORMAT_TRIPLETS,
                            .shape = {.columns = 1, .dialect = {.decimal = ',', .skip_lines = 1}}};
    cells(&german, "Liste\nrow;col;count\n7;0;1,5\n", (double[]){1.5}, 1, "a dialect of triplets");
}

static void test_foreign(void)
{
    const setting s = {.format = CSV};
    static const struct {
        const char *bytes;
        size_t size;
        const char *says;
    } known[] = {{"PAR1\x15\x04", 6, "duckdb"},
                 {"ARROW1\0\0", 8, "read_feather"},
                 {"\x28\xb5\x2f\xfd", 4, "zstd -dc"},
                 {"\xfd"
                  "7zXZ\0",
                  6, "xz -dc"},
                 {"BZh91AY&SY", 10, "bzip2 -dc"},
                 {"SQLite format 3", 16, "sqlite3"},
                 {"<stata_dta><header>", 19, "read_stata"},
                 {"$FL2@(#) SPSS", 13, "read_spss"},
                 {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, "read_excel"},
                 {"a\0,\0b\0\n\0", 8, "UTF-16LE"},
                 {"\0a\0,\0b\0\n", 8, "UTF-16BE"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        put(known[i].bytes, known[i].size);
        table t = read_by(&s);
        CHECK(t.status == TACIT_E_FORMAT && said(known[i].says), "%s", known[i].says);
        table_clear(&t);
    }
    cells(&s, "PAR1\n1\n", (double[]){1}, 1, "a column may be called PAR1");
    cells(&s, "BZh9\n1\n", (double[]){1}, 1, "or BZh9");
}

int main(void)
{
    start();
    test_categories();
    test_dates();
    test_no_rows();
    test_formats();
    test_dialects();
    test_gzip();
    test_parts();
    test_foreign();
    finish();
    return tap_done();
}
