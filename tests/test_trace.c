/* SPDX-License-Identifier: Apache-2.0 */
/* Trace noise and the normals it is made of: distributions, the bound that privacy rests on at
   small scales, the same bits whatever the engine and however many digits it begins with. Seeds are
   fixed; limits are those of one false alarm in a million seeds. */
#include "engine/engine.h"
#include "privacy/noise/lazy_normal.h"
#include "privacy/noise/trace_noise.h"
#include "statistics.h"
#include "tap.h"

/* sqrt(n) D of a right distribution is above it once in a million times: 2 exp(-2 KS^2) */
#define KS 2.694

static tacit_ctx *ctx;
static tac_engine engine;

static int up(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Kolmogorov and Smirnov: sqrt(n) times the largest gap between the distribution and what was seen;
   sorts. */
static double ks(double *x, long n, double (*below)(double))
{
    double far = 0;

    qsort(x, (size_t)n, sizeof *x, up);
    for (long i = 0; i < n; i++) {
        const double p = below(x[i]);
        far =
            fmax(far, fmax(fabs(p - (double)i / (double)n), fabs(p - (double)(i + 1) / (double)n)));
    }
    return far * sqrt((double)n);
}

static double below_normal(double t)
{
    return 0.5 * erfc(-t / sqrt(2));
}

static double below_laplace(double t)
{
    return t < 0 ? 0.5 * exp(t) : 1 - 0.5 * exp(-t);
}

/* Difference of two Gamma(2): X of three dims along any direction of length 1. */
static double below_gammas(double t)
{
    const double tail = (2 + fabs(t)) * exp(-fabs(t)) / 4;
    return t < 0 ? tail : 1 - tail;
}

static void test_normals(void)
{
    const long n = tap_times(500000);
    double *x = malloc((size_t)n * sizeof *x), two = 0, four = 0;
    long whole[8] = {0}, low = 0;
    tac_stream stream;
    tac_lazy g = {0};
    tac_key key;

    MUST(x != NULL);
    tac_key_from_insecure_seed(11, &key);
    MUST(tac_stream_open(ctx, &key, 0, 0, &stream) == TACIT_OK);
    for (long i = 0; i < n; i++) {
        MUST(tac_lazy_normal(&stream, &g) == TACIT_OK && g.have >= 1);
        const double size = (double)g.whole + ldexp((double)g.word[0], -64);
        x[i] = g.minus ? -size : size;
        two += x[i] * x[i];
        four += x[i] * x[i] * x[i] * x[i];
        whole[g.whole < 7 ? g.whole : 7]++;
        low += (long)(g.word[0] & 1);
    }
    const double d = ks(x, n, below_normal), m = (double)n;
    CHECK(d < KS, "%ld normals: Kolmogorov-Smirnov %.3f", n, d);
    CHECK(fabs(two / m - 1) / sqrt(2 / m) < ALARM && fabs(four / m - 3) / sqrt(96 / m) < ALARM,
          "second and fourth moments 1 and 3 (%.4f, %.4f)", two / m, four / m);
    CHECK(fabs(coin_z((double)low, m, 0.5)) < ALARM && whole[4] > 0, "the last digit of the first "
                                                                     "word is even");
    tac_lazy_close(&g);
    tac_stream_close(&stream);
    free(x);
}

/* A stream of our own: trials are forged word by word. */
static void test_ties(void)
{
    enum { TIES = 9 };
    /* first bit 0 or 1: tac_below(2) is that */
    static const uint64_t no = 0, yes = UINT64_C(1) << 63;
    tac_stream stream = {0};
    tac_lazy g = {0};
    size_t at = 0;
    bool same = true;

    stream.words[at++] = no, stream.words[at++] = yes; /* exp(-1/2) fails at toss 2: whole is 0 */
    /* coin of f^2 / 2: toss 1 looks at two reals */
    stream.words[at++] = no;
    /* both alike */
    for (uint64_t i = 0; i < TIES; i++, at += 2) stream.words[at] = stream.words[at + 1] = 1000 + i;
    stream.words[at++] = 5, stream.words[at++] = 9; /* the other is below at last */
    /* the second real is not: toss 1 failed, which is odd */
    stream.words[at++] = 1001;
    stream.words[at++] = yes; /* minus */
    MUST(tac_lazy_normal(&stream, &g) == TACIT_OK);
    for (uint64_t i = 0; i < TIES; i++) same = same && g.word[i] == 1000 + i;
    CHECK(stream.next == at && g.whole == 0 && g.minus && g.have == TIES + 1 && same &&
              g.word[TIES] == 9,
          "a comparison that ties draws more words, and all of them stay");
    tac_lazy_close(&g);
}

/* matrices x triangle numbers */
static void draw(uint64_t seed, const tac_trace *distribution, int64_t *out, size_t matrices,
                 int64_t *passes)
{
    const size_t d = (size_t)distribution->dims;
    tac_key key;

    tac_key_from_insecure_seed(seed, &key);
    memset(out, 0, matrices * d * (d + 1) / 2 * sizeof *out);
    MUST(tac_add_trace_noise(ctx, &engine, &key, 7, distribution, (uint64_t *)out, matrices,
                             passes) == TACIT_OK);
}

static void test_one_dim(void)
{
    const size_t n = (size_t)tap_times(200000);
    const tac_trace distribution = {.scale = UINT64_C(1) << 40, .dims = 1, .same = 5, .cross = 7};
    int64_t *noise = malloc(n * sizeof *noise);
    double *x = malloc(n * sizeof *x);

    MUST(noise != NULL && x != NULL);
    draw(1, &distribution, noise, n, NULL);
    for (size_t i = 0; i < n; i++) x[i] = ldexp((double)noise[i], -40) / 5;
    const double d = ks(x, (long)n, below_laplace);
    CHECK(d < KS, "in one dim trace noise is Laplace noise: Kolmogorov-Smirnov %.3f", d);
    free(noise), free(x);
}

static void test_direction(void)
{
    const size_t n = (size_t)tap_times(100000);
    const tac_trace distribution = {.scale = UINT64_C(1) << 40, .dims = 3, .same = 5, .cross = 7};
    int64_t *noise = malloc(n * 6 * sizeof *noise);
    double *x = malloc(n * sizeof *x);
    int64_t even[2][8] = {{0}};

    MUST(noise != NULL && x != NULL);
    draw(2, &distribution, noise, n, NULL);
    for (size_t i = 0; i < n; i++) { /* along (2, -1, 2) / 3 */
        const int64_t *z = noise + 6 * i;
        const double same = (4 * (double)z[0] + (double)z[3] + 4 * (double)z[5]) / 5;
        const double cross = 2 * (-2 * (double)z[1] + 4 * (double)z[2] - 2 * (double)z[4]) / 7;
        x[i] = ldexp((same + cross) / 9, -40);
        even[0][(uint64_t)z[0] % 5]++;
        even[1][(uint64_t)z[1] % 7]++;
    }
    const double d = ks(x, (long)n, below_gammas);
    CHECK(d < KS, "along a direction it is a difference of two gammas: Kolmogorov-Smirnov %.3f", d);
    const double fifth[5] = {.2, .2, .2, .2, .2},
                 seventh[7] = {1 / 7., 1 / 7., 1 / 7., 1 / 7., 1 / 7., 1 / 7., 1 / 7.};
    const double z5 = fit_z(even[0], fifth, 5, (double)n),
                 z7 = fit_z(even[1], seventh, 7, (double)n);
    CHECK(fabs(z5) < ALARM && fabs(z7) < ALARM,
          "what is rounded is the weighted number: every rest of 5 and of 7 as often (z = %.2f, "
          "%.2f)",
          z5, z7);
    free(noise), free(x);
}

/* Standard deviations of entries, and no correlation between any two. */
static void test_sizes(int32_t dims)
{
    const size_t d = (size_t)dims, t = d * (d + 1) / 2, n = (size_t)tap_times(1000000) / (t * d);
    const tac_trace distribution = {
        .scale = UINT64_C(1) << 34, .dims = dims, .same = 5, .cross = 7};
    int64_t *noise = malloc(n * t * sizeof *noise);
    double diagonal = 0, other = 0, mean = 0, mixed = 0;
    const double m = (double)n, same = dims + 1.0, cross = (dims + 1) / 2.0;

    MUST(noise != NULL);
    draw(3, &distribution, noise, n, NULL);
    for (size_t i = 0; i < n; i++) {
        const int64_t *z = noise + i * t;
        double trace = 0;
        for (size_t r = 0; r < d; r++)
            for (size_t c = r; c < d; c++, z++) {
                const double x = ldexp((double)*z, -34) / (r == c ? 5 : 7);
                mean += x;
                if (r == c)
                    diagonal += x * x, trace += x;
                else
                    other += x * x;
            }
        mixed += trace * trace;
    }
    /* Kurtosis of a sum of d + 1 products of normals is 3 + 6 / (d + 1); off the diagonal it is 3 +
       3 / (d + 1). Squares of the entries of one matrix are correlated: their sum varies by a
       factor of up to d + 1 more than if they were not. */
    const double wide = sqrt(dims + 1.0), zd = (diagonal / (m * (double)d) / same - 1) /
                                               sqrt((2 + 6 / same) / (m * (double)d));
    const double zo = d == 1 ? 0
                             : (other / (m * (double)(t - d)) / cross - 1) /
                                   sqrt((2 + 3 / same) / (m * (double)(t - d)));
    const double zt = (mixed / m / (same * (double)d) - 1) / sqrt((2 + 6 / (same * (double)d)) / m);
    const double zm = mean / sqrt(m * ((double)d * same + (double)(t - d) * cross));
    CHECK(fabs(zd) < ALARM && fabs(zo) < ALARM * wide,
          "%d dims: the variance is %d on the diagonal and half of it elsewhere (z = %.2f, %.2f)",
          dims, dims + 1, zd, zo);
    CHECK(fabs(zt) < ALARM && fabs(zm) < ALARM,
          "%d dims: mean 0, numbers on the diagonal uncorrelated (z = %.2f, %.2f)", dims, zm, zt);
    free(noise);
}

/* ---- the bound of privacy, at a scale at which it can be counted ---- */

enum { K = 7, SIDE = 2 * K + 1 };

static void test_lemma(void)
{
    static int64_t seen[SIDE][SIDE][SIDE];
    /* a, b; c of positive matrices */
    static const int shift[5][3] = {{1, 0, 0}, {0, 0, 1}, {1, 1, 1}, {1, -1, 1}, {4, 2, 1}};
    const size_t at_once = 100000, times = (size_t)tap_times(6);
    const tac_trace distribution = {.scale = 1, .dims = 2, .same = 1, .cross = 1};
    int64_t *noise = malloc(3 * at_once * sizeof *noise);
    double worst = -9, most = 0;
    long pairs = 0;

    MUST(noise != NULL);
    for (size_t r = 0; r < times; r++) {
        draw(100 + r, &distribution, noise, at_once, NULL);
        for (size_t i = 0; i < at_once; i++) {
            const int64_t *z = noise + 3 * i;
            if (llabs(z[0]) <= K && llabs(z[1]) <= K && llabs(z[2]) <= K)
                seen[z[0] + K][z[1] + K][z[2] + K]++;
        }
    }
    for (int q = 0; q < 5; q++) {
        const double trace = shift[q][0] + shift[q][2];
        for (int a = 0; a < SIDE; a++)
            for (int b = 0; b < SIDE; b++)
                for (int c = 0; c < SIDE; c++) {
                    const int x = a + shift[q][0], y = b + shift[q][1], z = c + shift[q][2];
                    if (x >= SIDE || y < 0 || y >= SIDE || z >= SIDE) continue;
                    const double p = (double)seen[a][b][c], r = (double)seen[x][y][z];
                    if (p < 400 || r < 400) continue;
                    const double loss = fabs(log(r / p));
                    pairs++;
                    worst = fmax(worst,
                                 (loss - trace / (double)distribution.scale) / sqrt(1 / p + 1 / r));
                    most = fmax(most, loss / trace);
                }
    }
    CHECK(pairs > (times < 3 ? 100 : 300) && worst < ALARM,
          "%ld pairs of integer matrices that differ by a positive one: the log ratio of their "
          "frequencies is at most its trace / scale (worst: %.2f standard errors above)",
          pairs, worst);
    CHECK(most > 0.9, "... and some all but reach it (%.3f)", most);
    free(noise);
}

/* ---- the same bits ---- */

static tacit_status backwards(const tac_engine *self, const tacit_ctx *c, int64_t blocks,
                              tac_block_fn body, void *state)
{
    tacit_status status = TACIT_OK;
    (void)self, (void)c;
    for (int64_t b = blocks; b-- > 0 && status == TACIT_OK;) status = body(state, b, 0);
    return status;
}

static void test_words(void)
{
    static const uint32_t start[] = {0, 1, 2, 4, 8};
    const size_t n = (size_t)tap_times(200);
    int64_t *noise[5], passes[5], differ = 0;

    for (int i = 0; i < 5; i++) {
        const tac_trace distribution = {
            .scale = TAC_SIGMA_MAX, .dims = 5, .same = 5, .cross = 7, .words = start[i]};
        MUST((noise[i] = malloc(n * 15 * sizeof **noise)) != NULL);
        draw(5, &distribution, noise[i], n, &passes[i]);
        for (size_t e = 0; e < n * 15; e++) differ += noise[i][e] != noise[0][e];
    }
    const double per = 1 / (double)n;
    CHECK(differ == 0,
          "floors are the same with one word, two, four and eight, and by the fast path (%ld "
          "differ)",
          (long)differ);
    CHECK((double)passes[1] * per > 1.3 && passes[2] == (int64_t)n && passes[4] == (int64_t)n,
          "at the largest scale one word does not always do, two did (%.2f, %.2f looks at a "
          "matrix)",
          (double)passes[1] * per, (double)passes[2] * per);
    for (int i = 0; i < 5; i++) free(noise[i]);
}

static void test_engines(void)
{
    enum { D = 70, N = 12, T = D * (D + 1) / 2 };
    static uint64_t one[N * T], two[N * T], three[N * T];
    const tac_trace distribution = {.scale = UINT64_C(1) << 44, .dims = D, .same = 5, .cross = 7};
    const tac_engine reversed = {.workers = 1, .map = backwards};
    int64_t passes = 0;
    tac_key key;

    tac_key_from_insecure_seed(6, &key);
    MUST(tac_add_trace_noise(ctx, NULL, &key, 3, &distribution, one, N, NULL) == TACIT_OK);
    MUST(tac_add_trace_noise(ctx, &engine, &key, 3, &distribution, two, N, &passes) == TACIT_OK);
    MUST(tac_add_trace_noise(ctx, &reversed, &key, 3, &distribution, three, N, NULL) == TACIT_OK);
    CHECK(memcmp(one, two, sizeof one) == 0 && memcmp(one, three, sizeof one) == 0 && passes > 0,
          "noise does not depend on the engine, nor does that of entries that need more words (%ld "
          "looks)",
          (long)passes);
    memset(two, 0, sizeof two);
    MUST(tac_add_trace_noise(ctx, &engine, &key, 3, &distribution, two, 1, NULL) == TACIT_OK);
    CHECK(memcmp(one, two, T * sizeof *one) == 0, "nor on how many matrices there are");
    /* noise that is the same but for its last digits is the same; of 10^5 pairs one is so near with
       10^-5 */
    int near = 0;
    for (int m = 1; m < N; m++)
        for (int i = 0; i < T; i++) near += one[m * T + i] - one[(m - 1) * T + i] + 1000 <= 2000;
    CHECK(near == 0, "two matrices have two noises (%d numbers are alike)", near);
    MUST(tac_add_trace_noise(ctx, &engine, &key, 4, &distribution, three, 1, NULL) == TACIT_OK);
    int same = 0;
    for (int i = 0; i < T; i++) same += three[i] - one[i] == one[i];
    CHECK(same == 0, "another query has other noise");
}

static tacit_status broken(const tac_engine *self, const tacit_ctx *c, int64_t blocks,
                           tac_block_fn body, void *state)
{
    (void)self, (void)c, (void)blocks, (void)body, (void)state;
    return TACIT_E_CANCELLED;
}

static void test_refusals(void)
{
    const tac_engine none = {.workers = 1, .map = broken};
    tac_trace distribution = {.scale = 9, .dims = 2, .same = 5, .cross = 7};
    tac_key key;
    uint64_t values[3] = {1, 2, 3};

    tac_key_from_insecure_seed(6, &key);
    CHECK(tac_add_trace_noise(ctx, &none, &key, 0, &distribution, values, 1, NULL) ==
                  TACIT_E_CANCELLED &&
              values[0] + values[1] + values[2] == 0,
          "a failure leaves no exact number behind");
    distribution.scale = TAC_SIGMA_MAX + 1;
    values[0] = 1;
    CHECK(tac_add_trace_noise(ctx, &engine, &key, 0, &distribution, values, 1, NULL) ==
                  TACIT_E_INTERNAL &&
              values[0] == 0,
          "too large a scale");
    distribution.scale = 0;
    CHECK(tac_add_trace_noise(ctx, &engine, &key, 0, &distribution, values, 1, NULL) ==
              TACIT_E_INTERNAL,
          "no scale");
    distribution.scale = 9, distribution.same = 8;
    CHECK(tac_add_trace_noise(ctx, &engine, &key, 0, &distribution, values, 1, NULL) ==
              TACIT_E_INTERNAL,
          "too large a weight");
    key.owner++;
    distribution.same = 5, values[0] = 1;
    CHECK(tac_add_trace_noise(ctx, &engine, &key, 0, &distribution, values, 1, NULL) != TACIT_OK &&
              values[0] == 0,
          "the key of another process");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 2;
    tac_engine_threads(ctx, &engine);
    test_engines();
    test_normals();
    test_ties();
    test_one_dim();
    test_direction();
    test_sizes(2);
    test_sizes(5);
    test_sizes(12);
    test_lemma();
    test_words();
    test_refusals();
    tacit_ctx_free(ctx);
    return tap_done();
}
