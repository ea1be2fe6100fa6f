/* SPDX-License-Identifier: Apache-2.0 */
/* Sample and aggregate: the rows fall into parts, a plain solver runs on each, and the door asks its ordinary
   questions about the results. Proof: aggregate.proof.md */
#include "privacy/queries/literature/aggregate.h"
#include "privacy/queries/literature/row_hash.h"

#include <stdlib.h>
#include <string.h>

#define PARTS_MOST (1 << 20)
#define DIMS_MOST (1 << 24)
#define COPY UINT64_C(0x9e3779b97f4a7c15) /* odd: copies of a row get different hashes */

struct tac_whole {
    const tac_lattice *lattice[TAC_VIEWS];
    tacit_neighbours neighbours;
    uint64_t rows_per_unit;
    tac_lattice results;
};

/* A unit with m rows lies in at most m parts, before and after: under replace that is 2 m parts whose results may
   change. */
tac_terms tac_terms_of_results(const tac_terms *terms)
{
    const int64_t touched = (tac_replaces(terms->neighbours) ? 2 : 1) * (int64_t)terms->rows_per_unit;
    return (tac_terms){.notion = terms->notion,
                       .neighbours = TACIT_REPLACE,
                       .rows_per_unit = touched <= TAC_ROWS_PER_UNIT_MOST ? (int32_t)touched : 0};
}

typedef struct entry {
    uint64_t hash;
    int64_t row;
} entry;

static int compare_rows(const tac_lattice *l, int64_t a, int64_t b)
{
    return memcmp(l->points + a * l->stride, l->points + b * l->stride, (size_t)l->dims * sizeof *l->points);
}

/* By hash, then by what the rows say: equal rows stand together, and nothing depends on where they stood before. */
static int compare(const void *a, const void *b, void *lattice)
{
    const entry *x = a, *y = b;

    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return compare_rows(lattice, x->row, y->row);
}

/* The part of a row: a function of what it says and of its number among its copies. row: all rows, part after
   part; part b has row[first[b]] .. row[first[b + 1] - 1]. */
static tacit_status split(tacit_ctx *ctx, const tac_lattice *l, const tac_aggregate *plan, int64_t *first, int64_t *row)
{
    tacit_status status = TACIT_OK;
    entry *e = NULL;
    int32_t *part = NULL;
    uint64_t copy = 0;

    TAC_TRY(tac_new(ctx, (size_t)l->rows, sizeof *e, &e));
    TAC_TRY(tac_new(ctx, (size_t)l->rows, sizeof *part, &part));
    for (int64_t i = 0; i < l->rows; i++)
        e[i] = (entry){.hash = tac_row_hash(l->points + i * l->stride, l->dims, plan->seed), .row = i};
    qsort_r(e, (size_t)l->rows, sizeof *e, compare, (void *)(uintptr_t)l);
    for (int64_t i = 0; i < l->rows; i++) {
        copy = i > 0 && compare_rows(l, e[i - 1].row, e[i].row) == 0 ? copy + 1 : 0;
        part[i] = (int32_t)(tac_mix(e[i].hash + copy * COPY) % (uint64_t)plan->parts);
        first[part[i] + 1]++;
    }
    for (int32_t b = 0; b < plan->parts; b++) first[b + 1] += first[b];
    for (int64_t i = 0; i < l->rows; i++) row[first[part[i]]++] = e[i].row; /* first[b] runs on to where part b ends ... */
    for (int32_t b = plan->parts; b > 0; b--) first[b] = first[b - 1];      /* ... which is where b + 1 began */
    first[0] = 0;
done:
    tac_free(e);
    tac_free(part);
    return status;
}

typedef struct solving {
    const tac_lattice *rows;
    const tac_aggregate *plan;
    const int64_t *first, *row;
    tac_lattice *results;
    tacit_ctx quiet; /* one thread a part, and no progress shown: parts differ in how much there is to do */
} solving;

static tacit_status solve_part(void *state, int64_t part, int lane)
{
    const solving *s = state;
    tacit_ctx own = s->quiet;

    (void)lane;
    return tac_part_means(&own, s->rows, s->row + s->first[part], s->first[part + 1] - s->first[part], s->plan,
                          s->results->points + part * s->results->stride);
}

static tacit_status check(const tac_door *door, const tac_aggregate *plan, tac_terms *inner)
{
    const tac_lattice *rows = door->own.lattice[TAC_ROWS];
    const tac_terms outer = tac_door_terms(door);

    *inner = tac_terms_of_results(&outer);
    if (door->whole != NULL || rows->dims < 1 || rows->start != NULL || plan->parts < 1 || plan->parts > PARTS_MOST ||
        plan->k < 1 || plan->restarts < 1 || (int64_t)plan->k * rows->dims > DIMS_MOST || inner->rows_per_unit == 0)
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "a split of the rows was asked for that makes no sense");
    return TACIT_OK;
}

tacit_status tac_door_aggregate(tac_door *door, const tac_aggregate *plan)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = door->ctx;
    const tac_lattice *rows = door->own.lattice[TAC_ROWS];
    struct tac_whole *whole = NULL;
    int64_t *first = NULL, *row = NULL;
    tac_terms inner;

    TAC_TRY(check(door, plan, &inner));
    TAC_TRY(tac_new(ctx, 1, sizeof *whole, &whole));
    tac_lattice *results = &whole->results;
    *results = (tac_lattice){.rows = plan->parts, .dims = plan->k * rows->dims};
    results->stride = results->dims + results->dims % 2;
    TAC_TRY(tac_new(ctx, (size_t)plan->parts * (size_t)results->stride, sizeof *results->points, &results->points));
    TAC_TRY(tac_new(ctx, (size_t)plan->parts + 1, sizeof *first, &first));
    TAC_TRY(tac_new(ctx, (size_t)rows->rows, sizeof *row, &row));
    TAC_TRY(split(ctx, rows, plan, first, row));
    solving s = {.rows = rows, .plan = plan, .first = first, .row = row, .results = results,
                 .quiet = {.threads = 1, .block_bytes = ctx->block_bytes, .parent = ctx}};
    status = door->engine->map(door->engine, ctx, plan->parts, solve_part, &s);
    if (status == TACIT_E_MEMORY)
        tac_fail(ctx, status, "not enough memory to cluster a part of the rows; use fewer columns or fewer centres");
    if (status != TACIT_OK) goto done;
    for (int v = 0; v < TAC_VIEWS; v++) whole->lattice[v] = door->own.lattice[v];
    whole->neighbours = door->neighbours;
    whole->rows_per_unit = door->rows_per_unit;
    door->own.lattice[TAC_ROWS] = results;
    door->own.lattice[TAC_SHADOW] = NULL;
    door->neighbours = inner.neighbours;
    door->rows_per_unit = (uint64_t)inner.rows_per_unit;
    door->whole = whole;
    whole = NULL;
done:
    if (whole != NULL) tac_free(whole->results.points);
    tac_free(whole);
    tac_free(first);
    tac_free(row);
    return status;
}

void tac_door_aggregate_end(tac_door *door)
{
    struct tac_whole *whole = door->whole;

    if (whole == NULL) return;
    for (int v = 0; v < TAC_VIEWS; v++) door->own.lattice[v] = whole->lattice[v];
    door->neighbours = whole->neighbours;
    door->rows_per_unit = whole->rows_per_unit;
    door->whole = NULL;
    tac_free(whole->results.points);
    tac_free(whole);
}
