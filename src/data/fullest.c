/* SPDX-License-Identifier: Apache-2.0 */
/* The fullest subspace: layout of the vectors, plain C, and the blocking that the fast paths share. Dot products are those
   of the nearest centre (nearest_inside.h), started at 0. */
#include "data/fullest_inside.h"

#include <string.h>

void tac_spans_free(tac_spans *spans)
{
    if (spans == NULL) return;
    tac_free(spans->plain);
    tac_free(spans->packed);
    tac_free(spans);
}

static void lay_out(tac_spans *s)
{
    const int32_t together = TAC_LANES / s->side; /* vectors of one subspace in a group */

    for (int32_t c = 0; c < s->count; c++)
        for (int32_t r = 0; r < s->rank; r++) {
            const int16_t *from = s->plain + ((size_t)c * (size_t)s->rank + (size_t)r) * (size_t)s->dims;
            const size_t group = (size_t)(c / TAC_LANES) * (size_t)s->groups + (size_t)(r / together);
            const size_t lane = (size_t)(r % together * s->side + c % TAC_LANES);
            int16_t *to = s->packed + (group * (size_t)s->pairs * TAC_LANES + lane) * 2;
            for (int32_t j = 0; j < s->dims; j++) to[(size_t)(j / 2) * 2 * TAC_LANES + (size_t)(j % 2)] = from[j];
        }
}

tacit_status tac_spans_new(tacit_ctx *ctx, const int16_t *vectors, int32_t count, int32_t rank, int32_t dims,
                           tac_spans **out)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)count * (size_t)rank * (size_t)dims;
    tac_spans *s = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *s, &s));
    *s = (tac_spans){.count = count, .rank = rank, .dims = dims, .side = 2, .pairs = (dims + 1) / 2};
    while (s->side < TAC_LANES && s->side < count) s->side *= 2;
    s->groups = (rank * s->side + TAC_LANES - 1) / TAC_LANES;
    TAC_TRY(tac_new(ctx, numbers, sizeof *s->plain, &s->plain));
    memcpy(s->plain, vectors, numbers * sizeof *vectors);
    const size_t batches = ((size_t)count + TAC_LANES - 1) / TAC_LANES;
    TAC_TRY(tac_new(ctx, batches * (size_t)s->groups * (size_t)s->pairs, 2 * TAC_LANES * sizeof(int16_t), &s->packed));
    lay_out(s);
    *out = s;
    s = NULL;
done:
    tac_spans_free(s);
    return status;
}

static void by_the_book(const tac_spans *s, const int16_t *x, int32_t *label, int64_t *held)
{
    const int16_t *vector = s->plain;
    int64_t most = -1;

    for (int32_t c = 0; c < s->count; c++) {
        int64_t sum = 0;
        for (int32_t r = 0; r < s->rank; r++, vector += s->dims) {
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

/* As many groups at a time as a panel takes, in even parts: 5 are 3 and 2. */
static int panel_of(int32_t groups)
{
    const int32_t panels = (groups + TAC_PANEL - 1) / TAC_PANEL;
    return (int)((groups + panels - 1) / panels);
}

/* The 16 sums of every row for one batch of subspaces. */
static void hold(const tac_nearest_kernels *dots, const tac_fullest_kernels *kernels, const tac_spans *s, int32_t batch,
                 const int16_t *rows, int count, int32_t stride, int64_t *held)
{
    static const _Alignas(64) int32_t zero[TAC_PANEL * TAC_LANES];
    _Alignas(64) int32_t score[TAC_ROWS * TAC_PANEL * TAC_LANES];
    const size_t step = (size_t)s->pairs * 2 * TAC_LANES;
    const int16_t *packed = s->packed + (size_t)batch * (size_t)s->groups * step;
    const int panel = panel_of(s->groups);

    for (int32_t group = 0; group < s->groups; group += panel) {
        const int groups = s->groups - group < panel ? (int)(s->groups - group) : panel;
        const int32_t block = TAC_L1_BYTES / groups / TAC_LANES / (int32_t)(2 * sizeof(int16_t));
        for (int32_t first = 0; first < s->pairs; first += block) {
            const tac_score_job job = {
                .rows = rows + 2 * first,
                .stride = stride,
                .count = count,
                .centers = packed + (size_t)group * step + (size_t)first * 2 * TAC_LANES,
                .step = step,
                .many = groups,
                .pairs = s->pairs - first < block ? s->pairs - first : block,
                .start = first == 0 ? zero : NULL,
                .score = score,
            };
            dots->lanes(&job);
        }
        kernels->square(score, count, groups, group == 0, held);
    }
}

static void by_lanes(const tac_nearest_kernels *dots, const tac_fullest_kernels *kernels, const tac_spans *s,
                     const int16_t *rows, int64_t n, int32_t stride, int32_t *label, int64_t *held)
{
    _Alignas(64) int64_t sums[TAC_ROWS * TAC_LANES];
    int64_t best[TAC_ROWS];

    for (int64_t i = 0; i < n; i += TAC_ROWS) {
        const int count = n - i < TAC_ROWS ? (int)(n - i) : TAC_ROWS;
        for (int r = 0; r < count; r++) best[r] = -1;
        for (int32_t batch = 0; batch * TAC_LANES < s->count; batch++) {
            hold(dots, kernels, s, batch, rows + i * stride, count, stride, sums);
            kernels->pick(sums, count, s->side, batch * TAC_LANES, best, label + i);
        }
        if (held != NULL) memcpy(held + i, best, (size_t)count * sizeof *held);
    }
}

#endif

void tac_fullest(const tac_spans *s, const int16_t *rows, int64_t n, int32_t stride, int32_t *label, int64_t *held)
{
#if defined(__x86_64__)
    const int level = tac_nearest_level();
    if (level > 0) {
        by_lanes(level == 2 ? &tac_nearest_avx512 : &tac_nearest_avx2, level == 2 ? &tac_fullest_avx512 : &tac_fullest_avx2,
                 s, rows, n, stride, label, held);
        return;
    }
#endif
    for (int64_t i = 0; i < n; i++) {
        int64_t most;
        by_the_book(s, rows + i * stride, &label[i], &most);
        if (held != NULL) held[i] = most;
    }
}
