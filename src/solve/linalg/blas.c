/* SPDX-License-Identifier: Apache-2.0 */
/* A BLAS on one thread. */
#include "solve/linalg/blas.h"

#include <pthread.h>
#include <stddef.h>

/* Other BLASes lack these names. */
void openblas_set_num_threads(int threads) __attribute__((weak));
int openblas_get_num_threads(void) __attribute__((weak));

/* How many threads the BLAS uses is a setting of the whole process, and other runs may be at work:
   the first to come changes it and the last to leave changes it back. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users, usual;

int tac_blas_one_thread(void)
{
    if (openblas_set_num_threads == NULL || openblas_get_num_threads == NULL) return 0;
    pthread_mutex_lock(&lock);
    if (users++ == 0) {
        usual = openblas_get_num_threads();
        if (usual > 1) openblas_set_num_threads(1);
    }
    pthread_mutex_unlock(&lock);
    return 1;
}

void tac_blas_restore(int taken)
{
    if (taken == 0) return;
    pthread_mutex_lock(&lock);
    if (--users == 0 && usual > 1) openblas_set_num_threads(usual);
    pthread_mutex_unlock(&lock);
}
