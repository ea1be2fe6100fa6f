/* SPDX-License-Identifier: Apache-2.0 */
/* A BLAS on one thread: a threaded one adds up in another order for another number of threads. */
#ifndef TAC_BLAS_H
#define TAC_BLAS_H

/* From the first call until as many of tac_blas_restore the BLAS uses one thread, whichever threads
   call. Returns what to give to tac_blas_restore. Workers of an engine that use BLAS need it called
   around the whole map: inside, a second call then changes nothing. */
int tac_blas_one_thread(void);
void tac_blas_restore(int taken);

#endif
