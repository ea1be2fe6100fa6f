/* SPDX-License-Identifier: Apache-2.0 */
/* Frames: raw row -> lattice point and back. Rows pass here once when a run opens, and again
   whenever a method looks closer. A pure function of (row, public numbers): one order of
   operations for every row, no contraction (-ffp-contract=off), nothing that depends on where
   the row stands. */
#include "data/lattice/frame_internal.h"

#include <math.h>
#include <string.h>

/* reach / |y| if the row lies outside the ball, else 1. */
static double pull(const tac_frame *f, const double *row)
{
    const double reach = tac_frame_reach(f);
    double squares = 0;

    for (int32_t j = 0; j < f->columns; j++) {
        const double y = tac_place_value(f, row[j], j);
        squares += y * y;
    }
    return squares > reach * reach ? reach / sqrt(squares) : 1.0;
}

void tac_frame_to_lattice(const tac_frame *f, const double *row, double *lattice)
{
    if (f->counts != NULL) {
        tac_frame_counts_to_lattice(f, row, lattice);
        return;
    }
    const double factor = f->ball ? pull(f, row) : 1.0;
    for (int32_t j = 0; j < f->columns; j++) lattice[j] = tac_place_value(f, row[j], j) * factor;
    if (f->constant > 0) lattice[f->columns] = f->constant;
}

double tac_frame_pull(const double *z, int32_t count)
{
    double squares = 0;

    for (int32_t j = 0; j < count; j++) squares += z[j] * z[j];
    return squares > (double)TAC_M * TAC_M ? TAC_M / sqrt(squares) : 1.0;
}

/* Numbers are bounded before they are rounded: a cast of a double that does not fit is
   undefined. */
void tac_frame_to_grid(const double *z, double factor, int32_t count, int16_t *point)
{
    for (int32_t j = 0; j < count; j++) {
        const double y = z[j] * factor;
        /* NaN: infinity times 0 */
        const double bounded = y != y ? 0 : y < -TAC_M ? -TAC_M : y > TAC_M ? TAC_M : y;
        point[j] = (int16_t)tac_to_whole(bounded);
    }
    tac_clip(point, count);
}

/* A first frame: place, pull into the ball, round, clip. */
static void apply_first(const tac_frame *f, const double *row, int16_t *point)
{
    const double factor = f->ball ? pull(f, row) : 1.0;

    for (int32_t j = 0; j < f->columns; j++) {
        const double y = tac_place_value(f, row[j], j) * factor;
        const double bounded = y < -TAC_M ? -TAC_M : y > TAC_M ? TAC_M : y;
        point[j] = (int16_t)tac_to_whole(bounded);
    }
    if (f->constant > 0) point[f->columns] = (int16_t)f->constant;
    tac_clip(point, f->dims);
}

/* Row by row of the basis: each coordinate of the result is one chain of additions. */
void tac_frame_turn(const tac_frame *f, const double *s, double *out)
{
    const int32_t from = f->bucket != NULL ? f->sketch : tac_frame_first(f);

    memset(out, 0, (size_t)f->dims * sizeof *out);
    for (int32_t j = 0; j < from; j++) {
        const double *b = f->basis + (size_t)j * (size_t)f->dims;
        for (int32_t i = 0; i < f->dims; i++) out[i] += b[i] * s[j];
    }
}

/* out = P z less the middle, z already zoomed. Sums run over the columns in their order: each
   coordinate of the result is one chain of additions, and the chains run side by side, so vector
   code gives the same bits. room: `sketch` doubles. */
static void project(const tac_frame *f, const double *z, double *out, double *room)
{
    double *s = f->basis != NULL ? room : out;

    if (f->bucket == NULL) {
        tac_frame_turn(f, z, out);
        return;
    }
    for (int32_t i = 0; i < f->sketch; i++) s[i] = f->middle == NULL ? 0 : -f->middle[i] * f->zoom;
    for (int32_t j = 0; j < f->columns; j++) s[f->bucket[j]] += f->sign[j] * z[j];
    if (f->basis != NULL) tac_frame_turn(f, s, out);
}

/* Column by column, so that a public point of a million columns needs no scratch. */
void tac_frame_lower(const tac_frame *f, const double *first, double *lattice)
{
    if (f->shift == NULL) {
        memcpy(lattice, first, (size_t)f->dims * sizeof *lattice);
        return;
    }
    memset(lattice, 0, (size_t)f->dims * sizeof *lattice);
    for (int32_t b = 0; f->middle != NULL && b < f->sketch; b++) {
        if (f->basis != NULL)
            tac_frame_add_turned(f, b, -f->middle[b] * f->zoom, lattice);
        else
            lattice[b] = -f->middle[b] * f->zoom;
    }
    for (int32_t j = 0; j < tac_frame_first(f); j++) {
        const double z = (first[j] - f->shift[j]) * f->zoom;
        if (f->bucket != NULL && f->basis != NULL)
            tac_frame_add_turned(f, f->bucket[j], f->sign[j] * z, lattice);
        else if (f->bucket != NULL)
            lattice[f->bucket[j]] += f->sign[j] * z;
        else if (f->basis != NULL)
            tac_frame_add_turned(f, j, z, lattice);
        else
            lattice[j] = z;
    }
}

/* shift + P^T z / zoom, column by column. Behind a sketch with a basis nothing can be inverted:
   the shift comes back. */
void tac_frame_lift(const tac_frame *f, const double *lattice, double *first)
{
    /* the first frame itself; groups of counts have no way back to columns */
    if (f->shift == NULL) {
        memcpy(first, lattice, (size_t)f->dims * sizeof *first);
        return;
    }
    for (int32_t j = 0; j < tac_frame_first(f); j++) {
        double z = 0;
        if (f->bucket != NULL)
            z = f->basis == NULL ? f->sign[j] * lattice[f->bucket[j]] : 0;
        else if (f->basis == NULL)
            z = lattice[j];
        else
            for (int32_t i = 0; i < f->dims; i++)
                z += f->basis[(size_t)j * (size_t)f->dims + (size_t)i] * lattice[i];
        first[j] = f->shift[j] + z / f->zoom;
    }
}

/* z = (y - shift) zoom, then P z, pulled to |z| <= M, rounded, clipped. */
void tac_frame_apply(const tac_frame *f, const double *row, double *scratch, int16_t *point)
{
    if (f->counts != NULL) {
        tac_frame_apply_counts(f, row, scratch, point);
        return;
    }
    if (f->bins != NULL) {
        tac_frame_apply_bins(f, row, point);
        return;
    }
    if (f->shift == NULL) {
        apply_first(f, row, point);
        return;
    }
    double *z = scratch;
    const double factor = f->ball ? pull(f, row) : 1.0;
    for (int32_t j = 0; j < f->columns; j++)
        z[j] = (tac_place_value(f, row[j], j) * factor - f->shift[j]) * f->zoom;
    if (f->constant > 0) z[f->columns] = (f->constant - f->shift[f->columns]) * f->zoom;
    if (tac_frame_projects(f)) {
        z += tac_frame_first(f);
        project(f, scratch, z, z + f->dims);
    }
    tac_frame_to_grid(z, tac_frame_pull(z, f->dims), f->dims, point);
}

size_t tac_frame_scratch(const tac_frame *f)
{
    /* of a row of counts: their columns too */
    const size_t entries = f->counts != NULL ? (size_t)f->columns / 2 + 1 : 0;
    return (size_t)tac_frame_first(f) + entries + (size_t)f->dims + (size_t)f->sketch;
}

/* Public points, such as noisy means, can lie outside the domain: they are pulled back into it. */
void tac_frame_from_lattice(const tac_frame *f, const double *lattice, double *row)
{
    const double reach = tac_frame_reach(f);
    double factor = 1.0, squares = 0;

    if (f->counts != NULL) {
        memcpy(row, lattice, (size_t)f->dims * sizeof *row);
        return;
    }
    if (f->ball) {
        for (int32_t j = 0; j < f->columns; j++) squares += lattice[j] * lattice[j];
        if (squares > reach * reach) factor = reach / sqrt(squares);
    }
    for (int32_t j = 0; j < f->columns; j++) {
        const double x = f->center[j] + lattice[j] * factor / f->scale[j];
        row[j] = x < f->lower[j] ? f->lower[j] : x > f->upper[j] ? f->upper[j] : x;
    }
}

bool tac_frame_inside(const tac_frame *f, const double *row)
{
    if (f->counts != NULL) return true;
    for (int32_t j = 0; j < f->columns; j++)
        if (row[j] < f->lower[j] || row[j] > f->upper[j]) return false;
    return !f->ball || pull(f, row) >= 1.0;
}
