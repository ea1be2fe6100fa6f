/* SPDX-License-Identifier: Apache-2.0 */
/* Rows on shards, through the public header: every method releases the same bytes as on rows in
   one place, for every split and number of shards, or refuses before anything is spent. */
#include "dice.h"
#include "local_engine.h"

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

static tacit_status run(const tacit_audit_target *t, double delta, tacit_data *data, char **json)
{
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_model *model = NULL;
    tacit_status status;

    *json = NULL;
    budget.epsilon = 2;
    budget.delta = delta;
    budget.use_insecure_test_seed = 1;
    budget.insecure_test_seed = 7;
    if (strcmp(t->family, "cocluster") == 0) {
        tacit_cocluster_opts opts = TACIT_COCLUSTER_OPTS_INIT;
        opts.row_clusters = opts.column_clusters = 2;
        opts.method = (tacit_cocluster_method)t->method;
        status = tacit_cocluster_run(ctx, data, &budget, &opts, &model);
    } else if (strcmp(t->family, "subspace") == 0) {
        tacit_subspace_opts opts = TACIT_SUBSPACE_OPTS_INIT;
        opts.k = 2;
        opts.q = 1;
        opts.rounds = t->method == TACIT_SUBSPACE_GIBBS ? 20 : 0;
        opts.method = (tacit_subspace_method)t->method;
        status = tacit_subspace_run(ctx, data, &budget, &opts, &model);
    } else {
        tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;
        opts.k = 3;
        opts.method = (tacit_kmeans_method)t->method;
        status = strcmp(t->family, "kmeans") == 0
                     ? tacit_kmeans_run(ctx, data, &budget, &opts, &model)
                     : tacit_kmedian_run(ctx, data, &budget, &opts, &model);
    }
    if (model != NULL) MUST(tacit_model_json(ctx, model, json) == TACIT_OK);
    tacit_model_free(model);
    return status;
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

    if (run(t, delta, data, &whole) != TACIT_OK) printf("# %s\n", tacit_ctx_message(ctx));
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
        const tacit_status status = run(t, delta, data, &apart);
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

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK && tacit_ctx_set_threads(ctx, 1) == TACIT_OK);
    make_rows();
    test_methods();
    tacit_ctx_free(ctx);
    return tap_done();
}
