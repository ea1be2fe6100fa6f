/* SPDX-License-Identifier: Apache-2.0 */
/* Arrow streams that are refused: types and names by their schema, malformed chunks, producers that
   fail; what a ledger binds and what it keeps to itself. After each refusal all was released. */
#include "arrow_table.h"
#include "data/dataset/dataset.h"
#include "declared.h"
#include "reading.h"

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

static const char *const numbers[] = {"1", "2", "3", "4", "5", "6"}, *const texts[] = {"secret",
                                                                                       "777",
                                                                                       "a text "
                                                                                       "that is no "
                                                                                       "short one",
                                                                                       NULL,
                                                                                       "b",
                                                                                       "secret"};

static tacit_status opened(const arrow_table *t, const tacit_data_opts *opts, tacit_data **out)
{
    struct ArrowArrayStream stream;

    ctx->message[0] = '\0';
    arrow_open(t, &stream);
    const tacit_status status = tacit_data_from_arrow_stream(ctx, &stream, opts, out);
    MUST(stream.release == NULL && (status == TACIT_OK) == (*out != NULL));
    return status;
}

/* The first step that fails: opening, bounds, a run. */
static tacit_status run_on(const arrow_table *t, const tacit_data_opts *opts, const char *bounds,
                           tacit_ledger *ledger, int as_owner)
{
    tacit_status status = TACIT_OK;
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_kmeans_opts kmeans = TACIT_KMEANS_OPTS_INIT;
    tacit_data *data = NULL;
    tacit_model *model = NULL;

    budget.epsilon = 1;
    budget.ledger = ledger;
    budget.as_owner = as_owner;
    kmeans.k = 2;
    kmeans.method = TACIT_KMEANS_LLOYD;
    TAC_TRY(opened(t, opts, &data));
    if (bounds != NULL) TAC_TRY(tacit_data_declare_bounds(ctx, data, bounds));
    TAC_TRY(tacit_kmeans_run(ctx, data, &budget, &kmeans, &model));
done:
    tacit_model_free(model);
    tacit_data_free(data);
    return status;
}

/* Refused with this status and all of these words, which '|' separates; no value is shown. */
static bool refused(tacit_status status, tacit_status wanted, const char *words)
{
    char copy[256], *rest = copy, *word;
    const char *message = tacit_ctx_message(ctx);
    bool good = status == wanted && strstr(message, "secret") == NULL &&
                strstr(message, "777") == NULL && arrow_live == 0;

    snprintf(copy, sizeof copy, "%s", words);
    while ((word = strsep(&rest, "|")) != NULL) good = good && strstr(message, word) != NULL;
    if (!good) printf("# status %d, %ld live: %s\n", (int)status, arrow_live, message);
    return good;
}

/* ---- by the schema alone ---- */

/* Lengths in Arrow's metadata are in the machine's own byte order. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LENGTH(byte) byte "\0\0\0"
#else
#define LENGTH(byte) "\0\0\0" byte
#endif
#define EXTENSION LENGTH("\1") LENGTH("\24") "ARROW:extension:name" LENGTH("\12") "arrow.uuid"

static void test_types(void)
{
    static const struct {
        const char *format, *listed, *metadata, *bounds, *words;
    } cases[] = {
        {"u", NULL, NULL, "b=0:1", "column 'b'|text|list its categories"},
        {"c", "u", NULL, "b=0:1", "column 'b'|text|list its categories"},
        {"vu", NULL, NULL, "b=0:1", "column 'b'|text|list its categories"},
        {"tdD", NULL, NULL, "b=0:1", "column 'b'|date|dates for bounds"},
        {"tsn:UTC", NULL, NULL, "b=0:1", "column 'b'|timestamp|dates for bounds"},
        {"l", NULL, NULL, "b=2020-01-01:2020-12-31", "column 'b'|int64|declared as a date"},
        {"z", NULL, NULL, "b=0:1", "column 'b'|binary|cast it"},
        {"w:16", NULL, NULL, "b=0:1", "column 'b'|binary|cast it"},
        {"ttm", NULL, NULL, "b=0:1", "column 'b'|time|cast it"},
        {"tDs", NULL, NULL, "b=0:1", "column 'b'|duration|cast it"},
        {"tiM", NULL, NULL, "b=0:1", "column 'b'|interval|cast it"},
        {"d:40,2,256", NULL, NULL, "b=0:1", "column 'b'|decimal|cast it"},
        {"d:40,999", NULL, NULL, "b=0:1", "column 'b'|decimal|cast it"},
        {"+l", NULL, NULL, "b=0:1", "column 'b'|list|leave it out"},
        {"+s", NULL, NULL, "b=0:1", "column 'b'|struct|leave it out"},
        {"+m", NULL, NULL, "b=0:1", "column 'b'|map|leave it out"},
        {"+us:0,1", NULL, NULL, "b=0:1", "column 'b'|union|leave it out"},
        {"+r", NULL, NULL, "b=0:1", "column 'b'|run-end encoded|leave it out"},
        {"", NULL, NULL, "b=0:1", "column 'b'|unknown|leave it out"},
        {"gg", NULL, NULL, "b=0:1", "column 'b'|unknown (gg)|leave it out"},
        {"g", "u", NULL, "b=0:1", "column 'b'|leave it out"},
        {"g", NULL, EXTENSION, "b=0:1", "column 'b'|extension (arrow.uuid)|leave it out"},
    };
    static const char *const asides[] = {"tdD", "+l", "e", "z"};
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;
    arrow_column column[] = {{"a", "g", NULL, numbers, NULL}, {"b", "g", NULL, numbers, NULL}};
    const arrow_table t = {.columns = 2, .column = column, .rows = 6};

    for (int i = 0; i < COUNT(cases); i++) {
        char bounds[80];
        column[1].format = cases[i].format;
        column[1].listed = cases[i].listed;
        column[1].metadata = cases[i].metadata;
        snprintf(bounds, sizeof bounds, "a=0:1,%s", cases[i].bounds);
        arrow_given = 0;
        const bool good =
            refused(run_on(&t, NULL, bounds, NULL, 0), TACIT_E_ARGUMENT, cases[i].words) &&
            arrow_given == 0;
        CHECK(good, "type %s%s%s is refused before a row is asked for", cases[i].format,
              cases[i].listed != NULL ? " of " : "", cases[i].listed ? cases[i].listed : "");
    }
    opts.unit_column = "b";
    column[1].metadata = NULL;
    for (int i = 0; i < COUNT(asides); i++) {
        tacit_data *data = NULL;
        column[1].format = asides[i];
        MUST(opened(&t, &opts, &data) == TACIT_OK);
        const tacit_status status = tac_data_load(ctx, data, NULL);
        tacit_data_free(data);
        CHECK(refused(status, TACIT_E_ARGUMENT, "column 'b'|cast it to text"),
              "type %s names no person", asides[i]);
    }
}

static void test_unused(void)
{
    static const char *const formats[] = {"+l", "z", "ttm", "tdD", "u", ""};
    arrow_column column[] = {{"a", "g", NULL, numbers, NULL}, {"b", "g", NULL, numbers, NULL}};
    const arrow_table t = {.columns = 2, .column = column, .rows = 6};
    int wrong = 0;

    for (int i = 0; i < COUNT(formats); i++) {
        static const char *const days[] = {"2020-01-01", "2020-01-01", "2020-01-01",
                                           "2020-01-01", "2020-01-01", "2020-01-01"};
        column[1].format = formats[i];
        column[1].cell = formats[i][0] == 't' ? days : numbers;
        wrong += run_on(&t, NULL, "a=0:9", NULL, 0) != TACIT_OK;
    }
    CHECK(wrong == 0 && arrow_live == 0, "columns of any type are fine where they are not used");
}

static void test_names(void)
{
    static const struct {
        const char *name, *words;
    } cases[] = {{NULL, "column 2|empty"},   {" ", "column 2|empty"},
                 {"\xff", "column 2|UTF-8"}, {"a", "'a' twice"},
                 {"a\n", "'a' twice"},       {"77.7", "column 2|number"},
                 {"1,5", "column 2|number"}, {"2020-12-31", "column 2|date"}};
    arrow_column column[] = {{"a", "g", NULL, numbers, NULL}, {"b", "g", NULL, numbers, NULL}};
    arrow_table t = {.columns = 2, .column = column, .rows = 6};
    tacit_data *data = NULL;

    for (int i = 0; i < COUNT(cases); i++) {
        column[1].name = cases[i].name;
        CHECK(refused(opened(&t, NULL, &data), TACIT_E_FORMAT, cases[i].words), "name refused: %s",
              cases[i].words);
    }
    column[1].name = "b";
    t.cut.fail_schema = true;
    CHECK(refused(opened(&t, NULL, &data), TACIT_E_OPEN, "failed to give the schema"),
          "a producer that gives no schema, and what it says stays out");
    t.cut.fail_schema = false;
    t.cut.released_schema = true;
    CHECK(refused(opened(&t, NULL, &data), TACIT_E_FORMAT, "released"), "a released schema");
    t.cut.released_schema = false;
    t.columns = 0;
    CHECK(refused(opened(&t, NULL, &data), TACIT_E_FORMAT, "no columns"), "no columns");
}

static void test_options(void)
{
    static const arrow_column column[] = {{"a", "g", NULL, numbers, NULL}};
    static const arrow_table t = {.columns = 1, .column = column, .rows = 6};
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;
    struct ArrowArrayStream none = {0};
    tacit_data *data = NULL;

    opts.delimiter = ';';
    CHECK(refused(opened(&t, &opts, &data), TACIT_E_ARGUMENT, "for files"), "marks of numbers");
    opts.delimiter = 0;
    opts.format = TACIT_FORMAT_CSV;
    CHECK(refused(opened(&t, &opts, &data), TACIT_E_ARGUMENT, "for files"), "a format");
    opts.format = TACIT_FORMAT_AUTO;
    opts.columns = "b";
    CHECK(refused(opened(&t, &opts, &data), TACIT_E_ARGUMENT, "columns names the column 'b'"),
          "a column that is not there");
    opts.columns = NULL;
    opts.size = 0;
    CHECK(refused(opened(&t, &opts, &data), TACIT_E_ARGUMENT, "tacit_data_opts"),
          "options of no size: the stream is released all the same");
    CHECK(tacit_data_from_arrow_stream(ctx, NULL, NULL, &data) == TACIT_E_ARGUMENT &&
              tacit_data_from_arrow_stream(ctx, &none, NULL, &data) == TACIT_E_ARGUMENT &&
              said("released"),
          "no stream, and one that was released");
    arrow_open(&t, &none);
    none.get_next = NULL;
    CHECK(refused(tacit_data_from_arrow_stream(ctx, &none, NULL, &data), TACIT_E_OPEN, "schema"),
          "a stream without functions");
}

/* ---- malformed chunks ---- */

#define SPOIL(name, statement)                                                                     \
    static void name(struct ArrowArray *chunk)                                                     \
    {                                                                                              \
        struct ArrowArray *n = chunk->children[0], *t = chunk->children[1];                        \
        (void)n, (void)t;                                                                          \
        statement;                                                                                 \
    }
SPOIL(length_below_0, chunk->length = -1)
SPOIL(offset_below_0, chunk->offset = -1)
SPOIL(offset_too_large, chunk->offset = INT64_MAX)
SPOIL(fewer_columns, chunk->n_children = 1)
SPOIL(more_columns, chunk->n_children = 4)
SPOIL(no_columns, chunk->children = NULL)
SPOIL(longer_than_columns, chunk->length++)
SPOIL(column_released, n->release(n))
SPOIL(column_length_below_0, n->length = -5)
SPOIL(column_offset_below_0, n->offset = -5)
SPOIL(column_offset_too_large, n->offset = INT64_MAX - 2)
SPOIL(no_values, n->buffers[1] = NULL)
SPOIL(no_buffers, n->n_buffers = 0)
SPOIL(no_list_of_buffers, n->buffers = NULL)
SPOIL(nulls_without_bits, (n->null_count = 2, n->buffers[0] = NULL))
SPOIL(nulls_below_unknown, n->null_count = -2)
SPOIL(row_buffers_missing, (chunk->n_buffers = 1, chunk->buffers = NULL))
SPOIL(row_nulls_without_bits, (chunk->null_count = 1, chunk->buffers[0] = NULL))
SPOIL(texts_of_two_buffers, t->n_buffers = 2)
SPOIL(no_offsets, t->buffers[1] = NULL)
SPOIL(no_text, t->buffers[2] = NULL)
SPOIL(offsets_go_back, ((int32_t *)(uintptr_t)t->buffers[1])[1] = 1000)
SPOIL(offsets_below_0, ((int32_t *)(uintptr_t)t->buffers[1])[0] = -1)
SPOIL(view_below_0, ((int32_t *)(uintptr_t)t->buffers[1])[0] = -1)
SPOIL(view_of_no_buffer, ((int32_t *)(uintptr_t)t->buffers[1])[4 * 2 + 2] = 7)
SPOIL(view_too_far, ((int32_t *)(uintptr_t)t->buffers[1])[4 * 2 + 3] = 100)
SPOIL(view_before, ((int32_t *)(uintptr_t)t->buffers[1])[4 * 2 + 3] = -1)
SPOIL(view_without_sizes, t->buffers[3] = NULL)
SPOIL(no_dictionary, (t->dictionary->release(t->dictionary), t->dictionary = NULL))
SPOIL(dictionary_released, t->dictionary->release(t->dictionary))
SPOIL(dictionary_below_0, t->dictionary->length = -1)

static void test_malformed(void)
{
    static const struct {
        void (*spoil)(struct ArrowArray *chunk);
        const char *what, *format, *listed;
    } cases[] = {
#define CASE(name, format, listed) {name, #name, format, listed}
        CASE(length_below_0, "u", NULL),
        CASE(offset_below_0, "u", NULL),
        CASE(offset_too_large, "u", NULL),
        CASE(fewer_columns, "u", NULL),
        CASE(more_columns, "u", NULL),
        CASE(no_columns, "u", NULL),
        CASE(longer_than_columns, "u", NULL),
        CASE(column_released, "u", NULL),
        CASE(column_length_below_0, "u", NULL),
        CASE(column_offset_below_0, "u", NULL),
        CASE(column_offset_too_large, "u", NULL),
        CASE(no_values, "u", NULL),
        CASE(no_buffers, "u", NULL),
        CASE(no_list_of_buffers, "u", NULL),
        CASE(nulls_without_bits, "u", NULL),
        CASE(nulls_below_unknown, "u", NULL),
        CASE(row_buffers_missing, "u", NULL),
        CASE(row_nulls_without_bits, "u", NULL),
        CASE(texts_of_two_buffers, "u", NULL),
        CASE(no_offsets, "u", NULL),
        CASE(no_text, "u", NULL),
        CASE(offsets_go_back, "u", NULL),
        CASE(offsets_below_0, "u", NULL),
        CASE(view_below_0, "vu", NULL),
        CASE(view_of_no_buffer, "vu", NULL),
        CASE(view_too_far, "vu", NULL),
        CASE(view_before, "vu", NULL),
        CASE(view_without_sizes, "vu", NULL),
        CASE(no_dictionary, "s", "u"),
        CASE(dictionary_released, "s", "u"),
        CASE(dictionary_below_0, "s", "u"),
    };
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;
    arrow_column column[] = {{"n", "g", NULL, numbers, NULL}, {"t", "u", NULL, texts, NULL}};
    arrow_table t = {.columns = 2, .column = column, .rows = 6};

    for (int i = 0; i < COUNT(cases); i++) {
        bool good = true;
        column[1].format = cases[i].format;
        column[1].listed = cases[i].listed;
        t.spoil = cases[i].spoil;
        /* the texts are categories, persons and labels in turn */
        for (int as = 0; as < 3; as++) {
            tacit_data *data = NULL;
            opts.categories = as == 0 ? "t=b|c" : NULL;
            opts.unit_column = as == 1 ? "t" : NULL;
            opts.label_column = as == 2 ? "t" : NULL;
            MUST(opened(&t, &opts, &data) == TACIT_OK);
            const tacit_status status = tac_data_load(ctx, data, NULL);
            const bool used_up = tac_data_load(ctx, data, NULL) == TACIT_E_READ;
            tacit_data_free(data);
            good = good && used_up && status == TACIT_E_FORMAT && arrow_live == 0;
            if (!good) printf("# status %d, %ld live\n", (int)status, arrow_live);
        }
        CHECK(good, "malformed: %s", cases[i].what);
    }
}

/* Counts that are none, and missing values where the rule refuses them. */
static void test_values(void)
{
    static const char *const counts[] = {"1", "0", "2147483647"}, *const lacks[] = {"1", NULL, "3"},
                             *const halves[] = {"1", "2.5", "3"};
    arrow_column column[] = {{"a", "d:9,1", NULL, counts, NULL}, {"b", "i", NULL, counts, NULL}};
    const arrow_table t = {.columns = 2, .column = column, .rows = 3, .cut = {.most = 2}};
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;
    tacit_status got[4];

    for (int i = 0; i < 4; i++) {
        tac_load load = {.counts = i < 3};
        tacit_data *data = NULL;
        column[0].cell = i == 1 ? halves : counts;
        column[1].cell = i >= 2 ? lacks : counts;
        opts.missing = TACIT_MISSING_REJECT_FILE;
        MUST(opened(&t, &opts, &data) == TACIT_OK);
        got[i] = tac_data_load(ctx, data, &load);
        tacit_data_free(data);
        if (i > 0)
            CHECK(refused(got[i], TACIT_E_FORMAT,
                          i == 1   ? "column 'a'|no count"
                          : i == 2 ? "column 'b'|no count"
                                   : "row 2, column 'b'|missing"),
                  "%s is refused",
                  i == 1   ? "half a count"
                  : i == 2 ? "no count"
                           : "no value");
    }
    CHECK(got[0] == TACIT_OK, "counts are read, as decimals too");
}

/* ---- with a ledger ---- */

static tacit_ledger *new_ledger(const arrow_table *t, const tacit_data_opts *opts,
                                const char *bounds)
{
    tacit_data *data = NULL;
    tacit_ledger *ledger = NULL;
    char path[100];

    snprintf(path, sizeof path, "%s/ledger", folder);
    unlink(path);
    MUST(opened(t, opts, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, bounds) == TACIT_OK);
    MUST(data_ledger(ctx, path, 100, 0, data, TACIT_ADD_REMOVE, 0) == TACIT_OK);
    tacit_data_free(data);
    MUST(tacit_ledger_open(ctx, path, &ledger) == TACIT_OK);
    return ledger;
}

static int64_t runs_of(tacit_ledger *ledger)
{
    tacit_ledger_summary s = TACIT_LEDGER_SUMMARY_INIT;

    MUST(tacit_ledger_summarize(ctx, ledger, &s) == TACIT_OK);
    return s.runs;
}

/* Names and their order are bound; types are not: a frame may have floats for integers where some
   are missing. */
static void test_bound(void)
{
    static const char bounds[] = "x=0:9,y=0:9";
    arrow_column column[] = {{"x", "i", NULL, numbers, NULL}, {"y", "g", NULL, numbers, NULL}},
                 turned[] = {column[1], column[0]};
    arrow_table t = {.columns = 2, .column = column, .rows = 6};
    const arrow_table other = {.columns = 2, .column = turned, .rows = 6};
    tacit_ledger *ledger = new_ledger(&t, NULL, bounds);
    tacit_data_opts opts = TACIT_DATA_OPTS_INIT;
    tacit_declaration *declaration = NULL;
    char *json = NULL;

    CHECK(run_on(&t, NULL, bounds, ledger, 0) == TACIT_OK && runs_of(ledger) == 1, "a run takes "
                                                                                   "from the "
                                                                                   "ledger");
    column[0].format = "c";
    column[0].listed = "f";
    t.cut.most = 2;
    CHECK(run_on(&t, NULL, bounds, ledger, 0) == TACIT_OK && runs_of(ledger) == 2,
          "other types and chunks are the same table");
    CHECK(refused(run_on(&other, NULL, bounds, ledger, 0), TACIT_E_DECLARED, "header"),
          "columns in another order are not");
    column[0].name = "z";
    CHECK(refused(run_on(&t, NULL, "y=0:9,z=0:9", ledger, 0), TACIT_E_DECLARED, "header"),
          "nor are other names");
    column[0].name = "x";
    CHECK(refused(run_on(&t, NULL, "x=0:8,y=0:9", ledger, 0), TACIT_E_DECLARED, "range"), "nor "
                                                                                          "other "
                                                                                          "bounds");
    put("x,y\n1,2\n", 8);
    tacit_data *csv = NULL;
    MUST(tacit_ledger_declaration(ctx, ledger, &declaration) == TACIT_OK);
    MUST(tacit_declaration_json(ctx, declaration, &json) == TACIT_OK);
    opts.declaration = declaration;
    CHECK(strstr(json, "\"format\": \"arrow\"") != NULL &&
              refused(tacit_data_open(ctx, file_path, &opts, &csv), TACIT_E_DECLARED, "arrow"),
          "a file is no stream");
    CHECK(run_on(&t, &opts, NULL, ledger, 0) == TACIT_OK && runs_of(ledger) == 3,
          "opened by the ledger's declaration: bounds come with it");
    turned[0].name = "x";
    turned[1].name = "y";
    CHECK(run_on(&other, &opts, NULL, ledger, 0) == TACIT_OK, "by name and place alone");
    turned[1].name = "w";
    CHECK(refused(run_on(&other, &opts, NULL, ledger, 0), TACIT_E_DECLARED, "'w'"),
          "another name is told before a row is asked for");
    tacit_free(json);
    tacit_declaration_free(declaration);
    tacit_ledger_free(ledger);
}

static void test_kept_quiet(void)
{
    static const char bounds[] = "x=0:9,day=2020-01-01:2020-12-31";
    arrow_column column[] = {{"x", "i", NULL, numbers, NULL}, {"day", "u", NULL, texts, NULL}};
    arrow_table t = {.columns = 2, .column = column, .rows = 6, .cut = {.most = 2}};
    tacit_ledger *ledger = new_ledger(&t, NULL, bounds);

    CHECK(run_on(&t, NULL, bounds, ledger, 0) == TACIT_OK && runs_of(ledger) == 1,
          "with a ledger a text that is no date is a missing value");
    CHECK(refused(run_on(&t, NULL, bounds, NULL, 0), TACIT_E_FORMAT, "row 1|column 'day'|date"),
          "without one it is refused, with its row");
    t.cut.fail_at = 2;
    CHECK(refused(run_on(&t, NULL, bounds, ledger, 0), TACIT_E_READ, "failed to give the next") &&
              runs_of(ledger) == 2,
          "a producer that fails: it stays spent, and what it says stays out");
    t.cut.fail_at = 1; /* before a text that is no date */
    MUST(run_on(&t, NULL, bounds, ledger, 1) == TACIT_E_READ);
    CHECK(said("secret") && arrow_live == 0 && runs_of(ledger) == 3, "the owner is told");
    MUST(run_on(&t, NULL, bounds, NULL, 0) == TACIT_E_READ);
    CHECK(said("secret") && arrow_live == 0, "and so is who runs without a ledger");
    t.cut.fail_at = 0;
    t.spoil = no_values;
    CHECK(refused(run_on(&t, NULL, bounds, ledger, 0), TACIT_E_FORMAT, "shown to the owner only") &&
              !said("'x'") && runs_of(ledger) == 4,
          "a malformed chunk is not told by column");
    t.spoil = NULL;
    column[1].format = "l";
    column[1].cell = numbers;
    CHECK(refused(run_on(&t, NULL, bounds, ledger, 0), TACIT_E_ARGUMENT,
                  "'day'|declared as a date") &&
              runs_of(ledger) == 4,
          "a type that cannot be a date is refused before anything is spent");
    tacit_ledger_free(ledger);
}

int main(void)
{
    start();
    test_types();
    test_unused();
    test_names();
    test_options();
    test_malformed();
    test_values();
    test_bound();
    test_kept_quiet();
    finish();
    return tap_done();
}
