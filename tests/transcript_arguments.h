/* SPDX-License-Identifier: Apache-2.0 */
/* What a method asks, to the last number: every question that passes from a method to the door adds its arguments to a running digest, and
   so does every frame that the rows are looked at through. They are public, so they too must be a function of the answers before. The
   linker puts these in the way (--wrap): the door itself knows nothing of it. */
#ifndef TAC_TEST_TRANSCRIPT_ARGUMENTS_H
#define TAC_TEST_TRANSCRIPT_ARGUMENTS_H

#include "privacy/door_internal.h"
#include "privacy/run.h"

static uint64_t argument_digest; /* of the run at hand */

static void add_bytes(const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;

    argument_digest ^= count;
    for (size_t i = 0; byte != NULL && i < count; i++) argument_digest = (argument_digest ^ byte[i]) * UINT64_C(0x100000001b3);
}

#define ADD(number) add_bytes(&(number), sizeof(number))
#define ADD_MANY(numbers, count) add_bytes(numbers, (size_t)(count) * sizeof *(numbers))

static size_t dims_of(const tac_door *door, tac_view view)
{
    return (unsigned)view < TAC_VIEWS && door->lattice[view] != NULL ? (size_t)door->lattice[view]->dims : 0;
}

static void add_question(const char *what, uint64_t units)
{
    add_bytes(what, strlen(what));
    ADD(units);
}

static void add_cells(const tac_door *door, const tac_cells *c)
{
    const size_t dims = dims_of(door, c->view), count = (size_t)c->count;

    ADD(c->kind), ADD(c->view), ADD(c->count);
    if (c->kind == TAC_NEAREST || c->kind == TAC_LARGEST) ADD_MANY(c->centers, count * dims);
    if (c->kind == TAC_LARGEST && c->offset != NULL) ADD_MANY(c->offset, count);
    if (c->kind == TAC_FORKS) ADD_MANY(c->normal, (size_t)c->normals * dims);
    for (int32_t i = 0; c->kind == TAC_FORKS && i < c->forks; i++)
        ADD(c->fork[i].axis), ADD(c->fork[i].at), ADD(c->fork[i].below), ADD(c->fork[i].above);
    if (c->kind == TAC_GRID) ADD_MANY(c->low, dims), ADD_MANY(c->width, dims), ADD_MANY(c->parts, dims);
    if (c->kind == TAC_SUBSPACES) ADD(c->rank), ADD_MANY(c->bases, count * (size_t)c->rank * dims);
}

static void add_local(const tac_door *door, const tac_cells *c, const tac_local *l)
{
    if (l == NULL) return;
    if (l->centers != NULL) ADD_MANY(l->centers, (size_t)c->count * dims_of(door, c->view));
    if (l->radius != NULL) ADD_MANY(l->radius, c->count);
    ADD(l->taxicab);
}

#define WRAP(name, arguments)                              \
    tacit_status __real_tac_##name arguments;              \
    tacit_status __wrap_tac_##name arguments;              \
    tacit_status __wrap_tac_##name arguments

WRAP(door_histogram, (tac_door *door, const char *what, uint64_t units, const tac_cells *cells, int64_t *answer))
{
    add_question(what, units);
    add_cells(door, cells);
    return __real_tac_door_histogram(door, what, units, cells, answer);
}

WRAP(door_sums, (tac_door *door, const char *what, uint64_t units, const tac_cells *cells, tac_view values, uint32_t count_weight,
                 int64_t *sums, int64_t *counts))
{
    add_question(what, units);
    add_cells(door, cells);
    ADD(values), ADD(count_weight);
    return __real_tac_door_sums(door, what, units, cells, values, count_weight, sums, counts);
}

WRAP(door_moments, (tac_door *door, const char *what, uint64_t units, const tac_cells *cells, tac_view values, int64_t *answer))
{
    add_question(what, units);
    add_cells(door, cells);
    ADD(values);
    return __real_tac_door_moments(door, what, units, cells, values, answer);
}

WRAP(door_choose_subspaces, (tac_door *door, const char *what, uint64_t units, tac_view view, const int16_t *bases, int32_t m, int32_t k,
                             int32_t rank, int32_t *chosen))
{
    add_question(what, units);
    ADD(view), ADD(m), ADD(k), ADD(rank);
    ADD_MANY(bases, (size_t)m * (size_t)k * (size_t)rank * dims_of(door, view));
    return __real_tac_door_choose_subspaces(door, what, units, view, bases, m, k, rank, chosen);
}

WRAP(door_bingham, (tac_door *door, const char *what, uint64_t units, const tac_bingham *draw, int16_t *bases))
{
    add_question(what, units);
    add_cells(door, draw->cells);
    ADD(draw->values), ADD(draw->rank), ADD(draw->by_column);
    return __real_tac_door_bingham(door, what, units, draw, bases);
}

WRAP(door_local, (tac_door *door, const char *what, uint64_t units, const tac_cells *cells, const tac_local *local,
                  const tac_local_parts *parts, int64_t *counts, int64_t *sums, int64_t *squares))
{
    add_question(what, units);
    add_cells(door, cells);
    add_local(door, cells, local);
    ADD(parts->count), ADD(parts->soft), ADD(parts->sum), ADD(parts->square), ADD(parts->moments), ADD(parts->axes);
    return __real_tac_door_local(door, what, units, cells, local, parts, counts, sums, squares);
}

WRAP(door_distances, (tac_door *door, const char *what, uint64_t units, const tac_cells *cells, const tac_local *local, const double *edge,
                      int32_t bins, int64_t *answer))
{
    add_question(what, units);
    add_cells(door, cells);
    add_local(door, cells, local);
    ADD_MANY(edge, bins - 1);
    return __real_tac_door_distances(door, what, units, cells, local, edge, bins, answer);
}

WRAP(door_projections, (tac_door *door, const char *what, uint64_t units, const tac_cells *cells, const tac_local *local,
                        const int16_t *directions, int32_t bins, int64_t *answer))
{
    add_question(what, units);
    add_cells(door, cells);
    add_local(door, cells, local);
    ADD(bins), ADD_MANY(directions, (size_t)cells->count * dims_of(door, cells->view));
    return __real_tac_door_projections(door, what, units, cells, local, directions, bins, answer);
}

WRAP(door_slices, (tac_door *door, const char *what, uint64_t units, const tac_cells *cells, const tac_slice *slice, int32_t bins,
                   int64_t *answer))
{
    add_question(what, units);
    add_cells(door, cells);
    ADD(bins);
    for (int32_t c = 0; c < cells->count; c++) ADD(slice[c].axis), ADD(slice[c].low), ADD(slice[c].high);
    return __real_tac_door_slices(door, what, units, cells, slice, bins, answer);
}

WRAP(door_draw, (tac_door *door, const char *what, uint64_t units, const int16_t *centers, int32_t count, int64_t *answer))
{
    add_question(what, units);
    if (count > 0) ADD_MANY(centers, (size_t)count * dims_of(door, TAC_ROWS));
    return __real_tac_door_draw(door, what, units, centers, count, answer);
}

WRAP(door_cubes, (tac_door *door, const char *what, uint64_t units, const tac_cubes *cubes, tac_cube *found, int32_t *count))
{
    const size_t dims = dims_of(door, cubes->view);

    add_question(what, units);
    ADD(cubes->view), ADD(cubes->level), ADD(cubes->threshold), ADD(cubes->most);
    ADD_MANY(cubes->shift, dims), ADD_MANY(cubes->active, (size_t)cubes->count * dims);
    return __real_tac_door_cubes(door, what, units, cubes, found, count);
}

WRAP(door_parts, (tac_door *door, const char *what, const tac_parts *plan, int64_t *answer))
{
    add_question(what, 0);
    ADD(plan->points), ADD(plan->k), ADD(plan->q), ADD(plan->parts), ADD(plan->overlapping), ADD(plan->solver), ADD(plan->restarts);
    ADD(plan->seed);
    return __real_tac_door_parts(door, what, plan, answer);
}

WRAP(door_choose, (tac_door *door, const char *what, uint64_t units, const tac_choice *choice, int32_t *chosen))
{
    add_question(what, units);
    ADD(choice->view), ADD(choice->median), ADD(choice->m), ADD(choice->k);
    ADD_MANY(choice->candidates, (size_t)choice->m * (size_t)choice->k * dims_of(door, choice->view));
    return __real_tac_door_choose(door, what, units, choice, chosen);
}

WRAP(door_swap, (tac_door *door, const char *what, uint64_t units, const tac_swap *swap, int32_t *out, int32_t *in))
{
    const size_t dims = dims_of(door, swap->view);

    add_question(what, units);
    ADD(swap->view), ADD(swap->median);
    ADD_MANY(swap->centers, (size_t)swap->k * dims), ADD_MANY(swap->candidates, (size_t)swap->m * dims);
    return __real_tac_door_swap(door, what, units, swap, out, in);
}

WRAP(door_codes, (tac_door *door, const char *what, uint64_t units, tac_view values, const int16_t *directions, int32_t count,
                  int64_t *squares, int64_t *products))
{
    add_question(what, units);
    ADD(values), ADD_MANY(directions, (size_t)count * dims_of(door, values));
    return __real_tac_door_codes(door, what, units, values, directions, count, squares, products);
}

WRAP(door_batches, (tac_door *door, const int32_t *batch, int32_t count))
{
    ADD(count), ADD_MANY(batch, tac_door_rows(door));
    return __real_tac_door_batches(door, batch, count);
}

WRAP(door_table, (tac_door *door, const char *what, uint64_t units, const tac_table *table, int64_t *answer))
{
    add_question(what, units);
    ADD(table->batch), ADD(table->k), ADD(table->l);
    ADD_MANY(table->row_label, door->counts->rows), ADD_MANY(table->column_label, door->counts->columns);
    return __real_tac_door_table(door, what, units, table, answer);
}

WRAP(door_labels, (tac_door *door, const char *what, uint64_t units, const tac_draw_labels *draw, int32_t *label))
{
    add_question(what, units);
    ADD(draw->columns), ADD(draw->batch), ADD(draw->clusters);
    ADD_MANY(draw->other_label, draw->columns ? door->counts->rows : door->counts->columns);
    ADD_MANY(draw->score, (size_t)draw->clusters * (size_t)draw->others);
    return __real_tac_door_labels(door, what, units, draw, label);
}

WRAP(run_look, (tac_run *run, tac_view view, tac_frame *frame))
{
    const tac_frame *f = frame;
    const size_t columns = (size_t)f->columns, dims = (size_t)f->dims;

    ADD(view), ADD(f->columns), ADD(f->dims), ADD(f->ball), ADD(f->constant), ADD(f->zoom), ADD(f->sketch), ADD(f->sparsity);
    if (f->center != NULL) ADD_MANY(f->center, columns);
    if (f->scale != NULL) ADD_MANY(f->scale, columns);
    if (f->shift != NULL) ADD_MANY(f->shift, tac_frame_first(f));
    if (f->basis != NULL) ADD_MANY(f->basis, (f->sketch > 0 ? (size_t)f->sketch : (size_t)tac_frame_first(f)) * dims);
    if (f->bucket != NULL) ADD_MANY(f->bucket, columns), ADD_MANY(f->sign, columns);
    if (f->middle != NULL) ADD_MANY(f->middle, f->sketch);
    if (f->counts != NULL) {
        const tac_weighing *w = f->counts;
        ADD(w->value), ADD(w->dims), ADD(w->most), ADD(w->least), ADD(w->taxicab), ADD(w->dense);
        if (w->weight != NULL) ADD_MANY(w->weight, columns);
        if (w->group != NULL) ADD_MANY(w->group, columns);
    }
    return __real_tac_run_look(run, view, frame);
}

#endif
