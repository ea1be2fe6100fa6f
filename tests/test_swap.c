/* SPDX-License-Identifier: Apache-2.0 */
/* Swaps: every cost against brute force on every code path, the distribution of the draw, refusals.
   How far one unit moves costs: test_brute.c. */
#include "core/cpu.h"
#include "dice.h"
#include "privacy/door_internal.h"
#include "privacy/queries/literature/swap_scores.h"
#include "statistics.h"
#include "tap.h"

static tacit_ctx *ctx;
static uint64_t state = 1234567;

/* ---- the cost of a distance ---- */

static void test_distance(void)
{
    bool rises = true, near = true, table = true;
    uint32_t before = 0;

    /* all small ones, then ever wider steps up to 2^32 - 1 */
    for (uint64_t i = 0; i < 3000000; i++) {
        const uint64_t v =
            i < 100000
                ? i
                : 100000 + (uint64_t)((double)(i - 100000) * (4294967295.0 - 100000) / 2899999.0);
        const uint32_t d = tac_distance((uint32_t)v);
        const double root = sqrt((double)v);
        rises = rises && d >= before;
        near = near && (double)d <= root && (double)d >= root * 0.998 - 2;
        before = d;
    }
    for (int e = 2; e <= 32; e += 2) { /* around every change of the shift */
        const uint32_t v = (uint32_t)((UINT64_C(1) << e) - 1);
        rises = rises && (e == 32 || (tac_distance(v - 1) <= tac_distance(v) &&
                                      tac_distance(v) <= tac_distance(v + 1)));
    }
    for (int i = 4; i < 16; i++) {
        const uint64_t from = tac_root((tac_u128)i << 28),
                       to = i == 15 ? 65536 : tac_root((tac_u128)(i + 1) << 28);
        table = table && tac_roots[i] == (from << 16 | (to - from));
    }
    CHECK(rises, "tac_distance never falls");
    CHECK(near, "... is never above the square root, at most 0.2 %% and 2 units below it");
    CHECK(table, "... its table is what the square roots say");
    CHECK(before == TAC_DISTANCE_MOST, "... and ends at its bound");
}

/* ---- a query, and brute force ---- */

typedef struct answer {
    uint64_t *word;
    size_t words;
} answer;

static void remember(void *payload, const tac_receipt *receipt, const uint64_t *words, size_t count)
{
    answer *a = payload;
    (void)receipt;
    a->word = realloc(a->word, count * sizeof *words);
    a->words = count;
    memcpy(a->word, words, count * sizeof *words);
}

typedef struct world {
    int64_t n;
    int32_t dims, stride, k, m;
    bool median;
    tacit_neighbors neighbors;
    tac_definition definition;
    int32_t rows_per_unit;
    int16_t *rows, *centers, *candidates;
} world;

static tacit_status ask(const world *w, uint64_t quanta, uint64_t seed, answer *exact, int32_t *out,
                        int32_t *in, tac_receipt *receipt)
{
    tac_lattice lattice = {.rows = w->n, .dims = w->dims, .stride = w->stride, .points = w->rows};
    tac_accountant account = {.definition = w->definition, .budget = UINT64_C(1) << 60};
    tac_door_probe probe = {.exact = remember, .payload = exact};
    tac_engine engine;
    tac_door *door = NULL;
    tac_key key;

    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(seed, &key);
    MUST(tac_door_open(ctx, &engine, &lattice, w->neighbors, w->rows_per_unit, &account, &key,
                       &door) == TACIT_OK);
    if (exact != NULL) tac_door_set_probe(door, &probe);
    const tac_swap swap = {.median = w->median,
                           .centers = w->centers,
                           .k = w->k,
                           .candidates = w->candidates,
                           .m = w->m};
    const tacit_status status = tac_door_swap(door, "test", quanta, &swap, out, in);
    if (status == TACIT_OK && receipt != NULL) *receipt = *tac_door_receipt(door, 0);
    if (status == TACIT_OK)
        MUST(account.spent == tac_door_receipt(door, 0)->quanta && account.spent <= quanta);
    tac_door_close(door);
    return status;
}

static uint64_t far(const int16_t *a, const int16_t *b, int32_t dims)
{
    uint64_t sum = 0;
    for (int32_t j = 0; j < dims; j++)
        sum += (uint64_t)(((int64_t)a[j] - b[j]) * ((int64_t)a[j] - b[j]));
    return sum;
}

/* Cost of the centers with candidate y in the place of i (-1: as they are), by definition. */
static uint64_t cost(const world *w, int32_t i, int32_t y)
{
    uint64_t total = 0;

    for (int64_t r = 0; r < w->n; r++) {
        uint64_t least = UINT64_MAX;
        for (int32_t c = 0; c < w->k; c++) {
            const int16_t *at = c == i ? w->candidates + (size_t)y * (size_t)w->dims
                                       : w->centers + (size_t)c * (size_t)w->dims;
            const uint64_t d = far(w->rows + r * w->stride, at, w->dims);
            least = d < least ? d : least;
        }
        total += w->median ? tac_distance((uint32_t)least) : least >> 16;
    }
    return total;
}

/* Points in the ball, now and then on its surface, and some of them equal: ties. */
static void fill(int16_t *points, int64_t count, int32_t stride, int32_t dims)
{
    for (int64_t i = 0; i < count; i++) {
        int16_t *x = points + i * stride;
        memset(x, 0, (size_t)stride * sizeof *x);
        if (i > 0 && next() % 8 == 0)
            memcpy(x, x - stride, (size_t)stride * sizeof *x);
        else
            for (int32_t j = 0; j < dims; j++)
                x[j] = (int16_t)((int32_t)(next() % 65535) - 32767) / (int16_t)(1 + next() % 3);
        tac_clip(x, dims);
    }
}

static world make(int64_t n, int32_t dims, int32_t k, int32_t m, bool median)
{
    world w = {.n = n,
               .dims = dims,
               .stride = (dims + 1) / 2 * 2,
               .k = k,
               .m = m,
               .median = median,
               .rows_per_unit = 1};

    w.rows = calloc((size_t)(n + 1) * (size_t)w.stride, sizeof(int16_t));
    w.centers = calloc((size_t)k * (size_t)dims, sizeof(int16_t));
    w.candidates = calloc((size_t)m * (size_t)dims, sizeof(int16_t));
    fill(w.rows, n, w.stride, dims);
    fill(w.centers, k, dims, dims);
    fill(w.candidates, m, dims, dims);
    return w;
}

static void clear(world *w)
{
    free(w->rows);
    free(w->centers);
    free(w->candidates);
}

/* The kernels' own square roots, at every power of two and between: rows of any length against a
   candidate at 0. */
static void test_roots(void)
{
    static const char *const path[] = {"portable", "avx2", "avx512vnni"};
    const int16_t zero[2] = {0}, minus[2] = {0};
    const uint32_t most = UINT32_MAX;
    tac_swap_points points;

    MUST(tac_swap_points_open(ctx, zero, 1, 2, &points) == TACIT_OK);
    for (int p = 0; p < 3; p++) {
        bool same = true;
        if (!tac_cpu_use(path[p])) continue;
        for (uint64_t i = 0; i < 33 * 64; i++) {
            const uint64_t power = UINT64_C(1) << i / 64,
                           draw = i * UINT64_C(0x9e3779b97f4a7c15) >> 20;
            const uint32_t v = (uint32_t)(i % 64 == 0   ? power - 1
                                          : i % 64 == 1 ? power
                                                        : power + draw % power);
            uint64_t stay[64] = {0}, leave[64] = {0};
            const tac_swap_rows row = {
                .minus = minus, .norm2 = &v, .near = &most, .next = &most, .n = 1};
            tac_swap_panel(&points, 0, &row, true, stay, leave);
            for (int y = 0; y < 64; y++)
                same = same && stay[y] == tac_distance(v) && leave[y] == tac_distance(v);
        }
        CHECK(same, "%s: square roots are tac_distance", path[p]);
    }
    tac_swap_points_close(&points);
}

static void test_costs(void)
{
    static const char *const path[] = {"portable", "avx2", "avx512vnni"};
    const struct {
        int64_t n;
        int32_t dims, k, m;
    } shape[] = {{0, 2, 2, 3},    {1, 1, 1, 1},      {50, 1, 1, 5},
                 {200, 2, 3, 70}, {300, 3, 5, 64},   {150, 5, 2, 130},
                 {100, 8, 9, 65}, {17000, 3, 4, 20}, {60, 33, 3, 11}};

    for (int p = 0; p < 3; p++) {
        bool same = true;
        if (!tac_cpu_use(path[p])) {
            CHECK(true, "%s: not on this machine # SKIP", path[p]);
            continue;
        }
        state = 99;
        for (size_t s = 0; s < 2 * sizeof shape / sizeof *shape; s++) {
            world w =
                make(shape[s / 2].n, shape[s / 2].dims, shape[s / 2].k, shape[s / 2].m, s % 2);
            answer a = {0};
            int32_t out, in;
            MUST(ask(&w, UINT64_C(1) << 49, s, &a, &out, &in, NULL) == TACIT_OK);
            MUST(a.words == 1 + (size_t)w.k * (size_t)w.m);
            same = same && a.word[0] == cost(&w, -1, 0);
            for (int32_t i = 0; i < w.k; i++)
                for (int32_t y = 0; y < w.m; y++)
                    same = same && a.word[1 + i * w.m + y] == cost(&w, i, y);
            same = same && (out == -1 ? in == -1 : out < w.k && in >= 0 && in < w.m);
            free(a.word);
            clear(&w);
        }
        CHECK(same, "%s: every cost of k-means and k-median swaps is that of brute force", path[p]);
    }
    tac_cpu_use("auto");
}

/* Threads and the order of rows change no cost and no choice. */
static void test_order(void)
{
    world w = make(30000, 4, 6, 100, false);
    int16_t *kept = malloc((size_t)w.n * (size_t)w.stride * sizeof *kept);
    answer a = {0}, b = {0};
    int32_t out[2], in[2];
    bool same = true;

    memcpy(kept, w.rows, (size_t)w.n * (size_t)w.stride * sizeof *kept);
    ctx->threads = 1;
    MUST(ask(&w, UINT64_C(1) << 45, 5, &a, &out[0], &in[0], NULL) == TACIT_OK);
    for (int threads = 1; threads < 4; threads++) {
        ctx->threads = threads;
        for (int64_t i = 0; i < w.n; i++)
            memcpy(w.rows + i * w.stride, kept + (i * 7919 % w.n) * w.stride,
                   (size_t)w.stride * sizeof *kept);
        MUST(ask(&w, UINT64_C(1) << 45, 5, &b, &out[1], &in[1], NULL) == TACIT_OK);
        same = same && memcmp(a.word, b.word, a.words * sizeof *a.word) == 0 && out[0] == out[1] &&
               in[0] == in[1];
    }
    ctx->threads = 2;
    CHECK(same, "1, 2, 3 threads and another order of rows: the same costs and the same choice");
    free(a.word);
    free(b.word);
    free(kept);
    clear(&w);
}

/* ---- the distribution of the draw: permute-and-flip, by summing over all orders ---- */

static double accept_at[8];

/* Probability of each option, given which are left. */
static void add_distribution(unsigned left, double p, double *distribution)
{
    const int many = __builtin_popcount(left);
    for (int i = 0; i < 8; i++)
        if (left >> i & 1) {
            distribution[i] += p / many * accept_at[i];
            if (accept_at[i] < 1)
                add_distribution(left & ~(1u << i), p / many * (1 - accept_at[i]), distribution);
        }
}

/* Pure: permute-and-flip. Gaussian account: the exponential mechanism. */
static void test_distribution(bool median, tac_definition definition)
{
    const long draws = tap_times(10000);
    world w = make(3, 2, 2, 3, median);
    const int16_t rows[6] = {100, 200, -20000, 3000, 9000, 9000},
                  centers[4] = {0, 0, 15000, -15000};
    const int16_t candidates[6] = {-20000, 3000, 9000, 9000, -9000, 20000};
    int64_t seen[7] = {0};
    double distribution[8] = {0};
    answer a = {0};
    tac_receipt receipt;
    int32_t out, in;

    memcpy(w.rows, rows, sizeof rows);
    memcpy(w.centers, centers, sizeof centers);
    memcpy(w.candidates, candidates, sizeof candidates);
    w.definition = definition;
    for (long t = 0; t < draws; t++) {
        /* pure: epsilon 6 */
        MUST(ask(&w, UINT64_C(3) << 51, (uint64_t)t, t == 0 ? &a : NULL, &out, &in, &receipt) ==
             TACIT_OK);
        seen[out < 0 ? 0 : 1 + out * 3 + in]++;
    }
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 7; i++) least = a.word[i] < least ? a.word[i] : least;
    for (int i = 0; i < 7; i++)
        accept_at[i] = exp(-ldexp((double)receipt.scale, -30) * (double)(a.word[i] - least) /
                           (double)receipt.sensitivity);
    MUST(definition != TAC_PURE || receipt.scale == UINT64_C(6) << 30);
    if (definition == TAC_PURE) add_distribution(127, 1, distribution);
    double all = 0;
    for (int i = 0; i < 7; i++) all += accept_at[i];
    for (int i = 0; definition != TAC_PURE && i < 7; i++) distribution[i] = accept_at[i] / all;
    const double z = fit_z(seen, distribution, 7, (double)draws);
    CHECK(fabs(z) < ALARM, "%s: choices follow %s (z = %.2f, false alarms 1e-6)",
          median ? "k-median" : "k-means",
          definition == TAC_PURE ? "permute-and-flip" : "the exponential mechanism", z);
    free(a.word);
    clear(&w);
}

static void test_refusals(void)
{
    world w = make(3, 2, 2, 3, false);
    int32_t out, in;
    answer none = {0};

    CHECK(ask(&w, 1, 1, NULL, &out, &in, NULL) == TACIT_E_ARGUMENT && out == -1, "no budget, no "
                                                                                 "swap");
    w.k = 0;
    CHECK(ask(&w, UINT64_C(1) << 45, 1, NULL, &out, &in, NULL) == TACIT_E_INTERNAL, "no center, no "
                                                                                    "swap");
    w.k = 60000;
    w.m = 60000;
    CHECK(ask(&w, UINT64_C(1) << 45, 1, NULL, &out, &in, NULL) == TACIT_E_INTERNAL,
          "more choices than can be counted are refused");
    w.k = 2, w.m = 3;
    /* outside the ball: the door pulls them in */
    for (int i = 0; i < 6; i++) w.candidates[i] = 32767;
    for (int i = 0; i < 4; i++) w.centers[i] = -32767;
    MUST(ask(&w, UINT64_C(1) << 45, 1, &none, &out, &in, NULL) == TACIT_OK);
    for (int i = 0; i < 3; i++) tac_clip(w.candidates + 2 * i, 2);
    for (int i = 0; i < 2; i++) tac_clip(w.centers + 2 * i, 2);
    bool pulled = none.word[0] == cost(&w, -1, 0);
    for (int i = 0; i < 6; i++) pulled = pulled && none.word[1 + i] == cost(&w, i / 3, i % 3);
    CHECK(pulled, "centers and candidates outside the ball are pulled in first");
    free(none.word);
    clear(&w);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 2;
    test_distance();
    test_roots();
    test_costs();
    test_order();
    for (int median = 0; median < 2; median++) {
        test_distribution(median != 0, TAC_PURE);
        test_distribution(median != 0, TAC_GDP);
    }
    test_refusals();
    tacit_ctx_free(ctx);
    return tap_done();
}
