/* SPDX-License-Identifier: Apache-2.0 */
/* The cell of each row of a shard under the centers that were last asked about. */
#ifndef TAC_CELL_MEMO_H
#define TAC_CELL_MEMO_H

#include "data/lattice/lattice.h"
#include "privacy/query.h"

/* Zeroed: nothing is kept. Private: the labels. Whoever changes the rows of a lattice forgets. */
typedef struct tac_memo {
    const tac_lattice *where; /* borrowed: which rows the labels are of */
    int32_t count;            /* of cells, 1 .. 256 */
    bool whole;               /* every row has its label */
    int16_t *centers;         /* as they were given */
    uint8_t *label;           /* of each row */
} tac_memo;

/* Are cells of this partition kept? Nearest centers, few of them, rows that are not sparse. */
bool tac_memo_fits(const tac_cells *cells, const tac_lattice *where);
/* Makes the memo one of this partition, which fits. memo->whole: its labels are there already;
   otherwise the caller writes all of them and then sets it. */
tacit_status tac_memo_open(tacit_ctx *ctx, const tac_cells *cells, const tac_lattice *where,
                           tac_memo *memo);
/* cell[i] = the label of row first + i, and back. Workers may write rows of their own at once. */
void tac_memo_read(const tac_memo *memo, int64_t first, int64_t n, int32_t *cell);
void tac_memo_write(const tac_memo *memo, int64_t first, int64_t n, const int32_t *cell);
void tac_memo_forget(tac_memo *memo);

#endif
