/* SPDX-License-Identifier: Apache-2.0 */
/* The noise that runs really add, with the operating system's key: noisy less exact answer, seen
   through the probe of the door. Goodness of fit, size, sign and low digits; independence of
   coordinates, queries, runs, processes and threads; no noise comes twice. The key is fresh every
   time, so a right program must all but never fail: each statistic raises a false alarm once in
   10^8, and there are fewer than 80, less than 10^-6 in all (statistics are sums of 10^5 terms and
   more, so the tail of the normal distribution holds to a factor of 2 there). How wrong a size must
   be to be seen with 99 % power is in its line. */
#include "noise_fit.h"
#include "privacy/run.h"
#include "narrow.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT 5.7307                                /* two-sided, 10^-8 */
#define POWER 2.3263                                /* 99 % */
enum { N = 1 << 18, MOST_QUERIES = 16, OTHER = 2 }; /* coordinates of a query: 64 streams of 4096 */

static const char *const distribution_name[] = {"Gaussian", "Laplace"};

/* ---- a run and its noise ---- */

typedef struct recorder {
    uint64_t *exact;
    int64_t *noise; /* of all queries, one after the other */
    size_t queries;
    uint64_t scale;
    tac_distribution distribution;
    tac_key *kept;       /* NULL, or gets the run's key */
    const tac_key *used; /* NULL, or takes its place */
} recorder;

static void on_key(void *payload, tac_key *key)
{
    recorder *r = payload;
    if (r->used != NULL) *key = *r->used;
    if (r->kept != NULL) *r->kept = *key;
}

static void on_exact(void *payload, const tac_receipt *receipt, const uint64_t *answer,
                     size_t count)
{
    recorder *r = payload;
    MUST(count == N);
    r->scale = receipt->scale;
    r->distribution = receipt->distribution;
    memcpy(r->exact, answer, count * sizeof *answer);
}

static void on_noisy(void *payload, const tac_receipt *receipt, uint64_t *answer, size_t count)
{
    recorder *r = payload;
    (void)receipt;
    MUST(count >= N); /* high words follow where a number needs one: only under a wrong noise */
    for (size_t i = 0; i < N; i++)
        r->noise[r->queries * N + i] = (int64_t)(answer[i] - r->exact[i]);
    r->queries++;
}

typedef enum size { SMALL, MIDDLE, HUGE_SCALE, SIZES } size;

/* A query of sensitivity `weight`, and its price: scales of 4 (3), 10^6 and 2^50. */
static void price_of(tac_distribution distribution, size how, uint32_t *weight, uint64_t *quanta)
{
    const double one = ldexp(1, TAC_QUANTUM_BITS);
    *weight = how == HUGE_SCALE ? UINT32_C(1) << 31 : 1;
    if (distribution == TAC_GAUSSIAN)
        *quanta = (uint64_t)(how == SMALL    ? one / 7 + 1
                             : how == MIDDLE ? one / 1e12
                                             : ldexp(1, 12));
    else
        *quanta = (uint64_t)(how == SMALL ? one / 3 + 1 : how == MIDDLE ? one / 1e6 : ldexp(1, 31));
}

static tacit_status ask_once(tac_door *door, tac_distribution distribution, size how)
{
    static const int16_t low = -TAC_M, centers[N];
    static const int32_t width = 2 * TAC_M, cut = N;
    static double radius[N];
    const tac_cells cells = {
        .kind = TAC_GRID, .count = N, .low = &low, .width = &width, .parts = &cut};
    uint32_t weight;
    uint64_t quanta;

    price_of(distribution, how, &weight, &quanta);
    return narrow_local(door, "noise", quanta, &cells,
                        &(tac_local){.centers = centers, .radius = radius},
                        &(tac_local_parts){.count = weight}, NULL, NULL, NULL);
}

typedef struct whole {
    tacit_ctx *ctx;
    tacit_data *data;
    tac_run run;
    recorder rec;
} whole;

static void open_run(whole *w, tac_distribution distribution, int threads, int64_t *noise,
                     const tac_key *used, tac_key *kept)
{
    static const double rows[3] = {0.1, 0.5, 0.9};
    const tac_door_probe probe = {
        .key = on_key, .exact = on_exact, .noisy = on_noisy, .payload = &w->rec};
    tacit_budget budget;

    memset(w, 0, sizeof *w);
    w->rec = (recorder){
        .exact = malloc(N * sizeof *w->rec.exact), .noise = noise, .used = used, .kept = kept};
    MUST(w->rec.exact != NULL && tacit_ctx_new(&w->ctx) == TACIT_OK);
    w->ctx->threads = threads;
    MUST(tacit_data_from_memory(w->ctx, rows, TACIT_F64, 3, 1, &w->data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(w->ctx, w->data, "0:1") == TACIT_OK);
    tacit_budget_init(&budget, sizeof budget);
    budget.epsilon = 1000;
    budget.delta = distribution == TAC_GAUSSIAN ? 1e-6 : 0;
    MUST(tac_run_open(w->ctx, w->data, &budget, TACIT_SCALE_RANGE, TAC_MIDDLE, 0, "noise",
                      &w->run) == TACIT_OK);
    MUST(!w->run.key.insecure);
    tac_run_probe(&w->run, &probe);
}

static void close_run(whole *w)
{
    MUST(tac_run_close(&w->run, TACIT_OK) == TACIT_OK);
    tacit_data_free(w->data);
    tacit_ctx_free(w->ctx);
    free(w->rec.exact);
}

static uint64_t one_run(tac_distribution distribution, size how, int threads, int queries,
                        int64_t *noise, const tac_key *used, tac_key *kept)
{
    whole w;
    open_run(&w, distribution, threads, noise, used, kept);
    for (int q = 0; q < queries; q++) MUST(ask_once(w.run.door, distribution, how) == TACIT_OK);
    MUST(w.rec.distribution == distribution && w.rec.queries == (size_t)queries);
    const uint64_t scale = w.rec.scale;
    close_run(&w);
    return scale;
}

/* ---- the distribution of one coordinate ---- */

/* scale^2 - 9 = weight^2 / mu^2, or scale = weight / epsilon, rounded up. */
static bool scale_is_paid_for(tac_distribution distribution, size how, uint64_t scale)
{
    uint32_t weight;
    uint64_t quanta;
    price_of(distribution, how, &weight, &quanta);
    const double share = ldexp(1, TAC_QUANTUM_BITS) / (double)quanta;
    const double least =
        distribution == TAC_GAUSSIAN ? sqrt((double)weight * weight * share + 9) : weight * share;
    return (double)scale >= least * (1 - 1e-12) && (double)scale < least * (1 + 1e-12) + 1.001;
}

/* Mean square of the distribution, in integers: its sums converge for any scale. */
static double mean_square(tac_distribution distribution, uint64_t scale)
{
    const double s = (double)scale;
    if (distribution == TAC_GAUSSIAN) return s * s; /* within 1e-100 from scale 4 on */
    const double e = exp(-1 / s);
    return scale > 1000 ? 2 * s * s : 2 * e / ((1 - e) * (1 - e));
}

static void test_distribution(tac_distribution distribution, size how, const int64_t *noise, long n,
                              uint64_t scale)
{
    double two = 0;
    long above = 0, below = 0;
    int64_t low[256] = {0};
    double even[256];

    for (long i = 0; i < n; i++) {
        const double t = (double)noise[i] / (double)scale;
        two += t * t;
        above += noise[i] > 0;
        below += noise[i] < 0;
        low[(uint64_t)noise[i] & 255]++;
    }
    CHECK(scale_is_paid_for(distribution, how, scale), "%s, scale %.4g: what was paid for",
          distribution_name[distribution], (double)scale);
    const double fit = how == SMALL ? small_scale_z(noise, distribution, scale, n)
                                    : large_scale_z(noise, distribution, scale, n);
    CHECK(fabs(fit) < LIMIT, "%s, scale %.4g: goodness of fit of %ld draws (chi-square z = %.2f)",
          distribution_name[distribution], (double)scale, n, fit);
    /* Variance of t^2: Gaussian 2, Laplace 20, a little less at scale 3; the sd is half as wrong as
       the variance. */
    const double square = mean_square(distribution, scale) / (double)scale / (double)scale;
    const double deviation = sqrt((distribution == TAC_GAUSSIAN ? 2 : 20) / (double)n) / square;
    const double wrong = two / (double)n / square - 1;
    CHECK(fabs(wrong) < LIMIT * deviation,
          "%s, scale %.4g: the standard deviation is that of the distribution (off by %.3f %%; "
          "%.2f %% would be seen)",
          distribution_name[distribution], (double)scale, 50 * wrong,
          50 * (LIMIT + POWER) * deviation);
    const double sign = coin_z((double)above, (double)(above + below), 0.5);
    CHECK(fabs(sign) < LIMIT, "%s, scale %.4g: either sign as often (z = %.2f)",
          distribution_name[distribution], (double)scale, sign);
    if (how == SMALL) return;
    for (int i = 0; i < 256; i++) even[i] = 1.0 / 256;
    const double digits = fit_z(low, even, 256, (double)n);
    CHECK(fabs(digits) < LIMIT, "%s, scale %.4g: the low eight digits are even (z = %.2f)",
          distribution_name[distribution], (double)scale, digits);
}

/* ---- pairs ---- */

/* Correlation, and chi-square of both in eight parts of equal probability each: all 64 as often. */
static void test_pairs(tac_distribution distribution, const int64_t *a, const int64_t *b, long n,
                       uint64_t scale, const char *what)
{
    int64_t seen[64] = {0};
    double even[64];

    for (int i = 0; i < 64; i++) even[i] = 1.0 / 64;
    for (long i = 0; i < n; i++) {
        const int x = (int)(8 * below_continuous(distribution, (double)a[i] / (double)scale));
        const int y = (int)(8 * below_continuous(distribution, (double)b[i] / (double)scale));
        seen[8 * (x > 7 ? 7 : x) + (y > 7 ? 7 : y)]++;
    }
    const double joint = fit_z(seen, even, 64, (double)n), line = correlation_z(a, b, n);
    CHECK(fabs(line) < LIMIT && fabs(joint) < LIMIT,
          "%s: %s are independent (%ld pairs, correlation z = %.2f, joint chi-square z = %.2f)",
          distribution_name[distribution], what, n, line, joint);
}

/* ---- repeats ---- */

typedef struct couple {
    uint64_t one, two; /* sizes: a sign may have changed */
} couple;

static couple *couples;
static size_t couples_many;

static void collect(const int64_t *noise, size_t n)
{
    couples = realloc(couples, (couples_many + n / 2) * sizeof *couples);
    MUST(couples != NULL);
    for (size_t i = 0; i + 1 < n; i += 2)
        couples[couples_many++] =
            (couple){(uint64_t)llabs(noise[i]), (uint64_t)llabs(noise[i + 1])};
}

static int by_both(const void *a, const void *b)
{
    const couple *x = a, *y = b;
    return x->one != y->one ? (x->one < y->one ? -1 : 1) : x->two < y->two ? -1 : x->two > y->two;
}

/* At a scale of 2^50 two couples of 10^7 agree with probability below 10^-15. */
static void test_repeats(void)
{
    size_t again = 0;
    qsort(couples, couples_many, sizeof *couples, by_both);
    for (size_t i = 1; i < couples_many; i++) again += by_both(&couples[i], &couples[i - 1]) == 0;
    CHECK(again == 0,
          "no two neighboring numbers come together twice, in all queries, runs, processes and "
          "threads (%zu of %zu do)",
          again, couples_many);
    free(couples);
}

/* ---- processes and threads ---- */

typedef struct shared {
    int refused;
    int64_t noise[OTHER * N];
} shared;

/* A run in a child; and a child that goes on with its parent's run. */
static void test_fork(tac_distribution distribution, const int64_t *parent, uint64_t scale)
{
    shared *both =
        mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    whole w;
    int code = -1;

    MUST(both != MAP_FAILED);
    open_run(&w, distribution, 1, calloc(2 * N, sizeof(int64_t)), NULL, NULL);
    const pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        both->refused = ask_once(w.run.door, distribution, HUGE_SCALE) != TACIT_OK;
        one_run(distribution, HUGE_SCALE, 1, OTHER, both->noise, NULL, NULL);
        _exit(0);
    }
    MUST(waitpid(child, &code, 0) == child);
    CHECK(code == 0 && both->refused,
          "%s: a child that goes on with its parent's run gets no noise, and no answer",
          distribution_name[distribution]);
    MUST(ask_once(w.run.door, distribution, HUGE_SCALE) == TACIT_OK);
    test_pairs(distribution, w.rec.noise, both->noise, N, scale,
               "a run and one that its child makes");
    test_pairs(distribution, parent, both->noise, OTHER * N, scale,
               "an earlier run and one of a child");
    collect(both->noise, OTHER * N);
    collect(w.rec.noise, N);
    free(w.rec.noise);
    close_run(&w);
    munmap(both, sizeof *both);
}

typedef struct worker {
    tac_distribution distribution;
    int64_t *noise;
} worker;

static void *work(void *payload)
{
    const worker *w = payload;
    one_run(w->distribution, HUGE_SCALE, 2, OTHER, w->noise, NULL, NULL);
    return NULL;
}

static void test_threads(tac_distribution distribution, uint64_t scale)
{
    int64_t *noise[4];
    worker at_once[2];
    pthread_t id[2];
    tac_key key;

    for (int i = 0; i < 4; i++) MUST((noise[i] = malloc(OTHER * N * sizeof **noise)) != NULL);
    for (int i = 0; i < 2; i++) {
        at_once[i] = (worker){distribution, noise[i]};
        MUST(pthread_create(&id[i], NULL, work, &at_once[i]) == 0);
    }
    for (int i = 0; i < 2; i++) MUST(pthread_join(id[i], NULL) == 0);
    test_pairs(distribution, noise[0], noise[1], OTHER * N, scale,
               "two runs of two threads at once");
    one_run(distribution, HUGE_SCALE, 1, OTHER, noise[2], NULL, &key);
    one_run(distribution, HUGE_SCALE, 7, OTHER, noise[3], &key, NULL);
    CHECK(memcmp(noise[2], noise[3], OTHER * N * sizeof **noise) == 0,
          "%s: 1 thread and 7, one key: one noise, to the bit", distribution_name[distribution]);
    one_run(distribution, HUGE_SCALE, 7, OTHER, noise[3], NULL, NULL);
    test_pairs(distribution, noise[2], noise[3], OTHER * N, scale,
               "runs of 1 thread and of 7, each its own key,");
    for (int i = 0; i < 4; i++) {
        collect(noise[i], OTHER * N);
        free(noise[i]);
    }
}

/* ---- the words behind it ---- */

/* a buffer is filled by multiples of so many words */
enum { STREAMS = 64, WORDS = 8192, FILLING = 8 };

static double weight_z(double bits, double words)
{
    return (bits - 32 * words) / sqrt(16 * words);
}

static int by_word(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Bytes and neighboring digits are even; a word and its next, also where the buffer is filled again
   and from one stream to the next, and the words at one place of two streams differ in half their
   digits. */
static void test_words(void)
{
    static uint64_t word[STREAMS][WORDS];
    int64_t byte[256] = {0}, high[256] = {0}, low[256] = {0};
    double even[256], next = 0, border = 0, beside = 0, borders = 0;
    static tac_stream s;
    long same = 0;
    tac_key key;

    MUST(tac_key_from_system(NULL, &key) == TACIT_OK);
    for (int i = 0; i < 256; i++) even[i] = 1.0 / 256;
    for (uint64_t b = 0; b < STREAMS; b++) {
        MUST(tac_stream_open(NULL, &key, 3, b, &s) == TACIT_OK);
        for (int i = 0; i < WORDS; i++) word[b][i] = tac_word(&s);
        tac_stream_close(&s);
    }
    for (int b = 0; b < STREAMS; b++)
        for (int i = 0; i < WORDS; i++) {
            const uint64_t w = word[b][i];
            const bool last = i == WORDS - 1;
            const uint64_t after = !last ? word[b][i + 1] : word[(b + 1) % STREAMS][0];
            for (int k = 0; k < 64; k += 8) byte[w >> k & 255]++;
            high[w >> 60 << 4 | after >> 60]++;
            low[(w & 15) << 4 | (after & 15)]++;
            next += __builtin_popcountll(w ^ after);
            if (i % FILLING == FILLING - 1) border += __builtin_popcountll(w ^ after), borders++;
            beside += __builtin_popcountll(w ^ word[(b + 1) % STREAMS][i]);
        }
    const double n = (double)STREAMS * WORDS;
    const double z[3] = {fit_z(byte, even, 256, 8 * n), fit_z(high, even, 256, n),
                         fit_z(low, even, 256, n)};
    CHECK(fabs(z[0]) < LIMIT && fabs(z[1]) < LIMIT && fabs(z[2]) < LIMIT,
          "bytes, high and low digits of neighboring words are even (z = %.2f, %.2f, %.2f)", z[0],
          z[1], z[2]);
    const double y[3] = {weight_z(next, n), weight_z(border, borders), weight_z(beside, n)};
    CHECK(fabs(y[0]) < LIMIT && fabs(y[1]) < LIMIT && fabs(y[2]) < LIMIT,
          "a word and its next differ in half their digits, across fillings and streams, and "
          "beside (z = %.2f, %.2f, %.2f)",
          y[0], y[1], y[2]);
    qsort(word, STREAMS * WORDS, sizeof word[0][0], by_word);
    const uint64_t *all = word[0];
    for (long i = 1; i < STREAMS * WORDS; i++) same += all[i] == all[i - 1];
    /* 2^38 pairs of 2^64: 10^-8 */
    CHECK(same == 0, "no word comes twice in %d streams (%ld do)", STREAMS, same);
}

/* ---- trace noise: second moments of pure runs ---- */

enum { CELLS = 1 << 13, TRACE_QUERIES = 6, TRACE = CELLS * TRACE_QUERIES };

typedef struct matrices {
    uint64_t exact[CELLS * 6];
    /* of every matrix, without weights, in units of the scale */
    double diagonal[3][TRACE], other[TRACE];
    int64_t first[TRACE];
    tac_receipt receipt;
    size_t many;
} matrices;

static void matrices_exact(void *payload, const tac_receipt *r, const uint64_t *answer,
                           size_t count)
{
    matrices *m = payload;
    MUST(count == CELLS * 6 && r->distribution == TAC_TRACE && r->dims == 3);
    m->receipt = *r;
    memcpy(m->exact, answer, sizeof m->exact);
}

static void matrices_noisy(void *payload, const tac_receipt *r, uint64_t *answer, size_t count)
{
    matrices *m = payload;
    for (size_t i = 0; i < count; i += 6, m->many++) {
        static const int place[3] = {0, 3, 5};
        for (int d = 0; d < 3; d++) {
            const size_t at = i + (size_t)place[d];
            m->diagonal[d][m->many] =
                (double)(int64_t)(answer[at] - m->exact[at]) / 5 / (double)r->scale;
        }
        m->other[m->many] =
            (double)(int64_t)(answer[i + 1] - m->exact[i + 1]) / 7 / (double)r->scale;
        m->first[m->many] = (int64_t)(answer[i] - m->exact[i]);
    }
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double ks_of_gammas(double *t, size_t n)
{
    double far = 0;

    qsort(t, n, sizeof *t, by_size);
    for (size_t i = 0; i < n; i++) { /* on the diagonal of 3 x 3: the difference of two Gamma(2) */
        const double tail = (2 + fabs(t[i])) * exp(-fabs(t[i])) / 4, p = t[i] < 0 ? tail : 1 - tail;
        far =
            fmax(far, fmax(fabs(p - (double)i / (double)n), fabs(p - (double)(i + 1) / (double)n)));
    }
    return far * sqrt((double)n);
}

static void test_matrices(void)
{
    static matrices m;
    static const double rows[9] = {0.1, 0.5, 0.9, 0.2, 0.3, 0.9, 0.7, 0.8, 0.4};
    static const int16_t low[3] = {-TAC_M, -TAC_M, -TAC_M};
    static const int32_t width[3] = {2 * TAC_M, 2 * TAC_M, 2 * TAC_M}, cut[3] = {32, 16, 16};
    static int64_t answer[CELLS * 6];
    const tac_door_probe probe = {.exact = matrices_exact, .noisy = matrices_noisy, .payload = &m};
    const tac_cells cells = {
        .kind = TAC_GRID, .count = CELLS, .low = low, .width = width, .parts = cut};
    const double epsilon = 0.001, n = TRACE;
    tacit_ctx *ctx;
    tacit_data *data;
    tacit_budget budget;
    tac_run run;
    double square = 0, cross = 0, both = 0;
    size_t again = 0;

    MUST(tacit_ctx_new(&ctx) == TACIT_OK &&
         tacit_data_from_memory(ctx, rows, TACIT_F64, 3, 3, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    tacit_budget_init(&budget, sizeof budget);
    budget.epsilon = 1;
    MUST(tac_run_open(ctx, data, &budget, TACIT_SCALE_RANGE, TAC_MIDDLE, 0, "noise", &run) ==
             TACIT_OK &&
         !run.key.insecure);
    tac_run_probe(&run, &probe);
    for (int q = 0; q < TRACE_QUERIES; q++)
        MUST(narrow_moments(run.door, "noise", (uint64_t)ldexp(epsilon, TAC_QUANTUM_BITS), &cells,
                            TAC_ROWS, answer) == TACIT_OK);
    MUST(m.many == TRACE && tac_run_close(&run, TACIT_OK) == TACIT_OK);
    const double least = (double)TAC_M * TAC_M / epsilon;
    CHECK((double)m.receipt.scale >= least * (1 - 1e-12) &&
              (double)m.receipt.scale < least * (1 + 1e-12) + 1.001 &&
              m.receipt.sensitivity == (tac_u128)TAC_M * TAC_M,
          "trace: the scale was paid for");
    for (size_t i = 0; i < TRACE; i++) {
        for (int d = 0; d < 3; d++) square += m.diagonal[d][i] * m.diagonal[d][i];
        cross += m.other[i] * m.other[i];
        both += m.diagonal[0][i] * m.diagonal[1][i];
    }
    /* Variances of squares: 4^2 (2 + 6 / 4), and 2^2 (2 + 3 / 4) off the diagonal. */
    const double z1 = (square / (3 * n) / 4 - 1) / sqrt(3.5 / (3 * n)),
                 z2 = (cross / n / 2 - 1) / sqrt(2.75 / n);
    CHECK(fabs(z1) < LIMIT && fabs(z2) < LIMIT,
          "trace: the standard deviations are 2 and sqrt 2 scales (z = %.2f, %.2f; %.1f %% less "
          "would be seen)",
          z1, z2, 50 * (LIMIT + POWER) * sqrt(3.5 / (3 * n)));
    CHECK(fabs(both / 4 / sqrt(n)) < LIMIT,
          "trace: numbers on a diagonal are uncorrelated (z = %.2f)", both / 4 / sqrt(n));
    const double queries = correlation_z(m.first, m.first + CELLS, TRACE - CELLS),
                 cellwise = correlation_z(m.first, m.first + 1, TRACE - 1);
    CHECK(fabs(queries) < LIMIT && fabs(cellwise) < LIMIT,
          "trace: so are matrices of two queries and of two cells (z = %.2f, %.2f)", queries,
          cellwise);
    const double d = ks_of_gammas(m.diagonal[0], TRACE), e = ks_of_gammas(m.diagonal[1], TRACE);
    /* 2 exp(-2 3.1^2) < 10^-8 */
    CHECK(d < 3.1 && e < 3.1,
          "trace: goodness of fit of %d matrices (Kolmogorov-Smirnov %.2f, %.2f)", TRACE, d, e);
    for (size_t i = 1; i < TRACE; i++) again += m.diagonal[0][i] == m.diagonal[0][i - 1];
    /* 10^9 pairs, each with 10^-13: three with less than 10^-12 */
    CHECK(again < 3, "trace: no noise comes twice (%zu do)", again);
    tacit_data_free(data);
    tacit_ctx_free(ctx);
}

int main(void)
{
    const int wanted = (int)tap_times(MOST_QUERIES), queries = wanted > MOST_QUERIES ? MOST_QUERIES
                                                               : wanted <= OTHER     ? OTHER + 1
                                                                                     : wanted;
    const long n = (long)queries * N;
    int64_t *noise = malloc((size_t)n * sizeof *noise), *other = malloc(OTHER * N * sizeof *other);

    MUST(noise != NULL && other != NULL);
    test_words();
    for (int distribution = 0; distribution < 2; distribution++) {
        uint64_t scale = 0;
        for (int how = SMALL; how < SIZES; how++) {
            scale =
                one_run((tac_distribution)distribution, (size)how, 2, queries, noise, NULL, NULL);
            test_distribution((tac_distribution)distribution, (size)how, noise, n, scale);
        }
        test_pairs((tac_distribution)distribution, noise, noise + 1, n - 1, scale,
                   "neighboring coordinates");
        test_pairs((tac_distribution)distribution, noise, noise + TAC_NOISE_BLOCK,
                   n - TAC_NOISE_BLOCK, scale, "coordinates 4096 apart, one stream and the next,");
        test_pairs((tac_distribution)distribution, noise, noise + N, n - N, scale,
                   "the same coordinates of two queries");
        one_run((tac_distribution)distribution, HUGE_SCALE, 2, OTHER, other, NULL, NULL);
        test_pairs((tac_distribution)distribution, noise, other, OTHER * N, scale,
                   "the same coordinates of two runs");
        collect(noise, (size_t)n);
        collect(other, OTHER * N);
        test_fork((tac_distribution)distribution, other, scale);
        test_threads((tac_distribution)distribution, scale);
    }
    test_repeats();
    test_matrices();
    free(noise);
    free(other);
    return tap_done();
}
