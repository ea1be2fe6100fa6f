/* SPDX-License-Identifier: Apache-2.0 */
/* Counts, sums and second moments of rows as seen from the middle of their own cell, one joint question.
   Proof: local.proof.md */
#include "data/cell_squares.h"
#include "data/local.h"
#include "privacy/door_internal.h"

#include <string.h>

/* Where the parts of an answer begin, in words. A part that is left out has none. */
typedef struct joint {
    const tac_local_map *map;
    const tac_local_parts *parts;
    int32_t k;
    size_t sums, squares; /* counts come first */
    size_t each;          /* words of a cell's last part */
    size_t words;         /* of all */
} joint;

static void add_squares(const int16_t *u, const tac_tile *tile, uint64_t *squares)
{
    for (int64_t i = 0; i < tile->n; i++, u += tile->stride) {
        int32_t sum = 0; /* at most M^2 */
        for (int32_t j = 0; j < tile->dims; j++) sum += u[j] * u[j];
        squares[tile->cell[i]] += (uint64_t)sum;
    }
}

static void add_axes(const int16_t *u, const tac_tile *tile, uint64_t *squares)
{
    for (int64_t i = 0; i < tile->n; i++, u += tile->stride) {
        uint64_t *out = squares + (size_t)tile->cell[i] * (size_t)tile->dims;
        for (int32_t j = 0; j < tile->dims; j++) out[j] += (uint64_t)(u[j] * u[j]);
    }
}

/* Rows, sums of u, sums of squares: plain ones, the public weights are put on at the end. */
static void add_local(const void *state, const tac_tile *tile, uint64_t *words)
{
    const joint *a = state;
    const tac_local_parts *p = a->parts;
    const int32_t dims = tile->dims;
    int16_t *u = tile->scratch;
    uint32_t *weight = (uint32_t *)(void *)(u + tac_tile_rows(tile->stride) * tile->stride);
    uint64_t *rows = p->count > 0 && !p->soft ? words : NULL;

    tac_local_place(a->map, tile->rows, tile->n, tile->stride, tile->cell, p->soft ? p->count : 0, u, weight);
    if (p->sum > 0)
        tac_cell_sums(u, tile->n, tile->stride, dims, tile->cell, a->k, words + a->sums, rows);
    else if (rows != NULL)
        for (int64_t i = 0; i < tile->n; i++) rows[tile->cell[i]]++;
    if (p->soft)
        for (int64_t i = 0; i < tile->n; i++) words[tile->cell[i]] += weight[i];
    if (p->square)
        add_squares(u, tile, words + a->squares);
    if (p->axes)
        add_axes(u, tile, words + a->squares);
    if (p->moments)
        tac_cell_squares(u, tile->n, tile->stride, dims, tile->cell, a->k, weight + tac_tile_rows(tile->stride),
                         words + a->squares);
}

static bool parts_make_sense(const tac_local_parts *p, bool taxicab)
{
    return p->count <= (UINT32_C(1) << 31) && p->sum <= (1 << 17) && p->square + p->moments + p->axes <= 1 &&
           !(taxicab && (p->moments || p->axes)) &&
           (p->count > 0 || (!p->soft && (p->sum > 0 || p->square || p->moments || p->axes)));
}

/* answer_c = (a |c|, b sum u, sum |u|^2, u u^T or u_j^2) + noise, u = (x - center_c) M / radius_c in the ball */
tacit_status tac_door_local(tac_door *door, const char *what, uint64_t units, const tac_cells *cells, const tac_local *local,
                            const tac_local_parts *parts, int64_t *counts, int64_t *sums, int64_t *squares)
{
    tacit_status status = TACIT_OK;
    const tac_receipt *receipt;
    tac_local_map map = {0};
    uint64_t *answer = NULL;

    if (!parts_make_sense(parts, local->taxicab))
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "a local question has parts that make no sense");
    TAC_TRY(tac_cells_check(door, cells, cells->view));
    const tac_lattice *rows = door->lattice[cells->view];
    const size_t k = (size_t)cells->count, dims = (size_t)rows->dims;
    joint a = {.map = &map, .parts = parts, .k = cells->count, .sums = parts->count > 0 ? k : 0};
    a.squares = a.sums + (parts->sum > 0 ? k * dims : 0);
    a.each = parts->moments ? dims * (dims + 1) / 2 : parts->axes ? dims : parts->square ? 1 : 0;
    a.words = a.squares + k * a.each;
    TAC_TRY(tac_door_fits(door, cells->count, 1 + dims + a.each));
    const tac_sensitivity s = tac_sensitivity_local(door->neighbours, door->rows_per_unit, local->taxicab ? 1 : rows->dims,
                                                    parts);
    const size_t tile = (size_t)tac_tile_rows(rows->stride);
    /* Rows as seen from their cells, their weights, and room for the kernel of moments. */
    const size_t scratch = tile * ((size_t)rows->stride * sizeof(int16_t) + sizeof(uint32_t)) +
                           (parts->moments ? tac_cell_squares_scratch((int64_t)tile, rows->dims) : 0);
    TAC_TRY(tac_local_open(door->ctx, local->centers != NULL ? local->centers : cells->centers, local->radius, cells->count,
                           rows->dims, local->taxicab, &map));
    TAC_TRY(tac_new(door->ctx, a.words, sizeof *answer, &answer));
    TAC_TRY(tac_door_pay(door, parts->moments || parts->axes ? "moments" : "sums", what, &s, units, (int64_t)a.words,
                         &receipt));
    TAC_TRY(tac_door_over_cells(door, cells, cells->view, a.words, add_local, &a, scratch, answer));
    for (size_t i = 0; i < a.sums && !parts->soft; i++) answer[i] *= parts->count;
    for (size_t i = a.sums; i < a.squares; i++) answer[i] *= parts->sum;
    TAC_TRY(tac_door_release(door, receipt, answer, a.words));
    if (counts != NULL) memcpy(counts, answer, a.sums * sizeof *answer);
    if (sums != NULL) memcpy(sums, answer + a.sums, (a.squares - a.sums) * sizeof *answer);
    if (squares != NULL) memcpy(squares, answer + a.squares, (a.words - a.squares) * sizeof *answer);
done:
    tac_local_close(&map);
    tac_free(answer);
    return status;
}
