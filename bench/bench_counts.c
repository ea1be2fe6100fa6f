/* SPDX-License-Identifier: Apache-2.0 */
/* Queries about sparse rows of counts, one thread, processor time, as ratios: cells by the largest
   product and sums by them against one plain sweep over the same entries (products with one vector
   of floats) and against bare products with as many vectors of floats; second moments against the
   same number of bare multiply-adds in a near cache; placing rows against reading them. Best of
   several. */
#include "bench.h"
#include "privacy/door_internal.h"

#include <math.h>

enum { REPEATS = 5 };

static volatile double sink;

static uint64_t state = 42;
static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

typedef struct table {
    int64_t rows;
    int32_t columns;
    int64_t *start;
    int32_t *column;
    double *count;
} table;

/* About `each` entries a row, columns as frequent as words: column j about as 1 / (j + 10). */
static table make(int64_t rows, int32_t columns, int32_t each)
{
    table t = {.rows = rows, .columns = columns};
    uint8_t *seen = need((size_t)columns, 1);

    t.start = need((size_t)rows + 1, 8);
    t.column = need((size_t)(rows * each), 4);
    t.count = need((size_t)(rows * each), 8);
    for (int64_t i = 0, at = 0; i < rows; i++) {
        const int64_t from = at;
        for (int32_t e = 0; e < each; e++) {
            const int32_t j = (int32_t)(10 * pow((columns + 10) / 10.0, uniform())) - 10;
            if (seen[j]) continue;
            seen[j] = 1;
            t.column[at] = j;
            t.count[at++] = floor(1 / (uniform() + 0.1));
        }
        for (int64_t e = from; e < at; e++) seen[t.column[e]] = 0;
        t.start[i + 1] = at;
    }
    free(seen);
    return t;
}

typedef struct asking {
    tac_engine engine;
    tac_accountant account;
    tac_key key;
    tac_door *door;
} asking;

static void open_door(asking *a, const tac_lattice *l)
{
    a->account = (tac_accountant){.definition = TAC_GDP, .budget = UINT64_C(1) << 62};
    tac_engine_threads(ctx, &a->engine);
    tac_key_from_insecure_seed(1, &a->key);
    must(tac_door_open(ctx, &a->engine, l, TACIT_ADD_REMOVE, 1, &a->account, &a->key, &a->door));
}

/* <x_i, b> for every row: the plain sweep. */
static double sweep(const tac_lattice *l, const float *b)
{
    const double begin = now();
    float all = 0;

    for (int64_t i = 0; i < l->rows; i++) {
        float sum = 0;
        for (int64_t e = l->start[i]; e < l->start[i + 1]; e++)
            sum += b[l->column[e]] * (float)l->value[e];
        all = sum > all ? sum : all;
    }
    sink = all;
    return now() - begin;
}

typedef float float_x16 __attribute__((vector_size(64)));

/* The same with 16 `many` vectors side by side, as floats: sums stay in registers. */
__attribute__((always_inline)) static inline double bare_of(const tac_lattice *l, const float *b,
                                                            const int many)
{
    const double begin = now();
    float_x16 all = {0};

    for (int64_t i = 0; i < l->rows; i++) {
        float_x16 sum[8] = {{0}};
        for (int64_t e = l->start[i]; e < l->start[i + 1]; e++) {
            const float x = (float)l->value[e];
            const float_x16 *from =
                (const float_x16 *)(const void *)b + (size_t)l->column[e] * (size_t)many;
#pragma GCC unroll 8
            for (int r = 0; r < many; r++) sum[r] += from[r] * x;
        }
#pragma GCC unroll 8
        for (int r = 0; r < many; r++) all += sum[r];
    }
    sink = all[0];
    return now() - begin;
}

static double bare(const tac_lattice *l, const float *b, int32_t k)
{
    return k <= 16 ? bare_of(l, b, 1) : k <= 32 ? bare_of(l, b, 2) : bare_of(l, b, 8);
}

static void cells(const tac_lattice *l, int32_t k)
{
    const size_t numbers = (size_t)k * (size_t)l->dims;
    int16_t *centers = need(numbers, 2);
    float *b = need((size_t)128 * (size_t)l->dims, 4);
    int64_t *sums = need(numbers, 8), *counts = need((size_t)k, 8);
    const tac_cells by = {.kind = TAC_ARGMAX, .count = k, .centers = centers};
    double one = 1e9, products = 1e9, histogram = 1e9, summed = 1e9, noise = 1e9;
    asking a;

    /* the rest is 0 */
    for (size_t i = 0; i < numbers; i++)
        centers[i] = (int16_t)(uniform() * 300), b[i] = (float)uniform();
    open_door(&a, l);
    for (int round = 0; round < REPEATS; round++) {
        one = least(one, sweep(l, b));
        products = least(products, bare(l, b, k));
        double begin = now();
        must(tac_door_histogram(a.door, "bench", UINT64_C(1) << 40, &by, counts));
        histogram = least(histogram, now() - begin);
        begin = now();
        must(tac_door_sums(a.door, "bench", UINT64_C(1) << 40, &by, TAC_ROWS, 1, sums, counts));
        summed = least(summed, now() - begin);
        begin = now();
        must(tac_add_noise(ctx, &a.engine, &a.key, 77, TAC_GAUSSIAN, 1 << 20, (uint64_t *)sums,
                           numbers));
        noise = least(noise, now() - begin);
    }
    printf("%lld x %d, %.0f entries a row, %3d cells: sweep 1  bare products %.2f  counts %.2f  "
           "sums and counts %.2f (of which noise %.2f);  counts / bare products %.2f  (sweep: %.2f "
           "ns an entry)\n",
           (long long)l->rows, l->dims, (double)l->start[l->rows] / (double)l->rows, k,
           products / one, histogram / one, summed / one, noise / one, histogram / products,
           one / (double)l->start[l->rows] * 1e9);
    tac_door_close(a.door);
    free(centers), free(b), free(sums), free(counts);
}

/* As many multiply-adds as there are pairs, into words that stay in a near cache. */
static double multiply_adds(double pairs, uint64_t *words, size_t count)
{
    const int64_t rounds = (int64_t)(pairs / (double)count) + 1;
    const double begin = now();

    for (int64_t r = 0; r < rounds; r++)
        for (size_t i = 0; i < count; i++) words[i] += (uint64_t)((int64_t)(int16_t)r * (int16_t)i);
    sink = (double)words[0];
    return now() - begin;
}

static void squares(const tac_lattice *l)
{
    const size_t triangle = (size_t)l->dims * ((size_t)l->dims + 1) / 2;
    tac_i128 *out = need(triangle, sizeof *out);
    uint64_t *small = need(2048, 8);
    const tac_cells all = {.kind = TAC_ONE_CELL, .count = 1};
    double pairs = 0, near = 1e9, asked = 1e9;
    asking a;

    for (int64_t i = 0; i < l->rows; i++) {
        const double many = (double)(l->start[i + 1] - l->start[i]);
        pairs += many * (many + 1) / 2;
    }
    open_door(&a, l);
    for (int round = 0; round < REPEATS; round++) {
        near = least(near, multiply_adds(pairs, small, 2048));
        const double begin = now();
        must(tac_door_moments(a.door, "bench", UINT64_C(1) << 40, &all, TAC_ROWS, out));
        asked = least(asked, now() - begin);
    }
    printf("%lld x %d, %.0f entries a row: as many multiply-adds in a near cache 1  moments %.2f  "
           "(%.2f ns a pair)\n",
           (long long)l->rows, l->dims, (double)l->start[l->rows] / (double)l->rows, asked / near,
           asked / pairs * 1e9);
    tac_door_close(a.door);
    free(out), free(small);
}

static void compare(int64_t rows, int32_t columns, int32_t each)
{
    const table t = make(rows, columns, each);
    tacit_data *data = NULL;
    tac_engine engine;
    tac_frame first, heavy;
    tac_lattice l, few;
    tac_nonzeros raw = {0};
    uint32_t *weight = need((size_t)columns, 4);
    int32_t *group = need((size_t)columns, 4);
    double read = 1e9, built = 1e9;

    for (int32_t j = 0; j < columns; j++) weight[j] = j < 256 ? 1 << 16 : 0, group[j] = j;
    must(tacit_data_from_csr(ctx, t.start, t.column, t.count, t.rows, t.columns, &data));
    must(tac_data_load(ctx, data, NULL));
    tac_engine_threads(ctx, &engine);
    must(tac_frame_of_counts(ctx, columns, &first));
    must(tac_frame_weigh(ctx, columns,
                         &(tac_weighing){.weight = weight, .group = group, .dims = 256}, &heavy));
    for (int round = 0; round < REPEATS; round++) {
        double begin = now();
        for (int64_t i = 0; i < rows; i += 4096)
            must(data->reader->read_sparse(data->reader, i, rows - i < 4096 ? rows - i : 4096,
                                           &raw));
        read = least(read, now() - begin);
        if (round > 0) tac_lattice_clear(&l);
        begin = now();
        must(tac_lattice_build(ctx, &engine, data, &first, NULL, &l));
        built = least(built, now() - begin);
    }
    must(tac_lattice_build(ctx, &engine, data, &heavy, NULL, &few));
    printf("%lld x %d: reading the entries 1  placing rows %.2f\n", (long long)rows, columns,
           built / read);
    cells(&l, 3);
    cells(&l, 10);
    cells(&l, 30);
    cells(&l, 128);
    squares(&few);
    tac_lattice_clear(&l);
    tac_lattice_clear(&few);
    tac_frame_clear(&first);
    tac_frame_clear(&heavy);
    tac_nonzeros_clear(&raw);
    tacit_data_free(data);
    free(t.start), free(t.column), free(t.count), free(weight), free(group);
}

int main(void)
{
    if (tacit_ctx_new(&ctx) != TACIT_OK) return 1;
    ctx->threads = 1;
    compare(4000, 4000, 90);
    compare(100000, 20000, 120);
    tacit_ctx_free(ctx);
    return 0;
}
