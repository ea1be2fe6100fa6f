/* SPDX-License-Identifier: Apache-2.0 */
/* Squared distances of a few points to many centres, in double. The same bits on every machine: each distance is
   one sum over the coordinates in their order, whatever the width of the vectors. */
#ifndef TAC_DISTANCES_H
#define TAC_DISTANCES_H

#include "core/core.h"

enum {
    TAC_POINTS = 4, /* points at a time */
    TAC_NEAR = 64,  /* centres at a time */
};

/* Centres for tac_squared: chunks of up to 64, each d x width, width a multiple of 8. Chunk number c starts at
   lanes + c * 64 * d. tac_lanes_size(k, d) doubles, zeroed by the caller. */
size_t tac_lanes_size(int32_t k, int32_t d);
void tac_lay_lanes(const double *centers, int32_t k, int32_t d, double *lanes);

/* out[p * 64 + c] = |point_p - c|^2 for every centre of the chunk that starts with centre `first`. */
void tac_squared(const double *const point[TAC_POINTS], const double *lanes, int32_t k, int32_t d, int32_t first,
                 double *out);

#endif
