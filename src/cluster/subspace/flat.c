/* SPDX-License-Identifier: Apache-2.0 */
/* Subspaces of the lattice in their released form, which depends on the subspace alone. */
#include "cluster/subspace/flat.h"

#include "data/lattice/frame.h"
#include "solve/linalg/eigen.h"
#include "solve/subspace/subspaces.h"

#include <math.h>
#include <string.h>

#define NEVER 1e-9 /* of last coordinates: such a subspace meets no row */

tacit_status tac_flat_new(tacit_ctx *ctx, int32_t q, int32_t d, tac_flat *out)
{
    tacit_status status = TACIT_OK;
    const size_t p = (size_t)q + 1, wide = (size_t)d + 1;

    *out = (tac_flat){.q = q, .d = d};
    TAC_TRY(tac_new(ctx, (size_t)q * (size_t)d, sizeof(double), &out->vectors));
    TAC_TRY(tac_new(ctx, (size_t)d, sizeof(double), &out->point));
    TAC_TRY(tac_new(ctx, p, sizeof(double), &out->squares));
    TAC_TRY(tac_new(ctx, 2 * p * wide + 3 * p * p + p, sizeof(double), &out->room));
done:
    return status; /* the caller clears it either way */
}

void tac_flat_clear(tac_flat *flat)
{
    tac_free(flat->vectors);
    tac_free(flat->point);
    tac_free(flat->squares);
    tac_free(flat->room);
    memset(flat, 0, sizeof *flat);
}

static void swap(double *a, double *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Selection sort, the first of equals first: there are few. Noise may have made a mean square
   negative. */
static void order(tac_flat *f)
{
    const size_t d = (size_t)f->d, q = (size_t)f->q;

    /* fmax passes NaN over */
    for (size_t i = 0; i < q; i++) f->squares[i] = fmax(0, f->squares[i]);
    for (size_t i = 0; i < q; i++) {
        size_t top = i;
        for (size_t c = i + 1; c < q; c++)
            if (f->squares[c] > f->squares[top]) top = c;
        if (top == i) continue;
        swap(f->squares + i, f->squares + top, 1);
        swap(f->vectors + i * d, f->vectors + top * d, d);
    }
}

/* A direction has no sign of its own. */
static void fix_signs(tac_flat *f)
{
    for (int32_t i = 0; i < f->q; i++) {
        double *v = f->vectors + (size_t)i * (size_t)f->d;
        int32_t top = 0;
        for (int32_t j = 1; j < f->d; j++) top = fabs(v[j]) > fabs(v[top]) ? j : top;
        const double sign = v[top] < 0 ? -1 : 1;
        for (int32_t j = 0; j < f->d; j++) v[j] = sign * v[j] + 0.0; /* never -0 */
    }
}

/* The released form of the vectors and squares that are there. */
static void finish(tac_flat *f, bool principal)
{
    tac_orthonormalise(f->vectors, f->q, f->d);
    if (principal)
        order(f);
    else
        tac_canonical_basis(f->vectors, f->q, f->d, f->room);
    fix_signs(f);
}

tacit_status tac_flat_linear(tacit_ctx *ctx, const double *vectors, const double *squares,
                             tac_flat *f)
{
    (void)ctx;
    memcpy(f->vectors, vectors, (size_t)f->q * (size_t)f->d * sizeof *vectors);
    memset(f->point, 0, (size_t)f->d * sizeof *f->point);
    if (squares != NULL) memcpy(f->squares, squares, (size_t)f->q * sizeof *squares);
    finish(f, squares != NULL);
    return TACIT_OK;
}

/* f->vectors = turn (q rows of p numbers) times w (p x wide), the last coordinate dropped. */
static void turn_into(const double *turn, const double *w, size_t p, tac_flat *f)
{
    const size_t d = (size_t)f->d;

    memset(f->vectors, 0, (size_t)f->q * d * sizeof *f->vectors);
    for (size_t i = 0; i < (size_t)f->q; i++)
        for (size_t a = 0; a < p; a++)
            for (size_t j = 0; j < d; j++)
                f->vectors[i * d + j] += turn[i * p + a] * w[a * (d + 1) + j];
}

/* The directions that carry no cross moment, turn <- E' turn: with squares along w, those along
   turn w have the matrix turn diag(squares) turn', and E are its eigenvectors. The rows are shrunk
   by sqrt 2 in z, so that squares double. */
static tacit_status find_principal(tacit_ctx *ctx, const double *squares, double *turn,
                                   double *room, tac_flat *f)
{
    tacit_status status = TACIT_OK;
    const size_t q = (size_t)f->q, p = q + 1;
    double *matrix = room, *vectors = room + q * q;

    for (size_t a = 0; a < q; a++)
        for (size_t b = a; b < q; b++) {
            matrix[a * q + b] = 0;
            for (size_t i = 0; i < p; i++)
                matrix[a * q + b] +=
                    turn[a * p + i] * (isfinite(squares[i]) ? squares[i] : 0) * turn[b * p + i];
        }
    TAC_TRY(tac_top_eigen(ctx, matrix, f->q, f->q, f->squares, vectors));
    for (size_t i = 0; i < p; i++) {
        for (size_t a = 0; a < q; a++) matrix[a] = turn[a * p + i];
        for (size_t a = 0; a < q; a++) {
            turn[a * p + i] = 0;
            for (size_t b = 0; b < q; b++) turn[a * p + i] += vectors[b * q + a] * matrix[b];
        }
    }
    for (size_t a = 0; a < q; a++) f->squares[a] *= 2;
done:
    return status;
}

/* See flat.h for the geometry. turn: row 0 the point, rows 1 .. q the directions, in coordinates
   of w. */
tacit_status tac_flat_affine(tacit_ctx *ctx, const double *vectors, const double *squares,
                             tac_flat *f)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)f->d, q = (size_t)f->q, p = q + 1, wide = d + 1;
    double *w = f->room, *turn = w + p * wide, *more = turn + p * p;
    double up = 0, far = 0;

    memcpy(w, vectors, p * wide * sizeof *w);
    tac_orthonormalise(w, f->q + 1, f->d + 1);
    memset(turn, 0, p * p * sizeof *turn);
    memset(f->point, 0, d * sizeof *f->point);
    for (size_t i = 0; i < p; i++) up += w[i * wide + d] * w[i * wide + d];
    up = sqrt(up);
    if (up > NEVER) {
        for (size_t i = 0; i < p; i++) turn[i] = w[i * wide + d] / up;
        for (size_t i = 0; i < p; i++)
            for (size_t j = 0; j < d; j++) f->point[j] += TAC_M / up * turn[i] * w[i * wide + j];
        for (size_t j = 0; j < d; j++) far += f->point[j] * f->point[j];
        for (size_t j = 0; far > (double)TAC_M * TAC_M && j < d; j++)
            f->point[j] *= TAC_M / sqrt(far);
        /* the rows below the first are 0: axes take their place */
        tac_orthonormalise(turn, f->q + 1, f->q + 1);
    } else {
        for (size_t i = 0; i < p; i++) turn[((i + 1) % p) * p + i] = 1;
    }
    if (squares != NULL) TAC_TRY(find_principal(ctx, squares, turn + p, more, f));
    turn_into(turn + p, w, p, f);
    finish(f, squares != NULL);
done:
    return status;
}
