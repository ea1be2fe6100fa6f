/* SPDX-License-Identifier: Apache-2.0 */
/* Which instruction set the kernels use. A kernel is written once, in a file NAME_path.h, compiled
   for every instruction set by core/each_path.h, and called through a table with tac_cpu() as its
   index. All paths give the same bits. */
#ifndef TAC_CPU_H
#define TAC_CPU_H

#include <stdbool.h>

/* For a function that a kernel is made of: compiled with the instruction set of whoever calls
   it. */
#define INLINE __attribute__((always_inline)) static inline

/* The code path of this call: 0 portable, 1 AVX2 with FMA, 2 AVX-512 with VNNI. Always the best
   that the machine runs, unless a test has asked for another. Any thread may call it. */
int tac_cpu(void);

/* Its name: "portable", "avx2", "avx512vnni". tac_cpu_use forces one, for tests and benchmarks
   ("auto" undoes it); false if this machine cannot run it. */
const char *tac_cpu_name(void);
bool tac_cpu_use(const char *name);

#endif
