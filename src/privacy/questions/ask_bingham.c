/* SPDX-License-Identifier: Apache-2.0 */
/* Subspaces drawn by the second moments of cells. The moments are exact integers; the draws are in double precision, and
   leave rounded to the lattice's grid. Proof, and of what: bingham.proof.md */
#include "data/cell_squares.h"
#include "privacy/draws/bingham.h"
#include "privacy/door_internal.h"
#include "solve/eigen.h"

#include <math.h>
#include <string.h>

/* Proposals that every draw makes, whatever the rows are; only a draw that has none accepted by then goes on. */
enum { FIRST = 32 };

static void add_moments(const void *state, const tac_tile *tile, uint64_t *words)
{
    const int32_t k = *(const int32_t *)state;
    tac_cell_squares(tile->rows, tile->n, tile->stride, tile->dims, tile->cell, k, tile->scratch, words);
}

/* matrix = times * (the symmetric matrix of this triangle) */
static void unfold(const uint64_t *triangle, int32_t dims, double times, double *matrix)
{
    for (int32_t i = 0; i < dims; i++)
        for (int32_t j = i; j < dims; j++)
            matrix[i * dims + j] = matrix[j * dims + i] = times * (double)(int64_t)*triangle++;
}

void tac_door_round(const double *vectors, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count; i++) out[i] = (int16_t)lrint(TAC_M * fmax(-1, fmin(1, vectors[i])));
}

/* basis <- turn basis: q vectors become q others of the same span. room: q d. */
static void turn_vectors(const double *turn, int32_t q, int32_t d, double *basis, double *room)
{
    memcpy(room, basis, (size_t)q * (size_t)d * sizeof *room);
    for (int32_t r = 0; r < q; r++)
        for (int32_t i = 0; i < d; i++) {
            double sum = 0;
            for (int32_t t = 0; t < q; t++) sum += turn[r * q + t] * room[t * d + i];
            basis[r * d + i] = sum;
        }
}

/* One subspace of the law exp(tr U^T A U); matrix: d x d, overwritten. u: d x d, vectors: d x d. */
static tacit_status draw_matrix(tac_door *door, tac_stream *stream, double *matrix, int32_t d, int32_t q, double *u,
                                double *vectors,
                                double *basis)
{
    tacit_status status = TACIT_OK;
    tac_grassmann *law = NULL;
    double *values = NULL, *turn = NULL;
    bool found = false;

    TAC_TRY(tac_new(door->ctx, (size_t)d, sizeof *values, &values));
    TAC_TRY(tac_new(door->ctx, (size_t)q * (size_t)q, sizeof *turn, &turn));
    TAC_TRY(tac_top_eigen(door->ctx, matrix, d, d, values, vectors));
    TAC_TRY(tac_grassmann_open(door->ctx, values, d, q, &law));
    for (int64_t tries = 0; !found || tries < FIRST; tries++) {
        double chance;
        TAC_TRY(tac_check_cancel(door->ctx));
        TAC_TRY(tac_grassmann_propose(law, stream, u, &chance));
        const bool good = log(tac_draw_uniform(stream)) < chance;
        if (found || !good) continue;
        found = true;
        for (int32_t r = 0; r < q; r++)
            for (int32_t i = 0; i < d; i++) { /* from the eigenvectors' coordinates to the lattice's */
                double sum = 0;
                for (int32_t j = 0; j < d; j++) sum += vectors[i * d + j] * u[r * d + j];
                basis[r * d + i] = sum;
            }
    }
    /* The law is one of subspaces; a proposal's own vectors lean on the eigenvectors of the rows. Turned by lot, they tell
       no more than what they span. */
    tac_draw_frame(stream, 0, q, q, turn);
    turn_vectors(turn, q, d, basis, u);
    tac_orthonormal(0, q, d, basis); /* only rounding to mend */
done:
    tac_free(turn);
    tac_grassmann_close(law);
    tac_free(values);
    return status;
}

/* Vector after vector, each at right angles to the earlier ones: exp(u^T A u). */
static tacit_status draw_columns(tac_door *door, tac_stream *stream, tac_axis *axis, int32_t q, double *values,
                                 double *vectors,
                                 double *basis)
{
    tacit_status status = TACIT_OK;
    const int32_t d = axis->dims;
    double *spare = axis->normal;

    memcpy(axis->work, axis->b, (size_t)d * (size_t)d * sizeof(double));
    TAC_TRY(tac_top_eigen(door->ctx, axis->work, d, d, values, vectors));
    for (int32_t r = 0; r < q; r++) {
        double *u = basis + (size_t)r * (size_t)d;
        bool found = false;
        axis->sigma = tac_axis_sigma(values + r, d - r); /* about what is left of the spectrum: where to start looking */
        tac_axis_ready(axis, r);
        for (int64_t tries = 0; !found || tries < FIRST; tries++) {
            TAC_TRY(tac_check_cancel(door->ctx));
            const bool good = tac_axis_try(axis, stream, r, basis);
            if (found || !good) continue;
            found = true;
            memcpy(vectors, u, (size_t)d * sizeof *u);
        }
        memcpy(u, vectors, (size_t)d * sizeof *u);
        tac_deflate(axis->b, d, u, spare);
    }
done:
    return status;
}

static tacit_status draw_all(tac_door *door, uint64_t query, const tac_bingham *draw, const uint64_t *words,
                             double exponent, int16_t *bases)
{
    tacit_status status = TACIT_OK;
    const int32_t d = door->lattice[draw->values]->dims, q = draw->rank;
    const size_t square = (size_t)d * (size_t)d, triangle = (square + (size_t)d) / 2;
    const double times = exponent / ((double)TAC_M * TAC_M);
    const size_t each = (size_t)q * (size_t)d;
    double *u = NULL, *vectors = NULL, *basis = NULL;
    tac_axis axis = {0};
    tac_stream stream;
    bool open = false;

    TAC_TRY(tac_new(door->ctx, each, sizeof *basis, &basis));
    TAC_TRY(tac_new(door->ctx, square, sizeof *u, &u));
    TAC_TRY(tac_new(door->ctx, square, sizeof *vectors, &vectors));
    TAC_TRY(tac_axis_open(door->ctx, d, &axis));
    for (int32_t c = 0; c < draw->cells->count; c++) {
        TAC_TRY(tac_stream_open(door->ctx, door->key, query, (uint64_t)c, &stream));
        open = true;
        unfold(words + (size_t)c * triangle, d, times, axis.b);
        TAC_TRY(draw->by_column ? draw_columns(door, &stream, &axis, q, u, vectors, basis)
                                : draw_matrix(door, &stream, axis.b, d, q, u, vectors, basis));
        tac_door_round(basis, each, bases + (size_t)c * each);
        tac_stream_close(&stream);
        open = false;
    }
done:
    if (open) tac_stream_close(&stream);
    tac_axis_close(&axis);
    tac_free(basis);
    tac_free(u);
    tac_free(vectors);
    return status;
}

static tacit_status show(const tac_door *door, const tac_receipt *receipt, int16_t *bases, size_t count)
{
    tacit_status status = TACIT_OK;
    uint64_t *word = NULL;

    if (door->probe.noisy == NULL) return TACIT_OK;
    TAC_TRY(tac_new(door->ctx, count, sizeof *word, &word));
    for (size_t i = 0; i < count; i++) word[i] = (uint64_t)(int64_t)bases[i];
    door->probe.noisy(door->probe.payload, receipt, word, count);
    for (size_t i = 0; i < count; i++) bases[i] = (int16_t)(int64_t)word[i];
done:
    tac_free(word);
    return status;
}

uint64_t tac_quote_bingham(const tac_terms *terms, int32_t rank, bool by_column, uint64_t units)
{
    uint64_t cost;
    return tac_selection_epsilon(terms->notion, by_column ? units / (uint64_t)rank : units, &cost);
}

double tac_bingham_exponent(const tac_terms *terms, uint64_t epsilon)
{
    return ldexp((double)epsilon, -TAC_SELECTION_BITS) / (double)tac_range_squares(terms->neighbours,
                                                                                   (uint64_t)terms->rows_per_unit);
}

tacit_status tac_door_bingham(tac_door *door, const char *what, uint64_t units, const tac_bingham *draw, int16_t *bases)
{
    tacit_status status = TACIT_OK;
    const tac_terms terms = tac_door_terms(door);
    tac_receipt asked = {.kind = "bingham", .what = what, .batch = -1};
    const tac_receipt *receipt;
    uint64_t *words = NULL, cost;
    size_t numbers = 0;

    TAC_TRY(tac_cells_check(door, draw->cells, draw->values));
    const int32_t dims = door->lattice[draw->values]->dims, rank = draw->rank;
    if (rank < 1 || rank >= dims)
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "a subspace was asked for that makes no sense");
    const size_t triangle = (size_t)dims * ((size_t)dims + 1) / 2;
    TAC_TRY(tac_door_fits(door, draw->cells->count, triangle));
    TAC_TRY(tac_door_fits(door, draw->cells->count, (size_t)rank * (size_t)dims));
    numbers = (size_t)draw->cells->count * (size_t)rank * (size_t)dims;
    const size_t count = (size_t)draw->cells->count * triangle;
    const size_t scratch = tac_cell_squares_scratch(tac_tile_rows(door->lattice[draw->values]->stride), dims);
    asked.scale = tac_quote_bingham(&terms, rank, draw->by_column, units);
    if (asked.scale == 0)
        return tac_fail(door->ctx, TACIT_E_ARGUMENT, "epsilon is too small to draw subspaces; raise epsilon");
    cost = tac_cost_selection(terms.notion, asked.scale);
    asked.units = draw->by_column ? cost * (uint64_t)rank : cost;
    asked.sensitivity = tac_range_squares(door->neighbours, door->rows_per_unit);
    asked.answers = (int64_t)numbers;
    TAC_TRY(tac_new(door->ctx, count, sizeof *words, &words));
    TAC_TRY(tac_door_pay_exactly(door, &asked, &receipt));
    TAC_TRY(tac_door_over_cells(door, draw->cells, draw->values, count, add_moments, &draw->cells->count, scratch, words));
    if (door->probe.exact != NULL) door->probe.exact(door->probe.payload, receipt, words, count);
    TAC_TRY(draw_all(door, (uint64_t)(receipt - door->receipt), draw, words, tac_bingham_exponent(&terms, asked.scale),
                     bases));
    TAC_TRY(show(door, receipt, bases, numbers));
done:
    if (words != NULL) tac_free(words);
    if (status != TACIT_OK) memset(bases, 0, numbers * sizeof *bases);
    return status;
}
