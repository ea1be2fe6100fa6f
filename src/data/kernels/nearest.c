/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest center: layout of the centers, and the blocking that all paths share. This is the
   inner loop of every Lloyd round. */
#include "data/kernels/nearest_internal.h"

#include <string.h>

#include "data/lattice/frame.h"

void tac_centers_free(tac_centers *centers)
{
    if (centers == NULL) return;
    tac_free(centers->packed);
    tac_free(centers->plain);
    tac_free(centers->start);
    tac_free(centers);
}

/* Writes the centers in both layouts, and -floor(|c|^2 / 2) of each: so that the largest score
   <x, c> - |c|^2 / 2 is the nearest center. Missing centers of the last group start at INT32_MIN
   and never win. */
static tacit_status lay_out(tacit_ctx *ctx, const int16_t *given, tac_centers *centers)
{
    const size_t pairs = (size_t)centers->pairs, dims = (size_t)centers->dims;

    for (size_t c = 0; c < (size_t)centers->groups * TAC_LANES; c++) {
        const size_t group = c / TAC_LANES, lane = c % TAC_LANES;
        int64_t norm2 = 0;

        centers->start[c] = INT32_MIN;
        if (c >= (size_t)centers->k) continue;
        memcpy(centers->plain + c * (size_t)centers->width, given + c * dims, dims * sizeof *given);
        for (size_t j = 0; j < dims; j++) {
            const int16_t value = given[c * dims + j];
            norm2 += (int64_t)value * value;
            centers->packed[((group * pairs + j / 2) * TAC_LANES + lane) * 2 + j % 2] = value;
        }
        /* Without the bound the kernels' int32 could wrap, and the paths would no longer agree. */
        if (norm2 > (int64_t)TAC_M * TAC_M)
            return tac_fail(ctx, TACIT_E_INTERNAL,
                            "a center lies outside the lattice ball; it must be clipped first");
        centers->start[c] = -(int32_t)(norm2 / 2);
    }
    return TACIT_OK;
}

/* Copies; *out is the caller's, tac_centers_free ends it. Refuses a center outside the ball. */
tacit_status tac_centers_new(tacit_ctx *ctx, const int16_t *centers, int32_t k, int32_t dims,
                             tac_centers **out)
{
    tacit_status status = TACIT_OK;
    tac_centers *made = NULL;

    *out = NULL;
    if (k < 1 || k > INT32_MAX - TAC_LANES || dims < 1 || dims > INT32_MAX - 32)
        return tac_fail(ctx, TACIT_E_INTERNAL, "centers need k and dims of at least 1");
    TAC_TRY(tac_new(ctx, 1, sizeof *made, &made));
    made->k = k;
    made->dims = dims;
    made->pairs = (dims + 1) / 2;
    made->groups = (k + TAC_LANES - 1) / TAC_LANES;
    made->width = (dims + 31) / 32 * 32;
    /* At most 2^27 groups of 2^30 pairs: the product fits size_t, tac_new checks the rest. */
    TAC_TRY(tac_new(ctx, (size_t)made->groups * (size_t)made->pairs,
                    2 * TAC_LANES * sizeof(int16_t), &made->packed));
    TAC_TRY(tac_new(ctx, (size_t)k, (size_t)made->width * sizeof(int16_t), &made->plain));
    TAC_TRY(tac_new(ctx, (size_t)made->groups, TAC_LANES * sizeof(int32_t), &made->start));
    TAC_TRY(lay_out(ctx, centers, made));
    *out = made;
    made = NULL;
done:
    tac_centers_free(made);
    return status;
}

/* dots: 16 centers at a time, in blocks of coordinates that keep their share in L1, with the int32
   scores carried from block to block. */
static void label_by_dots(const tac_nearest_kernels *kernels, const tac_centers *centers,
                          const int16_t *rows, int count, int32_t stride, int32_t *label)
{
    _Alignas(64) int32_t score[TAC_LANES * TAC_TILE];
    _Alignas(64) int32_t best[TAC_TILE], winner[TAC_TILE] = {0};
    const int32_t block = TAC_L1_BYTES / TAC_LANES / (int32_t)(2 * sizeof(int16_t));

    /* choose works on whole vectors: rows past `count` must hold something, and 0 is as good as
       anything. */
    if (count < TAC_TILE) memset(score, 0, sizeof score);
    for (int i = 0; i < TAC_TILE; i++) best[i] = INT32_MIN;
    for (int32_t c = 0; c < centers->k; c += TAC_LANES) {
        const int many = centers->k - c < TAC_LANES ? centers->k - c : TAC_LANES;
        for (int32_t first = 0; first < centers->pairs; first += block) {
            const tac_score_job job = {
                .rows = rows + 2 * first,
                .stride = stride,
                .count = count,
                .centers = centers->plain + (size_t)c * (size_t)centers->width + 2 * (size_t)first,
                .step = (size_t)centers->width,
                .many = many,
                .pairs = centers->pairs - first < block ? centers->pairs - first : block,
                .start = first == 0 ? centers->start + c : NULL,
                .score = score,
            };
            kernels->dots(&job);
        }
        kernels->choose(score, many, c, best, winner);
    }
    memcpy(label, winner, (size_t)count * sizeof *label);
}

/* lanes: the same, 64 centers at a time. */
static void label_by_lanes(const tac_nearest_kernels *kernels, const tac_centers *centers,
                           const int16_t *rows, int count, int32_t stride, int32_t *label)
{
    _Alignas(64) int32_t score[TAC_TILE * TAC_PANEL * TAC_LANES];
    _Alignas(64) int32_t best[TAC_TILE * TAC_LANES], where[TAC_TILE * TAC_LANES];
    const bool one_group = centers->groups == 1;
    const size_t step = (size_t)centers->pairs * 2 * TAC_LANES;

    if (one_group && count < TAC_TILE) memset(score, 0, sizeof score);
    for (int i = 0; !one_group && i < TAC_TILE * TAC_LANES; i++) {
        best[i] = INT32_MIN;
        where[i] = 0;
    }
    for (int32_t group = 0; group < centers->groups; group += TAC_PANEL) {
        const int groups =
            centers->groups - group < TAC_PANEL ? centers->groups - group : TAC_PANEL;
        const int32_t block = TAC_L1_BYTES / groups / TAC_LANES / (int32_t)(2 * sizeof(int16_t));
        for (int32_t first = 0; first < centers->pairs; first += block) {
            const tac_score_job job = {
                .rows = rows + 2 * first,
                .stride = stride,
                .count = count,
                .centers = centers->packed + (size_t)group * step + (size_t)first * 2 * TAC_LANES,
                .step = step,
                .many = groups,
                .pairs = centers->pairs - first < block ? centers->pairs - first : block,
                .start = first == 0 ? centers->start + (size_t)group * TAC_LANES : NULL,
                .score = score,
            };
            kernels->lanes(&job);
        }
        if (!one_group) kernels->keep(score, count, groups, group, best, where);
    }
    kernels->pick(one_group ? score : best, one_group ? NULL : where, count, label);
}

/* Which form is faster: 16 pairs of one dot product against one pair of a group, plus what folding
   a dot costs. */
static bool dots_win(const tac_nearest_kernels *kernels, const tac_centers *centers)
{
    if (kernels->lanes == NULL) return true;
    const int64_t dots = 100 * (int64_t)centers->k * (centers->pairs / 16 + 3);
    const int64_t lanes = (int64_t)centers->groups * centers->pairs;
    return dots < lanes * kernels->lane_cost[centers->groups >= 3 ? 2 : centers->groups - 1];
}

/* TAC_TILE rows at a time, whose scores stay in L1. Which form is used changes no label. */
void tac_nearest(const tac_centers *centers, const int16_t *rows, int64_t n, int32_t stride,
                 int32_t *label)
{
    const tac_nearest_kernels *kernels = &tac_nearest_paths[tac_cpu()];
    const bool dots = dots_win(kernels, centers);

    for (int64_t i = tac_nearest_few(centers, rows, n, stride, label); i < n; i += TAC_TILE) {
        const int count = n - i < TAC_TILE ? (int)(n - i) : TAC_TILE;
        if (dots)
            label_by_dots(kernels, centers, rows + i * stride, count, stride, label + i);
        else
            label_by_lanes(kernels, centers, rows + i * stride, count, stride, label + i);
    }
}
