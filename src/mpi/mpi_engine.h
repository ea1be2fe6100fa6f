/* SPDX-License-Identifier: Apache-2.0 */
/* An engine over MPI: the root tells all ranks the same, each replies. */
#ifndef TAC_MPI_ENGINE_H
#define TAC_MPI_ENGINE_H

/* What a rank but the root does, until it is dismissed. */
void mpi_engine_serve(void);
/* The root has no more to ask. */
void mpi_engine_dismiss(void);

#endif
