/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, streams, below and bernoulli_exp: known answers, fork, statistics (one false alarm in a
   million). */
#include "privacy/noise/noise.h"
#include "privacy/run.h"
#include "statistics.h"
#include "tap.h"

#include <endian.h>
#include <errno.h>
#include <sodium.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Takes the place of the C library's: a source of randomness that stutters or fails on demand. */
static int interruptions, shortest, broken, calls;

ssize_t getrandom(void *buffer, size_t length, unsigned flags)
{
    calls++;
    if (broken) {
        errno = ENOSYS;
        return -1;
    }
    if (interruptions > 0) {
        interruptions--;
        errno = EINTR;
        return -1;
    }
    if (shortest > 0 && length > (size_t)shortest) length = (size_t)shortest;
    return (ssize_t)syscall(SYS_getrandom, buffer, length, flags);
}

static void test_keys(tacit_ctx *ctx)
{
    tac_key a, b, zero;

    memset(&zero, 0, sizeof zero);
    MUST(tac_key_from_system(ctx, &a) == TACIT_OK && tac_key_from_system(ctx, &b) == TACIT_OK);
    CHECK(memcmp(a.bytes, b.bytes, 32) != 0 && a.owner == (int64_t)getpid(), "two system keys "
                                                                             "differ and know "
                                                                             "their owner");
    interruptions = 3, shortest = 5, calls = 0;
    memset(&a, 0, sizeof a);
    CHECK(tac_key_from_system(ctx, &a) == TACIT_OK && calls == 3 + 7, "interrupted and short reads "
                                                                      "are taken up again");
    bool tail = false;
    for (int i = 24; i < 32; i++) tail |= a.bytes[i] != 0;
    CHECK(tail, "the last bytes of the key were filled");
    shortest = 0, broken = 1;
    CHECK(tac_key_from_system(ctx, &a) == TACIT_E_SYSTEM && memcmp(a.bytes, zero.bytes, 32) == 0 &&
              strstr(tacit_ctx_message(ctx), "getrandom") != NULL,
          "no randomness: refused, key wiped, the sentence says so");
    broken = 0;
    tac_key_from_insecure_seed(7, &a);
    tac_key_from_insecure_seed(8, &b);
    CHECK(memcmp(a.bytes, b.bytes, 32) != 0, "two seeds give two keys");
    tac_key_wipe(&a);
    CHECK(memcmp(&a, &zero, sizeof a) == 0, "a wiped key is zero");
}

/* Of the next 1000 words of each. */
static int equal_words(tac_stream *s, tac_stream *t)
{
    int equal = 0;

    for (int i = 0; i < 1000; i++) equal += tac_word(s) == tac_word(t);
    return equal;
}

static void test_streams(tacit_ctx *ctx)
{
    static tac_stream s, t;
    tac_key key;
    uint8_t subkey[32], nonce[8] = {3, 1}, bytes[16384];
    uint64_t expected;
    bool same = true;

    /* The layout, spelt out once more: BLAKE2b subkey, ChaCha20 with the block as nonce,
       little-endian words. */
    tac_key_from_insecure_seed(42, &key);
    const uint8_t message[24] = "tacit query 1\0\0\0\5\0\1";
    crypto_generichash(subkey, 32, message, 24, key.bytes, 32);
    crypto_stream_chacha20(bytes, sizeof bytes, nonce, subkey);
    MUST(tac_stream_open(ctx, &key, 0x10005, 0x103, &s) == TACIT_OK);
    for (size_t i = 0; i < sizeof bytes / 8; i++) {
        expected = 0;
        for (int b = 7; b >= 0; b--) expected = expected << 8 | bytes[8 * i + (size_t)b];
        same &= tac_word(&s) == expected;
    }
    CHECK(same, "a stream is one ChaCha20 keystream over all its refills");
    tac_stream_close(&s);
    same = true;
    for (size_t i = 0; i < sizeof s; i++) same &= ((const uint8_t *)&s)[i] == 0;
    CHECK(same, "a closed stream is zero");

    int equal[3] = {0};
    const uint64_t other[3][2] = {{1, 0}, {0, 1}, {UINT64_C(1) << 63, 0}};
    for (int o = 0; o < 3; o++) {
        MUST(tac_stream_open(ctx, &key, 0, 0, &s) == TACIT_OK);
        MUST(tac_stream_open(ctx, &key, other[o][0], other[o][1], &t) == TACIT_OK);
        equal[o] = equal_words(&s, &t);
    }
    CHECK(equal[0] + equal[1] + equal[2] == 0, "another query or block shares no word");
    MUST(tac_stream_open(ctx, &key, 0, 0, &s) == TACIT_OK &&
         tac_stream_open(ctx, &key, 0, 0, &t) == TACIT_OK);
    CHECK(equal_words(&s, &t) == 1000, "the same key, query and block give the same words");
    tac_key_from_insecure_seed(43, &key);
    MUST(tac_stream_open(ctx, &key, 0, 0, &t) == TACIT_OK);
    CHECK(equal_words(&s, &t) == 0, "another key gives others");
}

/* Public choices: a seed of its own, drawn apart from the key; under a test seed the stream that
   goldens know. */
static void test_public_seed(tacit_ctx *ctx)
{
    static tac_stream s, t;
    tac_public_seed a, b;
    tac_key key;
    uint8_t nonce[8] = {0}, bytes[8000];
    bool same = true;

    calls = 0;
    MUST(tac_public_seed_from_system(ctx, &a) == TACIT_OK &&
         tac_public_seed_from_system(ctx, &b) == TACIT_OK);
    CHECK(calls == 2 && memcmp(a.bytes, b.bytes, 32) != 0, "two public seeds of the system differ");
    tac_public_stream(&a, &s);
    crypto_stream_chacha20(bytes, sizeof bytes, nonce, a.bytes);
    for (int i = 0; i < 1000; i++) {
        uint64_t expected;
        memcpy(&expected, bytes + 8 * i, 8);
        same = same && tac_word(&s) == le64toh(expected);
    }
    CHECK(same, "the stream of a public seed is ChaCha20 with it for the key, from the first word "
                "on");
    broken = 1;
    CHECK(tac_public_seed_from_system(ctx, &a) == TACIT_E_SYSTEM, "no randomness: no public seed");
    broken = 0;
    tac_public_seed_from_insecure_seed(42, &a);
    tac_key_from_insecure_seed(42, &key);
    tac_public_stream(&a, &s);
    MUST(tac_stream_open(ctx, &key, UINT64_C(1) << 62, 0, &t) == TACIT_OK);
    CHECK(equal_words(&s, &t) == 1000 && memcmp(a.bytes, key.bytes, 32) != 0, "under a test seed "
                                                                              "it is a stream that "
                                                                              "no query has");
}

/* A run draws both, and neither from the other: what the system gives is used once. */
static void test_run_seeds(tacit_ctx *ctx)
{
    static const double rows[3] = {0.1, 0.5, 0.9};
    static tac_stream s, t;
    tacit_data *data = NULL;
    tacit_budget budget;
    tac_run run;

    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, 3, 1, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    tacit_budget_init(&budget, sizeof budget);
    budget.epsilon = 1;
    calls = 0;
    MUST(tac_run_open(ctx, data, &budget, TACIT_SCALE_RANGE, TAC_MIDDLE, 0, "seeds", &run) ==
         TACIT_OK);
    int equal = memcmp(run.key.bytes, run.seed.bytes, 32) == 0;
    tac_public_stream(&run.seed, &s);
    const uint64_t query[] = {0, 1, 2, UINT64_C(1) << 62};
    for (int q = 0; q < 4; q++) {
        MUST(tac_stream_open(ctx, &run.key, query[q], 0, &t) == TACIT_OK);
        equal += equal_words(&s, &t);
    }
    CHECK(calls == 2 && equal == 0, "a run asks the system for a key and for a public seed, and "
                                    "their streams share no word");
    MUST(tac_run_close(&run, TACIT_E_CANCELLED) == TACIT_E_CANCELLED);
    tacit_data_free(data);
}

/* A child must neither use its parent's key nor make the same one. */
static void test_fork(tacit_ctx *ctx)
{
    static tac_stream s;
    tac_key key, own;
    int ends[2], code = -1;
    struct {
        int opened, added, zero, mine;
        uint8_t key[32];
    } told = {-1, -1, -1, -1, {0}};

    MUST(pipe(ends) == 0 && tac_key_from_system(ctx, &key) == TACIT_OK);
    const pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        uint64_t values[3] = {10, 20, 30};
        told.opened = (int)tac_stream_open(ctx, &key, 0, 0, &s);
        if (strstr(tacit_ctx_message(ctx), "fork") == NULL) told.opened = -1;
        told.added = (int)tac_add_noise(ctx, NULL, &key, 0, TAC_GAUSSIAN, 100, values, 3);
        told.zero = values[0] == 0 && values[1] == 0 && values[2] == 0;
        told.mine = (int)tac_key_from_system(ctx, &own);
        if (told.mine == 0) told.mine = (int)tac_stream_open(ctx, &own, 0, 0, &s);
        memcpy(told.key, own.bytes, 32);
        _exit(write(ends[1], &told, sizeof told) == (ssize_t)sizeof told ? 0 : 1);
    }
    MUST(read(ends[0], &told, sizeof told) == (ssize_t)sizeof told &&
         waitpid(child, &code, 0) == child);
    MUST(tac_key_from_system(ctx, &own) == TACIT_OK);
    CHECK(told.opened == TACIT_E_INTERNAL, "a forked child is refused its parent's stream, and "
                                           "told why");
    CHECK(told.added == TACIT_E_INTERNAL && told.zero == 1, "it gets no noise and the values are "
                                                            "wiped");
    CHECK(told.mine == TACIT_OK, "its own key works");
    CHECK(memcmp(told.key, own.bytes, 32) != 0 && memcmp(told.key, key.bytes, 32) != 0,
          "and differs from the parent's");
    CHECK(tac_stream_open(ctx, &key, 0, 0, &s) == TACIT_OK, "the parent goes on");
    close(ends[0]);
    close(ends[1]);
}

/* Uniform on [0, n): in 16 equal parts, and modulo 3, where multiplying without rejection shows at
   n = 3 2^62. */
static void test_below(tac_stream *s)
{
    const uint64_t sizes[] = {2,
                              3,
                              7,
                              1000,
                              65537,
                              UINT64_C(1) << 32,
                              UINT64_C(3) << 62,
                              (UINT64_C(1) << 63) + 12345,
                              UINT64_MAX};
    const long total = tap_times(1000000);

    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++) {
        const uint64_t n = sizes[c];
        const int parts = n < 16 ? (int)n : 16, small = n < 3 ? (int)n : 3;
        int64_t seen[16] = {0}, residue[3] = {0};
        double share[16];
        bool inside = true;
        /* part i holds the integers x with floor(x parts / n) = i */
        for (int i = 0; i < parts; i++) {
            const tac_u128 from =
                ((tac_u128)n * (unsigned)i + (unsigned)parts - 1) / (unsigned)parts;
            const tac_u128 to =
                ((tac_u128)n * (unsigned)(i + 1) + (unsigned)parts - 1) / (unsigned)parts;
            share[i] = (double)(to - from) / (double)n;
        }
        const double multiples = (double)((n - 1) / (unsigned)small + 1) / (double)n;
        for (long i = 0; i < total; i++) {
            const uint64_t x = tac_below(s, n);
            inside &= x < n;
            seen[(int)((tac_u128)x * (unsigned)parts / n)]++;
            residue[x % (unsigned)small]++;
        }
        const double z = parts > 5 ? fit_z(seen, share, parts, (double)total) : 0;
        const double y = coin_z((double)residue[0], (double)total, multiples);
        CHECK(inside && fabs(z) < ALARM && fabs(y) < ALARM, "below(%llu): z = %.2f, %.2f",
              (unsigned long long)n, z, y);
    }
    bool zero = true;
    for (int i = 0; i < 1000; i++) zero &= tac_below(s, 1) == 0;
    CHECK(zero, "below(1) is 0");
}

static void test_bernoulli(tac_stream *s)
{
    const struct {
        tac_u128 a;
        uint64_t b;
    } cases[] = {
        {1, 1},
        {1, 2},
        {3, 7},
        {5, 2},
        {9, 10},
        {1, 1000},
        {999999999999999989u, 1000000000000000003u},
        {(tac_u128)3 << 62, (UINT64_C(1) << 63) + 1},
        {(tac_u128)5 << 64, UINT64_MAX},
        {UINT64_MAX, UINT64_MAX},
    };
    const long total = tap_times(1000000);

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const double p = exp(-(double)cases[c].a / (double)cases[c].b);
        long hits = 0;
        for (long i = 0; i < total; i++) hits += tac_bernoulli_exp(s, cases[c].a, cases[c].b);
        const double z = coin_z((double)hits, (double)total, p);
        CHECK(fabs(z) < ALARM, "exp(-a/b) = %.6f: z = %.2f", p, z);
    }
    bool always = true, ever = false;
    for (int i = 0; i < 1000; i++) {
        always &= tac_bernoulli_exp(s, 0, 1) && tac_bernoulli_exp(s, 0, UINT64_MAX);
        ever |= tac_bernoulli_exp(s, ~(tac_u128)0, 1);
    }
    CHECK(always, "exp(0) is certain");
    CHECK(!ever, "exp(-2^128) never comes and takes no time");
}

int main(void)
{
    static tac_stream s;
    tacit_ctx *ctx = NULL;
    tac_key key;

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_keys(ctx);
    test_streams(ctx);
    test_public_seed(ctx);
    test_run_seeds(ctx);
    test_fork(ctx);
    tac_key_from_insecure_seed(1, &key);
    MUST(tac_stream_open(ctx, &key, 0, 0, &s) == TACIT_OK);
    test_below(&s);
    test_bernoulli(&s);
    tacit_ctx_free(ctx);
    return tap_done();
}
