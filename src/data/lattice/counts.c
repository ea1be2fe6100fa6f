/* SPDX-License-Identifier: Apache-2.0 */
/* Counts from a loaded data set into sparse rows of integers: two passes over its rows, memory for
   what is not 0 and nothing else. */
#include "data/lattice/counts.h"

#include "data/readers/reader_internal.h"

#include <stdatomic.h>
#include <string.h>

#define COUNT_MOST 2147483647.0
/* bytes of a raw entry; a block of rows takes about block_bytes if rows have ROW_ENTRIES entries */
#define ENTRY_BYTES 12
#define ROW_ENTRIES 64

/* A worker's block, and the sum of the counts it has read. */
typedef struct worker {
    tac_nonzeros raw; /* of a sparse reader */
    double *dense;    /* rows_per_block x columns, of any other */
    uint64_t total;
} worker;

typedef struct build {
    const tac_reader *reader;
    int64_t rows_per_block;
    worker *workers;
    tac_counts *out;
    _Atomic int32_t bad; /* the first column that holds what is no count; columns: none does */
} build;

/* b->bad = min(b->bad, column), from any worker: the same column is reported whatever the order
   of blocks. */
static void note_bad(build *b, int32_t column)
{
    int32_t was = atomic_load(&b->bad);
    while (column < was && !atomic_compare_exchange_weak(&b->bad, &was, column)) {
    }
}

/* Whole and between 0 and 2^31 - 1; NaN is not. */
static bool is_count(double x)
{
    return x >= 0 && x <= COUNT_MOST && x == (double)(uint32_t)x;
}

/* The counts of one row that are not 0: returns how many, and writes as many as there is room
   for. feature NULL: a dense row. A value that is no count is noted and left out. */
static int64_t take(build *b, const int32_t *feature, const double *value, int64_t n, int64_t room,
                    int32_t *column, uint32_t *count, uint64_t *total)
{
    int64_t kept = 0;

    for (int64_t e = 0; e < n; e++) {
        const int32_t j = feature == NULL ? (int32_t)e : feature[e];
        if (!is_count(value[e])) {
            note_bad(b, j);
            continue;
        }
        if (value[e] == 0) continue;
        if (kept < room) {
            column[kept] = j;
            count[kept] = (uint32_t)value[e];
        }
        *total += (uint32_t)value[e];
        kept++;
    }
    return kept;
}

/* One block of rows. First pass: start[i + 1] = entries of row i. Second: every row into its
   place. */
static tacit_status read_block(build *b, int64_t block, int index, bool fill)
{
    worker *l = &b->workers[index];
    const tac_counts *c = b->out;
    const int64_t first = block * b->rows_per_block;
    const int64_t count = c->rows - first < b->rows_per_block ? c->rows - first : b->rows_per_block;
    const bool sparse = b->reader->read_sparse != NULL;
    const tacit_status status = sparse ? b->reader->read_sparse(b->reader, first, count, &l->raw)
                                       : b->reader->read(b->reader, first, count, l->dense);

    if (status != TACIT_OK) return status;
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = fill ? c->start[first + i] : 0,
                      room = fill ? c->start[first + i + 1] - at : 0;
        const int32_t *feature = sparse ? l->raw.feature + l->raw.start[i] : NULL;
        const double *value = sparse ? l->raw.value + l->raw.start[i] : l->dense + i * c->columns;
        const int64_t entries = sparse ? l->raw.start[i + 1] - l->raw.start[i] : c->columns;
        int32_t *column = fill ? c->column + at : NULL;
        const int64_t kept =
            take(b, feature, value, entries, room, column, fill ? c->count + at : NULL, &l->total);
        if (!fill)
            c->start[first + i + 1] = kept;
        else if (kept != room)
            return TACIT_E_READ; /* the file changed in between */
    }
    return TACIT_OK;
}

static tacit_status measure_block(void *state, int64_t block, int index)
{
    return read_block(state, block, index, false);
}

static tacit_status fill_block(void *state, int64_t block, int index)
{
    return read_block(state, block, index, true);
}

/* What a sentence calls the data set. */
static const char *where(const tacit_data *data)
{
    return data->path[0] == '\0' ? "the counts in memory" : data->path;
}

/* After either pass: what was read are counts, and can be added up. */
static tacit_status check(tacit_ctx *ctx, const tacit_data *data, build *b, int workers)
{
    const int32_t bad = atomic_load(&b->bad);
    tac_u128 total = 0;

    if (bad < b->out->columns)
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: " TAC_COLUMN " holds something that is no count; counts are whole "
                        "numbers from 0 to 2147483647, none missing",
                        where(data), tacit_data_column_get(data, bad));
    for (int i = 0; i < workers; i++) {
        total += b->workers[i].total;
        b->workers[i].total = 0;
    }
    if (total >= (tac_u128)TAC_COUNTS_TOTAL)
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: all counts together are 2^42 or more, which is more than can be added "
                        "up exactly; count in larger units or leave rows out",
                        where(data));
    return TACIT_OK;
}

/* Measure, prefix sums, fill: the rows are read twice, so that memory is exact. *out is the
   caller's to clear, and empty after a failure. */
tacit_status tac_counts_build(tacit_ctx *ctx, const tac_engine *engine, tacit_data *data,
                              tac_counts *out)
{
    tacit_status status = TACIT_OK;
    const tac_reader *reader = data->reader;
    const int32_t columns = data->selection.dims;
    const bool sparse = reader->read_sparse != NULL;
    build b = {.reader = reader, .out = out, .bad = columns};

    *out = (tac_counts){.rows = reader->rows, .columns = columns};
    b.rows_per_block = 1 + ctx->block_bytes / (sparse ? ENTRY_BYTES * ROW_ENTRIES
                                                      : (int64_t)sizeof(double) * columns);
    const int64_t blocks = (out->rows + b.rows_per_block - 1) / b.rows_per_block;
    TAC_TRY(tac_new(ctx, (size_t)engine->workers, sizeof *b.workers, &b.workers));
    for (int i = 0; !sparse && i < engine->workers; i++)
        TAC_TRY(tac_new(ctx, (size_t)b.rows_per_block * (size_t)columns, sizeof(double),
                        &b.workers[i].dense));
    TAC_TRY(tac_new(ctx, (size_t)out->rows + 1, sizeof *out->start, &out->start));
    TAC_TRY(tac_data_explain(ctx, data, engine->map(engine, ctx, blocks, measure_block, &b)));
    TAC_TRY(check(ctx, data, &b, engine->workers));
    for (int64_t i = 0; i < out->rows; i++) out->start[i + 1] += out->start[i];
    TAC_TRY(tac_new(ctx, (size_t)out->start[out->rows], sizeof *out->column, &out->column));
    TAC_TRY(tac_new(ctx, (size_t)out->start[out->rows], sizeof *out->count, &out->count));
    TAC_TRY(tac_data_explain(ctx, data, engine->map(engine, ctx, blocks, fill_block, &b)));
    TAC_TRY(check(ctx, data, &b, engine->workers));
done:
    for (int i = 0; b.workers != NULL && i < engine->workers; i++) {
        tac_nonzeros_clear(&b.workers[i].raw);
        tac_free(b.workers[i].dense);
    }
    tac_free(b.workers);
    if (status != TACIT_OK) tac_counts_clear(out);
    return status;
}

void tac_counts_clear(tac_counts *counts)
{
    tac_free(counts->start);
    tac_free(counts->column);
    tac_free(counts->count);
    memset(counts, 0, sizeof *counts);
}
