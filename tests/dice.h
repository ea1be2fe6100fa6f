/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers for tests and benchmarks (xorshift), the same every time: whoever includes this
   gives the state its first value. */
#ifndef TAC_DICE_H
#define TAC_DICE_H

#include <stdint.h>

static uint64_t state; /* not 0 */

__attribute__((unused)) static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* In [0, 1). */
__attribute__((unused)) static double uniform(void)
{
    return (double)(next() >> 11) * 0x1p-53;
}

#endif
