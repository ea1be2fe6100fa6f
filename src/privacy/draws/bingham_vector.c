/* SPDX-License-Identifier: Apache-2.0 */
/* One vector of a Bingham distribution: angular central Gaussian proposals (Kent, Ganeiber &
   Mardia), without an eigendecomposition. Proof: bingham.proof.md, part 2 */
#include "privacy/draws/bingham.h"

#include <math.h>

enum { STEPS = 80 };

/* An envelope is good enough when its mass is at most about exp(1/4) times the least: that many
   more proposals cost less than another factorization. */
#define EXCESS 1.0

tacit_status tac_axis_open(tacit_ctx *ctx, int32_t dims, tac_axis *out)
{
    tacit_status status = TACIT_OK;
    const size_t square = (size_t)dims * (size_t)dims;

    *out = (tac_axis){.dims = dims};
    TAC_TRY(tac_new(ctx, square, sizeof(double), &out->b));
    TAC_TRY(tac_new(ctx, square, sizeof(double), &out->inverse));
    TAC_TRY(tac_new(ctx, square, sizeof(double), &out->work));
    TAC_TRY(tac_new(ctx, (size_t)dims, sizeof(double), &out->normal));
done:
    if (status != TACIT_OK) tac_axis_close(out);
    return status;
}

void tac_axis_close(tac_axis *axis)
{
    tac_free(axis->b);
    tac_free(axis->inverse);
    tac_free(axis->work);
    tac_free(axis->normal);
    *axis = (tac_axis){0};
}

/* b_ij - w_i v_j - v_i w_j + (w.v) w_i w_j, v = b w */
void tac_deflate(double *b, int32_t dims, const double *w, double *scratch)
{
    double *v = scratch, both = 0;

    for (int32_t i = 0; i < dims; i++) {
        const double *row = b + (ptrdiff_t)i * dims;
        double sum = 0;
        for (int32_t j = 0; j < dims; j++) sum += row[j] * w[j];
        v[i] = sum;
        both += sum * w[i];
    }
    for (int32_t i = 0; i < dims; i++) v[i] -= both / 2 * w[i]; /* splits the last term evenly */
    for (int32_t i = 0; i < dims; i++) {
        double *row = b + (ptrdiff_t)i * dims;
        const double wi = w[i], vi = v[i];
        for (int32_t j = 0; j < dims; j++) row[j] -= wi * v[j] + vi * w[j];
    }
}

/* sigma I - 2 b = R^T R, R upper; inverse = R^-1. Returns trace (sigma I - 2 b)^-1 without the
   given vectors' part, or infinity if the matrix is not positive definite. */
static double factor(tac_axis *axis, int32_t given, double sigma)
{
    const int32_t d = axis->dims;
    double *restrict r = axis->work, *restrict x = axis->inverse, trace = 0;
    const double *restrict b = axis->b;

    for (int32_t i = 0; i < d; i++)
        for (int32_t j = i; j < d; j++) r[i * d + j] = (i == j ? sigma : 0) - 2 * b[i * d + j];
    for (int32_t k = 0; k < d; k++) {
        double *restrict top = r + (ptrdiff_t)k * d;
        if (!(top[k] > sigma * 1e-15)) return INFINITY;
        const double scale = 1 / sqrt(top[k]);
        for (int32_t j = k; j < d; j++) top[j] *= scale;
        for (int32_t i = k + 1; i < d; i++) {
            double *restrict row = r + (ptrdiff_t)i * d;
            const double times = top[i];
            for (int32_t j = i; j < d; j++) row[j] -= times * top[j];
        }
        top[k] = scale; /* from now on the diagonal's reciprocal */
    }
    for (int32_t i = d - 1; i >= 0; i--) { /* x_i = (e_i - sum over j > i of r_ij x_j) / r_ii */
        double *restrict to = x + (ptrdiff_t)i * d;
        const double *row = r + (ptrdiff_t)i * d;
        for (int32_t j = i + 1; j < d; j++) to[j] = 0;
        for (int32_t j = i + 1; j < d; j++) {
            const double *restrict from = x + (ptrdiff_t)j * d;
            const double times = row[j];
            for (int32_t l = j; l < d; l++) to[l] -= times * from[l];
        }
        to[i] = 1;
        for (int32_t j = i; j < d; j++) {
            to[j] *= row[i];
            trace += to[j] * to[j];
        }
    }
    return trace - given / sigma;
}

/* Bisection: the sum falls as sigma grows, from at least 1 at 2 max + 1 to at most 1 at 2 max +
   count. */
double tac_axis_sigma(const double *lambda, int32_t count)
{
    double low = 2 * lambda[0] + 1, high = 2 * lambda[0] + count;

    for (int32_t i = 1; i < count; i++) { /* the largest */
        low = fmax(low, 2 * lambda[i] + 1);
        high = fmax(high, 2 * lambda[i] + count);
    }
    for (int step = 0; step < 60; step++) {
        const double middle = (low + high) / 2;
        double sum = 0;
        for (int32_t i = 0; i < count; i++) sum += 1 / (middle - 2 * lambda[i]);
        if (sum > 1)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* How many eigenvalues matter: (trace Omega^-1)^2 / |Omega^-1|^2, Omega^-1 = X X^T. */
static double many(const tac_axis *axis, double trace)
{
    const int32_t d = axis->dims;
    double squares = 0;

    for (int32_t i = 0; i < d; i++)
        for (int32_t l = i; l < d; l++) {
            const double *a = axis->inverse + (ptrdiff_t)i * d,
                         *b = axis->inverse + (ptrdiff_t)l * d;
            double dot = 0;
            for (int32_t j = l; j < d; j++) dot += a[j] * b[j];
            squares += (i == l ? 1 : 2) * dot * dot;
        }
    return trace * trace / squares;
}

/* The excess of ln mass over its least is about m (1 - trace)^2 / 4, m eigenvalues that matter; m
   <= dimensions. */
static bool is_good(const tac_axis *axis, int32_t given, double trace)
{
    const double off = (1 - trace) * (1 - trace);
    if (!(trace > 0.3 && trace < 3)) return false;
    return off * (axis->dims - given) < EXCESS ||
           off * many(axis, trace + given / axis->sigma) < EXCESS;
}

/* Any sigma above twice the largest eigenvalue gives the same distribution; the one with trace 1
   wastes the fewest proposals. 1 / trace - 1 is nearly straight in sigma: secants within a
   bracket. */
void tac_axis_ready(tac_axis *axis, int32_t given)
{
    const int32_t d = axis->dims;
    double largest = 0, trace = 0, low, high, at, before = 0, value_before = NAN;

    for (int32_t i = 0; i < d; i++) {
        const double diagonal = axis->b[i * d + i];
        largest = fmax(largest, diagonal);
        trace += fmax(0, diagonal);
    }
    low = 2 * largest + 1;
    high = 2 * trace + d - given; /* no eigenvalue is above the trace */
    at = axis->sigma > low && axis->sigma < high ? axis->sigma : high;
    for (int step = 0; step < STEPS; step++) {
        const double sum = factor(axis, given, at), value = 1 / sum - 1;
        axis->sigma = at;
        if (is_good(axis, given, sum)) break;
        if (step >= STEPS - 2 && isfinite(sum)) break; /* wasteful, not wrong */
        if (value < 0)
            low = at;
        else
            high = at;
        /* slope; at first 1, as of one eigenvalue */
        const double flat = (value - value_before) / (at - before);
        double next = at - value / (isfinite(flat) && flat > 0 ? flat : 1);
        before = at;
        value_before = isfinite(sum) ? value : NAN;
        if (!(next > low && next < high) || step % 8 == 7) next = (low + high) / 2;
        if (step >= STEPS - 3) next = 2 * trace + d - given;
        at = next;
    }
}

/* g ~ N(0, (sigma I - 2 b)^-1), made orthogonal to the given: u = g / |g|, and sigma - 2 u^T b u =
   (g^T Omega g) / |g|^2. Chance: v + (D / 2) ln(sigma - 2 v) against its maximum, where sigma - 2 v
   = D; v = u^T b u, D = d - given. */
bool tac_axis_try(tac_axis *axis, tac_stream *stream, int32_t given, double *basis)
{
    const int32_t d = axis->dims, left = d - given;
    double *restrict u = basis + (ptrdiff_t)given * d, form = 0, length = 0;
    const double *restrict n = axis->normal;

    tac_draw_normals(stream, (size_t)d, axis->normal);
    for (int32_t i = 0; i < d; i++) {
        const double *row = axis->inverse + (ptrdiff_t)i * d;
        double sum = 0;
        for (int32_t j = i; j < d; j++) sum += row[j] * n[j];
        u[i] = sum;
        form += n[i] * n[i];
    }
    for (int pass = 0; pass < 2; pass++) /* the second takes away what rounding left */
        for (int32_t s = 0; s < given; s++) {
            const double *w = basis + (ptrdiff_t)s * d;
            double part = 0;
            for (int32_t j = 0; j < d; j++) part += w[j] * u[j];
            for (int32_t j = 0; j < d; j++) u[j] -= part * w[j];
            if (pass == 0) form -= axis->sigma * part * part;
        }
    for (int32_t i = 0; i < d; i++) length += u[i] * u[i];
    if (!(length > 0) || !(form > 0)) return false; /* of probability 0 but for rounding */
    const double t = form / length, scale = 1 / sqrt(length);
    for (int32_t i = 0; i < d; i++) u[i] *= scale;
    /* v - v* + (D/2) ln(t / D), v = (sigma - t) / 2, v* = (sigma - D) / 2 */
    return log(tac_draw_uniform(stream)) < (left - t) / 2 + left / 2.0 * log(t / left);
}
