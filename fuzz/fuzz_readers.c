/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes to any reader: the first byte chooses the format, the second the threads and the size of pieces.
   With clang, from the root of the source:
     clang -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -std=gnu11 -Iinclude -Isrc \
       fuzz/fuzz_readers.c src/core/{context,memory,names,numbers,options}.c \
       src/data/{array_load,array_rows,codes,csv,csv_cut,csv_load,csv_parse,decimal,input,libsvm,lines}.c \
       src/data/{matrix_market,memory_rows,npy,reader,sparse_rows,triplets}.c -lsodium -lm -lpthread */
#include "data/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[64];
    tacit_ctx *ctx = NULL;
    tac_reader *r = NULL;

    if (count < 2 || tacit_ctx_new(&ctx) != TACIT_OK) return 0;
    ctx->threads = 1 + bytes[1] % 3;
    ctx->block_bytes = 1 + bytes[1];
    const int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, bytes + 2, count - 2) != (ssize_t)(count - 2)) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (tac_open_format(ctx, path, (tacit_format)(1 + bytes[0] % 6), &r) == TACIT_OK) {
        const int32_t all = r->schema.columns;
        int32_t *column = malloc((size_t)all * sizeof *column);
        tac_selection s = {0, column, bytes[0] & 64 ? all - 1 : -1, bytes[0] & 128 ? 0 : -1,
                           bytes[0] & 32 ? TACIT_MISSING_REJECT_FILE : TACIT_MISSING_MIDPOINT};
        if (s.unit == r->schema.label_only) s.unit = -1;
        /* A sparse file may declare a great many empty rows; codes for them would only use up memory. */
        const tacit_format format = (tacit_format)(1 + bytes[0] % 6);
        if (format == TACIT_FORMAT_MATRIX_MARKET || format == TACIT_FORMAT_TRIPLETS) s.label = s.unit = -1;
        for (int32_t j = 0; j < all; j++)
            if (j != s.label && j != s.unit && j != r->schema.label_only) column[s.dims++] = j;
        if (s.dims > 0 && r->load(r, ctx, &s) == TACIT_OK && (int64_t)s.dims * 8 < 1 << 24) {
            const int64_t some = r->rows < 100 ? r->rows : 100;
            double *rows = malloc((size_t)some * (size_t)s.dims * sizeof *rows);
            if (rows == NULL || r->read(r, 0, some, rows) != TACIT_OK || r->read(r, r->rows - some, some,
                                                                                 rows) != TACIT_OK) abort();
            free(rows);
        } else if (s.dims > 0 && ctx->message[0] == '\0') {
            abort(); /* every refusal has a sentence */
        }
        r->close(r);
        free(column);
    }
    close(fd);
    tacit_ctx_free(ctx);
    return 0;
}
