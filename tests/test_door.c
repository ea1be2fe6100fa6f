/* SPDX-License-Identifier: Apache-2.0 */
/* The door under attack: charging, fresh noise, the distribution of selections, and independence of
   layout. Brute force over tiny data sets: test_brute.c. */
#include "privacy/door_internal.h"
#include "privacy/run.h"
#include "tap.h"

#include <math.h>

static tacit_ctx *ctx;

enum { DIMS = 2, CENTERS = 3, MOST_WORDS = 64 };

static const int16_t centers[CENTERS * DIMS] = {TAC_M, 0, -TAC_M, 0, 0, -16000};

typedef struct answer {
    size_t words;
    uint64_t word[MOST_WORDS];
} answer;

static void remember_exact(void *payload, const tac_receipt *receipt, const uint64_t *words,
                           size_t count)
{
    answer *a = payload;
    (void)receipt;
    MUST(count <= MOST_WORDS);
    a->words = count;
    memcpy(a->word, words, count * sizeof *words);
}

static tac_cells nearest(const int16_t *at, int32_t count)
{
    return (tac_cells){.kind = TAC_NEAREST, .count = count, .centers = at};
}

/* Candidates may come from anywhere; the door brings them into the ball before it measures
   costs. */
static void test_far_candidates(void)
{
    const int16_t far[2 * DIMS] = {TAC_M, TAC_M, 0, 0}, row[DIMS] = {-23169, -23169};
    int16_t points[DIMS] = {0};
    tac_receipt receipt;
    answer with, without;
    int32_t chosen;

    for (int rows = 0; rows < 2; rows++) {
        tac_lattice lattice = {.rows = rows, .dims = DIMS, .stride = DIMS, .points = points};
        tac_accountant accountant = {.definition = TAC_PURE, .budget = UINT64_C(1) << 60};
        tac_door_probe probe = {.exact = remember_exact, .payload = rows ? &with : &without};
        tac_engine engine;
        tac_door *door = NULL;
        tac_key key;
        memcpy(points, row, sizeof points);
        tac_engine_threads(ctx, &engine);
        tac_key_from_insecure_seed(1, &key);
        MUST(tac_door_open(ctx, &engine, &lattice, TACIT_ADD_REMOVE, 1, &accountant, &key, &door) ==
             TACIT_OK);
        tac_door_set_probe(door, &probe);
        MUST(tac_door_choose(door, "far", UINT64_C(1) << 45,
                             &(tac_choice){.candidates = far, .m = 2, .k = 1},
                             &chosen) == TACIT_OK);
        receipt = *tac_door_receipt(door, 0);
        tac_door_close(door);
    }
    CHECK(with.word[0] - without.word[0] <= receipt.sensitivity, "candidates outside the ball are "
                                                                 "brought in: a row costs no more "
                                                                 "than declared");
}

/* ---- charging ---- */

static void test_charges(void)
{
    int16_t points[4] = {100, 200, 300, 400};
    tac_lattice lattice = {.rows = 2, .dims = 2, .stride = 2, .points = points};
    tac_accountant accountant = {.definition = TAC_GDP, .budget = UINT64_C(1) << 50};
    tac_engine engine;
    tac_door *door = NULL;
    tac_key key;
    int64_t counts[3], sums[6], before;
    int32_t chosen;

    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(2, &key);
    MUST(tac_door_open(ctx, &engine, &lattice, TACIT_ADD_REMOVE, 1, &accountant, &key, &door) ==
         TACIT_OK);
    CHECK(tac_door_count(door, "first", UINT64_C(1) << 48, &before) == TACIT_OK, "a query within "
                                                                                 "the budget");
    CHECK(accountant.spent > 0 && accountant.spent <= UINT64_C(1) << 48, "... is charged what its "
                                                                         "noise costs");
    CHECK(accountant.spent == tac_door_receipt(door, 0)->quanta, "... as the receipt says");
    const uint64_t spent = accountant.spent;
    counts[0] = 77;
    CHECK(tac_door_count(door, "greedy", UINT64_C(1) << 50, counts) != TACIT_OK, "a query beyond "
                                                                                 "it is refused");
    CHECK(counts[0] == 77 && accountant.spent == spent && tac_door_asked(door) == 1,
          "... unanswered and uncharged");
    const tac_choice nothing = {.candidates = centers, .m = 0, .k = 1};
    CHECK(tac_door_choose(door, "x", UINT64_C(1) << 40, &nothing, &chosen) != TACIT_OK &&
              accountant.spent == spent,
          "a selection among nothing is refused");
    CHECK(tac_door_sums(door, "x", UINT64_C(1) << 40,
                        &(tac_cells){.kind = TAC_NEAREST, .count = 3, .centers = centers}, TAC_ROWS,
                        0, sums, counts) != TACIT_OK &&
              accountant.spent == spent,
          "a weight of zero is refused");
    CHECK(tac_door_sums(door, "x", 1,
                        &(tac_cells){.kind = TAC_NEAREST, .count = 3, .centers = centers}, TAC_ROWS,
                        1, sums, counts) == TACIT_OK &&
              accountant.spent == spent + 1,
          "the smallest query costs one unit");
    CHECK(tac_door_sums(door, "x", 0,
                        &(tac_cells){.kind = TAC_NEAREST, .count = 3, .centers = centers}, TAC_ROWS,
                        1, sums, counts) != TACIT_OK,
          "nothing is free");
    tac_door_close(door);
    CHECK(tac_door_open(ctx, &engine, &lattice, TACIT_ADD_REMOVE, 0, &accountant, &key, &door) ==
              TACIT_E_ARGUMENT,
          "no rows per unit makes no sense");
    CHECK(tac_door_open(ctx, &engine, &lattice, TACIT_ADD_REMOVE, 40000, &accountant, &key,
                        &door) == TACIT_E_ARGUMENT,
          "too many rows per unit are refused");
}

/* ---- every query its own noise ---- */

static void test_fresh_noise(void)
{
    enum { K = 3, D = 2, WORDS = K * D };
    int16_t points[4] = {100, 200, 300, 400};
    tac_lattice lattice = {.rows = 2, .dims = D, .stride = D, .points = points};
    tac_accountant accountant = {.definition = TAC_GDP, .budget = UINT64_C(1) << 50};
    int64_t first[WORDS], second[WORDS], counts[K];
    tac_engine engine;
    tac_door *door = NULL;
    tac_key key;
    int same = 0;

    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(5, &key);
    MUST(tac_door_open(ctx, &engine, &lattice, TACIT_ADD_REMOVE, 1, &accountant, &key, &door) ==
         TACIT_OK);
    MUST(tac_door_sums(door, "once", UINT64_C(1) << 40,
                       &(tac_cells){.kind = TAC_NEAREST, .count = K, .centers = centers}, TAC_ROWS,
                       1000, first, counts) == TACIT_OK);
    MUST(tac_door_sums(door, "again", UINT64_C(1) << 40,
                       &(tac_cells){.kind = TAC_NEAREST, .count = K, .centers = centers}, TAC_ROWS,
                       1000, second, counts) == TACIT_OK);
    for (int i = 0; i < WORDS; i++) same += first[i] == second[i];
    /* The scale is above 10^5, so two draws agree with probability below 10^-5 each. */
    CHECK(same == 0, "the same query asked twice gets fresh noise (%d of %d numbers agree)", same,
          WORDS);
    tac_door_close(door);
}

/* ---- as much noise as was paid for ---- */

/* A histogram of no rows is its noise. Of so many numbers the mean square lies within 5 standard
   deviations of the distribution's, Gaussian 1 +- 0.032, Laplace 2 +- 0.1, in units of the
   receipt's scale: false alarm below 1e-6 each; fixed key. Half the noise has a quarter of it. */
static void test_noise_size(tac_definition definition)
{
    enum { CELLS = 50000 };
    static int64_t noisy[CELLS];
    static int16_t place[CELLS * DIMS];
    tac_lattice lattice = {.rows = 0, .dims = DIMS, .stride = DIMS, .points = place};
    tac_accountant accountant = {.definition = definition, .budget = UINT64_C(1) << 50};
    tac_engine engine;
    tac_door *door = NULL;
    tac_key key;
    double squares = 0;
    int bare = 0;

    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(7, &key);
    MUST(tac_door_open(ctx, &engine, &lattice, TACIT_ADD_REMOVE, 1, &accountant, &key, &door) ==
         TACIT_OK);
    const tac_cells cells = nearest(place, CELLS);
    MUST(tac_door_histogram(door, "empty cells", UINT64_C(1) << 20, &cells, noisy) == TACIT_OK);
    const double scale = (double)tac_door_receipt(door, 0)->scale;
    for (int i = 0; i < CELLS; i++) {
        squares += pow((double)noisy[i] / scale, 2) / CELLS;
        bare += noisy[i] == 0;
    }
    const bool pure = definition == TAC_PURE;
    CHECK(fabs(squares - (pure ? 2 : 1)) < (pure ? 0.1 : 0.032),
          "%s noise has the size that was paid for (mean square %.3f)",
          pure ? "Laplace" : "Gaussian", squares);
    /* The scale is 2^35 or more: a draw is 0 once in a million such tests. */
    CHECK(bare == 0, "... and no cell goes without, empty as they are (%d of %d do)", bare, CELLS);
    int64_t count[64];
    int exact = 0;
    for (int i = 0; i < 64; i++) {
        MUST(tac_door_count(door, "rows", UINT64_C(1) << 20, &count[i]) == TACIT_OK);
        exact += count[i] == 0;
    }
    CHECK(exact == 0, "... nor does the number of rows (%d of 64 times)", exact);
    tac_door_close(door);
}

/* ---- a new frame ---- */

/* Rows in a far corner of very loose bounds: in the first frame they are one lattice point.
   Streamed again into a frame that fits them, the same door on the same account resolves them. */
static void test_reframe(void)
{
    enum { N = 1000 };
    static double rows[N];
    double loose_low[1] = {-1e9}, loose_high[1] = {1e9}, center[1] = {123456}, mean = 0;
    const tac_domain loose = {.kind = TAC_DOMAIN_BOX, .lower = loose_low, .upper = loose_high};
    const tac_domain tight = {.kind = TAC_DOMAIN_BALL, .center = center, .radius = 10};
    const int16_t origin[1] = {0};
    tac_accountant accountant = {.definition = TAC_GDP, .budget = UINT64_C(1) << 62};
    tacit_data *data = NULL;
    tac_frame frame[2];
    tac_lattice lattice[2];
    tac_engine engine;
    tac_door *door = NULL;
    tac_key key;
    double found[2];

    for (int i = 0; i < N; i++) mean += (rows[i] = 123456 + 0.01 * (i % 100)) / N;
    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(6, &key);
    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, N, 1, &data) == TACIT_OK &&
         tac_data_load(ctx, data, NULL) == TACIT_OK);
    MUST(tac_frame_from_domain(ctx, &loose, 1, TACIT_SCALE_RANGE, &frame[0]) == TACIT_OK);
    MUST(tac_frame_from_domain(ctx, &tight, 1, TACIT_SCALE_RANGE, &frame[1]) == TACIT_OK);
    for (int f = 0; f < 2; f++) {
        int64_t sum, count;
        MUST(tac_lattice_build(ctx, &engine, data, &frame[f], NULL, &lattice[f]) == TACIT_OK);
        if (f == 0)
            MUST(tac_door_open(ctx, &engine, &lattice[0], TACIT_ADD_REMOVE, 1, &accountant, &key,
                               &door) == TACIT_OK);
        else
            tac_door_set_frame(door, TAC_ROWS, &lattice[1]);
        MUST(tac_door_sums(door, "mean", UINT64_C(1) << 60,
                           &(tac_cells){.kind = TAC_NEAREST, .count = 1, .centers = origin},
                           TAC_ROWS, TAC_M, &sum, &count) == TACIT_OK);
        const double at = (double)sum / ((double)count / TAC_M);
        tac_frame_from_lattice(&frame[f], &at, &found[f]);
    }
    CHECK(fabs(found[0] - mean) > 1 && fabs(found[1] - mean) < 0.01,
          "a fitting frame finds the mean that loose bounds could not resolve (off by %.0f, then "
          "%.4f)",
          fabs(found[0] - mean), fabs(found[1] - mean));
    CHECK(tac_door_asked(door) == 2 && tac_door_dims(door, TAC_ROWS) == 1, "on the same account");
    for (int f = 0; f < 2; f++) {
        tac_lattice_clear(&lattice[f]);
        tac_frame_clear(&frame[f]);
    }
    tac_door_close(door);
    tacit_data_free(data);
}

/* A run in a new frame counts the same rows: a person cannot come back with rows that were left
   out. */
static void test_set_frame(void)
{
    enum { N = 90, PERSONS = 10, MOST = 2 };
    static double rows[N];
    static int64_t owner[N];
    double center[1] = {0.5};
    const tac_domain tight = {.kind = TAC_DOMAIN_BALL, .center = center, .radius = 0.25};
    tacit_data *data = NULL;
    tacit_budget budget;
    tac_frame frame;
    tac_run run;
    int64_t before, after;

    for (int i = 0; i < N; i++) rows[i] = 0.01 * i, owner[i] = i % PERSONS;
    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, N, 1, &data) == TACIT_OK &&
         tac_data_load(ctx, data, NULL) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    data->told_unit = owner; /* rows in memory have no unit column: give them owners by hand */
    data->selection.unit = 0;
    data->has_units = true;
    tacit_budget_init(&budget, sizeof budget);
    budget.epsilon = 900;
    budget.delta = 1e-6;
    budget.max_rows_per_unit = MOST;
    budget.use_insecure_test_seed = 1;
    MUST(tac_run_open(ctx, data, &budget, TACIT_SCALE_RANGE, TAC_MIDDLE, 0, "test", &run) ==
         TACIT_OK);
    const uint64_t share = tac_door_left(run.door) / 3;
    MUST(tac_door_count(run.door, "before", share, &before) == TACIT_OK);
    MUST(tac_frame_from_domain(ctx, &tight, 1, TACIT_SCALE_NONE, &frame) == TACIT_OK);
    MUST(tac_run_set_frame(&run, TAC_ROWS, &frame) == TACIT_OK);
    MUST(tac_door_count(run.door, "after", share, &after) == TACIT_OK);
    /* The noise is a tenth of a row. */
    CHECK(lround(ldexp((double)before, -TAC_COUNT_GRID)) == PERSONS * MOST &&
              lround(ldexp((double)after, -TAC_COUNT_GRID)) == PERSONS * MOST &&
              tac_run_frame(&run, TAC_ROWS)->ball && frame.scale == NULL,
          "a run takes a new frame over and keeps the rows it counted before");
    CHECK(tac_run_close(&run, TACIT_OK) == TACIT_OK, "and ends as it should");
    tacit_data_free(data);
}

/* Exact counts and sums by the nearest of `count` centers, as the probe sees them, against plain
   loops. */
static bool sums_are_true(tac_door *door, const answer *seen, const tac_lattice *rows,
                          const int16_t *at, int32_t count)
{
    int64_t sums[MOST_WORDS], counts[MOST_WORDS];
    uint64_t want[MOST_WORDS] = {0};
    const tac_cells cells = nearest(at, count);

    MUST(tac_door_sums(door, "memo", UINT64_C(1) << 40, &cells, TAC_ROWS, 1, sums, counts) ==
         TACIT_OK);
    for (int64_t i = 0; i < rows->rows; i++) {
        const int16_t *x = rows->points + i * rows->stride;
        int64_t best = INT64_MIN;
        int32_t cell = 0;
        for (int32_t c = 0; c < count; c++) {
            const int64_t a = at[2 * c], b = at[2 * c + 1];
            const int64_t score = a * x[0] + b * x[1] - (a * a + b * b) / 2;
            if (score > best) best = score, cell = c;
        }
        want[2 * cell] += (uint64_t)(int64_t)x[0];
        want[2 * cell + 1] += (uint64_t)(int64_t)x[1];
        want[2 * count + cell]++;
    }
    return seen->words == 3 * (size_t)count &&
           memcmp(seen->word, want, seen->words * sizeof *want) == 0;
}

/* The door keeps the cells of rows between queries. It must not keep them for other centers, fewer
   centers, another view or other rows. */
static void test_memo_of_cells(void)
{
    enum { N = 1001 };
    const int16_t moved[CENTERS * DIMS] = {0, TAC_M, -20000, 9000, 0, -16000};
    static int16_t points[N * DIMS], others[N * DIMS];
    tac_lattice lattice = {.rows = N, .dims = DIMS, .stride = DIMS, .points = points};
    tac_lattice other = {.rows = N, .dims = DIMS, .stride = DIMS, .points = others};
    tac_accountant accountant = {.definition = TAC_GDP, .budget = UINT64_C(1) << 60};
    answer seen;
    tac_door_probe probe = {.exact = remember_exact, .payload = &seen};
    tac_engine engine;
    tac_door *door = NULL;
    tac_key key;

    for (int i = 0; i < N * DIMS; i++) {
        points[i] = (int16_t)(i * 7919 % 40000 - 20000);
        others[i] = (int16_t)(i * 104729 % 40000 - 20000);
    }
    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(8, &key);
    MUST(tac_door_open(ctx, &engine, &lattice, TACIT_ADD_REMOVE, 1, &accountant, &key, &door) ==
         TACIT_OK);
    tac_door_set_probe(door, &probe);
    CHECK(sums_are_true(door, &seen, &lattice, centers, CENTERS) &&
              sums_are_true(door, &seen, &lattice, centers, CENTERS),
          "a query asked twice has the same exact answer");
    CHECK(sums_are_true(door, &seen, &lattice, moved, CENTERS) &&
              sums_are_true(door, &seen, &lattice, moved, CENTERS - 1) &&
              sums_are_true(door, &seen, &lattice, centers, CENTERS),
          "cells are those of the centers asked about, not of those before");
    tac_door_set_frame(door, TAC_ROWS, &other);
    CHECK(sums_are_true(door, &seen, &other, centers, CENTERS), "in a new frame rows get cells of "
                                                                "their own");
    memcpy(others, points, sizeof others);
    tac_door_set_frame(door, TAC_ROWS, &other);
    CHECK(sums_are_true(door, &seen, &other, centers, CENTERS), "also if its lattice lies where "
                                                                "the one before lay");
    tac_door_close(door);
}

/* ---- the distribution of selections ---- */

/* Four candidates on a line, costs known; frequencies against the exact distribution. Chi-square
   with 3 degrees of freedom, threshold 30.7: false alarm 1e-6 for each of the two; fixed key. */
static void test_selection_distribution(tac_definition definition)
{
    enum { M = 4, TIMES = 20000 };
    const int16_t candidates[M] = {0, 9000, 18000, 30000};
    int16_t points[2 * 3] = {2000, 0, 5000, 0, -1000, 0};
    tac_lattice lattice = {.rows = 3, .dims = 1, .stride = 2, .points = points};
    tac_accountant accountant = {.definition = definition, .budget = UINT64_MAX / 2};
    /* epsilon 8 */
    const uint64_t quanta = tac_cost_selection(definition, UINT64_C(8) << TAC_SELECTION_BITS);
    answer cost = {0};
    tac_door_probe probe = {.exact = remember_exact, .payload = &cost};
    tac_engine engine;
    tac_key key;
    double seen[M] = {0}, distribution[M] = {0}, accept[M];
    const long times = tap_times(TIMES);

    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(3, &key);
    tac_door *door = NULL;
    MUST(tac_door_open(ctx, &engine, &lattice, TACIT_ADD_REMOVE, 1, &accountant, &key, &door) ==
         TACIT_OK);
    tac_door_set_probe(door, &probe);
    for (long t = 0; t < times; t++) {
        int32_t chosen;
        accountant.spent = 0;
        MUST(tac_door_choose(door, "distribution", quanta,
                             &(tac_choice){.candidates = candidates, .m = M, .k = 1},
                             &chosen) == TACIT_OK);
        seen[chosen]++;
    }
    tac_door_close(door);

    double least = (double)cost.word[0], total = 0;
    for (int i = 0; i < M; i++) least = fmin(least, (double)cost.word[i]);
    for (int i = 0; i < M; i++)
        accept[i] = exp(-8 * ((double)cost.word[i] - least) / (double)TAC_COST_MOST);
    if (definition == TAC_PURE) {
        /* Permute-and-flip by enumeration: P(i) = sum over orders of prod (1 - p_before) p_i /
           M! */
        int order[M];
        for (int code = 0; code < M * M * M * M; code++) {
            bool distinct = true;
            for (int i = 0, rest = code; i < M; i++, rest /= M) order[i] = rest % M;
            for (int i = 0; i < M; i++)
                for (int j = 0; j < i; j++) distinct = distinct && order[i] != order[j];
            double alive = 1.0 / 24;
            for (int i = 0; i < M && distinct; i++) {
                distribution[order[i]] += alive * accept[order[i]];
                alive *= 1 - accept[order[i]];
            }
        }
    } else {
        for (int i = 0; i < M; i++) total += accept[i];
        for (int i = 0; i < M; i++) distribution[i] = accept[i] / total;
    }
    double chi = 0;
    for (int i = 0; i < M; i++)
        chi +=
            pow(seen[i] - (double)times * distribution[i], 2) / ((double)times * distribution[i]);
    CHECK(tac_selection_epsilon(definition, quanta, &(uint64_t){0}) == UINT64_C(8)
                                                                           << TAC_SELECTION_BITS,
          "the price of epsilon 8 buys it");
    CHECK(chi < 30.7, "%s: %ld draws follow the exact distribution (chi-square %.2f, 3 df)",
          definition == TAC_PURE ? "permute-and-flip" : "exponential mechanism", times, chi);
}

/* Laplace noise on any account: the scale that the price buys, charged for what its epsilon counts
   there. */
static void test_laplace_anywhere(void)
{
    int16_t points[2] = {100, 200};
    tac_lattice lattice = {.rows = 1, .dims = 2, .stride = 2, .points = points};
    tac_engine engine;
    tac_key key;

    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(8, &key);
    for (int definition = TAC_PURE; definition <= TAC_GDP; definition++) {
        tac_accountant accountant = {.definition = (tac_definition)definition,
                                     .budget = UINT64_C(1) << 50};
        const uint64_t quanta = UINT64_C(1) << 49;
        tac_receipt asked = {.kind = TAC_KIND_CUBES, .what = "test", .answers = 1, .batch = -1};
        const tac_receipt *receipt;
        const tac_bound bound = {.quanta = quanta, .s = {.l1 = 1000000}},
                        nothing = {.s = {.l1 = 1000000}};
        tac_door *door = NULL;
        MUST(tac_door_open(ctx, &engine, &lattice, TACIT_ADD_REMOVE, 1, &accountant, &key, &door) ==
             TACIT_OK);
        MUST(tac_door_price(door, &bound, &asked) == TACIT_OK &&
             tac_door_pay(door, &asked, 1, &receipt) == TACIT_OK);
        const uint64_t epsilon = tac_cost_laplace(1000000, receipt->scale),
                       less = tac_cost_laplace(1000000, receipt->scale - 1);
        CHECK(receipt->distribution == TAC_LAPLACE &&
                  receipt->quanta == tac_cost_pure((tac_definition)definition, epsilon) &&
                  receipt->quanta == accountant.spent && receipt->quanta <= quanta &&
                  tac_cost_pure((tac_definition)definition, less) > quanta,
              "Laplace noise on account %d: the smallest scale that fits, at its price (epsilon "
              "%.4f for %.4f)",
              definition, ldexp((double)epsilon, -TAC_QUANTUM_BITS),
              ldexp((double)receipt->quanta, -TAC_QUANTUM_BITS));
        CHECK(tac_door_price(door, &nothing, &asked) != TACIT_OK && tac_door_asked(door) == 1,
              "... and none for nothing");
        tac_door_close(door);
    }
}

/* ---- layout ---- */

/* The same rows in any order, on any number of threads, in blocks of any size: the same noisy
   answer. */
static void test_layout(void)
{
    enum { N = 3001, D = 5, K = 4 };
    static int16_t points[N * 6];
    int16_t place[K * D];
    int64_t first[K * D + K], again[K * D + K];
    uint64_t state = 9;
    bool same = true;

    for (int i = 0; i < N * 6; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        points[i] = i % 6 == 5 ? 0 : (int16_t)((int64_t)(state >> 50) - 8192);
    }
    for (int i = 0; i < K * D; i++) place[i] = (int16_t)((i * 7919) % 16384 - 8192);
    for (int turn = 0; turn < 12; turn++) {
        const int threads[] = {1, 2, 3, 7};
        tac_lattice lattice = {.rows = N, .dims = D, .stride = 6, .points = points};
        tac_accountant accountant = {.definition = TAC_GDP, .budget = UINT64_C(1) << 52};
        tac_engine engine;
        tac_door *door = NULL;
        tac_key key;
        int64_t *out = turn == 0 ? first : again;

        ctx->threads = threads[turn % 4];
        ctx->block_bytes = turn < 4 ? 1 << 18 : turn < 8 ? 13 : 4096;
        tac_engine_threads(ctx, &engine);
        tac_key_from_insecure_seed(4, &key);
        MUST(tac_door_open(ctx, &engine, &lattice, TACIT_ADD_REMOVE, 1, &accountant, &key, &door) ==
             TACIT_OK);
        MUST(tac_door_sums(door, "layout", UINT64_C(1) << 50,
                           &(tac_cells){.kind = TAC_NEAREST, .count = K, .centers = place},
                           TAC_ROWS, 1000, out, out + K * D) == TACIT_OK);
        tac_door_close(door);
        if (turn > 0) same = same && memcmp(first, again, sizeof first) == 0;
        for (int i = 0; i < N / 2; i++) /* turn the rows round for the next time */
            for (int j = 0; j < 6; j++) {
                const int16_t swap = points[i * 6 + j];
                points[i * 6 + j] = points[(N - 1 - i) * 6 + j];
                points[(N - 1 - i) * 6 + j] = swap;
            }
    }
    ctx->threads = 1;
    ctx->block_bytes = 1 << 18;
    CHECK(same, "1, 2, 3, 7 threads, three block sizes, two row orders: one answer, bit for bit");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    test_far_candidates();
    test_charges();
    test_fresh_noise();
    test_noise_size(TAC_GDP);
    test_noise_size(TAC_PURE);
    test_reframe();
    test_set_frame();
    test_memo_of_cells();
    test_selection_distribution(TAC_PURE);
    test_selection_distribution(TAC_GDP);
    test_laplace_anywhere();
    test_layout();
    tacit_ctx_free(ctx);
    return tap_done();
}
