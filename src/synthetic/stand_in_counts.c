/* SPDX-License-Identifier: Apache-2.0 */
/* Made-up tables of counts: blocks for the steps of a plan, and tables that a plan is tried on.
   Those are like documents and ratings: some columns are far more frequent than others, and a
   column that occurs in a row occurs there more than once. */
#include "synthetic/stand_in.h"

#include "synthetic/synthetic.h"

#include <math.h>
#include <stdlib.h>

#define SEED 20150
#define DRAWS_LEAST 10 /* of a row: a quarter of the columns, within these */
#define DRAWS_MOST 80
#define MORE 1.5   /* counts beyond the first where a column occurs: on average */
#define FREQUENT 3 /* u^3: the first twentieth of the columns has 37 % of the counts */

typedef struct table {
    tacit_ctx *ctx;
    tac_stand_in *out;
    size_t used, room;
    tacit_status status;
} table;

/* A row of tacit_synthetic_counts into the CSR arrays of the stand-in. 1: no memory, t->status says
   so. */
static int add_row(int64_t row, int32_t cluster, const int32_t *column, const int32_t *count,
                   int32_t entries, void *payload)
{
    table *t = payload;

    t->out->group[row] = cluster;
    if (t->used + (size_t)entries > t->room) {
        t->room = 2 * (t->used + (size_t)entries);
        t->status = tac_grow(t->ctx, &t->out->column, t->room, sizeof *column);
        if (t->status == TACIT_OK)
            t->status = tac_grow(t->ctx, &t->out->value, t->room, sizeof *t->out->value);
        if (t->status != TACIT_OK) return 1;
    }
    for (int32_t e = 0; e < entries; e++, t->used++) {
        t->out->column[t->used] = column[e];
        t->out->value[t->used] = count[e];
    }
    t->out->start[row + 1] = (int64_t)t->used;
    return 0;
}

/* A table of counts with planted blocks, for the steps of a plan. */
static tacit_status blocks(tacit_ctx *ctx, const tac_assumed *a, int64_t rows, int32_t dims,
                           tac_stand_in *out)
{
    tacit_status status = TACIT_OK;
    tacit_synthetic_counts_opts o = TACIT_SYNTHETIC_COUNTS_OPTS_INIT;
    table t = {.ctx = ctx, .out = out};

    o.rows = rows;
    o.columns = dims;
    o.row_clusters = a->clusters < rows ? a->clusters : (int32_t)rows;
    o.column_clusters = a->column_clusters < dims ? a->column_clusters : dims;
    o.seed = SEED;
    TAC_TRY(tac_new(ctx, (size_t)rows + 1, sizeof *out->start, &out->start));
    status = tacit_synthetic_counts(ctx, &o, add_row, &t);
    if (t.status != TACIT_OK) status = t.status;
    if (status != TACIT_OK) goto done;
done:
    return status;
}

/* The part of a row's counts that lies in its two blocks. */
static double contrast_of(tac_pattern pattern)
{
    return pattern == TAC_PATTERN_SEPARATED ? 0.95 : pattern == TAC_PATTERN_OVERLAPPING ? 0.75 : 0;
}

/* The columns of block b are b, b + l, b + 2 l, ... Five times in six the first block of the two
   that a row cluster prefers, or any column at all. */
static int32_t draw_column(tac_generator *random, const tac_assumed *a, int32_t group, int32_t dims)
{
    const int32_t l = a->column_clusters < dims ? a->column_clusters : dims;
    const double u = pow(tac_uniform(random), FREQUENT), own = tac_uniform(random),
                 contrast = contrast_of(a->pattern);

    if (own >= contrast) return (int32_t)((double)dims * u);
    const int32_t first = group % l, second = (group + 1 + group / l) % l,
                  block = own * 6 < contrast * 5 ? first : second;
    return block + l * (int32_t)((double)((dims - block + l - 1) / l) * u);
}

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* A table to be tried: every draw of a column counts 1 and a geometric number more. */
static tacit_status tried(tacit_ctx *ctx, const tac_assumed *a, int64_t rows, int32_t dims,
                          tac_stand_in *out)
{
    tacit_status status = TACIT_OK;
    const int32_t quarter = dims / 4, draws = quarter < DRAWS_LEAST  ? DRAWS_LEAST
                                              : quarter > DRAWS_MOST ? DRAWS_MOST
                                                                     : quarter;
    int32_t drawn[DRAWS_MOST];
    tac_generator random;

    tac_seed_generator(&random, SEED + a->seed);
    TAC_TRY(tac_new(ctx, (size_t)rows + 1, sizeof *out->start, &out->start));
    TAC_TRY(tac_new(ctx, (size_t)rows * (size_t)draws, sizeof *out->column, &out->column));
    TAC_TRY(tac_new(ctx, (size_t)rows * (size_t)draws, sizeof *out->value, &out->value));
    for (int64_t i = 0; i < rows; i++) {
        int64_t at = out->start[i] - 1;
        out->group[i] = (int32_t)(i % a->clusters);
        for (int32_t e = 0; e < draws; e++) drawn[e] = draw_column(&random, a, out->group[i], dims);
        qsort(drawn, (size_t)draws, sizeof *drawn, ascending);
        for (int32_t e = 0; e < draws; e++) {
            if (e == 0 || drawn[e] != drawn[e - 1]) out->column[++at] = drawn[e];
            out->value[at] += 1 + floor(log(1 - tac_uniform(&random)) / log(MORE / (1 + MORE)));
        }
        out->start[i + 1] = at + 1;
    }
done:
    return status;
}

tacit_status tac_make_counts(tacit_ctx *ctx, const tac_assumed *assumed, int64_t rows, int32_t dims,
                             tac_stand_in *out)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(
        (assumed->pattern == TAC_PATTERN_STEPS ? blocks : tried)(ctx, assumed, rows, dims, out));
    TAC_TRY(tacit_data_from_csr(ctx, out->start, out->column, out->value, rows, dims, &out->data));
done:
    return status;
}
