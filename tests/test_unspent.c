/* SPDX-License-Identifier: Apache-2.0 */
/* Delta that k-means auto leaves unspent: by a public rule, before anything is reserved, and said
   so. The run is then a pure one: its card, its noise and its plan; on a ledger nothing is left. */
#include "cluster/kmeans/auto/auto_kmeans.h"
#include "declared.h"
#include "fits.h"

#include <unistd.h>

enum { ROWS = 4000 };
static char folder[] = "/tmp/tacit-test-XXXXXX";

static const char *path(const char *name)
{
    static char text[300];
    snprintf(text, sizeof text, "%s/%s", folder, name);
    return text;
}

static bool leaves(double epsilon, double delta, int32_t columns, tacit_neighbors neighbors)
{
    const tac_privacy_params params = {
        .definition = TAC_GDP, .neighbors = neighbors, .rows_per_unit = 1};
    return tac_auto_leaves_delta(&params, epsilon, delta, columns);
}

static void test_rule(void)
{
    bool steady = true, persons = true;

    CHECK(leaves(0.2, 1e-12, 1, TACIT_ADD_REMOVE), "one column and a tiny delta: it is left");
    CHECK(!leaves(0.2, 1e-6, 2, TACIT_ADD_REMOVE), "two columns and a usual one: it is spent");
    CHECK(!leaves(0.2, 0, 1, TACIT_ADD_REMOVE), "there is nothing to leave of 0");
    for (double epsilon = 0.01; epsilon < 20; epsilon *= 2)
        for (int32_t d = 1; d < 40; d++) {
            bool before = false;
            for (double delta = 0.1; delta > 1e-29; delta /= 10) {
                const bool now = leaves(epsilon, delta, d, TACIT_ADD_REMOVE);
                steady = steady && (now || !before) &&
                         (!now || d == 1 || leaves(epsilon, delta, d - 1, TACIT_ADD_REMOVE)) &&
                         (now || !leaves(epsilon, delta, d, TACIT_REPLACE));
                const tac_privacy_params many = {.definition = TAC_GDP, .rows_per_unit = 10};
                persons = persons && now == tac_auto_leaves_delta(&many, epsilon, delta, d);
                before = now;
            }
        }
    CHECK(steady, "fewer columns, a smaller delta, add-remove: never the other way round");
    CHECK(persons, "rows per person do not matter: both kinds of noise grow alike");
}

static bool has_note(const tacit_model *m)
{
    for (int32_t i = 0; i < m->notes; i++)
        if (strstr(m->note[i], "delta was left unspent") != NULL) return true;
    return false;
}

/* Queries of the card by their noise. */
static int32_t with_noise(const tacit_model *m, const char *noise)
{
    int32_t count = 0;
    for (int32_t i = 0; i < m->card.queries; i++)
        count += strcmp(m->card.query[i].noise, noise) == 0;
    return count;
}

static tacit_data *opened(const double *rows)
{
    tacit_data *data = NULL;
    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, ROWS, 1, &data) == TACIT_OK &&
         tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    return data;
}

static tacit_budget budget_of(double delta)
{
    tacit_budget b;
    tacit_budget_init(&b, sizeof b);
    b.epsilon = 0.25;
    b.delta = delta;
    return b;
}

/* The plan of the run: as many queries as the card has, with the same noise. */
static void test_plan(const tacit_data *data, const tacit_budget *b, const tacit_kmeans_opts *o,
                      const tacit_model *m, bool median)
{
    tacit_plan *plan = NULL;
    tacit_plan_step step;
    double share = 0;
    bool laplace = true;

    MUST((median ? tacit_kmedian_plan(ctx, data, b, o, ROWS, &plan)
                 : tacit_kmeans_plan(ctx, data, b, o, ROWS, &plan)) == TACIT_OK);
    for (int32_t i = 0; i < tacit_plan_step_count(plan); i++) {
        tacit_plan_step_init(&step, sizeof step);
        MUST(tacit_plan_step_get(plan, i, &step) == TACIT_OK);
        share += step.share;
        laplace = laplace && strcmp(step.noise, m->card.query[0].noise) == 0;
    }
    CHECK(laplace && fabs(share - m->card.native_spent / m->card.native_budget) < 0.01,
          "the plan quotes the noise of the card, and all of its budget");
    tacit_plan_free(plan);
}

static void test_run(const double *rows, bool median)
{
    tacit_data *data = opened(rows);
    tacit_model *m = NULL;
    tacit_budget b = budget_of(1e-12);
    tacit_kmeans_opts o;

    tacit_kmeans_opts_init(&o, sizeof o);
    o.k = 4;
    MUST((median ? tacit_kmedian_run(ctx, data, &b, &o, &m)
                 : tacit_kmeans_run(ctx, data, &b, &o, &m)) == TACIT_OK);
    CHECK(m->card.delta == 0 && m->card.epsilon == 0.25 &&
              strcmp(m->card.accountant, "pure") == 0 &&
              strstr(m->card.guarantee, "0.25-differentially private (pure)") != NULL,
          "%s: delta 0 and a pure guarantee on the card", median ? "k-median" : "k-means");
    CHECK(with_noise(m, "discrete Laplace") == m->card.queries && m->card.queries > 0,
          "no query has Gaussian noise");
    CHECK(m->card.native_budget <= 0.25 && m->card.native_spent <= m->card.native_budget,
          "and all together spend epsilon");
    CHECK(has_note(m), "a note says that delta was left");
    test_plan(data, &b, &o, m, median);
    tacit_model_free(m);

    b.delta = 1e-6;
    MUST((median ? tacit_kmedian_run(ctx, data, &b, &o, &m)
                 : tacit_kmeans_run(ctx, data, &b, &o, &m)) == TACIT_OK);
    CHECK(m->card.delta == 1e-6 && with_noise(m, "discrete Gaussian") == m->card.queries &&
              !has_note(m),
          "a delta that helps is spent, without a note");
    test_plan(data, &b, &o, m, median);
    tacit_model_free(m);
    tacit_data_free(data);
}

/* Published methods are what they are called: they never change their noise. */
static void test_published(const double *rows)
{
    tacit_data *data = opened(rows);
    tacit_model *m = NULL;
    const tacit_budget b = budget_of(1e-12);
    tacit_kmeans_opts o;

    tacit_kmeans_opts_init(&o, sizeof o);
    o.k = 4;
    o.method = TACIT_KMEANS_LLOYD;
    MUST(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_OK);
    CHECK(m->card.delta == 1e-12 && with_noise(m, "discrete Gaussian") == m->card.queries &&
              !has_note(m),
          "lloyd spends its delta");
    tacit_model_free(m);
    tacit_data_free(data);
}

/* A Gaussian ledger counts a pure run with a mu that is many times larger; a pure one takes no
   delta. */
static void test_ledgers(const double *rows)
{
    tacit_data *data = opened(rows);
    tacit_ledger *ledger = NULL;
    tacit_model *m = NULL;
    tacit_budget b = budget_of(1e-12);
    tacit_ledger_summary s;
    tacit_kmeans_opts o;

    tacit_kmeans_opts_init(&o, sizeof o);
    tacit_ledger_summary_init(&s, sizeof s);
    o.k = 4;
    MUST(data_ledger(ctx, path("g.ledger"), 1, 1e-6, data, TACIT_ADD_REMOVE, 0) == TACIT_OK &&
         tacit_ledger_open(ctx, path("g.ledger"), &ledger) == TACIT_OK);
    b.ledger = ledger;
    MUST(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_OK &&
         tacit_ledger_summarize(ctx, ledger, &s) == TACIT_OK);
    const uint64_t gaussian = tac_budget_quanta(TAC_GDP, 0.25, 1e-12),
                   pure = tac_cost_pure(TAC_GDP, tac_budget_quanta(TAC_PURE, 0.25, 0)),
                   all = tac_budget_quanta(TAC_GDP, 1, 1e-6);
    CHECK(m->card.delta == 1e-12 && strcmp(m->card.accountant, "gaussian") == 0 && !has_note(m),
          "on a ledger with a delta the run is as asked for");
    CHECK(fabs(s.spent - (double)gaussian / (double)all) < 1e-9 && pure > 10 * gaussian,
          "it takes %.2g of the ledger, where a pure one would take %.2g", s.spent,
          (double)pure / (double)all);
    test_plan(data, &b, &o, m, false);
    tacit_model_free(m);
    tacit_ledger_free(ledger);

    MUST(data_ledger(ctx, path("p.ledger"), 1, 0, data, TACIT_ADD_REMOVE, 0) == TACIT_OK &&
         tacit_ledger_open(ctx, path("p.ledger"), &ledger) == TACIT_OK);
    b.ledger = ledger;
    const tacit_status refused = tacit_kmeans_run(ctx, data, &b, &o, &m);
    MUST(tacit_ledger_summarize(ctx, ledger, &s) == TACIT_OK);
    CHECK(refused == TACIT_E_LEDGER && m == NULL && s.spent == 0 && s.runs == 0,
          "a ledger without delta refuses one that would be left, and nothing is spent");
    b.delta = 0;
    MUST(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_OK &&
         tacit_ledger_summarize(ctx, ledger, &s) == TACIT_OK);
    CHECK(fabs(s.spent - 0.25) < 1e-9 && m->card.delta == 0 && !has_note(m), "with delta 0 it "
                                                                             "takes the run, for "
                                                                             "its epsilon");
    tacit_model_free(m);
    tacit_ledger_free(ledger);
    tacit_data_free(data);
}

int main(void)
{
    double center[4], *rows;

    MUST(tacit_ctx_new(&ctx) == TACIT_OK && mkdtemp(folder) != NULL);
    rows = mixture(ROWS, 1, 4, 0.02, 3, center);
    test_rule();
    test_run(rows, false);
    test_run(rows, true);
    test_published(rows);
    test_ledgers(rows);
    free(rows);
    tacit_ctx_free(ctx);
    unlink(path("g.ledger"));
    unlink(path("p.ledger"));
    rmdir(folder);
    return tap_done();
}
