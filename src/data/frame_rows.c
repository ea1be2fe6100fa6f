/* SPDX-License-Identifier: Apache-2.0 */
/* Many dense rows through a frame: the same points as tac_frame_apply gives one by one. */
#include <math.h>
#include <string.h>

#include "data/frame_inside.h"
#include "data/nearest_inside.h"

enum { LANES = 8, HEIGHT_MOST = 8 };

#define INLINE __attribute__((always_inline)) static inline

typedef double double_x8 __attribute__((vector_size(64)));

/* factor_r = reach / |z_r| if that is below 1, else 1. The sums of the rows are chains that run side by side. */
INLINE void pull_rows(const int rows, const double *z, int32_t count, ptrdiff_t step, double reach, double *factor)
{
    double squares[HEIGHT_MOST];

#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) squares[r] = 0;
    for (int32_t j = 0; j < count; j++)
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++) squares[r] += z[r * step + j] * z[r * step + j];
    for (int r = 0; r < rows; r++) factor[r] = squares[r] > reach * reach ? reach / sqrt(squares[r]) : 1.0;
}

#define PATH(name) name##_portable
#define TARGET
#define HEIGHT 2
#include "data/frame_rows_path.h"

#if defined(__x86_64__)

#define PATH(name) name##_avx2
#define TARGET __attribute__((target("avx2")))
#define HEIGHT 4
#include "data/frame_rows_path.h"

#define PATH(name) name##_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,prefer-vector-width=512")))
#define HEIGHT 8
#include "data/frame_rows_path.h"

#endif

static void (*const paths[])(const tac_frame *, const double *, int64_t, double *, int16_t *, int32_t) = {
    apply_portable,
#if defined(__x86_64__)
    apply_avx2,
    apply_avx512,
#endif
};

size_t tac_frame_rows_scratch(const tac_frame *f)
{
    const size_t together = HEIGHT_MOST * ((size_t)tac_frame_first(f) + (size_t)f->dims);
    return together > tac_frame_scratch(f) ? together : tac_frame_scratch(f);
}

void tac_frame_apply_rows(const tac_frame *f, const double *rows, int64_t n, double *scratch, int16_t *points,
                          int32_t stride)
{
    if (f->bucket == NULL && f->counts == NULL) {
        paths[tac_nearest_level()](f, rows, n, scratch, points, stride);
        return;
    }
    for (int64_t i = 0; i < n; i++) { /* a sketch scatters, and counts are few: nothing to gain */
        int16_t *to = points + i * stride;
        tac_frame_apply(f, rows + i * f->columns, scratch, to);
        if (stride > f->dims) to[f->dims] = 0;
    }
}
