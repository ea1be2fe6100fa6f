/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows are a shard's own. A person is on the shard that a keyed hash of the id says, so that
   every shard knows it without asking another. */
#include "privacy/shards/picked_rows.h"

enum { STEP = 4096 }; /* rows whose persons are looked at together */

tacit_status tac_pick_numbers(tacit_ctx *ctx, const tacit_data *data, int64_t shards,
                              int64_t **numbers)
{
    tacit_status status = TACIT_OK;
    const int64_t rows = data->reader->rows;
    tac_person person[STEP];
    int64_t *out = NULL;

    *numbers = NULL;
    TAC_TRY(tac_new(ctx, (size_t)rows, sizeof *out, &out));
    for (int64_t first = 0; first < rows; first += STEP) {
        const int64_t count = first + STEP < rows ? STEP : rows - first;
        TAC_TRY(tac_data_explain(ctx, data, tac_data_units(data, first, count, person)));
        for (int64_t i = 0; i < count; i++)
            out[first + i] =
                tac_is_nobody(person[i]) ? -1 : (int64_t)(person[i].low % (uint64_t)shards);
    }
    *numbers = out;
    out = NULL;
done:
    tac_free(out);
    return status;
}

/* Were this left to what the rows show, a run over files that were parted anyhow would end or not
   by who is in them. */
tacit_status tac_pick_allowed(tacit_ctx *ctx, const tacit_data *data, const tac_pick *pick)
{
    if (!data->has_units || pick->shards == 1 || pick->picks || pick->parted) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "%s: all rows of one person must be on one shard; let every shard pick its own "
                    "from the whole table (picks), or part the rows by tacit_shard_numbers "
                    "(parted)",
                    tac_data_name(data));
}

/* Otherwise a person with rows on two shards would count twice as much as was paid for. */
tacit_status tac_pick_check(tacit_ctx *ctx, const tacit_data *data, const tac_pick *pick)
{
    tacit_status status = TACIT_OK;
    int64_t *number = NULL;

    if (!data->has_units || pick->shards == 1 || pick->picks) return TACIT_OK;
    if (pick->shards > 0) TAC_TRY(tac_pick_numbers(ctx, data, pick->shards, &number));
    for (int64_t i = 0; i < data->reader->rows; i++)
        if (number == NULL || (number[i] >= 0 && number[i] != pick->index))
            TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                             "%s: rows of one person must be on the shard that the person's id "
                             "says, and some here are not; part the rows by tacit_shard_numbers",
                             tac_data_name(data)));
done:
    tac_free(number);
    return status;
}

/* Persons by their ids; persons that were added up stand in the same order on every shard, and rows
   as they do in the table. */
tacit_status tac_pick_rows(tacit_ctx *ctx, const tacit_data *data, const tacit_data *rows,
                           const tac_pick *pick, uint64_t **keep)
{
    tacit_status status = TACIT_OK;
    const int64_t count = rows->reader->rows;
    int64_t *number = NULL;

    if (!pick->picks || pick->shards == 1) return TACIT_OK;
    if (data->has_units && rows == data)
        TAC_TRY(tac_pick_numbers(ctx, data, pick->shards, &number));
    if (*keep == NULL) {
        TAC_TRY(tac_new(ctx, tac_kept_words(count), sizeof **keep, keep));
        for (int64_t i = 0; i < count; i++) tac_keep(*keep, i, true);
    }
    for (int64_t i = 0; i < count; i++)
        if ((number != NULL ? number[i] : i % pick->shards) != pick->index)
            tac_keep(*keep, i, false);
done:
    tac_free(number);
    return status;
}
