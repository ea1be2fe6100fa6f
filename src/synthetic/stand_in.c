/* SPDX-License-Identifier: Apache-2.0 */
/* Made-up rows for a plan: round clusters, flat clusters, sparse clusters or a table with blocks. A
   plan runs the method on them to learn its queries, and so reads no row of the data set. */
#include "synthetic/stand_in.h"

#include "data/dataset/domain.h"
#include "synthetic/synthetic.h"

#include <math.h>

#define SEED 20150
#define ROWS_LEAST 400 /* made, if the guess has so many; ... */
#define ROWS_MOST 4000 /* ... more for more clusters, up to here */
#define ROWS_EACH 20
#define TOTAL_MOST 0x1p31 /* rows meant: what the lattice is made for */
#define GOLDEN 0.61803398874989485
#define SPREAD 0.15 /* of a cluster, in half ranges, if there is one */
#define VALUES 30   /* of a sparse row that are not 0, unless fewer are declared */
#define NARROW 1e-3
#define UNKNOWN 1e6 /* half of a range that nobody has declared */

/* Rows to be tried: enough that their own chance does not show, few enough that a plan is quick. */
#define TRIED_LEAST 2000
#define TRIED_MOST 8000
#define TRIED_ENTRIES 1500000 /* rows x columns */
#define TRIED_EACH 40
#define TRIED_WIDE 16

void tac_stand_in_clear(tac_stand_in *rows)
{
    tacit_data_free(rows->data);
    tac_free(rows->value);
    tac_free(rows->start);
    tac_free(rows->unit);
    tac_free(rows->column);
    tac_free(rows->group);
    *rows = (tac_stand_in){0};
}

/* How many rows are made, and how often each counts: their product is the guess, nearly. */
static int64_t rows_for(const tac_assumed *a, int32_t dims, int64_t *copies)
{
    const double rows = fmin(round(a->rows), TOTAL_MOST), k = a->clusters;
    const bool tried = a->pattern != TAC_PATTERN_STEPS;
    const double few = fmin(ROWS_MOST, fmax(ROWS_LEAST, ROWS_EACH * k)),
                 many = fmin(TRIED_MOST,
                             fmax(fmax(TRIED_LEAST, TRIED_EACH * k), TRIED_ENTRIES / dims));
    /* of wide subspaces as few as will do: a run on them takes seconds */
    const double most = !tried ? few : a->directions > 0 && dims > TRIED_WIDE ? TRIED_LEAST : many;

    *copies = 1;
    if (a->entry) return (int64_t)fmin(rows, tried ? TRIED_MOST : ROWS_MOST);
    *copies = (int64_t)ceil(rows / most);
    return (int64_t)fmax(1, round(rows / (double)*copies));
}

/* Column j of the domain: a unit coordinate in [-1, 1] becomes a value. Clusters that go through 0
   keep it. */
static double place(const tac_domain *d, int32_t j, bool about_zero, double unit)
{
    if (d->kind == TAC_DOMAIN_BALL) return d->center[j] + d->radius * unit;
    /* where a run has to find bounds, any will do */
    const double far = d->upper[j] < INFINITY ? d->upper[j] - UNKNOWN : -UNKNOWN;
    const double low = d->lower[j] > -INFINITY ? d->lower[j] : far;
    const double high = d->upper[j] < INFINITY ? d->upper[j] : low + 2 * UNKNOWN;
    if (about_zero) return fmax(fabs(low), fabs(high)) * unit;
    return (low + high) / 2 + (high - low) / 2 * unit;
}

/* A row of a flat cluster: a random direction within its span, length 0.9, and a little noise off
   it. */
static void flat_row(tac_generator *random, const double *span, int32_t directions, int32_t dims,
                     double *row)
{
    double squares = 0;

    for (int32_t j = 0; j < dims; j++) row[j] = 0;
    for (int32_t i = 0; i < directions; i++) {
        const double along = tac_normal(random);
        for (int32_t j = 0; j < dims; j++)
            row[j] += along * span[(size_t)i * (size_t)dims + (size_t)j];
    }
    for (int32_t j = 0; j < dims; j++) squares += row[j] * row[j];
    for (int32_t j = 0; j < dims; j++)
        row[j] = 0.9 * row[j] / sqrt(squares) + 0.003 * tac_normal(random);
}

/* Dense rows. Centers lie on a Kronecker sequence: well apart in the first column, and hardly ever
   close in all columns. */
static tacit_status dense(tacit_ctx *ctx, const tac_domain *domain, const tac_assumed *a,
                          int64_t rows, int32_t dims, tac_stand_in *out)
{
    tacit_status status = TACIT_OK;
    const int64_t k = a->clusters < rows ? a->clusters : rows;
    const size_t d = (size_t)dims;
    const double shrink = a->narrow ? NARROW : 1,
                 reach = domain->kind == TAC_DOMAIN_BALL ? 0.8 / sqrt(dims) : 0.8;
    const double spread = reach * SPREAD / pow((double)k, 1.0 / dims);
    double *span = NULL, *turn = NULL;
    tac_generator random;

    tac_seed_generator(&random, SEED);
    TAC_TRY(tac_new(ctx, (size_t)rows * d, sizeof *out->value, &out->value));
    TAC_TRY(tac_new(ctx, d, sizeof *turn, &turn));
    for (int32_t j = 0; j < dims; j++) turn[j] = j == 0 ? GOLDEN : tac_uniform(&random);
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)a->directions * d, sizeof *span, &span));
    for (size_t i = 0; i < (size_t)k * (size_t)a->directions * d; i++)
        span[i] = tac_normal(&random);
    for (int64_t i = 0; i < rows; i++) {
        double *row = out->value + (size_t)i * d, whole;
        const int64_t c = i % k;
        if (a->directions > 0)
            flat_row(&random, span + (size_t)(c * a->directions) * d, a->directions, dims, row);
        for (int32_t j = 0; j < dims; j++) {
            if (a->directions == 0)
                row[j] = reach * (2 * modf((double)(c + 1) * turn[j], &whole) - 1) +
                         spread * tac_normal(&random);
            row[j] = place(domain, j, a->directions > 0, shrink * row[j]);
        }
    }
    TAC_TRY(tacit_data_from_memory(ctx, out->value, TACIT_F64, rows, dims, &out->data));
done:
    tac_free(span);
    tac_free(turn);
    return status;
}

/* Dense rows of a pattern to be tried. */
static tacit_status grouped(tacit_ctx *ctx, const tac_domain *domain, const tac_assumed *a,
                            int64_t rows, int32_t dims, tac_stand_in *out)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)dims;

    TAC_TRY(tac_new(ctx, (size_t)rows * d, sizeof *out->value, &out->value));
    TAC_TRY(tac_make_groups(ctx, a, domain->kind == TAC_DOMAIN_BALL, rows, dims, out->value,
                            out->group));
    for (size_t i = 0; i < (size_t)rows * d; i++)
        out->value[i] = place(domain, (int32_t)(i % d), false, out->value[i]);
    TAC_TRY(tacit_data_from_memory(ctx, out->value, TACIT_F64, rows, dims, &out->data));
done:
    return status;
}

static bool has(const int32_t *column, size_t count, int32_t wanted)
{
    for (size_t i = 0; i < count; i++)
        if (column[i] == wanted) return true;
    return false;
}

/* Sparse rows: each cluster has its values in columns of its own. */
static tacit_status sparse(tacit_ctx *ctx, const tac_domain *domain, const tac_assumed *a,
                           int64_t rows, int32_t dims, tac_stand_in *out)
{
    tacit_status status = TACIT_OK;
    const int64_t k = a->clusters < rows ? a->clusters : rows;
    /* columns > TAC_WIDE */
    const int32_t values = a->sparsity > 0 && a->sparsity < VALUES ? a->sparsity : VALUES;
    const double shrink = a->narrow ? NARROW : 1,
                 reach = domain->kind == TAC_DOMAIN_BALL ? 0.8 / sqrt(values) : 0.8;
    /* of a row's values, those in columns that say nothing of its cluster */
    const double common = a->pattern == TAC_PATTERN_OVERLAPPING    ? 0.5
                          : a->pattern == TAC_PATTERN_UNSTRUCTURED ? 1
                                                                   : 0;
    tac_generator random;

    tac_seed_generator(&random, SEED + a->seed);
    TAC_TRY(tac_new(ctx, (size_t)rows + 1, sizeof *out->start, &out->start));
    TAC_TRY(tac_new(ctx, (size_t)rows * (size_t)values, sizeof *out->column, &out->column));
    TAC_TRY(tac_new(ctx, (size_t)rows * (size_t)values, sizeof *out->value, &out->value));
    for (int64_t i = 0; i < rows; i++) {
        out->start[i + 1] = out->start[i];
        out->group[i] = (int32_t)(i % k);
        for (int32_t v = 0; v < values; v++) {
            const size_t at = (size_t)out->start[i + 1];
            int32_t column = (int32_t)((i % k * values + v) % dims);
            /* the others are in columns that all clusters share, some of them frequent */
            if (common > 0 && tac_uniform(&random) < common)
                column = (int32_t)(pow(tac_uniform(&random), 2) * dims);
            if (has(out->column + out->start[i], at - (size_t)out->start[i], column)) continue;
            out->start[i + 1]++;
            out->column[at] = column;
            out->value[at] =
                place(domain, column, true, shrink * reach * (1 + 0.1 * tac_normal(&random)));
        }
    }
    TAC_TRY(tacit_data_from_csr(ctx, out->start, out->column, out->value, rows, dims, &out->data));
done:
    return status;
}

/* How coordinates are measured goes from one domain to the other. */
static void take_weights(tac_domain *from, tac_domain *to)
{
    to->weight = from->weight;
    to->middle = from->middle;
    to->share = from->share;
    to->reach = from->reach;
    to->reach_unscaled = from->reach_unscaled;
    from->weight = from->middle = NULL;
    from->share = NULL;
}

/* The contract stands in stand_in.h. Which rows are made depends on the options and the declaration
   alone, never on the rows of `like`. */
tacit_status tac_stand_in_make(tacit_ctx *ctx, const tacit_data *like, const tac_assumed *assumed,
                               tac_stand_in *out)
{
    tacit_status status = TACIT_OK;
    tac_domain spread = {0}, *domain = &spread;
    const int32_t dims = tac_data_dims(like);
    int64_t copies;
    const int64_t rows = rows_for(assumed, dims, &copies);

    *out = (tac_stand_in){.rows = rows};
    TAC_TRY(tac_new(ctx, (size_t)rows, sizeof *out->group, &out->group));
    /* coordinates are made up, not columns: a category is a number from 0 to 1 here */
    TAC_TRY(tac_domain_spread(ctx, &like->domain, like->selection.dims, &like->features, &spread));
    if (assumed->column_clusters > 0)
        TAC_TRY(tac_make_counts(ctx, assumed, rows, dims, out));
    else if (tac_data_sparse(like))
        TAC_TRY(sparse(ctx, domain, assumed, rows, dims, out));
    else if (assumed->pattern != TAC_PATTERN_STEPS)
        TAC_TRY(grouped(ctx, domain, assumed, rows, dims, out));
    else
        TAC_TRY(dense(ctx, domain, assumed, rows, dims, out));
    if (domain->kind == TAC_DOMAIN_BALL)
        TAC_TRY(tacit_data_set_ball(ctx, out->data, domain->center, domain->radius));
    if (domain->kind == TAC_DOMAIN_BOX)
        TAC_TRY(
            tac_data_set_ranges(ctx, out->data, domain->lower, domain->upper, domain->estimate));
    if (domain->weight != NULL) take_weights(domain, &out->data->domain);
    out->data->copies = copies;
    if (like->has_units) {
        TAC_TRY(tac_new(ctx, (size_t)rows, sizeof *out->unit, &out->unit));
        /* a person of one row: what each may own is in the budget */
        for (int64_t i = 0; i < rows; i++) out->unit[i] = i;
        TAC_TRY(tacit_data_set_units(ctx, out->data, out->unit, tac_data_unit_name(like)));
    }
done:
    tac_domain_clear(&spread);
    return status;
}
