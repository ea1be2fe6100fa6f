/* SPDX-License-Identifier: Apache-2.0 */
/* What the two samplers share: one trial is a cell k, a place j in it and a coin.
   noise.proof.md. */
#ifndef TAC_NOISE_INTERNAL_H
#define TAC_NOISE_INTERNAL_H

#include "privacy/noise/noise.h"

/* A scale with what its trials need: worked out once, used for a whole block. */
typedef struct tac_scale {
    uint64_t size;    /* sigma, or Laplace's scale: cells are [k size, (k + 1) size) */
    uint64_t refused; /* 2^64 mod size */
    uint64_t inverse; /* floor((2^(64 + shift) - 1) / size), in [2^63, 2^64) */
    unsigned shift;   /* floor(log2 size) */
} tac_scale;

void tac_scale_set(uint64_t size, tac_scale *out);

/* A coin of probability top 2^lift / share exp(-num / (den[0] den[1])) <= 1, all but exp exact
   integers; num / den < 4096 if lift > 0. */
typedef struct tac_coin {
    uint32_t top, share;
    unsigned lift; /* <= 60 */
    tac_u128 num;
    uint64_t den[2]; /* both in [1, 2^62] */
} tac_coin;

/* words of a probability that are worked out on the stack; beyond, in memory, without bound */
#define TAC_EXP_WORDS 32
/* bound of tac_exp_words' error, in units of its last word */
#define TAC_EXP_ERROR (UINT64_C(1) << 24)

/* out[0 .. words] = exp(-num / (den[0] den[1])) 2^(64 words), lowest word first, off by at most
   TAC_EXP_ERROR. room: TAC_EXP_ROOM(words) words of scratch. */
#define TAC_EXP_ROOM(words) (4 * (size_t)(words) + 5)
void tac_exp_words(const tac_coin *coin, unsigned words, uint64_t *out, uint64_t *room);
/* Is a uniform real that begins with the 32 bits `head` below the coin's probability? Its further
   words come from the stream, as many as it takes; without memory for them the stream has
   failed. */
bool tac_accept_exact(tac_stream *stream, const tac_coin *coin, uint32_t head);

typedef enum tac_verdict { TAC_REJECT = 0, TAC_ACCEPT = 1, TAC_UNSURE = 2 } tac_verdict;

/* bound of a guessed probability's error, in units of 2^-64 */
#define TAC_GUESS_ERROR (UINT64_C(1) << 24)

/* `guess` is within TAC_GUESS_ERROR of 2^64 p: is every real, or no real, that begins with `head`
   below p? Unsure for two heads of 2^32 at most. */
static inline tac_verdict tac_compare(uint64_t guess, uint32_t head)
{
    const uint64_t sure = (guess - TAC_GUESS_ERROR) >> 32;
    return head < sure ? TAC_ACCEPT : head - sure <= 1 ? TAC_UNSURE : TAC_REJECT;
}

/* 2^64 p for cell k and place j, by the fast path; and the exact coin of the slow path. Tests
   compare them. */
uint64_t tac_gaussian_guess(const tac_scale *scale, unsigned k, uint64_t j);
uint64_t tac_laplace_guess(const tac_scale *scale, unsigned k, uint64_t j);
void tac_gaussian_coin(const tac_scale *scale, unsigned k, uint64_t j, tac_coin *out);
void tac_laplace_coin(const tac_scale *scale, unsigned k, uint64_t j, tac_coin *out);

/* out[i] = the next count draws modulo 2^64; high[i] (NULL: not wanted) = their second words.
   `exact` sends every coin down the slow path: same distribution, for tests. */
void tac_gaussian_fill(tac_stream *stream, const tac_scale *scale, bool exact, int64_t *out,
                       int64_t *high, size_t count);
void tac_laplace_fill(tac_stream *stream, const tac_scale *scale, bool exact, int64_t *out,
                      int64_t *high, size_t count);

#endif
