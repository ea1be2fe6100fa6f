/* SPDX-License-Identifier: Apache-2.0 */
/* The program `tacit-mpi`: the command `tacit` on rank 0, which is the root, and shards on every
   rank, the root's too. Each rank reads its files; exact answers go to the root, which alone has
   the ledger and the noise. A rank that dies takes the others with it (mpirun sees to that):
   nothing is released, and what was reserved stays spent. */
#include "mpi_engine.h"

#include "cli/cli.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int tacit_command(int argc, char **argv); /* main of src/cli/main.c */

int main(int argc, char **argv)
{
    int rank = 0, code = EXIT_SUCCESS;

    cli_leave_no_core();
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) {
        fprintf(stderr, "tacit-mpi: MPI cannot be started\n");
        return EXIT_FAILURE;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        code = tacit_command(argc, argv);
        mpi_engine_dismiss();
    } else {
        mpi_engine_serve();
    }
    MPI_Finalize();
    return code;
}
