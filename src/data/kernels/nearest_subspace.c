/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest subspace. Dot products are made by the lanes of nearest_internal.h with the parts
   swapped: 16 rows side by side take the place of the centers, vectors that of the rows. So no lane
   is idle, however few or many the subspaces are, and the products of one vector with 16 rows lie
   together. */
#include "data/kernels/nearest_subspace.h"

#include <string.h>

#include "core/cpu.h"
#include "data/kernels/nearest_internal.h"

enum {
    TOGETHER = 3,                 /* groups of 16 rows worked on together */
    BATCH = TOGETHER * TAC_LANES, /* rows */
    PAIRS = 128                   /* pairs of coordinates transposed at a time: 24 KiB of rows */
};

struct tac_spans {
    int32_t count, rank, dims;
    int32_t pairs;    /* of coordinates */
    int16_t *vectors; /* count x rank x (2 pairs): an odd last coordinate is zero */
};

void tac_spans_free(tac_spans *spans)
{
    if (spans == NULL) return;
    tac_free(spans->vectors);
    tac_free(spans);
}

/* Copies the vectors, padded to an even length. *out is the caller's, tac_spans_free ends it. */
tacit_status tac_spans_new(tacit_ctx *ctx, const int16_t *vectors, int32_t count, int32_t rank,
                           int32_t dims, tac_spans **out)
{
    tacit_status status = TACIT_OK;
    const size_t many = (size_t)count * (size_t)rank, d = (size_t)dims;
    tac_spans *s = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *s, &s));
    *s = (tac_spans){.count = count, .rank = rank, .dims = dims, .pairs = (dims + 1) / 2};
    const size_t width = 2 * (size_t)s->pairs;
    TAC_TRY(tac_new(ctx, many * width, sizeof *s->vectors, &s->vectors));
    for (size_t v = 0; v < many; v++)
        memcpy(s->vectors + v * width, vectors + v * d, d * sizeof *vectors);
    *out = s;
    s = NULL;
done:
    tac_spans_free(s);
    return status;
}

/* The state of a batch of rows: what the current subspace holds so far, the most that an earlier
   one held, and which. One number a row; the order within a register is the path's own. */
typedef struct fill_state {
    _Alignas(64) int64_t held[BATCH], most[BATCH], which[BATCH];
} fill_state;

/* Rows of group g, when there are `count` in all. */
INLINE int in_group(int count, int g)
{
    return count - g * TAC_LANES < TAC_LANES ? count - g * TAC_LANES : TAC_LANES;
}

#define KERNEL "data/kernels/nearest_subspace_path.h"
#include "core/each_path.h"

static void (*const nearest_subspace[])(const tac_spans *, const int16_t *, int64_t, int32_t,
                                        int32_t *, int64_t *) = {PATHS(nearest_subspace)};

void tac_nearest_subspace(const tac_spans *s, const int16_t *rows, int64_t n, int32_t stride,
                          int32_t *label, int64_t *held)
{
    nearest_subspace[tac_cpu()](s, rows, n, stride, label, held);
}
