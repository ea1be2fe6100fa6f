/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers for synthetic rows, which are nobody's: a seed and floating point are fine. Never used for noise. */
#ifndef TAC_GENERATOR_H
#define TAC_GENERATOR_H

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

#endif
