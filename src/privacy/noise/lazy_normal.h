/* SPDX-License-Identifier: Apache-2.0 */
/* A normal number drawn exactly, of which as many digits are known as somebody has asked for.
   Integers only; distribution: noise.proof.md, part 9. */
#ifndef TAC_LAZY_NORMAL_H
#define TAC_LAZY_NORMAL_H

#include "privacy/noise/random.h"

/* +-(whole + 0.w0 w1 w2 ...) in base 2^64. Words that are not drawn yet are independent, uniform,
   and nobody has looked at them. */
typedef struct tac_lazy {
    uint64_t whole;
    bool minus;
    size_t have, room;
    uint64_t *word; /* the first first; the room is used again by the next draw */
} tac_lazy;

/* A new one, with at least its first word. Fails only for lack of memory, once in 2^256 draws or
   more. */
tacit_status tac_lazy_normal(tac_stream *stream, tac_lazy *x);
void tac_lazy_close(tac_lazy *x); /* wipes it */

#endif
