/* SPDX-License-Identifier: Apache-2.0 */
/* Counts from sparse and dense data sets: the same table from either, layout does not matter, and
   what is no count is refused. */
#include "data/lattice/counts.h"
#include "dice.h"
#include "tap.h"

#include <math.h>

static tacit_ctx *ctx;
static uint64_t state = 99;

static bool says(const char *part)
{
    const bool good = strstr(tacit_ctx_message(ctx), part) != NULL;
    if (!good) printf("# message: %s\n", tacit_ctx_message(ctx));
    return good;
}

/* Takes the data over. Loaded as any numbers, so that it is the table that refuses what is no
   count. */
static tacit_status build(tacit_data *data, int threads, int64_t block_bytes, tac_counts *out)
{
    tac_engine engine;

    ctx->threads = threads;
    ctx->block_bytes = block_bytes;
    tac_engine_threads(ctx, &engine);
    MUST(tac_data_load(ctx, data, NULL) == TACIT_OK);
    const tacit_status status = tac_counts_build(ctx, &engine, data, out);
    tacit_data_free(data);
    ctx->block_bytes = 1 << 18;
    return status;
}

static tacit_status build_dense(const double *value, int64_t rows, int32_t columns, int threads,
                                int64_t block_bytes, tac_counts *out)
{
    tacit_data *data = NULL;
    MUST(tacit_data_from_memory(ctx, value, TACIT_F64, rows, columns, &data) == TACIT_OK);
    return build(data, threads, block_bytes, out);
}

/* The same values as a sparse matrix, in falling order of the columns and with its zeros. */
static tacit_status build_sparse(const double *value, int64_t rows, int32_t columns, int threads,
                                 int64_t block_bytes, tac_counts *out)
{
    const int64_t all = rows * columns;
    int64_t *start = malloc(((size_t)rows + 1) * sizeof *start);
    int32_t *column = malloc(((size_t)all + 1) * sizeof *column);
    double *entry = malloc(((size_t)all + 1) * sizeof *entry);
    tacit_data *data = NULL;

    MUST(start != NULL && column != NULL && entry != NULL);
    for (int64_t i = 0; i <= rows; i++) start[i] = i * columns;
    for (int64_t e = 0; e < all; e++) {
        column[e] = columns - 1 - (int32_t)(e % columns);
        entry[e] = value[e / columns * columns + column[e]];
    }
    MUST(tacit_data_from_csr(ctx, start, column, entry, rows, columns, &data) == TACIT_OK);
    const tacit_status status = build(data, threads, block_bytes, out);
    free(start), free(column), free(entry);
    return status;
}

/* Is it the table of these values, ascending, without zeros? */
static bool is_table(const tac_counts *c, const double *value, int64_t rows, int32_t columns)
{
    bool good = c->rows == rows && c->columns == columns && c->start[0] == 0;

    for (int64_t i = 0; good && i < rows; i++) {
        int64_t e = c->start[i];
        for (int32_t j = 0; j < columns; j++) {
            if (value[i * columns + j] == 0) continue;
            good = good && e < c->start[i + 1] && c->column[e] == j &&
                   (double)c->count[e] == value[i * columns + j];
            e++;
        }
        good = good && e == c->start[i + 1];
    }
    return good;
}

static void tables(void)
{
    enum { ROWS = 300, COLUMNS = 37 };
    static double value[ROWS * COLUMNS];
    bool good = true;

    for (int i = 0; i < ROWS * COLUMNS; i++)
        value[i] = next() % 5 != 0 || i / COLUMNS % 7 == 0 || i % COLUMNS == 4
                       ? 0
                       : (double)(next() % 9 == 0 ? next() % 2147483648 : next() % 4);
    for (int way = 0; way < 12; way++) {
        tac_counts c;
        const int threads = 1 + way % 3;
        const int64_t bytes = way / 3 % 2 ? 1 << 18 : 1 << 10;
        MUST((way / 6 ? build_dense : build_sparse)(value, ROWS, COLUMNS, threads, bytes, &c) ==
             TACIT_OK);
        good = good && is_table(&c, value, ROWS, COLUMNS);
        tac_counts_clear(&c);
    }
    CHECK(good, "sparse and dense, any threads and blocks: the same counts, empty rows and columns "
                "among them");
    tac_counts c;
    MUST(build_sparse(value, 0, COLUMNS, 2, 1 << 18, &c) == TACIT_OK);
    CHECK(c.rows == 0 && c.start[0] == 0 && c.columns == COLUMNS, "no rows");
    tac_counts_clear(&c);
    CHECK(c.start == NULL && c.rows == 0, "cleared");
}

static void refusals(void)
{
    static const struct {
        double x;
        const char *name;
    } bad[] = {{-1, "negative"}, {0.5, "a fraction"},          {2147483648.0, "2^31"},
               {1e300, "huge"},  {-1e-300, "barely negative"}, {1 + 0x1p-40, "barely a fraction"}};
    tac_counts c;

    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        const double value[] = {1, 2, 3, 4, bad[b].x, 6};
        CHECK(build_sparse(value, 2, 3, 1, 1 << 18, &c) == TACIT_E_FORMAT && says("'c2'") &&
                  c.start == NULL,
              "%s is no count, sparse", bad[b].name);
        CHECK(build_dense(value, 2, 3, 2, 64, &c) == TACIT_E_FORMAT && says("'c2'") &&
                  c.start == NULL,
              "%s is no count, dense", bad[b].name);
    }
    const double missing[] = {1, NAN, 3, 4, 5, 6}, two[] = {1, 2, -3, -4, 5, 6};
    CHECK(build_dense(missing, 2, 3, 1, 1 << 18, &c) == TACIT_E_FORMAT && says("'c2'"), "a missing "
                                                                                        "value is "
                                                                                        "no count");
    CHECK(build_sparse(two, 2, 3, 2, 64, &c) == TACIT_E_FORMAT && says("'c1'"), "of several the "
                                                                                "first column is "
                                                                                "named");

    static double large[2049];
    for (int i = 0; i < 2049; i++) large[i] = 2147483647;
    large[2048] = 2048; /* 2048 (2^31 - 1) + 2048 = 2^42 */
    CHECK(build_dense(large, 1, 2049, 1, 1 << 18, &c) == TACIT_E_FORMAT && says("2^42"),
          "2^42 counts in all are refused");
    large[2048] = 2047;
    CHECK(build_sparse(large, 2049, 1, 2, 1 << 12, &c) == TACIT_OK && c.start[2049] == 2049,
          "and one less is taken");
    tac_counts_clear(&c);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    tables();
    refusals();
    tacit_ctx_free(ctx);
    return tap_done();
}
