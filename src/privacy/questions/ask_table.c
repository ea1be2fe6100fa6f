/* SPDX-License-Identifier: Apache-2.0 */
/* The contingency table of public labels, single counts protected. Proof: table.proof.md */
#include "privacy/questions/entries.h"

#include <string.h>

#define LANE_WORDS ((size_t)1 << 25) /* 256 MiB for the tables of all lanes */

typedef struct pass {
    const tac_counts *counts;
    const int32_t *batch; /* NULL: all rows */
    int32_t which;
    const int32_t *row_label;    /* as the question has them */
    const int32_t *column_label; /* l where a column is left out */
    int32_t l;
    uint64_t **lane_words; /* k x (l + 1): the last of each is what is left out */
} pass;

static tacit_status table_block(void *state, int64_t block, int lane)
{
    const pass *p = state;
    const tac_counts *c = p->counts;
    const int64_t first = block * TAC_SWEEP_ROWS, end = first + TAC_SWEEP_ROWS < c->rows ? first + TAC_SWEEP_ROWS : c->rows;

    for (int64_t i = first; i < end; i++) {
        if ((p->batch != NULL && p->batch[i] != p->which) || p->row_label[i] < 0) continue;
        tac_add_by_label(c, i, p->column_label, p->lane_words[lane] + (size_t)p->row_label[i] * ((size_t)p->l + 1));
    }
    return TACIT_OK;
}

/* table_kl = sum of the counts of rows labelled k and columns labelled l, in rows of the batch; modulo 2^64 */
static tacit_status sum_up(tac_door *door, const tac_table *t, const int32_t *column_label, uint64_t *table)
{
    tacit_status status = TACIT_OK;
    tac_engine few = *door->engine;
    const size_t wide = (size_t)t->l + 1, words = (size_t)t->k * wide, fit = LANE_WORDS / words;
    pass p = {.counts = door->counts, .batch = t->batch < 0 ? NULL : door->batch, .which = t->batch,
              .row_label = t->row_label, .column_label = column_label, .l = t->l};

    if (fit < (size_t)few.lanes) few.lanes = fit < 1 ? 1 : (int)fit;
    TAC_TRY(tac_new(door->ctx, (size_t)few.lanes, sizeof *p.lane_words, &p.lane_words));
    for (int i = 0; i < few.lanes; i++) TAC_TRY(tac_new(door->ctx, words, sizeof(uint64_t), &p.lane_words[i]));
    TAC_TRY(few.map(&few, door->ctx, (door->counts->rows + TAC_SWEEP_ROWS - 1) / TAC_SWEEP_ROWS, table_block, &p));
    for (int i = 0; i < few.lanes; i++)
        for (size_t r = 0; r < (size_t)t->k; r++)
            for (size_t s = 0; s < (size_t)t->l; s++) table[r * (size_t)t->l + s] += p.lane_words[i][r * wide + s];
    TAC_TRY(door->engine->reduce(door->engine, table, (size_t)t->k * (size_t)t->l));
done:
    for (int i = 0; i < few.lanes && p.lane_words != NULL; i++) tac_free(p.lane_words[i]);
    tac_free(p.lane_words);
    return status;
}

/* answer_kl = 2^20 table_kl + noise */
tacit_status tac_door_table(tac_door *door, const char *what, uint64_t units, const tac_table *table, int64_t *answer)
{
    tacit_status status = TACIT_OK;
    const tac_sensitivity s = tac_sensitivity_table();
    const tac_receipt *receipt;
    int32_t *column_label = NULL;
    uint64_t *words = NULL;

    TAC_TRY(tac_batch_check(door, table->batch));
    if (table->k < 1 || table->l < 1 || table->l == INT32_MAX)
        TAC_TRY(tac_fail(door->ctx, TACIT_E_INTERNAL, "a table needs labels of rows and of columns"));
    TAC_TRY(tac_door_fits(door, table->k, (size_t)table->l));
    const size_t cells = (size_t)table->k * (size_t)table->l;
    TAC_TRY(tac_row_labels_check(door, table->batch, table->row_label, table->k));
    TAC_TRY(tac_labels_copy(door->ctx, table->column_label, door->counts->columns, table->l, &column_label));
    TAC_TRY(tac_new(door->ctx, cells, sizeof *words, &words));
    TAC_TRY(tac_door_pay_batch(door, "table", what, &s, units, table->batch, (int64_t)cells, &receipt));
    TAC_TRY(sum_up(door, table, column_label, words));
    for (size_t i = 0; i < cells; i++) words[i] <<= TAC_COUNT_GRID;
    TAC_TRY(tac_door_release(door, receipt, words, cells));
    memcpy(answer, words, cells * sizeof *words);
done:
    tac_free(column_label);
    tac_free(words);
    return status;
}
