/* SPDX-License-Identifier: Apache-2.0 */
/* The root's side of shards: sends frames and queries, takes every shard's reply once, adds the
   words up. A reply that is not exactly what was asked for ends the run: it is never added. */
#include "privacy/shards/remote.h"

#include "privacy/kinds.h"
#include "privacy/shards/bodies.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* A shard as the root knows it. */
typedef struct known {
    tac_placed shard;
    bool replied; /* to the question that is open */
} known;

typedef struct remote {
    tac_backend backend;
    tacit_engine engine;
    tac_session session;
    uint64_t number; /* of the last message */
    tac_part frame[TAC_VIEWS];
    uint8_t placed[TAC_TAG];
    known *shard; /* by ascending index; those that have placed their rows */
    int64_t shards;
    bool first; /* nothing was placed yet: the first frames say which shards there are */
} remote;

/* What is open: receipts for frames, or answers to queries. */
struct tacit_replies {
    tacit_ctx *ctx;
    remote *r;
    tacit_status status; /* of the first refusal: it stays */
    bool frames;         /* receipts are expected */
    uint8_t tag[TAC_TAG];
    known *receipt; /* as they came */
    int64_t receipts, room;
    const tac_query *const *query;
    int32_t count;
    tac_words *sum;
};

static tacit_status refuse(tacit_ctx *ctx, const char *what)
{
    return tac_fail(ctx, TACIT_E_READ,
                    "%s; nothing is released. The engine must hand in every shard's own reply to "
                    "the question that is open, once",
                    what);
}

/* Bytes that are no message of this run: not a matter of rows. */
static tacit_status damaged(tacit_ctx *ctx, tacit_status status)
{
    return status == TACIT_E_FORMAT ? refuse(ctx, "a reply is damaged, or of another kind, run or "
                                                  "version")
                                    : status;
}

static int by_index(const void *a, const void *b)
{
    const known *x = a, *y = b;
    return x->shard.index < y->shard.index ? -1 : x->shard.index > y->shard.index;
}

static known *find(const remote *r, int64_t index)
{
    const known key = {.shard = {.index = index}};
    return r->shards == 0 ? NULL
                          : bsearch(&key, r->shard, (size_t)r->shards, sizeof *r->shard, by_index);
}

/* ---- receipts ---- */

static tacit_status take_receipt(tacit_replies *p, const uint8_t *bytes, size_t count)
{
    tacit_status status = TACIT_OK;
    tac_receipt_body body;

    status = tac_message_read(p->ctx, TAC_MESSAGE_RECEIPT, &p->r->session, bytes, count,
                              tac_receipt_walk, &body);
    if (status != TACIT_OK) return damaged(p->ctx, status);
    if (memcmp(body.frames, p->tag, sizeof body.frames) != 0)
        TAC_TRY(refuse(p->ctx, "a shard has placed its rows in other frames"));
    if (p->receipts == p->room) {
        const int64_t room = p->room < 16 ? 16 : 2 * p->room;
        TAC_TRY(tac_grow(p->ctx, &p->receipt, (size_t)room, sizeof *p->receipt));
        p->room = room;
    }
    p->receipt[p->receipts++] = (known){.shard = body.shard};
done:
    return status;
}

/* Every shard once: 0 .. shards - 1 where their number is said, otherwise those of the first
   time. */
static tacit_status check_receipts(tacit_replies *p)
{
    const remote *r = p->r;
    const int64_t want = r->engine.shards > 0 ? r->engine.shards : r->first ? -1 : r->shards;

    qsort(p->receipt, (size_t)p->receipts, sizeof *p->receipt, by_index);
    for (int64_t i = 1; i < p->receipts; i++)
        if (p->receipt[i].shard.index == p->receipt[i - 1].shard.index)
            return refuse(p->ctx, "a shard has placed its rows twice");
    if (p->receipts == 0 || (want >= 0 && p->receipts != want))
        return refuse(p->ctx, "not every shard has placed its rows, or more than there are");
    for (int64_t i = 0; i < p->receipts; i++) {
        const int64_t index = p->receipt[i].shard.index;
        if (r->engine.shards > 0 ? index != i : !r->first && index != r->shard[i].shard.index)
            return refuse(p->ctx, "not every shard has placed its rows, or more than there are");
    }
    return TACIT_OK;
}

/* ---- answers ---- */

/* Words as this query has them: so many, or records of its cubes. */
static bool words_fit(const tac_query *q, const tac_words *sum, const tac_answer_words *a)
{
    if (a->kind != q->kind) return false;
    if (!tac_kind_merges(a->kind)) return a->count == sum->count;
    if (!tac_words_are_good(a)) return false;
    for (uint64_t i = 0; i < a->count; i += TAC_CUBE_WORDS) {
        const tac_cube cube = tac_cube_read(a->word + i);
        if (cube.parent >= q->cubes.count || cube.child >> tac_dims_of(q) != 0) return false;
    }
    return true;
}

/* Is it an answer to the open query, of shards that are known, with the rows that they have placed,
   and of each for the first time? All of it is looked at before a word is added. */
static tacit_status check_answer(tacit_replies *p, const tac_answer_body *body)
{
    if (memcmp(body->query, p->tag, sizeof body->query) != 0)
        return refuse(p->ctx, "a shard has answered another query, or one about other frames");
    for (int64_t i = 0; i < body->shards; i++) {
        const known *k = find(p->r, body->shard[i].index);
        if (k == NULL) return refuse(p->ctx, "a shard has answered that has placed no rows");
        if (k->replied) return refuse(p->ctx, "a shard has answered twice");
        if (memcmp(k->shard.rows, body->shard[i].rows, sizeof k->shard.rows) != 0)
            return refuse(p->ctx, "the rows of a shard have changed since they were placed");
    }
    if (body->count != p->count) return refuse(p->ctx, "an answer is not of the size asked for");
    for (int32_t i = 0; i < p->count; i++)
        if (!words_fit(p->query[i], &p->sum[i], &body->answer[i]))
            return refuse(p->ctx, "an answer is not of the size asked for");
    return TACIT_OK;
}

static tacit_status take_answer(tacit_replies *p, const uint8_t *bytes, size_t count)
{
    tacit_status status = TACIT_OK;
    tac_answer_body body = {0};

    status = tac_message_read(p->ctx, TAC_MESSAGE_ANSWER, &p->r->session, bytes, count,
                              tac_answer_walk, &body);
    if (status != TACIT_OK) TAC_TRY(damaged(p->ctx, status));
    TAC_TRY(check_answer(p, &body));
    for (int64_t i = 0; i < body.shards; i++) find(p->r, body.shard[i].index)->replied = true;
    for (int32_t i = 0; i < p->count; i++) {
        const tac_words part = {.word = body.answer[i].word, .count = body.answer[i].count};
        TAC_TRY(tac_combine(p->ctx, p->query[i]->kind, &p->sum[i], &part));
    }
done:
    tac_answer_clear(&body);
    return status;
}

tacit_status tacit_replies_add(tacit_replies *p, const uint8_t *reply, size_t bytes)
{
    if (p->status == TACIT_OK)
        p->status = p->frames ? take_receipt(p, reply, bytes) : take_answer(p, reply, bytes);
    return p->status;
}

static tacit_status check_answers(const tacit_replies *p)
{
    for (int64_t i = 0; i < p->r->shards; i++)
        if (!p->r->shard[i].replied) return refuse(p->ctx, "not every shard has answered");
    return TACIT_OK;
}

/* ---- the engine's functions ---- */

/* The first refusal of a reply counts, then what the engine says. */
static tacit_status explain(tacit_ctx *ctx, const remote *r, tacit_status refused,
                            tacit_status status)
{
    const char *why = NULL;

    if (refused != TACIT_OK) return refused;
    if (status == TACIT_OK) return tac_check_cancel(ctx);
    if (status == TACIT_E_CANCELLED || tac_check_cancel(ctx) != TACIT_OK)
        return tac_fail(ctx, TACIT_E_CANCELLED, "interrupted");
    if (r->engine.explain != NULL) why = r->engine.explain(r->engine.payload);
    return tac_fail(ctx, status, "%s", why != NULL ? why : "the engine could not reach all shards");
}

static tacit_status place(tac_backend *self, tacit_ctx *ctx, tac_view view, const tac_frame *frame)
{
    tacit_status status = TACIT_OK;
    remote *r = (remote *)self;
    tac_part *part = &r->frame[view];
    tacit_replies replies = {.ctx = ctx, .r = r, .frames = true};
    uint8_t *bytes = NULL;
    size_t count = 0;

    tac_free(part->bytes);
    *part = (tac_part){0};
    TAC_TRY(tac_frame_write(ctx, frame, &part->bytes, &count));
    part->count = count;
    tac_frames_body body = {.number = ++r->number,
                            .frame = {r->frame[TAC_ROWS], r->frame[TAC_PROJECTED]}};
    TAC_TRY(tac_message_write(ctx, TAC_MESSAGE_FRAMES, &r->session, tac_frames_walk, &body, &bytes,
                              &count));
    memcpy(replies.tag, tac_message_tag(bytes, count), sizeof replies.tag);
    tac_show_progress(ctx, "placing rows", 0);
    status = r->engine.place(bytes, count, &replies, r->engine.payload);
    TAC_TRY(explain(ctx, r, replies.status, status));
    TAC_TRY(check_receipts(&replies));
    memcpy(r->placed, replies.tag, sizeof r->placed);
    tac_free(r->shard);
    r->shard = replies.receipt;
    r->shards = replies.receipts;
    replies.receipt = NULL;
    r->first = false;
done:
    tac_free(replies.receipt);
    tac_free(bytes);
    return status;
}

static tacit_status evaluate(tac_backend *self, tacit_ctx *ctx, const tac_query *const *query,
                             int32_t count, tac_words *sum)
{
    tacit_status status = TACIT_OK;
    remote *r = (remote *)self;
    tacit_replies replies = {.ctx = ctx, .r = r, .query = query, .count = count, .sum = sum};
    tac_query_body body = {.number = ++r->number, .count = count};
    uint8_t *bytes = NULL;
    size_t size = 0;

    memcpy(body.frames, r->placed, sizeof body.frames);
    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *body.query, &body.query));
    for (int32_t i = 0; i < count; i++) {
        TAC_TRY(tac_query_write(ctx, query[i], &body.query[i].bytes, &size));
        body.query[i].count = size;
    }
    TAC_TRY(tac_message_write(ctx, TAC_MESSAGE_QUERY, &r->session, tac_queries_walk, &body, &bytes,
                              &size));
    memcpy(replies.tag, tac_message_tag(bytes, size), sizeof replies.tag);
    for (int64_t i = 0; i < r->shards; i++) r->shard[i].replied = false;
    status = r->engine.evaluate(bytes, size, &replies, r->engine.payload);
    TAC_TRY(explain(ctx, r, replies.status, status));
    TAC_TRY(check_answers(&replies));
done:
    tac_queries_clear(&body);
    tac_free(bytes);
    return status;
}

static void close_remote(tac_backend *self)
{
    remote *r = (remote *)self;

    if (r->engine.end != NULL) r->engine.end(r->engine.payload);
    for (int view = 0; view < TAC_VIEWS; view++) tac_free(r->frame[view].bytes);
    tac_free(r->shard);
    sodium_memzero(&r->session, sizeof r->session);
    tac_free(r);
}

tacit_status tacit_data_set_engine(tacit_ctx *ctx, tacit_data *data, const tacit_engine *engine)
{
    tacit_status status = TACIT_OK;
    tacit_engine e = TACIT_ENGINE_INIT;

    TAC_TRY(tac_read_opts(ctx, "tacit_engine", engine, &e, sizeof e));
    if (e.start == NULL || e.place == NULL || e.evaluate == NULL || e.shards < 0 ||
        e.shards > TAC_SHARDS_MOST)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "an engine needs start, place and evaluate, and 0 to %lld shards",
                        (long long)TAC_SHARDS_MOST);
    if (data->loaded || data->failed || data->copies > 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: its rows were read before; open it again for an engine",
                        tac_data_name(data));
    data->engine = e;
    data->elsewhere = true;
done:
    return status;
}

tacit_status tac_remote_check(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget)
{
    if (budget->neighbors == TACIT_ENTRY)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "neighbors entry needs the whole table in one place, and here rows are "
                        "%s; run it in one process, or protect whole rows (add-remove)",
                        TAC_REMOTE_WHERE);
    if (data->has_units && data->engine.shards == 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "with persons the engine must say how many shards there are: the rows of "
                        "one person must be on one of them");
    if (data->reader != NULL && data->reader->schema.shuffled)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: the files have their columns in different orders, and here rows are "
                        "%s, where a column is known by its place; write them with one order, or "
                        "run it in one process",
                        tac_data_name(data), TAC_REMOTE_WHERE);
    return TACIT_OK;
}

tacit_status tac_remote_open(tacit_ctx *ctx, const tacit_data *data, const tac_load *load,
                             int32_t rows_per_unit, bool adds, bool *touched, tac_backend **out)
{
    tacit_status status = TACIT_OK;
    tac_spec spec = {.rows_per_unit = rows_per_unit, .adds = adds, .shards = data->engine.shards};
    remote *r = NULL;
    uint8_t *bytes = NULL;
    size_t count = 0;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *r, &r));
    r->backend = (tac_backend){
        .where = TAC_REMOTE_WHERE, .place = place, .evaluate = evaluate, .close = close_remote};
    r->engine = data->engine;
    r->first = true;
    TAC_TRY(tac_system_random(ctx, &r->session, sizeof r->session));
    TAC_TRY(tac_system_random(ctx, &spec.person_key, sizeof spec.person_key));
    spec.session = r->session;
    TAC_TRY(tac_load_spec_of(ctx, data, load, &spec.load));
    TAC_TRY(tac_message_write(ctx, TAC_MESSAGE_SPEC, &r->session, tac_spec_walk, &spec, &bytes,
                              &count));
    *out = &r->backend;
    *touched = true;
    status = r->engine.start(bytes, count, r->engine.payload);
    status = explain(ctx, r, TACIT_OK, status);
    r = NULL; /* the run closes it, also after a failure of its engine */
done:
    if (bytes != NULL) sodium_memzero(bytes, count);
    tac_free(bytes);
    tac_spec_clear(&spec);
    if (r != NULL) tac_free(r);
    return status;
}
