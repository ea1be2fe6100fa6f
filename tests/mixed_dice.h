/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers for tests and benchmarks (splitmix64) that depend well on any seed, 0 and
   neighbors too. */
#ifndef TAC_MIXED_DICE_H
#define TAC_MIXED_DICE_H

#include <math.h>
#include <stdint.h>

static uint64_t dice;

static uint64_t mixed(void)
{
    uint64_t z = dice += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* In [0, 1). */
__attribute__((unused)) static double uniform(void)
{
    return (double)(mixed() >> 11) * 0x1p-53;
}

__attribute__((unused)) static double normal(void)
{
    const double r = sqrt(-2 * log1p(-uniform())), a = 2 * M_PI * uniform();
    return r * cos(a);
}

#endif
