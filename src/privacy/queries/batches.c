/* SPDX-License-Identifier: Apache-2.0 */
/* Counts behind the door, the batches of their rows, and what queries about batches cost:
   disjoint batches compose in parallel. Proof: batches.proof.md */
#include "privacy/door_internal.h"

#define BATCHES_MOST (1 << 20)

/* Ignored unless it is allowed: under another relation the door must never hold counts. */
void tac_door_counts(tac_door *door, const tac_counts *counts)
{
    if (door->neighbors == TACIT_ENTRY && door->own.counts == NULL && door->asked == 0)
        door->own.counts = counts;
}

/* Public only under neighbors entry, where no neighbor has another number of rows. */
int64_t tac_door_rows(const tac_door *door)
{
    int64_t rows = 0;

    for (int32_t i = 0; i < door->shards; i++) {
        if (door->neighbors != TACIT_ENTRY || door->shard[i].counts == NULL) return -1;
        rows += door->shard[i].counts->rows;
    }
    return rows;
}

/* A batch must be public, so it is fixed before the first answer. The copy keeps a caller from
   moving rows between batches later. */
tacit_status tac_door_batches(tac_door *door, const int32_t *batch, int32_t count)
{
    tacit_status status = TACIT_OK;
    int32_t *copy = NULL;
    uint64_t *spent = NULL;

    if (door->own.counts == NULL || door->shards > 1 || door->batches > 0 || door->asked > 0 ||
        count < 1 || count > BATCHES_MOST)
        return tac_fail(door->ctx, TACIT_E_INTERNAL,
                        "batches of rows are made once, before the first query and under neighbors "
                        "entry");
    const size_t rows = (size_t)door->own.counts->rows;
    TAC_TRY(tac_new(door->ctx, rows, sizeof *copy, &copy));
    TAC_TRY(tac_new(door->ctx, (size_t)count, sizeof *spent, &spent));
    for (size_t i = 0; i < rows; i++) {
        if (batch[i] < 0 || batch[i] >= count)
            TAC_TRY(tac_fail(door->ctx, TACIT_E_INTERNAL,
                             "a row was to lie in a batch that there is not"));
        copy[i] = batch[i];
    }
    door->own.batch = door->batch = copy;
    door->batch_spent = spent;
    door->batches = count;
    copy = NULL;
    spent = NULL;
done:
    tac_free(copy);
    tac_free(spent);
    return status;
}

bool tac_batch_known(const tac_door *door, int32_t batch)
{
    return batch == -1 || (batch >= 0 && batch < door->batches);
}

/* spent_b += quanta for every batch b that the query reads; the account is charged what max_b
   spent_b grows by. */
tacit_status tac_batch_charge(tac_door *door, int32_t batch, uint64_t quanta)
{
    tacit_status status = TACIT_OK;
    uint64_t before = 0, after = 0;

    if (door->batches == 0 || quanta == 0) return tac_charge(door->ctx, door->accountant, quanta);
    for (int32_t b = 0; b < door->batches; b++) {
        const uint64_t was = door->batch_spent[b], added = batch < 0 || batch == b ? quanta : 0;
        /* no account holds so much */
        const uint64_t sum = added > UINT64_MAX - was ? UINT64_MAX : was + added;
        before = was > before ? was : before;
        after = sum > after ? sum : after;
    }
    if (after > before) TAC_TRY(tac_charge(door->ctx, door->accountant, after - before));
    for (int32_t b = 0; b < door->batches; b++)
        if (batch < 0 || batch == b) door->batch_spent[b] += quanta;
done:
    return status;
}
