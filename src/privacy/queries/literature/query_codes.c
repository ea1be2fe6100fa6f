/* SPDX-License-Identifier: Apache-2.0 */
/* Non-negative codes h of rows of counts: the sums of h h^T and h x^T, one joint query, for
   co-clustering. Proof: codes.proof.md */
#include "data/kernels/inner_products.h"
#include "privacy/kinds.h"

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
        if (tile->start == NULL)
            tac_products(v, block, NULL, tile->rows + i * tile->stride, tile->dims, product);
        else
            tac_products(v, block, tile->column + from, tile->value + from,
                         tile->start[i + 1] - from, product);
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

/* words += (triangle of h h^T, h x^T by column) of every row. |h_k x_j| <= M^2 fits int32. */
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
                add_product(h, count, tile->rows[i * tile->stride + j],
                            products + (size_t)j * (size_t)count);
        else
            for (int64_t e = tile->start[i]; e < tile->start[i + 1]; e++)
                add_product(h, count, tile->value[e],
                            products + (size_t)tile->column[e] * (size_t)count);
    }
}

/* words: the triangle of k codes, then k x dims products. */
tacit_status tac_codes_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    if (q->directions == NULL || q->k < 1 || q->k > CODES_MOST || q->cells.kind != TAC_ONE_CELL ||
        q->values != q->cells.view)
        return tac_no_sense(ctx, "a sum of codes");
    const tacit_status status =
        tac_words_fit(ctx, q->k, (size_t)tac_dims_of(q) + (size_t)q->k, words);
    *words = tac_triangle(q->k) + (size_t)q->k * (size_t)tac_dims_of(q);
    return status;
}

/* Rows of counts only: the proof needs coordinates that are not negative. */
tacit_status tac_codes_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    const tac_lattice *rows = tac_door_lattice(door, q->values);

    if (rows->entry_reach == 0)
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "codes were asked of rows that are no counts");
    out->s =
        tac_sensitivity_codes(door->neighbors, door->rows_per_unit, tac_lattice_most(rows), q->k);
    return TACIT_OK;
}

/* The weighted triangle of the sum of h h^T, then 5 times the sum of h x^T, k x dims. Rows are
   added to dims x k products: those of a column lie together. */
tacit_status tac_codes_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                const tac_shard *shard, tac_words *out)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)q->k, dims = (size_t)tac_dims_of(q), numbers = out->count / 2;
    const size_t scratch = TAC_PRODUCTS * sizeof(int32_t) + k * sizeof(int16_t);
    codes state = {.triangle = tac_triangle(q->k)};
    tac_words total = {.count = out->count};
    int16_t *clipped = NULL;

    TAC_TRY(tac_clipped(ctx, q->directions, q->k, tac_dims_of(q), &clipped));
    TAC_TRY(tac_vectors_open(ctx, clipped, NULL, q->k, tac_dims_of(q), &state.vectors));
    TAC_TRY(tac_new(ctx, total.count, sizeof *total.word, &total.word));
    TAC_TRY(tac_over_cells(ctx, engine, q, shard, add_codes, &state, scratch, &total));
    for (size_t i = 0, at = 0; i < k; i++)
        for (size_t j = i; j < k; j++, at++)
            tac_set_two_words(out->word, numbers, at,
                              tac_two_words(total.word, numbers, at) *
                                  (i == j ? TAC_MOMENT_SAME : TAC_MOMENT_CROSS));
    for (size_t j = 0; j < dims; j++)
        for (size_t i = 0; i < k; i++)
            tac_set_two_words(out->word, numbers, state.triangle + i * dims + j,
                              tac_two_words(total.word, numbers, state.triangle + j * k + i) *
                                  TAC_MOMENT_SAME);
done:
    tac_vectors_close(&state.vectors);
    tac_free(clipped);
    tac_free(total.word);
    return status;
}
