/* SPDX-License-Identifier: Apache-2.0 */
/* A number from a row's own coordinates and a key: the same wherever the row stands. It spreads
   rows evenly and hides nothing; no privacy argument asks more of it than that it looks at one
   row. */
#ifndef TAC_ROW_HASH_H
#define TAC_ROW_HASH_H

#include <stdint.h>

/* A bijection of 64 bits that spreads every bit. */
static inline uint64_t tac_mix(uint64_t h)
{
    h ^= h >> 32;
    h *= UINT64_C(0xd6e8feb86659fd93);
    h ^= h >> 32;
    h *= UINT64_C(0xd6e8feb86659fd93);
    return h ^ (h >> 32);
}

/* Coordinate after coordinate, then mixed. key 0: the same hash in every run. */
static inline uint64_t tac_row_hash(const int16_t *x, int32_t dims, uint64_t key)
{
    uint64_t h = key;

    for (int32_t j = 0; j < dims; j++) {
        h = (h ^ (uint16_t)x[j]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return tac_mix(h);
}

#endif
