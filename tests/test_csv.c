/* SPDX-License-Identifier: Apache-2.0 */
/* CSV: numbers exact to the last bit, RFC 4180 cells, faults that name the place, all alike for any
   threads. */
#include "reading.h"

#include <locale.h>
#include <sys/stat.h>
#include <time.h>

#define CSV TACIT_FORMAT_CSV
#define KEEP TACIT_MISSING_MIDPOINT
#define REJECT TACIT_MISSING_REJECT_FILE

static double scanned(const char *text, size_t *used)
{
    char padded[512 + TAC_PAD] = {0};
    double value = NAN;
    strcpy(padded, text); /* 511 bytes at most */
    const char *end = tac_scan_decimal(padded, &value);
    *used = end == NULL ? 0 : (size_t)(end - padded);
    return value;
}

static bool exact(const char *text)
{
    size_t used;
    const double value = scanned(text, &used), truth = strtod(text, NULL);
    if (used == strlen(text) && memcmp(&value, &truth, sizeof value) == 0) return true;
    printf("# %s: %a, truth %a\n", text, value, truth);
    return false;
}

static const char *const hard_decimals[] = {
    "0",
    "-0",
    "1",
    "-1.5",
    "+2",
    ".5",
    "5.",
    "0.1",
    "1e0",
    "1E+05",
    "1e-05",
    "9007199254740993",
    "9007199254740991",
    "9007199254740992.5",
    "9007199254740993.0000000000000000000001",
    "1e22",
    "1e23",
    "8.5e22",
    "123456789012345678901234",
    "2.2250738585072011e-308",
    "2.2250738585072014e-308",
    "4.9e-324",
    "2e-324",
    "1.7976931348623157e308",
    "1e308",
    "1e309",
    "1e400",
    "1e-400",
    "0.000000000000000000000000000000000000012345678901234567",
    "00000000000000000000000001.5",
    "0.5000000000000000277555756156289135105907917022705078125",
    "1e64",
    "1e-64",
    "1e65",
    "1e-65",
    "18446744073709551615",
    "18446744073709551616",
    "9999999999999999999",
    "99999999999999999999",
    "1e99999999999999",
    "0e99999999999999",
    "6929495644600919.5",
    "3.0000000000000002220446049250313",
    "1.00000000000000011102230246251565404",
};

/* Against the C library, which is correctly rounded: shortest and longest forms of random bits, and
   the cases between two doubles where shortcuts go wrong. */
static void test_decimal(void)
{
    char text[512];
    bool good = true;
    for (size_t i = 0; i < sizeof hard_decimals / sizeof *hard_decimals; i++)
        good = exact(hard_decimals[i]) && good;
    CHECK(good, "hard decimal numbers are exact");

    const long times = tap_times(300000);
    for (long k = 0; k < times && good; k++) {
        const uint64_t bits = random_bits();
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        snprintf(text, sizeof text, "%.*g", 1 + (int)(random_bits() % 20), value);
        good = exact(text);
    }
    CHECK(good, "%ld random bit patterns, 1 to 20 digits", times);
    for (long k = 0; k < times && good; k++) {
        const double value = ldexp((double)(random_bits() >> 11), (int)(random_bits() % 200) - 130);
        const double next = nextafter(value, INFINITY);
        if (k % 3 == 0)
            snprintf(text, sizeof text, "%.17g", value);
        else if (k % 3 == 1)
            snprintf(text, sizeof text, "%.*f", (int)(random_bits() % 12), value);
        else
            snprintf(text, sizeof text, "%.19Lg",
                     ((long double)value + (long double)next) / 2); /* the middle */
        good = exact(text);
    }
    CHECK(good, "%ld numbers of ordinary size, and middles between neighbors", times);

    size_t used;
    static const char *const not [] = {"",    "-", "+",  ".",   "e5", "-.e1", "nan",
                                       "inf", "x", " 1", "--1", "1e", "1e+",  ".e3"};
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++) {
        scanned(not [i], &used);
        if (used != 0) good = false;
    }
    CHECK(good, "no number, no result");
    CHECK((scanned("0x10", &used), used == 1) && (scanned("1 000", &used), used == 1) &&
              (scanned("1,5", &used), used == 1),
          "hexadecimal, spaces and commas end a number");
}

/* A locale with a decimal comma, if the machine has one, changes nothing: neither the fast way nor
   strtod. */
static void test_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "ru_RU.UTF-8"};
    size_t used;
    const char *found = NULL;

    for (size_t i = 0; i < 4 && found == NULL; i++) found = setlocale(LC_ALL, names[i]);
    CHECK(scanned("1.5", &used) == 1.5 && used == 3 &&
              scanned("1.50000000000000000000000000001", &used) == 1.5 && used == 31,
          "numbers in the locale %s", found == NULL ? "C (no other found)" : found);
    setlocale(LC_ALL, "C");
}

static void test_good(void)
{
    table t;
    PUT("a,b\n1,2\n3.5,-4e1\n");
    t = read_as(CSV, -1, -1, KEEP, NULL);
    CHECK(holds(&t, 2, 2, (double[]){1, 2, 3.5, -40}) && strcmp(t.names, "a|b") == 0, "two "
                                                                                      "columns, "
                                                                                      "two rows");
    table_clear(&t);

    static const char *const headers[] = {"a,b", "a,b\n", "a,b\r\n\r\n\n"};
    for (int i = 0; i < 3; i++) {
        put(headers[i], strlen(headers[i]));
        t = read_as(CSV, -1, -1, KEEP, NULL);
        CHECK(holds(&t, 0, 2, NULL),
              "a header and no rows: that nobody is in the table is not told (%d)", i);
        table_clear(&t);
    }

    const char crlf[] = "\xef\xbb\xbf\"a\"\"x\r\ny\", b ,\"c,d\"\r\n 1 "
                        ",\"2\",\"\"\r\nNA,\t3,+4\r\n\r\n\r\n";
    PUT(crlf);
    t = read_as(CSV, -1, -1, KEEP, NULL);
    CHECK(holds(&t, 2, 3, (double[]){1, 2, NAN, NAN, 3, 4}) &&
              strcmp(t.names, "a\"x  y|b|c,d") == 0,
          "byte-order mark, CRLF, quotes, doubled quotes, a line break in a name, blank lines at "
          "the end");
    table_clear(&t);

    const char text[] = "id,x,note,y,kind\np1,1,\"one, two\nthree\",2,\"a\"\"b\"\np2,3,,4,c\n p1 "
                        ",5,7\" pipe,6,\"a\"\"b\"";
    PUT(text);
    t = read_as(CSV, 4, 0, KEEP, (int32_t[]){3, 1, -1});
    CHECK(holds(&t, 3, 2, (double[]){2, 1, 4, 3, 6, 5}), "chosen columns in the order chosen, text "
                                                         "elsewhere, no last line feed");
    CHECK(has_codes(t.label, 3, (int64_t[]){0, 1, 0}) && has_codes(t.unit, 3, (int64_t[]){0, 1, 0}),
          "labels and units get codes in order of appearance, spaces and quotes aside");
    table_clear(&t);

    PUT(" a\t \n1\t\n");
    t = read_as(CSV, -1, -1, KEEP, NULL);
    CHECK(holds(&t, 1, 1, (double[]){1}), "tabs around a name are blanks");
    table_clear(&t);

    PUT("a\n1\n\n2\n\r\n");
    t = read_as(CSV, -1, -1, KEEP, NULL);
    CHECK(holds(&t, 4, 1, (double[]){1, NAN, 2, NAN}), "of one column a blank line is a missing "
                                                       "value, wherever it is");
    table_clear(&t);

    const char missing[] =
        "a\nNA\nN/A\nna\nnan\nNaN\nnull\nNULL\n?\ninf\n-inf\n+Infinity\n1e400\n-1e400\n\"\"\n"
        "None\n#N/A\n<NA>\n-nan\n ? \n7\n";
    PUT(missing);
    t = read_as(CSV, -1, -1, KEEP, NULL);
    bool good = t.status == TACIT_OK && t.rows == 20 && t.values[19] == 7;
    for (int i = 0; good && i < 19; i++) good = isnan(t.values[i]);
    CHECK(good, "every way to say missing");
    table_clear(&t);

    PUT("a\tb\tl\n1\t2\t\n3\t\tx\n");
    t = read_as(TACIT_FORMAT_TSV, 2, -1, KEEP, NULL);
    CHECK(holds(&t, 2, 2, (double[]){1, 2, 3, NAN}) && has_codes(t.label, 2, (int64_t[]){0, 1}),
          "tabs as separators, an empty label is a label");
    table_clear(&t);

    PUT("a,l\n1,\n");
    t = read_as(CSV, 1, -1, KEEP, NULL);
    CHECK(holds(&t, 1, 1, (double[]){1}) && has_codes(t.label, 1, (int64_t[]){0}), "a first and "
                                                                                   "only label "
                                                                                   "that is empty");
    table_clear(&t);

    PUT("h\xc3\xb6he,b\n1,2\n");
    t = read_as(CSV, -1, -1, REJECT, NULL);
    CHECK(holds(&t, 1, 2, (double[]){1, 2}) && strcmp(t.names, "h\xc3\xb6he|b") == 0, "UTF-8 "
                                                                                      "names");
    table_clear(&t);
}

/* Each a file, where and why it is refused. The numbers 777 and the word secret must never come
   back. */
static const struct {
    const char *bytes;
    size_t count;
    int32_t label, unit;
    tacit_missing missing;
    const char *words, *what;
} bad_files[] = {
#define FILE_(text) (text), sizeof(text) - 1
    {FILE_(""), -1, -1, KEEP, "empty", "an empty file"},
    {FILE_("\n1,2\n"), -1, -1, KEEP, "line 1|blank", "a blank header"},
    {FILE_("\r\n1,2\n"), -1, -1, KEEP, "line 1|blank", "a blank header, CRLF"},
    {FILE_("\xef\xbb\xbf"), -1, -1, KEEP, "empty", "a byte-order mark and nothing else"},
    {FILE_("a,b,a\n1,2,777\n"), -1, -1, KEEP, "'a'|twice", "a name twice"},
    {FILE_("a,\"a\"\n1,777\n"), -1, -1, KEEP, "'a'|twice", "a name twice, once in quotes"},
    {FILE_("a,,b\n1,2,777\n"), -1, -1, KEEP, "name 2|empty", "an empty name"},
    {FILE_("a,b,\n1,2,777\n"), -1, -1, KEEP, "name 3|empty", "an empty last name"},
    {FILE_(",a\n0,777\n"), -1, -1, KEEP, "name 1|index=False",
     "the nameless index column of pandas"},
    {FILE_("a,  \n1,777\n"), -1, -1, KEEP, "name 2|empty", "a name of spaces"},
    {FILE_("a,\"b\n1,777\n"), -1, -1, KEEP, "name 2|never closed", "an open quote in the header"},
    {FILE_("a,\"b\"c\n1,777\n"), -1, -1, KEEP, "name 2|closing quote",
     "text after a quote in the header"},
    {FILE_("a,b\0c\n1,777\n"), -1, -1, KEEP, "name 2|zero byte", "a zero byte in the header"},
    {FILE_("a,b\xff\n1,777\n"), -1, -1, KEEP, "name 2|UTF-8", "a header that is not UTF-8"},
    {FILE_("a,b\xc0\xaf\n1,777\n"), -1, -1, KEEP, "name 2|UTF-8", "an overlong form"},
    {FILE_("a,b\xed\xa0\x80\n1,777\n"), -1, -1, KEEP, "name 2|UTF-8", "half a surrogate pair"},
    {FILE_("\xff\xfe"
           "a\0\n\0"),
     -1, -1, KEEP, "UTF-16", "UTF-16"},
    {FILE_("\xfe\xff\0a\0\n"), -1, -1, KEEP, "UTF-16", "UTF-16, the other order"},
    {FILE_("777,8\n1,2\n"), -1, -1, KEEP, "line 1|header", "numbers instead of names"},
    {FILE_("secret,777\n1,2\n"), -1, -1, KEEP, "line 1|header",
     "a number behind a text: a row instead of names"},
    {FILE_("a,b\r1,777\r2,3\r"), -1, -1, KEEP, "carriage return", "carriage returns alone"},
    {FILE_("a,b\n1,secret\n"), -1, -1, KEEP, "line 2|'b'|text", "text in a feature"},
    {FILE_("a,b\n1,2\n1,2\nsecret,777\n"), -1, -1, KEEP, "line 4|'a'|text", "text in a later line"},
    {FILE_("a,\"b\nc\"\n1,2\n1,secret\n"), -1, -1, KEEP, "line 4|'b c'|text",
     "text after a header of two lines"},
    {FILE_("n,b\n\"x\n\ny\",2\nz,secret\n"), 0, -1, KEEP, "line 5|'b'",
     "text after a cell of three lines"},
    {FILE_("a,b\n0x777,2\n"), -1, -1, KEEP, "line 2|'a'|text", "hexadecimal"},
    {FILE_("a,b\n777 000,2\n"), -1, -1, KEEP, "line 2|'a'|text", "a space between thousands"},
    {FILE_("a,b\n\"777,5\",2\n"), -1, -1, KEEP, "line 2|'a'|text", "a decimal comma"},
    {FILE_("a,b\n777%,2\n"), -1, -1, KEEP, "line 2|'a'|text", "a per cent sign"},
    {FILE_("a,b\n777e,2\n"), -1, -1, KEEP, "line 2|'a'|text", "half an exponent"},
    {FILE_("a,b\n1..777,2\n"), -1, -1, KEEP, "line 2|'a'|text", "two points"},
    {FILE_("a,b\n--777,2\n"), -1, -1, KEEP, "line 2|'a'|text", "two signs"},
    {FILE_("a,b\n777_000,2\n"), -1, -1, KEEP, "line 2|'a'|text", "an underscore"},
    {FILE_("a,b\n-NA,2\n"), -1, -1, KEEP, "line 2|'a'|text", "a signed word"},
    {FILE_("a,b\n777d0,2\n"), -1, -1, KEEP, "line 2|'a'|text", "a Fortran exponent"},
    {FILE_("a,b\n\"7\"\"77\",2\n"), -1, -1, KEEP, "line 2|'a'|text", "a quote inside a number"},
    {FILE_("a,b\n777\r,2\n"), -1, -1, KEEP, "line 2|'a'|text", "a carriage return inside a line"},
    {FILE_("a,b\n777,2,3\n"), -1, -1, KEEP, "line 2|more cells", "too many cells"},
    {FILE_("a,b\n777,2,\n"), -1, -1, KEEP, "line 2|more cells", "a separator at the end"},
    {FILE_("a,b\n1,2\n777\n"), -1, -1, KEEP, "line 3|fewer cells", "too few cells"},
    {FILE_("a,b\n1,2\n777"), -1, -1, KEEP, "line 3|fewer cells", "too few cells in a cut file"},
    {FILE_("a,b\n1,2\n\n777,3\n"), -1, -1, KEEP, "line 3|blank", "a blank line between rows"},
    {FILE_("a,b\n\n1,777\n"), -1, -1, KEEP, "line 2|blank", "a blank line after the header"},
    {FILE_("spam 1:777 2:0.5\n"), -1, -1, KEEP, "line 1|LIBSVM",
     "a row of a LIBSVM file for a header"},
    {FILE_("-1 3:777 # note\n1 2:0.5\n"), -1, -1, KEEP, "line 1|LIBSVM", "another, with a comment"},
    {FILE_("a\n1\n\n777\n"), -1, -1, REJECT, "line 3|'a'|missing",
     "a blank line in a file of one column"},
    {FILE_("a,b\n1,\"777\n3,4\n"), -1, -1, KEEP, "line 2|'b'|never closed", "an open quote"},
    {FILE_("a,b\n\"x\ny\",\"777\n3,4\n"), 0, -1, KEEP, "line 3|'b'|never closed",
     "an open quote after a line break"},
    {FILE_("a,b\n1,\""), -1, -1, KEEP, "line 2|'b'|never closed", "a quote as the last byte"},
    {FILE_("a,b\n1,\"777\"8\n"), -1, -1, KEEP, "line 2|'b'|closing quote",
     "text after a closing quote"},
    {FILE_("a,b\n1,\"777\" \n"), -1, -1, KEEP, "line 2|'b'|closing quote",
     "a space after a closing quote"},
    {FILE_("a,b\n7\0,2\n"), -1, -1, KEEP, "line 2|'a'|zero byte", "a zero byte in a feature"},
    {FILE_("a,b\n\0\0,2\n"), 0, -1, KEEP, "line 2|'a'|zero byte", "a zero byte in a label"},
    {FILE_("a,b\n\"\0\",2\n"), -1, -1, KEEP, "line 2|'a'|zero byte", "a zero byte in quotes"},
    {FILE_("a,b\n1,2\n\0\0\0\0"), -1, -1, KEEP, "line 3|'a'|zero byte", "zero bytes at the end"},
    {FILE_("a,b\n1,2\n3,\n"), -1, -1, REJECT, "line 3|'b'|missing", "an empty cell, rejected"},
    {FILE_("a,b\nNA,777\n"), -1, -1, REJECT, "line 2|'a'|missing", "a missing word, rejected"},
    {FILE_("a,b\n1e777,2\n"), -1, -1, REJECT, "line 2|'a'|missing", "an overflow, rejected"},
    {FILE_("a,b\n-inf,2\n"), -1, -1, REJECT, "line 2|'a'|not finite", "an infinity, rejected"},
    {FILE_("\x93NUMPY\1\0v\0{'descr'"), -1, -1, KEEP, "header", "an NPY file taken for CSV"},
    {FILE_("PK\3\4\0\0\0\0"), -1, -1, KEEP, "ZIP archive|unzip -p", "a ZIP file"},
};

static void test_bad(void)
{
    for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++)
        refuses(CSV, bad_files[i].bytes, bad_files[i].count, bad_files[i].label, bad_files[i].unit,
                bad_files[i].missing, TACIT_E_FORMAT, bad_files[i].words, bad_files[i].what);
}

static void test_open(void)
{
    tac_reader *r = NULL;
    char other[sizeof file_path + 16];

    unlink(file_path);
    CHECK(tac_open_format(ctx, file_path, CSV, &r) == TACIT_E_OPEN && r == NULL &&
              said("No such file"),
          "a file that is not there");
    CHECK(tac_open_format(ctx, folder, CSV, &r) == TACIT_E_OPEN && r == NULL && said("directory"),
          "a directory");
    PUT("a\n1\n");
    if (geteuid() != 0) {
        MUST(chmod(file_path, 0) == 0);
        CHECK(tac_open_format(ctx, file_path, CSV, &r) == TACIT_E_OPEN && r == NULL, "a file one "
                                                                                     "may "
                                                                                     "not read");
        MUST(chmod(file_path, 0600) == 0);
    }
    CHECK(tac_open_format(ctx, file_path, TACIT_FORMAT_AUTO, &r) == TACIT_E_ARGUMENT && said("endin"
                                                                                             "g"),
          "an ending that tells nothing");
    CHECK(tac_open_format(ctx, file_path, (tacit_format)99, &r) == TACIT_E_ARGUMENT, "a format "
                                                                                     "that does "
                                                                                     "not exist");
    snprintf(other, sizeof other, "%s.CSV", file_path);
    MUST(rename(file_path, other) == 0);
    CHECK(tac_open_format(ctx, other, TACIT_FORMAT_AUTO, &r) == TACIT_OK && r != NULL, "an ending "
                                                                                       "in "
                                                                                       "capitals");
    if (r != NULL) r->close(r);
    r = NULL;
    MUST(rename(other, file_path) == 0);

    /* A selection that dataset.c would never make must still not write anywhere. */
    MUST(tac_open_format(ctx, file_path, CSV, &r) == TACIT_OK);
    const tac_selection twice = {
        .dims = 2, .column = (int32_t[]){0, 0}, .label = -1, .unit = -1, .missing = KEEP};
    CHECK(r->load(r, ctx, &twice) == TACIT_E_ARGUMENT, "a feature named twice");
    r->close(r);
    MUST(tac_open_format(ctx, file_path, CSV, &r) == TACIT_OK);
    const tac_selection outside = {
        .dims = 1, .column = (int32_t[]){1}, .label = -1, .unit = -1, .missing = KEEP};
    CHECK(r->load(r, ctx, &outside) == TACIT_E_ARGUMENT, "a feature outside the file");
    r->close(r);

    MUST(tac_open_format(ctx, file_path, CSV, &r) == TACIT_OK);
    const tac_selection one = {
        .dims = 1, .column = (int32_t[]){0}, .label = -1, .unit = -1, .missing = KEEP};
    ctx->cancelled = 1;
    CHECK(r->load(r, ctx, &one) == TACIT_E_CANCELLED, "canceled between opening and loading");
    r->close(r);
    CHECK(tac_open_format(ctx, file_path, CSV, &r) == TACIT_E_CANCELLED && r == NULL, "canceled");
    ctx->cancelled = 0;

    /* A file whose first bytes nobody can read. */
    if (access("/proc/self/mem", R_OK) == 0)
        CHECK(tac_open_format(ctx, "/proc/self/mem", CSV, &r) == TACIT_E_READ && said("reading "
                                                                                      "failed"),
              "a read that fails");
}

/* Standard input: CSV by default, and a pipe that gives little at a time. */
static void test_stream(void)
{
    int ends[2];
    const int saved = dup(STDIN_FILENO);
    tac_reader *r = NULL;

    MUST(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO && close(ends[0]) == 0);
    MUST(write(ends[1], "a,b\n1,2\n3,4\n", 12) == 12 && close(ends[1]) == 0);
    MUST(tac_open_format(ctx, "-", TACIT_FORMAT_AUTO, &r) == TACIT_OK);
    table t = take(r, -1, -1, KEEP, NULL);
    CHECK(holds(&t, 2, 2, (double[]){1, 2, 3, 4}), "standard input");
    table_clear(&t);
    MUST(dup2(saved, STDIN_FILENO) == STDIN_FILENO && close(saved) == 0);
}

/* A file with quotes, line breaks in cells, CRLF and blank lines at the end, read with every number
   of threads and pieces of every small size: always the same. Then with a fault near the end. */
static void test_threads(void)
{
    const size_t most = 1 << 18;
    char *text = malloc(most);
    size_t size = (size_t)snprintf(text, most, "a,note,b,who\n");
    const int rows = 2000;

    for (int i = 0; i < rows; i++) {
        static const char *const notes[] = {
            "plain",    "\"quoted\"", "\"two\nlines\"", "\"a \"\"b\"\" c\"", "\"\"",
            "\"\"\"\"", "5\" pipe",   "\"\n\"",         "\",\n,\"",          ""};
        size += (size_t)snprintf(
            text + size, most - size, "%.17g,%s,%s%d%s,%s%llu%s", (double)random_bits() * 1e-19,
            notes[random_bits() % 10], i % 7 == 0 ? "\"" : "", i, i % 7 == 0 ? "\"" : "",
            i % 5 == 0 ? "\"x\ny" : "xy", (unsigned long long)(random_bits() % 50),
            i % 5 == 0 ? "\"\r\n" : "\n");
    }
    size += (size_t)snprintf(text + size, most - size, "\r\n\n\n");
    put(text, size);
    table one = read_as(CSV, 3, 3, KEEP, (int32_t[]){0, 2, -1});
    bool good = one.status == TACIT_OK && one.rows == rows;
    for (int i = 0; good && i < rows; i++) good = one.values[2 * i + 1] == i;
    CHECK(good, "a file full of quotes, one thread");
    static const int threads[] = {1, 2, 3, 7};
    static const int64_t blocks[] = {1, 3, 10, 100, 5000, 1 << 18};
    for (int k = 0; k < 24 && good; k++) {
        ctx->threads = threads[k % 4];
        ctx->block_bytes = blocks[k / 4];
        table t = read_as(CSV, 3, 3, KEEP, (int32_t[]){0, 2, -1});
        good = holds(&t, rows, 2, one.values) && has_codes(t.label, rows, one.label) &&
               has_codes(t.unit, rows, one.unit);
        table_clear(&t);
    }
    CHECK(good, "the same with 1, 2, 3, 7 threads and pieces of 4 bytes to 1 MiB");
    table_clear(&one);

    static const char *const faults[] = {"1,\"2,3,4\n5,6,7,8\n", "1,2,x,4\n1,2,y,4\n",
                                         "1,2,3\n1,2\n", "\n\n1,2,3,4\n", "1,2,3,\"4\"5\n"};
    for (size_t f = 0; f < 5 && good; f++) {
        char first[sizeof ctx->message] = "";
        const size_t bad = (size_t)snprintf(text + size - 4, most - size, "%s%s%s%s", faults[f],
                                            faults[0], faults[1], faults[4]);
        put(text, size - 4 + bad);
        for (int k = 0; k < 24 && good; k++) {
            ctx->threads = threads[k % 4];
            ctx->block_bytes = blocks[k / 4];
            table t = read_as(CSV, 3, 3, KEEP, (int32_t[]){0, 2, -1});
            if (k == 0) memcpy(first, ctx->message, sizeof first);
            good = t.status == TACIT_E_FORMAT && strcmp(first, ctx->message) == 0;
            if (!good) printf("# %s\n# %s\n", first, ctx->message);
            table_clear(&t);
        }
    }
    CHECK(good, "the first fault of a file is found first, whatever the threads");
    ctx->threads = 1;
    ctx->block_bytes = 1 << 18;
    free(text);
}

/* Of the processor: whatever else the machine does. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Lines of 10 MB: numbers of a million digits, a long label, a header that is too wide, an open
   quote over all. */
static void test_long(void)
{
    const size_t big = 10000000;
    char *text = malloc(big + 100);
    const double begin = seconds();
    table t;

    memcpy(text, "a,l\n1,", 6);
    memset(text + 6, 'x', big);
    put(text, big + 6);
    t = read_as(CSV, 1, -1, KEEP, NULL);
    CHECK(holds(&t, 1, 1, (double[]){1}) && has_codes(t.label, 1, (int64_t[]){0}), "a label of 10 "
                                                                                   "MB");
    table_clear(&t);

    memcpy(text, "a\n0.", 4);
    memset(text + 4, '3', big);
    put(text, big + 4);
    t = read_as(CSV, -1, -1, KEEP, NULL);
    CHECK(holds(&t, 1, 1, (double[]){1.0 / 3}), "a number of ten million digits");
    table_clear(&t);

    memcpy(text, "a,b\n1,\"", 7);
    memset(text + 7, '\n', big);
    put(text, big + 7);
    t = read_as(CSV, -1, -1, KEEP, NULL);
    CHECK(t.status == TACIT_E_FORMAT && said("line 2, column 'b': a quote is opened"),
          "a quote open over ten million lines");
    table_clear(&t);

    memcpy(text, "a,b\n1,\"", 7);
    memset(text + 7, '"', big);
    put(text, big + 7);
    t = read_as(CSV, -1, -1, KEEP, NULL);
    CHECK(t.status == TACIT_E_FORMAT, "ten million quotes");
    table_clear(&t);

    size_t size = 0;
    for (int i = 0; i <= 1000000; i++) size += (size_t)sprintf(text + size, "c%d,", i);
    text[size - 1] = '\n';
    put(text, size);
    t = read_as(CSV, -1, -1, KEEP, NULL);
    CHECK(t.status == TACIT_E_FORMAT && said("more than 1000000 names"), "a million and one "
                                                                         "columns");
    table_clear(&t);

    memset(text, ',', big);
    put(text, big);
    t = read_as(CSV, -1, -1, KEEP, NULL);
    CHECK(t.status == TACIT_E_FORMAT, "ten million separators");
    table_clear(&t);

    CHECK(seconds() - begin < 20, "and none of it takes long");
    free(text);
}

int main(void)
{
    static const char seed[] = "id,a,\"b\"\"c\"\r\nx,1.5,\"2\"\r\n\"y,\nz\",-3e-2,NA\r\n"
                               "x,0.123456789012345678,4\r\n\r\n";

    start();
    ctx->threads = 1;
    test_decimal();
    test_locale();
    test_good();
    test_bad();
    test_open();
    test_stream();
    test_threads();
    test_long();
    mutate(CSV, seed, sizeof seed - 1, -1, 0, tap_times(3000), "CSV");
    finish();
    return tap_done();
}
