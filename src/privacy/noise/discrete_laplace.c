/* SPDX-License-Identifier: Apache-2.0 */
/* The discrete Laplace: the Gaussian's trial with another table, and a tail that begins again.
   noise.proof.md. */
#include "privacy/noise/noise_trial.h"

/* p = TOP / share[k] exp(-(k + x)) = exp(-(x + excess[k])), x = j / scale. */
static inline uint64_t guess(const tac_scale *scale, unsigned k, uint64_t j)
{
    return exp_fixed((place_fraction(scale, j) >> 4) + laplace_excess[k]);
}

uint64_t tac_laplace_guess(const tac_scale *scale, unsigned k, uint64_t j)
{
    return guess(scale, k, j);
}

/* The same p as integers, for the slow path. */
void tac_laplace_coin(const tac_scale *scale, unsigned k, uint64_t j, tac_coin *out)
{
    out->top = LAPLACE_TOP;
    out->share = laplace_share[k];
    out->lift = 0;
    out->num = (tac_u128)scale->size * k + j;
    out->den[0] = scale->size;
    out->den[1] = 1;
}

__attribute__((noinline, cold)) static bool settle(tac_stream *stream, const tac_scale *scale,
                                                   unsigned k, uint64_t j, uint32_t head)
{
    tac_coin coin;

    tac_laplace_coin(scale, k, j, &coin);
    return tac_accept_exact(stream, &coin, head);
}

/* The tail is the whole distribution again, 16 cells further out, but TAIL / 2^31 exceeds exp(-16):
   a coin makes up for it. Moves *from and draws the next pick; false if the coin failed. */
__attribute__((noinline, cold)) static bool step_out(tac_stream *stream, uint64_t *from, trial *t)
{
    const tac_coin coin = {UINT32_C(1) << 31, LAPLACE_TAIL, 0, LAPLACE_CELLS, {1, 1}};

    if (!tac_accept_exact(stream, &coin, t->head)) return false;
    *from += LAPLACE_CELLS;
    *t = draw_trial(stream);
    return true;
}

/* One trial, as in discrete_gaussian.c: *out = +-((from + k) scale + j); returns 1 if it counts. */
static inline size_t try_once(tac_stream *stream, const tac_scale *scale, bool exact, tac_i128 *out)
{
    trial t = draw_trial(stream);
    const uint64_t j = draw_place(stream, scale);
    uint64_t from = 0;
    unsigned k = find_cell(laplace_edge, LAPLACE_CELLS, t.pick);

    while (RARE(k == LAPLACE_CELLS)) {
        if (!step_out(stream, &from, &t)) return 0;
        k = find_cell(laplace_edge, LAPLACE_CELLS, t.pick);
    }
    tac_verdict verdict = tac_compare(guess(scale, k, j), t.head);
    if (RARE(exact || verdict == TAC_UNSURE))
        verdict = settle(stream, scale, k, j, t.head) ? TAC_ACCEPT : TAC_REJECT;
    *out = place_value(scale, from + k, j, t.minus);
    /* Zero has one sign, or it would come twice as often. */
    return (size_t)verdict & (size_t) !(t.minus == 1 && (from | k | j) == 0);
}

void tac_laplace_fill(tac_stream *stream, const tac_scale *scale, bool exact, int64_t *out,
                      int64_t *high, size_t count)
{
    fill_by_trials(try_once, stream, scale, exact, out, high, count);
}

int64_t tac_discrete_laplace(tac_stream *stream, uint64_t scale)
{
    tac_scale prepared;
    int64_t out;

    tac_scale_set(scale, &prepared);
    tac_laplace_fill(stream, &prepared, false, &out, NULL, 1);
    return out;
}
