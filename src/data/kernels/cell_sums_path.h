/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of cell_sums.c, for core/each_path.h. */

typedef int32_t PATH(ints) __attribute__((vector_size(BYTES)));
#undef VECTOR
#undef LANES
#undef WIDEN
#define VECTOR PATH(ints)
#define LANES (BYTES / 4)
/* That many int16 as a VECTOR. */
#if LEVEL == 0
#define WIDEN(from) widen_4(from)
#elif LEVEL == 1
#define WIDEN(from)                                                                                \
    (VECTOR) _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(from)))
#else
#define WIDEN(from)                                                                                \
    (VECTOR) _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(from)))
#endif

/* part[label_i] += x_i, one row. Lanes past dims collect coordinates of the next row: never
   read. */
TARGET INLINE void PATH(add_row)(const job *a, int64_t i, int32_t width, int32_t *part)
{
    const int16_t *row = a->rows + i * a->stride;
    int32_t *sum = part + (ptrdiff_t)a->label[i] * width;

    for (int32_t j = 0; j < width; j += LANES) {
        VECTOR *at = (VECTOR *)(void *)(sum + j);
        *at += WIDEN(row + j);
    }
}

/* sums += at most FLUSH rows of one known width: into up to COPIES partial sums in turn, which
   are then added up. |partial sum| <= FLUSH 2^15 = 2^30. */
TARGET INLINE void PATH(add_width)(const job *given, const int32_t width)
{
    _Alignas(64) int32_t part[SCRATCH];
    const job a = *given;
    const int32_t cells = a.k * width;
    const int copies = COPIES * cells <= SCRATCH ? COPIES : 1;
    const ptrdiff_t step = copies > 1 ? cells : 0;
    int64_t i = 0;

    memset(part, 0, (size_t)(copies * cells) * sizeof *part);
    for (; i <= a.n - COPIES; i += COPIES)
#pragma GCC unroll 4
        for (int c = 0; c < COPIES; c++) PATH(add_row)(&a, i + c, width, part + c * step);
    for (; i < a.n; i++) PATH(add_row)(&a, i, width, part);
    for (int copy = 1; copy < copies; copy++)
        for (int32_t j = 0; j < cells; j++) part[j] += part[copy * cells + j];
    for (int32_t c = 0; c < a.k; c++)
        for (int32_t j = 0; j < a.dims; j++)
            a.sums[(ptrdiff_t)c * a.dims + j] += (uint64_t)(int64_t)part[c * width + j];
}

/* Two widths, so that the compiler unrolls each. */
TARGET static void PATH(add_narrow)(const job *a)
{
    if (a->dims <= NARROW / 2)
        PATH(add_width)(a, NARROW / 2);
    else
        PATH(add_width)(a, NARROW);
}

/* sums[cell, j] += x_ij over the listed rows, for `vectors` vectors of coordinates from `first`. */
TARGET INLINE void PATH(sweep)(const int vectors, const job *a, const uint16_t *list, int32_t count,
                               int32_t first)
{
    const int32_t used = a->dims - first < vectors * LANES ? a->dims - first : vectors * LANES;
    uint64_t *restrict out = a->sums + (ptrdiff_t)a->label[list[0]] * a->dims + first;
    _Alignas(64) int32_t flat[8 * LANES];
    VECTOR sum[8];

#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++) sum[v] = (VECTOR){0};
    for (int32_t i = 0; i < count; i++) {
        const int16_t *row = a->rows + list[i] * (ptrdiff_t)a->stride + first;
#pragma GCC unroll 8
        for (int v = 0; v < vectors; v++) sum[v] += WIDEN(row + v * LANES);
        /* The rows that follow this chunk come next; fetch them while there is only adding to do.
           Never faults. */
        if (vectors == 8)
#pragma GCC unroll 8
            for (int v = 0; v < 8 * LANES; v += 32)
                __builtin_prefetch(row + a->n * a->stride + v, 0, 2);
    }
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++) memcpy(flat + v * LANES, &sum[v], sizeof sum[v]);
    for (int32_t j = 0; j < used; j++) out[j] += (uint64_t)(int64_t)flat[j];
}

/* sums[cell] += the listed rows, which share a cell, at most FLUSH of them: 8 vectors of
   coordinates at a time stay in registers, then 2, then 1. */
TARGET static void PATH(add_run)(const job *a, const uint16_t *list, int32_t count)
{
    int32_t first = 0;

    for (; first <= a->dims - 8 * LANES; first += 8 * LANES) PATH(sweep)(8, a, list, count, first);
    for (; first <= a->dims - 2 * LANES; first += 2 * LANES) PATH(sweep)(2, a, list, count, first);
    for (; first < a->dims; first += LANES) PATH(sweep)(1, a, list, count, first);
}
