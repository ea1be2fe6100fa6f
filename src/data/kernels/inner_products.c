/* SPDX-License-Identifier: Apache-2.0 */
/* Inner products of rows with public vectors: one pass over the entries of a row serves all of
   them, which lie side by side. */
#include "data/kernels/inner_products.h"

#include <string.h>

#include "data/kernels/nearest_internal.h"

enum { REGISTER = 16 }; /* products in one 512-bit register; widths are multiples of it */

typedef int16_t int16_x16 __attribute__((vector_size(32)));
typedef int32_t int32_x16 __attribute__((vector_size(64)));

/* One row against one block of vectors; see tac_products. */
typedef struct job {
    const int16_t *number; /* dims x width */
    int32_t width;
    const int32_t *column; /* NULL: 0, 1, 2, ... */
    const int16_t *value;
    int64_t entries;
    int32_t *product;
} job;

/* Transposes count x dims vectors into blocks of dims x width, zeros to the end of a register.
   On failure the caller still closes *out. */
tacit_status tac_vectors_open(tacit_ctx *ctx, const int16_t *vectors, const int64_t *offset,
                              int32_t count, int32_t dims, tac_vectors *out)
{
    tacit_status status = TACIT_OK;
    const int32_t part = count < TAC_PRODUCTS ? count : TAC_PRODUCTS,
                  width = (part + REGISTER - 1) / REGISTER * REGISTER;

    *out = (tac_vectors){.count = count,
                         .dims = dims,
                         .width = width,
                         .blocks = (count + TAC_PRODUCTS - 1) / TAC_PRODUCTS};
    const size_t block = (size_t)dims * (size_t)width;
    TAC_TRY(tac_new(ctx, (size_t)out->blocks * block, sizeof *out->number, &out->number));
    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *out->offset, &out->offset));
    for (int32_t c = 0; c < count; c++) {
        int16_t *to = out->number + (size_t)(c / TAC_PRODUCTS) * block + c % TAC_PRODUCTS;
        const int16_t *from = vectors + (size_t)c * (size_t)dims;
        for (int32_t j = 0; j < dims; j++) to[(size_t)j * (size_t)width] = from[j];
        if (offset != NULL) out->offset[c] = offset[c];
    }
done:
    return status;
}

void tac_vectors_close(tac_vectors *v)
{
    tac_free(v->number);
    tac_free(v->offset);
    memset(v, 0, sizeof *v);
}

/* product += x_e number_e over the entries e, for `many` registers of vectors from `first` on. */
INLINE void sweep(const job *a, const int many, int32_t first)
{
    int32_x16 sum[4];

#pragma GCC unroll 4
    for (int r = 0; r < many; r++) sum[r] = (int32_x16){0};
    for (int64_t e = 0; e < a->entries; e++) {
        const int32_t x = a->value[e];
        const int64_t j = a->column == NULL ? e : a->column[e];
        const int16_t *from = a->number + j * a->width + first;
        if (x == 0) continue;
#pragma GCC unroll 4
        for (int r = 0; r < many; r++) {
            int16_x16 narrow;
            memcpy(&narrow, from + r * REGISTER, sizeof narrow);
            sum[r] += __builtin_convertvector(narrow, int32_x16) * x;
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < many; r++)
        memcpy(a->product + first + r * REGISTER, &sum[r], sizeof sum[r]);
}

#define KERNEL "data/kernels/inner_products_path.h"
#include "core/each_path.h"

static void (*const all_products[])(const job *) = {PATHS(all_products)};

/* tac_products on a given path: one look at the processor serves many rows. */
static void products(int level, const tac_vectors *v, int32_t block, const int32_t *column,
                     const int16_t *value, int64_t entries, int32_t *product)
{
    const job a = {.number = v->number + (size_t)block * (size_t)v->dims * (size_t)v->width,
                   .width = v->width,
                   .column = column,
                   .value = value,
                   .entries = entries,
                   .product = product};
    all_products[level](&a);
}

void tac_products(const tac_vectors *v, int32_t block, const int32_t *column, const int16_t *value,
                  int64_t entries, int32_t *product)
{
    products(tac_cpu(), v, block, column, value, entries, product);
}

/* argmax_c (<x, c> + offset_c) of one row, over all blocks of vectors. Scores fit int64: |<x,
   c>| <= M^2, |offset| < 2^32. A strict comparison leaves ties to the lowest c; selects instead
   of branches, which would be guessed wrong. */
static int32_t largest(int level, const tac_vectors *v, const int32_t *column, const int16_t *value,
                       int64_t entries)
{
    _Alignas(64) int32_t product[TAC_PRODUCTS];
    int32_t label = 0;
    int64_t most = INT64_MIN;

    for (int32_t block = 0; block < v->blocks; block++) {
        const int32_t first = block * TAC_PRODUCTS, left = v->count - first;
        products(level, v, block, column, value, entries, product);
        for (int32_t c = 0; c < (left < TAC_PRODUCTS ? left : TAC_PRODUCTS); c++) {
            const int64_t score = product[c] + v->offset[first + c];
            label = score > most ? first + c : label;
            most = score > most ? score : most;
        }
    }
    return label;
}

void tac_argmax_sparse(const tac_vectors *v, const int64_t *start, const int32_t *column,
                       const int16_t *value, int64_t n, int32_t *label)
{
    const int level = tac_cpu();

    for (int64_t i = 0; i < n; i++)
        label[i] = largest(level, v, column + start[i], value + start[i], start[i + 1] - start[i]);
}

void tac_argmax(const tac_vectors *v, const int16_t *rows, int64_t n, int32_t stride,
                int32_t *label)
{
    const int level = tac_cpu();

    for (int64_t i = 0; i < n; i++) label[i] = largest(level, v, NULL, rows + i * stride, v->dims);
}
