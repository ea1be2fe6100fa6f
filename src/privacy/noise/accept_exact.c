/* SPDX-License-Identifier: Apache-2.0 */
/* The slow path: compare a uniform real, word by word, with a probability worked out as widely as it takes.
   Bounds: noise.proof.md. */
#include "privacy/noise/wide.h"

#define HALVINGS 20 /* num/den < 2^12 becomes < 2^-8 */

/* exp(-y) = (1 - c)^(2^20), c = z (1 - z/2 (1 - z/3 (...))), z = y / 2^20 < 2^-8. */
void tac_exp_words(const tac_coin *coin, unsigned words, uint64_t *out)
{
    uint64_t z[TAC_EXP_WORDS + 2] = {0}, lost[TAC_EXP_WORDS + 1] = {0}, next[TAC_EXP_WORDS + 1];
    const unsigned n = words + 1;

    /* floor(floor(floor(a / p) / q) / r) = floor(a / (p q r)): z is off by less than one unit. */
    z[words] = (uint64_t)coin->num;
    z[words + 1] = (uint64_t)(coin->num >> 64);
    tac_wide_divide(z, words + 2, coin->den[0]);
    tac_wide_divide(z, words + 2, coin->den[1]);
    tac_wide_divide(z, words + 2, UINT64_C(1) << HALVINGS);

    /* 8 words terms: the first one left out is below 2^(-8 (8 words + 1)). */
    for (unsigned i = 8 * words; i > 0; i--) {
        tac_wide_product(z, lost, words, next);
        memcpy(lost, z, n * sizeof *lost);
        tac_wide_subtract(lost, next, n);
        tac_wide_divide(lost, n, i);
    }
    memset(out, 0, n * sizeof *out);
    out[words] = 1;
    tac_wide_subtract(out, lost, n);
    for (unsigned i = 0; i < HALVINGS; i++) tac_wide_product(out, out, words, out);
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
        tac_wide_multiply(left, n, coin->share); /* the true left side is in [left, left + share) */
        tac_exp_words(coin, words, right);
        slack[0] = TAC_EXP_ERROR; /* the true right side is in [right - slack, right + slack] */
        tac_wide_multiply(right, n, (uint64_t)coin->top << 32);
        tac_wide_multiply(slack, n, (uint64_t)coin->top << 32);
        tac_wide_multiply(right, n, UINT64_C(1) << coin->lift);
        tac_wide_multiply(slack, n, UINT64_C(1) << coin->lift);

        tac_wide_add(right, slack, n);
        if (tac_wide_compare(left, right, n) >= 0) return false;
        uint64_t most[TAC_EXP_WORDS + 3] = {coin->share};
        tac_wide_add(most, left, n);
        tac_wide_add(most, slack, n);
        tac_wide_add(most, slack, n); /* right holds one slack more than the estimate: left + share <= right - 2 slack */
        if (tac_wide_compare(most, right, n) <= 0) return true;
    }
    return false; /* 2048 bits agree: probability below 2^-1900, see the proof page */
}
