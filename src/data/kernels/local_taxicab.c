/* SPDX-License-Identifier: Apache-2.0 */
/* Rows relative to the center of their own cell, where lengths are sums of absolute values. One
   portable path: few queries ask for it. */
#include "data/lattice/frame_internal.h"
#include "data/kernels/local.h"

#include <math.h>

/* |x - c|_1, exact: at most 2 M sqrt(dims) < 2^32. */
static uint32_t length(const tac_local_map *map, const int16_t *x, int32_t cell)
{
    const int16_t *c = map->centers + (ptrdiff_t)cell * map->width;
    uint32_t sum = 0;

    for (int32_t j = 0; j < map->dims; j++) {
        const int32_t gap = x[j] - c[j];
        sum += (uint32_t)(gap < 0 ? -gap : gap);
    }
    return sum;
}

void tac_taxicab_lengths(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride,
                         const int32_t *cell, uint32_t *out)
{
    for (int64_t i = 0; i < n; i++) out[i] = length(map, rows + i * stride, cell[i]);
}

/* u = round((x - c) M / max(radius, |x - c|_1)), clipped to |u|_1 <= M. int16 holds each number:
   |x_j - c_j| <= |x - c|_1, so |x_j - c_j| scale <= M up to rounding by less than 1/2. */
void tac_taxicab_place(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride,
                       const int32_t *cell, uint32_t most, int16_t *u, uint32_t *weight)
{
    for (int64_t i = 0; i < n; i++) {
        const int16_t *x = rows + i * stride, *c = map->centers + (ptrdiff_t)cell[i] * map->width;
        int16_t *out = u + i * stride;
        const double radius = map->radius[cell[i]], far = length(map, x, cell[i]);
        const double scale = TAC_M / (far > radius ? far : radius);
        for (int32_t j = 0; j < map->dims; j++)
            out[j] = (int16_t)tac_to_whole((x[j] - c[j]) * scale);
        if (stride > map->dims) out[map->dims] = 0;
        tac_clip_taxicab(out, map->dims);
        if (most > 0) {
            const double w = far > radius ? floor(most * (radius / far)) : most;
            weight[i] = w >= most ? most : (uint32_t)w;
        }
    }
}
