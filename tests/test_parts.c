/* SPDX-License-Identifier: Apache-2.0 */
/* Drawn rows and parts of rows under attack: the law of a draw, all tiny data sets with copies:
   how many results one unit can change, independence of order and threads. */
#include "privacy/door_internal.h"
#include "tap.h"

#include <math.h>

static tacit_ctx *ctx;

enum { DIMS = 2, WORLD = 4, MOST_ROWS = 12, MOST_WORDS = 64 };
static const int16_t world[WORLD][DIMS] = {{TAC_M, 0}, {-TAC_M, 0}, {0, 16000}, {23169, 23169}};

/* A data set is how often each point of the world occurs. */
typedef struct set {
    int copies[WORLD];
} set;

typedef struct exact {
    size_t words;
    uint64_t word[MOST_WORDS];
} exact;

static void remember(void *payload, const tac_receipt *receipt, const uint64_t *words, size_t count)
{
    exact *e = payload;
    (void)receipt;
    MUST(count <= MOST_WORDS);
    e->words = count;
    memcpy(e->word, words, count * sizeof *words);
}

static int64_t rows_of(const set *s, bool backwards, int16_t *points)
{
    int64_t n = 0;

    for (int i = 0; i < WORLD; i++) {
        const int p = backwards ? WORLD - 1 - i : i;
        for (int c = 0; c < s->copies[p]; c++) memcpy(points + DIMS * n++, world[p], sizeof world[p]);
    }
    return n;
}

typedef struct open_door {
    int16_t points[MOST_ROWS * DIMS];
    tac_lattice lattice;
    tac_accountant accountant;
    tac_engine engine;
    tac_key key;
    tac_door *door;
} open_door;

static void open_on(open_door *o, const set *s, bool backwards, tac_notion notion,
                    tacit_neighbours neighbours, int32_t owned, uint64_t seed)
{
    const int64_t n = rows_of(s, backwards, o->points);

    o->lattice = (tac_lattice){.rows = n, .dims = DIMS, .stride = DIMS, .points = o->points};
    o->accountant = (tac_accountant){.notion = notion, .budget = UINT64_C(1) << 60};
    tac_engine_threads(ctx, &o->engine);
    tac_key_from_insecure_seed(seed, &o->key);
    MUST(tac_door_open(ctx, &o->engine, &o->lattice, neighbours, owned, &o->accountant, &o->key, &o->door) == TACIT_OK);
}

/* All sets of up to `most` rows. */
static int list_sets(int most, set *out)
{
    int n = 0;
    set s;

    for (s.copies[0] = 0; s.copies[0] <= most; s.copies[0]++)
        for (s.copies[1] = 0; s.copies[0] + s.copies[1] <= most; s.copies[1]++)
            for (s.copies[2] = 0; s.copies[0] + s.copies[1] + s.copies[2] <= most; s.copies[2]++)
                for (s.copies[3] = 0; s.copies[0] + s.copies[1] + s.copies[2] + s.copies[3] <= most; s.copies[3]++)
                    out[n++] = s;
    return n;
}

/* How many rows go and how many come between two sets. */
static void apart(const set *a, const set *b, int *gone, int *come)
{
    *gone = *come = 0;
    for (int p = 0; p < WORLD; p++) {
        const int more = b->copies[p] - a->copies[p];
        *(more < 0 ? gone : come) += abs(more);
    }
}

/* ---- draws ---- */

static tac_receipt ask_draw(const set *s, bool backwards, tac_notion notion, uint64_t seed,
                            const int16_t *centers, int32_t count, exact *e, int64_t *answer)
{
    const tac_door_probe probe = {.exact = remember, .payload = e};
    open_door o;

    open_on(&o, s, backwards, notion, TACIT_ADD_REMOVE, 1, seed);
    tac_door_set_probe(o.door, &probe);
    MUST(tac_door_draw(o.door, "test", UINT64_C(1) << 45, centers, count, answer) == TACIT_OK);
    const tac_receipt r = *tac_door_receipt(o.door, 0);
    tac_door_close(o.door);
    return r;
}

/* P(row) ~ squared distance to the nearest centre, copies counted; order does not show. */
static void test_draw_law(void)
{
    const set s = {{1, 2, 3, 1}};
    const int16_t centers[2 * DIMS] = {TAC_M, 0, 0, 20000};
    double weight[WORLD], total = 0;
    long hits[WORLD] = {0}, elsewhere = 0, differ = 0;
    const long draws = tap_times(4000);
    int64_t answer[DIMS], other[DIMS];
    exact e;

    for (int p = 0; p < WORLD; p++) {
        double least = INFINITY;
        for (int c = 0; c < 2; c++)
            least = fmin(least, pow(world[p][0] - centers[DIMS * c], 2) + pow(world[p][1] - centers[DIMS * c + 1], 2));
        total += weight[p] = s.copies[p] * least;
    }
    for (long i = 0; i < draws; i++) {
        bool found = false;
        ask_draw(&s, false, TAC_PURE, (uint64_t)i, centers, 2, &e, answer);
        for (int p = 0; p < WORLD; p++) {
            const bool here = (int64_t)e.word[0] == world[p][0] && (int64_t)e.word[1] == world[p][1];
            hits[p] += here;
            found = found || here;
        }
        elsewhere += !found;
        if (i >= 200) continue;
        ask_draw(&s, true, TAC_PURE, (uint64_t)i, centers, 2, &e, other);
        differ += memcmp(answer, other, sizeof answer) != 0;
    }
    double worst = 0;
    for (int p = 0; p < WORLD; p++) {
        const double share = weight[p] / total, sd = sqrt(share * (1 - share) * (double)draws);
        worst = fmax(worst, fabs((double)hits[p] - share * (double)draws) / fmax(sd, 1));
    }
    /* Four binomials: beyond 5 deviations once in 400000 seeds. A mean of different rows: their 32 bits would have
       to agree. */
    CHECK(worst < 5 && elsewhere == 0, "rows are drawn by their squared distance (%.1f deviations)", worst);
    CHECK(hits[0] == 0, "a row on a centre is never drawn while others are off it");
    CHECK(differ == 0, "the order of rows does not show in a draw");
}

static void test_draw_corners(void)
{
    const set none = {{0}}, one = {{3, 0, 0, 0}};
    const int16_t centers[DIMS] = {TAC_M, 0};
    int64_t answer[DIMS];
    exact e;

    ask_draw(&none, false, TAC_PURE, 1, centers, 1, &e, answer);
    CHECK(e.word[0] == 0 && e.word[1] == 0, "without rows the middle is drawn");
    ask_draw(&one, false, TAC_PURE, 1, centers, 1, &e, answer);
    CHECK((int64_t)e.word[0] == TAC_M && e.word[1] == 0, "when all rows are on centres, all are alike");
}

/* ---- parts ---- */

enum { BLOCKS = 5, CENTERS = 2, WIDE = CENTERS * DIMS };

static const int16_t reference[WIDE] = {9000, 3000, -9000, -3000};

static tac_aggregate plan_of(uint64_t seed)
{
    return (tac_aggregate){.parts = BLOCKS, .k = CENTERS, .reference = reference, .restarts = 1, .seed = seed};
}

/* The results of all parts, and the exact sums of a question about them. */
static tac_receipt results_of(const set *s, bool backwards, tacit_neighbours neighbours, int32_t owned, uint64_t seed,
                              int16_t *out, exact *e)
{
    const tac_door_probe probe = {.exact = remember, .payload = e};
    const tac_aggregate plan = plan_of(seed);
    const tac_cells all = {.kind = TAC_ONE_CELL, .count = 1};
    int64_t sums[WIDE], count;
    open_door o;

    open_on(&o, s, backwards, TAC_GDP, neighbours, owned, seed);
    MUST(tac_door_aggregate(o.door, &plan) == TACIT_OK);
    MUST(o.door->own.lattice[TAC_ROWS]->rows == BLOCKS && o.door->own.lattice[TAC_ROWS]->dims == WIDE);
    memcpy(out, o.door->own.lattice[TAC_ROWS]->points, sizeof *out * BLOCKS * WIDE);
    tac_door_set_probe(o.door, &probe);
    MUST(tac_door_sums(o.door, "test", UINT64_C(1) << 45, &all, TAC_ROWS, 1, sums, &count) == TACIT_OK);
    const tac_receipt r = *tac_door_receipt(o.door, 0);
    tac_door_aggregate_end(o.door);
    MUST(o.door->own.lattice[TAC_ROWS] == &o.lattice && o.door->rows_per_unit == (uint64_t)owned &&
             o.door->neighbours == neighbours);
    tac_door_close(o.door);
    return r;
}

static void test_parts(tacit_neighbours neighbours, int32_t owned)
{
    static set sets[300];
    static int16_t result[300][BLOCKS * WIDE];
    static exact sums[300];
    const int many = list_sets(5, sets);
    const int promised = (neighbours == TACIT_REPLACE ? 2 : 1) * owned;
    int most = 0, beyond = 0;
    tac_receipt r = {0};

    for (uint64_t seed = 1; seed <= 3; seed++) {
        for (int i = 0; i < many; i++) r = results_of(&sets[i], false, neighbours, owned, seed, result[i], &sums[i]);
        for (int i = 0; i < many; i++)
            for (int j = 0; j < many; j++) {
                int gone, come, differ = 0;
                tac_u128 l2 = 0;
                apart(&sets[i], &sets[j], &gone, &come);
                const bool same_rows = owned > 1 || gone == come; /* a row is replaced by a row */
                if (come > owned || (neighbours == TACIT_REPLACE ? gone > owned || !same_rows : gone > 0)) continue;
                for (int b = 0; b < BLOCKS; b++)
                    differ += memcmp(result[i] + b * WIDE, result[j] + b * WIDE, WIDE * sizeof **result) != 0;
                for (size_t w = 0; w < sums[i].words; w++) {
                    const int64_t gap = llabs((int64_t)(sums[i].word[w] - sums[j].word[w]));
                    l2 += (tac_u128)gap * (tac_u128)gap;
                }
                most = differ > most ? differ : most;
                beyond += l2 > r.sensitivity;
            }
    }
    CHECK(most == promised && beyond == 0, "%s, %d rows a unit: %d results change at most, and sums of them as declared",
          neighbours == TACIT_REPLACE ? "replace" : "add-remove", owned, most);
}

static void test_parts_order(void)
{
    static set sets[300];
    const int many = list_sets(5, sets);
    int16_t result[BLOCKS * WIDE], other[BLOCKS * WIDE];
    int differ = 0, long_one = 0;
    exact e;

    for (int i = 0; i < many; i++) {
        ctx->threads = 1;
        results_of(&sets[i], false, TACIT_ADD_REMOVE, 1, 9, result, &e);
        ctx->threads = 3;
        results_of(&sets[i], true, TACIT_ADD_REMOVE, 1, 9, other, &e);
        ctx->threads = 1;
        differ += memcmp(result, other, sizeof result) != 0;
        for (int b = 0; b < BLOCKS; b++) {
            int64_t squares = 0;
            for (int j = 0; j < WIDE; j++) squares += (int64_t)result[b * WIDE + j] * result[b * WIDE + j];
            long_one += squares > (int64_t)TAC_M * TAC_M;
        }
    }
    CHECK(differ == 0, "results depend on neither the order of rows nor threads");
    CHECK(long_one == 0, "every result is in the ball");
}

/* Copies spread over the parts, and every row is in one of them. */
static void test_copies_spread(void)
{
    const set s = {{12, 0, 0, 0}}, none = {{0}};
    int16_t result[BLOCKS * WIDE], empty[BLOCKS * WIDE];
    int used = 0;
    exact e;

    results_of(&s, false, TACIT_ADD_REMOVE, 1, 1, result, &e);
    results_of(&none, false, TACIT_ADD_REMOVE, 1, 1, empty, &e);
    for (int b = 0; b < BLOCKS; b++) used += memcmp(result + b * WIDE, empty + b * WIDE, WIDE * sizeof *result) != 0;
    CHECK(used >= 3, "twelve copies of one row are in %d parts of %d", used, BLOCKS);
    CHECK(empty[0] == (int16_t)lrint(9000 / sqrt(2)) && memcmp(empty, empty + WIDE, WIDE * sizeof *empty) == 0,
          "a part without rows has the reference for a result");
}

static void test_parts_refused(void)
{
    const set s = {{1, 1, 0, 0}};
    tac_aggregate plan = plan_of(1);
    open_door o;

    open_on(&o, &s, false, TAC_PURE, TACIT_REPLACE, TAC_ROWS_PER_UNIT_MOST, 1);
    CHECK(tac_door_aggregate(o.door, &plan) == TACIT_E_INTERNAL, "twice too many rows a unit are refused");
    tac_door_close(o.door);
    open_on(&o, &s, false, TAC_PURE, TACIT_ADD_REMOVE, 1, 1);
    plan.parts = 0;
    CHECK(tac_door_aggregate(o.door, &plan) == TACIT_E_INTERNAL, "no parts at all are refused");
    plan.parts = 3;
    MUST(tac_door_aggregate(o.door, &plan) == TACIT_OK);
    CHECK(tac_door_aggregate(o.door, &plan) == TACIT_E_INTERNAL, "parts of parts are refused");
    tac_door_look(o.door, TAC_ROWS, &o.lattice);
    CHECK(o.door->whole == NULL && o.door->neighbours == TACIT_ADD_REMOVE, "a new look at the rows ends the parts");
    tac_door_close(o.door);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    test_draw_law();
    test_draw_corners();
    test_parts(TACIT_ADD_REMOVE, 1);
    test_parts(TACIT_ADD_REMOVE, 2);
    test_parts(TACIT_REPLACE, 1);
    test_parts(TACIT_REPLACE, 2);
    test_parts_order();
    test_copies_spread();
    test_parts_refused();
    tacit_ctx_free(ctx);
    return tap_done();
}
