/* SPDX-License-Identifier: Apache-2.0 */
/* The slow path: compare a uniform real, word by word, with a probability worked out as widely as it takes.
   Numbers are arrays of 64-bit words, lowest first, with an implied binary point. Bounds: noise.proof.md. */
#include "privacy/noise_internal.h"

#include <string.h>

#define HALVINGS 20 /* num/den < 2^12 becomes < 2^-8 */

/* a[0..n) *= by; nothing is carried out of it by contract. */
static void multiply(uint64_t *a, unsigned n, uint64_t by)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < n; i++) {
        const tac_u128 sum = (tac_u128)a[i] * by + carry;
        a[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

/* a[0..n) = floor(a / by). */
static void divide(uint64_t *a, unsigned n, uint64_t by)
{
    uint64_t rest = 0;
    for (unsigned i = n; i-- > 0;) {
        const tac_u128 part = ((tac_u128)rest << 64) | a[i];
        a[i] = (uint64_t)(part / by);
        rest = (uint64_t)(part % by);
    }
}

/* a[0..n) += b[0..n), or -= with borrow; the result is in range by contract. */
static void add(uint64_t *a, const uint64_t *b, unsigned n)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < n; i++) {
        const tac_u128 sum = (tac_u128)a[i] + b[i] + carry;
        a[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

static void subtract(uint64_t *a, const uint64_t *b, unsigned n)
{
    uint64_t borrow = 0;
    for (unsigned i = 0; i < n; i++) {
        const tac_u128 difference = (tac_u128)a[i] - b[i] - borrow;
        a[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
}

static int compare(const uint64_t *a, const uint64_t *b, unsigned n)
{
    for (unsigned i = n; i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* out[0..words] = floor(a b / 2^(64 words)), both of words + 1 words and at most 2^(64 words) large. */
static void product(const uint64_t *a, const uint64_t *b, unsigned words, uint64_t *out)
{
    uint64_t full[2 * TAC_EXP_WORDS + 2] = {0};

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

/* exp(-y) = (1 - c)^(2^20), c = z (1 - z/2 (1 - z/3 (...))), z = y / 2^20 < 2^-8. */
void tac_exp_words(const tac_coin *coin, unsigned words, uint64_t *out)
{
    uint64_t z[TAC_EXP_WORDS + 2] = {0}, lost[TAC_EXP_WORDS + 1] = {0}, next[TAC_EXP_WORDS + 1];
    const unsigned n = words + 1;

    /* floor(floor(floor(a / p) / q) / r) = floor(a / (p q r)): z is off by less than one unit. */
    z[words] = (uint64_t)coin->num;
    z[words + 1] = (uint64_t)(coin->num >> 64);
    divide(z, words + 2, coin->den[0]);
    divide(z, words + 2, coin->den[1]);
    divide(z, words + 2, UINT64_C(1) << HALVINGS);

    /* 8 words terms: the first one left out is below 2^(-8 (8 words + 1)). */
    for (unsigned i = 8 * words; i > 0; i--) {
        product(z, lost, words, next);
        memcpy(lost, z, n * sizeof *lost);
        subtract(lost, next, n);
        divide(lost, n, i);
    }
    memset(out, 0, n * sizeof *out);
    out[words] = 1;
    subtract(out, lost, n);
    for (unsigned i = 0; i < HALVINGS; i++) product(out, out, words, out);
}

/* With U = (head + v) / 2^32 and v in [0, 1) uniform: U < p  iff  share (head + v) < 2^32 top 2^lift exp(-y). */
bool tac_accept_exact(tac_stream *stream, const tac_coin *coin, uint32_t head)
{
    uint64_t v[TAC_EXP_WORDS]; /* v[0] first: words never change once drawn */
    unsigned drawn = 0;

    for (unsigned words = 2; words <= TAC_EXP_WORDS; words *= 2) {
        uint64_t left[TAC_EXP_WORDS + 3] = {0}, right[TAC_EXP_WORDS + 3] = {0}, slack[TAC_EXP_WORDS + 3] = {0};
        const unsigned n = words + 3;

        for (; drawn < words; drawn++) v[drawn] = tac_word(stream);
        for (unsigned i = 0; i < words; i++) left[words - 1 - i] = v[i];
        left[words] = head;
        multiply(left, n, coin->share); /* the true left side is in [left, left + share) */
        tac_exp_words(coin, words, right);
        slack[0] = TAC_EXP_ERROR; /* the true right side is in [right - slack, right + slack] */
        multiply(right, n, (uint64_t)coin->top << 32);
        multiply(slack, n, (uint64_t)coin->top << 32);
        multiply(right, n, UINT64_C(1) << coin->lift);
        multiply(slack, n, UINT64_C(1) << coin->lift);

        add(right, slack, n);
        if (compare(left, right, n) >= 0) return false;
        uint64_t most[TAC_EXP_WORDS + 3] = {coin->share};
        add(most, left, n);
        add(most, slack, n);
        add(most, slack, n); /* right holds one slack more than the estimate: left + share <= right - 2 slack */
        if (compare(most, right, n) <= 0) return true;
    }
    return false; /* 2048 bits agree: probability below 2^-1900, see the proof page */
}
