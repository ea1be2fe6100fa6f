/* SPDX-License-Identifier: Apache-2.0 */
/* Rows in memory with names, persons and classes are the rows of a file that has them: the same
   release, the same scores. */
#include "data/dataset/dataset.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

#define ROWS 600
#define PERSONS 170

static tacit_ctx *ctx;
static double value[ROWS * 2];
static int64_t person[ROWS], class[ROWS];
static char path[] = "/tmp/tacit-described-XXXXXX";

static bool says(const char *words)
{
    const bool found = strstr(tacit_ctx_message(ctx), words) != NULL;
    if (!found) printf("# it says: %s\n", tacit_ctx_message(ctx));
    return found;
}

static void make_rows(void)
{
    const int handle = mkstemp(path);
    FILE *file = handle < 0 ? NULL : fdopen(handle, "w");

    MUST(file != NULL && fprintf(file, "patient,class,age,stay\n") > 0);
    for (int i = 0; i < ROWS; i++) {
        class[i] = i % 3;
        person[i] = i * 7919 % PERSONS;
        value[2 * i] = 20 + 30 * (i % 3) + i * 31 % 8;
        value[2 * i + 1] = 5 + 20 * (i % 3) + i * 17 % 6;
        if (i % 50 == 0) person[i] = -1 - i; /* nobody's */
        if (person[i] >= 0) fprintf(file, "%lld", (long long)person[i]);
        MUST(fprintf(file, ",%lld,%g,%g\n", (long long)class[i], value[2 * i], value[2 * i + 1]) >
             0);
    }
    MUST(fclose(file) == 0);
}

/* The release of a run with a fixed seed, as text; free it. scores: of it on the same rows. */
static char *run(tacit_data *data, tacit_evaluation *scores)
{
    tacit_budget budget;
    tacit_kmeans_opts opts;
    tacit_model *model = NULL;
    char *text = NULL;

    tacit_budget_init(&budget, sizeof budget);
    tacit_kmeans_opts_init(&opts, sizeof opts);
    budget.epsilon = 20;
    budget.max_rows_per_unit = data->has_units ? 2 : 0;
    budget.use_insecure_test_seed = 1;
    budget.insecure_test_seed = 7;
    opts.k = 3;
    opts.method = TACIT_KMEANS_LLOYD;
    MUST(tacit_data_declare_bounds(ctx, data, "age=0:120,stay=0:60") == TACIT_OK);
    if (tacit_kmeans_run(ctx, data, &budget, &opts, &model) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    MUST(model != NULL && tacit_model_json(ctx, model, &text) == TACIT_OK);
    tacit_evaluation_init(scores, sizeof *scores);
    MUST(tacit_model_evaluate(ctx, model, data, 0, scores) == TACIT_OK);
    tacit_model_free(model);
    return text;
}

static tacit_data *in_memory(void)
{
    static const char *const names[] = {"age", "stay"};
    tacit_data *data = NULL;

    MUST(tacit_data_from_memory(ctx, value, TACIT_F64, ROWS, 2, &data) == TACIT_OK);
    MUST(tacit_data_set_columns(ctx, data, names) == TACIT_OK);
    return data;
}

static void test_same_as_file(void)
{
    tacit_data_opts opts;
    tacit_data *file = NULL, *memory = in_memory();
    tacit_evaluation by_file, by_memory, by_row;

    tacit_data_opts_init(&opts, sizeof opts);
    opts.format = TACIT_FORMAT_CSV;
    opts.unit_column = "patient";
    opts.label_column = "class";
    MUST(tacit_data_open(ctx, path, &opts, &file) == TACIT_OK);
    MUST(tacit_data_set_units(ctx, memory, person, "patient") == TACIT_OK);
    MUST(tacit_data_set_labels(ctx, memory, class) == TACIT_OK);
    char *one = run(file, &by_file), *two = run(memory, &by_memory);
    CHECK(strcmp(one, two) == 0, "the release of described rows is that of the file");
    CHECK(strstr(two, "person (column patient)") != NULL, "the card names the persons");
    CHECK(by_file.nmi == by_memory.nmi && by_file.nmi > 0.9 && by_file.cost == by_memory.cost &&
              by_file.rows == ROWS,
          "and so are its scores");

    /* Taken back, after the rows were loaded: rows are their own persons again, and there is no
       class. */
    MUST(tacit_data_set_units(ctx, memory, NULL, NULL) == TACIT_OK &&
         tacit_data_set_labels(ctx, memory, NULL) == TACIT_OK);
    char *three = run(memory, &by_row);
    CHECK(strcmp(one, three) != 0 && strstr(three, "\"unit\": \"row\"") != NULL &&
              by_row.nmi != by_row.nmi,
          "persons and classes can be taken back");
    MUST(tacit_data_set_units(ctx, memory, person, "patient") == TACIT_OK);
    char *four = run(memory, &by_row);
    CHECK(strcmp(one, four) == 0, "and told again");
    MUST(tacit_data_set_units(ctx, memory, person, NULL) == TACIT_OK);
    char *five = run(memory, &by_row);
    CHECK(strstr(five, "person (column person)") != NULL, "persons without a name are called "
                                                          "persons");
    tacit_free(one);
    tacit_free(two);
    tacit_free(three);
    tacit_free(four);
    tacit_free(five);
    tacit_data_free(file);
    tacit_data_free(memory);
}

static void test_refusals(void)
{
    static const char *const twice[] = {"age", "age"}, *const empty[] = {"age", ""},
                             *const bad[] = {"age", "st\xff"}, *const hole[] = {NULL, "stay"};
    tacit_data *memory = in_memory(), *file = NULL;
    tacit_data_opts opts;
    tacit_budget budget;
    tacit_kmeans_opts kmeans;
    tacit_model *model = NULL;

    CHECK(tacit_data_set_columns(ctx, memory, twice) == TACIT_E_ARGUMENT && says("'age' is there "
                                                                                 "twice"),
          "a name twice");
    CHECK(tacit_data_set_columns(ctx, memory, empty) == TACIT_E_ARGUMENT && says("column 2 is "
                                                                                 "empty"),
          "an empty name");
    CHECK(tacit_data_set_columns(ctx, memory, hole) == TACIT_E_ARGUMENT && says("column 1 is "
                                                                                "empty"),
          "no name");
    CHECK(tacit_data_set_columns(ctx, memory, bad) == TACIT_E_ARGUMENT && says("column 2 is not "
                                                                               "UTF-8"),
          "no UTF-8");
    CHECK(tacit_data_set_columns(ctx, memory, NULL) == TACIT_E_ARGUMENT, "no names");
    CHECK(strcmp(tacit_data_column_get(memory, 1), "stay") == 0, "refused names leave the old "
                                                                 "ones");

    tacit_data_opts_init(&opts, sizeof opts);
    opts.format = TACIT_FORMAT_CSV;
    MUST(tacit_data_open(ctx, path, &opts, &file) == TACIT_OK);
    CHECK(tacit_data_set_columns(ctx, file, twice) == TACIT_E_ARGUMENT && says("in memory only"),
          "a file has its own names");
    CHECK(tacit_data_set_units(ctx, file, person, NULL) == TACIT_E_ARGUMENT &&
              says("in memory only") && tacit_data_set_labels(ctx, file, class) == TACIT_E_ARGUMENT,
          "and its own persons and classes");

    tacit_budget_init(&budget, sizeof budget);
    tacit_kmeans_opts_init(&kmeans, sizeof kmeans);
    budget.epsilon = 1;
    kmeans.k = 3;
    MUST(tacit_data_set_units(ctx, memory, person, NULL) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, memory, "age=0:120,stay=0:60") == TACIT_OK);
    CHECK(tacit_kmeans_run(ctx, memory, &budget, &kmeans, &model) == TACIT_E_ARGUMENT &&
              model == NULL,
          "persons without a limit of rows are refused");
    tacit_data_free(memory);
    tacit_data_free(file);
}

/* Sparse rows take the same descriptions. */
static void test_sparse(void)
{
    static const int64_t start[] = {0, 1, 2, 3, 4}, who[] = {1, 1, 1, 2};
    static const int32_t column[] = {0, 1, 0, 1};
    static const double entry[] = {1, 1, 0.5, 0.25};
    static const char *const names[] = {"apples", "pears"};
    tacit_data *data = NULL;
    uint64_t *keep = NULL;

    MUST(tacit_data_from_csr(ctx, start, column, entry, 4, 2, &data) == TACIT_OK);
    CHECK(tacit_data_set_columns(ctx, data, names) == TACIT_OK &&
              strcmp(tacit_data_column_get(data, 0), "apples") == 0,
          "sparse columns have names");
    MUST(tacit_data_set_units(ctx, data, who, "buyer") == TACIT_OK &&
         tac_data_load(ctx, data, NULL) == TACIT_OK);
    MUST(tac_data_kept(ctx, data, 2, &keep) == TACIT_OK);
    CHECK(tac_kept_between(keep, 0, 3) == 2 && tac_is_kept(keep, 3), "two rows of each person are "
                                                                     "kept");
    CHECK(strcmp(tac_data_unit_name(data), "buyer") == 0, "persons have a name");
    tac_free(keep);
    tacit_data_free(data);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    make_rows();
    test_same_as_file();
    test_refusals();
    test_sparse();
    unlink(path);
    tacit_ctx_free(ctx);
    return tap_done();
}
