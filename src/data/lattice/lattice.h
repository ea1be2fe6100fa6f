/* SPDX-License-Identifier: Apache-2.0 */
/* The rows as 16-bit lattice points: the only form in which the door reads them. Private, but
   for what is marked public. A point has |x|_2 <= TAC_M: every sensitivity uses that and nothing
   else. */
#ifndef TAC_LATTICE_H
#define TAC_LATTICE_H

#include "data/lattice/frame.h"
#include "engine/engine.h"

typedef struct tac_lattice {
    int64_t rows; /* private */
    int32_t dims;
    int32_t stride;  /* dims rounded up to even; the padding is zero */
    bool sparse;     /* public: points are lists of entries */
    int16_t *points; /* rows x stride, |point|_2 <= TAC_M; NULL when the rows are sparse */

    /* sparse rows: rows + 1; entries of point i are start[i] .. start[i+1]-1; NULL when dense */
    int64_t *start;
    int32_t *column; /* ascending within a point */
    int16_t *value;
    /* public: a point moves by no more when one count of its row moves by 1; 0: not rows of counts.
       Rows of counts have no coordinate below 0 */
    uint32_t entry_reach;
    uint64_t entry_squares; /* public: x x^T moves by no more, in the Frobenius norm */
    /* public: no point has more coordinates that are not 0; 0: nothing better than dims is known */
    int32_t sparsity;
    bool taxicab; /* public: |point|_1 <= TAC_M */
} tac_lattice;

/* The public t with |point|_1 <= sqrt(t) TAC_M (Cauchy-Schwarz over at most t coordinates). */
static inline int32_t tac_lattice_most(const tac_lattice *l)
{
    if (l->taxicab) return 1;
    return l->sparsity > 0 && l->sparsity < l->dims ? l->sparsity : l->dims;
}

/* The public facts of the lattice that a frame makes of rows, which may be elsewhere: all but rows
   and points. sparse: the rows are (tac_data_sparse). */
void tac_lattice_describe(const tac_frame *frame, bool sparse, tac_lattice *out);

/* Stream the raw rows through the frame. `keep` as from tac_data_kept (NULL: all rows). The
   same raw row gives the same point whatever its position, block or thread. Memory: the lattice and
   a fixed buffer a thread. Rows that stay sparse (tac_data_sparse) give a sparse lattice, 6 bytes
   an entry and 8 a row, or behind a sketch a dense one. So do rows of counts, whatever the reader
   and however few their columns, unless their frame says dense. */
tacit_status tac_lattice_build(tacit_ctx *ctx, const tac_engine *engine, tacit_data *data,
                               const tac_frame *frame, const uint64_t *keep, tac_lattice *out);
/* The same of the raw rows begin .. end - 1, in the place of a lattice that is no longer needed:
   where the points take as much memory, its own is used again. Fresh pages of the system take
   time. */
tacit_status tac_lattice_rebuild(tacit_ctx *ctx, const tac_engine *engine, tacit_data *data,
                                 const tac_frame *frame, const uint64_t *keep, int64_t begin,
                                 int64_t end, tac_lattice *inout);
void tac_lattice_clear(tac_lattice *lattice);

/* What the two code paths of tac_lattice_build share, and the second of them. first_out[b] = kept
   rows before block b; returns all of them. */
int64_t tac_kept_before(const uint64_t *keep, int64_t begin, int64_t end, int64_t rows_per_block,
                        int64_t *first_out);
tacit_status tac_lattice_build_sparse(tacit_ctx *ctx, const tac_engine *engine, tacit_data *data,
                                      const tac_frame *frame, const uint64_t *keep, int64_t begin,
                                      int64_t end, tac_lattice *out);

#endif
