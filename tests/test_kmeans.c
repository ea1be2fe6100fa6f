/* SPDX-License-Identifier: Apache-2.0 */
/* Private k-means end to end through the public header: bits, utility, units, ledger, refusals. */
#include "cluster/kmeans/kmeans_run.h"
#include "declared.h"
#include "boxed_runs.h"

#include <math.h>
#include <unistd.h>

static char folder[] = "/tmp/tacit-test-XXXXXX";

enum { N = 20000, D = 4, K = 6 };
static double *values;
static int32_t *truth;

static char *path(const char *name)
{
    static char text[4][300];
    static int turn;
    char *p = text[turn++ % 4];
    snprintf(p, 300, "%s/%s", folder, name);
    return p;
}

static bool says(const char *words)
{
    const bool found = strstr(tacit_ctx_message(ctx), words) != NULL;
    if (!found) printf("# it says: %s\n", tacit_ctx_message(ctx));
    return found;
}

static tacit_kmeans_opts opts_of(int32_t k)
{
    tacit_kmeans_opts o;
    tacit_kmeans_opts_init(&o, sizeof o);
    o.k = k;
    o.method = TACIT_KMEANS_LLOYD;
    return o;
}

/* ---- the same bits ---- */

static void test_bits(void)
{
    const tacit_kmeans_opts o = opts_of(K);
    bool same = true, differs = true;

    for (int pure = 0; pure < 2; pure++) {
        const tacit_budget b = budget_of(1, pure ? 0 : 1e-6);
        tacit_budget other = b;
        other.insecure_test_seed++;
        same = one_release(values, N, D, &b, &o, false) && same;
        tacit_model *one = fit(values, N, D, &b, &o, false),
                    *two = fit(values, N, D, &other, &o, false);
        char *text = json(one), *second = json(two);
        differs = differs && strcmp(text, second) != 0;
        tacit_free(text);
        tacit_free(second);
        tacit_model_free(one);
        tacit_model_free(two);
    }
    CHECK(same, "1, 2, 3, 5, 7 threads, three block sizes, two row orders, Gaussian and Laplace: "
                "one release, byte for byte");
    CHECK(differs, "another seed gives another release");
}

/* ---- utility, against plain k-means on the same rows ---- */

static double ratio(const tacit_model *model)
{
    tacit_evaluation e;
    tacit_data *data = boxed(values, N, D);
    tacit_evaluation_init(&e, sizeof e);
    MUST(tacit_model_evaluate(ctx, model, data, 3, &e) == TACIT_OK);
    tacit_data_free(data);
    return e.cost / e.plain_cost;
}

static void test_utility(void)
{
    double mean = 0, pure = 0, worst = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        tacit_budget b = budget_of(1, 1e-6), p = budget_of(1, 0);
        const tacit_kmeans_opts o = opts_of(K);
        b.insecure_test_seed = p.insecure_test_seed = seed;
        tacit_model *m = fit(values, N, D, &b, &o, false), *q = fit(values, N, D, &p, &o, false);
        const double r = ratio(m);
        mean += r / 5;
        worst = fmax(worst, r);
        pure += ratio(q) / 5;
        tacit_model_free(m);
        tacit_model_free(q);
    }
    CHECK(mean < 1.10,
          "six clear clusters, 20,000 rows, epsilon 1, delta 1e-6: cost %.3f times plain k-means "
          "(worst %.3f)",
          mean, worst);
    CHECK(pure < 1.3, "pure epsilon 1: %.3f", pure);
}

/* The noise put into the sizes has the standard deviation that the release states. */
static void test_error_bars(void)
{
    enum { RUNS = 200 };
    double sd = 0, squares = 0;
    int32_t exact[1] = {N};
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        tacit_budget b = budget_of(1, 1e-6);
        tacit_kmeans_opts o = opts_of(1);
        b.insecure_test_seed = seed;
        o.rounds = 1;
        tacit_model *m = fit(values, N, D, &b, &o, false);
        sd = tacit_model_sizes_sd(m);
        squares += pow(tacit_model_sizes(m)[0] - exact[0], 2);
        tacit_model_free(m);
    }
    /* (RUNS - 0) s^2 / sd^2 is chi-square with 200 df: outside [120, 310] with probability below
       1e-6. */
    const double chi = squares / (sd * sd);
    CHECK(chi > 120 && chi < 310,
          "the stated standard deviation of sizes is the real one (chi-square %.1f on %d)", chi,
          RUNS);
}

/* ---- what a release holds ---- */

static void test_release(void)
{
    tacit_budget b = budget_of(1, 1e-6);
    const tacit_kmeans_opts o = opts_of(K);
    tacit_model *m = fit(values, N, D, &b, &o, false), *again = NULL;
    char *text = json(m);

    CHECK(!tacit_model_is_private(m) && strstr(text, "\"private\": false") != NULL &&
              strstr(text, "insecure test seed") != NULL,
          "a seeded release says that it is not private");
    CHECK(strstr(text, "label") == NULL && strstr(text, "inertia") == NULL &&
              strstr(text, " 20000") == NULL,
          "no labels, no cost, no number of rows");
    MUST(tacit_model_write(ctx, m, path("m.json")) == TACIT_OK &&
         tacit_model_read(ctx, path("m.json"), &again) == TACIT_OK);
    char *second = json(again);
    CHECK(strcmp(text, second) == 0, "written and read again, it is the same");
    tacit_free(second);
    tacit_model_free(again);
    tacit_free(text);
    tacit_model_free(m);

    b.use_insecure_test_seed = 0;
    tacit_model *one = fit(values, N, D, &b, &o, false), *two = fit(values, N, D, &b, &o, false);
    CHECK(tacit_model_is_private(one), "without a seed it is private");
    CHECK(memcmp(tacit_model_centers(one), tacit_model_centers(two), sizeof(double) * K * D) != 0,
          "and no two runs share their noise");
    tacit_model_free(one);
    tacit_model_free(two);
}

/* Bounds that do not fit the rows show in the released centers. */
static void test_wrong_bounds(void)
{
    const tacit_budget b = budget_of(1, 1e-6);
    const tacit_kmeans_opts o = opts_of(2);
    tacit_data *data = NULL;
    tacit_model *m = fit(values, N, D, &b, &o, false);

    CHECK(tacit_model_share_at_bounds(m) == 0, "fitting bounds: no center lies on them");
    tacit_model_free(m);
    MUST(tacit_data_from_memory(ctx, values, TACIT_F64, N, D, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, "-9:0") == TACIT_OK &&
         tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_OK);
    CHECK(tacit_model_share_at_bounds(m) >= 0.5, "bounds below all rows: the centers lie on them");
    tacit_model_free(m);
    tacit_data_free(data);
}

static void test_predict(void)
{
    const tacit_budget b = budget_of(5, 1e-6);
    const tacit_kmeans_opts o = opts_of(K);
    tacit_model *m = fit(values, N, D, &b, &o, false);
    tacit_data *data = boxed(values, N, D);
    int32_t *label = NULL;
    int64_t rows = 0;
    bool nearest = true;
    double cost = 0;

    MUST(tacit_model_predict(ctx, m, data, &label, &rows) == TACIT_OK && rows == N);
    for (int64_t i = 0; i < N; i++) {
        double least = INFINITY, mine = 0;
        for (int32_t c = 0; c < K; c++) {
            double far = 0;
            for (int j = 0; j < D; j++)
                far += pow(values[i * D + j] - tacit_model_centers(m)[c * D + j], 2);
            least = fmin(least, far);
            if (c == label[i]) mine = far;
        }
        nearest = nearest && mine <= least + 1e-12;
        cost += least / N;
    }
    CHECK(nearest, "every row's label is its nearest center");
    double *distance = NULL;
    bool same = true;
    MUST(tacit_model_distances(ctx, m, data, &distance, &rows) == TACIT_OK && rows == N);
    for (int64_t i = 0; i < N * K; i++) {
        double far = 0;
        for (int j = 0; j < D; j++)
            far += pow(values[i / K * D + j] - tacit_model_centers(m)[i % K * D + j], 2);
        same = same && fabs(distance[i] - sqrt(far)) < 1e-9;
    }
    CHECK(same, "distances are those to the centers, in units of the declared range");
    tacit_free(distance);
    tacit_evaluation e;
    tacit_evaluation_init(&e, sizeof e);
    MUST(tacit_model_evaluate(ctx, m, data, 0, &e) == TACIT_OK);
    CHECK(e.rows == N && fabs(e.cost - cost) < 1e-9 * cost && isnan(e.plain_cost) && isnan(e.nmi) &&
              e.clipped == 0,
          "the evaluated cost is the mean squared distance in units of the declared range");
    tacit_free(label);
    tacit_data_free(data);
    tacit_model_free(m);
}

/* ---- a ledger ---- */

/* Stops the run once a round was answered. */
static void stop_later(const char *step, double done, void *payload)
{
    if (strcmp(step, "Lloyd rounds") == 0 && done > 0) tacit_ctx_cancel(payload);
}

/* Cancels as soon as so many answers were given. */
static int answers_left;
static void stop_after_answer(void *payload, const tac_receipt *receipt, uint64_t *answer,
                              size_t count)
{
    (void)receipt, (void)answer, (void)count;
    if (--answers_left == 0) tacit_ctx_cancel(payload);
}

/* Right after the first answer, the second and the third, for every method: what was reserved stays
   spent, all of it. A method that asks fewer queries ends well. */
static void cancelled_after_answers(tacit_data *data)
{
    const tac_door_probe probe = {.noisy = stop_after_answer, .payload = ctx};
    long cancelled[4] = {0}, wrong[4] = {0};

    for (int which = 0; which < 64; which++) {
        const tac_kmeans_method *method = tac_kmeans_method_of((tacit_kmeans_method)which);
        for (int after = 1; method != NULL && method->pure && after <= 3; after++) {
            tacit_ledger *ledger = NULL;
            tacit_ledger_summary s;
            tacit_model *m = NULL;
            tacit_budget b = budget_of(0.5, 0);
            tacit_kmeans_opts o = opts_of(2);
            tacit_ledger_summary_init(&s, sizeof s);
            MUST(data_ledger(ctx, path("d.ledger"), 4, 0, data, TACIT_ADD_REMOVE, 0) == TACIT_OK &&
                 tacit_ledger_open(ctx, path("d.ledger"), &ledger) == TACIT_OK);
            b.use_insecure_test_seed = 0;
            b.ledger = ledger;
            o.method = (tacit_kmeans_method)which;
            answers_left = after;
            const tacit_status status = tac_kmeans_probed(ctx, data, &b, &o, false, &probe, &m);
            ctx->cancelled = 0;
            MUST(tacit_ledger_summarize(ctx, ledger, &s) == TACIT_OK);
            const bool spent = s.runs == 1 && fabs(s.spent - 0.5 / 4) < 1e-9;
            cancelled[after] += status == TACIT_E_CANCELLED && m == NULL;
            wrong[after] += (status != TACIT_OK && status != TACIT_E_CANCELLED) || !spent;
            if (!spent) printf("# %s: %d runs, %.6f spent\n", method->name, (int)s.runs, s.spent);
            tacit_model_free(m);
            tacit_ledger_free(ledger);
            unlink(path("d.ledger"));
        }
    }
    /* How many queries a method asks may depend on noise: five ask a fourth one in at least nine of
       ten runs, so that fewer than two do is rarer than 5 in 10^4. */
    for (int after = 1; after <= 3; after++)
        CHECK(cancelled[after] >= (after < 3 ? 4 : 2) && wrong[after] == 0,
              "canceled right after answer %d: what was reserved stays spent, an eighth of the "
              "ledger (%ld methods, %ld do otherwise)",
              after, cancelled[after], wrong[after]);
}

/* A ledger about persons of one column takes no run about those of another, however like its name:
   a visit is not a patient. */
static void other_persons(void)
{
    static const char *const name[] = {"patient_visit", "patien", "Patient", "patient"};
    enum { NAMES = sizeof name / sizeof *name, ROWS = 500 };
    static int64_t owner[ROWS];
    tacit_ledger *ledger = NULL;
    tacit_ledger_summary s;
    bool refused = true, taken = false;

    for (int i = 0; i < ROWS; i++) owner[i] = i / 3;
    tacit_ledger_summary_init(&s, sizeof s);
    tacit_data *of = boxed(values, ROWS, D);
    MUST(tacit_data_set_units(ctx, of, owner, "patient") == TACIT_OK &&
         data_ledger(ctx, path("e.ledger"), 4, 1e-5, of, TACIT_ADD_REMOVE, 3) == TACIT_OK &&
         tacit_ledger_open(ctx, path("e.ledger"), &ledger) == TACIT_OK);
    tacit_data_free(of);
    for (int i = 0; i < NAMES; i++) {
        tacit_data *data = boxed(values, ROWS, D);
        tacit_model *m = NULL;
        tacit_budget b = budget_of(1, 1e-6);
        const tacit_kmeans_opts o = opts_of(2);
        MUST(tacit_data_set_units(ctx, data, owner, name[i]) == TACIT_OK);
        b.use_insecure_test_seed = 0;
        b.max_rows_per_unit = 3;
        b.ledger = ledger;
        const tacit_status status = tacit_kmeans_run(ctx, data, &b, &o, &m);
        MUST(tacit_ledger_summarize(ctx, ledger, &s) == TACIT_OK);
        if (i == NAMES - 1)
            taken = status == TACIT_OK && s.runs == 1;
        else
            refused =
                refused && status == TACIT_E_DECLARED && m == NULL && s.runs == 0 && s.spent == 0;
        tacit_model_free(m);
        tacit_data_free(data);
    }
    CHECK(refused && taken, "a ledger of the column patient takes no run about patient_visit: "
                            "every visit would be a person of its own");
    tacit_ledger_free(ledger);
}

/* The mu for which (epsilon, delta) lies on the curve of mu-GDP: Phi(mu/2 - epsilon/mu) - e^epsilon
   Phi(-mu/2 - epsilon/mu) = delta. */
static double mu_of(double epsilon, double delta)
{
    double low = 1e-6, high = 50;

    while (high - low > 1e-13 * high) {
        const double mu = (low + high) / 2, a = epsilon / mu - mu / 2, b = epsilon / mu + mu / 2;
        const double at = erfc(a / sqrt(2)) / 2 - exp(epsilon) * erfc(b / sqrt(2)) / 2;
        *(at > delta ? &high : &low) = mu;
    }
    return low;
}

/* A pure run of epsilon is mu-GDP for Phi(mu / 2) = e^epsilon / (1 + e^epsilon), and for no smaller
   one. */
static double mu_of_pure(double epsilon)
{
    double low = 0, high = 50;

    while (high - low > 1e-13 * high) {
        const double mu = (low + high) / 2;
        *(erfc(mu / 2 / sqrt(2)) / 2 < 1 / (1 + exp(epsilon)) ? &high : &low) = mu;
    }
    return low;
}

static void pure_ledger(tacit_data *data)
{
    tacit_ledger *ledger = NULL;
    tacit_model *m = NULL;
    tacit_budget b;
    const tacit_kmeans_opts o = opts_of(2);

    MUST(data_ledger(ctx, path("c.ledger"), 2, 0, data, TACIT_ADD_REMOVE, 0) == TACIT_OK &&
         tacit_ledger_open(ctx, path("c.ledger"), &ledger) == TACIT_OK);
    b = budget_of(1, 1e-6);
    b.use_insecure_test_seed = 0;
    b.ledger = ledger;
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_E_LEDGER && says("pure"),
          "a ledger without delta takes pure runs only");
    b.delta = 0;
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_OK, "one pure run");
    tacit_model_free(m);
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_OK, "and a second: epsilons add up");
    tacit_model_free(m);
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_E_BUDGET_SPENT, "but no third");
    tacit_ledger_free(ledger);
}

static void test_ledger(void)
{
    tacit_ledger *ledger = NULL;
    tacit_ledger_summary s;
    tacit_model *m = NULL;
    tacit_data *data = boxed(values, 500, D);
    tacit_budget b = budget_of(1, 1e-6);
    const tacit_kmeans_opts o = opts_of(2);

    MUST(data_ledger(ctx, path("a.ledger"), 1, 1e-6, data, TACIT_ADD_REMOVE, 0) == TACIT_OK);
    MUST(tacit_ledger_open(ctx, path("a.ledger"), &ledger) == TACIT_OK);
    tacit_ledger_summary_init(&s, sizeof s);
    b.ledger = ledger;
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_E_ARGUMENT && says("test seed"),
          "a ledger takes no test seed");
    b.use_insecure_test_seed = 0;
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_OK, "a run that asks for the whole "
                                                               "ledger fits exactly");
    tacit_model_free(m);
    MUST(tacit_ledger_summarize(ctx, ledger, &s) == TACIT_OK);
    CHECK(s.runs == 1 && s.spent > 0.999 && s.spent <= 1, "and is noted as spent");
    b.epsilon = 0.001;
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_E_BUDGET_SPENT && m == NULL,
          "then nothing is left, not even for a small run");
    tacit_ledger_free(ledger);

    MUST(data_ledger(ctx, path("b.ledger"), 4, 1e-5, data, TACIT_ADD_REMOVE, 0) == TACIT_OK &&
         tacit_ledger_open(ctx, path("b.ledger"), &ledger) == TACIT_OK);
    b = budget_of(1, 0);
    b.use_insecure_test_seed = 0;
    b.ledger = ledger;
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_E_BUDGET_SPENT && says("give the run a "
                                                                                  "delta"),
          "a pure run too large for a ledger with delta is told why");
    b.epsilon = 0.5;
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_OK, "a smaller one fits");
    tacit_model_free(m);
    MUST(tacit_ledger_summarize(ctx, ledger, &s) == TACIT_OK);
    const double spent = s.spent;
    const double share = pow(mu_of_pure(0.5) / mu_of(4, 1e-5), 2);
    CHECK(spent > share * (1 - 1e-6) && spent < share * (1 + 1e-4),
          "a pure run counts on a ledger with delta with the mu for which it is mu-GDP: mu^2 is "
          "%.6f of the ledger's (%.6f)",
          share, spent);

    /* Interrupted before a row was read: given back. */
    tacit_ctx_cancel(ctx);
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_E_CANCELLED && says("nothing was "
                                                                               "released"),
          "an interrupted run");
    ctx->cancelled = 0;
    MUST(tacit_ledger_summarize(ctx, ledger, &s) == TACIT_OK);
    CHECK(s.spent == spent, "spends nothing if no row was read");
    b.epsilon = 0.1;
    tacit_ctx_set_progress(ctx, stop_later, ctx);
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_E_CANCELLED && m == NULL &&
              says("stays spent"),
          "interrupted later");
    tacit_ctx_set_progress(ctx, NULL, NULL);
    ctx->cancelled = 0;
    MUST(tacit_ledger_summarize(ctx, ledger, &s) == TACIT_OK);
    CHECK(s.spent > spent, "it stays spent: answers had been given");
    tacit_ledger_free(ledger);
    cancelled_after_answers(data);
    other_persons();
    pure_ledger(data);
    tacit_data_free(data);
}

/* What a malformed file costs and tells, with a ledger. */
static void test_malformed(void)
{
    static const struct {
        const char *text, *what;
        bool refused;
    } files[] = {{"x,y\n0.1,0.2\n0.3,oops\n", "text in a feature", false},
                 {"x,y\n0.1,0.2\n0.3\n", "a row that is too short", true},
                 {"x,y\n0.1,0.2\n\n0.3,0.1\n", "a blank line", true},
                 {"x,y\n0.1,\"0.2\n0.3,0.1\n", "a quote that is not closed", true}};
    tacit_budget b = budget_of(0.25, 0);
    const tacit_kmeans_opts o = opts_of(1);
    double before = 0;

    b.use_insecure_test_seed = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        tacit_ledger_summary s;
        tacit_data *bad = NULL;
        tacit_model *m = NULL;
        FILE *f = fopen(path("bad.csv"), "w");
        MUST(f != NULL && fputs(files[i].text, f) >= 0 && fclose(f) == 0);
        MUST(tacit_data_open(ctx, path("bad.csv"), NULL, &bad) == TACIT_OK &&
             tacit_data_declare_bounds(ctx, bad, "0:1") == TACIT_OK);
        if (i == 0)
            MUST(data_ledger(ctx, path("d.ledger"), 4, 0, bad, TACIT_ADD_REMOVE, 0) == TACIT_OK);
        CHECK(tacit_kmeans_run(ctx, bad, &(tacit_budget){.size = sizeof b, .epsilon = 1}, &o, &m) ==
                      TACIT_E_FORMAT &&
                  says("line"),
              "without a ledger %s is refused with its line", files[i].what);
        tacit_data_free(bad);
        MUST(tacit_ledger_open(ctx, path("d.ledger"), &b.ledger) == TACIT_OK);
        MUST(tacit_data_open(ctx, path("bad.csv"), NULL, &bad) == TACIT_OK &&
             tacit_data_declare_bounds(ctx, bad, "0:1") == TACIT_OK);
        const tacit_status status = tacit_kmeans_run(ctx, bad, &b, &o, &m);
        if (files[i].refused)
            CHECK(status == TACIT_E_FORMAT && strstr(tacit_ctx_message(ctx), "line") == NULL &&
                      strstr(tacit_ctx_message(ctx), "'y'") == NULL,
                  "with one %s is refused without a word about where", files[i].what);
        else
            CHECK(status == TACIT_OK, "with one %s is a missing value", files[i].what);
        tacit_model_free(m);
        tacit_ledger_summary_init(&s, sizeof s);
        MUST(tacit_ledger_summarize(ctx, b.ledger, &s) == TACIT_OK);
        CHECK(s.spent > before, "and the reservation stays spent: a row was read (%s)",
              files[i].what);
        before = s.spent;
        tacit_ledger_free(b.ledger);
        tacit_data_free(bad);
    }
}

/* ---- what one person can change by the way they are written down ---- */

static tacit_data *from_text(const char *name, const char *text, const char *unit,
                             tacit_format format)
{
    tacit_data_opts with;
    tacit_data *data = NULL;
    FILE *f = fopen(path(name), "w");

    MUST(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
    tacit_data_opts_init(&with, sizeof with);
    with.unit_column = unit;
    with.format = format;
    if (tacit_data_open(ctx, path(name), &with, &data) != TACIT_OK) return NULL;
    MUST(tacit_data_declare_bounds(ctx, data, "0:10") == TACIT_OK);
    return data;
}

static double size_of(tacit_data *data, int32_t rows_per_unit)
{
    tacit_budget b = budget_of(900, 1e-6); /* next to no noise */
    const tacit_kmeans_opts o = opts_of(1);
    tacit_model *m = NULL;

    b.max_rows_per_unit = rows_per_unit;
    MUST(data != NULL && tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_OK);
    const double size = tacit_model_sizes(m)[0];
    tacit_model_free(m);
    tacit_data_free(data);
    return size;
}

static void test_one_person(void)
{
    CHECK(fabs(size_of(from_text("t.csv", "row,col,count\n0,0,1\n1,1,1\n5000000,0,1\n", NULL,
                                 TACIT_FORMAT_TRIPLETS),
                       0) -
               3) < 1,
          "one line of triplets is at most one row, whatever its number");
    CHECK(fabs(size_of(
                   from_text("u.csv", "x,who\n1,a\n2,\n3,NA\n4,b\n5,a\n", "who", TACIT_FORMAT_CSV),
                   1) -
               2) < 1,
          "rows that name nobody are left out, like those beyond the limit");
    CHECK(from_text("h.csv", "35,120,F\n40,80,M\n", NULL, TACIT_FORMAT_CSV) == NULL &&
              says("column name") &&
              /* the folder's name is random */
              says("h.csv") && strstr(strstr(tacit_ctx_message(ctx), "h.csv"), "35") == NULL,
          "a first line that is a person and not a header is not taken for names");

    /* A reader that failed half-way does not go on from there. */
    tacit_data *bad =
        from_text("f.csv", "x,y\n0.1,0.2\n0.3,oops\n0.5,0.5\n", NULL, TACIT_FORMAT_CSV);
    const tacit_budget b = budget_of(1, 1e-6);
    const tacit_kmeans_opts o = opts_of(1);
    tacit_model *m = NULL;
    CHECK(tacit_kmeans_run(ctx, bad, &b, &o, &m) == TACIT_E_FORMAT, "a malformed file");
    CHECK(tacit_kmeans_run(ctx, bad, &b, &o, &m) == TACIT_E_READ && says("open the data again"),
          "is not tried a second time");
    tacit_data_free(bad);

    tacit_kmeans_opts many = opts_of(1);
    many.rounds = 1000;
    tacit_data *data = boxed(values, 100, D);
    CHECK(tacit_kmeans_run(ctx, data, &b, &many, &m) == TACIT_E_ARGUMENT && says("fewer rounds"),
          "more rounds than can be paid for");
    tacit_data_free(data);
}

/* ---- refusals ---- */

static void test_refusals(void)
{
    tacit_data *data = boxed(values, 100, D), *bare = NULL;
    tacit_model *m = NULL;
    tacit_budget b = budget_of(1, 1e-6);
    tacit_kmeans_opts o = opts_of(2);
    const double bad_epsilon[] = {0, -1, NAN, INFINITY, 1e9, 1e-300},
                 bad_delta[] = {-1e-9, 1, NAN, INFINITY, 1e-300, 0.5};
    const int32_t bad_k[] = {0, -2, 1000001, INT32_MAX};
    bool refused = true;

    for (int i = 0; i < 6; i++) {
        b = budget_of(bad_epsilon[i], 1e-6);
        const tacit_status e = tacit_kmeans_run(ctx, data, &b, &o, &m);
        refused =
            refused && (e == TACIT_E_ARGUMENT || e == TACIT_E_BUDGET_UNSET) && says("epsilon");
        b = budget_of(1, bad_delta[i]);
        refused =
            refused && tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_E_ARGUMENT && says("delta");
    }
    CHECK(refused, "impossible epsilons and deltas");
    b = budget_of(1, 1e-6);
    for (int i = 0; i < 4; i++) {
        o = opts_of(bad_k[i]);
        CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_E_ARGUMENT && says("k, the number"),
              "k = %d", bad_k[i]);
    }
    o = opts_of(2);
    MUST(tacit_data_from_memory(ctx, values, TACIT_F64, 10, D, &bare) == TACIT_OK);
    CHECK(tacit_kmeans_run(ctx, bare, &b, &o, &m) == TACIT_E_DOMAIN && says("never read from the "
                                                                            "data"),
          "no bounds declared");
    b.max_rows_per_unit = 3;
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_E_ARGUMENT && says("unit column"),
          "rows per person without persons");
    b = budget_of(1, 1e-6);
    b.size = 8;
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_E_ARGUMENT && says("tacit_budget_init"),
          "a budget that was not initialized");
    b = budget_of(1, 1e-6);
    o.rounds = -1;
    CHECK(tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_E_ARGUMENT && says("rounds"), "negative "
                                                                                         "rounds");
    tacit_data_free(bare);
    tacit_data_free(data);
}

/* ---- corners: tiny and odd data give a release all the same ---- */

static void test_corners(void)
{
    static const double same[50 * 2];
    double wild[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 0};
    tacit_budget b = budget_of(1, 1e-6);
    bool finite = true;

    for (int32_t k = 1; k <= 40; k += 13)
        for (int turn = 0; turn < 5; turn++) {
            const double *rows = turn == 0 ? same : turn == 1 ? wild : values;
            const int64_t n = turn == 0 ? 50 : turn == 1 ? 3 : turn == 2 ? 1 : turn == 3 ? 0 : 2;
            b.delta = turn % 2 ? 0 : 1e-6;
            b.neighbors = k % 2 ? TACIT_REPLACE : TACIT_ADD_REMOVE;
            const tacit_kmeans_opts o = opts_of(k);
            tacit_model *m = fit(rows, n, 2, &b, &o, false);
            for (int32_t i = 0; i < 2 * k; i++)
                finite = finite && tacit_model_centers(m)[i] >= 0 &&
                         tacit_model_centers(m)[i] <= 1 && isfinite(tacit_model_centers_sd(m)[i]);
            tacit_model_free(m);
        }
    CHECK(finite, "equal rows, missing and infinite values, one row, no row, more centers than "
                  "rows: centers in the domain");
}

static void test_plan(void)
{
    tacit_data *data = boxed(values, 0, D);
    tacit_budget b = budget_of(1, 1e-6);
    const tacit_kmeans_opts o = opts_of(K);
    tacit_plan *plan = NULL;
    tacit_plan_step step;
    double share = 0, error = 0;

    MUST(tacit_kmeans_plan(ctx, data, &b, &o, N, &plan) == TACIT_OK);
    tacit_plan_step_init(&step, sizeof step);
    for (int32_t i = 0; i < tacit_plan_step_count(plan); i++) {
        MUST(tacit_plan_step_get(plan, i, &step) == TACIT_OK);
        share += step.share;
        if (strstr(step.what, "Lloyd") != NULL) error = step.error;
    }
    CHECK(share > 0.999 && share <= 1, "a plan spends the budget and no more (%.6f)", share);
    tacit_model *m = fit(values, N, D, &b, &o, false);
    /* In rows at the edge of the lattice, of N / K; a range is 2 M / sqrt(D) long on it. */
    const double planned = error / ((double)N / K) * sqrt(D) / 2,
                 real = tacit_model_centers_sd(m)[0];
    CHECK(real > planned / 2 && real < 2 * planned,
          "the planned error is near the stated one (%.5f, %.5f)", planned, real);
    CHECK(tacit_plan_step_get(plan, 99, &step) == TACIT_E_ARGUMENT, "no such step");
    tacit_plan_free(plan);
    CHECK(tacit_kmeans_plan(ctx, data, &b, &o, 0, &plan) == TACIT_E_ARGUMENT && plan == NULL,
          "a guess of no rows");
    MUST(tacit_kmeans_plan(ctx, data, &b, &o, 30, &plan) == TACIT_OK);
    MUST(tacit_plan_try(ctx, data, plan) == TACIT_OK);
    CHECK(tacit_plan_verdict(plan) == TACIT_USELESS &&
              strstr(tacit_plan_advice(plan), "Useless") != NULL,
          "a hopeless plan says so: %s", tacit_plan_advice(plan));
    tacit_plan_free(plan);
    tacit_model_free(m);
    tacit_data_free(data);
}

int main(void)
{
    tacit_synthetic_mixture_opts mix;
    MUST(tacit_ctx_new(&ctx) == TACIT_OK && mkdtemp(folder) != NULL);
    tacit_synthetic_mixture_opts_init(&mix, sizeof mix);
    mix.rows = N;
    mix.columns = D;
    mix.clusters = K;
    mix.spread = 0.04;
    mix.seed = 5;
    MUST(tacit_synthetic_mixture(ctx, &mix, &values, &truth) == TACIT_OK);
    test_bits();
    test_utility();
    test_error_bars();
    test_release();
    test_wrong_bounds();
    test_predict();
    test_ledger();
    test_malformed();
    test_one_person();
    test_refusals();
    test_corners();
    test_plan();
    tacit_free(values);
    tacit_free(truth);
    tacit_ctx_free(ctx);
    char command[400];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? tap_done() : 1;
}
