/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of shards, for every kind of query: however the rows are split, in whatever order,
   some shards without any, the words of the shards combine to the words of the whole; asked through
   the door they get the same answer, noise once. A kind that wants all rows together is refused
   where they are not, with a sentence and at no cost. */
#include <stdio.h>

#include "query_samples.h"
#include "tap.h"

#include "dice.h"

static tacit_ctx *ctx;

enum { MOST_SHARDS = 5, MOST_ANSWER = 4096 };
#define QUANTA (UINT64_C(1) << 50)

typedef struct split {
    int shards;
    sample_rows part[MOST_SHARDS];
} split;

static sample_rows all, shuffled;
static split cut;

static int64_t below(int64_t n)
{
    return (int64_t)(next() % (uint64_t)n);
}

static void shuffle(int64_t *row, int64_t n)
{
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t j = below(i + 1), kept = row[i];
        row[i] = row[j];
        row[j] = kept;
    }
}

/* Rows fall into shards by dice; in turn 0 all of them into the last, in turn 1 none into the
   first. */
static void split_rows(int turn)
{
    int64_t order[S_ROWS], row[MOST_SHARDS][S_ROWS], many[MOST_SHARDS] = {0};

    cut.shards = 2 + (int)below(MOST_SHARDS - 1);
    for (int64_t i = 0; i < S_ROWS; i++) order[i] = i;
    shuffle(order, S_ROWS);
    for (int64_t i = 0; i < S_ROWS; i++) {
        const int64_t to = turn == 0   ? cut.shards - 1
                           : turn == 1 ? 1 + below(cut.shards - 1)
                                       : below(cut.shards);
        row[to][many[to]++] = order[i];
    }
    for (int s = 0; s < cut.shards; s++) make_rows(&cut.part[s], row[s], many[s], true);
}

/* Threads, blocks and rows whose sums are kept in one word as they come. */
static tac_engine any_engine(void)
{
    tac_engine engine;

    ctx->threads = 1 + (int)below(3);
    ctx->block_bytes = 16 << below(8);
    ctx->wide_rows = below(3) == 0 ? 0 : 1 + below(S_ROWS);
    tac_engine_threads(ctx, &engine);
    return engine;
}

static bool same(const tac_words *a, const tac_words *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->word, b->word, a->count * sizeof *a->word) == 0);
}

static void evaluate(const sample *s, const sample_rows *rows, tac_words *out)
{
    const tac_engine engine = any_engine();
    const tacit_status status = tac_evaluate(ctx, &engine, &s->q, shard_for(s, rows), out);

    if (status != TACIT_OK) printf("# %s: %s\n", s->name, tacit_ctx_message(ctx));
    MUST(status == TACIT_OK);
}

static void test_words(const sample *s)
{
    const long turns = tap_times(60);
    tac_words whole = {0};
    long differ = 0, moved = 0;

    evaluate(s, &all, &whole);
    for (long turn = 0; turn < turns; turn++) {
        tac_words sum = {0}, again = {0};
        int order[MOST_SHARDS] = {0, 1, 2, 3, 4};
        split_rows((int)turn);
        for (int i = cut.shards - 1; i > 0; i--) { /* shards answer in any order */
            const int j = (int)below(i + 1), kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
        for (int i = 0; i < cut.shards; i++) {
            tac_words part = {0};
            evaluate(s, &cut.part[order[i]], &part);
            if (i == 0)
                sum = part;
            else
                MUST(tac_combine(ctx, s->q.kind, &sum, &part) == TACIT_OK);
            if (i > 0) tac_free(part.word);
        }
        differ += !same(&whole, &sum);
        evaluate(s, &shuffled, &again); /* the whole in another order */
        moved += !same(&whole, &again);
        tac_free(sum.word), tac_free(again.word);
    }
    uint64_t any = 0;
    for (size_t i = 0; i < whole.count; i++) any |= whole.word[i];
    CHECK(differ == 0 && moved == 0 && any != 0,
          "%s: %ld splits give the %zu words of the whole (%ld do not; %ld orders of rows show)",
          s->name, turns, whole.count, differ, moved);
    tac_free(whole.word);
}

/* ---- through the door ---- */

/* Rows elsewhere: the shards of `cut`, behind a backend that evaluates and adds up. */
typedef struct elsewhere {
    tac_backend backend;
    const sample *s;
    long asked;
} elsewhere;

static tacit_status evaluate_elsewhere(tac_backend *self, tacit_ctx *c,
                                       const tac_query *const *query, int32_t count, tac_words *sum)
{
    elsewhere *e = (elsewhere *)self;

    e->asked++;
    for (int32_t i = 0; i < count; i++)
        for (int n = 0; n < cut.shards; n++) {
            const tac_engine engine = any_engine();
            tac_words part = {0};
            MUST(tac_evaluate(c, &engine, query[i], shard_for(e->s, &cut.part[n]), &part) ==
                 TACIT_OK);
            MUST(tac_combine(c, query[i]->kind, &sum[i], &part) == TACIT_OK);
            tac_free(part.word);
        }
    return TACIT_OK;
}

/* What a door knows of rows that are elsewhere. */
static tac_lattice facts_of(const tac_lattice *l)
{
    tac_lattice facts = *l;

    facts.rows = 0;
    facts.points = facts.value = NULL;
    facts.start = NULL;
    facts.column = NULL;
    return facts;
}

typedef struct opened {
    tac_accountant account;
    tac_key key;
    tac_engine engine;
    tac_door *door;
} opened;

static void open_door(opened *o, const sample *s, const tac_shard *shard, int32_t shards,
                      const tac_shard *whole)
{
    const tac_kind_line *kind = &tac_kind_lines[s->q.kind];

    tac_accountant_open(kind->price == TAC_PRICE_ALONE ? TAC_GDP : TAC_PURE, 1000,
                        kind->price == TAC_PRICE_ALONE ? 1e-6 : 0, &o->account);
    tac_key_from_insecure_seed(5, &o->key);
    o->engine = any_engine();
    MUST(tac_door_open(ctx, &o->engine, whole->lattice[TAC_ROWS],
                       kind->rows == TAC_TAKES_COUNTS ? TACIT_ENTRY : TACIT_ADD_REMOVE, 1,
                       &o->account, &o->key, &o->door) == TACIT_OK);
    tac_door_set_frame(o->door, TAC_PROJECTED, whole->lattice[TAC_PROJECTED]);
    tac_door_counts(o->door, whole->counts);
    if (kind->rows == TAC_TAKES_COUNTS)
        MUST(tac_door_batches(o->door, whole->batch, 2) == TACIT_OK);
    if (shards > 0) o->door->shard = shard, o->door->shards = shards;
}

static void test_answers(const sample *s)
{
    static uint64_t one[MOST_ANSWER], many[MOST_ANSWER];
    const bool together = tac_kind_lines[s->q.kind].combination == TAC_COMBINE_WHOLE;
    tac_shard shard[MOST_SHARDS];
    opened a, b;
    long differ = 0, taken = 0, spent = 0, silent = 0;

    open_door(&a, s, NULL, 0, shard_for(s, &all));
    memset(one, 0, sizeof one);
    const tacit_status alone = tac_ask(a.door, "test", QUANTA, &s->q, one);
    if (alone != TACIT_OK) printf("# %s: %s\n", s->name, tacit_ctx_message(ctx));
    MUST(alone == TACIT_OK);
    for (int turn = 0; turn < 8; turn++) {
        split_rows(turn);
        for (int i = 0; i < cut.shards; i++) shard[i] = *shard_for(s, &cut.part[i]);
        open_door(&b, s, shard, cut.shards, shard_for(s, &all));
        memset(many, 0, sizeof many);
        const tacit_status status = tac_ask(b.door, "test", QUANTA, &s->q, many);
        taken += status == TACIT_OK;
        if (together) {
            silent += status != TACIT_E_ARGUMENT ||
                      strstr(tacit_ctx_message(ctx), "needs all rows in one place") == NULL;
            spent += b.account.spent != 0 || tac_door_asked(b.door) != 0;
            for (size_t i = 0; i < MOST_ANSWER; i++) differ += many[i] != 0;
        } else {
            differ += memcmp(one, many, sizeof one) != 0 || b.account.spent != a.account.spent ||
                      tac_door_receipt(b.door, 0)->scale != tac_door_receipt(a.door, 0)->scale;
        }
        tac_door_close(b.door);
    }
    if (together)
        CHECK(taken == 0 && silent == 0 && spent == 0 && differ == 0,
              "%s: answered by one shard; refused on more, with the sentence, at no cost", s->name);
    else
        CHECK(taken == 8 && differ == 0,
              "... and the same answer at the same price, noise once (%ld differ)", differ);
    tac_door_close(a.door);
}

/* The same question of a door that has public facts alone and a backend. Counts have none. */
static void test_backend(const sample *s)
{
    static uint64_t here[MOST_ANSWER], there[MOST_ANSWER];
    const bool together = tac_kind_lines[s->q.kind].combination == TAC_COMBINE_WHOLE;
    elsewhere e = {{.where = "elsewhere", .evaluate = evaluate_elsewhere}, s, 0};
    const tac_shard *whole = shard_for(s, &all);
    const tac_lattice rows = facts_of(whole->lattice[TAC_ROWS]),
                      beside = facts_of(whole->lattice[TAC_PROJECTED]);
    const tac_shard facts = {.lattice = {[TAC_ROWS] = &rows, [TAC_PROJECTED] = &beside}};
    opened a, b;

    open_door(&a, s, NULL, 0, whole);
    memset(here, 0, sizeof here);
    MUST(tac_ask(a.door, "test", QUANTA, &s->q, here) == TACIT_OK);
    split_rows(7);
    open_door(&b, s, NULL, 0, &facts);
    tac_door_set_backend(b.door, &e.backend);
    memset(there, 0, sizeof there);
    const tacit_status status = tac_ask(b.door, "test", QUANTA, &s->q, there);
    if (together)
        CHECK(status == TACIT_E_ARGUMENT && e.asked == 0 && b.account.spent == 0 &&
                  strstr(tacit_ctx_message(ctx), "here they are elsewhere") != NULL,
              "... and refused where a backend has the rows, at no cost");
    else
        CHECK(status == TACIT_OK && e.asked == 1 && memcmp(here, there, sizeof here) == 0 &&
                  b.account.spent == a.account.spent,
              "... and the same answer at the same price from a backend, which was asked once");
    tac_door_close(a.door);
    tac_door_close(b.door);
}

/* Queries asked together: the answers, receipts and price of one after the other, and one pass. An
   account that holds all but the last pays for none. */
static void test_together(void)
{
    static uint64_t apart[SAMPLES][MOST_ANSWER], together[SAMPLES][MOST_ANSWER];
    const tac_shard *whole = &all.dense_shard;
    const tac_lattice rows = facts_of(whole->lattice[TAC_ROWS]),
                      beside = facts_of(whole->lattice[TAC_PROJECTED]);
    const tac_shard facts = {.lattice = {[TAC_ROWS] = &rows, [TAC_PROJECTED] = &beside}};
    tac_asking ask[SAMPLES];
    const sample *first = NULL;
    opened a, b;
    int32_t count = 0;
    long differ = 0;

    memset(apart, 0, sizeof apart);
    memset(together, 0, sizeof together);
    for (int i = 0; i < SAMPLES; i++) {
        const tac_kind_line *kind = &tac_kind_lines[samples[i].q.kind];
        if (samples[i].sparse || kind->rows == TAC_TAKES_COUNTS ||
            kind->combination == TAC_COMBINE_WHOLE)
            continue;
        first = first == NULL ? &samples[i] : first;
        ask[count] = (tac_asking){.what = "test",
                                  .quanta = QUANTA / 64,
                                  .query = samples[i].q,
                                  .answer = together[count]};
        count++;
    }
    MUST(count > 10);
    split_rows(5);
    elsewhere e = {{.where = "elsewhere", .evaluate = evaluate_elsewhere}, first, 0};
    open_door(&a, first, NULL, 0, whole);
    open_door(&b, first, NULL, 0, &facts);
    tac_door_set_backend(b.door, &e.backend);
    for (int32_t i = 0; i < count; i++)
        MUST(tac_ask(a.door, "test", QUANTA / 64, &ask[i].query, apart[i]) == TACIT_OK);
    MUST(tac_ask_all(b.door, ask, count) == TACIT_OK);
    for (int32_t i = 0; i < count; i++) {
        const tac_receipt *x = tac_door_receipt(a.door, i), *y = tac_door_receipt(b.door, i);
        differ += memcmp(apart[i], together[i], sizeof apart[i]) != 0 || x->scale != y->scale ||
                  x->quanta != y->quanta || x->kind != y->kind || x->answers != y->answers;
    }
    CHECK(differ == 0 && e.asked == 1 && tac_door_asked(b.door) == count,
          "%d queries asked together get the answers that they get apart, in one pass (%ld differ)",
          (int)count, differ);
    CHECK(b.account.spent == a.account.spent && b.account.spent > 0, "queries asked together cost "
                                                                     "what they cost one after the "
                                                                     "other");
    const uint64_t price = a.account.spent;
    tac_door_close(a.door);
    tac_door_close(b.door);
    memset(together, 0, sizeof together);
    open_door(&b, first, NULL, 0, &facts);
    tac_door_set_backend(b.door, &e.backend);
    b.account.budget = price - 1;
    const tacit_status status = tac_ask_all(b.door, ask, count);
    for (int32_t i = 0; i < count; i++)
        for (size_t j = 0; j < MOST_ANSWER; j++) differ += together[i][j] != 0;
    CHECK(status != TACIT_OK && b.account.spent == 0 && e.asked == 1 && differ == 0 &&
              tac_door_asked(b.door) == 0,
          "... and where the last cannot be paid, none is charged or looked at");
    tac_door_close(b.door);
}

/* Shards whose points are bounded by other numbers: a sensitivity of one would not hold for the
   other. */
static void test_other_frames(void)
{
    static uint64_t answer[MOST_ANSWER];
    const sample *s = NULL;
    opened o;
    int taken = 0;

    for (int i = 0; i < SAMPLES; i++)
        if (samples[i].sparse && samples[i].q.kind == TAC_KIND_SUMS) s = &samples[i];
    MUST(s != NULL);
    split_rows(9);
    for (int how = 0; how < 4; how++) {
        tac_lattice other = cut.part[1].sparse;
        tac_shard shard[2] = {cut.part[0].sparse_shard, cut.part[1].sparse_shard};
        if (how == 1) other.sparsity = 2;
        if (how == 2) other.entry_reach *= 2;
        if (how == 3) other.entry_squares *= 2;
        shard[1].lattice[TAC_ROWS] = &other;
        open_door(&o, s, shard, 2, &all.sparse_shard);
        const tacit_status status = tac_ask(o.door, "test", QUANTA, &s->q, answer);
        MUST(how > 0 || status == TACIT_OK);
        taken += how > 0 && (status == TACIT_OK || o.account.spent > 0);
        tac_door_close(o.door);
    }
    CHECK(taken == 0, "shards whose frames differ are not asked together (%d are)", taken);
}

int main(void)
{
    int64_t row[S_ROWS];

    state = 88172645463325252u;
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    for (int64_t i = 0; i < S_ROWS; i++) row[i] = i;
    make_rows(&all, row, S_ROWS, false);
    shuffle(row, S_ROWS);
    make_rows(&shuffled, row, S_ROWS, true);
    CHECK(kinds_without_sample()[0] == '\0', "every kind has a sample%s", kinds_without_sample());
    for (int i = 0; i < SAMPLES; i++) {
        if (tac_kind_lines[samples[i].q.kind].combination != TAC_COMBINE_WHOLE)
            test_words(&samples[i]);
        test_answers(&samples[i]);
        if (tac_kind_lines[samples[i].q.kind].rows != TAC_TAKES_COUNTS) test_backend(&samples[i]);
    }
    test_together();
    test_other_frames();
    tacit_ctx_free(ctx);
    return tap_done();
}
