/* SPDX-License-Identifier: Apache-2.0 */
/* The discrete Gaussian: Karney's Algorithm D with the cell from a table and one coin a trial.
   noise.proof.md. */
#include "privacy/noise/noise_trial.h"

#define FARTHEST 63 /* cells beyond it weigh less than 2^-2900: coins of their own */

/* 2^64 mod size, for exact uniform places, and the reciprocal of size, for fractions without
   division. */
void tac_scale_set(uint64_t size, tac_scale *out)
{
    out->size = size;
    out->refused = (0 - size) % size;
    out->shift = 63 - (unsigned)__builtin_clzll(size);
    /* 2^(64 + shift) - 1: for a power of two the quotient would be 2^64 without the -1. */
    out->inverse = (uint64_t)((((tac_u128)1 << (64 + out->shift)) - 1) / size);
}

/* p = TOP / share[k] exp(-(k + x)^2 / 2) = exp(-(k x + x^2 / 2 + excess[k])), x = j / sigma. */
static inline uint64_t guess(const tac_scale *scale, unsigned k, uint64_t j)
{
    const uint64_t x = place_fraction(scale, j);
    return exp_fixed(k * (x >> 4) + (high_product(x, x) >> 5) + gaussian_excess[k]);
}

uint64_t tac_gaussian_guess(const tac_scale *scale, unsigned k, uint64_t j)
{
    return guess(scale, k, j);
}

/* The same p as integers. Cell 7 + m has the share TAIL 2^-(m + 1) of 2^31. */
void tac_gaussian_coin(const tac_scale *scale, unsigned k, uint64_t j, tac_coin *out)
{
    const tac_u128 x = (tac_u128)scale->size * k + j; /* < 2^60 */
    out->top = GAUSSIAN_TOP;
    out->share = k < GAUSSIAN_CELLS ? gaussian_share[k] : GAUSSIAN_TAIL;
    out->lift = k < GAUSSIAN_CELLS ? 0 : k - GAUSSIAN_CELLS + 1;
    out->num = x * x;
    out->den[0] = scale->size;
    out->den[1] = 2 * scale->size;
}

/* What a cell `more` beyond FARTHEST has to win besides the coin of FARTHEST: (2 / e)^more
   exp(-(more (124 + more) / 2 + more x)). */
static bool go_on(tac_stream *stream, const tac_scale *scale, uint64_t more, uint64_t j)
{
    const tac_coin step = {.top = 2, .share = 1, .num = 1, .den = {1, 1}};

    for (uint64_t i = 0; i < more; i++) /* exp(-(124 + more) / 2 - x), `more` times */
        if (!tac_accept_exact(stream, &step, (uint32_t)tac_word(stream)) ||
            !tac_bernoulli_exp(stream, (tac_u128)(124 + more) * scale->size + 2 * (tac_u128)j,
                               2 * scale->size))
            return false;
    return true;
}

/* The coin when the fast path does not know: once in 2^31 trials, and in the tail. */
__attribute__((noinline, cold)) static bool settle(tac_stream *stream, const tac_scale *scale,
                                                   uint64_t *k, uint64_t j, uint32_t head)
{
    tac_coin coin;

    if (*k == GAUSSIAN_CELLS) { /* the tail: cell 7 + m with probability 2^-(m + 1) */
        while ((tac_word(stream) & 1) == 1) ++*k;
        if (*k > FARTHEST && !go_on(stream, scale, *k - FARTHEST, j)) return false;
    }
    tac_gaussian_coin(scale, *k > FARTHEST ? FARTHEST : (unsigned)*k, j, &coin);
    return tac_accept_exact(stream, &coin, head);
}

/* One trial: a cell k by its share, a place j within it, and a coin of exp(-(k x + x^2 / 2)), x
   = j / sigma. *out is the value it would give; returns 1 if it counts. */
static inline size_t try_once(tac_stream *stream, const tac_scale *scale, bool exact, tac_i128 *out)
{
    const trial t = draw_trial(stream);
    const uint64_t j = draw_place(stream, scale);
    uint64_t k = find_cell(gaussian_edge, GAUSSIAN_CELLS, t.pick);
    /* The tail has no entry in the tables: any guess will do, it is settled below. */
    const unsigned row = k < GAUSSIAN_CELLS ? (unsigned)k : 0;
    tac_verdict verdict = tac_compare(guess(scale, row, j), t.head);

    if (RARE(exact || verdict == TAC_UNSURE || k == GAUSSIAN_CELLS))
        verdict = settle(stream, scale, &k, j, t.head) ? TAC_ACCEPT : TAC_REJECT;
    *out = place_value(scale, k, j, t.minus);
    /* Zero has one sign, or it would come twice as often. */
    return (size_t)verdict & (size_t) !(t.minus == 1 && (k | j) == 0);
}

void tac_gaussian_fill(tac_stream *stream, const tac_scale *scale, bool exact, int64_t *out,
                       int64_t *high, size_t count)
{
    fill_by_trials(try_once, stream, scale, exact, out, high, count);
}

int64_t tac_discrete_gaussian(tac_stream *stream, uint64_t sigma)
{
    tac_scale scale;
    int64_t out;

    tac_scale_set(sigma, &scale);
    tac_gaussian_fill(stream, &scale, false, &out, NULL, 1);
    return out;
}
