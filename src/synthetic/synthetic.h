/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic rows are nobody's: a seed and floating point are fine for their random numbers. Never
   used for noise. */
#ifndef TAC_SYNTHETIC_H
#define TAC_SYNTHETIC_H

#include "core/core.h"

typedef struct tac_generator {
    uint64_t s[4];
    double spare; /* the second half of the last normal pair */
    bool has_spare;
} tac_generator;

void tac_seed_generator(tac_generator *random, uint64_t seed);
uint64_t tac_next_word(tac_generator *random);
double tac_uniform(tac_generator *random); /* on [0, 1), a multiple of 2^-53 */
double tac_normal(tac_generator *random);  /* standard normal */

/* Before each row is drawn: shows progress and heeds cancellation, now and then. */
tacit_status tac_synthetic_step(tacit_ctx *ctx, int64_t row, int64_t rows);
/* The status of a call, with its sentence where it was interrupted. */
tacit_status tac_synthetic_end(tacit_ctx *ctx, tacit_status status);

#endif
