/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of one key: far numbers of blocks and queries name streams that share no word, and
   hundreds of queries of every kind at one door use no block of the cipher twice (streams.h). Runs
   of whole methods: test_streams_kmeans.c and its siblings. */
#include "privacy/queries/label_draw.h"
#include "privacy/queries/entries.h"
#include "streams.h"
#include "narrow.h"

static tacit_ctx *ctx;

static int by_word(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Streams at near and far numbers, 1000 words of each: all words are different. By chance two of
   48,000 agree with probability below 1e-9; the key is fixed. */
static void test_far_numbers(bool queries)
{
    static const uint64_t far[] = {0,
                                   UINT64_C(1) << 16,
                                   UINT64_C(1) << 31,
                                   UINT64_C(1) << 32,
                                   UINT64_C(3) << 32,
                                   UINT64_C(1) << 40,
                                   (UINT64_C(1) << 40) + (UINT64_C(1) << 32),
                                   UINT64_C(1) << 48,
                                   UINT64_C(1) << 53,
                                   UINT64_C(1) << 62,
                                   UINT64_C(1) << 63,
                                   UINT64_MAX - 3};
    enum { FAR = sizeof far / sizeof *far, NEAR = 4, EACH = 1000, ALL = FAR * NEAR * EACH };
    static uint64_t word[ALL];
    static tac_stream stream;
    tac_key key;
    size_t at = 0;
    long twice = 0;

    tac_key_from_insecure_seed(11, &key);
    for (size_t f = 0; f < FAR; f++)
        for (uint64_t i = 0; i < NEAR; i++) {
            const uint64_t number = far[f] + i;
            MUST(tac_stream_open(ctx, &key, queries ? number : 5, queries ? 5 : number, &stream) ==
                 TACIT_OK);
            for (int w = 0; w < EACH; w++) word[at++] = tac_word(&stream);
        }
    qsort(word, ALL, sizeof *word, by_word);
    for (size_t i = 1; i < ALL; i++) twice += word[i] == word[i - 1];
    CHECK(twice == 0,
          "streams of %ss 2^32, 2^40, 2^62, 2^63 + i and others share no word (%ld words come "
          "twice)",
          queries ? "querie" : "block", twice);
}

/* ---- hundreds of queries ---- */

enum { DIMS = 2, K = 3, ROWS = 40, QUERIES = 300, ANSWER = 8 };

/* Query number q, of one kind after the other; what it says goes to `answer`. Returns its numbers
   that are noise and hardly ever agree. */
enum {
    COUNT,
    HISTOGRAM,
    SUMS,
    MOMENTS,
    LOCAL,
    DISTANCES,
    DRAW,
    CHOICE,
    SWAP,
    CUBES,
    BINGHAM,
    KINDS
};
static int ask(tac_door *door, int q, int64_t *answer)
{
    static const int16_t centers[K * DIMS] = {TAC_M, 0, -TAC_M, 0, 0, -16000};
    static const double radius[K] = {9000, 9000, 9000}, edge[2] = {0.5, 1};
    static const int32_t shift[DIMS] = {0}, root[DIMS] = {0};
    static tac_cube found[64];
    const tac_cells cells = {.kind = TAC_NEAREST, .count = K, .centers = centers},
                    one = {.kind = TAC_ONE_CELL, .count = 1};
    const uint64_t quanta = UINT64_C(1) << 36;
    int64_t other[K * DIMS + K];
    int32_t chosen, in, many;
    int16_t bases[DIMS];

    switch (q % KINDS) {
    case COUNT: MUST(tac_door_count(door, "count", quanta, answer) == TACIT_OK); return 1;
    case HISTOGRAM:
        MUST(tac_door_histogram(door, "histogram", quanta, &cells, answer) == TACIT_OK);
        return K;
    case SUMS:
        MUST(tac_door_sums(door, "sums", quanta, &cells, TAC_ROWS, 1000, answer, other) ==
             TACIT_OK);
        return K * DIMS;
    case MOMENTS:
        MUST(narrow_moments(door, "moments", quanta, &one, TAC_ROWS, answer) == TACIT_OK);
        return 3;
    case LOCAL:
        MUST(narrow_local(door, "local", quanta, &cells, &(tac_local){.radius = radius},
                          &(tac_local_parts){.sum = 1000}, NULL, answer, NULL) == TACIT_OK);
        return K * DIMS;
    case DISTANCES:
        MUST(tac_door_distances(door, "distances", quanta, &cells, &(tac_local){.radius = radius},
                                edge, 3, answer) == TACIT_OK);
        return 3;
    case DRAW:
        MUST(tac_door_draw(door, "draw", quanta, centers, K, answer) == TACIT_OK);
        return DIMS;
    case CHOICE:
        MUST(tac_door_choose(door, "choice", quanta,
                             &(tac_choice){.candidates = centers, .m = K, .k = 1},
                             &chosen) == TACIT_OK);
        return 0;
    case SWAP:
        MUST(tac_door_swap(
                 door, "swap", quanta,
                 &(tac_swap){.centers = centers, .k = 1, .candidates = centers + DIMS, .m = K - 1},
                 &chosen, &in) == TACIT_OK);
        return 0;
    case CUBES: {
        const tac_privacy_params params = tac_door_params(door);
        const int64_t least = tac_cubes_least(tac_quote_cubes(&params, quanta), DIMS, 1);
        MUST(tac_door_cubes(
                 door, "cubes", quanta,
                 &(tac_cubes){
                     .shift = shift, .active = root, .count = 1, .threshold = least, .most = 64},
                 found, &many) == TACIT_OK);
        return 0;
    }
    default:
        MUST(tac_door_bingham(door, "bingham", quanta, &(tac_bingham){.cells = &one, .rank = 1},
                              bases) == TACIT_OK);
        return 0;
    }
}

static void test_many_queries(tac_definition definition)
{
    static int64_t answer[QUERIES][ANSWER];
    static int numbers[QUERIES];
    static int16_t points[ROWS * DIMS];
    tac_lattice lattice = {.rows = ROWS, .dims = DIMS, .stride = DIMS, .points = points};
    tac_accountant accountant = {.definition = definition, .budget = UINT64_C(1) << 60};
    streams_tally sum = {0};
    tac_engine engine;
    tac_door *door = NULL;
    tac_key key;
    long alike = 0;

    for (int i = 0; i < ROWS; i++)
        points[i * DIMS] = (int16_t)(700 * i - 14000),
                   points[i * DIMS + 1] = (int16_t)(i % 7 * 900);
    tac_engine_threads(ctx, &engine);
    MUST(tac_key_from_system(ctx, &key) == TACIT_OK);
    MUST(tac_door_open(ctx, &engine, &lattice, TACIT_ADD_REMOVE, 1, &accountant, &key, &door) ==
         TACIT_OK);
    tac_door_set_probe(door, &stream_probe);
    begin_run();
    see_key(NULL, &key);
    for (int q = 0; q < QUERIES; q++) numbers[q] = ask(door, q, answer[q]);
    end_run(&sum);
    /* The same query of the same rows: answers differ in nothing but noise. Its scale is above
       10^5: two numbers agree with probability below 1e-5, and all of a query's numbers hardly
       ever; those with a single one are too few to tell. */
    for (int q = 0; q < QUERIES; q++)
        for (int p = q % KINDS; p < q && numbers[q] > 1; p += KINDS)
            alike += memcmp(answer[p], answer[q], (size_t)numbers[q] * sizeof **answer) == 0;
    const char *words = definition == TAC_PURE ? "delta = 0" : "delta > 0";
    CHECK(answers == QUERIES && sum.unheard == 0,
          "%s: %d queries, each with a stream of its own number (%ld have none)", words, answers,
          sum.unheard);
    CHECK(sum.twice == 0,
          "... all their noise streams are different: no block is used twice (%ld are)", sum.twice);
    CHECK(sum.foreign == 0, "... all hang from the run's key (%ld do not)", sum.foreign);
    CHECK(alike == 0, "... no two answers to the same query are alike (%ld pairs are)", alike);
    tac_door_close(door);
}

/* ---- labels ---- */

/* A first word settles all but about one draw in 2^40: here it settles none, so that every item
   opens the stream of its further words. */
static bool unsettled;
int32_t __real_tac_label_draw(const tac_label_distribution *distribution, const int64_t *u,
                              int32_t count, uint64_t head, uint64_t *weight);
int32_t __wrap_tac_label_draw(const tac_label_distribution *distribution, const int64_t *u,
                              int32_t count, uint64_t head, uint64_t *weight);
int32_t __wrap_tac_label_draw(const tac_label_distribution *distribution, const int64_t *u,
                              int32_t count, uint64_t head, uint64_t *weight)
{
    return unsettled ? -1 : __real_tac_label_draw(distribution, u, count, head, weight);
}

/* More rows than a block has items, so that numbers of blocks and of items meet. */
static void test_labels(void)
{
    enum { LABELLED = 3 * TAC_SWEEP_ROWS + 7, COLUMNS = TAC_SWEEP_ROWS + 5 };
    static int64_t start[LABELLED + 1];
    static int32_t column[LABELLED], rows[LABELLED], columns[COLUMNS], label[LABELLED + COLUMNS];
    static uint32_t count[LABELLED];
    static const int32_t score[4] = {1, 0, 0, 1};
    tac_counts counts = {
        .rows = LABELLED, .columns = COLUMNS, .start = start, .column = column, .count = count};
    const tac_draw_labels of_rows = {
        .batch = -1, .other_label = columns, .others = 2, .score = score, .clusters = 2};
    const tac_draw_labels of_columns = {.columns = true,
                                        .batch = -1,
                                        .other_label = rows,
                                        .others = 2,
                                        .score = score,
                                        .clusters = 2};
    tac_accountant accountant = {.definition = TAC_PURE, .budget = UINT64_C(1) << 60};
    streams_tally sum = {0};
    tac_lattice lattice = {0};
    tac_engine engine;
    tac_door *door = NULL;
    tac_key key;
    int64_t table[4];

    for (int i = 0; i < LABELLED; i++)
        start[i + 1] = i + 1, column[i] = i % COLUMNS, count[i] = 1, rows[i] = i % 2;
    for (int j = 0; j < COLUMNS; j++) columns[j] = j % 2;
    tac_engine_threads(ctx, &engine);
    MUST(tac_key_from_system(ctx, &key) == TACIT_OK);
    MUST(tac_door_open(ctx, &engine, &lattice, TACIT_ENTRY, 1, &accountant, &key, &door) ==
         TACIT_OK);
    tac_door_counts(door, &counts);
    tac_door_set_probe(door, &stream_probe);
    begin_run();
    see_key(NULL, &key);
    unsettled = true;
    for (int q = 0; q < 3; q++) {
        MUST(tac_door_labels(door, "rows", UINT64_C(1) << 45, &of_rows, label) == TACIT_OK);
        MUST(tac_door_labels(door, "columns", UINT64_C(1) << 45, &of_columns, label) == TACIT_OK);
        MUST(tac_door_table(
                 door, "table", UINT64_C(1) << 45,
                 &(tac_table){
                     .batch = -1, .row_label = rows, .column_label = columns, .k = 2, .l = 2},
                 table) == TACIT_OK);
    }
    unsettled = false;
    const size_t streams = opened;
    end_run(&sum);
    CHECK(streams > 3 * (LABELLED + COLUMNS) && sum.twice == 0 && sum.foreign == 0 &&
              sum.unheard == 0,
          "labels: %zu streams of blocks and of single items, no block is used twice (%ld are)",
          streams, sum.twice);
    tac_door_close(door);
}

/* The list of repeats is not a hole: what it allows is met as it says, one time more is not. */
static void test_list(void)
{
    static tac_stream stream;
    tac_key key;
    streams_tally sum = {0}, more = {0}, other = {0};

    MUST(tac_key_from_system(ctx, &key) == TACIT_OK);
    for (int times = 2; times <= 4; times++) {
        begin_run();
        see_key(NULL, &key);
        see_kind(NULL, &(tac_receipt){.kind = times < 4 ? TAC_KIND_PARTS : TAC_KIND_SUMS}, NULL, 0);
        for (int i = 0; i < (times < 4 ? times : 2); i++)
            MUST(tac_stream_open(ctx, &key, 0, UINT64_C(1) << 40, &stream) == TACIT_OK);
        end_run(times == 2 ? &sum : times == 3 ? &more : &other);
    }
    CHECK(sum.twice == 0 && sum.listed == 1, "lots of parts are read twice, as the list says");
    CHECK(more.twice == 2, "... not three times");
    CHECK(other.twice == 1, "... and not by another kind of query");
    CHECK(shared_between_runs() > 0, "runs that share a key are seen to share blocks");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_far_numbers(false);
    test_far_numbers(true);
    test_many_queries(TAC_PURE);
    test_many_queries(TAC_GDP);
    test_labels();
    CHECK(shared_between_runs() == 0, "three doors of one process share no block");
    test_list();
    free(fillings);
    tacit_ctx_free(ctx);
    return tap_done();
}
