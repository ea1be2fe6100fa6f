/* SPDX-License-Identifier: Apache-2.0 */
/* The rows as 16-bit lattice points: the only form in which the door reads them. */
#ifndef TAC_LATTICE_H
#define TAC_LATTICE_H

#include "data/frame.h"
#include "engine/engine.h"

typedef struct tac_lattice {
    int64_t rows;    /* private */
    int32_t dims;
    int32_t stride;  /* dims rounded up to even; the padding is zero */
    int16_t *points; /* rows x stride, |point|_2 <= TAC_M */
} tac_lattice;

/* Stream the raw rows through the frame. `keep` as from tac_data_bound_units (NULL: all rows). The same raw row
   gives the same point whatever its position, block or thread. Memory: the lattice and a fixed buffer a thread. */
tacit_status tac_lattice_build(tacit_ctx *ctx, const tac_engine *engine, tacit_data *data, const tac_frame *frame,
                               const uint8_t *keep, tac_lattice *out);
void tac_lattice_clear(tac_lattice *lattice);

#endif
