/* SPDX-License-Identifier: Apache-2.0 */
/* What the code paths of local.h share. Each number is made by the same operations on every path, none of them fused:
   integers, one float32 product, one rounding to the nearest whole number. So the bits are the same. */
#ifndef TAC_LOCAL_INSIDE_H
#define TAC_LOCAL_INSIDE_H

#include <math.h>

#include "data/local.h"

enum { TAC_WIDTH = 16 }; /* points that the paths read are filled up with zeros to a multiple of this */

typedef struct tac_local_kernels {
    /* As tac_local_squared, tac_along, tac_local_place. Vectors of 16 numbers may be read at the end of a row: the caller
       hands over rows that are followed by as much. */
    void (*squared)(const tac_local_map *, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell, uint32_t *out);
    void (*along)(const tac_local_map *, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell, int32_t *out);
    void (*place)(const tac_local_map *, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell, uint32_t most,
                  int16_t *u, uint32_t *weight);
} tac_local_kernels;

extern const tac_local_kernels tac_local_portable, tac_local_avx2, tac_local_avx512;

/* M / max(|x - c|, radius), and the weight floor(most min(1, radius / |x - c|)); squared = |x - c|^2. */
__attribute__((always_inline)) static inline float tac_local_scale(const tac_local_map *map, int32_t cell, uint32_t squared,
                                                                   uint32_t most, uint32_t *weight)
{
    const double radius = map->radius[cell], far = sqrt((double)squared);

    if (most > 0) {
        const double w = far > radius ? floor(most * (radius / far)) : most;
        *weight = w >= most ? most : (uint32_t)w;
    }
    return (float)(TAC_M / (far > radius ? far : radius));
}

#endif
