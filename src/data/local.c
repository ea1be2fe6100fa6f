/* SPDX-License-Identifier: Apache-2.0 */
/* Rows seen from the middle of their own cell. */
#include "data/local.h"

#include <math.h>
#include <string.h>

tacit_status tac_local_open(tacit_ctx *ctx, const int16_t *centers, const double *radius, int32_t k, int32_t dims,
                            tac_local_map *out)
{
    tacit_status status = TACIT_OK;
    const size_t count = (size_t)k * (size_t)dims;

    *out = (tac_local_map){.k = k, .dims = dims};
    if (centers == NULL || radius == NULL) return tac_fail(ctx, TACIT_E_INTERNAL, "a local question needs centres and radii");
    TAC_TRY(tac_new(ctx, count, sizeof(int16_t), &out->centers));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof(double), &out->radius));
    memcpy(out->centers, centers, count * sizeof(int16_t));
    for (int32_t c = 0; c < k; c++) {
        tac_clip(out->centers + (size_t)c * (size_t)dims, dims);
        out->radius[c] = fmin(4.0 * TAC_M, fmax(1.0 / 256, radius[c])); /* NaN becomes the least */
    }
done:
    return status;
}

void tac_local_close(tac_local_map *map)
{
    tac_free(map->centers);
    tac_free(map->radius);
    memset(map, 0, sizeof *map);
}

uint64_t tac_local_squared(const tac_local_map *map, const int16_t *x, int32_t cell)
{
    const int16_t *c = map->centers + (size_t)cell * (size_t)map->dims;
    uint64_t squares = 0;

    for (int32_t j = 0; j < map->dims; j++) {
        const int32_t gap = (int32_t)x[j] - c[j];
        squares += (uint64_t)((int64_t)gap * gap);
    }
    return squares;
}

void tac_local_place(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell,
                     uint32_t most, int16_t *u, uint32_t *weight)
{
    for (int64_t i = 0; i < n; i++) {
        const int16_t *x = rows + i * stride, *c = map->centers + (size_t)cell[i] * (size_t)map->dims;
        int16_t *out = u + i * stride;
        const double radius = map->radius[cell[i]], far = sqrt((double)tac_local_squared(map, x, cell[i]));
        const double scale = TAC_M / (far > radius ? far : radius);
        for (int32_t j = 0; j < map->dims; j++) out[j] = (int16_t)__builtin_irint(((int32_t)x[j] - c[j]) * scale);
        if (stride > map->dims) out[map->dims] = 0;
        tac_clip(out, map->dims);
        if (most > 0) {
            const double w = far > radius ? floor(most * (radius / far)) : most;
            weight[i] = w >= most ? most : (uint32_t)w;
        }
    }
}

void tac_local_edges(const tac_local_map *map, const double *edge, int32_t count, uint64_t *out)
{
    for (int32_t c = 0; c < map->k; c++)
        for (int32_t b = 0; b < count; b++) {
            const double far = edge[b] * map->radius[c];
            out[(size_t)c * (size_t)count + (size_t)b] = far > 0x1p31 ? UINT64_C(1) << 62 : far > 0 ? (uint64_t)(far * far) : 0;
        }
}

uint64_t tac_square_norm(const int16_t *x, int32_t dims)
{
    uint64_t squares = 0;

    for (int32_t j = 0; j < dims; j++) squares += (uint64_t)((int32_t)x[j] * x[j]);
    return squares;
}
