/* SPDX-License-Identifier: Apache-2.0 */
/* Counts, sums and second moments of rows as seen from the middle of their own cell, one joint question.
   Proof: local.proof.md */
#include "data/local.h"
#include "privacy/door_internal.h"

#include <string.h>

typedef struct joint {
    const tac_local_map *map;
    const tac_local_parts *parts;
    int32_t k;
    size_t squares;          /* words of a cell's last part */
} joint;

/* words: k counts, k x dims sums, k x squares */
static void add_local(const void *state, const tac_tile *tile, uint64_t *words)
{
    const joint *a = state;
    const int32_t dims = tile->dims;
    const size_t k = (size_t)a->k;
    uint64_t *sums = words + k, *squares = sums + (a->parts->sum > 0 ? k * (size_t)dims : 0);
    int16_t *u = tile->scratch;
    uint32_t *weight = (uint32_t *)(void *)(u + tac_tile_rows(tile->stride) * tile->stride);

    tac_local_place(a->map, tile->rows, tile->n, tile->stride, tile->cell, a->parts->soft ? a->parts->count : 0, u, weight);
    for (int64_t i = 0; i < tile->n; i++) {
        const int32_t c = tile->cell[i];
        const int16_t *v = u + i * tile->stride;
        words[c] += a->parts->soft ? weight[i] : a->parts->count;
        for (int32_t j = 0; a->parts->sum > 0 && j < dims; j++)
            sums[(size_t)c * (size_t)dims + (size_t)j] += (uint64_t)((int64_t)v[j] * a->parts->sum);
        if (a->parts->square)
            for (int32_t j = 0; j < dims; j++) squares[c] += (uint64_t)((int32_t)v[j] * v[j]);
        if (a->parts->moments) tac_add_square(v, dims, squares + (size_t)c * a->squares);
    }
}

static bool parts_make_sense(const tac_local_parts *p)
{
    return p->count <= (UINT32_C(1) << 31) && p->sum <= (1 << 17) && !(p->square && p->moments) &&
           (p->count > 0 || (p->sum > 0 && !p->soft) || p->square || p->moments);
}

/* answer_c = (a |c|, b sum u, sum |u|^2 or sum u u^T) + noise, u = (x - center_c) M / radius_c in the ball */
tacit_status tac_door_local(tac_door *door, const char *what, uint64_t units, const tac_cells *cells, const tac_local *local,
                            const tac_local_parts *parts, int64_t *counts, int64_t *sums, int64_t *squares)
{
    tacit_status status = TACIT_OK;
    const tac_receipt *receipt;
    tac_local_map map = {0};
    uint64_t *answer = NULL;

    if (!parts_make_sense(parts)) return tac_fail(door->ctx, TACIT_E_INTERNAL, "a local question has parts that make no sense");
    TAC_TRY(tac_cells_check(door, cells, cells->view));
    const tac_lattice *rows = door->lattice[cells->view];
    const int32_t dims = rows->dims;
    const size_t k = (size_t)cells->count, vector = parts->sum > 0 ? k * (size_t)dims : 0;
    const size_t each = parts->moments ? (size_t)dims * ((size_t)dims + 1) / 2 : parts->square ? 1 : 0;
    const size_t words = k + vector + k * each;
    const tac_sensitivity s = tac_sensitivity_local(door->neighbours, door->rows_per_unit, dims, parts);
    const joint state = {.map = &map, .parts = parts, .k = cells->count, .squares = each};
    const size_t tile = (size_t)tac_tile_rows(rows->stride), scratch = tile * ((size_t)rows->stride * sizeof(int16_t) + sizeof(uint32_t));
    TAC_TRY(tac_local_open(door->ctx, local->centers != NULL ? local->centers : cells->centers, local->radius, cells->count,
                           dims, &map));
    TAC_TRY(tac_new(door->ctx, words, sizeof *answer, &answer));
    TAC_TRY(tac_door_pay(door, parts->moments ? "moments" : "sums", what, &s, units, (int64_t)words, &receipt));
    TAC_TRY(tac_door_over_cells(door, cells, cells->view, words, add_local, &state, scratch, answer));
    TAC_TRY(tac_door_release(door, receipt, answer, words));
    if (counts != NULL) memcpy(counts, answer, k * sizeof *answer);
    if (sums != NULL) memcpy(sums, answer + k, vector * sizeof *answer);
    if (squares != NULL) memcpy(squares, answer + k + vector, k * each * sizeof *answer);
done:
    tac_local_close(&map);
    tac_free(answer);
    return status;
}
