/* SPDX-License-Identifier: Apache-2.0 */
/* The cell of each row, kept for the next query about the same centers: methods ask two queries
   about most partitions. A cell is a function of the row and public numbers, and whether it is
   read back or found anew depends on public numbers alone: neither an answer nor the work behind
   it tells more about a row than without a memo. */
#include "privacy/queries/cell_memo.h"

#include <string.h>

#include "privacy/shard.h"

#define CELLS_MOST 256 /* a byte a row: the lattice has 2 bytes a coordinate */

void tac_memo_forget(tac_memo *memo)
{
    tac_free(memo->centers);
    tac_free(memo->label);
    *memo = (tac_memo){0};
}

/* Equal numbers in equal order: only then are the labels those of this partition. */
static bool same_centers(const tac_memo *m, const tac_cells *cells, size_t bytes)
{
    return m->whole && m->count == cells->count && memcmp(m->centers, cells->centers, bytes) == 0;
}

/* Labels of another lattice are dropped at once; those of other centers are overwritten. */
tacit_status tac_memo_open(tacit_ctx *ctx, const tac_cells *cells, const tac_lattice *where,
                           tac_memo *m)
{
    tacit_status status = TACIT_OK;
    const size_t bytes = (size_t)cells->count * (size_t)where->dims * sizeof *m->centers;

    if (m->where != where) tac_memo_forget(m);
    if (same_centers(m, cells, bytes)) return TACIT_OK;
    m->whole = false;
    tac_free(m->centers);
    m->centers = NULL;
    if (m->label == NULL) TAC_TRY(tac_scratch(ctx, (size_t)where->rows, 1, &m->label));
    TAC_TRY(tac_scratch(ctx, bytes, 1, &m->centers));
    memcpy(m->centers, cells->centers, bytes);
    m->where = where;
    m->count = cells->count;
done:
    return status;
}

bool tac_memo_fits(const tac_cells *cells, const tac_lattice *where)
{
    return cells->kind == TAC_NEAREST && cells->count <= CELLS_MOST && where->start == NULL;
}

void tac_memo_read(const tac_memo *m, int64_t first, int64_t n, int32_t *cell)
{
    const uint8_t *label = m->label + first;
    for (int64_t i = 0; i < n; i++) cell[i] = label[i];
}

void tac_memo_write(const tac_memo *m, int64_t first, int64_t n, const int32_t *cell)
{
    uint8_t *label = m->label + first;
    for (int64_t i = 0; i < n; i++) label[i] = (uint8_t)cell[i];
}
