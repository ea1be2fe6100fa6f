/* SPDX-License-Identifier: Apache-2.0 */
/* NPY files and rows in memory: every element type in both orders gives the same rows; damage is
   refused. */
#include "reading.h"

#define NPY TACIT_FORMAT_NPY
#define KEEP TACIT_MISSING_MIDPOINT
#define REJECT TACIT_MISSING_REJECT_FILE
#define ROWS 11
#define COLUMNS 5

static char bytes[1 << 16];
static const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

/* Magic, version, the dictionary padded as NumPy does, then the data. Data of this machine's own
   order: where it is big-endian, "<" becomes ">". Returns the size. */
static size_t npy(int version, const char *dictionary, const void *data, size_t count)
{
    const size_t head = version == 1 ? 10 : 12;
    const size_t length = (head + strlen(dictionary) + 1 + 63) / 64 * 64 - head;

    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (char)version;
    bytes[8] = (char)(length & 255);
    bytes[9] = (char)(length >> 8);
    memset(bytes + head, ' ', length);
    memcpy(bytes + head, dictionary, strlen(dictionary));
    bytes[head + length - 1] = '\n';
    for (size_t i = head; !little && i < head + length; i++)
        if (bytes[i] == '<' || bytes[i] == '>') bytes[i] = bytes[i] == '<' ? '>' : '<';
    if (count > 0) memcpy(bytes + head + length, data, count);
    return head + length + count;
}

/* The same elements with their bytes in the other order. */
static void turn(const char *data, size_t count, size_t size, char *out)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < size; j++) out[i * size + j] = data[i * size + size - 1 - j];
}

/* Element (i, j) as a small whole number that fits every type but bool; negative ones where the
   type has them. */
static double value_at(int i, int j, bool is_signed, bool is_bool)
{
    const int x = (i * 7 + j * 13) % 100;
    return is_bool ? x % 2 : is_signed && x % 3 == 0 ? -x : x;
}

static const int32_t some[] = {4, 0, 2, -1};

/* The same rows from memory, also when it lies at an odd address. */
static bool from_memory(const char data[ROWS * COLUMNS * 8], tacit_type type, const double *all,
                        const double *three, const int64_t *codes)
{
    bool good = true;

    for (int shift = 0; shift < 2; shift++) {
        char moved[ROWS * COLUMNS * 8 + 1];
        tac_reader *r = NULL;
        memcpy(moved + shift, data, ROWS * COLUMNS * 8);
        MUST(tac_open_memory(ctx, moved + shift, type, ROWS, COLUMNS, &r) == TACIT_OK);
        table t = take(r, -1, -1, REJECT, NULL);
        good = good && holds(&t, ROWS, COLUMNS, all);
        table_clear(&t);
        MUST(tac_open_memory(ctx, moved + shift, type, ROWS, COLUMNS, &r) == TACIT_OK);
        t = take(r, 1, 1, KEEP, some);
        good = good && holds(&t, ROWS, 3, three) && has_codes(t.label, ROWS, codes);
        table_clear(&t);
    }
    return good;
}

static void test_types(void)
{
    static const struct {
        const char *descr;
        tacit_type type;
        size_t size;
        bool is_signed, is_bool;
    } kinds[] = {
        {"<f8", TACIT_F64, 8, true, false}, {"<f4", TACIT_F32, 4, true, false},
        {"|i1", TACIT_I8, 1, true, false},  {"|u1", TACIT_U8, 1, false, false},
        {"<i2", TACIT_I16, 2, true, false}, {"<u2", TACIT_U16, 2, false, false},
        {"<i4", TACIT_I32, 4, true, false}, {"<u4", TACIT_U32, 4, false, false},
        {"<i8", TACIT_I64, 8, true, false}, {"<u8", TACIT_U64, 8, false, false},
        {"|b1", TACIT_U8, 1, false, true},
    };

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        bool good = true;
        for (int order = 0; order < 2; order++) {
            char data[ROWS * COLUMNS * 8], turned[sizeof data], dictionary[128];
            double all[ROWS * COLUMNS], three[ROWS * 3];
            int64_t codes[ROWS];
            for (int i = 0; i < ROWS; i++)
                for (int j = 0; j < COLUMNS; j++) {
                    const double x = value_at(i, j, kinds[k].is_signed, kinds[k].is_bool);
                    char *to = data + (size_t)(order == 0 ? i * COLUMNS + j : j * ROWS + i) *
                                          kinds[k].size;
                    all[i * COLUMNS + j] = x;
                    switch (kinds[k].type) {
                    case TACIT_F64: memcpy(to, &x, 8); break;
                    case TACIT_F32: memcpy(to, &(float){(float)x}, 4); break;
                    /* the low bytes */
                    default:
                        memcpy(to,
                               (char *)&(int64_t){(int64_t)x} + (little ? 0 : 8 - kinds[k].size),
                               kinds[k].size);
                    }
                }
            for (int i = 0; i < ROWS; i++) {
                codes[i] = -1;
                for (int j = 0; j < 3; j++) three[i * 3 + j] = all[i * COLUMNS + some[j]];
            }
            int64_t next = 0; /* the codes of column 1, by hand */
            for (int i = 0; i < ROWS; i++) {
                for (int h = 0; h < i; h++)
                    if (all[h * COLUMNS + 1] == all[i * COLUMNS + 1]) codes[i] = codes[h];
                if (codes[i] < 0) codes[i] = next++;
            }
            snprintf(dictionary, sizeof dictionary,
                     "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }", kinds[k].descr,
                     order == 0 ? "False" : "True", ROWS, COLUMNS);
            /* three versions, then big-endian: all that follows is the same */
            turn(data, ROWS * COLUMNS, kinds[k].size, turned);
            for (int round = 1; round <= 4; round++) {
                char *const descr = strchr(dictionary, '<');
                if (round == 4 && descr != NULL) *descr = '>';
                put(bytes, npy(round == 4 ? 1 : round, dictionary, round == 4 ? turned : data,
                               ROWS * COLUMNS * kinds[k].size));
                table t = read_as(NPY, -1, -1, REJECT, NULL);
                good =
                    good && holds(&t, ROWS, COLUMNS, all) && strcmp(t.names, "c1|c2|c3|c4|c5") == 0;
                table_clear(&t);
                t = read_as(NPY, 1, 1, KEEP, some);
                good = good && holds(&t, ROWS, 3, three) && has_codes(t.label, ROWS, codes) &&
                       has_codes(t.unit, ROWS, codes);
                table_clear(&t);
            }
            if (order == 0) good = from_memory(data, kinds[k].type, all, three, codes) && good;
        }
        CHECK(good,
              "%s: both orders, three versions, big-endian, all and some columns, codes, memory",
              kinds[k].descr);
    }
}

static void test_good(void)
{
    static const double values[] = {1, NAN, INFINITY, -INFINITY, -0.0, 2, 0, 3};
    table t;

    put(bytes, npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (8,), }", values, 64));
    t = read_as(NPY, -1, -1, KEEP, NULL);
    CHECK(holds(&t, 8, 1, (double[]){1, NAN, NAN, NAN, 0, 2, 0, 3}), "one dimension is one column; "
                                                                     "not finite is missing");
    table_clear(&t);
    put(bytes, npy(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (8,), }", values, 64));
    t = read_as(NPY, 0, -1, KEEP, NULL);
    CHECK(t.status == TACIT_OK && has_codes(t.label, 8, (int64_t[]){0, 1, 1, 1, 2, 3, 2, 4}),
          "labels: 0 is -0, missing is one label");
    table_clear(&t);
    put(bytes,
        npy(2, "{\"shape\":(2L,4L) ,\"fortran_order\":False,\"descr\":\"<f8\"}", values, 64));
    t = read_as(NPY, -1, -1, KEEP, NULL);
    CHECK(holds(&t, 2, 4, (double[]){1, NAN, NAN, NAN, 0, 2, 0, 3}), "keys in another order, other "
                                                                     "quotes");
    table_clear(&t);

    static const int64_t large[] = {INT64_C(9007199254740992), INT64_C(9007199254740993),
                                    INT64_C(9007199254740992)};
    put(bytes, npy(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (3, 1), }", large, 24));
    t = read_as(NPY, 0, -1, KEEP, NULL);
    CHECK(has_codes(t.label, 3, (int64_t[]){0, 1, 0}), "large whole labels that are one double are "
                                                       "two labels");
    table_clear(&t);

    /* Numbers that name persons. A float keeps whole numbers below 2^24 apart, a double below 2^53:
       from there on two persons may have been rounded to one, and nobody's rows count for
       nobody. */
    static const float floats[] = {1,        16777215, 16777216, 16777218, -16777216,
                                   16777215, 1e9f,     0.5f,     NAN,      -16777215};
    put(bytes, npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (10, 1), }", floats,
                   sizeof floats));
    t = read_as(NPY, -1, 0, KEEP, NULL);
    CHECK(t.status == TACIT_OK &&
              has_codes(t.unit, 10, (int64_t[]){0, 1, -1, -1, -1, 1, -1, -1, -1, 2}),
          "float32 names of persons from 2^24 on name nobody: they may be two persons rounded to "
          "one");
    table_clear(&t);
    static const double doubles[] = {1,
                                     16777216,
                                     9007199254740991.0,
                                     9007199254740992.0,
                                     9007199254740994.0,
                                     -9007199254740992.0,
                                     16777217,
                                     0.5,
                                     NAN,
                                     9007199254740991.0};
    put(bytes, npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (10, 1), }", doubles,
                   sizeof doubles));
    t = read_as(NPY, -1, 0, KEEP, NULL);
    CHECK(t.status == TACIT_OK &&
              has_codes(t.unit, 10, (int64_t[]){0, 1, 2, -1, -1, -1, 3, -1, -1, 2}),
          "float64 names of persons from 2^53 on name nobody");
    table_clear(&t);

    /* wider than the scratch buffer, one column of many */
    static float wide[2][20000];
    for (int j = 0; j < 20000; j++) wide[0][j] = (float)j, wide[1][j] = (float)-j;
    const size_t head =
        npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 20000), }", NULL, 0);
    char *file = malloc(head + sizeof wide);
    memcpy(file, bytes, head);
    memcpy(file + head, wide, sizeof wide);
    put(file, head + sizeof wide);
    t = read_as(NPY, 3, -1, KEEP, (int32_t[]){19999, 7, -1});
    CHECK(holds(&t, 2, 2, (double[]){19999, 7, -19999, -7}), "20000 columns, two chosen");
    table_clear(&t);
    free(file);
}

/* Standard input that is NPY is recognized and kept in memory. */
static void test_stream(void)
{
    static const double values[] = {1, 2, 3, 4, 5, 6};
    int ends[2];
    const int saved = dup(STDIN_FILENO);
    tac_reader *r = NULL;

    for (int order = 0; order < 2; order++) {
        const size_t size = npy(1,
                                order ? "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }"
                                      : "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), "
                                        "}",
                                values, 48);
        MUST(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO && close(ends[0]) == 0);
        MUST(write(ends[1], bytes, size) == (ssize_t)size && close(ends[1]) == 0);
        MUST(tac_open_format(ctx, "-", TACIT_FORMAT_AUTO, &r) == TACIT_OK);
        table t = take(r, -1, -1, KEEP, NULL);
        CHECK(holds(&t, 3, 2, order ? (double[]){1, 4, 2, 5, 3, 6} : values), "NPY on standard "
                                                                              "input");
        table_clear(&t);
    }
    MUST(dup2(saved, STDIN_FILENO) == STDIN_FILENO && close(saved) == 0);
}

static void refuse(const char *dictionary, size_t data, const char *words, const char *what)
{
    static const char zeros[4096];
    const size_t size = npy(1, dictionary, zeros, data);
    char copy[8192];
    memcpy(copy, bytes, size);
    refuses(NPY, copy, size, -1, -1, KEEP, TACIT_E_FORMAT, words, what);
}

static void test_bad_dictionaries(void)
{
    refuse("{'descr': '>c16', 'fortran_order': False, 'shape': (2, 2), }", 64, "complex",
           "complex numbers, big-endian");
    refuse("{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }", 32, "objects",
           "pickled objects");
    refuse("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }", 16, "named fields",
           "named fields");
    refuse("{'descr': '<U4', 'fortran_order': False, 'shape': (2, 2), }", 64, "text", "text");
    refuse("{'descr': '|S4', 'fortran_order': False, 'shape': (2, 2), }", 16, "text", "byte text");
    refuse("{'descr': '<c16', 'fortran_order': False, 'shape': (2, 2), }", 64, "complex",
           "complex numbers");
    refuse("{'descr': '<f2', 'fortran_order': False, 'shape': (2, 2), }", 8, "element type",
           "half precision");
    refuse("{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (2, 2), }", 32, "element type",
           "dates");
    refuse("{'descr': '', 'fortran_order': False, 'shape': (2, 2), }", 32, "element type",
           "no type");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 8, "dimensions",
           "no dimension");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2, 1), }", 32, "dimensions",
           "three dimensions");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 2), }", 32, "damaged",
           "a negative shape");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 0), }", 0, "no columns",
           "no columns");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999999999, 2), }", 32,
           "too large", "a huge shape");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999999, 2), }",
           32, "damaged", "a shape of 26 digits");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1000001), }", 32,
           "1000000 columns", "too many columns");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (2), }", 16, "damaged", "no tuple");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", 31, "shorter",
           "data cut off");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", 0, "shorter", "no data");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", 33, "longer",
           "bytes after the array");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)", 32, "damaged",
           "an open dictionary");
    refuse("{'descr': '<f8', 'fortran_order': False}", 32, "damaged", "no shape");
    refuse("{'descr': '<f8', 'fortran_order': 0, 'shape': (2, 2)}", 32, "damaged",
           "an order that is no truth value");
    refuse("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}", 32,
           "damaged", "a key twice");
    refuse("{'descr': '<f8', 'more': 1, 'fortran_order': False, 'shape': (2, 2)}", 32, "damaged",
           "an unknown key");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)} + 777", 32, "damaged",
           "text after the dictionary");
    refuse("import os", 32, "damaged", "no dictionary");
    refuse("{'descr': '\\x3cf8', 'fortran_order': False, 'shape': (2, 2)}", 32, "damaged",
           "escapes");
}

static void test_bad_bytes(void)
{
    static const double values[] = {1, 2, NAN, INFINITY};
    size_t size;

    refuses(NPY, "", 0, -1, -1, KEEP, TACIT_E_FORMAT, "not a NumPy", "an empty file");
    refuses(NPY, "a,b\n1,777\n22222", 15, -1, -1, KEEP, TACIT_E_FORMAT, "not a NumPy",
            "a CSV file");
    refuses(NPY, "\x93NUMPY\1\0", 8, -1, -1, KEEP, TACIT_E_FORMAT, "not a NumPy",
            "a file cut in its first bytes");
    refuses(NPY, "\x93NUMPY\1\0\xff\xff{'a", 13, -1, -1, KEEP, TACIT_E_FORMAT, "damaged",
            "a file cut in its header");
    refuses(NPY, "\x93NUMPY\4\0v\0\0\0{}", 14, -1, -1, KEEP, TACIT_E_FORMAT, "version",
            "a version to come");
    refuses(NPY, "\x93NUMPY\2\0\xff\xff\xff\xff{}", 14, -1, -1, KEEP, TACIT_E_FORMAT, "1 MiB",
            "a header of 4 GiB");
    refuses(NPY, "\x93NUMPY\1\0\4\0{}\0\n", 14, -1, -1, KEEP, TACIT_E_FORMAT, "damaged",
            "a zero byte in the header");

    size = npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", values, 32);
    char copy[256];
    memcpy(copy, bytes, size);
    refuses(NPY, copy, size, -1, -1, REJECT, TACIT_E_FORMAT, "row 2|'c1'|missing",
            "a NaN, rejected");
    refuses(NPY, copy, size, 0, -1, REJECT, TACIT_E_FORMAT, "row 2|'c2'|not finite",
            "an infinity, rejected");

    tac_reader *r = NULL;
    CHECK(tac_open_memory(ctx, NULL, TACIT_F64, 1, 1, &r) == TACIT_E_ARGUMENT &&
              tac_open_memory(ctx, values, (tacit_type)10, 1, 1, &r) == TACIT_E_ARGUMENT &&
              tac_open_memory(ctx, values, TACIT_F64, 1, 0, &r) == TACIT_E_ARGUMENT &&
              tac_open_memory(ctx, values, TACIT_F64, -1, 1, &r) == TACIT_E_ARGUMENT &&
              tac_open_memory(ctx, values, TACIT_F64, INT64_MAX, 1000, &r) == TACIT_E_ARGUMENT &&
              r == NULL,
          "rows in memory that cannot be");
    MUST(tac_open_memory(ctx, values, TACIT_F64, 2, 2, &r) == TACIT_OK);
    table t = take(r, -1, -1, REJECT, NULL);
    CHECK(t.status == TACIT_E_FORMAT && said("row 2, column 'c1'"), "rows in memory, a NaN, "
                                                                    "rejected");
    table_clear(&t);

    /* The file shrinks between load and read: an error, not a signal. */
    put(copy, size);
    MUST(tac_open_format(ctx, file_path, NPY, &r) == TACIT_OK);
    const tac_selection all = {
        .dims = 2, .column = (int32_t[]){0, 1}, .label = -1, .unit = -1, .missing = KEEP};
    double out[4];
    MUST(r->load(r, ctx, &all) == TACIT_OK && truncate(file_path, (off_t)size - 8) == 0);
    CHECK(r->read(r, 0, 1, out) == TACIT_E_READ && r->read(r, 0, 2, out) == TACIT_E_READ,
          "a file that shrinks while in use");
    r->close(r);
}

int main(void)
{
    static const float values[12] = {1, 2, 3};

    start();
    test_types();
    test_good();
    test_stream();
    test_bad_dictionaries();
    test_bad_bytes();
    for (int order = 0; order < 2; order++) {
        const size_t size = npy(1,
                                order ? "{'descr': '<f4', 'fortran_order': True, 'shape': (4, 3), }"
                                      : "{'descr': '<i4', 'fortran_order': False, 'shape': (4, 3), "
                                        "}",
                                values, 48);
        char seed[256];
        memcpy(seed, bytes, size);
        mutate(NPY, seed, size, -1, 0, tap_times(2000), "NPY");
    }
    finish();
    return tap_done();
}
