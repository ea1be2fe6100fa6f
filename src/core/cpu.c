/* SPDX-License-Identifier: Apache-2.0 */
/* Which instruction set the kernels use: asked of the processor once, then a table index. A path
   changes the time of a run and not one bit of its result (tests compare them). */
#include "core/cpu.h"

#include <stdatomic.h>
#include <string.h>

enum { UNKNOWN = -1 };

/* A cache of what the processor says, or what a test forces. The only mutable global; results do
   not depend on it. */
static atomic_int level = UNKNOWN;

static const char *const names[] = {"portable", "avx2", "avx512vnni"};

/* What each_path.h compiles for, no more and no less. */
static int best(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vnni")
               ? 2
               : 1;
#else
    return 0;
#endif
}

/* 0, 1 or 2. Relaxed order is enough: whoever reads the old value works the same one out again. */
int tac_cpu(void)
{
    int known = atomic_load_explicit(&level, memory_order_relaxed);

    if (known != UNKNOWN) return known;
    /* Whoever comes second stores the same, and never over what a test has forced meanwhile. */
    return atomic_compare_exchange_strong(&level, &known, best()) ? atomic_load(&level) : known;
}

const char *tac_cpu_name(void)
{
    return names[tac_cpu()];
}

/* Walks the names up to the best that this machine can run; a name beyond it is refused. */
bool tac_cpu_use(const char *name)
{
    const int most = best();
    int wanted = strcmp(name, "auto") == 0 ? most : 0;

    while (wanted < most && strcmp(name, names[wanted]) != 0) wanted++;
    if (strcmp(name, "auto") != 0 && strcmp(name, names[wanted]) != 0) return false;
    atomic_store(&level, wanted);
    return true;
}
