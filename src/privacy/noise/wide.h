/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of many words, lowest first, with an implied binary point: the arithmetic of the slow
   paths. Schoolbook methods: they run once in billions of draws. */
#ifndef TAC_WIDE_H
#define TAC_WIDE_H

#include "privacy/noise/noise_internal.h"

#include <string.h>

/* a[0..n) *= by; nothing is carried out of it by contract. */
static inline void tac_wide_multiply(uint64_t *a, unsigned n, uint64_t by)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < n; i++) {
        const tac_u128 sum = (tac_u128)a[i] * by + carry;
        a[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

/* a[0..n) = floor(a / by). */
static inline void tac_wide_divide(uint64_t *a, unsigned n, uint64_t by)
{
    uint64_t rest = 0;
    for (unsigned i = n; i-- > 0;) {
        const tac_u128 part = ((tac_u128)rest << 64) | a[i];
        a[i] = (uint64_t)(part / by);
        rest = (uint64_t)(part % by);
    }
}

/* a[0..n) += b[0..n), or -= with borrow; the result is in range by contract. */
static inline void tac_wide_add(uint64_t *a, const uint64_t *b, unsigned n)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < n; i++) {
        const tac_u128 sum = (tac_u128)a[i] + b[i] + carry;
        a[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

static inline void tac_wide_subtract(uint64_t *a, const uint64_t *b, unsigned n)
{
    uint64_t borrow = 0;
    for (unsigned i = 0; i < n; i++) {
        const tac_u128 difference = (tac_u128)a[i] - b[i] - borrow;
        a[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
}

/* -1, 0 or 1 as a < b, a = b or a > b. */
static inline int tac_wide_compare(const uint64_t *a, const uint64_t *b, unsigned n)
{
    for (unsigned i = n; i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* out[0..words] = floor(a b / 2^(64 words)), both of words + 1 words and at most 2^(64 words)
   large. full: 2 words + 2. */
static inline void tac_wide_product(const uint64_t *a, const uint64_t *b, unsigned words,
                                    uint64_t *out, uint64_t *full)
{
    memset(full, 0, (2 * (size_t)words + 2) * sizeof *full);
    for (unsigned i = 0; i <= words; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; j <= words; j++) {
            const tac_u128 sum = (tac_u128)a[i] * b[j] + full[i + j] + carry;
            full[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        full[i + words + 1] = carry;
    }
    memcpy(out, full + words, (words + 1) * sizeof *out);
}

/* A uniform real, of which more and more words are drawn, and scratch for the arithmetic with as
   many: on the stack as long as that will do, then in memory. */
#define TAC_DIGITS_ROOM (16 * TAC_EXP_WORDS + 32)
typedef struct tac_digits {
    uint64_t first[TAC_EXP_WORDS], scratch[TAC_DIGITS_ROOM];
    uint64_t *word; /* the first first: words never change once drawn */
    uint64_t *room;
    unsigned have;
} tac_digits;

/* known: the real's first word was drawn elsewhere, and is `first`. */
void tac_digits_open(tac_digits *d, bool known, uint64_t first);
/* At least so many words of the real, and `room` words of scratch. False, and the stream has
   failed: no memory. */
bool tac_digits_draw(tac_stream *stream, tac_digits *d, unsigned words, size_t room);
void tac_digits_close(tac_digits *d);

#endif
