/* SPDX-License-Identifier: Apache-2.0 */
/* The fullest subspace: layout of the vectors, plain C, and the blocking that the fast paths share. */
#include "data/fullest_inside.h"

#include <string.h>

void tac_spans_free(tac_spans *spans)
{
    if (spans == NULL) return;
    tac_free(spans->vectors);
    tac_free(spans);
}

tacit_status tac_spans_new(tacit_ctx *ctx, const int16_t *vectors, int32_t count, int32_t rank, int32_t dims,
                           tac_spans **out)
{
    tacit_status status = TACIT_OK;
    const size_t many = (size_t)count * (size_t)rank, d = (size_t)dims;
    tac_spans *s = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *s, &s));
    *s = (tac_spans){.count = count, .rank = rank, .dims = dims, .pairs = (dims + 1) / 2};
    const size_t width = 2 * (size_t)s->pairs;
    TAC_TRY(tac_new(ctx, many * width, sizeof *s->vectors, &s->vectors));
    for (size_t v = 0; v < many; v++) memcpy(s->vectors + v * width, vectors + v * d, d * sizeof *vectors);
    *out = s;
    s = NULL;
done:
    tac_spans_free(s);
    return status;
}

static void by_the_book(const tac_spans *s, const int16_t *x, int32_t *label, int64_t *held)
{
    const int16_t *vector = s->vectors;
    int64_t most = -1;

    for (int32_t c = 0; c < s->count; c++) {
        int64_t sum = 0;
        for (int32_t r = 0; r < s->rank; r++, vector += 2 * s->pairs) {
            int32_t dot = 0;
            for (int32_t j = 0; j < s->dims; j++) dot += x[j] * vector[j];
            sum += (int64_t)(dot >> 8) * (dot >> 8);
        }
        if (sum > most) {
            most = sum;
            *label = c;
        }
    }
    *held = most;
}

#if defined(__x86_64__)

/* Rows of group g, when there are `count` in all. */
static int in_group(int count, int g)
{
    return count - g * TAC_LANES < TAC_LANES ? count - g * TAC_LANES : TAC_LANES;
}

/* One batch: TAC_VECTORS vectors at a time, and of long ones TAC_PAIRS pairs at a time, the int32 scores carried on. */
static void fill_batch(const tac_nearest_kernels *dots, const tac_fullest_kernels *kernels, const tac_spans *s,
                       const int16_t *rows, int count, int32_t stride, tac_fill *fill)
{
    static const _Alignas(64) int32_t zero[TAC_BATCH];
    _Alignas(64) int16_t packed[TAC_TOGETHER * TAC_PAIRS * TAC_LANES * 2];
    _Alignas(64) int32_t score[TAC_VECTORS * TAC_BATCH];
    const int groups = (count + TAC_LANES - 1) / TAC_LANES;
    const int32_t all = s->count * s->rank;

    for (int i = 0; i < TAC_BATCH; i++) {
        fill->held[i] = fill->which[i] = 0;
        fill->most[i] = -1;
    }
    for (int32_t first = 0; first < all; first += TAC_VECTORS) {
        const int vectors = all - first < TAC_VECTORS ? (int)(all - first) : TAC_VECTORS;
        for (int32_t pair = 0; pair < s->pairs; pair += TAC_PAIRS) {
            const int32_t pairs = s->pairs - pair < TAC_PAIRS ? s->pairs - pair : TAC_PAIRS;
            const size_t step = (size_t)pairs * TAC_LANES * 2;
            for (int g = 0; g < groups && (first == 0 || s->pairs > TAC_PAIRS); g++)
                kernels->turn(rows + (ptrdiff_t)g * TAC_LANES * stride + 2 * pair, stride, in_group(count, g), pairs,
                              packed + (size_t)g * step);
            const tac_score_job job = {.rows = s->vectors + ((size_t)first * (size_t)s->pairs + (size_t)pair) * 2,
                                       .stride = 2 * (ptrdiff_t)s->pairs,
                                       .count = vectors,
                                       .centers = packed,
                                       .step = step,
                                       .many = groups,
                                       .pairs = pairs,
                                       .start = pair == 0 ? zero : NULL,
                                       .score = score};
            dots->lanes(&job);
        }
        kernels->fill(score, vectors, groups, first, s->rank, fill);
    }
}

static void by_batches(const tac_nearest_kernels *dots, const tac_fullest_kernels *kernels, const tac_spans *s,
                       const int16_t *rows, int64_t n, int32_t stride, int32_t *label, int64_t *held)
{
    tac_fill fill;

    for (int64_t i = 0; i < n; i += TAC_BATCH) {
        const int count = n - i < TAC_BATCH ? (int)(n - i) : TAC_BATCH;
        fill_batch(dots, kernels, s, rows + i * stride, count, stride, &fill);
        for (int g = 0; g * TAC_LANES < count; g++)
            kernels->tell(&fill, g, in_group(count, g), label + i + g * TAC_LANES,
                          held == NULL ? NULL : held + i + g * TAC_LANES);
    }
}

#endif

void tac_fullest(const tac_spans *s, const int16_t *rows, int64_t n, int32_t stride, int32_t *label, int64_t *held)
{
#if defined(__x86_64__)
    const int level = tac_nearest_level();
    if (level > 0) {
        by_batches(level == 2 ? &tac_nearest_avx512 : &tac_nearest_avx2,
                   level == 2 ? &tac_fullest_avx512 : &tac_fullest_avx2, s, rows, n, stride, label, held);
        return;
    }
#endif
    for (int64_t i = 0; i < n; i++) {
        int64_t most;
        by_the_book(s, rows + i * stride, &label[i], &most);
        if (held != NULL) held[i] = most;
    }
}
