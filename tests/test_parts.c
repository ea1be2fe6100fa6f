/* SPDX-License-Identifier: Apache-2.0 */
/* Drawn rows under attack: the distribution of a draw, on all tiny data sets with copies. */
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
        for (int c = 0; c < s->copies[p]; c++)
            memcpy(points + DIMS * n++, world[p], sizeof world[p]);
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

static void open_on(open_door *o, const set *s, bool backwards, tac_definition definition,
                    tacit_neighbors neighbors, int32_t owned, uint64_t seed)
{
    const int64_t n = rows_of(s, backwards, o->points);

    o->lattice = (tac_lattice){.rows = n, .dims = DIMS, .stride = DIMS, .points = o->points};
    o->accountant = (tac_accountant){.definition = definition, .budget = UINT64_C(1) << 60};
    tac_engine_threads(ctx, &o->engine);
    tac_key_from_insecure_seed(seed, &o->key);
    MUST(tac_door_open(ctx, &o->engine, &o->lattice, neighbors, owned, &o->accountant, &o->key,
                       &o->door) == TACIT_OK);
}

static tac_receipt ask_draw(const set *s, bool backwards, tac_definition definition, uint64_t seed,
                            const int16_t *centers, int32_t count, exact *e, int64_t *answer)
{
    const tac_door_probe probe = {.exact = remember, .payload = e};
    open_door o;

    open_on(&o, s, backwards, definition, TACIT_ADD_REMOVE, 1, seed);
    tac_door_set_probe(o.door, &probe);
    MUST(tac_door_draw(o.door, "test", UINT64_C(1) << 45, centers, count, answer) == TACIT_OK);
    const tac_receipt r = *tac_door_receipt(o.door, 0);
    tac_door_close(o.door);
    return r;
}

/* P(row) ~ squared distance to the nearest center, copies counted; order does not show. */
static void test_draw_distribution(void)
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
            least = fmin(least, pow(world[p][0] - centers[DIMS * c], 2) +
                                    pow(world[p][1] - centers[DIMS * c + 1], 2));
        total += weight[p] = s.copies[p] * least;
    }
    for (long i = 0; i < draws; i++) {
        bool found = false;
        ask_draw(&s, false, TAC_PURE, (uint64_t)i, centers, 2, &e, answer);
        for (int p = 0; p < WORLD; p++) {
            const bool here =
                (int64_t)e.word[0] == world[p][0] && (int64_t)e.word[1] == world[p][1];
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
    /* Four binomials: beyond 5 deviations once in 400000 seeds. A mean of different rows: their 32
       bits would have to agree. */
    CHECK(worst < 5 && elsewhere == 0, "rows are drawn by their squared distance (%.1f deviations)",
          worst);
    CHECK(hits[0] == 0, "a row on a center is never drawn while others are off it");
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
    CHECK((int64_t)e.word[0] == TAC_M && e.word[1] == 0, "when all rows are on centers, all are "
                                                         "alike");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    test_draw_distribution();
    test_draw_corners();
    tacit_ctx_free(ctx);
    return tap_done();
}
