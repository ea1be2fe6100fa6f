/* SPDX-License-Identifier: Apache-2.0 */
/* k subspaces against one, on second moments with fresh noise. */
#include "cluster/subspace/auto/pooled_contest.h"
#include "solve/linalg/blas.h"
#include "solve/linalg/eigen.h"
#include "solve/subspace/kplane_internal.h"

#include <math.h>
#include <string.h>

#define SURE 2.0   /* standard deviations */
#define LEAST 0.05 /* of what one subspace leaves: a smaller lead is not worth k subspaces */

/* rows without groups: so many, and so many more for each vector; directions that they differ in */
enum { NULL_ROWS = 1000, NULL_MORE = 50, NULL_MOST = 10000, NULL_DIMS = 64 };
enum { NULL_RESTARTS = 3, NULL_ITERATIONS = 30 };
/* a first look: a part of the rows, one start; enough where the answer is far from the limit */
enum { LOOK_PART = 4, LOOK_ITERATIONS = 8 };
#define LOOK_ERROR 0.15 /* of what one subspace leaves: how wrong it may be */
/* multiplications, about a second: plain k-plane of more is not worth a note */
#define NULL_WORK 2e9

tacit_status tac_contest_open(tacit_ctx *ctx, int32_t k, int32_t q, int32_t m, tac_contest *out)
{
    tacit_status status = TACIT_OK;
    const size_t rank = (size_t)q, wide = (size_t)m;

    *out = (tac_contest){.ctx = ctx, .k = k, .q = q, .m = m};
    TAC_TRY(tac_new(ctx, (size_t)k * rank * wide, sizeof *out->bases, &out->bases));
    TAC_TRY(tac_new(ctx, rank * wide, sizeof *out->one, &out->one));
    TAC_TRY(tac_new(ctx, wide, sizeof *out->values, &out->values));
done:
    return status;
}

/* apart: |P_l - P|_F^2 = 2 q - 2 |U_l V^T|_F^2. */
tacit_status tac_contest_round(tac_contest *c, const double *bases, double *pool)
{
    tacit_status status = TACIT_OK;
    const size_t rank = (size_t)c->q, wide = (size_t)c->m;
    double *vectors = NULL, apart = 2.0 * c->k * c->q;

    TAC_TRY(tac_new(c->ctx, wide * wide, sizeof *vectors, &vectors));
    memcpy(c->bases, bases, (size_t)c->k * rank * wide * sizeof *bases);
    TAC_TRY(tac_top_eigen(c->ctx, pool, c->m, c->m, c->values, vectors));
    for (size_t a = 0; a < rank; a++)
        for (size_t j = 0; j < wide; j++) c->one[a * wide + j] = vectors[j * wide + a];
    for (size_t u = 0; u < (size_t)c->k * rank; u++)
        for (size_t a = 0; a < rank; a++) {
            double along = 0;
            for (size_t j = 0; j < wide; j++) along += bases[u * wide + j] * c->one[a * wide + j];
            apart -= 2 * along * along;
        }
    c->apart += fmax(0, apart);
    c->beyond += (double)c->k * (c->m - c->q);
done:
    tac_free(vectors);
    return status;
}

void tac_contest_close(tac_contest *c)
{
    tac_free(c->bases);
    tac_free(c->one);
    tac_free(c->values);
    *c = (tac_contest){0};
}

/* sum over the q vectors of u^T M u */
static double squares_along(const double *moments, size_t m, const double *basis, size_t q)
{
    double sum = 0;

    for (size_t a = 0; a < q; a++)
        for (size_t i = 0; i < m; i++) {
            double row = 0;
            for (size_t j = 0; j < m; j++) row += moments[i * m + j] * basis[a * m + j];
            sum += basis[a * m + i] * row;
        }
    return sum;
}

void tac_contest_add(tac_contest *c, const double *moments, double weight)
{
    const size_t m = (size_t)c->m, q = (size_t)c->q;

    for (size_t l = 0; l < (size_t)c->k; l++) {
        const double *own = moments + l * m * m;
        c->held += weight * squares_along(own, m, c->bases + l * q * m, q);
        c->pooled += weight * squares_along(own, m, c->one, q);
        for (size_t i = 0; i < m; i++) c->all += weight * own[i * m + i];
    }
    c->judged = true;
}

/* The variances of rows without groups: the pool's eigenvalues. Noise has spread those beyond the
   first q; what is below 0 is 0, and the sum stays. */
static void fill_variances(const tac_contest *c, double *variance)
{
    double above = 0, trace = 0;

    for (int32_t i = c->q; i < c->m; i++) {
        trace += c->values[i];
        above += fmax(0, c->values[i]);
    }
    for (int32_t i = 0; i < c->m; i++)
        variance[i] = fmax(0, c->values[i]) * (i < c->q    ? 1
                                               : above > 0 ? fmax(0, fmin(1, trace / above))
                                                           : 0);
}

/* Every row of the same length, as long as they are on average: the other kind of rows. */
static void make_round(double *rows, int64_t n, int32_t d)
{
    double all = 0;

    for (int64_t i = 0; i < n * d; i++) all += rows[i] * rows[i] / (double)n;
    for (int64_t i = 0; i < n; i++) {
        double own = 0;
        for (int32_t j = 0; j < d; j++) own += rows[i * d + j] * rows[i * d + j];
        for (int32_t j = 0; j < d && own > 0; j++) rows[i * d + j] *= sqrt(all / own);
    }
}

static int32_t null_dims(const tac_contest *c)
{
    const int32_t wide = 4 * c->q > NULL_DIMS ? 4 * c->q : NULL_DIMS;
    return c->m < wide ? c->m : wide;
}

static int64_t null_rows(const tac_contest *c)
{
    const int64_t asked = NULL_ROWS + (int64_t)NULL_MORE * c->k * c->q;
    return asked < NULL_MOST ? asked : NULL_MOST;
}

static bool too_much_work(const tac_contest *c)
{
    const double step = (double)null_rows(c) * null_dims(c) * c->k * c->q;
    return step * NULL_RESTARTS * NULL_ITERATIONS > NULL_WORK;
}

/* *part: of what one subspace leaves of rows without groups, k of them save. Rows have the pool's
   moments and are like a bell, or all of one length (even); eigenvectors do not matter, so they are
   drawn in their coordinates. */
static tacit_status find_null(const tac_contest *c, uint64_t seed, bool even, bool look,
                              double *part)
{
    tacit_status status = TACIT_OK;
    const int32_t d = null_dims(c);
    const int64_t n = null_rows(c) / (look ? LOOK_PART : 1);
    const tac_kplane plain = {.k = c->k,
                              .q = c->q,
                              .restarts = look ? 1 : NULL_RESTARTS,
                              .iterations = look ? LOOK_ITERATIONS : NULL_ITERATIONS,
                              .tolerance = 1e-4,
                              .seed = seed};
    double *variance = NULL, *rows = NULL, *bases = NULL, one = 0, several, rest = 0;
    uint64_t state = seed;

    TAC_TRY(tac_new(c->ctx, (size_t)c->m, sizeof *variance, &variance));
    TAC_TRY(tac_new(c->ctx, (size_t)(n * d), sizeof *rows, &rows));
    TAC_TRY(tac_new(c->ctx, (size_t)(c->k * c->q * d), sizeof *bases, &bases));
    fill_variances(c, variance);
    *part = 1; /* where noise has left nothing beyond one subspace, nothing can be told */
    if (!(variance[0] > 0)) goto done;
    for (int64_t i = 0; i < n * d; i++) {
        const int32_t j = (int32_t)(i % d);
        rows[i] = sqrt(variance[j] / variance[0]) * tac_plain_normal(&state);
    }
    if (even) make_round(rows, n, d);
    for (int64_t i = 0; i < n * d; i++) one += i % d < c->q ? 0 : rows[i] * rows[i] / (double)n;
    for (int32_t j = d; j < c->m; j++) rest += variance[j] / variance[0];
    const int before = tac_blas_one_thread();
    status = tac_solve_kplane(c->ctx, rows, n, d, &plain, bases, &several, NULL);
    tac_blas_restore(before);
    if (status == TACIT_OK && one + rest > 0) *part = fmax(0, (one - several) / (one + rest));
done:
    tac_free(variance);
    tac_free(rows);
    tac_free(bases);
    return status;
}

/* With t the part of what one subspace leaves that counts as no lead, lead - t left has the noise
   of <P_l - P - t (I - P), N_l>; |P_l - P - t (I - P)|^2 = (1 - t) |P_l - P|^2 + t^2 |I - P|^2. */
static bool leads(const tac_contest *c, double sd, double part)
{
    const double left = c->all - c->pooled, lead = c->held - c->pooled,
                 t = fmin(1, fmax(0, part) + LEAST);
    return lead - t * left > SURE * sd * sqrt((1 - t) * c->apart + t * t * c->beyond);
}

/* *well: do they lead by more than rows without groups would let them? A look decides where a
   larger and a smaller part would say the same. */
static tacit_status weigh_lead(const tac_contest *c, double sd, uint64_t seed, bool *well)
{
    tacit_status status = TACIT_OK;
    double bell, even;

    for (int look = 1; look >= 0; look--) {
        TAC_TRY(find_null(c, seed, false, look, &bell));
        TAC_TRY(find_null(c, seed, true, look, &even));
        const double part = fmax(bell, even), off = look ? LOOK_ERROR : 0;
        *well = leads(c, sd, part + off);
        if (*well == leads(c, sd, part - off)) break;
    }
done:
    return status;
}

tacit_status tac_contest_note(const tac_contest *c, double sd, bool shares, uint64_t seed,
                              tac_notes *notes)
{
    tacit_status status = TACIT_OK;
    bool well;

    if (!c->judged || too_much_work(c)) return TACIT_OK;
    TAC_TRY(weigh_lead(c, sd, seed, &well));
    if (well) return TACIT_OK;
    if (shares && c->all > 0)
        return tac_note(c->ctx, notes,
                        "these %d subspaces hold %.0f %% of the squared lengths of the rows, a "
                        "single one (-k 1) %.0f %%: as far as noise lets tell, rows without any "
                        "groups would look the same; " TAC_SAYS_NO_GROUPS,
                        c->k, 100 * fmin(1, fmax(0, c->held / c->all)),
                        100 * fmin(1, fmax(0, c->pooled / c->all)));
    TAC_TRY(tac_note(c->ctx, notes,
                     "these %d subspaces fit the rows no better, as far as noise lets tell, than "
                     "they would fit rows without any groups; " TAC_SAYS_NO_GROUPS ", and try -k 1",
                     c->k));
done:
    return status;
}
