/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the body of a message between root and shards. The first byte says of which kind;
   the shell with its tag is put around it here, so that what is behind the tag is reached. A body
   that is read says what its bytes say; frames place rows in the ball, a spec describes a table or
   is refused, a block answers, and records of an answer are whole. */
#include "fuzz.h"

#include "privacy/kinds.h"
#include "privacy/shards/bodies.h"

#include <sodium.h>

enum { HEAD = 20, COLUMNS = 3 };

typedef union any_body {
    tac_spec spec;
    tac_frames_body frames;
    tac_query_body query;
    tac_receipt_body receipt;
    tac_answer_body answer;
    tac_block_body block;
} any_body;

static tac_body_walk *const walks[TAC_MESSAGE_END] = {NULL,
                                                      tac_spec_walk,
                                                      tac_frames_walk,
                                                      tac_queries_walk,
                                                      tac_receipt_walk,
                                                      tac_answer_walk,
                                                      tac_block_walk};

/* The rows of a frame: few of them, and no wider than this. */
static void place(tacit_ctx *ctx, const tac_part *part)
{
    tac_frame frame;
    double row[COLUMNS] = {0.5, -3, (double)NAN}, *scratch = NULL;
    int16_t *point = NULL;
    int64_t squares = 0;

    if (part->bytes == NULL) return;
    if (tac_frame_read(ctx, part->bytes, part->count, &frame) != TACIT_OK) return;
    if (frame.columns == COLUMNS && frame.dims < 1000) {
        MUST_BE(tac_new(ctx, tac_frame_scratch(&frame), sizeof *scratch, &scratch) == TACIT_OK &&
                tac_new(ctx, (size_t)frame.dims, sizeof *point, &point) == TACIT_OK);
        tac_frame_apply(&frame, row, scratch, point);
        for (int32_t j = 0; j < frame.dims; j++) squares += (int64_t)point[j] * point[j];
        MUST_BE(squares <= (int64_t)TAC_M * TAC_M);
    }
    tac_free(scratch), tac_free(point);
    tac_frame_clear(&frame);
}

static void describe(tacit_ctx *ctx, const tac_spec *spec)
{
    static const double row[COLUMNS] = {0.5, -3, 1};
    tacit_data *data = NULL;
    tac_load_spec said = spec->load;

    MUST_BE(tacit_data_from_memory(ctx, row, TACIT_F64, 1, COLUMNS, &data) == TACIT_OK);
    MUST_BE(tac_data_header(ctx, data, said.header) == TACIT_OK);
    const tacit_status status = tac_load_spec_take(ctx, &said, data);
    expect_sentence(ctx, status);
    if (status == TACIT_OK)
        (void)tac_data_load(ctx, data, &(tac_load){.counts = said.counts, .guarded = true});
    tacit_data_free(data);
}

static void answer(tacit_ctx *ctx, tac_block_body *block)
{
    tac_query query = {.kind = TAC_KIND_COUNT, .batch = -1, .cells = {.count = 1}};
    tac_shard shard = {.lattice = {&block->lattice[TAC_ROWS]}};
    tac_words words = {0};
    tac_engine engine;

    if (!block->there[TAC_ROWS] || !tac_block_is_good(block)) return;
    query.dims[TAC_ROWS] = block->lattice[TAC_ROWS].dims;
    tac_engine_threads(ctx, &engine);
    if (tac_evaluate(ctx, &engine, &query, &shard, &words) == TACIT_OK)
        MUST_BE(words.count == 1 && words.word[0] == (uint64_t)block->lattice[TAC_ROWS].rows
                                                         << TAC_COUNT_GRID);
    tac_free(words.word);
}

static void look_at(tacit_ctx *ctx, tac_message_kind kind, any_body *body)
{
    if (kind == TAC_MESSAGE_SPEC) describe(ctx, &body->spec);
    if (kind == TAC_MESSAGE_FRAMES)
        for (int view = 0; view < TAC_VIEWS; view++) place(ctx, &body->frames.frame[view]);
    if (kind == TAC_MESSAGE_BLOCK) answer(ctx, &body->block);
    for (int32_t i = 0; kind == TAC_MESSAGE_ANSWER && i < body->answer.count; i++)
        MUST_BE(!tac_words_are_good(&body->answer.answer[i]) ||
                !tac_kind_merges(body->answer.answer[i].kind) ||
                body->answer.answer[i].count % TAC_CUBE_WORDS == 0);
}

static void clear(tac_message_kind kind, any_body *body)
{
    if (kind == TAC_MESSAGE_SPEC) tac_spec_clear(&body->spec);
    if (kind == TAC_MESSAGE_FRAMES) tac_frames_clear(&body->frames);
    if (kind == TAC_MESSAGE_QUERY) tac_queries_clear(&body->query);
    if (kind == TAC_MESSAGE_ANSWER) tac_answer_clear(&body->answer);
    if (kind == TAC_MESSAGE_BLOCK) tac_block_clear(&body->block);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    tac_session session = {.run = "a fuzzed run", .key = "a key"};
    tacit_ctx *ctx = NULL;
    uint8_t *message = NULL, *again = NULL;
    size_t length = 0;
    any_body body;

    if (count < 1) return 0;
    const tac_message_kind kind = (tac_message_kind)(1 + bytes[0] % (TAC_MESSAGE_END - 1));
    const size_t inside = count - 1, whole = HEAD + inside + TAC_TAG;
    MUST_BE(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    memset(&body, 0, sizeof body);
    message = malloc(whole);
    MUST_BE(message != NULL);
    memcpy(message, "tm\1", 3);
    message[3] = (uint8_t)kind;
    memcpy(message + 4, session.run, sizeof session.run);
    memcpy(message + HEAD, bytes + 1, inside);
    if (kind == TAC_MESSAGE_SPEC && inside >= sizeof session.key)
        memcpy(session.key, bytes + 1, sizeof session.key);
    crypto_generichash(message + whole - TAC_TAG, TAC_TAG, message, whole - TAC_TAG, session.key,
                       sizeof session.key);
    const tacit_status status =
        tac_message_read(ctx, kind, &session, message, whole, walks[kind], &body);
    expect_sentence(ctx, status);
    if (status == TACIT_OK) {
        MUST_BE(tac_message_write(ctx, kind, &session, walks[kind], &body, &again, &length) ==
                TACIT_OK);
        MUST_BE(length == whole && memcmp(again, message, whole) == 0);
        look_at(ctx, kind, &body);
    }
    clear(kind, &body);
    message[whole / 2] ^= 1; /* whatever it said: damaged it is refused */
    memset(&body, 0, sizeof body);
    MUST_BE(tac_message_read(ctx, kind, &session, message, whole, walks[kind], &body) ==
            TACIT_E_FORMAT);
    free(message);
    tac_free(again);
    tacit_ctx_free(ctx);
    return 0;
}
