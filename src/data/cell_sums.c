/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and counts of rows by cell, exact modulo 2^64. */
#include "data/nearest_inside.h"

#include <string.h>

enum {
    LANES = 16,      /* coordinates added at once */
    SCRATCH = 8192,  /* int32 partial sums on the stack: 32 KiB, so that they stay in L1 */
    CELLS = 256,     /* the partial sums of more cells than this would be too narrow */
    COPIES = 4,      /* of the partial sums, used in turn: a row does not wait for the store of the row before */
    FLUSH = 32768,   /* rows between two flushes: 32768 * 32768 < 2^31, so int32 never wraps */
};

/* GCC and Clang turn these into whatever the function's target has. */
typedef int16_t vec16 __attribute__((vector_size(LANES * sizeof(int16_t))));
typedef int32_t vec32 __attribute__((vector_size(LANES * sizeof(int32_t))));

#define INLINE __attribute__((always_inline)) static inline

/* Some rows, a range of their coordinates, and the partial sums of that range. */
typedef struct strip {
    const int16_t *rows;  /* at the first coordinate of the range */
    const int32_t *label;
    int64_t n;
    int64_t whole;        /* rows below this number have `width` coordinates to read before the data end */
    int32_t stride, used; /* `used` coordinates are summed */
    int32_t width;        /* `used` rounded up to whole vectors */
    int32_t k;
    int32_t *part;        /* COPIES or 1 times k x width */
} strip;

/* part[label_i] += x_i, one row. Lanes past `used` collect coordinates of the next strip or row: never read. */
INLINE void add_row(const strip *s, int64_t i, int32_t width, int32_t *part)
{
    const int16_t *row = s->rows + i * s->stride;
    int32_t *sum = part + (ptrdiff_t)s->label[i] * width;

    for (int32_t j = 0; j < width; j += LANES) {
        vec16 narrow;
        vec32 wide;
        memcpy(&narrow, row + j, sizeof narrow);
        memcpy(&wide, sum + j, sizeof wide);
        wide += __builtin_convertvector(narrow, vec32);
        memcpy(sum + j, &wide, sizeof wide);
    }
}

INLINE void add_strip(const strip *s, int32_t width, int copies)
{
    const ptrdiff_t step = copies > 1 ? (ptrdiff_t)s->k * width : 0;
    int64_t i = 0;

    for (; i <= s->whole - COPIES; i += COPIES)
#pragma GCC unroll 4
        for (int c = 0; c < COPIES; c++) add_row(s, i + c, width, s->part + c * step);
    for (; i < s->whole; i++) add_row(s, i, width, s->part);
    for (; i < s->n; i++) /* a whole vector would reach past the end of the data */
        for (int32_t j = 0; j < s->used; j++)
            s->part[(ptrdiff_t)s->label[i] * width + j] += s->rows[i * s->stride + j];
}

/* The narrow widths, where a row is a few instructions, get loops of their own. */
INLINE void add_strip_any(const strip *s, int copies)
{
    if (s->width == LANES) add_strip(s, LANES, copies);
    else if (s->width == 2 * LANES) add_strip(s, 2 * LANES, copies);
    else add_strip(s, s->width, copies);
}

/* sums[label_i, j] += x_ij without partial sums: for so many cells that most would be flushed after a row or two. */
INLINE void add_direct(const int16_t *rows, int64_t n, int32_t stride, int32_t dims, const int32_t *label,
                       uint64_t *sums)
{
    for (int64_t i = 0; i < n; i++) {
        const int16_t *row = rows + i * stride;
        uint64_t *sum = sums + (ptrdiff_t)label[i] * dims;
        for (int32_t j = 0; j < dims; j++) sum[j] += (uint64_t)(int64_t)row[j];
    }
}

/* The same C for every instruction set. */
#define BODIES(suffix, target)                                                                                  \
    target static void add_strip_##suffix(const strip *s, int copies) { add_strip_any(s, copies); }             \
    target static void add_direct_##suffix(const int16_t *rows, int64_t n, int32_t stride, int32_t dims,        \
                                           const int32_t *label, uint64_t *sums)                                \
    {                                                                                                           \
        add_direct(rows, n, stride, dims, label, sums);                                                         \
    }

BODIES(portable, )
#if defined(__x86_64__)
BODIES(avx2, __attribute__((target("avx2"))))
BODIES(avx512, __attribute__((target("avx512f,avx512bw,avx512vl"))))
#endif

static const struct {
    void (*strip)(const strip *s, int copies);
    void (*direct)(const int16_t *rows, int64_t n, int32_t stride, int32_t dims, const int32_t *label, uint64_t *sums);
} paths[] = {
    {add_strip_portable, add_direct_portable},
#if defined(__x86_64__)
    {add_strip_avx2, add_direct_avx2},
    {add_strip_avx512, add_direct_avx512},
#endif
};

/* At most FLUSH rows through partial sums, a strip of coordinates at a time. */
static void add_partly(const int16_t *rows, int64_t n, int32_t stride, int32_t dims, const int32_t *label, int32_t k,
                       uint64_t *sums)
{
    _Alignas(64) int32_t part[SCRATCH];
    const int32_t most = SCRATCH / k / LANES * LANES;
    int32_t used;

    for (int32_t first = 0; first < dims; first += used) {
        used = dims - first < most ? dims - first : most;
        strip s = {.rows = rows + first, .label = label, .n = n, .stride = stride, .used = used, .k = k, .part = part};
        s.width = (used + LANES - 1) / LANES * LANES;
        const int copies = COPIES * k * s.width <= SCRATCH ? COPIES : 1;
        const int32_t cells = k * s.width;

        /* Row i ends its vectors at coordinate first + width; the data end with row n - 1 at `stride`. */
        const int64_t over = first + s.width > stride ? (first + s.width - stride + stride - 1) / stride : 0;
        s.whole = n > over ? n - over : 0;
        memset(part, 0, (size_t)(copies * cells) * sizeof *part);
        paths[tac_nearest_level()].strip(&s, copies);
        for (int copy = 1; copy < copies; copy++)
            for (int32_t j = 0; j < cells; j++) part[j] += part[copy * cells + j];
        for (int32_t c = 0; c < k; c++)
            for (int32_t j = 0; j < used; j++)
                sums[(ptrdiff_t)c * dims + first + j] += (uint64_t)(int64_t)part[c * s.width + j];
    }
}

static void add_counts(const int32_t *label, int64_t n, int32_t k, uint64_t *counts)
{
    uint32_t part[COPIES][CELLS] = {{0}};
    int64_t i = 0;

    for (; i <= n - COPIES; i += COPIES)
        for (int c = 0; c < COPIES; c++) part[c][label[i + c]]++;
    for (; i < n; i++) part[0][label[i]]++;
    for (int32_t c = 0; c < k; c++) counts[c] += (uint64_t)part[0][c] + part[1][c] + part[2][c] + part[3][c];
}

void tac_cell_sums(const int16_t *rows, int64_t n, int32_t stride, int32_t dims, const int32_t *label, int32_t k,
                   uint64_t *sums, uint64_t *counts)
{
    for (int64_t i = 0; i < n; i += FLUSH) {
        const int64_t some = n - i < FLUSH ? n - i : FLUSH;
        if (k <= CELLS && some >= k) {
            add_partly(rows + i * stride, some, stride, dims, label + i, k, sums);
            add_counts(label + i, some, k, counts);
        } else {
            paths[tac_nearest_level()].direct(rows + i * stride, some, stride, dims, label + i, sums);
            for (int64_t j = i; j < i + some; j++) counts[label[j]]++;
        }
    }
}
