/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loop's pieces, inlined in both samplers: words, places, fixed-point exp. Integers only;
   no branch depends on a value that is likely to be kept. */
#ifndef TAC_NOISE_TRIAL_H
#define TAC_NOISE_TRIAL_H

#include "privacy/noise/noise_internal.h"
#include "privacy/noise/noise_tables.h"

#define RARE(condition) __builtin_expect((condition), 0)

static inline uint64_t high_product(uint64_t a, uint64_t b)
{
    return (uint64_t)(((tac_u128)a * b) >> 64);
}

static inline uint64_t next_word(tac_stream *stream)
{
    const size_t held = sizeof stream->words / sizeof *stream->words;
    return RARE(stream->next >= held) ? tac_word(stream) : stream->words[stream->next++];
}

/* j uniform on [0, size), exact: tac_below with the remainder already known. */
static inline uint64_t draw_place(tac_stream *stream, const tac_scale *scale)
{
    tac_u128 product = (tac_u128)next_word(stream) * scale->size;
    while (RARE((uint64_t)product < scale->refused))
        product = (tac_u128)next_word(stream) * scale->size;
    return (uint64_t)(product >> 64);
}

/* x = 2^64 j / size, too small by less than 3. */
static inline uint64_t place_fraction(const tac_scale *scale, uint64_t j)
{
    return (uint64_t)(((tac_u128)j * scale->inverse) >> scale->shift);
}

/* 2^64 exp(-g / 2^60), g < 2^63: exp(-(a/16 + b/1024 + r)) by two tables and 1 - r + r^2/2 - r^3/6,
   r < 2^-10. */
static inline uint64_t exp_fixed(uint64_t g)
{
    const uint64_t r = (g & ((UINT64_C(1) << 50) - 1)) << 4;
    const uint64_t square = high_product(r, r);
    const uint64_t lost = r - square / 2 + high_product(high_product(square, r), UINT64_MAX / 6);
    const uint64_t p = high_product(exp_coarse[(g >> 56) & 127], exp_fine[(g >> 50) & 63]);
    return p - high_product(p, lost);
}

/* One word as a sign, the 31 bits that choose a cell, and the coin's first 32 bits. */
typedef struct trial {
    uint64_t minus; /* 0 or 1 */
    uint32_t pick, head;
} trial;

static inline trial draw_trial(tac_stream *stream)
{
    const uint64_t word = next_word(stream);
    return (trial){word & 1, (uint32_t)word >> 1, (uint32_t)(word >> 32)};
}

/* How many cells end at or below pick: the cell, or `cells` for the tail. A sum of compares, no
   branch. */
static inline unsigned find_cell(const uint32_t *edge, unsigned cells, uint32_t pick)
{
    unsigned k = 0;
    for (unsigned i = 0; i < cells; i++) k += pick >= edge[i];
    return k;
}

/* +-(k size + j), size <= 2^54. */
static inline tac_i128 place_value(const tac_scale *scale, uint64_t k, uint64_t j, uint64_t minus)
{
    const tac_u128 value = (tac_u128)k * scale->size + j, sign = 0 - (tac_u128)minus;
    return (tac_i128)((value ^ sign) - sign);
}

/* One trial of a sampler: *out is the value it would give; returns 1 if it counts. */
typedef size_t trial_fn(tac_stream *stream, const tac_scale *scale, bool exact, tac_i128 *out);

/* out[i] = the low words of the next count draws, high[i] (unless NULL) their high ones. Refused
   trials are overwritten, not branched upon: whether one counts is a coin that no predictor can
   learn. Inlined with the sampler, and once for each code path: without `high` a draw costs no
   128-bit product. */
__attribute__((always_inline)) static inline void fill_by_trials(trial_fn *try_once,
                                                                 tac_stream *stream,
                                                                 const tac_scale *scale, bool exact,
                                                                 int64_t *out, int64_t *high,
                                                                 size_t count)
{
    tac_i128 draw = 0;

    if (high != NULL)
        for (size_t done = 0, kept; done < count; done += kept) {
            kept = try_once(stream, scale, exact, &draw);
            out[done] = (int64_t)draw;
            high[done] = (int64_t)(draw >> 64);
        }
    else if (exact)
        for (size_t done = 0, kept; done < count; done += kept) {
            kept = try_once(stream, scale, true, &draw);
            out[done] = (int64_t)draw;
        }
    else
        for (size_t done = 0, kept; done < count; done += kept) {
            kept = try_once(stream, scale, false, &draw);
            out[done] = (int64_t)draw;
        }
}

#endif
