/* SPDX-License-Identifier: Apache-2.0 */
/* Tables from an Arrow stream. The same table as CSV gives the same release, byte for byte under
   one test seed, for every type and however the rows are cut, sliced and marked; known answers;
   what is refused, and that nothing is released twice or never. */
#include "arrow_table.h"
#include "data/dataset/dataset.h"
#include "data/readers/arrow.h"
#include "reading.h"

#define ROWS 37
#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

static const arrow_cut cuts[] = {
    {.most = 0},
    {.most = 1, .empty_chunks = true},
    {.most = 8, .slice = 3},
    {.most = 5, .row_slice = 5, .uncounted = true},
    {.most = 9, .slice = 11, .row_slice = 2, .all_bits = true, .empty_chunks = true},
    {.all_bits = true, .uncounted = true},
};

/* ---- the same table, twice ---- */

static void write_csv(const arrow_table *t)
{
    FILE *file = fopen(file_path, "w");

    MUST(file != NULL);
    for (int c = 0; c < t->columns; c++)
        fprintf(file, "%s%s", c == 0 ? "" : ",", t->column[c].name);
    for (int64_t i = 0; i < t->rows; i++)
        for (int c = 0; c < t->columns; c++) {
            const char *cell = t->column[c].cell[i];
            fprintf(file, "%s%s", c == 0 ? "\n" : ",", cell == NULL ? "" : cell);
        }
    fprintf(file, "\n");
    MUST(fclose(file) == 0);
}

static tacit_data *open_csv(const arrow_table *t, tacit_data_opts opts)
{
    tacit_data *data = NULL;

    write_csv(t);
    opts.format = TACIT_FORMAT_CSV;
    if (tacit_data_open(ctx, file_path, &opts, &data) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    MUST(data != NULL);
    return data;
}

static tacit_data *open_arrow(const arrow_table *t, const tacit_data_opts *opts)
{
    struct ArrowArrayStream stream;
    tacit_data *data = NULL;

    arrow_open(t, &stream);
    const tacit_status status = tacit_data_from_arrow_stream(ctx, &stream, opts, &data);
    MUST(stream.release == NULL && (status == TACIT_OK) == (data != NULL));
    return data;
}

/* Release and, if there are some, codes of persons; NULL: refused. Free it. Frees the data. */
static char *release_of(tacit_data *data, const char *bounds)
{
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;
    tacit_model *model = NULL;
    char *text = NULL;

    budget.epsilon = 50;
    budget.max_rows_per_unit = data->has_units ? 2 : 0;
    budget.use_insecure_test_seed = 1;
    budget.insecure_test_seed = 11;
    opts.k = 2;
    opts.method = TACIT_KMEANS_LLOYD;
    if (tacit_data_declare_bounds(ctx, data, bounds) != TACIT_OK ||
        tacit_kmeans_run(ctx, data, &budget, &opts, &model) != TACIT_OK ||
        tacit_model_json(ctx, model, &text) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    tacit_model_free(model);
    tacit_data_free(data);
    return text;
}

/* Are the same rows alike, and the same ones nobody's? Codes themselves may differ. */
static bool same_codes(const int64_t *a, const int64_t *b, int64_t rows)
{
    bool good = (a == NULL) == (b == NULL);

    for (int64_t i = 0; a != NULL && good && i < rows; i++) {
        good = (a[i] < 0) == (b[i] < 0);
        for (int64_t k = 0; k < i; k++) good = good && (a[i] == a[k]) == (b[i] == b[k]);
        if (!good) printf("# code of row %d\n", (int)i);
    }
    return good;
}

/* Values, persons and labels of all rows. */
static bool same_rows(tacit_data *a, tacit_data *b)
{
    double x[64], y[64];
    const int32_t dims = a->selection.dims;

    if (tac_data_load(ctx, a, NULL) != TACIT_OK || tac_data_load(ctx, b, NULL) != TACIT_OK) {
        printf("# %s\n", tacit_ctx_message(ctx));
        return false;
    }
    const int64_t rows = a->reader->rows;
    int64_t *mine = a->has_units ? reader_persons(a->reader) : NULL,
            *theirs = b->has_units ? reader_persons(b->reader) : NULL;
    bool good = rows == b->reader->rows && dims == b->selection.dims && dims <= 64 &&
                same_codes(mine, theirs, rows) &&
                same_codes(a->reader->label, b->reader->label, rows);
    free(mine);
    free(theirs);
    for (int64_t i = 0; good && i < rows; i++) {
        good = a->reader->read(a->reader, i, 1, x) == TACIT_OK &&
               b->reader->read(b->reader, i, 1, y) == TACIT_OK;
        for (int32_t j = 0; good && j < dims; j++) good = same(x[j], y[j]);
        if (!good) printf("# row %d\n", (int)i);
    }
    return good;
}

/* bounds: of the columns to use. */
static void same_as_csv(const char *what, const arrow_column *column, int columns, int64_t rows,
                        const tacit_data_opts *opts, const char *bounds)
{
    arrow_table t = {.columns = columns, .column = column, .rows = rows};
    char *csv = release_of(open_csv(&t, *opts), bounds);
    int different = 0, other_rows = 0;

    for (int i = 0; i < COUNT(cuts); i++) {
        t.cut = cuts[i];
        tacit_data *data = open_arrow(&t, opts);
        if (data == NULL) printf("# %s\n", tacit_ctx_message(ctx));
        char *arrow = data == NULL ? NULL : release_of(data, bounds);
        different += csv == NULL || arrow == NULL || strcmp(csv, arrow) != 0;
        free(arrow);
        tacit_data *a = open_csv(&t, *opts), *b = open_arrow(&t, opts);
        MUST(tacit_data_declare_bounds(ctx, a, bounds) == TACIT_OK);
        MUST(b != NULL && tacit_data_declare_bounds(ctx, b, bounds) == TACIT_OK);
        other_rows += !same_rows(a, b);
        tacit_data_free(a);
        tacit_data_free(b);
    }
    CHECK(csv != NULL && different == 0 && other_rows == 0 && arrow_live == 0,
          "%s: rows and releases are those of CSV, cut in %d ways", what, COUNT(cuts));
    free(csv);
}

/* Plain numbers as rows in memory are the same again. */
static bool same_as_memory(const arrow_column *column, const char *bounds)
{
    static const char *const names[] = {"x", "y"};
    const arrow_table t = {.columns = 2, .column = column, .rows = ROWS, .cut = cuts[4]};
    double rows[2 * ROWS];
    tacit_data *data = open_arrow(&t, NULL);

    MUST(data != NULL && tacit_data_declare_bounds(ctx, data, bounds) == TACIT_OK);
    MUST(tac_data_load(ctx, data, NULL) == TACIT_OK && data->reader->rows == ROWS);
    MUST(data->reader->read(data->reader, 0, ROWS, rows) == TACIT_OK);
    char *arrow = release_of(data, bounds);
    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, ROWS, 2, &data) == TACIT_OK);
    MUST(tacit_data_set_columns(ctx, data, names) == TACIT_OK);
    char *memory = release_of(data, bounds);
    const bool good = arrow != NULL && memory != NULL && strcmp(arrow, memory) == 0;
    free(arrow);
    free(memory);
    return good;
}

/* ---- cells ---- */

static const char *cell_room[8][ROWS];
static char text_room[8][ROWS][32];

/* Whole numbers from `from` on, every seventh a null. */
static const char *const *numbers(int place, int64_t from, int step, const char *behind)
{
    for (int i = 0; i < ROWS; i++) {
        snprintf(text_room[place][i], 32, "%lld%s", (long long)from + i * 31 % ROWS * step, behind);
        cell_room[place][i] = i % 7 == 3 ? NULL : text_room[place][i];
    }
    return cell_room[place];
}

/* Words in turn; an empty one is a null. */
static const char *const *words(int place, const char *const *word, int count)
{
    for (int i = 0; i < ROWS; i++) {
        const char *text = word[i * 5 % count];
        cell_room[place][i] = *text == '\0' ? NULL : text;
    }
    return cell_room[place];
}

static void test_numbers(void)
{
    static const struct {
        const char *format, *listed, *what, *behind;
        int64_t from;
        int step;
    } types[] = {
        {"c", NULL, "int8", "", -120, 6},
        {"C", NULL, "uint8", "", 0, 6},
        {"s", NULL, "int16", "", -300, 25},
        {"S", NULL, "uint16", "", 40000, 25},
        {"i", NULL, "int32", "", -300000, 25000},
        {"I", NULL, "uint32", "", 2147483000, 50},
        {"l", NULL, "int64", "", -300000, 25000},
        {"l", NULL, "int64 beyond 2^53", "0000000000003", 10000, 77},
        {"L", NULL, "uint64", "0000000000001", 15000, 77},
        {"e", NULL, "float16", ".5", -30, 2},
        {"f", NULL, "float32", ".25", -3000, 99},
        {"g", NULL, "float64", ".125", -3000, 99},
        {"d:9,2,32", NULL, "decimal32", ".25", -3000, 99},
        {"d:18,4,64", NULL, "decimal64", ".1237", -3000, 99},
        {"d:38,10", NULL, "decimal128", ".1234567891", -3000, 99},
        {"d:30,20,128", NULL, "decimal128 with its width", ".12345678901234567891", -3000, 99},
        {"c", "l", "dictionary of int64", "", -300, 25},
        {"L", "g", "dictionary of float64, 64-bit places", ".5", -300, 25},
    };
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;
    int other_memory = 0;

    for (int i = 0; i < COUNT(types); i++) {
        const arrow_column column[] = {
            {"x", types[i].format, types[i].listed,
             numbers(0, types[i].from, types[i].step, types[i].behind), NULL},
            {"y", "g", NULL, numbers(1, 0, 1, ".5"), NULL},
        };
        char bounds[100];
        const double low = strtod(cell_room[0][0], NULL) - fabs(strtod(cell_room[0][0], NULL)) / 2;
        snprintf(bounds, sizeof bounds, "x=%.17g:%.17g,y=0:50", low,
                 low + fabs(low) * 4 + types[i].step * 40.0);
        same_as_csv(types[i].what, column, 2, ROWS, &opts, bounds);
        other_memory += !same_as_memory(column, bounds);
    }
    CHECK(other_memory == 0, "and those of rows in memory, for all %d types", COUNT(types));
}

static void test_categories(void)
{
    static const char *const
        sexes[] = {"F", "M", "", "F", "other", "NA", "M"},
        *const long_words[] = {"Mecklenburg-Vorpommern", "", "Hamburg", "?", "Nordrhein-Westfalen"},
        *const truths[] = {"true", "false", "", "true"}, *const codes[] = {"1", "2", "9", ""};
    static const struct {
        const char *format, *listed, *what;
    } layouts[] = {{"u", NULL, "utf8"},          {"U", NULL, "large utf8"},
                   {"vu", NULL, "string views"}, {"c", "u", "dictionary, 8-bit places"},
                   {"S", "U", "dictionary"},     {"l", "vu", "dictionary of views"}};
    static const char said[] = "a=F|M,b=Mecklenburg-Vorpommern|Hamburg|Nordrhein-Westfalen,c="
                               "boolean,d=1|2";
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;

    opts.categories = said;
    opts.missing_rules = "midpoint";
    for (int i = 0; i < COUNT(layouts); i++) {
        const char *const f = layouts[i].format, *const l = layouts[i].listed;
        const arrow_column column[] = {
            {"a", f, l, words(0, sexes, COUNT(sexes)), NULL},
            {"b", f, l, words(1, long_words, COUNT(long_words)), NULL},
            {"c", f, l, words(2, truths, COUNT(truths)), NULL},
            {"d", f, l, words(3, codes, COUNT(codes)), NULL},
        };
        same_as_csv(layouts[i].what, column, 4, ROWS, &opts, "");
    }
    const arrow_column typed[] = {
        {"a", "u", NULL, words(0, sexes, COUNT(sexes)), NULL},
        {"b", "u", NULL, words(1, long_words, COUNT(long_words)), NULL},
        {"c", "b", NULL, words(2, truths, COUNT(truths)), NULL},
        {"d", "i", NULL, words(3, codes, COUNT(codes)), NULL},
    };
    same_as_csv("booleans and numbers as categories", typed, 4, ROWS, &opts, "");
    opts.categories = "a=F|M,b=Hamburg,c=false|true,d=2|1";
    opts.missing_rules = "own-category";
    same_as_csv("booleans by their words, missing ones a category", typed, 4, ROWS, &opts, "");
}

static void test_dates(void)
{
    static const char *const days[] = {"1969-12-31", "", "2026-11-17", "1900-02-28", "1970-01-01"};
    static const char *const formats[][2] = {
        {"tdD", NULL},     {"tdm", NULL},  {"tss:", NULL}, {"tsm:Europe/Berlin", NULL},
        {"tsu:UTC", NULL}, {"tsn:", NULL}, {"u", NULL},    {"vu", NULL},
        {"c", "tsu:"},     {"S", "tdD"},   {"i", "u"}};
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;

    for (int i = 0; i < COUNT(formats); i++) {
        const arrow_column column[] = {
            {"born", formats[i][0], formats[i][1], words(0, days, COUNT(days)), NULL},
            {"y", "g", NULL, numbers(1, 0, 1, ".5"), NULL},
        };
        same_as_csv(formats[i][1] != NULL ? "a dictionary of dates" : formats[i][0], column, 2,
                    ROWS, &opts, "born=1890-01-01:2030-12-31,y=0:50");
    }
}

static void test_persons(void)
{
    static const char *const names[] = {"ann", "bob", "", "NA", "cid", "dora", "ann ", "?", "eve"},
                             *const ids[] = {"9007199254740993", "9007199254740992", "", "7", "-3"},
                             *const classes[] = {"a", "b", "", "c"};
    static const char *const formats[][2] = {{"u", NULL}, {"vu", NULL}, {"i", "U"}};
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;

    opts.unit_column = "who";
    opts.label_column = "class";
    for (int i = 0; i < COUNT(formats); i++) {
        const arrow_column column[] = {
            {"who", formats[i][0], formats[i][1], words(0, names, COUNT(names)), NULL},
            {"x", "g", NULL, numbers(1, 0, 1, ".5"), NULL},
            {"class", formats[i][0], formats[i][1], words(2, classes, COUNT(classes)), NULL},
        };
        same_as_csv("persons by name", column, 3, ROWS, &opts, "x=0:50");
    }
    const arrow_column column[] = {
        {"who", "l", NULL, words(0, ids, COUNT(ids)), NULL},
        {"x", "g", NULL, numbers(1, 0, 1, ".5"), NULL},
        {"class", "u", NULL, words(2, classes, COUNT(classes)), NULL},
    };
    same_as_csv("persons by 64-bit number", column, 3, ROWS, &opts, "x=0:50");
}

static void test_missing_words(void)
{
    static const char *const stays[] = {"3", "999", "17", "", "-9"},
                             *const days[] = {"9999-12-31", "2020-02-29", ""},
                             *const sexes[] = {"F", "M", "n.a.", " F"},
                             *const who[] = {"-9", "1", "2"};
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;

    opts.missing_words = "999,-9,n.a.,9999-12-31";
    opts.missing_rules = "midpoint";
    opts.categories = "sex=F|M";
    opts.unit_column = "who";
    const arrow_column column[] = {
        {"stay", "s", NULL, words(0, stays, COUNT(stays)), NULL},
        {"day", "tdD", NULL, words(1, days, COUNT(days)), NULL},
        {"sex", "u", NULL, words(2, sexes, COUNT(sexes)), NULL},
        {"who", "i", NULL, words(3, who, COUNT(who)), NULL},
    };
    same_as_csv("words for missing values, also where they are numbers and dates", column, 4, ROWS,
                &opts, "stay=0:20,day=2020-01-01:2020-12-31");
}

/* ---- known answers ---- */

static table read_arrow(const arrow_table *t, int32_t label, int32_t unit)
{
    struct ArrowArrayStream stream;
    tac_reader *r = NULL;

    arrow_open(t, &stream);
    const tacit_status status = tac_open_arrow(ctx, &stream, &r);
    MUST(stream.release == NULL);
    if (status == TACIT_OK) return take(r, label, unit, TACIT_MISSING_MIDPOINT, NULL);
    const table none = {.status = status};
    return none;
}

static void test_known(void)
{
    static const char *const a[] = {"-128", "127", NULL, "0"},
                             *const b[] = {"0", "18446744073709551615", "9007199254740993", "1"},
                             *const c[] = {"0.1", "-65504", "0.00006103515625", "NaN"},
                             *const d[] = {"-0.05", "123456789012345678901234567890", "0", NULL},
                             *const e[] = {"1", "0", NULL, "1"};
    const arrow_column column[] = {{"a", "c", NULL, a, NULL},
                                   {"b", "L", NULL, b, NULL},
                                   {"c", "e", NULL, c, NULL},
                                   {"d", "d:38,2", NULL, d, NULL},
                                   {"e", "b", NULL, e, NULL}};
    const arrow_table t = {
        .columns = 5, .column = column, .rows = 4, .cut = {.most = 3, .slice = 9}};
    /* the float of 16 bits that is nearest to 0.1 from below */
    const double expected[] = {-128,    0,      0.0999755859375,
                               -0.05,   1,      127,
                               0x1p64,  -65504, 123456789012345678901234567890.,
                               0,       NAN,    0x1p53,
                               0x1p-14, 0,      NAN,
                               0,       1,      NAN,
                               NAN,     1};
    table read = read_arrow(&t, -1, -1);

    CHECK(holds(&read, 4, 5, expected) && strcmp(read.names, "a|b|c|d|e") == 0,
          "least and largest of integers, floats of 16 bits, decimals, booleans as numbers");
    table_clear(&read);

    static const char *const who[] = {"3", "2.5", "16777216", "3", NULL},
                             *const class[] = {"true", "false", "true", NULL, "true"},
                             *const x[] = {"inf", "2", "-inf", "nan", "5"};
    const arrow_column persons[] = {{"who", "f", NULL, who, NULL},
                                    {"class", "b", NULL, class, NULL},
                                    {"x", "f", NULL, x, NULL}};
    const arrow_table u = {.columns = 3, .column = persons, .rows = 5};
    const double xs[] = {NAN, 2, NAN, NAN, 5};
    const int64_t units[] = {0, -1, -1, 0, -1}, labels[] = {0, 1, 0, 2, 0};
    read = read_arrow(&u, 1, 0);
    CHECK(holds(&read, 5, 1, xs) && has_codes(read.unit, 5, units) &&
              has_codes(read.label, 5, labels),
          "a float names a person if it is whole and below 2^24; what is not finite is missing");
    table_clear(&read);
    CHECK(arrow_live == 0, "all was released");
}

/* An index beyond the dictionary, or below 0. */
static void spoil_places(struct ArrowArray *chunk)
{
    int8_t *place = (int8_t *)(uintptr_t)chunk->children[0]->buffers[1];

    place[0] = 100;
    place[1] = -1;
}

/* Rows that are null as a whole, and places that no dictionary has. */
static void test_row_nulls(void)
{
    static const char *const a[] = {"-", "1", "2", "-", "5"}, *const b[] = {"7", NULL, "9", "10",
                                                                            "11"};
    const arrow_column column[] = {
        {"a", "s", NULL, a, NULL}, {"b", "g", NULL, b, NULL}, {"who", "i", NULL, b, NULL}};
    arrow_table t = {.columns = 3, .column = column, .rows = 5};
    const double expected[] = {NAN, NAN, 1, NAN, 2, 9, NAN, NAN, 5, 11};
    const int64_t units[] = {-1, -1, 0, -1, 1};
    int wrong = 0;

    for (int i = 0; i < COUNT(cuts); i++) {
        t.cut = cuts[i];
        t.cut.row_bits = true;
        table read = read_arrow(&t, -1, 2);
        wrong += !holds(&read, 5, 2, expected) || !has_codes(read.unit, 5, units);
        table_clear(&read);
    }
    CHECK(wrong == 0 && arrow_live == 0, "a row that is null as a whole lacks every value, and is "
                                         "nobody's");

    static const char *const c[] = {"4", "5", "6"};
    const arrow_column places[] = {{"c", "c", "l", c, NULL}};
    const arrow_table u = {.columns = 1, .column = places, .rows = 3, .spoil = spoil_places};
    const double known[] = {NAN, NAN, 6};
    table read = read_arrow(&u, -1, -1);
    CHECK(holds(&read, 3, 1, known) && arrow_live == 0, "a place that the dictionary does not have "
                                                        "is a missing value");
    table_clear(&read);
}

/* ---- what is held, and what a row depends on ---- */

static void test_held(void)
{
    static const char *const sexes[] = {"F", "M"};
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;
    const arrow_column column[] = {{"unused", "u", NULL, words(0, sexes, 2), NULL},
                                   {"x", "g", NULL, numbers(1, 0, 1, ".5"), NULL},
                                   {"who", "u", NULL, words(2, sexes, 2), NULL},
                                   {"sex", "u", NULL, words(3, sexes, 2), NULL},
                                   {"nested", "+l", NULL, words(4, sexes, 2), NULL},
                                   {"y", "s", NULL, numbers(5, 0, 1, ""), NULL}};
    const arrow_table t = {
        .columns = 6, .column = column, .rows = ROWS, .cut = {.most = 10, .empty_chunks = true}};

    opts.categories = "sex=F|M";
    opts.unit_column = "who";
    arrow_given = 0;
    tacit_data *data = open_arrow(&t, &opts);
    MUST(data != NULL && tacit_data_declare_bounds(ctx, data, "x=0:50,y=0:50") == TACIT_OK);
    CHECK(arrow_given == 0 && arrow_live == 1 && arrow_streams == 1, "opening asks for no rows");
    MUST(tac_data_load(ctx, data, NULL) == TACIT_OK);
    CHECK(arrow_given == 4 && arrow_streams == 0 && arrow_live == 2 * 4,
          "once read, the arrays of two columns are held and nothing else (%ld)", arrow_live);
    tacit_data_free(data);
    CHECK(arrow_live == 0, "and released with the handle");
}

/* Without one row, all others say what they said: no dictionary, chunk or code of another row
   decides. */
static void test_neighbors(void)
{
    static const char *const sexes[] = {"F", "M", "", "x", "M"}, *const days[] = {"2020-02-29", "",
                                                                                  "soon",
                                                                                  "1999-01-01"};
    const char *rest[3][ROWS];
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;
    const arrow_column column[] = {{"sex", "c", "u", words(0, sexes, 5), NULL},
                                   {"day", "S", "vu", words(1, days, 4), NULL},
                                   {"x", "l", "g", numbers(2, 0, 1, ".5"), NULL}};
    int wrong = 0;

    opts.categories = "sex=F|M";
    for (int gone = 0; gone < ROWS; gone++) {
        const arrow_table all = {
            .columns = 3, .column = column, .rows = ROWS, .cut = cuts[gone % COUNT(cuts)]};
        for (int c = 0; c < 3; c++)
            for (int i = 0, k = 0; i < ROWS; i++)
                if (i != gone) rest[c][k++] = column[c].cell[i];
        arrow_column fewer[3];
        for (int c = 0; c < 3; c++) {
            fewer[c] = column[c];
            fewer[c].cell = rest[c];
        }
        const arrow_table less = {
            .columns = 3, .column = fewer, .rows = ROWS - 1, .cut = cuts[(gone + 1) % COUNT(cuts)]};
        tacit_data *a = open_arrow(&all, &opts), *b = open_arrow(&less, &opts);
        tac_load load = {.guarded = true}, same_load = load;
        double x[3 * ROWS], y[3 * ROWS];
        MUST(a != NULL &&
             tacit_data_declare_bounds(ctx, a, "day=1990-01-01:2030-12-31,x=0:50") == TACIT_OK);
        MUST(b != NULL &&
             tacit_data_declare_bounds(ctx, b, "day=1990-01-01:2030-12-31,x=0:50") == TACIT_OK);
        MUST(tac_data_load(ctx, a, &load) == TACIT_OK &&
             tac_data_load(ctx, b, &same_load) == TACIT_OK);
        MUST(a->reader->read(a->reader, 0, ROWS, x) == TACIT_OK);
        MUST(b->reader->read(b->reader, 0, ROWS - 1, y) == TACIT_OK);
        for (int i = 0; i < 3 * (ROWS - 1); i++) wrong += !same(x[i < 3 * gone ? i : i + 3], y[i]);
        tacit_data_free(a);
        tacit_data_free(b);
    }
    CHECK(wrong == 0 && arrow_live == 0, "what a row says depends on that row alone, however "
                                         "others are cut");
}

static void test_no_rows(void)
{
    static const char *const none[] = {NULL};
    const arrow_column column[] = {{"x", "g", NULL, none, NULL}, {"who", "u", NULL, none, NULL}};
    arrow_table t = {.columns = 2, .column = column, .rows = 0};
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;
    int different = 0;

    opts.unit_column = "who";
    char *csv = release_of(open_csv(&t, opts), "x=0:1");
    for (int i = 0; i < 2; i++) {
        t.cut.empty_chunks = i == 1;
        char *arrow = release_of(open_arrow(&t, &opts), "x=0:1");
        different += csv == NULL || arrow == NULL || strcmp(csv, arrow) != 0;
        free(arrow);
    }
    CHECK(different == 0 && arrow_live == 0, "no rows are fine, and do not show");
    free(csv);
}

static void test_ids(void)
{
    static const char *const ids[] = {"p1", NULL, " p2 ", "p1"}, *const x[] = {"1", "2", "3", "4"};
    const arrow_column column[] = {{"id", "vu", NULL, ids, NULL}, {"x", "f", NULL, x, NULL}};
    const arrow_table t = {.columns = 2, .column = column, .rows = 4, .cut = {.most = 3}};
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;
    const char *id = NULL;
    char all[64] = "";

    opts.id_column = "id";
    tacit_data *data = open_arrow(&t, &opts);
    MUST(data != NULL && tac_data_load(ctx, data, NULL) == TACIT_OK);
    for (int64_t i = 0; i < 4; i++) {
        MUST(tacit_data_row_id(ctx, data, i, &id) == TACIT_OK);
        strcat(strcat(all, id), "|");
    }
    CHECK(strcmp(all, "p1||p2|p1|") == 0, "ids of rows: %s", all);
    tacit_data_free(data);
}

int main(void)
{
    start();
    test_numbers();
    test_categories();
    test_dates();
    test_persons();
    test_missing_words();
    test_known();
    test_row_nulls();
    test_held();
    test_neighbors();
    test_no_rows();
    test_ids();
    finish();
    return tap_done();
}
