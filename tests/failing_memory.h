/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that runs out on demand. The linker routes a test's own calls through these wrappers
   (-Wl,--wrap=malloc and so on: see meson.build). */
#ifndef TAC_FAILING_MEMORY_H
#define TAC_FAILING_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_long countdown; /* allocations until the first failure; 0: never fail */
static atomic_bool from_then_on;
static atomic_long counted;

static bool fails(void)
{
    counted++;
    const long left = countdown;
    if (left == 0) return false;
    if (left > 1) {
        /* threads may lose a count: another allocation fails, which is as good */
        countdown = left - 1;
        return false;
    }
    if (!from_then_on) countdown = 0;
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}
char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

#endif
