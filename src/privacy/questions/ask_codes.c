/* SPDX-License-Identifier: Apache-2.0 */
/* Non-negative codes of rows of counts, and what goes with them. Proof: codes.proof.md */
#include "data/largest.h"
#include "privacy/door_internal.h"

#include <string.h>

#define CODES_MOST 1024

/* words: the triangle of the codes, then dims x count products */
typedef struct codes {
    tac_vectors vectors;
    size_t triangle;
} codes;

/* h_k = floor(max(0, <d_k, x>) / M), clipped. scratch: products, then h. */
static const int16_t *code_of(const codes *a, const tac_tile *tile, int64_t i)
{
    const tac_vectors *v = &a->vectors;
    int32_t *product = tile->scratch;
    int16_t *h = (int16_t *)(void *)(product + TAC_PRODUCTS);

    for (int32_t block = 0; block < v->blocks; block++) {
        const int32_t first = block * TAC_PRODUCTS, left = v->count - first;
        const int64_t from = tile->start == NULL ? 0 : tile->start[i];
        if (tile->start == NULL) tac_products(v, block, NULL, tile->rows + i * tile->stride, tile->dims, product);
        else tac_products(v, block, tile->column + from, tile->value + from, tile->start[i + 1] - from, product);
        for (int32_t c = 0; c < (left < TAC_PRODUCTS ? left : TAC_PRODUCTS); c++)
            h[first + c] = (int16_t)(product[c] > 0 ? product[c] / TAC_M : 0); /* <d, x> <= M^2 */
    }
    tac_clip(h, v->count);
    return h;
}

/* line_k += h_k x */
static void add_product(const int16_t *h, int32_t count, int32_t x, uint64_t *line)
{
    for (int32_t k = 0; k < count; k++) line[k] += (uint64_t)(int64_t)(h[k] * x);
}

static void add_codes(const void *state, const tac_tile *tile, uint64_t *words)
{
    const codes *a = state;
    const int32_t count = a->vectors.count;

    for (int64_t i = 0; i < tile->n; i++) {
        const int16_t *h = code_of(a, tile, i);
        uint64_t *square = words, *products = words + a->triangle;
        for (int32_t k = 0; k < count; square += count - k, k++)
            if (h[k] != 0) add_product(h + k, count - k, h[k], square);
        if (tile->start == NULL)
            for (int32_t j = 0; j < tile->dims; j++)
                add_product(h, count, tile->rows[i * tile->stride + j], products + (size_t)j * (size_t)count);
        else
            for (int64_t e = tile->start[i]; e < tile->start[i + 1]; e++)
                add_product(h, count, tile->value[e], products + (size_t)tile->column[e] * (size_t)count);
    }
}

/* squares: weighted triangle of sum of h h^T; products: 5 sum of h x^T; + noise, under one sensitivity */
tacit_status tac_door_codes(tac_door *door, const char *what, uint64_t units, tac_view values, const int16_t *directions,
                            int32_t count, int64_t *squares, int64_t *products)
{
    tacit_status status = TACIT_OK;
    const tac_cells one = {.kind = TAC_ONE_CELL, .view = values, .count = 1};
    const tac_receipt *receipt;
    codes state = {0};
    int16_t *copy = NULL;
    uint64_t *total = NULL, *answer = NULL;

    TAC_TRY(tac_cells_check_any(door, &one, values));
    const tac_lattice *rows = door->lattice[values];
    if (rows->entry_reach == 0 || directions == NULL || count < 1 || count > CODES_MOST)
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "codes were asked of rows that are no counts, or without directions");
    TAC_TRY(tac_door_fits(door, count, (size_t)rows->dims + (size_t)count));
    const size_t k = (size_t)count, dims = (size_t)rows->dims, words = k * (k + 1) / 2 + k * dims;
    state.triangle = k * (k + 1) / 2;
    TAC_TRY(tac_new(door->ctx, k * dims, sizeof *copy, &copy));
    memcpy(copy, directions, k * dims * sizeof *copy);
    for (size_t i = 0; i < k; i++) tac_clip(copy + i * dims, rows->dims);
    TAC_TRY(tac_vectors_open(door->ctx, copy, NULL, count, rows->dims, &state.vectors));
    TAC_TRY(tac_new(door->ctx, words, sizeof *total, &total));
    TAC_TRY(tac_new(door->ctx, words, sizeof *answer, &answer));
    const tac_sensitivity s = tac_sensitivity_codes(door->neighbours, door->rows_per_unit, tac_lattice_most(rows), count);
    TAC_TRY(tac_door_pay(door, "codes", what, &s, units, (int64_t)words, &receipt));
    const size_t scratch = TAC_PRODUCTS * sizeof(int32_t) + k * sizeof(int16_t);
    TAC_TRY(tac_door_over_cells(door, &one, values, words, add_codes, &state, scratch, total));
    for (size_t i = 0, at = 0; i < k; i++)
        for (size_t j = i; j < k; j++, at++) answer[at] = total[at] * (i == j ? TAC_MOMENT_SAME : TAC_MOMENT_CROSS);
    for (size_t j = 0; j < dims; j++)
        for (size_t i = 0; i < k; i++)
            answer[state.triangle + i * dims + j] = total[state.triangle + j * k + i] * TAC_MOMENT_SAME;
    TAC_TRY(tac_door_release(door, receipt, answer, words));
    memcpy(squares, answer, state.triangle * sizeof *answer);
    memcpy(products, answer + state.triangle, k * dims * sizeof *answer);
done:
    tac_vectors_close(&state.vectors);
    tac_free(copy);
    tac_free(total);
    tac_free(answer);
    return status;
}
