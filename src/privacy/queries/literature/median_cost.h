/* SPDX-License-Identifier: Apache-2.0 */
/* What a row costs by k-median: a distance in integers, the same on every path. */
#ifndef TAC_MEDIAN_COST_H
#define TAC_MEDIAN_COST_H

#include <stdint.h>

/* tac_roots[i]: floor(sqrt(i 2^28)) in the upper half, the way to the next one in the lower. */
static const uint32_t tac_roots[16] = {
    0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x80000f1b, 0x8f1b0da9, 0x9cc40c8f, 0xa9530bb1,
    0xb5040afc, 0xc0000a62, 0xca6209e1, 0xd4430970, 0xddb3090e, 0xe6c108b6, 0xef770867, 0xf7de0822,
};

/* The k-median cost of a squared distance v < 2^32: a rising function of v near its square root
   (never above it, at most 0.2 % and one unit below), at most 65535. It is what the door adds up,
   so nothing depends on how near it is. v = w / 4^s with w in [2^30, 2^32); sqrt(w) between its
   values at multiples of 2^28 on a straight line; then / 2^s. */
static inline uint32_t tac_distance(uint32_t v)
{
    const unsigned s = v == 0 ? 0 : (unsigned)__builtin_clz(v) / 2;
    const uint32_t w = v << (2 * s), root = tac_roots[w >> 28];
    return ((root >> 16) + (((w >> 12) & 0xffff) * (root & 0xffff) >> 16)) >> s;
}

#endif
