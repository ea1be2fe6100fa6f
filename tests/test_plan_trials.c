/* SPDX-License-Identifier: Apache-2.0 */
/* A plan that is tried: it reads no row, comes out the same twice, improves with the budget, and
   its smallest epsilon is the smallest. Rows that count several times are as good as so many
   rows. */
#include "cluster/plan.h"
#include "tap.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

static tacit_ctx *ctx;

/* Rows that end the test if they are read. */
static tacit_data *untouchable(int32_t columns, bool ball)
{
    void *page =
        mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    tacit_data *data = NULL;

    MUST(page != MAP_FAILED);
    MUST(tacit_data_from_memory(ctx, page, TACIT_F64, 1, columns, &data) == TACIT_OK);
    if (ball)
        MUST(tacit_data_set_ball(ctx, data, NULL, 1) == TACIT_OK);
    else
        MUST(tacit_data_declare_bounds(ctx, data, "-3:5") == TACIT_OK);
    return data;
}

static tacit_budget budget_of(double epsilon, double delta)
{
    tacit_budget b = TACIT_BUDGET_INIT;

    b.epsilon = epsilon;
    b.delta = delta;
    return b;
}

/* A k-means plan that was tried. */
static tacit_plan *tried(const tacit_data *data, int32_t k, double epsilon, double delta,
                         double rows)
{
    tacit_kmeans_opts o = TACIT_KMEANS_OPTS_INIT;
    const tacit_budget b = budget_of(epsilon, delta);
    tacit_plan *plan = NULL;

    o.k = k;
    MUST(tacit_kmeans_plan(ctx, data, &b, &o, rows, &plan) == TACIT_OK);
    CHECK(tacit_plan_forecast_count(plan) == 0 &&
              tacit_plan_verdict(plan) == TACIT_VERDICT_UNKNOWN &&
              isnan(tacit_plan_least_epsilon(plan)),
          "nothing is known before the trials");
    MUST(tacit_plan_try(ctx, data, plan) == TACIT_OK);
    return plan;
}

static tacit_forecast forecast_of(const tacit_plan *plan, int32_t which)
{
    tacit_forecast f = TACIT_FORECAST_INIT;

    MUST(tacit_plan_forecast_get(plan, which, &f) == TACIT_OK);
    return f;
}

static void test_centers(void)
{
    tacit_data *data = untouchable(4, false);
    const double epsilon[] = {0.005, 0.1, 4};
    const tacit_verdict expected[] = {TACIT_USELESS, TACIT_VERDICT_UNKNOWN, TACIT_USABLE};
    double last = INFINITY, least[3];

    for (int i = 0; i < 3; i++) {
        tacit_plan *plan = tried(data, 4, epsilon[i], 1e-6, 4000),
                   *again = tried(data, 4, epsilon[i], 1e-6, 4000);
        const tacit_forecast f = forecast_of(plan, 1), g = forecast_of(again, 1);
        CHECK(tacit_plan_forecast_count(plan) == 3 && strcmp(f.rows, "overlapping") == 0,
              "three kinds of rows are tried");
        CHECK(f.cost == g.cost && f.kept == g.kept &&
                  strcmp(tacit_plan_advice(plan), tacit_plan_advice(again)) == 0,
              "the same plan comes twice");
        CHECK(f.cost_least <= f.cost && f.cost <= f.cost_most && f.trivial > 1,
              "epsilon %g: %.3f lies in %.3f to %.3f; one mean %.3f", epsilon[i], f.cost,
              f.cost_least, f.cost_most, f.trivial);
        CHECK(f.cost < last, "epsilon %g: more budget costs less", epsilon[i]);
        CHECK(expected[i] == TACIT_VERDICT_UNKNOWN || tacit_plan_verdict(plan) == expected[i],
              "epsilon %g: %s", epsilon[i], tacit_plan_advice(plan));
        last = f.cost;
        least[i] = tacit_plan_least_epsilon(plan);
        tacit_plan_free(plan);
        tacit_plan_free(again);
    }
    CHECK(least[0] == least[1] && least[1] == least[2],
          "the smallest epsilon that does is the same from wherever it is looked for (%g)",
          least[0]);
    tacit_plan *at = tried(data, 4, least[0], 1e-6, 4000),
               *below = tried(data, 4, least[0] * 0.4, 1e-6, 4000);
    CHECK(tacit_plan_verdict(at) == TACIT_USABLE && tacit_plan_verdict(below) != TACIT_USABLE,
          "it does, and the one below it does not");
    const tacit_forecast lost = forecast_of(below, 0), none = forecast_of(at, 2);
    CHECK(lost.lost >= 0 && lost.lost <= 1 && isnan(none.lost), "groups are lost where some are");
    tacit_plan_free(at);
    tacit_plan_free(below);
    tacit_data_free(data);
}

/* A row that counts ten times is ten rows: 80,000 rows (8,000 made, ten copies) at a tenth of the
   epsilon, pure noise, are 8,000 rows. Trials differ in their noise: 5 of them, and three kinds of
   rows, agree within a factor of 1.5 in what they cost beyond plain k-means, or within 0.02. */
static void test_copies(void)
{
    tacit_data *data = untouchable(2, false);
    tacit_plan *few = tried(data, 8, 0.4, 0, 8000), *many = tried(data, 8, 0.04, 0, 80000);

    for (int i = 0; i < 3; i++) {
        const tacit_forecast f = forecast_of(few, i), m = forecast_of(many, i);
        CHECK(fabs(m.trivial / f.trivial - 1) < 1e-9, "the same rows are made");
        CHECK(fabs(m.cost - f.cost) < 0.02 ||
                  (m.cost - 1 < 1.5 * (f.cost - 1) && f.cost - 1 < 1.5 * (m.cost - 1)),
              "%s: 10 times the rows at a tenth of epsilon cost %.3f, and %.3f", f.rows, m.cost,
              f.cost);
    }
    tacit_plan_free(few);
    tacit_plan_free(many);
    tacit_data_free(data);
}

static void test_one_center(void)
{
    tacit_data *data = untouchable(3, false);
    tacit_plan *plan = tried(data, 1, 1, 1e-6, 3000);
    const tacit_forecast f = forecast_of(plan, 1);

    CHECK(isnan(f.kept) && f.cost < 1.05 && tacit_plan_verdict(plan) == TACIT_USABLE,
          "one center has nothing to gain over one mean, and is as good (%.3f)", f.cost);
    tacit_plan_free(plan);
    plan = tried(data, TACIT_K_AUTO, 2, 1e-6, 20000);
    const tacit_forecast apart = forecast_of(plan, 0);
    CHECK(tacit_plan_verdict(plan) == TACIT_USABLE && apart.lost < 0.1 && apart.cost > 0.95 &&
              strstr(tacit_plan_advice(plan), "had 5 groups") != NULL,
          "k auto finds the 5 groups of made-up rows, no more of them than plain k-means (%.3f): "
          "%s",
          apart.cost, tacit_plan_advice(plan));
    tacit_plan_free(plan);
    tacit_data_free(data);
}

static void test_subspaces(void)
{
    tacit_data *data = untouchable(6, true);
    tacit_subspace_opts o = TACIT_SUBSPACE_OPTS_INIT;

    o.k = 3;
    o.q = 2;
    for (int i = 0; i < 2; i++) {
        const tacit_budget b = budget_of(i == 0 ? 0.02 : 8, 1e-6);
        tacit_plan *plan = NULL;
        MUST(tacit_subspace_plan(ctx, data, &b, &o, 10000, &plan) == TACIT_OK);
        MUST(tacit_plan_try(ctx, data, plan) == TACIT_OK);
        CHECK(tacit_plan_verdict(plan) == (i == 0 ? TACIT_USELESS : TACIT_USABLE),
              "subspaces at epsilon %g: %s", b.epsilon, tacit_plan_advice(plan));
        tacit_plan_free(plan);
    }
    tacit_data_free(data);
}

static void test_blocks(void)
{
    void *page =
        mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    tacit_cocluster_opts o = TACIT_COCLUSTER_OPTS_INIT;
    tacit_data *data = NULL;

    o.row_clusters = o.column_clusters = 3;
    MUST(page != MAP_FAILED &&
         tacit_data_from_memory(ctx, page, TACIT_F64, 1, 60, &data) == TACIT_OK);
    for (int i = 0; i < 2; i++) {
        const tacit_budget b = budget_of(i == 0 ? 0.01 : 8, 1e-6);
        tacit_plan *plan = NULL;
        MUST(tacit_cocluster_plan(ctx, data, &b, &o, 4000, &plan) == TACIT_OK);
        MUST(tacit_plan_try(ctx, data, plan) == TACIT_OK);
        const tacit_forecast f = forecast_of(plan, 1);
        CHECK(isnan(f.cost) && isnan(f.trivial) && isfinite(f.kept) &&
                  (tacit_plan_verdict(plan) == TACIT_USABLE) == (i == 1),
              "co-clusters at epsilon %g keep %.3f: %s", b.epsilon, f.kept,
              tacit_plan_advice(plan));
        tacit_plan_free(plan);
    }
    tacit_data_free(data);
}

static void test_ends(void)
{
    tacit_data *data = untouchable(2, false);
    tacit_plan *plan = tried(data, 2, 1, 0, 1000);
    tacit_forecast f = TACIT_FORECAST_INIT;

    CHECK(tacit_plan_forecast_get(plan, 3, &f) == TACIT_E_ARGUMENT &&
              tacit_plan_forecast_get(plan, -1, &f) == TACIT_E_ARGUMENT,
          "there are three kinds of rows");
    CHECK(strcmp(tacit_verdict_name(TACIT_ROUGH), "rough") == 0 &&
              strcmp(tacit_verdict_name((tacit_verdict)9), "unknown") == 0,
          "verdicts have names");
    tacit_ctx_cancel(ctx);
    CHECK(tacit_plan_try(ctx, data, plan) == TACIT_E_CANCELLED, "trials can be canceled");
    CHECK(tacit_plan_forecast_count(plan) == 0, "... and leave nothing");
    tacit_plan_free(plan);
    tacit_data_free(data);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_centers();
    test_copies();
    test_one_center();
    test_subspaces();
    test_blocks();
    test_ends();
    tacit_ctx_free(ctx);
    return tap_done();
}
