/* SPDX-License-Identifier: Apache-2.0 */
/* A shard: the rows that one process holds, read, placed and asked about as the root's bytes say.
   It has no noise, no ledger and no method. What leaves it but receipts is exact and secret. */
#include "privacy/queries/cell_memo.h"
#include "privacy/shards/picked_rows.h"

#include <sodium.h>
#include <string.h>

/* Private: all of it but index and frames. Owned but for data. */
struct tacit_shard {
    tac_spec spec;
    bool may_repeat;
    tacit_data *data; /* NULL: made of a block */
    bool owns_data;
    tac_added added;
    uint64_t *keep;
    tac_frames_body frames;  /* as last placed */
    uint8_t placed[TAC_TAG]; /* their tag */
    bool is_placed;
    tac_placed name;
    bool there[TAC_VIEWS];
    tac_lattice lattice[TAC_VIEWS];
    tac_memo memo;
};

void tacit_shard_free(tacit_shard *s)
{
    if (s == NULL) return;
    tac_memo_forget(&s->memo);
    for (int view = 0; view < TAC_VIEWS; view++) tac_lattice_clear(&s->lattice[view]);
    tac_frames_clear(&s->frames);
    tac_added_clear(&s->added);
    tac_free(s->keep);
    tac_spec_clear(&s->spec);
    if (s->owns_data) tacit_data_free(s->data);
    tac_free(s);
}

/* Where a part is malformed depends on rows: in a guarded run nothing more is said of it. */
static tacit_status hide_where(tacit_ctx *ctx, const tacit_shard *s, tacit_status status)
{
    if (status != TACIT_E_FORMAT || !s->spec.load.guarded) return status;
    return tac_fail(ctx, status,
                    "%s: the rows cannot be read as they were declared; where and why is shown to "
                    "the owner only (--as-owner)",
                    tac_data_name(s->data));
}

static tacit_data *rows_of(const tacit_shard *s)
{
    return s->added.data != NULL ? s->added.data : s->data;
}

static tacit_status load_rows(tacit_ctx *ctx, const tac_spec *spec, tacit_data *data)
{
    tac_load load = {.counts = spec->load.counts,
                     .guarded = spec->load.guarded,
                     .key_given = true,
                     .person_key = spec->person_key};
    return tac_data_load(ctx, data, &load);
}

/* The steps of a run that are about rows, in their order (run.c). */
static tacit_status read_rows(tacit_ctx *ctx, tacit_shard *s, const tac_pick *pick)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(load_rows(ctx, &s->spec, s->data));
    TAC_TRY(tac_pick_check(ctx, s->data, pick));
    if (s->spec.adds) TAC_TRY(tac_data_add_persons(ctx, s->data, &s->added));
    TAC_TRY(tac_data_kept(ctx, rows_of(s), s->spec.rows_per_unit, &s->keep));
    TAC_TRY(tac_pick_rows(ctx, s->data, rows_of(s), pick, &s->keep));
done:
    return hide_where(ctx, s, status);
}

/* data NULL: the file at `path` is opened. */
static tacit_status open_shard(tacit_ctx *ctx, tacit_data *data, const char *path,
                               const uint8_t *spec, size_t bytes, const tacit_shard_opts *opts,
                               tacit_shard **out)
{
    tacit_status status = TACIT_OK;
    tacit_shard *s = NULL;
    tacit_shard_opts o;

    *out = NULL;
    tacit_shard_opts_init(&o, sizeof o);
    if (opts != NULL) TAC_TRY(tac_read_opts(ctx, "tacit_shard_opts", opts, &o, sizeof o));
    TAC_TRY(tac_new(ctx, 1, sizeof *s, &s));
    TAC_TRY(tac_spec_read(ctx, spec, bytes, &s->spec));
    const tac_pick pick = {
        .index = o.index, .shards = s->spec.shards, .picks = o.picks != 0, .parted = o.parted != 0};
    if (o.index < 0 || o.index >= (pick.shards > 0 ? pick.shards : TAC_SHARDS_MOST))
        TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                         "the index of a shard must be 0 or more and below the number of shards"));
    if (pick.picks && pick.shards == 0)
        TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                         "a shard picks rows only where the engine says how many shards there "
                         "are"));
    s->data = data;
    s->name.index = o.index;
    s->may_repeat = o.may_repeat != 0;
    s->owns_data = data == NULL;
    if (s->owns_data) TAC_TRY(tac_load_spec_open(ctx, &s->spec.load, path, o.descriptor, &s->data));
    TAC_TRY(tac_load_spec_take(ctx, &s->spec.load, s->data));
    TAC_TRY(tac_pick_allowed(ctx, s->data, &pick));
    TAC_TRY(read_rows(ctx, s, &pick));
    *out = s;
    s = NULL;
done:
    tacit_shard_free(s);
    return status;
}

tacit_status tacit_shard_open(tacit_ctx *ctx, tacit_data *data, const uint8_t *spec, size_t bytes,
                              const tacit_shard_opts *opts, tacit_shard **out)
{
    return open_shard(ctx, data, NULL, spec, bytes, opts, out);
}

tacit_status tacit_shard_open_file(tacit_ctx *ctx, const char *path, const uint8_t *spec,
                                   size_t bytes, const tacit_shard_opts *opts, tacit_shard **out)
{
    return open_shard(ctx, NULL, path, spec, bytes, opts, out);
}

tacit_status tacit_shard_numbers(tacit_ctx *ctx, tacit_data *data, const uint8_t *spec,
                                 size_t bytes, int64_t **numbers, int64_t *rows)
{
    tacit_status status = TACIT_OK;
    tacit_shard s = {.data = data};

    *numbers = NULL;
    *rows = 0;
    TAC_TRY(tac_spec_read(ctx, spec, bytes, &s.spec));
    TAC_TRY(tac_load_spec_take(ctx, &s.spec.load, data));
    if (!data->has_units || s.spec.shards == 0)
        TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                         "rows have a shard of their own only where they belong to persons and the "
                         "engine says how many shards there are"));
    TAC_TRY(load_rows(ctx, &s.spec, data));
    TAC_TRY(tac_pick_numbers(ctx, data, s.spec.shards, numbers));
    *rows = data->reader->rows;
done:
    status = hide_where(ctx, &s, status);
    tac_spec_clear(&s.spec);
    return status;
}

/* ---- where rows are ---- */

/* Adds a keyed hash of row i of all views to the sum: the sum does not depend on the order. */
static void add_row(const tacit_shard *s, int64_t i, const uint8_t *key, uint64_t sum[2])
{
    uint8_t both[TAC_VIEWS][TAC_ROWS_TAG] = {{0}};
    uint64_t hash[2];

    for (int view = 0; view < TAC_VIEWS; view++) {
        const tac_lattice *l = &s->lattice[view];
        if (!s->there[view]) continue;
        if (!l->sparse) {
            crypto_shorthash_siphashx24(both[view], (const uint8_t *)(l->points + i * l->stride),
                                        sizeof *l->points * (size_t)l->dims, key);
            continue;
        }
        const int64_t from = l->start[i];
        const size_t entries = (size_t)(l->start[i + 1] - from);
        crypto_shorthash_siphashx24(both[view], (const uint8_t *)(l->column + from),
                                    sizeof *l->column * entries, key);
        crypto_shorthash_siphashx24(both[view], (const uint8_t *)(l->value + from),
                                    sizeof *l->value * entries, both[view]);
    }
    crypto_shorthash_siphashx24((uint8_t *)hash, both[0], sizeof both, key);
    sum[0] += hash[0];
    sum[1] += hash[1];
}

/* name.rows: what the rows are, if they may be read again; otherwise how many. Under the run's key
   it tells nothing to whoever has not got it. */
static void tag_rows(tacit_shard *s)
{
    struct {
        uint64_t sum[2];
        int64_t index, rows;
    } about = {{0, 0}, s->name.index, 0};
    uint8_t key[crypto_shorthash_siphashx24_KEYBYTES];

    crypto_generichash(key, sizeof key, (const uint8_t *)"tacit rows", 10, s->spec.session.key,
                       sizeof s->spec.session.key);
    for (int view = 0; view < TAC_VIEWS; view++)
        if (s->there[view]) about.rows = s->lattice[view].rows;
    for (int64_t i = 0; s->may_repeat && i < about.rows; i++) add_row(s, i, key, about.sum);
    crypto_generichash(s->name.rows, sizeof s->name.rows, (const uint8_t *)&about, sizeof about,
                       s->spec.session.key, sizeof s->spec.session.key);
}

static bool same_bytes(const tac_part *a, const tac_part *b)
{
    return a->bytes != NULL && b->bytes != NULL && a->count == b->count &&
           memcmp(a->bytes, b->bytes, a->count) == 0;
}

/* One view by its frame; where that is as before, nothing is done. */
static tacit_status place_view(tacit_ctx *ctx, tacit_shard *s, int view, const tac_part *part)
{
    tacit_status status = TACIT_OK;
    tac_frame frame = {0};
    tac_engine engine;
    tac_lattice *l = &s->lattice[view];

    if (s->is_placed && same_bytes(part, &s->frames.frame[view])) return TACIT_OK;
    s->there[view] = false;
    if (part->bytes == NULL) {
        tac_lattice_clear(l);
        return TACIT_OK;
    }
    TAC_TRY(tac_frame_read(ctx, part->bytes, part->count, &frame));
    if (frame.columns != tac_data_dims(rows_of(s)) ||
        (frame.bins != NULL && tac_data_sparse(rows_of(s))) ||
        (frame.counts != NULL) != s->spec.load.counts)
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT, "a frame does not fit the rows of a shard"));
    tac_engine_threads(ctx, &engine);
    TAC_TRY(tac_lattice_rebuild(ctx, &engine, rows_of(s), &frame, s->keep, 0,
                                rows_of(s)->reader->rows, l));
    s->there[view] = true;
done:
    tac_frame_clear(&frame);
    return status;
}

tacit_status tacit_shard_place(tacit_ctx *ctx, tacit_shard *s, const uint8_t *frames, size_t bytes,
                               uint8_t **receipt, size_t *receipt_bytes)
{
    tacit_status status = TACIT_OK;
    tac_frames_body body = {0};
    tac_receipt_body reply;

    *receipt = NULL;
    *receipt_bytes = 0;
    if (s->data == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "a shard made of a block has no rows to place again; open one with data");
    TAC_TRY(tac_message_read(ctx, TAC_MESSAGE_FRAMES, &s->spec.session, frames, bytes,
                             tac_frames_walk, &body));
    tac_memo_forget(&s->memo);
    for (int view = 0; view < TAC_VIEWS; view++) {
        status = place_view(ctx, s, view, &body.frame[view]);
        if (status == TACIT_OK) continue;
        s->is_placed = false; /* nothing is asked of rows that are half placed */
        status = hide_where(ctx, s, status);
        goto done;
    }
    tac_frames_clear(&s->frames);
    s->frames = body;
    memset(&body, 0, sizeof body);
    memcpy(s->placed, tac_message_tag(frames, bytes), sizeof s->placed);
    s->is_placed = true;
    tag_rows(s);
    memcpy(reply.frames, s->placed, sizeof reply.frames);
    reply.shard = s->name;
    TAC_TRY(tac_message_write(ctx, TAC_MESSAGE_RECEIPT, &s->spec.session, tac_receipt_walk, &reply,
                              receipt, receipt_bytes));
done:
    tac_frames_clear(&body);
    return status;
}

/* ---- answers ---- */

/* The words of one query, SECRET. */
static tacit_status answer_one(tacit_ctx *ctx, tacit_shard *s, const tac_part *part,
                               tac_answer_words *out)
{
    tacit_status status = TACIT_OK;
    tac_shard shard = {.memo = &s->memo};
    tac_query *query = NULL;
    tac_words words = {0};
    tac_engine engine;

    for (int view = 0; view < TAC_VIEWS; view++)
        if (s->there[view]) shard.lattice[view] = &s->lattice[view];
    tac_engine_threads(ctx, &engine);
    TAC_TRY(tac_query_read(ctx, part->bytes, part->count, &query));
    TAC_TRY(tac_evaluate(ctx, &engine, query, &shard, &words));
    *out = (tac_answer_words){.kind = query->kind, .count = words.count, .word = words.word};
done:
    tac_free(query);
    return status;
}

tacit_status tacit_shard_secret_answer(tacit_ctx *ctx, tacit_shard *s, const uint8_t *query,
                                       size_t bytes, uint8_t **answer, size_t *answer_bytes)
{
    tacit_status status = TACIT_OK;
    tac_query_body body = {0};
    tac_answer_body reply = {.shards = 1};

    *answer = NULL;
    *answer_bytes = 0;
    TAC_TRY(tac_message_read(ctx, TAC_MESSAGE_QUERY, &s->spec.session, query, bytes,
                             tac_queries_walk, &body));
    if (!s->is_placed || memcmp(body.frames, s->placed, sizeof body.frames) != 0)
        TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                         "a shard was asked about frames that its rows are not placed in; place "
                         "them first"));
    memcpy(reply.query, tac_message_tag(query, bytes), sizeof reply.query);
    TAC_TRY(tac_new(ctx, 1, sizeof *reply.shard, &reply.shard));
    reply.shard[0] = s->name;
    TAC_TRY(tac_new(ctx, (size_t)body.count, sizeof *reply.answer, &reply.answer));
    reply.count = body.count;
    for (int32_t i = 0; i < body.count; i++)
        TAC_TRY(answer_one(ctx, s, &body.query[i], &reply.answer[i]));
    TAC_TRY(tac_message_write(ctx, TAC_MESSAGE_ANSWER, &s->spec.session, tac_answer_walk, &reply,
                              answer, answer_bytes));
done:
    tac_queries_clear(&body);
    tac_answer_clear(&reply);
    return status;
}

/* ---- blocks ---- */

tacit_status tacit_shard_secret_block(tacit_ctx *ctx, const tacit_shard *s, uint8_t **block,
                                      size_t *block_bytes)
{
    tac_block_body body = {.shard = s->name};

    *block = NULL;
    *block_bytes = 0;
    if (!s->is_placed)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "the rows of a shard are not placed yet");
    memcpy(body.frames, s->placed, sizeof body.frames);
    for (int view = 0; view < TAC_VIEWS; view++) {
        body.there[view] = s->there[view];
        body.lattice[view] = s->lattice[view]; /* borrowed */
    }
    return tac_message_write(ctx, TAC_MESSAGE_BLOCK, &s->spec.session, tac_block_walk, &body, block,
                             block_bytes);
}

tacit_status tacit_shard_from_secret_block(tacit_ctx *ctx, const uint8_t *spec, size_t spec_bytes,
                                           const uint8_t *block, size_t block_bytes,
                                           tacit_shard **out)
{
    tacit_status status = TACIT_OK;
    tac_block_body body = {0};
    tacit_shard *s = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *s, &s));
    TAC_TRY(tac_spec_read(ctx, spec, spec_bytes, &s->spec));
    TAC_TRY(tac_message_read(ctx, TAC_MESSAGE_BLOCK, &s->spec.session, block, block_bytes,
                             tac_block_walk, &body));
    if (!tac_block_is_good(&body))
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT, "the rows of a block are not those of a lattice"));
    memcpy(s->placed, body.frames, sizeof s->placed);
    s->is_placed = true;
    s->name = body.shard;
    for (int view = 0; view < TAC_VIEWS; view++) {
        s->there[view] = body.there[view];
        s->lattice[view] = body.lattice[view];
    }
    memset(&body, 0, sizeof body);
    *out = s;
    s = NULL;
done:
    tac_block_clear(&body);
    tacit_shard_free(s);
    return status;
}
