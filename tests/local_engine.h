/* SPDX-License-Identifier: Apache-2.0 */
/* An engine whose shards are in the same process: rows of a table fall onto shards by dice. Shards
   stay, or are made of blocks for every query, as tasks are. Faults on purpose. */
#ifndef TAC_LOCAL_ENGINE_H
#define TAC_LOCAL_ENGINE_H

#include "tap.h"

#include <tacit/tacit.h>

enum { MOST_PARTS = 9, MOVED = -3, ALIKE = -4 };

typedef enum fault {
    NO_FAULT,
    TWICE,         /* a reply is handed in twice */
    TWICE_IN_ONE,  /* ... and a second time within a combined one */
    MISSING,       /* one is not handed in */
    OTHER_QUERY,   /* an answer to the query before */
    OTHER_FRAMES,  /* an answer to a query about frames before these */
    OTHER_RUN,     /* a reply of another run */
    OTHER_KIND,    /* a receipt for an answer, an answer for a receipt */
    UNKNOWN_SHARD, /* a shard that was not there when rows were placed */
    OTHER_ROWS,    /* a shard whose rows have changed */
    CUT,           /* all but the last byte */
    FLIPPED,       /* one bit */
    EMPTY,
    FAILS, /* the engine itself says that it failed */
    DIES,  /* ... and had handed nothing in */
    FAULTS
} fault;
__attribute__((unused)) static const char *const fault_names[FAULTS] = {"none",
                                                                        "a reply twice",
                                                                        "a shard twice in one",
                                                                        "a reply missing",
                                                                        "other query",
                                                                        "other frames",
                                                                        "other run",
                                                                        "other kind",
                                                                        "unknown shard",
                                                                        "other rows",
                                                                        "a byte cut off",
                                                                        "a bit flipped",
                                                                        "no bytes",
                                                                        "an engine that fails",
                                                                        "an engine that dies"};

typedef struct message {
    uint8_t *at;
    size_t count;
} message;

typedef struct local_engine {
    tacit_engine engine;
    tacit_ctx *ctx; /* of the shards */
    int parts;
    bool blocks, combine; /* shards are made of blocks; answers are combined before they go */
    bool picks;           /* every shard opens the whole table */
    bool parted;          /* the shards say that rows were parted by persons */
    tacit_data *part[MOST_PARTS];
    tacit_data *changed; /* OTHER_ROWS: what the last shard has, when it is read again */
    tacit_shard *shard[MOST_PARTS];
    message spec, frames, block[MOST_PARTS], before, older, kept;
    long starts, places, queries, ends;
    /* the fault comes with the query of this number, from 0; -1: with the first frames */
    fault fault;
    long when;
    bool came;
    size_t flip; /* FLIPPED: where */
    const char *sentence;
} local_engine;

static inline message copy_of(const uint8_t *at, size_t count)
{
    message b = {malloc(count + 1), count};
    MUST(b.at != NULL);
    memcpy(b.at, at, count);
    return b;
}

static inline void set_bytes(message *b, message to)
{
    free(b->at);
    *b = to;
}

/* What a library call gave, as message of our own. */
static inline message taken(uint8_t *at, size_t count)
{
    const message b = copy_of(at, count);
    tacit_free(at);
    return b;
}

static inline tacit_status start_here(const uint8_t *spec, size_t count, void *payload)
{
    local_engine *e = payload;

    e->starts++;
    set_bytes(&e->spec, copy_of(spec, count));
    for (int i = 0; i < e->parts; i++) {
        tacit_shard_opts opts = TACIT_SHARD_OPTS_INIT;
        opts.index = i;
        opts.picks = e->picks;
        opts.parted = e->parted;
        opts.may_repeat = e->blocks;
        const tacit_status status =
            tacit_shard_open(e->ctx, e->part[i], spec, count, &opts, &e->shard[i]);
        if (status == TACIT_OK) continue;
        e->sentence = tacit_ctx_message(e->ctx);
        return status;
    }
    return TACIT_OK;
}

/* Hands `b` in, with the fault if it is its turn: for the last shard. */
static inline tacit_status hand_in(local_engine *e, tacit_replies *replies, message b, bool last,
                                   bool now)
{
    tacit_status status;
    message all = {NULL, 0};

    if (!now || !last) return tacit_replies_add(replies, b.at, b.count);
    switch (e->fault) {
    case TWICE:
        status = tacit_replies_add(replies, b.at, b.count);
        return status != TACIT_OK ? status : tacit_replies_add(replies, b.at, b.count);
    case MISSING: return TACIT_OK;
    case OTHER_QUERY:
        if (e->before.at == NULL || (e->when == ALIKE && e->before.count != b.count))
            return tacit_replies_add(replies, b.at, b.count);
        return tacit_replies_add(replies, e->before.at, e->before.count);
    case OTHER_FRAMES: return tacit_replies_add(replies, e->older.at, e->older.count);
    case UNKNOWN_SHARD:
        status = tacit_replies_add(replies, b.at, b.count);
        return status != TACIT_OK ? status : tacit_replies_add(replies, e->kept.at, e->kept.count);
    case OTHER_RUN:
    case OTHER_KIND: return tacit_replies_add(replies, e->kept.at, e->kept.count);
    case CUT: return tacit_replies_add(replies, b.at, b.count - 1);
    case EMPTY: return tacit_replies_add(replies, b.at, 0);
    case FLIPPED:
        all = copy_of(b.at, b.count);
        all.at[e->flip % b.count] ^= (uint8_t)(1 << e->flip % 8);
        status = tacit_replies_add(replies, all.at, all.count);
        free(all.at);
        return status;
    case FAILS:
        status = tacit_replies_add(replies, b.at, b.count);
        e->sentence = "the engine was made to fail";
        return status != TACIT_OK ? status : TACIT_E_SYSTEM;
    default: return tacit_replies_add(replies, b.at, b.count);
    }
}

static inline tacit_status place_here(const uint8_t *frames, size_t count, tacit_replies *replies,
                                      void *payload)
{
    local_engine *e = payload;
    const bool now = e->fault != NO_FAULT && e->when == -1 && e->places == 0;
    tacit_status status = TACIT_OK;

    e->places++;
    set_bytes(&e->older, e->before);
    e->before = (message){NULL, 0};
    set_bytes(&e->frames, copy_of(frames, count));
    if (now && e->fault == DIES) return TACIT_E_SYSTEM;
    for (int i = 0; status == TACIT_OK && i < e->parts; i++) {
        message receipt, block;
        uint8_t *at;
        status = tacit_shard_place(e->ctx, e->shard[i], frames, count, &at, &receipt.count);
        if (status != TACIT_OK) {
            e->sentence = tacit_ctx_message(e->ctx);
            return status;
        }
        receipt = taken(at, receipt.count);
        status = hand_in(e, replies, receipt, i == e->parts - 1, now);
        if (i == e->parts - 1 && e->fault == OTHER_KIND && e->when >= 0)
            set_bytes(&e->kept, copy_of(receipt.at, receipt.count));
        free(receipt.at);
        if (!e->blocks) continue;
        MUST(tacit_shard_secret_block(e->ctx, e->shard[i], &at, &block.count) == TACIT_OK);
        set_bytes(&e->block[i], taken(at, block.count));
    }
    return status;
}

/* The answer of one shard: of the one that stays, or of one made of its block. */
static inline message answer_of(local_engine *e, int i, const uint8_t *query, size_t count)
{
    tacit_shard *shard = e->shard[i];
    uint8_t *at;
    size_t many;

    if (e->blocks)
        MUST(tacit_shard_from_secret_block(e->ctx, e->spec.at, e->spec.count, e->block[i].at,
                                           e->block[i].count, &shard) == TACIT_OK);
    MUST(tacit_shard_secret_answer(e->ctx, shard, query, count, &at, &many) == TACIT_OK);
    if (e->blocks) tacit_shard_free(shard);
    return taken(at, many);
}

/* Shard `index` is read again, from rows that have changed in between, or for the first time. */
static inline void read_again(local_engine *e, int index)
{
    tacit_shard_opts opts = TACIT_SHARD_OPTS_INIT;
    uint8_t *at;
    size_t count;

    opts.index = index;
    opts.may_repeat = e->blocks;
    tacit_shard_free(e->shard[index]);
    e->shard[index] = NULL;
    MUST(tacit_shard_open(e->ctx, e->changed, e->spec.at, e->spec.count, &opts, &e->shard[index]) ==
         TACIT_OK);
    MUST(tacit_shard_place(e->ctx, e->shard[index], e->frames.at, e->frames.count, &at, &count) ==
         TACIT_OK);
    tacit_free(at);
    if (!e->blocks) return;
    MUST(tacit_shard_secret_block(e->ctx, e->shard[index], &at, &count) == TACIT_OK);
    set_bytes(&e->block[index], taken(at, count));
}

static inline message combined(local_engine *e, message a, message b)
{
    uint8_t *at;
    size_t count;

    MUST(tacit_secret_answers_combine(e->ctx, e->spec.at, e->spec.count, a.at, a.count, b.at,
                                      b.count, &at, &count) == TACIT_OK);
    free(a.at);
    free(b.at);
    return taken(at, count);
}

static inline tacit_status evaluate_here(const uint8_t *query, size_t count, tacit_replies *replies,
                                         void *payload)
{
    local_engine *e = payload;
    /* MOVED: with the first query after frames have changed */
    const bool moved = e->when == MOVED && e->places == 2 && e->older.at != NULL && !e->came;
    /* ALIKE: with every query whose answer is as long as the one before */
    const bool now = e->fault != NO_FAULT && (e->when == e->queries || moved || e->when == ALIKE);
    tacit_status status = TACIT_OK;
    message all = {NULL, 0}, first = {NULL, 0};

    e->queries++;
    e->came = e->came || now;
    if (now && e->fault == DIES) return TACIT_E_SYSTEM;
    if (now && e->fault == OTHER_ROWS) read_again(e, e->parts - 1);
    if (now && e->fault == UNKNOWN_SHARD) {
        read_again(e, e->parts);
        set_bytes(&e->kept, answer_of(e, e->parts, query, count));
    }
    for (int i = 0; status == TACIT_OK && i < e->parts; i++) {
        message one = answer_of(e, i, query, count);
        if (i == 0) set_bytes(&first, copy_of(one.at, one.count));
        if (now && e->fault == TWICE_IN_ONE && i == e->parts - 1) {
            status = tacit_replies_add(replies, first.at, first.count);
            if (status == TACIT_OK && e->parts > 1)
                one = combined(e, one, copy_of(first.at, first.count));
        }
        if (e->combine && i > 0) {
            one = all.at == NULL ? one : combined(e, all, one);
            all = (message){NULL, 0};
        }
        if (e->combine && i < e->parts - 1) {
            all = one;
            continue;
        }
        if (status == TACIT_OK) status = hand_in(e, replies, one, i == e->parts - 1, now);
        if (i == e->parts - 1) set_bytes(&e->before, copy_of(one.at, one.count));
        free(one.at);
    }
    free(all.at);
    free(first.at);
    return status;
}

static inline void end_here(void *payload)
{
    local_engine *e = payload;

    e->ends++;
    for (int i = 0; i < MOST_PARTS; i++) {
        tacit_shard_free(e->shard[i]);
        e->shard[i] = NULL;
    }
}

static inline const char *explain_here(void *payload)
{
    return ((local_engine *)payload)->sentence;
}

/* An engine without its parts: whoever opens it fills `part`. */
static inline void open_engine(local_engine *e, int parts)
{
    memset(e, 0, sizeof *e);
    e->parts = parts;
    e->when = -2;
    tacit_engine_init(&e->engine, sizeof e->engine);
    e->engine.shards = parts;
    e->engine.start = start_here;
    e->engine.place = place_here;
    e->engine.evaluate = evaluate_here;
    e->engine.end = end_here;
    e->engine.explain = explain_here;
    e->engine.payload = e;
    MUST(tacit_ctx_new(&e->ctx) == TACIT_OK && tacit_ctx_set_threads(e->ctx, 1) == TACIT_OK);
}

static inline void close_engine(local_engine *e)
{
    for (int i = 0; i < MOST_PARTS; i++) {
        tacit_shard_free(e->shard[i]);
        tacit_data_free(e->part[i]);
        free(e->block[i].at);
    }
    tacit_data_free(e->changed);
    free(e->spec.at), free(e->frames.at), free(e->before.at), free(e->older.at), free(e->kept.at);
    tacit_ctx_free(e->ctx);
}

#endif
