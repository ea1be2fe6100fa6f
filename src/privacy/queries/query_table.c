/* SPDX-License-Identifier: Apache-2.0 */
/* The contingency table of public labels, single counts protected: what co-clustering asks
   between draws of labels. Proof: table.proof.md */
#include "privacy/queries/entries.h"

/* Labels of columns are checked here, those of rows with the shard that holds the rows
   (tac_fits_counts). */
tacit_status tac_table_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    if (q->row_labels < 1 || q->column_labels < 1 || q->column_labels == INT32_MAX ||
        (q->row_label == NULL && q->rows > 0) || (q->column_label == NULL && q->columns > 0) ||
        !tac_labels_make_sense(q->column_label, q->columns, q->column_labels))
        return tac_no_sense(ctx, "a table");
    return tac_words_fit(ctx, q->row_labels, (size_t)q->column_labels, words);
}

tacit_status tac_table_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    (void)door, (void)q;
    out->s = tac_sensitivity_table();
    return TACIT_OK;
}

typedef struct pass {
    const tac_query *q;
    const tac_shard *shard;
    const int32_t *column_label; /* column_labels where a column is left out */
} pass;

/* words: row_labels x (column_labels + 1), the last of each is what is left out */
static void add_table(const void *state, int64_t block, uint64_t *words, void *scratch)
{
    const pass *p = state;
    const tac_counts *c = p->shard->counts;
    const int64_t first = block * TAC_SWEEP_ROWS,
                  end = first + TAC_SWEEP_ROWS < c->rows ? first + TAC_SWEEP_ROWS : c->rows;

    (void)scratch;
    for (int64_t i = first; i < end; i++) {
        if (!tac_in_batch(p->q, p->shard, i)) continue;
        const int32_t label = p->q->row_label[tac_place_of(p->shard, i)];
        if (label >= 0)
            tac_add_by_label(c, i, p->column_label,
                             words + (size_t)label * ((size_t)p->q->column_labels + 1));
    }
}

/* word_kl = 2^20 times the sum of the counts of rows labeled k and columns labeled l, in rows of
   the batch; modulo 2^64 */
tacit_status tac_table_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                const tac_shard *shard, tac_words *out)
{
    tacit_status status = TACIT_OK;
    const size_t l = (size_t)q->column_labels, wide = l + 1;
    tac_words total = {.count = (size_t)q->row_labels * wide};
    int32_t *column_label = NULL;

    TAC_TRY(tac_labels_copy(ctx, q->column_label, q->columns, q->column_labels, &column_label));
    TAC_TRY(tac_new(ctx, total.count, sizeof *total.word, &total.word));
    const pass p = {.q = q, .shard = shard, .column_label = column_label};
    TAC_TRY(tac_add_blocks(ctx, engine, (shard->counts->rows + TAC_SWEEP_ROWS - 1) / TAC_SWEEP_ROWS,
                           add_table, &p, 0, &total));
    for (size_t i = 0; i < out->count; i++)
        out->word[i] = total.word[i / l * wide + i % l] << TAC_COUNT_GRID;
done:
    tac_free(column_label);
    tac_free(total.word);
    return status;
}
