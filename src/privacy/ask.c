/* SPDX-License-Identifier: Apache-2.0 */
/* The way of every query through the door, and the only one: check, sensitivity, charge, exact
   words of all shards, noise or a draw. Methods come here by the named functions of door.h;
   kinds.def says which functions do each step for a kind. */
#include "privacy/queries/entries.h"

#include <string.h>

/* Sparse rows have cells of few kinds, and their lengths are measured from 0 alone. */
static bool takes_sparse(const tac_query *q, const tac_lattice *where, const tac_lattice *values)
{
    if (!where->sparse && !values->sparse) return true;
    if (tac_kind_lines[q->kind].rows != TAC_TAKES_SPARSE) return false;
    if (q->kind == TAC_KIND_DISTANCES)
        return q->cells.kind == TAC_ONE_CELL && q->local.centers == NULL;
    return !where->sparse || q->cells.kind == TAC_ONE_CELL || q->cells.kind == TAC_ARGMAX;
}

/* Do both views exist, with the query's dims and the same rows? The answer is public: a run
   builds both views from the same rows, unless the last frame failed to build. */
static bool fits_rows(const tac_query *q, const tac_shard *s)
{
    const tac_lattice *where = s->lattice[q->cells.view], *values = s->lattice[q->values];

    return where != NULL && values != NULL && where->dims == q->dims[q->cells.view] &&
           values->dims == q->dims[q->values] && where->rows == values->rows &&
           takes_sparse(q, where, values);
}

tacit_status tac_query_fits(tacit_ctx *ctx, const tac_query *q, const tac_shard *shard)
{
    if (tac_kind_lines[q->kind].rows == TAC_TAKES_COUNTS) return tac_fits_counts(ctx, q, shard);
    if (fits_rows(q, shard)) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_INTERNAL, "a query does not fit the rows it was asked of");
}

/* Do two shards have the same public bounds of a point? Then a sensitivity that holds for one
   holds for all. */
static bool alike(const tac_shard *a, const tac_shard *b)
{
    for (int view = 0; view < TAC_VIEWS; view++) {
        const tac_lattice *x = a->lattice[view], *y = b->lattice[view];
        if (x == NULL || y == NULL || x == y) continue; /* whether a query fits is asked of each */
        if (x->sparse != y->sparse || x->entry_reach != y->entry_reach ||
            x->entry_squares != y->entry_squares || tac_lattice_most(x) != tac_lattice_most(y))
            return false;
    }
    return true;
}

/* A draw that looks at all rows together needs them in this process, as one shard. */
static tacit_status check_place(const tac_door *door, tac_kind kind)
{
    if (tac_kind_lines[kind].combination != TAC_COMBINE_WHOLE) return TACIT_OK;
    const char *where = door->backend != NULL ? door->backend->where : door->apart;
    if (where == NULL && door->shards == 1) return TACIT_OK;
    return tac_fail(door->ctx, TACIT_E_ARGUMENT,
                    "a query of kind %s needs all rows in one place, and here they are %s; run it "
                    "in one process whose memory holds them",
                    tac_kind_name(kind), where != NULL ? where : "in several shards");
}

/* Every reason to refuse a query before anything is charged. Looks at public numbers alone, so
   that a refusal reveals nothing about rows. */
static tacit_status check(const tac_door *door, const tac_query *q, size_t *words)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_query_check(door->ctx, q, words));
    TAC_TRY(check_place(door, q->kind));
    for (int32_t i = 0; i < door->shards; i++) {
        TAC_TRY(tac_query_fits(door->ctx, q, &door->shard[i]));
        if (!alike(&door->shard[0], &door->shard[i]))
            TAC_TRY(tac_no_sense(door->ctx, "an answer of rows that differ in their frames"));
    }
    const bool counts = tac_kind_lines[q->kind].rows == TAC_TAKES_COUNTS;
    if (!tac_batch_known(door, q->batch) || (counts && q->rows != tac_door_rows(door)))
        TAC_TRY(tac_no_sense(door->ctx, "a batch of rows"));
done:
    return status;
}

/* Words of disjoint shards -> words of their union: a sum modulo 2^64 or 2^128, or a merge of
   sorted records. */
tacit_status tac_combine(tacit_ctx *ctx, tac_kind kind, tac_words *sum, const tac_words *part)
{
    if (tac_kind_lines[kind].combination == TAC_COMBINE_MERGE)
        return tac_cubes_merge(ctx, sum, part);
    if (tac_kind_lines[kind].width == TAC_WORDS_TWO)
        tac_add_two_words(sum, part);
    else
        for (size_t i = 0; i < sum->count; i++) sum->word[i] += part->word[i];
    return TACIT_OK;
}

/* The exact words of one shard. PRIVATE: no noise yet. This is what a process that holds rows
   would send to the root, over a channel that is as trusted as the rows' own. */
tacit_status tac_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                          const tac_shard *shard, tac_words *out)
{
    tacit_status status = TACIT_OK;

    *out = (tac_words){0};
    TAC_TRY(tac_query_check(ctx, q, &out->count));
    TAC_TRY(tac_query_fits(ctx, q, shard));
    if (tac_kind_lines[q->kind].evaluate == NULL)
        TAC_TRY(tac_no_sense(ctx, "a part of an answer that has none"));
    TAC_TRY(tac_new(ctx, out->count, sizeof *out->word, &out->word));
    TAC_TRY(tac_kind_lines[q->kind].evaluate(ctx, engine, q, shard, out));
done:
    if (status == TACIT_OK) return TACIT_OK;
    tac_free(out->word);
    *out = (tac_words){0};
    return status;
}

/* Scales the words as if `copies` shards held the same rows: a quoting run's rows stand for
   many. Of a merged record only the last word is a count. */
static void count_copies(const tac_door *door, const tac_query *q, tac_words *sum)
{
    const size_t each =
        tac_kind_lines[q->kind].combination == TAC_COMBINE_MERGE ? TAC_CUBE_WORDS : 1;

    if (door->copies > 1 && tac_kind_lines[q->kind].width == TAC_WORDS_TWO)
        tac_multiply_two_words(sum, 0, sum->count / 2, door->copies);
    else
        for (size_t i = each - 1; door->copies > 1 && i < sum->count; i += each)
            sum->word[i] *= door->copies;
}

/* *sum = the exact words of all rows of this process: of its shards, in their order. sum: room for
   the words; MERGE: allocated by the kind. */
static tacit_status evaluate_here(const tac_door *door, const tac_query *q, tac_words *sum)
{
    tacit_status status = TACIT_OK;
    tac_words part = {0};

    TAC_TRY(tac_kind_lines[q->kind].evaluate(door->ctx, door->engine, q, &door->shard[0], sum));
    for (int32_t i = 1; i < door->shards; i++) {
        tac_free(part.word);
        TAC_TRY(tac_evaluate(door->ctx, door->engine, q, &door->shard[i], &part));
        TAC_TRY(tac_combine(door->ctx, q->kind, sum, &part));
    }
    count_copies(door, q, sum);
done:
    tac_free(part.word);
    return status;
}

/* A query on its way: what it may cost, its exact words, its receipt. */
typedef struct step {
    tac_bound bound;
    tac_words words;            /* exact */
    const tac_receipt *receipt; /* NULL: not paid for */
} step;

/* Where merged words would be many, the draw asks for them itself, a part at a time
   (tac_door_exact). */
static bool evaluated_first(const tac_query *q)
{
    if (tac_kind_lines[q->kind].combination == TAC_COMBINE_MERGE) return tac_cubes_part(q) == 0;
    return tac_kind_lines[q->kind].evaluate != NULL;
}

/* The exact words of all queries: from memory one after the other, or from a backend in one
   pass. */
static tacit_status evaluate_all(const tac_door *door, const tac_asking *ask, int32_t count,
                                 step *steps)
{
    tacit_status status = TACIT_OK;
    const tac_query **query = NULL;
    tac_words *sum = NULL;
    int32_t many = 0;

    for (int32_t i = 0; i < count && door->backend == NULL; i++)
        if (evaluated_first(&ask[i].query))
            TAC_TRY(evaluate_here(door, &ask[i].query, &steps[i].words));
    if (door->backend == NULL) return TACIT_OK;
    TAC_TRY(tac_new(door->ctx, (size_t)count, sizeof *query, &query));
    TAC_TRY(tac_new(door->ctx, (size_t)count, sizeof *sum, &sum));
    for (int32_t i = 0; i < count; i++) {
        if (!evaluated_first(&ask[i].query)) continue;
        query[many] = &ask[i].query;
        sum[many++] = steps[i].words;
    }
    if (many > 0) status = door->backend->evaluate(door->backend, door->ctx, query, many, sum);
    many = 0;
    for (int32_t i = 0; i < count; i++)
        if (evaluated_first(&ask[i].query)) steps[i].words = sum[many++];
done:
    tac_free(query);
    tac_free(sum);
    return status;
}

tacit_status tac_door_exact(const tac_door *door, const tac_query *q, tac_words *out)
{
    *out = (tac_words){0};
    if (door->backend == NULL) return evaluate_here(door, q, out);
    return door->backend->evaluate(door->backend, door->ctx, &q, 1, out);
}

/* *answer = the index of one candidate, drawn by cost: P falls by exp(-epsilon cost / range).
   Coins come from the query's own stream. */
static tacit_status select_one(tac_door *door, const tac_receipt *receipt, const tac_words *cost,
                               uint64_t *answer)
{
    tacit_status status = TACIT_OK;
    uint32_t *order = NULL;
    tac_stream stream;

    TAC_TRY(tac_new(door->ctx, cost->count, sizeof *order, &order));
    TAC_TRY(tac_stream_open(door->ctx, door->key, tac_door_subkey(door, receipt), 0, &stream));
    *answer = tac_choose_by_cost(&stream, door->accountant->definition, receipt->scale,
                                 (uint64_t)receipt->sensitivity, cost->word, (uint32_t)cost->count,
                                 order);
    tac_stream_close(&stream);
    tac_door_show_noisy(door, receipt, answer, 1);
done:
    tac_free(order);
    return status;
}

/* Everything before the charge: check, bound, price, room. The receipt's head is in *r. */
static tacit_status prepare(const tac_door *door, const tac_asking *ask, step *s, tac_receipt *r)
{
    tacit_status status = TACIT_OK;
    const tac_query *q = &ask->query;

    s->bound.quanta = ask->quanta;
    TAC_TRY(check(door, q, &s->words.count));
    const tac_kind_line *kind = &tac_kind_lines[q->kind];
    s->bound.shown = kind->class == TAC_CLASS_SELECTION ? 1 : s->words.count;
    s->bound.answers = (int64_t)tac_kind_numbers(q->kind, s->bound.shown);
    TAC_TRY(kind->bound(door, q, &s->bound));
    *r = (tac_receipt){
        .kind = q->kind, .what = ask->what, .batch = q->batch, .answers = s->bound.answers};
    TAC_TRY(tac_door_price(door, &s->bound, r));
    /* noise is added in place */
    if (kind->class == TAC_CLASS_NOISED)
        s->words.word = ask->answer;
    else if (kind->combination == TAC_COMBINE_SUM)
        TAC_TRY(tac_new(door->ctx, s->words.count, sizeof *s->words.word, &s->words.word));
done:
    return status;
}

/* Exact words become the answer: by noise, by a selection or by a draw. */
static tacit_status answer_one(tac_door *door, const tac_asking *ask, const step *s)
{
    tacit_status status = TACIT_OK;
    const tac_query *q = &ask->query;
    const tac_kind_line *kind = &tac_kind_lines[q->kind];
    const tac_words *exact = &s->words;

    switch (kind->class) {
    case TAC_CLASS_NOISED:
        if (kind->draw != NULL)
            TAC_TRY(kind->draw(door, q, &s->bound, s->receipt, exact, ask->answer));
        TAC_TRY(tac_door_release(door, s->receipt, ask->answer, exact->count));
        break;
    case TAC_CLASS_SELECTION:
        tac_door_show_exact(door, s->receipt, exact->word, exact->count);
        TAC_TRY(select_one(door, s->receipt, exact, ask->answer));
        break;
    case TAC_CLASS_DRAW:
        if (kind->combination == TAC_COMBINE_SUM)
            tac_door_show_exact(door, s->receipt, exact->word, exact->count);
        TAC_TRY(kind->draw(door, q, &s->bound, s->receipt, exact, ask->answer));
        tac_door_show_noisy(door, s->receipt, ask->answer, s->bound.shown);
        break;
    }
done:
    return status;
}

/* Charge before evaluate: once a row is looked at, all queries are paid for, and a failure
   afterwards does not give quanta back. On failure answers hold zeros, never exact words. */
tacit_status tac_ask_all(tac_door *door, const tac_asking *ask, int32_t count)
{
    tacit_status status = TACIT_OK;
    step *steps = NULL;
    tac_receipt *priced = NULL;
    const tac_receipt *receipt = NULL;

    TAC_TRY(tac_new(door->ctx, (size_t)count, sizeof *steps, &steps));
    TAC_TRY(tac_new(door->ctx, (size_t)count, sizeof *priced, &priced));
    for (int32_t i = 0; i < count; i++) TAC_TRY(prepare(door, &ask[i], &steps[i], &priced[i]));
    TAC_TRY(tac_door_pay(door, priced, count, &receipt));
    for (int32_t i = 0; i < count; i++) {
        steps[i].receipt = &receipt[i];
        memset(ask[i].answer, 0, steps[i].bound.shown * sizeof *ask[i].answer);
    }
    TAC_TRY(evaluate_all(door, ask, count, steps));
    /* Here the exact words are those of all rows, and nothing was added to them yet. */
    for (int32_t i = 0; i < count; i++) TAC_TRY(answer_one(door, &ask[i], &steps[i]));
done:
    for (int32_t i = 0; i < count && steps != NULL; i++) {
        /* nothing exact stays behind */
        if (status != TACIT_OK && steps[i].receipt != NULL)
            memset(ask[i].answer, 0, steps[i].bound.shown * sizeof *ask[i].answer);
        if (steps[i].words.word != ask[i].answer) tac_free(steps[i].words.word);
    }
    tac_free(steps);
    tac_free(priced);
    return status;
}

tacit_status tac_ask(tac_door *door, const char *what, uint64_t quanta, const tac_query *q,
                     uint64_t *answer)
{
    return tac_ask_all(
        door, &(tac_asking){.what = what, .quanta = quanta, .query = *q, .answer = answer}, 1);
}
