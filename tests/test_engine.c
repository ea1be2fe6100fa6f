/* SPDX-License-Identifier: Apache-2.0 */
/* Rows on shards, through the public header: every method releases the same bytes as on rows in
   one place, for every split and number of shards, or refuses before anything is spent. */
#include "dice.h"
#include "local_engine.h"
#include "run_target.h"

enum { ROWS = 900, COLUMNS = 4, ITEMS = 30 };

static tacit_ctx *ctx;
static double points[ROWS * COLUMNS], counts[ROWS * ITEMS];

static int64_t below(int64_t n)
{
    return (int64_t)(next() % (uint64_t)n);
}

static void make_rows(void)
{
    state = 1;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++)
            points[i * COLUMNS + j] =
                i % 97 == 5 && j == 1 ? (double)NAN : (i % 3) * 0.3 + 0.1 * uniform();
        for (int j = 0; j < ITEMS; j++)
            counts[i * ITEMS + j] = below(10) < 2 ? (double)below(4) * (i % 2 == j % 2 ? 3 : 1) : 0;
    }
}

static tacit_data *table(const double *value, int64_t rows, int32_t columns)
{
    tacit_data *data = NULL;

    MUST(tacit_data_from_memory(ctx, value, TACIT_F64, rows, columns, &data) == TACIT_OK);
    if (columns == COLUMNS) MUST(tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    return data;
}

/* The parts of a table: each row falls onto a shard by dice, in any order; in turn 0 all onto the
   last. */
static double part_rows[MOST_PARTS][ROWS * ITEMS];

static void split(local_engine *e, const double *value, int32_t columns, int turn)
{
    int64_t many[MOST_PARTS] = {0};

    for (int n = 0; n < ROWS; n++) {
        const int i = turn % 2 == 0 ? n : ROWS - 1 - n;
        const int to = turn == 0 ? e->parts - 1 : (int)below(e->parts);
        memcpy(&part_rows[to][many[to]++ * columns], &value[i * columns],
               sizeof *value * (size_t)columns);
    }
    for (int i = 0; i < e->parts; i++)
        MUST(tacit_data_from_memory(e->ctx, part_rows[i], TACIT_F64, many[i], columns,
                                    &e->part[i]) == TACIT_OK);
}

static void test_method(const tacit_audit_target *t, double delta)
{
    static const int numbers[] = {1, 2, 3, 7};
    const bool items = strcmp(t->family, "cocluster") == 0;
    const double *value = items ? counts : points;
    const int32_t columns = items ? ITEMS : COLUMNS;
    char *whole = NULL, *apart = NULL;
    tacit_data *data = table(value, ROWS, columns);
    int same = 0, refused = 0, untouched = 0;

    if (run_target(ctx, t, (target_run){2, delta, 3, 2}, data, &whole) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    MUST(whole != NULL);
    tacit_data_free(data);
    for (int turn = 0; turn < 4; turn++) {
        local_engine e;
        open_engine(&e, numbers[turn]);
        e.blocks = turn % 2 == 1;
        e.combine = turn == 2;
        if (turn == 3) e.engine.shards = 0;
        split(&e, value, columns, turn);
        data = table(value, 0, columns); /* the root has no row */
        MUST(tacit_data_set_engine(ctx, data, &e.engine) == TACIT_OK);
        const tacit_status status = run_target(ctx, t, (target_run){2, delta, 3, 2}, data, &apart);
        if (status != TACIT_OK) printf("# %s\n", tacit_ctx_message(ctx));
        same += status == TACIT_OK && strcmp(whole, apart) == 0 && e.ends == 1;
        refused += status == TACIT_E_ARGUMENT && apart == NULL &&
                   strstr(tacit_ctx_message(ctx), "in one place") != NULL;
        untouched += e.starts == 0;
        tacit_data_free(data);
        close_engine(&e);
        tacit_free(apart);
    }
    const bool together = strstr(t->name, "sample-aggregate") != NULL ||
                          strcmp(t->name, "gibbs") == 0 || strcmp(t->name, "kvariates") == 0;
    if (together)
        CHECK(refused == 4 && untouched == 4,
              "%s %s, delta %g: needs all rows in one place, refused before a shard is asked",
              t->family, t->name, delta);
    else
        CHECK(same == 4, "%s %s, delta %g: the same bytes on 1, 2, 3 and 7 shards (%d)", t->family,
              t->name, delta, same);
    tacit_free(whole);
}

static void test_methods(void)
{
    for (int32_t i = 0; i < tacit_audit_target_count(); i++) {
        tacit_audit_target t = TACIT_AUDIT_TARGET_INIT;
        MUST(tacit_audit_target_get(i, &t) == TACIT_OK);
        if (t.rows && t.approximate) test_method(&t, 1e-6);
        if (t.rows && t.pure) test_method(&t, 0);
    }
}

/* ---- persons ---- */

static int64_t person[ROWS], part_person[MOST_PARTS][ROWS];
typedef enum way { PICKED, BY_NUMBER, BY_DICE } way;
static way parted;
static const double *table_of;
static int32_t columns_of;

/* Parts the rows of persons when the spec is there: by the number of the shard that each belongs
   on, or anyhow. Picked: every shard has the whole table. */
static tacit_status start_persons(const uint8_t *spec, size_t count, void *payload)
{
    local_engine *e = payload;
    tacit_data *whole = NULL;
    int64_t *number = NULL, rows = 0, many[MOST_PARTS] = {0};

    MUST(tacit_data_from_memory(e->ctx, table_of, TACIT_F64, ROWS, columns_of, &whole) ==
             TACIT_OK &&
         tacit_data_set_units(e->ctx, whole, person, "customer") == TACIT_OK);
    MUST(tacit_shard_numbers(e->ctx, whole, spec, count, &number, &rows) == TACIT_OK &&
         rows == ROWS);
    for (int i = 0; i < ROWS; i++) {
        if (person[i] < 0) MUST(number[i] == -1);
        for (int to = 0; to < e->parts; to++) {
            const int64_t own =
                parted == BY_NUMBER ? (number[i] < 0 ? 0 : number[i]) : i % e->parts;
            if (parted != PICKED && own != to) continue;
            memcpy(&part_rows[to][many[to] * columns_of], &table_of[i * columns_of],
                   sizeof *table_of * (size_t)columns_of);
            part_person[to][many[to]++] = person[i];
        }
    }
    for (int i = 0; i < e->parts; i++)
        MUST(tacit_data_from_memory(e->ctx, part_rows[i], TACIT_F64, many[i], columns_of,
                                    &e->part[i]) == TACIT_OK &&
             tacit_data_set_units(e->ctx, e->part[i], part_person[i], "customer") == TACIT_OK);
    tacit_free(number);
    tacit_data_free(whole);
    return start_here(spec, count, payload);
}

/* limit 0: rows of a person are added up. */
static char *run_persons(local_engine *e, bool items, int32_t limit, tacit_status *status)
{
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_data *data = table(table_of, e == NULL ? ROWS : 0, columns_of);
    tacit_model *model = NULL;
    char *json = NULL;

    budget.epsilon = 2;
    budget.delta = 1e-6;
    budget.max_rows_per_unit = limit;
    budget.use_insecure_test_seed = 1;
    MUST(tacit_data_set_units(ctx, data, person, "customer") == TACIT_OK);
    if (e != NULL) MUST(tacit_data_set_engine(ctx, data, &e->engine) == TACIT_OK);
    if (items) {
        tacit_cocluster_opts opts = TACIT_COCLUSTER_OPTS_INIT;
        opts.row_clusters = opts.column_clusters = 2;
        *status = tacit_cocluster_run(ctx, data, &budget, &opts, &model);
    } else {
        tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;
        opts.k = 3;
        *status = tacit_kmeans_run(ctx, data, &budget, &opts, &model);
    }
    if (*status != TACIT_OK) printf("# %s\n", tacit_ctx_message(ctx));
    if (model != NULL) MUST(tacit_model_json(ctx, model, &json) == TACIT_OK);
    tacit_model_free(model);
    tacit_data_free(data);
    return json;
}

static void test_persons(bool items, int32_t limit)
{
    tacit_status status;

    table_of = items ? counts : points;
    columns_of = items ? ITEMS : COLUMNS;
    for (int i = 0; i < ROWS; i++) person[i] = i % 50 == 7 ? -1 : below(200);
    char *whole = run_persons(NULL, items, limit, &status);
    MUST(whole != NULL);
    for (way how = PICKED; how <= BY_DICE; how++) {
        int good = 0;
        for (int parts = 1; parts <= 3; parts++) {
            local_engine e;
            open_engine(&e, parts);
            e.engine.start = start_persons;
            e.picks = how == PICKED;
            e.parted = how != PICKED;
            e.blocks = parts == 2;
            parted = how;
            char *apart = run_persons(&e, items, limit, &status);
            good += how == BY_DICE && parts > 1
                        ? apart == NULL && status == TACIT_E_ARGUMENT && e.queries == 0
                        : apart != NULL && strcmp(whole, apart) == 0;
            tacit_free(apart);
            close_engine(&e);
        }
        CHECK(good == 3, "persons, %s, limit %d: %s (%d of 3)", items ? "counts" : "rows",
              (int)limit,
              how == PICKED      ? "the same bytes where each shard picks its own"
              : how == BY_NUMBER ? "the same bytes where rows are parted by their numbers"
                                 : "refused where somebody's rows may be on two shards",
              good);
    }
    tacit_free(whole);
}

/* Shards that do not say how rows were parted are refused by that alone: with everybody at home,
   with nobody there, and in the same sentence. */
static void test_not_parted(void)
{
    tacit_status status;
    char first[300] = "", *apart;
    int refused = 0;

    table_of = points;
    columns_of = COLUMNS;
    parted = BY_NUMBER;
    for (int empty = 0; empty < 2; empty++) {
        local_engine e;
        for (int i = 0; i < ROWS; i++) person[i] = empty ? -1 : below(200);
        open_engine(&e, 2);
        e.engine.start = start_persons;
        apart = run_persons(&e, false, 3, &status);
        refused += apart == NULL && status == TACIT_E_ARGUMENT && e.queries == 0;
        if (!empty) snprintf(first, sizeof first, "%s", tacit_ctx_message(ctx));
        tacit_free(apart);
        close_engine(&e);
    }
    CHECK(refused == 2 && strcmp(first, tacit_ctx_message(ctx)) == 0 &&
              strstr(first, "tacit_shard_numbers") != NULL,
          "persons on shards that do not say how they were parted: refused, whoever is there");
}

/* Without persons a shard may pick rows too. */
static void test_picked(void)
{
    tacit_audit_target t = TACIT_AUDIT_TARGET_INIT;
    char *whole = NULL, *apart = NULL;
    tacit_data *data = table(points, ROWS, COLUMNS);
    local_engine e;

    t.family = "kmeans";
    MUST(run_target(ctx, &t, (target_run){2, 1e-6, 3, 2}, data, &whole) == TACIT_OK);
    tacit_data_free(data);
    open_engine(&e, 3);
    e.picks = true;
    for (int i = 0; i < 3; i++)
        MUST(tacit_data_from_memory(e.ctx, points, TACIT_F64, ROWS, COLUMNS, &e.part[i]) ==
             TACIT_OK);
    data = table(points, 0, COLUMNS);
    MUST(tacit_data_set_engine(ctx, data, &e.engine) == TACIT_OK);
    CHECK(run_target(ctx, &t, (target_run){2, 1e-6, 3, 2}, data, &apart) == TACIT_OK &&
              strcmp(whole, apart) == 0,
          "three shards pick their rows of one table: the same bytes");
    tacit_data_free(data);
    close_engine(&e);
    tacit_free(whole), tacit_free(apart);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK && tacit_ctx_set_threads(ctx, 1) == TACIT_OK);
    make_rows();
    test_methods();
    test_not_parted();
    test_picked();
    test_persons(false, 2);
    test_persons(true, 2);
    test_persons(true, 0);
    tacit_ctx_free(ctx);
    return tap_done();
}
