/* SPDX-License-Identifier: Apache-2.0 */
/* The run's key, its streams of words, and the two exact draws that need words alone. All
   randomness of noise starts here: key -> subkey of a query -> stream of a block. Distributions:
   noise.proof.md. */
#include "privacy/noise/random.h"

#include <endian.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#define STREAM_WORDS (sizeof((tac_stream *)NULL)->words / sizeof(uint64_t))
/* the label of public choices under a test seed: far from the numbers of queries */
#define PUBLIC_CHOICES (UINT64_C(1) << 62)
/* most answers are a few numbers: the words of a whole buffer would be most of their price */
#define FIRST_WORDS 64

_Static_assert(crypto_stream_chacha20_KEYBYTES == 32 && crypto_stream_chacha20_NONCEBYTES == 8,
               "a 64-bit nonce names the block and a 64-bit counter never wraps");

tacit_status tac_key_from_system(tacit_ctx *ctx, tac_key *key)
{
    memset(key, 0, sizeof *key);
    const tacit_status status = tac_system_random(ctx, key->bytes, sizeof key->bytes);
    if (status == TACIT_OK) key->owner = (int64_t)getpid();
    return status;
}

/* The same seed, the same noise: marked as insecure, because such a release is not private. */
void tac_key_from_insecure_seed(uint64_t seed, tac_key *key)
{
    static const uint8_t domain[] = "tacit insecure test seed 1";
    const uint64_t message = htole64(seed);

    crypto_generichash(key->bytes, sizeof key->bytes, (const uint8_t *)&message, sizeof message,
                       domain, sizeof domain);
    key->owner = (int64_t)getpid();
    key->insecure = true;
}

void tac_key_wipe(tac_key *key)
{
    sodium_memzero(key, sizeof *key);
}

/* The next `many` words of ChaCha20(key, nonce), from 64-byte block `counter` on, at the end of the
   buffer; many: a multiple of 8. */
static void refill(tac_stream *stream, size_t many)
{
    uint8_t nonce[8];
    const uint64_t name = htole64(stream->nonce);
    uint64_t *words = stream->words + STREAM_WORDS - many;
    uint8_t *bytes = (uint8_t *)words;

    memcpy(nonce, &name, sizeof nonce);
    memset(words, 0, many * sizeof *words);
    crypto_stream_chacha20_xor_ic(bytes, bytes, many * sizeof *words, nonce, stream->counter,
                                  stream->key);
    for (size_t i = 0; i < many; i++) words[i] = le64toh(words[i]);
    stream->counter += many * sizeof *words / 64;
    stream->next = STREAM_WORDS - many;
}

tacit_status tac_key_check(tacit_ctx *ctx, const tac_key *key)
{
    if (key->owner == (int64_t)getpid()) return TACIT_OK;
    /* Parent and child would add the same noise to two releases: their difference would be
       exact. */
    return tac_fail(ctx, TACIT_E_INTERNAL,
                    "the noise key was made in another process: a run cannot go on after fork(); "
                    "start it in the process that will finish it");
}

/* subkey = BLAKE2b-256 of (domain, query), keyed by the run's key: subkeys of different queries
   look independent. */
static void subkey_of(const tac_key *key, uint64_t query, uint8_t out[32])
{
    struct {
        uint8_t domain[16];
        uint64_t query;
    } message = {"tacit query 1", htole64(query)};

    crypto_generichash(out, 32, (const uint8_t *)&message, sizeof message, key->bytes,
                       sizeof key->bytes);
}

/* ChaCha20 with the query's subkey, the block as nonce. The owner check comes first: no stream
   opens in a forked child. */
tacit_status tac_stream_open(tacit_ctx *ctx, const tac_key *key, uint64_t query, uint64_t block,
                             tac_stream *out)
{
    const tacit_status status = tac_key_check(ctx, key);

    if (status != TACIT_OK) {
        memset(out, 0, sizeof *out);
        return status;
    }
    subkey_of(key, query, out->key);
    out->nonce = block;
    out->counter = 0;
    out->failed = false;
    refill(out, FIRST_WORDS);
    return TACIT_OK;
}

tacit_status tac_public_seed_from_system(tacit_ctx *ctx, tac_public_seed *seed)
{
    memset(seed, 0, sizeof *seed);
    return tac_system_random(ctx, seed->bytes, sizeof seed->bytes);
}

/* A subkey that no query has, so public choices and noise use different words even under a test
   seed. */
void tac_public_seed_from_insecure_seed(uint64_t seed, tac_public_seed *out)
{
    tac_key key;

    tac_key_from_insecure_seed(seed, &key);
    subkey_of(&key, PUBLIC_CHOICES, out->bytes);
    tac_key_wipe(&key);
}

void tac_public_stream(const tac_public_seed *seed, tac_stream *out)
{
    memcpy(out->key, seed->bytes, sizeof out->key);
    out->nonce = 0;
    out->counter = 0;
    out->failed = false;
    refill(out, FIRST_WORDS);
}

void tac_stream_close(tac_stream *stream)
{
    sodium_memzero(stream, sizeof *stream);
}

/* Draws that needed more memory than there is were not made: the caller must not use them. */
tacit_status tac_stream_end(tacit_ctx *ctx, tac_stream *stream)
{
    const bool failed = stream->failed;

    tac_stream_close(stream);
    if (!failed) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_MEMORY,
                    "out of memory while noise was drawn; use a machine with more memory");
}

uint64_t tac_word(tac_stream *stream)
{
    if (stream->next >= STREAM_WORDS) refill(stream, STREAM_WORDS);
    return stream->words[stream->next++];
}

/* The high word of w n is uniform on [0, n) once the 2^64 mod n lowest low words are refused. */
uint64_t tac_below(tac_stream *stream, uint64_t n)
{
    tac_u128 product = (tac_u128)tac_word(stream) * n;
    if ((uint64_t)product < n) {
        const uint64_t refused = (0 - n) % n;
        while ((uint64_t)product < refused) product = (tac_u128)tac_word(stream) * n;
    }
    return (uint64_t)(product >> 64);
}

/* True with probability exp(-part/b), 0 <= part <= b (von Neumann): the first m at which a coin of
   part / (b m) fails is odd with probability sum over m of (-part/b)^m / m!. */
static bool bernoulli_exp_fraction(tac_stream *stream, uint64_t part, uint64_t b)
{
    uint64_t m = 1;
    while ((m == 1 || tac_below(stream, m) == 0) && (part == b || tac_below(stream, b) < part)) m++;
    return m % 2 == 1;
}

/* Products of independent coins: floor(a/b) of exp(-1), then one of the fraction. */
bool tac_bernoulli_exp(tac_stream *stream, tac_u128 a, uint64_t b)
{
    const uint64_t part = (uint64_t)(a % b);

    /* exp(-a/b) = exp(-1)^floor(a/b) exp(-part/b); the first failure ends it, so a huge a costs
       nothing. */
    for (tac_u128 whole = a / b; whole > 0; whole--)
        if (!bernoulli_exp_fraction(stream, 1, 1)) return false;
    return bernoulli_exp_fraction(stream, part, b);
}
