/* SPDX-License-Identifier: Apache-2.0 */
/* Memory runs out at every allocation in turn, once and from then on, through a whole run: ledger,
   CSV, k-means, release, predict, evaluate. Never a crash, never a leak (under the sanitizers),
   never a release that the ledger does not know. The linker routes our own calls through the
   wrappers below; SQLite is given a failing allocator. */
#include "declared.h"
#include "core/core.h"
#include "failing_memory.h"
#include "privacy/door_internal.h"
#include "tap.h"

#include <sqlite3.h>
#include <unistd.h>

/* SQLite wants to know a block's size: keep it in front. */
static void *sql_malloc(int size)
{
    char *block = fails() ? NULL : __real_malloc((size_t)size + 16);
    if (block == NULL) return NULL;
    memcpy(block, &size, sizeof size);
    return block + 16;
}
static void sql_free(void *block)
{
    free(block == NULL ? NULL : (char *)block - 16);
}
static int sql_size(void *block)
{
    int size = 0;
    if (block != NULL) memcpy(&size, (char *)block - 16, sizeof size);
    return size;
}
static void *sql_realloc(void *old, int size)
{
    char *block =
        fails() ? NULL : __real_realloc(old == NULL ? NULL : (char *)old - 16, (size_t)size + 16);
    if (block == NULL) return NULL;
    memcpy(block, &size, sizeof size);
    return block + 16;
}
static int sql_roundup(int size)
{
    return (size + 7) & ~7;
}
static int sql_start(void *unused)
{
    (void)unused;
    return SQLITE_OK;
}
static void sql_stop(void *unused)
{
    (void)unused;
}

/* Answers that were given in the walk at hand. */
static long answered;
tacit_status __real_tac_door_release(tac_door *door, const tac_receipt *receipt, uint64_t *answer,
                                     size_t count);
tacit_status __wrap_tac_door_release(tac_door *door, const tac_receipt *receipt, uint64_t *answer,
                                     size_t count);
tacit_status __wrap_tac_door_release(tac_door *door, const tac_receipt *receipt, uint64_t *answer,
                                     size_t count)
{
    const tacit_status status = __real_tac_door_release(door, receipt, answer, count);
    answered += status == TACIT_OK;
    return status;
}

static char folder[] = "/tmp/tacit-test-XXXXXX", csv[64], ledger_path[64], model_path[64];

/* The whole walk. Returns its status; *released: a model came out of the run; *known: the ledger
   counts a run. */
static tacit_status walk(bool *released)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = NULL;
    tacit_ledger *ledger = NULL;
    tacit_data *data = NULL;
    tacit_data_opts with;
    tacit_model *model = NULL, *again = NULL;
    tacit_budget budget;
    tacit_kmeans_opts opts;
    tacit_evaluation evaluation;
    int32_t *labels = NULL;
    int64_t rows;
    char *text = NULL;

    *released = false;
    tacit_data_opts_init(&with, sizeof with);
    tacit_budget_init(&budget, sizeof budget);
    tacit_kmeans_opts_init(&opts, sizeof opts);
    tacit_evaluation_init(&evaluation, sizeof evaluation);
    with.unit_column = "who";
    with.label_column = "kind";
    opts.k = 3;
    TAC_TRY(tacit_ctx_new(&ctx));
    TAC_TRY(tacit_ctx_set_threads(ctx, 1));
    TAC_TRY(tacit_ledger_open(ctx, ledger_path, &ledger));
    TAC_TRY(tacit_data_open(ctx, csv, &with, &data));
    TAC_TRY(tacit_data_declare_bounds(ctx, data, "x=0:1,y=0:1"));
    budget.epsilon = 1;
    budget.delta = 1e-6;
    budget.max_rows_per_unit = 2;
    budget.ledger = ledger;
    TAC_TRY(tacit_kmeans_run(ctx, data, &budget, &opts, &model));
    *released = true;
    TAC_TRY(tacit_model_json(ctx, model, &text));
    TAC_TRY(tacit_model_write(ctx, model, model_path));
    TAC_TRY(tacit_model_read(ctx, model_path, &again));
    TAC_TRY(tacit_model_predict(ctx, again, data, &labels, &rows));
    TAC_TRY(tacit_model_evaluate(ctx, again, data, 1, &evaluation));
done:
    tacit_free(text);
    tacit_free(labels);
    tacit_model_free(again);
    tacit_model_free(model);
    tacit_data_free(data);
    tacit_ledger_free(ledger);
    tacit_ctx_free(ctx);
    return status;
}

static void fresh_ledger(void)
{
    tacit_ctx *ctx = NULL;
    unlink(ledger_path);
    tacit_data *data = NULL;
    tacit_data_opts with;
    tacit_data_opts_init(&with, sizeof with);
    with.unit_column = "who";
    with.label_column = "kind";
    MUST(tacit_ctx_new(&ctx) == TACIT_OK && tacit_data_open(ctx, csv, &with, &data) == TACIT_OK &&
         tacit_data_declare_bounds(ctx, data, "x=0:1,y=0:1") == TACIT_OK &&
         data_ledger(ctx, ledger_path, 100, 1e-3, data, TACIT_ADD_REMOVE, 2) == TACIT_OK);
    tacit_data_free(data);
    tacit_ctx_free(ctx);
}

static int64_t runs_in_ledger(void)
{
    tacit_ctx *ctx = NULL;
    tacit_ledger *ledger = NULL;
    tacit_ledger_summary s;
    tacit_ledger_summary_init(&s, sizeof s);
    MUST(tacit_ctx_new(&ctx) == TACIT_OK &&
         tacit_ledger_open(ctx, ledger_path, &ledger) == TACIT_OK &&
         tacit_ledger_summarize(ctx, ledger, &s) == TACIT_OK);
    tacit_ledger_free(ledger);
    tacit_ctx_free(ctx);
    return s.runs;
}

int main(void)
{
    static const sqlite3_mem_methods failing = {sql_malloc,  sql_free,  sql_realloc, sql_size,
                                                sql_roundup, sql_start, sql_stop,    NULL};
    /* no power is lost here: memory will do */
    const char *room = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    bool released = false;

    MUST(mkdtemp(folder) != NULL);
    snprintf(csv, sizeof csv, "%s/p.csv", folder);
    snprintf(ledger_path, sizeof ledger_path, "%s/tacit-sweep-%d", room, (int)getpid());
    snprintf(model_path, sizeof model_path, "%s/m.json", folder);
    FILE *f = fopen(csv, "w");
    MUST(f != NULL);
    fputs("who,x,y,kind\n", f);
    for (int i = 0; i < 60; i++)
        fprintf(f, "p%d,0.%d,0.%d,%d\n", i % 20, i * 7 % 10, i * 3 % 10, i % 3);
    MUST(fclose(f) == 0);
    MUST(sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) == SQLITE_OK);

    fresh_ledger();
    counted = 0;
    MUST(walk(&released) == TACIT_OK && released);
    const long all = counted;
    CHECK(all > 100, "a whole run makes %ld allocations", all);

    const long step = tap_times(10) < 10 ? 7 : 1; /* a shorter test tries every seventh */
    long refused = 0, odd = 0, unknown = 0, survived = 0, ended = 0, first = 0, kept = 0;
    for (int persistent = 0; persistent < 2; persistent++)
        for (long n = 1; n <= all; n += step) {
            /* what fails after a row was read has spent */
            if ((n / step) % 30 == 0) fresh_ledger();
            const int64_t before = runs_in_ledger();
            answered = 0;
            countdown = n;
            from_then_on = persistent;
            const tacit_status status = walk(&released);
            countdown = 0;
            const int64_t after = runs_in_ledger();
            unknown += released && after == before;
            refused += status == TACIT_E_MEMORY;
            survived += status == TACIT_OK;
            odd += status != TACIT_OK && status != TACIT_E_MEMORY;
            if (status != TACIT_OK && status != TACIT_E_MEMORY)
                printf("# allocation %ld: status %d\n", n, (int)status);
            ended += !released && answered > 0;
            first += !released && answered == 1;
            kept += !released && answered > 0 && after == before + 1;
        }
    CHECK(odd == 0,
          "%ld failures, each with a status that fits: %ld say out of memory, %ld runs got by",
          2 * (all / step), refused, survived);
    CHECK(unknown == 0, "no release that the ledger does not know (%ld)", unknown);
    CHECK(kept == ended && (first > 0 || step > 1) && ended > first,
          "%ld runs failed after a query was answered, %ld of them after the first: %ld stay spent",
          ended, first, kept);
    unlink(ledger_path);
    char command[200];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? tap_done() : 1;
}
