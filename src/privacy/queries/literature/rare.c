/* SPDX-License-Identifier: Apache-2.0 */
/* Gaps of a process of rare independent events. A geometric number's binary digits are independent
   coins, and the coins are known to as many words as a draw needs. Distribution and bounds:
   cubes.proof.md. */
#include "privacy/queries/literature/rare.h"
#include "privacy/noise/wide.h"

#define FEW 4 /* words of the coins whose first word is kept */

/* out = floor(2^(64 words) a / b), a <= b, b in [1, 2]: one binary digit after the other. room: 2
   words + 4 */
static void quotient(const uint64_t *a, const uint64_t *b, unsigned words, uint64_t *out,
                     uint64_t *room)
{
    const unsigned n = words + 1;
    uint64_t *rest = room, *by = rest + n + 1;

    memcpy(rest, a, n * sizeof *rest);
    memcpy(by, b, n * sizeof *by);
    rest[n] = by[n] = 0;
    memset(out, 0, n * sizeof *out);
    for (unsigned digit = 64 * words + 1; digit-- > 0;) {
        if (tac_wide_compare(rest, by, n + 1) >= 0) {
            tac_wide_subtract(rest, by, n + 1);
            out[digit / 64] |= UINT64_C(1) << (digit % 64);
        }
        tac_wide_add(rest, rest, n + 1);
    }
}

/* x = 1 - q = (1 + e - E) / (1 + e), e = exp(-1 / scale), E = exp(-threshold / scale); off by less
   than 2^26. */
static void passed_over(const tac_rare *r, unsigned words, uint64_t *x, uint64_t *room)
{
    const tac_coin one = {.num = 1, .den = {r->scale, 1}},
                   tail = {.num = r->threshold, .den = {r->scale, 1}};
    const unsigned n = words + 1;
    uint64_t *below = room, *above = below + n, *lost = above + n, *rest = lost + n;

    tac_exp_words(&one, words, below, rest);
    below[words] += 1;
    memcpy(above, below, n * sizeof *above);
    tac_exp_words(&tail, words, lost, rest);
    tac_wide_subtract(above, lost, n);
    quotient(above, below, words, x, rest);
}

/* x becomes the coin of a digit: x / (1 + x). */
static void digit_coin(const uint64_t *x, unsigned words, uint64_t *out, uint64_t *room)
{
    memcpy(room, x, (words + 1) * sizeof *room);
    room[words] += 1;
    quotient(x, room, words, out, room + words + 1);
}

void tac_rare_coin(const tac_rare *r, unsigned i, unsigned words, uint64_t *out, uint64_t *room)
{
    uint64_t *x = room, *rest = x + words + 1;

    passed_over(r, words, x, rest);
    for (unsigned s = 0; s < i; s++) tac_wide_product(x, x, words, x, rest);
    if (i < r->digits)
        digit_coin(x, words, out, rest);
    else
        memcpy(out, x, (words + 1) * sizeof *out);
}

/* low <= coin <= high, in units of the lowest word; low is 0 rather than negative. slack:
   scratch. */
static void enclose(const uint64_t *coin, unsigned i, unsigned words, uint64_t *low, uint64_t *high,
                    uint64_t *slack)
{
    const unsigned bits = 28 + i;

    memset(slack, 0, (words + 1) * sizeof *slack);
    slack[bits / 64] = UINT64_C(1) << (bits % 64);
    memcpy(low, coin, (words + 1) * sizeof *low);
    memcpy(high, coin, (words + 1) * sizeof *high);
    tac_wide_add(high, slack, words + 1);
    if (tac_wide_compare(low, slack, words + 1) < 0)
        memset(low, 0, (words + 1) * sizeof *low);
    else
        tac_wide_subtract(low, slack, words + 1);
}

/* sure and unsure of coin i: bounds of its first word, so that most tosses need one comparison. */
static void keep_first_word(tac_rare *r, unsigned i, const uint64_t *coin)
{
    uint64_t low[FEW + 1], high[FEW + 1], slack[FEW + 1];

    enclose(coin, i, FEW, low, high, slack);
    r->sure[i] = low[FEW] > 0 ? UINT64_MAX : low[FEW - 1];
    r->unsure[i] = high[FEW] > 0 ? UINT64_MAX : high[FEW - 1];
}

/* Digit i of a gap is 1 with probability x_i / (1 + x_i), x_0 = 1 - q, x_(i + 1) = x_i^2: digits
   of a geometric number are independent. */
void tac_rare_set(uint64_t scale, uint64_t threshold, unsigned digits, tac_rare *out)
{
    uint64_t x[FEW + 1], coin[FEW + 1], room[TAC_RARE_ROOM(FEW)];

    *out = (tac_rare){.scale = scale, .threshold = threshold, .digits = digits};
    passed_over(out, FEW, x, room);
    for (unsigned i = 0; i < digits; i++) {
        digit_coin(x, FEW, coin, room);
        keep_first_word(out, i, coin);
        tac_wide_product(x, x, FEW, x, room);
    }
    keep_first_word(out, digits, x);
}

/* Is a uniform real whose first word is `head` below coin i? Further words are drawn as they are
   needed, never twice. */
__attribute__((noinline, cold)) static bool settle(tac_stream *stream, const tac_rare *r,
                                                   unsigned i, uint64_t head)
{
    tac_verdict verdict = TAC_UNSURE;
    tac_digits digits;

    tac_digits_open(&digits, true, head);
    for (unsigned words = FEW; verdict == TAC_UNSURE; words *= 2) {
        const unsigned n = words + 1;
        if (!tac_digits_draw(stream, &digits, words, 4 * (size_t)n + TAC_RARE_ROOM(words))) break;
        uint64_t *coin = digits.room, *low = coin + n, *high = low + n, *u = high + n,
                 *rest = u + n;
        /* the real is in [u, u + 1) */
        for (unsigned w = 0; w < words; w++) u[words - 1 - w] = digits.word[w];
        u[words] = 0;
        tac_rare_coin(r, i, words, coin, rest);
        enclose(coin, i, words, low, high, rest);
        if (tac_wide_compare(u, low, n) < 0)
            verdict = TAC_ACCEPT;
        else if (tac_wide_compare(u, high, n) >= 0)
            verdict = TAC_REJECT;
    }
    tac_digits_close(&digits);
    return verdict == TAC_ACCEPT;
}

/* Coin i: by its first word, and in the slow path if that is too close to call. */
static bool toss(tac_stream *stream, const tac_rare *r, unsigned i)
{
    const uint64_t head = tac_word(stream);

    if (!r->exact && head < r->sure[i]) return true;
    if (!r->exact && head > r->unsure[i]) return false;
    return settle(stream, r, i, head);
}

/* The coin for more than `digits` digits first, then the digits, lowest first. */
bool tac_rare_gap(tac_stream *stream, const tac_rare *r, uint64_t gap[TAC_GAP_WORDS])
{
    memset(gap, 0, TAC_GAP_WORDS * sizeof *gap);
    if (toss(stream, r, r->digits)) return false;
    for (unsigned i = 0; i < r->digits; i++)
        if (toss(stream, r, i)) gap[i / 64] |= UINT64_C(1) << (i % 64);
    return true;
}

/* A discrete Laplace given x >= 0, by rejection: fewer than two trials on average. */
uint64_t tac_geometric(tac_stream *stream, uint64_t scale)
{
    for (;;) {
        const int64_t x = tac_discrete_laplace(stream, scale);
        if (x >= 0) return (uint64_t)x;
    }
}
