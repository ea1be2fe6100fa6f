/* SPDX-License-Identifier: Apache-2.0 */
/* Whose row it is: which ids are one person, in every format; and that no kept row depends on the
   key under which ids are hashed. */
#include "data/dataset/dataset.h"
#include "data/readers/array_rows.h"
#include "person_codes.h"
#include "tap.h"

#include <math.h>

static tacit_ctx *ctx;
static char folder[] = "/tmp/tacit-test-XXXXXX", path[300];

static void put(const char *name, const void *bytes, size_t count)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    MUST(f != NULL && fwrite(bytes, 1, count, f) == count && fclose(f) == 0);
}

/* Opens what was put last, with a key whose bytes are all `key`. */
static tacit_data *load(const char *unit, int key)
{
    tacit_data_opts o = TACIT_DATA_OPTS_INIT;
    tacit_data *data = NULL;
    tac_load how = {.key_given = true};

    memset(&how.person_key, key, sizeof how.person_key);
    o.unit_column = unit;
    MUST(tacit_data_open(ctx, path, &o, &data) == TACIT_OK);
    if (tac_data_load(ctx, data, &how) != TACIT_OK) printf("# %s\n", tacit_ctx_message(ctx));
    MUST(data->loaded);
    return data;
}

static bool has_codes(const tacit_data *data, const int64_t *expected, int64_t rows)
{
    int64_t *code = reader_persons(data->reader);
    bool good = code != NULL && data->reader->rows == rows;

    for (int64_t i = 0; good && i < rows; i++) {
        if (code[i] != expected[i])
            printf("# row %d: %d, not %d\n", (int)i, (int)code[i], (int)expected[i]);
        good = code[i] == expected[i];
    }
    free(code);
    return good;
}

/* Texts that look alike, and texts that are long. */
static void test_texts(void)
{
    static const char head[] = "id,x\n";
    static const char *const id[] = {
        "1",       "1.0",        "01",       " 1 ", "\"1\"", "\" 1\"",   "-0",        "0",
        "",        "NA",         "\"\"",     "nan", "a\\0b", "\xc3\xa9", "e\xcc\x81", "\xc3\xa9 ",
        "\"a,b\"", "\"a\"\"b\"", "\"a\nb\"", "a b", "A b",   "\xff\xfe"};
    static const int64_t expected[] = {0,  1, 2, 0, 0, 3, 4,  5,  -1, -1, -1,
                                       -1, 6, 7, 8, 7, 9, 10, 11, 12, 13, 14};
    enum { IDS = sizeof id / sizeof *id };
    char text[1000];
    size_t at = (size_t)snprintf(text, sizeof text, "%s", head);

    for (int i = 0; i < IDS; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s,%d\n", id[i], i);
    put("texts.csv", text, at);
    for (int key = 0; key < 3; key++) {
        tacit_data *data = load("id", key);
        CHECK(has_codes(data, expected, IDS), "texts are persons as they are written, key %d", key);
        tacit_data_free(data);
    }
}

/* A million bytes of id, and the same but for the last. */
static void test_long(void)
{
    enum { LONG = 1000000 };
    char *text = malloc(3 * LONG + 100);
    size_t at = 0;

    MUST(text != NULL);
    at += (size_t)sprintf(text, "id,x\n");
    for (int i = 0; i < 3; i++) {
        memset(text + at, 'a', LONG);
        text[at + LONG - 1] = i == 1 ? 'b' : 'a';
        at += LONG;
        at += (size_t)sprintf(text + at, ",%d\n", i);
    }
    put("long.csv", text, at);
    tacit_data *data = load("id", 1);
    CHECK(has_codes(data, (int64_t[]){0, 1, 0}, 3), "a long id counts to its last byte");
    tacit_data_free(data);
    free(text);
}

/* The person of one element of an array. */
static tac_person element(tacit_type type, const void *value)
{
    tac_person person = {1, 1};
    tacit_data *data = NULL;
    char row[16] = {0};
    const size_t size = tac_type_size(type);

    memcpy(row + size, value, size);
    MUST(tacit_data_from_memory(ctx, row, type, 1, 2, &data) == TACIT_OK);
    data->selection.unit = 1;
    data->selection.dims = 1;
    data->has_units = true;
    MUST(tac_data_load(ctx, data, &(tac_load){.key_given = true}) == TACIT_OK &&
         tac_data_units(data, 0, 1, &person) == TACIT_OK);
    tacit_data_free(data);
    return person;
}

static bool is_text(tac_person person, const char *text)
{
    const tac_person_key key = {{0}};
    return tac_person_compare(person, tac_person_of(&key, text, strlen(text))) == 0;
}

/* Numbers of every type are the persons of their digits. */
static void test_numbers(void)
{
    CHECK(is_text(element(TACIT_I8, &(int8_t){-128}), "-128") &&
              is_text(element(TACIT_U8, &(uint8_t){200}), "200") &&
              is_text(element(TACIT_I16, &(int16_t){-300}), "-300") &&
              is_text(element(TACIT_U16, &(uint16_t){65535}), "65535") &&
              is_text(element(TACIT_I32, &(int32_t){INT32_MIN}), "-2147483648") &&
              is_text(element(TACIT_U32, &(uint32_t){UINT32_MAX}), "4294967295") &&
              is_text(element(TACIT_I64, &(int64_t){INT64_MIN}), "-9223372036854775808") &&
              is_text(element(TACIT_U64, &(uint64_t){UINT64_MAX}), "18446744073709551615") &&
              is_text(element(TACIT_I64, &(int64_t){0}), "0"),
          "an integer is the person of its digits");
    CHECK(is_text(element(TACIT_F64, &(double){-0.0}), "0") &&
              is_text(element(TACIT_F64, &(double){-7}), "-7") &&
              is_text(element(TACIT_F64, &(double){9007199254740991}), "9007199254740991") &&
              is_text(element(TACIT_F32, &(float){16777215}), "16777215"),
          "so is a whole floating-point number; -0 is 0");
    CHECK(tac_is_nobody(element(TACIT_F64, &(double){9007199254740992})) &&
              tac_is_nobody(element(TACIT_F64, &(double){1.5})) &&
              tac_is_nobody(element(TACIT_F64, &(double){(double)NAN})) &&
              tac_is_nobody(element(TACIT_F64, &(double){(double)INFINITY})) &&
              tac_is_nobody(element(TACIT_F32, &(float){16777216})),
          "what may be several people's number is nobody's");
}

/* All 16 bytes tell persons apart, and order them. */
static void test_order(void)
{
    bool apart = true;

    for (int bit = 0; bit < 128; bit++)
        for (int base = 0; base < 3; base++) {
            const uint64_t fill = base == 0 ? 0 : base == 1 ? UINT64_MAX : 0x123456789abcdef;
            const tac_person a = {fill, fill},
                             b = {fill ^ (bit < 64 ? UINT64_C(1) << bit : 0),
                                  fill ^ (bit < 64 ? 0 : UINT64_C(1) << (bit - 64))};
            apart = apart && tac_person_compare(a, a) == 0 && tac_person_compare(a, b) != 0 &&
                    (tac_person_compare(a, b) < 0) == (tac_person_compare(b, a) > 0);
        }
    CHECK(apart, "persons that differ in one bit of 128 are two");
}

/* The same ids in every format, from blocks of any size: the same persons. */
static void test_formats(void)
{
    static const char csv[] = "id,x\n3,1\n0,2\n3,4\n12,5\n",
                      triplets[] = "row,col,count,who\n0,0,1,3\n1,0,2,0\n2,0,4,3\n3,0,5,12\n",
                      mtx[] = "%%MatrixMarket matrix coordinate real general\n4 2 8\n1 1 3\n1 2 "
                              "1\n2 1 0\n2 2 2\n3 1 3\n3 2 4\n4 1 12\n4 2 5\n";
    static const struct {
        const char *name, *unit, *text;
    } files[] = {{"a.csv", "id", csv}, {"a.triplets", "who", triplets}, {"a.mtx", "c1", mtx}};
    tac_person person[3][4];
    bool same = true;

    for (int f = 0; f < 3; f++) {
        put(files[f].name, files[f].text, strlen(files[f].text));
        tacit_data *data = NULL;
        tacit_data_opts o = TACIT_DATA_OPTS_INIT;
        tac_load how = {.key_given = true, .person_key = {{5}}};
        o.unit_column = files[f].unit;
        if (f == 1) o.format = TACIT_FORMAT_TRIPLETS;
        MUST(tacit_data_open(ctx, path, &o, &data) == TACIT_OK &&
             tac_data_load(ctx, data, &how) == TACIT_OK && data->reader->rows == 4);
        for (int i = 0; i < 4; i++) MUST(tac_data_units(data, i, 1, &person[f][i]) == TACIT_OK);
        for (int i = 0; i < 4; i++)
            same = same && tac_person_compare(person[f][i], person[0][i]) == 0;
        tacit_data_free(data);
    }
    CHECK(same && tac_person_compare(person[0][0], person[0][2]) == 0 &&
              tac_person_compare(person[0][0], person[0][1]) != 0,
          "one key, the same persons in CSV, triplets and Matrix Market");
}

/* Which rows count, under many keys; and one key cannot stand for another. */
static void test_keys(void)
{
    enum { N = 400, KEYS = 20 };
    static double value[N];
    static int64_t unit[N];
    uint64_t *keep[KEYS];
    int differ = 0;
    bool told = true;

    for (int i = 0; i < N; i++) {
        value[i] = i * 7 % 31; /* with equal rows */
        unit[i] = i % 23 - 1;
    }
    for (int k = 0; k < KEYS; k++) {
        tacit_data *data = NULL;
        tac_load how = {.key_given = true}, other = {.key_given = true};
        memset(&how.person_key, k, sizeof how.person_key);
        memset(&other.person_key, k + 1, sizeof other.person_key);
        MUST(tacit_data_from_memory(ctx, value, TACIT_F64, N, 1, &data) == TACIT_OK &&
             tacit_data_set_units(ctx, data, unit, NULL) == TACIT_OK &&
             tac_data_load(ctx, data, &how) == TACIT_OK &&
             tac_data_kept(ctx, data, 3, &keep[k]) == TACIT_OK);
        differ += memcmp(keep[k], keep[0], tac_kept_words(N) * sizeof **keep) != 0;
        told = told && tac_data_load(ctx, data, &how) == TACIT_OK &&
               tac_data_load(ctx, data, NULL) == TACIT_OK &&
               tac_data_load(ctx, data, &other) == TACIT_E_ARGUMENT;
        tacit_data_free(data);
    }
    CHECK(differ == 0 && tac_kept_between(keep[0], 0, N) == 22 * 3,
          "the same rows count under every key (%d keys differ)", differ);
    CHECK(told, "rows that were read under one key are not taken for those of another");
    for (int k = 0; k < KEYS; k++) tac_free(keep[k]);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK && mkdtemp(folder) != NULL);
    test_texts();
    test_long();
    test_numbers();
    test_order();
    test_formats();
    test_keys();
    tacit_ctx_free(ctx);
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? tap_done() : 1;
}
