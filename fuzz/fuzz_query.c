/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a query, asked of a few rows. The first byte says of which: dense or sparse. What is
   malformed is refused and never evaluated; what is read says what its bytes say, gives its words
   twice alike, and an answer is paid for. */
#include "fuzz.h"
#include "../tests/query_samples.h"

static sample_rows all;

/* Words, bins and cubes of which a query may have any number: more than this takes its time, and
   shows nothing new. */
enum { MOST = 1 << 14 };

static bool is_small(const tac_query *q, size_t words)
{
    return words <= MOST && q->bins <= 1000 && q->cubes.most <= 1000 && q->rows <= MOST;
}

static size_t room_for(const tac_query *q, size_t words)
{
    switch (q->kind) {
    case TAC_KIND_ROW_LABELS: return (size_t)q->rows;
    case TAC_KIND_COLUMN_LABELS: return (size_t)q->columns;
    case TAC_KIND_CUBES: return 3 + TAC_CUBE_WORDS * (size_t)q->cubes.most;
    default: return words > 0 ? words : 1;
    }
}

/* Solvers and samplers that a query may have run for as long as it likes are left to the tests of
   their own. */
static bool is_quick(tac_kind kind)
{
    return kind != TAC_KIND_BINGHAM && kind != TAC_KIND_GIBBS && kind != TAC_KIND_PARTS;
}

static void ask(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                const tac_shard *shard, size_t words)
{
    tac_accountant account = {.definition = TAC_PURE, .budget = UINT64_C(1) << 60};
    uint64_t *answer = calloc(room_for(q, words), sizeof *answer);
    tac_door *door = NULL;
    tac_key key;

    MUST_BE(answer != NULL);
    tac_key_from_insecure_seed(1, &key);
    const bool counts = tac_kind_lines[q->kind].rows == TAC_TAKES_COUNTS;
    MUST_BE(tac_door_open(ctx, engine, shard->lattice[TAC_ROWS],
                          counts ? TACIT_ENTRY : TACIT_ADD_REMOVE, 1, &account, &key,
                          &door) == TACIT_OK);
    tac_door_set_frame(door, TAC_PROJECTED, shard->lattice[TAC_PROJECTED]);
    tac_door_counts(door, shard->counts);
    if (counts) MUST_BE(tac_door_batches(door, shard->batch, 2) == TACIT_OK);
    const tacit_status status = tac_ask(door, "fuzz", UINT64_C(1) << 50, q, answer);
    MUST_BE(status == TACIT_OK || ctx->message[0] != '\0');
    MUST_BE((status == TACIT_OK) == (tac_door_asked(door) == 1) &&
            (status != TACIT_OK || account.spent > 0));
    MUST_BE(status == TACIT_OK || account.spent == 0);
    tac_door_close(door);
    free(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    tacit_ctx *ctx = NULL;
    tac_query *q = NULL;
    tac_engine engine;
    size_t words, length = 0;
    uint8_t *again = NULL;
    tac_words one = {0}, two = {0};
    int64_t row[S_ROWS];

    if (count < 1) return 0;
    for (int64_t i = 0; i < S_ROWS; i++) row[i] = i;
    if (all.rows.rows == 0) make_rows(&all, row, S_ROWS, false);
    MUST_BE(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    tac_engine_threads(ctx, &engine);
    const tac_shard *shard = bytes[0] % 2 == 1 ? &all.sparse_shard : &all.dense_shard;
    const tacit_status status = tac_query_read(ctx, bytes + 1, count - 1, &q);
    expect_sentence(ctx, status);
    MUST_BE((status == TACIT_OK) == (q != NULL));
    if (q != NULL) {
        MUST_BE(tac_query_write(ctx, q, &again, &length) == TACIT_OK && length == count - 1 &&
                memcmp(again, bytes + 1, length) == 0);
        MUST_BE(tac_query_check(ctx, q, &words) == TACIT_OK);
        if (is_small(q, words)) {
            const tacit_status first = tac_evaluate(ctx, &engine, q, shard, &one),
                               second = tac_evaluate(ctx, &engine, q, shard, &two);
            MUST_BE(first == second && one.count == two.count &&
                    (first == TACIT_OK || ctx->message[0] != '\0'));
            MUST_BE(one.count == 0 ||
                    memcmp(one.word, two.word, one.count * sizeof *one.word) == 0);
            if (is_quick(q->kind)) ask(ctx, &engine, q, shard, words);
        }
    }
    tac_free(one.word), tac_free(two.word), tac_free(again), tac_free(q);
    tacit_ctx_free(ctx);
    return 0;
}
