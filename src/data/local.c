/* SPDX-License-Identifier: Apache-2.0 */
/* Rows seen from the middle of their own cell. */
#include "data/local.h"

#include <math.h>
#include <string.h>

#include "data/nearest_inside.h"

#define INLINE __attribute__((always_inline)) static inline

#define PATH(name) name##_portable
#define TARGET
#include "data/local_path.h"

#if defined(__x86_64__)

#define PATH(name) name##_avx2
#define TARGET __attribute__((target("avx2")))
#include "data/local_path.h"

#define PATH(name) name##_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,prefer-vector-width=512")))
#include "data/local_path.h"

#endif

static const struct {
    void (*squared)(const tac_local_map *, const int16_t *, int64_t, int32_t, const int32_t *, uint32_t *);
    void (*along)(const int16_t *, int64_t, int32_t, int32_t, const int32_t *, const int16_t *, int32_t *);
    void (*place)(const tac_local_map *, const int16_t *, int64_t, int32_t, const int32_t *, uint32_t, int16_t *, uint32_t *);
} paths[] = {
    {squared_portable, along_portable, place_portable},
#if defined(__x86_64__)
    {squared_avx2, along_avx2, place_avx2},
    {squared_avx512, along_avx512, place_avx512},
#endif
};

tacit_status tac_local_open(tacit_ctx *ctx, const int16_t *centers, const double *radius, int32_t k, int32_t dims,
                            bool taxicab, tac_local_map *out)
{
    tacit_status status = TACIT_OK;
    const size_t count = (size_t)k * (size_t)dims;
    const double widest = 4.0 * TAC_M * (taxicab ? sqrt(dims) : 1);

    *out = (tac_local_map){.k = k, .dims = dims, .taxicab = taxicab};
    if (centers == NULL || radius == NULL) return tac_fail(ctx, TACIT_E_INTERNAL, "a local question needs centres and radii");
    TAC_TRY(tac_new(ctx, count, sizeof(int16_t), &out->centers));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof(double), &out->radius));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof(uint32_t), &out->norm));
    memcpy(out->centers, centers, count * sizeof(int16_t));
    for (int32_t c = 0; c < k; c++) {
        int16_t *center = out->centers + (size_t)c * (size_t)dims;
        tac_clip(center, dims);
        for (int32_t j = 0; j < dims; j++) out->norm[c] += (uint32_t)(center[j] * center[j]); /* at most M^2 */
        out->radius[c] = fmin(widest, fmax(1.0 / 256, radius[c])); /* NaN becomes the least */
    }
done:
    return status;
}

void tac_local_close(tac_local_map *map)
{
    tac_free(map->centers);
    tac_free(map->radius);
    tac_free(map->norm);
    memset(map, 0, sizeof *map);
}

void tac_local_squared(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell,
                       uint32_t *out)
{
    if (map->taxicab) tac_taxicab_lengths(map, rows, n, stride, cell, out);
    else paths[tac_nearest_level()].squared(map, rows, n, stride, cell, out);
}

void tac_along(const int16_t *rows, int64_t n, int32_t stride, int32_t dims, const int32_t *cell, const int16_t *direction,
               int32_t *out)
{
    paths[tac_nearest_level()].along(rows, n, stride, dims, cell, direction, out);
}

void tac_local_place(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride, const int32_t *cell,
                     uint32_t most, int16_t *u, uint32_t *weight)
{
    if (map->taxicab) tac_taxicab_place(map, rows, n, stride, cell, most, u, weight);
    else paths[tac_nearest_level()].place(map, rows, n, stride, cell, most, u, weight);
}

void tac_local_edges(const tac_local_map *map, const double *edge, int32_t count, uint64_t *out)
{
    for (int32_t c = 0; c < map->k; c++)
        for (int32_t b = 0; b < count; b++) {
            const double far = edge[b] * map->radius[c];
            const uint64_t most = UINT64_C(1) << 62;
            if (map->taxicab) out[(size_t)c * (size_t)count + (size_t)b] = far > 0x1p62 ? most : far > 0 ? (uint64_t)far : 0;
            else out[(size_t)c * (size_t)count + (size_t)b] = far > 0x1p31 ? most : far > 0 ? (uint64_t)(far * far) : 0;
        }
}
