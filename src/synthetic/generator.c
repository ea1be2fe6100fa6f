/* SPDX-License-Identifier: Apache-2.0 */
/* xoshiro256++ (Blackman & Vigna 2019): the same numbers on every machine. For synthetic rows only;
   private noise has a cryptographic source of its own. */
#include "synthetic/synthetic.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* 0 < by < 64. */
static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

uint64_t tac_next_word(tac_generator *random)
{
    uint64_t *s = random->s;
    const uint64_t word = rotate(s[0] + s[3], 23) + s[0], shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return word;
}

/* SplitMix64 spreads a small seed over the whole state, which must not be all zero. */
void tac_seed_generator(tac_generator *random, uint64_t seed)
{
    memset(random, 0, sizeof *random);
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        random->s[i] = z ^ z >> 31;
    }
}

/* Uniform on [0, 1), a multiple of 2^-53. */
double tac_uniform(tac_generator *random)
{
    return (double)(tac_next_word(random) >> 11) * 0x1p-53;
}

/* Standard normal: sqrt(-2 log u) (cos, sin)(2 pi v). Box & Muller 1958. */
double tac_normal(tac_generator *random)
{
    if (random->has_spare) {
        random->has_spare = false;
        return random->spare;
    }
    const double u = 1 - tac_uniform(random), v = tac_uniform(random); /* u in (0, 1] */
    const double length = sqrt(-2 * log(u));
    random->spare = length * sin(2 * PI * v);
    random->has_spare = true;
    return length * cos(2 * PI * v);
}

tacit_status tac_synthetic_step(tacit_ctx *ctx, int64_t row, int64_t rows)
{
    if (row % 4096 != 0) return TACIT_OK;
    if (tac_check_cancel(ctx) != TACIT_OK) return TACIT_E_CANCELLED;
    tac_show_progress(ctx, "drawing rows", (double)row / (double)rows);
    return TACIT_OK;
}

tacit_status tac_synthetic_end(tacit_ctx *ctx, tacit_status status)
{
    return status == TACIT_E_CANCELLED ? tac_fail(ctx, status, "interrupted") : status;
}
