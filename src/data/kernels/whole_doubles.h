/* SPDX-License-Identifier: Apache-2.0 */
/* Doubles that are whole numbers, many at a time: what the exact sums of products share. */
#ifndef TAC_WHOLE_DOUBLES_H
#define TAC_WHOLE_DOUBLES_H

#include <stdint.h>
#include <string.h>

enum { TAC_GROUP = 8 }; /* numbers side by side in a panel: one 512-bit register */

/* A double that is a whole number, |x| < 2^51, as an integer modulo 2^64: adding 1.5 2^52 leaves it
   in the last bits. */
__attribute__((always_inline)) static inline uint64_t tac_whole(double x)
{
    const double shifted = x + 0x1.8p52;
    uint64_t bits;

    memcpy(&bits, &shifted, sizeof bits);
    return bits - UINT64_C(0x4338000000000000);
}

#endif
