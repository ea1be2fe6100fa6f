/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of local search: 64 candidates against rows that share their nearest center. |x - y|^2
   = |x|^2 + |y|^2 - 2 <x, y> is below 2^32 because |x|, |y| <= M, so 32 bits hold it whatever the
   order of additions. */
#include "privacy/queries/literature/swap_scores.h"

#include "core/cpu.h"
#include "data/lattice/frame.h"

#include <string.h>

enum { PANEL = TAC_SWAP_PANEL, SHIFT = 16 };

/* Interleaves 64 candidates pair by pair, and their squared lengths. On failure the caller still
   closes *out. */
tacit_status tac_swap_points_open(tacit_ctx *ctx, const int16_t *points, int32_t m, int32_t dims,
                                  tac_swap_points *out)
{
    tacit_status status = TACIT_OK;

    *out = (tac_swap_points){.m = m, .panels = (m + PANEL - 1) / PANEL, .pairs = (dims + 1) / 2};
    const size_t room = (size_t)out->panels * PANEL;
    TAC_TRY(tac_new(ctx, room * (size_t)out->pairs * 2, sizeof *out->packed, &out->packed));
    TAC_TRY(tac_new(ctx, room, sizeof *out->norm2, &out->norm2));
    for (size_t y = 0; y < (size_t)m; y++) {
        const size_t panel = y / PANEL, lane = y % PANEL;
        for (size_t j = 0; j < (size_t)dims; j++) {
            const int16_t v = points[y * (size_t)dims + j];
            out->packed[((panel * (size_t)out->pairs + j / 2) * PANEL + lane) * 2 + j % 2] = v;
            out->norm2[y] += (uint32_t)((int32_t)v * v);
        }
    }
done:
    return status;
}

void tac_swap_points_close(tac_swap_points *points)
{
    tac_free(points->packed);
    tac_free(points->norm2);
    memset(points, 0, sizeof *points);
}

/* What every path works on: one panel. */
typedef struct work {
    const int16_t *packed;
    const uint32_t *norm2;
    int32_t pairs;
    const tac_swap_rows *rows;
    bool median;
} work;

#define KERNEL "privacy/queries/literature/swap_scores_path.h"
#include "core/each_path.h"

static void (*const panel_costs[])(const work *w, uint32_t *stay,
                                   uint32_t *leave) = {PATHS(panel_costs)};

/* Sums of at most 65536 rows in 32 bits, then added to the caller's 64. */
void tac_swap_panel(const tac_swap_points *points, int32_t panel, const tac_swap_rows *rows,
                    bool median, uint64_t *stay, uint64_t *leave)
{
    const size_t first = (size_t)panel * PANEL;
    const work w = {.packed = points->packed + first * (size_t)points->pairs * 2,
                    .norm2 = points->norm2 + first,
                    .pairs = points->pairs,
                    .rows = rows,
                    .median = median};
    uint32_t sum[2][PANEL] = {0}; /* 65536 rows of at most 65535 fit */

    panel_costs[tac_cpu()](&w, sum[0], sum[1]);
    for (int l = 0; l < PANEL; l++) {
        stay[l] += sum[0][l];
        leave[l] += sum[1][l];
    }
}
