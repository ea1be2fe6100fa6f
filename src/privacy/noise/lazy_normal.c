/* SPDX-License-Identifier: Apache-2.0 */
/* Exact half-normal numbers by coins, after Karney 2016, Algorithm N, with coins of the kind of
   tac_bernoulli_exp. Distribution: noise.proof.md, part 9. */
#include "privacy/noise/lazy_normal.h"

#include <sodium.h>

#define FIRST_ROOM 4

/* Word i, drawn now if nobody has asked for it yet; words never change. */
static tacit_status word_at(tac_stream *stream, tac_lazy *x, size_t i, uint64_t *out)
{
    tacit_status status = TACIT_OK;

    if (i >= x->room) {
        const size_t room = i < FIRST_ROOM ? FIRST_ROOM : 2 * i;
        TAC_TRY(tac_grow(NULL, &x->word, room, sizeof *x->word));
        x->room = room;
    }
    while (x->have <= i) x->word[x->have++] = tac_word(stream);
    *out = x->word[i];
done:
    return status;
}

/* Is a fresh uniform real below the fraction of x? */
static tacit_status is_below(tac_stream *stream, tac_lazy *x, bool *out)
{
    tacit_status status = TACIT_OK;
    uint64_t mine = 0, other = 0;

    for (size_t i = 0; mine == other; i++) {
        other = tac_word(stream);
        TAC_TRY(word_at(stream, x, i, &mine));
    }
    *out = other < mine;
done:
    return status;
}

/* True with probability exp(-f) (reals 1) or exp(-f^2 / 2) (reals 2), f the fraction of x: toss m
   succeeds with probability f / m or f^2 / 2m; the first that fails is odd. */
static tacit_status coin(tac_stream *stream, tac_lazy *x, uint64_t reals, bool *out)
{
    tacit_status status = TACIT_OK;
    bool good = true;
    uint64_t m = 0;

    while (good) {
        m++;
        good = reals * m == 1 || tac_below(stream, reals * m) == 0;
        for (uint64_t i = 0; good && i < reals; i++) TAC_TRY(is_below(stream, x, &good));
    }
    *out = m % 2 == 1;
done:
    return status;
}

/* True with probability exp(-1/2): tac_bernoulli_exp(1, 2) without its divisions. */
static bool half(tac_stream *stream)
{
    uint64_t m = 1;
    while (tac_below(stream, 2 * m) == 0) m++;
    return m % 2 == 1;
}

/* One trial, kept with probability proportional to exp(-(whole + f)^2 / 2). */
static tacit_status try_once(tac_stream *stream, tac_lazy *x, bool *kept)
{
    tacit_status status = TACIT_OK;

    x->have = 0;
    for (x->whole = 0; half(stream);) x->whole++;
    *kept = true;
    for (tac_u128 i = 0; *kept && x->whole > 1 && i < (tac_u128)x->whole * (x->whole - 1); i++)
        *kept = half(stream);
    for (uint64_t i = 0; *kept && i < x->whole; i++) TAC_TRY(coin(stream, x, 1, kept));
    if (*kept) TAC_TRY(coin(stream, x, 2, kept));
done:
    return status;
}

/* Trials until one is kept, then a sign. Whether a trial is kept looks at digits of x, which
   stay: nothing is drawn twice. */
tacit_status tac_lazy_normal(tac_stream *stream, tac_lazy *x)
{
    tacit_status status = TACIT_OK;
    bool kept = false;
    uint64_t first;

    while (!kept) TAC_TRY(try_once(stream, x, &kept));
    x->minus = tac_word(stream) >> 63 == 1;
    TAC_TRY(word_at(stream, x, 0, &first));
done:
    return status;
}

void tac_lazy_close(tac_lazy *x)
{
    if (x->word != NULL) sodium_memzero(x->word, x->room * sizeof *x->word);
    tac_free(x->word);
    sodium_memzero(x, sizeof *x);
}
