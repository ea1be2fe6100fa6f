/* SPDX-License-Identifier: Apache-2.0 */
/* The privacy curves against exact values in 60 digits: never on the wrong side, never more than
   1e-9 away. */
#include "privacy/accounting/curve.h"
#include "privacy/accounting/mills.h"
#include "privacy/accounting/one_sided.h"
#include "tap.h"

#include <float.h>
#include <math.h>

/* 1e-9 where long double has 64 bits; elsewhere (also under valgrind) the bounds hold but are
   looser. */
static bool precise(void)
{
    return tac_ulp() < 1e-18L;
}

#define CLOSE (precise() ? 1e-9L : 1e-6L)

typedef struct curve {
    const char *name;
    double (*two)(double, double);
    int side; /* +1: must not be below the exact value, -1: must not be above */
    long points, wrong, far;
    long double worst; /* relative distance on the right side */
} curve;

static double pure(double epsilon, double unused)
{
    (void)unused;
    return tac_gauss_mu_of_pure(epsilon);
}

static curve curves[] = {
    {.name = "gauss_delta", .two = tac_gauss_delta, .side = 1},
    {.name = "gauss_epsilon", .two = tac_gauss_epsilon, .side = 1},
    {.name = "gauss_mu", .two = tac_gauss_mu, .side = -1},
    {.name = "mu_of_pure", .two = pure, .side = 1},
};
#define CURVES (sizeof curves / sizeof curves[0])

static void one_point(curve *c, double x, double y, long double exact)
{
    const long double got = c->two(x, y);
    const long double above = (got - exact) * (long double)c->side; /* >= 0 is the safe side */

    const bool wrong = !(above >= 0), far = !wrong && !(above <= CLOSE * exact);

    c->points++;
    c->wrong += wrong;
    c->far += far;
    if ((wrong || far) && c->wrong + c->far <= 5)
        printf("# %s(%.17g, %.17g) = %.20Lg, exact %.20Lg: %s\n", c->name, x, y, got, exact,
               wrong ? "wrong side" : "too far");
    if (exact > 0 && above / exact > c->worst) c->worst = above / exact;
}

static void table(void)
{
    char line[256], name[32];
    double x, y;
    long double exact;
    FILE *file = fopen(TEST_DATA "/curve_table.txt", "r");

    MUST(file != NULL);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#') continue;
        MUST(sscanf(line, "%31s %lf %lf %Lf", name, &x, &y, &exact) == 4);
        size_t i = 0;
        while (i < CURVES && strcmp(curves[i].name, name) != 0) i++;
        MUST(i < CURVES);
        one_point(&curves[i], x, y, exact);
    }
    fclose(file);
    for (size_t i = 0; i < CURVES; i++) {
        const curve *c = &curves[i];
        CHECK(c->points >= 1400, "%s: the table has %ld points", c->name, c->points);
        CHECK(c->wrong == 0, "%s: never on the wrong side of the exact value", c->name);
        CHECK(c->far == 0, "%s: within %.0Lg (worst %.2Lg)", c->name, CLOSE, c->worst);
    }
}

/* Vectors from other programs: sigma, number of queries of sensitivity 1, delta, exact epsilon. */
static void vectors(void)
{
    static const struct {
        double sigma, count, delta, exact;
    } v[] = {
        {1, 1, 1e-5, 4.3771780956812},       {5, 1, 1e-6, 0.83411754862405},
        {4.5, 1, 1e-6, 0.9342458268874},     {10, 5, 1e-6, 0.94051552653078},
        {20, 20, 1e-6, 0.94051552653078},    {50, 100, 1e-6, 0.83411754862405},
        {2, 10, 1e-9, 10.321313596343},      {0.5, 1, 1e-10, 14.274089645078},
        {100, 1000, 1e-8, 1.6586571099772},  {30, 50, 1e-12, 1.5701954406332},
        {1000, 1, 1e-5, 0.0019387249698601}, {3, 7, 0.01, 1.9584817263404},
    };
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        const double square = v[i].count / (v[i].sigma * v[i].sigma);
        const double gauss = tac_gauss_epsilon(sqrt(square), v[i].delta);
        CHECK(fabs(gauss / v[i].exact - 1) < 1e-12, "vector %zu, exact", i + 1);
    }
    static const struct {
        double delta, rho;
    } inverse[] = {{1e-5, 0.0359257023}, {1e-6, 0.0280144819}, {1e-9, 0.0165574152}};
    for (size_t i = 0; i < 3; i++) {
        const double mu = tac_gauss_mu(1, inverse[i].delta);
        CHECK(fabs(mu * mu / 2 - inverse[i].rho) < 6e-11, "largest mu^2 / 2 at epsilon 1, delta %g",
              inverse[i].delta);
    }
    CHECK(fabs(tac_gauss_mu(1, 1e-6) - 0.2367043807) < 6e-11, "mu at (1, 1e-6)");
}

static uint64_t state = 12345;

static double uniform(double low, double high)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

static double log_uniform(double low, double high)
{
    return exp(uniform(log(low), log(high)));
}

/* What a curve promises must be kept by its inverse: going there and back never gains privacy. */
static void round_trips(void)
{
    long gains = 0, losses = 0, order = 0;
    const long times = tap_times(3000);
    const double loose = precise() ? 1e-12 : 1e-9;

    for (long i = 0; i < times; i++) {
        const double epsilon = log_uniform(1e-6, 1000), delta = log_uniform(1e-30, 0.1);
        const double mu = tac_gauss_mu(epsilon, delta), d = tac_gauss_delta(mu, epsilon);
        /* mu is a lower bound, delta an upper one: together they may pass the target by the
           rounding of exp */
        if (d > delta * (1 + loose)) gains++;
        if (d < delta * (1 - 1e-8)) losses++;
        /* more noise, less delta and epsilon; more budget, more mu */
        const double less = mu * uniform(0.5, 0.999);
        if (tac_gauss_delta(less, epsilon) > d) order++;
        if (tac_gauss_epsilon(less, delta) > tac_gauss_epsilon(mu, delta)) order++;
        if (tac_gauss_delta(mu, epsilon * uniform(1.001, 2)) > d) order++;
        if (tac_gauss_mu(epsilon * uniform(1.001, 2), delta) < mu) order++;
        if (tac_gauss_mu_of_pure(epsilon * uniform(1.001, 2)) < tac_gauss_mu_of_pure(epsilon))
            order++;
    }
    CHECK(gains == 0, "a budget's mu keeps within its delta");
    CHECK(losses == 0, "and nearly use it up");
    CHECK(order == 0, "all curves are monotone");
}

/* Identities that use none of the curves' own formulas. */
static void identities(void)
{
    long bad = 0;

    for (int i = 0; i < 200; i++) {
        const double mu = log_uniform(1e-7, 60), epsilon = log_uniform(1e-6, 1000);
        /* delta(0) is the total variation distance, 2 Phi(mu/2) - 1 */
        if (fabsl(tac_gauss_delta(mu, 0) / erfl(mu / (2 * sqrtl(2))) - 1) > 1e-9L) bad++;
        /* an epsilon-DP mechanism at its mu: total variation tanh(eps/2) */
        const double p = tac_gauss_mu_of_pure(epsilon);
        if (epsilon < 40 && fabsl(erfl(p / (2 * sqrtl(2))) / tanhl(epsilon / 2) - 1) > 1e-9L) bad++;
    }
    CHECK(bad == 0, "total variation of the Gaussian and of randomized response");
    CHECK(fabsl(tac_mills(0) - 1.2533141373155002512L) < 1e-17L, "Mills ratio at 0");
    CHECK(fabsl(tac_mills(3) / 0.30459029871010330057L - 1) < 1e-16L, "Mills ratio at 3");
    CHECK(fabsl(tac_mills(2.9999999999L) - tac_mills(3.0000000001L)) < 2e-11L, "Mills ratio has no "
                                                                               "step where the "
                                                                               "method changes");
    CHECK(fabsl(tac_mills_fall(3 - 1e-12L) / tac_mills_fall(3 + 1e-12L) - 1) < 2e-12L, "nor has "
                                                                                       "its slope");
    CHECK(fabsl(tac_mills(1e6L) * 1e6L - 1 + 1e-12L) < 1e-15L, "Mills ratio far out is 1/x - "
                                                               "1/x^3");
}

/* Nonsense in: the answer that promises least. */
static void nonsense(void)
{
    CHECK(tac_gauss_delta(NAN, 1) == 1 && tac_gauss_delta(1, NAN) == 1 &&
              tac_gauss_delta(-1, 1) == 1 && tac_gauss_delta(1, -1) == 1 &&
              tac_gauss_delta(INFINITY, 1) == 1,
          "gauss_delta: 1");
    CHECK(tac_gauss_epsilon(NAN, .1) == INFINITY && tac_gauss_epsilon(1, NAN) == INFINITY &&
              tac_gauss_epsilon(-1, .1) == INFINITY && tac_gauss_epsilon(1, -1) == INFINITY &&
              tac_gauss_epsilon(1, 0) == INFINITY && tac_gauss_epsilon(INFINITY, .1) == INFINITY,
          "gauss_epsilon: infinite");
    CHECK(tac_gauss_mu(NAN, .1) == 0 && tac_gauss_mu(1, NAN) == 0 && tac_gauss_mu(-1, .1) == 0 &&
              tac_gauss_mu(1, 0) == 0 && tac_gauss_mu(1, -1) == 0 && tac_gauss_mu(1, 2) == 0,
          "gauss_mu: 0");
    CHECK(tac_gauss_mu_of_pure(NAN) == INFINITY && tac_gauss_mu_of_pure(-1) == INFINITY &&
              tac_gauss_mu_of_pure(INFINITY) == INFINITY && tac_gauss_mu_of_pure(0) == 0,
          "mu_of_pure: infinite");
    CHECK(tac_gauss_delta(0, 1) == 0 && tac_gauss_epsilon(0, 1e-6) == 0, "nothing was asked, "
                                                                         "nothing was lost");
    CHECK(tac_gauss_delta(0.01, 1000) == DBL_MIN, "a delta too small for a double rounds up to the "
                                                  "smallest normal one");
    CHECK(tac_gauss_epsilon(0.1, 0.1) == 0, "epsilon is 0 where delta(0) is small enough");
}

int main(void)
{
    table();
    vectors();
    round_trips();
    identities();
    nonsense();
    return tap_done();
}
