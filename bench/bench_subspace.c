/* SPDX-License-Identifier: Apache-2.0 */
/* The door's queries for subspaces, one thread, processor time, best of several, as ratios:
   - fourth moments against bare loops over the same products: floats, four rows at a time, so that
     a sum is loaded and stored once for four products (they are not exact: twice as many fit a
     register as of ours), and the same in doubles;
   - a round of second moments by cells of subspaces against second moments of the same rows in one
     cell. */
#include "bench.h"
#include "privacy/door_internal.h"

enum { REPEATS = 5, ROUNDS = 25, DIMS = 32, FOUR = 4 };

static uint64_t state = 42;
static int16_t number(int range)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int16_t)((int)((state >> 33) % (uint64_t)(2 * range + 1)) - range);
}

typedef struct set {
    tac_lattice lattice;
    tac_accountant account;
    tac_engine engine;
    tac_key key;
    tac_door *door;
} set;

static void make(set *s, int64_t n, int32_t d)
{
    const int32_t stride = d + (d & 1);

    s->lattice = (tac_lattice){
        .rows = n, .dims = d, .stride = stride, .points = need((size_t)n * (size_t)stride, 2)};
    for (int64_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < d; j++) s->lattice.points[i * stride + j] = number(9000);
        tac_clip(s->lattice.points + i * stride, d);
    }
    s->account = (tac_accountant){.definition = TAC_GDP, .budget = UINT64_C(1) << 62};
    tac_engine_threads(ctx, &s->engine);
    tac_key_from_insecure_seed(1, &s->key);
    must(tac_door_open(ctx, &s->engine, &s->lattice, TACIT_ADD_REMOVE, 1, &s->account, &s->key,
                       &s->door));
}

static void drop(set *s)
{
    tac_door_close(s->door);
    free(s->lattice.points);
}

/* sum[i <= j <= k <= l] += y_ij y_kl, straight through, for FOUR rows together. */
#define BARE(name, real)                                                                           \
    static double name(const set *s)                                                               \
    {                                                                                              \
        const int32_t d = s->lattice.dims;                                                         \
        const size_t count = tac_fourth_count(d);                                                  \
        real *sum = need(count + 16, sizeof *sum);                                                 \
        const double begin = now();                                                                \
        for (int64_t r = 0; r < s->lattice.rows; r += FOUR) {                                      \
            real y[FOUR][DIMS * (DIMS + 1) / 2];                                                   \
            real *to = sum;                                                                        \
            int32_t start = 0;                                                                     \
            for (int f = 0; f < FOUR; f++) {                                                       \
                const int16_t *x = s->lattice.points + (r + f) * s->lattice.stride;                \
                int32_t at = 0;                                                                    \
                for (int32_t i = 0; i < d; i++)                                                    \
                    for (int32_t j = i; j < d; j++) y[f][at++] = (real)(x[i] * x[j] / 32768);      \
            }                                                                                      \
            const int32_t pairs = d * (d + 1) / 2;                                                 \
            for (int32_t i = 0; i < d; start += d - i, i++)                                        \
                for (int32_t j = i; j < d; j++) {                                                  \
                    const int32_t from = pairs - (d - j) * (d - j + 1) / 2, ij = start + j - i;    \
                    const real a = y[0][ij], b = y[1][ij], c = y[2][ij], e = y[3][ij];             \
                    for (int32_t kl = from; kl < pairs; kl++)                                      \
                        to[kl - from] +=                                                           \
                            a * y[0][kl] + b * y[1][kl] + c * y[2][kl] + e * y[3][kl];             \
                    to += pairs - from;                                                            \
                }                                                                                  \
        }                                                                                          \
        const double seconds = now() - begin;                                                      \
        if (sum[0] < 0) printf("%f", (double)sum[0]); /* its result must be wanted */              \
        free(sum);                                                                                 \
        return seconds;                                                                            \
    }
BARE(bare_floats, float)
BARE(bare_doubles, double)

static void fourths(int64_t n, int32_t d)
{
    tac_i128 *out = need(tac_fourth_count(d), sizeof *out);
    double ours = 1e9, floats = 1e9, doubles = 1e9;
    set s;

    make(&s, n, d);
    for (int i = 0; i < REPEATS; i++) {
        double begin = now();
        must(tac_door_fourth(s.door, "", UINT64_C(1) << 40, TAC_ROWS, out));
        ours = now() - begin < ours ? now() - begin : ours;
        s.account.spent = 0;
        const double f = bare_floats(&s), g = bare_doubles(&s);
        floats = f < floats ? f : floats;
        doubles = g < doubles ? g : doubles;
    }
    printf("fourth moments    %-8lld x %-4d %.2f of bare floats, %.2f of bare doubles (%.2f s, "
           "%.1f thousand million products a second)\n",
           (long long)n, d, ours / floats, ours / doubles, ours,
           (double)n * (double)tac_fourth_count(d) / ours / 1e9);
    drop(&s);
    free(out);
}

static void rounds(int64_t n, int32_t d, int32_t k, int32_t rank)
{
    const size_t triangle = (size_t)d * ((size_t)d + 1) / 2;
    tac_i128 *out = need((size_t)k * triangle, sizeof *out);
    int64_t *counts = need((size_t)k, 8);
    int16_t *bases = need((size_t)(k * rank * d), 2);
    const tac_cells cells = {.kind = TAC_SUBSPACES, .count = k, .bases = bases, .rank = rank},
                    all = {.kind = TAC_ONE_CELL, .count = 1};
    double round = 1e9, one = 1e9, place = 1e9;
    set s;

    make(&s, n, d);
    for (int32_t i = 0; i < k * rank * d; i++) bases[i] = number(8000);
    for (int i = 0; i < ROUNDS; i++) {
        double begin = now();
        must(tac_door_moments(s.door, "", UINT64_C(1) << 40, &all, TAC_ROWS, out));
        one = now() - begin < one ? now() - begin : one;
        begin = now();
        must(tac_door_moments(s.door, "", UINT64_C(1) << 40, &cells, TAC_ROWS, out));
        round = now() - begin < round ? now() - begin : round;
        begin = now();
        must(tac_door_histogram(s.door, "", UINT64_C(1) << 40, &cells, counts));
        place = now() - begin < place ? now() - begin : place;
        s.account.spent = 0;
    }
    printf("a round of second moments %-8lld x %-4d %d subspaces of %d: %.2f of one cell (%.2f s; "
           "placing alone %.2f)\n",
           (long long)n, d, k, rank, round / one, round, place / one);
    drop(&s);
    free(out), free(counts), free(bases);
}

int main(void)
{
    if (tacit_ctx_new(&ctx) != TACIT_OK) return 1;
    ctx->threads = 1;
    fourths(1000000, 16);
    fourths(1000000, 12);
    fourths(100000, 32);
    rounds(1000000, 50, 10, 5);
    rounds(1000000, 30, 3, 3);
    rounds(100000, 200, 10, 6);
    tacit_ctx_free(ctx);
    return 0;
}
