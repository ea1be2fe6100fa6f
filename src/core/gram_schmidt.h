/* SPDX-License-Identifier: Apache-2.0 */
/* One pass of the modified Gram-Schmidt process. Two passes make vectors orthogonal to working
   precision: the first leaves rounding errors of the size of what it removed. */
#ifndef TAC_GRAM_SCHMIDT_H
#define TAC_GRAM_SCHMIDT_H

#include <stddef.h>
#include <stdint.h>

/* v -= <u, v> u for each of `count` unit vectors u of d numbers, one after the other. */
static inline void tac_take_off(double *v, const double *units, int32_t count, size_t d)
{
    for (int32_t i = 0; i < count; i++) {
        const double *u = units + (size_t)i * d;
        double along = 0;
        for (size_t t = 0; t < d; t++) along += u[t] * v[t];
        for (size_t t = 0; t < d; t++) v[t] -= along * u[t];
    }
}

#endif
