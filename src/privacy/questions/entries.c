/* SPDX-License-Identifier: Apache-2.0 */
/* Labels that come with a question about single entries: public, but checked, because they are used as places. */
#include "privacy/questions/entries.h"

static tacit_status no_such_label(tacit_ctx *ctx)
{
    return tac_fail(ctx, TACIT_E_INTERNAL, "a question about counts came with a label that there is not");
}

tacit_status tac_row_labels_check(const tac_door *door, int32_t batch, const int32_t *label, int32_t most)
{
    for (int64_t i = 0; i < door->counts->rows; i++)
        if ((batch < 0 || door->batch[i] == batch) && (label[i] < -1 || label[i] >= most)) return no_such_label(door->ctx);
    return TACIT_OK;
}

tacit_status tac_labels_copy(tacit_ctx *ctx, const int32_t *label, int64_t n, int32_t most, int32_t **out)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_new(ctx, (size_t)n, sizeof **out, out));
    for (int64_t j = 0; j < n; j++) {
        if (label[j] < -1 || label[j] >= most) return no_such_label(ctx);
        (*out)[j] = label[j] < 0 ? most : label[j];
    }
done:
    return status;
}
