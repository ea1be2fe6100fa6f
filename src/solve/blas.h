/* SPDX-License-Identifier: Apache-2.0 */
/* A BLAS on one thread: a threaded one adds up in another order for another number of threads. */
#ifndef TAC_SOLVE_BLAS_H
#define TAC_SOLVE_BLAS_H

/* Returns what to give back to tac_blas_restore; 0: nothing to restore. Lanes of an engine that use BLAS need it called
   around the whole map: inside, a second call then changes nothing. */
int tac_blas_one_thread(void);
void tac_blas_restore(int before);

#endif
