/* SPDX-License-Identifier: Apache-2.0 */
/* A query as bytes and back. One walk over its members serves both ways, so that they cannot
   differ. Numbers are little-endian, lists come as long as the numbers before them say, and nothing
   follows the last. */
#include "core/byte_walk.h"
#include "privacy/kinds.h"

#pragma GCC diagnostic error "-Wswitch" /* a kind that is not written down does not compile */

/* "tQ" and the version of the format. Kinds are numbered as kinds.def lists them: whoever moves a
   line there or changes the walk here raises it. */
#define VERSION UINT32_C(0x51740001)
#define LISTS_MOST 8

/* A walk's steps by short names. */
#define NUMBER(member) TAC_NUMBER(w, member)
#define LIST(list, count) TAC_LIST(w, list, count)
#define LIST_OR_NULL(list, count) TAC_LIST_OR_NULL(w, list, count)

/* 20 bytes a fork on the wire, whatever padding the struct has. */
static void walk_forks(tac_walk *w, tac_cells *c)
{
    tac_fork *fork = tac_walk_list(w, c->fork, tac_walk_product(c->forks, 1, 1), sizeof *fork, 20);

    for (int32_t f = 0; !w->bad && f < c->forks; f++)
        NUMBER(fork[f].axis), NUMBER(fork[f].at), NUMBER(fork[f].below), NUMBER(fork[f].above);
    c->fork = fork;
}

/* The partition: its kind, its view, and the lists that its kind has. Lengths come from dims and
   count, which were read before. */
static void walk_cells(tac_walk *w, tac_query *q)
{
    tac_cells *c = &q->cells;

    c->kind = (tac_cells_kind)tac_walk_choice(w, (int32_t)c->kind, TAC_ARGMAX + 1);
    c->view = (tac_view)tac_walk_choice(w, (int32_t)c->view, TAC_VIEWS);
    NUMBER(c->count);
    const int32_t dims = q->dims[c->view];
    switch (c->kind) {
    case TAC_ONE_CELL: break;
    case TAC_NEAREST: LIST(c->centers, tac_walk_product(c->count, dims, 1)); break;
    case TAC_FORKS:
        NUMBER(c->forks), NUMBER(c->normals);
        walk_forks(w, c);
        if (c->normals > 0) LIST(c->normal, tac_walk_product(c->normals, dims, 1));
        break;
    case TAC_GRID:
        LIST(c->low, tac_walk_product(dims, 1, 1));
        LIST(c->width, tac_walk_product(dims, 1, 1));
        LIST(c->parts, tac_walk_product(dims, 1, 1));
        break;
    case TAC_SUBSPACES:
        NUMBER(c->rank);
        LIST(c->bases, tac_walk_product(c->count, c->rank, dims));
        break;
    case TAC_ARGMAX:
        LIST(c->centers, tac_walk_product(c->count, dims, 1));
        LIST_OR_NULL(c->offset, tac_walk_product(c->count, 1, 1));
        break;
    }
}

static void walk_local(tac_walk *w, tac_query *q)
{
    LIST_OR_NULL(q->local.centers, tac_walk_product(q->cells.count, q->dims[q->cells.view], 1));
    LIST(q->local.radius, tac_walk_product(q->cells.count, 1, 1));
    tac_walk_truth(w, &q->local.taxicab);
}

static void walk_parts_of_sums(tac_walk *w, tac_local_parts *p)
{
    NUMBER(p->count), NUMBER(p->sum);
    tac_walk_truth(w, &p->soft), tac_walk_truth(w, &p->square), tac_walk_truth(w, &p->moments),
        tac_walk_truth(w, &p->axes);
}

static void walk_slices(tac_walk *w, tac_query *q)
{
    tac_slice *slice =
        tac_walk_list(w, q->slice, tac_walk_product(q->cells.count, 1, 1), sizeof *slice, 8);

    for (int32_t c = 0; !w->bad && c < q->cells.count; c++)
        NUMBER(slice[c].axis), NUMBER(slice[c].low), NUMBER(slice[c].high);
    q->slice = slice;
}

static void walk_counts(tac_walk *w, tac_query *q)
{
    NUMBER(q->rows), NUMBER(q->columns), NUMBER(q->row_labels), NUMBER(q->column_labels);
    if (q->kind != TAC_KIND_ROW_LABELS) LIST(q->row_label, tac_walk_product(q->rows, 1, 1));
    if (q->kind != TAC_KIND_COLUMN_LABELS)
        LIST(q->column_label, tac_walk_product(q->columns, 1, 1));
    if (q->kind != TAC_KIND_TABLE)
        LIST(q->score, tac_walk_product(q->row_labels, q->column_labels, 1));
}

static void walk_cubes(tac_walk *w, tac_query *q, int32_t dims)
{
    tac_cubes *c = &q->cubes;

    c->view = q->values;
    NUMBER(c->level), NUMBER(c->count), NUMBER(c->threshold), NUMBER(c->most);
    LIST(c->shift, tac_walk_product(dims, 1, 1));
    LIST(c->active, tac_walk_product(c->count, dims, 1));
}

static tacit_subspace_solver solver_of(tac_walk *w, tacit_subspace_solver solver)
{
    return (tacit_subspace_solver)tac_walk_choice(w, (int32_t)solver, TACIT_SOLVER_LRR + 1);
}

static void walk_gibbs(tac_walk *w, tac_gibbs *g)
{
    NUMBER(g->k), NUMBER(g->rank), NUMBER(g->rounds), NUMBER(g->chains);
    tac_walk_truth(w, &g->start_with_solver), tac_walk_truth(w, &g->labels);
    g->solver = solver_of(w, g->solver);
}

static void walk_plan(tac_walk *w, tac_parts *p)
{
    NUMBER(p->k), NUMBER(p->q), NUMBER(p->parts), NUMBER(p->restarts), NUMBER(p->seed);
    tac_walk_truth(w, &p->points), tac_walk_truth(w, &p->overlapping);
    p->solver = solver_of(w, p->solver);
}

/* The parameters that a kind reads, in a fixed order; a new kind needs a case here, or nothing
   compiles. */
static void walk_parameters(tac_walk *w, tac_query *q)
{
    const int32_t dims = q->dims[q->values];

    switch (q->kind) {
    case TAC_KIND_COUNT:
    case TAC_KIND_HISTOGRAM:
    case TAC_KIND_MOMENTS:
    case TAC_KIND_FOURTH:
    case TAC_KIND_ROW: break;
    case TAC_KIND_SUMS: NUMBER(q->weight); break;
    case TAC_KIND_LOCAL_SUMS:
    case TAC_KIND_LOCAL_MOMENTS: walk_local(w, q), walk_parts_of_sums(w, &q->parts); break;
    case TAC_KIND_DISTANCES:
        NUMBER(q->bins);
        walk_local(w, q);
        LIST(q->edge, tac_walk_product((int64_t)q->bins - 1, 1, 1));
        break;
    case TAC_KIND_PROJECTIONS:
        NUMBER(q->bins);
        walk_local(w, q);
        LIST(q->directions, tac_walk_product(q->cells.count, dims, 1));
        break;
    case TAC_KIND_SLICES: NUMBER(q->bins), walk_slices(w, q); break;
    case TAC_KIND_CODES:
        NUMBER(q->k);
        LIST(q->directions, tac_walk_product(q->k, dims, 1));
        break;
    case TAC_KIND_TABLE:
    case TAC_KIND_ROW_LABELS:
    case TAC_KIND_COLUMN_LABELS: walk_counts(w, q); break;
    case TAC_KIND_CENTERS:
        tac_walk_truth(w, &q->median);
        NUMBER(q->m), NUMBER(q->k);
        LIST(q->candidates, tac_walk_product(q->m, q->k, dims));
        break;
    case TAC_KIND_SUBSPACES:
        NUMBER(q->m), NUMBER(q->k), NUMBER(q->rank);
        LIST(q->candidates,
             tac_walk_product(q->m, q->k < 0 || q->rank < 0 ? -1 : (int64_t)q->k * q->rank, dims));
        break;
    case TAC_KIND_SWAP:
        tac_walk_truth(w, &q->median);
        NUMBER(q->m), NUMBER(q->k);
        LIST(q->centers, tac_walk_product(q->k, dims, 1));
        LIST(q->candidates, tac_walk_product(q->m, dims, 1));
        break;
    case TAC_KIND_CUBES: walk_cubes(w, q, dims); break;
    case TAC_KIND_BINGHAM: NUMBER(q->rank), tac_walk_truth(w, &q->by_column); break;
    case TAC_KIND_GIBBS: walk_gibbs(w, &q->gibbs); break;
    case TAC_KIND_PARTS: walk_plan(w, &q->plan); break;
    case TAC_KINDS: break;
    }
}

/* The whole query. After `bad` is set nothing more is read, and enums stay in range. */
static void walk_query(tac_walk *w, tac_query *q)
{
    uint32_t version = VERSION;

    NUMBER(version);
    w->bad = w->bad || version != VERSION;
    q->kind = (tac_kind)tac_walk_choice(w, (int32_t)q->kind, TAC_KINDS);
    q->values = (tac_view)tac_walk_choice(w, (int32_t)q->values, TAC_VIEWS);
    NUMBER(q->batch);
    for (int view = 0; view < TAC_VIEWS; view++) NUMBER(q->dims[view]);
    if (tac_kind_lines[q->kind].rows != TAC_TAKES_COUNTS) walk_cells(w, q);
    walk_parameters(w, q);
}

/* Two walks: the size, then the bytes. A query that does not pass the check is never written. */
tacit_status tac_query_write(tacit_ctx *ctx, const tac_query *query, uint8_t **bytes, size_t *count)
{
    tacit_status status = TACIT_OK;
    /* the walk takes one that may be changed, and changes nothing when it writes */
    tac_query q = *query;
    tac_walk size = {0}, w = {0};
    size_t words;

    *bytes = NULL;
    TAC_TRY(tac_query_check(ctx, &q, &words));
    walk_query(&size, &q);
    TAC_TRY(tac_new(ctx, size.at, 1, bytes));
    w.out = *bytes;
    walk_query(&w, &q);
    *count = w.at;
done:
    return status;
}

/* Bytes are not trusted: every length is compared with what is left before a list is made, and
   the query passes the same check as any other. */
tacit_status tac_query_read(tacit_ctx *ctx, const uint8_t *bytes, size_t count, tac_query **query)
{
    tacit_status status = TACIT_OK;
    tac_walk w = {.in = bytes, .end = count};
    size_t words;

    *query = NULL;
    if (count > SIZE_MAX / 4)
        return tac_fail(ctx, TACIT_E_FORMAT, "a query of more bytes than memory holds");
    /* Lists take no more than twice their bytes, and each begins at a round address. */
    TAC_TRY(tac_new(ctx, sizeof **query + 2 * count + LISTS_MOST * TAC_WALK_ALIGNED, 1, query));
    w.room = (char *)(*query + 1);
    walk_query(&w, *query);
    if (w.bad || w.at != w.end)
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                         "the bytes of a query are malformed, or of another version"));
    status = tac_query_check(ctx, *query, &words);
    /* of whoever wrote it: no fault of this program */
    if (status == TACIT_E_INTERNAL) status = TACIT_E_FORMAT;
done:
    if (status != TACIT_OK) {
        tac_free(*query);
        *query = NULL;
    }
    return status;
}
