/* SPDX-License-Identifier: Apache-2.0 */
/* Labels that come with a query about single entries: public, but checked, because they are used
   as array indices. */
#include "privacy/queries/entries.h"

bool tac_labels_make_sense(const int32_t *label, int64_t n, int32_t most)
{
    for (int64_t i = 0; i < n; i++)
        if (label[i] < -1 || label[i] >= most) return false;
    return true;
}

/* Places and labels of all rows are checked before any is used. Public: places, batches and
   labels do not depend on counts. */
tacit_status tac_fits_counts(tacit_ctx *ctx, const tac_query *q, const tac_shard *shard)
{
    const tac_counts *c = shard->counts;

    if (c == NULL)
        return tac_fail(ctx, TACIT_E_INTERNAL,
                        "a query about single entries needs neighbors entry and a table of counts");
    bool good = c->columns == q->columns && (q->batch < 0 || shard->batch != NULL);
    for (int64_t i = 0; good && i < c->rows; i++) {
        const int64_t place = tac_place_of(shard, i);
        good = place >= 0 && place < q->rows;
        if (good && q->kind != TAC_KIND_ROW_LABELS && tac_in_batch(q, shard, i))
            good = tac_labels_make_sense(q->row_label + place, 1, q->row_labels);
    }
    return good ? TACIT_OK
                : tac_fail(ctx, TACIT_E_INTERNAL,
                           "a query about counts came with a label that there is not");
}

tacit_status tac_labels_copy(tacit_ctx *ctx, const int32_t *label, int64_t n, int32_t most,
                             int32_t **out)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_new(ctx, (size_t)n, sizeof **out, out));
    for (int64_t j = 0; j < n; j++) (*out)[j] = label[j] < 0 ? most : label[j];
done:
    return status;
}
