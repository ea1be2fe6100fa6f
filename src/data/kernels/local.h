/* SPDX-License-Identifier: Apache-2.0 */
/* Rows relative to the center of their own cell: a public row map. Like a frame it may use
   floating point: it is a pure function of (row, public numbers), and the integer clip after it
   enforces |u|_2 <= M (taxicab: |u|_1 <= M) whatever it did. */
#ifndef TAC_LOCAL_H
#define TAC_LOCAL_H

#include "data/lattice/frame.h"

/* Public numbers alone; the map owns its arrays. */
typedef struct tac_local_map {
    int32_t k, dims;
    int32_t width;    /* of a center in memory: dims and zeros up to a whole vector */
    int16_t *centers; /* k x width, clipped */
    double *radius;   /* k, within [1/256, 4 M], with taxicab [1/256, 4 M sqrt(dims)] */
    bool taxicab;     /* lengths are sums of absolute values, below |.|_1 */
    uint32_t *norm;   /* k: |center|^2 */
    uint32_t *inside; /* k: the largest s < 2^32 with sqrt(s) <= radius; taxicab: not used */
} tac_local_map;

/* centers: k x dims, radius: k, both public and copied; NaN and radii out of range are forced
   into it. */
tacit_status tac_local_open(tacit_ctx *ctx, const int16_t *centers, const double *radius, int32_t k,
                            int32_t dims, bool taxicab, tac_local_map *out);
void tac_local_close(tac_local_map *map);

/* Rows below are lattice points, n x stride, |x|_2 <= M; cell: the cell of each. */

/* u_i = round((x_i - c) M / max(radius_c, |x_i - c|)), then clipped to |u| <= M, c the row's cell;
   u: n x stride, padding zero. With most > 0 also weight[i] = floor(most min(1, radius / |x - c|)),
   at most `most`. */
void tac_local_place(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride,
                     const int32_t *cell, uint32_t most, int16_t *u, uint32_t *weight);
/* out[i] = |x_i - c|^2, exact, at most 4 M^2; taxicab: |x_i - c|_1, at most 2 M sqrt(dims). */
void tac_local_squared(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride,
                       const int32_t *cell, uint32_t *out);
/* out[c * count + b] = floor((edge_b radius_c)^2), at most 2^62, taxicab: floor(edge_b radius_c):
   what the above is compared with. */
void tac_local_edges(const tac_local_map *map, const double *edge, int32_t count, uint64_t *out);

/* out[i] = <x_i, c>, exact, at most M^2 in size: here the map's points are directions, not
   centers. */
void tac_local_along(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride,
                     const int32_t *cell, int32_t *out);

/* tac_local_place and tac_local_squared for a taxicab map. */
void tac_taxicab_place(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride,
                       const int32_t *cell, uint32_t most, int16_t *u, uint32_t *weight);
void tac_taxicab_lengths(const tac_local_map *map, const int16_t *rows, int64_t n, int32_t stride,
                         const int32_t *cell, uint32_t *out);

#endif
