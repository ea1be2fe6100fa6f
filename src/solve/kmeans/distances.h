/* SPDX-License-Identifier: Apache-2.0 */
/* Squared distances of a few points to many centers, in double. The same bits on every machine:
   each distance is one sum over the coordinates in their order, whatever the width of the
   vectors. */
#ifndef TAC_DISTANCES_H
#define TAC_DISTANCES_H

#include "core/core.h"

enum {
    TAC_POINTS = 4, /* points at a time */
    TAC_NEAR = 64,  /* centers at a time */
};

/* Centers for tac_squared, in groups of 8: lanes[(c / 8 * d + j) * 8 + c % 8]. tac_lanes_size(k, d)
   doubles, 64-byte aligned and zeroed by the caller. */
size_t tac_lanes_size(int32_t k, int32_t d);
void tac_lay_lanes(const double *centers, int32_t k, int32_t d, double *lanes);

/* out[p * 64 + c] = |point_p - center_(first + c)|^2 for c < 64 and first + c < k. first is a
   multiple of 8. Up to 7 more entries of out may be written. */
void tac_squared(const double *const point[TAC_POINTS], const double *lanes, int32_t k, int32_t d,
                 int32_t first, double *out);

#endif
