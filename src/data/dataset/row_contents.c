/* SPDX-License-Identifier: Apache-2.0 */
/* The hash of a row's values, dense or sparse. */
#include "data/dataset/row_contents.h"

#include <sodium.h>
#include <string.h>

#define SPARSE_STEP 4096 /* rows; what they hold depends on rows */

static const uint8_t public_key[crypto_shorthash_KEYBYTES] = "tacit keep rows";

tacit_status tac_contents_open(tacit_ctx *ctx, const tacit_data *data, tac_contents *out)
{
    const int64_t dims = data->selection.dims;

    *out = (tac_contents){.data = data, .step = SPARSE_STEP};
    if (tac_data_sparse(data)) return TACIT_OK;
    out->step = 1 + (ctx->block_bytes / (int64_t)sizeof(double)) / dims;
    return tac_scratch(ctx, (size_t)(out->step * dims), sizeof *out->dense, &out->dense);
}

static tacit_status hash_dense(tac_contents *c, int64_t first, int64_t count, uint64_t *hash)
{
    const tac_reader *reader = c->data->reader;
    const int64_t dims = c->data->selection.dims;
    const tacit_status status = reader->read(reader, first, count, c->dense);

    for (int64_t i = 0; status == TACIT_OK && i < count; i++) {
        double *const row = c->dense + i * dims;
        /* NaN may have many bit patterns and zero two signs: give each one, so equal rows hash
           alike. */
        for (int64_t j = 0; j < dims; j++) {
            double *x = &row[j];
            if (*x != *x) memset(x, 0xff, sizeof *x);
            if (*x == 0) *x = 0;
        }
        crypto_shorthash((uint8_t *)&hash[i], (const uint8_t *)row, sizeof(double) * (size_t)dims,
                         public_key);
    }
    return status;
}

/* A sparse row is its entries, in one order and without zeros: the hash of its values under the
   hash of its features. */
static tacit_status hash_sparse(tac_contents *c, int64_t first, int64_t count, uint64_t *hash)
{
    const tac_reader *reader = c->data->reader;
    const tac_nonzeros *raw = &c->sparse;
    const tacit_status status = reader->read_sparse(reader, first, count, &c->sparse);

    for (int64_t i = 0; status == TACIT_OK && i < count; i++) {
        const size_t from = (size_t)raw->start[i],
                     entries = (size_t)(raw->start[i + 1] - raw->start[i]);
        uint8_t key[crypto_shorthash_KEYBYTES];
        memcpy(key, public_key, sizeof key);
        crypto_shorthash(key, (const uint8_t *)(raw->feature + from),
                         sizeof *raw->feature * entries, public_key);
        crypto_shorthash((uint8_t *)&hash[i], (const uint8_t *)(raw->value + from),
                         sizeof *raw->value * entries, key);
    }
    return status;
}

tacit_status tac_contents_hash(tac_contents *c, int64_t first, int64_t count, uint64_t *hash)
{
    return (c->dense == NULL ? hash_sparse : hash_dense)(c, first, count, hash);
}

void tac_contents_close(tac_contents *c)
{
    tac_free(c->dense);
    tac_nonzeros_clear(&c->sparse);
    *c = (tac_contents){0};
}
