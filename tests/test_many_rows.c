/* SPDX-License-Identifier: Apache-2.0 */
/* No sum wraps for 10^12 rows. Fake shards stand for many: the words of a small one, added to
   themselves again and again, are those of 2^34 shards. Every kind is asked about 61 x 2^34 rows,
   and what is read back is right to the noise. */
#include <stdio.h>

#include "privacy/noise/trace_noise.h"
#include "query_samples.h"
#include "tap.h"

static tacit_ctx *ctx;
static sample_rows all;
static bool beyond[TAC_KINDS]; /* had sums that one word does not hold */

enum { DOUBLINGS = 34, MOST_ANSWER = 4096 };
#define QUANTA (UINT64_C(1) << 50)

/* Number i of an answer, of one word or of two. */
static tac_i128 number(tac_kind kind, const uint64_t *word, size_t words, size_t i)
{
    const size_t numbers = tac_kind_numbers(kind, words);
    return numbers < words ? tac_two_words(word, numbers, i) : (tac_i128)(int64_t)word[i];
}

/* *out = the words of 2^DOUBLINGS shards like this one. */
static void add_up(const sample *s, const tac_engine *engine, tac_words *out)
{
    MUST(tac_evaluate(ctx, engine, &s->q, shard_for(s, &all), out) == TACIT_OK);
    for (int i = 0; i < DOUBLINGS; i++) {
        tac_words same = {.count = out->count};
        MUST(tac_new(ctx, out->count, sizeof *same.word, &same.word) == TACIT_OK);
        memcpy(same.word, out->word, out->count * sizeof *same.word);
        MUST(tac_combine(ctx, s->q.kind, out, &same) == TACIT_OK);
        tac_free(same.word);
    }
}

/* The sums of fake shards are 2^34 times those of one; how many do not fit one word. */
static void test_shards(const sample *s, const tac_engine *engine)
{
    tac_words one = {0}, many = {0};
    long wrong = 0, large = 0;

    MUST(tac_evaluate(ctx, engine, &s->q, shard_for(s, &all), &one) == TACIT_OK);
    add_up(s, engine, &many);
    const size_t numbers = tac_kind_numbers(s->q.kind, one.count);
    for (size_t i = 0; i < numbers; i++) {
        const tac_i128 truth =
            number(s->q.kind, one.word, one.count, i) * (INT64_C(1) << DOUBLINGS);
        wrong += number(s->q.kind, many.word, many.count, i) != truth;
        large += truth != (int64_t)truth;
    }
    beyond[s->q.kind] = beyond[s->q.kind] || large > 0;
    CHECK(wrong == 0 && (large == 0 || numbers < one.count),
          "%s: %zu sums of 10^12 rows, %ld beyond 64 bits, none wraps (%ld do)", s->name, numbers,
          large, wrong);
    tac_free(one.word), tac_free(many.word);
}

/* Rows elsewhere: as many fake shards. */
typedef struct elsewhere {
    tac_backend backend;
    const sample *s;
    const tac_engine *engine;
} elsewhere;

static tacit_status evaluate_elsewhere(tac_backend *self, tacit_ctx *c,
                                       const tac_query *const *query, int32_t count, tac_words *sum)
{
    const elsewhere *e = (const elsewhere *)self;
    tac_words many = {0};

    (void)query;
    MUST(count == 1);
    add_up(e->s, e->engine, &many);
    const tacit_status status = tac_combine(c, e->s->q.kind, sum, &many);
    tac_free(many.word);
    return status;
}

/* Through the door, on an account: the answer is the truth and noise, whether fake shards or the
   copies of a plan make rows many. */
static void test_answer(const sample *s, const tac_engine *engine, tac_definition account,
                        bool plan)
{
    static uint64_t answer[MOST_ANSWER];
    const tac_shard *whole = shard_for(s, &all);
    elsewhere e = {{.where = "elsewhere", .evaluate = evaluate_elsewhere}, s, engine};
    tac_accountant accountant;
    tac_words one = {0};
    tac_door *door;
    tac_key key;
    long far = 0;

    MUST(tac_evaluate(ctx, engine, &s->q, whole, &one) == TACIT_OK);
    tac_accountant_open(account, 1000, account == TAC_PURE ? 0 : 1e-6, &accountant);
    tac_key_from_insecure_seed(5, &key);
    MUST(tac_door_open(ctx, engine, whole->lattice[TAC_ROWS], TACIT_ADD_REMOVE, 1, &accountant,
                       &key, &door) == TACIT_OK);
    tac_door_set_frame(door, TAC_PROJECTED, whole->lattice[TAC_PROJECTED]);
    if (plan)
        tac_door_copies(door, UINT64_C(1) << DOUBLINGS);
    else
        tac_door_set_backend(door, &e.backend);
    MUST(one.count <= MOST_ANSWER);
    const tacit_status status = tac_ask(door, "test", QUANTA, &s->q, answer);
    if (status != TACIT_OK) printf("# %s: %s\n", s->name, tacit_ctx_message(ctx));
    MUST(status == TACIT_OK);
    const tac_receipt *r = tac_door_receipt(door, 0);
    const size_t numbers = tac_kind_numbers(s->q.kind, one.count);
    const tac_i128 most = (tac_i128)r->scale * (r->distribution == TAC_TRACE ? 1000 : 40);
    for (size_t i = 0; i < numbers; i++) {
        const tac_i128 truth =
                           number(s->q.kind, one.word, one.count, i) * (INT64_C(1) << DOUBLINGS),
                       noise = number(s->q.kind, answer, one.count, i) - truth;
        far += noise > most || noise < -most;
    }
    CHECK(far == 0 && r->answers == (int64_t)numbers,
          "%s: read back right to the noise, %s account, %s (%ld are not)", s->name,
          account == TAC_PURE ? "pure" : "Gaussian", plan ? "copies" : "fake shards", far);
    tac_door_close(door);
    tac_free(one.word);
}

/* Noise on two words is the noise on one: the same draws, and carries where they belong. */
static void test_noise(const tac_engine *engine)
{
    enum { COUNT = 6000, DIMS = 4, TRIANGLE = DIMS * (DIMS + 1) / 2 };
    static uint64_t one[COUNT], two[2 * COUNT];
    const uint64_t start = UINT64_MAX - 5; /* every other draw carries */
    tac_key key;

    tac_key_from_insecure_seed(11, &key);
    for (int which = 0; which < 3; which++)
        for (int large = 0; large < 2; large++) {
            const uint64_t scale = large ? TAC_SIGMA_MAX : 1000;
            const tac_trace trace = {.scale = scale, .dims = DIMS, .same = 5, .cross = 7};
            long differ = 0, below = 0;
            memset(one, 0, sizeof one);
            memset(two, 0, sizeof two);
            for (size_t i = 0; i < COUNT; i++) two[i] = start, two[COUNT + i] = 7;
            if (which == TAC_TRACE) {
                MUST(tac_add_trace_noise(ctx, engine, &key, 3, &trace, one, COUNT / TRIANGLE,
                                         NULL) == TACIT_OK);
                MUST(tac_add_wide_trace_noise(ctx, engine, &key, 3, &trace, two, two + COUNT,
                                              COUNT / TRIANGLE, NULL) == TACIT_OK);
            } else {
                const tac_distribution d = (tac_distribution)which;
                MUST(tac_add_noise(ctx, engine, &key, 3, d, scale, one, COUNT) == TACIT_OK);
                MUST(tac_add_wide_noise(ctx, engine, &key, 3, d, scale, two, two + COUNT, COUNT) ==
                     TACIT_OK);
            }
            for (size_t i = 0; i < COUNT; i++) {
                const tac_i128 noise =
                    tac_two_words(two, COUNT, i) - (((tac_i128)7 << 64) + (tac_i128)start);
                differ += noise != (int64_t)one[i];
                below += noise < 0;
            }
            CHECK(differ == 0 && below > COUNT / 3 && below < 2 * COUNT / 3,
                  "distribution %d, scale %llu: the same noise on two words (%ld differ)", which,
                  (unsigned long long)scale, differ);
        }
}

int main(void)
{
    tac_engine engine;
    int64_t row[S_ROWS];

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 2;
    ctx->wide_rows = 7;
    ctx->block_bytes = 64;
    tac_engine_threads(ctx, &engine);
    for (int64_t i = 0; i < S_ROWS; i++) row[i] = i;
    make_rows(&all, row, S_ROWS, false);
    for (int i = 0; i < SAMPLES; i++) {
        const tac_kind_line *kind = &tac_kind_lines[samples[i].q.kind];
        if (kind->combination != TAC_COMBINE_SUM || kind->rows == TAC_TAKES_COUNTS) continue;
        test_shards(&samples[i], &engine);
        if (kind->class != TAC_CLASS_NOISED) continue;
        for (int plan = 0; plan < 2; plan++) {
            test_answer(&samples[i], &engine, TAC_PURE, plan != 0);
            test_answer(&samples[i], &engine, TAC_GDP, plan != 0);
        }
    }
    for (int kind = 0; kind < TAC_KINDS; kind++)
        CHECK(beyond[kind] == (tac_kind_lines[kind].width == TAC_WORDS_TWO),
              "%s: two words a number where one would wrap, and only there",
              tac_kind_name((tac_kind)kind));
    test_noise(&engine);
    tacit_ctx_free(ctx);
    return tap_done();
}
