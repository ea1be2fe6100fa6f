/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the kernel bodies in the file KERNEL once for every instruction set (core/cpu.h), with
     LEVEL        0 portable, 1 AVX2 with FMA, 2 AVX-512 with VNNI
     BYTES        of its registers: 16, 32, 64
     PATH(name)   the name of a function of this path
     TARGET       its target attribute
   and INLINE for functions that are part of their caller and of its path; those that know nothing
   of paths need no TARGET. Afterwards PATHS(name) lists a function's paths for a table whose index
   is tac_cpu(). No include guard: a file may have several kernels. Explicit tables and no resolvers
   of the loader: those run before a sanitizer has begun. */
#include "core/cpu.h"

#define LEVEL 0
#define BYTES 16
#define PATH(name) name##_portable
#define TARGET
#include KERNEL
#undef LEVEL
#undef BYTES
#undef PATH
#undef TARGET

#if defined(__x86_64__)

#include <immintrin.h>

#define LEVEL 1
#define BYTES 32
#define PATH(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#include KERNEL
#undef LEVEL
#undef BYTES
#undef PATH
#undef TARGET

#define LEVEL 2
#define BYTES 64
#define PATH(name) name##_avx512
#if defined(__clang__)
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vnni")))
#else
#define TARGET                                                                                     \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vnni,prefer-vector-"  \
                          "width=512")))
#endif
#include KERNEL
#undef LEVEL
#undef BYTES
#undef PATH
#undef TARGET

#undef PATHS
#define PATHS(name) name##_portable, name##_avx2, name##_avx512
#else
#undef PATHS
#define PATHS(name) name##_portable
#endif

#undef KERNEL
