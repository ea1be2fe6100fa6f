/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations: read, written, bound to a header, held against data by a ledger. Each break that
   made them necessary has its attack here. */
#include "declared.h"
#include "data/dataset/dataset.h"
#include "privacy/ledger/ledger_internal.h"
#include "person_codes.h"
#include "scratch.h"

#include <fcntl.h>
#include <math.h>

static tacit_ctx *ctx;

static bool says(const char *part)
{
    const bool good = strstr(tacit_ctx_message(ctx), part) != NULL;
    if (!good) printf("# message: %s\n", tacit_ctx_message(ctx));
    return good;
}

static void put(const char *name, const char *text)
{
    scratch_write(scratch(name), text, strlen(text));
}

#define PATIENTS                                                                                   \
    "{\"fields\": [{\"name\": \"who\", \"type\": \"string\", \"tacit\": {\"role\": \"unit\"}},"    \
    "{\"name\": \"age\", \"type\": \"number\", \"constraints\": {\"minimum\": 0, \"maximum\": "    \
    "110}},"                                                                                       \
    "{\"name\": \"stay\", \"type\": \"integer\", \"title\": \"days\", \"constraints\": "           \
    "{\"minimum\": 0, \"maximum\": 60, \"required\": true}},"                                      \
    "{\"name\": \"note\", \"type\": \"string\"}], \"primaryKey\": \"who\","                        \
    "\"tacit\": {\"format\": \"csv\", \"maxRowsPerPerson\": 2}}"

static tacit_declaration *parsed(const char *json)
{
    tacit_declaration *d = NULL;
    if (tacit_declaration_parse(ctx, json, &d) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    MUST(d != NULL);
    return d;
}

/* ---- reading and writing ---- */

static void reading(void)
{
    static const struct {
        const char *json, *says, *what;
    } bad[] = {
        {"", "ends too early", "nothing"},
        {"[]", "object", "a list"},
        {"{}", "fields", "no fields"},
        {"{\"fields\": [{}]}", "name", "a field without a name"},
        {"{\"fields\": [{\"name\": \"a\\u0007\"}]}", "control", "a bell in a name"},
        {"{\"fields\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}", "twice", "a name twice"},
        {"{\"fields\": [], \"fields\": []}", "twice", "a key twice"},
        {"{\"fields\": [{\"name\": \"a\", \"type\": \"number\", \"constraints\": {\"minimum\": "
         "null, \"maximum\": null}}]}",
         "fill in minimum and maximum of column 'a'", "the template as it is"},
        {"{\"fields\": [{\"name\": \"a\", \"type\": \"number\", \"constraints\": {\"minimum\": "
         "0}}]}",
         "fill in minimum and maximum of column 'a'", "half a range"},
        {"{\"fields\": [{\"name\": \"a\", \"type\": \"number\", \"constraints\": {\"minimum\": 5, "
         "\"maximum\": 1}}]}",
         "reversed", "a range that is none"},
        {"{\"fields\": [{\"name\": \"a\", \"type\": \"number\", \"constraints\": {\"minimum\": "
         "1e999, \"maximum\": 1}}]}",
         "too large", "a number too large"},
        {"{\"fields\": [{\"name\": \"a\", \"type\": \"string\", \"tacit\": {\"role\": "
         "\"feature\"}}]}",
         "whose categories are listed", "a feature of text"},
        {"{\"fields\": [{\"name\": \"a\", \"tacit\": {\"role\": \"king\"}}]}", "role must be",
         "a role that is none"},
        {"{\"fields\": [{\"name\": \"a\", \"tacit\": {\"wait\": 2}}]}",
         "'wait' under tacit of a field is not known to this version",
         "a key of a later version, in a field"},
        {"{\"fields\": [], \"tacit\": {\"transforms\": []}}",
         "'transforms' under tacit is not known to this version", "a key of a later version"},
        {"{\"fields\": [], \"tacit\": {\"version\": 2}}", "version 2", "a later version"},
        {"{\"fields\": [], \"tacit\": {\"missing\": \"drop\"}}",
         "drop-row, midpoint or reject-file", "a rule that is none"},
        {"{\"fields\": [], \"tacit\": {\"neighbors\": \"all\"}}", "add-remove, replace or entry",
         "neighbors that are none"},
        {"{\"fields\": [], \"tacit\": {\"format\": \"xlsx\"}}", "format", "a format that is none"},
        {"{\"fields\": [], \"tacit\": {\"maxRowsPerPerson\": 3}}", "role unit",
         "a limit for nobody"},
        {"{\"fields\": [], \"tacit\": {\"shape\": {\"columns\": null}}}", "columns is null",
         "a shape to be filled in"},
        {"{\"fields\": [], \"tacit\": {\"bounds\": [0, 1], \"radius\": 1}}", "exclude",
         "bounds and a radius"},
        {"{\"fields\": [], \"tacit\": {\"center\": 1}}", "radius", "a center of nothing"},
        {"{\"fields\": [], \"tacit\": {\"vocabulary\": {}}}", "path or the words",
         "a vocabulary without words"},
        {"{\"fields\": [{\"name\": \"a\", \"tacit\": {\"role\": \"unit\"}}, {\"name\": \"b\", "
         "\"tacit\": {\"role\": \"unit\"}}]}",
         "two columns have the role unit", "two units"},
        {"{\"fields\": [{\"name\": \"a\", \"tacit\": {\"role\": \"unit\"}}], \"tacit\": "
         "{\"neighbors\": \"entry\"}}",
         "single counts", "entries of persons"},
        {"{\"fields\": [], \"dialect\": {\"decimalChar\": \",,\"}}", "decimalChar",
         "two decimal marks"},
        {"{\"fields\": [], \"dialect\": {\"decimalChar\": \",\", \"groupChar\": \",\"}}",
         "two ways", "one mark for both"},
        {"{\"fields\": [], \"dialect\": {\"delimiter\": \"a\"}}", "delimiter",
         "a letter as a delimiter"},
        {"{\"fields\": [], \"dialect\": {\"skipRows\": 10001}}", "skipRows",
         "too many lines skipped"},
        {"{\"fields\": [], \"dialect\": {\"delimiter\": \"::\"}}", "delimiter",
         "a delimiter of two characters"},
        {"{\"fields\": [], \"tacit\": {\"header\": \"12\"}}", "64 hexadecimal digits",
         "half a digest"},
        {"{\"fields\": [], \"missingValues\": [3]}", "texts", "a missing value that is no text"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tacit_declaration *d = (tacit_declaration *)&ctx;
        const tacit_status status = tacit_declaration_parse(ctx, bad[i].json, &d);
        CHECK((status == TACIT_E_FORMAT || status == TACIT_E_DOMAIN) && d == NULL &&
                  says(bad[i].says),
              "refused: %s", bad[i].what);
    }
}

static void writing(void)
{
    tacit_declaration *d = parsed(PATIENTS), *again = NULL;
    tacit_declaration_summary s;
    char *text = NULL, *twice = NULL;
    tacit_declaration_summary_init(&s, sizeof s);
    MUST(tacit_declaration_summarize(ctx, d, &s) == TACIT_OK);
    CHECK(s.format == TACIT_FORMAT_CSV && strcmp(s.unit_column, "who") == 0 &&
              s.max_rows_per_unit == 2 && s.has_bounds && s.radius == 0,
          "a schema says what it says");
    CHECK(d->field[1].role == TAC_ROLE_FEATURE && d->field[3].role == TAC_ROLE_IGNORE,
          "without a role numbers are features and texts are not");
    MUST(tacit_declaration_json(ctx, d, &text) == TACIT_OK &&
         tacit_declaration_parse(ctx, text, &again) == TACIT_OK &&
         tacit_declaration_json(ctx, again, &twice) == TACIT_OK);
    CHECK(strcmp(text, twice) == 0, "written, read and written: the same bytes");
    tacit_free(text);
    tacit_free(twice);
    tacit_declaration_free(d);
    tacit_declaration_free(again);
}

static void templates(void)
{
    char *text = NULL;
    tacit_declaration *d = NULL;

    put("t.csv", "age,stay\n1,2\nBeeblebrox,oops\n");
    MUST(tacit_declaration_template(ctx, scratch("t.csv"), NULL, &text) == TACIT_OK);
    CHECK(strstr(text, "\"age\"") != NULL && strstr(text, "null") != NULL &&
              strstr(text, "Beeble") == NULL,
          "a template has the header and no row");
    CHECK(tacit_declaration_parse(ctx, text, &d) == TACIT_E_FORMAT && says("fill in"), "and must "
                                                                                       "be filled "
                                                                                       "in");
    tacit_free(text);
    put("t2.csv", "row,col,count,who\nx\n");
    MUST(tacit_declaration_template(ctx, scratch("t2.csv"), NULL, &text) == TACIT_OK);
    CHECK(strstr(text, "triplets") != NULL, "a list of entries is told by its header");
    tacit_free(text);
    put("t.svm", "this is no row\n");
    CHECK(tacit_declaration_template(ctx, scratch("t.svm"), NULL, &text) == TACIT_OK &&
              strstr(text, "libsvm") != NULL,
          "rows without a header are not read");
    tacit_free(text);
}

/* ---- bound to a file ---- */

static tacit_status open_by(const char *name, const char *json, const tacit_data_opts *more,
                            tacit_data **out)
{
    tacit_declaration *d = parsed(json);
    tacit_data_opts with;

    tacit_data_opts_init(&with, sizeof with);
    if (more != NULL) with = *more;
    with.declaration = d;
    const tacit_status status = tacit_data_open(ctx, scratch(name), &with, out);
    tacit_declaration_free(d);
    return status;
}

#define OPTS(...) (&(tacit_data_opts){.size = sizeof(tacit_data_opts), __VA_ARGS__})

static void binding(void)
{
    tacit_data *data = NULL;
    tacit_declaration *d = NULL;

    put("p.csv", "who,age,stay,note\na,1,2,x\nb,3,4,y\n");
    CHECK(open_by("p.csv", PATIENTS, NULL, &data) == TACIT_OK &&
              tacit_data_column_count(data) == 2 &&
              strcmp(tacit_data_column_get(data, 0), "age") == 0,
          "features alone are clustered");
    CHECK(data->domain.kind == TAC_DOMAIN_BOX && data->domain.upper[0] == 110 && data->has_units &&
              data->selection.unit == 0,
          "with their ranges and persons");
    CHECK(tacit_data_declare_bounds(ctx, data, "age=0:110,stay=0:60") == TACIT_OK, "the same "
                                                                                   "ranges may be "
                                                                                   "said again");
    CHECK(tacit_data_declare_bounds(ctx, data, "age=0:10,stay=0:60") == TACIT_E_DECLARED &&
              says("0:10") && says("0:110"),
          "others are refused, with both");
    CHECK(data->domain.upper[0] == 110, "and the declared ones stay");
    MUST(tacit_data_declaration(ctx, data, TACIT_ADD_REMOVE, 0, &d) == TACIT_OK);
    CHECK(d->bound && d->field[2].column == 2, "bound to its places");
    tacit_data_free(data);
    CHECK(open_by("p.csv", PATIENTS, OPTS(.columns = "stay"), &data) == TACIT_OK &&
              data->domain.upper[0] == 60,
          "columns among the features");
    tacit_data_free(data);
    CHECK(open_by("p.csv", PATIENTS, OPTS(.columns = "age,note"), &data) == TACIT_E_DECLARED &&
              says("'note'") && says("ignore"),
          "no others");
    CHECK(open_by("p.csv", PATIENTS, OPTS(.unit_column = "note"), &data) == TACIT_E_DECLARED &&
              says("'note'") && says("'who'"),
          "no other unit");
    CHECK(open_by("p.csv", PATIENTS, OPTS(.format = TACIT_FORMAT_TSV), &data) == TACIT_E_DECLARED &&
              says("tsv") && says("csv"),
          "no other format");
    CHECK(open_by("p.csv", PATIENTS, OPTS(.shape_columns = 9), &data) == TACIT_OK || says("shape"),
          "a shape is the file's own");
    tacit_data_free(data);
    CHECK(open_by("p.csv", PATIENTS, OPTS(.label_column = "note"), &data) == TACIT_E_DECLARED &&
              says("label column"),
          "a column to ignore is no label");
    tacit_declaration_free(d);

    static const struct {
        const char *header, *what;
    } other[] = {{"who,stay,age,note\n", "another order"},
                 {"who,age,stay\n", "a column less"},
                 {"who,age,stay,note,x\n", "a column more"},
                 {"who,Age,stay,note\n", "another name"}};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        put("q.csv", other[i].header);
        CHECK(open_by("q.csv", PATIENTS, NULL, &data) == TACIT_E_DECLARED && says("header"),
              "refused: %s", other[i].what);
    }
}

/* A semicolon, and words for missing values. */
static void dialects(void)
{
    tacit_data *data = NULL;
    tacit_budget b;
    tacit_kmeans_opts o;
    tacit_model *m = NULL;

    put("s.csv", "age;stay\n1;-999\n2;3\n");
    CHECK(open_by("s.csv",
                  "{\"fields\": [{\"name\": \"age\", \"type\": \"number\"}, {\"name\": \"stay\", "
                  "\"type\": \"number\"}], \"dialect\": {\"delimiter\": \";\"}, \"missingValues\": "
                  "[\"\", \"-999\"], \"tacit\": {\"format\": \"csv\", \"bounds\": [0, 10]}}",
                  NULL, &data) == TACIT_OK,
          "semicolons, if declared");
    tacit_budget_init(&b, sizeof b);
    tacit_kmeans_opts_init(&o, sizeof o);
    b.epsilon = 1;
    b.use_insecure_test_seed = 1;
    o.k = 1;
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_OK, "it is read");
    double row[2];
    MUST(data->reader->read(data->reader, 0, 1, row) == TACIT_OK);
    CHECK(row[0] == 1 && isnan(row[1]), "a declared word is a missing value, though it is a "
                                        "number");
    tacit_model_free(m);
    tacit_data_free(data);
}

/* ---- a ledger ---- */

static tacit_ledger *ledger_of(const char *name, const tacit_data *data, tacit_neighbors neighbors,
                               int32_t most)
{
    tacit_ledger *ledger = NULL;

    unlink(scratch(name));
    if (data_ledger(ctx, scratch(name), 10, 0, data, neighbors, most) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    MUST(tacit_ledger_open(ctx, scratch(name), &ledger) == TACIT_OK);
    return ledger;
}

static tacit_status run_on(tacit_data *data, tacit_ledger *ledger, tacit_neighbors neighbors,
                           int32_t most)
{
    tacit_budget b;
    tacit_kmeans_opts o;
    tacit_model *m = NULL;

    tacit_budget_init(&b, sizeof b);
    tacit_kmeans_opts_init(&o, sizeof o);
    b.epsilon = 0.1;
    b.ledger = ledger;
    b.neighbors = neighbors;
    b.max_rows_per_unit = most;
    o.k = 1;
    const tacit_status status = tacit_kmeans_run(ctx, data, &b, &o, &m);
    tacit_model_free(m);
    return status;
}

static int64_t entries_of(const tacit_ledger *ledger)
{
    return (int64_t)ledger->state.sequence;
}

/* The same file, opened as declared or otherwise. */
static const struct {
    tacit_data_opts with;
    const char *bounds, *says, *what;
} openings[] = {
    {{.size = sizeof(tacit_data_opts), .columns = "age,stay", .unit_column = "who"},
     "age=0:110,stay=0:60",
     NULL,
     "options that say the same"},
    {{.size = sizeof(tacit_data_opts), .columns = "stay", .unit_column = "who"},
     "stay=0:60",
     NULL,
     "fewer columns"},
    {{.size = sizeof(tacit_data_opts), .columns = "age,stay", .unit_column = "who"},
     "age=0:111,stay=0:60",
     "0:111",
     "another range"},
    {{.size = sizeof(tacit_data_opts), .columns = "age,stay", .unit_column = "note"},
     "age=0:110,stay=0:60",
     "'note' (column 4)",
     "another unit column"},
    {{.size = sizeof(tacit_data_opts), .columns = "age,stay,note", .unit_column = "who"},
     "age=0:110,stay=0:60,note=0:1",
     "'note'",
     "a column that is no feature"},
    {{.size = sizeof(tacit_data_opts),
      .columns = "age,stay",
      .unit_column = "who",
      .missing = TACIT_MISSING_REJECT_FILE},
     "age=0:110,stay=0:60",
     "reject-file",
     "another rule"},
};

/* A caller of the library cannot get round it either: what differs is refused before anything is
   reserved. */
static void holding(void)
{
    tacit_data *data = NULL;
    const char *both = "age=0:110,stay=0:60";

    put("p.csv", "who,age,stay,note\na,1,2,x\nb,3,4,y\n");
    MUST(open_by("p.csv", PATIENTS, NULL, &data) == TACIT_OK);
    tacit_ledger *ledger = ledger_of("p.ledger", data, TACIT_ADD_REMOVE, 2);
    CHECK(run_on(data, ledger, TACIT_ADD_REMOVE, 2) == TACIT_OK, "a run as declared");
    const int64_t before = entries_of(ledger);
    CHECK(run_on(data, ledger, TACIT_REPLACE, 2) == TACIT_E_DECLARED && says("replace") &&
              says("add-remove"),
          "other neighbors");
    CHECK(run_on(data, ledger, TACIT_ADD_REMOVE, 3) == TACIT_E_DECLARED && says("is 3") &&
              says("declares 2"),
          "more rows of a person");
    tacit_data_free(data);
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        MUST(tacit_data_open(ctx, scratch("p.csv"), &openings[i].with, &data) == TACIT_OK &&
             tacit_data_declare_bounds(ctx, data, openings[i].bounds) == TACIT_OK);
        const tacit_status status = run_on(data, ledger, TACIT_ADD_REMOVE, 2);
        if (openings[i].says == NULL)
            CHECK(status == TACIT_OK, "allowed: %s", openings[i].what);
        else
            CHECK(status == TACIT_E_DECLARED && says(openings[i].says) && says("p.ledger"),
                  "refused: %s", openings[i].what);
        tacit_data_free(data);
    }
    MUST(tacit_data_open(ctx, scratch("p.csv"), OPTS(.columns = "age,stay"), &data) == TACIT_OK &&
         tacit_data_declare_bounds(ctx, data, both) == TACIT_OK);
    CHECK(run_on(data, ledger, TACIT_ADD_REMOVE, 0) == TACIT_E_DECLARED && says("none") &&
              says("'who' (column 1)"),
          "rows for persons");
    tacit_data_free(data);
    MUST(tacit_data_open(ctx, scratch("p.csv"), OPTS(.columns = "age,stay", .unit_column = "who"),
                         &data) == TACIT_OK &&
         tacit_data_set_ball(ctx, data, NULL, 5) == TACIT_OK);
    CHECK(run_on(data, ledger, TACIT_ADD_REMOVE, 2) == TACIT_E_DECLARED && says("ball"), "a ball "
                                                                                         "for "
                                                                                         "ranges");
    tacit_data_free(data);
    put("r.csv", "who,stay,age,note\na,1,2,x\n");
    MUST(tacit_data_open(ctx, scratch("r.csv"), OPTS(.columns = "age,stay", .unit_column = "who"),
                         &data) == TACIT_OK &&
         tacit_data_declare_bounds(ctx, data, both) == TACIT_OK);
    CHECK(run_on(data, ledger, TACIT_ADD_REMOVE, 2) == TACIT_E_DECLARED && says("header"), "another"
                                                                                           " heade"
                                                                                           "r");
    tacit_data_free(data);
    CHECK(entries_of(ledger) == before + 4, "and nothing of it is in the ledger but the two runs "
                                            "that were allowed");
    tacit_ledger_free(ledger);
}

/* Rows in memory have a declaration like any other. */
static void in_memory(void)
{
    const double values[6] = {1, 2, 3, 4, 5, 6}, low[2] = {0, 0}, high[2] = {10, 10},
                 higher[2] = {10, 11};
    const int64_t whose[3] = {0, 0, 1};
    const char *const names[2] = {"age", "stay"}, *const others[2] = {"age", "cost"};
    tacit_data *data = NULL;

    MUST(tacit_data_from_memory(ctx, values, TACIT_F64, 3, 2, &data) == TACIT_OK &&
         tacit_data_set_columns(ctx, data, names) == TACIT_OK &&
         tacit_data_set_units(ctx, data, whose, "patient") == TACIT_OK &&
         tacit_data_set_bounds(ctx, data, low, high) == TACIT_OK);
    tacit_ledger *ledger = ledger_of("m.ledger", data, TACIT_REPLACE, 1);
    CHECK(run_on(data, ledger, TACIT_REPLACE, 1) == TACIT_OK, "rows in memory as declared");
    MUST(tacit_data_set_bounds(ctx, data, low, higher) == TACIT_OK);
    CHECK(run_on(data, ledger, TACIT_REPLACE, 1) == TACIT_E_DECLARED && says("0:11"), "other "
                                                                                      "bounds");
    MUST(tacit_data_set_bounds(ctx, data, low, high) == TACIT_OK &&
         tacit_data_set_columns(ctx, data, others) == TACIT_OK);
    CHECK(run_on(data, ledger, TACIT_REPLACE, 1) == TACIT_E_DECLARED && says("header"), "other "
                                                                                        "names");
    MUST(tacit_data_set_columns(ctx, data, names) == TACIT_OK &&
         tacit_data_set_units(ctx, data, whose, "nurse") == TACIT_OK);
    CHECK(run_on(data, ledger, TACIT_REPLACE, 1) == TACIT_E_DECLARED && says("'nurse'"), "other "
                                                                                         "persons");
    tacit_data_free(data);
    tacit_ledger_free(ledger);
}

/* ---- the attacks ---- */

/* A vocabulary that calls another column by the name of the persons'. */
static void renamed_unit(void)
{
    tacit_data *data = NULL;
    const tacit_data_opts plain = {.size = sizeof plain, .shape_columns = 3, .unit_column = "c1"};

    put("u.svm", "0 1:7 2:1 3:0.5\n0 1:7 2:2 3:0.5\n0 1:8 2:3 3:1\n");
    put("moved.txt", "owner\nc1\nc3\n");
    MUST(tacit_data_open(ctx, scratch("u.svm"), &plain, &data) == TACIT_OK &&
         tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    tacit_ledger *ledger = ledger_of("u.ledger", data, TACIT_ADD_REMOVE, 1);
    CHECK(run_on(data, ledger, TACIT_ADD_REMOVE, 1) == TACIT_OK, "persons of column 1");
    tacit_data_free(data);
    MUST(tacit_data_open(
             ctx, scratch("u.svm"),
             OPTS(.shape_columns = 3, .unit_column = "c1", .vocabulary = scratch("moved.txt")),
             &data) == TACIT_OK);
    CHECK(data->selection.unit == 0 && strcmp(tac_data_unit_name(data), "c1") == 0,
          "a vocabulary does not move the unit column: c1 is column 1");
    MUST(tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    CHECK(run_on(data, ledger, TACIT_ADD_REMOVE, 1) == TACIT_E_DECLARED && says("vocabulary"),
          "and is refused where none was declared");
    tacit_data_free(data);
    CHECK(tacit_data_open(
              ctx, scratch("u.svm"),
              OPTS(.shape_columns = 3, .unit_column = "owner", .vocabulary = scratch("moved.txt")),
              &data) == TACIT_E_ARGUMENT &&
              says("by its number"),
          "nor does it name one");
    MUST(tacit_data_open(ctx, scratch("u.svm"), OPTS(.shape_columns = 3, .unit_column = "c2"),
                         &data) == TACIT_OK &&
         tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    CHECK(run_on(data, ledger, TACIT_ADD_REMOVE, 1) == TACIT_E_DECLARED && says("column 2") &&
              says("column 1"),
          "another column is another unit");
    tacit_data_free(data);
    tacit_ledger_free(ledger);
}

/* Every line of a list of entries as a row. */
static void list_as_table(void)
{
    tacit_data *data = NULL;
    tacit_model *m = NULL;
    tacit_budget b;
    tacit_cocluster_opts o;

    put("l.csv", "row,col,count\n0,0,1\n0,1,2\n1,0,3\n");
    tacit_budget_init(&b, sizeof b);
    tacit_cocluster_opts_init(&o, sizeof o);
    b.epsilon = 1;
    b.neighbors = TACIT_ENTRY;
    b.use_insecure_test_seed = 1;
    o.row_clusters = o.column_clusters = 1;
    MUST(tacit_data_open(ctx, scratch("l.csv"),
                         OPTS(.format = TACIT_FORMAT_CSV, .columns = "count"), &data) == TACIT_OK);
    CHECK(tacit_cocluster_run(ctx, data, &b, &o, &m) == TACIT_E_ARGUMENT && says("list of entries"),
          "a list of entries is no table, whichever of its columns are chosen");
    tacit_data_free(data);
}

/* The name leads elsewhere by the time rows are read: what was opened is what is read. */
static void swapped_name(void)
{
    tacit_data *data = NULL;

    put("first.csv", "x\n1\n1\n1\n");
    put("second.csv", "x\n1\n");
    const int file = open(scratch("first.csv"), O_RDONLY | O_CLOEXEC);
    MUST(file > 0 && rename(scratch("second.csv"), scratch("first.csv")) == 0);
    MUST(tacit_data_open(ctx, scratch("first.csv"), OPTS(.descriptor = file), &data) == TACIT_OK &&
         tac_data_load(ctx, data, NULL) == TACIT_OK);
    CHECK(data->reader->rows == 3, "rows come from the file that was opened, not from what has its "
                                   "name now");
    tacit_data_free(data);
    static const struct {
        const char *name, *text;
        tacit_format format;
    } formats[] = {{"d.npy", "\x93NUMPY\x01", TACIT_FORMAT_NPY},
                   {"d.mtx", "%%MatrixMarket matrix coordinate real general\n3 1 1\n1 1 1\n",
                    TACIT_FORMAT_MATRIX_MARKET},
                   {"d.svm", "0 1:1\n0 1:1\n0 1:1\n", TACIT_FORMAT_LIBSVM},
                   {"d.csv", "row,col,count\n0,0,1\n1,0,1\n2,0,1\n", TACIT_FORMAT_TRIPLETS}};
    /* read twice where they must be: from the same file */
    for (size_t i = 1; i < sizeof formats / sizeof *formats; i++) {
        put(formats[i].name, formats[i].text);
        const int other = open(scratch(formats[i].name), O_RDONLY | O_CLOEXEC);
        MUST(other > 0 && unlink(scratch(formats[i].name)) == 0);
        const bool opened = tacit_data_open(ctx, scratch(formats[i].name),
                                            OPTS(.format = formats[i].format, .descriptor = other),
                                            &data) == TACIT_OK;
        CHECK(opened && tac_data_load(ctx, data, NULL) == TACIT_OK && data->reader->rows == 3,
              "%s is never opened again by its name", formats[i].name);
        tacit_data_free(data);
        close(other);
    }
    close(file);
}

/* ---- notes of the owner, and spending that goes on ---- */

/* Words that were declared to stand for no value name nobody in the column of persons. */
static void nobody(void)
{
    static const char json[] =
        "{\"fields\": [{\"name\": \"who\", \"type\": \"string\", \"tacit\": {\"role\": \"unit\"}}, "
        "{\"name\": \"x\", \"type\": \"number\",\"constraints\": {\"minimum\": 0, \"maximum\": "
        "9}}], \"missingValues\": [\"unknown\"], \"tacit\": {\"maxRowsPerPerson\": 1}}";
    tacit_declaration *d = parsed(json);
    tacit_data *data = NULL;
    tacit_data_opts opts;

    put("nobody.csv", "who,x\nann,1\nunknown,2\nbob,3\n unknown ,4\n\"unknown\",5\n");
    tacit_data_opts_init(&opts, sizeof opts);
    opts.declaration = d;
    MUST(tacit_data_open(ctx, scratch("nobody.csv"), &opts, &data) == TACIT_OK &&
         tac_data_load(ctx, data, NULL) == TACIT_OK);
    int64_t *unit = reader_persons(data->reader);
    MUST(unit != NULL && data->reader->rows == 5);
    CHECK(unit[0] >= 0 && unit[2] >= 0 && unit[0] != unit[2] && unit[1] == -1 && unit[3] == -1 &&
              unit[4] == -1,
          "a declared word for a missing value names nobody in the unit column");
    free(unit);
    tacit_data_free(data);
    tacit_declaration_free(d);
}

static void owners(void)
{
    tacit_data *data = NULL;
    tacit_ledger_summary s;

    put("o.csv", "x\n1\n");
    MUST(tacit_data_open(ctx, scratch("o.csv"), NULL, &data) == TACIT_OK &&
         tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    tacit_ledger *ledger = ledger_of("o.ledger", data, TACIT_ADD_REMOVE, 0);
    CHECK(tacit_ledger_note_owner(ctx, ledger, "predict") == TACIT_OK && ledger->state.spent == 0,
          "the owner looks: noted, not charged");
    tacit_ledger_free(ledger);
    MUST(tacit_ledger_open(ctx, scratch("o.ledger"), &ledger) == TACIT_OK);
    tacit_ledger_summary_init(&s, sizeof s);
    MUST(tacit_ledger_summarize(ctx, ledger, &s) == TACIT_OK);
    CHECK(s.runs == 0 && entries_of(ledger) == 2, "it is there when the ledger is opened again, "
                                                  "and no run");
    tacit_ledger_free(ledger);
    tacit_data_free(data);
}

/* A ledger as the version before this one made it. */
static void make_old(const char *name, uint64_t *spent)
{
    tac_reservation run;
    tacit_ledger *ledger = NULL;
    char sql[600];

    unlink(scratch(name));
    MUST(plain_ledger(ctx, scratch(name), "patients", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_OK);
    const int file = open(scratch("empty"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    MUST(file >= 0 && close(file) == 0);
    MUST(tac_ledger_connect(ctx, scratch("empty"), 100, &ledger) == TACIT_OK);
    ledger->meta = (tac_ledger_meta){.format = TAC_LEDGER_FORMAT_ROWS,
                                     .dataset = "patients",
                                     .epsilon = 1,
                                     .quanta = tac_budget_quanta(TAC_PURE, 1, 0)};
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = 1",
             TAC_LEDGER_APPLICATION);
    MUST(tac_ledger_exec(ctx, ledger, "BEGIN IMMEDIATE") == TACIT_OK &&
         tac_ledger_exec(ctx, ledger, sql) == TACIT_OK);
    for (size_t i = 0; i < tac_ledger_schema_count; i++)
        MUST(tac_ledger_exec(ctx, ledger, tac_ledger_schema(TAC_LEDGER_FORMAT_ROWS, i)) ==
             TACIT_OK);
    snprintf(sql, sizeof sql,
             "INSERT INTO meta (id, format, dataset, epsilon, delta, notion, units, "
             "key, unit, neighbours) VALUES (1, 1, 'patients', 1.0, 0.0, 'pure', %lld, "
             "zeroblob(32), '', 'add-remove')",
             (long long)ledger->meta.quanta);
    MUST(tac_ledger_exec(ctx, ledger, sql) == TACIT_OK);
    tac_entry entry = {
        .kind = TAC_ENTRY_OPEN, .quanta = ledger->meta.quanta, .epsilon = 1, .what = "patients"};
    tac_ledger_state state = {0};
    tac_ledger_hash_meta(&ledger->meta, state.hash);
    MUST(tac_ledger_append(ctx, ledger, &entry, &state) == TACIT_OK &&
         tac_ledger_exec(ctx, ledger, "COMMIT") == TACIT_OK);
    tacit_ledger_free(ledger);
    MUST(rename(scratch("empty"), scratch(name)) == 0 &&
         tac_ledger_open_old(ctx, scratch(name), 100, &ledger) == TACIT_OK);
    const tac_claim claim = {0.3,          0,    tac_budget_quanta(TAC_PURE, 0.3, 0) + 1,
                             "an old run", NULL, TACIT_ADD_REMOVE};
    MUST(tac_ledger_reserve(ctx, ledger, &claim, &run) == TACIT_OK);
    *spent = ledger->state.spent;
    tacit_ledger_free(ledger);
}

static void carrying(void)
{
    tacit_data *data = NULL;
    tacit_declaration *d = NULL, *persons = NULL;
    tacit_ledger *ledger = NULL;
    uint64_t spent = 0;
    const char *path;

    put("c.csv", "x\n1\n");
    MUST(tacit_data_open(ctx, scratch("c.csv"), NULL, &data) == TACIT_OK &&
         tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK &&
         tacit_data_declaration(ctx, data, TACIT_ADD_REMOVE, 0, &d) == TACIT_OK);
    make_old("c.csv.ledger", &spent);
    path = scratch("c.csv.ledger");
    CHECK(tacit_ledger_open(ctx, path, &ledger) == TACIT_E_LEDGER && says("earlier version") &&
              says("--carry") && says("tacit ledger init"),
          "a ledger that declares nothing is refused with what to type");
    CHECK(tacit_ledger_create(ctx, path, "c", 1, 0, d) == TACIT_E_WRITE, "and never overwritten by "
                                                                         "a plain one");
    CHECK(tacit_ledger_carry(ctx, path, "c", 1, 1e-6, d, path) == TACIT_E_LEDGER && says("delta 0"),
          "quanta of another privacy definition do not go on");
    CHECK(tacit_ledger_carry(ctx, path, "c", 1e-3, 0, d, path) == TACIT_E_BUDGET_SPENT &&
              says("larger epsilon"),
          "nor into a budget that does not cover them");
    persons = parsed("{\"fields\": [{\"name\": \"x\", \"type\": \"number\", \"tacit\": "
                     "{\"column\": 1}}, {\"name\": \"who\", \"tacit\": {\"role\": \"unit\", "
                     "\"column\": 2}}], \"tacit\": {\"format\": \"csv\", \"maxRowsPerPerson\": 1, "
                     "\"header\": "
                     "\"0000000000000000000000000000000000000000000000000000000000000000\"}}");
    CHECK(tacit_ledger_carry(ctx, path, "c", 2, 0, persons, path) == TACIT_E_LEDGER && says("single"
                                                                                            " row"
                                                                                            "s"),
          "nor of rows to persons");
    CHECK(tac_ledger_open_old(ctx, path, 100, &ledger) == TACIT_OK && ledger->state.spent == spent,
          "after refusals the old one is as it was");
    tacit_ledger_free(ledger);
    CHECK(tacit_ledger_carry(ctx, path, "c", 2, 0, d, path) == TACIT_OK, "a new ledger takes its "
                                                                         "place");
    MUST(tacit_ledger_open(ctx, path, &ledger) == TACIT_OK);
    CHECK(ledger->state.spent == spent && ledger->meta.epsilon == 2 && entries_of(ledger) == 2,
          "with exactly what was spent, as its second entry");
    CHECK(run_on(data, ledger, TACIT_ADD_REMOVE, 0) == TACIT_OK && ledger->state.spent > spent,
          "and goes on from there");
    tacit_ledger_free(ledger);
    CHECK(scratch_count(".new-") == 0, "nothing is left beside it");
    make_old("d.ledger", &spent);
    CHECK(tacit_ledger_carry(ctx, scratch("e.ledger"), "c", 2, 0, d, scratch("d.ledger")) ==
                  TACIT_OK &&
              tacit_ledger_open(ctx, scratch("e.ledger"), &ledger) == TACIT_OK &&
              ledger->state.spent == spent,
          "or lies elsewhere");
    tacit_ledger_free(ledger);
    tacit_declaration_free(d);
    tacit_declaration_free(persons);
    tacit_data_free(data);
}

int main(void)
{
    scratch_open();
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    reading();
    writing();
    templates();
    binding();
    dialects();
    holding();
    in_memory();
    renamed_unit();
    list_as_table();
    swapped_name();
    nobody();
    owners();
    carrying();
    tacit_ctx_free(ctx);
    scratch_close();
    return tap_done();
}
