/* SPDX-License-Identifier: Apache-2.0 */
/* The audit: its bounds against known values, its distributions and bets against identities; no
   honest method is flagged, and with half of its noise every one is. Fresh noise every time, so
   each statement has a rate of false alarms: honest methods are flagged once in a million, which
   all of them together share; half noise goes unseen less than once in a thousand. */
#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "audit/audit.h"
#include "privacy/noise/trace_noise.h"
#include "audit/events.h"
#include "privacy/accounting/curve.h"
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
        sum += exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(p) +
                   (n - i) * log1p(-p));
    return sum;
}

static void test_bounds(void)
{
    double worst = 0;

    CHECK(fabs(tac_at_most(0, 100, 0.05) - (1 - pow(0.05, 0.01))) < 1e-8, "no hit in 100: the "
                                                                          "bound is 1 - "
                                                                          "alpha^(1/100)");
    /* Clopper & Pearson 1934, and every table since */
    CHECK(fabs(tac_at_least(3, 20, 0.025) - 0.03207) < 1e-5 &&
              fabs(tac_at_most(3, 20, 0.025) - 0.37893) < 1e-5,
          "3 of 20: 0.0321 to 0.3789 with confidence 0.95");
    CHECK(fabs(tac_at_least(8, 10, 0.025) - 0.44390) < 1e-5 &&
              fabs(tac_at_most(8, 10, 0.025) - 0.97479) < 1e-5,
          "8 of 10: 0.4439 to 0.9748");
    CHECK(tac_at_most(10, 10, 0.01) == 1 && tac_at_least(0, 10, 0.01) == 0, "all or none: no bound "
                                                                            "on that side");
    for (int n = 1; n <= 400; n += 57)
        for (int k = 0; k < n; k += 1 + n / 7) {
            const double alpha = 1e-4, p = tac_at_most(k, n, alpha);
            worst = fmax(worst, fabs(binomial(k, n, p) / alpha - 1));
        }
    CHECK(worst < 1e-5, "the tail at the bound is alpha (off by %.1e of it)", worst);
    CHECK(tac_at_most(50000, 100000, 1e-9) < 0.51 && tac_at_most(50000, 100000, 1e-9) > 0.509,
          "100,000 coins");
    CHECK(fabs(tac_normal_quantile(0.975) - 1.959963984540054) < 1e-9 &&
              fabs(tac_normal_quantile(1e-9) + 5.997807015) < 1e-6 &&
              tac_normal_quantile(0.5) < 1e-12,
          "normal quantiles");
}

static void test_proofs(void)
{
    const tac_seen sure = {.hits = {0, 200}, .runs = {200, 200}},
                   none = {.hits = {100, 100}, .runs = {200, 200}};
    const double rare = 1 - pow(0.0005, 1.0 / 200);
    const tac_proved all = tac_prove(&sure, 0.001, 0);

    CHECK(fabs(all.epsilon - log((1 - rare) / rare)) < 1e-6,
          "0 of 200 against 200 of 200 proves epsilon %.3f", all.epsilon);
    CHECK(fabs(all.mu + 2 * tac_normal_quantile(rare)) < 1e-6, "... and mu %.3f", all.mu);
    CHECK(tac_prove(&none, 0.001, 0).epsilon < 0 && tac_prove(&none, 0.001, 0).mu < 0,
          "half and half proves nothing");
    CHECK(fabs(tac_prove(&sure, 0.001, 0.1).epsilon - log((1 - rare - 0.1) / rare)) < 1e-6,
          "delta is taken off");
    CHECK(fabs(tac_gauss_epsilon(2, 1e-6) - 10.997) < 5e-4 &&
              fabs(tac_gauss_mu(1, 1e-6) - 0.2367043806) < 1e-9,
          "mu = 2 is epsilon 10.997 at delta 1e-6");
}

/* Samples of the log ratio of two Gaussians mu apart: nearly mu is proved, and more than mu
   never. */
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
    /* 5 sd above 40 */
    CHECK(beyond <= 70, "mu = 2 is passed in %d of 400, at most 40 expected", beyond);
}

/* ---- distributions ---- */

/* P(i) of a selection from the log ratio against equal costs, under which every candidate has 1 /
   m. */
static double chance(bool pure, uint64_t epsilon, const uint64_t *cost, size_t m, uint64_t i)
{
    static const uint64_t equal[8] = {5, 5, 5, 5, 5, 5, 5, 5};
    const tac_asked q = {
        .receipt = {.kind = TAC_KIND_CENTERS, .scale = epsilon, .sensitivity = 100},
        .pure = pure,
        .exact_words = m,
        .noisy_words = 1,
        .exact = equal,
        .noisy = &i};
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
    CHECK(fabs(sum[0] - 1) < 1e-12 && fabs(sum[1] - 1) < 1e-9,
          "probabilities of a selection add up to 1 (%.2e, %.2e off)", sum[0] - 1, sum[1] - 1);
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
    CHECK(worst < 4.9,
          "permute and flip: %d draws are within %.1f standard deviations of the distribution",
          draws, worst);
}

static void test_lines(void)
{
    static const uint64_t flat[3] = {0, 0, 0};
    const uint64_t scale = UINT64_C(4) << TAC_SELECTION_BITS, m2 = (uint64_t)TAC_M * TAC_M;
    double worst = 0;

    for (uint64_t size = 1; size <= 100; size *= 10) { /* densities have mean 1 over the circle */
        const uint64_t moments[3] = {size * m2, (uint64_t) - (int64_t)(size * m2 / 3),
                                     size * m2 / 5};
        double mean = 0;
        for (int t = 0; t < 4000; t++) {
            const double u[2] = {cos(M_PI * (t + 0.5) / 4000), sin(M_PI * (t + 0.5) / 4000)};
            const uint64_t word[2] = {(uint64_t)lrint(TAC_M * u[0]), (uint64_t)lrint(TAC_M * u[1])};
            const tac_asked q = {
                .receipt = {.kind = TAC_KIND_BINGHAM, .scale = scale, .sensitivity = 4},
                .exact_words = 3,
                .noisy_words = 2,
                .exact = flat,
                .noisy = word};
            mean += exp(tac_asked_log_ratio(&q, moments)) / 4000;
        }
        worst = fmax(worst, fabs(mean - 1));
    }
    CHECK(worst < 1e-5, "densities of drawn lines have mean 1 (%.1e off)", worst);
}

static void test_within(void)
{
    const uint64_t zero[2] = {0, 0}, noisy[2] = {7, 7};
    tac_asked q = {.receipt = {.kind = TAC_KIND_SUMS,
                               .distribution = TAC_GAUSSIAN,
                               .scale = 10,
                               .sensitivity = 25},
                   .exact_words = 2,
                   .noisy_words = 2,
                   .exact = zero,
                   .noisy = noisy};

    CHECK(tac_asked_within(&q, (uint64_t[]){3, (uint64_t)-4}) &&
              !tac_asked_within(&q, (uint64_t[]){3, 5}),
          "a Gaussian answer may move by its L2 sensitivity");
    CHECK(fabs(tac_asked_log_ratio(&q, (uint64_t[]){3, 0}) - (49.0 - 16) / 200) < 1e-15,
          "and its log ratio is (|a-f|^2 - |a-f'|^2) / 2 sigma^2");
    q.receipt.distribution = TAC_LAPLACE;
    CHECK(tac_asked_within(&q, (uint64_t[]){20, (uint64_t)-5}) &&
              !tac_asked_within(&q, (uint64_t[]){20, 6}),
          "a Laplace answer by its L1");
    CHECK(fabs(tac_asked_log_ratio(&q, (uint64_t[]){3, 9}) - (3.0 + 5) / 10) < 1e-15,
          "and its log ratio is (|a-f| - |a-f'|) / scale");
    /* One cell, 1 in every entry: eigenvalues d and 0. Read as two cells of the plane, 3 dimensions
       would come to 4. */
    const uint64_t line[3] = {TAC_M * 3 / 5, TAC_M * 4 / 5, 0},
                   two[10] = {TAC_M * 3 / 5, TAC_M * 4 / 5, [7] = TAC_M};
    uint64_t drawn[10], one[15], none[15] = {0};
    for (int i = 0; i < 15; i++) one[i] = (uint64_t)TAC_M * TAC_M;
    q.receipt.kind = TAC_KIND_BINGHAM;
    q.exact = none;
    q.noisy = drawn;
    memcpy(drawn, line, sizeof line);
    for (int dims = 2; dims <= 3; dims++) {
        q.exact_words = (size_t)dims * (size_t)(dims + 1) / 2;
        q.noisy_words = (size_t)dims;
        q.receipt.sensitivity = (tac_u128)dims;
        CHECK(tac_asked_within(&q, one),
              "lines in %d dimensions may move by the size of the eigenvalues", dims);
        q.receipt.sensitivity--;
        CHECK(dims > 2 || !tac_asked_within(&q, one), "and by no more, where it is looked at");
    }
    memcpy(drawn, two, sizeof two);
    q.exact_words = 15;
    q.noisy_words = 10;
    q.receipt.sensitivity = 5;
    CHECK(tac_asked_within(&q, one) && isnan(tac_asked_log_distribution(&q, 1)),
          "two vectors of five dimensions are not five lines");
    q.receipt.kind = TAC_KIND_PARTS;
    q.exact_words = q.noisy_words = 2;
    q.exact = zero;
    q.noisy = noisy;
    CHECK(isnan(tac_asked_log_ratio(&q, zero)), "distributions that are not known say nothing");
    CHECK(tac_asked_noise(&q) == 0, "nor does noise of a size that is not told");
}

/* Densities along a direction: known for one dim and three, and of total 1. */
static void test_trace_density(void)
{
    double known = 0, total = 0;

    for (double t = 0; t < 30; t += 0.37) {
        known = fmax(known, fabs(tac_trace_log_density(1, t) + t + log(2)));
        known = fmax(known, fabs(tac_trace_log_density(3, -t) + t - log1p(t) + log(4)));
    }
    for (int32_t dims = 2; dims <= 128; dims *= 4) {
        const double far = 40 * sqrt(dims), step = far / 20000;
        double sum = 0;
        for (int i = 1; i < 20000; i++)
            sum += 2 * step * exp(tac_trace_log_density(dims, i * step));
        total = fmax(total, fabs(sum + step * exp(tac_trace_log_density(dims, 0)) - 1));
    }
    CHECK(known < 1e-10 && total < 1e-5,
          "densities of trace noise along a direction (%.0e, %.0e off)", known, total);
}

/* Second moments of the plane under trace noise: 7 times what is off the diagonal, 5 times what is
   on it. */
static void test_trace_distribution(void)
{
    const uint64_t zero[6] = {0}, noisy[6] = {5000, 0, 0, 0, 0, 0};
    tac_asked q = {.receipt = {.kind = TAC_KIND_MOMENTS,
                               .distribution = TAC_TRACE,
                               .scale = 100,
                               .sensitivity = 50,
                               .dims = 2},
                   .exact_words = 6,
                   .noisy_words = 6,
                   .exact = zero,
                   .noisy = noisy};
    /* eigenvalues 25, 0 in one cell and 25, 0 or 20, -6 in the other */
    CHECK(tac_asked_within(&q, (uint64_t[]){5 * 9, 7 * 12, 5 * 16, 5 * 25, 0, 0}) &&
              !tac_asked_within(&q, (uint64_t[]){5 * 9, 7 * 12, 5 * 16, 5 * 20, 0, (uint64_t)-30}),
          "an answer with trace noise may move by its trace norm");
    CHECK(fabs(tac_asked_log_ratio(&q, (uint64_t[]){5 * 25, 0, 0, 0, 0, 0}) -
               (tac_trace_log_density(2, 9.75) - tac_trace_log_density(2, 10))) < 1e-9,
          "and its log ratio is that of the direction in which it moves");
}

/* Two cells of a scale of 2, three at most a count: all answers that there can be, one after the
   other. */
static double cubes_total(uint64_t most, double sharp)
{
    const uint64_t exact[2] = {3, 0};
    const size_t words = 1 + 4 * most + 2;
    const int64_t far = 140;
    double sum = 0;

    for (int64_t a = 3; a < far; a++) /* 3: not told */
        for (int64_t b = 3; b < far; b++) {
            uint64_t word[11] = {0}, many = 0;
            if ((a > 3) + (b > 3) > (int)most) continue;
            if (a > 3)
                memcpy(word + 1 + 4 * many++, (uint64_t[]){0, 0, 0, (uint64_t)a}, 4 * sizeof *word);
            if (b > 3)
                memcpy(word + 1 + 4 * many++, (uint64_t[]){0, 1, 0, (uint64_t)b}, 4 * sizeof *word);
            word[0] = many;
            word[words - 2] = 4; /* the threshold, and one dimension */
            word[words - 1] = 1;
            const tac_asked q = {
                .receipt = {.kind = TAC_KIND_CUBES, .distribution = TAC_LAPLACE, .scale = 2},
                .exact_words = 2,
                .noisy_words = words,
                .exact = exact,
                .noisy = word};
            sum += exp(tac_asked_log_distribution(&q, sharp));
        }
    return sum;
}

/* P(floor(5 s X + 1/2) = x) of one dim, where X is Laplace */
static double trace_of_one(int64_t x, uint64_t scale)
{
    const double s = 5 * (double)scale;
    return x == 0 ? -expm1(-0.5 / s) : exp(-fabs((double)x) / s) * sinh(0.5 / s);
}

/* A bet is fair: its mean under the distribution on the receipt is 1, or a little less. */
static double bet_total(tac_distribution distribution, uint64_t scale, int factor)
{
    const uint64_t exact = 1000;
    const int64_t far = (distribution == TAC_TRACE ? 250 : 60) * (int64_t)scale;
    double sum = 0, all = 0;

    for (int64_t x = -far; x <= far; x++) {
        const double u = (double)x / (double)scale;
        const double p = distribution == TAC_GAUSSIAN  ? exp(-u * u / 2)
                         : distribution == TAC_LAPLACE ? exp(-fabs(u))
                                                       : trace_of_one(x, scale);
        const uint64_t noisy = exact + (uint64_t)x;
        const tac_asked q = {.receipt = {.kind = TAC_KIND_COUNT,
                                         .distribution = distribution,
                                         .scale = scale,
                                         .dims = distribution == TAC_TRACE},
                             .exact_words = 1,
                             .noisy_words = 1,
                             .exact = &exact,
                             .noisy = &noisy};
        tac_evidence e = {0};
        tac_noises before = {0};
        tac_evidence_add(&e, &before, 0, &q);
        all += p;
        sum += p * exp(e.all[factor]);
    }
    return sum / all;
}

static void test_bets(void)
{
    double most = 0, least = 2, cubes = 0;

    for (int factor = 0; factor < TAC_EVIDENCE_FACTORS; factor++)
        for (int s = 0; s < 4; s++)
            for (int distribution = 0; distribution < 2; distribution++) {
                const double total = bet_total(
                    (tac_distribution)distribution,
                    (uint64_t[]){1, 4, 5, 300}[s] + (distribution == 0 && s == 0), factor);
                most = fmax(most, total);
                least = fmin(least, total);
            }
    CHECK(most < 1 + 1e-12 && least > 0.999,
          "bets on smaller noise are fair: their means are %.4f to 1 %+.0e", least, most - 1);
    double trace[2] = {0, 2};
    for (int factor = 0; factor < TAC_EVIDENCE_FACTORS; factor++)
        for (int s = 0; s < 3; s++) {
            const double total = bet_total(TAC_TRACE, (uint64_t[]){1, 4, 60}[s], factor);
            trace[0] = fmax(trace[0], total);
            if (s == 2) trace[1] = fmin(trace[1], total);
        }
    CHECK(trace[0] < 1 + 1e-12 && trace[1] > 0.99,
          "so are those on smaller trace noise, with what its rounding may do taken off (%.4f to "
          "%.4f)",
          trace[1], trace[0]);
    for (uint64_t limit = 1; limit <= 2; limit++)
        for (int sharp = 1; sharp <= 2; sharp++)
            cubes = fmax(cubes, fabs(cubes_total(limit, sharp) - 1));
    CHECK(cubes < 1e-9, "probabilities of all answers about cubes add up to 1 (%.0e off)", cubes);
    const uint64_t folded[4] = {3, 4, 1, 0}, none[7] = {0, 0, 0, 0, 0, 4, 0};
    const tac_asked q = {
        .receipt = {.kind = TAC_KIND_CUBES, .distribution = TAC_LAPLACE, .scale = 2},
        .exact_words = 4,
        .noisy_words = 7,
        .exact = folded,
        .noisy = none};
    CHECK(isnan(tac_asked_log_distribution(&q, 1)), "folded counts say nothing");
}

/* Noise of the door's own hand, 12 numbers a query (two matrices of 3 x 3), 4 queries a run; what
   comes of it after `runs`. */
static tac_suspicion bets_on(int runs, tac_distribution distribution, int wrong_at,
                             double wrong_factor, bool repeat_runs, bool repeat_queries)
{
    enum { NUMBERS = 12, QUERIES = 4 };
    static tac_evidence e;
    static tac_noises before;
    const uint64_t scale = 1000000, exact[NUMBERS] = {5, 6, 7};
    tac_key key;

    memset(&e, 0, sizeof e);
    memset(&before, 0, sizeof before);
    for (int run = 0; run < runs; run++) {
        tac_key_from_insecure_seed(repeat_runs ? 77 : 1000 + (uint64_t)run, &key);
        for (int place = 0; place < QUERIES; place++) {
            uint64_t noisy[NUMBERS];
            memcpy(noisy, exact, sizeof noisy);
            const uint64_t query = repeat_queries ? 0 : (uint64_t)place;
            const tac_trace trace = {
                .scale = scale, .dims = 3, .same = TAC_MOMENT_SAME, .cross = TAC_MOMENT_CROSS};
            if (distribution == TAC_TRACE)
                MUST(tac_add_trace_noise(ctx, NULL, &key, query, &trace, noisy, NUMBERS / 6,
                                         NULL) == TACIT_OK);
            else
                MUST(tac_add_noise(ctx, NULL, &key, query, distribution, scale, noisy, NUMBERS) ==
                     TACIT_OK);
            const tac_asked q = {.receipt = {.kind = TAC_KIND_SUMS,
                                             .distribution = distribution,
                                             .scale = scale,
                                             .dims = distribution == TAC_TRACE ? 3 : 0},
                                 .exact_words = NUMBERS,
                                 .noisy_words = NUMBERS,
                                 .exact = exact,
                                 .noisy = noisy};
            if (place == wrong_at) tac_asked_weaken(&q, wrong_factor, 0, noisy);
            MUST(tac_evidence_add(&e, &before, place, &q));
        }
    }
    return tac_evidence_sum(&e);
}

static void test_evidence(void)
{
    const double sure = log(1e9);
    tac_suspicion s = bets_on(500, TAC_GAUSSIAN, -1, 1, false, false);

    CHECK(s.log_all < sure && fabs(s.size - 1) < 0.03,
          "honest Gaussian noise: %.3f of its size, evidence %.0f", s.size, s.log_all);
    s = bets_on(500, TAC_LAPLACE, -1, 1, false, false);
    CHECK(s.log_all < sure && fabs(s.size - 1) < 0.05,
          "honest Laplace noise: %.3f of its size, evidence %.0f", s.size, s.log_all);
    s = bets_on(500, TAC_TRACE, -1, 1, false, false);
    CHECK(s.log_all < sure && fabs(s.size - 1) < 0.05,
          "honest trace noise: %.3f of its size, evidence %.0f", s.size, s.log_all);
    s = bets_on(60, TAC_TRACE, 2, 0.5, false, false);
    CHECK(s.log_smaller > sure && s.kind != NULL && strcmp(s.kind, "sums") == 0,
          "half the trace noise in one of four queries: evidence %.0f", s.log_all);
    s = bets_on(5, TAC_TRACE, -1, 1, true, false);
    CHECK(s.log_all > sure && s.log_smaller < sure,
          "a key used for two runs with trace noise: evidence %.0f", s.log_all);
    s = bets_on(40, TAC_GAUSSIAN, 2, 0.5, false, false);
    CHECK(s.log_smaller > sure && s.kind != NULL && strcmp(s.kind, "sums") == 0,
          "half the noise in one of four queries: evidence %.0f", s.log_all);
    s = bets_on(1000, TAC_LAPLACE, 0, 0.9, false, false);
    CHECK(s.log_smaller > log(1e4),
          "nine tenths of the noise in one of four queries: evidence %.0f", s.log_all);
    s = bets_on(5, TAC_GAUSSIAN, -1, 1, true, false);
    CHECK(s.log_all > sure && s.log_smaller < sure, "a key used for two runs: evidence %.0f",
          s.log_all);
    s = bets_on(5, TAC_LAPLACE, -1, 1, false, true);
    CHECK(s.log_all > sure && s.log_smaller < sure, "one stream for two queries: evidence %.0f",
          s.log_all);
}

static void test_prices(void)
{
    const uint64_t unit = UINT64_C(1) << TAC_QUANTUM_BITS;
    uint64_t word[4] = {0};
    tac_asked q = {.receipt = {.kind = TAC_KIND_SUMS,
                               .distribution = TAC_GAUSSIAN,
                               .scale = 1000,
                               .sensitivity = 1000000,
                               .batch = -1},
                   .exact_words = 2,
                   .noisy_words = 2,
                   .exact = word,
                   .noisy = word};
    tac_transcript t = {.asked = &q, .count = 1};
    const double epsilon = tac_gauss_epsilon(1, 1e-6);

    q.receipt.quanta = unit + 1;
    CHECK(tac_transcript_paid(&t, tac_claim_quanta(epsilon, 1e-6)) &&
              !tac_transcript_paid(&t, tac_claim_quanta(0.99 * epsilon, 1e-6)),
          "mu = 1 is within its epsilon, and above a smaller one");
    q.receipt.quanta = unit - unit / 1000;
    CHECK(!tac_transcript_paid(&t, tac_claim_quanta(epsilon, 1e-6)), "a price a thousandth too low "
                                                                     "is seen: Gaussian noise");
    q.receipt = (tac_receipt){.kind = TAC_KIND_COUNT,
                              .distribution = TAC_LAPLACE,
                              .scale = 1000,
                              .sensitivity = 500,
                              .quanta = unit / 2,
                              .batch = -1};
    t.pure = q.pure = true;
    CHECK(tac_transcript_paid(&t, tac_claim_quanta(0.5, 0)) &&
              !tac_transcript_paid(&t, tac_claim_quanta(0.499, 0)),
          "epsilon = 0.5 of Laplace noise");
    q.receipt.distribution = TAC_TRACE, q.receipt.dims = 1;
    CHECK(tac_transcript_paid(&t, tac_claim_quanta(0.5, 0)) &&
              !tac_transcript_paid(&t, tac_claim_quanta(0.499, 0)),
          "... and of trace noise");
    q.receipt.distribution = TAC_LAPLACE, q.receipt.dims = 0;
    t.pure = q.pure = false;
    CHECK(!tac_transcript_paid(&t, tac_claim_quanta(11, 1e-6)) ==
              (tac_cost_pure(TAC_GDP, unit / 2) > unit / 2),
          "... on an account of mu");
    q.receipt.quanta = tac_cost_pure(TAC_GDP, unit / 2);
    CHECK(tac_transcript_paid(&t, tac_claim_quanta(11, 1e-6)), "... for what the door asks for it");
    q.receipt.quanta -= q.receipt.quanta / 1000;
    CHECK(!tac_transcript_paid(&t, tac_claim_quanta(11, 1e-6)), "... and for a thousandth less");
    q.receipt = (tac_receipt){.kind = TAC_KIND_CENTERS,
                              .scale = UINT64_C(1) << TAC_SELECTION_BITS,
                              .sensitivity = 9,
                              .batch = -1};
    q.receipt.quanta = tac_cost_selection(TAC_GDP, q.receipt.scale);
    q.noisy_words = 1;
    CHECK(tac_transcript_paid(&t, tac_claim_quanta(11, 1e-6)), "a selection for what the door asks "
                                                               "for it");
    q.receipt.quanta /= 4;
    CHECK(!tac_transcript_paid(&t, tac_claim_quanta(11, 1e-6)), "... and for a quarter of that");
}

/* ---- audits ---- */

static tacit_audit_report audit(const tacit_audit_target *t, double epsilon, double delta,
                                int64_t runs, double confidence, double factor,
                                tacit_neighbors neighbors)
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
    o.neighbors = neighbors;
    if (tacit_audit_run(ctx, &o, &r) != TACIT_OK) {
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

/* Some take long: no search for the best pair, fewer runs. */
static bool is_slow(const tacit_audit_target *t)
{
    static const char *const slow[] = {"sample-aggregate", "balcan", "lsh-tree", "kvariates"};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        if (strcmp(t->name, slow[i]) == 0) return true;
    return false;
}

/* n runs on each of two neighbors, without a search for the best of them: what they show. */
static void attack(const tacit_audit_target *t, double epsilon, double delta,
                   tacit_neighbors neighbors, double factor, int64_t n, tac_tally *tally)
{
    static double room[4][1000];
    static tac_neighbors rows;
    const tac_sample sample[2] = {{room[0], room[1]}, {room[2], room[3]}};
    tac_attack a = {0};

    MUST(n <= 1000);
    for (int32_t f = 0; tac_audit_family_at(f) != NULL; f++)
        if (strcmp(tac_audit_family_at(f)->name, t->family) == 0) a.family = tac_audit_family_at(f);
    tacit_audit_opts_init(&a.opts, sizeof a.opts);
    a.opts.method = t->method;
    a.opts.epsilon = epsilon;
    a.opts.delta = delta;
    a.opts.neighbors = neighbors;
    a.opts.noise_factor = factor;
    MUST(tac_neighbors_make(a.family->counts, neighbors, 0, 1, &rows));
    memset(tally, 0, sizeof *tally);
    if (tac_attack_pairs(ctx, &a, &rows, n, sample, tally) != TACIT_OK)
        CHECK(false, "%s %s: %s", t->family, t->name, tacit_ctx_message(ctx));
}

typedef struct variant {
    tacit_neighbors neighbors;
    double epsilon, delta;
    const char *words;
} variant;

/* Budgets and neighbors that a method takes: mu = 2, and epsilon 3; false: not this one. */
static bool variant_of(const tacit_audit_target *t, int number, variant *v)
{
    static const char *const words[] = {"add-remove", "replace", "entry"};
    const bool pure = number % 2;

    *v = (variant){(tacit_neighbors)(number / 2), pure ? 3 : 10.997, pure ? 0 : 1e-6,
                   words[number / 2]};
    return (pure ? t->pure : t->approximate) && (v->neighbors == TACIT_ENTRY ? t->entry : t->rows);
}

/* As it is: not flagged. */
static double check_honest(const tacit_audit_target *t, const variant *v)
{
    if (is_slow(t)) {
        static tac_tally tally;
        attack(t, v->epsilon, v->delta, v->neighbors, 1, tap_times(10), &tally);
        const double evidence = tac_evidence_sum(&tally.evidence).log_all;
        CHECK(tally.other_queries + tally.too_far + tally.other_release + tally.underpaid == 0 &&
                  evidence < log(1e9),
              "%s %s, delta %g, %s: %lld pairs, the noise is what the receipts say (evidence %.0f)",
              t->family, t->name, v->delta, v->words, (long long)tally.pairs, evidence);
        return (double)tally.pairs;
    }
    const tacit_audit_report r =
        audit(t, v->epsilon, v->delta, strcmp(t->name, "gibbs") == 0 ? 400 : 20, 1 - 1e-8, 1,
              v->neighbors);
    CHECK(r.violation == 0 && r.other_queries == 0 && r.too_far == 0 && r.other_release == 0 &&
              r.underpaid == 0,
          "%s %s, delta %g, %s: %lld pairs, noise %.2f, %s", t->family, t->name, v->delta, v->words,
          (long long)r.pairs, r.noise, r.verdict);
    return (double)r.pairs;
}

/* With half its noise, or draws twice as sharp: flagged as an audit of 20 runs a side would,
   without its pilot runs. The Gibbs sampler shows two lines a run, so it takes more. */
static double check_half(const tacit_audit_target *t, const variant *v)
{
    static tac_tally tally;
    const bool gibbs = strcmp(t->name, "gibbs") == 0;

    attack(t, v->epsilon, v->delta, v->neighbors, 0.5, gibbs ? 200 : 20, &tally);
    const tac_suspicion s = tac_evidence_sum(&tally.evidence);
    CHECK(s.log_smaller > -log(0.1 * 0.001) && tally.untested == 0,
          "%s %s, delta %g, %s: half the noise is seen as %.2f, evidence %.0f", t->family, t->name,
          v->delta, v->words, s.size, s.log_all);
    CHECK(tally.too_far == 0 && tally.other_queries == 0 && tally.underpaid == 0, "... by its "
                                                                                  "noise alone");
    return (double)tally.pairs;
}

static void test_methods(void)
{
    tacit_audit_target t;
    double pairs = 0;
    int methods = 0;
    const clock_t begun = clock();

    for (int32_t i = 0;; i++) {
        tacit_audit_target_init(&t, sizeof t);
        if (tacit_audit_target_get(i, &t) != TACIT_OK) break;
        methods++;
        if (is_short() && i % 4 != 0) continue;
        for (int number = 0; number < 6; number++) {
            variant v;
            if (!variant_of(&t, number, &v) || (is_short() && number % 3 != i / 4 % 3)) continue;
            pairs += check_honest(&t, &v) + check_half(&t, &v);
        }
    }
    int all = tacit_subspace_method_count() + tacit_cocluster_method_count();
    tacit_method m = TACIT_METHOD_INIT;
    for (int32_t i = 0; tacit_kmeans_method_get(i, &m) == TACIT_OK; i++)
        all += (m.means != 0) + (m.median != 0);
    CHECK(methods == all && methods > 20, "all %d methods can be attacked", methods);
    printf("# %.0f pairs, %.0f a second of one processor\n", pairs,
           pairs * CLOCKS_PER_SEC / (double)(clock() - begun));
}

/* At mu = 2, half the noise makes mu = 4, or nearly: measured with 600 runs a side in every family,
   where rows move answers as far as they may. The same runs without the mistake are not flagged. */
static void test_half_noise(void)
{
    static const tacit_audit_target cases[] = {
        {.family = "kmeans", .method = TACIT_KMEANS_LLOYD, .name = "lloyd"},
        {.family = "kmedian", .method = TACIT_KMEANS_AUTO, .name = "auto"},
        {.family = "subspace", .method = TACIT_SUBSPACE_AUTO, .name = "auto"},
        {.family = "cocluster", .method = TACIT_COCLUSTER_AUTO, .name = "auto"},
    };

    for (size_t i = 0; i < (is_short() ? 1 : sizeof cases / sizeof *cases); i++) {
        const tacit_audit_report half =
            audit(&cases[i], 10.997, 1e-6, 600, 0.999, 0.5, TACIT_ADD_REMOVE);
        CHECK(half.violation > 0 && half.mu_measured > half.mu,
              "%s %s with half its noise: mu %.2f measured, %.2f charged: %s", cases[i].family,
              cases[i].name, half.mu_measured, half.mu, half.verdict);
        CHECK(half.too_far == 0 && half.other_queries == 0 && fabs(half.noise - 0.5) < 0.05 &&
                  half.evidence > 4,
              "... by its noise alone");
    }
    const tacit_audit_report whole =
        audit(&cases[0], 10.997, 1e-6, 1000, 1 - 1e-6, 1, TACIT_ADD_REMOVE);
    CHECK(whole.violation == 0 && whole.mu_measured > 1 && whole.mu_measured <= whole.mu &&
              fabs(whole.noise - 1) < 0.05,
          "the same method as it is: mu %.2f measured, %.2f charged, noise %.2f, not flagged",
          whole.mu_measured, whole.mu, whole.noise);
}

/* The sentences: smaller noise where likelihoods see nothing yet, and sharper draws of a method
   without noise. */
static void test_verdicts(void)
{
    const tacit_audit_target means = {.family = "kmeans",
                                      .method = TACIT_KMEANS_KVARIATES,
                                      .name = "kvariates"},
                             gibbs = {.family = "subspace",
                                      .method = TACIT_SUBSPACE_GIBBS,
                                      .name = "gibbs"};
    tacit_audit_report r = audit(&means, 1, 1e-6, 20, 0.999, 0.5, TACIT_ADD_REMOVE);

    CHECK(r.violation && r.measured < 1 &&
              strstr(r.verdict, "noise is smaller than the receipts say") != NULL,
          "%s", r.verdict);
    r = audit(&gibbs, 3, 0, 200, 0.999, 0.5, TACIT_ADD_REMOVE);
    CHECK(r.violation && isnan(r.noise) && r.blind == r.queries && r.untested == 0 &&
              strstr(r.verdict, "more sharply") != NULL,
          "%s", r.verdict);
    r = audit(&means, 1, 1e-6, 20, 0.999, 0, TACIT_ADD_REMOVE);
    CHECK(r.violation && r.noise == 0, "no noise at all: %s", r.verdict);
}

static void test_refusals(void)
{
    tacit_audit_opts o;
    tacit_audit_report r;

    tacit_audit_report_init(&r, sizeof r);
    tacit_audit_opts_init(&o, sizeof o);
    CHECK(tacit_audit_run(ctx, &o, &r) == TACIT_E_BUDGET_UNSET ||
              strstr(tacit_ctx_message(ctx), "epsilon") != NULL,
          "no claim: %s", tacit_ctx_message(ctx));
    o.epsilon = 1;
    CHECK(tacit_audit_run(ctx, &o, &r) == TACIT_E_ARGUMENT, "no family: %s",
          tacit_ctx_message(ctx));
    o.family = "kmeans";
    o.method = 63;
    CHECK(tacit_audit_run(ctx, &o, &r) == TACIT_E_ARGUMENT, "no method: %s",
          tacit_ctx_message(ctx));
    o.method = TACIT_KMEANS_SAMPLE_AGGREGATE;
    CHECK(tacit_audit_run(ctx, &o, &r) == TACIT_E_ARGUMENT &&
              strstr(tacit_ctx_message(ctx), "delta") != NULL,
          "a delta it does not take: %s", tacit_ctx_message(ctx));
    o.method = TACIT_KMEANS_LLOYD;
    o.neighbors = TACIT_ENTRY;
    CHECK(tacit_audit_run(ctx, &o, &r) == TACIT_E_ARGUMENT, "neighbors it does not take: %s",
          tacit_ctx_message(ctx));
    o.neighbors = TACIT_ADD_REMOVE;
    o.runs = 3;
    CHECK(tacit_audit_run(ctx, &o, &r) == TACIT_E_ARGUMENT, "too few runs: %s",
          tacit_ctx_message(ctx));
    o.runs = 20;
    o.confidence = 1;
    CHECK(tacit_audit_run(ctx, &o, &r) == TACIT_E_ARGUMENT, "certainty: %s",
          tacit_ctx_message(ctx));
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
            output[side][i] = (tacit_audit_output){.size = sizeof **output,
                                                   .text = text[side][i],
                                                   .length = strlen(text[side][i]),
                                                   .code = code};
        }
    tacit_audit_opts_init(&o, sizeof o);
    tacit_audit_report_init(&r, sizeof r);
    o.epsilon = epsilon;
    o.delta = delta;
    o.runs = OUTPUTS;
    MUST(tacit_audit_compare(ctx, &o, output[0], output[1], &r) == TACIT_OK);
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
    } broken[] = {{too_loud, "a tenth of the noise"},
                  {by_code, "an exit code"},
                  {by_length, "a length"},
                  {by_atom, "a value that stays"},
                  {by_sum, "a sum"},
                  {by_order, "the larger of two numbers"}};

    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        const tacit_audit_report r = judge(broken[i].run, 1, 0);
        CHECK(r.violation == 1 && r.measured > 1, "%s gives it away: epsilon %.2f by \"%s\"",
              broken[i].what, r.measured, r.attack);
    }
    tacit_audit_report r = judge(honest, 1, 0);
    CHECK(r.violation == 0, "an honest count is not flagged (%.2f by \"%s\")", r.measured,
          r.attack);
    r = judge(nothing, 1e-3, 0);
    CHECK(r.violation == 0 && r.measured == 0, "no output tells nothing");
    r = judge(by_code, 1, 0.05);
    CHECK(r.violation == 1 && judge(by_code, 4, 0.05).violation == 0,
          "only what is proved counts: %.2f", r.measured);
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
    test_trace_density();
    test_trace_distribution();
    test_bets();
    test_evidence();
    test_prices();
    test_outputs();
    test_refusals();
    test_half_noise();
    test_verdicts();
    test_methods();
    tacit_ctx_free(ctx);
    return tap_done();
}
