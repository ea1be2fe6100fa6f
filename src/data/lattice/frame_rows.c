/* SPDX-License-Identifier: Apache-2.0 */
/* Many dense rows through a frame: the same points as tac_frame_apply gives one by one. */
#include <math.h>
#include <string.h>

#include "core/cpu.h"
#include "data/lattice/frame_internal.h"

enum { HEIGHT_MOST = 8 };

/* factor_r = reach / |z_r| if that is below 1, else 1. The sums of the rows are chains that run
   side by side. */
INLINE void pull_rows(const int rows, const double *z, int32_t count, ptrdiff_t step, double reach,
                      double *factor)
{
    double squares[HEIGHT_MOST];

#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) squares[r] = 0;
    for (int32_t j = 0; j < count; j++)
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++) squares[r] += z[r * step + j] * z[r * step + j];
    for (int r = 0; r < rows; r++)
        factor[r] = squares[r] > reach * reach ? reach / sqrt(squares[r]) : 1.0;
}

/* A row with |z|^2 below this, added up in any order, is not pulled, and its rounded point is
   within the ball: (M - sqrt(d) / 2 - 1)^2. */
INLINE double well_inside(int32_t dims)
{
    const double reach = TAC_M - 1 - sqrt(dims) / 2;
    return reach > 0 ? reach * reach : 0;
}

#define KERNEL "data/lattice/frame_rows_path.h"
#include "core/each_path.h"

static void (*const apply[])(const tac_frame *, const double *, int64_t, double *, int16_t *,
                             int32_t) = {PATHS(apply)};

size_t tac_frame_rows_scratch(const tac_frame *f)
{
    const size_t together = HEIGHT_MOST * ((size_t)tac_frame_first(f) + (size_t)f->dims);
    return together > tac_frame_scratch(f) ? together : tac_frame_scratch(f);
}

/* Every point has the bits that tac_frame_apply gives its row alone: the vector path only runs
   rows and coordinates side by side. */
void tac_frame_apply_rows(const tac_frame *f, const double *rows, int64_t n, double *scratch,
                          int16_t *points, int32_t stride)
{
    if (f->bucket == NULL && f->counts == NULL && f->bins == NULL) {
        apply[tac_cpu()](f, rows, n, scratch, points, stride);
        return;
    }
    for (int64_t i = 0; i < n; i++) { /* a sketch scatters, counts are few, bins branch: no gain */
        int16_t *to = points + i * stride;
        tac_frame_apply(f, rows + i * f->columns, scratch, to);
        if (stride > f->dims) to[f->dims] = 0;
    }
}
