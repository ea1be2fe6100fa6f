/* SPDX-License-Identifier: Apache-2.0 */
/* The audit: its bounds against known values, its laws against identities; honest methods are not flagged, and with half of
   their noise they are. Fresh noise every time, so each statement has a rate of false alarms: honest methods are flagged
   once in a million, which all of them together share; half noise goes unseen less than once in a thousand. */
#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "audit/audit.h"
#include "audit/events.h"
#include "privacy/account/curve.h"
#include "tap.h"

static tacit_ctx *ctx;
static uint64_t state = 88172645463325252;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* ---- bounds ---- */

/* P(at most k of n coins of p), added up term by term. */
static double binomial(int k, int n, double p)
{
    double sum = 0;
    for (int i = 0; i <= k; i++)
        sum += exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(p) + (n - i) * log1p(-p));
    return sum;
}

static void test_bounds(void)
{
    double worst = 0;

    CHECK(fabs(tac_at_most(0, 100, 0.05) - (1 - pow(0.05, 0.01))) < 1e-8, "no hit in 100: the bound is 1 - alpha^(1/100)");
    /* Clopper & Pearson 1934, and every table since */
    CHECK(fabs(tac_at_least(3, 20, 0.025) - 0.03207) < 1e-5 && fabs(tac_at_most(3, 20, 0.025) - 0.37893) < 1e-5,
          "3 of 20: 0.0321 to 0.3789 with confidence 0.95");
    CHECK(fabs(tac_at_least(8, 10, 0.025) - 0.44390) < 1e-5 && fabs(tac_at_most(8, 10, 0.025) - 0.97479) < 1e-5,
          "8 of 10: 0.4439 to 0.9748");
    CHECK(tac_at_most(10, 10, 0.01) == 1 && tac_at_least(0, 10, 0.01) == 0, "all or none: no bound on that side");
    for (int n = 1; n <= 400; n += 57)
        for (int k = 0; k < n; k += 1 + n / 7) {
            const double alpha = 1e-4, p = tac_at_most(k, n, alpha);
            worst = fmax(worst, fabs(binomial(k, n, p) / alpha - 1));
        }
    CHECK(worst < 1e-5, "the tail at the bound is alpha (off by %.1e of it)", worst);
    CHECK(tac_at_most(50000, 100000, 1e-9) < 0.51 && tac_at_most(50000, 100000, 1e-9) > 0.509, "100,000 coins");
    CHECK(fabs(tac_normal_quantile(0.975) - 1.959963984540054) < 1e-9 &&
          fabs(tac_normal_quantile(1e-9) + 5.997807015) < 1e-6 &&
          tac_normal_quantile(0.5) < 1e-12, "normal quantiles");
}

static void test_proofs(void)
{
    const tac_seen sure = {.hits = {0, 200}, .runs = {200, 200}}, none = {.hits = {100, 100}, .runs = {200, 200}};
    const double rare = 1 - pow(0.0005, 1.0 / 200);
    const tac_proved all = tac_prove(&sure, 0.001, 0);

    CHECK(fabs(all.epsilon - log((1 - rare) / rare)) < 1e-6, "0 of 200 against 200 of 200 proves epsilon %.3f", all.epsilon);
    CHECK(fabs(all.mu + 2 * tac_normal_quantile(rare)) < 1e-6, "... and mu %.3f", all.mu);
    CHECK(tac_prove(&none, 0.001, 0).epsilon < 0 && tac_prove(&none, 0.001, 0).mu < 0, "half and half proves nothing");
    CHECK(fabs(tac_prove(&sure, 0.001, 0.1).epsilon - log((1 - rare - 0.1) / rare)) < 1e-6, "delta is taken off");
    CHECK(fabs(tac_gauss_epsilon(2, 1e-6) - 10.997) < 5e-4 && fabs(tac_gauss_mu(1, 1e-6) - 0.2367043806) < 1e-9,
          "mu = 2 is epsilon 10.997 at delta 1e-6");
}

/* Samples of the log ratio of two Gaussians mu apart: nearly mu is proved, and more than mu never. */
static void test_threshold(void)
{
    enum { N = 20000 };
    static double a[N], b[N];
    double *sample[2] = {a, b}, threshold;
    int beyond = 0;
    tac_proved proved = {0};

    for (int i = 0; i < N; i++) a[i] = normal() - 0.5, b[i] = normal() + 0.5;
    proved = tac_prove_by_threshold(sample, N, 0.001, 1e-6, &threshold);
    CHECK(proved.mu > 0.85 && proved.mu <= 1, "20,000 runs of mu = 1 prove mu %.3f", proved.mu);
    CHECK(proved.epsilon < tac_gauss_epsilon(1, 1e-6), "and epsilon %.3f", proved.epsilon);
    for (int t = 0; t < 400; t++) {
        for (int i = 0; i < 200; i++) a[i] = normal() - 1, b[i] = normal() + 1;
        beyond += tac_prove_by_threshold(sample, 200, 0.1, 1e-6, &threshold).mu > 2;
    }
    CHECK(beyond <= 70, "mu = 2 is passed in %d of 400, at most 40 expected", beyond); /* 5 sd above 40 */
}

/* ---- laws ---- */

/* P(i) of a selection from the log ratio against equal costs, under which every candidate has 1 / m. */
static double chance(bool pure, uint64_t epsilon, const uint64_t *cost, size_t m, uint64_t i)
{
    static const uint64_t equal[8] = {5, 5, 5, 5, 5, 5, 5, 5};
    const tac_asked q = {.receipt = {.kind = "selection", .scale = epsilon, .sensitivity = 100}, .pure = pure,
                         .exact_words = m,
                         .noisy_words = 1, .exact = equal, .noisy = &i};
    return exp(tac_asked_log_ratio(&q, cost)) / (double)m;
}

static void test_selections(void)
{
    static const uint64_t cost[5] = {70, 0, 110, 400, 30};
    const uint64_t epsilon = UINT64_C(3) << (TAC_SELECTION_BITS - 1); /* 1.5 */
    double sum[2] = {0}, worst = 0, seen[5] = {0};
    const int draws = 200000;

    for (uint64_t i = 0; i < 5; i++) {
        sum[0] += chance(false, epsilon, cost, 5, i);
        sum[1] += chance(true, epsilon, cost, 5, i);
    }
    CHECK(fabs(sum[0] - 1) < 1e-12 && fabs(sum[1] - 1) < 1e-9, "probabilities of a selection add up to 1 (%.2e, %.2e off)",
          sum[0] - 1,
          sum[1] - 1);
    for (int t = 0; t < draws; t++) { /* permute and flip as it is defined */
        int order[5] = {0, 1, 2, 3, 4};
        for (int left = 5;; left--) {
            const int pick = (int)(uniform() * left), i = order[pick];
            order[pick] = order[left - 1];
            if (uniform() >= exp(-1.5 * (double)cost[i] / 100)) continue;
            seen[i]++;
            break;
        }
    }
    for (uint64_t i = 0; i < 5; i++) {
        const double p = chance(true, epsilon, cost, 5, i);
        worst = fmax(worst, fabs(seen[i] / draws - p) / sqrt(p * (1 - p) / draws));
    }
    CHECK(worst < 4.9, "permute and flip: %d draws are within %.1f standard deviations of the law", draws, worst);
}

static void test_lines(void)
{
    static const uint64_t flat[3] = {0, 0, 0};
    const uint64_t scale = UINT64_C(4) << TAC_SELECTION_BITS, m2 = (uint64_t)TAC_M * TAC_M;
    double worst = 0;

    for (uint64_t size = 1; size <= 100; size *= 10) { /* densities have mean 1 over the circle */
        const uint64_t moments[3] = {size * m2, (uint64_t) - (int64_t)(size * m2 / 3), size * m2 / 5};
        double mean = 0;
        for (int t = 0; t < 4000; t++) {
            const double u[2] = {cos(M_PI * (t + 0.5) / 4000), sin(M_PI * (t + 0.5) / 4000)};
            uint64_t word[2];
            memcpy(word, u, sizeof word);
            const tac_asked q = {.receipt = {.kind = "bingham", .scale = scale, .sensitivity = 4}, .exact_words = 3,
                                 .noisy_words = 2,
                                 .exact = flat, .noisy = word};
            mean += exp(tac_asked_log_ratio(&q, moments)) / 4000;
        }
        worst = fmax(worst, fabs(mean - 1));
    }
    CHECK(worst < 1e-5, "densities of drawn lines have mean 1 (%.1e off)", worst);
}

static void test_within(void)
{
    const uint64_t zero[2] = {0, 0}, noisy[2] = {7, 7};
    tac_asked q = {.receipt = {.kind = "sums", .law = TAC_GAUSSIAN, .scale = 10, .sensitivity = 25}, .exact_words = 2,
                   .noisy_words = 2,
                   .exact = zero, .noisy = noisy};

    CHECK(tac_asked_within(&q, (uint64_t[]){3, (uint64_t)-4}) && !tac_asked_within(&q, (uint64_t[]){3, 5}),
          "a Gaussian answer may move by its L2 sensitivity");
    CHECK(fabs(tac_asked_log_ratio(&q, (uint64_t[]){3, 0}) - (49.0 - 16) / 200) < 1e-15,
          "and its log ratio is (|a-f|^2 - |a-f'|^2) / 2 sigma^2");
    q.receipt.law = TAC_LAPLACE;
    CHECK(tac_asked_within(&q, (uint64_t[]){20, (uint64_t)-5}) && !tac_asked_within(&q, (uint64_t[]){20, 6}),
          "a Laplace answer by its L1");
    CHECK(fabs(tac_asked_log_ratio(&q, (uint64_t[]){3, 9}) - (3.0 + 5) / 10) < 1e-15,
          "and its log ratio is (|a-f| - |a-f'|) / scale");
    q.receipt.kind = "parts";
    CHECK(isnan(tac_asked_log_ratio(&q, zero)), "laws that are not known say nothing");
}

/* ---- audits ---- */

static tacit_audit_report audit(const tacit_audit_target *t, double epsilon, double delta, int64_t runs, double confidence,
                                double factor,
                                tacit_neighbours neighbours)
{
    tacit_audit_opts o;
    tacit_audit_report r;

    tacit_audit_opts_init(&o, sizeof o);
    tacit_audit_report_init(&r, sizeof r);
    o.family = t->family;
    o.method = t->method;
    o.epsilon = epsilon;
    o.delta = delta;
    o.runs = runs;
    o.confidence = confidence;
    o.noise_factor = factor;
    o.neighbours = neighbours;
    if (tacit_audit(ctx, &o, &r) != TACIT_OK) {
        CHECK(false, "%s %s: %s", t->family, t->name, tacit_ctx_message(ctx));
        r.violation = -1;
    }
    return r;
}

/* Under sanitizers, which look at lines and not at statistics, a few attacks are enough. */
static bool is_short(void)
{
    return tap_times(10) < 10;
}

/* Slow ones have their replays elsewhere (test_replay*.c). */
static bool is_slow(const tacit_audit_target *t)
{
    static const char *const slow[] = {"sample-aggregate", "gibbs", "balcan", "lsh-tree", "bingham"};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        if (strcmp(t->name, slow[i]) == 0) return true;
    return false;
}

static void test_honest(void)
{
    tacit_audit_target t;
    double pairs = 0;
    int methods = 0;
    const clock_t begun = clock();

    for (int32_t i = 0;; i++) {
        tacit_audit_target_init(&t, sizeof t);
        if (tacit_audit_target_get(i, &t) != TACIT_OK) break;
        methods++;
        if (is_slow(&t) || (is_short() && i % 4 != 0)) continue;
        for (int variant = 0; variant < 6; variant++) {
            static const char *const words[] = {"add-remove", "replace", "entry"};
            const tacit_neighbours n = (tacit_neighbours)(variant / 2);
            const bool pure = variant % 2;
            if (pure ? !t.pure || strcmp(t.family, "subspace") == 0 : !t.approximate) continue; /* pure subspaces: bingham */
            if (n == TACIT_ENTRY ? !t.entry : !t.rows) continue;
            const tacit_audit_report r = audit(&t, pure ? 3 : 10.997, pure ? 0 : 1e-6, is_short() ? 20 : tap_times(20), 1 - 1e-8, 1, n);
            pairs += (double)r.pairs;
            CHECK(r.violation == 0 && r.other_questions == 0 && r.too_far == 0 && r.other_release == 0,
                  "%s %s, delta %s, %s: %lld pairs, %s", t.family, t.name, pure ? "0" : "1e-6", words[n],
                      (long long)r.pairs, r.verdict);
        }
    }
    CHECK(methods >= 23, "%d methods can be attacked", methods);
    printf("# %.0f pairs, %.0f a second of one processor\n", pairs, pairs * CLOCKS_PER_SEC / (double)(clock() - begun));
}

/* At mu = 2, half the noise makes mu = 4, or nearly: seen with 600 runs a side. Of Laplace noise, which curves cover
   loosely, a quarter is taken. The same runs without the mistake are not flagged. */
static void test_half_noise(void)
{
    static const struct {
        tacit_audit_target t;
        double epsilon, delta;
        int64_t runs;
    } cases[] = {
        {{.family = "kmeans", .method = TACIT_KMEANS_LLOYD, .name = "lloyd"}, 10.997, 1e-6, 600},
        {{.family = "kmeans", .method = TACIT_KMEANS_GRID, .name = "grid"}, 1, 0, 600}, /* pure: a quarter of the noise */
        {{.family = "kmedian", .method = TACIT_KMEANS_AUTO, .name = "auto"}, 10.997, 1e-6, 600},
        {{.family = "subspace", .method = TACIT_SUBSPACE_AUTO, .name = "auto"}, 10.997, 1e-6, 600},
        {{.family = "cocluster", .method = TACIT_COCLUSTER_AUTO, .name = "auto"}, 10.997, 1e-6, 600},
    };

    for (size_t i = 0; i < (is_short() ? 1 : sizeof cases / sizeof *cases); i++) {
        const tacit_audit_report half = audit(&cases[i].t, cases[i].epsilon, cases[i].delta, cases[i].runs, 0.999,
                                              cases[i].delta > 0 ? 0.5 : 0.25, TACIT_ADD_REMOVE);
        CHECK(half.violation > 0 && half.mu_measured > half.mu,
              "%s %s with too little noise: mu %.2f measured, %.2f charged: %s",
              cases[i].t.family, cases[i].t.name, half.mu_measured, half.mu, half.verdict);
        CHECK(half.too_far == 0 && half.other_questions == 0, "... by its noise alone");
    }
    const tacit_audit_report whole = audit(&cases[0].t, 10.997, 1e-6, 1000, 1 - 1e-6, 1, TACIT_ADD_REMOVE);
    CHECK(whole.violation == 0 && whole.mu_measured > 1 && whole.mu_measured <= whole.mu,
          "the same method as it is: mu %.2f measured, %.2f charged, not flagged", whole.mu_measured, whole.mu);
}

static void test_refusals(void)
{
    tacit_audit_opts o;
    tacit_audit_report r;

    tacit_audit_report_init(&r, sizeof r);
    tacit_audit_opts_init(&o, sizeof o);
    CHECK(tacit_audit(ctx, &o, &r) == TACIT_E_BUDGET_UNSET || strstr(tacit_ctx_message(ctx), "epsilon") != NULL,
          "no claim: %s", tacit_ctx_message(ctx));
    o.epsilon = 1;
    CHECK(tacit_audit(ctx, &o, &r) == TACIT_E_ARGUMENT, "no family: %s", tacit_ctx_message(ctx));
    o.family = "kmeans";
    o.method = 63;
    CHECK(tacit_audit(ctx, &o, &r) == TACIT_E_ARGUMENT, "no method: %s", tacit_ctx_message(ctx));
    o.method = TACIT_KMEANS_SAMPLE_AGGREGATE;
    CHECK(tacit_audit(ctx, &o, &r) == TACIT_E_ARGUMENT && strstr(tacit_ctx_message(ctx), "delta") != NULL,
          "a delta it does not take: %s",
          tacit_ctx_message(ctx));
    o.method = TACIT_KMEANS_LLOYD;
    o.neighbours = TACIT_ENTRY;
    CHECK(tacit_audit(ctx, &o, &r) == TACIT_E_ARGUMENT, "neighbours it does not take: %s", tacit_ctx_message(ctx));
    o.neighbours = TACIT_ADD_REMOVE;
    o.runs = 3;
    CHECK(tacit_audit(ctx, &o, &r) == TACIT_E_ARGUMENT, "too few runs: %s", tacit_ctx_message(ctx));
    o.runs = 20;
    o.confidence = 1;
    CHECK(tacit_audit(ctx, &o, &r) == TACIT_E_ARGUMENT, "certainty: %s", tacit_ctx_message(ctx));
}

/* ---- outputs of other programs ---- */

enum { OUTPUTS = 200, LONGEST = 128 };

typedef void (*program)(int side, char *text, int *code);

static tacit_audit_report judge(program run, double epsilon, double delta)
{
    static char text[2][OUTPUTS][LONGEST];
    static tacit_audit_output output[2][OUTPUTS];
    tacit_audit_opts o;
    tacit_audit_report r;

    for (int side = 0; side < 2; side++)
        for (int i = 0; i < OUTPUTS; i++) {
            int code = 0;
            run(side, text[side][i], &code);
            output[side][i] = (tacit_audit_output){.text = text[side][i], .length = strlen(text[side][i]), .code = code};
        }
    tacit_audit_opts_init(&o, sizeof o);
    tacit_audit_report_init(&r, sizeof r);
    o.epsilon = epsilon;
    o.delta = delta;
    o.runs = OUTPUTS;
    MUST(tacit_audit_outputs(ctx, &o, output[0], output[1], &r) == TACIT_OK);
    return r;
}

static double laplace(double scale)
{
    const double u = uniform() - 0.5;
    return u < 0 ? scale * log1p(2 * u) : -scale * log1p(-2 * u);
}

static void honest(int side, char *text, int *code)
{
    (void)code;
    snprintf(text, LONGEST, "{\"count\": %.4f, \"x\": [%.5e]}", side + laplace(1), uniform());
}

static void too_loud(int side, char *text, int *code)
{
    (void)code;
    snprintf(text, LONGEST, "count %.4f", side + laplace(0.1));
}

static void by_code(int side, char *text, int *code)
{
    *code = side == 0 && uniform() < 0.9 ? 3 : 0;
    snprintf(text, LONGEST, "%.3f", uniform());
}

static void by_length(int side, char *text, int *code)
{
    (void)code;
    snprintf(text, LONGEST, "%.*s%.3f", side == 0 ? 6 : 3, "rows: ", uniform());
}

static void by_atom(int side, char *text, int *code)
{
    (void)code;
    snprintf(text, LONGEST, "c1 %.6f %.6f", uniform(), side == 0 ? 0.25 : uniform());
}

/* No number alone tells: only what they add up to. */
static void by_sum(int side, char *text, int *code)
{
    const double x = 100 * normal();
    (void)code;
    snprintf(text, LONGEST, "%.6f;%.6f", x, (side == 0 ? -3 : 3) + normal() - x);
}

static void by_order(int side, char *text, int *code)
{
    const double low = -5 + normal(), high = (side == 0 ? 5 : 9) + normal();
    const bool swap = uniform() < 0.5;
    (void)code;
    snprintf(text, LONGEST, "%.5f %.5f", swap ? low : high, swap ? high : low);
}

static void nothing(int side, char *text, int *code)
{
    (void)side, (void)code;
    *text = '\0';
}

static void test_outputs(void)
{
    static const struct {
        program run;
        const char *what;
    } broken[] = {{too_loud, "a tenth of the noise"}, {by_code, "an exit code"}, {by_length, "a length"},
                  {by_atom, "a value that stays"},
                  {by_sum, "a sum"}, {by_order, "the larger of two numbers"}};

    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        const tacit_audit_report r = judge(broken[i].run, 1, 0);
        CHECK(r.violation == 1 && r.measured > 1, "%s gives it away: epsilon %.2f by \"%s\"", broken[i].what, r.measured,
              r.attack);
    }
    tacit_audit_report r = judge(honest, 1, 0);
    CHECK(r.violation == 0, "an honest count is not flagged (%.2f by \"%s\")", r.measured, r.attack);
    r = judge(nothing, 1e-3, 0);
    CHECK(r.violation == 0 && r.measured == 0, "no output tells nothing");
    r = judge(by_code, 1, 0.05);
    CHECK(r.violation == 1 && judge(by_code, 4, 0.05).violation == 0, "only what is proved counts: %.2f", r.measured);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_bounds();
    test_proofs();
    test_threshold();
    test_selections();
    test_lines();
    test_within();
    test_outputs();
    test_refusals();
    test_half_noise();
    test_honest();
    tacit_ctx_free(ctx);
    return tap_done();
}
