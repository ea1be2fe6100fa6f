/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of several shards as one: fewer bytes for the root, which still checks each shard. */
#include "privacy/shards/bodies.h"

#include <string.h>

/* *out = the shards of both, by ascending index; one that is in both is refused. */
static tacit_status merge_shards(tacit_ctx *ctx, const tac_answer_body *a, const tac_answer_body *b,
                                 tac_answer_body *out)
{
    tacit_status status = TACIT_OK;
    int64_t i = 0, j = 0;

    TAC_TRY(tac_new(ctx, (size_t)(a->shards + b->shards), sizeof *out->shard, &out->shard));
    while (i < a->shards || j < b->shards) {
        const bool first =
            j == b->shards || (i < a->shards && a->shard[i].index <= b->shard[j].index);
        if (first && j < b->shards && a->shard[i].index == b->shard[j].index)
            TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                             "two answers of the same shard were to be combined; combine each "
                             "shard's once"));
        out->shard[out->shards++] = first ? a->shard[i++] : b->shard[j++];
    }
done:
    return status;
}

/* a += b, word by word or record by record. */
static tacit_status add_words(tacit_ctx *ctx, tac_answer_words *a, const tac_answer_words *b)
{
    tacit_status status = TACIT_OK;
    tac_words sum = {.word = a->word, .count = a->count};
    const tac_words part = {.word = b->word, .count = b->count};

    if (a->kind != b->kind || (!tac_kind_merges(a->kind) && a->count != b->count) ||
        !tac_words_are_good(a) || !tac_words_are_good(b))
        return tac_fail(ctx, TACIT_E_FORMAT, "two answers do not go together");
    status = tac_combine(ctx, a->kind, &sum, &part);
    a->word = sum.word;
    a->count = sum.count;
    return status;
}

tacit_status tacit_secret_answers_combine(tacit_ctx *ctx, const uint8_t *spec, size_t spec_bytes,
                                          const uint8_t *one, size_t one_bytes,
                                          const uint8_t *other, size_t other_bytes,
                                          uint8_t **answer, size_t *answer_bytes)
{
    tacit_status status = TACIT_OK;
    tac_spec s = {0};
    tac_answer_body a = {0}, b = {0}, both = {0};

    *answer = NULL;
    *answer_bytes = 0;
    TAC_TRY(tac_spec_read(ctx, spec, spec_bytes, &s));
    TAC_TRY(
        tac_message_read(ctx, TAC_MESSAGE_ANSWER, &s.session, one, one_bytes, tac_answer_walk, &a));
    TAC_TRY(tac_message_read(ctx, TAC_MESSAGE_ANSWER, &s.session, other, other_bytes,
                             tac_answer_walk, &b));
    if (memcmp(a.query, b.query, sizeof a.query) != 0 || a.count != b.count)
        TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                         "answers to different queries were to be combined; combine those to one"));
    TAC_TRY(merge_shards(ctx, &a, &b, &both));
    for (int32_t i = 0; i < a.count; i++) TAC_TRY(add_words(ctx, &a.answer[i], &b.answer[i]));
    tac_free(a.shard);
    a.shard = both.shard;
    a.shards = both.shards;
    both.shard = NULL;
    TAC_TRY(tac_message_write(ctx, TAC_MESSAGE_ANSWER, &s.session, tac_answer_walk, &a, answer,
                              answer_bytes));
done:
    tac_answer_clear(&a);
    tac_answer_clear(&b);
    tac_answer_clear(&both);
    tac_spec_clear(&s);
    return status;
}
