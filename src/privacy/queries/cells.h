/* SPDX-License-Identifier: Apache-2.0 */
/* Public partitions made ready for a pass: which cell does each row of a tile lie in? */
#ifndef TAC_CELLS_H
#define TAC_CELLS_H

#include "data/kernels/nearest_subspace.h"
#include "data/kernels/inner_products.h"
#include "privacy/kinds.h"

/* A partition with its points clipped and laid out for the kernels. Public numbers alone. */
typedef struct tac_placer {
    tac_cells cells;
    int32_t dims;
    tac_centers *centers; /* NEAREST */
    tac_spans *spans;     /* SUBSPACES */
    tac_vectors vectors;  /* ARGMAX */
    int16_t *normal;      /* FORKS: clipped */
} tac_placer;

/* cells: borrowed while the placer is open, its arrays too; points are clipped into copies. On
   failure the caller still closes *out. */
tacit_status tac_placer_open(tacit_ctx *ctx, const tac_cells *cells, int32_t dims, tac_placer *out);
void tac_placer_close(tac_placer *placer);
/* cell[i] of each of n rows of a lattice from `first` on. Sparse rows: one cell, or ARGMAX. */
void tac_place(const tac_placer *placer, const tac_lattice *where, int64_t first, int64_t n,
               int32_t *cell);

#endif
