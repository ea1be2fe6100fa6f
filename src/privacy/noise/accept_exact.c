/* SPDX-License-Identifier: Apache-2.0 */
/* The slow path of every exact coin: compare a uniform real, word by word, with a probability
   computed to as many words as it takes. Bounds: noise.proof.md. */
#include "privacy/noise/wide.h"

#include <sodium.h>

#define HALVINGS 20 /* num/den < 2^12 becomes < 2^-8 */

void tac_digits_open(tac_digits *d, bool known, uint64_t first)
{
    d->word = d->first;
    d->room = d->scratch;
    d->have = known;
    d->first[0] = first;
}

static void move_out(tac_digits *d)
{
    if (d->word != d->first) tac_free(d->word);
    if (d->room != d->scratch) tac_free(d->room);
    d->room = d->scratch;
}

/* Words drawn earlier stay: they are digits of one real. Beyond the stack's room both arrays
   move to memory. */
bool tac_digits_draw(tac_stream *stream, tac_digits *d, unsigned words, size_t room)
{
    if (words > TAC_EXP_WORDS || room > TAC_DIGITS_ROOM) { /* once in 2^1800 draws */
        uint64_t *word = NULL, *scratch = NULL;
        if (words < d->have) words = d->have;
        if (tac_new(NULL, words, sizeof *word, &word) != TACIT_OK ||
            tac_new(NULL, room, sizeof *scratch, &scratch) != TACIT_OK) {
            tac_free(word);
            stream->failed = true;
            return false;
        }
        memcpy(word, d->word, d->have * sizeof *word);
        move_out(d);
        d->word = word;
        d->room = scratch;
    }
    for (; d->have < words; d->have++) d->word[d->have] = tac_word(stream);
    return true;
}

void tac_digits_close(tac_digits *d)
{
    sodium_memzero(d->word, d->have * sizeof *d->word);
    move_out(d);
    d->word = d->first;
}

/* How many more halvings make num / den less than 2^12? */
static unsigned more_halvings(const tac_coin *coin)
{
    const tac_u128 den = (tac_u128)coin->den[0] * coin->den[1];
    unsigned more = 0;

    while ((coin->num >> 12 >> more) >= den) more++;
    return more;
}

/* exp(-y) = (1 - c)^(2^h), c = z (1 - z/2 (1 - z/3 (...))), z = y / 2^h < 2^-8; h is 20, or more
   where y >= 2^12. */
void tac_exp_words(const tac_coin *coin, unsigned words, uint64_t *out, uint64_t *room)
{
    const unsigned n = words + 1, more = more_halvings(coin);
    uint64_t *z = room, *lost = z + n + 1, *full = lost + n;

    memset(z, 0, (n + 1) * sizeof *z);
    memset(lost, 0, n * sizeof *lost);
    /* floor(floor(floor(a / p) / q) / r) = floor(a / (p q r)): z is off by less than one unit. */
    z[words] = (uint64_t)coin->num;
    z[words + 1] = (uint64_t)(coin->num >> 64);
    tac_wide_divide(z, words + 2, coin->den[0]);
    tac_wide_divide(z, words + 2, coin->den[1]);
    tac_wide_divide(z, words + 2, UINT64_C(1) << HALVINGS);
    for (unsigned i = 0; i < more; i += 32)
        tac_wide_divide(z, words + 2, UINT64_C(1) << (more - i < 32 ? more - i : 32));

    /* 8 words terms: the first one left out is below 2^(-8 (8 words + 1)). */
    for (unsigned i = 8 * words; i > 0; i--) {
        tac_wide_product(z, lost, words, out, full);
        memcpy(lost, z, n * sizeof *lost);
        tac_wide_subtract(lost, out, n);
        tac_wide_divide(lost, n, i);
    }
    memset(out, 0, n * sizeof *out);
    out[words] = 1;
    tac_wide_subtract(out, lost, n);
    for (unsigned i = 0; i < HALVINGS + more; i++) tac_wide_product(out, out, words, out, full);
}

/* With U = (head + v) / 2^32 and v in [0, 1) uniform: U < p iff share (head + v) < 2^32 top 2^lift
   exp(-y). v: words of it, the first first. room: 4 (words + 3) + TAC_EXP_ROOM(words) */
static tac_verdict compare(const tac_coin *coin, uint32_t head, const uint64_t *v, unsigned words,
                           uint64_t *room)
{
    const unsigned n = words + 3;
    uint64_t *left = room, *right = left + n, *slack = right + n, *most = slack + n,
             *rest = most + n;

    memset(room, 0, 4 * (size_t)n * sizeof *room);
    for (unsigned i = 0; i < words; i++) left[words - 1 - i] = v[i];
    left[words] = head;
    tac_wide_multiply(left, n, coin->share); /* the true left side is in [left, left + share) */
    tac_exp_words(coin, words, right, rest);
    slack[0] = TAC_EXP_ERROR; /* the true right side is in [right - slack, right + slack] */
    tac_wide_multiply(right, n, (uint64_t)coin->top << 32);
    tac_wide_multiply(slack, n, (uint64_t)coin->top << 32);
    tac_wide_multiply(right, n, UINT64_C(1) << coin->lift);
    tac_wide_multiply(slack, n, UINT64_C(1) << coin->lift);

    tac_wide_add(right, slack, n);
    if (tac_wide_compare(left, right, n) >= 0) return TAC_REJECT;
    most[0] = coin->share;
    tac_wide_add(most, left, n);
    tac_wide_add(most, slack, n);
    /* right holds one slack more than the estimate: left + share <= right - 2 slack */
    tac_wide_add(most, slack, n);
    return tac_wide_compare(most, right, n) <= 0 ? TAC_ACCEPT : TAC_UNSURE;
}

/* Doubles the words until the comparison is certain. With w words it stays undecided with
   probability about 2^(24 - 64 w) at most, so two words almost always do. */
bool tac_accept_exact(tac_stream *stream, const tac_coin *coin, uint32_t head)
{
    tac_verdict verdict = TAC_UNSURE;
    tac_digits digits;

    tac_digits_open(&digits, false, 0);
    for (unsigned words = 2; verdict == TAC_UNSURE; words *= 2) {
        if (!tac_digits_draw(stream, &digits, words, 4 * (words + 3) + TAC_EXP_ROOM(words))) break;
        verdict = compare(coin, head, digits.word, words, digits.room);
    }
    tac_digits_close(&digits);
    return verdict == TAC_ACCEPT;
}
