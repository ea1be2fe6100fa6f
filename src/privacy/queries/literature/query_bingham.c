/* SPDX-License-Identifier: Apache-2.0 */
/* Subspaces drawn by the second moments of cells. The moments are exact integers; the draws are
   in double precision, and leave rounded to the lattice's grid. What is proved, and for which
   arithmetic: bingham.proof.md */
#include "privacy/draws/bingham.h"
#include "privacy/kinds.h"
#include "solve/linalg/eigen.h"

#include <math.h>
#include <string.h>

/* Proposals that every draw makes, whatever the rows are; only a draw that has none accepted by
   then goes on. */
enum { FIRST = 32 };

/* matrix = times * (the symmetric matrix of the triangle that begins at number `at`) */
static void unfold(const tac_words *exact, size_t at, int32_t dims, double times, double *matrix)
{
    for (int32_t i = 0; i < dims; i++)
        for (int32_t j = i; j < dims; j++)
            matrix[i * dims + j] = matrix[j * dims + i] =
                times * (double)tac_two_words(exact->word, exact->count / 2, at++);
}

void tac_door_round(const double *vectors, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (int16_t)lrint(TAC_M * fmax(-1, fmin(1, vectors[i])));
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

/* One subspace of the distribution exp(tr U^T A U); matrix: d x d, overwritten. u: d x d, vectors:
   d x d. */
static tacit_status draw_matrix(tac_door *door, tac_stream *stream, double *matrix, int32_t d,
                                int32_t q, double *u, double *vectors, double *basis)
{
    tacit_status status = TACIT_OK;
    tac_grassmann *distribution = NULL;
    double *values = NULL, *turn = NULL;
    bool found = false;

    TAC_TRY(tac_new(door->ctx, (size_t)d, sizeof *values, &values));
    TAC_TRY(tac_new(door->ctx, (size_t)q * (size_t)q, sizeof *turn, &turn));
    TAC_TRY(tac_top_eigen(door->ctx, matrix, d, d, values, vectors));
    TAC_TRY(tac_grassmann_open(door->ctx, values, d, q, &distribution));
    for (int64_t tries = 0; !found || tries < FIRST; tries++) {
        double chance;
        TAC_TRY(tac_check_cancel(door->ctx));
        TAC_TRY(tac_grassmann_propose(distribution, stream, u, &chance));
        const bool good = log(tac_draw_uniform(stream)) < chance;
        if (found || !good) continue;
        found = true;
        for (int32_t r = 0; r < q; r++) /* from the eigenvectors' coordinates to the lattice's */
            for (int32_t i = 0; i < d; i++) {
                double sum = 0;
                for (int32_t j = 0; j < d; j++) sum += vectors[i * d + j] * u[r * d + j];
                basis[r * d + i] = sum;
            }
    }
    /* The distribution is one of subspaces; a proposal's own vectors depend on the eigenvectors
       of the rows. Rotated uniformly at random, they reveal their span and no more. */
    tac_draw_frame(stream, 0, q, q, turn);
    turn_vectors(turn, q, d, basis, u);
    tac_orthonormal(0, q, d, basis); /* only rounding to fix */
done:
    tac_free(turn);
    tac_grassmann_close(distribution);
    tac_free(values);
    return status;
}

/* Vector after vector, each at right angles to the earlier ones: exp(u^T A u). */
static tacit_status draw_columns(tac_door *door, tac_stream *stream, tac_axis *axis, int32_t q,
                                 double *values, double *vectors, double *basis)
{
    tacit_status status = TACIT_OK;
    const int32_t d = axis->dims;
    double *spare = axis->normal;

    memcpy(axis->work, axis->b, (size_t)d * (size_t)d * sizeof(double));
    TAC_TRY(tac_top_eigen(door->ctx, axis->work, d, d, values, vectors));
    for (int32_t r = 0; r < q; r++) {
        double *u = basis + (size_t)r * (size_t)d;
        bool found = false;
        /* about what is left of the spectrum: where to start looking */
        axis->sigma = tac_axis_sigma(values + r, d - r);
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

/* One draw a cell, each from its own stream: exp(a tr(U^T A U)), a = epsilon / range. Rows lie
   in one cell each, so all cells together cost what one costs. */
tacit_status tac_bingham_draw(tac_door *door, const tac_query *q, const tac_bound *bound,
                              const tac_receipt *receipt, const tac_words *exact, uint64_t *answer)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(door);
    const int32_t d = tac_dims_of(q), rank = q->rank;
    const size_t square = (size_t)d * (size_t)d, each = (size_t)rank * (size_t)d;
    const double times = tac_bingham_exponent(&params, receipt->scale) / ((double)TAC_M * TAC_M);
    double *u = NULL, *vectors = NULL, *basis = NULL;
    int16_t *rounded = NULL;
    tac_axis axis = {0};
    tac_stream stream;
    bool open = false;

    (void)bound;
    TAC_TRY(tac_new(door->ctx, each, sizeof *basis, &basis));
    TAC_TRY(tac_new(door->ctx, each, sizeof *rounded, &rounded));
    TAC_TRY(tac_new(door->ctx, square, sizeof *u, &u));
    TAC_TRY(tac_new(door->ctx, square, sizeof *vectors, &vectors));
    TAC_TRY(tac_axis_open(door->ctx, d, &axis));
    for (int32_t c = 0; c < q->cells.count; c++) {
        TAC_TRY(tac_stream_open(door->ctx, door->key, tac_door_subkey(door, receipt), (uint64_t)c,
                                &stream));
        open = true;
        unfold(exact, (size_t)c * tac_triangle(d), d, times, axis.b);
        TAC_TRY(q->by_column ? draw_columns(door, &stream, &axis, rank, u, vectors, basis)
                             : draw_matrix(door, &stream, axis.b, d, rank, u, vectors, basis));
        tac_door_round(basis, each, rounded);
        for (size_t i = 0; i < each; i++) *answer++ = (uint64_t)(int64_t)rounded[i];
        tac_stream_close(&stream);
        open = false;
    }
done:
    if (open) tac_stream_close(&stream);
    tac_axis_close(&axis);
    tac_free(basis);
    tac_free(rounded);
    tac_free(u);
    tac_free(vectors);
    return status;
}

uint64_t tac_quote_bingham(const tac_privacy_params *params, int32_t rank, bool by_column,
                           uint64_t quanta)
{
    uint64_t cost;
    return tac_selection_epsilon(params->definition, by_column ? quanta / (uint64_t)rank : quanta,
                                 &cost);
}

double tac_bingham_exponent(const tac_privacy_params *params, uint64_t epsilon)
{
    return ldexp((double)epsilon, -TAC_SELECTION_BITS) /
           (double)tac_range_squares(params->neighbors, (uint64_t)params->rows_per_unit);
}

/* Both the answer and the moments it is drawn from must fit memory. */
tacit_status tac_bingham_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = tac_dims_of(q);

    if (q->rank < 1 || q->rank >= dims) return tac_no_sense(ctx, "a subspace");
    TAC_TRY(tac_words_fit(ctx, q->cells.count, (size_t)q->rank * (size_t)dims, words));
    TAC_TRY(tac_words_fit(ctx, q->cells.count, tac_triangle(dims), words));
done:
    return status;
}

/* By column, `rank` draws one after the other share the quanta. */
tacit_status tac_bingham_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    out->range = tac_range_squares(door->neighbors, door->rows_per_unit);
    out->draws = q->by_column ? (uint64_t)q->rank : 1;
    out->shown = (size_t)q->cells.count * (size_t)q->rank * (size_t)tac_dims_of(q);
    out->answers = (int64_t)out->shown;
    return TACIT_OK;
}
