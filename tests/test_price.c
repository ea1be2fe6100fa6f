/* SPDX-License-Identifier: Apache-2.0 */
/* What pure queries and selections cost on each account: the price covers the worst pair of
   distributions, is not far above what the worst needs, is rounded up, and the inverse is the
   largest that fits. */
#include "cluster/budget_shares.h"
#include "dice.h"
#include "privacy/accounting/accountant.h"
#include "privacy/accounting/curve.h"
#include "privacy/door_internal.h"
#include "tap.h"

#include <math.h>

static uint64_t state = 99;

static long double upper(long double z) /* Phi(-z) */
{
    return 0.5L * erfcl(z * 0.707106781186547524400844362104849039L);
}

/* z with Phi(-z) = p */
static long double quantile(long double p)
{
    long double low = -45, high = 45;
    for (int i = 0; i < 90; i++) {
        const long double z = (low + high) / 2;
        if (upper(z) > p)
            low = z;
        else
            high = z;
    }
    return (low + high) / 2;
}

static long double mu_of_quanta(uint64_t quanta)
{
    return sqrtl(ldexpl((long double)quanta, -TAC_QUANTUM_BITS));
}

/* The mu that two distributions need: the largest over all tests "reject where P/Q is large" of
   z(type I) + z(type II), which are the corners of the trade-off function. */
static long double mu_needed(const long double *p, const long double *q, int m)
{
    long double most = 0;

    for (int edge = 0; edge < m; edge++) {
        const long double ratio = p[edge] / q[edge];
        long double level = 0, miss = 0;
        for (int i = 0; i < m; i++) {
            if (p[i] / q[i] >= ratio)
                level += q[i]; /* Q is taken for P */
            else
                miss += p[i]; /* P is taken for Q */
        }
        if (miss > 0 && level < 1) most = fmaxl(most, quantile(level) + quantile(miss));
    }
    return most;
}

/* Exponential mechanisms on random neighbors: scores move within a range of 1, so P/Q spans at most
   epsilon. */
static void test_selections(void)
{
    enum { M = 8 };
    const long times = tap_times(20000);
    long beyond = 0;
    long double nearest = 0;

    for (long t = 0; t < times; t++) {
        const int m = 2 + (int)(uniform() * (M - 1));
        const double epsilon = pow(10, -3 + 4.5 * uniform()); /* up to 30 */
        const bool extreme = uniform() < 0.5;
        long double p[M], q[M], total_p = 0, total_q = 0;
        for (int i = 0; i < m; i++) {
            const double score = 3 * uniform(),
                         moved = extreme ? (double)(uniform() < 0.5) : uniform();
            total_p += p[i] = expl(-epsilon * (long double)score);
            total_q += q[i] = expl(-epsilon * (long double)(score + moved));
        }
        for (int i = 0; i < m; i++) p[i] /= total_p, q[i] /= total_q;
        const uint64_t paid =
            tac_cost_selection(TAC_GDP, (uint64_t)ceil(ldexp(epsilon, TAC_SELECTION_BITS)));
        const long double needed = mu_needed(p, q, m);
        beyond += needed > mu_of_quanta(paid) * (1 + 1e-12L);
        nearest = fmaxl(nearest, needed / mu_of_quanta(paid));
    }
    CHECK(beyond == 0,
          "%ld exponential mechanisms need no more mu than was paid (%ld do; nearest %.6Lf)", times,
          beyond, nearest);

    /* Two candidates, every split: the worst is the even one, and it needs all that is paid. */
    long worse = 0, loose = 0;
    for (int e = 0; e < 60; e++) {
        const double epsilon =
            ldexp(ceil(ldexp(pow(10, -4 + 0.1 * e), TAC_SELECTION_BITS)), -TAC_SELECTION_BITS);
        const long double paid =
            mu_of_quanta(tac_cost_selection(TAC_GDP, (uint64_t)ldexp(epsilon, TAC_SELECTION_BITS)));
        if (epsilon > 60) break; /* beyond it the test's own quantiles run out of digits */
        for (int s = -40; s <= 40; s++) {
            const long double x = -0.5L * epsilon + 0.05L * s * (1 + epsilon), y = x + epsilon;
            const long double needed = quantile(1 / (1 + expl(y))) + quantile(1 / (1 + expl(-x)));
            worse += needed > paid * (1 + 1e-12L);
            if (s == 0) loose += needed < paid * (1 - 1e-6L) && paid > 1e-3L;
        }
    }
    CHECK(worse == 0 && loose == 0, "between two candidates the even split is the worst and needs "
                                    "the whole price");
}

/* A pure query needs what randomized response needs. */
static void test_pure(void)
{
    long worse = 0, loose = 0;

    for (int e = 0; e < 50; e++) {
        const uint64_t quanta = (uint64_t)ldexp(pow(10, -4 + 0.1 * e), TAC_QUANTUM_BITS);
        const long double epsilon = ldexpl((long double)quanta, -TAC_QUANTUM_BITS),
                          z = quantile(1 / (1 + expl(epsilon)));
        const long double paid = mu_of_quanta(tac_cost_pure(TAC_GDP, quanta));
        if (epsilon > 30) break;
        worse += 2 * z > paid * (1 + 1e-13L);
        loose += 2 * z < paid * (1 - 1e-6L) && paid > 1e-3L;
    }
    CHECK(worse == 0 && loose == 0, "a pure query pays the mu of randomized response");
}

static void test_rounding(void)
{
    long bad = 0, greedy = 0, wasted = 0, mixed = 0;

    for (int i = 0; i < 2000; i++) {
        const uint64_t quanta = (uint64_t)ldexp(pow(10, -9 + 11 * uniform()), TAC_QUANTUM_BITS);
        for (int definition = TAC_PURE; definition <= TAC_GDP; definition++) {
            uint64_t cost;
            const uint64_t e = tac_selection_epsilon((tac_definition)definition, quanta, &cost),
                           p = tac_pure_for((tac_definition)definition, quanta);
            bad += cost != tac_cost_selection((tac_definition)definition, e);
            greedy += cost > quanta || tac_cost_pure((tac_definition)definition, p) > quanta;
            if (e < TAC_SELECTION_MOST)
                wasted += tac_cost_selection((tac_definition)definition, e + 1) <= quanta;
            wasted += tac_cost_pure((tac_definition)definition, p + 1) <= quanta;
            /* What is charged for half is at most what is charged for all. */
            mixed += tac_cost_pure((tac_definition)definition, p / 2) >
                     tac_cost_pure((tac_definition)definition, p);
        }
        const long double mu =
            tac_gauss_mu_of_pure(ldexp((double)(quanta >> 12), 12 - TAC_QUANTUM_BITS));
        if (mu < 60)
            bad += ldexpl((long double)tac_cost_pure(TAC_GDP, quanta >> 12 << 12),
                          -TAC_QUANTUM_BITS) < mu * mu * (1 - 0x1p-60L);
    }
    CHECK(bad == 0, "prices are rounded up");
    CHECK(greedy == 0 && wasted == 0,
          "the largest epsilon that a price buys (%ld cost more, %ld could be larger)", greedy,
          wasted);
    CHECK(mixed == 0, "less epsilon never costs more");
    CHECK(tac_cost_selection(TAC_PURE, UINT64_C(8) << TAC_SELECTION_BITS) ==
              UINT64_C(8) << TAC_QUANTUM_BITS,
          "a selection on a pure account costs its epsilon");
    CHECK(tac_cost_pure(TAC_GDP, UINT64_MAX) == UINT64_MAX &&
              tac_cost_selection(TAC_GDP, UINT64_MAX) == UINT64_MAX &&
              tac_cost_pure(TAC_GDP, UINT64_C(5000) << 50) == UINT64_MAX,
          "what does not fit cannot be paid");
    CHECK(tac_cost_pure(TAC_GDP, 1) == 1 && tac_cost_selection(TAC_GDP, 1) >= 1, "nothing is free");
    uint64_t cost;
    CHECK(tac_selection_epsilon(TAC_GDP, 0, &cost) == 0 && cost == 0 &&
              tac_pure_for(TAC_GDP, 0) == 0,
          "nothing buys nothing");
}

/* Second moments on a pure account: epsilon = R M^2 / scale with trace noise, and the distribution
   is the one with less noise. */
static void test_moments(void)
{
    long wrong_scale = 0, wrong_distribution = 0, wrong_size = 0;

    for (int i = 0; i < 400; i++) {
        const uint64_t quanta = (uint64_t)ldexp(pow(10, -5 + 7 * uniform()), TAC_QUANTUM_BITS),
                       m = 1 + (uint64_t)(uniform() * 9);
        const int32_t dims = 2 + (int32_t)(uniform() * 500);
        for (int relation = 0; relation < 3; relation++) {
            const tac_privacy_params t = {TAC_PURE, (tacit_neighbors)relation, (int32_t)m};
            const uint64_t s = tac_quote_moments(&t, dims, quanta);
            const tac_u128 reach =
                (tac_u128)(relation == TACIT_ADD_REMOVE ? 1 : 2) * m * TAC_M * TAC_M
                << TAC_QUANTUM_BITS;
            wrong_scale += tac_moments_distribution(&t, dims) != TAC_TRACE ||
                           (tac_u128)s * quanta < reach ||
                           (s > 1 && (tac_u128)(s - 1) * quanta >= reach);
            const double sd = tac_moments_sd(&t, dims, quanta);
            wrong_size += fabs(sd / (5 * sqrt(dims + 1) * (double)s) - 1) > 1e-12;
        }
    }
    CHECK(wrong_scale == 0, "trace noise: the least scale with R M^2 / scale <= epsilon, R twice "
                            "as large where a row is replaced");
    CHECK(wrong_size == 0, "... and its standard deviation is 5 scale sqrt(dims + 1)");
    for (int32_t dims = 1; dims <= 3000; dims += dims < 60 ? 1 : 97) /* |x|_1^2 <= most |x|^2 */
        for (int32_t most = 1; most <= dims; most += most < 60 ? 1 : 97) {
            const tac_sensitivity s = tac_sensitivity_moments(TACIT_REPLACE, 3, dims, most);
            const double laplace = sqrt(2) * (double)s.l1,
                         trace = 7 * sqrt((dims + 1) / 2.0) * 6 * TAC_M * (double)TAC_M;
            wrong_distribution +=
                (s.trace > 0) != (dims > 1 && dims <= 2048 && trace < laplace * (1 - 1e-12));
            wrong_distribution +=
                s.trace > 0 && (s.dims != dims || s.trace != (tac_u128)6 * TAC_M * TAC_M);
        }
    CHECK(wrong_distribution == 0,
          "trace noise is taken where it is smaller than Laplace noise, up to 2048 dims (%ld times "
          "not)",
          wrong_distribution);
}

int main(void)
{
    test_moments();
    test_selections();
    test_pure();
    test_rounding();
    return tap_done();
}
