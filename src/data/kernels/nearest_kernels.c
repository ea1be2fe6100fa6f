/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest center: the kernels of every code path. A register holds scores of 8 or 16 centers of one
   row; vpmaddwd and vpaddd, or vpdpwssd, add a pair of coordinates to all of them. */
#include "data/kernels/nearest_internal.h"

#include <string.h>

/* The pair (x_2j, x_2j+1) of a row. Rows need no more than 2-byte alignment. */
__attribute__((unused)) INLINE int32_t pair_at(const char *at)
{
    int32_t pair;
    memcpy(&pair, at, sizeof pair);
    return pair;
}

#define KERNEL "data/kernels/nearest_path.h"
#include "core/each_path.h"

const tac_nearest_kernels tac_nearest_paths[] = {
    {.dots = dots_portable, .choose = choose_portable},
#if defined(__x86_64__)
    {.dots = dots_avx2,
     .choose = choose_avx2,
     .lanes = lanes_avx2,
     .keep = keep_avx2,
     .pick = pick_avx2,
     .lane_cost = {73, 73, 73}},
    {.dots = dots_avx512,
     .choose = choose_avx512,
     .lanes = lanes_avx512,
     .keep = keep_avx512,
     .pick = pick_avx512,
     .lane_cost = {128, 90, 75}},
#endif
};
