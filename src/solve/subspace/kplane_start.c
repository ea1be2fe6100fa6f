/* SPDX-License-Identifier: Apache-2.0 */
/* Starts of k-plane: random directions, or planes through drawn rows. */
#include "solve/subspace/kplane_internal.h"

#include "solve/linalg/eigen.h"
#include "solve/kmeans/kmeans_internal.h"
#include "solve/subspace/subspaces.h"

#include <math.h>
#include <string.h>

double tac_plain_normal(uint64_t *state)
{
    const double u = ((double)(tac_plain_random(state) >> 11) + 0.5) * 0x1p-53,
                 v = (double)(tac_plain_random(state) >> 11) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* Dimension of subspace c. */
static int32_t rank_of(const tac_planes *s, int32_t c)
{
    return s->rank == NULL ? s->q : s->rank[c];
}

/* A subspace uniformly at random: Gaussian vectors, orthonormalized. Vectors beyond its rank are
   0. */
static void even(const tac_planes *s, int32_t c, uint64_t *state, double *bases)
{
    const size_t d = (size_t)s->d;
    double *own = bases + (size_t)c * (size_t)s->q * d;
    const int32_t rank = rank_of(s, c);

    for (size_t i = 0; i < (size_t)rank * d; i++) own[i] = tac_plain_normal(state);
    tac_orthonormalise(own, rank, s->d);
    memset(own + (size_t)rank * d, 0, ((size_t)s->q - (size_t)rank) * d * sizeof *own);
}

/* A row with probability proportional to its rest; uniform if nothing is left over. */
static int64_t draw(const tac_planes *s, uint64_t *state)
{
    double total = 0, at = (double)(tac_plain_random(state) >> 11) * 0x1p-53;

    for (int64_t i = 0; i < s->n; i++) total += s->rest[i];
    if (!(total > 0)) return (int64_t)(at * (double)s->n);
    at *= total;
    for (int64_t i = 0; i < s->n; i++)
        if ((at -= s->rest[i]) < 0) return i;
    return s->n - 1;
}

void tac_planes_reseed(tac_planes *s, int32_t c, uint64_t *state, double *bases)
{
    const size_t d = (size_t)s->d;
    double *own = bases + (size_t)c * (size_t)s->q * d;
    const int32_t rank = rank_of(s, c);

    for (int32_t v = 0; v < rank; v++)
        memcpy(own + (size_t)v * d, s->points + draw(s, state) * s->d, d * sizeof *own);
    tac_orthonormalise(own, rank, s->d);
}

/* Sum of u u' over the `many` rows nearest in angle to row i, u = x / |x|: the leading vectors are
   the plane they lie in. */
static tacit_status near_rows(tac_planes *s, int64_t i, int32_t many, int32_t rank, double *own)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)s->d;
    const double *x = s->points + i * s->d;
    double *moments = NULL, *values = NULL, *vectors = NULL, *best = NULL;
    int64_t *row = NULL;
    int32_t held = 0;

    TAC_TRY(tac_new(s->ctx, d * d, sizeof *moments, &moments));
    TAC_TRY(tac_new(s->ctx, (size_t)rank, sizeof *values, &values));
    TAC_TRY(tac_new(s->ctx, (size_t)rank * d, sizeof *vectors, &vectors));
    TAC_TRY(tac_new(s->ctx, (size_t)many + 1, sizeof *best, &best));
    TAC_TRY(tac_new(s->ctx, (size_t)many + 1, sizeof *row, &row));
    for (int64_t r = 0; r < s->n; r++) {
        const double *y = s->points + r * s->d;
        double dot = 0, square = 0;
        for (size_t j = 0; j < d; j++) {
            dot += x[j] * y[j];
            square += y[j] * y[j];
        }
        if (!(square > 0)) continue;
        const double near = dot * dot / square;
        if (held == many && !(near > best[held - 1])) continue;
        int32_t at = held < many ? held++ : held - 1; /* insertion: few are held */
        for (; at > 0 && best[at - 1] < near; at--) {
            best[at] = best[at - 1];
            row[at] = row[at - 1];
        }
        best[at] = near;
        row[at] = r;
    }
    for (int32_t h = 0; h < held; h++) {
        const double *y = s->points + row[h] * s->d;
        double square = 0;
        for (size_t j = 0; j < d; j++) square += y[j] * y[j];
        for (size_t a = 0; a < d; a++)
            for (size_t b = a; b < d; b++) moments[a * d + b] += y[a] * y[b] / square;
    }
    TAC_TRY(tac_top_eigen(s->ctx, moments, s->d, rank, values, vectors));
    for (size_t v = 0; v < (size_t)rank; v++)
        for (size_t j = 0; j < d; j++) own[v * d + j] = vectors[j * (size_t)rank + v];
done:
    tac_free(moments);
    tac_free(values);
    tac_free(vectors);
    tac_free(best);
    tac_free(row);
    return status;
}

/* The first row uniformly at random, each later one with probability proportional to its squared
   distance from the subspaces before: k-means++ for subspaces. */
static tacit_status from_rows(tac_planes *s, uint64_t *state, double *bases)
{
    tacit_status status = TACIT_OK;
    double cost;

    for (int64_t i = 0; i < s->n; i++) s->rest[i] = 1;
    for (int32_t c = 0; c < s->k; c++) {
        const int32_t rank = rank_of(s, c);
        if (rank > 0)
            TAC_TRY(near_rows(s, draw(s, state), 2 * s->q + 1, rank,
                              bases + (size_t)c * (size_t)s->q * (size_t)s->d));
        /* vectors of the later ones are 0 */
        if (c + 1 < s->k) TAC_TRY(tac_planes_assign(s, bases, &cost));
    }
done:
    return status;
}

tacit_status tac_planes_start(tac_planes *s, bool rows, uint64_t *state, double *bases)
{
    memset(bases, 0, (size_t)s->k * (size_t)s->q * (size_t)s->d * sizeof *bases);
    if (rows) return from_rows(s, state, bases);
    for (int32_t c = 0; c < s->k; c++) even(s, c, state, bases);
    return TACIT_OK;
}
