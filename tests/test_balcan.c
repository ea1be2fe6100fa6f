/* SPDX-License-Identifier: Apache-2.0 */
/* Method balcan end to end: separated clusters, budgets that add up, one release whatever the
   threads and the order of rows, rows that are no clusters at all, the constants of the theorems,
   plans and refusals. */
#include "cluster/kmeans/literature/balcan/balcan.h"
#include "boxed_runs.h"

#include <math.h>

static tacit_kmeans_opts opts_of(int32_t k)
{
    tacit_kmeans_opts o;
    tacit_kmeans_opts_init(&o, sizeof o);
    o.k = k;
    o.method = TACIT_KMEANS_BALCAN;
    return o;
}

static void mixture(int64_t n, int32_t d, int32_t k, double spread, double **values,
                    int32_t **labels)
{
    tacit_synthetic_mixture_opts m;
    tacit_synthetic_mixture_opts_init(&m, sizeof m);
    m.rows = n;
    m.columns = d;
    m.clusters = k;
    m.spread = spread;
    m.seed = 8;
    MUST(tacit_synthetic_mixture(ctx, &m, values, labels) == TACIT_OK);
}

/* ---- separated clusters ---- */

static void test_finds(int32_t d, bool median, double delta)
{
    enum { N = 20000, K = 5 };
    double *values;
    int32_t *labels;
    double worst = 0;

    mixture(N, d, K, 0.02, &values, &labels);
    const tacit_budget b = budget_of(50, delta);
    const tacit_kmeans_opts o = opts_of(K);
    tacit_model *model = fit(values, N, d, &b, &o, median);
    /* Every true mean has a center near by. */
    for (int32_t c = 0; c < K; c++) {
        double mean[64] = {0}, best = INFINITY, n = 0;
        for (int64_t i = 0; i < N; i++)
            if (labels[i] == c) {
                n++;
                for (int32_t j = 0; j < d; j++) mean[j] += values[i * d + j];
            }
        for (int32_t i = 0; i < K; i++) {
            double far = 0;
            for (int32_t j = 0; j < d; j++)
                far += pow(tacit_model_centers(model)[i * d + j] - mean[j] / n, 2);
            best = fmin(best, sqrt(far / d));
        }
        worst = fmax(worst, best);
    }
    CHECK(worst < 0.02,
          "%s, %d columns, %s: five separated clusters are found at epsilon 50 (off by %.4f a "
          "column)",
          median ? "k-median" : "k-means", d, delta > 0 ? "delta > 0" : "pure", worst);
    CHECK(tacit_model_note_get(model, 0) != NULL &&
              strstr(tacit_model_note_get(model, 0), "holds with --constants theory only") != NULL,
          "... and the release says whose constants these are");
    tacit_model_free(model);
    tacit_free(values);
    tacit_free(labels);
}

/* ---- one release ---- */

static void test_bits(void)
{
    enum { N = 6000, D = 9, K = 4 };
    double *values;
    int32_t *labels;
    bool same = true;

    mixture(N, D, K, 0.05, &values, &labels);
    for (int kind = 0; kind < 6; kind++) {
        const tacit_budget b = budget_of(2, kind % 2 ? 1e-6 : 0);
        tacit_kmeans_opts o = opts_of(K);
        if (kind / 2 == 2) o.sparsity = 3;
        same = one_release(values, N, D, &b, &o, kind / 2 == 1) && same;
    }
    CHECK(same, "1, 2, 3, 5, 7 threads, three block sizes, two row orders; means, medians, sparse; "
                "pure or not: one release each");
    tacit_free(values);
    tacit_free(labels);
}

/* ---- a run by hand, to look at its account ---- */

typedef struct outcome {
    uint64_t budget, spent, told; /* told: what the receipts add up to */
    int32_t asked;
    bool finite, bounded;
    char kinds[256];
} outcome;

static void read_outcome(const tac_run *run, const tac_kmeans_result *r, outcome *out)
{
    *out = (outcome){.budget = run->accountant.budget,
                     .spent = run->accountant.spent,
                     .asked = tac_door_asked(run->door),
                     .finite = true,
                     .bounded = true};
    for (int32_t i = 0; i < out->asked; i++) {
        const tac_receipt *q = tac_door_receipt(run->door, i);
        out->told += q->quanta;
        if (strstr(out->kinds, q->what) == NULL &&
            strlen(out->kinds) + strlen(q->what) + 2 < sizeof out->kinds)
            strcat(strcat(out->kinds, q->what), ";");
    }
    for (int32_t i = 0; i < r->k * run->frame.columns; i++) {
        out->finite = out->finite && isfinite(r->centers[i]) && isfinite(r->centers_sd[i]) &&
                      r->centers_sd[i] >= 0;
        out->bounded = out->bounded && fabs(r->centers[i]) <= 1.001 * TAC_M;
    }
    for (int32_t c = 0; c < r->k; c++) out->finite = out->finite && isfinite(r->sizes[c]);
}

/* plan NULL: the method's own. */
static tacit_status run_by_hand(const double *rows, int64_t n, int32_t d, const tacit_budget *b,
                                const tacit_kmeans_opts *o, bool median,
                                const tac_balcan_plan *plan, outcome *out,
                                tac_kmeans_result *result)
{
    tacit_data *data = boxed(rows, n, d);
    tac_run run;
    tac_stream random;
    tacit_status status =
        tac_run_open(ctx, data, b, TACIT_SCALE_RANGE, TAC_MIDDLE, 0, "test", &run);

    MUST(status == TACIT_OK);
    /* more than any epsilon that may be asked for */
    if (plan != NULL) run.accountant.budget = UINT64_C(1) << 62;
    MUST(tac_stream_open(ctx, &run.key, UINT64_C(1) << 62, 0, &random) == TACIT_OK);
    const tac_kmeans_job job = {.ctx = ctx,
                                .run = &run,
                                .door = run.door,
                                .frame = &run.frame,
                                .opts = o,
                                .median = median,
                                .random = &random};
    if (plan == NULL) {
        status = tac_balcan_run(&job, result);
    } else {
        tac_balcan walk = {.job = &job, .plan = *plan, .rows = (double)n, .rows_sd = 1};
        status = tac_balcan_walk(&walk, result);
    }
    if (status == TACIT_OK) read_outcome(&run, result, out);
    tac_run_close(&run, status);
    tacit_data_free(data);
    return status;
}

static void test_budget(void)
{
    enum { N = 5000, D = 6 };
    double *values;
    int32_t *labels;
    bool exact = true, whole = true;

    mixture(N, D, 4, 0.04, &values, &labels);
    for (int kind = 0; kind < 16; kind++) {
        tacit_budget b = budget_of(kind & 1 ? 0.2 : 5, kind & 2 ? 1e-6 : 0);
        const tacit_kmeans_opts o = opts_of(4);
        tac_kmeans_result r = {0};
        outcome seen;
        b.neighbors = kind & 4 ? TACIT_REPLACE : TACIT_ADD_REMOVE;
        MUST(run_by_hand(values, N, D, &b, &o, kind & 8, NULL, &seen, &r) == TACIT_OK);
        exact = exact && seen.told == seen.spent && seen.spent <= seen.budget;
        whole = whole && (double)seen.spent > 0.97 * (double)seen.budget;
        tac_kmeans_result_clear(&r);
    }
    CHECK(exact, "what the queries cost adds up to what was spent, and to no more than the budget");
    CHECK(whole, "... and little is left unused");
    tacit_free(values);
    tacit_free(labels);
}

/* ---- rows that are no clusters ---- */

static void test_degenerate(void)
{
    enum { N = 300, D = 7 };
    double rows[N * D];
    bool fine = true;
    int runs = 0;

    for (int kind = 0; kind < 6; kind++) {
        for (int i = 0; i < N * D; i++)
            rows[i] = kind == 0   ? 0.25
                      : kind == 1 ? 1e9
                      : kind == 2 ? NAN
                      : kind == 3 ? (i % D == 0 ? (i / D) / 300.0 : 0.5)
                      : kind == 4 ? (i / D) % 2
                                  : 0;
        for (int shape = 0; shape < 12; shape++) {
            const int64_t n = (int64_t[]){0, 1, N}[shape % 3];
            const int32_t d = shape / 3 % 2 ? 1 : D, k = shape / 6 ? 1 : 5;
            for (int spend = 0; spend < 8; spend++) {
                tacit_budget b =
                    budget_of((double[]){1e-5, 0.1, 3, 1000}[spend % 4], spend / 4 ? 1e-6 : 0);
                tacit_kmeans_opts o = opts_of(k);
                outcome seen;
                tac_kmeans_result r = {0};
                o.sparsity = kind == 5 ? 2 : 0;
                b.neighbors = runs % 2 ? TACIT_REPLACE : TACIT_ADD_REMOVE;
                MUST(run_by_hand(rows, n, d, &b, &o, runs / 2 % 2, NULL, &seen, &r) == TACIT_OK);
                fine = fine && seen.finite && seen.bounded && seen.told == seen.spent && r.k == k;
                tac_kmeans_result_clear(&r);
                runs++;
            }
        }
    }
    CHECK(fine,
          "no rows, one, equal ones, clipped, missing, constant columns, k > n, epsilon 1e-5 to "
          "1000: finite centers in the domain (%d runs)",
          runs);
}

/* ---- the theorems' walk, with fewer steps than the theorems ask for ---- */

static void test_theory(bool median)
{
    enum { N = 3000, D = 40, K = 6 };
    double *values;
    int32_t *labels;
    const uint64_t lots = UINT64_C(1) << 60;
    const tac_balcan_plan plan = {.theory = true,
                                  .k = K,
                                  .p = 12,
                                  .trials = 3,
                                  .shifts = 4,
                                  .levels = 6,
                                  .factor = 40,
                                  .swaps = 30,
                                  .rounds = median ? 3 : 1,
                                  .count_weight = 20000,
                                  .candidates = lots,
                                  .swap = lots,
                                  .last_swap = lots / 8,
                                  .recover = lots,
                                  .choose = lots};
    const tacit_budget b = budget_of(1000, 0);
    const tacit_kmeans_opts o = opts_of(K);
    tac_kmeans_result r = {0};
    outcome seen;

    mixture(N, D, K, 0.02, &values, &labels);
    MUST(run_by_hand(values, N, D, &b, &o, median, &plan, &seen, &r) == TACIT_OK);
    /* Six heaps of rows, each with the size of its cluster. */
    double size[K] = {0}, off = 0;
    for (int64_t i = 0; i < N; i++) size[labels[i]]++;
    for (int32_t c = 0; c < K; c++) {
        double best = INFINITY;
        double mine = INFINITY; /* of every cluster and of every center */
        for (int32_t i = 0; i < K; i++) best = fmin(best, fabs(r.sizes[i] - size[c]));
        for (int32_t i = 0; i < K; i++) mine = fmin(mine, fabs(r.sizes[c] - size[i]));
        off = fmax(off, fmax(best, mine));
    }
    CHECK(off < 30,
          "%s: random start, swaps, choice of a step, choice of a trial: the clusters are found "
          "(sizes off by %.1f)",
          median ? "k-median" : "k-means", off);
    CHECK(strstr(seen.kinds, "one of the steps") != NULL &&
              strstr(seen.kinds, "one of the trials") != NULL &&
              strstr(seen.kinds, "cubes") != NULL && strstr(seen.kinds, "swap") != NULL,
          "... by all the queries of the paper: %s", seen.kinds);
    CHECK(seen.told == seen.spent, "... which add up");
    tac_kmeans_result_clear(&r);
    tacit_free(values);
    tacit_free(labels);
}

static void test_constants(void)
{
    const tac_privacy_params params = {.definition = TAC_PURE, .rows_per_unit = 1};
    tacit_kmeans_opts o = opts_of(4);
    const uint64_t budget = tac_budget_quanta(TAC_PURE, 1000, 0);

    const tac_balcan_plan practical =
        tac_balcan_plan_for(&params, tac_budget_quanta(TAC_PURE, 1, 0), &o, false, 784, 70000);
    CHECK(practical.p == 6 && practical.trials == 1 && practical.shifts <= 4 &&
              practical.rounds <= 8,
          "practical: p = ln(70000) / 2, at most k shifts and 8 rounds");
    o.constants = TACIT_CONSTANTS_THEORY;
    const tac_balcan_plan theory = tac_balcan_plan_for(&params, budget, &o, false, 784, 1e7);
    const double log_n = log(1e7 / 0.1);
    CHECK(theory.p == 120 && theory.shifts == (int32_t)ceil(27 * 4 * log_n) &&
              theory.swaps == (int32_t)ceil(100 * 4 * log_n) && theory.levels == 17 &&
              theory.trials == 5 && fabs(theory.factor - 20 * (log_n + log(theory.shifts))) < 1e-9,
          "theory: the constants of the theorems, as far as the lattice goes");
    CHECK(tac_balcan_plan_for(&params, budget, &o, false, 20, 100).p == 20, "... never more "
                                                                            "dimensions than "
                                                                            "columns");
    const uint64_t sum = theory.count + theory.candidates + theory.swap + theory.last_swap +
                         theory.recover + theory.choose;
    CHECK(sum <= budget && budget - sum < 100, "... and the whole budget is given out, not more");
    const tac_balcan_plan hopeless = tac_balcan_plan_for(&params, budget, &o, false, 20, 1000);
    CHECK(hopeless.k == 1 && hopeless.shifts == 0 && hopeless.count + hopeless.recover == budget,
          "... if no cube could be split: one mean");
}

/* The constants of the theorems list cubes by their rows where columns are many: by columns alone
   that is refused beside a limit of memory, and nothing else is. */
static void test_limit(void)
{
    double rows[18] = {0};
    const tacit_budget b = budget_of(1, 1e-6);
    tacit_kmeans_opts o = opts_of(2);
    tacit_model *model = NULL;
    tacit_data *wide = boxed(rows, 1, 18), *narrow = boxed(rows, 1, 17);

    o.constants = TACIT_CONSTANTS_THEORY;
    MUST(tacit_ctx_set_memory(ctx, TACIT_MEMORY_LEAST, NULL) == TACIT_OK);
    CHECK(tacit_kmeans_run(ctx, wide, &b, &o, &model) == TACIT_E_ARGUMENT &&
              strstr(tacit_ctx_message(ctx), "as many cubes as there are rows") != NULL,
          "theory, 18 columns and a limit of memory are refused: %s", tacit_ctx_message(ctx));
    CHECK(tacit_kmeans_run(ctx, narrow, &b, &o, &model) == TACIT_OK ||
              strstr(tacit_ctx_message(ctx), "as many cubes") == NULL,
          "... with 17 columns not for that");
    tacit_model_free(model);
    model = NULL;
    MUST(tacit_ctx_set_memory(ctx, 0, NULL) == TACIT_OK);
    CHECK(tacit_kmeans_run(ctx, wide, &b, &o, &model) == TACIT_OK ||
              strstr(tacit_ctx_message(ctx), "as many cubes") == NULL,
          "... and 18 columns in memory are not either");
    tacit_model_free(model);
    tacit_data_free(wide);
    tacit_data_free(narrow);
}

/* ---- sparse rows ---- */

static void test_sparse(void)
{
    enum { N = 4000, D = 200, S = 3 };
    static double rows[N * D];
    const tacit_budget b = budget_of(20, 1e-6);
    tacit_kmeans_opts o = opts_of(2);
    int others = 0, right = 0;

    for (int i = 0; i < N; i++)
        for (int s = 0; s < S; s++) rows[i * D + (i % 2 ? 10 : 100) + 7 * s] = 0.9;
    o.sparsity = S;
    tacit_model *model = fit(rows, N, D, &b, &o, false);
    for (int32_t c = 0; c < 2; c++)
        for (int32_t j = 0; j < D; j++) {
            const double v = tacit_model_centers(model)[c * D + j];
            if (fabs(v) > 1e-9) others++;
            if (fabs(v - 0.9) < 0.05) right++;
        }
    CHECK(right == 2 * S && others <= right + 1,
          "sparse rows: centers keep their own values and next to nothing else (%d of %d)", right,
          others);
    tacit_model_free(model);
    tacit_data *data = boxed(rows, N, D);
    CHECK(tacit_kmedian_run(ctx, data, &b, &o, &model) == TACIT_E_ARGUMENT &&
              strstr(tacit_ctx_message(ctx), "sparsity") != NULL,
          "sparse medians are refused: %s", tacit_ctx_message(ctx));
    tacit_data_free(data);
}

/* ---- plans and refusals ---- */

static void test_plans(void)
{
    double rows[8] = {0};
    tacit_data *data = boxed(rows, 2, 4);
    tacit_plan *plan = NULL;
    tacit_model *model = NULL;
    bool good = true;

    for (int kind = 0; kind < 8; kind++) {
        const tacit_budget b = budget_of(kind & 4 ? 1000 : 1, kind & 1 ? 1e-6 : 0);
        tacit_kmeans_opts o = opts_of(3);
        double share = 0;
        o.constants = kind & 4 ? TACIT_CONSTANTS_THEORY : TACIT_CONSTANTS_PRACTICAL;
        const tacit_status status = (kind & 2 ? tacit_kmedian_plan : tacit_kmeans_plan)(
            ctx, data, &b, &o, kind & 4 ? 1e7 : 1e5, &plan);
        if (kind & 4) { /* a hundred thousand queries */
            good = good && status == TACIT_E_ARGUMENT &&
                   strstr(tacit_ctx_message(ctx), "as long as the run itself") != NULL;
            continue;
        }
        MUST(status == TACIT_OK);
        for (int32_t i = 0; i < tacit_plan_step_count(plan); i++) {
            tacit_plan_step s;
            tacit_plan_step_init(&s, sizeof s);
            MUST(tacit_plan_step_get(plan, i, &s) == TACIT_OK);
            share += s.share;
            good = good && isfinite(s.error) && s.error > 0 && s.times > 0;
        }
        good = good && share > 0.99 && share <= 1 + 1e-9 && tacit_plan_advice(plan)[0] != '\0';
        tacit_plan_free(plan);
    }
    CHECK(good, "plans: every step has an error, and the shares add up to the whole budget");
    const tacit_budget small = budget_of(1, 0), tiny = budget_of(1e-6, 0);
    tacit_kmeans_opts o = opts_of(5);
    o.constants = TACIT_CONSTANTS_THEORY;
    CHECK(tacit_kmeans_run(ctx, data, &small, &o, &model) == TACIT_E_ARGUMENT &&
              strstr(tacit_ctx_message(ctx), "--constants practical") != NULL,
          "constants of the theorems at epsilon 1: refused before a row is read");
    o.constants = TACIT_CONSTANTS_PRACTICAL;
    o.rounds = 1000;
    CHECK(tacit_kmeans_run(ctx, data, &tiny, &o, &model) == TACIT_E_ARGUMENT &&
              strstr(tacit_ctx_message(ctx), "fewer rounds") != NULL,
          "a thousand rounds at epsilon 1e-6: refused before a row is read");
    o = opts_of(TACIT_K_AUTO);
    CHECK(tacit_kmeans_run(ctx, data, &small, &o, &model) == TACIT_E_ARGUMENT, "k is not for this "
                                                                               "method to choose");
    tacit_data_free(data);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 2;
    for (int median = 0; median < 2; median++)
        for (int wide = 0; wide < 2; wide++)
            for (int pure = 0; pure < 2; pure++) test_finds(wide ? 30 : 2, median, pure ? 0 : 1e-6);
    test_bits();
    test_budget();
    test_degenerate();
    test_limit();
    test_theory(false);
    test_theory(true);
    test_constants();
    test_sparse();
    test_plans();
    tacit_ctx_free(ctx);
    return tap_done();
}
