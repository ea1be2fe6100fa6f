/* SPDX-License-Identifier: Apache-2.0 */
/* Which cell of a public partition a row lies in: a function of the row and public numbers
   alone, in integers. Neighbors that differ in one row so differ in that row's cell and in no
   other. */
#include "privacy/queries/cells.h"

#include <string.h>

#define CELLS_MOST (1 << 24)
#define OFFSET_MOST (INT64_C(1) << 32)

/* Does every path down the tree end in a cell that exists? A fork leads to later forks only, so
   there are no loops. Two paths may end in one cell. */
static bool forks_make_sense(const tac_cells *c, int32_t dims)
{
    if (c->fork == NULL || c->forks < 1 || c->normals < 0 || (c->normals > 0 && c->normal == NULL))
        return false;
    for (int32_t f = 0; f < c->forks; f++) {
        const tac_fork *fork = &c->fork[f];
        if (fork->axis < -c->normals || fork->axis >= dims) return false;
        for (int side = 0; side < 2; side++) {
            const int32_t to = side ? fork->above : fork->below;
            if (to >= 0 ? to <= f || to >= c->forks : to < -c->count) return false;
        }
    }
    return true;
}

/* count is the product of the parts, and the product stays within CELLS_MOST at every step. */
static bool grid_makes_sense(const tac_cells *c, int32_t dims)
{
    int64_t boxes = 1;

    if (c->low == NULL || c->width == NULL || c->parts == NULL) return false;
    for (int32_t j = 0; j < dims; j++) {
        if (c->width[j] < 1 || c->parts[j] < 1) return false;
        boxes *= c->parts[j];
        if (boxes > CELLS_MOST) return false;
    }
    return boxes == c->count;
}

static bool offsets_make_sense(const tac_cells *c)
{
    for (int32_t i = 0; c->offset != NULL && i < c->count; i++)
        if (c->offset[i] >= OFFSET_MOST || c->offset[i] <= -OFFSET_MOST) return false;
    return true;
}

/* Would every row get a cell 0 .. count - 1, and every access stay within its array? */
bool tac_cells_make_sense(const tac_query *q)
{
    const tac_cells *c = &q->cells;

    if ((unsigned)c->view >= TAC_VIEWS || (unsigned)q->values >= TAC_VIEWS ||
        q->dims[c->view] < 1 || q->dims[q->values] < 1 || c->count < 1 || c->count > CELLS_MOST)
        return false;
    const int32_t dims = q->dims[c->view];
    switch (c->kind) {
    case TAC_ONE_CELL: return c->count == 1;
    case TAC_NEAREST: return c->centers != NULL;
    case TAC_FORKS: return forks_make_sense(c, dims);
    case TAC_GRID: return grid_makes_sense(c, dims);
    case TAC_SUBSPACES:
        return c->bases != NULL && c->rank >= 1 && c->rank <= dims && c->rank <= TAC_RANK_MOST &&
               (int64_t)c->count * c->rank <= CELLS_MOST;
    case TAC_ARGMAX: return c->centers != NULL && offsets_make_sense(c);
    }
    return false;
}

/* *out: many x dims, new, the caller's to free. */
tacit_status tac_clipped(tacit_ctx *ctx, const int16_t *points, int64_t many, int32_t dims,
                         int16_t **out)
{
    tacit_status status = TACIT_OK;
    const size_t count = (size_t)many * (size_t)dims;

    TAC_TRY(tac_new(ctx, count, sizeof **out, out));
    memcpy(*out, points, count * sizeof **out);
    for (int64_t c = 0; c < many; c++) tac_clip(*out + (size_t)c * (size_t)dims, dims);
done:
    return status;
}

/* Lays the public points out for the kernel of the partition's kind. */
tacit_status tac_placer_open(tacit_ctx *ctx, const tac_cells *cells, int32_t dims, tac_placer *out)
{
    tacit_status status = TACIT_OK;
    int16_t *copy = NULL;

    *out = (tac_placer){.cells = *cells, .dims = dims};
    if (cells->kind == TAC_NEAREST) {
        TAC_TRY(tac_clipped(ctx, cells->centers, cells->count, dims, &copy));
        TAC_TRY(tac_centers_new(ctx, copy, cells->count, dims, &out->centers));
    }
    if (cells->kind == TAC_FORKS && cells->normals > 0)
        TAC_TRY(tac_clipped(ctx, cells->normal, cells->normals, dims, &out->normal));
    if (cells->kind == TAC_SUBSPACES) {
        TAC_TRY(tac_clipped(ctx, cells->bases, cells->count * cells->rank, dims, &copy));
        TAC_TRY(tac_spans_new(ctx, copy, cells->count, cells->rank, dims, &out->spans));
    }
    if (cells->kind == TAC_ARGMAX) {
        TAC_TRY(tac_clipped(ctx, cells->centers, cells->count, dims, &copy));
        TAC_TRY(tac_vectors_open(ctx, copy, cells->offset, cells->count, dims, &out->vectors));
    }
done:
    tac_free(copy);
    return status;
}

void tac_placer_close(tac_placer *placer)
{
    tac_centers_free(placer->centers);
    tac_spans_free(placer->spans);
    tac_vectors_close(&placer->vectors);
    tac_free(placer->normal);
}

/* The cell of x in a tree of half-spaces: x_axis or <x, normal> against fork->at. |<x, normal>|
   <= M^2. */
static int32_t leaf(const tac_placer *p, const int16_t *x)
{
    int32_t at = 0;

    while (at >= 0) {
        const tac_fork *fork = &p->cells.fork[at];
        int64_t number = 0;
        if (fork->axis >= 0) {
            number = x[fork->axis];
        } else {
            const int16_t *normal = p->normal + (size_t)(-1 - fork->axis) * (size_t)p->dims;
            for (int32_t j = 0; j < p->dims; j++) number += (int32_t)x[j] * normal[j];
        }
        at = number < fork->at ? fork->below : fork->above;
    }
    return -1 - at;
}

/* The box of x, first axis slowest: part_j = floor((x_j - low_j) parts_j / width_j), clamped to
   the grid. */
static int32_t grid_box(const tac_placer *p, const int16_t *x)
{
    const tac_cells *c = &p->cells;
    int32_t box = 0;

    for (int32_t j = 0; j < p->dims; j++) {
        const int64_t part = ((int64_t)x[j] - c->low[j]) * c->parts[j] / c->width[j];
        box = box * c->parts[j] + (int32_t)(part < 0              ? 0
                                            : part >= c->parts[j] ? c->parts[j] - 1
                                                                  : part);
    }
    return box;
}

/* One kernel call a tile; tac_cells_make_sense has refused every other kind. */
void tac_place(const tac_placer *p, const tac_lattice *where, int64_t first, int64_t n,
               int32_t *cell)
{
    const int32_t stride = where->stride;
    const int16_t *rows = where->points == NULL ? NULL : where->points + first * stride;

    switch (p->cells.kind) {
    case TAC_ONE_CELL: memset(cell, 0, (size_t)n * sizeof *cell); break;
    case TAC_NEAREST: tac_nearest(p->centers, rows, n, stride, cell); break;
    case TAC_FORKS:
        for (int64_t i = 0; i < n; i++) cell[i] = leaf(p, rows + i * stride);
        break;
    case TAC_GRID:
        for (int64_t i = 0; i < n; i++) cell[i] = grid_box(p, rows + i * stride);
        break;
    case TAC_SUBSPACES: tac_nearest_subspace(p->spans, rows, n, stride, cell, NULL); break;
    case TAC_ARGMAX:
        if (rows == NULL)
            tac_argmax_sparse(&p->vectors, where->start + first, where->column, where->value, n,
                              cell);
        else
            tac_argmax(&p->vectors, rows, n, stride, cell);
        break;
    }
}
