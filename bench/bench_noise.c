/* SPDX-License-Identifier: Apache-2.0 */
/* Speed of the samplers as ratios: against Canonne, Kamath & Steinke's algorithm in 128-bit
   integers on the same stream, and against the floor of 5 million draws per second and core. Also:
   does time depend on the value? */
#include "bench.h"
#include "privacy/noise/noise_internal.h"

#define FLOOR 5e6
#define COUNT 4096

/* The peer: rejection from the discrete Laplace, coins by von Neumann. z^2 must fit 128 bits. */
static int64_t peer_laplace(tac_stream *s, uint64_t t)
{
    for (;;) {
        const uint64_t u = tac_below(s, t);
        if (!tac_bernoulli_exp(s, u, t)) continue;
        uint64_t v = 0;
        while (tac_bernoulli_exp(s, 1, 1)) v++;
        const bool minus = tac_word(s) & 1;
        const int64_t x = (int64_t)(u + t * v);
        if (!(minus && x == 0)) return minus ? -x : x;
    }
}

static bool peer_coin(tac_stream *s, tac_u128 a, tac_u128 b)
{
    /* below(b) for 128 bits by masked rejection; the same von Neumann walk as tac_bernoulli_exp. */
    const unsigned bits = 128 - ((b >> 64) != 0 ? (unsigned)__builtin_clzll((uint64_t)(b >> 64))
                                                : 64 + (unsigned)__builtin_clzll((uint64_t)b));
    const tac_u128 mask = bits == 128 ? ~(tac_u128)0 : ((tac_u128)1 << bits) - 1;
    for (tac_u128 whole = a / b; whole > 0; whole--)
        if (!tac_bernoulli_exp(s, 1, 1)) return false;
    a %= b;
    for (uint64_t m = 1;; m++) {
        tac_u128 u;
        if (m > 1 && tac_below(s, m) != 0) return m % 2 == 1;
        do {
            u = tac_word(s);
            if (bits > 64) u = (u << 64) | tac_word(s);
            u &= mask;
        } while (u >= b);
        if (u >= a) return m % 2 == 1;
    }
}

static int64_t peer_gaussian(tac_stream *s, uint64_t sigma)
{
    for (;;) {
        const int64_t y = peer_laplace(s, sigma);
        const uint64_t size = (uint64_t)(y < 0 ? -y : y);
        const tac_u128 z = size > sigma ? size - sigma : sigma - size;
        if (peer_coin(s, z * z, 2 * (tac_u128)sigma * sigma)) return y;
    }
}

typedef int64_t (*one_fn)(tac_stream *, uint64_t);
typedef void (*fill_fn)(tac_stream *, const tac_scale *, bool, int64_t *, int64_t *, size_t);

static volatile int64_t sink;

/* Best of `rounds` timings of about a million draws, in draws per second. */
static double rate(tac_stream *s, uint64_t scale, one_fn one, fill_fn fill, int rounds)
{
    static int64_t out[COUNT];
    double best = 0;
    tac_scale prepared;

    tac_scale_set(scale, &prepared);
    for (int round = 0; round < rounds; round++) {
        const double start = now();
        for (int i = 0; i < 128; i++) {
            if (fill != NULL)
                fill(s, &prepared, false, out, NULL, COUNT);
            else
                for (int c = 0; c < COUNT; c++) out[c] = one(s, scale);
            sink += out[i];
        }
        const double speed = 128.0 * COUNT / (now() - start);
        if (speed > best) best = speed;
    }
    return best;
}

/* Mean cycles of a single draw by |x| / sigma, relative to the first bin: 1 everywhere is what we
   want. */
static void timing(tac_stream *s, const char *name, one_fn one, uint64_t scale)
{
    double sum[4] = {0}, count[4] = {0};

    for (long i = 0; i < 4000000; i++) {
        const uint64_t before = __builtin_ia32_rdtsc();
        const int64_t x = one(s, scale);
        const uint64_t cycles = __builtin_ia32_rdtsc() - before;
        const uint64_t bin = (uint64_t)(x < 0 ? -x : x) / scale;
        if (cycles > 2000 || bin > 3) continue; /* refills and interrupts */
        sum[bin] += (double)cycles;
        count[bin]++;
    }
    printf("%-34s", name);
    for (int b = 0; b < 4; b++) printf(" %6.3f", sum[b] / count[b] / (sum[0] / count[0]));
    printf("\n");
}

int main(int argc, char **argv)
{
    static tac_stream stream;
    tac_key key;
    const int rounds = argc > 1 ? atoi(argv[1]) : 5;
    const uint64_t scales[] = {10,           1000, 1000000, 1000000000, UINT64_C(1000000000000),
                               TAC_SIGMA_MAX};

    if (tacit_ctx_new(&ctx) != TACIT_OK || tac_key_from_system(ctx, &key) != TACIT_OK ||
        tac_stream_open(ctx, &key, 0, 0, &stream) != TACIT_OK)
        return 1;
    printf("%-20s %18s %18s %18s %18s\n", "scale", "Gaussian / floor", "Gaussian / CKS20",
           "Laplace / floor", "Laplace / CKS20");
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        const double gaussian = rate(&stream, scales[i], NULL, tac_gaussian_fill, rounds);
        const double laplace = rate(&stream, scales[i], NULL, tac_laplace_fill, rounds);
        printf("%-20llu %17.2fx %17.2fx %17.2fx %17.2fx\n", (unsigned long long)scales[i],
               gaussian / FLOOR, gaussian / rate(&stream, scales[i], peer_gaussian, NULL, rounds),
               laplace / FLOOR, laplace / rate(&stream, scales[i], peer_laplace, NULL, rounds));
    }
    printf("\ncycles by |x| / scale in [0,1) [1,2) [2,3) [3,4), relative to the first\n");
    timing(&stream, "Gaussian", tac_discrete_gaussian, 1000000);
    timing(&stream, "Laplace", tac_discrete_laplace, 1000000);
    timing(&stream, "CKS20 Gaussian", peer_gaussian, 1000000);
    timing(&stream, "CKS20 Laplace", peer_laplace, 1000000);
    tac_stream_close(&stream);
    tac_key_wipe(&key);
    tacit_ctx_free(ctx);
    return 0;
}
