/* SPDX-License-Identifier: Apache-2.0 */
/* Rows relative to the center of their own cell: the public numbers made ready, and the kernels
   of local sums, local moments, distances and projections. */
#include "data/kernels/local.h"

#include <math.h>
#include <string.h>

#include "core/cpu.h"

enum {
    WIDTH = 16, /* centers are padded with zeros to a multiple of this */
    CHUNK = 64  /* rows whose factors are worked out together */
};

/* For loads that must not count past the last coordinate: from 16 - n on, n ones and then zeros. */
__attribute__((unused)) static const int16_t ones_then_zeros[32] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                                                    -1, -1, -1, -1, -1, -1, -1, -1};

/* scale[i] = M / max(|x_i - c|, radius), weight[i] = floor(most min(1, radius / |x_i - c|));
   squared[i] = |x_i - c|^2. */
INLINE void scales(const double *restrict radius, const uint32_t *restrict squared, int32_t n,
                   uint32_t most, float *restrict scale, uint32_t *restrict weight)
{
    for (int32_t i = 0; i < n; i++) {
        const double far = sqrt((double)squared[i]);
        scale[i] = (float)(TAC_M / (far > radius[i] ? far : radius[i]));
    }
    for (int32_t i = 0; i < n && most > 0; i++) {
        const double far = sqrt((double)squared[i]),
                     w = far > radius[i] ? floor(most * (radius[i] / far)) : most;
        weight[i] = w >= most ? most : (uint32_t)w;
    }
}

#define KERNEL "data/kernels/local_path.h"
#include "core/each_path.h"

static void (*const squared[])(const tac_local_map *, const int16_t *, int64_t, int32_t,
                               const int32_t *, uint32_t *) = {PATHS(squared)};
static void (*const along[])(const tac_local_map *, const int16_t *, int64_t, int32_t,
                             const int32_t *, int32_t *) = {PATHS(along)};
static void (*const place[])(const tac_local_map *, const int16_t *, int64_t, int32_t,
                             const int32_t *, uint32_t, int16_t *, uint32_t *) = {PATHS(place)};

/* The largest s below 2^32 with sqrt(s) <= radius, as doubles have it. sqrt never falls: bits are
   tried from the top, and beyond s, only there, is sqrt(s) > radius. */
static uint32_t inside_of(double radius)
{
    uint32_t s = 0;

    for (int bit = 31; bit >= 0; bit--) {
        const uint32_t more = s | (UINT32_C(1) << bit);
        if (sqrt((double)more) <= radius) s = more;
    }
    return s;
}

/* Clips the centers and forces the radii into their range: both come from a method and are
   public, but the bounds of the kernels must not depend on a method's care. On failure the
   caller still closes *out. */
tacit_status tac_local_open(tacit_ctx *ctx, const int16_t *centers, const double *radius, int32_t k,
                            int32_t dims, bool taxicab, tac_local_map *out)
{
    tacit_status status = TACIT_OK;
    const double widest = 4.0 * TAC_M * (taxicab ? sqrt(dims) : 1);

    *out = (tac_local_map){
        .k = k, .dims = dims, .taxicab = taxicab, .width = (dims + WIDTH - 1) / WIDTH * WIDTH};
    if (centers == NULL || radius == NULL)
        return tac_fail(ctx, TACIT_E_INTERNAL, "a local query needs centers and radii");
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)out->width, sizeof(int16_t), &out->centers));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof(double), &out->radius));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof(uint32_t), &out->norm));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof(uint32_t), &out->inside));
    for (int32_t c = 0; c < k; c++) {
        int16_t *center = out->centers + (ptrdiff_t)c * out->width;
        memcpy(center, centers + (ptrdiff_t)c * dims, (size_t)dims * sizeof *center);
        tac_clip(center, dims);
        /* at most M^2 */
        for (int32_t j = 0; j < dims; j++) out->norm[c] += (uint32_t)(center[j] * center[j]);
        out->radius[c] = fmin(widest, fmax(1.0 / 256, radius[c])); /* NaN becomes the least */
        out->inside[c] = inside_of(out->radius[c]);
    }
done:
    return status;
}

void tac_local_close(tac_local_map *map)
{
    tac_free(map->centers);
    tac_free(map->radius);
    tac_free(map->norm);
    tac_free(map->inside);
    memset(map, 0, sizeof *map);
}

/* How many of the rows a vector path may take: it reads up to WIDTH numbers past the end of a
   row. The last rows go the portable way. */
static int64_t inner_rows(int64_t n, int32_t stride)
{
    const int64_t last = (WIDTH + stride - 1) / stride;
    return n > last ? n - last : 0;
}

void tac_local_squared(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride,
                       const int32_t *cell, uint32_t *out)
{
    const int64_t inner = inner_rows(n, stride);

    if (map->taxicab) {
        tac_taxicab_lengths(map, rows, n, stride, cell, out);
        return;
    }
    squared[tac_cpu()](map, rows, inner, stride, cell, out);
    squared_portable(map, rows + inner * stride, n - inner, stride, cell + inner, out + inner);
}

void tac_local_along(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride,
                     const int32_t *cell, int32_t *out)
{
    const int64_t inner = inner_rows(n, stride);
    along[tac_cpu()](map, rows, inner, stride, cell, out);
    along_portable(map, rows + inner * stride, n - inner, stride, cell + inner, out + inner);
}

/* The vector path for all but the last rows, the portable path for those: the same bits. */
void tac_local_place(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride,
                     const int32_t *cell, uint32_t most, int16_t *u, uint32_t *weight)
{
    const int64_t inner = inner_rows(n, stride);

    if (map->taxicab) {
        tac_taxicab_place(map, rows, n, stride, cell, most, u, weight);
        return;
    }
    place[tac_cpu()](map, rows, inner, stride, cell, most, u, weight);
    place_portable(map, rows + inner * stride, n - inner, stride, cell + inner, most,
                   u + inner * stride, most > 0 ? weight + inner : NULL);
}

/* Comparisons of squared integers need no root. Beyond 2^31 lattice units every row is nearer,
   so the edge becomes 2^62; negative edges and NaN become 0. */
void tac_local_edges(const tac_local_map *map, const double *edge, int32_t count, uint64_t *out)
{
    for (int32_t c = 0; c < map->k; c++)
        for (int32_t b = 0; b < count; b++) {
            const double far = edge[b] * map->radius[c];
            const uint64_t most = UINT64_C(1) << 62;
            if (map->taxicab)
                out[(size_t)c * (size_t)count + (size_t)b] = far > 0x1p62 ? most
                                                             : far > 0    ? (uint64_t)far
                                                                          : 0;
            else
                out[(size_t)c * (size_t)count + (size_t)b] = far > 0x1p31 ? most
                                                             : far > 0    ? (uint64_t)(far * far)
                                                                          : 0;
        }
}
