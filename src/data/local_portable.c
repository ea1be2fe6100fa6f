/* SPDX-License-Identifier: Apache-2.0 */
/* Rows seen from their cell: plain C. */
#include "data/local_inside.h"

#include <string.h>

/* <x, y>, exact: every partial sum is within 2^30 if |x|_2, |y|_2 <= M (Cauchy-Schwarz). */
static int32_t dot(const int16_t *restrict x, const int16_t *restrict y, int32_t dims)
{
    int32_t sum = 0;
    for (int32_t j = 0; j < dims; j++) sum += x[j] * y[j];
    return sum;
}

/* |x - c|^2 = |x|^2 + |c|^2 - 2 <x, c>, exact modulo 2^32; it is at most 4 M^2 < 2^32. */
static uint32_t gap(const tac_local_map *map, const int16_t *x, int32_t cell)
{
    const int16_t *c = map->centers + (ptrdiff_t)cell * map->width;
    return (uint32_t)dot(x, x, map->dims) + map->norm[cell] - 2 * (uint32_t)dot(x, c, map->dims);
}

static void squared(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell, uint32_t *out)
{
    for (int64_t i = 0; i < n; i++) out[i] = gap(map, rows + i * stride, cell[i]);
}

static void along(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell, int32_t *out)
{
    for (int64_t i = 0; i < n; i++) out[i] = dot(rows + i * stride, map->centers + (ptrdiff_t)cell[i] * map->width, map->dims);
}

/* out = round((x - c) scale): adding 1.5 2^23 rounds to a whole number and leaves it in the last bits. */
static void place_row(const int16_t *restrict x, const int16_t *restrict c, float scale, int32_t dims, int16_t *restrict out)
{
    for (int32_t j = 0; j < dims; j++) {
        const float shifted = (float)(x[j] - c[j]) * scale + 0x1.8p23F;
        int32_t bits;
        memcpy(&bits, &shifted, sizeof bits);
        out[j] = (int16_t)bits; /* |number| <= M: its last 16 bits are all of it */
    }
}

static void place(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell, uint32_t most,
                  int16_t *u, uint32_t *weight)
{
    for (int64_t i = 0; i < n; i++) {
        const int16_t *x = rows + i * stride;
        int16_t *out = u + i * stride;
        const float scale = tac_local_scale(map, cell[i], gap(map, x, cell[i]), most, weight + (most > 0 ? i : 0));
        place_row(x, map->centers + (ptrdiff_t)cell[i] * map->width, scale, map->dims, out);
        if (stride > map->dims) out[map->dims] = 0;
        tac_clip(out, map->dims);
    }
}

const tac_local_kernels tac_local_portable = {.squared = squared, .along = along, .place = place};
