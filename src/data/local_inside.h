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
    void (*squared)(const tac_local_map *, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell,
                    uint32_t *out);
    void (*along)(const tac_local_map *, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell, int32_t *out);
    void (*place)(const tac_local_map *, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell, uint32_t most,
                  int16_t *u, uint32_t *weight);
} tac_local_kernels;

extern const tac_local_kernels tac_local_portable, tac_local_avx2, tac_local_avx512;

/* The bodies below are each path's own: always inlined, so that its instruction set does the square roots. */
#define TAC_LOCAL_INLINE __attribute__((always_inline)) static inline

enum { TAC_LOCAL_CHUNK = 64 }; /* rows whose factors are worked out together */

/* scale[i] = M / max(|x_i - c|, radius), weight[i] = floor(most min(1, radius / |x_i - c|)); squared[i] = |x_i - c|^2. */
TAC_LOCAL_INLINE void tac_local_scales(const double *restrict radius, const uint32_t *restrict squared, int32_t n,
                                       uint32_t most, float *restrict scale, uint32_t *restrict weight)
{
    for (int32_t i = 0; i < n; i++) {
        const double far = sqrt((double)squared[i]);
        scale[i] = (float)(TAC_M / (far > radius[i] ? far : radius[i]));
    }
    for (int32_t i = 0; i < n && most > 0; i++) {
        const double far = sqrt((double)squared[i]), w = far > radius[i] ? floor(most * (radius[i] / far)) : most;
        weight[i] = w >= most ? most : (uint32_t)w;
    }
}

/* tac_local_place by a path's own gap and place_row. Which rows are to be clipped is written down and done after: a branch
   for each would be guessed wrong half of the time. */
#define TAC_LOCAL_PLACE(gap, place_row)                                                                                    \
    for (int64_t from = 0; from < n; from += TAC_LOCAL_CHUNK) {                                                            \
        const int32_t many = n - from < TAC_LOCAL_CHUNK ? (int32_t)(n - from) : TAC_LOCAL_CHUNK;                           \
        const int16_t *x = rows + from * stride;                                                                           \
        int16_t *out = u + from * stride;                                                                                  \
        double radius[TAC_LOCAL_CHUNK];                                                                                    \
        uint32_t squares[TAC_LOCAL_CHUNK];                                                                                 \
        float scale[TAC_LOCAL_CHUNK];                                                                                      \
        int32_t beyond[TAC_LOCAL_CHUNK], clips = 0;                                                                        \
        for (int32_t i = 0; i < many; i++) {                                                                               \
            radius[i] = map->radius[cell[from + i]];                                                                       \
            squares[i] = gap(map, x + (ptrdiff_t)i * stride, cell[from + i]);                                              \
        }                                                                                                                  \
        tac_local_scales(radius, squares, many, most, scale, most > 0 ? weight + from : NULL);                             \
        for (int32_t i = 0; i < many; i++) {                                                                               \
            const int16_t *center = map->centers + (ptrdiff_t)cell[from + i] * map->width;                                 \
            beyond[clips] = i;                                                                                             \
            clips += place_row(x + (ptrdiff_t)i * stride, center, scale[i], map->dims, out + (ptrdiff_t)i * stride);       \
            if (stride > map->dims) out[(ptrdiff_t)i * stride + map->dims] = 0;                                            \
        }                                                                                                                  \
        for (int32_t i = 0; i < clips; i++) tac_clip(out + (ptrdiff_t)beyond[i] * stride, map->dims);                      \
    }

#endif
