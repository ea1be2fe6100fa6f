/* SPDX-License-Identifier: Apache-2.0 */
/* Units, costs and the filter: exact integers, rounded against the user, never wrapping. */
#include "privacy/accounting/accountant.h"
#include "privacy/accounting/curve.h"
#include "tap.h"

#include <math.h>

#define UNIT ((tac_u128)1 << TAC_QUANTUM_BITS)

static uint64_t state = 99;

static uint64_t word(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static tac_u128 parse(const char *text)
{
    tac_u128 x = 0;
    for (; *text >= '0' && *text <= '9'; text++) x = x * 10 + (unsigned)(*text - '0');
    return x;
}

static void cost_table(void)
{
    char line[256], name[32], a[64], b[64], answer[64];
    long points = 0, wrong = 0;
    FILE *file = fopen(TEST_DATA "/cost_table.txt", "r");

    MUST(file != NULL);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#') continue;
        MUST(sscanf(line, "%31s %63s %63s %63s", name, a, b, answer) == 4);
        const tac_u128 s = parse(a);
        const uint64_t x = (uint64_t)parse(b), exact = (uint64_t)parse(answer);
        const uint64_t got = strcmp(name, "cost_gaussian") == 0       ? tac_cost_gaussian(s, x)
                             : strcmp(name, "cost_laplace") == 0      ? tac_cost_laplace(s, x)
                             : strcmp(name, "sigma_for") == 0         ? tac_sigma_for(s, x)
                             : strcmp(name, "laplace_scale_for") == 0 ? tac_laplace_scale_for(s, x)
                                                                      : ~exact;
        points++;
        if (got != exact && wrong++ < 5)
            printf("# %s(%s, %s) = %llu\n", name, a, b, (unsigned long long)got);
    }
    fclose(file);
    CHECK(points >= 600, "the table has %ld points", points);
    CHECK(wrong == 0, "costs and scales agree with big integers");
}

/* Small numbers, where ceil(2^50 S / d) fits 128 bits at once. */
static void brute_force(void)
{
    long bad = 0;

    for (uint64_t s = 0; s < 40; s++)
        for (uint64_t sigma = 4; sigma < 60; sigma++) {
            const tac_u128 below = (tac_u128)sigma * sigma - 9;
            if (tac_cost_gaussian(s, sigma) != (uint64_t)((UNIT * s + below - 1) / below)) bad++;
            if (tac_cost_laplace(s, sigma) != (uint64_t)((UNIT * s + sigma - 1) / sigma)) bad++;
        }
    CHECK(bad == 0, "costs of small numbers");
    bad = 0;
    for (uint64_t s = 1; s < 30; s++)
        for (int i = 0; i < 100; i++) {
            const uint64_t quanta = (uint64_t)(UNIT * s / (7 + word() % 3000)) + word() % 3;
            uint64_t sigma = 4, scale = 1;
            while (tac_cost_gaussian(s, sigma) > quanta) sigma++;
            while (tac_cost_laplace(s, scale) > quanta) scale++;
            if (tac_sigma_for(s, quanta) != sigma || tac_laplace_scale_for(s, quanta) != scale)
                bad++;
        }
    CHECK(bad == 0, "smallest scales of small numbers, counted up one by one");
}

static void scales(void)
{
    long bad = 0;

    for (long i = 0; i < tap_times(20000); i++) {
        const tac_u128 s = (((tac_u128)word() << 64) | word()) >> (28 + word() % 100);
        const uint64_t quanta = word() >> (word() % 64);
        const uint64_t sigma = tac_sigma_for(s, quanta), scale = tac_laplace_scale_for(s, quanta);
        const uint64_t paid = tac_cost_gaussian(s, sigma),
                       paid_laplace = tac_cost_laplace(s, scale);
        if (sigma != 0 && (paid > quanta || paid == UINT64_MAX)) bad++;
        if (sigma > 4 && tac_cost_gaussian(s, sigma - 1) <= quanta) bad++;
        if (sigma == 0 && tac_cost_gaussian(s, TAC_SIGMA_MAX) <= quanta) bad++;
        if (scale != 0 && (paid_laplace > quanta || paid_laplace == UINT64_MAX)) bad++;
        if (scale > 1 && tac_cost_laplace(s, scale - 1) <= quanta) bad++;
        if (scale == 0 && tac_cost_laplace(s, TAC_SIGMA_MAX) <= quanta) bad++;
    }
    CHECK(bad == 0, "cost(scale) <= units < cost(scale - 1)");
    CHECK(tac_cost_gaussian(1, 0) == UINT64_MAX && tac_cost_gaussian(1, 3) == UINT64_MAX,
          "sigma of 3 or less has no price");
    CHECK(tac_cost_gaussian(1, TAC_SIGMA_MAX + 1) == UINT64_MAX &&
              tac_cost_gaussian(1, UINT64_MAX) == UINT64_MAX &&
              tac_cost_laplace(1, TAC_SIGMA_MAX + 1) == UINT64_MAX,
          "nor has a scale beyond the sampler's");
    CHECK(tac_cost_laplace(1, 0) == UINT64_MAX, "nor has scale 0");
    CHECK(tac_cost_gaussian(7, 4) == (uint64_t)UNIT, "sigma 4 has an effective square of 7");
    CHECK(tac_cost_gaussian(~(tac_u128)0, 4) == UINT64_MAX &&
              tac_cost_laplace(~(tac_u128)0, TAC_SIGMA_MAX) == UINT64_MAX,
          "a cost that does not fit is UINT64_MAX");
    CHECK(tac_cost_gaussian(1, TAC_SIGMA_MAX) == 1, "no cost rounds down to nothing");
    CHECK(tac_cost_laplace(16384, 1) == UINT64_MAX &&
              tac_cost_laplace(16383, 1) == (uint64_t)(UNIT * 16383),
          "2^14 is the first ratio that does not fit");
    /* 2^50 S / d rounded up is 2^64 although its floor fits: must not wrap to 0 */
    CHECK(tac_cost_laplace((UNIT << 4) - 1, UINT64_C(1) << 40) ==
                  (uint64_t)((UNIT << 14) - (UNIT >> 40)) &&
              tac_cost_gaussian(
                  ((tac_u128)((UINT64_C(1) << 53) + 1) * ((UINT64_C(1) << 53) + 1) - 9) * 16384 - 1,
                  (UINT64_C(1) << 53) + 1) == UINT64_MAX,
          "rounding up to 2^64 does not wrap");
    CHECK(tac_sigma_for(1, 0) == 0 && tac_laplace_scale_for(1, 0) == 0, "nothing buys nothing");
    CHECK(tac_sigma_for((tac_u128)1 << 100, UINT64_MAX) > 4 &&
              tac_laplace_scale_for(UNIT, UINT64_MAX) > 1,
          "a price of UINT64_MAX does not buy what has no price");
}

/* delta of the discrete Gaussian itself, by summing over the integers; v = shift */
static long double discrete_delta(uint64_t sigma, long v, long double epsilon)
{
    const long double s = (long double)sigma, c = 1 / (2 * s * s);
    const long reach = (long)(40 * sigma);
    long double mass = 0, delta = 0;

    for (long x = -reach; x <= reach; x++) mass += expl(-c * (long double)(x * x));
    for (long x = -reach; x <= reach; x++) {
        const long double y = (long double)(x + v);
        const long double p = expl(-c * (long double)(x * x)), q = expl(epsilon - c * y * y);
        if (p > q) delta += p - q;
    }
    return delta / mass;
}

/* What is charged covers the noise that is really drawn; the continuous formula would not. */
static void discrete_noise(void)
{
    long bad = 0, needed = 0;

    for (uint64_t sigma = 4; sigma <= 100; sigma += 1 + sigma / 8)
        for (long v = 1; v <= 3; v++)
            for (int i = 0; i < 40; i++) {
                const double epsilon = 0.05 + 0.1 * i;
                const long double exact = discrete_delta(sigma, v, epsilon);
                if (exact < 1e-25L) continue; /* below the rounding of the sum */
                const uint64_t quanta = tac_cost_gaussian((tac_u128)(v * v), sigma);
                if (tac_gauss_delta(sqrt(ldexp((double)quanta, -TAC_QUANTUM_BITS)), epsilon) <
                    exact)
                    bad++;
                if (tac_gauss_delta((double)v / (double)sigma, epsilon) < exact) needed++;
            }
    CHECK(bad == 0, "the price of discrete noise covers its exact delta");
    CHECK(needed > 20, "the continuous formula fails %ld times, so the correction is needed",
          needed);
    const long double at = discrete_delta(4, 1, 1);
    CHECK(fabsl(at - 3.0555e-6L) < 1e-10L && tac_gauss_delta(0.25, 1) < at, "sigma 4, shift 1, "
                                                                            "epsilon 1");
}

/* units = floor(2^50 x), by comparing, not by computing */
static bool is_floor(uint64_t quanta, double x)
{
    const double scaled = ldexp(x, TAC_QUANTUM_BITS); /* exact */
    if (scaled >= 0x1p53) return (double)quanta == scaled;
    return (double)quanta <= scaled && scaled < (double)quanta + 1;
}

/* units = floor(2^50 x^2): with x = m 2^-k, units 2^(2k - 50) <= m^2 < (units + 1) 2^(2k - 50) */
static bool is_square_floor(uint64_t quanta, double x)
{
    int e;
    const tac_u128 m = (tac_u128)ldexp(frexp(x, &e), 53);
    const int k = 53 - e;
    if (2 * k - TAC_QUANTUM_BITS > 106) return quanta == 0;
    const tac_u128 power = (tac_u128)1 << (2 * k - TAC_QUANTUM_BITS);
    return quanta * power <= m * m && m * m < (quanta + (tac_u128)1) * power;
}

static void budgets(void)
{
    long bad = 0;

    CHECK(tac_budget_quanta(TAC_PURE, 1, 0) == (uint64_t)UNIT, "epsilon 1 is 2^50 units");
    CHECK(tac_budget_quanta(TAC_PURE, 0.1, 0) == UINT64_C(112589990684262), "epsilon 0.1 rounds "
                                                                            "down");
    CHECK(tac_budget_quanta(TAC_PURE, nextafter(1, 0), 0) == (uint64_t)UNIT - 1, "the double below "
                                                                                 "1 buys less than "
                                                                                 "1");
    CHECK(tac_budget_quanta(TAC_PURE, 1000, 0) == (uint64_t)(1000 * UNIT), "epsilon 1000");
    for (int i = 0; i < 2000; i++) {
        const double epsilon = exp(log(1e-6) + (log(1e9)) * (double)(word() >> 11) * 0x1p-53);
        const double delta = pow(10, -1 - 29 * (double)(word() >> 11) * 0x1p-53);
        const uint64_t p = tac_budget_quanta(TAC_PURE, epsilon, 0),
                       g = tac_budget_quanta(TAC_GDP, epsilon, delta);
        if (!is_floor(p, epsilon) || !is_square_floor(g, tac_gauss_mu(epsilon, delta))) bad++;
        /* the whole budget spent is still within what was asked for */
        const double spent = (double)sqrtl(ldexpl((long double)g, -TAC_QUANTUM_BITS));
        if (tac_gauss_delta(spent, epsilon) > delta * (1 + 1e-9)) bad++;
    }
    CHECK(bad == 0, "units are rounded down, by less than one");
    CHECK(tac_budget_quanta(TAC_GDP, 1, 0) == 0, "no delta, no Gaussian budget");
    CHECK(tac_budget_quanta(TAC_PURE, NAN, 0) == 0 && tac_budget_quanta(TAC_PURE, -1, 0) == 0 &&
              tac_budget_quanta(TAC_GDP, NAN, 1e-6) == 0 &&
              tac_budget_quanta(TAC_GDP, -1, 1e-6) == 0 &&
              tac_budget_quanta(TAC_GDP, 1, NAN) == 0 &&
              tac_budget_quanta((tac_definition)7, 1, 1e-6) == 0,
          "nonsense buys nothing");
    CHECK(tac_budget_quanta(TAC_GDP, TAC_EPSILON_MIN, TAC_DELTA_MIN) > 0, "the smallest legal "
                                                                          "budget buys something");
    CHECK(tac_budget_quanta(TAC_GDP, TAC_EPSILON_MAX, TAC_DELTA_MAX) < UINT64_C(1) << 62,
          "the largest fits with room");
    CHECK(tac_budget_quanta(TAC_PURE, INFINITY, 0) <= UINT64_C(1) << 63, "infinity does not "
                                                                         "overflow");
}

/* A hostile caller: any sequence of charges, among them huge ones, zero and ones just above what is
   left. */
static void filter(void)
{
    long bad = 0;

    for (long round = 0; round < tap_times(2000); round++) {
        tac_accountant a = {
            .definition = TAC_GDP, .epsilon = 1, .delta = 1e-6, .budget = word() >> (word() % 64)};
        tac_u128 sum = 0;
        for (int i = 0; i < 50; i++) {
            const uint64_t left = a.budget - a.spent, before = a.spent;
            uint64_t ask;
            switch (word() % 8) {
            case 0: ask = left; break;
            case 1: ask = left + 1; break;
            case 2: ask = UINT64_MAX; break;
            case 3: ask = 0 - a.spent; break; /* would wrap the sum to 0 */
            case 4: ask = 0; break;
            case 5: ask = UINT64_MAX - a.spent + 1 + word() % 5; break;
            default: ask = word() >> (word() % 64);
            }
            const tacit_status status = tac_charge(NULL, &a, ask);
            const bool fits = ask != 0 && ask <= left;
            if (status != (fits ? TACIT_OK : TACIT_E_INTERNAL)) bad++;
            if (fits) sum += ask;
            if (!fits && a.spent != before) bad++;
            if (a.spent > a.budget || (tac_u128)a.spent != sum) bad++;
        }
    }
    CHECK(bad == 0, "no sequence of charges passes the budget, and a refusal charges nothing");

    tac_accountant broken = {.budget = 5, .spent = 9};
    CHECK(tac_charge(NULL, &broken, 1) == TACIT_E_INTERNAL && broken.spent == 9, "an overspent "
                                                                                 "account charges "
                                                                                 "nothing");
    tac_accountant a;
    tac_accountant_open(TAC_PURE, 0.5, 0, &a);
    CHECK(a.definition == TAC_PURE && a.budget == (uint64_t)UNIT / 2 && a.spent == 0 &&
              a.epsilon == 0.5 && a.delta == 0,
          "a fresh account");
    CHECK(tac_charge(NULL, &a, a.budget) == TACIT_OK && tac_charge(NULL, &a, 1) == TACIT_E_INTERNAL,
          "exactly the budget fits, one more does not");
}

static void refusals(void)
{
    static const struct {
        double epsilon, delta;
        tacit_status status;
        const char *word;
    } bad[] = {
        {NAN, 0, TACIT_E_BUDGET_UNSET, "no default"},
        {NAN, NAN, TACIT_E_BUDGET_UNSET, "epsilon = "},
        {0, 0, TACIT_E_ARGUMENT, "epsilon must be greater than 0"},
        {-0.0, 0, TACIT_E_ARGUMENT, "epsilon"},
        {-10, 1e-6, TACIT_E_ARGUMENT, "epsilon"},
        {-INFINITY, 0, TACIT_E_ARGUMENT, "epsilon"},
        {INFINITY, 0, TACIT_E_ARGUMENT, "lower epsilon"},
        {1000.0000000001, 0, TACIT_E_ARGUMENT, "lower epsilon"},
        {0.99e-6, 0, TACIT_E_ARGUMENT, "raise epsilon"},
        {5e-324, 0, TACIT_E_ARGUMENT, "raise epsilon"},
        {1, NAN, TACIT_E_ARGUMENT, "delta"},
        {1, -1e-9, TACIT_E_ARGUMENT, "delta must not be negative"},
        {1, -INFINITY, TACIT_E_ARGUMENT, "delta"},
        {1, INFINITY, TACIT_E_ARGUMENT, "delta is above"},
        {1, 0.1000001, TACIT_E_ARGUMENT, "delta is above"},
        {1, 1, TACIT_E_ARGUMENT, "delta is above"},
        {1, 0.9e-30, TACIT_E_ARGUMENT, "raise delta"},
        {1, 5e-324, TACIT_E_ARGUMENT, "delta is below"},
    };
    tacit_ctx *ctx = NULL;

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(tac_budget_check(ctx, bad[i].epsilon, bad[i].delta) == bad[i].status,
              "(%g, %g) is refused", bad[i].epsilon, bad[i].delta);
        const char *sentence = tacit_ctx_message(ctx);
        CHECK(strstr(sentence, bad[i].word) != NULL && sentence[strlen(sentence) - 1] != '.', "%s",
              sentence);
    }
    CHECK(tac_budget_check(ctx, TAC_EPSILON_MIN, 0) == TACIT_OK &&
              tac_budget_check(ctx, TAC_EPSILON_MAX, TAC_DELTA_MAX) == TACIT_OK &&
              tac_budget_check(ctx, 1, TAC_DELTA_MIN) == TACIT_OK &&
              tac_budget_check(NULL, 1, 1e-6) == TACIT_OK,
          "the limits themselves are allowed");
    CHECK(tac_budget_check(NULL, NAN, 0) == TACIT_E_BUDGET_UNSET, "no context is needed");
    tac_accountant a = {.budget = 1};
    CHECK(tac_charge(ctx, &a, 2) == TACIT_E_INTERNAL && strstr(tacit_ctx_message(ctx), "more than "
                                                                                       "its "
                                                                                       "reserve"
                                                                                       "d") != NULL,
          "%s", tacit_ctx_message(ctx));
    CHECK(tac_charge(ctx, &a, 0) == TACIT_E_INTERNAL &&
              strstr(tacit_ctx_message(ctx), "nothing") != NULL,
          "%s", tacit_ctx_message(ctx));
    tacit_ctx_free(ctx);
}

int main(void)
{
    cost_table();
    brute_force();
    scales();
    discrete_noise();
    budgets();
    filter();
    refusals();
    return tap_done();
}
