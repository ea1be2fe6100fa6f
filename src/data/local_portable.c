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

static void squared(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell,
                    uint32_t *out)
{
    for (int64_t i = 0; i < n; i++) out[i] = gap(map, rows + i * stride, cell[i]);
}

static void along(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell,
                  int32_t *out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = dot(rows + i * stride, map->centers + (ptrdiff_t)cell[i] * map->width, map->dims);
}

/* out = round((x - c) scale): adding 1.5 2^23 rounds to a whole number and leaves it in the last bits. True: |out|^2 >
   M^2. */
static bool place_row(const int16_t *restrict x, const int16_t *restrict c, float scale, int32_t dims, int16_t *restrict out)
{
    uint64_t squares = 0;

    for (int32_t j = 0; j < dims; j++) {
        const float shifted = (float)(x[j] - c[j]) * scale + 0x1.8p23F;
        int32_t bits;
        memcpy(&bits, &shifted, sizeof bits);
        out[j] = (int16_t)bits; /* |number| <= M: its last 16 bits are all of it */
    }
    for (int32_t j = 0; j < dims; j++) squares += (uint64_t)(out[j] * out[j]);
    return squares > (uint64_t)TAC_M * TAC_M;
}

static void place(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell,
                  uint32_t most, int16_t *u, uint32_t *weight)
{
    TAC_LOCAL_PLACE(gap, place_row)
}

const tac_local_kernels tac_local_portable = {.squared = squared, .along = along, .place = place};
