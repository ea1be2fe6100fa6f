/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of local.c, included once for every instruction set with PATH(name), the name of a function of this path, and
   TARGET, its target attribute. Plain loops that the compiler turns into vectors; each number is made by the same few
   operations on every path, none of them fused, so the bits are the same. */

/* <x, y>, exact: every partial sum is within 2^30 if |x|_2, |y|_2 <= M (Cauchy-Schwarz). */
TARGET INLINE int32_t PATH(dot)(const int16_t *restrict x, const int16_t *restrict y, int32_t dims)
{
    int32_t sum = 0;
    for (int32_t j = 0; j < dims; j++) sum += x[j] * y[j];
    return sum;
}

/* |x - c|^2 = |x|^2 + |c|^2 - 2 <x, c>, exact modulo 2^32; it is at most 4 M^2 < 2^32. */
TARGET INLINE uint32_t PATH(gap)(const tac_local_map *map, const int16_t *x, int32_t cell)
{
    const int16_t *c = map->centers + (ptrdiff_t)cell * map->dims;
    return (uint32_t)PATH(dot)(x, x, map->dims) + map->norm[cell] - 2 * (uint32_t)PATH(dot)(x, c, map->dims);
}

TARGET static void PATH(squared)(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell,
                                 uint32_t *out)
{
    for (int64_t i = 0; i < n; i++) out[i] = PATH(gap)(map, rows + i * stride, cell[i]);
}

TARGET static void PATH(along)(const int16_t *rows, int64_t n, int32_t stride, int32_t dims, const int32_t *cell,
                               const int16_t *direction, int32_t *out)
{
    for (int64_t i = 0; i < n; i++) out[i] = PATH(dot)(rows + i * stride, direction + (ptrdiff_t)cell[i] * dims, dims);
}

/* out = round((x - c) scale); returns |out|^2. Adding 1.5 2^23 rounds to a whole number and leaves it in the last bits. */
TARGET INLINE uint64_t PATH(place_row)(const int16_t *restrict x, const int16_t *restrict c, float scale, int32_t dims,
                                       int16_t *restrict out)
{
    uint64_t squares = 0;

    for (int32_t j = 0; j < dims; j++) {
        const float shifted = (float)(x[j] - c[j]) * scale + 0x1.8p23F;
        int32_t bits;
        memcpy(&bits, &shifted, sizeof bits);
        out[j] = (int16_t)bits; /* the last 16 of them: the number, as |number| <= M */
    }
    for (int32_t j = 0; j < dims; j++) squares += (uint64_t)(uint32_t)(out[j] * out[j]);
    return squares;
}

TARGET static void PATH(place)(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell,
                               uint32_t most, int16_t *u, uint32_t *weight)
{
    for (int64_t i = 0; i < n; i++) {
        const int16_t *x = rows + i * stride;
        int16_t *out = u + i * stride;
        const double radius = map->radius[cell[i]], far = sqrt((double)PATH(gap)(map, x, cell[i]));
        const float scale = (float)(TAC_M / (far > radius ? far : radius));
        if (stride > map->dims) out[map->dims] = 0;
        if (PATH(place_row)(x, map->centers + (ptrdiff_t)cell[i] * map->dims, scale, map->dims, out) > (uint64_t)TAC_M * TAC_M)
            tac_clip(out, map->dims);
        if (most > 0) {
            const double w = far > radius ? floor(most * (radius / far)) : most;
            weight[i] = w >= most ? most : (uint32_t)w;
        }
    }
}

#undef PATH
#undef TARGET
