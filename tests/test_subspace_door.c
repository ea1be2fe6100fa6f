/* SPDX-License-Identifier: Apache-2.0 */
/* The door's queries for subspaces: known answers against sums in plain numbers, the same bits from
   every layout and code path, bounds under attack in many dimensions, and refusals. Brute force
   over tiny data sets: test_brute.c. */
#include "data/kernels/fourths.h"
#include "data/kernels/nearest_subspace.h"
#include "core/cpu.h"
#include "dice.h"
#include "privacy/door_internal.h"
#include "tap.h"
#include "narrow.h"

#include <math.h>

static tacit_ctx *ctx;
static uint64_t state = 11;

static int16_t number(int range)
{
    return (int16_t)((int)(next() % (uint64_t)(2 * range + 1)) - range);
}

static void *need(size_t count, size_t size)
{
    void *memory = aligned_alloc(64, (count * size + 127) / 64 * 64);
    MUST(memory != NULL);
    memset(memory, 0, count * size);
    return memory;
}

static const char *const paths[] = {"portable", "avx2", "avx512vnni"};

/* ---- fourth moments: the kernel ---- */

static int64_t cut(int64_t a)
{
    return a >= 0 ? a >> 15 : -(-a >> 15);
}

/* The definition, one product after the other. */
static void plain_fourths(const int16_t *rows, int64_t n, int32_t stride, int32_t d,
                          uint64_t *entry)
{
    for (int64_t r = 0; r < n; r++, rows += stride) {
        uint64_t *to = entry;
        for (int32_t i = 0; i < d; i++)
            for (int32_t j = i; j < d; j++)
                for (int32_t k = j; k < d; k++)
                    for (int32_t l = k; l < d; l++)
                        *to++ += (uint64_t)(cut((int64_t)rows[i] * rows[j]) *
                                            cut((int64_t)rows[k] * rows[l]));
    }
}

static bool fourths_agree(int64_t n, int32_t dims, bool extreme)
{
    const int32_t stride = dims + (dims & 1);
    const size_t count = tac_fourths_count(dims);
    int16_t *rows = need((size_t)(n * stride) + 1, 2);
    uint64_t *found = need(count, 8), *wanted = need(count, 8);
    void *scratch = need(tac_fourths_scratch(dims), 1);

    for (int64_t i = 0; i < n * stride; i++)
        rows[i] = extreme ? (int16_t)(next() % 2 ? -32767 : 32767) : number(32767);
    for (size_t i = 0; i < count; i++) found[i] = wanted[i] = next();
    memset(scratch, 0xff, tac_fourths_scratch(dims));
    plain_fourths(rows, n, stride, dims, wanted);
    tac_fourths(rows, n, stride, dims, scratch, found);
    const bool good = memcmp(found, wanted, count * sizeof *found) == 0;
    free(rows), free(found), free(wanted), free(scratch);
    return good;
}

static void test_fourths(void)
{
    for (int p = 0; p < 3; p++) {
        int bad = 0;
        if (!tac_cpu_use(paths[p])) continue; /* not on this machine */
        for (int32_t d = 1; d <= TAC_FOURTHS_DIMS; d++)
            bad += !fourths_agree(d % 5 + 1, d, d % 2) +
                   !fourths_agree(d < 17 ? 300 : 83, d, !(d % 2));
        CHECK(bad == 0,
              "%s: fourth moments of 1 to 32 coordinates are the sums of their products, exactly "
              "(%d are not)",
              paths[p], bad);
    }
    tac_cpu_use("auto");
}

static void test_weights(void)
{
    size_t asked = 0, bad = 0, tuples = 0;

    for (int32_t d = 1; d <= TAC_FOURTH_DIMS; d++) {
        size_t count = 0;
        for (int32_t i = 0; i < d; i++)
            for (int32_t j = i; j < d; j++)
                for (int32_t k = j; k < d; k++)
                    for (int32_t l = k; l < d; l++) {
                        const int32_t at[4] = {i, j, k, l};
                        unsigned orders = 24, run = 1;
                        for (int t = 1; t < 4; t++) {
                            run = at[t] == at[t - 1] ? run + 1 : 1;
                            orders /= run;
                        }
                        const uint32_t w = tac_fourth_weight(i, j, k, l);
                        bad += w * w > 400 * orders || (w + 1) * (w + 1) <= 400 * orders;
                        asked++, count++, tuples += d == 5 ? orders : 0;
                    }
        bad += count != tac_fourth_count(d);
    }
    CHECK(bad == 0 && tuples == 625,
          "weights are 20 roots of the number of orders, rounded down (%zu entries, %zu not)",
          asked, bad);
}

/* ---- the nearest subspace: the kernel ---- */

static void plain_nearest_subspace(const int16_t *vectors, int32_t count, int32_t rank,
                                   int32_t dims, const int16_t *x, int32_t *label, int64_t *held)
{
    *held = -1;
    for (int32_t c = 0; c < count; c++) {
        int64_t sum = 0;
        for (int32_t r = 0; r < rank; r++, vectors += dims) {
            int64_t dot = 0;
            for (int32_t j = 0; j < dims; j++) dot += (int64_t)x[j] * vectors[j];
            const int64_t part = dot >= 0 ? dot / 256 : -((-dot + 255) / 256);
            sum += part * part;
        }
        if (sum > *held) *held = sum, *label = c;
    }
}

/* twins: every subspace comes twice, so that ties must go to the first; axes: the longest possible
   dot products. */
static bool nearest_subspace_agrees(int64_t n, int32_t count, int32_t rank, int32_t dims,
                                    bool twins, bool axes)
{
    const int32_t stride = dims + (dims & 1);
    const size_t each = (size_t)rank * (size_t)dims;
    int16_t *rows = need((size_t)(n * stride) + 1, 2), *vectors = need((size_t)count * each, 2);
    int32_t *label = need((size_t)n, 4);
    int64_t *held = need((size_t)n, 8);
    tac_spans *spans = NULL;
    bool good = true;

    for (int64_t i = 0; i < n; i++) {
        if (axes)
            rows[i * stride + (int64_t)(next() % (uint64_t)dims)] =
                (int16_t)(next() % 2 ? TAC_M : -TAC_M);
        else
            for (int32_t j = 0; j < dims && i % 7 != 3; j++)
                rows[i * stride + j] = number(i % 5 ? 9000 : 50);
        tac_clip(rows + i * stride, dims);
    }
    for (int32_t c = 0; c < count * rank; c++) {
        int16_t *v = vectors + (size_t)c * (size_t)dims;
        if (axes)
            v[next() % (uint64_t)dims] = (int16_t)(next() % 2 ? TAC_M : -TAC_M);
        else
            for (int32_t j = 0; j < dims; j++) v[j] = number(20000);
        tac_clip(v, dims);
    }
    for (int32_t c = 1; twins && c < count; c += 2)
        memcpy(vectors + (size_t)c * each, vectors + (size_t)(c / 4 * 4) * each, each * 2);
    MUST(tac_spans_new(ctx, vectors, count, rank, dims, &spans) == TACIT_OK);
    memset(label, 0xff, (size_t)n * 4);
    tac_nearest_subspace(spans, rows, n, stride, label, held);
    for (int64_t i = 0; i < n; i++) {
        int64_t most;
        int32_t best = -1;
        plain_nearest_subspace(vectors, count, rank, dims, rows + i * stride, &best, &most);
        good = good && best == label[i] && most == held[i];
    }
    tac_nearest_subspace(spans, rows, n, stride, label, NULL);
    tac_spans_free(spans);
    free(rows), free(vectors), free(label), free(held);
    return good;
}

static void test_nearest_subspace(void)
{
    static const int32_t counts[] = {1, 2, 3, 4, 5, 8, 9, 16, 17, 35},
                         ranks[] = {1, 2, 3, 4, 5, 9, 17}, dims[] = {1, 2, 7, 20, 50, 300};

    for (int p = 0; p < 3; p++) {
        int bad = 0, asked = 0;
        if (!tac_cpu_use(paths[p])) continue; /* not on this machine */
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++)
                for (size_t d = 0; d < sizeof dims / sizeof *dims; d++) {
                    const int64_t n = (int64_t[]){1, 47, 48, 49, 100}[asked % 5];
                    bad += !nearest_subspace_agrees(n, counts[c], ranks[r], dims[d], asked % 3 == 1,
                                                    asked % 4 == 1);
                    asked++;
                }
        bad += !nearest_subspace_agrees(60, 3, 2, 1500, false, false);
        CHECK(bad == 0,
              "%s: the fullest of 1 to 35 subspaces, ties to the first, and what it holds (%d "
              "shapes, %d wrong)",
              paths[p], asked + 1, bad);
    }
    tac_cpu_use("auto");
}

/* ---- fourth moments: the bounds, in many dimensions ---- */

/* What one row says, weighted. */
static void weighted(const int16_t *x, int32_t d, void *scratch, int64_t *out)
{
    memset(out, 0, tac_fourth_count(d) * sizeof *out);
    tac_fourths(x, 1, d + (d & 1), d, scratch, (uint64_t *)out);
    for (int32_t i = 0; i < d; i++)
        for (int32_t j = i; j < d; j++)
            for (int32_t k = j; k < d; k++)
                for (int32_t l = k; l < d; l++) *out++ *= (int64_t)tac_fourth_weight(i, j, k, l);
}

static tac_u128 apart2(const int64_t *a, const int64_t *b, size_t count)
{
    tac_u128 sum = 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t gap = b == NULL ? a[i] : a[i] - b[i];
        sum += (tac_u128)((tac_i128)gap * gap);
    }
    return sum;
}

/* Rows chosen to hurt: axes, few coordinates, signs (orthogonal ones too), products just below a
   multiple of 2^15. */
static void hard_row(int how, int32_t d, int16_t *x)
{
    memset(x, 0, (size_t)(d + 1) * sizeof *x);
    for (int32_t j = 0; j < d; j++)
        x[j] = how == 0   ? number(32767)
               : how == 1 ? (int16_t)(next() % 2 ? 5792 : -5792)
               : how == 2 ? (int16_t)(next() % 8 == 0 ? number(32767) : 0)
               : how == 3 ? (int16_t)((next() % 2 ? 1 : -1) * (int)(181 * (1 + next() % 30) - 1))
                          : (int16_t)(number(2) * 181);
    if (how == 5) memset(x, 0, (size_t)d * sizeof *x), x[next() % (uint64_t)d] = TAC_M;
    tac_clip(x, d);
}

static void test_fourth_bounds(void)
{
    static const int32_t dims[] = {1, 2, 3, 5, 8, 16, 32};
    const size_t most = tac_fourth_count(TAC_FOURTH_DIMS);
    int64_t *a = need(most, 8), *b = need(most, 8);
    void *scratch = need(tac_fourths_scratch(TAC_FOURTH_DIMS) * 4, 1);

    for (size_t t = 0; t < sizeof dims / sizeof *dims; t++) {
        const int32_t d = dims[t];
        const size_t count = tac_fourth_count(d);
        const tac_u128 one = tac_sensitivity_fourth(TACIT_ADD_REMOVE, 1, d).l2_squared;
        const tac_u128 two = tac_sensitivity_fourth(TACIT_REPLACE, 1, d).l2_squared,
                       l1 = tac_sensitivity_fourth(TACIT_ADD_REMOVE, 1, d).l1;
        double alone = 0, pair = 0;
        int beyond = 0;

        for (long round = 0; round < tap_times(d > 8 ? 300 : 3000); round++) {
            int16_t x[TAC_FOURTH_DIMS + 2], z[TAC_FOURTH_DIMS + 2];
            tac_u128 sum = 0;
            hard_row((int)(next() % 6), d, x);
            hard_row((int)(next() % 6), d, z);
            if (next() % 4 == 0) /* the same sizes with other signs */
                for (int32_t j = 0; j < d; j++) z[j] = (int16_t)(next() % 2 ? x[j] : -x[j]);
            weighted(x, d, scratch, a);
            weighted(z, d, scratch, b);
            for (size_t i = 0; i < count; i++) sum += (uint64_t)(a[i] < 0 ? -a[i] : a[i]);
            const tac_u128 alone2 = apart2(a, NULL, count), pair2 = apart2(a, b, count);
            beyond += alone2 > one || pair2 > two || sum > l1;
            alone = fmax(alone, (double)alone2 / (double)one);
            pair = fmax(pair, (double)pair2 / (double)two);
        }
        CHECK(beyond == 0, "%d coordinates: no row and no pair of rows passes its bound (%d do)", d,
              beyond);
        /* An axis point comes as near as cutting lets it; two are at a right angle. One coordinate:
           rows cannot be at one. */
        CHECK(alone > 1 - 2e-8 && (d == 1 || pair > 1 - 2.1 * sqrt(8) * d / 32768),
              "... and some come near (%.9f, %.6f)", alone, pair);
    }
    free(a), free(b), free(scratch);
}

/* ---- one of several sets of subspaces ---- */

enum { N = 1201, DIMS = 9, STRIDE = 10, SETS = 4, K = 3, RANK = 2 };

typedef struct costs {
    size_t count;
    uint64_t cost[16];
    tac_receipt receipt;
} costs;

static void keep_costs(void *payload, const tac_receipt *r, const uint64_t *word, size_t count)
{
    costs *c = payload;
    MUST(count <= 16);
    c->count = count;
    c->receipt = *r;
    memcpy(c->cost, word, count * sizeof *word);
}

typedef struct params {
    tac_definition definition;
    tacit_neighbors neighbors;
    int32_t rows_per_unit;
} params;

static int32_t choose(const int16_t *rows, int64_t n, int32_t dims, const int16_t *bases, int32_t m,
                      int32_t k, int32_t rank, const params *t, uint64_t quanta, costs *out)
{
    tac_lattice lattice = {
        .rows = n, .dims = dims, .stride = dims + (dims & 1), .points = (int16_t *)rows};
    tac_accountant accountant = {.definition = t->definition, .budget = UINT64_C(1) << 62};
    const tac_door_probe probe = {.exact = keep_costs, .payload = out};
    tac_engine engine;
    tac_door *door = NULL;
    tac_key key;
    int32_t chosen = -1;

    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(3, &key);
    MUST(tac_door_open(ctx, &engine, &lattice, t->neighbors, t->rows_per_unit, &accountant, &key,
                       &door) == TACIT_OK);
    tac_door_set_probe(door, &probe);
    MUST(tac_door_choose_subspaces(door, "test", quanta, TAC_ROWS, bases, m, k, rank, &chosen) ==
         TACIT_OK);
    tac_door_close(door);
    return chosen;
}

/* Orthonormal vectors of about length M, by Gram-Schmidt. */
static void make_subspace(int32_t rank, int32_t dims, int16_t *to)
{
    double v[16][16];
    for (int32_t r = 0; r < rank; r++) {
        double norm = 0;
        for (int32_t j = 0; j < dims; j++) v[r][j] = number(1000);
        for (int32_t p = 0; p < r; p++) {
            double dot = 0;
            for (int32_t j = 0; j < dims; j++) dot += v[r][j] * v[p][j];
            for (int32_t j = 0; j < dims; j++) v[r][j] -= dot * v[p][j];
        }
        for (int32_t j = 0; j < dims; j++) norm += v[r][j] * v[r][j];
        for (int32_t j = 0; j < dims; j++) v[r][j] /= sqrt(norm);
        for (int32_t j = 0; j < dims; j++) to[r * dims + j] = (int16_t)lround(TAC_M * v[r][j]);
    }
}

static void test_choose(void)
{
    static int16_t rows[N * STRIDE], bases[SETS * K * RANK * DIMS];
    const params t = {.definition = TAC_GDP, .neighbors = TACIT_ADD_REMOVE, .rows_per_unit = 1};
    const uint64_t much = tac_cost_selection(TAC_GDP, UINT64_C(500) << TAC_SELECTION_BITS);
    costs first, again;
    double worst = 0;
    int different = 0, seen = 0;

    for (int32_t s = 0; s < SETS * K; s++)
        make_subspace(RANK, DIMS, bases + (size_t)s * RANK * DIMS);
    for (int i = 0; i < N; i++) { /* near a subspace of the third set */
        const int16_t *b = bases + (2 * K + i % K) * RANK * DIMS;
        const double u = number(1000) / 1500.0, v = number(1000) / 1500.0;
        for (int j = 0; j < DIMS; j++)
            rows[i * STRIDE + j] = (int16_t)(u * b[j] + v * b[DIMS + j] + number(300));
        tac_clip(rows + i * STRIDE, DIMS);
    }
    const int32_t chosen = choose(rows, N, DIMS, bases, SETS, K, RANK, &t, much, &first);
    CHECK(chosen == 2 && first.count == SETS,
          "of four sets of subspaces the one that the rows lie near is chosen (%d)", chosen);
    for (int32_t s = 0; s < SETS; s++) {
        double sum = 0, slack = 0;
        for (int i = 0; i < N; i++) {
            double far = INFINITY, norm = 0;
            for (int j = 0; j < DIMS; j++)
                norm += (double)rows[i * STRIDE + j] * rows[i * STRIDE + j];
            for (int32_t k = 0; k < K; k++) {
                double held = 0;
                for (int32_t r = 0; r < RANK; r++) {
                    double dot = 0;
                    for (int j = 0; j < DIMS; j++)
                        dot += (double)bases[((s * K + k) * RANK + r) * DIMS + j] / TAC_M *
                               rows[i * STRIDE + j];
                    held += dot * dot;
                }
                far = fmin(far, norm - held);
            }
            sum += far;
            slack += 65536 + norm / 8000; /* the shift, and 2^14 for M^2 / 2^16 */
        }
        worst = fmax(worst, fabs(65536.0 * (double)first.cost[s] - sum) / slack);
    }
    CHECK(worst <= 1, "... by the sum of squared distances, up to rounding (%.2f of it)", worst);
    for (int turn = 0; turn < 12; turn++) {
        ctx->threads = (int[]){1, 2, 3, 7}[turn % 4];
        ctx->block_bytes = turn < 4 ? 1 << 18 : turn < 8 ? 13 : 4096;
        if (!tac_cpu_use(paths[turn % 3])) continue; /* not on this machine */
        different += choose(rows, N, DIMS, bases, SETS, K, RANK, &t, 1 << 20, &again) !=
                         choose(rows, N, DIMS, bases, SETS, K, RANK, &t, 1 << 20, &again) ||
                     memcmp(first.cost, again.cost, sizeof(uint64_t) * SETS) != 0;
        for (int i = 0; i < N / 2; i++)
            for (int j = 0; j < STRIDE; j++) {
                const int16_t swap = rows[i * STRIDE + j];
                rows[i * STRIDE + j] = rows[(N - 1 - i) * STRIDE + j];
                rows[(N - 1 - i) * STRIDE + j] = swap;
            }
        seen++;
    }
    tac_cpu_use("auto");
    ctx->threads = 1;
    ctx->block_bytes = 1 << 18;
    CHECK(different == 0 && seen > 0,
          "... threads, blocks, row orders, code paths (%d settings): the same costs (%d differ)",
          seen, different);
}

/* ---- refusals ---- */

static void test_refusals(void)
{
    static int16_t points[40 * 34], bases[3 * 40];
    static int64_t out[1];
    tac_lattice lattice = {.rows = 40, .dims = 33, .stride = 34, .points = points};
    tac_accountant accountant = {.definition = TAC_GDP, .budget = UINT64_C(1) << 50};
    tac_engine engine;
    tac_door *door = NULL;
    tac_key key;
    int32_t chosen = 7;

    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(3, &key);
    MUST(tac_door_open(ctx, &engine, &lattice, TACIT_ADD_REMOVE, 1, &accountant, &key, &door) ==
         TACIT_OK);
    out[0] = 7;
    CHECK(narrow_fourth(door, "x", 1 << 30, TAC_ROWS, out) == TACIT_E_INTERNAL && out[0] == 7,
          "fourth moments of 33 coordinates are refused");
    CHECK(narrow_fourth(door, "x", 1 << 30, TAC_PROJECTED, out) == TACIT_E_INTERNAL,
          "... and those of a view that is not there");
    static const struct {
        int view, m, k, rank;
    } wrong[] = {{0, 0, 1, 1},  {0, -1, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0},      {0, 1, 1, 34},
                 {0, 1, -2, 1}, {1, 1, 1, 1},  {5, 1, 1, 1}, {0, 1, 1 << 24, 2}};
    int taken = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        taken +=
            tac_door_choose_subspaces(door, "x", 1 << 30, (tac_view)wrong[i].view, bases,
                                      wrong[i].m, wrong[i].k, wrong[i].rank, &chosen) == TACIT_OK;
    taken +=
        tac_door_choose_subspaces(door, "x", 1 << 30, TAC_ROWS, NULL, 1, 1, 1, &chosen) == TACIT_OK;
    taken += tac_door_choose_subspaces(door, "x", 0, TAC_ROWS, bases, 1, 1, 1, &chosen) == TACIT_OK;
    CHECK(taken == 0 && chosen == 7, "choices that make no sense are refused (%d are taken)",
          taken);
    CHECK(accountant.spent == 0 && tac_door_asked(door) == 0, "... all of it unpaid");
    const tac_privacy_params params_of = tac_door_params(door);
    lattice.dims = 4;
    int64_t some[35];
    MUST(narrow_fourth(door, "x", UINT64_C(1) << 40, TAC_ROWS, some) == TACIT_OK);
    CHECK(tac_quote_fourth(&params_of, 4, UINT64_C(1) << 40) == tac_door_receipt(door, 0)->scale,
          "a quote is the scale that is drawn");
    tac_door_close(door);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    test_fourths();
    test_weights();
    test_nearest_subspace();
    test_fourth_bounds();
    test_choose();
    test_refusals();
    tacit_ctx_free(ctx);
    return tap_done();
}
