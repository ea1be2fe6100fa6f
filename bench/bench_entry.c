/* SPDX-License-Identifier: Apache-2.0 */
/* Queries about single entries, one thread, processor time, as ratios to one sweep over the same
   counts: their plain sum, and one sparse matrix-vector product. Generated tables like classic3
   (3891 x 4303, 45 entries a row, words by Zipf's distribution) and larger. Best of several. Usage:
   bench_entry [ROWS COLUMNS ENTRIES_A_ROW CLUSTERS] */
#include "bench.h"
#include "dice.h"
#include "privacy/door_internal.h"

#include <math.h>

enum { REPEATS = 15, ROUNDS = 4 };

static uint64_t state = 42;

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void make(tac_counts *c, int64_t rows, int32_t columns, int64_t each)
{
    int32_t *drawn = need((size_t)each * 2, sizeof *drawn);
    int64_t entries = 0;

    *c = (tac_counts){.rows = rows,
                      .columns = columns,
                      .start = need((size_t)rows + 1, sizeof(int64_t)),
                      .column = need((size_t)(rows * each) * 2, sizeof(int32_t)),
                      .count = need((size_t)(rows * each) * 2, sizeof(uint32_t))};
    for (int64_t i = 0; i < rows; i++) {
        const int64_t length = 1 + (int64_t)(next() % (uint64_t)(2 * each - 1));
        for (int64_t e = 0; e < length; e++) {
            const double u = (double)(next() >> 11) * 0x1p-53;
            /* density 1 / x, places mixed */
            drawn[e] =
                (int32_t)((uint64_t)(pow((double)columns, u)) * 2654435761u % (uint64_t)columns);
        }
        qsort(drawn, (size_t)length, sizeof *drawn, by_number);
        for (int64_t e = 0; e < length; e++) {
            if (entries > c->start[i] && c->column[entries - 1] == drawn[e]) {
                c->count[entries - 1]++;
                continue;
            }
            c->column[entries] = drawn[e];
            c->count[entries++] = 1;
        }
        c->start[i + 1] = entries;
    }
    free(drawn);
}

typedef struct work {
    tac_counts counts;
    tac_door *door;
    int32_t k, *row, *column, *score;
    int64_t *table;
    double *x, *y;
    uint64_t sum;
} work;

#define QUANTA (UINT64_C(1) << 44)

static void plain_sum(work *w)
{
    uint64_t sum = 0;
    for (int64_t e = 0; e < w->counts.start[w->counts.rows]; e++) sum += w->counts.count[e];
    w->sum += sum;
}

static void product(work *w)
{
    const tac_counts *c = &w->counts;
    for (int64_t i = 0; i < c->rows; i++) {
        double sum = 0;
        for (int64_t e = c->start[i]; e < c->start[i + 1]; e++)
            sum += c->count[e] * w->x[c->column[e]];
        w->y[i] = sum;
    }
}

static void table(work *w)
{
    const tac_table t = {
        .batch = -1, .row_label = w->row, .column_label = w->column, .k = w->k, .l = w->k};
    must(tac_door_table(w->door, "table", QUANTA, &t, w->table));
}

static void rows(work *w)
{
    const tac_draw_labels d = {
        .batch = -1, .other_label = w->column, .others = w->k, .score = w->score, .clusters = w->k};
    must(tac_door_labels(w->door, "rows", QUANTA, &d, w->row));
}

static void columns(work *w)
{
    const tac_draw_labels d = {.columns = true,
                               .batch = -1,
                               .other_label = w->row,
                               .others = w->k,
                               .score = w->score,
                               .clusters = w->k};
    must(tac_door_labels(w->door, "columns", QUANTA, &d, w->column));
}

/* What DP-tauCC asks for: in each of four rounds columns, a table, rows, a table. */
static void rounds(work *w)
{
    for (int i = 0; i < ROUNDS; i++) columns(w), table(w), rows(w), table(w);
}

static double best(void (*what)(work *), work *w)
{
    double least = INFINITY;
    for (int i = 0; i < REPEATS; i++) {
        const double start = now();
        what(w);
        const double took = now() - start;
        least = took < least ? took : least;
    }
    return least;
}

static void measure(int64_t n, int32_t m, int64_t each, int32_t k)
{
    static tac_lattice none;
    work w = {.k = k};
    tac_accountant account = {.definition = TAC_PURE, .budget = UINT64_C(1) << 62};
    tac_engine engine;
    tac_key key;

    make(&w.counts, n, m, each);
    w.row = need((size_t)n, sizeof *w.row);
    w.column = need((size_t)m, sizeof *w.column);
    w.score = need((size_t)k * (size_t)k, sizeof *w.score);
    w.table = need((size_t)k * (size_t)k, sizeof *w.table);
    w.x = need((size_t)m, sizeof *w.x);
    w.y = need((size_t)n, sizeof *w.y);
    for (int64_t i = 0; i < n; i++) w.row[i] = (int32_t)(next() % (uint64_t)k);
    for (int32_t j = 0; j < m; j++)
        w.column[j] = (int32_t)(next() % (uint64_t)k), w.x[j] = (double)(next() % 100);
    for (int32_t i = 0; i < k * k; i++) w.score[i] = (int32_t)(next() % 100000);
    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(1, &key);
    must(tac_door_open(ctx, &engine, &none, TACIT_ENTRY, 1, &account, &key, &w.door));
    tac_door_counts(w.door, &w.counts);

    const double entries = (double)w.counts.start[n], sum = best(plain_sum, &w),
                 spmv = best(product, &w);
    const double t = best(table, &w), r = best(rows, &w), c = best(columns, &w),
                 all = best(rounds, &w);
    printf("%lld x %d, %.0f entries, %d clusters: ratio to the sum of counts / to one "
           "matrix-vector product\n",
           (long long)n, m, entries, k);
    printf("  table          %6.1f  %6.2f\n", t / sum, t / spmv);
    printf("  labels, rows   %6.1f  %6.2f   (scores and draws beyond a table: %.2f)\n", r / sum,
           r / spmv, (r - t) / spmv);
    printf("  labels, cols   %6.1f  %6.2f\n", c / sum, c / spmv);
    printf("  16 queries   %6.1f  %6.2f   (%.2f of 16 products; %.3f of 20 ms)\n", all / sum,
           all / spmv, all / spmv / 16, all / 0.020);
    tac_door_close(w.door);
    free(w.counts.start), free(w.counts.column), free(w.counts.count);
    free(w.row), free(w.column), free(w.score), free(w.table), free(w.x), free(w.y);
}

int main(int argc, char **argv)
{
    must(tacit_ctx_new(&ctx));
    ctx->threads = 1;
    if (argc == 5) {
        measure(atoll(argv[1]), atoi(argv[2]), atoll(argv[3]), atoi(argv[4]));
    } else {
        measure(3891, 4303, 45, 3);
        measure(3891, 4303, 45, 10);
        measure(3891, 4303, 45, 100);
        measure(100000, 20000, 50, 6);
    }
    tacit_ctx_free(ctx);
    return 0;
}
