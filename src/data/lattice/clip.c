/* SPDX-License-Identifier: Apache-2.0 */
/* The clips that every sensitivity rests on: the last step of placing a row, after any frame:
   |X|_2 <= TAC_M or |X|_1 <= TAC_M, decided and enforced in integers. */
#include "data/lattice/frame.h"

/* If S = sum x_j^2 > M^2: x_j <- trunc(x_j f / 2^32), f = floor(2^32 M / (floor(sqrt S) + 1)). Then
   |x'|_2 <= sqrt(S) f / 2^32 < M, because floor(sqrt S) + 1 > sqrt S. Proof and ranges:
   clip.proof.md */
void tac_clip(int16_t *point, int32_t dims)
{
    uint64_t total = 0;

    for (int32_t j = 0; j < dims; j++) total += (uint64_t)((int32_t)point[j] * point[j]);
    if (total <= (uint64_t)TAC_M * TAC_M) return;
    /* below 2^32: the root is M at least */
    const uint32_t f = (uint32_t)(((uint64_t)TAC_M << 32) / (tac_root(total) + 1));
    for (int32_t j = 0; j < dims; j++) {
        const int32_t x = point[j];
        const int32_t size = (int32_t)(((uint64_t)(uint32_t)(x < 0 ? -x : x) * f) >> 32);
        point[j] = (int16_t)(x < 0 ? -size : size);
    }
}

/* If S = sum |x_j| > M: x_j <- trunc(x_j f / 2^32), f = floor(2^32 M / S). Then |x'|_1 <= S f /
   2^32 <= M. */
void tac_clip_taxicab(int16_t *point, int32_t dims)
{
    uint64_t total = 0;

    for (int32_t j = 0; j < dims; j++)
        total += (uint64_t)(point[j] < 0 ? -(int32_t)point[j] : point[j]);
    if (total <= TAC_M) return;
    const int64_t f = (int64_t)(((uint64_t)TAC_M << 32) / total);
    for (int32_t j = 0; j < dims; j++)
        point[j] = (int16_t)((int64_t)point[j] * f / (INT64_C(1) << 32));
}
