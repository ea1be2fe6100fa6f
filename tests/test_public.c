/* SPDX-License-Identifier: Apache-2.0 */
/* The library as its users see it: the privacy card without JSON, what a run took, lists, structs
   of older programs. */
#include "tap.h"

#include <math.h>
#include <tacit/tacit.h>
#include <time.h>
#include <unistd.h>

#define ROWS 4000

static tacit_ctx *ctx;
static double *value;
static int32_t *label;

static tacit_data *rows(void)
{
    tacit_data *data = NULL;

    MUST(tacit_data_from_memory(ctx, value, TACIT_F64, ROWS, 2, &data) == TACIT_OK &&
         tacit_data_declare_bounds(ctx, data, "c1=0:1,c2=-1:2") == TACIT_OK);
    return data;
}

static tacit_model *fit(tacit_data *data, double delta, tacit_ledger *ledger, bool seeded)
{
    tacit_model *model = NULL;
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;

    budget.epsilon = 0.75;
    budget.delta = delta;
    budget.ledger = ledger;
    budget.use_insecure_test_seed = seeded;
    budget.insecure_test_seed = 5;
    opts.k = 4;
    opts.method = TACIT_KMEANS_LLOYD;
    opts.rounds = 3;
    if (tacit_kmeans_run(ctx, data, &budget, &opts, &model) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    MUST(model != NULL);
    return model;
}

/* Does the JSON hold this, in the format of the release? */
__attribute__((format(printf, 2, 3))) static bool holds(const char *json, const char *format, ...)
{
    char words[400];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    const bool found = strstr(json, words) != NULL;
    if (!found) printf("# not in the release: %s\n", words);
    return found;
}

/* The number behind a key's first place. */
static double number(const char *json, const char *key)
{
    const char *at = strstr(json, key);
    return at == NULL ? NAN : strtod(at + strlen(key), NULL);
}

/* ---- the card ---- */

static void test_card(double delta)
{
    tacit_data *data = rows();
    tacit_model *model = fit(data, delta, NULL, false);
    tacit_card card = TACIT_CARD_INIT;
    tacit_domain domain = TACIT_DOMAIN_INIT;
    char *json = NULL;
    double share = 0;

    MUST(tacit_model_json(ctx, model, &json) == TACIT_OK);
    CHECK(tacit_model_card(model, &card) == TACIT_OK && card.epsilon == 0.75 &&
              card.delta == delta && card.neighbors == TACIT_ADD_REMOVE &&
              strcmp(card.unit, "row") == 0 && card.max_rows_per_unit == 1 &&
              strcmp(card.definition, delta > 0 ? "gaussian" : "pure") == 0 && !card.in_ledger,
          "the card says what was asked for");
    CHECK(holds(json, "\"accountant\": \"%s\"", card.definition) &&
              holds(json, "\"randomness\": \"%s\"", card.randomness) &&
              holds(json, "\"parameter\": \"%s\"", card.parameter) &&
              number(json, "\"budget\": ") == card.budget &&
              number(json, "\"spent\": ") == card.spent &&
              holds(json, "\"paper\": \"%s\"", card.paper) &&
              holds(json, "\"version\": \"%s\"", card.version) &&
              holds(json, "\"rounds\": %d,", tacit_model_rounds(model)) &&
              strcmp(card.version, TACIT_VERSION) == 0,
          "... and what the release says");
    const int32_t count = tacit_model_query_count(model);
    bool good = count > 1;
    for (int32_t i = 0; i < count; i++) {
        tacit_query_info q = TACIT_QUERY_INFO_INIT;
        MUST(tacit_model_query_get(model, i, &q) == TACIT_OK);
        good =
            good && q.share > 0 && q.answers > 0 && q.batch == -1 && q.sensitivity > 0 &&
            holds(json, "\"what\": \"%s\", \"kind\": \"%s\", \"noise\": \"%s\", \"scale\": %.15g,",
                  q.what, q.kind, q.distribution, q.scale) &&
            holds(json, "\"answers\": %lld", (long long)q.answers);
        share += q.share;
    }
    tacit_query_info none = TACIT_QUERY_INFO_INIT;
    CHECK(good && fabs(share - card.spent / card.budget) < 1e-9 && share <= 1,
          "%d queries, share %.6f of the budget", (int)count, share);
    CHECK(tacit_model_query_get(model, count, &none) == TACIT_E_ARGUMENT &&
              tacit_model_query_get(model, -1, &none) == TACIT_E_ARGUMENT &&
              tacit_model_query_get(NULL, 0, &none) == TACIT_E_ARGUMENT &&
              tacit_model_query_count(NULL) == 0 &&
              tacit_model_card(NULL, &card) == TACIT_E_ARGUMENT &&
              tacit_model_domain(NULL, &domain) == TACIT_E_ARGUMENT,
          "there are no others");
    CHECK(tacit_model_domain(model, &domain) == TACIT_OK && domain.lower[1] == -1 &&
              domain.upper[1] == 2 && domain.center == NULL && domain.scale == TACIT_SCALE_RANGE &&
              domain.missing == TACIT_MISSING_DROP_ROW,
          "the declared domain");
    tacit_free(json);
    tacit_model_free(model);
    tacit_data_free(data);
}

/* A plain solver promises nothing, and its card says nothing else. */
static void test_plain(void)
{
    tacit_subspace_opts opts = TACIT_SUBSPACE_OPTS_INIT;
    tacit_card card = TACIT_CARD_INIT;
    tacit_data *data = rows();
    tacit_model *model = NULL;

    opts.k = 2;
    opts.q = 1;
    MUST(tacit_subspace_plain(ctx, data, &opts, &model) == TACIT_OK &&
         tacit_model_card(model, &card) == TACIT_OK);
    CHECK(isnan(card.epsilon) && isnan(card.delta) && card.unit == NULL &&
              card.definition == NULL && card.parameter == NULL &&
              strcmp(card.randomness, "none") == 0 && tacit_model_query_count(model) == 0,
          "a plain solver has no epsilon");
    tacit_model_free(model);
    tacit_data_free(data);
}

/* ---- what a run took ---- */

static void wait_a_little(const char *step, double done, void *payload)
{
    (void)step, (void)done;
    ++*(int *)payload;
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static bool adds_up(const tacit_run_info *i)
{
    const double all =
        i->read_seconds + i->place_seconds + i->query_seconds + i->postprocess_seconds;
    return i->read_seconds >= 0 && i->place_seconds > 0 && i->query_seconds > 0 &&
           i->postprocess_seconds > 0 && fabs(all - i->seconds) < 1e-6;
}

/* Time depends on the rows and nobody pays for it: a run that takes longer releases the same
   bytes. */
static void test_time(void)
{
    tacit_run_info quick = TACIT_RUN_INFO_INIT, slow = TACIT_RUN_INFO_INIT;
    static const char *const words[] = {"second", "time", "elapsed", "duration", "thread", "clock"};
    tacit_data *data = rows();
    tacit_model *one, *two;
    char *first = NULL, *second = NULL;
    int steps = 0;
    bool silent = true;

    CHECK(tacit_ctx_run_info(ctx, &quick) == TACIT_E_ARGUMENT, "before the first run there is "
                                                               "nothing to tell");
    MUST(tacit_ctx_set_threads(ctx, 1) == TACIT_OK);
    one = fit(data, 1e-6, NULL, true);
    MUST(tacit_ctx_run_info(ctx, &quick) == TACIT_OK && tacit_ctx_set_threads(ctx, 2) == TACIT_OK);
    tacit_ctx_set_progress(ctx, wait_a_little, &steps);
    two = fit(data, 1e-6, NULL, true);
    tacit_ctx_set_progress(ctx, NULL, NULL);
    MUST(tacit_ctx_run_info(ctx, &slow) == TACIT_OK);
    CHECK(adds_up(&quick) && adds_up(&slow) && quick.threads == 1 && slow.threads == 2 &&
              quick.rounds == 3 && quick.rounds == tacit_model_rounds(one) && quick.rows == -1 &&
              strcmp(quick.run, "") == 0,
          "a run tells its rounds, threads and times, which add up");
    CHECK(steps > 1 && slow.postprocess_seconds > 0.019 * slow.rounds &&
              slow.query_seconds < slow.seconds - 0.019 * steps,
          "time that the method spends is its own");
    MUST(tacit_model_json(ctx, one, &first) == TACIT_OK &&
         tacit_model_json(ctx, two, &second) == TACIT_OK);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        silent = silent && strstr(first, words[i]) == NULL;
    CHECK(strcmp(first, second) == 0 && silent, "no time is in the release: quick and slow give "
                                                "the same bytes");
    tacit_free(first);
    tacit_free(second);
    tacit_model_free(one);
    tacit_model_free(two);
    tacit_data_free(data);
}

static int last_run(const tacit_ledger_entry *entry, void *payload)
{
    snprintf(payload, 33, "%s", entry->run);
    return 0;
}

static void test_ledger(void)
{
    char path[] = "/tmp/tacit-public-XXXXXX", run[33] = "";
    tacit_run_info info = TACIT_RUN_INFO_INIT;
    tacit_card card = TACIT_CARD_INIT;
    tacit_declaration *declaration = NULL;
    tacit_ledger *ledger = NULL;
    tacit_data *data = rows();
    const int handle = mkstemp(path);

    MUST(handle >= 0 && close(handle) == 0 && unlink(path) == 0);
    MUST(tacit_data_declaration(ctx, data, TACIT_ADD_REMOVE, 0, &declaration) == TACIT_OK &&
         tacit_ledger_create(ctx, path, "public", 3, 1e-6, declaration) == TACIT_OK &&
         tacit_ledger_open(ctx, path, &ledger) == TACIT_OK);
    tacit_model *model = fit(data, 1e-6, ledger, false);
    MUST(tacit_ctx_run_info(ctx, &info) == TACIT_OK && tacit_model_card(model, &card) == TACIT_OK &&
         tacit_ledger_history(ctx, ledger, last_run, run) == TACIT_OK);
    CHECK(card.in_ledger && strlen(info.run) == 32 && strcmp(info.run, run) == 0,
          "the run is found in its ledger's history");
    tacit_model_free(model);
    tacit_ledger_free(ledger);
    tacit_declaration_free(declaration);
    tacit_data_free(data);
    unlink(path);
}

/* Where the number of rows is public, it is told. */
static void test_entry(void)
{
    static double count[300 * 6];
    tacit_run_info info = TACIT_RUN_INFO_INIT;
    tacit_domain domain = TACIT_DOMAIN_INIT;
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_cocluster_opts opts = TACIT_COCLUSTER_OPTS_INIT;
    tacit_data *data = NULL;
    tacit_model *model = NULL;

    for (int i = 0; i < 300 * 6; i++) count[i] = (i / 6 + i % 6) % 2 == 0 ? 4 : 0;
    budget.epsilon = 2;
    budget.neighbors = TACIT_ENTRY;
    opts.row_clusters = opts.column_clusters = 2;
    MUST(tacit_data_from_memory(ctx, count, TACIT_F64, 300, 6, &data) == TACIT_OK &&
         tacit_cocluster_run(ctx, data, &budget, &opts, &model) == TACIT_OK &&
         tacit_ctx_run_info(ctx, &info) == TACIT_OK);
    CHECK(info.rows == 300 && tacit_model_domain(model, &domain) == TACIT_E_ARGUMENT,
          "a table of counts has public rows and no domain");
    tacit_query_info q = TACIT_QUERY_INFO_INIT;
    bool batches = false;
    for (int32_t i = 0; tacit_model_query_get(model, i, &q) == TACIT_OK; i++)
        batches = batches || q.batch >= 0;
    CHECK(batches, "its queries ask batches of rows");
    tacit_model_free(model);
    tacit_data_free(data);
}

/* ---- lists and old structs ---- */

typedef tacit_status (*get_method)(int32_t, tacit_method *);

/* All of a list, each once, and nothing beyond. */
static bool complete(int32_t count, get_method get)
{
    const char *name[64];
    tacit_method method = TACIT_METHOD_INIT;
    int32_t last = -1;

    for (int32_t i = 0; i < count; i++) {
        if (get(i, &method) != TACIT_OK || method.method <= last || *method.summary == '\0' ||
            *method.paper == '\0')
            return false;
        last = method.method;
        name[i] = method.name;
        for (int32_t j = 0; j < i; j++)
            if (strcmp(name[i], name[j]) == 0) return false;
    }
    return count > 1 && get(count, &method) == TACIT_E_ARGUMENT &&
           get(-1, &method) == TACIT_E_ARGUMENT;
}

static void test_lists(void)
{
    tacit_format_info format = TACIT_FORMAT_INFO_INIT;
    tacit_audit_target target = TACIT_AUDIT_TARGET_INIT;
    const int32_t formats = tacit_format_count();
    bool good = formats > 0;

    CHECK(complete(tacit_kmeans_method_count(), tacit_kmeans_method_get) &&
              complete(tacit_subspace_method_count(), tacit_subspace_method_get) &&
              complete(tacit_cocluster_method_count(), tacit_cocluster_method_get) &&
              complete(tacit_subspace_solver_count(), tacit_subspace_solver_get),
          "methods and solvers");
    for (int32_t i = 0; i < formats; i++)
        good = good && tacit_format_get(i, &format) == TACIT_OK &&
               format.format == (tacit_format)(i + 1) && *format.name != '\0' &&
               (*format.endings == '.') == (format.format != TACIT_FORMAT_TRIPLETS);
    CHECK(good && tacit_format_get(formats, &format) == TACIT_E_ARGUMENT &&
              tacit_format_get(-1, &format) == TACIT_E_ARGUMENT,
          "formats");
    const int32_t targets = tacit_audit_target_count();
    CHECK(targets >= tacit_kmeans_method_count() + tacit_subspace_method_count() +
                         tacit_cocluster_method_count() &&
              tacit_audit_target_get(targets - 1, &target) == TACIT_OK &&
              strcmp(target.family, "cocluster") == 0 &&
              tacit_audit_target_get(targets, &target) == TACIT_E_ARGUMENT,
          "targets of the audit: %d", (int)targets);
}

static void test_old_structs(void)
{
    tacit_method method = TACIT_METHOD_INIT;

    method.size = offsetof(tacit_method, guarantee);
    method.guarantee = method.paper = "mine";
    CHECK(tacit_kmeans_method_get(0, &method) == TACIT_OK && strcmp(method.name, "auto") == 0 &&
              strcmp(method.guarantee, "mine") == 0 && strcmp(method.paper, "mine") == 0 &&
              method.size == offsetof(tacit_method, guarantee),
          "a shorter struct is filled as far as it goes");
    method.size = sizeof method + 8;
    CHECK(tacit_kmeans_method_get(0, &method) == TACIT_E_ARGUMENT, "one from the future is "
                                                                   "refused");
    method.size = 0;
    CHECK(tacit_kmeans_method_get(0, &method) == TACIT_E_ARGUMENT &&
              tacit_kmeans_method_get(0, NULL) == TACIT_E_ARGUMENT,
          "and so is one that was not begun");
}

int main(void)
{
    tacit_synthetic_mixture_opts mixture = TACIT_SYNTHETIC_MIXTURE_OPTS_INIT;

    mixture.rows = ROWS;
    MUST(tacit_ctx_new(&ctx) == TACIT_OK &&
         tacit_synthetic_mixture(ctx, &mixture, &value, &label) == TACIT_OK);
    test_time(); /* first: before the first run there is nothing to tell */
    test_card(1e-6);
    test_card(0);
    test_plain();
    test_ledger();
    test_entry();
    test_lists();
    test_old_structs();
    tacit_free(value);
    tacit_free(label);
    tacit_ctx_free(ctx);
    return tap_done();
}
