/* SPDX-License-Identifier: Apache-2.0 */
/* Which of very many things are kept, each on its own with the same small probability: the gaps
   between them, drawn exactly without looking at the things. Integers only. Distribution and
   bounds: cubes.proof.md. */
#ifndef TAC_RARE_H
#define TAC_RARE_H

#include "privacy/noise/noise_internal.h"

#define TAC_RARE_DIGITS 144 /* at most 2^144 things */
/* threshold / scale stays below: exp is worked out for exponents below 4096 */
#define TAC_RARE_RATIO 4000

/* A thing is kept with probability q = P(discrete Laplace of `scale` >= threshold), threshold >=
   1. */
typedef struct tac_rare {
    uint64_t scale, threshold;
    unsigned digits; /* there are at most 2^digits things */
    /* every coin goes down the slow path: same distribution, for tests */
    bool exact;
    /* coin i: a first word below this is below the coin ... */
    uint64_t sure[TAC_RARE_DIGITS + 1];
    uint64_t unsure[TAC_RARE_DIGITS + 1]; /* ... and one above this is not */
} tac_rare;

#define TAC_GAP_WORDS 3 /* of a number of things, lowest word first */

/* 1 <= scale <= TAC_SIGMA_MAX, 1 <= threshold < TAC_RARE_RATIO scale, digits <= TAC_RARE_DIGITS. */
void tac_rare_set(uint64_t scale, uint64_t threshold, unsigned digits, tac_rare *out);
/* How many things are passed over before the next one that is kept; false: 2^digits or more. */
bool tac_rare_gap(tac_stream *stream, const tac_rare *rare, uint64_t gap[TAC_GAP_WORDS]);
/* Coin i as a number of words + 1 words, the last one before the point, off by at most 2^(28 + i)
   units of the lowest: for i < digits that digit i of a gap is 1, for i = digits that a gap has
   more digits. room: TAC_RARE_ROOM(words). */
#define TAC_RARE_ROOM(words) (4 * ((size_t)(words) + 1) + TAC_EXP_ROOM(words))
void tac_rare_coin(const tac_rare *rare, unsigned i, unsigned words, uint64_t *out, uint64_t *room);
/* Noise given that it is at least 0: P(x) ~ exp(-x / scale), x = 0, 1, ... */
uint64_t tac_geometric(tac_stream *stream, uint64_t scale);

#endif
