/* SPDX-License-Identifier: Apache-2.0 */
/* A shard's part of a table that every shard can read. */
#include "privacy/shards/picked_rows.h"

#include <string.h>

tacit_status tac_pick_check(tacit_ctx *ctx, const tacit_data *data, const tac_pick *pick)
{
    if (!data->has_units || pick->shards == 1) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "%s: persons whose rows count together must be on one shard; use one",
                    tac_data_name(data));
}

tacit_status tac_pick_rows(tacit_ctx *ctx, const tacit_data *data, const tacit_data *rows,
                           const tac_pick *pick, uint64_t **keep)
{
    tacit_status status = TACIT_OK;
    const int64_t count = rows->reader->rows;

    (void)data;
    if (!pick->picks || pick->shards == 1) return TACIT_OK;
    if (*keep == NULL) {
        TAC_TRY(tac_new(ctx, tac_kept_words(count), sizeof **keep, keep));
        for (int64_t i = 0; i < count; i++) tac_keep(*keep, i, true);
    }
    for (int64_t i = 0; i < count; i++)
        if (i % pick->shards != pick->index) tac_keep(*keep, i, false);
done:
    return status;
}
