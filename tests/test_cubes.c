/* SPDX-License-Identifier: Apache-2.0 */
/* Cubes: the coins of rare events, the distribution of what passes the threshold (lazy against
   looking at every cube), places in up to 120 dimensions, refusals. How far one unit moves the
   counts: test_brute.c. */
#include "dice.h"
#include "privacy/door_internal.h"
#include "privacy/kinds.h"
#include "privacy/queries/literature/rare.h"
#include "privacy/noise/wide.h"
#include "statistics.h"
#include "tap.h"

static tacit_ctx *ctx;

static tac_stream stream_of(uint64_t seed)
{
    tac_stream s;
    tac_key key;
    tac_key_from_insecure_seed(seed, &key);
    MUST(tac_stream_open(ctx, &key, 0, 0, &s) == TACIT_OK);
    return s;
}

/* ---- coins ---- */

static long double as_real(const uint64_t *words, unsigned n)
{
    long double x = 0;
    for (unsigned i = 0; i <= n; i++) x = x / 18446744073709551616.0L + words[i];
    return x;
}

/* q = P(Y >= T) in long double. */
static long double keep_probability(uint64_t scale, uint64_t threshold)
{
    return expl(-(long double)threshold / (long double)scale) / (1 + expl(-1 / (long double)scale));
}

static void test_coins(void)
{
    const struct {
        uint64_t scale, threshold;
    } some[] = {{1, 1},
                {3, 5},
                {1000, 1},
                {1 << 20, 9 << 20},
                {123456789, 4000000000},
                {1 << 20, 60 << 20},
                {UINT64_C(1) << 54, UINT64_C(9) << 54},
                {7, 27000}};
    bool near = true, agree = true, inside = true;

    for (size_t c = 0; c < sizeof some / sizeof *some; c++) {
        const long double q = keep_probability(some[c].scale, some[c].threshold);
        tac_rare rare;
        tac_rare_set(some[c].scale, some[c].threshold, 140, &rare);
        for (unsigned i = 0; i <= 140; i += i < 70 ? 7 : 14) {
            uint64_t few[TAC_EXP_WORDS + 1], many[TAC_EXP_WORDS + 1], gap[TAC_EXP_WORDS + 1] = {0};
            const long double x = expl(ldexpl(1, (int)i) * log1pl(-q)),
                              coin = i < 140 ? x / (1 + x) : x;
            uint64_t room[TAC_RARE_ROOM(32)];
            tac_rare_coin(&rare, i, 4, few, room);
            tac_rare_coin(&rare, i, 32, many, room);
            near = near && fabsl(as_real(few, 4) - coin) < 1e-15L;
            /* The coin of 4 words against that of 32: within the error that the proof allows. */
            uint64_t *high = many + 28, slack[5] = {0};
            slack[(29 + i) / 64] = UINT64_C(1) << ((29 + i) % 64);
            memcpy(gap, tac_wide_compare(few, high, 5) > 0 ? few : high, 5 * sizeof *gap);
            tac_wide_subtract(gap, tac_wide_compare(few, high, 5) > 0 ? high : few, 5);
            agree = agree && tac_wide_compare(gap, slack, 5) <= 0;
            inside = inside && rare.sure[i] <= rare.unsure[i] && rare.unsure[i] - rare.sure[i] <= 1;
        }
    }
    CHECK(near, "the coins of a gap's digits are x / (1 + x), to the precision of long double");
    CHECK(agree, "... and 4 words of them agree with 32 as closely as the proof says");
    CHECK(inside, "... the first word leaves two words open at most");
}

/* ---- gaps ---- */

enum { BINS = 400 };

static void test_gaps(uint64_t scale, uint64_t threshold, unsigned digits, bool exact)
{
    const long draws = tap_times(exact ? 2000 : 60000);
    const double q = (double)keep_probability(scale, threshold);
    int64_t seen[BINS] = {0};
    double distribution[BINS] = {0};
    tac_stream s = stream_of(17 + digits);
    tac_rare rare;

    tac_rare_set(scale, threshold, digits, &rare);
    rare.exact = exact;
    for (long i = 0; i < draws; i++) {
        uint64_t gap[TAC_GAP_WORDS];
        const bool ended = !tac_rare_gap(&s, &rare, gap);
        seen[ended || gap[0] >= BINS - 1 || gap[1] != 0 ? BINS - 1 : gap[0]]++;
    }
    /* everything from there on is the end */
    const double most = digits < 9 ? (double)(1 << digits) : BINS - 1;
    for (int g = 0; g < BINS - 1; g++) distribution[g] = g < most ? pow(1 - q, g) * q : 0;
    distribution[BINS - 1] = pow(1 - q, fmin(most, BINS - 1));
    const double z = fit_z(seen, distribution, BINS, (double)draws);
    CHECK(fabs(z) < ALARM, "gaps with q = %.4f, %u digits%s: geometric (z = %.2f)", q, digits,
          exact ? ", slow path" : "", z);
    tac_stream_close(&s);
}

static void test_geometric(void)
{
    const long draws = tap_times(100000);
    int64_t seen[BINS] = {0};
    double distribution[BINS];
    tac_stream s = stream_of(3);

    for (long i = 0; i < draws; i++) {
        const uint64_t x = tac_geometric(&s, 9);
        seen[x < BINS - 1 ? x : BINS - 1]++;
    }
    for (int x = 0; x < BINS; x++)
        distribution[x] = x < BINS - 1 ? exp(-x / 9.0) * (1 - exp(-1 / 9.0)) : exp(-x / 9.0);
    const double z = fit_z(seen, distribution, BINS, (double)draws);
    CHECK(fabs(z) < ALARM, "what passes a threshold exceeds it geometrically (z = %.2f)", z);
    tac_stream_close(&s);
}

/* ---- the query ---- */

typedef struct world {
    int64_t n;
    int32_t dims;
    int16_t *rows;
    tacit_neighbors neighbors;
    int32_t owned;
} world;

typedef struct exact {
    uint64_t word[64];
    size_t words;
} exact;

static void remember(void *payload, const tac_receipt *receipt, const uint64_t *words, size_t count)
{
    exact *e = payload;
    (void)receipt;
    MUST(count == 64);
    e->words = count;
    memcpy(e->word, words, count * sizeof *words);
}

static tacit_status ask(const world *w, uint64_t quanta, uint64_t seed, const tac_cubes *cubes,
                        tac_cube *found, int32_t *count, exact *e, tac_receipt *receipt)
{
    tac_lattice lattice = {
        .rows = w->n, .dims = w->dims, .stride = (w->dims + 1) / 2 * 2, .points = w->rows};
    tac_accountant account = {.definition = TAC_PURE, .budget = UINT64_C(1) << 62};
    tac_door_probe probe = {.exact = remember, .payload = e};
    tac_engine engine;
    tac_door *door = NULL;
    tac_key key;

    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(seed, &key);
    MUST(tac_door_open(ctx, &engine, &lattice, w->neighbors, w->owned, &account, &key, &door) ==
         TACIT_OK);
    if (e != NULL) tac_door_set_probe(door, &probe);
    const tacit_status status = tac_door_cubes(door, "test", quanta, cubes, found, count);
    if (status == TACIT_OK) {
        MUST(account.spent == tac_door_receipt(door, 0)->quanta && account.spent <= quanta);
        if (receipt != NULL) *receipt = *tac_door_receipt(door, 0);
    } else {
        MUST(account.spent == 0 || status != TACIT_E_INTERNAL);
    }
    tac_door_close(door);
    return status;
}

/* ---- the distribution: which children pass, all together, against the product of the coins of
   looking at each ---- */

/* P(g rows + Y >= T) */
static double pass_probability(int rows, int64_t threshold, uint64_t scale)
{
    const double e = exp(-1 / (double)scale);
    const int64_t t = threshold - ((int64_t)rows << TAC_COUNT_GRID);
    return t >= 1 ? exp(-(double)t / (double)scale) / (1 + e)
                  : 1 - exp(-(double)(1 - t) / (double)scale) / (1 + e);
}

static void test_distribution(void)
{
    enum { CHILDREN = 8, PATTERNS = 1 << CHILDREN };
    const long draws = tap_times(60000);
    /* Level 1, two active cubes of the four: lower left (0,0) and upper right (1,1), shift 0: their
       inner corner is the origin. */
    const int32_t shift[2] = {0, 0}, active[4] = {0, 0, 1, 1};
    /* two rows in one child, one in another, one in no active cube */
    int16_t rows[] = {-5, -5, -6, -7, 100, 100, 5, -5};
    const world w = {.n = 4, .dims = 2, .rows = rows, .owned = 1};
    const uint64_t quanta = UINT64_C(1) << 50; /* epsilon 1: scale 2^20 */
    tac_cubes cubes = {.level = 1,
                       .shift = shift,
                       .active = active,
                       .count = 2,
                       .most = CHILDREN,
                       .threshold = 3 << 19};
    /* child bits: 3 is the inner corner of (0,0), 0 of (1,1) */
    const int held[CHILDREN] = {0, 0, 0, 2, 1, 0, 0, 0};
    int64_t lazy[PATTERNS] = {0}, looked[PATTERNS] = {0};
    double distribution[PATTERNS], excess = 0, passed = 0;
    long twice = 0, low = 0;
    tac_stream s = stream_of(77);
    tac_receipt receipt = {0};

    for (long t = 0; t < draws; t++) {
        tac_cube found[CHILDREN];
        int32_t count;
        unsigned pattern = 0, other = 0;
        MUST(ask(&w, quanta, (uint64_t)t, &cubes, found, &count, NULL, &receipt) == TACIT_OK);
        for (int32_t i = 0; i < count; i++) {
            const unsigned child = (unsigned)found[i].parent * 4 + (unsigned)found[i].child;
            MUST(child < CHILDREN);
            twice += pattern >> child & 1;
            low += found[i].count < cubes.threshold;
            pattern |= 1u << child;
            if (held[child] == 0) excess += (double)(found[i].count - cubes.threshold), passed++;
        }
        for (unsigned c = 0; c < CHILDREN; c++)
            if (((int64_t)held[c] << TAC_COUNT_GRID) + tac_discrete_laplace(&s, receipt.scale) >=
                cubes.threshold)
                other |= 1u << c;
        lazy[pattern]++;
        looked[other]++;
    }
    for (unsigned p = 0; p < PATTERNS; p++) {
        distribution[p] = 1;
        for (unsigned c = 0; c < CHILDREN; c++) {
            const double pass = pass_probability(held[c], cubes.threshold, receipt.scale);
            distribution[p] *= p >> c & 1 ? pass : 1 - pass;
        }
    }
    const double z = fit_z(lazy, distribution, PATTERNS, (double)draws),
                 y = fit_z(looked, distribution, PATTERNS, (double)draws);
    double chi2 = 0, df = -1;
    for (unsigned p = 0; p < PATTERNS; p++)
        if (lazy[p] + looked[p] >= 40) {
            chi2 += pow((double)(lazy[p] - looked[p]), 2) / (double)(lazy[p] + looked[p]);
            df++;
        }
    CHECK(twice == 0,
          "no cube is told twice: one that holds rows is not drawn again as an empty one (%ld "
          "times)",
          twice);
    CHECK(low == 0, "what is told has passed the threshold (%ld have not)", low);
    CHECK(fabs(z) < ALARM,
          "which of 8 children pass, all together: the distribution of independent noisy counts (z "
          "= %.2f, false alarms 1e-6)",
          z);
    CHECK(fabs(y) < ALARM, "... looking at every child has it too (z = %.2f)", y);
    CHECK(chi_square_z(chi2, df) < ALARM, "... and the two agree with each other (z = %.2f)",
          chi_square_z(chi2, df));
    /* geometric: mean 1, standard deviation 1 in scales */
    const double mean = excess / passed / (double)receipt.scale;
    CHECK(fabs(mean - 1) * sqrt(passed) < ALARM,
          "... an empty cube that passes exceeds the threshold as noise would (%.4f)", mean);
    tac_stream_close(&s);
}

/* Many dimensions: the number of empty cubes that pass is N q in the mean, and their places are
   spread evenly. */
static void test_many(void)
{
    enum { DIMS = 70, MOST = 4096 };
    int32_t shift[DIMS] = {0}, active[3 * DIMS] = {0};
    int16_t rows[DIMS] = {0};
    const world w = {.n = 0, .dims = DIMS, .rows = rows, .owned = 1};
    static tac_cube found[MOST];
    tac_cubes cubes = {.level = 1, .shift = shift, .active = active, .count = 3, .most = MOST};
    const uint64_t quanta = UINT64_C(1) << 50, scale = UINT64_C(1) << 20;
    const long turns = tap_times(40);
    double seen = 0, upper = 0, bits = 0;
    int64_t parent[3] = {0};
    bool sorted = true;

    for (int j = 0; j < DIMS; j++) active[DIMS + j] = 1, active[2 * DIMS + j] = j % 2;
    /* q N = 100: exp(-T/s) / (1 + e) 3 2^70 = 100. */
    cubes.threshold = (int64_t)((double)scale * (log(3.0) + DIMS * M_LN2 - log(200.0)));
    for (long t = 0; t < turns; t++) {
        int32_t count;
        MUST(ask(&w, quanta, (uint64_t)t, &cubes, found, &count, NULL, NULL) == TACIT_OK);
        seen += count;
        for (int32_t i = 0; i < count; i++) {
            parent[found[i].parent]++;
            upper += (double)(found[i].child >> (DIMS - 1) & 1);
            for (int j = 0; j < DIMS; j++) bits += (double)(found[i].child >> j & 1);
            sorted =
                sorted &&
                (i == 0 || found[i - 1].parent < found[i].parent ||
                 (found[i - 1].parent == found[i].parent && found[i - 1].child < found[i].child));
        }
    }
    const double expected =
        3 * ldexp((double)keep_probability(scale, (uint64_t)cubes.threshold), DIMS) * (double)turns;
    const double third = seen / 3,
                 even = (pow((double)parent[0] - third, 2) + pow((double)parent[1] - third, 2) +
                         pow((double)parent[2] - third, 2)) /
                        third;
    CHECK(fabs(seen - expected) < ALARM * sqrt(expected),
          "3 x 2^70 empty cubes: %.0f pass, %.0f expected", seen, expected);
    CHECK(fabs(coin_z(upper, seen, 0.5)) < ALARM && fabs(coin_z(bits, seen * DIMS, 0.5)) < ALARM &&
              even < 30,
          "... spread evenly over parents and over every axis");
    CHECK(sorted, "... and told in order");
}

/* ---- places ---- */

static uint64_t state = 4242;

/* Every row of a random data set, its cube worked out in another way, at every level. */
static void test_places(int32_t dims)
{
    enum { N = 60, MOST = 128 };
    int16_t rows[N * 120] = {0};
    int32_t shift[120], *active = calloc((size_t)N * (size_t)dims, sizeof *active);
    const int32_t stride = (dims + 1) / 2 * 2;
    world w = {.n = N, .dims = dims, .rows = rows, .owned = 1};
    static tac_cube found[MOST];
    bool right = true;

    for (int32_t j = 0; j < dims; j++) shift[j] = (int32_t)(next() % 65535) - 32767;
    for (int i = 0; i < N; i++) {
        for (int32_t j = 0; j < dims; j++)
            rows[i * stride + j] =
                (int16_t)((int32_t)(next() % 65535) - 32767) / (int16_t)(1 + next() % 50);
        tac_clip(rows + i * stride, dims);
    }
    for (int32_t level = 0; level < TAC_CUBE_LEVELS; level++) {
        /* Active: the cubes of the first 40 rows, each once. */
        const double side = 131072.0 / (double)(1 << level);
        int32_t count = 0, told, inside = 0;
        for (int i = 0; i < 40; i++) {
            int32_t at[120];
            bool old = false;
            for (int32_t j = 0; j < dims; j++)
                at[j] = (int32_t)floor((rows[i * stride + j] - shift[j] + 65536.0) / side);
            for (int32_t c = 0; c < count && !old; c++)
                old = memcmp(active + c * dims, at, (size_t)dims * sizeof *at) == 0;
            if (!old) memcpy(active + dims * count++, at, (size_t)dims * sizeof *at);
        }
        const tac_cubes cubes = {.level = level,
                                 .shift = shift,
                                 .active = active,
                                 .count = count,
                                 .most = MOST,
                                 .threshold = 1 << 19};
        /* noise far below a row */
        MUST(ask(&w, UINT64_C(1) << 61, 1, &cubes, found, &told, NULL, NULL) == TACIT_OK);
        int64_t total = 0;
        for (int32_t f = 0; f < told; f++) {
            int32_t held = 0;
            for (int i = 0; i < N; i++) {
                bool in = true;
                for (int32_t j = 0; j < dims && in; j++) {
                    const double low = active[found[f].parent * dims + j] * side +
                                       (double)(found[f].child >> j & 1) * side / 2 + shift[j] -
                                       65536;
                    in = rows[i * stride + j] >= low && rows[i * stride + j] < low + side / 2;
                }
                held += in;
            }
            right = right &&
                    held == (int32_t)lrint(ldexp((double)found[f].count, -TAC_COUNT_GRID)) &&
                    held > 0;
            total += held;
        }
        for (int i = 0; i < N; i++)
            for (int32_t c = 0; c < count; c++) {
                bool in = true;
                for (int32_t j = 0; j < dims && in; j++)
                    in = (int32_t)floor((rows[i * stride + j] - shift[j] + 65536.0) / side) ==
                         active[c * dims + j];
                inside += in;
            }
        right = right && total == inside;
    }
    CHECK(right,
          "%d dimensions, levels 0 to 16: every row is counted in its own cube, and only there",
          dims);
    free(active);
}

static void test_refusals(void)
{
    const int32_t shift[2] = {0, 0}, wild[2] = {40000, 0}, active[2] = {0, 0}, beyond[2] = {2, 0};
    int16_t rows[2] = {0, 0};
    const world w = {.n = 1, .dims = 2, .rows = rows, .owned = 1};
    const tac_cubes good = {
        .level = 1, .shift = shift, .active = active, .count = 1, .most = 8, .threshold = 3 << 20};
    tac_cubes bad[8];
    tac_cube found[8];
    int32_t count;
    bool refused = true;

    for (int i = 0; i < 8; i++) bad[i] = good;
    bad[0].shift = wild;
    bad[1].active = beyond;
    bad[2].level = 17;
    bad[3].count = 0;
    bad[4].most = 0;
    bad[5].threshold = 0;
    bad[6].view = TAC_PROJECTED;
    bad[7].threshold = INT64_MAX; /* more than 4000 noise scales */
    for (int i = 0; i < 8; i++)
        refused = refused && ask(&w, UINT64_C(1) << 50, 1, &bad[i], found, &count, NULL, NULL) ==
                                 TACIT_E_INTERNAL;
    CHECK(refused, "queries that make no sense are refused and cost nothing");
    CHECK(ask(&w, 1, 1, &good, found, &count, NULL, NULL) == TACIT_E_ARGUMENT, "so is one without "
                                                                               "a budget");
    int32_t many_shift[40] = {0}, many_active[40] = {0};
    int16_t row[40] = {0};
    const world high = {.n = 1, .dims = 40, .rows = row, .owned = 1};
    tac_cubes loose = good;
    loose.shift = many_shift;
    loose.active = many_active;
    CHECK(ask(&high, UINT64_C(1) << 50, 1, &loose, found, &count, NULL, NULL) == TACIT_E_INTERNAL,
          "a threshold that 2^30 empty cubes would pass is refused");
    loose.threshold = tac_cubes_least(UINT64_C(1) << 20, 40, 1);
    loose.most = 3;
    MUST(ask(&high, UINT64_C(1) << 50, 1, &loose, found, &count, NULL, NULL) == TACIT_OK);
    CHECK(count == 3 && found[0].count > loose.threshold + (8 << 20), "the least one is not, and "
                                                                      "the most that are told are "
                                                                      "the largest");
}

/* Threads and the order of rows. Hundreds of children with rows, so that their order would show. */
static void test_order(void)
{
    enum { N = 5000, D = 8, MOST = 1 << D };
    static int16_t rows[N * D], other[N * D];
    const int32_t shift[D] = {100, -100}, active[D] = {0};
    const tac_cubes cubes = {.level = 0,
                             .shift = shift,
                             .active = active,
                             .count = 1,
                             .most = MOST,
                             .threshold = 1 << 20};
    tac_cube a[MOST], b[MOST];
    int32_t m, n;
    bool same = true;

    for (int i = 0; i < D * N; i++) rows[i] = (int16_t)((int32_t)(next() % 20001) - 10000);
    for (int i = 0; i < N; i++) memcpy(other + D * i, rows + D * (i * 1237 % N), D * sizeof *rows);
    const world w = {.n = N, .dims = D, .rows = rows, .owned = 1},
                v = {.n = N, .dims = D, .rows = other, .owned = 1};
    MUST(ask(&w, UINT64_C(1) << 48, 9, &cubes, a, &m, NULL, NULL) == TACIT_OK);
    for (int threads = 1; threads < 4; threads++) {
        ctx->threads = threads;
        ctx->block_bytes = 1000 * threads;
        MUST(ask(&v, UINT64_C(1) << 48, 9, &cubes, b, &n, NULL, NULL) == TACIT_OK);
        same = same && m == n;
        for (int32_t i = 0; same && i < m; i++)
            same =
                a[i].parent == b[i].parent && a[i].child == b[i].child && a[i].count == b[i].count;
    }
    CHECK(same && m > 200, "1, 2, 3 threads and another order of rows: the same cubes and counts");
}

/* ---- parts ---- */

static int by_size(const void *a, const void *b)
{
    const tac_cube *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : tac_by_place(a, b);
}

/* The same draw in one piece, by a plain loop: all cubes with rows from one stream, then all empty
   ones from the other; the `most` largest of them. */
static int32_t draw_plainly(const world *w, const tac_cubes *c, uint64_t seed, uint64_t scale,
                            tac_cube *out, int64_t *rows_inside)
{
    const int32_t drop = TAC_CUBE_LEVELS - c->level, stride = (w->dims + 1) / 2 * 2;
    tac_cube *all = calloc((size_t)w->n + 300000, sizeof *all);
    int64_t full = 0, many;
    tac_stream s;
    tac_rare rare;
    tac_key key;

    tac_key_from_insecure_seed(seed, &key);
    for (int64_t i = 0; i < w->n; i++) {
        tac_cube at = {.parent = -1, .count = 1};
        for (int32_t p = 0; p < c->count && at.parent < 0; p++) {
            at.parent = p;
            at.child = 0;
            for (int32_t j = 0; j < w->dims && at.parent >= 0; j++) {
                const int32_t u = w->rows[i * stride + j] - c->shift[j] + 65536;
                if (u >> drop != c->active[p * w->dims + j]) at.parent = -1;
                at.child |= (tac_u128)(u >> (drop - 1) & 1) << j;
            }
        }
        if (at.parent >= 0) all[full++] = at;
    }
    *rows_inside = full;
    qsort(all, (size_t)full, sizeof *all, tac_by_place);
    int64_t cubes = 0;
    for (int64_t i = 0; i < full; i++)
        if (cubes > 0 && tac_by_place(&all[cubes - 1], &all[i]) == 0)
            all[cubes - 1].count++;
        else
            all[cubes++] = all[i];
    many = cubes;
    MUST(tac_stream_open(ctx, &key, 0, 1, &s) == TACIT_OK);
    unsigned digits = (unsigned)w->dims;
    for (int32_t more = c->count - 1; more > 0; more >>= 1) digits++;
    tac_rare_set(scale, (uint64_t)c->threshold, digits, &rare);
    uint64_t gap[TAC_GAP_WORDS];
    for (uint64_t at = 0; tac_rare_gap(&s, &rare, gap); at++) {
        at += gap[0];
        if (at >= (uint64_t)c->count << w->dims) break;
        tac_cube one = {.parent = (int32_t)(at >> w->dims),
                        .child = at & ((UINT64_C(1) << w->dims) - 1)};
        if (bsearch(&one, all, (size_t)cubes, sizeof one, tac_by_place) != NULL) continue;
        one.count = c->threshold + (int64_t)tac_geometric(&s, scale);
        MUST(many < w->n + 300000);
        all[many++] = one;
    }
    tac_stream_close(&s);
    MUST(tac_stream_open(ctx, &key, 0, 0, &s) == TACIT_OK);
    for (int64_t i = 0; i < cubes; i++)
        all[i].count = (all[i].count << TAC_COUNT_GRID) + (int64_t)tac_discrete_laplace(&s, scale);
    tac_stream_close(&s);
    qsort(all, (size_t)many, sizeof *all, by_size);
    int32_t told = 0;
    while (told < many && told < c->most && all[told].count >= c->threshold) {
        out[told] = all[told];
        told++;
    }
    qsort(out, (size_t)told, sizeof *out, tac_by_place);
    free(all);
    return told;
}

/* So many active cubes that they are asked about in parts, or one of which has more children than
   are counted at a time. */
static void test_parts(int32_t dims, int32_t count, int parts)
{
    enum { N = 20000, MOST = 1000, LEVEL = 3, D = 20 };
    static int16_t rows[N * D];
    static tac_cube a[MOST], b[MOST];
    int32_t shift[D], active[64 * D], told = 0;
    const int32_t stride = (dims + 1) / 2 * 2;
    world w = {.n = N, .dims = dims, .rows = rows, .owned = 1};
    tac_cubes cubes = {
        .level = LEVEL, .shift = shift, .active = active, .count = count, .most = MOST};
    tac_receipt receipt;
    int64_t inside = 0;
    bool same = true;

    for (int32_t j = 0; j < dims; j++) shift[j] = (int32_t)(next() % 65535) - 32767;
    for (int64_t i = 0; i < N; i++) /* about `count` places, so that cubes hold many */
        for (int32_t j = 0; j < dims; j++)
            rows[i * stride + j] = (int16_t)(((i % count) * 7919 + j * 104729) % 14001 - 7000 +
                                             (int32_t)(next() % 1201));
    /* active: the cubes of the first rows, each once; what is missing, made up in a corner */
    for (int32_t c = 0; c < count; c++) {
        bool old = c >= count - 2;
        for (int32_t j = 0; j < dims; j++)
            active[c * dims + j] =
                (rows[c * stride + j] - shift[j] + 65536) >> (TAC_CUBE_LEVELS - LEVEL);
        for (int32_t e = 0; e < c && !old; e++)
            old = memcmp(active + e * dims, active + c * dims, (size_t)dims * sizeof *active) == 0;
        for (int32_t j = 0; j < dims && old; j++) active[c * dims + j] = c >> (j % 6) & 1;
    }
    const uint64_t quanta = UINT64_C(1) << 50;
    cubes.threshold = tac_cubes_least(UINT64_C(1) << 20, dims, count);
    const tac_query q = {.kind = TAC_KIND_CUBES, .dims = {dims, 0}, .cubes = cubes};
    const int32_t part = tac_cubes_part(&q);
    MUST((part == 0 ? 1 : (count + part - 1) / part) == parts);
    for (int turn = 0; turn < 3; turn++) {
        ctx->threads = 1 + turn;
        ctx->block_bytes = 3000 * (turn + 1);
        MUST(ask(&w, quanta, 5, &cubes, a, &told, NULL, &receipt) == TACIT_OK);
        const int32_t n = draw_plainly(&w, &cubes, 5, receipt.scale, b, &inside);
        same = same && told == n;
        for (int32_t i = 0; same && i < n; i++)
            same =
                a[i].parent == b[i].parent && a[i].child == b[i].child && a[i].count == b[i].count;
    }
    CHECK(same && told == MOST && inside > N / 10,
          "%d x 2^%d children, in %d parts: the cubes and counts of a draw in one piece (%d told)",
          count, dims, parts, told);
    ctx->threads = 1;
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1; /* thousands of tiny queries */
    test_coins();
    test_gaps(3, 5, 40, false);
    test_gaps(3, 5, 40, true);
    test_gaps(10, 35, 140, false);
    test_gaps(10, 35, 4, false);
    test_gaps(1000, 1, 6, false);
    test_geometric();
    test_distribution();
    test_many();
    for (int i = 0; i < 6; i++) test_places((int32_t[]){1, 2, 3, 17, 64, 120}[i]);
    test_refusals();
    test_order();
    test_parts(14, 41, 6);
    test_parts(9, 60, 1);
    test_parts(17, 5, 5);
    test_parts(20, 41, 1);
    tacit_ctx_free(ctx);
    return tap_done();
}
