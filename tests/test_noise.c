/* SPDX-License-Identifier: Apache-2.0 */
/* The distributions of the noise and its layout. Each statistic raises a false alarm for one seed
   in a million. */
#include "cluster/budget_shares.h"
#include "engine/engine.h"
#include "noise_fit.h"
#include "privacy/noise/noise_internal.h"

#include <pthread.h>

#define MANY 4194304

static int64_t draws[MANY], others[MANY];
static const char *const names[] = {"Gaussian", "Laplace"};

static void open_stream(uint64_t seed, uint64_t query, uint64_t block, tac_stream *s)
{
    tac_key key;
    tac_key_from_insecure_seed(seed, &key);
    MUST(tac_stream_open(NULL, &key, query, block, s) == TACIT_OK);
}

static void fill(tac_stream *s, tac_distribution distribution, uint64_t scale, bool exact,
                 long count)
{
    tac_scale prepared;
    tac_scale_set(scale, &prepared);
    (distribution == TAC_GAUSSIAN ? tac_gaussian_fill : tac_laplace_fill)(
        s, &prepared, exact, draws, NULL, (size_t)count);
}

static void test_small_scales(void)
{
    static tac_stream s;
    const uint64_t scales[] = {1, 2, 3, 10, 100};
    const long rounds = tap_times(1);

    for (int distribution = 0; distribution < 2; distribution++)
        for (size_t i = 0; i < 5; i++)
            for (long round = 0; round < rounds; round++) {
                open_stream(100 + (uint64_t)round, (uint64_t)distribution, i, &s);
                fill(&s, (tac_distribution)distribution, scales[i], false, MANY);
                const double z =
                    small_scale_z(draws, (tac_distribution)distribution, scales[i], MANY);
                CHECK(fabs(z) < ALARM, "%s %d: chi-square z = %.2f", names[distribution],
                      (int)scales[i], z);
            }
    for (int distribution = 0; distribution < 2; distribution++) {
        open_stream(200, (uint64_t)distribution, 0, &s);
        fill(&s, (tac_distribution)distribution, 3, true, MANY / 16);
        const double z = small_scale_z(draws, (tac_distribution)distribution, 3, MANY / 16);
        CHECK(fabs(z) < ALARM, "%s 3, every coin by the slow path: z = %.2f", names[distribution],
              z);
    }
}

/* 2^20, 2^40, 2^54 and a scale that is no power of two: bins of scale/8, moments, tails,
   residues. */
static void test_large_scales(tac_distribution distribution, uint64_t scale)
{
    static tac_stream s;
    double two = 0, four = 0;
    const double n = MANY;
    char name[32];
    long beyond[2] = {0};

    snprintf(name, sizeof name, "%s %.3g", names[distribution], (double)scale);
    open_stream(300, scale, (uint64_t)distribution, &s);
    fill(&s, distribution, scale, false, MANY);
    for (long i = 0; i < MANY; i++) {
        const double t = (double)draws[i] / (double)scale;
        two += t * t;
        four += t * t * t * t;
        beyond[0] += fabs(t) > 3;
        beyond[1] += fabs(t) > 4.5;
    }
    const double z = large_scale_z(draws, distribution, scale, MANY);
    CHECK(fabs(z) < ALARM, "%s: chi-square z = %.2f", name, z);
    /* E t^2, E t^4 and their variances: Gaussian 1, 3, 2, 96; Laplace 2, 24, 20, 40320 - 576. */
    const double z2 =
        distribution == TAC_GAUSSIAN ? (two / n - 1) / sqrt(2 / n) : (two / n - 2) / sqrt(20 / n);
    const double z4 = distribution == TAC_GAUSSIAN ? (four / n - 3) / sqrt(96 / n)
                                                   : (four / n - 24) / sqrt(39744 / n);
    CHECK(fabs(z2) < ALARM && fabs(z4) < ALARM, "%s: second and fourth moment z = %.2f, %.2f", name,
          z2, z4);
    const double t3 = coin_z((double)beyond[0], n, 2 * below_continuous(distribution, -3));
    const double t45 = coin_z((double)beyond[1], n, 2 * below_continuous(distribution, -4.5));
    CHECK(fabs(t3) < ALARM && fabs(t45) < ALARM, "%s: tails beyond 3 and 4.5 z = %.2f, %.2f", name,
          t3, t45);
    /* No holes: the low digits in every base are as good as uniform at these scales. */
    const int bases[] = {2, 3, 5, 7, 11, 13, 256};
    double worst = 0;
    for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
        int64_t residue[256] = {0};
        double even[256];
        for (int i = 0; i < bases[b]; i++) even[i] = 1.0 / bases[b];
        for (long i = 0; i < MANY; i++) residue[(draws[i] % bases[b] + bases[b]) % bases[b]]++;
        const double r = bases[b] > 5 ? fit_z(residue, even, bases[b], n)
                                      : coin_z((double)residue[0], n, even[0]);
        if (fabs(r) > worst) worst = fabs(r);
    }
    CHECK(worst < ALARM, "%s: residues mod 2 3 5 7 11 13 256, worst z = %.2f", name, worst);
}

/* What releases call one standard deviation of the noise is that of the noise drawn. The mean
   square has a relative standard deviation of sqrt(2 / n), Gaussian, and sqrt(5 / n), Laplace. */
static void test_error_bars(tac_distribution distribution)
{
    const uint64_t scale = 100000;
    static tac_stream s;
    double squares = 0;

    open_stream(77, 3, 0, &s);
    fill(&s, distribution, scale, false, MANY);
    for (long i = 0; i < MANY; i++) squares += (double)draws[i] * (double)draws[i] / MANY;
    const double z = (squares / pow(tac_noise_sd(distribution, scale), 2) - 1) /
                     sqrt((distribution == TAC_GAUSSIAN ? 2.0 : 5.0) / MANY);
    CHECK(fabs(z) < ALARM, "%s: an error bar is the standard deviation of the noise (z = %.2f)",
          names[distribution], z);
}

static void test_independence(void)
{
    static tac_stream s;
    double worst = 0;
    const uint64_t scale = 1000;

    open_stream(400, 0, 0, &s);
    fill(&s, TAC_GAUSSIAN, scale, false, MANY);
    for (long lag = 1; lag <= 16; lag++)
        worst = fmax(worst, fabs(correlation_z(draws, draws + lag, MANY - lag)));
    CHECK(worst < ALARM, "no correlation at lags 1 to 16: worst z = %.2f", worst);

    const uint64_t named[4][2] = {{1, 0}, {0, 1}, {1, 1}, {UINT64_C(1) << 40, 0}};
    memcpy(others, draws, sizeof draws);
    worst = 0;
    for (int i = 0; i < 4; i++) {
        open_stream(400, named[i][0], named[i][1], &s);
        fill(&s, TAC_GAUSSIAN, scale, false, MANY);
        worst = fmax(worst, fabs(correlation_z(draws, others, MANY)));
    }
    CHECK(worst < ALARM, "nor between queries and blocks: worst z = %.2f", worst);
    /* Sign and size of neighbors, and sizes alone: what a linear correlation would miss. */
    /* E|x| = sigma sqrt(2/pi) = 797.9 */
    for (long i = 0; i < MANY; i++) draws[i] = llabs(draws[i]) - 798;
    worst = 0;
    for (long lag = 1; lag <= 4; lag++)
        worst = fmax(worst, fabs(correlation_z(draws, draws + lag, MANY - lag)));
    CHECK(worst < ALARM, "nor between sizes of neighbors: worst z = %.2f", worst);
}

/* Small engines: one worker backwards, and three workers taking turns. */
typedef struct worker_job {
    tac_block_fn body;
    void *state;
    int64_t blocks;
    int worker;
    tacit_status status;
} worker_job;

static tacit_status map_backwards(const tac_engine *self, const tacit_ctx *ctx, int64_t blocks,
                                  tac_block_fn body, void *state)
{
    (void)self;
    for (int64_t i = blocks; i-- > 0;) {
        tacit_status status = tac_check_cancel(ctx);
        if (status == TACIT_OK) status = body(state, i, 0);
        if (status != TACIT_OK) return status;
    }
    return TACIT_OK;
}

static void *run_worker(void *argument)
{
    worker_job *job = argument;
    for (int64_t i = job->worker; i < job->blocks && job->status == TACIT_OK; i += 3)
        job->status = job->body(job->state, i, job->worker);
    return NULL;
}

static tacit_status map_three(const tac_engine *self, const tacit_ctx *ctx, int64_t blocks,
                              tac_block_fn body, void *state)
{
    pthread_t threads[3];
    worker_job jobs[3];
    (void)self;
    (void)ctx;
    for (int i = 0; i < 3; i++) {
        jobs[i] = (worker_job){body, state, blocks, i, TACIT_OK};
        MUST(pthread_create(&threads[i], NULL, run_worker, &jobs[i]) == 0);
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return TACIT_OK;
}

static void test_layout(tacit_ctx *ctx, tac_distribution distribution)
{
    enum { COUNT = 5 * TAC_NOISE_BLOCK + 17 };
    static uint64_t a[COUNT], b[COUNT];
    static tac_stream s;
    const tac_engine backwards = {.workers = 1, .map = map_backwards},
                     three = {.workers = 3, .map = map_three};
    const tac_engine *engines[] = {&backwards, &three};
    tac_key key;
    bool same;

    tac_key_from_insecure_seed(500, &key);
    memset(a, 0, sizeof a);
    MUST(tac_add_noise(ctx, NULL, &key, 9, distribution, 1000, a, COUNT) == TACIT_OK);
    for (int e = 0; e < 2; e++) {
        memset(b, 0, sizeof b);
        MUST(tac_add_noise(ctx, engines[e], &key, 9, distribution, 1000, b, COUNT) == TACIT_OK);
        CHECK(memcmp(a, b, sizeof a) == 0, "distribution %d: %d workers give the serial noise",
              distribution, engines[e]->workers);
    }
    const size_t prefixes[] = {0, 1, 511, 512, 513, 4095, 4096, 4097, 10000};
    same = true;
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
        memset(b, 0, sizeof b);
        MUST(tac_add_noise(ctx, NULL, &key, 9, distribution, 1000, b, prefixes[p]) == TACIT_OK);
        same &= memcmp(a, b, prefixes[p] * sizeof *a) == 0;
        for (size_t i = prefixes[p]; i < COUNT; i++) same &= b[i] == 0;
    }
    CHECK(same,
          "distribution %d: a shorter answer gets a prefix of the noise and nothing beyond is "
          "touched",
          distribution);
    same = true;
    for (uint64_t block = 0; block < 2; block++) {
        MUST(tac_stream_open(ctx, &key, 9, block, &s) == TACIT_OK);
        for (size_t i = 0; i < TAC_NOISE_BLOCK; i++) {
            const int64_t x = (distribution == TAC_GAUSSIAN ? tac_discrete_gaussian
                                                            : tac_discrete_laplace)(&s, 1000);
            same &= (uint64_t)x == a[block * TAC_NOISE_BLOCK + i];
        }
    }
    CHECK(same, "distribution %d: it is the block's stream drawn one by one", distribution);
    for (size_t i = 0; i < COUNT; i++) b[i] = UINT64_MAX - i;
    MUST(tac_add_noise(ctx, NULL, &key, 9, distribution, 1000, b, COUNT) == TACIT_OK);
    same = true;
    for (size_t i = 0; i < COUNT; i++) same &= b[i] == a[i] + UINT64_MAX - i;
    CHECK(same, "distribution %d: added modulo 2^64", distribution);
    memset(b, 0, sizeof b);
    MUST(tac_add_noise(ctx, NULL, &key, 10, distribution, 1000, b, COUNT) == TACIT_OK);
    CHECK(memcmp(a, b, sizeof a) != 0, "distribution %d: another query, other noise", distribution);
    tac_key_from_insecure_seed(501, &key);
    memset(b, 0, sizeof b);
    MUST(tac_add_noise(ctx, NULL, &key, 9, distribution, 1000, b, COUNT) == TACIT_OK);
    CHECK(memcmp(a, b, sizeof a) != 0, "distribution %d: another key, other noise", distribution);
}

static void test_refusals(tacit_ctx *ctx)
{
    const tac_engine backwards = {.workers = 1, .map = map_backwards};
    uint64_t values[4] = {1, 2, 3, 4};
    const uint64_t zero[4] = {0};
    tac_key key;

    tac_key_from_insecure_seed(600, &key);
    CHECK(tac_add_noise(ctx, NULL, &key, 0, TAC_GAUSSIAN, 0, values, 4) == TACIT_E_INTERNAL &&
              memcmp(values, zero, sizeof zero) == 0,
          "scale 0 is refused and the values are wiped");
    CHECK(tac_add_noise(ctx, NULL, &key, 0, TAC_LAPLACE, TAC_SIGMA_MAX + 1, values, 4) ==
              TACIT_E_INTERNAL,
          "a scale beyond 2^54 is refused");
    CHECK(tac_add_noise(ctx, NULL, &key, 0, (tac_distribution)2, 5, values, 4) == TACIT_E_INTERNAL,
          "an unknown distribution is refused");
    tacit_ctx_cancel(ctx);
    values[0] = values[3] = 7;
    CHECK(tac_add_noise(ctx, NULL, &key, 0, TAC_GAUSSIAN, 5, values, 4) == TACIT_E_CANCELLED &&
              memcmp(values, zero, sizeof zero) == 0,
          "canceled: nothing without noise is left behind");
    values[0] = values[3] = 7;
    CHECK(tac_add_noise(ctx, &backwards, &key, 0, TAC_GAUSSIAN, 5, values, 4) ==
                  TACIT_E_CANCELLED &&
              memcmp(values, zero, sizeof zero) == 0,
          "the same through an engine");
}

int main(void)
{
    tacit_ctx *ctx = NULL;
    const uint64_t scales[] = {UINT64_C(1) << 20, UINT64_C(1) << 40, TAC_SIGMA_MAX,
                               UINT64_C(1234567890123)};

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_small_scales();
    for (int distribution = 0; distribution < 2; distribution++)
        for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
            test_large_scales((tac_distribution)distribution, scales[i]);
    test_error_bars(TAC_GAUSSIAN);
    test_error_bars(TAC_LAPLACE);
    test_independence();
    test_layout(ctx, TAC_GAUSSIAN);
    test_layout(ctx, TAC_LAPLACE);
    test_refusals(ctx);
    tacit_ctx_free(ctx);
    return tap_done();
}
