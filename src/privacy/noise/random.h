/* SPDX-License-Identifier: Apache-2.0 */
/* Randomness for noise: ChaCha20 keyed by the operating system, one subkey per query, one stream
   per block of coordinates, so noise is a function of (run key, query, coordinate) and not of
   threads. */
#ifndef TAC_RANDOM_H
#define TAC_RANDOM_H

#include "core/core.h"

/* The key of one run. Never stored, never reused for a second run, wiped when done. */
typedef struct tac_key {
    uint8_t bytes[32];
    int64_t owner; /* process that made it: a forked child is refused */
    bool insecure; /* from a test seed */
} tac_key;

tacit_status tac_key_from_system(tacit_ctx *ctx, tac_key *key);
/* tests only: the release is then not private */
void tac_key_from_insecure_seed(uint64_t seed, tac_key *key);
void tac_key_wipe(tac_key *key);

/* A stream of 64-bit words. Buffer inside: large (4 KiB), so make it once per block, not per
   sample. */
typedef struct tac_stream {
    uint8_t key[32];
    uint64_t nonce, counter;
    size_t next; /* index of the next unused word */
    /* a draw needed more memory than there is: what was drawn must not be used (tac_stream_end) */
    bool failed;
    uint64_t words[512];
} tac_stream;

/* The seed of a run's public choices: starts, projections, shifts, splits into batches, seeds of
   solvers. Drawn apart from the key, so whoever learns it learns nothing about noise: it could be
   printed. Under a test seed both follow from that seed. */
typedef struct tac_public_seed {
    uint8_t bytes[32];
} tac_public_seed;

tacit_status tac_public_seed_from_system(tacit_ctx *ctx, tac_public_seed *seed);
void tac_public_seed_from_insecure_seed(uint64_t seed, tac_public_seed *out);
/* The one stream of a public seed. */
void tac_public_stream(const tac_public_seed *seed, tac_stream *out);

/* Fails in a process other than the key's owner, as every stream does: where a sentence may be set,
   before workers open theirs. */
tacit_status tac_key_check(tacit_ctx *ctx, const tac_key *key);

/* The stream of block `block` of query `query`. Fails in a process other than the key's owner. */
tacit_status tac_stream_open(tacit_ctx *ctx, const tac_key *key, uint64_t query, uint64_t block,
                             tac_stream *out);
void tac_stream_close(tac_stream *stream); /* wipes it */
/* The same, and were all draws made? Every user of a stream whose draws may need memory ends it
   so. */
tacit_status tac_stream_end(tacit_ctx *ctx, tac_stream *stream);
uint64_t tac_word(tac_stream *stream);

/* Uniform on [0, n), n >= 1, exact (Lemire). */
uint64_t tac_below(tac_stream *stream, uint64_t n);
/* True with probability exp(-a/b), b >= 1, exact. */
bool tac_bernoulli_exp(tac_stream *stream, tac_u128 a, uint64_t b);

#endif
