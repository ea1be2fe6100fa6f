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
    uint64_t *sums;       /* k x dims, at the first coordinate of the range */
    int32_t dims;
} strip;

/* sum[j] += row[j] for 16 coordinates: all that differs between the paths, and folded into their loops. */
typedef void (*add_16)(const int16_t *row, int32_t *sum);

/* part[label_i] += x_i, one row. Lanes past `used` collect coordinates of the next strip or row: never read. */
INLINE void add_row(const strip *s, int64_t i, int32_t width, int32_t *part, add_16 add)
{
    const int16_t *row = s->rows + i * s->stride;
    int32_t *sum = part + (ptrdiff_t)s->label[i] * width;

    for (int32_t j = 0; j < width; j += LANES) add(row + j, sum + j);
}

INLINE void add_strip(const strip *given, int32_t width, int copies, add_16 add)
{
    const strip s = *given;
    const ptrdiff_t step = copies > 1 ? (ptrdiff_t)s.k * width : 0;
    int64_t i = 0;

    for (; i <= s.whole - COPIES; i += COPIES)
#pragma GCC unroll 4
        for (int c = 0; c < COPIES; c++) add_row(&s, i + c, width, s.part + c * step, add);
    for (; i < s.whole; i++) add_row(&s, i, width, s.part, add);
    for (; i < s.n; i++) /* a whole vector would reach past the end of the data */
        for (int32_t j = 0; j < s.used; j++) s.part[(ptrdiff_t)s.label[i] * width + j] += s.rows[i * s.stride + j];
}

/* sums[c, j] += part[c, j]. */
INLINE void flush(const strip *s, int copies)
{
    const int32_t cells = s->k * s->width;

    for (int copy = 1; copy < copies; copy++)
        for (int32_t j = 0; j < cells; j++) s->part[j] += s->part[copy * cells + j];
    for (int32_t c = 0; c < s->k; c++) {
        const int32_t *restrict part = s->part + c * s->width;
        uint64_t *restrict sum = s->sums + (ptrdiff_t)c * s->dims;
        for (int32_t j = 0; j < s->used; j++) sum[j] += (uint64_t)(int64_t)part[j];
    }
}

/* The narrow widths, where a row is a few instructions, get loops of their own. */
INLINE void add_strip_any(const strip *s, add_16 add)
{
    const int copies = COPIES * s->k * s->width <= SCRATCH ? COPIES : 1;

    memset(s->part, 0, (size_t)(copies * s->k * s->width) * sizeof *s->part);
    if (s->width == LANES) add_strip(s, LANES, copies, add);
    else if (s->width == 2 * LANES) add_strip(s, 2 * LANES, copies, add);
    else add_strip(s, s->width, copies, add);
    flush(s, copies);
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

static inline void add_16_portable(const int16_t *restrict row, int32_t *restrict sum)
{
    for (int j = 0; j < LANES; j++) sum[j] += row[j];
}

/* The same C for every instruction set. */
#define PATH(suffix, target)                                                                                    \
    target static void add_strip_##suffix(const strip *s)                                                       \
    {                                                                                                           \
        add_strip_any(s, add_16_##suffix);                                                                      \
    }                                                                                                           \
    target static void add_direct_##suffix(const int16_t *rows, int64_t n, int32_t stride, int32_t dims,        \
                                           const int32_t *label, uint64_t *sums)                                \
    {                                                                                                           \
        add_direct(rows, n, stride, dims, label, sums);                                                         \
    }

PATH(portable, )

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl")))

AVX2 static inline void add_16_avx2(const int16_t *row, int32_t *sum)
{
#pragma GCC unroll 2
    for (int h = 0; h < 2; h++) {
        __m256i *at = (__m256i *)(void *)(sum + 8 * h);
        const __m128i narrow = _mm_loadu_si128((const __m128i *)(const void *)(row + 8 * h));
        _mm256_store_si256(at, _mm256_add_epi32(_mm256_load_si256(at), _mm256_cvtepi16_epi32(narrow)));
    }
}

AVX512 static inline void add_16_avx512(const int16_t *row, int32_t *sum)
{
    const __m256i narrow = _mm256_loadu_si256((const __m256i *)(const void *)row);
    _mm512_store_si512(sum, _mm512_add_epi32(_mm512_load_si512(sum), _mm512_cvtepi16_epi32(narrow)));
}

PATH(avx2, AVX2)
PATH(avx512, AVX512)

#endif

static const struct {
    void (*strip)(const strip *s);
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
        strip s = {.rows = rows + first, .label = label, .n = n, .stride = stride, .used = used, .k = k, .part = part,
                   .sums = sums + first, .dims = dims};
        s.width = (used + LANES - 1) / LANES * LANES;
        /* Row i ends its vectors at coordinate first + width; the data end with row n - 1 at `stride`. */
        const int64_t past = first + s.width - stride, rest = past > 0 ? (past + stride - 1) / stride : 0;
        s.whole = n > rest ? n - rest : 0;
        paths[tac_nearest_level()].strip(&s);
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
