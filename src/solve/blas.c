/* SPDX-License-Identifier: Apache-2.0 */
/* A BLAS on one thread. */
#include "solve/blas.h"

#include <stddef.h>

/* Other BLASes lack these names. */
void openblas_set_num_threads(int threads) __attribute__((weak));
int openblas_get_num_threads(void) __attribute__((weak));

int tac_blas_one_thread(void)
{
    if (openblas_set_num_threads == NULL || openblas_get_num_threads == NULL) return 0;
    const int before = openblas_get_num_threads();
    if (before == 1) return 0;
    openblas_set_num_threads(1);
    return before;
}

void tac_blas_restore(int before)
{
    if (before > 0) openblas_set_num_threads(before);
}
