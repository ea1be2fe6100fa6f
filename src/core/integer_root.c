/* SPDX-License-Identifier: Apache-2.0 */
/* Integer square root: exact, no floating point. */
#include "core/core.h"

/* floor(sqrt(x)), x < 2^126: tries the bits of the root from the top and keeps one iff the square
   does not pass x. */
uint64_t tac_root(tac_u128 x)
{
    uint64_t r = 0;

    /* x < 2^(2 top + 2) for this first bit `top`: the root has no higher bit, and its square
       fits 64 */
    if ((x >> 64) == 0) {
        const uint64_t small = (uint64_t)x;
        for (int bit = (63 - __builtin_clzll(small | 1)) / 2; bit >= 0; bit--) {
            const uint64_t t = r | (UINT64_C(1) << bit);
            r = t * t <= small ? t : r;
        }
        return r;
    }
    for (int bit = 62; bit >= 0; bit--) {
        const uint64_t t = r | (UINT64_C(1) << bit);
        if ((tac_u128)t * t <= x) r = t;
    }
    return r;
}
