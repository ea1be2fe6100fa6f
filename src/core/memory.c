/* SPDX-License-Identifier: Apache-2.0 */
/* Memory with a checked product: count * size never wraps. All library memory comes from here,
   64-byte aligned for the kernels. */
#include "core/core.h"

#include <stdlib.h>
#include <string.h>

static tacit_status too_much(tacit_ctx *ctx)
{
    return tac_fail(ctx, TACIT_E_MEMORY,
                    "out of memory; use fewer columns, a smaller k or a machine with more memory");
}

/* *out = new memory, or NULL on failure. out is a T** behind a void *, so it is written with
   memcpy: a cast to void ** would break aliasing rules. */
static tacit_status allocate(tacit_ctx *ctx, size_t count, size_t size, bool zero, void *out)
{
    size_t bytes;
    void *memory = NULL;

    memcpy(out, &memory, sizeof memory);
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - 128)
        return too_much(ctx);
    /* aligned_alloc wants a multiple of the alignment; calloc would zero for free but aligns to
       16. */
    bytes = bytes == 0 ? 64 : (bytes + 63) / 64 * 64;
    memory = aligned_alloc(64, bytes);
    if (memory == NULL) return too_much(ctx);
    if (zero) memset(memory, 0, bytes);
    memcpy(out, &memory, sizeof memory);
    return TACIT_OK;
}

tacit_status tac_new(tacit_ctx *ctx, size_t count, size_t size, void *out)
{
    return allocate(ctx, count, size, true, out);
}

tacit_status tac_scratch(tacit_ctx *ctx, size_t count, size_t size, void *out)
{
    return allocate(ctx, count, size, false, out);
}

/* realloc with the checked product. *inout may be NULL; it changes only on success. */
tacit_status tac_grow(tacit_ctx *ctx, void *inout, size_t count, size_t size)
{
    size_t bytes;
    void *old, *memory;

    memcpy(&old, inout, sizeof old);
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - 128)
        return too_much(ctx);
    memory = realloc(old, bytes == 0 ? 1 : bytes);
    if (memory == NULL) return too_much(ctx);
    memcpy(inout, &memory, sizeof memory);
    return TACIT_OK;
}

void tac_free(void *memory)
{
    free(memory);
}

void tacit_free(void *memory)
{
    tac_free(memory);
}

char *tac_strdup(tacit_ctx *ctx, const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL) too_much(ctx);
    return copy;
}
