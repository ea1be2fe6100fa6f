/* SPDX-License-Identifier: Apache-2.0 */
/* Engines that go wrong: whatever they hand in, a run ends with its right release or with none;
   what was reserved stays spent, and a sentence says nothing of any row. */
#include "dice.h"
#include "local_engine.h"
#include "scratch.h"

enum { ROWS = 600, COLUMNS = 2, PARTS = 3 };

static tacit_ctx *ctx;
static double points[ROWS * COLUMNS], part_rows[PARTS + 1][ROWS * COLUMNS];

static void make_rows(void)
{
    state = 3;
    for (int i = 0; i < ROWS * COLUMNS; i++) points[i] = (i / COLUMNS % 2) * 0.5 + 0.2 * uniform();
}

static tacit_data *table(tacit_ctx *of, const double *value, int64_t rows)
{
    tacit_data *data = NULL;

    MUST(tacit_data_from_memory(of, value, TACIT_F64, rows, COLUMNS, &data) == TACIT_OK &&
         tacit_data_declare_bounds(of, data, "0:1") == TACIT_OK);
    return data;
}

/* Row i on shard i modulo PARTS. What a shard has when it is read again: other values, or with
   `fewer` one row less. */
static void fill_parts(local_engine *e, bool fewer)
{
    int64_t many[PARTS] = {0};

    for (int i = 0; i < ROWS; i++)
        memcpy(&part_rows[i % PARTS][many[i % PARTS]++ * COLUMNS], &points[i * COLUMNS],
               sizeof *points * COLUMNS);
    memcpy(part_rows[PARTS], part_rows[PARTS - 1], sizeof part_rows[0]);
    if (!fewer) part_rows[PARTS][7] += 0.01;
    for (int i = 0; i < PARTS; i++) e->part[i] = table(e->ctx, part_rows[i], many[i]);
    e->changed = table(e->ctx, part_rows[PARTS], many[PARTS - 1] - fewer);
}

static tacit_kmeans_method method; /* lloyd: its rounds ask alike */

static tacit_status run(tacit_data *data, tacit_ledger *ledger, tacit_model **model)
{
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;

    budget.epsilon = 1;
    budget.delta = 1e-6;
    budget.ledger = ledger;
    budget.use_insecure_test_seed = ledger == NULL;
    opts.k = 2;
    opts.method = method;
    opts.rounds = method == TACIT_KMEANS_LLOYD ? 3 : 0;
    return tacit_kmeans_run(ctx, data, &budget, &opts, model);
}

static tacit_ledger *new_ledger(void)
{
    static int number;
    char name[40];
    tacit_declaration *declared = NULL;
    tacit_ledger *ledger = NULL;
    tacit_data *data = table(ctx, points, 0);

    snprintf(name, sizeof name, "%d.ledger", number++);
    MUST(tacit_data_declaration(ctx, data, TACIT_ADD_REMOVE, 0, &declared) == TACIT_OK);
    MUST(tacit_ledger_create(ctx, scratch(name), "rows", 4, 1e-5, declared) == TACIT_OK &&
         tacit_ledger_open(ctx, scratch(name), &ledger) == TACIT_OK);
    tacit_declaration_free(declared);
    tacit_data_free(data);
    return ledger;
}

static double spent(tacit_ledger *ledger)
{
    tacit_ledger_summary summary = TACIT_LEDGER_SUMMARY_INIT;

    MUST(tacit_ledger_summarize(ctx, ledger, &summary) == TACIT_OK);
    return summary.spent;
}

static double price;
static message earlier[2]; /* an answer and a receipt of another run */

static void run_well(void)
{
    local_engine e;
    tacit_model *model = NULL;
    tacit_ledger *ledger = new_ledger();
    tacit_data *data = table(ctx, points, 0);

    open_engine(&e, PARTS);
    fill_parts(&e, false);
    e.fault = OTHER_KIND; /* keeps a receipt, and never hands it in */
    e.when = 100000;
    MUST(tacit_data_set_engine(ctx, data, &e.engine) == TACIT_OK);
    MUST(run(data, ledger, &model) == TACIT_OK);
    CHECK(model != NULL && e.starts == 1 && e.ends == 1 && e.places >= 2 && spent(ledger) > 0,
          "a run with a ledger: %ld frames, %ld queries", e.places, e.queries);
    price = spent(ledger);
    earlier[0] = copy_of(e.before.at, e.before.count);
    earlier[1] = copy_of(e.kept.at, e.kept.count);
    tacit_model_free(model);
    tacit_data_free(data);
    tacit_ledger_free(ledger);
    close_engine(&e);
}

/* One run with one fault; is nothing released, and the charge kept? */
static bool fails_well(fault f, long when, bool blocks, size_t flip)
{
    local_engine e;
    tacit_model *model = NULL;
    tacit_ledger *ledger = new_ledger();
    tacit_data *data = table(ctx, points, 0);

    open_engine(&e, PARTS);
    fill_parts(&e, f == OTHER_ROWS && !blocks);
    e.fault = f;
    e.when = when;
    e.flip = flip;
    e.blocks = blocks;
    if (f == UNKNOWN_SHARD) e.engine.shards = 0;
    if (f == OTHER_RUN) e.kept = copy_of(earlier[when == -1].at, earlier[when == -1].count);
    if (f == OTHER_KIND && when < 0) e.kept = copy_of(earlier[0].at, earlier[0].count);
    MUST(tacit_data_set_engine(ctx, data, &e.engine) == TACIT_OK);
    method = when == ALIKE ? TACIT_KMEANS_LLOYD : TACIT_KMEANS_AUTO;
    const tacit_status status = run(data, ledger, &model);
    method = TACIT_KMEANS_AUTO;
    const bool engine_failed = f == FAILS || f == DIES;
    const bool said = strstr(tacit_ctx_message(ctx), "nothing is released") != NULL;
    const bool good = status == (engine_failed ? TACIT_E_SYSTEM : TACIT_E_READ) && model == NULL &&
                      spent(ledger) == price && e.ends == 1 && (engine_failed || said) &&
                      (e.queries == (when < 0 ? 0 : when + 1) || when < -1);
    if (!good)
        printf("# %s, %ld: status %d, spent %g, %s\n", fault_names[f], when, (int)status,
               spent(ledger), tacit_ctx_message(ctx));
    tacit_model_free(model);
    tacit_data_free(data);
    tacit_ledger_free(ledger);
    close_engine(&e);
    return good;
}

static void test_faults(void)
{
    const long times[] = {-1, 0, 1, MOVED, ALIKE};

    for (fault f = TWICE; f < FAULTS; f++) {
        int good = 0, tried = 0;
        for (int t = 0; t < 5; t++) {
            const long when = times[t];
            /* before there were queries or frames there are no earlier ones */
            if (when == -1 && (f == OTHER_QUERY || f == TWICE_IN_ONE || f == OTHER_FRAMES ||
                               f == UNKNOWN_SHARD || f == OTHER_ROWS))
                continue;
            if (when == 0 && f == OTHER_QUERY) continue;
            if ((when == MOVED) != (f == OTHER_FRAMES)) continue;
            if (when == ALIKE && f != OTHER_QUERY) continue;
            for (int blocks = 0; blocks < 2; blocks++, tried++)
                good += fails_well(f, when, blocks == 1, 60);
        }
        CHECK(tried > 0 && good == tried,
              "%s: no release, the charge stays, the run ends at once (%d of %d)", fault_names[f],
              good, tried);
    }
}

static void test_bits(void)
{
    int good = 0;
    const int tries = (int)tap_times(60);

    for (int i = 0; i < tries; i++) good += fails_well(FLIPPED, i % 2, false, (size_t)next());
    CHECK(good == tries, "any flipped bit of an answer is seen (%d of %d)", good, tries);
}

/* ---- what shards refuse ---- */

static void test_shards(void)
{
    local_engine e;
    tacit_model *model = NULL;
    tacit_data *data = table(ctx, points, 0), *other = NULL;
    tacit_shard *shard = NULL;
    tacit_shard_opts opts = TACIT_SHARD_OPTS_INIT;
    uint8_t *at = NULL;
    int32_t *label = NULL;
    int64_t rows = 0;
    size_t count;

    open_engine(&e, PARTS);
    fill_parts(&e, false);
    e.blocks = true;
    MUST(tacit_data_set_engine(ctx, data, &e.engine) == TACIT_OK);
    MUST(run(data, NULL, &model) == TACIT_OK);
    message *const messages[] = {&e.spec, &e.frames, &e.block[0]};
    int refused = 0;
    for (int i = 0; i < 300; i++) {
        const message *m = messages[i % 3];
        message bad = copy_of(m->at, m->count - (i % 5 == 4));
        bad.at[next() % bad.count] ^= (uint8_t)(1 << i % 8);
        tacit_data *part = table(e.ctx, part_rows[0], 1);
        tacit_status status;
        if (i % 3 == 2) {
            status = tacit_shard_from_secret_block(e.ctx, e.spec.at, e.spec.count, bad.at,
                                                   bad.count, &shard);
        } else if (i % 3 == 0) {
            status = tacit_shard_open(e.ctx, part, bad.at, bad.count, &opts, &shard);
        } else {
            MUST(tacit_shard_open(e.ctx, part, e.spec.at, e.spec.count, &opts, &shard) == TACIT_OK);
            status = tacit_shard_place(e.ctx, shard, bad.at, bad.count, &at, &count);
            tacit_shard_free(shard);
            shard = NULL;
        }
        refused += status == TACIT_E_FORMAT && shard == NULL && at == NULL;
        tacit_data_free(part);
        free(bad.at);
    }
    CHECK(refused == 300, "a damaged spec, frame or block is refused (%d of 300)", refused);
    MUST(tacit_data_from_memory(e.ctx, points, TACIT_F64, 10, 3, &other) == TACIT_OK);
    CHECK(tacit_shard_open(e.ctx, other, e.spec.at, e.spec.count, &opts, &shard) ==
                  TACIT_E_DECLARED &&
              shard == NULL,
          "a part with other columns is refused: %s", tacit_ctx_message(e.ctx));
    opts.index = PARTS;
    tacit_data_free(other);
    other = table(e.ctx, points, 10);
    CHECK(tacit_shard_open(e.ctx, other, e.spec.at, e.spec.count, &opts, &shard) ==
              TACIT_E_ARGUMENT,
          "an index that no shard has is refused");
    CHECK(tacit_model_predict(ctx, model, data, &label, &rows) != TACIT_OK &&
              strstr(tacit_ctx_message(ctx), "on shards") != NULL,
          "what needs rows refuses a handle whose rows are on shards");
    tacit_data_free(other);
    tacit_model_free(model);
    tacit_data_free(data);
    close_engine(&e);
}

/* A part that cannot be read: with a ledger nobody learns where. */
static void test_silence(void)
{
    static const char *const text[] = {"a,b\n0.5,0.5\n0.1\n", "a,b\n0.5,0.5\n"};
    int silent = 0;

    for (int guarded = 0; guarded < 2; guarded++) {
        local_engine e;
        tacit_declaration *declared = NULL;
        tacit_ledger *ledger = NULL;
        tacit_model *model = NULL;
        tacit_data *data = NULL;
        open_engine(&e, 2);
        for (int i = 0; i < 2; i++) {
            FILE *file = fopen(scratch(i == 0 ? "0.csv" : "1.csv"), "w");
            MUST(file != NULL && fputs(text[i], file) >= 0 && fclose(file) == 0);
            MUST(tacit_data_open(e.ctx, scratch(i == 0 ? "0.csv" : "1.csv"), NULL, &e.part[i]) ==
                 TACIT_OK);
        }
        MUST(tacit_data_open(ctx, scratch("1.csv"), NULL, &data) == TACIT_OK &&
             tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK &&
             tacit_data_declaration(ctx, data, TACIT_ADD_REMOVE, 0, &declared) == TACIT_OK);
        if (guarded == 1)
            MUST(tacit_ledger_create(ctx, scratch("csv.ledger"), "rows", 4, 1e-5, declared) ==
                     TACIT_OK &&
                 tacit_ledger_open(ctx, scratch("csv.ledger"), &ledger) == TACIT_OK);
        MUST(tacit_data_set_engine(ctx, data, &e.engine) == TACIT_OK);
        const tacit_status status = run(data, ledger, &model);
        const bool where = strstr(tacit_ctx_message(ctx), "line 3") != NULL ||
                           strstr(tacit_ctx_message(e.ctx), "line 3") != NULL;
        printf("# %s\n", tacit_ctx_message(ctx));
        silent += status == TACIT_E_FORMAT && model == NULL && where == (guarded == 0);
        tacit_declaration_free(declared);
        tacit_data_free(data);
        tacit_ledger_free(ledger);
        close_engine(&e);
    }
    CHECK(silent == 2, "a line that cannot be read is named, but not in a run with a ledger");
}

int main(void)
{
    scratch_open();
    MUST(tacit_ctx_new(&ctx) == TACIT_OK && tacit_ctx_set_threads(ctx, 1) == TACIT_OK);
    make_rows();
    run_well();
    test_faults();
    test_bits();
    test_shards();
    test_silence();
    free(earlier[0].at), free(earlier[1].at);
    tacit_ctx_free(ctx);
    scratch_close();
    return tap_done();
}
